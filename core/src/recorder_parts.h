/* What the threads of an ensemble need of recorders: one recorder for many simulations. */
#ifndef SARRUS_RECORDER_PARTS_H
#define SARRUS_RECORDER_PARTS_H

#include "sarrus/recorder.h"

/*
** Start again with another simulation of the same system, as a new recorder made for it would; the
** sinks are removed.
*/
void recorder_follow(sarrus_Recorder *recorder, const sarrus_Sim *sim);

/*
** How far a recorder (with at most one sink) has come with one simulation, kept while it records
** another.
*/
typedef struct RecorderPlace {
  const sarrus_Sim *sim;
  double t0, reached, next, last;
  int direction, sinks;
  sarrus_Sink sink;
} RecorderPlace;

RecorderPlace recorder_place(const sarrus_Recorder *recorder);
void recorder_go_on(sarrus_Recorder *recorder, const RecorderPlace *place);

#endif
