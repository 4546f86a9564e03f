/*
** Inside of a simulation: the step maker, the searches on its spans, and what drives them.
**
** Without interventions the span holds until maker.to.t; after one at time `now` inside of it, both
** are `now`.  While the second half of a step is put off (sim_run.c), maker.to is where it begins.
*/
#ifndef SARRUS_SIM_PARTS_H
#define SARRUS_SIM_PARTS_H

#include <stdatomic.h>

#include "event_parts.h"
#include "interval.h"
#include "lcp.h"
#include "maker.h"
#include "search.h"
#include "tangent.h"

/* A zero of an event, dt after the beginning of the span. */
typedef struct Hit {
  double dt;
  int event, direction;
} Hit;

/* How the zeros of one event follow each other; side: its sign where the span ended. */
typedef struct Pace {
  double last, interval, first;
  int seen, shrinking, side, side_before;
} Pace;

enum { SIM_MOST_HITS = 64 };

/*
** Slip that begins with an acceleration, or with next to none, where a force has just grown to its
** bound; the same where friction slows it down again.
*/
enum { STARTS = 1, STARTS_SLOWLY, STOPS_SLOWLY };

/* Slip in space that is so much slower than it was goes straight on until it stops. */
static const double SIM_SLOW = 1e-9;

/*
** A mode, with the direction of slip.  In space the direction of friction is fixed where slip
** begins and ends, at speeds of next to nothing; else it is free, that of the velocity.
*/
typedef struct ContactMode {
  sarrus_ContactMode mode;
  double direction[2];
  int free, starts; /* starts: 0, or how */
  double fastest;   /* slip since it began */
  int idle;         /* open, but touching: others carry the load */
  double share;     /* sticks in space: as kkt's; 0: as its rows are */
  int tied; /* sticks, held by others; at its bound: direction_0; at its static one: direction_1 */
} ContactMode;

typedef struct Struck {
  double impulse[3]; /* along the gap, along the slips */
  double at;         /* when it was */
} Struck;

/* Of a bearing: whether it has a load, as a mode. */
typedef struct Load {
  int on, span, kept; /* from `to` on, on the span, by sim_remember */
  double noise;       /* what is none */
  double size, was;   /* the load where this step begins, and where the last one began */
  double doubt;       /* it fell to next to nothing: below this it is none for now */
  double after;       /* without one: how long until there is, within the step; 0: none comes */
} Load;

typedef struct ContactState {
  ContactMode now;         /* from `to` on */
  ContactMode span;        /* on the span */
  sarrus_ContactMode told; /* as events know it */
  ContactMode kept;        /* by sim_remember */
  ContactMode kept_slip;   /* while deciding: what it was */
  int released, kept_released;
  Load load;
  int held;           /* while deciding: it sticks, though let go */
  int lifted;         /* while a step begins: its force has come to 0 */
  Struck struck;      /* by its last impact */
  Struck kept_struck; /* by sim_remember */
} ContactState;

/* Room for velocities and accelerations. */
typedef struct Sight {
  double *v, *a;
} Sight;

/*
** Some of the contacts of a decision, on which the other contacts have no effect (contact_parts.c).
*/
typedef struct Part {
  int count, *of, *taken;
  double *W, *b, *mu, *sliding, *e, *least, *force, *rate;
  int *slip, *guided;
  FrictionMode *mode;
  unsigned char *tie;
} Part;

/* Whether slip is free, goes with the approach, or is none. */
typedef enum Guidance { FREE_SLIP, SLIP_WITH_APPROACH, NO_SLIP } Guidance;

/* In space, slip is led along its direction, with an acceleration or without. */
enum { LEADS = 1, LEADS_SLOWLY };

/* Numbers of a decision about `count` contacts: grows as more of them touch. */
typedef struct Decision {
  int count;
  int spatial, axes; /* whether one of them slips in space; of slip in W: 2 for their impacts */
  int shares;        /* in space, all that can carry some of a load do (T75) */
  int *contact;      /* which they are */
  double *W;         /* what forces along gaps, then slips, do (T42); (1 + axes) count rows */
  double *matrix, *right; /* the same for those that take part */
  double *speed, *noise, *b;
  double *mu, *sliding, *e, *least;
  double *force, *rate; /* or impulses, and speeds after them */
  int *slip, *caught, *held, *freed;
  int *fixed;    /* rows that cannot move */
  int *dead;     /* count: friction of a joint whose coordinate no motion changes here */
  int *guided;   /* count: of an impact, what joints leave of slip, a Guidance */
  int *leads;    /* 2 count: which way joints lead rows to which they leave no motion, from rest */
  int *met;      /* count: was open before, and has its gap closed now */
  int *stopped;  /* count: in space, its gap alone stops what slips */
  int ambiguous; /* forces were not unique before */
  int verge;     /* a force that holds has just reached its bound */
  double *along; /* 2 count: directions of slip */
  double *kept_along; /* these, and held, as a decision began */
  int *kept_held;
  FrictionMode *mode;
  unsigned char *tie;
  Part part;
  void *friction_work, *impact_work;
  char *block;
  int capacity;
} Decision;

