/*
** The equations that implicit steps solve: those of a form, with elements (forces that are efforts
** along a length) lifted, so that their stiffness is on the diagonal of the matrix whichever way
** the mechanism turns.  A lifted length l is a variable without mass,
**
**   0 = lambda_l - effort(l, l', t),   l - length(q, t) = 0                            (T51)
*/
#include "array.h"
#include "block.h"
#include "implicit.h"

/* --- memory ------------------------------------------------------------------------------ */

static void lay_out(Equations *equations, Block *block) {
  block_take(block, 1, sizeof *equations);
  BLOCK_TAKE(block, equations->degree, equations->size);
  BLOCK_TAKE(block, equations->offset, equations->size);
  BLOCK_TAKE(block, equations->start, equations->size + 1);
}

static Equations *allocate(sarrus_Memory memory, const sarrus_System *form, int lifts) {
  Equations shape = {.memory = memory, .form = form, .lifts = lifts};
  shape.n = form->n + lifts;
  shape.m = form->m + lifts;
  shape.size = shape.n + shape.m;
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  shape.bytes = block.used;
  Equations *equations = memory.alloc(memory.ud, NULL, 0, block.used);
  if (equations == NULL) return NULL;
  *equations = shape;
  lay_out(equations, &(Block){(char *)equations, 0});
  equations->graph = sarrus_graph_new(memory);
  if (equations->graph != NULL) return equations;
  equations_free(equations);
  return NULL;
}

void equations_free(Equations *equations) {
  if (equations == NULL) return;
  const sarrus_Memory memory = equations->memory;
  tape_free(equations->residual);
  tape_free(equations->terms);
  tape_free(equations->closing);
  ARRAY_RELEASE(memory, equations->residual_twins.of, equations->residual_twins.capacity);
  ARRAY_RELEASE(memory, equations->term_twins.of, equations->term_twins.capacity);
  ARRAY_RELEASE(memory, equations->closing_twins.of, equations->closing_twins.capacity);
  ARRAY_RELEASE(memory, equations->term, equations->term_capacity);
  ARRAY_RELEASE(memory, equations->column, equations->column_capacity);
  if (equations->graph != NULL) sarrus_graph_free(equations->graph);
  memory.alloc(memory.ud, equations, equations->bytes, 0);
}

/* --- lifting ----------------------------------------------------------------------------- */

static sarrus_Expr product(sarrus_Graph *graph, sarrus_Expr a, sarrus_Expr b) {
  return sarrus_graph_apply(graph, SARRUS_OP_PRODUCT, a, b, SARRUS_NONE);
}

static int is_lifted(const sarrus_System *whole, int force) {
  for (int i = 0; i < whole->elements; i++)
    if (whole->element[i].force == force) return 1;
  return 0;
}

/* The factor of a force: 1; in the form CHANGED 1 minus its mode, which is 1 when released. */
static sarrus_Expr acting(const Equations *equations, const sarrus_System *whole, int force) {
  sarrus_Graph *graph = equations->graph;
  const sarrus_Expr one = sarrus_graph_constant(graph, 1);
  const int changed = equations->form != whole && !equations->form->is_lean;
  if (!changed) return one;
  const int mode = whole->modes - whole->forces + force;
  return expr_add(graph, one, -1, sarrus_graph_symbol(graph, SARRUS_U, mode));
}

/* F contains -f: the shares of lifted forces are added, term by term as they were subtracted. */
static void take_out_shares(const Equations *equations, const sarrus_System *whole,
                            sarrus_Expr *row) {
  sarrus_Graph *graph = equations->graph;
  for (int i = 0; i < whole->shares; i++) {
    const sarrus_ForceShare *share = &whole->share[i];
    if (!is_lifted(whole, share->force)) continue;
    sarrus_Expr *motion = &row[share->coordinate];
    *motion = expr_add(graph, *motion, 1, share->share);
    if (equations->form == whole || equations->form->is_lean) continue;
    const int mode = whole->modes - whole->forces + share->force;
    const sarrus_Expr gone =
        product(graph, sarrus_graph_symbol(graph, SARRUS_U, mode), share->share);
    *motion = expr_add(graph, *motion, -1, gone);
  }
}

