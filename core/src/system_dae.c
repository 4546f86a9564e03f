/*
** General DAEs: Pryce's structural analysis.
**
** s_ij is the highest derivative of variable j in equation i (none: minus infinity).  An assignment
** of equations to variables with the largest sum of s gives the least offsets c, d >= 0 with d_j -
** c_i >= s_ij everywhere and equality on the assignment (T9); at stage k equation i is then taken
** at order k + c_i and determines variable j at order k + d_j.  Mechanics is the special case of
** system_parts.h.
*/
#include <limits.h>

#include "array.h"
#include "system_parts.h"

enum { ABSENT = -1000, MOST_SIZE = 2000 };

typedef struct Structure {
  int size, n;
  int *sigma; /* size x size, by rows */
  int row;    /* the equation whose derivatives are being looked at */
} Structure;

static void note_symbol(void *ud, sarrus_SymbolKind kind, int index, sarrus_Expr derivative) {
  Structure *structure = ud;
  (void)derivative;
  if (kind < SARRUS_Q || kind > SARRUS_LAMBDA) return;
  const int column = kind == SARRUS_LAMBDA ? structure->n + index : index;
  int *entry = &structure->sigma[structure->row * structure->size + column];
  const int order = kind == SARRUS_V ? 1 : 0;
  if (order > *entry) *entry = order;
}

static sarrus_Status read_structure(const sarrus_System *system, Structure *structure) {
  for (int i = 0; i < structure->size * structure->size; i++)
    structure->sigma[i] = ABSENT;
  for (structure->row = 0; structure->row < structure->size; structure->row++)
    SARRUS_TRY(sarrus_graph_gradient(system->graph, 1, &system->equation[structure->row], NULL,
                                     note_symbol, structure));
  return SARRUS_OK;
}

/*
** The Hungarian method on costs -s: potentials u, v and the row of each column; columns and rows
** from 1.  `work` has 6 (size + 1) ints.  Returns row_of, the assignment, at [1 … size].
*/
static int *assign(const Structure *structure, int *work) {
  const int n = structure->size;
  int *u = work, *v = u + n + 1, *row_of = v + n + 1, *way = row_of + n + 1;
  int *least = way + n + 1, *used = least + n + 1;
  for (int j = 0; j <= n; j++)
    u[j] = v[j] = row_of[j] = way[j] = 0;
  for (int i = 1; i <= n; i++) {
    int column = 0;
    row_of[0] = i;
    for (int j = 0; j <= n; j++) {
      least[j] = INT_MAX / 2;
      used[j] = 0;
    }
    do {
      int delta = INT_MAX / 2, next = 0;
      const int row = row_of[column];
      used[column] = 1;
      for (int j = 1; j <= n; j++) {
        if (used[j]) continue;
        const int cost = -structure->sigma[(row - 1) * n + j - 1] - u[row] - v[j];
        if (cost < least[j]) {
          least[j] = cost;
          way[j] = column;
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (int j = 0; j <= n; j++) {
        if (used[j]) {
          u[row_of[j]] += delta;
          v[j] -= delta;
        } else {
          least[j] -= delta;
        }
      }
      column = next;
    } while (row_of[column] != 0);
    for (; column != 0; column = way[column])
      row_of[column] = row_of[way[column]];
  }
  return row_of;
}

/* The least offsets: raise d, then c, until nothing changes. */
static sarrus_Status find_offsets(sarrus_System *system, const Structure *structure,
                                  const int *row_of, sarrus_Fault *fault) {
  const int n = structure->size;
  for (int i = 0; i < n; i++)
    system->offset[i] = 0;
  for (int round = 0; round < 4 * n + 4; round++) {
    int changed = 0;
    for (int j = 0; j < n; j++) {
      const int row = row_of[j + 1] - 1, own = structure->sigma[row * n + j];
      if (own == ABSENT) {
        fault->row = row;
        return SARRUS_SINGULAR;
      }
      int degree = 0;
      for (int i = 0; i < n; i++) {
        const int s = structure->sigma[i * n + j];
        if (s != ABSENT && s + system->offset[i] > degree) degree = s + system->offset[i];
      }
      system->degree[j] = degree;
      if (degree - own == system->offset[row]) continue;
      system->offset[row] = degree - own;
      changed = 1;
    }
    if (!changed) return SARRUS_OK;
  }
  return SARRUS_LIMIT;
}

static sarrus_Status analyse(sarrus_System *system, int *index, sarrus_Fault *fault) {
  const sarrus_Memory memory = system->memory;
  const int size = system->n + system->m;
  Structure structure = {size, system->n, NULL, 0};
  int *work = NULL, sigma_capacity = 0, work_capacity = 0;
  sarrus_Status status = SARRUS_NOMEM;
  if (ARRAY_RESERVE(memory, structure.sigma, sigma_capacity, size * size + 1) &&
      ARRAY_RESERVE(memory, work, work_capacity, 6 * (size + 1)))
    status = read_structure(system, &structure);
  if (status == SARRUS_OK)
    status = find_offsets(system, &structure, assign(&structure, work), fault);
  ARRAY_RELEASE(memory, structure.sigma, sigma_capacity);
  ARRAY_RELEASE(memory, work, work_capacity);
  SARRUS_TRY(status);
  int most = 0, algebraic = 0;
  for (int i = 0; i < size; i++) {
    if (system->offset[i] > most) most = system->offset[i];
    if (system->degree[i] == 0) algebraic = 1;
    if (system->degree[i] > MOST_DEGREE || (i >= system->n && system->degree[i] > 0)) {
      fault->column = i;
      return SARRUS_LIMIT;
    }
  }
  *index = most + algebraic;
  return SARRUS_OK;
}

/* F = x' - f, then g */
static sarrus_Status write_equations(sarrus_System *system, const sarrus_DaeSpec *spec) {
  sarrus_Graph *graph = system->graph;
  SARRUS_TRY(
      sarrus_graph_import(graph, spec->graph, system->n, spec->derivative, system->equation));
  SARRUS_TRY(sarrus_graph_import(graph, spec->graph, system->m, spec->constraint,
                                 system->equation + system->n));
  SARRUS_TRY(system_check_symbols(system, 0));
  for (int i = 0; i < system->n; i++) {
    const sarrus_Expr rate = sarrus_graph_symbol(graph, SARRUS_V, i);
    system->equation[i] = expr_add(graph, rate, -1, system->equation[i]);
  }
  return graph->status;
}

sarrus_Status sarrus_system_new_dae(sarrus_Memory memory, const sarrus_DaeSpec *spec,
                                    sarrus_System **result, int *index, sarrus_Fault *fault) {
  *result = NULL;
  *fault = fault_none();
  SARRUS_TRY(system_check_list(spec->differential, MOST_SIZE, spec->derivative));
  SARRUS_TRY(system_check_list(spec->algebraic, MOST_SIZE, spec->constraint));
  SARRUS_TRY(system_check_list(spec->parameters, MOST_VARIABLES, spec));
  sarrus_System *system = system_allocate(memory, spec->differential, spec->algebraic, NULL);
  if (system == NULL) return SARRUS_NOMEM;
  system->parameters = spec->parameters;
  system->general = 1;
  sarrus_Status status = write_equations(system, spec);
  if (status == SARRUS_OK) status = analyse(system, index, fault);
  if (status == SARRUS_OK) status = system_compile(system, fault);
  if (status == SARRUS_OK)
    *result = system;
  else
    sarrus_system_free(system);
  return status;
}
