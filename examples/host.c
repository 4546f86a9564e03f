/*
** A game or an engine without a window: an exported model, 60 frames a second, in C.
**
**   lua5.4 -e 'assert(dofile("four_bar.lua"):export "four_bar.sarrus")'
**   cc host.c $(pkg-config --cflags --libs sarrus) -o host && ./host four_bar.sarrus
*/
#include <stdio.h>
#include <string.h>

#include <sarrus/sarrus.h>

enum { FRAMES = 60, SECONDS = 2 };

/* What an engine would make meshes of, once. */
static void list(const sarrus_Model *model) {
  printf("%s\n", sarrus_model_name(model, SARRUS_WHOLE, 0));
  for (int i = 0; i < sarrus_model_count(model, SARRUS_BODIES); i++) {
    const double *length = sarrus_model_numbers(model, SARRUS_BODIES, i, "length", NULL);
    printf("  %-8s %s", sarrus_model_name(model, SARRUS_BODIES, i),
           sarrus_model_text(model, SARRUS_BODIES, i, "kind"));
    if (length != NULL) printf(" of %.3f m", length[0]);
    printf("\n");
  }
  for (int i = 0; i < sarrus_model_count(model, SARRUS_JOINTS); i++)
    printf("  %-8s %s\n", sarrus_model_name(model, SARRUS_JOINTS, i),
           sarrus_model_text(model, SARRUS_JOINTS, i, "symbol"));
}

/* What it would move them by, each frame. */
static sarrus_Status draw(const sarrus_Model *model, const sarrus_View *view, double t) {
  printf("%.1f s", t);
  for (int i = 0; i < sarrus_model_count(model, SARRUS_BODIES); i++) {
    sarrus_Pose pose;
    SARRUS_TRY(sarrus_view_body(view, i, &pose));
    printf("  (%7.4f, %7.4f, %7.4f) turned (%.4f, %.4f)", pose.position[0], pose.position[1],
           pose.position[2], pose.orientation[0], pose.orientation[3]);
  }
  printf("\n");
  return SARRUS_OK;
}

static sarrus_Status run(const sarrus_Model *model, sarrus_Sim *sim, sarrus_View *view) {
  const double start = sarrus_sim_time(sim);
  for (int frame = 0; frame <= SECONDS * FRAMES; frame++) {
    SARRUS_TRY(sarrus_sim_advance(sim, start + (double)frame / FRAMES));
    SARRUS_TRY(sarrus_view_look(view, sim));
    if (frame % (FRAMES / 2) == 0) SARRUS_TRY(draw(model, view, sarrus_sim_time(sim)));
  }
  return SARRUS_OK;
}

/* What went wrong, by the names of the model. */
static int report(const sarrus_Model *model, const sarrus_Sim *sim, sarrus_Status status) {
  char text[512];
  if (status >= 0) return 0;
  if (model == NULL || sim == NULL)
    snprintf(text, sizeof text, "%s", sarrus_status_text(status));
  else
    sarrus_model_fault_text(model, status, sarrus_sim_fault(sim), text, sizeof text);
  printf("%s: %s\n", sarrus_status_name(status), text);
  return 1;
}

int main(int count, char **given) {
  const sarrus_Memory memory = sarrus_memory_default();
  sarrus_Model *model = NULL;
  sarrus_Sim *sim = NULL;
  sarrus_View *view = NULL;
  int error = 0;
  sarrus_Status status =
      sarrus_model_load(memory, count > 1 ? given[1] : "four_bar.sarrus", &model, &error);
  if (status == SARRUS_IO) printf("%s\n", strerror(error));
  if (status == SARRUS_OK) list(model);
  if (status == SARRUS_OK) status = sarrus_model_simulate(memory, model, NULL, &sim);
  if (status == SARRUS_OK)
    status = sarrus_view_new(memory, model, 1u << SARRUS_BODIES, 0, NULL, &view);
  if (status == SARRUS_OK) status = run(model, sim, view);
  const int code = report(model, sim, status);
  sarrus_view_free(view);
  sarrus_sim_free(sim);
  sarrus_model_free(model);
  return code;
}
