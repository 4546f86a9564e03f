/* Chooses the order of elimination of a sparse matrix, from its pattern and its numbers. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "kkt_pool.h"
#include "kkt_sparse_parts.h"

/*
** An entry may be a pivot if it is at least this part of the largest in its row.  A lower threshold
** gives less fill, but orders that serve for fewer steps (four-bar of spatial hinges, us a step:
** 0.05 71, 0.1 56, 0.25 60).
*/
static const double THRESHOLD = 0.1;
/* In a matrix scaled to about 1, entries below this are rounding; a row of such is dependent. */
static const double NOTHING = 1e-13;
/*
** CANDIDATES: how many of the shortest rows are searched for a pivot.  CHEAPER: a pivot off the
** diagonal is taken only if it promises this many times less fill than the best one on it;
** CHEAPER_MUCH: the same, where the best one on it promises more fill than MUCH.  LONG: rows with
** entries in more than 1/LONG of the columns (and LONG more) keep a table from column to entry.
**
** Where scales differ much, as those of thin rods do, few pivots are left on the diagonal, and
** these cause fill everywhere.  A spatial chain of 200, and of 800, fill for each entry and seconds
** for an order: 13,000 (5.1) and 14,000 (30) with CHEAPER alone; 139 and 57 (0.1) with MUCH of
** 4000, 607 and 91 with 10000.  Grids of loops, which have much fill, take as long as before.
*/
enum { CANDIDATES = 3, CHEAPER = 16, CHEAPER_MUCH = 2, MUCH = 4000, LONG = 32 };

/* One row of the matrix under elimination; its columns stand behind its values, in one block. */
typedef struct Line {
  double *value;
  int *column;
  int count, capacity;
  int grade;          /* of the block */
  int *place;         /* of a long row: column -> entry, or -1; of others NULL */
  int next, previous; /* neighbours in the queue of rows of the same length */
  int aside;          /* its diagonal is too small for a pivot at present */
  int done;           /* it has got its pivot, or was dropped */
} Line;

/* The rows in which a column occurs. */
typedef struct Occurrences {
  int *rows;
  int count, capacity, grade;
} Occurrences;

/* Rows of one length; the first has waited longest. */
typedef struct Queue {
  int first, last; /* -1: none */
} Queue;

/*
** The matrix under elimination: its rows, the rows in which each column occurs, and queues of rows
** by length.
**
** Where the matrix is symmetric, or nearly so, pivots on the diagonal keep it so: then the shortest
** row gives the least fill, and once the masses are eliminated the constraints have the diagonal
** -B M^-1 B^T, which grows no further.  A row is put aside while its diagonal is too small.  After
** a pivot off the diagonal, at (r, c), the row whose diagonal was column c takes over the column
** that was the diagonal of row r.
**
** Rows of equal length wait in a queue, so that neighbours along a loop are not eliminated one
** right after the other: the rounding error of one would grow with each that follows.
*/
typedef struct Elimination {
  Sparse *sparse;
  Pool pool; /* of lines and occurrences */
  Line *lines;
  Occurrences *rows_of; /* per column; rows that are done stay in the list */
  int *length;          /* per column: in how many rows it occurs */
  Queue *queue[2];      /* per length: [0] rows that may give a pivot, [1] rows put aside */
  int shortest[2], count[2];
  int *diagonal, *row_at; /* row -> its diagonal column; that column -> row */
  int *place;             /* of the row being reduced: column -> entry, or -1 */
  int first; /* rows before this one are dropped only where no more than rounding is left of them */
} Elimination;

/*
** Give a long row a table from column to entry: then the cost of reducing it depends on the length
** of the pivot row only, not on its own.
*/
static void keep_scatter(Elimination *e, Line *line) {
  if (line->place != NULL || line->count <= e->sparse->size / LONG + LONG) return;
  line->place = take(e->sparse, (size_t)e->sparse->size, sizeof(int));
  if (line->place == NULL) return;
  for (int j = 0; j < e->sparse->size; j++)
    line->place[j] = -1;
  for (int i = 0; i < line->count; i++)
    line->place[line->column[i]] = i;
}

static void link_row(Elimination *e, int row, int aside) {
  Line *line = &e->lines[row];
  Queue *queue = &e->queue[aside][line->count];
  line->aside = aside;
  line->next = -1;
  line->previous = queue->last;
  queue->last = row;
  if (line->previous >= 0)
    e->lines[line->previous].next = row;
  else
    queue->first = row;
  if (line->count < e->shortest[aside]) e->shortest[aside] = line->count;
  e->count[aside]++;
}

