/*
** Complementarity problems: built backwards from their solutions, against all complementary bases,
** in mixed units, with ties.
*/
#include "lcp.h"
#include "lcp_problems.h"

enum { MOST = 16 };

static _Alignas(16) char work[1 << 18];

typedef struct Problem {
  int n;
  double M[MOST * MOST], q[MOST], z[MOST], w[MOST];
  unsigned char basic[MOST];
} Problem;

/* The largest violation of w >= 0 (and w = 0 where z is basic), relative to what is summed up. */
static double violation(const Problem *p) {
  double worst = 0;
  for (int i = 0; i < p->n; i++) {
    double w = p->q[i], size = fabs(w);
    for (int j = 0; j < p->n; j++) {
      w += p->M[i * p->n + j] * p->z[j];
      size += fabs(p->M[i * p->n + j] * p->z[j]);
    }
    if (size > 0) worst = fmax(worst, (p->basic[i] ? fabs(w) : -w) / size);
    if (!(p->z[i] >= 0) || (!p->basic[i] && p->z[i] != 0)) return 1;
  }
  return worst;
}

static LcpStatus solve(Problem *p) {
  CHECK(lcp_work_size(p->n) <= sizeof work);
  return lcp_solve(p->n, p->M, p->q, p->z, p->basic, work);
}

/* M = A A^T of this rank, plus a skew part. */
static void fill_psd(Problem *p, int rank, double skew) {
  double A[MOST * MOST];
  const int n = p->n;
  for (int k = 0; k < n * rank; k++)
    A[k] = uniform(-1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++)
        sum += A[i * rank + k] * A[j * rank + k];
      p->M[i * n + j] = sum;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const double s = uniform(-skew, skew);
      p->M[i * n + j] += s;
      p->M[j * n + i] -= s;
    }
}

/* q from a solution: z_i > 0 or w_i > 0, or, sometimes, both 0. */
static void choose_solution(Problem *p, double z[], double w[], int ties) {
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    const int positive = below(2), tie = ties && below(3) == 0;
    z[i] = positive && !tie ? 1 + below(8) : 0;
    w[i] = !positive && !tie ? 1 + below(8) : 0;
  }
  for (int i = 0; i < n; i++) {
    p->q[i] = w[i];
    for (int j = 0; j < n; j++)
      p->q[i] -= p->M[i * n + j] * z[j];
  }
}

TEST(unique_solutions_built_backwards_come_back) {
  for (int trial = 0; trial < 4000; trial++) {
    Problem p = {.n = 1 + below(MOST)};
    double z[MOST], w[MOST];
    fill_psd(&p, p.n, 0.5);
    for (int i = 0; i < p.n; i++)
      p.M[i * p.n + i] += 0.5;
    choose_solution(&p, z, w, trial % 2);
    CHECK_INT(solve(&p), LCP_SOLVED);
    for (int i = 0; i < p.n; i++) {
      CHECK_NEAR(p.z[i], z[i], 1e-12);
      if (z[i] > 0) CHECK(p.basic[i]);
      if (w[i] > 0) CHECK(!p.basic[i] && p.z[i] == 0);
    }
  }
}

TEST(singular_matrices_are_solved_where_there_is_a_solution) {
  for (int trial = 0; trial < 4000; trial++) {
    Problem p = {.n = 2 + below(MOST - 1)};
    double z[MOST], w[MOST];
    fill_psd(&p, 1 + below(p.n), 0);
    choose_solution(&p, z, w, trial % 2);
    CHECK_INT(solve(&p), LCP_SOLVED);
    CHECK(violation(&p) < 1e-12);
  }
}

/* Any matrix: what is found is a solution, and where nothing is found there is none. */
TEST(all_bases_agree_with_lemke) {
  int none = 0, one = 0, several = 0;
  for (int trial = 0; trial < 10000; trial++) {
    Problem p = {.n = 1 + below(4)}, all;
    for (int k = 0; k < p.n * p.n; k++)
      p.M[k] = trial % 2 ? uniform(-1, 1) : below(5) - 2;
    for (int i = 0; i < p.n; i++)
      p.q[i] = trial % 2 ? uniform(-1, 1) : below(5) - 2;
    all = p;
    const int count = lcp_enumerate(p.n, p.M, p.q, all.z, all.basic, work);
    none += count == 0;
    one += count == 1;
    several += count == 2;
    if (solve(&p) == LCP_SOLVED)
      CHECK(violation(&p) < 1e-12);
    else
      CHECK_INT(count, 0);
    if (count > 0) CHECK(violation(&all) < 1e-12);
  }
  CHECK(none > 1000 && one > 1000 && several > 500);
}

