#include "kernels/kernels.h"

#include "support/lanes.h"
#include "support/rig.h"
#include "support/test.h"

// case number: style + seed * RIG_STYLE_COUNT
static rig rig_of(int number, uint32_t run_count) {
  random_source random = {(uint64_t)number};
  return new_rig(&random, (rig_style)(number % RIG_STYLE_COUNT), run_count);
}

// ---- available kernels ----

TEST(scalar_is_always_there_and_auto_takes_the_widest) {
  ck_assert(weft_isa_supported(WEFT_ISA_SCALAR));
  ck_assert(weft_isa_supported(WEFT_ISA_AUTO));
  int widest = WEFT_ISA_SCALAR;
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    ck_assert_int_eq((int)weft__kernels_select((weft_isa)isa)->isa, isa);
    widest = isa;
  }
  ck_assert_int_eq((int)weft__kernels_select(WEFT_ISA_AUTO)->isa, widest);
}

TEST(the_environment_can_choose_for_auto_and_for_nothing_else) {
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    setenv("WEFT_ISA", weft_isa_name((weft_isa)isa), 1);
    ck_assert_int_eq((int)weft__kernels_select(WEFT_ISA_AUTO)->isa, isa);
    ck_assert_int_eq((int)weft__kernels_select(WEFT_ISA_SCALAR)->isa, WEFT_ISA_SCALAR);
  }
  setenv("WEFT_ISA", "avx9", 1);
  ck_assert(!weft_isa_supported(WEFT_ISA_AUTO));
  ck_assert(weft_isa_supported(WEFT_ISA_SCALAR));
  const weft__kernels* widest = (setenv("WEFT_ISA", "", 1), weft__kernels_select(WEFT_ISA_AUTO));
  setenv("WEFT_ISA", "auto", 1);
  ck_assert_ptr_eq(weft__kernels_select(WEFT_ISA_AUTO), widest);
  unsetenv("WEFT_ISA");
  ck_assert_ptr_eq(weft__kernels_select(WEFT_ISA_AUTO), widest);
}

TEST(isas_have_the_names_that_the_header_lists) {
  const char* const names[] = {"auto", "scalar", "sse2", "avx2", "avx512", "neon", "simd128"};
  for (int isa = 0; isa < ISA_END; ++isa) {
    ck_assert_str_eq(weft_isa_name((weft_isa)isa), names[isa]);
  }
}

// ---- every ISA against scalar ----

LOOP_TEST(every_isa_solves_like_scalar_bit_for_bit, 0, ROUNDS(300, 60)) {
  rig r = rig_of(_i, 12);
  weft__particles expected = copy_particles(&r.particles);
  solve_rig(&weft__kernels_scalar, &expected, &r.schedule, 3);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles particles = copy_particles(&r.particles);
    solve_rig(weft__kernels_select((weft_isa)isa), &particles, &r.schedule, 3);
    ck_assert_msg(same_particles(&particles, &expected), "%s", weft_isa_name((weft_isa)isa));
  }
}

static weft__motion draw_motion(random_source* random) {
  weft__motion motion = {.kept = random_float(random, 0.0f, 1.0f),
                         .step_squared = random_float(random, 1e-6f, 1e-3f)};
  for (int axis = 0; axis < 3; ++axis) {
    motion.displacement[axis] = random_float(random, -0.01f, 0.01f);
    // half of the limits are infinite, the other half limit most particles
    motion.reach[axis] =
        random_below(random, 2) == 0 ? INFINITY : random_float(random, 1e-4f, 0.1f);
  }
  return motion;
}

#define MOST_FORCE 10.0f  // newtons

// every other case has forces
static void draw_forces(random_source* random, weft__particles* p) {
  if (random_below(random, 2) == 0) return;
  ck_assert(weft__particles_add_forces(p));
  destroy_at_end(free, p->force_block);
  for (uint32_t i = 0; i < p->count; ++i) {
    p->force_x[i] = random_float(random, -MOST_FORCE, MOST_FORCE);
    p->force_y[i] = random_float(random, -MOST_FORCE, MOST_FORCE);
    p->force_z[i] = random_float(random, -MOST_FORCE, MOST_FORCE);
  }
}