/*
** What a form of the equations needs (sim_form.c): the whole; one that lacks contacts that have
** gaps; one with coordinates held and forces let go, made for the first such change, in memory of
** its own.
*/
typedef struct Form {
  const sarrus_System *system; /* NULL: there is no such form */
  sarrus_Expansion *expansion;
  Search arguments;   /* of its switches, and what is asked of its contacts */
  Implicit *implicit; /* for stiff steps, or NULL: made when the first one is */
  void *memory;
  size_t bytes;
} Form;

enum { WHOLE, LEAN, CHANGED, FORMS };

/*
** Ranges of the inputs of bounds on which all of these are positive, so that while inputs stay
** within nothing has to be evaluated (T49).
*/
typedef struct Clear {
  int known;
  Interval *within; /* per input of the tape of bounds */
  double wide;      /* by how much wider than a step's ranges the next ones are tried */
} Clear;

/* A state, or how one changes. */
typedef struct Instantaneous {
  double *q, *v, *a, *lambda;
} Instantaneous;

/* A tape in dual numbers, for all directions and time. */
typedef struct Glance {
  Dual dual;
  void *block;
  size_t bytes;
} Glance;

/* Of the guards of each form, and of events. */
enum { GLANCES = FORMS + 1, SIGHTS = 2 };

/* Of the last event; where the span ends, and where it began, if modes changed there. */
enum { INSTANT_OF_EVENT, INSTANT_OF_END, INSTANT_OF_BEGINNING, INSTANTS };

/*
** Instants that change with the directions, and what jumps there (sim_jump.c).  While a
** jump is under way, q and v are how the state changes that moves with the instant.
*/
typedef struct Jump {
  void *block;
  size_t bytes;
  double at[INSTANTS];     /* when; NaN: none was yet */
  double *slope[INSTANTS]; /* per direction; NaN where it only touches */
  int under_way;
  int handled; /* v is that of the velocities after an impact, or impulse */
  int looked;  /* whether friction begins, since the last one */
  double *q, *v;
  double *base_v;              /* v, before an impact; */
  int pushed;                  /* after an impulse */
  double *kept_q, *kept_v;     /* of the tangent, where nothing has changed; */
  double *began_q, *began_v;   /* where the step under way has begun */
  Instantaneous sight[SIGHTS]; /* workspace; velocities and accelerations before a jump */
  Glance glance[GLANCES];
  sarrus_Status lost; /* why there are no tangents any more, or OK */
  double lost_at;
} Jump;

/* Tangents, with the equations of each form that they have met. */
typedef struct Follow {
  Tangent *tangent; /* or NULL */
  TangentForm forms[FORMS];
} Follow;

struct sarrus_Sim {
  sarrus_Memory memory;
  size_t bytes;
  const sarrus_System *system;
  const sarrus_Events *events; /* or NULL */
  sarrus_Stepped stepped;      /* or NULL */
  void *stepped_ud;
  int parameter_count;
  double *parameters;
  double *others; /* while they change: what they were, or will be */

  Maker maker;
  Form forms[FORMS];
  int form, kept_form; /* the one in use; and where sim_remember was */
  int far;             /* on the span, no contact is near; or at `to`, where there is none yet */
  int asleep;          /* in the lean form: as above, and all that is kept of them is known */
  Interval *ranges, *gap_ranges; /* workspace: per value of the tapes of bounds, and of gaps */
  Clear clear;
  Search *arguments;      /* of the form */
  int *endings;           /* per switch and contact: ENDS_NOT, or why its mode ends */
  Piece first;            /* of the span, where the series of guards stand; */
  double first_of;        /* searched for endings as far as this; 0: not yet */
  ContactState *contacts; /* per contact */
  int *touched;           /* per contact, why its mode ended last */
  int *off;               /* per constraint, contact's row, and lock */
  Decision decision;      /* workspace */
  Sight sight;            /* room for a state */
  double *rates;          /* per equation, of the constraints where a decision is made */
  int struck;             /* the last decision has changed velocities */
  int lifts;              /* while a step begins: some contact has lifted */
  int ended;              /* steps in a row that ended with a mode */
  int ended_contact;      /* of the last of them, or NONE */
  double ended_since;

