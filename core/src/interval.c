#include "interval.h"

#include <math.h>

static Interval everything(void) { return (Interval){-(double)INFINITY, (double)INFINITY}; }

/* What is not a number, as 0 times infinity, may be anything. */
static Interval between(double low, double high) {
  return low <= high ? (Interval){low, high} : everything();
}

static Interval sum(const Tape *tape, const ValueStep *step, const Interval *values) {
  Interval x = {step->value, step->value};
  for (int i = 0; i < step->b; i++) {
    const ValueTerm *term = &tape->value_terms[step->a + i];
    const Interval y = values[term->value];
    x.low += term->factor * (term->factor > 0 ? y.low : y.high);
    x.high += term->factor * (term->factor > 0 ? y.high : y.low);
  }
  return between(x.low, x.high);
}

static Interval square(Interval x) {
  const double low = x.low * x.low, high = x.high * x.high;
  if (x.low < 0 && x.high > 0) return (Interval){0, low > high ? low : high};
  return between(low < high ? low : high, low < high ? high : low);
}

static Interval power(Interval x, double exponent) {
  if (exponent == 2) return square(x);
  const double low = pow(x.low, exponent), high = pow(x.high, exponent);
  if (fmod(exponent, 2) != 0) return between(low, high);
  return between(x.low < 0 && x.high > 0 ? 0 : fmin(low, high), fmax(low, high));
}

static Interval product(Interval x, Interval y) {
  const double a = x.low * y.low, b = x.low * y.high, c = x.high * y.low, d = x.high * y.high;
  if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) return everything();
  return (Interval){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

static Interval quotient(Interval x, Interval y) {
  if (y.low <= 0 && y.high >= 0) return everything();
  return product(x, (Interval){1 / y.high, 1 / y.low});
}

/* A sine or cosine changes by no more than its argument. */
static Interval wave(sarrus_Op op, Interval x) {
  const double reach = (x.high - x.low) / 2;
  if (!(reach < 2)) return (Interval){-1, 1};
  const double middle = expr_value(op, x.low + reach, 0, 0, 0);
  return (Interval){fmax(-1, middle - reach), fmin(1, middle + reach)};
}

static Interval absolute(Interval x) {
  const double least = x.low <= 0 && x.high >= 0 ? 0 : fmin(fabs(x.low), fabs(x.high));
  return (Interval){least, fmax(fabs(x.low), fabs(x.high))};
}

/* On one side of 0, where it stays there; at 0 a function may be on either branch. */
static Interval selected(Interval x, Interval a, Interval b) {
  if (x.low > 0) return a;
  if (x.high < 0) return b;
  return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static Interval rising(sarrus_Op op, Interval x) {
  return between(expr_value(op, x.low, 0, 0, 0), expr_value(op, x.high, 0, 0, 0));
}

static Interval value_of(const Tape *tape, const ValueStep *step, const Interval *values) {
  const Interval *a = &values[step->a], *b = &values[step->b];
  switch (step->op) {
    case SARRUS_OP_CONSTANT: return (Interval){step->value, step->value};
    case SARRUS_OP_LINEAR: return sum(tape, step, values);
    case SARRUS_OP_PRODUCT: return a == b ? square(*a) : product(*a, *b);
    case SARRUS_OP_QUOTIENT: return quotient(*a, *b);
    case SARRUS_OP_INTEGER_POWER: return power(*a, step->value);
    case SARRUS_OP_SIN:
    case SARRUS_OP_COS: return wave(step->op, *a);
    case SARRUS_OP_ABS: return absolute(*a);
    case SARRUS_OP_MIN: return (Interval){fmin(a->low, b->low), fmin(a->high, b->high)};
    case SARRUS_OP_MAX: return (Interval){fmax(a->low, b->low), fmax(a->high, b->high)};
    case SARRUS_OP_SELECT: return selected(*a, *b, values[step->c]);
    case SARRUS_OP_SQRT: return between(sqrt(a->low), sqrt(a->high));
    case SARRUS_OP_EXP:
    case SARRUS_OP_LOG:
    case SARRUS_OP_ATAN:
    case SARRUS_OP_TANH:
    case SARRUS_OP_SINH: return rising(step->op, *a);
    default: return everything();
  }
}

void interval_values(const Tape *tape, Interval *values) {
  for (int i = 0; i < tape->value_count; i++)
    if (tape->values[i].op != SARRUS_OP_SYMBOL)
      values[i] = value_of(tape, &tape->values[i], values);
}
