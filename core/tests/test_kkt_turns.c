/* The turns in which a solve takes the blocks of L and U. */
#include "kkt_matrices.h"
#include "kkt_sparse_parts.h"

enum { MOST_BLOCKS = 200 };

/*
** Every block has one turn, after all that it needs; *waiting: how many come right after one of
** these.
*/
static void check_turns(const Sparse *sparse, const Factor *factor, int *waiting) {
  const int blocks = blocks_of(sparse);
  int turn_of[MOST_BLOCKS];
  *waiting = 0;
  REQUIRE(blocks <= MOST_BLOCKS);
  for (int b = 0; b < blocks; b++)
    turn_of[b] = -1;
  for (int turn = 0; turn < blocks; turn++) {
    const int block = factor->turn[turn];
    int last = -1;
    REQUIRE(block >= 0 && block < blocks);
    CHECK(turn_of[block] < 0);
    for (int i = factor->begin[block]; i < factor->begin[block + 1]; i++) {
      const int before = turn_of[factor->from.items[i] / LANES];
      CHECK(before >= 0);
      if (before > last) last = before;
    }
    turn_of[block] = turn;
    *waiting += turn > 0 && last == turn - 1;
  }
}

/* How many blocks need the one before them, in the order of pivots. */
static int count_neighbours(const Sparse *sparse, const Factor *lower) {
  int count = 0;
  for (int b = 1; b < blocks_of(sparse); b++) {
    int needs = 0;
    for (int i = lower->begin[b]; i < lower->begin[b + 1]; i++)
      needs |= lower->from.items[i] / LANES == b - 1;
    count += needs;
  }
  return count;
}

TEST(fewer_blocks_of_a_chain_wait_than_block_by_block) {
  Matrix a = mechanism(CHAIN, 100, 1, 3);
  Sparse *sparse = sparse_of(&a, sarrus_memory_default(), 1);
  int forward, backward;
  REQUIRE_OK(sparse_order(sparse, a.value, ones(), NONE_LEFT_OUT, 0));
  check_turns(sparse, &sparse->lower, &forward);
  check_turns(sparse, &sparse->upper, &backward);
  CHECK(10 * forward < 7 * count_neighbours(sparse, &sparse->lower));
  CHECK(10 * backward < 7 * count_neighbours(sparse, &sparse->lower));
  sparse_free(sparse);
  matrix_free(&a);
}

TEST(needs_come_first) {
  static const Shape kinds[] = {CHAIN, RING, STAR};
  for (int i = 0; i < 3; i++)
    for (int count = 2; count <= 40; count += 7) {
      Matrix a = mechanism(kinds[i], count, 1, (unsigned)(10 * i + count));
      Sparse *sparse = sparse_of(&a, sarrus_memory_default(), 1);
      REQUIRE_OK(sparse_order(sparse, a.value, ones(), NONE_LEFT_OUT, 0));
      int waiting;
      check_turns(sparse, &sparse->lower, &waiting);
      check_turns(sparse, &sparse->upper, &waiting);
      sparse_free(sparse);
      matrix_free(&a);
    }
}
