/*
** Pivots that belong together: the tree of elimination of the order that was chosen, found here by
** elimination of full patterns, has each subtree side by side.
*/
#include "kkt_matrices.h"

enum { MOST_SIZE = 64 };

typedef struct Tree {
  int parent[MOST_SIZE], size[MOST_SIZE], first[MOST_SIZE]; /* of subtrees */
} Tree;

/* Symbolic elimination in the order of pivots; patterns count as symmetric. */
static Tree tree_of(const Matrix *a, Sparse *sparse) {
  static bool full[MOST_SIZE][MOST_SIZE];
  int row[MOST_SIZE], column[MOST_SIZE];
  const int rank = sparse_rank(sparse);
  Tree tree;
  memset(full, 0, sizeof full);
  for (int k = 0; k < a->size; k++) {
    row[sparse_rows(sparse)[k]] = k;
    column[sparse_columns(sparse)[k]] = k;
  }
  for (int e = 0; e < a->count; e++) {
    const int i = row[a->entries[e].row], j = column[a->entries[e].column];
    full[i][j] = full[j][i] = true;
  }
  for (int k = 0; k < rank; k++) {
    tree.parent[k] = -1;
    tree.size[k] = 1;
    tree.first[k] = k;
    for (int i = rank - 1; i > k; i--) {
      if (!full[i][k]) continue;
      tree.parent[k] = i;
      for (int j = k + 1; j < rank; j++)
        if (full[k][j]) full[i][j] = full[j][i] = true;
    }
  }
  for (int k = 0; k < rank; k++) {
    const int parent = tree.parent[k];
    if (parent < 0) continue;
    tree.size[parent] += tree.size[k];
    if (tree.first[k] < tree.first[parent]) tree.first[parent] = tree.first[k];
  }
  return tree;
}

static void check_permutation(const int *items, int count) {
  bool seen[MOST_SIZE] = {false};
  for (int k = 0; k < count; k++) {
    REQUIRE(items[k] >= 0 && items[k] < count);
    CHECK(!seen[items[k]]);
    seen[items[k]] = true;
  }
}

/* Rows and columns are all there, once; and subtrees end with their roots. */
static void check_grouped(const Matrix *a, int symmetric) {
  Sparse *sparse = sparse_of(a, sarrus_memory_default(), symmetric);
  REQUIRE(a->size <= MOST_SIZE);
  REQUIRE_OK(sparse_order(sparse, a->value, ones(), NONE_LEFT_OUT, 0));
  check_permutation(sparse_rows(sparse), a->size);
  check_permutation(sparse_columns(sparse), a->size);
  const Tree tree = tree_of(a, sparse);
  for (int k = 0; k < sparse_rank(sparse); k++)
    CHECK_INT(tree.first[k], k - tree.size[k] + 1);
  sparse_free(sparse);
}

TEST(subtrees_of_mechanisms) {
  static const Shape kinds[] = {CHAIN, RING, STAR};
  for (int i = 0; i < 3; i++)
    for (int count = 2; count <= 9; count++) {
      Matrix a = mechanism(kinds[i], count, 1, (unsigned)(10 * i + count));
      if (a.size <= MOST_SIZE) check_grouped(&a, 1);
      matrix_free(&a);
    }
}

/* Forests, whose entries stand above or below the diagonal alone as chance will have it. */
TEST(subtrees_of_random_patterns) {
  for (unsigned seed = 1; seed <= 60; seed++) {
    unsigned dice = seed;
    const int size = 4 + (int)random_in(&dice, 0, 40);
    const double density = random_in(&dice, 0.2, 2);
    Matrix a = {0};
    for (int i = 0; i < size; i++)
      put(&a, i, i, 4 + random_in(&dice, 0, 1));
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        if (i != j && random_in(&dice, 0, 1) < density / size) put(&a, i, j, 0.1);
    complete(&a, size, 0);
    check_grouped(&a, seed % 2 == 0);
    matrix_free(&a);
  }
}

/* Chains that hang on one root: it is last, and each chain is a run from its end to the root. */
TEST(arms_of_a_star) {
  enum { ARMS = 5, LENGTH = 4, SIZE = ARMS * LENGTH + 1 };
  Matrix a = {0};
  for (int i = 0; i < SIZE; i++)
    put(&a, i, i, 4);
  for (int i = 0; i < ARMS * LENGTH; i++) /* joints of an arm are ARMS apart */
    put_pair(&a, i, i + ARMS < ARMS * LENGTH ? i + ARMS : SIZE - 1, 1);
  complete(&a, SIZE, 0);
  Sparse *sparse = sparse_of(&a, sarrus_memory_default(), 1);
  REQUIRE_OK(sparse_order(sparse, a.value, ones(), NONE_LEFT_OUT, 0));
  int turns = 0;
  for (int k = 1; k < SIZE; k++)
    turns += sparse_rows(sparse)[k] % ARMS != sparse_rows(sparse)[k - 1] % ARMS;
  CHECK(turns <= ARMS + 1);
  sparse_free(sparse);
  check_grouped(&a, 1);
  matrix_free(&a);
}
