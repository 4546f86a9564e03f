/* What ensembles ask of recorders. */
#ifndef SARRUS_RECORDER_PARTS_H
#define SARRUS_RECORDER_PARTS_H

#include "sarrus/recorder.h"

/*
** Begin anew with another simulation of the same system, as a recorder made for it would, but for
** the sinks, which it loses.
*/
void recorder_follow(sarrus_Recorder *recorder, const sarrus_Sim *sim);

#endif
