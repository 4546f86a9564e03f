/* Lanes: which there are, and which simulations suit them. */
#include "lanes.h"

const LaneKind *lanes_kind(int widest) {
#if LANES_HAVE_EIGHT
  if (widest >= 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return &lanes_kind_8;
#endif
  (void)widest;
  return &lanes_kind_4;
}

/*
** Where series have more numbers than this, lanes are bound by memory.  Chains of rods, all runs of
** one order: time of their steps alone, relative to that in lanes: 2 rods 2.4, 4: 1.8, 10: 1.3,
** 20: 1.4, 40 (10,000 numbers): 1.2, 100 (25,000): 1.0.
*/
enum { MOST_NUMBERS = 12000 };

static int suits_lanes(const Tape *tape) {
  if (tape->switch_count > 0) return 0;
  for (int i = 0; i < tape->value_count; i++)
    if (is_piecewise(tape->values[i].op) || tape->values[i].op == SARRUS_OP_TABLE) return 0;
  for (int i = 0; i < tape->row_count; i++)
    if (tape->rows[i].op != SARRUS_OP_LINEAR && tape->rows[i].shape->product_count == 0) return 0;
  return !maker_watches_zeros(tape);
}

int lanes_suit_system(const sarrus_System *system, int capacity) {
  if (system->general || system->nonlinear || system->contact_count > 0) return 0;
  if (system->turns_with_rates) return 0;
  if (system->arguments.tape != NULL || system->n == 0) return 0;
  for (int j = 0; j < system->n + system->m; j++)
    if (system->degree[j] != (j < system->n ? 2 : 0)) return 0;
  if ((long long)system->tape->slot_count * (capacity + 2) > MOST_NUMBERS) return 0;
  return suits_lanes(system->tape);
}

int lanes_suit(const sarrus_Sim *sim) {
  const Maker *maker = &sim->maker;
  const Kkt *kkt = maker->expansion->kkt;
  if (sim->form != WHOLE || sim->follow.tangent != NULL || sim->stepped != NULL) return 0;
  if (sim->changed || maker->broken || maker->method.stiff) return 0;
  if (maker_is_put_off(maker)) return 0;
  if (kkt->dependent_count > 0 || kkt->off_count > 0 || kkt->sparse == NULL) return 0;
  return sparse_rank(kkt->sparse) == kkt->size;
}
