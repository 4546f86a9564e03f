/* Parses the file of a model (format: model_parts.h); nothing in the data is trusted. */
#include <limits.h>
#include <string.h>

#include "array.h"
#include "checksum.h"
#include "expr_graph.h"
#include "model_parts.h"

typedef struct Reader {
  sarrus_Model *model;
  const char *from;
  size_t size, at;
  sarrus_Status status; /* the first failure; from then on everything read is 0 */
} Reader;

static void fail(Reader *reader, sarrus_Status status) {
  if (reader->status == SARRUS_OK) reader->status = status;
}

static unsigned long long get_word(Reader *reader, size_t bytes) {
  unsigned long long word = 0;
  if (bytes > reader->size - reader->at) fail(reader, SARRUS_FORMAT);
  if (reader->status < 0) return 0;
  for (size_t i = 0; i < bytes; i++)
    word |= (unsigned long long)(unsigned char)reader->from[reader->at + i] << 8 * i;
  reader->at += bytes;
  return word;
}

static int get_int(Reader *reader) {
  const unsigned word = (unsigned)get_word(reader, 4);
  return word <= INT_MAX ? (int)word : -(int)(UINT_MAX - word) - 1;
}

static double get_double(Reader *reader) {
  const unsigned long long word = get_word(reader, 8);
  double x;
  memcpy(&x, &word, sizeof x);
  return x;
}

/* A count of things that take at least `least` bytes each: no more than the rest of the data. */
static int get_count(Reader *reader, size_t least) {
  const int count = get_int(reader);
  if (count < 0 || (size_t)count > (reader->size - reader->at) / least) fail(reader, SARRUS_FORMAT);
  return reader->status < 0 ? 0 : count;
}

static const char *get_text(Reader *reader) {
  const size_t length = (size_t)get_count(reader, 1);
  const char *text = reader->from + reader->at;
  if (reader->status == SARRUS_OK && length >= reader->size - reader->at)
    fail(reader, SARRUS_FORMAT);
  if (reader->status < 0) return "";
  if (memchr(text, 0, length + 1) != text + length) fail(reader, SARRUS_FORMAT);
  reader->at += length + 1;
  return reader->status < 0 ? "" : text;
}

/* --- graphs ------------------------------------------------------------------------------ */

/* A constructor of the graph failed: the file is malformed, or memory has run out. */
static void refuse(Reader *reader, const sarrus_Graph *graph) {
  fail(reader, graph->status == SARRUS_NOMEM ? SARRUS_NOMEM : SARRUS_FORMAT);
}

static void get_table(Reader *reader, sarrus_Graph *graph) {
  const sarrus_Memory memory = reader->model->memory;
  const int count = get_count(reader, 2 * sizeof(double)), next = graph->table_count;
  double *x = NULL;
  int capacity = 0;
  if (reader->status < 0) return;
  if (!ARRAY_RESERVE(memory, x, capacity, 2 * count + 1)) {
    fail(reader, SARRUS_NOMEM);
    return;
  }
  for (int i = 0; i < 2 * count; i++)
    x[i] = get_double(reader);
  if (sarrus_graph_new_table(graph, count, x, x + count) != next) refuse(reader, graph);
  ARRAY_RELEASE(memory, x, capacity);
}

static sarrus_Expr get_sum(Reader *reader, sarrus_Graph *graph) {
  const sarrus_Memory memory = reader->model->memory;
  const double constant = get_double(reader);
  const int count = get_count(reader, sizeof(double) + 4);
  sarrus_Term *terms = NULL;
  int capacity = 0;
  if (!ARRAY_RESERVE(memory, terms, capacity, count + 1)) {
    fail(reader, SARRUS_NOMEM);
    return SARRUS_NONE;
  }
  for (int i = 0; i < count; i++) {
    terms[i].factor = get_double(reader);
    terms[i].expr = get_int(reader);
  }
  const sarrus_Expr sum = sarrus_graph_linear(graph, constant, count, terms);
  ARRAY_RELEASE(memory, terms, capacity);
  return sum;
}

/* Whether an operation has no constructor of its own: sarrus_graph_apply makes it. */
static int is_plain(sarrus_Op op) {
  return op >= SARRUS_OP_PRODUCT && op < SARRUS_OP_COUNT &&
         (op < SARRUS_OP_ADD || op > SARRUS_OP_POW);
}

static sarrus_Expr get_node(Reader *reader, sarrus_Graph *graph) {
  const sarrus_Op op = (sarrus_Op)get_word(reader, 1);
  int operand[3] = {SARRUS_NONE, SARRUS_NONE, SARRUS_NONE};
  const int count = op == SARRUS_OP_TABLE ? 3 : op == SARRUS_OP_SYMBOL ? 2 : sarrus_op_arity(op);
  if (op == SARRUS_OP_CONSTANT) return sarrus_graph_constant(graph, get_double(reader));
  if (op == SARRUS_OP_LINEAR) return get_sum(reader, graph);
  for (int i = 0; i < count; i++)
    operand[i] = get_int(reader);
  switch (op) {
    case SARRUS_OP_SYMBOL:
      return sarrus_graph_symbol(graph, (sarrus_SymbolKind)operand[0], operand[1]);
    case SARRUS_OP_INTEGER_POWER:
    case SARRUS_OP_POWER: return sarrus_graph_power(graph, operand[0], get_double(reader));
    case SARRUS_OP_TABLE: return sarrus_graph_table(graph, operand[1], operand[2], operand[0]);
    default: break;
  }
  if (!is_plain(op)) return SARRUS_NONE;
  return sarrus_graph_apply(graph, op, operand[0], operand[1], operand[2]);
}

