/* Puts faults into sentences. */
#include <math.h>
#include <stdio.h>

#include "sarrus/number.h"
#include "system_parts.h"

enum { LONGEST_SYMBOL = 128 };

typedef struct Speaker {
  Text text;
  const sarrus_Fault *fault;
  const sarrus_System *system; /* or NULL */
  sarrus_Names names;
  int n; /* number of coordinates; NONE where it is not known */
  char symbol[LONGEST_SYMBOL];
} Speaker;

/* --- names ------------------------------------------------------------------------------- */

/* Name i of a list; NULL where the caller gave none. */
static const char *name_in(int count, const char *const *names, int i) {
  return names != NULL && i >= 0 && i < count ? names[i] : NULL;
}

/* `name`, or the noun with a number */
static void put_name(Speaker *out, const char *noun, const char *name, int i) {
  if (name == NULL) {
    text_format(&out->text, "%s %lld", noun, i + 1LL);
    return;
  }
  text_put(&out->text, "\"");
  text_put(&out->text, name);
  text_put(&out->text, "\"");
}

static const char *coordinate_name(const Speaker *out, int i) {
  return name_in(out->names.coordinates, out->names.coordinate, i);
}

static int is_general(const Speaker *out) { return out->system != NULL && out->system->general; }

static void put_variable(Speaker *out, int column) {
  const int i = column - out->n;
  if (out->n == SARRUS_NONE || i < 0)
    put_name(out, "coordinate", coordinate_name(out, column), column);
  else if (is_general(out))
    text_format(&out->text, "algebraic variable %lld", i + 1LL);
  else {
    text_put(&out->text, "the multiplier of ");
    put_name(out, "constraint", name_in(out->names.constraints, out->names.constraint, i), i);
  }
}

static void put_equation(Speaker *out, int row) {
  if (out->n == SARRUS_NONE) {
    text_format(&out->text, "equation %lld", row + 1LL);
  } else if (row < out->n) {
    text_put(&out->text, is_general(out) ? "the equation of the rate of " : "the motion of ");
    put_variable(out, row);
  } else {
    const int i = row - out->n;
    const char *name = name_in(out->names.constraints, out->names.constraint, i);
    if (name != NULL) text_put(&out->text, "constraint ");
    put_name(out, "constraint", name, i);
  }
}

static void put_contact_name(Speaker *out) {
  const int i = out->fault->contact;
  const char *name = name_in(out->names.contacts, out->names.contact, i);
  if (name != NULL) text_put(&out->text, "contact ");
  put_name(out, "contact", name, i);
}

static void put_number(Speaker *out, double x) {
  char number[SARRUS_NUMBER_SIZE];
  sarrus_number_print(x, number, sizeof number);
  text_put(&out->text, number);
}

/* The caller's names as they are; rates get a prime. */
static const char *symbol_name(void *ud, sarrus_SymbolKind kind, int index) {
  static const char *const letters[] = {"t", "p", "q", "v", "a", "lambda", "u"};
  static const char *const primes[] = {"", "", "", "'", "''", "", ""};
  Speaker *out = ud;
  const sarrus_Names *names = &out->names;
  const char *name = kind == SARRUS_PARAMETER ? name_in(names->parameters, names->parameter, index)
                     : kind == SARRUS_Q || kind == SARRUS_V || kind == SARRUS_A
                         ? coordinate_name(out, index)
                         : NULL;
  if (kind == SARRUS_TIME) return letters[kind];
  if (name != NULL)
    snprintf(out->symbol, sizeof out->symbol, "%s%s", name, primes[kind]);
  else
    snprintf(out->symbol, sizeof out->symbol, "%s%d", letters[kind], index + 1);
  return out->symbol;
}

static int has_expr(const Speaker *out) {
  return out->system != NULL && expr_is_node(out->system->graph, out->fault->expr);
}

