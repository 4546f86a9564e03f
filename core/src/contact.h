/*
** Deciding about contacts (T42), in the order in which a decision goes: contact_rows.c gathers what
** touches and its numbers, contact_guide.c finds where joints guide it, contact_ahead.c where they
** lead it, contact_parts.c solves its problems, contact_force.c finds impacts, forces and modes,
** contact_determine.c which of them are pressed, contact_space.c friction in space, contact_share.c
** how it is shared, contact_decide.c is the whole.
*/
#ifndef SARRUS_CONTACT_H
#define SARRUS_CONTACT_H

#include "impact.h"
#include "sim_parts.h"

/* --- contact_rows.c --- */

/* Why the mode of a contact ends, or ENDS_NOT. */
int contact_ending_of(const sarrus_Sim *sim, int contact);

/* Rows of the matrix, or NONE: of the gap, and of slip k. */
int contact_gap_row(const sarrus_Sim *sim, int contact);
int contact_slip_row(const sarrus_Sim *sim, int contact, int k);

/* The time of a step, and the speed along a row that the forces would make in it. */
double contact_step_time(const sarrus_Sim *sim);
double contact_speed_held(const sarrus_Sim *sim, int row);

/* How exactly the speed along a row is known: below this it is none. */
double contact_speed_noise(const sarrus_Sim *sim, int row);

/* What touches: the contacts that a decision is about. */
sarrus_Status contact_gather(sarrus_Sim *sim);

/* How many rows W has. */
int contact_row_count(const Decision *d);

/*
** Row k of W, the gaps first, then the slips: how many rows of the matrix it consists of, which,
** and their factors.
*/
int contact_rows_of(const sarrus_Sim *sim, int k, int row[2], double factor[2]);

/* x += force times row k of W, the gaps first, then the slips along their directions. */
void contact_push(const sarrus_Sim *sim, int k, double force, double *x);
/* Row k times x; 0 where there is none. */
double contact_along(const sarrus_Sim *sim, int k, const double *x);

/*
** What a force along row k would do at most, were there no joints.  Below CONTACT_FIXED of that,
** responses are rounding: joints and locks leave no motion to the row.
*/
double contact_free_response(const sarrus_Sim *sim, int k);
static const double CONTACT_FIXED = 1e-13;

/* W: what forces along all rows do. */
void contact_find_responses(sarrus_Sim *sim);

/* Speeds along all rows, and what of them is rounding; accelerations. */
void contact_find_speeds(sarrus_Sim *sim);
void contact_find_accelerations(sarrus_Sim *sim);

/* A coefficient or bound, as it was looked up last. */
double contact_extra(const sarrus_Sim *sim, int which);

/* CONTACT, about this one. */
sarrus_Status contact_bad_contact(sarrus_Sim *sim, int contact, double size);
/* The same: going backwards, what was before cannot be told. */
sarrus_Status contact_has_no_past(sarrus_Sim *sim, int contact);

/* What is asked of contacts, at `to`. */
sarrus_Status contact_look(sarrus_Sim *sim);
/* Coefficients and bounds at `to`. */
sarrus_Status contact_find_laws(sarrus_Sim *sim);

/* --- contact_guide.c --- */

/* Where joints leave a contact one freedom, by responses and speeds. */
void contact_find_guided(const sarrus_Sim *sim);
/* What is held in space although joints then leave nothing to its gap is not; whether it was. */
int contact_frees_guided(sarrus_Sim *sim);

/* --- contact_ahead.c --- */

/* Whether joints leave row k of W, which is one of the matrix, a motion. */
int contact_moves(const sarrus_Sim *sim, int k);
/* Where joints lead the gaps to which they leave no motion: what touches has been let go. */
sarrus_Status contact_look_ahead(sarrus_Sim *sim);
/* What is held in space follows no joint that leads it: whether such has been freed. */
sarrus_Status contact_frees_led(sarrus_Sim *sim, int *found);

