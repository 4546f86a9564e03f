#include "sarrus/event.h"

#include <limits.h>
#include <string.h>

#include "array.h"
#include "event_parts.h"

/* As many symbols U as a contact has. */
enum { MODES_OF_CONTACT = 4 };
enum { MOST_EVENTS = 1 << 16, MOST_PARAMETERS = 1 << 20 };

static sarrus_Status compile(sarrus_Events *events, const sarrus_Graph *graph,
                             const sarrus_Expr *when, sarrus_Expr *roots, int *leads) {
  TapeSpec spec = {.graph = events->graph,
                   .output_count = events->count,
                   .outputs = roots,
                   .output_lead = leads};
  memset(leads, 0, (size_t)events->count * sizeof *leads);
  SARRUS_TRY(sarrus_graph_import(events->graph, graph, events->count, when, roots));
  SARRUS_TRY(tape_new(events->memory, &spec, &events->tape));
  const int known[SARRUS_SYMBOL_KINDS] = {
      [SARRUS_TIME] = 1,    [SARRUS_PARAMETER] = events->parameters,
      [SARRUS_Q] = INT_MAX, [SARRUS_V] = INT_MAX,
      [SARRUS_A] = INT_MAX, [SARRUS_LAMBDA] = INT_MAX,
      [SARRUS_U] = INT_MAX};
  return events_fit(events, known) ? SARRUS_OK : SARRUS_ARGUMENT;
}

int events_fit(const sarrus_Events *events, const int known[SARRUS_SYMBOL_KINDS]) {
  for (int i = 0; i < events->tape->input_count; i++)
    if (events->tape->inputs[i].index >= known[events->tape->inputs[i].kind]) return 0;
  for (int i = 0; i < events->watch_count; i++)
    if (events->watches[i].contact >= known[SARRUS_U] / MODES_OF_CONTACT) return 0;
  return 1;
}

static int are_directions(int count, const sarrus_Direction *directions) {
  for (int i = 0; i < count; i++)
    if ((int)directions[i] < SARRUS_DOWN || (int)directions[i] > SARRUS_UP) return 0;
  return 1;
}

sarrus_Status sarrus_events_new(sarrus_Memory memory, const sarrus_Graph *graph, int count,
                                const sarrus_Expr *when, const sarrus_Direction *directions,
                                int parameters, sarrus_Events **result) {
  sarrus_Expr *roots = NULL;
  int *leads = NULL, root_capacity = 0, lead_capacity = 0;
  *result = NULL;
  if (count < 0 || parameters < 0 || !are_directions(count, directions)) return SARRUS_ARGUMENT;
  if (count > MOST_EVENTS || parameters > MOST_PARAMETERS) return SARRUS_LIMIT;
  sarrus_Events *events = memory.alloc(memory.ud, NULL, 0, sizeof *events);
  if (events == NULL) return SARRUS_NOMEM;
  *events = (sarrus_Events){.memory = memory, .count = count, .parameters = parameters};
  events->graph = sarrus_graph_new(memory);
  sarrus_Status status = SARRUS_NOMEM;
  if (events->graph != NULL &&
      ARRAY_RESERVE(memory, events->directions, events->capacity, count + 1) &&
      ARRAY_RESERVE(memory, roots, root_capacity, count + 1) &&
      ARRAY_RESERVE(memory, leads, lead_capacity, count + 1)) {
    for (int i = 0; i < count; i++)
      events->directions[i] = directions[i];
    status = compile(events, graph, when, roots, leads);
  }
  ARRAY_RELEASE(memory, roots, root_capacity);
  ARRAY_RELEASE(memory, leads, lead_capacity);
  if (status == SARRUS_OK)
    *result = events;
  else
    sarrus_events_free(events);
  return status;
}

sarrus_Status sarrus_events_watch(sarrus_Events *events, int event, int contact,
                                  sarrus_Change change) {
  if (event < 0 || event >= events->count || contact < 0 || (int)change < SARRUS_TOUCHES ||
      change > SARRUS_SLIPS)
    return SARRUS_ARGUMENT;
  if (!ARRAY_RESERVE(events->memory, events->watches, events->watch_capacity,
                     events->watch_count + 1))
    return SARRUS_NOMEM;
  events->watches[events->watch_count++] = (Watch){event, contact, change};
  return SARRUS_OK;
}

void sarrus_events_free(sarrus_Events *events) {
  if (events == NULL) return;
  const sarrus_Memory memory = events->memory;
  tape_free(events->tape);
  sarrus_graph_free(events->graph);
  ARRAY_RELEASE(memory, events->directions, events->capacity);
  ARRAY_RELEASE(memory, events->watches, events->watch_capacity);
  memory.alloc(memory.ud, events, sizeof *events, 0);
}
