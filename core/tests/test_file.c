/* Files: whole or not at all, whichever call fails. */
#define _POSIX_C_SOURCE 200809L

#include "sarrus/file.h"

#include <errno.h>
#include <sys/stat.h>

#include "test.h"

/* A disk with one file and its temporary, on which the n-th call fails. */
typedef struct Disk {
  char target[200000], temporary[200000];
  size_t target_size, temporary_size;
  bool has_target, has_temporary, open, like, synced, named;
  long calls, failing;
} Disk;

static int next_call(Disk *disk) { return ++disk->calls == disk->failing ? ENOSPC : 0; }

static int disk_open(void *ud, const char *path, int fresh, void **stream) {
  Disk *disk = ud;
  const int error = next_call(disk);
  CHECK_STR(path, "no/where.tmp");
  CHECK(fresh && !disk->open);
  if (error != 0) return error;
  disk->has_temporary = disk->open = true;
  disk->temporary_size = 0;
  *stream = disk;
  return 0;
}

static int disk_write(void *ud, void *stream, const char *data, size_t size) {
  Disk *disk = ud;
  const int error = next_call(disk);
  CHECK(stream == ud && disk->open);
  if (error != 0) return error;
  memcpy(disk->temporary + disk->temporary_size, data, size);
  disk->temporary_size += size;
  return 0;
}

static int disk_like(void *ud, void *stream, const char *path) {
  Disk *disk = ud;
  CHECK(stream == ud && disk->open && disk->temporary_size == 0); /* before anything can be read */
  CHECK_STR(path, "no/where");
  disk->like = true;
  return next_call(disk);
}

static int disk_sync(void *ud, void *stream) {
  Disk *disk = ud;
  CHECK(stream == ud && disk->open);
  disk->synced = true;
  return next_call(disk);
}

static int disk_sync_folder(void *ud, const char *folder) {
  Disk *disk = ud;
  CHECK_STR(folder, "no");
  disk->named = !disk->has_temporary;
  return next_call(disk);
}

static int disk_close(void *ud, void *stream) {
  Disk *disk = ud;
  CHECK(stream == ud && disk->open);
  disk->open = false;
  return next_call(disk);
}

static int disk_rename(void *ud, const char *from, const char *to) {
  Disk *disk = ud;
  const int error = next_call(disk);
  CHECK_STR(from, "no/where.tmp");
  CHECK_STR(to, "no/where");
  CHECK(!disk->open && disk->like && disk->synced);
  if (error != 0) return error;
  memcpy(disk->target, disk->temporary, disk->temporary_size);
  disk->target_size = disk->temporary_size;
  disk->has_temporary = false;
  return 0;
}

static int disk_remove(void *ud, const char *path) {
  Disk *disk = ud;
  CHECK_STR(path, "no/where.tmp");
  CHECK(!disk->open);
  disk->has_temporary = false;
  return 0;
}

static sarrus_FileCalls calls_of(Disk *disk) {
  return (sarrus_FileCalls){disk,       disk_open,   disk_like,        disk_write, disk_sync,
                            disk_close, disk_rename, disk_sync_folder, disk_remove};
}

static void fill(char *text, size_t size) {
  for (size_t i = 0; i < size; i++)
    text[i] = (char)('a' + i % 26);
}

static sarrus_Status write_all(Disk *disk, const char *text, size_t size) {
  const sarrus_FileCalls calls = calls_of(disk);
  sarrus_File *file;
  int error;
  SARRUS_TRY(sarrus_file_open(sarrus_memory_default(), &calls, "no/where", &file, &error));
  sarrus_Status status = sarrus_file_write(file, text, size);
  if (status == SARRUS_OK) status = sarrus_file_commit(file);
  if (status < 0) {
    CHECK_INT(sarrus_file_error(file), ENOSPC);
    CHECK_STATUS(sarrus_file_write(file, text, 100000), SARRUS_IO);
    CHECK_STATUS(sarrus_file_commit(file), SARRUS_IO);
  } else {
    CHECK_INT(sarrus_file_bytes(file), size);
  }
  sarrus_file_free(file);
  return status;
}

