/* LAPACK's complaints must not end the process. */
#include "lapack.h"
#include "test.h"

TEST(a_bad_argument_comes_back_as_info) {
  const int bad = -1, one = 1;
  double a[1] = {1};
  int pivot[1], info = 0;
  dgetrf_(&bad, &one, a, &one, pivot, &info);
  CHECK_INT(info, -1);
}
