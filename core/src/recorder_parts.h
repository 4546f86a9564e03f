/* What ensembles ask of recorders. */
#ifndef SARRUS_RECORDER_PARTS_H
#define SARRUS_RECORDER_PARTS_H

#include "sarrus/recorder.h"

/*
** Begin anew with another simulation of the same system, as a recorder made for it would, but for
** the sinks, which it loses.
*/
void recorder_follow(sarrus_Recorder *recorder, const sarrus_Sim *sim);

/* Where a recorder with one sink at most is with a simulation, while it is with another. */
typedef struct RecorderPlace {
  const sarrus_Sim *sim;
  double t0, reached, next, last;
  int direction, sinks;
  sarrus_Sink sink;
} RecorderPlace;

RecorderPlace recorder_place(const sarrus_Recorder *recorder);
void recorder_go_on(sarrus_Recorder *recorder, const RecorderPlace *place);

#endif
