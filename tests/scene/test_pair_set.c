#include "scene/pair_set.h"

#include "support/test.h"

enum { SIDE = 60 };

RANDOM_TEST(a_pair_is_new_once_whichever_end_comes_first, ROUNDS(40, 10)) {
  // spread the numbers so that keys differ in high bits too
  const uint32_t stretch = random_from(&random, 1, 1u << 22);
  static bool known[SIDE][SIDE];
  memset(known, 0, sizeof(known));
  weft__pair_set set = {0};
  size_t count = 0;
  for (uint32_t i = 0; i < 4 * SIDE * SIDE; ++i) {
    const uint32_t a = random_below(&random, SIDE);
    const uint32_t b = random_below(&random, SIDE);
    if (a == b) continue;
    require(weft__pair_set_reserve(&set, count + 1));
    require(weft__pair_set_insert(&set, a * stretch, b * stretch) == !known[a][b]);
    count += !known[a][b];
    known[a][b] = known[b][a] = true;
    require(set.pair_count == count);
  }
  weft__pair_set_destroy(&set);
  ck_assert_ptr_null(set.slots);
}
