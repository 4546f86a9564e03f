/*
** What a simulation may change: it may lock rates, by rows rate = 0 after all other rows, and
** release forces, by modes that subtract their shares again.  Few simulations do either, so a
** system is compiled without these, and again with them for the first simulation that needs them.
*/
#include "array.h"
#include "system_parts.h"

sarrus_Status system_copy_graph(sarrus_Graph *graph, const sarrus_Graph *from) {
  sarrus_Expr *all = NULL;
  int capacity = 0, same = 1;
  if (!ARRAY_RESERVE(graph->memory, all, capacity, from->count + 1)) return SARRUS_NOMEM;
  for (int e = 0; e < from->count; e++)
    all[e] = e;
  const sarrus_Status status = sarrus_graph_import(graph, from, from->count, all, all);
  for (int e = 0; e < from->count && status == SARRUS_OK; e++)
    same = same && all[e] == e;
  ARRAY_RELEASE(graph->memory, all, capacity);
  return status < 0 ? status : same ? SARRUS_OK : SARRUS_LIMIT;
}

static sarrus_Status copy_contacts(sarrus_System *system, const sarrus_System *from) {
  const int count = from->contact_count;
  if (!ARRAY_RESERVE(system->memory, system->contacts, system->contact_capacity, count) ||
      !ARRAY_RESERVE(system->memory, system->laws, system->law_capacity, count))
    return SARRUS_NOMEM;
  for (int i = 0; i < count; i++) {
    system->contacts[i] = from->contacts[i];
    system->laws[i] = from->laws[i];
  }
  system->contact_count = count;
  return SARRUS_OK;
}

/* Whether a rate contains a coordinate, or its velocity. */
static int contains(sarrus_Graph *graph, sarrus_Expr rate, int coordinate) {
  expr_walk(graph);
  if (expr_reach(graph, rate) < 0) return 0;
  for (int k = 0; k < graph->order_count; k++) {
    const Node *node = &graph->nodes[graph->order[k]];
    if (node->op == SARRUS_OP_SYMBOL && node->b == coordinate &&
        (node->a == SARRUS_Q || node->a == SARRUS_V))
      return 1;
  }
  return 0;
}

/*
** A lock on a coordinate that a single constraint defines acts through that constraint, so that its
** multiplier is no longer 0, and the constraint no longer idle.
*/
static sarrus_Status make_busy(sarrus_System *system, const sarrus_System *from) {
  sarrus_Graph *graph = system->graph;
  for (int i = 0; i < from->m; i++) {
    const int idle = system->idle[i] = from->idle[i];
    int held = 0;
    for (int k = 0; idle != SARRUS_NONE && k < from->locks && !held; k++)
      held = contains(graph, from->lock[k], idle);
    if (!held) continue;
    const sarrus_Expr lambda = sarrus_graph_symbol(graph, SARRUS_LAMBDA, i);
    system->idle[i] = SARRUS_NONE;
    system->equation[idle] = sarrus_graph_constant(graph, 0);
    SARRUS_TRY(system_add_gradient(graph, 1, &system->equation[system->n + i], &lambda, SARRUS_Q,
                                   system->equation));
  }
  return graph->status;
}

/* The rows of the locks, and F += A^T lambda (T4). */
static sarrus_Status put_locks(sarrus_System *system, const sarrus_System *from) {
  sarrus_Graph *graph = system->graph;
  for (int k = 0; k < from->locks; k++) {
    const int row = from->n + from->m + k;
    const sarrus_Expr lambda = sarrus_graph_symbol(graph, SARRUS_LAMBDA, from->m + k);
    system->equation[row] = from->lock[k];
    system->degree[row] = 0;
    system->offset[row] = 1;
    SARRUS_TRY(system_add_gradient(graph, 1, &from->lock[k], &lambda, SARRUS_V, system->equation));
  }
  return SARRUS_OK;
}

/* F contains -f, so the share of a released force is added. */
static void put_shares(sarrus_System *system, const sarrus_System *from) {
  sarrus_Graph *graph = system->graph;
  for (int i = 0; i < from->shares; i++) {
    const sarrus_ForceShare *share = &from->share[i];
    const int mode = from->modes - from->forces + share->force;
    const sarrus_Expr gone =
        sarrus_graph_apply(graph, SARRUS_OP_PRODUCT, sarrus_graph_symbol(graph, SARRUS_U, mode),
                           share->share, SARRUS_NONE);
    sarrus_Expr *equation = &system->equation[share->coordinate];
    *equation = expr_add(graph, *equation, 1, gone);
  }
}

static sarrus_Status fill(sarrus_System *system, const sarrus_System *from) {
  SARRUS_TRY(system_copy_graph(system->graph, from->graph));
  SARRUS_TRY(copy_contacts(system, from));
  for (int i = 0; i < from->n + from->m; i++) {
    system->equation[i] = from->equation[i];
    system->degree[i] = from->degree[i];
    system->offset[i] = from->offset[i];
  }
  SARRUS_TRY(make_busy(system, from));
  SARRUS_TRY(put_locks(system, from));
  put_shares(system, from);
  return system->graph->status;
}

sarrus_Status system_with_changes(sarrus_Memory memory, const sarrus_System *system,
                                  sarrus_System **result) {
  sarrus_Fault fault;
  *result = NULL;
  sarrus_System *changed = system_allocate(memory, system->n, system->m + system->locks, NULL);
  if (changed == NULL) return SARRUS_NOMEM;
  changed->parameters = system->parameters;
  changed->modes = system->modes;
  sarrus_Status status = fill(changed, system);
  if (status == SARRUS_OK) status = system_compile(changed, &fault);
  if (status == SARRUS_OK)
    *result = changed;
  else
    sarrus_system_free(changed);
  return status;
}
