#include "schedule/constraint_coloring.h"

#include "schedule/emit.h"
#include "support/frozen.h"
#include "support/lanes.h"
#include "support/test.h"
#include "tables/particles.h"

static void check_every_link_is_in_one_lane(const frozen* f) {
  const weft__schedule* s = &f->schedule;
  uint32_t held = 0;
  for (uint32_t group = 0; group < s->links.group_count; ++group) {
    // a fan stores both groups in every slot, even if one is empty
    require(s->links.lane_mask[group] != 0 || f->run_of[group]->kind == WEFT__RUN_FAN);
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane)
      held += holds_link(&f->schedule, group, lane);
  }
  ck_assert_uint_eq(held, s->links.link_count);

  // lanes in use equal links in number, so distinct lanes give each link its own
  bool* taken = test_alloc(((size_t)s->links.group_count * WEFT__LANES + 1) * sizeof(bool));
  for (uint32_t i = 0; i < s->links.link_count; ++i) {
    const uint32_t slot = s->links.slot_of_link[i];
    require(slot / WEFT__LANES < s->links.group_count && !taken[slot]);
    require(holds_link(&f->schedule, slot / WEFT__LANES, slot % WEFT__LANES));
    taken[slot] = true;
  }
}

static void ends_of_lane(const frozen* f, uint32_t group, uint32_t lane, uint32_t* a, uint32_t* b) {
  weft__schedule_ends(&f->schedule, f->patch_of[group], f->run_of[group], group, lane, a, b);
}

// parameter of a lane, addressed as the kernels address it
static float lane_value(const float* column, uint32_t first, uint32_t stride, const weft__run* run,
                        uint32_t group, uint32_t lane) {
  return column[first + (size_t)(group - run->first_group) * stride + lane];
}

static void check_lanes_have_what_their_links_have(const frozen* f) {
  const weft__schedule* s = &f->schedule;
  for (uint32_t i = 0; i < s->links.link_count; ++i) {
    const uint32_t group = s->links.slot_of_link[i] / WEFT__LANES;
    const uint32_t lane = s->links.slot_of_link[i] % WEFT__LANES;
    const weft__run* run = f->run_of[group];
    uint32_t a = 0;
    uint32_t b = 0;
    ends_of_lane(f, group, lane, &a, &b);
    require(a < s->particle_count && b < s->particle_count);
    const uint32_t user_a = s->user_of[a];
    const uint32_t user_b = s->user_of[b];
    require((user_a == f->links[i].a && user_b == f->links[i].b) ||
            (user_a == f->links[i].b && user_b == f->links[i].a));
    require(lane_value(s->links.rest_length, run->rest, run->rest_stride, run, group, lane) ==
            f->links[i].rest_length);
    require(lane_value(s->links.relaxation, run->relaxation, run->relaxation_stride, run, group,
                       lane) == f->links[i].relaxation);
  }
}

static void check_links_of_a_batch_share_no_particle(const frozen* f) {
  const weft__schedule* s = &f->schedule;
  // last group, plus 1, in which each particle occurred
  uint32_t* seen = test_alloc(s->particle_count * sizeof(uint32_t));
  for (uint32_t group = 0; group < s->links.group_count; ++group) {
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if (!holds_link(&f->schedule, group, lane)) continue;
      uint32_t ends[2];
      ends_of_lane(f, group, lane, &ends[0], &ends[1]);
      for (int end = 0; end < 2; ++end) {
        require(seen[ends[end]] != f->batch_of[group] + 1);
        seen[ends[end]] = f->batch_of[group] + 1;
      }
    }
  }
}

static void check_links_are_solved_by_the_patch_of_their_lower_end(const frozen* f) {
  const weft__schedule* s = &f->schedule;
  for (uint32_t i = 0; i < s->links.link_count; ++i) {
    const uint32_t group = s->links.slot_of_link[i] / WEFT__LANES;
    const uint32_t a = s->solver_of[f->links[i].a];
    const uint32_t b = s->solver_of[f->links[i].b];
    const uint32_t lower = a < b ? a : b;
    const uint32_t patch = f->patch_of[group];
    require(s->patch_first[patch] <= lower && lower < s->patch_first[patch + 1]);
  }
}

static void check_windows_lie_apart_and_inside_the_columns(const frozen* f) {
  const weft__schedule* s = &f->schedule;
  uint32_t contiguous = 0;
  for (uint32_t group = 0; group < s->links.group_count; ++group) {
    if (f->run_of[group]->kind != WEFT__RUN_CONTIGUOUS) continue;
    ++contiguous;
    uint32_t a = 0;
    uint32_t b = 0;
    ends_of_lane(f, group, 0, &a, &b);
    require(a + WEFT__LANES <= b || b + WEFT__LANES <= a);
    const uint64_t rows = (uint64_t)s->particle_count + WEFT__PARTICLE_PADDING;
    require((uint64_t)a + WEFT__LANES <= rows && (uint64_t)b + WEFT__LANES <= rows);
    for (uint32_t lane = 1; lane < WEFT__LANES; ++lane) {
      uint32_t lane_a = 0;
      uint32_t lane_b = 0;
      ends_of_lane(f, group, lane, &lane_a, &lane_b);
      require(lane_a == a + lane && lane_b == b + lane);
    }
  }
  ck_assert_uint_eq(s->run_group_count, contiguous);
}

