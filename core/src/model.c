/* Models from files: loading, and reading the fields of their items. */
#include "sarrus/model.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "expr_graph.h"
#include "model_parts.h"
#include "system_parts.h"

/* --- fields ------------------------------------------------------------------------------ */

const sarrus_Item *model_item(const sarrus_Model *model, sarrus_List list, int index) {
  if (index < 0 || index >= sarrus_model_count(model, list)) return NULL;
  return &model->items[model->first[list] + index];
}

static const sarrus_Field *find_field(const sarrus_Item *item, const char *name) {
  for (int i = 0; i < item->fields; i++)
    if (strcmp(item->field[i].name, name) == 0) return &item->field[i];
  return NULL;
}

const double *model_numbers(const sarrus_Item *item, const char *field, int *count) {
  const sarrus_Field *found = find_field(item, field);
  *count = found == NULL || found->text != NULL ? 0 : found->count;
  return *count == 0 ? NULL : found->numbers;
}

double model_number(const sarrus_Item *item, const char *field, double absent) {
  int count;
  const double *x = model_numbers(item, field, &count);
  return count == 0 ? absent : x[0];
}

int model_whole(const sarrus_Item *item, const char *field, double low, double high) {
  int count;
  const double *x = model_numbers(item, field, &count);
  for (int i = 0; i < count; i++)
    if (!(x[i] >= low && x[i] < high) || floor(x[i]) != x[i]) return 0;
  return 1;
}

int sarrus_model_count(const sarrus_Model *model, sarrus_List list) {
  if ((int)list < 0 || list >= SARRUS_LISTS) return 0;
  return model->first[list + 1] - model->first[list];
}

const char *sarrus_model_name(const sarrus_Model *model, sarrus_List list, int index) {
  const sarrus_Item *item = model_item(model, list, index);
  return item == NULL ? NULL : item->name;
}

int sarrus_model_find(const sarrus_Model *model, sarrus_List list, const char *name) {
  for (int i = 0; name != NULL && i < sarrus_model_count(model, list); i++)
    if (strcmp(model_item(model, list, i)->name, name) == 0) return i;
  return SARRUS_NONE;
}

const double *sarrus_model_numbers(const sarrus_Model *model, sarrus_List list, int index,
                                   const char *field, int *count) {
  const sarrus_Item *item = model_item(model, list, index);
  int unused;
  if (count == NULL) count = &unused;
  *count = 0;
  return item == NULL || field == NULL ? NULL : model_numbers(item, field, count);
}

const char *sarrus_model_text(const sarrus_Model *model, sarrus_List list, int index,
                              const char *field) {
  const sarrus_Item *item = model_item(model, list, index);
  const sarrus_Field *found = item == NULL || field == NULL ? NULL : find_field(item, field);
  return found == NULL ? NULL : found->text;
}

const sarrus_System *sarrus_model_system(const sarrus_Model *model) { return model->system; }

/* --- loading ----------------------------------------------------------------------------- */

void sarrus_model_free(sarrus_Model *model) {
  if (model == NULL) return;
  const sarrus_Memory memory = model->memory;
  sarrus_system_free(model->system);
  sarrus_graph_free(model->graph);
  sarrus_graph_free(model->sights);
  ARRAY_RELEASE(memory, model->names, model->name_capacity);
  ARRAY_RELEASE(memory, model->items, model->item_capacity);
  ARRAY_RELEASE(memory, model->fields, model->field_capacity);
  ARRAY_RELEASE(memory, model->numbers, model->number_capacity);
  if (model->data != NULL) memory.alloc(memory.ud, model->data, model->size + 1, 0);
  memory.alloc(memory.ud, model, sizeof *model, 0);
}

