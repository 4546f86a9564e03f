/* The fuzz target of the C API, with its seeds. */
#include "../fuzz/api.c"
#include "seeds.h"

TEST(seeds) { CHECK(run_seeds("core/fuzz/seeds/api", LLVMFuzzerTestOneInput) > 5); }