  Search zeros; /* of events */
  Hit hits[SIM_MOST_HITS];
  int hit_count, hit_next;
  Hit hit;     /* the last one delivered */
  Pace *paces; /* per event */

  Follow follow;  /* directions that are followed */
  Tangent *here;  /* the same of stage 0 at `to`, by the same forms, */
  int here_known; /* if it is so */
  Follow slopes;  /* of sarrus_sim_slopes */
  Jump jump;

  double now;
  int changed;       /* `to` is no longer where the span ended */
  atomic_uint calls; /* begun and ended, that move or change it: odd while one is under way */
  atomic_int waits;  /* meanwhile: for a callback, which may look */
  int started;       /* there is a state */
  sarrus_SimNotes notes;
  int short_steps;   /* in a row */
  long long counted; /* steps of the advance under way */
};

/* --- sim.c --- */

/* Whether the present time is that of `to`, where the next span begins, and the expansion is. */
int sim_stands(const sarrus_Sim *sim);
/* Whether t of the span is where the next one begins. */
int sim_is_at_end(const sarrus_Sim *sim, double t);

/* What a search of a tape on the simulation's spans needs. */
void sim_lay_out_search(sarrus_Sim *sim, Search *search, const Tape *tape, Block *block);

/* --- sim_mode.c --- */

/*
** Why the mode of a contact ends: it touches, its force would pull, it has stopped slipping, the
** force that holds it has reached its bound, pushing forwards or backwards (in space: PLUS).  A
** switch: TURNS + its next branch.
*/
enum {
  ENDS_NOT,
  ENDS_TOUCH,
  ENDS_LIFT,
  ENDS_STOP,
  ENDS_PLUS,
  ENDS_MINUS,
  ENDS_SLOW,  /* in space: it slips at next to no speed, and will stop */
  ENDS_START, /* in space: it has begun to slip */
  ENDS_LOAD,  /* a bearing is loaded */
  ENDS_TURN,  /* a function has turned by which its gap does not stay closed */
  TURNS = 16
};

/* When the first modes end, and whether any do. */
typedef struct Ending {
  double h;
  int ends;
} Ending;

/*
** The first endings within h on the span just made; less than h without one where it cannot be
** told.
*/
Ending sim_first_ending(sarrus_Sim *sim, double h);
/* Modes that end where the span begins; whether any do. */
int sim_find_ended(sarrus_Sim *sim, double h);
void sim_clear_endings(sarrus_Sim *sim);
/* At the end of a step: whether a contact has touched within it and was not found. */
int sim_penetrates(const sarrus_Sim *sim);
/* Put functions whose branch has ended on the next one. */
void sim_turn_switches(sarrus_Sim *sim);
/*
** Where functions have turned at h of the span: closed contacts whose gap changes from there on, as
** that of a corner which slides past an edge, are to be decided, and those let go whose gap has a
** rate.  Answers how many.
*/
int sim_part_turned(sarrus_Sim *sim, double h);
/* The first switch that turns, or NONE. */
int sim_first_turned(const sarrus_Sim *sim);
int sim_contact_ended(const sarrus_Sim *sim);
/*
** What passes 0 where modes end, from *element on, which is the one that was found: factor output +
** other (the output after it).
*/
int sim_ended_guard(const sarrus_Sim *sim, int *element, int *output, double *factor,
                    double *other);
/* The first contact whose mode ends, or NONE. */
int sim_first_contact(const sarrus_Sim *sim);
/* The height, relative to sizes, below which there are no bounces (T46). */
double sim_least_height(const sarrus_Sim *sim);

/* --- contact_ahead.c --- */

/*
** Where functions have turned, and the expansion stands: whether constraints that follow from
** others, closed contacts being among them, contradict these from there on, as where a motion that
** is prescribed begins to lift what rests.
*/
sarrus_Status sim_contradicts(sarrus_Sim *sim, int *found);

/* --- sim_form.c --- */

