/* The matrix itself: its cover, its list, its verdicts. */
#include "laws/laws.h"
#include "support/test.h"

static bool has_pair(const law_cases* cover, const law_case* c, int a, int b) {
  const uint32_t* wanted = &c->law;
  for (uint32_t i = 0; i < cover->count; ++i) {
    const uint32_t* rows = &cover->items[i].law;
    if (rows[a] == wanted[a] && rows[b] == wanted[b]) return true;
  }
  return false;
}

TEST(the_cover_has_each_pair_of_rows_that_goes_together) {
  const law_cases all = law_all_cases(), cover = law_cover();
  // one case of a few: all take a minute
  for (uint32_t i = 0; i < all.count; i += 37) {
    for (int a = 0; a < 4; ++a) {
      for (int b = a + 1; b < 4; ++b) require(has_pair(&cover, &all.items[i], a, b));
    }
  }
  free(all.items), free(cover.items);
}

TEST(the_cover_is_a_small_part_of_all_cases) {
  const law_cases all = law_all_cases(), cover = law_cover();
  ck_assert_uint_gt(all.count, 10 * cover.count);
  for (uint32_t i = 0; i < cover.count; ++i) require(law_applies(&cover.items[i]));
  free(all.items), free(cover.items);
}

// a listed case that never runs would stay for ever
TEST(each_case_of_the_list_is_in_the_cover) {
  const law_cases cover = law_cover();
  const law_known_list known = law_read_known(WEFT_KNOWN_LAWS, false);
  for (uint32_t k = 0; k < known.count; ++k) {
    bool found = false;
    for (uint32_t i = 0; i < cover.count && !found; ++i) {
      found = memcmp(&cover.items[i], &known.items[k].of, sizeof(law_case)) == 0;
    }
    char name[LAW_CASE_SIZE];
    law_format_case(&known.items[k].of, name);
    if (!found) ck_abort_msg("%s: not in the cover: tools/laws.sh --renew", name);
  }
  free(cover.items), free(known.items);
}

TEST(names_of_cases_are_read_back) {
  const law_cases cover = law_cover();
  for (uint32_t i = 0; i < cover.count; ++i) {
    char name[LAW_CASE_SIZE];
    law_case c;
    law_format_case(&cover.items[i], name);
    require(law_find_case(name, &c));
    require(memcmp(&c, &cover.items[i], sizeof(c)) == 0);
  }
  law_case none;
  require(!law_find_case("energy sheet none", &none));
  require(!law_find_case("energy sheet none fast", &none));
  free(cover.items);
}

TEST(verdicts_go_by_the_list_and_its_tolerance) {
  law_known listed;
  require(law_find_case("momentum sheet none default", &listed.of));
  const double bound = laws[listed.of.law].bound;
  const law_known_list empty = {NULL, 0}, list = {&listed, 1};
  static const struct {
    double listed, now; /* bounds; 0 = not listed */
    law_verdict verdict;
  } cases_of_list[] = {
      {0, 0.9, LAW_HOLDS},    {0, 1.1, LAW_BROKEN},  {2, 2, LAW_KNOWN},      {2, 2.4, LAW_KNOWN},
      {2, 2.6, LAW_WORSE},    {2, 1.5, LAW_BETTER},  {2, 0.9, LAW_BETTER},   {256, 900, LAW_KNOWN},
      {256, 1100, LAW_WORSE}, {256, 60, LAW_BETTER}, {1e9, 1e20, LAW_KNOWN}, {1e9, 900, LAW_BETTER},
  };
  for (size_t i = 0; i < sizeof(cases_of_list) / sizeof(cases_of_list[0]); ++i) {
    listed.figure = cases_of_list[i].listed * bound;
    const law_known_list* known = cases_of_list[i].listed > 0.0 ? &list : &empty;
    ck_assert_int_eq(law_judge(known, &listed.of, cases_of_list[i].now * bound),
                     cases_of_list[i].verdict);
  }
}