/* --- contact_load.c --- */

/* Whether the bounds of friction depend on forces. */
int contact_bounds_depend(const sarrus_Sim *sim);
/* Those bearings are loaded that carry something at `to`. */
sarrus_Status contact_find_loads(sarrus_Sim *sim);

/* --- sim_contact.c --- */

/* Whether the expansion stands at `to` in the modes that were applied last. */
int contact_stands(const sarrus_Sim *sim);
/* Stand at `to` with the modes as they are, positions and velocities staying. */
sarrus_Status contact_stand(sarrus_Sim *sim);
/* The same where nothing but directions of slip has changed since. */
sarrus_Status contact_stand_again(sarrus_Sim *sim);

/* --- contact_parts.c --- */

/* The problems of impact and of forces, part by part: force, rate and, of forces, mode and tie. */
sarrus_Status contact_solve_impact(sarrus_Sim *sim);
sarrus_Status contact_solve_forces(sarrus_Sim *sim);
/* Whether others that stick leave no slip to a contact. */
int contact_is_held(const sarrus_Sim *sim, int k);

/* --- contact_force.c --- */

/* Where something approaches: velocities after the impact, and speeds along the rows. */
sarrus_Status contact_bounce(sarrus_Sim *sim);

/* Forces and modes by the complementarity problem of accelerations. */
sarrus_Status contact_find_forces(sarrus_Sim *sim);

/* A contact that separates, or whose force has just come to 0, takes no part. */
int contact_is_out(const sarrus_Sim *sim, int k);

/* Open, but at rest where it touches. */
int contact_is_idle(const sarrus_Sim *sim, int k);

/*
** The coefficient or bound of friction at rest; and what a decision takes as such, less where a
** bound has been reached.
*/
double contact_static_of(const sarrus_Sim *sim, int k);
double contact_hold_of(const sarrus_Sim *sim, int k);

/* The acceleration that friction alone causes. */
double contact_friction_acceleration(const Decision *d, int k);

/* The modes that have been found. */
void contact_set_modes(sarrus_Sim *sim);

/* --- contact_tangent.c --- */

/*
** How tangents jump: by the impact just found, velocities being those before it; by an impulse,
** which x is the solution of; where something is closed, after it has been.
*/
sarrus_Status contact_follow_impact(sarrus_Sim *sim);
sarrus_Status contact_follow_impulse(sarrus_Sim *sim, const double *x);
sarrus_Status contact_follow_closing(sarrus_Sim *sim);

/* --- contact_determine.c --- */

/* Of what slips, as many are left idle as forces are not determined by. */
void contact_determine(sarrus_Sim *sim);
/* Whether what is idle can be pressed, too; then it slips from now on. */
int contact_may_be_pressed(const sarrus_Sim *sim, int k);

/* --- contact_share.c --- */

/*
** The forces of what sticks in space, within their bounds if there are such, where several contacts
** hold a body.
*/
sarrus_Status contact_share_load(sarrus_Sim *sim);

/* --- contact_space.c --- */

/* The mode of a contact in space; whether it sticks is found out later. */
void contact_set_spatial_mode(const sarrus_Sim *sim, int k, ContactMode *mode);

/*
** The directions of slip, and what may stick in space: before what touches is let go, which is when
** modes are kept; again, with the same velocities; and after an impact.
*/
typedef enum DirectionsOf { FIRST_TIME, ONCE_MORE, AFTER_IMPACT } DirectionsOf;
void contact_find_directions(sarrus_Sim *sim, DirectionsOf when);

/* Where one lifts off, those that rested idly beside it are pressed from now on. */
sarrus_Status contact_relieve_lifted(sarrus_Sim *sim);

/* What is held though nothing presses it is let go altogether; whether there is such. */
int contact_frees_held(sarrus_Sim *sim);

/* Which contacts in space stick, and where those go that begin to slip. */
sarrus_Status contact_settle_slips(sarrus_Sim *sim);

#endif
