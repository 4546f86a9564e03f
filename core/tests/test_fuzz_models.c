/* The fuzz target of models, with its seeds. */
#include "../fuzz/models.c"
#include "seeds.h"

TEST(seeds) { CHECK(run_seeds("core/fuzz/seeds/models", LLVMFuzzerTestOneInput) > 5); }

/* A few thousand files with one to four edits, half of them with a checksum that fits. */
TEST(edits) {
  unsigned seed = 7;
  for (int i = 0; i < 4000; i++) {
    uint8_t bytes[24];
    const size_t size = 2 + (size_t)random_in(&seed, 1, 20);
    for (size_t k = 0; k < size; k++)
      bytes[k] = (uint8_t)random_in(&seed, 0, 256);
    bytes[0] = (uint8_t)(i % 2 == 0 ? 0 : 180);
    bytes[1] = (uint8_t)(i % 8 == 0 ? 128 + i / 8 % 128 : 0);
    CHECK_INT(LLVMFuzzerTestOneInput(bytes, size), 0);
  }
}
