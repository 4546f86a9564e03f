/*
** Files that are written whole or not at all: data goes to a temporary file beside the target,
** which takes the target's name when it is committed.
*/
#define _POSIX_C_SOURCE 200809L

#include "sarrus/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

enum { BUFFER = 16 * SARRUS_FILE_ROOM, TEMPORARIES = 100, SUFFIX = 16 };

struct sarrus_File {
  sarrus_Memory memory;
  size_t size; /* bytes of this block of memory */
  sarrus_FileCalls calls;
  void *stream; /* NULL when it is closed */
  int direct;   /* data goes to the target itself, not to a temporary file */
  int error;
  long long bytes;
  size_t pending; /* bytes in the buffer that are not written yet */
  char *path, *temporary;
  char buffer[BUFFER];
};

/* --- the C library ----------------------------------------------------------------------- */

static int why(void) { return errno != 0 ? errno : EIO; }

/*
** Standard output is written through the descriptor that is open already, from its current position
** on: if it is a file, opening that by name would start again at its beginning.
*/
static FILE *open_stream(const char *path, int fresh) {
#if defined(__unix__) || defined(__APPLE__)
  if (strcmp(path, "/dev/stdout") == 0) {
    const int descriptor = dup(STDOUT_FILENO);
    return descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  }
#endif
  return fopen(path, fresh ? "wbx" : "wb");
}

static int stream_open(void *ud, const char *path, int fresh, void **stream) {
  (void)ud;
  errno = 0;
  FILE *file = open_stream(path, fresh);
  if (file == NULL) return why();
  setvbuf(file, NULL, _IONBF, 0);
  *stream = file;
  return 0;
}

static int stream_write(void *ud, void *stream, const char *data, size_t size) {
  (void)ud;
  errno = 0;
  return fwrite(data, 1, size, stream) == size ? 0 : why();
}

static int stream_close(void *ud, void *stream) {
  (void)ud;
  errno = 0;
  return fclose(stream) == 0 ? 0 : why();
}

static int path_rename(void *ud, const char *from, const char *to) {
  (void)ud;
  errno = 0;
  return rename(from, to) == 0 ? 0 : why();
}

static int path_remove(void *ud, const char *path) {
  (void)ud;
  errno = 0;
  return remove(path) == 0 ? 0 : why();
}

#if defined(__unix__) || defined(__APPLE__)
static int stream_like(void *ud, void *stream, const char *path) {
  struct stat target;
  (void)ud;
  if (stat(path, &target) != 0) return 0; /* there is no target yet */
  errno = 0;
  return fchmod(fileno(stream), target.st_mode & 07777) == 0 ? 0 : why();
}

static int stream_sync(void *ud, void *stream) {
  (void)ud;
  errno = 0;
  return fsync(fileno(stream)) == 0 ? 0 : why();
}

/* A file system that cannot sync a folder is no error: its names are as safe as it makes them. */
static int folder_sync(void *ud, const char *folder) {
  (void)ud;
  errno = 0;
  const int descriptor = open(folder, O_RDONLY);
  if (descriptor < 0) return errno == EACCES ? 0 : why();
  const int error = fsync(descriptor) == 0 || errno == EINVAL ? 0 : why();
  close(descriptor);
  return error;
}
#else
static int stream_like(void *ud, void *stream, const char *path) {
  (void)ud, (void)stream, (void)path;
  return 0;
}

static int stream_sync(void *ud, void *stream) {
  (void)ud;
  errno = 0;
  return fflush(stream) == 0 ? 0 : why();
}

static int folder_sync(void *ud, const char *folder) {
  (void)ud, (void)folder;
  return 0;
}
#endif

static const sarrus_FileCalls library_calls = {.open = stream_open,
                                               .like = stream_like,
                                               .write = stream_write,
                                               .sync = stream_sync,
                                               .close = stream_close,
                                               .rename = path_rename,
                                               .sync_folder = folder_sync,
                                               .remove = path_remove};

/* Whether the target must be written directly (it is no regular file); returns 0, or an errno. */
static int look_at(const char *path, int *direct) {
  *direct = 0;
#if defined(__unix__) || defined(__APPLE__)
  struct stat itself, target;
  if (lstat(path, &itself) != 0) return 0;
  *direct = !S_ISREG(itself.st_mode);
  if (stat(path, &target) != 0) return 0;
  if (S_ISDIR(target.st_mode)) return EISDIR;
  if (access(path, W_OK) != 0) return why();
#else
  (void)path;
#endif
  return 0;
}

/* --- opening ----------------------------------------------------------------------------- */

static sarrus_File *new_file(sarrus_Memory memory, const sarrus_FileCalls *calls,
                             const char *path) {
  const size_t length = strlen(path) + 1, size = sizeof(sarrus_File) + 2 * length + SUFFIX;
  sarrus_File *file = memory.alloc(memory.ud, NULL, 0, size);
  if (file == NULL) return NULL;
  file->memory = memory;
  file->size = size;
  file->calls = calls != NULL ? *calls : library_calls;
  file->stream = NULL;
  file->direct = file->error = 0;
  file->bytes = 0;
  file->pending = 0;
  file->path = (char *)(file + 1);
  file->temporary = file->path + length;
  memcpy(file->path, path, length);
  return file;
}

