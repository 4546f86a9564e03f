/* Models: written, read, refused where damaged; simulations and views of them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "../fuzz/swing_file.h"
#include "test.h"

static char file[SWING_SIZE];

static size_t write_swing(void) { return swing_write(sarrus_memory_default(), file, sizeof file); }

static sarrus_Model *read_swing(sarrus_Memory memory) {
  sarrus_Model *model = NULL;
  const size_t size = write_swing();
  if (CHECK(size > 0 && size < sizeof file)) sarrus_model_read(memory, file, size, &model);
  return model;
}

static unsigned everything(void) {
  return 1u << SARRUS_BODIES | 1u << SARRUS_JOINTS | 1u << SARRUS_CONTACTS | 1u << SARRUS_LAWS;
}

TEST(names_and_fields) {
  sarrus_Model *model = read_swing(sarrus_memory_default());
  int count;
  REQUIRE(model != NULL);
  CHECK_STR(sarrus_model_name(model, SARRUS_WHOLE, 0), "swing");
  CHECK_INT(sarrus_model_count(model, SARRUS_COORDINATES), 2);
  CHECK_INT(sarrus_model_count(model, SARRUS_SHAPES), 0);
  CHECK_INT(sarrus_model_count(model, SARRUS_LISTS), 0);
  CHECK_INT(sarrus_model_count(model, (sarrus_List)-1), 0);
  CHECK_INT(sarrus_model_find(model, SARRUS_COORDINATES, "bob.y"), 1);
  CHECK_INT(sarrus_model_find(model, SARRUS_COORDINATES, "bob"), SARRUS_NONE);
  CHECK_INT(sarrus_model_find(model, SARRUS_BODIES, NULL), SARRUS_NONE);
  CHECK(sarrus_model_name(model, SARRUS_BODIES, 1) == NULL);
  CHECK(sarrus_model_name(model, SARRUS_BODIES, -1) == NULL);
  CHECK_STR(sarrus_model_text(model, SARRUS_BODIES, 0, "kind"), "sphere");
  CHECK(sarrus_model_text(model, SARRUS_BODIES, 0, "sight") == NULL);
  CHECK(sarrus_model_text(model, SARRUS_BODIES, 0, NULL) == NULL);
  CHECK(sarrus_model_text(model, SARRUS_BODIES, 7, "kind") == NULL);
  const double *at = sarrus_model_numbers(model, SARRUS_JOINTS, 0, "at_b", &count);
  REQUIRE(at != NULL && count == 2);
  CHECK_NEAR(at[1], -1, 0);
  CHECK(sarrus_model_numbers(model, SARRUS_JOINTS, 0, "symbol", &count) == NULL);
  CHECK_INT(count, 0);
  CHECK(sarrus_model_numbers(model, SARRUS_JOINTS, 0, "at_b", NULL) == at);
  CHECK_INT(sarrus_system_coordinates(sarrus_model_system(model)), 2);
  sarrus_model_free(model);
  sarrus_model_free(NULL);
}

/* The system, made by hand from the same expressions. */
static sarrus_System *own_swing(void) {
  const Swing e = swing_new(sarrus_memory_default());
  sarrus_System *system = NULL;
  sarrus_Fault fault;
  const sarrus_Expr one = sarrus_graph_constant(e.g, 1);
  const sarrus_Expr weight =
      sarrus_graph_apply(e.g, SARRUS_OP_NEG, e.gravity, SARRUS_NONE, SARRUS_NONE);
  const sarrus_Expr square = swing_sum(e.g, -1, 1, sarrus_graph_power(e.g, e.q[0], 2), 1,
                                       sarrus_graph_power(e.g, e.q[1], 2));
  const sarrus_MassEntry mass[] = {{0, 0, one}, {1, 1, one}};
  const sarrus_Expr force[] = {e.wind, weight};
  const sarrus_Contact wall = {.gap = e.wall,
                               .slip = {SARRUS_NONE, SARRUS_NONE},
                               .friction = SARRUS_NONE,
                               .static_friction = SARRUS_NONE,
                               .restitution = one,
                               .load = {SARRUS_NONE, SARRUS_NONE, SARRUS_NONE},
                               .load_friction = SARRUS_NONE,
                               .load_static = SARRUS_NONE};
  const sarrus_ForceShare share = {0, 1, weight};
  const sarrus_Element element = {0, e.q[1], SARRUS_NONE, weight};
  const sarrus_SystemSpec spec = {.graph = e.g,
                                  .coordinates = 2,
                                  .masses = 2,
                                  .mass = mass,
                                  .lagrangian = SARRUS_NONE,
                                  .force = force,
                                  .constraints = 1,
                                  .constraint = &square,
                                  .contacts = 1,
                                  .contact = &wall,
                                  .locks = 1,
                                  .lock = &e.rate,
                                  .forces = 1,
                                  .shares = 1,
                                  .share = &share,
                                  .elements = 1,
                                  .element = &element,
                                  .parameters = 2};
  sarrus_system_new(sarrus_memory_default(), &spec, &system, &fault);
  sarrus_graph_free(e.g);
  return system;
}

