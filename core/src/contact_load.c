/*
** Loads of bearings, whose length the bounds of their friction grow with (T56).
**
** A length has no slope at 0, and no series where its vector is 0.  So whether a bearing is loaded
** is a mode.  Without a load it has no friction; where the series tell that a load comes, the step
** ends as soon as it is above rounding, and there it is decided what friction does.  Until then it
** would have done next to nothing.  Loads that pass 0 within a step, or miss it, are (T31).
*/
#include <float.h>
#include <math.h>

#include "contact.h"
#include "vector.h"

/* What comes from nothing is a load from this many times its rounding on. */
enum { ABOVE = 64 };

/*
** A load of which a step leaves less than this may well have come to 0: where everything vanishes
** with it, nothing else tells what its rounding is.
*/
static const double FALLEN = 1e-6;

static int loads_of(const sarrus_Sim *sim, int contact) {
  return sim->contacts[contact].released ? 0 : sim->system->laws[contact].loads;
}

static int has_loads(const sarrus_Sim *sim) {
  for (int k = 0; k < sim->system->alone; k++)
    if (sim->system->laws[sim->system->turn[k]].loads > 0) return 1;
  return 0;
}

int contact_bounds_depend(const sarrus_Sim *sim) {
  return sim->maker.system->nonlinear || has_loads(sim);
}

/*
** The forces that loads are compared with, in the measure of (T34): those that act, and those that
** turn and bend the motion at its speed.
*/
static double largest_forces(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  const double *d = maker->expansion->kkt->column;
  const double speed = vector_peak(maker->to.v, maker->scale, maker->n);
  double size = 0;
  for (int j = 0; j < maker->n; j++)
    size = fmax(size, maker->scale[j] / d[j]);
  return maker_largest_held(maker) + size * speed * speed;
}

/* The loads at `to`, as values of the arguments, and what of them is rounding. */
static sarrus_Status weigh(sarrus_Sim *sim) {
  Search *search = sim->arguments;
  SARRUS_TRY(contact_look(sim));
  SARRUS_TRY(search_measure_forces(search, largest_forces(sim)));
  for (int i = 0; i < sim->system->contact_count; i++) {
    const int load = sim->maker.system->arguments.contact[i].load;
    double noise = 0;
    for (int k = 0; k < loads_of(sim, i); k++)
      noise = fmax(noise, search->floor[load + k]);
    sim->contacts[i].load.noise = noise;
  }
  return SARRUS_OK;
}

/* The largest component of a load. */
static double load_at(const sarrus_Sim *sim, int contact) {
  const Search *search = sim->arguments;
  const int load = sim->maker.system->arguments.contact[contact].load;
  double size = 0;
  for (int k = 0; k < loads_of(sim, contact); k++)
    size = fmax(size, fabs(search->work->value[search->tape->output_value[load + k]]));
  return size;
}

sarrus_Status contact_find_loads(sarrus_Sim *sim) {
  if (!has_loads(sim)) return SARRUS_OK;
  SARRUS_TRY(weigh(sim));
  for (int i = 0; i < sim->system->contact_count; i++) {
    Load *load = &sim->contacts[i].load;
    const double size = load_at(sim, i);
    load->on = size > fmax(ABOVE * load->noise, FALLEN * load->was);
    load->doubt = load->on ? 0 : ABOVE * size;
  }
  sim_write_modes(sim);
  return SARRUS_OK;
}

/* Which have lost their load, and which have got one; whether there are such. */
static void compare(sarrus_Sim *sim, int *lost, int *got) {
  *lost = *got = 0;
  for (int i = 0; i < sim->system->contact_count; i++) {
    Load *load = &sim->contacts[i].load;
    const double size = load_at(sim, i);
    if (load->on && size <= fmax(load->noise, FALLEN * load->was)) {
      load->on = 0;
      load->doubt = ABOVE * size;
      *lost = 1;
    } else if (!load->on && size > fmax(ABOVE * load->noise, load->doubt)) {
      sim->endings[sim->maker.system->arguments.switches + i] = ENDS_LOAD;
      *got = 1;
    }
    load->size = size;
  }
}

sarrus_Status sim_weigh(sarrus_Sim *sim) {
  Maker *maker = &sim->maker;
  int lost, got;
  if (!has_loads(sim)) return SARRUS_OK;
  sim_clear_endings(sim);
  SARRUS_TRY(weigh(sim));
  compare(sim, &lost, &got);
  if (got) {
    SARRUS_TRY(sim_decide(sim));
    return maker_begin(maker);
  }
  if (!lost) return SARRUS_OK;
  sim_write_modes(sim);
  SARRUS_TRY(maker_prepare(maker, &maker->to));
  return maker_begin(maker);
}

/* The shortest step before a load, as a power of two of what the series serve. */
enum { SHORTEST = 26 };

/* The largest component of a load on the span, t after its beginning. */
static double load_after(const sarrus_Sim *sim, int contact, double t) {
  const int load = sim->maker.system->arguments.contact[contact].load;
  double size = 0;
  for (int i = 0; i < loads_of(sim, contact); i++) {
    const double *c = search_output(sim->arguments, load + i);
    double x = 0;
    for (int k = search_order(sim->arguments); k >= 0; k--)
      x = x * t + c[k];
    size = fmax(size, fabs(x));
  }
  return size;
}

/* Where nothing moves yet, and no force acts: what is rounding of the largest it becomes in h. */
static double rounding_within(const sarrus_Sim *sim, int contact, double h) {
  double size = 0;
  for (int bits = SHORTEST; bits >= 0; bits--)
    size = fmax(size, load_after(sim, contact, ldexp(h, -bits)));
  return 16 * DBL_EPSILON * size;
}

/* How long until it is loaded, or its load is seen not to have come to 0; 0: not within h. */
static double time_of_load(const sarrus_Sim *sim, int contact, double h) {
  const double noise = sim->contacts[contact].load.noise, first = load_after(sim, contact, 0);
  const double least = ABOVE * (noise > 0 ? fmax(noise, first) : rounding_within(sim, contact, h));
  for (int bits = SHORTEST; bits >= 0; bits--) {
    const double t = ldexp(h, -bits);
    if (load_after(sim, contact, t) > least) return fabs(t);
  }
  return first > ABOVE * noise ? ldexp(fabs(h), -SHORTEST) : 0;
}

void sim_follow_loads(sarrus_Sim *sim, double h) {
  for (int i = 0; i < sim->system->contact_count; i++) {
    Load *load = &sim->contacts[i].load;
    const int waits = !load->on && loads_of(sim, i) > 0;
    load->after = waits ? time_of_load(sim, i, h) * sim->maker.span.unit : 0;
  }
}
