/*
** Rows of derivatives: one number for each direction, side by side, so that loops over directions
** become vector instructions.  Loops are compiled for 1, LANES and 2 LANES directions at a time.
*/
#ifndef SARRUS_TAPE_SLOPE_H
#define SARRUS_TAPE_SLOPE_H

#include "tape.h"
#include "vector.h"

/*
** Always inlined, so that the width is a constant; but for sanitizers, which write so much into it
** that clang 14 takes minutes for tape_follow.c, and 2 s where it may choose.
*/
#if defined(__clang__)
#if __has_feature(address_sanitizer)
#define INLINE static inline
#endif
#endif
#ifndef INLINE
#define INLINE static inline __attribute__((always_inline))
#endif

enum { MOST_BLOCK = 2 * LANES };

/* A row of derivatives, or a part of one, in registers. */
typedef struct Slopes {
  double one;
  Lanes low, high;
} Slopes;

INLINE void slopes_load(Slopes *s, const double *x, int block) {
  if (block == 1) {
    s->one = *x;
    return;
  }
  s->low = *(const Lanes *)x;
  if (block == MOST_BLOCK) s->high = *(const Lanes *)(x + LANES);
}

/* s += f x */
INLINE void slopes_add(Slopes *s, double f, const double *x, int block) {
  if (block == 1) {
    s->one += f * *x;
    return;
  }
  s->low += f * *(const Lanes *)x;
  if (block == MOST_BLOCK) s->high += f * *(const Lanes *)(x + LANES);
}

/* to = f s */
INLINE void slopes_put(const Slopes *s, double f, double *to, int block) {
  if (block == 1) {
    *to = f * s->one;
    return;
  }
  *(Lanes *)to = f * s->low;
  if (block == MOST_BLOCK) *(Lanes *)(to + LANES) = f * s->high;
}

INLINE void slopes_store(const Slopes *s, double *to, int block) {
  if (block == 1) {
    *to = s->one;
    return;
  }
  *(Lanes *)to = s->low;
  if (block == MOST_BLOCK) *(Lanes *)(to + LANES) = s->high;
}

/* call(first, count, width) for each part of a row; most rows have only one part. */
#define FOR_BLOCKS(width, call)                                \
  do {                                                         \
    switch (width) {                                           \
      case 1: call(0, 1, 1); break;                            \
      case LANES: call(0, LANES, LANES); break;                \
      case MOST_BLOCK: call(0, MOST_BLOCK, MOST_BLOCK); break; \
      default: {                                               \
        int at_ = 0;                                           \
        for (; at_ + MOST_BLOCK <= (width); at_ += MOST_BLOCK) \
          call(at_, MOST_BLOCK, (width));                      \
        if (at_ < (width)) call(at_, LANES, (width));          \
      }                                                        \
    }                                                          \
  } while (0)

/*
** The partial derivatives of a function or table by its operands; operand[i] is NONE where there is
** no operand i.  `decided`: the branch of a piecewise one; NULL: its operands decide.
*/
typedef struct Partials {
  int operand[3];
  double by[3];
} Partials;

void value_partials(const Tape *tape, const ValueStep *step, const double *value, double z,
                    const int *decided, Partials *partials);

/* The slopes of one value that is neither symbol nor constant, in one part of its row. */
INLINE void slopes_of_sum(const ValueTerm *term, int terms, const double *slope, double *to, int at,
                          int block, int width) {
  Slopes sum = {0};
  for (int i = 0; i < terms; i++)
    slopes_add(&sum, term[i].factor, slope + (ptrdiff_t)term[i].value * width + at, block);
  slopes_store(&sum, to + at, block);
}

INLINE void slopes_of_product(const ValueStep *step, const double *value, const double *slope,
                              double *to, int at, int block, int width) {
  Slopes sum = {0};
  slopes_add(&sum, value[step->b], slope + (ptrdiff_t)step->a * width + at, block);
  slopes_add(&sum, value[step->a], slope + (ptrdiff_t)step->b * width + at, block);
  slopes_store(&sum, to + at, block);
}

INLINE void slopes_of_function(const Partials *partials, const double *slope, double *to, int at,
                               int block, int width) {
  Slopes sum = {0};
  for (int k = 0; k < 3; k++)
    if (partials->operand[k] != SARRUS_NONE && partials->by[k] != 0)
      slopes_add(&sum, partials->by[k], slope + (ptrdiff_t)partials->operand[k] * width + at,
                 block);
  slopes_store(&sum, to + at, block);
}

#endif
