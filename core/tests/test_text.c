/* Text in a buffer of fixed size. */
#include "text.h"

#include "test.h"

TEST(pieces_are_joined) {
  char to[32];
  Text text = text_open(to, sizeof to);
  CHECK_STR(to, "");
  text_put(&text, "x = ");
  text_format(&text, "%d%s", 42, "!");
  CHECK_STR(to, "x = 42!");
  CHECK_INT(text.length, 7);
  CHECK(!text.full);
}

TEST(what_does_not_fit_ends_in_an_ellipsis) {
  char to[12];
  Text text = text_open(to, sizeof to);
  text_put(&text, "12345");
  text_put(&text, "67890123");
  text_put(&text, "more");
  CHECK_STR(to, "12345...");
  CHECK_INT(text.length, 8);
  CHECK(text.full);
}

/* One byte beyond the buffer is guarded: nothing is ever written past the end. */
TEST(no_size_is_overrun) {
  for (size_t size = 0; size < 20; size++) {
    char to[21];
    memset(to, '#', sizeof to);
    Text text = text_open(to, size);
    for (int i = 0; i < 10; i++)
      text_put(&text, "abc");
    CHECK(to[size] == '#');
    CHECK(size == 0 || text.length < size);
    CHECK(size == 0 || strlen(to) == text.length);
    CHECK(size <= 4 ? text.length == 0 : strcmp(to + text.length - 3, "...") == 0);
  }
}

TEST(formatted_pieces_are_cut_at_their_own_limit) {
  char to[400], longer[300];
  memset(longer, 'x', sizeof longer);
  longer[sizeof longer - 1] = '\0';
  Text text = text_open(to, sizeof to);
  text_format(&text, "%s", longer);
  CHECK_INT(text.length, 159);
  text_put(&text, "|");
  CHECK_STR(to + 159, "|");
}