static void put_expr(Speaker *out) {
  expr_put(&out->text, out->system->graph, out->fault->expr, symbol_name, out);
}

/* --- sentences --------------------------------------------------------------------------- */

static void put_singular(Speaker *out) {
  const sarrus_Fault *fault = out->fault;
  text_put(&out->text, sarrus_status_text(SARRUS_SINGULAR));
  if (fault->row >= 0) {
    text_put(&out->text, ": ");
    put_equation(out, fault->row);
    text_put(&out->text, fault->column >= 0 ? " depends on the others" : " is left over");
  }
  if (fault->column >= 0) {
    text_put(&out->text, ", nothing determines ");
    put_variable(out, fault->column);
  }
  if (fault->size > 0 && isfinite(fault->size)) {
    text_put(&out->text, " (condition ");
    put_number(out, fault->size);
    text_put(&out->text, ")");
  }
}

static void put_step(Speaker *out) {
  const sarrus_Fault *fault = out->fault;
  if (fault->count > 0)
    text_format(&out->text, "%d steps were not enough", fault->count);
  else
    text_put(&out->text, "the steps became too small");
  if (fault->column < 0) return;
  text_put(&out->text, ": ");
  put_variable(out, fault->column);
  text_put(&out->text, " keeps them small");
}

static void put_nonfinite(Speaker *out) {
  const sarrus_Fault *fault = out->fault;
  if (has_expr(out)) {
    put_expr(out);
    text_put(&out->text, " is not finite, or outside its domain");
  } else if (fault->column >= 0) {
    text_put(&out->text, fault->derivative == 1 ? "the velocity of " : "the position of ");
    put_variable(out, fault->column);
    text_put(&out->text, " is not finite");
  } else {
    text_put(&out->text, sarrus_status_text(SARRUS_NONFINITE));
  }
}

static void put_zeros(Speaker *out) {
  const sarrus_Fault *fault = out->fault;
  if (isnan(fault->size)) {
    text_put(&out->text, " is not finite, or outside its domain");
  } else if (fault->count == 0) {
    text_put(&out->text, " vanishes throughout");
  } else if (fault->size == 0) {
    text_format(&out->text, " has more than %d zeros in one step", fault->count);
  } else {
    text_format(&out->text, " has %d zeros that follow each other ever faster, the last after ",
                fault->count);
    put_number(out, fault->size);
  }
}

static void put_event(Speaker *out) {
  const int event = out->fault->event;
  if (event >= 0) {
    const char *name = name_in(out->names.events, out->names.event, event);
    if (name != NULL) text_put(&out->text, "event ");
    put_name(out, "event", name, event);
    put_zeros(out);
  } else if (has_expr(out)) {
    text_put(&out->text, "the motion sticks or chatters at a switch of ");
    put_expr(out);
  } else {
    text_put(&out->text, sarrus_status_text(SARRUS_EVENT));
  }
}

static void put_contact(Speaker *out) {
  const sarrus_Fault *fault = out->fault;
  if (fault->contact >= 0 && fault->size > 0) {
    put_contact_name(out);
    text_put(&out->text, " penetrates by ");
    put_number(out, fault->size);
    return;
  }
  if (fault->contact >= 0 && fault->count > 0) {
    put_contact_name(out);
    text_put(&out->text, " changes again and again at one instant: it jams or chatters");
    return;
  }
  if (fault->contact >= 0 && fault->count < 0) {
    put_contact_name(out);
    text_put(&out->text, " has no past that can be told: it sticks, or an impact has lost energy");
    return;
  }
  text_put(&out->text, sarrus_status_text(SARRUS_CONTACT));
  if (fault->contact < 0) return;
  text_put(&out->text, ": ");
  put_contact_name(out);
}

