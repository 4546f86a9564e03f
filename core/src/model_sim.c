/* Simulations of models: making and starting them, locks and releases, faults as sentences. */
#include <math.h>
#include <string.h>

#include "array.h"
#include "model_parts.h"
#include "sim_parts.h"
#include "system_parts.h"

/* --- making ------------------------------------------------------------------------------ */

static double chosen(double given, const sarrus_Item *whole, const char *field) {
  return given != 0 ? given : model_number(whole, field, 0);
}

/* The given options, with those of the model where they are 0. */
static sarrus_SimOptions options_of(const sarrus_Model *model, const sarrus_SimOptions *given) {
  const sarrus_Item *whole = &model->items[0];
  const sarrus_SimOptions none = {0}, *own = given == NULL ? &none : given;
  sarrus_SimOptions options = *own;
  options.tolerance = chosen(own->tolerance, whole, "tolerance");
  options.scale = chosen(own->scale, whole, "scale");
  options.max_step = chosen(own->max_step, whole, "max_step");
  if (own->method == SARRUS_AUTO)
    options.method = (sarrus_Method)(int)model_number(whole, "method", 0);
  if (own->method != SARRUS_STIFF) { /* stiff methods take neither an order nor a step */
    options.order = own->order != 0 ? own->order : (int)model_number(whole, "order", 0);
    options.step = chosen(own->step, whole, "step");
  }
  if (own->max_steps == 0) options.max_steps = (long long)model_number(whole, "max_steps", 0);
  return options;
}

sarrus_Status sarrus_model_prepare(sarrus_Memory memory, const sarrus_Model *model,
                                   const sarrus_SimOptions *given, sarrus_Sim **result) {
  const sarrus_SimOptions options = options_of(model, given);
  sarrus_Sim *sim;
  *result = NULL;
  SARRUS_TRY(sarrus_sim_new(memory, model->system, NULL, &options, &sim));
  sarrus_Status status = SARRUS_OK;
  for (int j = 0; (given == NULL || given->scale == 0) && j < model->system->n; j++) {
    const double scale = model_number(model_item(model, SARRUS_COORDINATES, j), "scale", 0);
    if (status == SARRUS_OK && scale > 0) status = sarrus_sim_scale(sim, j, scale);
  }
  for (int i = 0; i < model->system->parameters && status == SARRUS_OK; i++)
    status = sarrus_sim_preset(sim, i,
                               model_number(model_item(model, SARRUS_PARAMETERS, i), "value", 0));
  if (status == SARRUS_OK)
    *result = sim;
  else
    sarrus_sim_free(sim);
  return status;
}

sarrus_Status sarrus_model_simulate(sarrus_Memory memory, const sarrus_Model *model,
                                    const sarrus_SimOptions *options, sarrus_Sim **sim) {
  SARRUS_TRY(sarrus_model_prepare(memory, model, options, sim));
  const sarrus_Status status = sarrus_model_start(model, *sim, 0, NULL);
  if (status < 0) {
    sarrus_sim_free(*sim);
    *sim = NULL;
  }
  return status;
}

/* --- starting ---------------------------------------------------------------------------- */

static const char *const readings[] = {
    [SARRUS_ANGLE] = "angle",
    [SARRUS_RATE] = "rate",
    [SARRUS_LENGTH] = "length",
    [SARRUS_SPEED] = "speed",
};

static int is_rate(const sarrus_Wish *wish) {
  return wish->reading == SARRUS_RATE || wish->reading == SARRUS_SPEED;
}

/* The node that a wish is about, in the graph of the equations; NONE where there is none. */
static sarrus_Expr node_of(const sarrus_Model *model, const sarrus_Wish *wish) {
  const sarrus_Item *joint = model_item(model, SARRUS_JOINTS, wish->joint);
  if (joint == NULL || (int)wish->reading < 0 || wish->reading > SARRUS_SPEED) return SARRUS_NONE;
  return (int)model_number(joint, readings[wish->reading], SARRUS_NONE);
}

/* The wishes for positions, or for velocities, and the state that is brought to meet them. */
typedef struct Holding {
  const sarrus_Model *model;
  const sarrus_Sim *sim; /* its parameters apply */
  sarrus_Graph *graph;
  sarrus_System *system;
  int count, capacity;
  sarrus_Expr *hold; /* per wish: reading - parameter, which is held at 0 */
  double *from, *to; /* values of the readings, now and wanted */
  int from_capacity, to_capacity, q_capacity, v_capacity;
  double *q, *v;
} Holding;

static void release(Holding *holding) {
  const sarrus_Memory memory = holding->sim->memory;
  sarrus_system_free(holding->system);
  sarrus_graph_free(holding->graph);
  ARRAY_RELEASE(memory, holding->hold, holding->capacity);
  ARRAY_RELEASE(memory, holding->from, holding->from_capacity);
  ARRAY_RELEASE(memory, holding->to, holding->to_capacity);
  ARRAY_RELEASE(memory, holding->q, holding->q_capacity);
  ARRAY_RELEASE(memory, holding->v, holding->v_capacity);
}