TEST(the_same_bits_as_the_system_itself) {
  const double q0[] = {0.28, -0.96}, v0[] = {0, 0};
  const sarrus_SimOptions options = {.tolerance = 1e-11};
  sarrus_Model *model = read_swing(sarrus_memory_default());
  sarrus_System *system = own_swing();
  sarrus_Sim *sim = NULL, *own = NULL;
  REQUIRE(model != NULL && system != NULL);
  REQUIRE_OK(sarrus_model_simulate(sarrus_memory_default(), model, NULL, &sim));
  REQUIRE_OK(sarrus_sim_new(sarrus_memory_default(), system, NULL, &options, &own));
  CHECK_OK(sarrus_sim_preset(own, 0, 9.81));
  CHECK_OK(sarrus_sim_preset(own, 1, 1));
  CHECK_OK(sarrus_sim_start(own, 1, q0, v0));
  for (int k = 0; k <= 20; k++) {
    double x[2][9] = {{0}}; /* of multipliers there are those of rod, wall and lock */
    CHECK_OK(sarrus_sim_advance(sim, 1 + 0.25 * k));
    CHECK_OK(sarrus_sim_advance(own, 1 + 0.25 * k));
    CHECK_OK(sarrus_sim_state(sim, x[0], x[0] + 2, x[0] + 4, x[0] + 6));
    CHECK_OK(sarrus_sim_state(own, x[1], x[1] + 2, x[1] + 4, x[1] + 6));
    CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
  }
  CHECK(sarrus_sim_stats(sim).steps > 5);
  sarrus_sim_free(sim);
  sarrus_sim_free(own);
  sarrus_system_free(system);
  sarrus_model_free(model);
}

TEST(views) {
  sarrus_Model *model = read_swing(sarrus_memory_default());
  const int channels[] = {0, 0};
  sarrus_View *view = NULL, *few = NULL;
  sarrus_Sim *sim = NULL;
  sarrus_Pose pose;
  sarrus_JointSight rod;
  sarrus_ContactSight wall;
  sarrus_PointSight point;
  double q[2];
  REQUIRE(model != NULL);
  REQUIRE_OK(sarrus_view_new(sarrus_memory_default(), model, everything(), 2, channels, &view));
  REQUIRE_OK(sarrus_view_new(sarrus_memory_default(), model, 0, 0, NULL, &few));
  REQUIRE_OK(sarrus_model_simulate(sarrus_memory_default(), model, NULL, &sim));
  CHECK_STATUS(sarrus_view_body(view, 0, &pose), SARRUS_ARGUMENT); /* it has not looked yet */
  CHECK(isnan(sarrus_view_value(view, 0)));
  CHECK_OK(sarrus_sim_advance(sim, 1.3));
  CHECK_OK(sarrus_view_look(view, sim));
  CHECK_OK(sarrus_view_look(few, sim));
  CHECK_OK(sarrus_sim_state(sim, q, NULL, NULL, NULL));
  CHECK_OK(sarrus_view_body(view, 0, &pose));
  CHECK(pose.position[0] == q[0] && pose.position[1] == q[1] && pose.position[2] == 0);
  CHECK(pose.orientation[0] == 1 && pose.orientation[3] == 0 && pose.angle == 0);
  CHECK_OK(sarrus_view_joint(view, 0, &rod));
  CHECK_NEAR(rod.angle, atan2(q[0], -q[1]), 1e-15);
  CHECK(isnan(rod.length) && isnan(rod.speed) && isfinite(rod.rate));
  CHECK(sarrus_view_value(view, 1) == rod.angle);
  CHECK(isnan(sarrus_view_value(view, 2)) && isnan(sarrus_view_value(view, -1)));
  CHECK_OK(sarrus_view_contact(view, 0, &wall));
  CHECK_NEAR(wall.gap, q[0] + 0.5, 1e-15);
  CHECK_INT(wall.mode, SARRUS_OPEN);
  CHECK_OK(sarrus_view_point(view, 0, &point));
  CHECK(point.gap == wall.gap && point.position[0] == q[0] && point.mode == SARRUS_OPEN);
  CHECK_OK(sarrus_view_look_at(view, sim, 1.25));
  CHECK_STATUS(sarrus_view_look_at(view, sim, 100), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_body(view, 1, &pose), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_body(few, 0, &pose), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_point(few, 0, &point), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_point(view, 1, &point), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_joint(view, 0, NULL), SARRUS_ARGUMENT);
  sarrus_view_free(view);
  sarrus_view_free(few);
  sarrus_view_free(NULL);
  sarrus_sim_free(sim);
  sarrus_model_free(model);
}

