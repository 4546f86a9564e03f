/*
** What deserves attention but stops nothing, noted step by step.
**
** Singular.  The step was made next to a pole of the multipliers (T19), where reactions are large
** and less exact.
**
** Stiff.  A step reaches to where the series is about to end, so that its second term is about as
** large as the first, unless something much faster than the motion keeps it short: then velocities
** hardly change within a step.
*/
#include <math.h>

#include "sim_parts.h"
#include "vector.h"

static const double HARDLY = 1e-2;
enum { STIFF_STEPS = 100 };

static double coefficient_size(const sarrus_Sim *sim, int k) {
  return vector_peak(span_at(&sim->maker.span, k), sim->maker.scale, sim->maker.n);
}

static int is_short(const sarrus_Sim *sim) {
  const double h = fabs(sim->maker.span.h), most = sim->maker.options.max_step;
  if (sim->maker.method.of_span) return 0;
  if (sim->maker.options.step > 0 || (most > 0 && h >= most)) return 0; /* as it was asked to be */
  if (h >= sim->maker.interventions.expected) return 0; /* nothing longer would be of use */
  return coefficient_size(sim, 2) * h / sim->maker.span.unit < HARDLY * coefficient_size(sim, 1);
}

void sim_note(sarrus_Sim *sim) {
  sarrus_SimNotes *notes = &sim->notes;
  if (sim->maker.pole || (sim->maker.method.of_span && sarrus_sim_singular(sim))) {
    notes->singular++;
    notes->singular_at = sim->maker.span.from.t;
  }
  if (!is_short(sim))
    sim->short_steps = 0;
  else if (sim->short_steps < STIFF_STEPS)
    sim->short_steps++;
  if (sim->short_steps < STIFF_STEPS) return;
  notes->stiff++;
  notes->stiff_at = sim->maker.span.from.t;
  notes->stiff_column = maker_limiting(&sim->maker);
}

sarrus_SimNotes sarrus_sim_notes(const sarrus_Sim *sim) {
  sarrus_SimNotes notes = sim->notes;
  notes.dependent = sim->maker.expansion->kkt->dependent_count;
  return notes;
}
