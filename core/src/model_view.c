/* Views: all that can be seen of a state, evaluated at once and then read item by item. */
#include <math.h>
#include <string.h>

#include "array.h"
#include "model_parts.h"
#include "sim_parts.h"

static const char *const readings[] = {"sight.angle", "sight.rate", "sight.length", "sight.speed"};
enum { READINGS = 4 };

struct sarrus_View {
  sarrus_Memory memory;
  const sarrus_Model *model;
  unsigned lists;
  int channels;
  int shown, looked;          /* how many values; whether they have been evaluated yet */
  int *place, place_capacity; /* per item of the model: its first value, NONE where not shown */
  sarrus_Expr *nodes;
  int node_capacity;
  sarrus_Observer *observer;
  double *numbers; /* the values, then q, v, a, lambda, modes, parameters */
  int number_capacity;
};

/* --- making ------------------------------------------------------------------------------ */

static int add_node(sarrus_View *view, sarrus_Expr node) {
  if (!ARRAY_RESERVE(view->memory, view->nodes, view->node_capacity, view->shown + 1)) return 0;
  view->nodes[view->shown++] = node;
  return 1;
}

/* Add the nodes of an item; of a joint also those of the readings that it has. */
static int add_item(sarrus_View *view, int i) {
  const sarrus_Item *item = &view->model->items[i];
  int count, good = 1;
  const double *nodes = model_numbers(item, "sight", &count);
  if (count > 0) view->place[i] = view->shown;
  for (int k = 0; k < count; k++)
    good = good && add_node(view, (int)nodes[k]);
  for (int k = 0; item->list == SARRUS_JOINTS && k < READINGS; k++) {
    const double *node = model_numbers(item, readings[k], &count);
    if (node != NULL) good = good && add_node(view, (int)node[0]);
  }
  return good;
}

static sarrus_Status choose(sarrus_View *view, const int *channel) {
  const sarrus_Model *model = view->model;
  if (!ARRAY_RESERVE(view->memory, view->place, view->place_capacity, model->item_count))
    return SARRUS_NOMEM;
  for (int i = 0; i < view->channels; i++) {
    const sarrus_Item *item = model_item(model, SARRUS_CHANNELS, channel[i]);
    if (item == NULL) return SARRUS_ARGUMENT;
    if (!add_node(view, (int)model_number(item, "sight", 0))) return SARRUS_NOMEM;
  }
  for (int i = 0; i < model->item_count; i++) {
    view->place[i] = SARRUS_NONE;
    if ((view->lists >> model->items[i].list & 1) != 0 && !add_item(view, i)) return SARRUS_NOMEM;
  }
  return sarrus_observer_new(view->memory, model->sights, view->shown, view->nodes,
                             &view->observer);
}

static int state_size(const sarrus_Model *model) {
  return 3 * model->system->n + sarrus_system_multipliers(model->system) + model->system->modes +
         model->system->parameters;
}

sarrus_Status sarrus_view_new(sarrus_Memory memory, const sarrus_Model *model, unsigned lists,
                              int channels, const int *channel, sarrus_View **result) {
  const unsigned all =
      1u << SARRUS_BODIES | 1u << SARRUS_JOINTS | 1u << SARRUS_CONTACTS | 1u << SARRUS_LAWS;
  *result = NULL;
  if ((lists & ~all) != 0 || channels < 0 || (channels > 0 && channel == NULL))
    return SARRUS_ARGUMENT;
  if (channels > 1 << 20) return SARRUS_LIMIT;
  sarrus_View *view = memory.alloc(memory.ud, NULL, 0, sizeof *view);
  if (view == NULL) return SARRUS_NOMEM;
  *view = (sarrus_View){.memory = memory, .model = model, .lists = lists, .channels = channels};
  sarrus_Status status = choose(view, channel);
  if (status == SARRUS_OK &&
      !ARRAY_RESERVE(memory, view->numbers, view->number_capacity, view->shown + state_size(model)))
    status = SARRUS_NOMEM;
  if (status == SARRUS_OK)
    *result = view;
  else
    sarrus_view_free(view);
  return status;
}

