/* Eigenvalues and eigenvectors. */
#include "sarrus/eigen.h"

#include "test.h"

enum { MOST = 24 };

/* The largest entry of A x - (re + i im) x for all pairs, relative to that of A. */
static double residual(int n, const double *a, const double *re, const double *im,
                       const double *x) {
  double worst = 0, size = 0;
  for (int i = 0; i < n * n; i++)
    size = fmax(size, fabs(a[i]));
  for (int j = 0; j < n; j++) {
    const double *u = x + j * n, *w = im[j] > 0 ? u + n : NULL;
    if (im[j] < 0) continue; /* the conjugate of the one before */
    for (int i = 0; i < n; i++) {
      double real = 0, imaginary = 0;
      for (int k = 0; k < n; k++) {
        real += a[i + k * n] * u[k];
        imaginary += w != NULL ? a[i + k * n] * w[k] : 0;
      }
      real -= re[j] * u[i] - (w != NULL ? im[j] * w[i] : 0);
      imaginary -= w != NULL ? re[j] * w[i] + im[j] * u[i] : 0;
      worst = fmax(worst, fmax(fabs(real), fabs(imaginary)));
    }
  }
  return worst / size;
}

TEST(random_matrices_have_pairs) {
  double a[MOST * MOST], used[MOST * MOST], x[MOST * MOST], re[MOST], im[MOST], work[4 * MOST];
  unsigned seed = 1;
  for (int n = 1; n <= MOST; n++) {
    double trace = 0, sum = 0;
    for (int i = 0; i < n * n; i++)
      used[i] = a[i] = random_in(&seed, -1, 1);
    REQUIRE_OK(sarrus_eigen(n, used, re, im, x, work));
    CHECK(residual(n, a, re, im, x) < 1e-13);
    for (int i = 0; i < n; i++) {
      trace += a[i + i * n];
      sum += re[i];
      CHECK(im[i] <= 0 || im[i + 1] == -im[i]);
    }
    CHECK_NEAR(sum, trace, 1e-12);
    memcpy(used, a, sizeof used);
    REQUIRE_OK(sarrus_eigen(n, used, re, im, NULL, work));
  }
}

/* -1, 2, -1: 2 - 2 cos(k pi / (n + 1)), vectors sin(i k pi / (n + 1)) */
TEST(string_of_beads) {
  double a[MOST * MOST], values[MOST], work[3 * MOST];
  const int n = MOST;
  for (int i = 0; i < n * n; i++)
    a[i] = i % (n + 1) == 0 ? 2 : i % (n + 1) == 1 || i % (n + 1) == n ? -1 : 0;
  REQUIRE_OK(sarrus_eigen_symmetric(n, a, values, work));
  for (int k = 0; k < n; k++) {
    const double angle = (k + 1) * 3.14159265358979323846 / (n + 1);
    const double sign = a[k * n] < 0 ? -1 : 1, norm = sqrt(2.0 / (n + 1));
    CHECK_NEAR(values[k], 2 - 2 * cos(angle), 1e-14);
    for (int i = 0; i < n; i++)
      CHECK_NEAR(sign * a[i + k * n], norm * sin((i + 1) * angle), 1e-13);
  }
}

TEST(arguments) {
  double a[4] = {1, 2, 3, 4}, x[4], y[4], work[16];
  CHECK_OK(sarrus_eigen(0, NULL, NULL, NULL, NULL, NULL));
  CHECK_OK(sarrus_eigen_symmetric(0, NULL, NULL, NULL));
  CHECK_STATUS(sarrus_eigen(-1, a, x, y, NULL, work), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_eigen(2, NULL, x, y, NULL, work), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_eigen(2, a, NULL, y, NULL, work), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_eigen(2, a, x, NULL, NULL, work), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_eigen(2, a, x, y, NULL, NULL), SARRUS_ARGUMENT);
  CHECK_STATUS(sarrus_eigen(SARRUS_MAX_EIGEN + 1, a, x, y, NULL, work), SARRUS_LIMIT);
  CHECK_STATUS(sarrus_eigen_symmetric(2, a, x, NULL), SARRUS_ARGUMENT);
  a[3] = (double)NAN;
  CHECK_STATUS(sarrus_eigen(2, a, x, y, NULL, work), SARRUS_NONFINITE);
  CHECK_STATUS(sarrus_eigen_symmetric(2, a, x, work), SARRUS_NONFINITE);
  a[3] = (double)INFINITY;
  CHECK_STATUS(sarrus_eigen(2, a, x, y, NULL, work), SARRUS_NONFINITE);
}
