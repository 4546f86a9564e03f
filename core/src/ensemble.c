/*
** Ensembles.  Runs that wait stand in a ring; the threads, and the caller where it has nothing
** better to do, take some of them, which go on side by side (lanes.h), each to its end.
*/
#define _POSIX_C_SOURCE 200809L
#include "sarrus/ensemble.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "implicit.h"
#include "lanes.h"
#include "recorder_parts.h"
#include "sim_parts.h"

/*
** Runs that may wait, per thread: starts are made in bursts.  Runs that a thread has under way: so
** many that lanes are full where runs eliminate in several orders.
*/
enum { WAITING = 4, UNDER_WAY = 24, MOST_RUNS = 1 << 28, MOST_COUNT = 1 << 20 };

/* Seconds after which a caller who waits asks whether to go on. */
static const double PATIENCE = 0.02;

typedef enum Stage { ABSENT, WAITS, DONE } Stage;

typedef struct Run {
  Stage stage;
  sarrus_Status status;
  sarrus_Sim *sim; /* until it is done; after a failure until it is taken */
  sarrus_Rows rows;
  RecorderPlace place;    /* with `every`: of the recorder, while it is under way */
  sarrus_Status recorded; /* the first failure of the recorder */
  struct Driver *driver;
} Run;

/* What a thread has for itself. */
typedef struct Driver {
  sarrus_Ensemble *ensemble;
  sarrus_Recorder *recorder;
  LanePool *pool; /* of its runs that are under way */
  int is_caller;
  pthread_t thread; /* unless it is the caller's */
} Driver;

struct sarrus_Ensemble {
  sarrus_Memory memory;
  sarrus_EnsembleSpec spec;
  const sarrus_System *system;  /* of the first run */
  const sarrus_Events *watched; /* likewise */
  unsigned char *stop;          /* per event */
  Run *run;
  double *end; /* without `every`: a row per run */
  Driver *driver;
  int drivers;          /* that have a recorder */
  int started;          /* of the other threads */
  atomic_int ended;     /* all runs are to end */
  pthread_mutex_t lock; /* for what follows, and the stages of runs */
  pthread_cond_t work, news;
  int leave; /* threads that have nothing to do are to end */
  int *waiting, first, waiting_count, under_way;
  int *done, done_count, told; /* in the order in which they ended */
};

/* --- making ------------------------------------------------------------------------------ */

static int spec_valid(const sarrus_EnsembleSpec *spec) {
  return spec->runs >= 0 && spec->count >= 0 && isfinite(spec->t_end) && spec->every >= 0 &&
         isfinite(spec->every) && spec->threads >= 1 && spec->events >= 0;
}

static void lay_out(sarrus_Ensemble *ensemble, Block *block) {
  const sarrus_EnsembleSpec *spec = &ensemble->spec;
  block_take(block, 1, sizeof *ensemble);
  BLOCK_TAKE(block, ensemble->stop, spec->events + 1);
  BLOCK_TAKE(block, ensemble->run, spec->runs + 1);
  BLOCK_TAKE(block, ensemble->driver, spec->threads);
  BLOCK_TAKE(block, ensemble->waiting, WAITING * spec->threads);
  BLOCK_TAKE(block, ensemble->done, spec->runs + 1);
  const size_t width = (size_t)spec->count + 1;
  BLOCK_TAKE(block, ensemble->end, spec->every > 0 ? 1 : (size_t)spec->runs * width + 1);
}

static size_t bytes_of(const sarrus_EnsembleSpec *spec) {
  sarrus_Ensemble shape = {.spec = *spec};
  Block block = {NULL, 0};
  lay_out(&shape, &block);
  return block.used;
}

