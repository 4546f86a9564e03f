/* Observers: expressions of a graph, compiled to be evaluated, with derivatives, at any state. */
#include "sarrus/observer.h"

#include <limits.h>
#include <math.h>

#include "array.h"
#include "tape_dual.h"

struct sarrus_Observer {
  sarrus_Memory memory;
  sarrus_Graph *graph;
  Tape *tape; /* the expressions are its extras */
  size_t work_bytes;
  Work *work;
  Dual dual; /* for derivatives; made when they are first asked for */
  void *dual_block;
  size_t dual_bytes;
};

static sarrus_Status compile(sarrus_Observer *observer, const sarrus_Graph *graph, int count,
                             const sarrus_Expr *exprs, sarrus_Expr *copies) {
  const sarrus_Memory memory = observer->memory;
  const TapeSpec spec = {.graph = observer->graph, .extra_count = count, .extras = copies};
  SARRUS_TRY(sarrus_graph_import(observer->graph, graph, count, exprs, copies));
  SARRUS_TRY(tape_new(memory, &spec, &observer->tape));
  if (sarrus_observer_uses(observer, SARRUS_TIME) > 1) return SARRUS_ARGUMENT;
  observer->work_bytes = work_size(observer->tape, 1);
  void *block = memory.alloc(memory.ud, NULL, 0, observer->work_bytes);
  if (block == NULL) return SARRUS_NOMEM;
  observer->work = work_init(block, observer->tape, 1);
  return SARRUS_OK;
}

sarrus_Status sarrus_observer_new(sarrus_Memory memory, const sarrus_Graph *graph, int count,
                                  const sarrus_Expr *exprs, sarrus_Observer **result) {
  sarrus_Expr *copies = NULL;
  int capacity = 0;
  *result = NULL;
  if (count < 0 || count > INT_MAX / 4) return SARRUS_ARGUMENT;
  sarrus_Observer *observer = memory.alloc(memory.ud, NULL, 0, sizeof *observer);
  if (observer == NULL) return SARRUS_NOMEM;
  *observer = (sarrus_Observer){.memory = memory, .graph = sarrus_graph_new(memory)};
  sarrus_Status status = SARRUS_NOMEM;
  if (observer->graph != NULL && ARRAY_RESERVE(memory, copies, capacity, count))
    status = compile(observer, graph, count, exprs, copies);
  ARRAY_RELEASE(memory, copies, capacity);
  if (status == SARRUS_OK)
    *result = observer;
  else
    sarrus_observer_free(observer);
  return status;
}

void sarrus_observer_free(sarrus_Observer *observer) {
  if (observer == NULL) return;
  const sarrus_Memory memory = observer->memory;
  if (observer->work != NULL) memory.alloc(memory.ud, observer->work, observer->work_bytes, 0);
  if (observer->dual_block != NULL)
    memory.alloc(memory.ud, observer->dual_block, observer->dual_bytes, 0);
  tape_free(observer->tape);
  sarrus_graph_free(observer->graph);
  memory.alloc(memory.ud, observer, sizeof *observer, 0);
}

size_t sarrus_observer_bytes(const sarrus_Observer *observer) {
  return sizeof *observer + observer->work_bytes + observer->dual_bytes + observer->tape->bytes +
         sarrus_graph_bytes(observer->graph);
}

int sarrus_observer_uses(const sarrus_Observer *observer, sarrus_SymbolKind kind) {
  const Tape *tape = observer->tape;
  int most = 0;
  for (int i = 0; i < tape->input_count; i++)
    if (tape->inputs[i].kind == kind && tape->inputs[i].index >= most)
      most = tape->inputs[i].index + 1;
  return most;
}

/* The number that the caller gave for an input; `unknown` where its list is missing. */
static double seen(const sarrus_Sight *sight, const Input *input, double unknown) {
  const double *const lists[SARRUS_SYMBOL_KINDS] = {[SARRUS_PARAMETER] = sight->parameters,
                                                    [SARRUS_Q] = sight->q,
                                                    [SARRUS_V] = sight->v,
                                                    [SARRUS_A] = sight->a,
                                                    [SARRUS_LAMBDA] = sight->lambda,
                                                    [SARRUS_U] = sight->modes};
  if (input->kind == SARRUS_TIME) return sight->t;
  return lists[input->kind] == NULL ? unknown : lists[input->kind][input->index];
}

void sarrus_observer_evaluate(sarrus_Observer *observer, const sarrus_Sight *sight,
                              double *values) {
  const Tape *tape = observer->tape;
  for (int i = 0; i < tape->input_count; i++)
    observer->work->value[tape->inputs[i].value] = seen(sight, &tape->inputs[i], (double)NAN);
  tape_values(observer->work, LEAD_CONSTANT, 0);
  for (int i = 0; i < tape->extra_count; i++)
    values[i] = observer->work->value[tape->extra_value[i]];
}

static sarrus_Status make_dual(sarrus_Observer *observer) {
  const sarrus_Memory memory = observer->memory;
  Dual *dual = &observer->dual;
  if (observer->dual_block != NULL) return SARRUS_OK;
  *dual = (Dual){.tape = observer->tape, .width = dual_width(1)};
  Block block = {NULL, 0};
  dual_lay_out(dual, &block);
  observer->dual_block = memory.alloc(memory.ud, NULL, 0, block.used);
  if (observer->dual_block == NULL) return SARRUS_NOMEM;
  observer->dual_bytes = block.used;
  dual_lay_out(dual, &(Block){observer->dual_block, 0});
  return SARRUS_OK;
}

sarrus_Status sarrus_observer_slopes(sarrus_Observer *observer, const sarrus_Sight *sight,
                                     const sarrus_Sight *tangent, double *slopes) {
  const Tape *tape = observer->tape;
  SARRUS_TRY(make_dual(observer));
  Dual *dual = &observer->dual;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    dual->value[input->value] = seen(sight, input, (double)NAN);
    *dual_slope(dual, input->value) = seen(tangent, input, 0);
  }
  dual_values(dual);
  for (int i = 0; i < tape->extra_count; i++)
    slopes[i] = *dual_slope(dual, tape->extra_value[i]);
  return SARRUS_OK;
}
