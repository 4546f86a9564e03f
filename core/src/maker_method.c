/*
** Series or stages.  Where something much faster than the motion keeps the steps of series short,
** implicit stages are tried, and kept where they cost less for the time they cover; now and then
** series are tried again.  Costs are counted in instructions, never by a clock.
*/
#include <math.h>

#include "maker.h"
#include "vector.h"

/*
** A step is short where velocities hardly change within it, and very short where nothing moves by
** more than a trifle of its scale.  First tries are so many times as long, and must be cheaper by
** so much.
*/
static const double HARDLY = 1.0 / 8, TRIFLE = 1e-5, LONGER = 8, CHEAPER = 0.8;

/*
** Where the motion would allow so much more, and rests or changes its velocities in that,
** multipliers or something else keep the step short.
*/
static const double OTHERWISE = 2;

/*
** Short steps before a try, at first and, doubled with every try that fails, at most (very short
** ones count as ten); implicit steps before series are tried again.
*/
enum { FIRST_WAIT = 20, IMPLICIT_STEPS = 20, VERY_SHORT = 10, MANY_TRIES = 4 };

static int may_choose(const Maker *maker) {
  const sarrus_SimOptions *options = &maker->options;
  return options->method == SARRUS_AUTO && options->order == 0 && options->step == 0;
}

void maker_choose_first_method(Maker *maker) {
  maker->method.stiff = maker->options.method == SARRUS_STIFF;
  maker->method.of_span = maker->method.count = 0;
  maker->method.rejected = 0;
  maker->method.wait = FIRST_WAIT;
  maker->method.h = 0;
}

static void wait_longer(Method *method) {
  method->count = 0;
  if (method->wait < METHOD_MOST_WAIT) method->wait *= 2;
}

static double coefficient_size(const Maker *maker, int k) {
  return vector_peak(span_at(&maker->span, k), maker->scale, maker->n);
}

/* How short the step is that the series would have: 0, 1 or VERY_SHORT. */
static int shortness(const Maker *maker, double h) {
  const double most = maker->options.max_step, unit = maker->span.unit, t = h / unit;
  const double first = coefficient_size(maker, 1), second = coefficient_size(maker, 2);
  const double moved = (first + second * t) * t;
  if (moved >= TRIFLE && second * t >= HARDLY * first) return 0;
  if (maker->pole || maker->near.value != SARRUS_NONE || (most > 0 && h >= most)) return 0;
  const double motion = maker->motion / unit;
  const int rests = moved < maker->options.tolerance;
  if (motion > OTHERWISE * t && (rests || second * motion >= HARDLY * first)) return 0;
  return moved < TRIFLE && !rests ? VERY_SHORT : 1;
}

/* How much of a step is used before something intervenes. */
static double used(const Maker *maker, double h) {
  return fmin(fabs(h), maker->interventions.expected);
}

static double stage_cost(const Maker *maker) { return implicit_cost(*maker->method.implicit); }

/* What the last step of series came to be after many tries, or else the one to come. */
static double likely_step(Maker *maker, double h, int *tried) {
  Method *method = &maker->method;
  *tried = maker->stats.rejected - method->rejected >= MANY_TRIES;
  method->rejected = maker->stats.rejected;
  return *tried && maker->span.h != 0 ? fmin(h, fabs(maker->span.h)) : h;
}

/* After series: whether stages serve better. */
static sarrus_Status consider_stages(Maker *maker, double *h) {
  Method *method = &maker->method;
  int good, tried;
  const double size = likely_step(maker, fabs(*h), &tried),
               longer = maker_within(maker, LONGER * size);
  if (used(maker, size) < size) return SARRUS_OK; /* longer ones would not be of use */
  const int how = tried ? 1 : shortness(maker, size);
  method->count = how > 0 ? method->count + how : 0;
  if (method->count < method->wait) return SARRUS_OK;
  SARRUS_TRY(maker_try_stages(maker, longer, 1, &good));
  if (!good || stage_cost(maker) / longer > CHEAPER * maker_series_cost(maker) / size) {
    wait_longer(method);
    return SARRUS_OK;
  }
  method->stiff = 1;
  method->count = 0;
  maker_take_stages(maker, longer, h);
  return SARRUS_OK;
}

/* Before stages: whether series serve better again; otherwise all is as it was. */
static sarrus_Status consider_series(Maker *maker, double *h, int *better) {
  Method *method = &maker->method;
  method->count = 0;
  *better = 0;
  const sarrus_Status status = maker_expand_series(maker, h);
  const double series = maker_series_cost(maker) / used(maker, *h),
               stages = stage_cost(maker) / used(maker, method->h);
  if (status == SARRUS_OK && series < CHEAPER * stages) {
    wait_longer(method);
    *better = 1;
    return SARRUS_OK;
  }
  return maker_prepare(maker, &maker->span.from);
}

/* Series where stages fail; for one step only, if stages are what was asked for. */
static sarrus_Status go_back(Maker *maker, double *h) {
  Method *method = &maker->method;
  method->stiff = !may_choose(maker);
  wait_longer(method);
  SARRUS_TRY(maker_prepare(maker, &maker->span.from));
  return maker_expand_series(maker, h);
}

/*
** Stages hold the multipliers of what is left out, which is no share of a load that rubs (T75):
** such steps are series, whatever was asked for.
*/
static int shares_while_slipping(const Maker *maker) {
  const Kkt *kkt = maker->expansion->kkt;
  return kkt->rubs && kkt->dependent_count > 0;
}

sarrus_Status maker_expand(Maker *maker, double *h) {
  Method *method = &maker->method;
  int better = 0;
  method->of_span = 0;
  const int shares = shares_while_slipping(maker);
  if (!method->stiff || method->by_series || shares) {
    SARRUS_TRY(maker_expand_series(maker, h));
    const int asks = may_choose(maker) && !method->by_series && !shares && maker->until == 0;
    return asks ? consider_stages(maker, h) : SARRUS_OK;
  }
  if (may_choose(maker) && ++method->count >= IMPLICIT_STEPS && *method->implicit != NULL)
    SARRUS_TRY(consider_series(maker, h, &better));
  if (better) {
    method->stiff = 0;
    return SARRUS_OK;
  }
  const sarrus_Status status = maker_expand_stiff(maker, h);
  return status == SARRUS_STEP ? go_back(maker, h) : status;
}
