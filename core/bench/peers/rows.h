/*
** Timing and rows, shared by the peers (C and C++):  problem|program|setting|CPU ms|error|steps.
*/
#ifndef ROWS_H
#define ROWS_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* CPU time of the calling thread. */
static inline double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/*
** Timer timer = {0}; while (timer_again(&timer)) { prepare; timer_start(&timer); run;
** timer_stop(&timer); } Afterwards timer.ms is the least time of a run.  Long runs are not
** repeated.
*/
typedef struct Timer {
  double ms, from, began;
  int count;
} Timer;

static inline int timer_again(Timer *timer) {
  if (timer->count == 0) timer->began = now_ms();
  const double total = now_ms() - timer->began;
  return total < 60 || (timer->count < 3 && total < 1000);
}

static inline void timer_start(Timer *timer) { timer->from = now_ms(); }

static inline void timer_stop(Timer *timer) {
  const double ms = now_ms() - timer->from;
  timer->ms = timer->count++ > 0 ? fmin(timer->ms, ms) : ms;
}

typedef struct Outcome {
  double ms, error;
} Outcome;

/* Errors beyond use are not worth a row; a run that failed has the error NAN. */
static inline Outcome row(const char *problem, const char *program, const char *setting, double ms,
                          double error, long steps) {
  const Outcome outcome = {ms, error};
  if (error < 1) printf("%s|%s|%s|%.5g|%.2e|%ld\n", problem, program, setting, ms, error, steps);
  fflush(stdout);
  return outcome;
}

/* The larger one; unlike fmax, it keeps NAN. */
static inline double worse(double a, double b) { return a >= b || isnan(a) ? a : b; }

/* The largest difference from what is known. */
static inline double apart(const double *x, const double *known, int count) {
  double worst = 0;
  for (int i = 0; i < count; i++)
    worst = worse(worst, fabs(x[i] - known[i]));
  return worst;
}

/* --- what is known at the end; see ../mechanisms.lua ----------------------------------------- */

typedef struct Chain {
  int rods;
  double t, end[2];
} Chain;

static const Chain chains[] = {
    {1, 1, {-0.99996658807186811, -0.0081745177170818237}},
    {10, 1, {7.5272290155603709, -4.9062623197149913}},
    {100, 0.1, {99.998435348544803, -0.049049999999999976}},
    {1000, 0.1, {999.99912495620993, -0.049050000000000024}},
    {10000, 0.1, {9999.9995742573392, -0.04905}},
};
enum { CHAINS = sizeof chains / sizeof *chains };

static inline void chain_name(char *name, size_t size, const Chain *chain) {
  snprintf(name, size, "chain-%d", chain->rods);
}

/* The four-bar: joints B and C after 10 s. */
static const double four_bar_end[4] = {0.743160712416, 0.669112961705, 2.41201423264670,
                                       2.15737635506417};
/* The arm: its hand after 1 s. */
static const double arm_end[3] = {-0.2771114873201, 0.1933751384552, 0.1252826407991};
/* The Stewart platform: the middle of the platform after 1 s. */
static const double stewart_end[3] = {0.0123058389349141, -0.0065657764316989, 0.9879318379195375};

/* --- numbers of the arm and of the Stewart platform ------------------------------------------ */

typedef struct Link {
  double length, mass;
  char axis; /* of the joint before it */
  double rate;
} Link;

static const Link arm_links[6] = {{0.4, 8, 'z', 1}, {0.5, 6, 'y', 0.5}, {0.4, 4, 'y', -0.7},
                                  {0.2, 2, 'z', 2}, {0.2, 1, 'y', 1},   {0.1, 0.5, 'z', -1}};

static inline double link_across(const Link *l) {
  return l->mass * (l->length * l->length / 12 + 0.05 * 0.05 / 4);
}
static inline double link_along(const Link *l) { return l->mass * 0.05 * 0.05 / 2; }

static const double stewart_base[6] = {50, 70, 170, 190, 290, 310};
static const double stewart_top[6] = {10, 110, 130, 230, 250, 350};

/*
** Leg i of the Stewart platform, from 0: its foot, its ball, and the two axes of its universal
** joint.
*/
static inline void stewart_leg(int i, double *low, double *high, double *across, double *other) {
  const double degree = acos(-1.0) / 180;
  low[0] = cos(stewart_base[i] * degree), low[1] = sin(stewart_base[i] * degree), low[2] = 0;
  high[0] = 0.5 * cos(stewart_top[i] * degree), high[1] = 0.5 * sin(stewart_top[i] * degree);
  high[2] = 1;
  const double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
  across[0] = -y, across[1] = x, across[2] = 0;
  other[0] = -x * z, other[1] = -y * z, other[2] = x * x + y * y;
}

static inline double stewart_force(int i, double length, double speed, double t) {
  return -5000 * length - 100 * speed + 100 * sin(5 * t + i + 1);
}

#endif
