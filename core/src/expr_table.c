/*
** Tables: measured data as a piecewise cubic.
**
** The slopes m_i at the knots are those of Fritsch and Carlson: the curve rises and falls only
** where the data does.  On [x_i, x_i+1], with h the width, d the secant slope and s = u - x_i,
**   y = y_i + m_i s + (3 d - 2 m_i - m_i+1)/h s^2 + (m_i + m_i+1 - 2 d)/h^2 s^3,
** and outside the data the end slopes continue.
*/
#include <math.h>
#include <string.h>

#include "expr_graph.h"

static size_t block_size(int count) {
  return ((size_t)count + ((size_t)count + 1) * 5) * sizeof(double);
}

/* A new table with room for count knots, or NULL. */
static Table *append(sarrus_Graph *graph, int count) {
  const sarrus_Memory memory = graph->memory;
  const size_t old = (size_t)graph->table_count * sizeof(Table);
  double *block = memory.alloc(memory.ud, NULL, 0, block_size(count));
  Table *tables =
      block == NULL ? NULL : memory.alloc(memory.ud, graph->tables, old, old + sizeof(Table));
  if (tables == NULL) {
    if (block != NULL) memory.alloc(memory.ud, block, block_size(count), 0);
    graph->status = SARRUS_NOMEM;
    return NULL;
  }
  graph->tables = tables;
  tables[graph->table_count] =
      (Table){count, block, block + count, (double(*)[4])(void *)(block + 2 * count + 1)};
  return &tables[graph->table_count++];
}

/* The table just appended, or an earlier one with the same content. */
static int unique(sarrus_Graph *graph) {
  const int last = graph->table_count - 1;
  const Table *fresh = &graph->tables[last];
  for (int i = 0; i < last; i++) {
    const Table *table = &graph->tables[i];
    if (table->count != fresh->count || memcmp(table->x, fresh->x, block_size(fresh->count)) != 0)
      continue;
    graph->memory.alloc(graph->memory.ud, fresh->x, block_size(fresh->count), 0);
    graph->tables =
        graph->memory.alloc(graph->memory.ud, graph->tables, (size_t)(last + 1) * sizeof(Table),
                            (size_t)last * sizeof(Table));
    graph->table_count = last;
    return i;
  }
  return last;
}

static double slope_at_knot(int i, int count, const double *x, const double *y) {
  const int l = i > 0 ? i - 1 : 0, r = i < count - 1 ? i : count - 2;
  const double hl = x[l + 1] - x[l], hr = x[r + 1] - x[r];
  const double dl = (y[l + 1] - y[l]) / hl, dr = (y[r + 1] - y[r]) / hr;
  if (l == r) return dl;
  if (dl * dr <= 0) return 0;
  const double wl = 2 * hr + hl, wr = hr + 2 * hl;
  return (wl + wr) / (wl / dl + wr / dr);
}

static int is_data(int count, const double *x, const double *y) {
  if (count < 2 || x == NULL || y == NULL) return 0;
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i]) || !isfinite(y[i]) || (i > 0 && !(x[i] > x[i - 1]))) return 0;
  return 1;
}

int sarrus_graph_new_table(sarrus_Graph *graph, int count, const double *x, const double *y) {
  if (graph->status < 0) return SARRUS_NONE;
  if (!is_data(count, x, y)) return expr_refuse(graph);
  Table *table = append(graph, count);
  if (table == NULL) return SARRUS_NONE;
  memcpy(table->x, x, (size_t)count * sizeof *x);
  for (int i = 0; i + 1 < count; i++) {
    const double h = x[i + 1] - x[i], d = (y[i + 1] - y[i]) / h;
    const double m0 = slope_at_knot(i, count, x, y), m1 = slope_at_knot(i + 1, count, x, y);
    table->origin[i + 1] = x[i];
    memcpy(table->piece[i + 1],
           (double[4]){y[i], m0, (3 * d - 2 * m0 - m1) / h, (m0 + m1 - 2 * d) / (h * h)},
           sizeof table->piece[0]);
  }
  table->origin[0] = x[0];
  table->origin[count] = x[count - 1];
  memcpy(table->piece[0], (double[4]){y[0], slope_at_knot(0, count, x, y), 0, 0},
         sizeof table->piece[0]);
  memcpy(table->piece[count],
         (double[4]){y[count - 1], slope_at_knot(count - 1, count, x, y), 0, 0},
         sizeof table->piece[0]);
  return unique(graph);
}

int table_import(sarrus_Graph *graph, const Table *table) {
  if (graph->status < 0) return SARRUS_NONE;
  Table *copy = append(graph, table->count);
  if (copy == NULL) return SARRUS_NONE;
  memcpy(copy->x, table->x, block_size(table->count));
  return unique(graph);
}

void table_release(sarrus_Graph *graph) {
  const sarrus_Memory memory = graph->memory;
  for (int i = 0; i < graph->table_count; i++)
    memory.alloc(memory.ud, graph->tables[i].x, block_size(graph->tables[i].count), 0);
  if (graph->tables != NULL)
    memory.alloc(memory.ud, graph->tables, (size_t)graph->table_count * sizeof(Table), 0);
}

size_t table_bytes(const sarrus_Graph *graph) {
  size_t bytes = (size_t)graph->table_count * sizeof(Table);
  for (int i = 0; i < graph->table_count; i++)
    bytes += block_size(graph->tables[i].count);
  return bytes;
}

/* The number of knots <= u, by bisection. */
int table_piece(const Table *table, double u) {
  int low = 0, high = table->count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (table->x[middle] <= u)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

double table_value(const Table *table, int piece, int derivative, double u) {
  const double *c = table->piece[piece], s = u - table->origin[piece];
  switch (derivative) {
    case 0: return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    case 1: return c[1] + s * (2 * c[2] + s * 3 * c[3]);
    case 2: return 2 * c[2] + s * 6 * c[3];
    case 3: return 6 * c[3];
    default: return 0;
  }
}

sarrus_Expr sarrus_graph_table(sarrus_Graph *graph, int table, int derivative, sarrus_Expr x) {
  double u;
  if (table == SARRUS_NONE || !expr_accept(graph, x)) return SARRUS_NONE;
  if (table < 0 || table >= graph->table_count || derivative < 0) return expr_refuse(graph);
  if (derivative > 3) return sarrus_graph_constant(graph, 0);
  const Table *data = &graph->tables[table];
  if (sarrus_graph_is_constant(graph, x, &u))
    return sarrus_graph_constant(graph, table_value(data, table_piece(data, u), derivative, u));
  return expr_intern(graph, SARRUS_OP_TABLE, x, table, derivative, 0);
}