/*
** Make the rows that hold each reading at the value of a parameter of its own, which come after the
** model's parameters; and find the values of the readings now.
*/
static sarrus_Status open_holding(Holding *holding, int of_velocities, const sarrus_Expr *nodes) {
  const sarrus_Model *model = holding->model;
  const sarrus_Memory memory = holding->sim->memory;
  const int count = holding->count;
  sarrus_Observer *observer;
  holding->graph = sarrus_graph_new(memory);
  if (holding->graph == NULL) return SARRUS_NOMEM;
  SARRUS_TRY(system_copy_graph(holding->graph, model->graph));
  SARRUS_TRY(sarrus_observer_new(memory, model->graph, count, nodes, &observer));
  const sarrus_Sight sight = {.t = model_number(&model->items[0], "t", 0),
                              .q = holding->q,
                              .v = holding->v,
                              .parameters = holding->sim->parameters};
  sarrus_observer_evaluate(observer, &sight, holding->from);
  sarrus_observer_free(observer);
  for (int k = 0; k < count; k++) {
    const sarrus_Expr value =
        sarrus_graph_symbol(holding->graph, SARRUS_PARAMETER, model->system->parameters + k);
    holding->hold[k] = expr_add(holding->graph, nodes[k], -1, value);
  }
  SARRUS_TRY(holding->graph->status);
  return model_compile(memory, model, holding->graph, count, holding->hold, of_velocities,
                       &holding->system);
}

/* How many starts to make, each from the positions of the last, so that none has far to go. */
static int parts_of_way(const Holding *holding) {
  const double size = model_number(&holding->model->items[0], "size", 1);
  double most = 0;
  for (int k = 0; k < holding->count; k++)
    most = fmax(most, fabs(holding->to[k] - holding->from[k]) / fmax(1, size));
  return (int)fmin(ceil(most / 0.125), 1000) + 1;
}

static sarrus_Status go(Holding *holding, sarrus_Sim *probe, int parts) {
  const sarrus_Model *model = holding->model;
  const int own = model->system->parameters, n = model->system->n;
  for (int i = 0; i < own; i++)
    SARRUS_TRY(sarrus_sim_preset(probe, i, holding->sim->parameters[i]));
  for (int j = 0; j < n; j++)
    SARRUS_TRY(sarrus_sim_scale(probe, j, holding->sim->maker.least[j]));
  for (int part = 1; part <= parts; part++) {
    for (int k = 0; k < holding->count; k++) {
      const double from = holding->from[k], to = holding->to[k];
      const double now = part == parts ? to : from + (to - from) * part / parts;
      SARRUS_TRY(sarrus_sim_preset(probe, own + k, now));
    }
    SARRUS_TRY(
        sarrus_sim_start(probe, model_number(&model->items[0], "t", 0), holding->q, holding->v));
    SARRUS_TRY(sarrus_sim_state(probe, holding->q, NULL, NULL, NULL));
  }
  return SARRUS_OK;
}

/* Bring positions, or velocities, to the wanted values. */
static sarrus_Status hold(Holding *holding, int of_velocities, const sarrus_Expr *nodes) {
  const sarrus_Memory memory = holding->sim->memory;
  sarrus_Sim *probe;
  SARRUS_TRY(open_holding(holding, of_velocities, nodes));
  sarrus_SimOptions options = holding->sim->maker.options;
  options.cancelled = NULL;
  SARRUS_TRY(sarrus_sim_new(memory, holding->system, NULL, &options, &probe));
  sarrus_Status status = go(holding, probe, of_velocities ? 1 : parts_of_way(holding));
  if (status == SARRUS_OK && of_velocities)
    status = sarrus_sim_state(probe, NULL, holding->v, NULL, NULL);
  sarrus_sim_free(probe);
  return status;
}

