#include "schedule/fan.h"

#include "kernels/kernels.h"
#include "support/frozen.h"
#include "support/lanes.h"
#include "support/rig.h"
#include "support/test.h"

// record index of a lane's centre or, with the run's own index column, of its other end
static uint32_t record_at(const weft__schedule* s, uint32_t first, uint32_t lane) {
  const uint16_t index = s->index_local[first + lane];
  require(index % 2 == 0);
  return index / 2;
}

static uint32_t records_of(const weft__schedule* s, uint32_t patch) {
  uint32_t count = 0;
  for (uint32_t i = s->patch_first_segment[patch]; i < s->patch_first_segment[patch + 1]; ++i) {
    count += s->segments[i].count;
  }
  return count;
}

// ---- structure of a fan ----

static void check_segments(const frozen* f) {
  const weft__schedule* s = &f->schedule;
  uint32_t* copied_by = test_alloc(s->particle_count * sizeof(uint32_t));
  for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
    const uint32_t first = s->patch_first_segment[patch];
    if (first == s->patch_first_segment[patch + 1]) continue;
    require(s->segments[first].first == s->patch_first[patch]);
    require(s->segments[first].count == s->patch_first[patch + 1] - s->patch_first[patch]);
    for (uint32_t i = first; i < s->patch_first_segment[patch + 1]; ++i) {
      for (uint32_t row = 0; row < s->segments[i].count; ++row) {
        uint32_t* copied = &copied_by[s->segments[i].first + row];
        require(*copied != patch + 1);
        *copied = patch + 1;
      }
    }
    require(records_of(s, patch) <= s->max_locals && records_of(s, patch) < WEFT__MAX_LOCALS);
  }
}

// each record occurs at most once per slot, as a centre or as an other end; empty lanes name the
// record past the end
static void check_slot(const frozen* f, const weft__run* run, uint32_t patch, uint32_t* seen,
                       uint32_t mark) {
  const weft__schedule* s = &f->schedule;
  const uint32_t records = records_of(s, patch);
  require(run->group_count == 2 && run->b >= 1 && run->b <= WEFT__FAN_LANES);
  for (uint32_t lane = 0; lane < WEFT__FAN_LANES; ++lane) {
    const uint32_t center = record_at(s, run->a, lane);
    const uint32_t other = record_at(s, run->index, lane);
    require(lane < run->b ? center < records : center == records);
    if (lane < run->b) {
      require(seen[center] != mark);
      seen[center] = mark;
    }
    if (!holds_link(s, run->first_group + lane / WEFT__LANES, lane % WEFT__LANES)) {
      require(other == records);
      continue;
    }
    require(lane < run->b && other < records && seen[other] != mark);
    seen[other] = mark;
  }
}

static void check_slots(const frozen* f) {
  const weft__schedule* s = &f->schedule;
  uint32_t* seen = test_alloc(WEFT__MAX_LOCALS * sizeof(uint32_t));
  for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
    for (uint32_t r = weft__patch_first_run(s, patch); r < weft__patch_end_run(s, patch); ++r) {
      if (s->runs[r].kind == WEFT__RUN_FAN) check_slot(f, &s->runs[r], patch, seen, r + 1);
    }
  }
}

LOOP_TEST(a_patch_copies_no_particle_twice_and_a_slot_names_no_record_twice, 0,
          scene_case_count()) {
  frozen f = freeze(new_scene_case(_i));
  check_segments(&f);
  check_slots(&f);
}

RANDOM_TEST(most_lanes_of_a_large_mesh_hold_a_link, 2) {
  weft_scene* scene = new_scene();
  (void)add_random_mesh(scene, &random, random_from(&random, 100, 150));
  frozen f = freeze(scene);
  ck_assert_uint_gt(f.schedule.segment_count, 0);
  // the bound is low because the random mesh has holes
  ck_assert_uint_gt(20 * f.schedule.links.link_count,
                    17 * WEFT__LANES * f.schedule.links.group_count);
}

TEST(a_patch_that_touches_too_many_particles_is_solved_in_place) {
  // hub with a lower number than its leaves, which exceed the range of a local index
  enum { SPOKES = WEFT__MAX_LOCALS + 5000 };
  weft_scene* scene = new_scene();
  random_source random = {6};
  (void)add_cloud(scene, &random, SPOKES + 1, 1.0f);
  weft_link_def* links = test_alloc(SPOKES * sizeof(*links));
  for (uint32_t i = 0; i < SPOKES; ++i) {
    links[i] = (weft_link_def){.a = 0, .b = i + 1, .rest_length = 1.0f, .relaxation = 1.0f};
  }
  expect_ok(weft_scene_add_links(scene, links, SPOKES, NULL));
  frozen f = freeze(scene);
  ck_assert_uint_lt(f.schedule.max_locals, WEFT__MAX_LOCALS);
  uint32_t held = 0;
  for (uint32_t group = 0; group < f.schedule.links.group_count; ++group) {
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane)
      held += holds_link(&f.schedule, group, lane);
  }
  ck_assert_uint_eq(held, SPOKES);
}

// ---- solving fans ----

// random particles of a style, one for each particle of the schedule
static weft__particles draw_particles(const weft__schedule* s, random_source* random,
                                      rig_style style) {
  weft__particles particles;
  ck_assert(weft__particles_create(&particles, s->particle_count));
  fill_particles(&particles, random, style);
  return particles;
}

static void solve_all(const weft__kernels* kernels, weft__particles* particles,
                      const weft__schedule* s) {
  float* records = test_alloc(weft__record_floats(s) * sizeof(float));
  forget_multipliers(s);
  for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
    // stale record contents must not matter
    for (size_t i = 0; i < weft__record_floats(s); ++i) records[i] = NAN;
    kernels->solve_patch(particles, s, patch, false, records);
  }
}

static void check_unlinked_stay(const frozen* f, const weft__particles* before,
                                const weft__particles* after) {
  const weft__schedule* s = &f->schedule;
  bool* linked = test_alloc(s->particle_count * sizeof(bool));
  for (uint32_t i = 0; i < s->links.link_count; ++i) {
    linked[s->solver_of[f->links[i].a]] = linked[s->solver_of[f->links[i].b]] = true;
  }
  for (uint32_t i = 0; i < s->particle_count; ++i) {
    require(linked[i] ||
            (before->pos_x[i] == after->pos_x[i] && before->pos_y[i] == after->pos_y[i] &&
             before->pos_z[i] == after->pos_z[i]));
  }
}

// particles without links keep their positions although their records are copied
RANDOM_TEST(every_isa_solves_any_patch_like_scalar_bit_for_bit, scene_case_count()) {
  frozen f = freeze(new_scene_case(_i));
  weft__particles drawn =
      draw_particles(&f.schedule, &random, (rig_style)(_i / 4 % RIG_STYLE_COUNT));
  weft__particles expected = copy_particles(&drawn);
  solve_all(&weft__kernels_scalar, &expected, &f.schedule);
  check_unlinked_stay(&f, &drawn, &expected);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles particles = copy_particles(&drawn);
    solve_all(weft__kernels_select((weft_isa)isa), &particles, &f.schedule);
    ck_assert_msg(same_particles(&particles, &expected), "%s", weft_isa_name((weft_isa)isa));
  }
  weft__particles_destroy(&drawn);
}
