/* Systems of mechanisms: writes the equations of motion (T4) of a spec, and checks the spec. */
#include "sarrus/system.h"

#include <math.h>

#include "array.h"
#include "block.h"
#include "system_parts.h"

/* --- the equations of a mechanism -------------------------------------------------------- */

/* Collects a gradient: derivatives by the symbols of one kind, listed by the symbol's index. */
typedef struct Gradient {
  sarrus_Graph *graph;
  sarrus_SymbolKind kind;
  sarrus_Expr *sum; /* derivatives are added to these */
} Gradient;

static void add_derivative(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  const Gradient *gradient = ud;
  if (kind == gradient->kind)
    gradient->sum[index] = expr_add(gradient->graph, gradient->sum[index], 1, derivative);
}

sarrus_Status system_add_gradient(sarrus_Graph *graph, int count, const sarrus_Expr *roots,
                                  const sarrus_Expr *weights, sarrus_SymbolKind kind,
                                  sarrus_Expr *sum) {
  Gradient gradient = {graph, kind, sum};
  return sarrus_graph_gradient(graph, count, roots, weights, add_derivative, &gradient);
}

/* d p / dt = p_t + sum_j p_q q' + p_v q'' */
typedef struct Rate {
  sarrus_Graph *graph;
  sarrus_Expr sum;
} Rate;

static void add_rate(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  Rate *rate = ud;
  sarrus_Expr term = derivative;
  if (kind == SARRUS_PARAMETER || kind > SARRUS_V) return;
  if (kind != SARRUS_TIME) {
    const sarrus_Expr next = sarrus_graph_symbol(rate->graph, (sarrus_SymbolKind)(kind + 1), index);
    term = sarrus_graph_apply(rate->graph, SARRUS_OP_PRODUCT, derivative, next, SARRUS_NONE);
  }
  rate->sum = expr_add(rate->graph, rate->sum, 1, term);
}

sarrus_Status system_add_rate(sarrus_Graph *graph, sarrus_Expr e, sarrus_Expr *sum) {
  Rate rate = {graph, *sum};
  SARRUS_TRY(sarrus_graph_gradient(graph, 1, &e, NULL, add_rate, &rate));
  *sum = rate.sum;
  return graph->status;
}

/* F = d/dt (dL/dv) - dL/dq; `momentum` is workspace. */
static sarrus_Status lagrange(sarrus_System *system, sarrus_Expr lagrangian,
                              sarrus_Expr *momentum) {
  sarrus_Graph *graph = system->graph;
  const sarrus_Expr zero = sarrus_graph_constant(graph, 0),
                    minus = sarrus_graph_constant(graph, -1);
  for (int i = 0; i < system->n; i++)
    momentum[i] = zero;
  SARRUS_TRY(system_add_gradient(graph, 1, &lagrangian, NULL, SARRUS_V, momentum));
  SARRUS_TRY(system_add_gradient(graph, 1, &lagrangian, &minus, SARRUS_Q, system->equation));
  for (int i = 0; i < system->n; i++)
    SARRUS_TRY(system_add_rate(graph, momentum[i], &system->equation[i]));
  return graph->status;
}

/* F = M a; `mass` are the spec's masses, copied into the system's graph. */
static void inertia(sarrus_System *system, const sarrus_SystemSpec *spec, const sarrus_Expr *mass) {
  sarrus_Graph *graph = system->graph;
  for (int i = 0; i < spec->masses; i++) {
    const sarrus_MassEntry *entry = &spec->mass[i];
    const sarrus_Expr a = sarrus_graph_symbol(graph, SARRUS_A, entry->column);
    const sarrus_Expr term = sarrus_graph_apply(graph, SARRUS_OP_PRODUCT, mass[i], a, SARRUS_NONE);
    system->equation[entry->row] = expr_add(graph, system->equation[entry->row], 1, term);
  }
}

/*
** How many constraints contain a coordinate, and the last of them; velocity constraints count
** twice.
*/
typedef struct Use {
  int count, constraint;
} Use;

static sarrus_Status count_uses(sarrus_System *system, int constraints, Use *uses) {
  sarrus_Graph *graph = system->graph;
  for (int i = 0; i < system->m; i++) {
    expr_walk(graph);
    SARRUS_TRY(expr_reach(graph, system->equation[system->n + i]));
    for (int k = 0; k < graph->order_count; k++) {
      const Node *node = &graph->nodes[graph->order[k]];
      if (node->op != SARRUS_OP_SYMBOL || (node->a != SARRUS_Q && node->a != SARRUS_V)) continue;
      uses[node->b].count += i < constraints ? 1 : 2;
      uses[node->b].constraint = i;
    }
  }
  return graph->status;
}

