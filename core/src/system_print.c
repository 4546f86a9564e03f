/* What `explain` shows of a system. */
#include "system_parts.h"

static const char *row_kind(const sarrus_System *system, int row) {
  if (row < system->n) return "motion";
  return system->offset[row] == 2 ? "constraint" : "velocity constraint";
}

size_t sarrus_system_print_equations(const sarrus_System *system, sarrus_Namer name, void *ud,
                                     char *to, size_t size) {
  Text text = text_open(to, size);
  const char *heading = "";
  for (int i = 0; i < system->n + system->m; i++) {
    if (row_kind(system, i) != heading) {
      heading = row_kind(system, i);
      text_format(&text, "%s\n", heading);
    }
    text_put(&text, "  0 = ");
    expr_put(&text, system->graph, system->equation[i], name, ud);
    text_put(&text, "\n");
  }
  return text.length;
}

size_t sarrus_system_print_tape(const sarrus_System *system, sarrus_Namer name, void *ud, char *to,
                                size_t size) {
  Text text = text_open(to, size);
  tape_put(&text, system->tape, system->graph, name, ud);
  return text.length;
}

/* '.' for zero, '1' for a constant, '*' for an entry that changes */
static char entry_mark(const sarrus_System *system, int row, int column) {
  for (int i = 0; i < system->entry_count; i++) {
    const Entry *entry = &system->entries[i];
    if (entry->row != row || entry->column != column) continue;
    return system->tape->values[system->tape->extra_value[i]].lead == LEAD_CONSTANT ? '1' : '*';
  }
  return '.';
}

enum { LARGEST_PICTURE = 64 };

size_t sarrus_system_print_structure(const sarrus_System *system, sarrus_Namer name, void *ud,
                                     char *to, size_t size) {
  Text text = text_open(to, size);
  const int variables = system->n + system->m;
  (void)name;
  (void)ud;
  text_format(&text, "matrix of %d coordinates and %d multipliers, %d entries of %lld\n", system->n,
              system->m, system->entry_count, (long long)variables * variables);
  if (variables > LARGEST_PICTURE) return text.length;
  text_put(&text, ". zero  1 constant  * changing\n");
  for (int i = 0; i < variables; i++) {
    char line[LARGEST_PICTURE + 1];
    for (int j = 0; j < variables; j++)
      line[j] = entry_mark(system, i, j);
    line[variables] = '\0';
    text_format(&text, "  %s  %s\n", line, row_kind(system, i));
  }
  return text.length;
}
