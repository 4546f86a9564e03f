/* The mark of a public function.  Everything without it stays inside the library. */
#ifndef SARRUS_EXPORT_H
#define SARRUS_EXPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define SARRUS_API __attribute__((visibility("default")))
#else
#define SARRUS_API
#endif

#endif