static void put_inconsistent(Speaker *out) {
  static const char *const levels[] = {"positions", "velocities", "accelerations"};
  const sarrus_Fault *fault = out->fault;
  if (fault->contact >= 0) {
    put_contact(out);
    return;
  }
  text_put(&out->text, sarrus_status_text(SARRUS_INCONSISTENT));
  if (fault->row < 0) return;
  text_put(&out->text, ": ");
  if (fault->derivative >= 0 && fault->derivative < 3) {
    text_format(&out->text, "the %s violate ", levels[fault->derivative]);
    put_equation(out, fault->row);
  } else {
    put_equation(out, fault->row);
    text_put(&out->text, " is violated");
  }
  text_put(&out->text, " by ");
  put_number(out, fault->size);
}

static const char *misuse_text(sarrus_Misuse misuse) {
  switch (misuse) {
    case SARRUS_MISUSE_NONE: break;
#define TEXT(name, sentence) \
  case SARRUS_MISUSE_##name: return sentence;
      SARRUS_MISUSES(TEXT)
#undef TEXT
  }
  return NULL;
}

static void put_misuse(Speaker *out, const char *sentence) {
  text_put(&out->text, ": ");
  if (out->fault->entry >= 0) text_format(&out->text, "entry %lld: ", (long long)out->fault->entry);
  text_put(&out->text, sentence);
}

/* A call that is refused, or a spec that sarrus_system_new refuses. */
static void put_argument(Speaker *out) {
  const sarrus_Fault *fault = out->fault;
  const int row = fault->row, column = fault->column, n = out->n;
  const char *misuse = misuse_text(fault->misuse);
  text_put(&out->text, sarrus_status_text(SARRUS_ARGUMENT));
  if (fault->contact >= 0) {
    text_put(&out->text, ": ");
    put_contact_name(out);
    text_put(&out->text, ": friction must not be negative, and restitution be from 0 to 1");
    return;
  }
  if (misuse != NULL) put_misuse(out, misuse);
  if (misuse != NULL || (row < 0 && column < 0)) return;
  text_put(&out->text, ": ");
  if (row >= 0 && column >= 0 && row < n && column < n) {
    text_put(&out->text, "the mass of ");
    put_variable(out, row);
    text_put(&out->text, " and ");
    put_variable(out, column);
    text_put(&out->text, " is not symmetric, by ");
    put_number(out, fault->size);
  } else if (row >= n && n >= 0 && column < n) {
    put_equation(out, row);
    text_put(&out->text, column < 0 ? " contains velocities" : " is not affine in the rate of ");
    if (column >= 0) put_variable(out, column);
  } else {
    text_format(&out->text, "there is no mass in row %lld, column %lld", row + 1LL, column + 1LL);
  }
}

static void put_limit(Speaker *out) {
  text_put(&out->text, sarrus_status_text(SARRUS_LIMIT));
  if (out->fault->column < 0) return;
  text_put(&out->text, ": only derivatives of the equations determine ");
  put_variable(out, out->fault->column);
}

size_t sarrus_fault_text(sarrus_Status status, const sarrus_Fault *fault,
                         const sarrus_System *system, const sarrus_Names *names, char *text,
                         size_t size) {
  Speaker out = {.text = text_open(text, size), .fault = fault, .system = system};
  if (names != NULL) out.names = *names;
  out.n = system != NULL ? system->n : names != NULL ? names->coordinates : SARRUS_NONE;
  switch (status) {
    case SARRUS_SINGULAR: put_singular(&out); break;
    case SARRUS_INCONSISTENT: put_inconsistent(&out); break;
    case SARRUS_STEP: put_step(&out); break;
    case SARRUS_NONFINITE: put_nonfinite(&out); break;
    case SARRUS_EVENT: put_event(&out); break;
    case SARRUS_CONTACT: put_contact(&out); break;
    case SARRUS_ARGUMENT: put_argument(&out); break;
    case SARRUS_LIMIT: put_limit(&out); break;
    default: text_put(&out.text, sarrus_status_text(status));
  }
  return out.text.length;
}