TEST(starts_with_what_is_wanted_of_joints) {
  sarrus_Model *model = read_swing(sarrus_memory_default());
  static const double angles[] = {-0.4, 0.1, 1, 2.5, 3.1};
  REQUIRE(model != NULL);
  for (int i = 0; i < 5; i++) {
    const sarrus_Wish wishes[] = {{0, SARRUS_RATE, 2 - i}, {0, SARRUS_ANGLE, angles[i]}};
    sarrus_Sim *sim;
    double q[2], v[2];
    REQUIRE_OK(sarrus_model_prepare(sarrus_memory_default(), model, NULL, &sim));
    CHECK_OK(sarrus_model_start(model, sim, 2, wishes));
    CHECK_OK(sarrus_sim_state(sim, q, v, NULL, NULL));
    CHECK_NEAR(q[0], sin(angles[i]), 1e-14);
    CHECK_NEAR(q[1], -cos(angles[i]), 1e-14);
    CHECK_NEAR(v[0], (2 - i) * cos(angles[i]), 1e-13);
    CHECK_NEAR(v[1], (2 - i) * sin(angles[i]), 1e-13);
    CHECK_NEAR(sarrus_sim_time(sim), 1, 0);
    sarrus_sim_free(sim);
  }
  sarrus_model_free(model);
}

/* The rod let go, the bob falls; locked, it stands. */
TEST(letting_go_and_holding) {
  sarrus_Model *model = read_swing(sarrus_memory_default());
  sarrus_Sim *sim;
  double q[2];
  REQUIRE(model != NULL);
  REQUIRE_OK(sarrus_model_simulate(sarrus_memory_default(), model, NULL, &sim));
  CHECK_OK(sarrus_model_lock(model, sim, 0, 1));
  CHECK_OK(sarrus_sim_advance(sim, 2));
  CHECK_OK(sarrus_sim_state(sim, q, NULL, NULL, NULL));
  CHECK_NEAR(q[0], 0.28, 1e-14);
  CHECK_OK(sarrus_model_lock(model, sim, 0, 0));
  CHECK_OK(sarrus_model_release(model, sim, SARRUS_JOINTS, 0, 1));
  CHECK_OK(sarrus_model_release(model, sim, SARRUS_CONTACTS, 0, 1));
  CHECK_OK(sarrus_sim_advance(sim, 3));
  CHECK_OK(sarrus_sim_state(sim, q, NULL, NULL, NULL));
  CHECK_NEAR(q[1], -0.96 - 0.5 * 9.81, 1e-12);
  CHECK_OK(sarrus_model_release(model, sim, SARRUS_FORCES, 0, 1));
  CHECK_STATUS(sarrus_model_release(model, sim, SARRUS_JOINTS, 0, 0), SARRUS_INCONSISTENT);
  sarrus_sim_free(sim);
  sarrus_model_free(model);
}

TEST(parameters_in_a_running_simulation) {
  sarrus_Model *model = read_swing(sarrus_memory_default());
  const int g[] = {0, 1}, none = 2;
  const double values[] = {1.62, 3};
  sarrus_Sim *sim;
  REQUIRE(model != NULL);
  REQUIRE_OK(sarrus_model_simulate(sarrus_memory_default(), model, NULL, &sim));
  CHECK_OK(sarrus_model_set(model, sim, 1, g, values));
  CHECK_NEAR(sarrus_sim_get(sim, 0), 1.62, 0);
  CHECK_STATUS(sarrus_model_set(model, sim, 2, g, values), SARRUS_ARGUMENT); /* one is fixed */
  CHECK_STATUS(sarrus_model_set(model, sim, 1, &none, values), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_set(model, sim, 1, NULL, values), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_set(model, sim, -1, g, values), SARRUS_ARGUMENT);
  CHECK_NEAR(sarrus_sim_get(sim, 1), 1, 0);
  sarrus_sim_free(sim);
  sarrus_model_free(model);
}