sarrus_Status sarrus_ensemble_new(sarrus_Memory memory, const sarrus_EnsembleSpec *spec,
                                  sarrus_Ensemble **result) {
  *result = NULL;
  if (!spec_valid(spec)) return SARRUS_ARGUMENT;
  if (spec->runs > MOST_RUNS || spec->count > MOST_COUNT || spec->events > MOST_COUNT ||
      spec->threads > SARRUS_MOST_THREADS)
    return SARRUS_LIMIT;
  const size_t bytes = bytes_of(spec);
  sarrus_Ensemble *ensemble = memory.alloc(memory.ud, NULL, 0, bytes);
  if (ensemble == NULL) return SARRUS_NOMEM;
  memset(ensemble, 0, bytes);
  ensemble->memory = memory;
  ensemble->spec = *spec;
  lay_out(ensemble, &(Block){(char *)ensemble, 0});
  for (int i = 0; i < spec->events; i++)
    ensemble->stop[i] = spec->stop == NULL || spec->stop[i];
  for (int i = 0; i < spec->runs; i++)
    ensemble->run[i].rows = (sarrus_Rows){.memory = memory, .width = spec->count + 1};
  atomic_init(&ensemble->ended, 0);
  pthread_mutex_init(&ensemble->lock, NULL);
  pthread_cond_init(&ensemble->work, NULL);
  pthread_cond_init(&ensemble->news, NULL);
  *result = ensemble;
  return SARRUS_OK;
}

/* --- one run ----------------------------------------------------------------------------- */

/* The rows of the instants that were passed. */
static void feed(Run *run, int here) {
  sarrus_Recorder *recorder = run->driver->recorder;
  recorder_go_on(recorder, &run->place);
  const sarrus_Status status = sarrus_recorder_feed(recorder, here);
  run->place = recorder_place(recorder);
  if (status < 0 && run->recorded >= 0) run->recorded = status;
}

/* Whether runs are to end; the caller asks whom it was told to ask. */
static int is_over(Driver *driver) {
  sarrus_Ensemble *ensemble = driver->ensemble;
  const sarrus_EnsembleSpec *spec = &ensemble->spec;
  if (driver->is_caller && spec->cancelled != NULL && spec->cancelled(spec->ud))
    atomic_store(&ensemble->ended, 1);
  return atomic_load(&ensemble->ended);
}

static int between_steps(void *ud) {
  Run *run = ud;
  if (run->driver->ensemble->spec.every > 0) feed(run, 0);
  return run->recorded < 0 || is_over(run->driver);
}

static sarrus_Status put_end(void *ud, const double *row) {
  Run *run = ud;
  memcpy(run->rows.numbers, row, (size_t)run->rows.width * sizeof *row);
  run->rows.count = 1;
  return SARRUS_OK;
}

/* The row of the end, or, of a run that failed, of nothing but its time. */
static sarrus_Status write_end(Run *run, sarrus_Status status) {
  if (status >= 0) return sarrus_recorder_mark(run->driver->recorder, 1);
  for (int k = 1; k < run->rows.width; k++)
    run->rows.numbers[k] = (double)NAN;
  run->rows.numbers[0] = sarrus_sim_time(run->sim);
  run->rows.count = 1;
  return SARRUS_OK;
}

static sarrus_Status follow(Run *run, sarrus_Sink sink) {
  sarrus_Recorder *recorder = run->driver->recorder;
  recorder_follow(recorder, run->sim);
  const sarrus_Status status = sarrus_recorder_add_sink(recorder, sink);
  run->place = recorder_place(recorder);
  return status;
}

static void begin(Driver *driver, int index) {
  sarrus_Ensemble *ensemble = driver->ensemble;
  Run *run = &ensemble->run[index];
  run->driver = driver;
  run->recorded = SARRUS_OK;
  run->sim->counted = 0;
  sarrus_sim_on_cancel(run->sim, between_steps, run);
  if (ensemble->spec.every > 0) {
    run->recorded = follow(run, (sarrus_Sink){sarrus_rows_put, &run->rows});
    feed(run, 1);
  } else {
    run->rows.numbers = ensemble->end + (size_t)index * (size_t)run->rows.width;
  }
  lanes_pool_add(driver->pool, run->sim, index);
}

static sarrus_Status finish(Run *run, sarrus_Status status) {
  if (run->driver->ensemble->spec.every > 0) {
    feed(run, 1);
  } else if (run->recorded >= 0) {
    run->recorded = follow(run, (sarrus_Sink){put_end, run});
    if (run->recorded >= 0) run->recorded = write_end(run, status);
  }
  sarrus_sim_on_cancel(run->sim, NULL, NULL);
  if (run->recorded >= 0) return status;
  maker_stand(&run->sim->maker); /* it is kept */
  return run->recorded;
}