/* Let the maker and searches use a form as it is; */
void sim_point_to(sarrus_Sim *sim, int form);
/* besides, bring it to the branches, guess and unit of the one in use; */
void sim_use_form(sarrus_Sim *sim, int form);
/* besides, stand at `to` with it. */
sarrus_Status sim_take_form(sarrus_Sim *sim, int form);
/* The form that decisions and changes are made in. */
int sim_whole_form(const sarrus_Sim *sim);
/* Per force that may be let go: 1 while it is. */
double *sim_force_modes(const sarrus_Sim *sim);
/* Make the form of changes, where there is none yet; LIMIT where it does not fit. */
sarrus_Status sim_make_changed_form(sarrus_Sim *sim);
void sim_free_forms(sarrus_Sim *sim);
/* Where there are contacts, matrices of forms that have their rows keep orders of elimination. */
void sim_keep_orders(sarrus_Sim *sim);
/* Whether no gap can close on the span until h. */
int sim_all_are_far(sarrus_Sim *sim, double h);
/* Whether none is closed at `to`. */
int sim_all_are_apart(sarrus_Sim *sim);
/*
** While contacts with gaps sleep, being far away in the lean form, their states do not change: how
** many of system->turn are awake.
*/
static inline int sim_awake(const sarrus_Sim *sim) {
  return sim->asleep ? sim->system->alone : sim->system->contact_count;
}

/* --- sim_contact.c --- */

/*
** Decide the modes of contacts anew at `to`, after some have ended, or things have changed there.
*/
sarrus_Status sim_decide(sarrus_Sim *sim);
/* At a start: which contacts are closed; CONTACT where one penetrates. */
sarrus_Status sim_start_contacts(sarrus_Sim *sim);
/* The same where something has changed from outside; CONTACT where an open one penetrates. */
sarrus_Status sim_reconsider(sarrus_Sim *sim);
/* Let go what touches, until sim_reconsider: impulses act on what is free. */
sarrus_Status sim_let_go(sarrus_Sim *sim);
/*
** Whether something that touched at sim_remember has moved away since, or cannot stay, as `status`
** says.
*/
int sim_has_moved(const sarrus_Sim *sim, sarrus_Status status);
/* Modes as they are on the span. */
void sim_recall_modes(sarrus_Sim *sim);
/* The symbols of modes as the contacts' states say; rows too. */
void sim_write_modes(sarrus_Sim *sim);
void sim_apply_modes(sarrus_Sim *sim);

/* --- contact_load.c --- */

/*
** Where a step begins: bearings that have lost their load, and those that have got one, which is
** decided about.
*/
sarrus_Status sim_weigh(sarrus_Sim *sim);
/* On the span just made, the guards' series standing at its beginning: when loads come within h. */
void sim_follow_loads(sarrus_Sim *sim, double h);

/* --- sim_event.c --- */

/* LIMIT: there are too many for one span. */
sarrus_Status sim_find_events(sarrus_Sim *sim);
/* As if they had not been found. */
void sim_forget_events(sarrus_Sim *sim);
sarrus_Status sim_next_event(sarrus_Sim *sim, double t, int *found);
/*
** Events that watch contacts: at the end of a span, those of what has touched there, and why; where
** the next one begins (sim_find_events), those of modes that are others by then, whatever has
** changed them.
*/
sarrus_Status sim_watch(sarrus_Sim *sim, const int *touched);
/* The modes on the span are known to events. */
void sim_note_told(sarrus_Sim *sim);
/* Velocities have jumped: the signs of events may have. */
void sim_forget_sides(sarrus_Sim *sim);
/* Forget the zeros that lie beyond the present time. */
void sim_drop_events(sarrus_Sim *sim);

/* --- sim_step.c --- */

/* From `to`: the next span, and how far it may reach; then the point where it ends. */
sarrus_Status sim_begin_step(sarrus_Sim *sim, Ending *first);
sarrus_Status sim_end_step(sarrus_Sim *sim, Ending *first);

/* --- sim_tangent.c --- */

