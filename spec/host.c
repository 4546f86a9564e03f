/*
** host FILE UNTIL SAMPLES [HOW]: an exported model, run from C for the specs, from its start; HOW is
** the path of what sim:save() gave, or "struck": each body gets an impulse, or "A=0.5,1": joint A
** starts with that angle and rate.  A line for each sample: the time, q, v, a, lambda, the
** modes, then every channel, each with all the digits that a double has.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sarrus/sarrus.h>

static void print(int count, const double *x) {
  for (int i = 0; i < count; i++)
    printf(" %.17g", x[i]);
}

static sarrus_Status print_state(const sarrus_Sim *sim, const sarrus_System *system) {
  const int n = sarrus_system_coordinates(system), m = sarrus_system_multipliers(system);
  const int modes = sarrus_system_modes(system);
  double *x = malloc((size_t)(3 * n + m + modes + 1) * sizeof *x);
  if (x == NULL) return SARRUS_NOMEM;
  sarrus_Status status = sarrus_sim_state(sim, x, x + n, x + 2 * n, x + 3 * n);
  if (status == SARRUS_OK) status = sarrus_sim_modes(sim, x + 3 * n + m);
  printf("%.17g", sarrus_sim_time(sim));
  if (status == SARRUS_OK) print(3 * n + m + modes, x);
  free(x);
  return status;
}

static sarrus_Status run(const sarrus_Model *model, sarrus_Sim *sim, sarrus_View *view,
                         double until, int samples) {
  const double from = sarrus_sim_time(sim);
  for (int k = 0; k <= samples; k++) {
    const sarrus_Status status = sarrus_sim_advance(sim, from + until * k / samples);
    if (status < 0) {
      char text[1024];
      sarrus_model_fault_text(model, status, sarrus_sim_fault(sim), text, sizeof text);
      printf("%s\n", text);
      return SARRUS_OK;
    }
    SARRUS_TRY(print_state(sim, sarrus_model_system(model)));
    SARRUS_TRY(sarrus_view_look(view, sim));
    for (int i = 0; i < sarrus_model_count(model, SARRUS_CHANNELS); i++)
      printf(" %.17g", sarrus_view_value(view, i));
    printf("\n");
  }
  return SARRUS_OK;
}

/* A simulation from a record, a file of at most 1 MB. */
static sarrus_Status restore(const sarrus_Model *model, const char *path, sarrus_Sim **sim) {
  static char record[1 << 20];
  int extras = 0;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return SARRUS_IO;
  const size_t size = fread(record, 1, sizeof record, file);
  fclose(file);
  return sarrus_sim_restore(sarrus_memory_default(), sarrus_model_system(model), NULL, record, size,
                            NULL, &extras, sim);
}

/* 0.1, 0.2, 0.3 Ns at 1, 2, 3 m on each body. */
static sarrus_Status strike_all(const sarrus_Model *model, sarrus_Sim *sim) {
  const double j[] = {0.1, 0.2, 0.3}, at[] = {1, 2, 3};
  for (int i = 0; i < sarrus_model_count(model, SARRUS_BODIES); i++)
    SARRUS_TRY(sarrus_model_impulse(model, sim, i, j, at));
  return SARRUS_OK;
}

static sarrus_Status start(const sarrus_Model *model, const char *how, sarrus_Sim **sim) {
  char joint[100];
  double angle, rate;
  if (how != NULL && sscanf(how, "%99[^=]=%lf,%lf", joint, &angle, &rate) == 3) {
    const int index = sarrus_model_find(model, SARRUS_JOINTS, joint);
    const sarrus_Wish wishes[] = {{index, SARRUS_ANGLE, angle}, {index, SARRUS_RATE, rate}};
    SARRUS_TRY(sarrus_model_prepare(sarrus_memory_default(), model, NULL, sim));
    return sarrus_model_start(model, *sim, 2, wishes);
  }
  if (how != NULL && strcmp(how, "struck") != 0) return restore(model, how, sim);
  SARRUS_TRY(sarrus_model_simulate(sarrus_memory_default(), model, NULL, sim));
  return how == NULL ? SARRUS_OK : strike_all(model, *sim);
}

static sarrus_Status run_all(const sarrus_Model *model, double until, int samples,
                             const char *how) {
  const sarrus_Memory memory = sarrus_memory_default();
  const int channels = sarrus_model_count(model, SARRUS_CHANNELS);
  int *all = malloc(((size_t)channels + 1) * sizeof *all);
  sarrus_View *view = NULL;
  sarrus_Sim *sim = NULL;
  for (int i = 0; i < channels; i++)
    all[i] = i;
  sarrus_Status status = start(model, how, &sim);
  if (status == SARRUS_OK) status = sarrus_view_new(memory, model, 0, channels, all, &view);
  if (status == SARRUS_OK) status = run(model, sim, view, until, samples);
  sarrus_view_free(view);
  sarrus_sim_free(sim);
  free(all);
  return status;
}

int main(int count, char **given) {
  sarrus_Model *model;
  if (count < 4) return 2;
  sarrus_Status status = sarrus_model_load(sarrus_memory_default(), given[1], &model, NULL);
  if (status == SARRUS_OK) status = run_all(model, atof(given[2]), atoi(given[3]), given[4]);
  if (status < 0) printf("%s: %s\n", sarrus_status_name(status), sarrus_status_text(status));
  sarrus_model_free(model);
  return status < 0;
}
