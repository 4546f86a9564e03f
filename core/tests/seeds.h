/* A fuzz target as a test: the seeds of the tree, without clang. */
#ifndef SARRUS_TEST_SEEDS_H
#define SARRUS_TEST_SEEDS_H

#include <dirent.h>

#include "test.h"

enum { LARGEST_SEED = 4096 };

/* Run all files of a folder through LLVMFuzzerTestOneInput; answers how many there were. */
static inline int run_seeds(const char *folder, int (*target)(const uint8_t *data, size_t size)) {
  int count = 0;
  DIR *seeds = opendir(folder);
  if (!CHECK(seeds != NULL)) return 0;
  for (const struct dirent *entry = readdir(seeds); entry != NULL; entry = readdir(seeds)) {
    char path[512];
    uint8_t data[LARGEST_SEED];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL)) continue;
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    CHECK_INT(target(data, size), 0);
    count++;
  }
  closedir(seeds);
  return count;
}

#endif