static void unlink_row(Elimination *e, int row) {
  const Line *line = &e->lines[row];
  Queue *queue = &e->queue[line->aside][line->count];
  if (line->next >= 0)
    e->lines[line->next].previous = line->previous;
  else
    queue->last = line->previous;
  if (line->previous >= 0)
    e->lines[line->previous].next = line->next;
  else
    queue->first = line->next;
  e->count[line->aside]--;
}

static void *take_block(Elimination *e, int grade) {
  void *block = pool_take(&e->pool, grade);
  if (block == NULL) e->sparse->status = SARRUS_NOMEM;
  return block;
}

static void release_line(Elimination *e, Line *line) {
  if (line->value != NULL) pool_give(&e->pool, line->value, line->grade);
  give(e->sparse, line->place, (size_t)e->sparse->size, sizeof(int));
  *line = (Line){.done = line->done};
}

static void release_occurrences(Elimination *e, Occurrences *of) {
  if (of->rows != NULL) pool_give(&e->pool, of->rows, of->grade);
  *of = (Occurrences){NULL, 0, 0, 0};
}

/* Room for so many entries of a row. */
static int make_room(Elimination *e, Line *line, int count) {
  if (count <= line->capacity) return 1;
  const size_t entry = sizeof *line->value + sizeof *line->column;
  const int grade = pool_grade((size_t)count * entry);
  const int capacity = (int)(pool_size(grade) / entry);
  double *value = take_block(e, grade);
  if (value == NULL) return 0;
  int *column = (int *)(void *)(value + capacity);
  if (line->value != NULL) {
    memcpy(value, line->value, (size_t)line->count * sizeof *value);
    memcpy(column, line->column, (size_t)line->count * sizeof *column);
    pool_give(&e->pool, line->value, line->grade);
  }
  line->value = value;
  line->column = column;
  line->capacity = capacity;
  line->grade = grade;
  return 1;
}

static void add_occurrence(Elimination *e, int column, int row) {
  Occurrences *of = &e->rows_of[column];
  if (of->count == of->capacity) {
    const int grade = of->rows == NULL ? 0 : of->grade + 1;
    int *rows = take_block(e, grade);
    if (rows == NULL) return;
    if (of->rows != NULL) {
      memcpy(rows, of->rows, (size_t)of->count * sizeof *rows);
      pool_give(&e->pool, of->rows, of->grade);
    }
    of->rows = rows;
    of->capacity = (int)(pool_size(grade) / sizeof *rows);
    of->grade = grade;
  }
  of->rows[of->count++] = row;
}

static void add_entry(Elimination *e, int row, int column, double value) {
  Line *line = &e->lines[row];
  if (!make_room(e, line, line->count + 1)) return;
  if (line->place != NULL) line->place[column] = line->count;
  line->column[line->count] = column;
  line->value[line->count++] = value;
  add_occurrence(e, column, row);
  e->length[column]++;
}

static void remove_entry(Elimination *e, Line *line, int at, int *place) {
  const int column = line->column[at], last = --line->count;
  e->length[column]--;
  line->column[at] = line->column[last];
  line->value[at] = line->value[last];
  if (place == NULL) return;
  place[line->column[at]] = at;
  place[column] = -1;
}

static int find(const Line *line, int column) {
  if (line->place != NULL) return line->place[column];
  for (int i = 0; i < line->count; i++)
    if (line->column[i] == column) return i;
  return -1;
}

static void finish_row(Elimination *e, int row) {
  Line *line = &e->lines[row];
  unlink_row(e, row);
  line->done = 1;
  for (int i = 0; i < line->count; i++)
    e->length[line->column[i]]--;
}

/*
** A column that gets no pivot would still cause fill in every row: remove it, unless it holds more
** than rounding.
*/
static void drop_column(Elimination *e, int column) {
  const Occurrences *of = &e->rows_of[column];
  for (int i = 0; i < of->count; i++) {
    const Line *line = &e->lines[of->rows[i]];
    const int at = line->done ? -1 : find(line, column);
    if (at >= 0 && fabs(line->value[at]) > e->sparse->nothing) return;
  }
  for (int i = 0; i < of->count; i++) {
    Line *line = &e->lines[of->rows[i]];
    const int at = line->done ? -1 : find(line, column);
    if (at < 0) continue;
    unlink_row(e, of->rows[i]);
    remove_entry(e, line, at, line->place);
    link_row(e, of->rows[i], line->aside);
  }
}

/* A row of which nothing is left depends on others, and gets no pivot. */
static void drop_row(Elimination *e, int row) {
  finish_row(e, row);
  release_line(e, &e->lines[row]);
  drop_column(e, e->diagonal[row]);
}

typedef struct Pivot {
  int row, at;
  long long fill; /* the greatest possible fill, by Markowitz' rule */
  double share;   /* its size relative to the largest entry of its row */
} Pivot;

