/*
** A tape in the making: tape_build.c makes rows, tape_order.c and tape_pack.c put them in order and
** into one block.
*/
#ifndef SARRUS_TAPE_BUILDER_H
#define SARRUS_TAPE_BUILDER_H

#include "array.h"
#include "tape.h"

/* What is known of a node of the graph; a field that does not apply is -1. */
typedef struct Mark {
  int lead;   /* the least of its inputs' leads */
  int varies; /* it depends on a parameter */
  int wanted; /* the lead at which it is wanted as a series; -1: it is not */
  int uses;   /* how often nodes wanted as series, and outputs, use it */
  int slot;
  int value;
  int row;
  sarrus_Expr power; /* the next higher power of the same base that has a row */
} Mark;

/* A node whose value is wanted, and the keys by which values are sorted. */
typedef struct Wanted {
  int lead;
  int level; /* greater than the levels of its operands of the same lead */
  sarrus_Op op;
  int terms; /* how many terms a sum has */
  sarrus_Expr e;
} Wanted;

/* While building, rows and terms hold expressions where those of the tape hold value numbers. */
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
  Unrun *asides; /* terms whose x is a single unknown: `value` is its node, `slot` NONE */
  int aside_count, aside_capacity;
  sarrus_Expr *queue;
  int queue_count, queue_capacity;
  Wanted *values; /* made by tape_number_values, in the order of the tape's values */
  int value_count, value_capacity;
  int value_batch_count, value_term_count, input_count;
  sarrus_Status status;
} Builder;

/*
** Make room for `needed` items in one of the builder's arrays; without memory it is 0, and the
** builder's status NOMEM.
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
