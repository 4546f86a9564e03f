/* Calls that are refused say why; looks at what another thread moves are told from others. */
#include <math.h>

#include "../fuzz/swing_file.h"
#include "sim_parts.h"
#include "test.h"

typedef struct Calls {
  sarrus_Model *model;
  sarrus_Sim *sim;
  sarrus_View *view;
} Calls;

static bool calls_open(Calls *calls) {
  static char file[SWING_SIZE];
  const sarrus_Memory memory = sarrus_memory_default();
  const size_t size = swing_write(memory, file, sizeof file);
  *calls = (Calls){NULL, NULL, NULL};
  return CHECK(size > 0) && CHECK_OK(sarrus_model_read(memory, file, size, &calls->model)) &&
         CHECK_OK(sarrus_model_prepare(memory, calls->model, NULL, &calls->sim)) &&
         CHECK_OK(
             sarrus_view_new(memory, calls->model, 1u << SARRUS_BODIES, 0, NULL, &calls->view));
}

static void calls_close(Calls *calls) {
  sarrus_view_free(calls->view);
  sarrus_sim_free(calls->sim);
  sarrus_model_free(calls->model);
}

/* The call was refused, in these words. */
static void check_refused(const Calls *calls, sarrus_Status status, const char *words) {
  char text[200], expected[200] = "an argument is not acceptable: ";
  CHECK_STATUS(status, SARRUS_ARGUMENT);
  sarrus_model_fault_text(calls->model, status, sarrus_sim_fault(calls->sim), text, sizeof text);
  CHECK_STR(text, strcat(expected, words));
}

#define REFUSED(call, words) check_refused(&calls, call, words)

TEST(what_is_refused_before_the_start) {
  Calls calls;
  const double impulse[3] = {0};
  const sarrus_Wish wishes[] = {
      {0, SARRUS_RATE, 0}, {3, SARRUS_ANGLE, 0}, {0, SARRUS_ANGLE, (double)INFINITY}};
  if (calls_open(&calls)) {
    sarrus_Sim *sim = calls.sim;
    double size;
    REFUSED(sarrus_sim_advance(sim, 1), "the simulation has not been started");
    REFUSED(sarrus_sim_step(sim, &size), "the simulation has not been started");
    REFUSED(sarrus_sim_set(sim, 0, 1), "the simulation has not been started");
    REFUSED(sarrus_model_impulse(calls.model, sim, 0, impulse, NULL),
            "the simulation has not been started");
    REFUSED(sarrus_model_lock(calls.model, sim, 0, 1), "the simulation has not been started");
    REFUSED(sarrus_model_lock(calls.model, sim, 1, 1), "nothing of that number can be locked");
    REFUSED(sarrus_sim_preset(sim, -1, 1), "there is no parameter of that number");
    REFUSED(sarrus_model_start(calls.model, sim, 2, wishes),
            "entry 1: there is no joint of that number, or it does not have that coordinate");
    REFUSED(sarrus_model_start(calls.model, sim, 1, &wishes[2]),
            "entry 0: the number is not finite");
    REFUSED(sarrus_model_start(calls.model, sim, 1, NULL), "there is no list of that length");
  }
  calls_close(&calls);
}

TEST(what_is_refused_while_it_runs) {
  Calls calls, other;
  const double impulse[3] = {0}, numbers[] = {1, (double)NAN};
  const int parameters[] = {0, 7};
  if (calls_open(&calls) && calls_open(&other) &&
      CHECK_OK(sarrus_model_start(calls.model, calls.sim, 0, NULL))) {
    sarrus_Sim *sim = calls.sim;
    REFUSED(sarrus_sim_advance(sim, (double)INFINITY), "the time is not finite");
    REFUSED(sarrus_sim_step_until(sim, (double)NAN, &(double){0}), "the time is not finite");
    REFUSED(sarrus_model_set(calls.model, sim, 2, parameters + 1, numbers),
            "entry 0: there is no parameter of that number");
    REFUSED(sarrus_model_set(calls.model, sim, -1, parameters, numbers),
            "there is no list of that length");
    REFUSED(sarrus_model_impulse(calls.model, sim, 9, impulse, NULL),
            "there is no body of that number");
    REFUSED(sarrus_sim_impulse(sim, numbers), "entry 1: the number is not finite");
    REFUSED(sarrus_model_release(calls.model, sim, SARRUS_BODIES, 0, 1),
            "nothing of that number can be released");
    REFUSED(sarrus_sim_lock(sim, 99, 1), "nothing of that number can be locked");
    REFUSED(sarrus_sim_release_force(sim, 99, 1), "nothing of that number can be released");
    REFUSED(sarrus_model_set(other.model, sim, 0, NULL, NULL),
            "the simulation is none of this model");
    CHECK_OK(sarrus_sim_advance(sim, 0.1));
    CHECK_INT(sarrus_sim_fault(sim)->misuse, SARRUS_MISUSE_NONE);
  }
  calls_close(&calls);
  calls_close(&other);
}

/* A callback looks at what waits for it; another thread, at what is moved, is refused. */
static int look(void *ud, const sarrus_Sim *sim) {
  sarrus_Pose pose;
  CHECK_OK(sarrus_view_look(ud, sim));
  CHECK_OK(sarrus_view_body(ud, 0, &pose));
  return 0;
}

static int look_at_once(void *ud) {
  const Calls *calls = ud;
  return look(calls->view, calls->sim);
}

TEST(looks_while_it_moves) {
  Calls calls;
  if (calls_open(&calls) && CHECK_OK(sarrus_model_start(calls.model, calls.sim, 0, NULL))) {
    sarrus_Pose pose;
    unsigned begun;
    sarrus_sim_on_step(calls.sim, look, calls.view);
    sarrus_sim_on_cancel(calls.sim, look_at_once, &calls);
    CHECK_OK(sarrus_sim_advance(calls.sim, 3));
    CHECK_OK(sarrus_view_body(calls.view, 0, &pose));
    CHECK_OK(sim_enter(calls.sim)); /* as by another thread */
    CHECK_STATUS(sarrus_view_look(calls.view, calls.sim), SARRUS_BUSY);
    CHECK_STATUS(sarrus_view_look_at(calls.view, calls.sim, 3), SARRUS_BUSY);
    CHECK_OK(sarrus_view_body(calls.view, 0, &pose)); /* as of the last look */
    CHECK_STATUS(sarrus_sim_advance(calls.sim, 4), SARRUS_BUSY);
    CHECK_OK(sim_leave(calls.sim, SARRUS_OK));
    CHECK_OK(sim_look_begin(calls.sim, &begun));
    CHECK_OK(sim_look_end(calls.sim, begun));
    CHECK_OK(sarrus_sim_advance(calls.sim, 4)); /* meanwhile */
    CHECK_STATUS(sim_look_end(calls.sim, begun), SARRUS_BUSY);
    CHECK_OK(sarrus_view_look(calls.view, calls.sim));
  }
  calls_close(&calls);
}
