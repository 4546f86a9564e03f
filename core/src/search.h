/*
** Searching a span: outputs of a tape whose inputs are all known, as power series of time.
**
** An output may vary faster than the motion, or change its branch.  Then its series serves a part
** of the span only, and is made anew for the next: the span is searched in pieces.  All times here
** count in the unit of the span's series, from its beginning.
*/
#ifndef SARRUS_SEARCH_H
#define SARRUS_SEARCH_H

#include "block.h"
#include "span.h"
#include "tape.h"

typedef struct Search {
  const Tape *tape;
  const Span *span;
  const double *parameters;
  const double *modes; /* symbols U; NULL where the tape has none */
  const double *scale; /* of the span's coordinates and multipliers */
  const double *held,
      *column; /* accelerations are of the size *held column_j (T34); NULL: not known */
  Work *work;
  int capacity;   /* of the series: the highest coefficient */
  double *series; /* capacity + 1 coefficients of each output */
  double *floor;  /* of each output: what is rounding in it, whatever it is now (search_measure) */
  int floored;    /* events: that counts on this span */
  double *polynomial; /* workspace */
  double *root_work;
} Search;

/* A part of the span. */
typedef struct Piece {
  double begin, h;
  int count; /* those before it */
} Piece;

enum { SEARCH_MOST_PIECES = 1000 };

/* Take what is needed for a tape and series up to t^capacity. */
void search_lay_out(Search *search, Block *block);

/* Values and series of all outputs about t. */
sarrus_Status search_series(Search *search, double t);
static inline double *search_output(const Search *search, int output) {
  return &search->series[output * (search->capacity + 1)];
}
/* The highest coefficient that is found of them on the present span. */
static inline int search_order(const Search *search) { return search->span->order + 1; }
/* Values of all outputs and extras at a state. */
sarrus_Status search_at(Search *search, double t, const double *q, const double *v, const double *a,
                        const double *lambda);
/*
** How much outputs change as inputs change by the rounding of the largest values they have had: a
** series and a value need not agree better than that.
*/
sarrus_Status search_measure(Search *search);
/* The same, but that outputs may change with time as they like. */
sarrus_Status search_measure_still(Search *search);
/*
** The same where it was asked last, as multipliers alone change by the rounding of what holds
** `held`, in the measure of (T34).
*/
sarrus_Status search_measure_forces(Search *search, double held);
/* How exactly an output is known where it was asked last: to the rounding of its operands. */
double search_noise(const Search *search, int output);

/*
** The whole span, of length h; then, again and again, the next piece, its series being made: 0
** where there is none.
*/
Piece search_begin(const Search *search, double h);
/*
** Make the series of the piece, and shorten it to where they serve: NONFINITE where there are none,
** LIMIT after too many pieces.  *output is one that does not serve farther.
*/
sarrus_Status search_piece(Search *search, Piece *piece, double whole, int *output);
/* Go on behind it. */
void search_next(Piece *piece);

/*
** Where an output passes a level near t, found anew from its own value and slope; between `least`
** and `most`.
*/
double search_polish(Search *search, int output, double level, double t, double least, double most);

/*
** Whether an output that vanishes at two times is nothing but rounding between them: half-way, or
** because no series tells them apart.
*/
int search_is_rounding(Search *search, int output, double from, double to);

/* sum |c_k| h^k, k from `from` to `to` */
double search_size(const double *c, int from, int to, double h);

#endif
