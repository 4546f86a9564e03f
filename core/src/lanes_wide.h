/*
** Lanes of eight, for AVX-512, where the compiler can make them for one part of a program: all that
** follows.  Vectors of eight are in memory with less.
*/
#ifndef SARRUS_LANES_WIDE_H
#define SARRUS_LANES_WIDE_H

#include "lanes.h"

#if LANES_HAVE_EIGHT
#pragma GCC target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")
#define LANES_WIDTH 8
#define LANES_CLONES
#define LANES_NAME(name) name##_8
#endif

#endif
