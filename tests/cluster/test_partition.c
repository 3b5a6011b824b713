#include "libraries/cluster/partition.h"

#include "support/test.h"

// Least bottleneck of the patches from `first` on, for the ranks from `rank` on: all cuts are
// tried.
static double least_bottleneck(const weft__cost_shares* of, uint32_t first, uint32_t rank) {
  double least = 1e300, cost = 0.0;
  for (uint32_t end = first; end <= of->patch_count; ++end) {
    const double own = cost / (double)of->share[rank];
    const bool is_last = rank + 1 == of->rank_count;
    if (!is_last || end == of->patch_count) {
      const double others = is_last ? 0.0 : least_bottleneck(of, end, rank + 1);
      const double most = own > others ? own : others;
      if (most < least) least = most;
    }
    if (end < of->patch_count) cost += (double)of->cost[end];
  }
  return least;
}

LOOP_TEST(ranges_by_costs_have_the_least_bottleneck, 0, 40) {
  enum { PATCHES = 12, RANKS = 4 };
  random_source random = {(uint64_t)_i + 1};
  uint64_t cost[PATCHES];
  float share[RANKS];
  double all = 0.0, shares = 0.0;
  for (int p = 0; p < PATCHES; ++p) {
    cost[p] = random_chance(&random, 4) ? 0 : random_below(&random, 1000);
    all += (double)cost[p];
  }
  for (int r = 0; r < RANKS; ++r) {
    share[r] = _i % 2 == 0 ? 1.0f : random_float(&random, 0.1f, 2.0f);
    shares += (double)share[r];
  }
  const weft__cost_shares of = {cost, PATCHES, share, RANKS};
  uint32_t first[RANKS + 1];
  weft__partition_costs(&of, first);
  ck_assert_uint_eq(first[0], 0);
  ck_assert_uint_eq(first[RANKS], PATCHES);
  for (int r = 0; r < RANKS; ++r) ck_assert_uint_le(first[r], first[r + 1]);
  ck_assert_double_eq_tol(weft__partition_imbalance(&of, first) * all / shares,
                          least_bottleneck(&of, 0, 0), 1e-9 * all);
}
