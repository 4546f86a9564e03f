/*
** The version of the library, in one place: the Makefile, the pkg-config file and the Lua module
** take it from here.  The macros are those of the headers a program was compiled with,
** sarrus_version() that of the library it runs with.
*/
#ifndef SARRUS_VERSION_H
#define SARRUS_VERSION_H

#include "sarrus/export.h"

#define SARRUS_VERSION_MAJOR 0
#define SARRUS_VERSION_MINOR 1
#define SARRUS_VERSION_PATCH 0

/* "major.minor.patch" (SARRUS_VERSION is a status) */
#define SARRUS_VERSION_TEXT(major, minor, patch) #major "." #minor "." #patch
#define SARRUS_VERSION_JOIN(major, minor, patch) SARRUS_VERSION_TEXT(major, minor, patch)
#define SARRUS_VERSION_STRING \
  SARRUS_VERSION_JOIN(SARRUS_VERSION_MAJOR, SARRUS_VERSION_MINOR, SARRUS_VERSION_PATCH)

SARRUS_API const char *sarrus_version(void);

#endif
