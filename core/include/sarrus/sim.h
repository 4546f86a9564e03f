/*
** Simulations: a system followed through time, expansion by expansion.
**
** A simulation stands at `time`, somewhere in its span, the interval of the present expansion;
** inside it everything is evaluated from the series.  Beyond it, a natural step makes the next
** expansion.  Natural steps depend only on where they start, never on what is asked of them.
**
** A simulation is one block of memory and allocates nothing while it runs (apart from the order of
** elimination of the matrix, where it has to be chosen anew, and what decisions about contacts need
** as more of them touch); its first lock, or force let go, compiles its system once more, and so
** does the first implicit step of all simulations of a system, with the system's memory.  It
** belongs to one thread at a time, and answers BUSY where a second call meets one that is not done;
** its system must live as long.  After a failure it stands at the last good state and can go on.
*/
#ifndef SARRUS_SIM_H
#define SARRUS_SIM_H

#include "sarrus/event.h"
#include "sarrus/system.h"

typedef struct sarrus_Sim sarrus_Sim;

enum { SARRUS_MIN_ORDER = 2, SARRUS_MAX_SIM_ORDER = 60 };

/*
** How steps are made: by series; by implicit stages, which something much faster than the motion
** does not keep short; or by whichever is cheaper.
*/
typedef enum sarrus_Method { SARRUS_AUTO, SARRUS_SERIES, SARRUS_STIFF } sarrus_Method;

/* Zero stands for the default in brackets. */
typedef struct sarrus_SimOptions {
  double tolerance;     /* local error of a step, relative to scale [1e-12]; at least 10 epsilon */
  double scale;         /* least magnitude of a coordinate that errors are compared with [1] */
  int order;            /* K: q to t^(K+1), v to t^K, lambda to t^(K-1) [chosen as it goes] */
  double step;          /* fixed step [chosen as it goes] */
  double max_step;      /* [none] */
  long long max_steps;  /* of one advance [none] */
  sarrus_Method method; /* [AUTO]; STIFF goes with neither an order nor a fixed step */
  int (*cancelled)(void *ud); /* asked before each step of an advance: 1 ends it [never] */
  void *ud;
} sarrus_SimOptions;

typedef struct sarrus_SimStats {
  long long steps, rejected, factorisations;
  long long implicit;           /* of the steps */
  int order;                    /* of the last step */
  double smallest, largest;     /* step */
  double moved, moved_velocity; /* largest correction of the start */
} sarrus_SimStats;

/* What deserves attention but stops nothing. */
typedef struct sarrus_SimNotes {
  long long singular,
      stiff; /* steps next to singular positions; steps that something fast keeps short */
  double singular_at, stiff_at; /* when the last of them began */
  int stiff_column;             /* the coordinate that keeps them short */
  int dependent;                /* how many constraints depend on others now */
} sarrus_SimNotes;

/* `events` may be NULL; ARGUMENT where they name what the system does not have. */
SARRUS_API sarrus_Status sarrus_sim_new(sarrus_Memory memory, const sarrus_System *system,
                                        const sarrus_Events *events,
                                        const sarrus_SimOptions *options, sarrus_Sim **sim);
/* Not from one of its callbacks. */
SARRUS_API void sarrus_sim_free(sarrus_Sim *sim);
SARRUS_API size_t sarrus_sim_bytes(const sarrus_Sim *sim);

/*
** Stand at time t with these positions and velocities, moved as little as possible (in the norm of
** the mass) to where the constraints hold.  INCONSISTENT where that cannot be done, SINGULAR,
** NONFINITE.
*/
SARRUS_API sarrus_Status sarrus_sim_start(sarrus_Sim *sim, double t, const double *q,
                                          const double *v);

/* Before the start: the least magnitude of one coordinate that its errors are compared with. */
SARRUS_API sarrus_Status sarrus_sim_scale(sarrus_Sim *sim, int coordinate, double least);

/* Before the start: as sarrus_expansion_guess. */
SARRUS_API sarrus_Status sarrus_sim_guess(sarrus_Sim *sim, const double *y);