/*
** Where a coordinate has neither mass nor force and occurs in a single constraint, that constraint
** only defines the coordinate, as for the angle of a joint.  Its row of motion is 0 = lambda dg/dq
** (T4), so the multiplier is zero, and is left out of all other equations (a four-bar of spatial
** hinges: 247 products become 199).
*/
static sarrus_Status find_idle(sarrus_System *system, int constraints) {
  const sarrus_Memory memory = system->memory;
  const sarrus_Expr zero = sarrus_graph_constant(system->graph, 0);
  Use *uses = NULL;
  int capacity = 0;
  if (!ARRAY_RESERVE(memory, uses, capacity, system->n + 1)) return SARRUS_NOMEM;
  for (int j = 0; j < system->n; j++)
    uses[j] = (Use){0, 0};
  const sarrus_Status status = count_uses(system, constraints, uses);
  for (int j = 0; j < system->n && status == SARRUS_OK; j++)
    if (uses[j].count == 1 && system->equation[j] == zero) system->idle[uses[j].constraint] = j;
  ARRAY_RELEASE(memory, uses, capacity);
  return status;
}

/*
** lambda dg/dq = 0.  Any factor would serve in place of dg/dq; the factor that q has in a sum keeps
** the scale of g.
*/
static sarrus_Expr idle_equation(sarrus_Graph *graph, sarrus_Expr constraint, int coordinate,
                                 sarrus_Expr lambda) {
  const sarrus_Expr q = sarrus_graph_symbol(graph, SARRUS_Q, coordinate);
  const Node node = graph->nodes[constraint];
  for (int i = 0; node.op == SARRUS_OP_LINEAR && i < node.b; i++) {
    const sarrus_Term term = graph->terms[node.a + i];
    if (term.expr == q) return expr_scale(graph, term.factor, lambda);
  }
  return lambda;
}

/*
** F += G^T lambda + A^T mu (T4), by the gradients of lambda . g and mu . w; rows of one offset are
** taken together.
*/
static sarrus_Status reactions(sarrus_System *system, int constraints, sarrus_Expr *multiplier) {
  sarrus_Graph *graph = system->graph;
  const sarrus_Expr *constraint = system->equation + system->n;
  const int *offset = system->offset + system->n;
  SARRUS_TRY(find_idle(system, constraints));
  for (int i = 0; i < system->m; i++) {
    const sarrus_Expr lambda = sarrus_graph_symbol(graph, SARRUS_LAMBDA, i);
    const int idle = system->idle[i];
    multiplier[i] = idle == SARRUS_NONE ? lambda : sarrus_graph_constant(graph, 0);
    if (idle != SARRUS_NONE)
      system->equation[idle] = idle_equation(graph, constraint[i], idle, lambda);
  }
  for (int i = 0; i < system->contact_count; i++)
    for (int k = 0; k < system->contacts[i].slips; k++)
      multiplier[system->contacts[i].slip + k] = system_slip_force(system, &system->contacts[i], k);
  SARRUS_TRY(graph->status);
  for (int i = 0, end; i < system->m; i = end) {
    for (end = i + 1; end < system->m && offset[end] == offset[i];)
      end++;
    SARRUS_TRY(system_add_gradient(graph, end - i, constraint + i, multiplier + i,
                                   offset[i] == 2 ? SARRUS_Q : SARRUS_V, system->equation));
  }
  return SARRUS_OK;
}

enum { ELEMENT_EXPRS = 3 };

/*
** All expressions of a spec, one after the other: mass or lagrangian, force, constraints, contacts,
** locks, shares, elements.
*/
static int spec_roots(const sarrus_SystemSpec *spec, sarrus_Expr *roots) {
  const int n = spec->coordinates;
  int count = 0;
  for (int i = 0; i < spec->masses; i++)
    roots[count++] = spec->mass[i].mass;
  if (spec->lagrangian != SARRUS_NONE) roots[count++] = spec->lagrangian;
  for (int i = 0; spec->force != NULL && i < n; i++)
    roots[count++] = spec->force[i];
  for (int i = 0; i < spec->constraints; i++)
    roots[count++] = spec->constraint[i];
  for (int i = 0; i < spec->velocity_constraints; i++)
    roots[count++] = spec->velocity_constraint[i];
  for (int i = 0; i < spec->contacts; i++) {
    sarrus_Expr list[LAW_EXPRS];
    const int given = system_law_exprs(&spec->contact[i], list);
    for (int k = 0; k < given; k++)
      if (list[k] != SARRUS_NONE) roots[count++] = list[k];
  }
  for (int i = 0; i < spec->locks; i++)
    roots[count++] = spec->lock[i];
  for (int i = 0; i < spec->shares; i++)
    roots[count++] = spec->share[i].share;
  for (int i = 0; i < spec->elements; i++) {
    const sarrus_Element *element = &spec->element[i];
    roots[count++] = element->length;
    roots[count++] = element->rate == SARRUS_NONE ? element->length : element->rate;
    roots[count++] = element->effort;
  }
  return count;
}

