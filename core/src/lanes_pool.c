/*
** Simulations under way, seated in groups of lanes.  All of a group eliminate in one order; one
** whose order changes, or that cannot go on in lanes, leaves its seat, and looks for another after
** its next step.
*/
#include <math.h>
#include <string.h>

#include "lanes.h"

/* Groups: full ones, and one for each order of elimination (double pendulum as a model: 16). */
enum { MOST_GROUPS = 64 };

typedef struct Seat {
  sarrus_Sim *sim; /* NULL: free */
  int number;
  int over; /* it is at its end */
  sarrus_Status status;
  int group, lane; /* NONE: in none */
  Ending ending;   /* of the step under way */
} Seat;

/* Those that go side by side. */
typedef struct Company {
  LaneStep *lanes; /* or NULL */
  int count;
  Seat *seat[LANES_WIDEST]; /* or NULL */
} Company;

struct LanePool {
  sarrus_Memory memory;
  const LaneKind *kind;
  double t_end;
  int most, count, over;
  int suits; /* the system */
  Company group[MOST_GROUPS];
  Seat seat[];
};

static size_t bytes_of(int most) { return sizeof(LanePool) + (size_t)most * sizeof(Seat); }

LanePool *lanes_pool_new(sarrus_Memory memory, const LaneKind *kind, const sarrus_Sim *like,
                         double t_end, int most) {
  LanePool *pool = memory.alloc(memory.ud, NULL, 0, bytes_of(most));
  if (pool == NULL) return NULL;
  memset((void *)pool, 0, bytes_of(most));
  pool->memory = memory;
  pool->kind = kind;
  pool->t_end = t_end;
  pool->most = most;
  pool->suits = most > 1 && lanes_suit_system(like->system, like->maker.capacity);
  return pool;
}

void lanes_pool_free(LanePool *pool) {
  if (pool == NULL) return;
  for (int i = 0; i < MOST_GROUPS; i++)
    pool->kind->release(pool->group[i].lanes);
  pool->memory.alloc(pool->memory.ud, pool, bytes_of(pool->most), 0);
}

int lanes_pool_count(const LanePool *pool) { return pool->count; }
int lanes_pool_has_room(const LanePool *pool) { return pool->count < pool->most; }

/* --- seats ------------------------------------------------------------------------------- */

static void leave_lane(LanePool *pool, Seat *seat) {
  if (seat->group == SARRUS_NONE) return;
  Company *group = &pool->group[seat->group];
  pool->kind->put(group->lanes, seat->lane, NULL);
  group->seat[seat->lane] = NULL;
  group->count--;
  seat->group = SARRUS_NONE;
}

/* Whoever goes on with it after an event or a failure finds it whole. */
static void end(LanePool *pool, Seat *seat, sarrus_Status status) {
  leave_lane(pool, seat);
  if (status != SARRUS_OK) maker_stand(&seat->sim->maker);
  seat->status = sim_leave(seat->sim, status);
  seat->over = 1;
  pool->over++;
}

/* A group for its order that has a free lane, or one that has nobody; or NONE. */
static sarrus_Status find_group(LanePool *pool, const sarrus_Sim *sim, int *index) {
  int empty = SARRUS_NONE;
  for (int i = 0; i < MOST_GROUPS; i++) {
    const Company *group = &pool->group[i];
    if (group->lanes != NULL && group->count < pool->kind->width &&
        pool->kind->fit(group->lanes, sim)) {
      *index = i;
      return SARRUS_OK;
    }
    if (group->count == 0 && (empty == SARRUS_NONE || group->lanes == NULL)) empty = i;
  }
  *index = empty;
  if (empty == SARRUS_NONE) return SARRUS_OK;
  pool->kind->release(pool->group[empty].lanes);
  pool->group[empty].lanes = pool->kind->create(pool->memory, sim);
  return pool->group[empty].lanes == NULL ? SARRUS_NOMEM : SARRUS_OK;
}

static void sit_down(LanePool *pool, Seat *seat, int index) {
  Company *group = &pool->group[index];
  int lane = 0;
  while (group->seat[lane] != NULL)
    lane++;
  group->seat[lane] = seat;
  group->count++;
  seat->group = index;
  seat->lane = lane;
  pool->kind->put(group->lanes, lane, seat->sim);
}

/* Seat it, if it suits and there is a lane for it. */
static sarrus_Status find_lane(LanePool *pool, Seat *seat) {
  int index;
  if (!pool->suits || !lanes_suit(seat->sim)) return SARRUS_OK;
  SARRUS_TRY(find_group(pool, seat->sim, &index));
  if (index == SARRUS_NONE) return SARRUS_OK;
  sit_down(pool, seat, index);
  return SARRUS_OK;
}

/* By itself, from a step that is to be made on, until it has a lane or is at its end. */
static void go_alone(LanePool *pool, Seat *seat) {
  sarrus_Sim *sim = seat->sim;
  for (;;) {
    int over = 0, stop;
    sarrus_Status status = find_lane(pool, seat);
    if (seat->group != SARRUS_NONE) return;
    if (status >= 0) {
      status = sim_make_step(sim, &stop);
      sim->counted++;
    }
    if (status >= 0) status = sim_next_step(sim, pool->t_end, &over);
    if (status >= 0 && !over) continue;
    end(pool, seat, status);
    return;
  }
}