TEST(whole_or_not_at_all) {
  static Disk disk;
  static char text[150000];
  fill(text, sizeof text);
  for (long n = 1;; n++) {
    disk = (Disk){.target = "old", .target_size = 3, .failing = n};
    const sarrus_Status status = write_all(&disk, text, sizeof text);
    CHECK(!disk.has_temporary && !disk.open);
    if (disk.calls < n) {
      CHECK_OK(status);
      CHECK_INT(disk.target_size, sizeof text);
      CHECK(memcmp(disk.target, text, sizeof text) == 0);
      CHECK(disk.named);
      CHECK(n > 8);
      break;
    }
    CHECK_STATUS(status, SARRUS_IO);
    if (disk.named) { /* the last call of all: it is there, but may not be on the disk */
      CHECK_INT(disk.target_size, sizeof text);
      continue;
    }
    CHECK_INT(disk.target_size, 3);
    CHECK(memcmp(disk.target, "old", 3) == 0);
  }
}

TEST(what_is_not_committed_leaves_nothing) {
  static Disk disk;
  const sarrus_FileCalls calls = calls_of(&disk);
  sarrus_File *file;
  int error;
  disk = (Disk){.target = "old", .target_size = 3};
  REQUIRE_OK(sarrus_file_open(sarrus_memory_default(), &calls, "no/where", &file, &error));
  CHECK_OK(sarrus_file_write(file, "text", 4));
  CHECK(disk.has_temporary);
  sarrus_file_free(file);
  CHECK(!disk.has_temporary && !disk.open);
  CHECK_INT(disk.target_size, 3);
  sarrus_file_free(NULL);
}

static sarrus_Status open_real(const char *path, int *error) {
  sarrus_File *file;
  const sarrus_Status status = sarrus_file_open(sarrus_memory_default(), NULL, path, &file, error);
  CHECK((file != NULL) == (status == SARRUS_OK));
  sarrus_file_free(file);
  return status;
}

TEST(paths_that_cannot_be) {
  int error;
  CHECK_STATUS(open_real("", &error), SARRUS_IO);
  CHECK_INT(error, ENOENT);
  CHECK_STATUS(open_real("/", &error), SARRUS_IO);
  CHECK_INT(error, EISDIR);
  CHECK_STATUS(open_real("/nowhere/at/all", &error), SARRUS_IO);
  CHECK_INT(error, ENOENT);
}

/* What was readable for some stays so, and for no one else. */
TEST(modes_stay) {
  static const mode_t modes[] = {0600, 0640, 0666, 0755};
  const char *path = "build/mode_of_a_file";
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    struct stat found;
    sarrus_File *file;
    int error;
    FILE *old = fopen(path, "w");
    REQUIRE(old != NULL && fputs("old", old) >= 0 && fclose(old) == 0);
    REQUIRE(chmod(path, modes[i]) == 0);
    REQUIRE_OK(sarrus_file_open(sarrus_memory_default(), NULL, path, &file, &error));
    REQUIRE(stat("build/mode_of_a_file.tmp", &found) == 0);
    CHECK_INT(found.st_mode & 07777, modes[i]); /* before anything is in it */
    CHECK_OK(sarrus_file_write(file, "new!", 4));
    CHECK_OK(sarrus_file_commit(file));
    sarrus_file_free(file);
    REQUIRE(stat(path, &found) == 0);
    CHECK_INT(found.st_mode & 07777, modes[i]);
    CHECK_INT(found.st_size, 4);
    CHECK_INT(remove(path), 0);
  }
}

TEST(memory_that_fails) {
  TestMemory m;
  sarrus_File *file;
  int error;
  const sarrus_Memory memory = test_memory_failing(&m, 1);
  CHECK_STATUS(sarrus_file_open(memory, NULL, "x", &file, &error), SARRUS_NOMEM);
  CHECK(file == NULL);
  CHECK_INT(m.blocks, 0);
}
