/* Compiles the equations of a system: finds the entries of its matrix J (T5), makes its tape. */
#include "array.h"
#include "block.h"
#include "system_parts.h"

/* --- memory ------------------------------------------------------------------------------ */

static void lay_out(sarrus_System *system, Block *block) {
  const int size = system->n + system->m;
  block_take(block, 1, sizeof *system);
  BLOCK_TAKE(block, system->degree, system->room); /* for the multipliers of all forms */
  BLOCK_TAKE(block, system->offset, size);
  BLOCK_TAKE(block, system->idle, system->m);
  BLOCK_TAKE(block, system->equation, size);
  BLOCK_TAKE(block, system->input, size);
  BLOCK_TAKE(block, system->degree_end, size);
  BLOCK_TAKE(block, system->offset_end, size);
  BLOCK_TAKE(block, system->row_start, size + 1);
}

sarrus_System *system_allocate(sarrus_Memory memory, int n, int m, sarrus_System *whole) {
  sarrus_System shape = {.memory = memory, .n = n, .m = m, .is_lean = whole != NULL};
  shape.room = whole != NULL ? whole->room : n + m;
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  shape.bytes = block.used;
  sarrus_System *system = memory.alloc(memory.ud, NULL, 0, block.used);
  if (system == NULL) return NULL;
  *system = shape;
  lay_out(system, &(Block){(char *)system, 0});
  for (int i = 0; i < m; i++)
    system->idle[i] = SARRUS_NONE;
  for (int i = n; i < system->room; i++)
    system->degree[i] = 0;
  system->graph = whole != NULL ? whole->graph : sarrus_graph_new(memory);
  if (system->graph != NULL) return system;
  sarrus_system_free(system);
  return NULL;
}

void sarrus_system_free(sarrus_System *system) {
  if (system == NULL) return;
  const sarrus_Memory memory = system->memory;
  Kept *kept = atomic_load(&system->kept);
  if (kept != NULL) kept->give_back(kept);
  sarrus_system_free(system->lean);
  tape_free(system->tape);
  tape_free(system->bounds);
  tape_free(system->gaps);
  system_free_arguments(system);
  ARRAY_RELEASE(memory, system->lock, system->lock_capacity);
  ARRAY_RELEASE(memory, system->share, system->share_capacity);
  ARRAY_RELEASE(memory, system->element, system->element_capacity);
  ARRAY_RELEASE(memory, system->contacts, system->contact_capacity);
  ARRAY_RELEASE(memory, system->laws, system->law_capacity);
  ARRAY_RELEASE(memory, system->turn, system->turn_capacity);
  ARRAY_RELEASE(memory, system->entries, system->entry_count);
  ARRAY_RELEASE(memory, system->columns, system->entry_count);
  if (!system->is_lean) sarrus_graph_free(system->graph);
  memory.alloc(memory.ud, system, system->bytes, 0);
}

static size_t own_bytes(const sarrus_System *system) {
  return system->bytes + system->tape->bytes + system_argument_bytes(system) +
         (system->bounds == NULL ? 0 : system->bounds->bytes) +
         (system->gaps == NULL ? 0 : system->gaps->bytes) +
         (size_t)system->lock_capacity * sizeof *system->lock +
         (size_t)system->share_capacity * sizeof *system->share +
         (size_t)system->element_capacity * sizeof *system->element +
         (size_t)system->contact_capacity * sizeof *system->contacts +
         (size_t)system->law_capacity * sizeof *system->laws +
         (size_t)system->turn_capacity * sizeof *system->turn +
         (size_t)system->entry_count * (sizeof(Entry) + sizeof(int));
}

size_t sarrus_system_bytes(const sarrus_System *system) {
  return own_bytes(system) + (system->lean == NULL ? 0 : own_bytes(system->lean)) +
         sarrus_graph_bytes(system->graph);
}

int sarrus_system_coordinates(const sarrus_System *system) { return system->n; }
int sarrus_system_multipliers(const sarrus_System *system) { return system->room - system->n; }
int sarrus_system_contacts(const sarrus_System *system) { return system->contact_count; }
int sarrus_system_modes(const sarrus_System *system) { return system->modes; }
const sarrus_Graph *sarrus_system_graph(const sarrus_System *system) { return system->graph; }

/* --- checks ------------------------------------------------------------------------------ */