/*
** One natural step, or what is left of the span; *size is how far it went.  STOPPED: at an event,
** which sarrus_sim_event names; several at one instant come in the order of their declaration.
*/
SARRUS_API sarrus_Status sarrus_sim_step(sarrus_Sim *sim, double *size);
/* The same, but not beyond `limit` in the direction of travel. */
SARRUS_API sarrus_Status sarrus_sim_step_until(sarrus_Sim *sim, double limit, double *size);
/*
** Go to exactly t, backwards too; STOPPED at an event before that.  STEP: the steps became too
** small, or too many.  INCONSISTENT: a constraint that depends on time cannot be followed (fault:
** size is what it jumps by, or 0 where nothing within reach meets it).
*/
SARRUS_API sarrus_Status sarrus_sim_advance(sarrus_Sim *sim, double t);
/* The same as a part of the advance before, which an event interrupted: max_steps counts on. */
SARRUS_API sarrus_Status sarrus_sim_advance_on(sarrus_Sim *sim, double t);
/*
** The event at which the simulation stopped last (-1: it did not yet), and the direction of its
** zero (0: a touch).
*/
SARRUS_API int sarrus_sim_event(const sarrus_Sim *sim, int *direction);

SARRUS_API double sarrus_sim_time(const sarrus_Sim *sim);
SARRUS_API void sarrus_sim_span(const sarrus_Sim *sim, double *from, double *to);

/*
** Positions, velocities, accelerations and multipliers, each of which may be NULL: at a time of the
** span (ARGUMENT outside of it), and now.  Where something has intervened at the present instant,
** the first is the state before it, the second the state after it.
*/
SARRUS_API sarrus_Status sarrus_sim_at(const sarrus_Sim *sim, double t, double *q, double *v,
                                       double *a, double *lambda);
SARRUS_API sarrus_Status sarrus_sim_state(const sarrus_Sim *sim, double *q, double *v, double *a,
                                          double *lambda);

/*
** Parameters count from 0; what is none is NaN.  sarrus_sim_preset sets one before the start;
** sarrus_sim_set changes one from the present instant on, or changes nothing where that fails.
*/
SARRUS_API double sarrus_sim_get(const sarrus_Sim *sim, int parameter);
SARRUS_API sarrus_Status sarrus_sim_preset(sarrus_Sim *sim, int parameter, double value);
SARRUS_API sarrus_Status sarrus_sim_set(sarrus_Sim *sim, int parameter, double value);
/* The same for several at once: all of them, or none. */
SARRUS_API sarrus_Status sarrus_sim_set_all(sarrus_Sim *sim, int count, const int *parameter,
                                            const double *value);
/*
** From the present instant on, let go constraints (counted from 0, velocity constraints after the
** others) and contacts, or engage them again: then velocities change as in an inelastic impact.
** INCONSISTENT: positions do not fit, or a contact penetrates; nothing has changed.
*/
SARRUS_API sarrus_Status sarrus_sim_release(sarrus_Sim *sim, int count, const int *constraint,
                                            int released);
/* Whether a constraint is let go. */
SARRUS_API int sarrus_sim_released(const sarrus_Sim *sim, int constraint);
SARRUS_API sarrus_Status sarrus_sim_release_contact(sarrus_Sim *sim, int contact, int released);
/* The same for several of both at once, as a joint with its stops: all of them, or none. */
SARRUS_API sarrus_Status sarrus_sim_release_all(sarrus_Sim *sim, int constraints,
                                                const int *constraint, int contacts,
                                                const int *contact, int released);
/* The same for forces, of which the system knows the shares. */
SARRUS_API sarrus_Status sarrus_sim_release_force(sarrus_Sim *sim, int force, int released);
/*
** From the present instant on, hold what a lock of the system is the rate of, or let it go:
** velocities change as in an inelastic impact.  The first call compiles the system once more.
*/
SARRUS_API sarrus_Status sarrus_sim_lock(sarrus_Sim *sim, int lock, int locked);
SARRUS_API int sarrus_sim_locked(const sarrus_Sim *sim, int lock);
/* Change velocities by an impulse on each coordinate, consistently with the constraints. */
SARRUS_API sarrus_Status sarrus_sim_impulse(sarrus_Sim *sim, const double *impulse);

