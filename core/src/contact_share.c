/*
** Forces of what sticks in space, where several contacts hold a body.  The shortest ones take from
** each contact alike, though one may be pressed hard and the other hardly at all.  Of all that hold
** the body, those are wanted that use the least part |T| / mu N of any bound.  With T as short as
** can be, measured by shares s, that is Lawson's method:
**
**   s <- s (u_max / u)^1/2,   u = |T| / mu N                                                 (T50)
**
** from s = (mu N)^1/2 on, with which a body that slides stops as a whole.
*/
#include <math.h>
#include <string.h>

#include "contact.h"

/*
** What uses less of its bound than ENOUGH may stay; shares are changed until they use less than
** GOOD.
*/
static const double ENOUGH = 0.9, GOOD = 0.7;

/* No share is less than this part of the largest. */
static const double LEAST_SHARE = 1e-6;

enum { MOST_SHARINGS = 60 };

static int sticks(const sarrus_Sim *sim, int k) {
  const int i = sim->decision.contact[k];
  const ContactMode *mode = &sim->contacts[i].now;
  return sim->system->contacts[i].slips == 2 && mode->mode == SARRUS_STICK && !mode->tied;
}

static double bound_of(const sarrus_Sim *sim, int k) {
  const int i = sim->decision.contact[k], row = contact_gap_row(sim, i);
  const double pressed = row == SARRUS_NONE ? 1 : -*expansion_at(sim->maker.expansion, 0, row);
  return contact_extra(sim, sim->maker.system->arguments.contact[i].still) * fmax(pressed, 0);
}

/* The part of its bound that a contact uses. */
static double used_part(const sarrus_Sim *sim, int k, double least_bound) {
  const sarrus_Expansion *expansion = sim->maker.expansion;
  const int i = sim->decision.contact[k];
  const double size = hypot(*expansion_at(expansion, 0, contact_slip_row(sim, i, 0)),
                            *expansion_at(expansion, 0, contact_slip_row(sim, i, 1)));
  return size > 0 ? size / fmax(bound_of(sim, k), least_bound) : 0;
}

static double most_used(const sarrus_Sim *sim, double least_bound) {
  double most = 0;
  for (int k = 0; k < sim->decision.count; k++)
    if (sticks(sim, k)) most = fmax(most, used_part(sim, k, least_bound));
  return most;
}

/* Take these shares, relative to the largest; `unit` is the largest of D. */
static void take_shares(sarrus_Sim *sim, const double *share, double unit) {
  const Decision *d = &sim->decision;
  double largest = 0;
  for (int k = 0; k < d->count; k++)
    if (sticks(sim, k)) largest = fmax(largest, share[k]);
  for (int k = 0; k < d->count; k++)
    if (sticks(sim, k))
      sim->contacts[d->contact[k]].now.share = unit * fmax(share[k] / largest, LEAST_SHARE);
  sim_write_modes(sim);
  kkt_shorten(sim->maker.expansion->kkt, expansion_at(sim->maker.expansion, 0, sim->maker.n));
}

/* The first shares, by the bounds; answers the largest of these. */
static double begin_shares(const sarrus_Sim *sim, double *share, double *unit) {
  double largest = 0;
  *unit = 0;
  for (int k = 0; k < sim->decision.count; k++) {
    if (!sticks(sim, k)) continue;
    const int row = contact_slip_row(sim, sim->decision.contact[k], 0);
    const double bound = bound_of(sim, k);
    share[k] = sqrt(bound);
    largest = fmax(largest, bound);
    *unit = fmax(*unit, sim->maker.expansion->kkt->column[row]);
  }
  return largest;
}

/* In the end forces are solved for, not shortened: those that are restored have the same digits. */
sarrus_Status contact_share_load(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  double *share = d->right, *best = d->right + d->count;
  double unit, least_used = (double)INFINITY;
  if (sim->maker.expansion->kkt->dependent_count == 0) return SARRUS_OK;
  const double bound = begin_shares(sim, share, &unit), least_bound = LEAST_SHARE * bound;
  if (!(bound > 0) || most_used(sim, least_bound) <= ENOUGH) return SARRUS_OK;
  memcpy(best, share, (size_t)d->count * sizeof *best);
  for (int i = 0; i < MOST_SHARINGS && least_used > GOOD; i++) {
    take_shares(sim, share, unit);
    const double most = most_used(sim, least_bound);
    for (int k = 0; k < d->count; k++) {
      if (!sticks(sim, k)) continue;
      if (most < least_used) best[k] = share[k];
      share[k] *= sqrt(most / fmax(used_part(sim, k, least_bound), LEAST_SHARE * most));
    }
    least_used = fmin(least_used, most);
  }
  take_shares(sim, best, unit);
  return maker_prepare(&sim->maker, &sim->maker.to);
}