/* The series just made of the span being there, and the expansion at its beginning: tangents. */
sarrus_Status sim_follow(sarrus_Sim *sim);
/* Room for so many directions, which are all 0. */
sarrus_Status sim_make_directions(sarrus_Sim *sim, int count);
/* Where a step begins, whose tangents may have to begin anew; and do. */
void sim_keep_tangents(sarrus_Sim *sim);
void sim_recall_tangents(sarrus_Sim *sim);
void sim_drop_directions(sarrus_Sim *sim);
/* Whether a parameter changes with a direction that is followed. */
int sim_follows(const sarrus_Sim *sim, int parameter);
/* These parameters no longer change with the directions. */
void sim_fix_parameters(sarrus_Sim *sim, int count, const int *parameter);
/* The next span begins dt after the beginning of this one. */
void sim_carry(sarrus_Sim *sim, double dt);
void sim_free_tangents(sarrus_Sim *sim);
size_t sim_tangent_bytes(const sarrus_Sim *sim);

/* --- sim_jump.c --- */

sarrus_Status sim_open_jump(sarrus_Sim *sim);
void sim_close_jump(sarrus_Sim *sim);
/* The instant of the event that has just come; of the modes that end where the span does. */
void sim_note_event(sarrus_Sim *sim);
sarrus_Status sim_note_ending(sarrus_Sim *sim);
/*
** Before something changes at `to`: as it was at the end of the span, or as the expansion is there.
** Afterwards, the expansion standing there anew; or nothing has changed.
*/
void sim_begin_jump(sarrus_Sim *sim, int of_span);
void sim_end_jump(sarrus_Sim *sim);
/* As it was begun, after an impulse if there was one: an impact is found anew. */
void sim_renew_jump(sarrus_Sim *sim);
/* Velocities have changed by an impulse, which v knows. */
void sim_note_push(sarrus_Sim *sim);
/* Coefficients of contacts: how an extra of the guards' tape changes with parameters. */
sarrus_Status sim_look_at_laws(sarrus_Sim *sim);
/* Where friction of something that touches is 0, and changes: no tangents. */
sarrus_Status sim_look_for_onset(sarrus_Sim *sim);
double sim_extra_slope(const sarrus_Sim *sim, int extra, int direction);
void sim_cancel_jump(sarrus_Sim *sim);
/* From here on there are no tangents: EVENT, something only touches; LIMIT, not known. */
void sim_lose_tangents(sarrus_Sim *sim, sarrus_Status why);

/* --- sim_notes.c --- */

/* After a step: what deserves attention. */
void sim_note(sarrus_Sim *sim);

/* --- sim_plausible.c --- */

/* Whether what was read from a record can be a state. */
int sim_is_plausible(const sarrus_Sim *sim);

/* --- sim_change.c --- */

/* End the span at the present time, and begin anew there. */
sarrus_Status sim_restart(sarrus_Sim *sim);

/* --- sim_run.c --- */

/* On the way to t: before the first step, and before each; `over`: no step is to be made. */
sarrus_Status sim_set_out(sarrus_Sim *sim, double t, int *over);
sarrus_Status sim_next_step(sarrus_Sim *sim, double t, int *over);
/* Both halves of a step, and what is noted then; `stop`: whoever is told of steps asks for it. */
sarrus_Status sim_make_step(sarrus_Sim *sim, int *stop);

/* Keep where we stand, modes of contacts included; and stand there again after a failure. */
void sim_remember(sarrus_Sim *sim);
sarrus_Status sim_recall(sarrus_Sim *sim, sarrus_Status status);
/* The part of this that belongs to contacts. */
void sim_recall_contacts(sarrus_Sim *sim);

/* Rounding to nearest, and gradual underflow: all that is promised of digits rests on them. */
int sim_floats_are_standard(void);
/*
** One call at a time: BUSY while another, of a callback or a thread, is under way; FLOATS.  Faults
** are of the last one.
*/
sarrus_Status sim_enter(sarrus_Sim *sim);
sarrus_Status sim_leave(sarrus_Sim *sim, sarrus_Status status);
/*
** Before and after looking: BUSY where another thread moves it now; *look: what sim_look_end takes,
** to find that one has begun to.
*/
sarrus_Status sim_look_begin(const sarrus_Sim *sim, unsigned *look);
sarrus_Status sim_look_end(const sarrus_Sim *sim, unsigned look);
/* ARGUMENT, with its reason, of an entry of a list or NONE: of a call under way; and of one that is
** refused before it has begun. */
sarrus_Status sim_refuse(sarrus_Sim *sim, sarrus_Misuse misuse, int entry);
sarrus_Status sim_refuse_ended(sarrus_Sim *sim); /* which is not started, or broken */
sarrus_Status sim_refuse_call(sarrus_Sim *sim, sarrus_Misuse misuse, int entry);

#endif