sarrus_Status system_check_list(int count, int most, const void *list) {
  if (count < 0 || (count > 0 && list == NULL)) return SARRUS_ARGUMENT;
  return count <= most ? SARRUS_OK : SARRUS_LIMIT;
}

sarrus_Status system_check_symbols(const sarrus_System *system, int velocities) {
  const int count[SARRUS_SYMBOL_KINDS] = {[SARRUS_TIME] = 1,
                                          [SARRUS_PARAMETER] = system->parameters,
                                          [SARRUS_Q] = system->n,
                                          [SARRUS_V] = velocities,
                                          [SARRUS_LAMBDA] = system->m};
  for (int e = 0; e < system->graph->count; e++) {
    const Node *node = &system->graph->nodes[e];
    if (node->op == SARRUS_OP_SYMBOL && node->b >= count[node->a]) return SARRUS_ARGUMENT;
  }
  return SARRUS_OK;
}

/* --- the matrix -------------------------------------------------------------------------- */

typedef struct EntryExpr {
  Entry at;
  sarrus_Expr expr;
} EntryExpr;

typedef struct EntryList {
  const sarrus_System *system;
  int row;
  EntryExpr *items;
  int count, capacity;
  sarrus_Status status;
} EntryList;

/* Keep the derivative as an entry of J if it is dF/dx^(d - c) of the current row (T5). */
static void add_entry(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  EntryList *list = ud;
  const sarrus_System *system = list->system;
  if (kind < SARRUS_Q || kind > SARRUS_LAMBDA) return;
  const int column = kind == SARRUS_LAMBDA ? system->n + index : index;
  const int order = kind == SARRUS_LAMBDA ? 0 : (int)kind - (int)SARRUS_Q;
  if (order != system->degree[column] - system->offset[list->row]) return;
  if (!ARRAY_RESERVE(system->memory, list->items, list->capacity, list->count + 1)) {
    list->status = SARRUS_NOMEM;
    return;
  }
  list->items[list->count++] = (EntryExpr){{list->row, column}, derivative};
}

static sarrus_Status list_entries(const sarrus_System *system, EntryList *list) {
  for (list->row = 0; list->row < system->n + system->m; list->row++) {
    SARRUS_TRY(sarrus_graph_gradient(system->graph, 1, &system->equation[list->row], NULL,
                                     add_entry, list));
    SARRUS_TRY(list->status);
  }
  return SARRUS_OK;
}

static sarrus_Status keep_entries(sarrus_System *system, const EntryList *list,
                                  sarrus_Expr *exprs) {
  const sarrus_Memory memory = system->memory;
  const size_t count = (size_t)list->count;
  system->entry_count = list->count;
  for (int i = 0; i <= system->n + system->m; i++)
    system->row_start[i] = 0;
  if (count == 0) return SARRUS_OK;
  system->entries = memory.alloc(memory.ud, NULL, 0, count * sizeof *system->entries);
  system->columns = memory.alloc(memory.ud, NULL, 0, count * sizeof *system->columns);
  if (system->entries == NULL || system->columns == NULL) return SARRUS_NOMEM;
  for (int i = 0; i < list->count; i++) {
    system->entries[i] = list->items[i].at;
    system->columns[i] = list->items[i].at.column;
    system->row_start[list->items[i].at.row + 1] = i + 1;
    exprs[i] = list->items[i].expr;
  }
  for (int i = 1; i <= system->n + system->m; i++) /* a row without entries begins where it ends */
    if (system->row_start[i] == 0) system->row_start[i] = system->row_start[i - 1];
  return SARRUS_OK;
}

/* --- compiling --------------------------------------------------------------------------- */

/* Compile the equations, with the leads of the unknowns; `lead` has room for system_leads. */
static sarrus_Status compile_equations(const sarrus_System *system, sarrus_Memory memory,
                                       TapeSpec *spec, int *lead, Tape **tape) {
  spec->output_count = system->n + system->m;
  spec->outputs = system->equation;
  spec->output_lead = system->offset;
  for (int derivative = 0; derivative <= MOST_DEGREE; derivative++) {
    spec->lead[SARRUS_Q + derivative] = lead + derivative * system->n;
    for (int j = 0; j < system->n; j++) {
      const int left = system->degree[j] - derivative;
      lead[derivative * system->n + j] = left > 0 ? left : 0;
    }
  }
  spec->lead[SARRUS_LAMBDA] = system->degree + system->n;
  spec->lead[SARRUS_U] = lead + (MOST_DEGREE + 1) * system->n;
  for (int i = 0; i < system->modes; i++)
    lead[(MOST_DEGREE + 1) * system->n + i] = LEAD_CONSTANT;
  return tape_new(memory, spec, tape);
}

