/*
** The formatter in a locale whose decimal point is not a point, played by a function in the
** place of the C library's: few machines have such a locale installed.
*/
#include <stdarg.h>

#include "test.h"

static const char *point; /* of the locale */

static int local_snprintf(char *text, size_t size, const char *format, ...) {
  char plain[64];
  va_list list;
  va_start(list, format);
  vsnprintf(plain, sizeof plain, format, list);
  va_end(list);
  const int digits = (int)strcspn(plain, ".");
  if (plain[digits] == '\0') return snprintf(text, size, "%s", plain);
  return snprintf(text, size, "%.*s%s%s", digits, plain, point, plain + digits + 1);
}

#define snprintf local_snprintf
#include "number.c"
#undef snprintf

static const char *printed(double x) {
  static char text[SARRUS_NUMBER_SIZE];
  sarrus_number_print(x, text, sizeof text);
  return text;
}

static void check_numbers(void) {
  char text[SARRUS_NUMBER_SIZE];
  CHECK_STR(printed(3), "3");
  CHECK_STR(printed(0.5), "0.5");
  CHECK_STR(printed(1e-5), "1e-05");
  CHECK_STR(printed(-1.25e-30), "-1.25e-30");
  CHECK_STR(printed(0.1 + 0.2), "0.30000000000000004");
  CHECK_STR(printed(-2.2250738585072014e-308), "-2.2250738585072014e-308");
  sarrus_number_print_exact(9.81, text, sizeof text);
  CHECK_STR(text, "9.81");
  sarrus_number_print_exact(0.5, text, sizeof text);
  CHECK_STR(text, "1/2");
}

TEST(comma) {
  point = ",";
  check_numbers();
}

/* U+066B, the Arabic decimal separator */
TEST(several_bytes) {
  point = "\xd9\xab";
  check_numbers();
}
