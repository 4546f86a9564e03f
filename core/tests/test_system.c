/* Systems: what is accepted, what is refused and how, what they print, what they cost. */
#include "mechanisms.h"
#include "sarrus/system.h"

static sarrus_Status compile(Parts *p, sarrus_Fault *fault) {
  sarrus_System *system = NULL;
  const sarrus_Status status =
      sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, fault);
  CHECK(status == SARRUS_OK ? system != NULL : system == NULL);
  sarrus_system_free(system);
  return status;
}

TEST(a_system_stands_alone) {
  Parts *p = robot(sarrus_memory_default());
  REQUIRE(p != NULL);
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault));
  parts_free(p); /* the graph it was made from may go */
  CHECK_INT(sarrus_system_coordinates(system), 2);
  CHECK_INT(sarrus_system_multipliers(system), 1);
  char text[2000];
  sarrus_system_print_equations(system, NULL, NULL, text, sizeof text);
  CHECK(strstr(text, "sin(q1)") != NULL);
  sarrus_system_free(system);
  sarrus_system_free(NULL);
}

TEST(what_it_prints) {
  Parts *p = pendulum(sarrus_memory_default());
  REQUIRE(p != NULL);
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  char text[2000];
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), parts_spec(p), &system, &fault));
  const size_t length = sarrus_system_print_equations(system, NULL, NULL, text, sizeof text);
  CHECK_STR(text,
            "motion\n"
            "  0 = a1 + 2*q1*lambda1\n"
            "  0 = a2 + 2*q2*lambda1 + 9.81\n"
            "constraint\n"
            "  0 = q1^2 + q2^2 - 1\n");
  CHECK_INT(length, strlen(text));
  sarrus_system_print_structure(system, NULL, NULL, text, sizeof text);
  CHECK_STR(text,
            "matrix of 2 coordinates and 1 multipliers, 6 entries of 9\n"
            ". zero  1 constant  * changing\n"
            "  1.*  motion\n"
            "  .1*  motion\n"
            "  **.  constraint\n");
  sarrus_system_print_tape(system, NULL, NULL, text, sizeof text);
  CHECK(strstr(text, "3 rows, 4 products") != NULL);
  CHECK(strstr(text, "F3 = q1 * q1 + q2 * q2") != NULL);
  CHECK_INT(sarrus_system_print_tape(system, NULL, NULL, text, 20) < 20, 1);
  sarrus_system_free(system);
  parts_free(p);
}

/* Large matrices are not drawn. */
TEST(only_small_structures_are_drawn) {
  enum { N = 65 };
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  static sarrus_MassEntry mass[N];
  for (int i = 0; i < N; i++)
    mass[i] = (sarrus_MassEntry){i, i, constant(g, 1)};
  const sarrus_SystemSpec spec = {
      .graph = g, .coordinates = N, .masses = N, .mass = mass, .lagrangian = SARRUS_NONE};
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  REQUIRE_OK(sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault));
  char text[2000];
  sarrus_system_print_structure(system, NULL, NULL, text, sizeof text);
  CHECK_STR(text, "matrix of 65 coordinates and 0 multipliers, 65 entries of 4225\n");
  sarrus_system_free(system);
  sarrus_graph_free(g);
}

/* --- what is refused --------------------------------------------------------------------- */

TEST(an_asymmetric_mass) {
  Parts *p = parts_new(sarrus_memory_default(), 3);
  REQUIRE(p != NULL);
  sarrus_Fault fault;
  p->mass[1 * 3 + 0] = p->mass[0 * 3 + 1] = p->q[2];
  p->mass[2 * 3 + 1] = sine(p, p->q[0]);
  p->mass[1 * 3 + 2] = sine(p, p->q[1]);
  CHECK_STATUS(compile(p, &fault), SARRUS_ARGUMENT);
  CHECK(fault.row + fault.column == 3 && fault.row * fault.column == 2);
  CHECK(fault.size > 1e-3);
  p->mass[1 * 3 + 2] = sine(p, p->q[0]);
  CHECK_OK(compile(p, &fault));
  p->mass[2 * 3 + 0] = p->q[1]; /* without its mirror image, below the diagonal */
  CHECK_STATUS(compile(p, &fault), SARRUS_ARGUMENT);
  CHECK(fault.row == 2 && fault.column == 0);
  p->mass[0 * 3 + 2] = p->mass[2 * 3 + 0]; /* and above it */
  p->mass[2 * 3 + 0] = constant(p->g, 0);
  CHECK_STATUS(compile(p, &fault), SARRUS_ARGUMENT);
  CHECK(fault.row + fault.column == 2 && fault.row != fault.column);
  parts_free(p);
}

/*
** Symmetric in value, not in form: (x + y)^2 and what it is multiplied out; rounding is no fault.
*/
TEST(a_mass_that_is_symmetric_in_value) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  sarrus_Graph *g = p->g;
  sarrus_Fault fault;
  const sarrus_Expr x = p->q[0], y = p->q[1];
  const sarrus_Expr square = power(g, add(g, x, y), 2);
  const sarrus_Expr opened =
      add(g, add(g, power(g, x, 2), power(g, y, 2)), scaled(g, 2, mul(g, x, y)));
  p->mass[1] = square;
  p->mass[2] = opened;
  CHECK_OK(compile(p, &fault));
  p->mass[1] = sub(g, square, opened); /* zero up to rounding */
  p->mass[2] = constant(g, 0);
  CHECK_OK(compile(p, &fault));
  p->mass[2] = constant(g, 1e-6);
  CHECK_STATUS(compile(p, &fault), SARRUS_ARGUMENT);
  parts_free(p);
}