static int leads(const sarrus_System *system) {
  return (MOST_DEGREE + 1) * system->n + system->modes + 1;
}

void system_find_inputs(const sarrus_System *system, const Tape *tape,
                        int (*found)[MOST_DEGREE + 1]) {
  for (int j = 0; j < system->n + system->m; j++)
    for (int derivative = 0; derivative <= MOST_DEGREE; derivative++)
      found[j][derivative] = SARRUS_NONE;
  for (int i = 0; i < tape->input_count; i++) {
    const Input *input = &tape->inputs[i];
    if (input->kind < SARRUS_Q || input->kind > SARRUS_LAMBDA) continue;
    const int multiplier = input->kind == SARRUS_LAMBDA;
    const int variable = multiplier ? system->n + input->index : input->index;
    const int derivative = multiplier ? 0 : (int)input->kind - (int)SARRUS_Q;
    found[variable][derivative] = i;
  }
}

/*
** Find the runs of neighbouring variables with the same degree, and of equations with the same
** offset, which are treated together.
*/
static void find_runs(sarrus_System *system) {
  const int size = system->n + system->m;
  for (int i = size - 1; i >= 0; i--) {
    const int *degree = &system->degree[i], *offset = &system->offset[i];
    const int last = i == size - 1;
    system->degree_end[i] = !last && degree[0] == degree[1] ? system->degree_end[i + 1] : i + 1;
    system->offset_end[i] = !last && offset[0] == offset[1] ? system->offset_end[i + 1] : i + 1;
  }
}

/*
** Entries that contain unknowns of stage 0 make that stage nonlinear; others may contain
** velocities, but those of a velocity constraint must not.
*/
static sarrus_Status check_entries(sarrus_System *system, sarrus_Fault *fault) {
  for (int i = 0; i < system->entry_count; i++) {
    const Entry *entry = &system->entries[i];
    const ValueStep *value = &system->tape->values[system->tape->extra_value[i]];
    if (value->lead == 0) system->nonlinear = 1;
    if (value->lead == 1 && !system->general) system->turns_with_rates = 1;
    if (system->general || system->offset[entry->row] != 1 || value->lead > 1) continue;
    *fault = fault_at(entry->row, entry->column, 0);
    return SARRUS_ARGUMENT;
  }
  return SARRUS_OK;
}

/*
** The lead of a constraint must be at least its offset: one of offset 2 contains positions only,
** one of offset 1 velocities as well.
*/
static sarrus_Status check_constraints(const sarrus_System *system, sarrus_Fault *fault) {
  for (int i = system->n; i < system->n + system->m; i++) {
    const ValueStep *value = &system->tape->values[system->tape->output_value[i]];
    if (value->lead >= system->offset[i]) continue;
    *fault = fault_at(i, SARRUS_NONE, 0);
    return SARRUS_ARGUMENT;
  }
  return SARRUS_OK;
}

sarrus_Status system_compile(sarrus_System *system, sarrus_Fault *fault) {
  const sarrus_Memory memory = system->memory;
  EntryList list = {.system = system};
  sarrus_Expr *exprs = NULL;
  int *lead = NULL, expr_capacity = 0, lead_capacity = 0;
  sarrus_Status status = list_entries(system, &list);
  if (status == SARRUS_OK && (!ARRAY_RESERVE(memory, exprs, expr_capacity, list.count + 1) ||
                              !ARRAY_RESERVE(memory, lead, lead_capacity, leads(system))))
    status = SARRUS_NOMEM;
  if (status == SARRUS_OK) status = keep_entries(system, &list, exprs);
  TapeSpec spec = {.graph = system->graph, .extra_count = system->entry_count, .extras = exprs};
  if (status == SARRUS_OK) status = compile_equations(system, memory, &spec, lead, &system->tape);
  ARRAY_RELEASE(memory, list.items, list.capacity);
  ARRAY_RELEASE(memory, exprs, expr_capacity);
  ARRAY_RELEASE(memory, lead, lead_capacity);
  SARRUS_TRY(status);
  system_find_inputs(system, system->tape, system->input);
  find_runs(system);
  SARRUS_TRY(check_constraints(system, fault));
  SARRUS_TRY(check_entries(system, fault));
  return system_find_arguments(system);
}