RANDOM_TEST(every_isa_integrates_like_scalar_bit_for_bit, ROUNDS(300, 60)) {
  const weft__motion motion = draw_motion(&random);
  rig r = rig_of(_i, 1);
  const uint32_t end = random_from(&random, 1, r.particles.count);
  const uint32_t begin = random_below(&random, end);
  draw_forces(&random, &r.particles);
  weft__particles expected = copy_particles(&r.particles);
  weft__kernels_scalar.integrate(&expected, &motion, begin, end);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles particles = copy_particles(&r.particles);
    weft__kernels_select((weft_isa)isa)->integrate(&particles, &motion, begin, end);
    ck_assert_msg(same_particles(&particles, &expected), "%s", weft_isa_name((weft_isa)isa));
  }
}

// ---- particles that must not move ----

// marks the particles that belong to a lane with a link
static bool* list_linked(const rig* r) {
  const weft__schedule* s = &r->schedule;
  bool* linked = test_alloc(((size_t)r->particles.count + WEFT__PARTICLE_PADDING) * sizeof(bool));
  for (uint32_t n = 0; n < s->run_count; ++n) {
    const weft__run* run = &s->runs[n];
    for (uint32_t lane = 0; lane < run->group_count * WEFT__LANES; ++lane) {
      const uint32_t group = run->first_group + lane / WEFT__LANES;
      if (!holds_link(s, group, lane % WEFT__LANES)) continue;
      uint32_t a = 0;
      uint32_t b = 0;
      weft__schedule_ends(s, n, run, group, lane % WEFT__LANES, &a, &b);
      linked[a] = linked[b] = true;
    }
  }
  return linked;
}

static bool same_place(const weft__particles* p, const weft__particles* q, uint32_t i) {
  return p->pos_x[i] == q->pos_x[i] && p->pos_y[i] == q->pos_y[i] && p->pos_z[i] == q->pos_z[i];
}

static void expect_unmoved(rig* r, const bool* may_move) {
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles particles = copy_particles(&r->particles);
    solve_rig(weft__kernels_select((weft_isa)isa), &particles, &r->schedule, 1);
    for (uint32_t i = 0; i < particles.count + WEFT__PARTICLE_PADDING; ++i) {
      require(may_move[i] || same_place(&particles, &r->particles, i));
    }
  }
}

RANDOM_TEST(an_empty_lane_leaves_its_particles_where_they_are_whatever_their_place,
            ROUNDS(300, 60)) {
  // few lanes hold a link, so many particles occur in empty lanes only
  rig r = new_rig(&random, (rig_style)(_i % RIG_STYLE_COUNT), 3);
  for (uint32_t g = 0; g < r.schedule.links.group_count; ++g) {
    // empty lanes of indexed groups repeat another lane: keep their masks
    if (r.schedule.runs[g / 4].kind == WEFT__RUN_CONTIGUOUS) r.schedule.links.lane_mask[g] = 0x0101;
  }
  bool* linked = list_linked(&r);
  expect_unmoved(&r, linked);
}

LOOP_TEST(only_the_patch_that_was_asked_for_is_solved, 0, 20) {
  rig r = rig_of(6 * _i, 6);
  weft__particles whole = copy_particles(&r.particles);
  weft__particles parts = copy_particles(&r.particles);
  const weft__kernels* kernels = weft__kernels_select(WEFT_ISA_AUTO);
  solve_rig(kernels, &whole, &r.schedule, 1);
  forget_multipliers(&r.schedule);
  for (uint32_t patch = 0; patch < 6; ++patch) {
    ck_assert(!same_particles(&parts, &whole));
    kernels->solve_patch(&parts, &r.schedule, patch, false, NULL);
  }
  ck_assert(same_particles(&parts, &whole));
}