static int given_rows(const sarrus_SystemSpec *spec) {
  return spec->constraints + spec->velocity_constraints;
}

/* `roots` are the spec's expressions in the system's own graph. */
static sarrus_Status write_equations(sarrus_System *system, const sarrus_SystemSpec *spec,
                                     const sarrus_Expr *roots, sarrus_Expr *scratch) {
  sarrus_Graph *graph = system->graph;
  const int n = system->n;
  for (int i = 0; i < n; i++) {
    system->equation[i] = sarrus_graph_constant(graph, 0);
    system->degree[i] = 2;
    system->offset[i] = 0;
  }
  inertia(system, spec, roots);
  roots += spec->masses;
  if (spec->lagrangian != SARRUS_NONE) SARRUS_TRY(lagrange(system, *roots++, scratch));
  for (int i = 0; spec->force != NULL && i < n; i++)
    system->equation[i] = expr_add(graph, system->equation[i], -1, *roots++);
  const int given = given_rows(spec);
  for (int i = 0; i < given; i++) {
    system->equation[n + i] = roots[i];
    system->degree[n + i] = 0;
    system->offset[n + i] = i < spec->constraints ? 2 : 1;
  }
  SARRUS_TRY(system_put_contacts(system, spec, given, roots + given));
  return reactions(system, spec->constraints, scratch);
}

/* --- checks ------------------------------------------------------------------------------ */

/* Check counts, lists and the indices of masses; expressions are checked as they are copied. */
static sarrus_Status check_spec(const sarrus_SystemSpec *spec, sarrus_Fault *fault) {
  const int n = spec->coordinates, given = spec->lagrangian != SARRUS_NONE;
  SARRUS_TRY(system_check_list(n, MOST_VARIABLES, spec));
  SARRUS_TRY(system_check_list(spec->masses, 16 * MOST_VARIABLES, spec->mass));
  SARRUS_TRY(system_check_list(spec->constraints, MOST_VARIABLES, spec->constraint));
  SARRUS_TRY(
      system_check_list(spec->velocity_constraints, MOST_VARIABLES, spec->velocity_constraint));
  SARRUS_TRY(system_check_list(spec->contacts, MOST_VARIABLES / 4, spec->contact));
  SARRUS_TRY(system_check_list(spec->locks, MOST_VARIABLES / 4, spec->lock));
  SARRUS_TRY(system_check_list(spec->shares, 16 * MOST_VARIABLES, spec->share));
  SARRUS_TRY(system_check_list(spec->forces, MOST_VARIABLES / 4, spec));
  SARRUS_TRY(system_check_list(spec->elements, MOST_VARIABLES / 4, spec->element));
  SARRUS_TRY(system_check_list(spec->parameters, MOST_VARIABLES, spec));
  if (given && spec->masses > 0) return SARRUS_ARGUMENT;
  for (int i = 0; i < spec->masses; i++) {
    const int row = spec->mass[i].row, column = spec->mass[i].column;
    if (row >= 0 && row < n && column >= 0 && column < n) continue;
    *fault = fault_at(row, column, 0);
    return SARRUS_ARGUMENT;
  }
  return SARRUS_OK;
}

/* A number in 1 … 2 for each symbol, the same in every run. */
static double probe(const Input *input, int round) {
  const double x = sin(1 + (int)input->kind * 7.1 + input->index * 1.7 + round * 3.3);
  return 1.5 + 0.5 * x;
}

/* The masses of a spec, in the system's graph, by rows. */
typedef struct MassRows {
  const sarrus_SystemSpec *spec;
  const sarrus_Expr *mass;
  int *first; /* linked lists: per row its last entry, or NONE; then per entry the one before it */
  int capacity;
} MassRows;

