/* The version: the macros agree with each other and with the library. */
#include "sarrus/sarrus.h"
#include "test.h"

TEST(the_version_is_told_in_one_way) {
  char text[64];
  snprintf(text, sizeof text, "%d.%d.%d", SARRUS_VERSION_MAJOR, SARRUS_VERSION_MINOR,
           SARRUS_VERSION_PATCH);
  CHECK_STR(SARRUS_VERSION_STRING, text);
  CHECK_STR(sarrus_version(), text);
}