/* Take the first run that waits, or -1; the lock is held. */
static int take(sarrus_Ensemble *ensemble) {
  if (ensemble->waiting_count == 0) return -1;
  const int index = ensemble->waiting[ensemble->first];
  ensemble->first = (ensemble->first + 1) % (WAITING * ensemble->spec.threads);
  ensemble->waiting_count--;
  ensemble->under_way++;
  return index;
}

/* The lock is held. */
static void note_done(sarrus_Ensemble *ensemble, int index, sarrus_Status status) {
  Run *run = &ensemble->run[index];
  run->status = status;
  run->stage = DONE;
  ensemble->under_way--;
  ensemble->done[ensemble->done_count++] = index;
  pthread_cond_signal(&ensemble->news);
}

/* Whether a run that has stopped at an event goes on. */
static int goes_on(const Run *run, sarrus_Status status) {
  int direction;
  return status == SARRUS_STOPPED &&
         !run->driver->ensemble->stop[sarrus_sim_event(run->sim, &direction)];
}

/* Runs that are at their end; the lock is held before and after that. */
static void collect(Driver *driver) {
  sarrus_Ensemble *ensemble = driver->ensemble;
  sarrus_Status status;
  int index;
  pthread_mutex_unlock(&ensemble->lock);
  while ((index = lanes_pool_take(driver->pool, &status)) != SARRUS_NONE) {
    Run *run = &ensemble->run[index];
    if (goes_on(run, status)) {
      lanes_pool_add(driver->pool, run->sim, index);
      continue;
    }
    status = finish(run, status);
    if (status >= 0) {
      sarrus_sim_free(run->sim);
      run->sim = NULL;
    }
    pthread_mutex_lock(&ensemble->lock);
    note_done(ensemble, index, status);
    pthread_mutex_unlock(&ensemble->lock);
  }
  pthread_mutex_lock(&ensemble->lock);
}

/*
** Take one more run, or make a step of those that are under way; 0: there is nothing to do.  The
** lock is held before and after that.
*/
static int perform(Driver *driver) {
  sarrus_Ensemble *ensemble = driver->ensemble;
  const int index = lanes_pool_has_room(driver->pool) ? take(ensemble) : SARRUS_NONE;
  if (index < 0 && lanes_pool_count(driver->pool) == 0) return 0;
  pthread_mutex_unlock(&ensemble->lock);
  const int over = index >= 0 && is_over(driver);
  if (index < 0)
    lanes_pool_step(driver->pool);
  else if (!over)
    begin(driver, index);
  pthread_mutex_lock(&ensemble->lock);
  if (over) note_done(ensemble, index, SARRUS_CANCELLED);
  collect(driver);
  return 1;
}

/* --- threads ----------------------------------------------------------------------------- */

static void *serve(void *ud) {
  Driver *driver = ud;
  sarrus_Ensemble *ensemble = driver->ensemble;
  pthread_mutex_lock(&ensemble->lock);
  for (;;) {
    if (perform(driver)) continue;
    if (ensemble->leave) break;
    pthread_cond_wait(&ensemble->work, &ensemble->lock);
  }
  pthread_mutex_unlock(&ensemble->lock);
  return NULL;
}

