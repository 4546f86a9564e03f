/* The default allocator, growing arrays, and objects laid out in one block. */
#include "array.h"
#include "block.h"
#include "test.h"

TEST(default_allocates_resizes_and_frees) {
  const sarrus_Memory memory = sarrus_memory_default();
  char *text = memory.alloc(memory.ud, NULL, 0, 6);
  REQUIRE(text != NULL);
  memcpy(text, "hello", 6);
  text = memory.alloc(memory.ud, text, 6, 60000);
  REQUIRE(text != NULL);
  CHECK_STR(text, "hello");
  text = memory.alloc(memory.ud, text, 60000, 6);
  REQUIRE(text != NULL);
  CHECK_STR(text, "hello");
  CHECK(memory.alloc(memory.ud, text, 6, 0) == NULL);
  CHECK(memory.alloc(memory.ud, NULL, 0, 0) == NULL);
}

TEST(arrays_grow_by_doubling) {
  TestMemory m;
  const sarrus_Memory memory = test_memory_counting(&m);
  int *items = NULL, capacity = 0;
  for (int i = 0; i < 100000; i++) {
    REQUIRE(ARRAY_RESERVE(memory, items, capacity, i + 1));
    items[i] = i;
  }
  for (int i = 0; i < 100000; i++)
    CHECK(items[i] == i);
  CHECK(m.calls <= 20);
  CHECK_INT(m.bytes, (size_t)capacity * sizeof *items);
  ARRAY_RELEASE(memory, items, capacity);
  CHECK_INT(m.blocks, 0);
}

TEST(arrays_stay_as_they_were_without_memory) {
  TestMemory m;
  const sarrus_Memory memory = test_memory_failing(&m, 2);
  int *items = NULL, capacity = 0;
  REQUIRE(ARRAY_RESERVE(memory, items, capacity, 3));
  items[2] = 7;
  const int *before = items;
  const int had = capacity;
  CHECK(!ARRAY_RESERVE(memory, items, capacity, had + 1));
  CHECK(items == before && items[2] == 7 && capacity == had);
  CHECK(!ARRAY_RESERVE(memory, items, capacity, INT_MAX)); /* cannot be doubled */
  ARRAY_RELEASE(memory, items, capacity);
  CHECK_INT(m.blocks, 0);
}

typedef struct Object {
  char *letters;
  double *numbers;
  int *nothing;
} Object;

static void lay_out(Object *object, Block *block, int letters, int numbers) {
  block_take(block, 1, sizeof *object);
  BLOCK_TAKE(block, object->letters, letters);
  BLOCK_TAKE(block, object->numbers, numbers);
  BLOCK_TAKE(block, object->nothing, 0);
}

TEST(blocks_are_measured_and_then_handed_out) {
  Object shape;
  Block measure = {NULL, 0};
  lay_out(&shape, &measure, 3, 5);
  CHECK(shape.letters == NULL && shape.numbers == NULL);
  char *base = malloc(measure.used);
  REQUIRE(base != NULL);
  Block block = {base, 0};
  lay_out(&shape, &block, 3, 5);
  CHECK_INT(block.used, measure.used);
  CHECK(shape.letters >= base + sizeof shape);
  CHECK((char *)shape.numbers >= shape.letters + 3);
  CHECK((char *)(shape.numbers + 5) <= base + measure.used);
  CHECK_INT(((char *)shape.letters - base) % 16, 0);
  CHECK_INT(((char *)shape.numbers - base) % 16, 0);
  free(base);
}
