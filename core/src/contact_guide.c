/*
** Where joints leave a contact one freedom: its slip goes with its approach, so that normal and
** friction forces do the same, and no motion tells them apart.
*/
#include <math.h>
#include <string.h>

#include "contact.h"

/* Of responses, this part of what they are found from may be rounding (4e-13 has been seen). */
static const double PARALLEL = 3e-12;

/*
** Whether a response goes with that of the gap of contact k: of `own`, which would be `size` were
** there no joints, nothing but rounding is left without the part of the gap.
*/
static int goes_with_gap(const sarrus_Sim *sim, int k, double own, double mixed, double size) {
  const double gap = sim->decision.W[k * contact_row_count(&sim->decision) + k];
  const double noise = size + own * contact_free_response(sim, k) / gap;
  return own - mixed * mixed / gap <= PARALLEL * noise;
}

/*
** Where a motion is prescribed responses may be parallel, and speeds not: those that are, to this
** part; and of what an impact stops, such a part may be left.
*/
static const double ALONG = 1e-10;

static Guidance guidance_of(const sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const int rows = contact_row_count(d), t = d->count + k;
  const double own = d->W[k * rows + k], slip = d->W[t * rows + t], mixed = d->W[t * rows + k];
  const double size = contact_free_response(sim, t), r = own > 0 ? mixed / own : 0;
  const double noise = d->noise[t] + fabs(r) * d->noise[k];
  const double off = fabs(d->speed[t] - r * d->speed[k]);
  if (size == 0 || !(own > CONTACT_FIXED * contact_free_response(sim, k)) ||
      off > ALONG * (fabs(d->speed[t]) + fabs(r * d->speed[k])) + noise)
    return FREE_SLIP;
  if (slip <= CONTACT_FIXED * size) return NO_SLIP;
  return goes_with_gap(sim, k, slip, mixed, size) ? SLIP_WITH_APPROACH : FREE_SLIP;
}

void contact_find_guided(const sarrus_Sim *sim) {
  const Decision *d = &sim->decision;
  for (int k = 0; k < d->count; k++) {
    d->guided[k] = (int)(d->least[k] > 0 ? FREE_SLIP : guidance_of(sim, k));
    for (int row = k; row < 2 * d->count && d->guided[k] == SLIP_WITH_APPROACH; row += d->count)
      d->noise[row] = fmax(d->noise[row], ALONG * fabs(d->speed[row]));
  }
}

/* The same of coordinate j. */
static int moves_with_gap(sarrus_Sim *sim, int k, int j) {
  const double unit = sim->maker.expansion->kkt->column[j];
  double *x = sim->maker.expansion->rhs;
  memset(x, 0, (size_t)sim->maker.variables * sizeof *x);
  x[j] = 1;
  kkt_solve_motion(sim->maker.expansion->kkt, x);
  return goes_with_gap(sim, k, x[j], contact_along(sim, k, x), unit * unit);
}

/* Whether the gap alone, while it is closed, stops what slip depends on. */
static int is_stopped(sarrus_Sim *sim, int k) {
  const Decision *d = &sim->decision;
  const Kkt *kkt = sim->maker.expansion->kkt;
  if (!(d->W[k * 2 * d->count + k] > CONTACT_FIXED * contact_free_response(sim, k))) return 0;
  for (int r = 0; r < 2; r++) {
    const int row = contact_slip_row(sim, d->contact[k], r);
    for (int e = kkt->pattern.start[row]; e < kkt->pattern.start[row + 1]; e++)
      if (kkt->pattern.column[e] < sim->maker.n && !moves_with_gap(sim, k, kkt->pattern.column[e]))
        return 0;
  }
  return 1;
}

/*
** In space what rests is held while the rest is decided.  Where joints then leave nothing to its
** gap, no force is found so: it is let go, and where its gap stops all that slips, that is what
** holds it, without friction.
*/
int contact_frees_guided(sarrus_Sim *sim) {
  Decision *d = &sim->decision;
  int found = 0;
  for (int k = 0; k < d->count; k++) {
    if (sim->system->contacts[d->contact[k]].slips < 2 || d->least[k] > 0) continue;
    if (d->freed[k] && d->leads[d->count + k] == 0) d->stopped[k] = is_stopped(sim, k);
    const double own = d->W[k * 2 * d->count + k];
    if (!d->held[k] || own > CONTACT_FIXED * contact_free_response(sim, k)) continue;
    d->held[k] = 0;
    d->freed[k] = found = 1;
  }
  return found;
}
