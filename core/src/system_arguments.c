/*
** Compiles the arguments of piecewise functions, and the quantities of contacts, to a tape that
** runs on spans, where they are searched for zeros.
*/
#include "array.h"
#include "system_parts.h"

/* Put an expression among the outputs, if it is not there yet; returns its number. */
static int put(sarrus_Expr *outputs, int *count, sarrus_Expr e) {
  for (int i = 0; i < *count; i++)
    if (outputs[i] == e) return i;
  outputs[*count] = e;
  return (*count)++;
}

int system_find_switch(const Tape *tape, sarrus_Expr node) {
  for (int i = 0; i < tape->switch_count; i++)
    if (tape->values[tape->switches[i].value].node == node) return i;
  return SARRUS_NONE;
}

/* The greatest numbers of outputs and extras of a switch, and of a contact. */
enum { SWITCH_OUTPUTS = 2, CONTACT_OUTPUTS = 6, CONTACT_EXTRAS = 3 };

static sarrus_Status compile(sarrus_System *system, sarrus_Expr *outputs, sarrus_Expr *extras,
                             int *leads, int *modes) {
  const Tape *tape = system->tape;
  Arguments *arguments = &system->arguments;
  TapeSpec spec = {.graph = system->graph, .outputs = outputs, .output_lead = leads};
  for (int i = 0; i < tape->switch_count; i++) {
    const Switch *choice = &tape->switches[i];
    arguments->output[i] = put(outputs, &spec.output_count, tape->slots[choice->slot].node);
    arguments->cut[i] = choice->cut == SARRUS_NONE
                            ? SARRUS_NONE
                            : put(outputs, &spec.output_count, tape->slots[choice->cut].node);
  }
  spec.extras = extras;
  for (int i = 0; i < system->contact_count; i++)
    system_contact_outputs(system, i, outputs, &spec.output_count, extras, &spec.extra_count);
  if (spec.output_count == 0) return SARRUS_OK;
  for (int i = 0; i < spec.output_count; i++)
    leads[i] = 0;
  for (int i = 0; i < system->modes; i++)
    modes[i] = LEAD_CONSTANT;
  spec.lead[SARRUS_U] = modes;
  return tape_new(system->memory, &spec, &arguments->tape);
}

static sarrus_Status find_twins(sarrus_System *system) {
  Arguments *arguments = &system->arguments;
  const Tape *tape = arguments->tape;
  if (tape == NULL) return SARRUS_OK;
  arguments->own = tape->switch_count;
  if (!ARRAY_RESERVE(system->memory, arguments->twin, arguments->capacity[2], arguments->own + 1))
    return SARRUS_NOMEM;
  for (int i = 0; i < arguments->own; i++)
    arguments->twin[i] =
        system_find_switch(system->tape, tape->values[tape->switches[i].value].node);
  return SARRUS_OK;
}

sarrus_Status system_find_arguments(sarrus_System *system) {
  const sarrus_Memory memory = system->memory;
  Arguments *arguments = &system->arguments;
  const int switches = system->tape->switch_count, contacts = system->contact_count;
  const int most = SWITCH_OUTPUTS * switches + CONTACT_OUTPUTS * contacts;
  sarrus_Expr *outputs = NULL, *extras = NULL;
  int *leads = NULL, *modes = NULL, capacity[4] = {0};
  if (most == 0) return SARRUS_OK;
  sarrus_Status status = SARRUS_NOMEM;
  if (ARRAY_RESERVE(memory, arguments->output, arguments->capacity[0], switches + 1) &&
      ARRAY_RESERVE(memory, arguments->cut, arguments->capacity[1], switches + 1) &&
      ARRAY_RESERVE(memory, arguments->contact, arguments->capacity[3], contacts + 1) &&
      ARRAY_RESERVE(memory, outputs, capacity[0], most) &&
      ARRAY_RESERVE(memory, extras, capacity[1], CONTACT_EXTRAS * contacts + 1) &&
      ARRAY_RESERVE(memory, leads, capacity[2], most) &&
      ARRAY_RESERVE(memory, modes, capacity[3], system->modes + 1))
    status = compile(system, outputs, extras, leads, modes);
  ARRAY_RELEASE(memory, outputs, capacity[0]);
  ARRAY_RELEASE(memory, extras, capacity[1]);
  ARRAY_RELEASE(memory, leads, capacity[2]);
  ARRAY_RELEASE(memory, modes, capacity[3]);
  arguments->switches = switches;
  return status == SARRUS_OK ? find_twins(system) : status;
}

size_t system_argument_bytes(const sarrus_System *system) {
  const Arguments *arguments = &system->arguments;
  const size_t ints =
      (size_t)(arguments->capacity[0] + arguments->capacity[1] + arguments->capacity[2]);
  return (arguments->tape == NULL ? 0 : arguments->tape->bytes) + ints * sizeof(int) +
         (size_t)arguments->capacity[3] * sizeof *arguments->contact;
}

void system_free_arguments(sarrus_System *system) {
  Arguments *arguments = &system->arguments;
  tape_free(arguments->tape);
  ARRAY_RELEASE(system->memory, arguments->output, arguments->capacity[0]);
  ARRAY_RELEASE(system->memory, arguments->cut, arguments->capacity[1]);
  ARRAY_RELEASE(system->memory, arguments->twin, arguments->capacity[2]);
  ARRAY_RELEASE(system->memory, arguments->contact, arguments->capacity[3]);
}
