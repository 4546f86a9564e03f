/* The equations, the program and the matrix of systems, as text. */
#include "mechanisms.h"
#include "sarrus/system.h"

enum { TEXT = 6000 };

typedef size_t Print(const sarrus_System *, sarrus_Namer, void *, char *, size_t);

static sarrus_System *compile(Parts *p) {
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  if (p == NULL) return NULL;
  CHECK_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault));
  parts_free(p);
  return system;
}

static const char *name_symbol(void *ud, sarrus_SymbolKind kind, int index) {
  static const char *const names[] = {"x", "y", "z"};
  ++*(int *)ud;
  return kind == SARRUS_Q && index < 3 ? names[index] : NULL;
}

/* One coordinate under a force of every function. */
static Parts *of_function(sarrus_Op op) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  if (p == NULL) return NULL;
  const int two = sarrus_op_arity(op) > 1;
  p->force[0] =
      two ? sarrus_graph_apply(p->g, op, p->q[0], p->v[0], SARRUS_NONE) : unary(p->g, op, p->q[0]);
  return p;
}

/* Names of the caller stand in all three, in place of numbers; what he does not name has those. */
TEST(names_of_the_caller) {
  static Print *const prints[] = {sarrus_system_print_equations, sarrus_system_print_tape};
  sarrus_System *system = compile(pendulum(sarrus_memory_default()));
  REQUIRE(system != NULL);
  for (int i = 0; i < 2; i++) {
    char text[TEXT];
    int asked = 0;
    prints[i](system, name_symbol, &asked, text, sizeof text);
    CHECK(asked > 0);
    CHECK(strstr(text, "q1") == NULL);
    CHECK(strstr(text, "x") != NULL);
    CHECK(strstr(text, "lambda1") != NULL);
  }
  sarrus_system_free(system);
}

/* As much as there is room for, ended by an ellipsis and a zero; the length is what was written. */
TEST(short_of_room) {
  static Print *const prints[] = {sarrus_system_print_equations, sarrus_system_print_tape,
                                  sarrus_system_print_structure};
  sarrus_System *system = compile(robot(sarrus_memory_default()));
  REQUIRE(system != NULL);
  for (int i = 0; i < 3; i++) {
    char whole[TEXT], part[TEXT];
    const size_t length = prints[i](system, NULL, NULL, whole, sizeof whole);
    CHECK_INT(strlen(whole), length);
    for (size_t room = 1; room < length; room += 1 + room / 3) {
      memset(part, '#', sizeof part);
      const size_t written = prints[i](system, NULL, NULL, part, room);
      CHECK_INT(written, strlen(part));
      CHECK(written < room);
      CHECK(written <= 3 || strncmp(part, whole, written - 3) == 0);
      CHECK(written < 3 || strcmp(part + written - 3, "...") == 0);
      CHECK_INT(part[room], '#');
    }
  }
  sarrus_system_free(system);
}

/* Whatever a force is a function of, its program says so. */
TEST(every_function_is_named) {
#define ONE(op, name) \
  { SARRUS_OP_##op, name }
  static const struct {
    sarrus_Op op;
    const char *name;
  } functions[] = {ONE(SIN, "sin"),   ONE(COS, "cos"),   ONE(TAN, "tan"),   ONE(EXP, "exp"),
                   ONE(LOG, "log"),   ONE(SQRT, "sqrt"), ONE(ATAN, "atan"), ONE(SINH, "sinh"),
                   ONE(COSH, "cosh"), ONE(ASIN, "asin"), ONE(ABS, "abs"),   ONE(ATAN2, "atan"),
                   ONE(MIN, "min"),   ONE(MAX, "max")};
#undef ONE
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    char text[TEXT];
    sarrus_System *system = compile(of_function(functions[i].op));
    REQUIRE(system != NULL);
    sarrus_system_print_equations(system, NULL, NULL, text, sizeof text);
    CHECK(strstr(text, functions[i].name) != NULL);
    sarrus_system_print_tape(system, NULL, NULL, text, sizeof text);
    CHECK(strstr(text, functions[i].name) != NULL);
    sarrus_system_free(system);
  }
}

/* Quotients and powers have recurrences of their own. */
TEST(quotients_and_powers) {
  char text[TEXT];
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->force[0] = quotient(p->g, p->q[0], p->q[1]);
  p->force[1] = power(p->g, p->q[0], 2.5);
  sarrus_System *system = compile(p);
  REQUIRE(system != NULL);
  sarrus_system_print_equations(system, NULL, NULL, text, sizeof text);
  CHECK_STR(text,
            "motion\n"
            "  0 = -q1/q2 + a1\n"
            "  0 = -q1^(5/2) + a2\n");
  sarrus_system_print_tape(system, NULL, NULL, text, sizeof text);
  CHECK(strstr(text, "q1") != NULL && strstr(text, "q2") != NULL);
  sarrus_system_free(system);
}

/* Velocity constraints and contacts have rows of their own, named as such. */
TEST(rows_by_their_kind) {
  char text[TEXT];
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  p->velocity_constraint[0] = sub(p->g, mul(p->g, p->q[0], p->v[1]), p->v[0]);
  p->spec.velocity_constraints = 1;
  p->contact[0].gap = p->q[1];
  p->contact[0].slip[0] = p->v[0];
  p->contact[0].friction = constant(p->g, 0.5);
  p->spec.contacts = 1;
  sarrus_System *system = compile(p);
  REQUIRE(system != NULL);
  CHECK_INT(sarrus_system_multipliers(system), 3);
  sarrus_system_print_equations(system, NULL, NULL, text, sizeof text);
  const char *const kinds[] = {"motion\n", "velocity constraint\n"};
  for (int i = 0; i < 2; i++)
    CHECK(strstr(text, kinds[i]) != NULL);
  CHECK(strstr(text, "0 = q1*v2 - v1") != NULL || strstr(text, "0 = -v1 + q1*v2") != NULL);
  sarrus_system_print_structure(system, NULL, NULL, text, sizeof text);
  CHECK(strstr(text, "matrix of 2 coordinates and 3 multipliers") != NULL);
  sarrus_system_free(system);
}

/* Text of graphs that no one has named, and of none. */
TEST(nothing_to_print) {
  char text[TEXT];
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  sarrus_System *system = compile(p);
  REQUIRE(system != NULL);
  sarrus_system_print_equations(system, NULL, NULL, text, sizeof text);
  CHECK_STR(text,
            "motion\n"
            "  0 = a1\n");
  CHECK_INT(sarrus_system_print_equations(system, NULL, NULL, NULL, 0), 0);
  sarrus_system_free(system);
}
