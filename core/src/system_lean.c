/*
** The lean form.  While all gaps are wide, contacts exert nothing: a system without their rows
** serves as well, and is as fast as one that never had contacts.  It has the first rows of the
** whole system, and shares its graph.
*/
#include "array.h"
#include "system_parts.h"

/* Whether an equation contains a multiplier that is left out; -1 without memory. */
static int reaches_out(sarrus_System *lean) {
  sarrus_Graph *graph = lean->graph;
  expr_walk(graph);
  for (int i = 0; i < lean->n + lean->m; i++)
    if (expr_reach(graph, lean->equation[i]) < 0) return -1;
  for (int k = 0; k < graph->order_count; k++) {
    const Node *node = &graph->nodes[graph->order[k]];
    if (node->op == SARRUS_OP_SYMBOL && node->a == SARRUS_LAMBDA && node->b >= lean->m) return 1;
  }
  return 0;
}

static void drop(sarrus_System *system) {
  sarrus_system_free(system->lean);
  system->lean = NULL;
}

sarrus_Status system_drop_lean(sarrus_System *system) {
  const int out = reaches_out(system->lean);
  if (out == 0) return SARRUS_OK;
  drop(system);
  return out < 0 ? SARRUS_NOMEM : SARRUS_OK;
}

/* What is to be shown positive of a contact: its bound, or its gap. */
static sarrus_Expr wanted(const sarrus_System *system, int contact, int by_bounds) {
  const sarrus_Contact *law = &system->laws[contact];
  if (law->gap == SARRUS_NONE) return sarrus_graph_constant(system->graph, 1);
  return by_bounds && law->bounded ? law->bound : law->gap;
}

static sarrus_Status compile_wanted(sarrus_System *system, int by_bounds, Tape **tape) {
  TapeSpec spec = {.graph = system->graph, .output_count = system->contact_count};
  sarrus_Expr *outputs = NULL;
  int *leads = NULL, capacity[2] = {0};
  sarrus_Status status = SARRUS_NOMEM;
  if (ARRAY_RESERVE(system->memory, outputs, capacity[0], spec.output_count) &&
      ARRAY_RESERVE(system->memory, leads, capacity[1], spec.output_count)) {
    for (int i = 0; i < spec.output_count; i++) {
      outputs[i] = wanted(system, i, by_bounds);
      leads[i] = 0;
    }
    spec.outputs = outputs;
    spec.output_lead = leads;
    status = tape_new(system->memory, &spec, tape);
  }
  ARRAY_RELEASE(system->memory, outputs, capacity[0]);
  ARRAY_RELEASE(system->memory, leads, capacity[1]);
  return status;
}

static sarrus_Status compile_bounds(sarrus_System *system) {
  int bounded = 0;
  for (int i = 0; i < system->contact_count; i++)
    bounded |= system->laws[i].bounded;
  SARRUS_TRY(compile_wanted(system, 1, &system->bounds));
  return bounded ? compile_wanted(system, 0, &system->gaps) : SARRUS_OK;
}

int system_fits(const sarrus_System *form, const sarrus_System *whole) {
  return form->tape->switch_count <= whole->tape->switch_count &&
         form->tape->pole_count <= whole->tape->pole_count;
}

sarrus_Status system_compile_lean(sarrus_System *system, sarrus_Fault *fault) {
  if (system->lean == NULL) return SARRUS_OK;
  SARRUS_TRY(system_compile(system->lean, fault));
  if (!system_fits(system->lean, system)) {
    drop(system);
    return SARRUS_OK;
  }
  return compile_bounds(system);
}
