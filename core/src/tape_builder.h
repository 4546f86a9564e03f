/*
** A tape in the making: tape_build.c makes rows, tape_order.c and tape_pack.c put them in order and
** into one block.
*/
#ifndef SARRUS_TAPE_BUILDER_H
#define SARRUS_TAPE_BUILDER_H

#include "array.h"
#include "tape.h"

/* Per node of the graph; -1 where a field does not apply. */
typedef struct Mark {
  int lead;   /* the greatest that its inputs allow */
  int varies; /* it depends on a parameter */
  int wanted; /* the lead at which it is wanted as a series; -1: it is not */
  int uses;   /* by nodes wanted as series, and by outputs */
  int slot;
  int value;
  int row;
  sarrus_Expr power; /* the next higher power of the same base that has a row */
} Mark;

/* A node whose value is wanted, and what its place depends on. */
typedef struct Wanted {
  int lead;
  int level; /* above those of its operands of the same lead */
  sarrus_Op op;
  int terms; /* of sums */
  sarrus_Expr e;
} Wanted;

/* While building, rows and terms name expressions where the tape will have values. */
typedef struct Builder {
  sarrus_Memory memory;
  const TapeSpec *spec;
  sarrus_Graph *graph;
  Mark *marks;
  int mark_count, mark_capacity;
  Row *rows;
  int row_count, row_capacity;
  Product *products;
  int product_count, product_capacity;
  Linear *linear;
  int linear_count, linear_capacity;
  Slot *slots;
  int slot_count, slot_capacity;
  Switch *switches;
  int switch_count, switch_capacity;
  Unrun *asides; /* value: a node; slots may be those of sums that are not */
  int aside_count, aside_capacity;
  sarrus_Expr *queue;
  int queue_count, queue_capacity;
  Wanted *values; /* pack: in the order that the tape has them in */
  int value_count, value_capacity;
  int value_batch_count, value_term_count, input_count;
  sarrus_Status status;
} Builder;

/*
** Room for `needed` items in one of the builder's arrays; 0, and its status NOMEM, without memory.
*/
#define RESERVE(builder, array, capacity, needed)                                        \
  ((builder)->status >= 0 &&                                                             \
   (ARRAY_RESERVE((builder)->memory, (builder)->array, (builder)->capacity, (needed)) || \
    ((builder)->status = SARRUS_NOMEM, 0)))

/*
** tape_order.c: number the values that are wanted; and order the rows and weights of a packed tape.
*/
void tape_number_values(Builder *builder);
/* Whether value i begins a batch. */
int tape_begins_batch(const Builder *builder, int i);
void tape_sort(Tape *tape);

/* tape_pack.c: choose copies, pack all into one block; NULL without memory. */
Tape *tape_pack(Builder *builder);

#endif
