/* Rearranges the order of elimination so that pivots that depend on each other are neighbours. */
#include <string.h>

#include "kkt_sparse_parts.h"

/*
** The tree of elimination: pivot j comes before its parent, and every pivot that needs j first, by
** row or by column, is an ancestor of j.  Any order that keeps children before parents gives the
** same L and U, except for rounding.  An order that takes one subtree after the other has the
** entries of a row close together, so that blocks of rows have fewer columns (a solve for a chain
** of 10: a fifth less time).  The tree is found from the pattern of the matrix, as if it were
** symmetric; the fill of L and U follows from it.  (With the tree found from the patterns of L and
** U instead, the worst frame of a four-bar at 60 Hz took 290 us rather than 195.)
*/
typedef struct Tree {
  int *parent;
  int *oldest; /* per pivot: the oldest ancestor known so far */
  int *start;  /* entries above the diagonal: where each column begins, rank + 1 */
  int *above;  /* the rows of these entries */
  int *size;   /* per pivot: the size of its subtree */
  int *order;  /* workspace */
} Tree;

/* List the entries above the diagonal by columns: (k, j) with k < j < rank. */
static void find_columns(const Sparse *sparse, Tree *tree) {
  int *start = tree->start;
  memset(start, 0, ((size_t)sparse->rank + 1) * sizeof *start);
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < sparse->rank; k++) {
      const int row = sparse->row_of[k];
      for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++) {
        const int j = sparse->column_place[sparse->column[i]];
        if (j <= k || j >= sparse->rank) continue;
        if (pass == 0)
          start[j]++;
        else
          tree->above[--start[j]] = k;
      }
    }
    for (int k = 0; pass == 0 && k < sparse->rank; k++)
      start[k + 1] += start[k]; /* where column k ends; it is filled from its end */
  }
}

/* Pivot k needs j first: k becomes the parent of the oldest ancestor of j known so far. */
static void wait_for(Tree *tree, int j, int k) {
  while (j != k) {
    const int oldest = tree->oldest[j];
    tree->oldest[j] = k;
    if (oldest < 0) tree->parent[j] = k;
    j = oldest < 0 ? k : oldest;
  }
}

static void grow(const Sparse *sparse, Tree *tree) {
  find_columns(sparse, tree);
  for (int k = 0; k < sparse->rank; k++) {
    const int row = sparse->row_of[k];
    tree->parent[k] = tree->oldest[k] = -1;
    tree->size[k] = 1;
    for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++) {
      const int j = sparse->column_place[sparse->column[i]];
      if (j < k) wait_for(tree, j, k);
    }
    for (int i = tree->start[k]; i < tree->start[k + 1]; i++)
      wait_for(tree, tree->above[i], k);
  }
  for (int k = 0; k < sparse->rank; k++)
    if (tree->parent[k] >= 0) tree->size[tree->parent[k]] += tree->size[k];
}

static void permute(int *items, const int *place, int count, int *space) {
  memcpy(space, items, (size_t)count * sizeof *items);
  for (int k = 0; k < count; k++)
    items[place[k]] = space[k];
}

/*
** Each subtree ends with its root.  Pivots are placed from the last to the first, each subtree in
** front of those placed so far.
*/
static void take_subtrees_in_turn(Sparse *sparse, Tree *tree) {
  int *end = tree->oldest, *place = tree->start, last = sparse->rank;
  for (int k = sparse->rank - 1; k >= 0; k--) {
    int *free = tree->parent[k] < 0 ? &last : &end[tree->parent[k]];
    place[k] = end[k] = *free - 1;
    *free -= tree->size[k];
  }
  permute(sparse->row_of, place, sparse->rank, tree->order);
  permute(sparse->column_of, place, sparse->rank, tree->order);
}

sarrus_Status sparse_group_pivots(Sparse *sparse) {
  const size_t n = (size_t)sparse->size, ints = 5 * n + 1 + (size_t)sparse->start[n];
  int *space = take(sparse, ints, sizeof(int));
  if (space == NULL) {
    sparse->rank = 0; /* there is no order of elimination */
    return SARRUS_NOMEM;
  }
  Tree tree = {
      space, space + n, space + 2 * n, space + 5 * n + 1, space + 3 * n + 1, space + 4 * n + 1};
  for (int k = 0; k < sparse->size; k++)
    sparse->column_place[sparse->column_of[k]] = k;
  grow(sparse, &tree);
  take_subtrees_in_turn(sparse, &tree);
  give(sparse, space, ints, sizeof(int));
  return sparse_follow(sparse, sparse->rank);
}
