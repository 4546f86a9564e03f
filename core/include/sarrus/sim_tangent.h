/*
** Derivatives of a simulation: how the motion changes with parameters, and with where it starts.
**
** A direction is a change of parameters, positions and velocities; its tangent is how fast the
** state changes as one goes along it, exact up to rounding.  Directions are told where a simulation
** has started, and are followed from there on: through steps, modes that change and events, where
** these come earlier or later.
*/
#ifndef SARRUS_SIM_TANGENT_H
#define SARRUS_SIM_TANGENT_H

#include "sarrus/sim.h"

enum { SARRUS_MOST_DIRECTIONS = 1 << 12 };

/*
** Follow these directions from the present instant on, where the span ends, or none: per direction,
** n changes of positions and velocities, and one of each parameter (NULL: all 0).  Positions and
** velocities are changed besides as little as possible, so that constraints hold.  INCONSISTENT:
** no motion goes in such a direction (fault: row, and count: which direction).  ARGUMENT: a number
** that is not finite, or the present instant lies inside the span.  NOMEM.
*/
SARRUS_API sarrus_Status sarrus_sim_directions(sarrus_Sim *sim, int count, const double *dq,
                                               const double *dv, const double *dp);
SARRUS_API int sarrus_sim_direction_count(const sarrus_Sim *sim);
/* Of the system, and of the events behind them. */
SARRUS_API int sarrus_sim_parameter_count(const sarrus_Sim *sim);
/*
** How a parameter changes: as told, until sarrus_sim_set gives it a value; NaN where there is none.
** 
*/
SARRUS_API double sarrus_sim_parameter_slope(const sarrus_Sim *sim, int parameter, int direction);
/*
** Tangents of one direction, each of which may be NULL: at a time of the span, and now, as
** sarrus_sim_at and sarrus_sim_state.
*/
SARRUS_API sarrus_Status sarrus_sim_tangent_at(const sarrus_Sim *sim, double t, int direction,
                                               double *dq, double *dv, double *da, double *dlambda);
SARRUS_API sarrus_Status sarrus_sim_tangent(const sarrus_Sim *sim, int direction, double *dq,
                                            double *dv, double *da, double *dlambda);

/*
** Why there are no tangents any more, and from when on; OK while there are.  EVENT: something only
** touches there, and changes something.  CONTACT: several modes end there at one instant, which
** would not do so beside it.  INCONSISTENT: constraints that depend on others would not hold. 
** LIMIT: an impact there begins the motion, or lies at the border between two kinds, or has
** friction in space where nothing slips before it; or a change has moved positions.
*/
SARRUS_API sarrus_Status sarrus_sim_tangent_end(const sarrus_Sim *sim, double *t);
/* From now on there are none: the caller changes something that depends on the state. */
SARRUS_API void sarrus_sim_lose_tangents(sarrus_Sim *sim);

/*
** At an event, or where something strikes: how the present instant itself changes; NaN where it is
** one that does not.
*/
SARRUS_API double sarrus_sim_instant(const sarrus_Sim *sim, int direction);

/*
** Derivatives of accelerations and multipliers at the present state, which must be where the span
** ends, in `count` directions, row by row.  dq and dv become those that constraints allow, as near
** as possible to what was given; dp (NULL: 0), da and dlambda (NULL: not wanted) likewise.
** ARGUMENT, INCONSISTENT, NOMEM as above.
*/
SARRUS_API sarrus_Status sarrus_sim_slopes(sarrus_Sim *sim, int count, double *dq, double *dv,
                                           const double *dp, double *da, double *dlambda);

#endif