/* Signals stay with the caller's threads.  Fewer threads than asked for will do. */
static void start_threads(sarrus_Ensemble *ensemble) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (int i = 1; i < ensemble->spec.threads; i++) {
    if (pthread_create(&ensemble->driver[i].thread, NULL, serve, &ensemble->driver[i]) != 0) break;
    ensemble->started++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_threads(sarrus_Ensemble *ensemble) {
  pthread_mutex_lock(&ensemble->lock);
  ensemble->leave = 1;
  pthread_cond_broadcast(&ensemble->work);
  pthread_mutex_unlock(&ensemble->lock);
  for (int i = 1; i <= ensemble->started; i++)
    pthread_join(ensemble->driver[i].thread, NULL);
  ensemble->started = ensemble->leave = 0;
}

void sarrus_ensemble_free(sarrus_Ensemble *ensemble) {
  if (ensemble == NULL) return;
  const sarrus_EnsembleSpec spec = ensemble->spec;
  atomic_store(&ensemble->ended, 1);
  end_threads(ensemble);
  for (int i = 0; i < ensemble->drivers; i++) {
    sarrus_recorder_free(ensemble->driver[i].recorder);
    lanes_pool_free(ensemble->driver[i].pool);
  }
  for (int i = 0; i < spec.runs; i++) {
    sarrus_sim_free(ensemble->run[i].sim);
    if (spec.every > 0) sarrus_rows_release(&ensemble->run[i].rows);
  }
  pthread_cond_destroy(&ensemble->news);
  pthread_cond_destroy(&ensemble->work);
  pthread_mutex_destroy(&ensemble->lock);
  ensemble->memory.alloc(ensemble->memory.ud, ensemble, bytes_of(&spec), 0);
}

/* --- putting ----------------------------------------------------------------------------- */

/*
** With the first run: a recorder for each thread, and what the system would compile later, from
** memory that need not serve several threads.
*/
static sarrus_Status prepare(sarrus_Ensemble *ensemble, const sarrus_Sim *sim) {
  const sarrus_EnsembleSpec *spec = &ensemble->spec;
  const sarrus_RecorderSpec columns = {.graph = spec->graph,
                                       .count = spec->count,
                                       .exprs = spec->exprs,
                                       .every = spec->every > 0 ? spec->every : 1};
  const LaneKind *kind = lanes_kind(LANES_WIDEST);
  const int share = (spec->runs + spec->threads - 1) / spec->threads;
  const int most = share < UNDER_WAY * kind->width ? share : UNDER_WAY * kind->width;
  if (sim->maker.options.method != SARRUS_SERIES && spec->threads > 1)
    SARRUS_TRY(equations_share(sim->system));
  for (; ensemble->drivers < spec->threads; ensemble->drivers++) {
    Driver *driver = &ensemble->driver[ensemble->drivers];
    *driver = (Driver){.ensemble = ensemble, .is_caller = ensemble->drivers == 0};
    driver->pool = lanes_pool_new(ensemble->memory, kind, sim, spec->t_end, most);
    if (driver->pool == NULL) return SARRUS_NOMEM;
    const sarrus_Status status =
        sarrus_recorder_new(ensemble->memory, sim, &columns, &driver->recorder);
    if (status >= 0) continue;
    lanes_pool_free(driver->pool);
    driver->pool = NULL;
    return status;
  }
  ensemble->system = sim->system;
  ensemble->watched = sim->events;
  return SARRUS_OK;
}

/* A copy of a simulation in the memory of the ensemble. */
static sarrus_Status copy(sarrus_Ensemble *ensemble, const sarrus_Sim *sim, sarrus_Sim **result) {
  const sarrus_Memory memory = ensemble->memory;
  const size_t size = sarrus_sim_save(sim, NULL, 0, NULL, 0);
  int extras = 0;
  char *record = memory.alloc(memory.ud, NULL, 0, size);
  if (record == NULL) return SARRUS_NOMEM;
  sarrus_sim_save(sim, NULL, 0, record, size);
  const sarrus_Status status =
      sarrus_sim_restore(memory, sim->system, sim->events, record, size, NULL, &extras, result);
  memory.alloc(memory.ud, record, size, 0);
  return status;
}

/* Drive runs until there is room for one more. */
static sarrus_Status make_room(sarrus_Ensemble *ensemble) {
  const int alone = ensemble->started == 0;
  while (ensemble->waiting_count >= (alone ? 1 : WAITING * ensemble->spec.threads))
    perform(&ensemble->driver[0]);
  return atomic_load(&ensemble->ended) ? SARRUS_CANCELLED : SARRUS_OK;
}

static int count_events(const sarrus_Sim *sim) {
  return sim->events == NULL ? 0 : sim->events->count;
}

/* Whether a simulation can be that of a run. */
static sarrus_Status check(sarrus_Ensemble *ensemble, int index, const sarrus_Sim *sim) {
  if (index < 0 || index >= ensemble->spec.runs || ensemble->run[index].stage != ABSENT ||
      !sim->started || count_events(sim) != ensemble->spec.events)
    return SARRUS_ARGUMENT;
  if (ensemble->system == NULL) SARRUS_TRY(prepare(ensemble, sim));
  return sim->system == ensemble->system && sim->events == ensemble->watched ? SARRUS_OK
                                                                             : SARRUS_ARGUMENT;
}

sarrus_Status sarrus_ensemble_take(sarrus_Ensemble *ensemble, int index, sarrus_Sim *sim) {
  SARRUS_TRY(check(ensemble, index, sim));
  Run *run = &ensemble->run[index];
  run->sim = sim;
  if (ensemble->started == 0) start_threads(ensemble);
  pthread_mutex_lock(&ensemble->lock);
  const sarrus_Status status = make_room(ensemble);
  if (status >= 0) {
    const int room = WAITING * ensemble->spec.threads;
    run->stage = WAITS;
    ensemble->waiting[(ensemble->first + ensemble->waiting_count++) % room] = index;
    pthread_cond_signal(&ensemble->work);
  }
  pthread_mutex_unlock(&ensemble->lock);
  if (status < 0) run->sim = NULL;
  return status;
}

sarrus_Status sarrus_ensemble_put(sarrus_Ensemble *ensemble, int index, const sarrus_Sim *sim) {
  sarrus_Sim *own;
  SARRUS_TRY(check(ensemble, index, sim));
  SARRUS_TRY(copy(ensemble, sim, &own));
  const sarrus_Status status = sarrus_ensemble_take(ensemble, index, own);
  if (status < 0) sarrus_sim_free(own);
  return status;
}

static void wait_a_little(sarrus_Ensemble *ensemble) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(PATIENCE * 1e9);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&ensemble->news, &ensemble->lock, &until);
}

