/*
** The mark of a public function, for C and C++ alike.  Everything without it stays inside the
** library.
**
** Pointers to objects and results are those of something that lives, unless a comment allows NULL.
** Whatever else is out of range - a count, an index, a number, an expression of another graph - is
** answered with ARGUMENT or, where a function answers no status, as its comment says.
*/
#ifndef SARRUS_EXPORT_H
#define SARRUS_EXPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define SARRUS_VISIBLE __attribute__((visibility("default")))
#else
#define SARRUS_VISIBLE
#endif

#ifdef __cplusplus
#define SARRUS_API extern "C" SARRUS_VISIBLE
#else
#define SARRUS_API SARRUS_VISIBLE
#endif

#endif