/* Meet the wishes of one kind, for positions or for velocities. */
static sarrus_Status meet(const sarrus_Model *model, const sarrus_Sim *sim, int count,
                          const sarrus_Wish *wishes, int of_velocities, double *q, double *v) {
  const sarrus_Memory memory = sim->memory;
  const int n = model->system->n;
  sarrus_Expr *nodes = NULL;
  int capacity = 0;
  Holding holding = {.model = model, .sim = sim};
  sarrus_Status status = SARRUS_NOMEM;
  if (ARRAY_RESERVE(memory, nodes, capacity, count + 1) &&
      ARRAY_RESERVE(memory, holding.hold, holding.capacity, count + 1) &&
      ARRAY_RESERVE(memory, holding.from, holding.from_capacity, count + 1) &&
      ARRAY_RESERVE(memory, holding.to, holding.to_capacity, count + 1) &&
      ARRAY_RESERVE(memory, holding.q, holding.q_capacity, n) &&
      ARRAY_RESERVE(memory, holding.v, holding.v_capacity, n)) {
    memcpy(holding.q, q, (size_t)n * sizeof *q);
    memcpy(holding.v, v, (size_t)n * sizeof *v);
    for (int i = 0; i < count; i++)
      if (is_rate(&wishes[i]) == of_velocities) {
        nodes[holding.count] = node_of(model, &wishes[i]);
        holding.to[holding.count++] = wishes[i].value;
      }
    status = holding.count == 0 ? SARRUS_OK : hold(&holding, of_velocities, nodes);
  }
  if (status == SARRUS_OK) {
    memcpy(q, holding.q, (size_t)n * sizeof *q);
    memcpy(v, holding.v, (size_t)n * sizeof *v);
  }
  release(&holding);
  ARRAY_RELEASE(memory, nodes, capacity);
  return status;
}

static sarrus_Status check_model(const sarrus_Model *model, sarrus_Sim *sim) {
  if (sim->system == model->system) return SARRUS_OK;
  return sim_refuse_call(sim, SARRUS_MISUSE_OTHER_MODEL, SARRUS_NONE);
}

static sarrus_Status check_list(const sarrus_Model *model, sarrus_Sim *sim, int count,
                                const void *list) {
  SARRUS_TRY(check_model(model, sim));
  if (count >= 0 && (count == 0 || list != NULL)) return SARRUS_OK;
  return sim_refuse_call(sim, SARRUS_MISUSE_NO_LIST, SARRUS_NONE);
}

sarrus_Status sarrus_model_start(const sarrus_Model *model, sarrus_Sim *sim, int count,
                                 const sarrus_Wish *wishes) {
  const int n = model->system->n;
  double *x = NULL;
  int capacity = 0;
  SARRUS_TRY(check_list(model, sim, count, wishes));
  for (int i = 0; i < count; i++) {
    if (node_of(model, &wishes[i]) == SARRUS_NONE)
      return sim_refuse_call(sim, SARRUS_MISUSE_JOINT, i);
    if (!isfinite(wishes[i].value)) return sim_refuse_call(sim, SARRUS_MISUSE_NUMBER, i);
  }
  if (!ARRAY_RESERVE(sim->memory, x, capacity, 2 * n)) return SARRUS_NOMEM;
  for (int j = 0; j < n; j++) {
    const sarrus_Item *coordinate = model_item(model, SARRUS_COORDINATES, j);
    x[j] = model_number(coordinate, "q", 0);
    x[n + j] = model_number(coordinate, "v", 0);
  }
  sarrus_Status status = meet(model, sim, count, wishes, 0, x, x + n);
  if (status == SARRUS_OK) status = meet(model, sim, count, wishes, 1, x, x + n);
  if (status == SARRUS_OK)
    status = sarrus_sim_start(sim, model_number(&model->items[0], "t", 0), x, x + n);
  ARRAY_RELEASE(sim->memory, x, capacity);
  return status;
}

/* --- changing ---------------------------------------------------------------------------- */

sarrus_Status sarrus_model_set(const sarrus_Model *model, sarrus_Sim *sim, int count,
                               const int *parameter, const double *value) {
  SARRUS_TRY(check_list(model, sim, count, parameter));
  for (int i = 0; i < count; i++) {
    const sarrus_Item *item = model_item(model, SARRUS_PARAMETERS, parameter[i]);
    if (item == NULL) return sim_refuse_call(sim, SARRUS_MISUSE_PARAMETER, i);
    if (model_number(item, "fixed", 0) != 0) return sim_refuse_call(sim, SARRUS_MISUSE_FIXED, i);
  }
  return sarrus_sim_set_all(sim, count, parameter, value);
}

/* Copy a field, as whole numbers, to `to`; returns how many there are. */
static int take_indices(const sarrus_Item *item, const char *field, int *to) {
  int count;
  const double *x = model_numbers(item, field, &count);
  for (int i = 0; i < count; i++)
    to[i] = (int)x[i];
  return count;
}

