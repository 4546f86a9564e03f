/*
** Orders of elimination that are known.  Contacts turn rows on and off, the same ones again and
** again: to choose an order anew each time was a quarter of all instructions where balls bounce.
** An order is kept for each of the last sets of rows that were on.  It is chosen from the pattern
** alone, numbers standing in that any mechanism might have.  So it does not depend on which motion
** was the first to need it, nor on whether it is still there: what is restored or cloned, and has
** none, goes on with the same digits.
**
** Where its pivots serve and none is small, all rows that are on are independent: nothing else is
** to be found out about them.  Else an order is chosen by the numbers, as anywhere.
*/
#include <math.h>
#include <string.h>

#include "kkt_parts.h"

/* Masses of 1, hardly coupled; constraints without a pattern that cancels; as symmetric as J is. */
static double stand_in(const Kkt *kkt, int row, int column) {
  const int low = row < column ? row : column, high = row < column ? column : row;
  const double probe = kkt_probe(31 * low + 17 * high);
  if (high < kkt->n) return low == high ? 1 : probe / 16;
  return copysign(0.5 + fabs(probe) / 2, probe);
}

/* The order, for stand-ins; where they depend on each other it has too few pivots to be used. */
static sarrus_Status choose(const Kkt *kkt, KktFactors *known) {
  const Pattern *pattern = &kkt->pattern;
  const int entries = pattern->start[kkt->size];
  double *scale = known->numbers + entries;
  for (int i = 0; i < kkt->size; i++)
    for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
      known->numbers[e] = stand_in(kkt, i, pattern->column[e]);
  for (int i = 0; i < 2 * kkt->size; i++)
    scale[i] = 1;
  memcpy(known->off, kkt->dependent, (size_t)kkt->m * sizeof *known->off);
  known->factored = known->chosen = 0;
  sparse_prefer_diagonal(known->sparse, 1);
  SARRUS_TRY(sparse_order(known->sparse, known->numbers, (Scales){scale, scale + kkt->size},
                          (LeftOut){kkt->n, known->off}, 0));
  known->chosen = 1;
  return SARRUS_OK;
}

static size_t numbers_size(const Kkt *kkt) {
  return (size_t)(kkt->pattern.start[kkt->size] + 2 * kkt->size) * sizeof(double);
}

static size_t off_size(const Kkt *kkt) { return ((size_t)kkt->m + 1) * sizeof(int); }

static void release(const Kkt *kkt, KktFactors *known) {
  const sarrus_Memory memory = kkt->memory;
  sparse_free(known->sparse);
  if (known->numbers != NULL) memory.alloc(memory.ud, known->numbers, numbers_size(kkt), 0);
  if (known->off != NULL) memory.alloc(memory.ud, known->off, off_size(kkt), 0);
  *known = (KktFactors){.sparse = NULL};
}

void kkt_release_known(Kkt *kkt) {
  for (int i = 1; i <= kkt->known_count; i++)
    release(kkt, &kkt->factors[i]);
  kkt->known_count = kkt->next_known = 0;
}

/* Room for one more, or that of the one that has been there longest; NULL without memory. */
static KktFactors *make_room(Kkt *kkt) {
  const sarrus_Memory memory = kkt->memory;
  if (kkt->known_count == KKT_KNOWN) {
    KktFactors *oldest = &kkt->factors[1 + kkt->next_known];
    kkt->next_known = (kkt->next_known + 1) % KKT_KNOWN;
    return oldest;
  }
  KktFactors *known = &kkt->factors[1 + kkt->known_count];
  known->sparse = sparse_new(memory, kkt->size, kkt->pattern.start, kkt->pattern.column);
  known->numbers = memory.alloc(memory.ud, NULL, 0, numbers_size(kkt));
  known->off = memory.alloc(memory.ud, NULL, 0, off_size(kkt));
  if (known->sparse != NULL && known->numbers != NULL && known->off != NULL) {
    kkt->known_count++;
    return known;
  }
  release(kkt, known);
  return NULL;
}

/* The one for the rows that are on now, 0: there is none. */
static int find(const Kkt *kkt) {
  const size_t bytes = (size_t)kkt->m * sizeof(int);
  for (int i = kkt->known_count; i > 0; i--)
    if (kkt->factors[i].chosen && memcmp(kkt->factors[i].off, kkt->dependent, bytes) == 0) return i;
  return 0;
}

sarrus_Status kkt_factor_in_known_order(Kkt *kkt, int *served) {
  int at = find(kkt);
  *served = 0;
  kkt_use(kkt, 0);
  if (at == 0) {
    KktFactors *known = make_room(kkt);
    if (known == NULL) return SARRUS_NOMEM;
    SARRUS_TRY(choose(kkt, known));
    at = (int)(known - kkt->factors);
  }
  kkt_use(kkt, at);
  *served = kkt_factor_in_order(kkt) && kkt_order_serves(kkt->smallest, kkt->steady, 0);
  kkt->off_diagonal = 0;
  return SARRUS_OK;
}