/* Units of every row and column: the same basis, the same digits. */
TEST(units_do_not_matter) {
  for (int trial = 0; trial < 2000; trial++) {
    Problem p = {.n = 1 + below(8)}, other;
    double row[MOST], column[MOST];
    fill_psd(&p, p.n, 0.3);
    for (int i = 0; i < p.n; i++)
      p.q[i] = uniform(-1, 1);
    other = p;
    for (int i = 0; i < p.n; i++) {
      row[i] = pow(10, below(31) - 15);
      column[i] = pow(10, below(31) - 15);
    }
    for (int i = 0; i < p.n; i++) {
      other.q[i] *= row[i] * 1e-3;
      for (int j = 0; j < p.n; j++)
        other.M[i * p.n + j] *= row[i] * column[j];
    }
    CHECK_INT(solve(&p), LCP_SOLVED);
    CHECK_INT(solve(&other), LCP_SOLVED);
    for (int i = 0; i < p.n; i++) {
      CHECK_INT(p.basic[i], other.basic[i]);
      CHECK_NEAR(other.z[i] * column[i] * 1e3, p.z[i], 1e-8 * p.z[i]);
    }
  }
}

TEST(powers_of_two_change_no_digit) {
  for (int trial = 0; trial < 500; trial++) {
    Problem p = {.n = 1 + below(8)}, other;
    fill_psd(&p, p.n, 0.3);
    for (int i = 0; i < p.n; i++)
      p.q[i] = uniform(-1, 1);
    other = p;
    for (int k = 0; k < p.n * p.n; k++)
      other.M[k] = ldexp(p.M[k], 90);
    for (int i = 0; i < p.n; i++)
      other.q[i] = ldexp(p.q[i], -90);
    CHECK_INT(solve(&p), LCP_SOLVED);
    CHECK_INT(solve(&other), LCP_SOLVED);
    for (int i = 0; i < p.n; i++)
      CHECK(other.z[i] == ldexp(p.z[i], -180));
  }
}

/* The example of cycling by Kostreva: ratios are tied at every pivot without a rule. */
TEST(ties_do_not_cycle) {
  Problem p = {.n = 3, .M = {1, 2, 0, 0, 1, 2, 2, 0, 1}, .q = {-1, -1, -1}};
  CHECK_INT(solve(&p), LCP_SOLVED);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(p.z[i], 1.0 / 3, 1e-16);
}

TEST(special_problems_are_answered) {
  Problem p = {.n = 1, .M = {-1}, .q = {-1}};
  CHECK_INT(solve(&p), LCP_RAY);
  p = (Problem){.n = 2, .M = {0, 0, 0, 0}, .q = {1e30, -1e-30}};
  CHECK_INT(solve(&p), LCP_RAY);
  p = (Problem){.n = 2, .M = {1, 0, 0, 1}, .q = {0, 0}};
  CHECK_INT(solve(&p), LCP_SOLVED);
  CHECK(p.z[0] == 0 && p.z[1] == 0);
  p = (Problem){.n = 1, .M = {(double)NAN}, .q = {1}};
  CHECK_INT(solve(&p), LCP_NOT_FINITE);
  p = (Problem){.n = 1, .M = {1}, .q = {-(double)INFINITY}};
  CHECK_INT(solve(&p), LCP_NOT_FINITE);
  p = (Problem){.n = 0};
  CHECK_INT(solve(&p), LCP_SOLVED);
  p = (Problem){.n = 1, .M = {-1}, .q = {1}}; /* z = 0 and z = 1 */
  CHECK_INT(lcp_enumerate(1, p.M, p.q, p.z, p.basic, work), 2);
}

/* Half of the digits are lost in M: refinement brings z to rounding. */
TEST(refinement_gives_all_digits) {
  Problem p = {.n = 2, .M = {1, 1, 1, 1 + 0x1p-26}, .q = {-2, -2 - 0x1p-26}};
  CHECK_INT(solve(&p), LCP_SOLVED);
  CHECK(p.z[0] == 1 && p.z[1] == 1);
}

/* Nothing can raise w_1: below rounding of the other q it is 0, otherwise there is no answer. */
TEST(rounding_of_other_rows_is_none) {
  Problem p = {.n = 3, .M = {1, 0, 0, 0, 0, -1, 0, 1, 1}, .q = {-0.7, -4e-13, 0}};
  CHECK_INT(solve(&p), LCP_SOLVED);
  CHECK(p.z[0] == 0.7 && p.z[2] == 0);
  p.q[1] = -1e-9;
  CHECK_INT(solve(&p), LCP_RAY);
}
