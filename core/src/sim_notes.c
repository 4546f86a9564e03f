/*
** What deserves attention but stops nothing, noted step by step.
**
** Singular.  The step was made next to a pole of the multipliers (T19), where reactions are large and less exact.
**
** Stiff.  A step reaches to where the series is about to end, so that its second term is about as large as the first, unless
** something much faster than the motion keeps it short: then velocities hardly change within a step.
*/
#include <math.h>

#include "sim_parts.h"
#include "vector.h"

static const double HARDLY = 1e-2;
enum { STIFF_STEPS = 100 };

static double coefficient_size(const sarrus_Sim *sim, int k) {
  return vector_peak(sim->dense + (ptrdiff_t)k * sim->variables, sim->scale, sim->n);
}

static int is_short(const sarrus_Sim *sim) {
  const double h = fabs(sim->h), most = sim->options.max_step;
  if (sim->options.step > 0 || (most > 0 && h >= most)) return 0; /* as it was asked to be */
  return coefficient_size(sim, 2) * h / sim->unit < HARDLY * coefficient_size(sim, 1);
}

void sim_note(sarrus_Sim *sim) {
  sarrus_SimNotes *notes = &sim->notes;
  if (sim->pole) {
    notes->singular++;
    notes->singular_at = sim->from.t;
  }
  if (!is_short(sim))
    sim->short_steps = 0;
  else if (sim->short_steps < STIFF_STEPS)
    sim->short_steps++;
  if (sim->short_steps < STIFF_STEPS) return;
  notes->stiff++;
  notes->stiff_at = sim->from.t;
  notes->stiff_column = sim_limiting(sim);
}

sarrus_SimNotes sarrus_sim_notes(const sarrus_Sim *sim) {
  sarrus_SimNotes notes = sim->notes;
  notes.dependent = sim->expansion->kkt->dependent_count;
  return notes;
}
