/*
** Ensembles: many simulations, each driven to the same time, by several threads; of each, rows of
** expressions of its state: one of the end, or those of the instants t0 + k every.
**
** A run is a copy of a simulation that stands at its start; those of one ensemble have one system
** and one object of events.  Each run is driven by one thread from its start to its end, as it
** would be alone: its rows depend neither on other runs nor on threads.
**
** An ensemble is called by one thread.  Its memory serves several at once, as the default does.
*/
#ifndef SARRUS_ENSEMBLE_H
#define SARRUS_ENSEMBLE_H

#include "sarrus/recorder.h"

typedef struct sarrus_Ensemble sarrus_Ensemble;

enum { SARRUS_MOST_THREADS = 1024 };

typedef struct sarrus_EnsembleSpec {
  int runs;                  /* how many there may be */
  double t_end;              /* to which each is driven */
  const sarrus_Graph *graph; /* as of recorders; must live until the first run is put */
  int count;
  const sarrus_Expr *exprs;   /* likewise */
  double every;               /* 0: one row, of the end */
  int threads;                /* at least 1: the caller's, which drives runs too while it waits */
  int events;                 /* of the simulations */
  const unsigned char *stop;  /* per event, 1: a run ends at it; NULL: all do */
  int (*cancelled)(void *ud); /* asked in the caller's thread only; 1 ends all runs [never] */
  void *ud;
} sarrus_EnsembleSpec;

/* ARGUMENT, LIMIT, NOMEM. */
SARRUS_API sarrus_Status sarrus_ensemble_new(sarrus_Memory memory, const sarrus_EnsembleSpec *spec,
                                             sarrus_Ensemble **ensemble);
/* Ends runs that are under way. */
SARRUS_API void sarrus_ensemble_free(sarrus_Ensemble *ensemble);

/*
** Run `run`, from 0, is a copy of this simulation.  Where enough runs wait, the caller drives some
** of them meanwhile, which end in sarrus_ensemble_wait.  ARGUMENT: the run was put already, or the
** expressions have symbols that there are not; NOMEM; CANCELLED.
*/
SARRUS_API sarrus_Status sarrus_ensemble_put(sarrus_Ensemble *ensemble, int run,
                                             const sarrus_Sim *sim);
/*
** The same with the simulation itself, which is the ensemble's from then on, unless this fails.
** Its memory has to serve several threads.
*/
SARRUS_API sarrus_Status sarrus_ensemble_take(sarrus_Ensemble *ensemble, int run, sarrus_Sim *sim);
/* Until all that were put are done, or CANCELLED. */
SARRUS_API sarrus_Status sarrus_ensemble_wait(sarrus_Ensemble *ensemble);

/* A run that is done and has not been told yet; -1 if there is none. */
SARRUS_API int sarrus_ensemble_done(sarrus_Ensemble *ensemble);
/*
** Of a run that is done: OK; STOPPED at an event; or why it failed, CANCELLED too.  ARGUMENT for
** others.
*/
SARRUS_API sarrus_Status sarrus_ensemble_status(const sarrus_Ensemble *ensemble, int run);
/*
** Its rows, each the time and the values; of one that failed those up to there, without `every` the
** time that it reached and NaN.  NULL: there are none, or it is not done.
*/
SARRUS_API const double *sarrus_ensemble_rows(const sarrus_Ensemble *ensemble, int run, int *count);
/*
** The simulation of a run that failed, at its last good state: once, and the caller's from then on.
** NULL for others.
*/
SARRUS_API sarrus_Sim *sarrus_ensemble_failed(sarrus_Ensemble *ensemble, int run);

#endif
