/* Running a tape: all orders above 0. */
#include "tape.h"
#include "vector.h"

/*
** Each product is summed in LANES partial sums, which are added up in one fixed order, so that the
** result does not depend on how wide the machine's vectors are.  LANES products are run at a time,
** so that their sums end up side by side (Andrews' squeezer, 60 products a stage with the terms
** added to them: 2,100 instructions; row by row 4,700).  Whole Lanes may read past the end of a;
** those numbers meet zeros in b.
*/
static inline __attribute__((always_inline)) void run_products(const Work *work, int from, int to,
                                                               int k, int blocks, double factor) {
  for (int p = from; p < to; p += LANES) {
    Lanes inner[LANES], sums;
#pragma GCC unroll 4
    for (int i = 0; i < LANES; i++) {
      const double *a = work->factors[p + i].a, *b = work->factors[p + i].b - k;
      inner[i] = (Lanes){0};
#pragma GCC unroll 8
      for (int j = 0; j < blocks; j++)
        inner[i] += *(const Lanes *)(a + j * LANES) * *(const Lanes *)(b + j * LANES);
    }
    lanes_sums(inner, &sums);
    *(Lanes *)(work->current + p) = factor * *(const Lanes *)(work->weights + p) * sums;
  }
}

/*
** The loops over products, compiled for each vector width that the machine may have, and for the
** lengths that are most frequent.
*/
static inline __attribute__((always_inline)) void run_all_products(const Work *work,
                                                                   const Group *group, int k,
                                                                   int blocks) {
  run_products(work, group->euler_product, group->product, k, blocks, work->reciprocal[k]);
  run_products(work, group->product, group->product_end, k, blocks, 1);
}

VECTOR_CLONES
static void run_group_products(const Work *work, const Group *group, int k) {
  const int blocks = k / LANES + 1;
  switch (blocks) {
    case 1: run_all_products(work, group, k, 1); break;
    case 2: run_all_products(work, group, k, 2); break;
    case 3: run_all_products(work, group, k, 3); break;
    case 4: run_all_products(work, group, k, 4); break;
    case 5: run_all_products(work, group, k, 5); break;
    case 6: run_all_products(work, group, k, 6); break;
    default: run_all_products(work, group, k, blocks);
  }
}

/*
** Loops over sums and copies are unrolled, since what a sum of one or two terms takes is as much as
** counting them (arm and Stewart platform: 2 % of a step's instructions).
*/
static inline __attribute__((always_inline)) void run_batch(const Work *work, const Batch *batch,
                                                            int products, int terms) {
  const Sum *sum = work->sums + batch->sum;
  const Term *term = work->terms + batch->term;
#pragma GCC unroll 2
  for (int s = 0; s < batch->count; s++) {
    const double *base = sum[s].base;
    double total = *base;
#pragma GCC unroll 8
    for (int i = 1; i <= products; i++)
      total += base[i];
#pragma GCC unroll 8
    for (int i = 0; i < terms; i++)
      total += term[i].w * *term[i].x;
    *sum[s].to = total;
    term += terms;
  }
}

/* Sums are compiled for the most frequent numbers of products or terms. */
static void run_sums(const Work *work, int from, int to) {
  for (const Batch *batch = work->batches + from; batch < work->batches + to; batch++) {
    switch (batch->terms - batch->products) {
      case -3: run_batch(work, batch, 3, 0); break;
      case -2: run_batch(work, batch, 2, 0); break;
      case -1: run_batch(work, batch, 1, 0); break;
      case 1: run_batch(work, batch, 0, 1); break;
      case 2: run_batch(work, batch, 0, 2); break;
      case 3: run_batch(work, batch, 0, 3); break;
      case 4: run_batch(work, batch, 0, 4); break;
      case 5: run_batch(work, batch, 0, 5); break;
      case 6: run_batch(work, batch, 0, 6); break;
      default: run_batch(work, batch, batch->products, batch->terms);
    }
  }
}

void tape_partial(Work *work, int stage) {
  for (const Group *group = work->groups; group < work->groups + work->group_count; group++) {
    const int k = stage + group->lead;
    if (k <= 0) continue;
    run_group_products(work, group, k);
#pragma GCC unroll 2
    for (int i = group->stored; i < group->stored_end; i++)
      *work->stored[i].to = work->stored[i].from[k];
    run_sums(work, group->before, group->after);
  }
}

typedef double Pair __attribute__((vector_size(2 * sizeof(double)), aligned(8)));

/* Store coefficient k in all copies; the next one is zero until it is known. */
static void keep(const Work *work, const Group *group, int k) {
  const Copy *copies = work->copies;
#pragma GCC unroll 2
  for (int i = group->plain; i < group->euler; i++) {
    *(Pair *)(copies[i].to + k) = (Pair){*copies[i].from, 0};
  }
#pragma GCC unroll 2
  for (int i = group->euler; i < group->reversed; i++) {
    *(Pair *)(copies[i].to + k) = (Pair){k * *copies[i].from, 0};
  }
#pragma GCC unroll 2
  for (int i = group->reversed; i < group->copy_end; i++) {
    *(Pair *)(copies[i].to - k - 1) = (Pair){0, *copies[i].from};
  }
}

void tape_complete(Work *work, int stage) {
  for (const Group *group = work->groups; group < work->groups + work->group_count; group++) {
    if (stage + group->lead <= 0) continue;
    run_sums(work, group->after, group->end);
    keep(work, group, stage + group->lead);
  }
}