sarrus_Status sarrus_model_release(const sarrus_Model *model, sarrus_Sim *sim, sarrus_List list,
                                   int index, int released) {
  const sarrus_Item *item = model_item(model, list, index);
  int rows, laws, forces, capacity = 0, *indices = NULL;
  SARRUS_TRY(check_model(model, sim));
  if (item == NULL || (list != SARRUS_JOINTS && list != SARRUS_FORCES && list != SARRUS_CONTACTS))
    return sim_refuse_call(sim, SARRUS_MISUSE_RELEASE, SARRUS_NONE);
  model_numbers(item, "constraints", &rows);
  model_numbers(item, "laws", &laws);
  const double *force = model_numbers(item, "force", &forces);
  if (rows + laws + forces == 0) return sim_refuse_call(sim, SARRUS_MISUSE_RELEASE, SARRUS_NONE);
  if (!ARRAY_RESERVE(sim->memory, indices, capacity, rows + laws + 1)) return SARRUS_NOMEM;
  take_indices(item, "constraints", indices);
  take_indices(item, "laws", indices + rows);
  sarrus_Status status = SARRUS_OK;
  if (rows + laws > 0)
    status = sarrus_sim_release_all(sim, rows, indices, laws, indices + rows, released);
  if (status == SARRUS_OK && forces > 0)
    status = sarrus_sim_release_force(sim, (int)force[0], released);
  ARRAY_RELEASE(sim->memory, indices, capacity);
  return status;
}

sarrus_Status sarrus_model_lock(const sarrus_Model *model, sarrus_Sim *sim, int joint, int locked) {
  const sarrus_Item *item = model_item(model, SARRUS_JOINTS, joint);
  int count = 0;
  const double *locks = item == NULL ? NULL : model_numbers(item, "locks", &count);
  SARRUS_TRY(check_model(model, sim));
  if (count == 0) return sim_refuse_call(sim, SARRUS_MISUSE_LOCK, SARRUS_NONE);
  for (int i = 0; i < count; i++)
    SARRUS_TRY(sarrus_sim_lock(sim, (int)locks[i], locked));
  return SARRUS_OK;
}

static void cross(const double *a, const double *b, double *to) {
  for (int i = 0; i < 3; i++)
    to[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/*
** Distribute an impulse j at the point `at` over the coordinates x of a body: j itself on its
** position, and the moment T of j about it on its axes, f_i = T x e_i / 2 (T27).
*/
static void share_out(int dimension, int count, const double *x, const double *j, const double *at,
                      double *to) {
  double arm[3] = {0}, moment[3], f[3];
  for (int k = 0; k < dimension; k++) {
    to[k] = j[k];
    arm[k] = at == NULL ? 0 : at[k] - x[k];
  }
  cross(arm, j, moment);
  if (count == 3 && dimension == 2) to[2] = moment[2];
  for (int i = 3; i < count && at != NULL; i += 3) {
    cross(moment, x + i, f);
    for (int k = 0; k < 3; k++)
      to[i + k] = f[k] * 0.5;
  }
}

sarrus_Status sarrus_model_impulse(const sarrus_Model *model, sarrus_Sim *sim, int body,
                                   const double impulse[3], const double *at) {
  const sarrus_Item *item = model_item(model, SARRUS_BODIES, body);
  const int n = model->system->n;
  double *x = NULL;
  int capacity = 0, count;
  SARRUS_TRY(check_model(model, sim));
  if (item == NULL) return sim_refuse_call(sim, SARRUS_MISUSE_BODY, SARRUS_NONE);
  if (impulse == NULL) return sim_refuse_call(sim, SARRUS_MISUSE_NO_LIST, SARRUS_NONE);
  if (!sim->started) return sim_refuse_call(sim, SARRUS_MISUSE_NOT_STARTED, SARRUS_NONE);
  const double *own = model_numbers(item, "coordinates", &count);
  if (!ARRAY_RESERVE(sim->memory, x, capacity, 2 * n)) return SARRUS_NOMEM;
  for (int i = 0; i < n; i++)
    x[n + i] = 0;
  sarrus_Status status = sarrus_sim_state(sim, x, NULL, NULL, NULL);
  if (status == SARRUS_OK) {
    share_out(model->dimension, (int)own[1], x + (int)own[0], impulse, at, x + n + (int)own[0]);
    status = sarrus_sim_impulse(sim, x + n);
  }
  ARRAY_RELEASE(sim->memory, x, capacity);
  return status;
}

/* --- failures ---------------------------------------------------------------------------- */

size_t sarrus_model_fault_text(const sarrus_Model *model, sarrus_Status status,
                               const sarrus_Fault *fault, char *text, size_t size) {
  const char *const *const all = model->names;
  const sarrus_Names names = {
      .coordinates = sarrus_model_count(model, SARRUS_COORDINATES),
      .coordinate = all + model->first[SARRUS_COORDINATES],
      .constraints = sarrus_model_count(model, SARRUS_CONSTRAINTS),
      .constraint = all + model->first[SARRUS_CONSTRAINTS],
      .parameters = sarrus_model_count(model, SARRUS_PARAMETERS),
      .parameter = all + model->first[SARRUS_PARAMETERS],
      .contacts = sarrus_model_count(model, SARRUS_LAWS),
      .contact = all + model->first[SARRUS_LAWS],
  };
  return sarrus_fault_text(status, fault, model->system, &names, text, size);
}