SARRUS_API sarrus_SimStats sarrus_sim_stats(const sarrus_Sim *sim);
SARRUS_API sarrus_SimNotes sarrus_sim_notes(const sarrus_Sim *sim);
/* What the last call that moved or changed it failed for. */
SARRUS_API const sarrus_Fault *sarrus_sim_fault(const sarrus_Sim *sim);
/*
** Largest errors of the constraints and of their rates at the present time; those of a general DAE
** count as positions whatever their index is.
*/
SARRUS_API sarrus_Status sarrus_sim_residual(sarrus_Sim *sim, double *position, double *velocity);
/* 1 if constraint i depends on others. */
SARRUS_API int sarrus_sim_dependent(const sarrus_Sim *sim, int i);
/*
** Multipliers that exert no force: direction c, from 0, of those in which multipliers are not
** unique, a number for each constraint; 0 when there are no more.
*/
SARRUS_API int sarrus_sim_null(const sarrus_Sim *sim, int c, double *lambda);
/*
** 1 while the span lies next to a singular position, where multipliers are large and lose digits.
*/
SARRUS_API int sarrus_sim_singular(const sarrus_Sim *sim);
/* The positions that the last start reached, also when it failed. */
SARRUS_API const double *sarrus_sim_reached(const sarrus_Sim *sim);

/*
** Contacts, counted from 0 in the order of the system.  Of each there are six modes: a direction
** of slip that is fixed (two numbers, else 0), 1 where it is that of the velocity, 1 where a
** bearing has no load or does not slip (else next to 0), the same of its load alone, and one of
** these.  At a time of the span, and now: as sarrus_sim_at and sarrus_sim_state.
*/
enum { SARRUS_MODES = 6 };
typedef enum sarrus_ContactMode { SARRUS_OPEN, SARRUS_SLIP, SARRUS_STICK } sarrus_ContactMode;

SARRUS_API sarrus_Status sarrus_sim_modes_at(const sarrus_Sim *sim, double t, double *modes);
SARRUS_API sarrus_Status sarrus_sim_modes(const sarrus_Sim *sim, double *modes);
/*
** Whether a contact was struck at the present instant; the impulse along its gap and its slips, or
** 0.
*/
SARRUS_API int sarrus_sim_struck(const sarrus_Sim *sim, int contact, double impulse[3]);

/*
** Saving.  sarrus_sim_save writes the whole state, with `extras` numbers of the caller's beside it,
** and answers how many bytes that takes; with too little room (or to = NULL) it writes nothing.
** 0: more than 2^16 extras.  sarrus_sim_restore makes a simulation that goes on bit for bit, and
** gives back the caller's numbers (*extras: room for them, then how many there are; LIMIT where
** there are more).  FORMAT: damaged, or of another system; VERSION: of another version of the
** library; NOMEM.
*/
SARRUS_API size_t sarrus_sim_save(const sarrus_Sim *sim, const double *extra, int extras, char *to,
                                  size_t size);
SARRUS_API sarrus_Status sarrus_sim_restore(sarrus_Memory memory, const sarrus_System *system,
                                            const sarrus_Events *events, const char *data,
                                            size_t size, double *extra, int *extras,
                                            sarrus_Sim **sim);
/* Whom each step of an advance asks whether to end; functions are not saved. */
SARRUS_API void sarrus_sim_on_cancel(sarrus_Sim *sim, int (*cancelled)(void *ud), void *ud);
/*
** Who hears of each step, as soon as it is accepted: the span is the step, sarrus_sim_at serves all
** of it, the time is still that of its beginning.  Of a step within which something is expected to
** intervene, as often before, it hears twice: of the part that is needed, and, if time gets there,
** of all of it.  It may look, as all functions do that take a
** const sarrus_Sim; 1 stops the call under way at the end of the step (or before, at what was asked
** for): CANCELLED, or STOPPED if an event comes first.
*/
typedef int (*sarrus_Stepped)(void *ud, const sarrus_Sim *sim);
SARRUS_API void sarrus_sim_on_step(sarrus_Sim *sim, sarrus_Stepped stepped, void *ud);
/* A copy that goes its own way, with the same callbacks. */
SARRUS_API sarrus_Status sarrus_sim_clone(const sarrus_Sim *sim, sarrus_Sim **copy);

#endif
