/* Tangents where velocities jump: how the matrix and the rates of constraints change there. */
#include <string.h>

#include "array.h"
#include "tangent.h"

/*
** The entries of J once more, and of each constraint how its rate depends on time, or its value
** where that is a rate, in a graph of their own.
*/
static sarrus_Status list_extras(const TangentForm *form, sarrus_Expr *extras) {
  const sarrus_System *system = form->system;
  const Tape *own = system->tape;
  for (int i = 0; i < own->extra_count; i++)
    extras[i] = own->values[own->extra_value[i]].node;
  const sarrus_Expr time = sarrus_graph_symbol(form->graph, SARRUS_TIME, 0);
  for (int i = 0; i < system->m; i++) {
    const sarrus_Expr g = system->equation[system->n + i];
    extras[own->extra_count + i] =
        system->offset[system->n + i] == 2 ? sarrus_graph_diff(form->graph, g, time) : g;
  }
  return form->graph->status;
}

static sarrus_Status copy_graph(const Tangent *tangent, TangentForm *form) {
  if (form->graph != NULL) return SARRUS_OK;
  form->graph = sarrus_graph_new(tangent->memory);
  if (form->graph == NULL) return SARRUS_NOMEM;
  const sarrus_Status status = system_copy_graph(form->graph, form->system->graph);
  if (status >= 0) return SARRUS_OK;
  sarrus_graph_free(form->graph);
  form->graph = NULL;
  return status;
}

static sarrus_Status compile_extras(const Tangent *tangent, TangentForm *form) {
  const sarrus_Memory memory = tangent->memory;
  const int count = form->system->tape->extra_count + form->system->m;
  sarrus_Expr *extras = NULL;
  int capacity = 0;
  SARRUS_TRY(copy_graph(tangent, form));
  if (!ARRAY_RESERVE(memory, extras, capacity, count + 1)) return SARRUS_NOMEM;
  sarrus_Status status = list_extras(form, extras);
  const TapeSpec spec = {.graph = form->graph, .extra_count = count, .extras = extras};
  if (status >= 0) status = tape_new(memory, &spec, &form->matrix);
  ARRAY_RELEASE(memory, extras, capacity);
  return status;
}

static void lay_out_matrix(const Tangent *tangent, TangentForm *form, Block *block) {
  form->entries = (Dual){.tape = form->matrix, .width = tangent->width};
  dual_lay_out(&form->entries, block);
  BLOCK_TAKE(block, form->rates, (ptrdiff_t)form->system->m * tangent->width);
}

static sarrus_Status compile_matrix(const Tangent *tangent, TangentForm *form) {
  const sarrus_Memory memory = tangent->memory;
  Block block = {NULL, 0};
  if (form->matrix_block != NULL) return SARRUS_OK;
  if (form->matrix == NULL) SARRUS_TRY(compile_extras(tangent, form));
  lay_out_matrix(tangent, form, &block);
  form->matrix_block = memory.alloc(memory.ud, NULL, 0, block.used);
  if (form->matrix_block == NULL) return SARRUS_NOMEM;
  form->matrix_bytes = block.used;
  memset(form->matrix_block, 0, block.used);
  lay_out_matrix(tangent, form, &(Block){form->matrix_block, 0});
  return SARRUS_OK;
}

/* A motion at one point, with velocities v. */
typedef struct Instant {
  const Tangent *tangent;
  TangentForm *form;
  const sarrus_Expansion *expansion;
  const Expanded *motion;
  const double *v, *parameters;
} Instant;

/* to += factor times row j of some rows */
static void add_row(const Instant *at, double *to, double factor, const double *rows, int j) {
  const int width = at->tangent->width;
  for (int l = 0; l < width; l++)
    to[l] += factor * rows[(ptrdiff_t)j * width + l];
}

static void copy_row(const Instant *at, double *to, const double *rows, int j) {
  const int width = at->tangent->width;
  memcpy(to, rows + (ptrdiff_t)j * width, (size_t)width * sizeof *to);
}

static void set_state(const Instant *at) {
  const sarrus_System *system = at->form->system;
  const ptrdiff_t variables = system->n + system->m;
  const double unit = at->motion->unit;
  Dual *dual = &at->form->entries;
  for (int i = 0; i < dual->tape->input_count; i++) {
    const Input *input = &dual->tape->inputs[i];
    const int index = input->index;
    double *value = &dual->value[input->value], *slope = dual_slope(dual, input->value);
    const double *c = at->motion->c + (input->kind == SARRUS_LAMBDA ? system->n : 0) + index;
    switch (input->kind) {
      case SARRUS_TIME: *value = at->motion->t; break;
      case SARRUS_U: *value = at->expansion->modes[index]; break;
      case SARRUS_PARAMETER:
        *value = at->parameters[index];
        copy_row(at, slope, at->tangent->p, index);
        break;
      case SARRUS_Q:
        *value = c[0];
        copy_row(at, slope, at->tangent->q, index);
        break;
      case SARRUS_V:
        *value = at->v[index];
        copy_row(at, slope, at->tangent->v, index);
        break;
      case SARRUS_LAMBDA: *value = c[0]; break;
      default: *value = 2 * c[2 * variables] / (unit * unit);
    }
  }
}

/* g' = g_t + G v, and w itself */
static void find_rate_slopes(const Instant *at) {
  const TangentForm *form = at->form;
  const sarrus_System *system = form->system;
  const Kkt *kkt = at->expansion->kkt;
  const int *extra = form->matrix->extra_value, entries = system->tape->extra_count;
  for (int i = 0; i < system->m; i++) {
    const int row = system->n + i;
    double *rate = form->rates + (ptrdiff_t)i * at->tangent->width;
    copy_row(at, rate, form->entries.slope, extra[entries + i]);
    if (system->offset[row] != 2) continue;
    for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++) {
      const int j = kkt->pattern.column[e];
      if (j >= system->n) continue;
      add_row(at, rate, kkt->value[e], at->tangent->v, j);
      add_row(at, rate, at->v[j], form->entries.slope, extra[e]);
    }
  }
}

sarrus_Status tangent_matrix(Tangent *tangent, TangentForm *form, const sarrus_Expansion *expansion,
                             const Expanded *motion, const double *v, const double *parameters) {
  SARRUS_TRY(compile_matrix(tangent, form));
  const Instant at = {tangent, form, expansion, motion, v, parameters};
  set_state(&at);
  dual_values(&form->entries);
  find_rate_slopes(&at);
  return SARRUS_OK;
}