static int link_masses(sarrus_Memory memory, MassRows *rows) {
  const sarrus_SystemSpec *spec = rows->spec;
  const int n = spec->coordinates;
  if (!ARRAY_RESERVE(memory, rows->first, rows->capacity, n + spec->masses)) return 0;
  for (int i = 0; i < n; i++)
    rows->first[i] = SARRUS_NONE;
  for (int i = 0; i < spec->masses; i++) {
    rows->first[n + i] = rows->first[spec->mass[i].row];
    rows->first[spec->mass[i].row] = i;
  }
  return 1;
}

/* m_ij, the first entry given for it; 0 if there is none. */
static sarrus_Expr mass_at(const sarrus_System *system, const MassRows *rows, int row, int column) {
  sarrus_Expr found = SARRUS_NONE;
  for (int i = rows->first[row]; i != SARRUS_NONE; i = rows->first[rows->spec->coordinates + i])
    if (rows->spec->mass[i].column == column) found = rows->mass[i];
  return found == SARRUS_NONE ? sarrus_graph_constant(system->graph, 0) : found;
}

/*
** A difference m_ij - m_ji that is not zero as an expression is evaluated at a few points, where it
** must vanish up to rounding; rounding is relative to m_ii m_jj, since m_ij^2 <= m_ii m_jj in a
** mass matrix.  The extras are m_ij, m_ji, m_ii, m_jj.
*/
static sarrus_Status probe_symmetry(const Tape *tape, Work *work, double *difference) {
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < tape->input_count; i++)
      work->value[tape->inputs[i].value] = probe(&tape->inputs[i], round);
    if (tape_values(work, LEAD_CONSTANT, 0) < 0) continue; /* outside the domain of a function */
    const double a = work->value[tape->extra_value[0]], b = work->value[tape->extra_value[1]];
    const double size =
        sqrt(fabs(work->value[tape->extra_value[2]] * work->value[tape->extra_value[3]]));
    if (fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-12 * size) continue;
    *difference = fabs(a - b);
    return SARRUS_ARGUMENT;
  }
  return SARRUS_OK;
}

static sarrus_Status compare(const sarrus_System *system, const sarrus_Expr mass[4],
                             double *difference) {
  const TapeSpec spec = {.graph = system->graph, .extra_count = 4, .extras = mass};
  Tape *tape = NULL;
  SARRUS_TRY(tape_new(system->memory, &spec, &tape));
  const size_t size = work_size(tape, 1);
  void *block = system->memory.alloc(system->memory.ud, NULL, 0, size);
  sarrus_Status status = SARRUS_NOMEM;
  if (block != NULL) {
    status = probe_symmetry(tape, work_init(block, tape, 1), difference);
    system->memory.alloc(system->memory.ud, block, size, 0);
  }
  tape_free(tape);
  return status;
}

static sarrus_Status check_pairs(const sarrus_System *system, const MassRows *rows,
                                 sarrus_Fault *fault) {
  for (int i = 0; i < rows->spec->masses; i++) {
    const int row = rows->spec->mass[i].row, column = rows->spec->mass[i].column;
    if (row == column) continue;
    const sarrus_Expr mass = rows->mass[i], other = mass_at(system, rows, column, row);
    if (other == mass) continue;
    double difference = 0;
    const sarrus_Status status =
        compare(system,
                (sarrus_Expr[4]){mass, other, mass_at(system, rows, row, row),
                                 mass_at(system, rows, column, column)},
                &difference);
    if (status == SARRUS_ARGUMENT) *fault = fault_at(row, column, difference);
    SARRUS_TRY(status);
  }
  return SARRUS_OK;
}

static sarrus_Status check_symmetry(const sarrus_System *system, const sarrus_SystemSpec *spec,
                                    const sarrus_Expr *mass, sarrus_Fault *fault) {
  MassRows rows = {.spec = spec, .mass = mass};
  if (!link_masses(system->memory, &rows)) return SARRUS_NOMEM;
  const sarrus_Status status = check_pairs(system, &rows, fault);
  ARRAY_RELEASE(system->memory, rows.first, rows.capacity);
  return status;
}

/* --- making ------------------------------------------------------------------------------ */

/*
** Write the equations without contacts that have a gap, where there are such, and where they can do
** without.
*/
static sarrus_Status write_lean(sarrus_System *system, const sarrus_SystemSpec *spec,
                                const sarrus_Expr *roots, sarrus_Expr *scratch) {
  ContactRows rows;
  SARRUS_TRY(system_count_contacts(spec, &rows));
  if (rows.gaps == 0) return SARRUS_OK;
  const int m = given_rows(spec) + rows.alone;
  system->lean = system_allocate(system->memory, system->n, m, system);
  if (system->lean == NULL) return SARRUS_NOMEM;
  system->lean->parameters = system->parameters;
  system->lean->modes = system->modes;
  SARRUS_TRY(write_equations(system->lean, spec, roots, scratch));
  return system_drop_lean(system);
}