static void check_empty_lanes_repeat_a_lane(const frozen* f) {
  for (uint32_t group = 0; group < f->schedule.links.group_count; ++group) {
    if (f->run_of[group]->kind != WEFT__RUN_INDEXED) continue;
    uint32_t first_a = 0;
    uint32_t first_b = 0;
    require(holds_link(&f->schedule, group, 0));
    ends_of_lane(f, group, 0, &first_a, &first_b);
    for (uint32_t lane = 1; lane < WEFT__LANES; ++lane) {
      uint32_t a = 0;
      uint32_t b = 0;
      ends_of_lane(f, group, lane, &a, &b);
      require(holds_link(&f->schedule, group, lane) || (a == first_a && b == first_b));
    }
  }
}

// one schedule for all properties: freezing dominates the run time
LOOP_TEST(every_link_has_a_lane_of_its_own_in_a_batch_and_a_patch_that_may_solve_it, 0,
          scene_case_count()) {
  frozen f = freeze(new_scene_case(_i));
  check_every_link_is_in_one_lane(&f);
  check_lanes_have_what_their_links_have(&f);
  check_links_of_a_batch_share_no_particle(&f);
  check_links_are_solved_by_the_patch_of_their_lower_end(&f);
  check_windows_lie_apart_and_inside_the_columns(&f);
  check_empty_lanes_repeat_a_lane(&f);
}

static uint32_t links_in_contiguous_groups(const frozen* f) {
  uint32_t count = 0;
  for (uint32_t group = 0; group < f->schedule.links.group_count; ++group) {
    if (f->run_of[group]->kind != WEFT__RUN_CONTIGUOUS) continue;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane)
      count += holds_link(&f->schedule, group, lane);
  }
  return count;
}

LOOP_TEST(nearly_all_links_of_a_wide_sheet_are_in_nearly_full_contiguous_groups, 0, 4) {
  frozen f = freeze(new_sheet_scene(128 + 75 * (uint32_t)_i, 64, STRUCTURAL | SHEAR));
  const double links = f.schedule.links.link_count;
  const double in_runs = links_in_contiguous_groups(&f);
  // links of a leftover column are in no contiguous group
  ck_assert_double_gt(in_runs, 0.97 * links);
  ck_assert_double_gt(in_runs, 0.85 * 16.0 * f.schedule.run_group_count);
}

LOOP_TEST(most_links_of_a_long_chain_are_in_contiguous_groups_too, 0, 2) {
  enum { COUNT = 6000 };
  random_source random = {(uint64_t)_i};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, COUNT, 1.0f);
  weft_link_def* links = test_alloc((COUNT - 1) * sizeof(*links));
  // particles numbered along the chain (case 0), or even ones before odd ones
  for (uint32_t i = 0; i + 1 < COUNT; ++i) {
    const uint32_t a = _i == 0 ? i : i / 2 + i % 2 * (COUNT / 2);
    const uint32_t b = _i == 0 ? i + 1 : (i + 1) / 2 + (i + 1) % 2 * (COUNT / 2);
    links[i] = (weft_link_def){.a = a, .b = b, .rest_length = 1.0f, .relaxation = 1.0f};
  }
  expect_ok(weft_scene_add_links(scene, links, COUNT - 1, NULL));
  frozen f = freeze(scene);
  ck_assert_uint_gt(10 * links_in_contiguous_groups(&f), 9 * (COUNT - 1));
}

TEST(a_hub_with_thousands_of_links_is_spread_over_as_many_batches) {
  enum { SPOKES = 3000 };
  random_source random = {9};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, SPOKES + 1, 1.0f);
  weft_link_def* links = test_alloc(SPOKES * sizeof(*links));
  for (uint32_t i = 0; i < SPOKES; ++i) {
    links[i] = (weft_link_def){.a = SPOKES, .b = i, .rest_length = 1.0f, .relaxation = 1.0f};
  }
  expect_ok(weft_scene_add_links(scene, links, SPOKES, NULL));
  frozen f = freeze(scene);
  ck_assert_uint_eq(f.schedule.batch_count, SPOKES);
}

TEST(a_group_whose_slots_do_not_fit_32_bits_is_refused) {
  weft__schedule schedule = {0};
  const weft__links links = {0};
  const weft__constraints constraints = {.links = &links};
  weft__emitter emitter = {.schedule = &schedule, .constraints = &constraints};
  emitter.count[WEFT__EMIT_MASKS] = UINT32_MAX / WEFT__LANES;
  const weft__lanes group = {.kind = WEFT__RUN_CONTIGUOUS, .lane_count = WEFT__LANES};
  ck_assert(!weft__emit_lanes(&emitter, &group));
  ck_assert_ptr_null(schedule.links.lane_mask);
}
