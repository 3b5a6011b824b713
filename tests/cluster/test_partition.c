#include "cluster/partition.h"

#include "support/frozen.h"
#include "support/random.h"
#include "support/scenes.h"
#include "support/suite.h"

// Closed counts of sheets: strips of whole rows exchange two rows a border, one each way.
typedef struct strip_case {
  uint32_t columns, rows, rank_count;
  uint64_t cut, sent, messages;
  uint32_t neighbors;
} strip_case;

static const strip_case strip_cases[] = {
    // one tile across: a row a border, from the tile on either side
    {512, 512, 1, 0, 0, 0, 0},
    {512, 512, 2, 512, 1024, 2, 1},
    {512, 512, 4, 3 * 512, 6 * 512, 6, 2},
    {512, 512, 128, 127 * 512, 254 * 512, 254, 2},
    // four tiles across: at each of three corners a particle that four patches send, and one of
    // three
    {8192, 64, 2, 8192, 2 * (8192 - 6) + 3 * (4 + 3), 8, 1},
};

START_TEST(strips_of_a_sheet_exchange_a_row_each_way_at_every_border) {
  const strip_case* c = &strip_cases[_i];
  weft__patch_graph graph;
  ck_assert(weft__patch_graph_of_sheet(&graph, c->columns, c->rows));
  uint32_t* owner = calloc(graph.patch_count, sizeof *owner);
  weft__partition_ranges(&graph, c->rank_count, owner);
  weft__partition_measures m;
  ck_assert(weft__partition_measure(&graph, owner, c->rank_count, &m));
  ck_assert_uint_eq(m.cut_particles, c->cut);
  ck_assert_uint_eq(m.sent_particles, c->sent);
  ck_assert_uint_eq(m.messages, c->messages);
  ck_assert_uint_eq(m.most_neighbors, c->neighbors);
  ck_assert_double_eq_tol(m.imbalance, 1.0, 1e-12);
  free(owner);
  weft__patch_graph_destroy(&graph);
}
END_TEST

// Blocks have a grid of ranks that cuts less than strips, where tiles allow it.
START_TEST(blocks_cut_both_ways_only_where_it_is_shorter) {
  uint32_t owner[4 * 1024];
  // tiles of 2048 x 1: strips of 1 x 4 cut 3 * 8192, blocks of 4 x 1 only 3 * 64
  const weft__tiling wide = weft__tiling_of(8192, 64);
  ck_assert_uint_eq(wide.across * wide.down, 256);
  weft__partition_blocks(8192, 64, 4, owner);
  for (uint32_t p = 0; p < 256; ++p) ck_assert_uint_eq(owner[p], p % 4);
  // one tile across: nothing but strips
  weft__partition_blocks(512, 512, 4, owner);
  for (uint32_t p = 0; p < 128; ++p) ck_assert_uint_eq(owner[p], p / 32);
}
END_TEST

// A sheet's graph by formula is that of its schedule but for the particles that empty lanes touch,
// one at each border of tiles of three rows or more.
typedef struct sheet_case {
  uint32_t columns, rows;
  uint64_t padding; /* particles of all borders */
} sheet_case;

static const sheet_case sheets[] = {
    {512, 96, 23}, {768, 64, 20}, {1024, 64, 0}, {4096, 16, 0}, {8192, 12, 0}};

static weft_scene* new_sheet(uint32_t columns, uint32_t rows) {
  weft_scene* scene = new_scene();
  add_sheet(scene, columns, rows, STRUCTURAL | SHEAR);
  return scene;
}

START_TEST(a_sheet_by_formula_has_the_graph_of_its_schedule) {
  const sheet_case* c = &sheets[_i];
  frozen f = freeze(new_sheet(c->columns, c->rows));
  weft__patch_graph by_formula, by_schedule;
  ck_assert(weft__patch_graph_of_sheet(&by_formula, c->columns, c->rows));
  ck_assert(weft__patch_graph_of_schedule(&by_schedule, &f.schedule));
  const uint32_t patches = by_schedule.patch_count;
  ck_assert_uint_eq(by_formula.patch_count, patches);
  // each patch a rank of its own, and two ranks
  uint32_t* owner = calloc(patches, sizeof *owner);
  for (uint32_t p = 0; p < patches; ++p) owner[p] = p;
  weft__partition_measures a, b;
  ck_assert(weft__partition_measure(&by_formula, owner, patches, &a));
  ck_assert(weft__partition_measure(&by_schedule, owner, patches, &b));
  ck_assert_uint_eq(a.cut_particles + c->padding, b.cut_particles);
  ck_assert_uint_eq(a.sent_particles + 2 * c->padding, b.sent_particles);
  ck_assert_uint_eq(a.messages, b.messages);
  for (uint32_t p = 0; p < patches; ++p) owner[p] = p / 5 % 2;
  ck_assert(weft__partition_measure(&by_formula, owner, 2, &a));
  ck_assert(weft__partition_measure(&by_schedule, owner, 2, &b));
  ck_assert_uint_eq(a.messages, b.messages);
  free(owner);
  weft__patch_graph_destroy(&by_formula);
  weft__patch_graph_destroy(&by_schedule);
  free_frozen(&f);
}
END_TEST

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

START_TEST(ranges_by_costs_have_the_least_bottleneck) {
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
END_TEST

SUITE(partition) {
  const int strips = sizeof strip_cases / sizeof strip_cases[0];
  tcase_add_loop_test(tests, strips_of_a_sheet_exchange_a_row_each_way_at_every_border, 0, strips);
  tcase_add_test(tests, blocks_cut_both_ways_only_where_it_is_shorter);
  tcase_add_loop_test(tests, a_sheet_by_formula_has_the_graph_of_its_schedule, 0,
                      sizeof sheets / sizeof sheets[0]);
  tcase_add_loop_test(tests, ranges_by_costs_have_the_least_bottleneck, 0, 40);
}