static sarrus_Graph *get_graph(Reader *reader) {
  sarrus_Graph *graph = sarrus_graph_new(reader->model->memory);
  if (graph == NULL) {
    fail(reader, SARRUS_NOMEM);
    return NULL;
  }
  const int tables = get_count(reader, 4);
  for (int i = 0; i < tables && reader->status == SARRUS_OK; i++)
    get_table(reader, graph);
  const int nodes = get_count(reader, 1);
  for (int e = 0; e < nodes && reader->status == SARRUS_OK; e++)
    if (get_node(reader, graph) != e || graph->count != e + 1) refuse(reader, graph);
  return graph;
}

/* --- items ------------------------------------------------------------------------------- */

/* Read a field; it is stored if `fill`, else only counted. */
static void get_field(Reader *reader, int fill) {
  sarrus_Model *model = reader->model;
  sarrus_Field field = {.name = get_text(reader)};
  const size_t at = reader->at;
  const int count = get_int(reader);
  if (count == SARRUS_NONE) {
    field.text = get_text(reader);
  } else {
    reader->at = reader->status < 0 ? reader->at : at;
    field.count = get_count(reader, sizeof(double));
    field.numbers = fill ? model->numbers + model->number_count : NULL;
  }
  for (int i = 0; i < field.count; i++) {
    const double x = get_double(reader);
    if (fill) model->numbers[model->number_count + i] = x;
  }
  model->number_count += field.count;
  if (fill) model->fields[model->field_count] = field;
  model->field_count++;
}

static void get_item(Reader *reader, int fill) {
  sarrus_Model *model = reader->model;
  const int list = get_int(reader);
  sarrus_Item item = {.list = (sarrus_List)list, .name = get_text(reader)};
  if (list < 0 || list >= SARRUS_LISTS) fail(reader, SARRUS_FORMAT);
  item.fields = get_count(reader, 9);
  item.field = fill ? model->fields + model->field_count : NULL;
  for (int i = 0; i < item.fields && reader->status == SARRUS_OK; i++)
    get_field(reader, fill);
  if (fill) model->items[model->item_count] = item;
  if (fill) model->names[model->item_count] = item.name;
  model->item_count++;
}

static void get_items(Reader *reader, int fill) {
  const int items = get_count(reader, 13);
  reader->model->item_count = reader->model->field_count = reader->model->number_count = 0;
  for (int i = 0; i < items && reader->status == SARRUS_OK; i++)
    get_item(reader, fill);
}

/* Items are sorted by list: find where each list begins; an empty one begins where it ends. */
static int find_lists(sarrus_Model *model) {
  int at = 0;
  for (int list = 0; list < SARRUS_LISTS; list++) {
    model->first[list] = at;
    while (at < model->item_count && (int)model->items[at].list == list)
      at++;
  }
  model->first[SARRUS_LISTS] = at;
  return at == model->item_count && model->first[SARRUS_WHOLE + 1] == 1;
}

static sarrus_Status parse(Reader *reader) {
  sarrus_Model *model = reader->model;
  model->graph = get_graph(reader);
  if (reader->status == SARRUS_OK) model->sights = get_graph(reader);
  const size_t at = reader->at;
  get_items(reader, 0);
  SARRUS_TRY(reader->status);
  if (reader->at != reader->size) return SARRUS_FORMAT;
  if (!ARRAY_RESERVE(model->memory, model->items, model->item_capacity, model->item_count + 1) ||
      !ARRAY_RESERVE(model->memory, model->names, model->name_capacity, model->item_count + 1) ||
      !ARRAY_RESERVE(model->memory, model->fields, model->field_capacity, model->field_count + 1) ||
      !ARRAY_RESERVE(model->memory, model->numbers, model->number_capacity,
                     model->number_count + 1))
    return SARRUS_NOMEM;
  reader->at = at;
  get_items(reader, 1);
  return find_lists(model) ? reader->status : SARRUS_FORMAT;
}

sarrus_Status model_parse(sarrus_Model *model) {
  Reader reader = {model, model->data, model->size, 0, SARRUS_OK};
  if (model->size < MODEL_MAGIC + 4 + 8 || memcmp(model->data, model_magic, MODEL_MAGIC) != 0)
    return SARRUS_FORMAT;
  reader.at = MODEL_MAGIC;
  if (get_int(&reader) != MODEL_VERSION) return SARRUS_VERSION;
  const size_t after = reader.at;
  reader.at = model->size - 8;
  if (get_word(&reader, 8) != checksum(model->data, model->size - 8)) return SARRUS_FORMAT;
  reader.at = after;
  reader.size = model->size - 8;
  return parse(&reader);
}