void lanes_pool_add(LanePool *pool, sarrus_Sim *sim, int number) {
  int over;
  Seat *seat = pool->seat;
  while (seat->sim != NULL)
    seat++;
  *seat = (Seat){.sim = sim, .number = number, .group = SARRUS_NONE, .lane = SARRUS_NONE};
  pool->count++;
  sarrus_Status status = sim_enter(sim);
  if (status < 0) {
    seat->status = status;
    seat->over = 1;
    pool->over++;
    return;
  }
  status = sim_set_out(sim, pool->t_end, &over);
  if (status >= 0 && !over) status = sim_next_step(sim, pool->t_end, &over);
  if (over || status < 0)
    end(pool, seat, status);
  else
    go_alone(pool, seat);
}

int lanes_pool_take(LanePool *pool, sarrus_Status *status) {
  if (pool->over == 0) return SARRUS_NONE;
  Seat *seat = pool->seat;
  while (!seat->over)
    seat++;
  const int number = seat->number;
  *status = seat->status;
  *seat = (Seat){.sim = NULL};
  pool->count--;
  pool->over--;
  return number;
}

/* --- steps ------------------------------------------------------------------------------- */

/*
** Whether the second half of a step can be made in a lane.  A search for a pole leaves the matrix
** elsewhere, and may have chosen another order of elimination.
*/
static int lands_in_lane(const LanePool *pool, const Company *group, const Seat *seat) {
  const Maker *maker = &seat->sim->maker;
  return maker->ahead.what == AHEAD_TAKEN && !maker->method.of_span && maker->near.through == 0 &&
         !maker->astray && !seat->ending.ends && !maker_vanishes(maker, seat->ending.h, 0) &&
         lanes_suit(seat->sim) && pool->kind->fit(group->lanes, seat->sim);
}

/* The first halves of steps; h: those to be ended in lanes. */
static void begin_steps(LanePool *pool, const Company *group, double *h) {
  for (int lane = 0; lane < pool->kind->width; lane++) {
    Seat *seat = group->seat[lane];
    h[lane] = 0;
    if (seat == NULL) continue;
    const sarrus_Status status = sim_begin_step(seat->sim, &seat->ending);
    if (status < 0)
      end(pool, seat, status);
    else if (lands_in_lane(pool, group, seat))
      h[lane] = seat->ending.h;
  }
}

static void end_steps(LanePool *pool, const Company *group) {
  for (int lane = 0; lane < pool->kind->width; lane++) {
    Seat *seat = group->seat[lane];
    int over = 0;
    if (seat == NULL) continue;
    sarrus_Status status = sim_end_step(seat->sim, &seat->ending);
    if (status >= 0) {
      sim_note(seat->sim);
      seat->sim->counted++;
      status = sim_next_step(seat->sim, pool->t_end, &over);
    }
    if (status < 0 || over) {
      end(pool, seat, status);
    } else if (!lanes_suit(seat->sim) || !pool->kind->fit(group->lanes, seat->sim)) {
      leave_lane(pool, seat);
      go_alone(pool, seat);
    }
  }
}

static Seat *first_seat(const Company *group) {
  int lane = 0;
  while (group->seat[lane] == NULL)
    lane++;
  return group->seat[lane];
}

static int is_alike(const LanePool *pool, const Company *group, const Company *other) {
  return other->count > 0 && pool->kind->fit(group->lanes, first_seat(other)->sim);
}

/* How many could go in a group, those of all of its order being in it. */
static int count_alike(const LanePool *pool, const Company *group) {
  int count = group->count;
  for (int i = 0; i < MOST_GROUPS && group->count > 0 && count < pool->kind->width; i++)
    if (&pool->group[i] != group && is_alike(pool, group, &pool->group[i]))
      count += pool->group[i].count;
  return count < pool->kind->width ? count : pool->kind->width;
}

/* The group that fills most lanes. */
static Company *choose_group(LanePool *pool) {
  Company *best = pool->group;
  int most = 0;
  for (int i = 0; i < MOST_GROUPS; i++)
    if (pool->group[i].count == pool->kind->width) return &pool->group[i];
  for (int i = 0; i < MOST_GROUPS && most < pool->kind->width; i++) {
    const int count = count_alike(pool, &pool->group[i]);
    if (count <= most) continue;
    most = count;
    best = &pool->group[i];
  }
  return best;
}

/*
** Those of other groups of its order come to a group that steps: runs that end leave gaps, and new
** ones seldom have the order of the group where there is one.  Without this a double pendulum as a
** model has 7.1 in lanes of eight.
*/
static void fill_up(LanePool *pool, Company *group) {
  for (int i = 0; i < MOST_GROUPS && group->count < pool->kind->width; i++) {
    Company *other = &pool->group[i];
    if (other == group || !is_alike(pool, group, other)) continue;
    while (other->count > 0 && group->count < pool->kind->width) {
      Seat *seat = first_seat(other);
      leave_lane(pool, seat);
      sit_down(pool, seat, (int)(group - pool->group));
    }
  }
}

void lanes_pool_step(LanePool *pool) {
  Company *group = choose_group(pool);
  double h[LANES_WIDEST];
  if (group->count == 0) return;
  fill_up(pool, group);
  pool->kind->expand(group->lanes);
  begin_steps(pool, group, h);
  pool->kind->land(group->lanes, h);
  end_steps(pool, group);
}