/* (T51) */
static sarrus_Status lift(const Equations *equations, const sarrus_System *whole, int k,
                          sarrus_Expr *row) {
  sarrus_Graph *graph = equations->graph;
  const sarrus_Element *element = &whole->element[k];
  const int coordinate = equations->form->n + k, multiplier = equations->form->m + k;
  const sarrus_Expr l = sarrus_graph_symbol(graph, SARRUS_Q, coordinate),
                    lambda = sarrus_graph_symbol(graph, SARRUS_LAMBDA, multiplier);
  const sarrus_Expr what[] = {element->length, element->rate},
                    by[] = {l, sarrus_graph_symbol(graph, SARRUS_V, coordinate)};
  sarrus_Expr effort = element->effort;
  SARRUS_TRY(expr_replace(graph, 1, &effort, element->rate == SARRUS_NONE ? 1 : 2, what, by));
  effort = product(graph, effort, acting(equations, whole, element->force));
  row[coordinate] = expr_scale(graph, -1, effort);
  sarrus_Expr *constraint = &row[equations->n + multiplier];
  *constraint = expr_add(graph, l, -1, element->length);
  return system_add_gradient(graph, 1, constraint, &lambda, SARRUS_Q, row);
}

/* The rows of the form, at their places, and those of lifted elements. */
static sarrus_Status write_rows(const Equations *equations, const sarrus_System *whole,
                                sarrus_Expr *row) {
  const sarrus_System *form = equations->form;
  SARRUS_TRY(system_copy_graph(equations->graph, form->graph));
  for (int i = 0; i < form->n + form->m; i++) {
    const int at = i < form->n ? i : i + equations->lifts;
    row[at] = form->equation[i];
    equations->degree[at] = form->degree[i];
    equations->offset[at] = form->offset[i];
  }
  for (int k = 0; k < equations->lifts; k++) {
    const int l = form->n + k, constraint = equations->n + form->m + k;
    equations->degree[l] = equations->offset[constraint] = 2;
    equations->offset[l] = equations->degree[constraint] = 0;
  }
  take_out_shares(equations, whole, row);
  for (int k = 0; k < equations->lifts; k++)
    SARRUS_TRY(lift(equations, whole, k, row));
  return equations->graph->status;
}

/* --- the matrix -------------------------------------------------------------------------- */

typedef struct TermList {
  Equations *equations;
  int row, motion; /* motion: the expression is a force, of which lower derivatives are kept */
  sarrus_Expr *expr;
  int capacity;
  sarrus_Status status;
} TermList;

/* The entry in a column of the current row, which is the last row so far; made if need be. */
static int find_entry(Equations *equations, int row, int column) {
  for (int e = equations->start[row]; e < equations->entry_count; e++)
    if (equations->column[e] == column) return e;
  if (!ARRAY_RESERVE(equations->memory, equations->column, equations->column_capacity,
                     equations->entry_count + 1))
    return SARRUS_NONE;
  equations->column[equations->entry_count] = column;
  return equations->entry_count++;
}

/*
** Keep dF/dx^(d - c - p), to be multiplied by sigma^p (T53).  In a mechanism the terms with p > 0
** are taken from forces only: those of masses and reactions are no faster than the motion.
*/
static void add_term(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  TermList *list = ud;
  Equations *equations = list->equations;
  if (kind < SARRUS_Q || kind > SARRUS_LAMBDA) return;
  const int column = kind == SARRUS_LAMBDA ? equations->n + index : index;
  const int order = kind == SARRUS_LAMBDA ? 0 : (int)kind - (int)SARRUS_Q;
  const int power = equations->degree[column] - equations->offset[list->row] - order;
  const int separate =
      !equations->form->general && !equations->form->nonlinear && list->row < equations->n;
  if (power < 0 || (separate && list->motion != (power > 0))) return;
  const int entry = find_entry(equations, list->row, column);
  const int count = equations->term_count + 1;
  if (entry == SARRUS_NONE ||
      !ARRAY_RESERVE(equations->memory, equations->term, equations->term_capacity, count) ||
      !ARRAY_RESERVE(equations->memory, list->expr, list->capacity, count)) {
    list->status = SARRUS_NOMEM;
    return;
  }
  equations->term[count - 1] = (MatrixTerm){entry, power};
  list->expr[count - 1] = derivative;
  equations->term_count = count;
}