sarrus_Status sarrus_ensemble_wait(sarrus_Ensemble *ensemble) {
  Driver *caller = &ensemble->driver[0];
  if (ensemble->system == NULL) return SARRUS_OK;
  pthread_mutex_lock(&ensemble->lock);
  while (ensemble->waiting_count + ensemble->under_way > 0) {
    if (perform(caller)) continue;
    if (is_over(caller) && ensemble->under_way == 0) break;
    wait_a_little(ensemble);
  }
  pthread_mutex_unlock(&ensemble->lock);
  end_threads(ensemble);
  return atomic_load(&ensemble->ended) ? SARRUS_CANCELLED : SARRUS_OK;
}

/* --- asking ------------------------------------------------------------------------------ */

static int is_done(const sarrus_Ensemble *ensemble, int index) {
  if (index < 0 || index >= ensemble->spec.runs) return 0;
  pthread_mutex_t *lock = (pthread_mutex_t *)&ensemble->lock;
  pthread_mutex_lock(lock);
  const int done = ensemble->run[index].stage == DONE;
  pthread_mutex_unlock(lock);
  return done;
}

int sarrus_ensemble_done(sarrus_Ensemble *ensemble) {
  pthread_mutex_lock(&ensemble->lock);
  const int next =
      ensemble->told < ensemble->done_count ? ensemble->done[ensemble->told++] : SARRUS_NONE;
  pthread_mutex_unlock(&ensemble->lock);
  return next;
}

sarrus_Status sarrus_ensemble_status(const sarrus_Ensemble *ensemble, int index) {
  return is_done(ensemble, index) ? ensemble->run[index].status : SARRUS_ARGUMENT;
}

const double *sarrus_ensemble_rows(const sarrus_Ensemble *ensemble, int index, int *count) {
  *count = 0;
  if (!is_done(ensemble, index)) return NULL;
  *count = ensemble->run[index].rows.count;
  return *count > 0 ? ensemble->run[index].rows.numbers : NULL;
}

sarrus_Sim *sarrus_ensemble_failed(sarrus_Ensemble *ensemble, int index) {
  if (!is_done(ensemble, index)) return NULL;
  sarrus_Sim *sim = ensemble->run[index].sim;
  ensemble->run[index].sim = NULL;
  return sim;
}
