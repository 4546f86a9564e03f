/* One list holds code, name and sentence. */
#include "test.h"

TEST(names_and_sentences) {
  CHECK_STR(sarrus_status_name(SARRUS_OK), "OK");
  CHECK_STR(sarrus_status_name(SARRUS_STOPPED), "STOPPED");
  CHECK_STR(sarrus_status_name(SARRUS_SINGULAR), "SINGULAR");
  CHECK_STR(sarrus_status_text(SARRUS_OK), "success");
  CHECK_STR(sarrus_status_text(SARRUS_NOMEM), "not enough memory");
}

/* Zero is fine, news is positive, failures negative; scripts see the names, so they are fixed. */
TEST(every_code_of_the_public_face) {
  static const char *const failures[] = {"SINGULAR", "INCONSISTENT", "STEP",      "NONFINITE",
                                         "EVENT",    "CALLBACK",     "CANCELLED", "IO",
                                         "FORMAT",   "VERSION",      "NOMEM",     "LIMIT",
                                         "ARGUMENT", "BUSY",         "FLOATS",    "CONTACT"};
  enum { FAILURES = sizeof failures / sizeof failures[0] };
  CHECK_INT(SARRUS_OK, 0);
  CHECK(SARRUS_STOPPED > 0);
  for (int i = 0; i < FAILURES; i++)
    CHECK_STR(sarrus_status_name((sarrus_Status)(-1 - i)), failures[i]);
  CHECK_STR(sarrus_status_name((sarrus_Status)(-1 - FAILURES)), "UNKNOWN");
}

TEST(codes_and_sentences_are_distinct) {
  static const sarrus_Status codes[] = {
#define CODE(name, code, sentence) SARRUS_##name,
      SARRUS_STATUSES(CODE)
#undef CODE
  };
  enum { COUNT = sizeof codes / sizeof codes[0] };
  for (int i = 0; i < COUNT; i++) {
    CHECK(strlen(sarrus_status_text(codes[i])) > 0);
    for (int j = 0; j < i; j++) {
      CHECK(codes[i] != codes[j]);
      CHECK(strcmp(sarrus_status_text(codes[i]), sarrus_status_text(codes[j])) != 0);
    }
  }
}

TEST(unknown_codes_have_words_too) {
  CHECK_STR(sarrus_status_name((sarrus_Status)99), "UNKNOWN");
  CHECK_STR(sarrus_status_text((sarrus_Status)99), "unknown status");
}

static int calls_after_try;

static sarrus_Status passes(sarrus_Status status) {
  SARRUS_TRY(status);
  calls_after_try++;
  return SARRUS_OK;
}

TEST(try_hands_failures_on_and_lets_news_pass) {
  calls_after_try = 0;
  CHECK_STATUS(passes(SARRUS_SINGULAR), SARRUS_SINGULAR);
  CHECK_INT(calls_after_try, 0);
  CHECK_OK(passes(SARRUS_STOPPED));
  CHECK_OK(passes(SARRUS_OK));
  CHECK_INT(calls_after_try, 2);
}