/* Forces: rows of motion without accelerations and multipliers. */
static sarrus_Status find_forces(const Equations *equations, sarrus_Expr *force) {
  const sarrus_Memory memory = equations->memory;
  sarrus_Graph *graph = equations->graph;
  const sarrus_Expr zero = sarrus_graph_constant(graph, 0);
  sarrus_Expr *what = NULL;
  int capacity = 0;
  if (!ARRAY_RESERVE(memory, what, capacity, 2 * equations->size + 1)) return SARRUS_NOMEM;
  for (int j = 0; j < equations->size; j++) {
    const int multiplier = j >= equations->n;
    what[j] = sarrus_graph_symbol(graph, multiplier ? SARRUS_LAMBDA : SARRUS_A,
                                  multiplier ? j - equations->n : j);
    what[equations->size + j] = zero;
  }
  sarrus_Status status = graph->status;
  if (status == SARRUS_OK)
    status =
        expr_replace(graph, equations->n, force, equations->size, what, what + equations->size);
  ARRAY_RELEASE(memory, what, capacity);
  return status;
}

static sarrus_Status list_terms(TermList *list, const sarrus_Expr *row, const sarrus_Expr *force) {
  Equations *equations = list->equations;
  sarrus_Graph *graph = equations->graph;
  for (int i = 0; i < equations->size; i++) {
    list->row = i;
    equations->start[i] = equations->entry_count;
    list->motion = 0;
    SARRUS_TRY(sarrus_graph_gradient(graph, 1, &row[i], NULL, add_term, list));
    list->motion = 1;
    if (i < equations->n && !equations->form->general && !equations->form->nonlinear)
      SARRUS_TRY(sarrus_graph_gradient(graph, 1, &force[i], NULL, add_term, list));
    SARRUS_TRY(list->status);
  }
  equations->start[equations->size] = equations->entry_count;
  return SARRUS_OK;
}

/* --- compiling --------------------------------------------------------------------------- */

static sarrus_Status compile(const Equations *equations, int count, const sarrus_Expr *exprs,
                             Tape **tape) {
  const TapeSpec spec = {.graph = equations->graph, .extra_count = count, .extras = exprs};
  return tape_new(equations->memory, &spec, tape);
}

static sarrus_Status compile_terms(Equations *equations, const sarrus_Expr *row,
                                   sarrus_Expr *force) {
  TermList list = {.equations = equations};
  sarrus_Status status = SARRUS_OK;
  for (int i = 0; i < equations->n; i++)
    force[i] = row[i];
  if (!equations->form->general && !equations->form->nonlinear)
    status = find_forces(equations, force);
  if (status == SARRUS_OK) status = list_terms(&list, row, force);
  if (status == SARRUS_OK)
    status = compile(equations, equations->term_count, list.expr, &equations->terms);
  ARRAY_RELEASE(equations->memory, list.expr, list.capacity);
  return status;
}

/* The constraints themselves, and their rates. */
static sarrus_Status compile_closing(Equations *equations, const sarrus_Expr *row,
                                     sarrus_Expr *exprs) {
  sarrus_Graph *graph = equations->graph;
  for (int i = 0; i < equations->m; i++) {
    const int offset = equations->offset[equations->n + i];
    const sarrus_Expr own = row[equations->n + i];
    sarrus_Expr *position = &exprs[i], *rate = &exprs[equations->m + i];
    *position = *rate = sarrus_graph_constant(graph, 0);
    if (offset == 2) {
      *position = own;
      SARRUS_TRY(system_add_rate(graph, own, rate));
    } else if (offset == 1) {
      *rate = own;
    }
  }
  return compile(equations, 2 * equations->m, exprs, &equations->closing);
}

static sarrus_Status compile_residual(Equations *equations, sarrus_Expr *row) {
  sarrus_Graph *graph = equations->graph;
  for (int i = 0; i < equations->size; i++) {
    for (int c = 0; c < equations->offset[i]; c++) {
      sarrus_Expr rate = sarrus_graph_constant(graph, 0);
      SARRUS_TRY(system_add_rate(graph, row[i], &rate));
      row[i] = rate;
    }
  }
  return compile(equations, equations->size, row, &equations->residual);
}

/* --- piecewise functions ----------------------------------------------------------------- */

/* The expression by which a piecewise function chooses its branch. */
static sarrus_Expr argument_of(sarrus_Graph *graph, const Node *node) {
  switch (node->op) {
    case SARRUS_OP_MIN: return expr_add(graph, node->b, -1, node->a);
    case SARRUS_OP_MAX: return expr_add(graph, node->a, -1, node->b);
    default: return node->a;
  }
}