static void try_entry(const Elimination *e, int row, int at, double largest, Pivot *best) {
  const Line *line = &e->lines[row];
  const double share = fabs(line->value[at]) / largest;
  const long long fill = (long long)(line->count - 1) * (e->length[line->column[at]] - 1);
  if (share < THRESHOLD || fill > best->fill) return;
  if (fill < best->fill || share > best->share) *best = (Pivot){row, at, fill, share};
}

/* Search one row for a pivot better than *best; 0 if the row is not to be searched now. */
static int try_row(Elimination *e, int row, Pivot *best) {
  const Line *line = &e->lines[row];
  double largest = 0;
  int diagonal = -1;
  for (int i = 0; i < line->count; i++) {
    const double size = fabs(line->value[i]);
    if (size > largest) largest = size;
    if (line->column[i] == e->diagonal[row]) diagonal = i;
  }
  if (largest <= (row < e->first ? NOTHING : e->sparse->nothing)) {
    drop_row(e, row);
    return 0;
  }
  if (line->aside || !e->sparse->symmetric) {
    for (int i = 0; i < line->count; i++)
      try_entry(e, row, i, largest, best);
    return 1;
  }
  if (diagonal < 0 || fabs(line->value[diagonal]) < THRESHOLD * largest) {
    unlink_row(e, row);
    link_row(e, row, 1);
    return 0;
  }
  try_entry(e, row, diagonal, largest, best);
  return 1;
}

/*
** Search the shortest rows; a row of length r promises fill (r - 1)^2 if columns are as long as
** rows.
*/
static void search(Elimination *e, int aside, Pivot *best) {
  const Queue *queue = e->queue[aside];
  int seen = 0;
  *best = (Pivot){-1, -1, LLONG_MAX, 0};
  if (e->count[aside] == 0) return;
  while (queue[e->shortest[aside]].first < 0)
    e->shortest[aside]++;
  for (long long length = e->shortest[aside];
       length <= e->sparse->size && seen < CANDIDATES && best->fill > (length - 1) * (length - 1);
       length++) {
    for (int row = queue[length].first, next; row >= 0 && seen < CANDIDATES; row = next) {
      next = e->lines[row].next;
      seen += try_row(e, row, best);
    }
  }
}

/*
** Returns 0 where no more than rounding is left.  A search without a result has dropped rows or put
** them aside, so it is repeated.
*/
static int choose_pivot(Elimination *e, Pivot *best) {
  Pivot off;
  do {
    search(e, 0, best);
    search(e, 1, &off);
  } while (best->row < 0 && off.row < 0 && e->count[0] + e->count[1] > 0);
  const int cheaper = best->fill > MUCH ? CHEAPER_MUCH : CHEAPER;
  if (off.row >= 0 && (best->row < 0 || off.fill < best->fill / cheaper)) *best = off;
  return best->row >= 0;
}

/* row -= f * pivot row, f chosen so that `column` vanishes */
static void reduce(Elimination *e, int row, const Line *pivot, int column, double divisor) {
  Line *line = &e->lines[row];
  int *place = line->place == NULL ? e->place : line->place;
  unlink_row(e, row);
  for (int i = 0; line->place == NULL && i < line->count; i++)
    place[line->column[i]] = i;
  const double f = line->value[place[column]] / divisor;
  remove_entry(e, line, place[column], place);
  for (int i = 0; i < pivot->count; i++) {
    const int c = pivot->column[i];
    if (c == column) continue;
    if (place[c] >= 0)
      line->value[place[c]] -= f * pivot->value[i];
    else
      add_entry(e, row, c, -f * pivot->value[i]);
  }
  for (int i = 0; line->place == NULL && i < line->count; i++)
    place[line->column[i]] = -1;
  keep_scatter(e, line);
  link_row(e, row, 0);
}

static void eliminate(Elimination *e, const Pivot *at, int index) {
  Sparse *sparse = e->sparse;
  Line *pivot = &e->lines[at->row];
  const int column = pivot->column[at->at], row = e->row_at[column];
  sparse->row_of[index] = at->row;
  sparse->column_of[index] = column;
  e->diagonal[row] = e->diagonal[at->row];
  e->row_at[e->diagonal[row]] = row;
  finish_row(e, at->row);
  const Occurrences of = e->rows_of[column]; /* the loop adds to those of other columns only */
  for (int i = 0; i < of.count && sparse->status == SARRUS_OK; i++)
    if (!e->lines[of.rows[i]].done) reduce(e, of.rows[i], pivot, column, pivot->value[at->at]);
  release_line(e, pivot);
  release_occurrences(e, &e->rows_of[column]);
}