/* Whether all symbols of the graph of what can be seen are symbols of the system. */
static int symbols_sound(const sarrus_Model *model) {
  const sarrus_System *system = model->system;
  const int counts[SARRUS_SYMBOL_KINDS] = {
      [SARRUS_TIME] = 1,         [SARRUS_PARAMETER] = system->parameters,
      [SARRUS_Q] = system->n,    [SARRUS_V] = system->n,
      [SARRUS_A] = system->n,    [SARRUS_LAMBDA] = sarrus_system_multipliers(system),
      [SARRUS_U] = system->modes};
  for (int e = 0; e < model->sights->count; e++) {
    const Node *node = &model->sights->nodes[e];
    if (node->op == SARRUS_OP_SYMBOL && node->b >= counts[node->a]) return 0;
  }
  return 1;
}

static sarrus_Status open_model(sarrus_Model *model) {
  SARRUS_TRY(model_parse(model));
  model->dimension = model_number(&model->items[0], "dimension", 0) < 3 ? 2 : 3;
  if (!model_is_sound(model)) return SARRUS_FORMAT;
  const sarrus_Status status =
      model_compile(model->memory, model, model->graph, 0, NULL, 0, &model->system);
  if (status < 0) return status == SARRUS_NOMEM ? status : SARRUS_FORMAT;
  return symbols_sound(model) ? SARRUS_OK : SARRUS_FORMAT;
}

/* An empty model with room for a file of `size` bytes. */
static sarrus_Model *new_model(sarrus_Memory memory, size_t size) {
  sarrus_Model *model = memory.alloc(memory.ud, NULL, 0, sizeof *model);
  if (model == NULL) return NULL;
  *model = (sarrus_Model){.memory = memory, .size = size};
  model->data = memory.alloc(memory.ud, NULL, 0, size + 1);
  if (model->data != NULL) return model;
  sarrus_model_free(model);
  return NULL;
}

/* Parse the data that the model holds; a failure so far is passed on, and the model freed. */
static sarrus_Status finish(sarrus_Model *model, sarrus_Status status, sarrus_Model **result) {
  if (status == SARRUS_OK) status = open_model(model);
  if (status == SARRUS_OK)
    *result = model;
  else
    sarrus_model_free(model);
  return status;
}

sarrus_Status sarrus_model_read(sarrus_Memory memory, const char *data, size_t size,
                                sarrus_Model **result) {
  *result = NULL;
  if (data == NULL || size > INT_MAX) return SARRUS_FORMAT;
  sarrus_Model *model = new_model(memory, size);
  if (model == NULL) return SARRUS_NOMEM;
  memcpy(model->data, data, size);
  return finish(model, SARRUS_OK, result);
}

/* The size of a file; its first byte is read, because a folder opens but cannot be read. */
static int size_of_file(FILE *file, size_t *size) {
  if (fgetc(file) == EOF && ferror(file)) return 0;
  if (fseek(file, 0, SEEK_END) != 0) return 0;
  const long end = ftell(file);
  *size = (size_t)end;
  return end >= 0 && end <= INT_MAX && fseek(file, 0, SEEK_SET) == 0;
}

static sarrus_Status load(sarrus_Memory memory, FILE *file, sarrus_Model **result) {
  size_t size;
  if (!size_of_file(file, &size)) return SARRUS_IO;
  sarrus_Model *model = new_model(memory, size);
  if (model == NULL) return SARRUS_NOMEM;
  const size_t got = fread(model->data, 1, size, file);
  return finish(model, got == size ? SARRUS_OK : SARRUS_IO, result);
}

sarrus_Status sarrus_model_load(sarrus_Memory memory, const char *path, sarrus_Model **result,
                                int *error) {
  int unused;
  if (error == NULL) error = &unused;
  *error = 0;
  *result = NULL;
  if (path == NULL) return SARRUS_ARGUMENT;
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    *error = errno;
    return SARRUS_IO;
  }
  const sarrus_Status status = load(memory, file, result);
  if (status == SARRUS_IO) *error = errno;
  fclose(file);
  return status;
}
