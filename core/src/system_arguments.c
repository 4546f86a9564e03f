/* The arguments of piecewise functions, compiled to be searched on spans. */
#include "array.h"
#include "system_parts.h"

/* Put an expression among the outputs, if it is not there yet; answers which it is. */
static int put(sarrus_Expr *outputs, int *count, sarrus_Expr e) {
  for (int i = 0; i < *count; i++)
    if (outputs[i] == e) return i;
  outputs[*count] = e;
  return (*count)++;
}

/* The system's switch that belongs to the same function. */
static int find_twin(const Tape *tape, sarrus_Expr node) {
  for (int i = 0; i < tape->switch_count; i++)
    if (tape->values[tape->switches[i].value].node == node) return i;
  return SARRUS_NONE;
}

static sarrus_Status compile(sarrus_System *system, sarrus_Expr *outputs, int *leads) {
  const Tape *tape = system->tape;
  Arguments *arguments = &system->arguments;
  TapeSpec spec = {.graph = system->graph, .outputs = outputs, .output_lead = leads};
  for (int i = 0; i < tape->switch_count; i++) {
    const Switch *choice = &tape->switches[i];
    leads[2 * i] = leads[2 * i + 1] = 0;
    arguments->output[i] = put(outputs, &spec.output_count, tape->slots[choice->slot].node);
    arguments->cut[i] = choice->cut == SARRUS_NONE
                            ? SARRUS_NONE
                            : put(outputs, &spec.output_count, tape->slots[choice->cut].node);
  }
  return tape_new(system->memory, &spec, &arguments->tape);
}

static sarrus_Status find_twins(sarrus_System *system) {
  Arguments *arguments = &system->arguments;
  const Tape *tape = arguments->tape;
  arguments->own = tape->switch_count;
  if (!ARRAY_RESERVE(system->memory, arguments->twin, arguments->capacity[2], arguments->own + 1))
    return SARRUS_NOMEM;
  for (int i = 0; i < arguments->own; i++)
    arguments->twin[i] = find_twin(system->tape, tape->values[tape->switches[i].value].node);
  return SARRUS_OK;
}

sarrus_Status system_find_arguments(sarrus_System *system) {
  const sarrus_Memory memory = system->memory;
  Arguments *arguments = &system->arguments;
  const int count = system->tape->switch_count;
  sarrus_Expr *outputs = NULL;
  int *leads = NULL, output_capacity = 0, lead_capacity = 0;
  if (count == 0) return SARRUS_OK;
  sarrus_Status status = SARRUS_NOMEM;
  if (ARRAY_RESERVE(memory, arguments->output, arguments->capacity[0], count) &&
      ARRAY_RESERVE(memory, arguments->cut, arguments->capacity[1], count) &&
      ARRAY_RESERVE(memory, outputs, output_capacity, 2 * count) &&
      ARRAY_RESERVE(memory, leads, lead_capacity, 2 * count))
    status = compile(system, outputs, leads);
  ARRAY_RELEASE(memory, outputs, output_capacity);
  ARRAY_RELEASE(memory, leads, lead_capacity);
  arguments->switches = count;
  return status == SARRUS_OK ? find_twins(system) : status;
}

void system_free_arguments(sarrus_System *system) {
  Arguments *arguments = &system->arguments;
  tape_free(arguments->tape);
  ARRAY_RELEASE(system->memory, arguments->output, arguments->capacity[0]);
  ARRAY_RELEASE(system->memory, arguments->cut, arguments->capacity[1]);
  ARRAY_RELEASE(system->memory, arguments->twin, arguments->capacity[2]);
}