static int is_left_out(LeftOut left_out, int i) {
  return i >= left_out.first && left_out.flag[i - left_out.first];
}

static void load(Elimination *e, const double *value, Scales scales, LeftOut left_out) {
  Sparse *sparse = e->sparse;
  const int size = sparse->size;
  for (int i = 0; i <= size; i++)
    e->queue[0][i] = e->queue[1][i] = (Queue){-1, -1};
  e->shortest[0] = e->shortest[1] = size;
  for (int i = 0; i < size; i++) {
    e->place[i] = -1;
    e->diagonal[i] = e->row_at[i] = i;
    e->lines[i].done = is_left_out(left_out, i);
    if (e->lines[i].done) continue;
    make_room(e, &e->lines[i], sparse->start[i + 1] - sparse->start[i]);
    for (int k = sparse->start[i]; k < sparse->start[i + 1]; k++) {
      const int j = sparse->column[k];
      if (is_left_out(left_out, j)) continue;
      add_entry(e, i, j, value[k] * scales.row[i] * scales.column[j]);
    }
    keep_scatter(e, &e->lines[i]);
    link_row(e, i, 0);
  }
}

static void open_elimination(Elimination *e) {
  Sparse *sparse = e->sparse;
  const size_t n = (size_t)sparse->size;
  e->lines = take(sparse, n, sizeof *e->lines);
  e->rows_of = take(sparse, n, sizeof *e->rows_of);
  e->length = take(sparse, n, sizeof(int));
  e->queue[0] = take(sparse, n, sizeof(Queue));
  e->queue[1] = take(sparse, n, sizeof(Queue));
  e->diagonal = take(sparse, n, sizeof(int));
  e->row_at = take(sparse, n, sizeof(int));
  e->place = take(sparse, n, sizeof(int));
  if (sparse->status < 0) return;
  memset(e->lines, 0, n * sizeof *e->lines);
  memset(e->rows_of, 0, n * sizeof *e->rows_of);
  memset(e->length, 0, n * sizeof(int));
}

static void close_elimination(Elimination *e, int opened) {
  Sparse *sparse = e->sparse;
  const size_t n = (size_t)sparse->size;
  for (int i = 0; opened && i < sparse->size; i++)
    release_line(e, &e->lines[i]); /* for the sake of its table */
  pool_close(&e->pool);
  give(sparse, e->lines, n, sizeof *e->lines);
  give(sparse, e->rows_of, n, sizeof *e->rows_of);
  give(sparse, e->length, n, sizeof(int));
  give(sparse, e->queue[0], n, sizeof(Queue));
  give(sparse, e->queue[1], n, sizeof(Queue));
  give(sparse, e->diagonal, n, sizeof(int));
  give(sparse, e->row_at, n, sizeof(int));
  give(sparse, e->place, n, sizeof(int));
}

/* Rows and columns without a pivot go to the end, in their own order. */
void sparse_place_rest(Sparse *sparse) {
  int *taken = sparse->mark;
  for (int side = 0; side < 2; side++) {
    int *order = side == 0 ? sparse->row_of : sparse->column_of, next = sparse->rank;
    for (int i = 0; i < sparse->size; i++)
      taken[i] = 0;
    for (int k = 0; k < sparse->rank; k++)
      taken[order[k]] = 1;
    for (int i = 0; i < sparse->size; i++)
      if (!taken[i]) order[next++] = i;
  }
}

sarrus_Status sparse_choose_pivots(Sparse *sparse, const double *value, Scales scales,
                                   LeftOut left_out, double nothing) {
  sparse->nothing = fmax(nothing, NOTHING);
  Elimination e = {.sparse = sparse, .pool = {.memory = sparse->memory}, .first = left_out.first};
  Pivot pivot;
  int rank = 0;
  sparse->status = SARRUS_OK;
  open_elimination(&e);
  const int opened = sparse->status == SARRUS_OK;
  if (opened) load(&e, value, scales, left_out);
  sparse->least = (double)INFINITY;
  while (sparse->status == SARRUS_OK && choose_pivot(&e, &pivot)) {
    sparse->least = fmin(sparse->least, fabs(e.lines[pivot.row].value[pivot.at]));
    eliminate(&e, &pivot, rank++);
  }
  close_elimination(&e, opened);
  sparse->rank = sparse->status < 0 ? 0 : rank;
  sparse_place_rest(sparse);
  return sparse->status;
}

sarrus_Status sparse_order(Sparse *sparse, const double *value, Scales scales, LeftOut left_out,
                           double nothing) {
  SARRUS_TRY(sparse_choose_pivots(sparse, value, scales, left_out, nothing));
  return sparse_group_pivots(sparse);
}