/*
** The switch of the form with which a piecewise function changes its branch: its own; or, for a
** derivative of a piecewise function, which is another function of the same argument, the switch of
** a function with this argument.
*/
static int twin_of(const Equations *equations, sarrus_Expr e) {
  const Tape *form = equations->form->tape;
  const Node node = equations->graph->nodes[e];
  const int own = system_find_switch(form, e);
  if (own != SARRUS_NONE) return own;
  const sarrus_Expr argument = argument_of(equations->graph, &node);
  for (int i = 0; i < form->switch_count; i++) {
    const Switch *one = &form->switches[i];
    const int table = node.op == SARRUS_OP_TABLE ? node.b : SARRUS_NONE;
    if (form->slots[one->slot].node == argument && one->table == table) return i;
  }
  return SARRUS_NONE;
}

static sarrus_Status find_twins(const Equations *equations, const Tape *tape, Twins *twins) {
  if (!ARRAY_RESERVE(equations->memory, twins->of, twins->capacity, tape->value_count + 1))
    return SARRUS_NOMEM;
  for (int i = 0; i < tape->value_count; i++) {
    const ValueStep *step = &tape->values[i];
    twins->of[i] = is_piecewise(step->op) || step->op == SARRUS_OP_TABLE
                       ? twin_of(equations, step->node)
                       : SARRUS_NONE;
  }
  return equations->graph->status;
}

static sarrus_Status find_all_twins(Equations *equations) {
  SARRUS_TRY(find_twins(equations, equations->residual, &equations->residual_twins));
  SARRUS_TRY(find_twins(equations, equations->terms, &equations->term_twins));
  return find_twins(equations, equations->closing, &equations->closing_twins);
}

/* --- all of it --------------------------------------------------------------------------- */

static sarrus_Status fill(Equations *equations, const sarrus_System *whole) {
  const sarrus_Memory memory = equations->memory;
  sarrus_Expr *row = NULL;
  int capacity = 0;
  if (!ARRAY_RESERVE(memory, row, capacity, 3 * equations->size + 1)) return SARRUS_NOMEM;
  sarrus_Status status = write_rows(equations, whole, row);
  if (status == SARRUS_OK) status = compile_terms(equations, row, row + equations->size);
  if (status == SARRUS_OK) status = compile_closing(equations, row, row + equations->size);
  if (status == SARRUS_OK) status = compile_residual(equations, row);
  if (status == SARRUS_OK) status = find_all_twins(equations);
  ARRAY_RELEASE(memory, row, capacity);
  return status;
}

sarrus_Status equations_new(sarrus_Memory memory, const sarrus_System *whole,
                            const sarrus_System *form, Equations **result) {
  *result = NULL;
  Equations *equations = allocate(memory, form, whole->elements);
  if (equations == NULL) return SARRUS_NOMEM;
  const sarrus_Status status = fill(equations, whole);
  if (status == SARRUS_OK)
    *result = equations;
  else
    equations_free(equations);
  return status;
}

static void give_back(Kept *kept) { equations_free((Equations *)kept); }

sarrus_Status equations_of(sarrus_Memory memory, const sarrus_System *whole,
                           const sarrus_System *form, Equations **result) {
  sarrus_System *keeper = (sarrus_System *)form; /* `kept` is all of it that may change */
  if (form != whole && !form->is_lean) return equations_new(memory, whole, form, result);
  Kept *kept = atomic_load(&keeper->kept);
  if (kept == NULL) {
    Equations *made;
    SARRUS_TRY(equations_new(whole->memory, whole, form, &made));
    made->kept.give_back = give_back;
    if (atomic_compare_exchange_strong(&keeper->kept, &kept, &made->kept))
      kept = &made->kept;
    else
      equations_free(made); /* another thread was first */
  }
  *result = (Equations *)kept;
  return SARRUS_OK;
}

sarrus_Status equations_share(const sarrus_System *whole) {
  Equations *made;
  if (whole->lean != NULL) SARRUS_TRY(equations_of(whole->memory, whole, whole->lean, &made));
  return equations_of(whole->memory, whole, whole, &made);
}

void equations_leave(Equations *equations) {
  if (equations != NULL && atomic_load(&equations->form->kept) != &equations->kept)
    equations_free(equations);
}
