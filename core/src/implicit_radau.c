/* Radau IIA methods of 5, 7 and 9 stages. */
#include "implicit.h"
#include "implicit_table.h"

#define PAIRS(s) (((s)-1) / 2)
#define METHOD(s)                                                                                \
  {                                                                                              \
    .stages = (s), .pairs = PAIRS(s), .c = C##s, .A = A##s, .square = B##s, .legendre = E##s,    \
    .mu_re = MU##s, .mu_im = MU##s + PAIRS(s) + 1, .out_re = T##s,                               \
    .out_im = T##s + (s) * (PAIRS(s) + 1), .in_re = TI##s, .in_im = TI##s + (s) * (PAIRS(s) + 1) \
  }

/* The methods that were fastest for a spring pendulum of k = 1e8, 10 s, at 1e-6, 1e-9, 1e-12. */
const Radau *radau_for(double tolerance) {
  static const Radau methods[] = {METHOD(5), METHOD(7), METHOD(9)};
  return &methods[tolerance >= 1e-7 ? 0 : tolerance >= 1e-11 ? 1 : 2];
}

/* sum_k P_k(2 tau - 1) legendre_ki, by (k+1) P_{k+1} = (2k+1) x P_k - k P_{k-1} */
void radau_weights(const Radau *radau, double tau, double *weights) {
  const int s = radau->stages;
  const double x = 2 * tau - 1;
  double last = 0, p = 1;
  for (int i = 0; i < s; i++)
    weights[i] = 0;
  for (int k = 0; k < s; k++) {
    for (int i = 0; i < s; i++)
      weights[i] += p * radau->legendre[k * s + i];
    const double next = ((2 * k + 1) * x * p - k * last) / (k + 1);
    last = p;
    p = next;
  }
}

/* P_k(2 tau - 1) = sum_j (-1)^(k+j) C(k,j) C(k+j,j) tau^j */
void radau_powers(const Radau *radau, const double *values, double *powers) {
  const int s = radau->stages;
  for (int j = 0; j < s; j++)
    powers[j] = 0;
  for (int k = s - 1; k >= 0; k--) {
    double alpha = 0, factor = k % 2 == 0 ? 1 : -1;
    for (int i = 0; i < s; i++)
      alpha += radau->legendre[k * s + i] * values[i];
    for (int j = 0; j <= k; j++) {
      powers[j] += factor * alpha;
      factor *= -(double)((k - j) * (k + j + 1)) / ((j + 1) * (j + 1));
    }
  }
}
