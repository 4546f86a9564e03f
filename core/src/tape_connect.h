/* The parts of a Work: tape_work.c lays them out, tape_connect.c connects them. */
#ifndef SARRUS_TAPE_CONNECT_H
#define SARRUS_TAPE_CONNECT_H

#include "tape.h"

/* How many of each part a Work has room for; there are at most as many batches as sums. */
typedef struct WorkParts {
  int places, sums, terms, stored, copies;
} WorkParts;

WorkParts work_parts(const Tape *tape);
/*
** Fill groups, places, factors, batches, sums, terms, and copies of a Work that has been laid out.
*/
void work_connect(Work *work);

#endif