void sarrus_view_free(sarrus_View *view) {
  if (view == NULL) return;
  sarrus_observer_free(view->observer);
  ARRAY_RELEASE(view->memory, view->place, view->place_capacity);
  ARRAY_RELEASE(view->memory, view->nodes, view->node_capacity);
  ARRAY_RELEASE(view->memory, view->numbers, view->number_capacity);
  view->memory.alloc(view->memory.ud, view, sizeof *view, 0);
}

/* --- looking ----------------------------------------------------------------------------- */

static sarrus_Status look(sarrus_View *view, const sarrus_Sim *sim, int now, double t) {
  const sarrus_System *system = view->model->system;
  double *q = view->numbers + view->shown, *v = q + system->n, *a = v + system->n;
  double *lambda = a + system->n, *modes = lambda + sarrus_system_multipliers(system);
  double *parameters = modes + system->modes;
  unsigned begun;
  if (sim->system != system) return SARRUS_ARGUMENT;
  SARRUS_TRY(sim_look_begin(sim, &begun));
  SARRUS_TRY(now ? sarrus_sim_state(sim, q, v, a, lambda) : sarrus_sim_at(sim, t, q, v, a, lambda));
  SARRUS_TRY(now ? sarrus_sim_modes(sim, modes) : sarrus_sim_modes_at(sim, t, modes));
  memcpy(parameters, sim->parameters, (size_t)system->parameters * sizeof *parameters);
  const sarrus_Status status = sim_look_end(sim, begun);
  if (status < 0) view->looked = 0; /* what was read is of no instant */
  SARRUS_TRY(status);
  const sarrus_Sight sight = {t, q, v, a, lambda, parameters, modes};
  sarrus_observer_evaluate(view->observer, &sight, view->numbers);
  view->looked = 1;
  return SARRUS_OK;
}

sarrus_Status sarrus_view_look(sarrus_View *view, const sarrus_Sim *sim) {
  return look(view, sim, 1, sarrus_sim_time(sim));
}

sarrus_Status sarrus_view_look_at(sarrus_View *view, const sarrus_Sim *sim, double t) {
  return look(view, sim, 0, t);
}

/* --- reading ----------------------------------------------------------------------------- */

/* The values of an item, or NULL. */
static const double *values_of(const sarrus_View *view, sarrus_List list, int index) {
  const sarrus_Item *item = model_item(view->model, list, index);
  if (item == NULL || !view->looked) return NULL;
  const int place = view->place[item - view->model->items];
  return place == SARRUS_NONE ? NULL : view->numbers + place;
}

/* Copy a vector of the model's dimension; returns the address after it. */
static const double *take_vector(const sarrus_View *view, const double *x, double *to) {
  const int d = view->model->dimension;
  for (int i = 0; i < 3; i++)
    to[i] = i < d ? x[i] : 0;
  return x + d;
}

/* Copy a vector about which something turns; in the plane it is one number, about z. */
static const double *take_turning(const sarrus_View *view, const double *x, double *to) {
  if (view->model->dimension == 3) return take_vector(view, x, to);
  to[0] = to[1] = 0;
  to[2] = x[0];
  return x + 1;
}

/*
** The quaternion of the rotation with the columns e1, e2, e3.  Its largest component is found
** first, from the diagonal; the others from sums and differences of entries beside the diagonal.
*/
static void take_orientation(const double *e, double *to) {
  const double trace = e[0] + e[4] + e[8];
  const double squares[4] = {1 + trace, 1 - trace + 2 * e[0], 1 - trace + 2 * e[4],
                             1 - trace + 2 * e[8]};
  const double difference[3] = {e[5] - e[7], e[6] - e[2], e[1] - e[3]};
  const double sum[3] = {e[7] + e[5], e[2] + e[6], e[3] + e[1]};
  int most = 0;
  for (int i = 1; i < 4; i++)
    if (squares[i] > squares[most]) most = i;
  for (int i = 0; i < 4; i++)
    to[i] = i == most   ? squares[i]
            : most == 0 ? difference[i - 1]
            : i == 0    ? difference[most - 1]
                        : sum[5 - most - i];
  const double size = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2] + to[3] * to[3]);
  const double signed_size = to[0] < 0 ? -size : size;
  for (int i = 0; i < 4; i++)
    to[i] /= signed_size;
}