/* Along the rod it does nothing, across it changes the rate; a point has no moments. */
TEST(impulses_on_bodies) {
  sarrus_Model *model = read_swing(sarrus_memory_default());
  const double along[] = {0.28, -0.96, 7}, across[] = {0.96, 0.28, 0}, at[] = {5, 5, 5};
  sarrus_Sim *sim;
  double v[2];
  REQUIRE(model != NULL);
  REQUIRE_OK(sarrus_model_simulate(sarrus_memory_default(), model, NULL, &sim));
  CHECK_OK(sarrus_model_impulse(model, sim, 0, along, NULL));
  CHECK_OK(sarrus_sim_state(sim, NULL, v, NULL, NULL));
  CHECK_NEAR(v[0], 0, 1e-15);
  CHECK_OK(sarrus_model_impulse(model, sim, 0, across, at));
  CHECK_OK(sarrus_sim_state(sim, NULL, v, NULL, NULL));
  CHECK_NEAR(v[0], 0.96, 1e-15);
  CHECK_NEAR(v[1], 0.28, 1e-15);
  CHECK_STATUS(sarrus_model_impulse(model, sim, 1, along, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_impulse(model, sim, 0, NULL, NULL), SARRUS_ARGUMENT);
  sarrus_sim_free(sim);
  sarrus_model_free(model);
}

TEST(a_damaged_file_is_refused) {
  const size_t size = write_swing();
  sarrus_Model *model;
  for (size_t i = 0; i < size; i++) {
    const char was = file[i];
    CHECK_STATUS(sarrus_model_read(sarrus_memory_default(), file, i, &model), SARRUS_FORMAT);
    CHECK(model == NULL);
    file[i] = (char)(was ^ (1 << i % 8));
    CHECK_STATUS(sarrus_model_read(sarrus_memory_default(), file, size, &model),
                 i >= 8 && i < 12 ? SARRUS_VERSION : SARRUS_FORMAT);
    file[i] = was;
  }
  CHECK_STATUS(sarrus_model_read(sarrus_memory_default(), NULL, 0, &model), SARRUS_FORMAT);
  CHECK_OK(sarrus_model_read(sarrus_memory_default(), file, size, &model));
  sarrus_model_free(model);
}

TEST(files_on_the_disk) {
  const size_t size = write_swing();
  sarrus_Model *model;
  int error = 0;
  FILE *to = fopen("build/swing.sarrus", "wb");
  REQUIRE(to != NULL);
  CHECK_INT((long long)fwrite(file, 1, size, to), (long long)size);
  fclose(to);
  CHECK_OK(sarrus_model_load(sarrus_memory_default(), "build/swing.sarrus", &model, NULL));
  sarrus_model_free(model);
  CHECK_STATUS(sarrus_model_load(sarrus_memory_default(), "build/no.sarrus", &model, &error),
               SARRUS_IO);
  CHECK_INT(error, ENOENT);
  CHECK_STATUS(sarrus_model_load(sarrus_memory_default(), "build", &model, &error), SARRUS_IO);
  CHECK(model == NULL && error != 0);
  CHECK_STATUS(sarrus_model_load(sarrus_memory_default(), "Makefile", &model, NULL), SARRUS_FORMAT);
  CHECK_STATUS(sarrus_model_load(sarrus_memory_default(), NULL, &model, NULL), SARRUS_ARGUMENT);
  remove("build/swing.sarrus");
}

TEST(failures_with_the_names_of_the_model) {
  sarrus_Model *model = read_swing(sarrus_memory_default());
  const double q[] = {0, 0}, v[] = {0, 0};
  sarrus_Sim *sim;
  char text[200];
  REQUIRE(model != NULL);
  REQUIRE_OK(sarrus_model_prepare(sarrus_memory_default(), model, NULL, &sim));
  const sarrus_Status status = sarrus_sim_start(sim, 0, q, v);
  CHECK(status < 0);
  sarrus_model_fault_text(model, status, sarrus_sim_fault(sim), text, sizeof text);
  CHECK(strstr(text, "rod (length)") != NULL);
  sarrus_sim_free(sim);
  sarrus_model_free(model);
}

TEST(wrong_arguments) {
  sarrus_Model *model = read_swing(sarrus_memory_default());
  sarrus_System *other = own_swing();
  const sarrus_Wish wishes[] = {{1, SARRUS_ANGLE, 0},       {-1, SARRUS_ANGLE, 0},
                                {0, SARRUS_LENGTH, 0},      {0, (sarrus_Reading)9, 0},
                                {0, (sarrus_Reading)-1, 0}, {0, SARRUS_ANGLE, (double)NAN}};
  const int none = 5;
  sarrus_Sim *sim, *foreign;
  sarrus_View *view;
  REQUIRE(model != NULL && other != NULL);
  const sarrus_Memory memory = sarrus_memory_default();
  REQUIRE_OK(sarrus_model_prepare(memory, model, NULL, &sim));
  REQUIRE_OK(sarrus_sim_new(memory, other, NULL, &(sarrus_SimOptions){0}, &foreign));
  for (int i = 0; i < 6; i++)
    CHECK_STATUS(sarrus_model_start(model, sim, 1, &wishes[i]), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_start(model, sim, 1, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_start(model, sim, -1, wishes), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_start(model, foreign, 0, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_release(model, sim, SARRUS_BODIES, 0, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_release(model, sim, SARRUS_JOINTS, 1, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_release(model, foreign, SARRUS_JOINTS, 0, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_lock(model, sim, 1, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_model_lock(model, foreign, 0, 1), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_new(memory, model, 1u << SARRUS_CHANNELS, 0, NULL, &view),
               SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_new(memory, model, 0, -1, NULL, &view), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_new(memory, model, 0, 1, NULL, &view), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_new(memory, model, 0, 1, &none, &view), SARRUS_ARGUMENT);
  CHECK(view == NULL);
  REQUIRE_OK(sarrus_view_new(memory, model, 0, 0, NULL, &view));
  CHECK_STATUS(sarrus_view_look(view, foreign), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_view_look(view, sim), SARRUS_ARGUMENT); /* not started */
  sarrus_view_free(view);
  sarrus_sim_free(sim);
  sarrus_sim_free(foreign);
  sarrus_system_free(other);
  sarrus_model_free(model);
}

TEST(items_that_are_none) {
  const sarrus_Field nameless = {NULL, "x", 0, NULL}, empty = {"x", NULL, 1, NULL};
  const sarrus_Item bad[] = {{SARRUS_LISTS, "x", 0, NULL},   {(sarrus_List)-1, "x", 0, NULL},
                             {SARRUS_BODIES, NULL, 0, NULL}, {SARRUS_BODIES, "x", 1, NULL},
                             {SARRUS_BODIES, "x", -1, NULL}, {SARRUS_BODIES, "x", 1, &nameless},
                             {SARRUS_BODIES, "x", 1, &empty}};
  const sarrus_Item order[] = {{SARRUS_BODIES, "x", 0, NULL}, {SARRUS_WHOLE, "y", 0, NULL}};
  sarrus_Graph *g = sarrus_graph_new(sarrus_memory_default());
  REQUIRE(g != NULL);
  for (int i = 0; i < 7; i++)
    CHECK_INT((long long)sarrus_model_write(g, g, 1, &bad[i], NULL, 0), 0);
  CHECK_INT((long long)sarrus_model_write(g, g, 2, order, NULL, 0), 0);
  CHECK_INT((long long)sarrus_model_write(g, g, -1, NULL, NULL, 0), 0);
  CHECK_INT((long long)sarrus_model_write(g, g, 1, NULL, NULL, 0), 0);
  CHECK(sarrus_model_write(g, g, 1, order, NULL, 0) > 20);
  sarrus_graph_free(g);
}

/* Read, simulate with a start of its own, look. */
static sarrus_Status use(sarrus_Memory memory, size_t size) {
  const sarrus_Wish wishes[] = {{0, SARRUS_ANGLE, 0.3}, {0, SARRUS_RATE, 1}};
  sarrus_Model *model;
  sarrus_Sim *sim = NULL;
  sarrus_View *view = NULL;
  SARRUS_TRY(sarrus_model_read(memory, file, size, &model));
  sarrus_Status status = sarrus_model_prepare(memory, model, NULL, &sim);
  if (status == SARRUS_OK) status = sarrus_model_start(model, sim, 2, wishes);
  if (status == SARRUS_OK) status = sarrus_view_new(memory, model, everything(), 0, NULL, &view);
  if (status == SARRUS_OK) status = sarrus_view_look(view, sim);
  if (status == SARRUS_OK) status = sarrus_model_release(model, sim, SARRUS_JOINTS, 0, 1);
  sarrus_view_free(view);
  sarrus_sim_free(sim);
  sarrus_model_free(model);
  return status;
}

TEST(memory_that_fails) {
  const size_t size = write_swing();
  for (long n = 1;; n++) {
    TestMemory m;
    const sarrus_Status status = use(test_memory_failing(&m, n), size);
    CHECK_INT(m.blocks, 0);
    if (!m.failed) {
      CHECK_OK(status);
      CHECK(n > 100);
      break;
    }
    CHECK_STATUS(status, SARRUS_NOMEM);
  }
}
