/* The fuzz target of records, with its seeds. */
#include "../fuzz/records.c"
#include "seeds.h"

TEST(seeds) {
  CHECK(run_seeds("core/fuzz/seeds/records", LLVMFuzzerTestOneInput) > 5);
  for (int i = 0; i < SUBJECTS; i++) {
    free(subjects[i].record);
    sarrus_events_free(subjects[i].events);
    sarrus_system_free(subjects[i].system);
  }
}