sarrus_Status sarrus_view_body(const sarrus_View *view, int body, sarrus_Pose *pose) {
  const double *x = values_of(view, SARRUS_BODIES, body);
  if (x == NULL || pose == NULL) return SARRUS_ARGUMENT;
  x = take_vector(view, x, pose->position);
  pose->angle = (double)NAN;
  if (view->model->dimension == 2) {
    pose->angle = *x++;
    pose->orientation[0] = cos(pose->angle / 2);
    pose->orientation[1] = pose->orientation[2] = 0;
    pose->orientation[3] = sin(pose->angle / 2);
  } else {
    take_orientation(x, pose->orientation);
    x += 9;
  }
  x = take_vector(view, x, pose->velocity);
  take_turning(view, x, pose->spin);
  return SARRUS_OK;
}

sarrus_Status sarrus_view_joint(const sarrus_View *view, int joint, sarrus_JointSight *sight) {
  const double *x = values_of(view, SARRUS_JOINTS, joint);
  if (x == NULL || sight == NULL) return SARRUS_ARGUMENT;
  double *const to[READINGS] = {&sight->angle, &sight->rate, &sight->length, &sight->speed};
  x = take_vector(view, x, sight->point);
  x = take_vector(view, x, sight->force);
  x = take_turning(view, x, sight->torque);
  for (int k = 0; k < READINGS; k++) {
    int count;
    model_numbers(model_item(view->model, SARRUS_JOINTS, joint), readings[k], &count);
    *to[k] = count > 0 ? *x++ : (double)NAN;
  }
  return SARRUS_OK;
}

sarrus_Status sarrus_view_contact(const sarrus_View *view, int contact,
                                  sarrus_ContactSight *sight) {
  const double *x = values_of(view, SARRUS_CONTACTS, contact);
  if (x == NULL || sight == NULL) return SARRUS_ARGUMENT;
  sight->gap = x[0];
  sight->normal_force = x[1];
  sight->friction_force = x[2];
  sight->mode = x[3] >= SARRUS_STICK  ? SARRUS_STICK
                : x[3] >= SARRUS_SLIP ? SARRUS_SLIP
                                      : SARRUS_OPEN;
  take_vector(view, x + 4, sight->force);
  return SARRUS_OK;
}

sarrus_Status sarrus_view_point(const sarrus_View *view, int law, sarrus_PointSight *sight) {
  const sarrus_System *system = view->model->system;
  const double *x = values_of(view, SARRUS_LAWS, law);
  if (sight == NULL || !view->looked || (view->lists >> SARRUS_LAWS & 1) == 0 || law < 0 ||
      law >= sarrus_model_count(view->model, SARRUS_LAWS))
    return SARRUS_ARGUMENT;
  const double *modes = view->numbers + view->shown + 3 * system->n +
                        sarrus_system_multipliers(system) + (ptrdiff_t)SARRUS_MODES * law;
  sight->mode = (sarrus_ContactMode)(int)modes[MODE_NUMBER];
  sight->gap = x == NULL ? (double)NAN : *x++;
  for (int i = 0; x == NULL && i < 3; i++)
    sight->position[i] = sight->force[i] = (double)NAN;
  if (x != NULL) take_vector(view, take_vector(view, x, sight->position), sight->force);
  return SARRUS_OK;
}

double sarrus_view_value(const sarrus_View *view, int i) {
  return i >= 0 && i < view->channels && view->looked ? view->numbers[i] : (double)NAN;
}