/* Open path.tmp; or path.tmp1 and so on, where another writer has that name. */
static int open_temporary(sarrus_File *file) {
  const size_t length = strlen(file->path);
  int error = EEXIST;
  memcpy(file->temporary, file->path, length);
  for (int i = 0; i < TEMPORARIES && error == EEXIST; i++) {
    if (i == 0)
      snprintf(file->temporary + length, SUFFIX, ".tmp");
    else
      snprintf(file->temporary + length, SUFFIX, ".tmp%d", i);
    error = file->calls.open(file->calls.ud, file->temporary, 1, &file->stream);
  }
  return error;
}

static int open_target(sarrus_File *file) {
  const int error = *file->path == '\0' ? ENOENT : look_at(file->path, &file->direct);
  if (error != 0) return error;
  if (file->direct) return file->calls.open(file->calls.ud, file->path, 0, &file->stream);
  const int opened = open_temporary(file);
  return opened != 0 ? opened : file->calls.like(file->calls.ud, file->stream, file->path);
}

sarrus_Status sarrus_file_open(sarrus_Memory memory, const sarrus_FileCalls *calls,
                               const char *path, sarrus_File **result, int *error) {
  sarrus_File *file = new_file(memory, calls, path);
  *result = NULL;
  *error = 0;
  if (file == NULL) return SARRUS_NOMEM;
  *error = open_target(file);
  if (*error == 0) {
    *result = file;
    return SARRUS_OK;
  }
  sarrus_file_free(file);
  return SARRUS_IO;
}

/* --- writing ----------------------------------------------------------------------------- */

/* Give up: close and remove what was written; only the reason is kept. */
static sarrus_Status fail(sarrus_File *file, int error) {
  file->error = error;
  file->pending = 0;
  if (file->stream != NULL) file->calls.close(file->calls.ud, file->stream);
  file->stream = NULL;
  if (!file->direct) file->calls.remove(file->calls.ud, file->temporary);
  return SARRUS_IO;
}

static sarrus_Status flush(sarrus_File *file) {
  if (file->stream == NULL) return SARRUS_IO;
  const int error = file->pending == 0 ? 0
                                       : file->calls.write(file->calls.ud, file->stream,
                                                           file->buffer, file->pending);
  if (error != 0) return fail(file, error);
  file->bytes += (long long)file->pending;
  file->pending = 0;
  return SARRUS_OK;
}

char *sarrus_file_room(sarrus_File *file) {
  if (BUFFER - file->pending < SARRUS_FILE_ROOM && flush(file) < 0) return NULL;
  return file->stream != NULL ? file->buffer + file->pending : NULL;
}

sarrus_Status sarrus_file_wrote(sarrus_File *file, size_t size) {
  if (size > SARRUS_FILE_ROOM || size > BUFFER - file->pending) return SARRUS_ARGUMENT;
  file->pending += size;
  return SARRUS_OK;
}

sarrus_Status sarrus_file_write(sarrus_File *file, const char *data, size_t size) {
  while (size > 0) {
    const size_t part = size < SARRUS_FILE_ROOM ? size : SARRUS_FILE_ROOM;
    char *room = sarrus_file_room(file);
    if (room == NULL) return SARRUS_IO;
    memcpy(room, data, part);
    SARRUS_TRY(sarrus_file_wrote(file, part));
    data += part;
    size -= part;
  }
  return SARRUS_OK;
}

/* Give the temporary file the target's name, and sync the folder so that the name is on disk. */
static int take_name(sarrus_File *file) {
  char *folder = file->temporary; /* room for a path: the temporary name is not needed any more */
  const int error = file->calls.rename(file->calls.ud, folder, file->path);
  if (error != 0) return error;
  file->direct = 1; /* there is no temporary file to be removed any more */
  const char *last = strrchr(file->path, '/');
  const size_t length = last == NULL ? 0 : last == file->path ? 1 : (size_t)(last - file->path);
  memcpy(folder, length == 0 ? "." : file->path, length == 0 ? 1 : length);
  folder[length == 0 ? 1 : length] = '\0';
  return file->calls.sync_folder(file->calls.ud, folder);
}

sarrus_Status sarrus_file_commit(sarrus_File *file) {
  SARRUS_TRY(flush(file));
  const int synced = file->direct ? 0 : file->calls.sync(file->calls.ud, file->stream);
  if (synced != 0) return fail(file, synced);
  void *stream = file->stream;
  file->stream = NULL;
  int error = file->calls.close(file->calls.ud, stream);
  if (error == 0 && !file->direct) error = take_name(file);
  return error == 0 ? SARRUS_OK : fail(file, error);
}

void sarrus_file_free(sarrus_File *file) {
  if (file == NULL) return;
  if (file->stream != NULL) fail(file, 0);
  file->memory.alloc(file->memory.ud, file, file->size, 0);
}

int sarrus_file_error(const sarrus_File *file) { return file->error; }
long long sarrus_file_bytes(const sarrus_File *file) { return file->bytes; }