TEST(a_velocity_constraint_that_is_not_affine) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  sarrus_Fault fault;
  p->velocity_constraint[0] = sub(p->g, p->v[1], mul(p->g, sine(p, p->q[0]), p->v[0]));
  p->velocity_constraint[1] = mul(p->g, p->v[0], p->v[1]);
  p->spec.velocity_constraints = 2;
  CHECK_STATUS(compile(p, &fault), SARRUS_ARGUMENT);
  CHECK_INT(fault.row, 3);
  p->spec.velocity_constraints = 1;
  CHECK_OK(compile(p, &fault));
  parts_free(p);
}

TEST(symbols_out_of_range) {
  static const sarrus_SymbolKind kinds[] = {SARRUS_Q, SARRUS_V,         SARRUS_A,
                                            SARRUS_U, SARRUS_PARAMETER, SARRUS_LAMBDA};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    Parts *p = parts_new(sarrus_memory_default(), 1);
    REQUIRE(p != NULL);
    sarrus_Fault fault;
    p->force[0] = sarrus_graph_symbol(p->g, kinds[i], 1);
    p->spec.parameters = 1;
    CHECK_STATUS(compile(p, &fault), SARRUS_ARGUMENT);
    CHECK_INT(fault.row, -1);
    parts_free(p);
  }
}

/* g(q, t) = 0 has no velocities: those belong to velocity constraints. */
TEST(velocities_in_a_position_constraint) {
  Parts *p = parts_new(sarrus_memory_default(), 2);
  REQUIRE(p != NULL);
  sarrus_Fault fault;
  p->constraint[0] = p->q[0];
  p->constraint[1] = add(p->g, p->q[1], mul(p->g, p->v[0], p->q[1]));
  p->spec.constraints = 2;
  CHECK_STATUS(compile(p, &fault), SARRUS_ARGUMENT);
  CHECK_INT(fault.row, 3);
  parts_free(p);
}

TEST(limits) {
  Parts *p = parts_new(sarrus_memory_default(), 1);
  REQUIRE(p != NULL);
  sarrus_Fault fault;
  sarrus_System *system;
  sarrus_SystemSpec spec = *parts_spec(p);
  spec.coordinates = (1 << 20) + 1;
  CHECK_STATUS(sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault), SARRUS_LIMIT);
  spec.coordinates = 1;
  spec.constraints = (1 << 20) + 1;
  CHECK_STATUS(sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault), SARRUS_LIMIT);
  CHECK(system == NULL);
  parts_free(p);
}

/* --- what it costs ----------------------------------------------------------------------- */

TEST(bytes_are_what_is_held) {
  TestMemory m;
  Parts *p = robot(sarrus_memory_default());
  REQUIRE(p != NULL);
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  const sarrus_Memory memory = test_memory_counting(&m);
  REQUIRE_OK(sarrus_system_new(memory, parts_spec(p), &system, &fault));
  CHECK_INT(sarrus_system_bytes(system), m.bytes);
  sarrus_Expansion *expansion = NULL;
  const size_t before = m.bytes;
  REQUIRE_OK(sarrus_expansion_new(memory, system, 30, &expansion));
  CHECK_INT(sarrus_expansion_bytes(expansion), m.bytes - before);
  sarrus_expansion_free(expansion);
  sarrus_expansion_free(NULL);
  sarrus_system_free(system);
  CHECK_INT(m.blocks, 0);
  parts_free(p);
}

/* Build and expand; whatever fails, nothing is left. */
static sarrus_Status use_system(sarrus_Memory memory, Parts *p) {
  sarrus_System *system = NULL;
  sarrus_Expansion *expansion = NULL;
  sarrus_Fault fault;
  const double q[] = {0, 0, 0}, v[] = {1, -2, 0};
  sarrus_Status status = sarrus_system_new(memory, parts_spec(p), &system, &fault);
  if (status == SARRUS_OK) status = sarrus_expansion_new(memory, system, 10, &expansion);
  if (status == SARRUS_OK) status = sarrus_expansion_run(expansion, 0, q, v, NULL, 1e-9, &fault);
  sarrus_expansion_free(expansion);
  sarrus_system_free(system);
  return status;
}

static void fail_everywhere(Parts *p) {
  TestMemory m;
  long failures = 0;
  REQUIRE(p != NULL);
  for (long n = 1;; n++, failures++) {
    const sarrus_Memory memory = test_memory_failing(&m, n);
    const sarrus_Status status = use_system(memory, p);
    CHECK_INT(m.blocks, 0);
    CHECK_INT(m.bytes, 0);
    if (!m.failed) {
      CHECK_OK(status);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
  CHECK(failures > 20);
  parts_free(p);
}

TEST(every_allocation_may_fail_with_a_mass) {
  Parts *p = robot(sarrus_memory_default());
  REQUIRE(p != NULL);
  p->mass[2] = add(p->g, p->mass[1], constant(p->g, 1e-15)); /* probed, not only compared */
  p->velocity_constraint[0] = add(p->g, p->v[0], scaled(p->g, 0.5, p->v[1]));
  p->spec.velocity_constraints = 1;
  fail_everywhere(p);
}

TEST(every_allocation_may_fail_with_a_lagrangian) {
  Parts *p = robot(sarrus_memory_default());
  REQUIRE(p != NULL);
  sarrus_Graph *g = p->g;
  const sarrus_Expr v1 = p->v[0], v2 = p->v[1];
  p->spec.lagrangian =
      add(g, add(g, power(g, v1, 2), mul(g, cosine(p, p->q[0]), mul(g, v1, v2))), power(g, v2, 2));
  fail_everywhere(p);
}