static sarrus_Status keep_elements(sarrus_System *system, const sarrus_SystemSpec *spec,
                                   const sarrus_Expr *roots) {
  if (!ARRAY_RESERVE(system->memory, system->element, system->element_capacity, spec->elements))
    return SARRUS_NOMEM;
  for (int i = 0; i < spec->elements; i++, roots += ELEMENT_EXPRS) {
    const sarrus_Element *element = &spec->element[i];
    if (element->force < 0 || element->force >= spec->forces) return SARRUS_ARGUMENT;
    system->element[i] = (sarrus_Element){
        .force = element->force,
        .length = roots[0],
        .rate = element->rate == SARRUS_NONE ? SARRUS_NONE : roots[1],
        .effort = roots[2],
    };
  }
  system->elements = spec->elements;
  return SARRUS_OK;
}

/*
** Keep what a simulation may change (system_change.c); `roots` begins with the expressions of
** locks, shares and elements.
*/
static sarrus_Status keep_changes(sarrus_System *system, const sarrus_SystemSpec *spec,
                                  const sarrus_Expr *roots) {
  if (!ARRAY_RESERVE(system->memory, system->lock, system->lock_capacity, spec->locks) ||
      !ARRAY_RESERVE(system->memory, system->share, system->share_capacity, spec->shares))
    return SARRUS_NOMEM;
  for (int i = 0; i < spec->locks; i++)
    system->lock[i] = roots[i];
  for (int i = 0; i < spec->shares; i++) {
    const sarrus_ForceShare *share = &spec->share[i];
    if (share->force < 0 || share->force >= spec->forces || share->coordinate < 0 ||
        share->coordinate >= spec->coordinates)
      return SARRUS_ARGUMENT;
    system->share[i] = *share;
    system->share[i].share = roots[spec->locks + i];
  }
  system->locks = spec->locks;
  system->shares = spec->shares;
  system->forces = spec->forces;
  return keep_elements(system, spec, roots + spec->locks + spec->shares);
}

static sarrus_Status fill(sarrus_System *system, const sarrus_SystemSpec *spec,
                          sarrus_Fault *fault) {
  const sarrus_Memory memory = system->memory;
  const int most = spec->masses + 1 + system->n + system->m + LAW_EXPRS * spec->contacts +
                   spec->locks + spec->shares + ELEMENT_EXPRS * spec->elements;
  sarrus_Expr *roots = NULL;
  int capacity = 0;
  if (!ARRAY_RESERVE(memory, roots, capacity, most + system->n + system->m)) return SARRUS_NOMEM;
  const int count = spec_roots(spec, roots);
  sarrus_Status status = sarrus_graph_import(system->graph, spec->graph, count, roots, roots);
  if (status == SARRUS_OK) status = system_check_symbols(system, system->n);
  if (status == SARRUS_OK) status = check_symmetry(system, spec, roots, fault);
  if (status == SARRUS_OK)
    status = keep_changes(
        system, spec, roots + count - spec->locks - spec->shares - ELEMENT_EXPRS * spec->elements);
  if (status == SARRUS_OK) status = write_equations(system, spec, roots, roots + most);
  if (status == SARRUS_OK) status = write_lean(system, spec, roots, roots + most);
  ARRAY_RELEASE(memory, roots, capacity);
  return status;
}

sarrus_Status sarrus_system_new(sarrus_Memory memory, const sarrus_SystemSpec *spec,
                                sarrus_System **result, sarrus_Fault *fault) {
  *result = NULL;
  *fault = fault_none();
  SARRUS_TRY(check_spec(spec, fault));
  ContactRows rows;
  SARRUS_TRY(system_count_contacts(spec, &rows));
  const int m = given_rows(spec) + rows.alone + rows.gaps + rows.slips;
  sarrus_System *system = system_allocate(memory, spec->coordinates, m, NULL);
  if (system == NULL) return SARRUS_NOMEM;
  system->parameters = spec->parameters;
  system->modes = CONTACT_MODES * spec->contacts + spec->forces;
  system->room += spec->locks;
  sarrus_Status status = fill(system, spec, fault);
  if (status == SARRUS_OK) status = system_compile(system, fault);
  if (status == SARRUS_OK) status = system_compile_lean(system, fault);
  if (status == SARRUS_OK)
    *result = system;
  else
    sarrus_system_free(system);
  return status;
}
