/*
** Files that are written whole or not at all: into a temporary file beside the target, which takes
** the target's name when it is complete and on the disk.  Until then, and after a failure, whatever
** had that name stays as it was; its mode stays in any case.  Devices, pipes and links are written
** to directly.
*/
#ifndef SARRUS_FILE_H
#define SARRUS_FILE_H

#include "sarrus/memory.h"
#include "sarrus/status.h"

typedef struct sarrus_File sarrus_File;

/* The way to the disk.  Each call answers 0, or a value of errno. */
typedef struct sarrus_FileCalls {
  void *ud;
  int (*open)(void *ud, const char *path, int fresh,
              void **stream); /* fresh: EEXIST if it is there */
  int (*like)(void *ud, void *stream,
              const char *path); /* the mode of what is there, if there is */
  int (*write)(void *ud, void *stream, const char *data, size_t size);
  int (*sync)(void *ud, void *stream); /* all that was written is on the disk */
  int (*close)(void *ud, void *stream);
  int (*rename)(void *ud, const char *from, const char *to);
  int (*sync_folder)(void *ud, const char *folder); /* and so are the names in it */
  int (*remove)(void *ud, const char *path);
} sarrus_FileCalls;

/* calls = NULL: the C library's.  IO: *error is a value of errno.  NOMEM. */
SARRUS_API sarrus_Status sarrus_file_open(sarrus_Memory memory, const sarrus_FileCalls *calls,
                                          const char *path, sarrus_File **file, int *error);
/* Leaves nothing behind unless it was committed. */
SARRUS_API void sarrus_file_free(sarrus_File *file);

/*
** Room for up to SARRUS_FILE_ROOM bytes, of which sarrus_file_wrote then tells how many count; NULL
** after a failure.
*/
enum { SARRUS_FILE_ROOM = 4096 };
SARRUS_API char *sarrus_file_room(sarrus_File *file);
SARRUS_API sarrus_Status sarrus_file_wrote(sarrus_File *file, size_t size);
SARRUS_API sarrus_Status sarrus_file_write(sarrus_File *file, const char *data, size_t size);
/*
** Complete: the target has its name now, also where IO says that its folder could not be brought to
** the disk.
*/
SARRUS_API sarrus_Status sarrus_file_commit(sarrus_File *file);

/* Why it failed, a value of errno, and how many bytes had been written by then. */
SARRUS_API int sarrus_file_error(const sarrus_File *file);
SARRUS_API long long sarrus_file_bytes(const sarrus_File *file);

#endif
