#include "solvers/multigrid/transfer.h"

#include "base/hash.h"
#include "kernels/kernels.h"
#include "step/step.h"
#include "support/rig.h"
#include "support/stack.h"
#include "support/test.h"

// starts all levels in several batches, as workers do
static void start_levels(stack* s, random_source* random) {
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    for (uint32_t begin = 0, end = 0; begin < level->followers.run_count; begin = end) {
      end = random_from(random, begin + 1, level->followers.run_count);
      weft__level_restrict(&s->levels, l, &weft__kernels_scalar, &s->particles, begin, end);
    }
  }
}

static void note_corrections(const weft__level* level) {
  for (uint32_t patch = 0; patch < level->schedule.patch_count; ++patch) {
    weft__level_store_corrections(level, patch);
  }
}

static void hand_down(stack* s, uint32_t level, const weft__kernels* kernels,
                      weft__particles* particles) {
  const weft__schedule* finer = finer_schedule(s, level);
  for (uint32_t patch = 0; patch < finer->patch_count; ++patch) {
    kernels->prolongate(particles, &s->levels.levels[level].corrections, patch);
  }
}

// one to three sheets with random pins
static weft_scene* new_sheets(random_source* random) {
  weft_scene* scene = new_scene();
  const uint32_t count = random_from(random, 1, 3);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t columns = random_from(random, 1, 70);
    (void)add_sheet(scene, columns, random_from(random, 1, 70),
                    STRUCTURAL | random_below(random, ALL_FAMILIES + 1));
  }
  const uint32_t particles = weft_scene_particle_count(scene);
  const uint32_t pinned = random_below(random, 1 + particles / 4);
  for (uint32_t i = 0; i < pinned; ++i) {
    expect_ok(weft_scene_pin(scene, weft_range(random_below(random, particles), 1)));
  }
  return scene;
}

// ---- number and size of levels ----

LOOP_TEST(levels_are_what_coarsening_gives_and_shrink_until_no_link_is_left, 0, ROUNDS(16, 6)) {
  stack* s = new_stack(new_scene_case(_i));
  ck_assert_uint_eq(s->levels.count, s->depth < WEFT__MAX_LEVELS ? s->depth : WEFT__MAX_LEVELS);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    const weft_scene* scene = s->made[l].scene;
    ck_assert_uint_lt(level->schedule.particle_count, finer_schedule(s, l)->particle_count);
    ck_assert_uint_eq(level->schedule.particle_count, weft_scene_particle_count(scene));
    ck_assert_uint_eq(level->schedule.links.link_count, weft_scene_link_count(scene));
    ck_assert_uint_eq(level->particles.count, level->schedule.particle_count);
    ck_assert(level->schedule.links.one_sided);
  }
  ck_assert(!s->cloth.links.one_sided);
}

TEST(where_nothing_can_be_coarsened_there_are_no_levels) {
  random_source random = {1};
  weft_scene* scene = new_sheet_scene(5, 5, ALL_FAMILIES);
  (void)add_cloud(scene, &random, 50, 1.0f);
  stack* s = new_stack(scene);
  ck_assert_uint_eq(s->levels.count, 0);
}

// ---- starting ----

// mass times displacement along x, in double precision
static double momentum_of(const weft__particles* p, const float* from) {
  double sum = 0.0;
  for (uint32_t i = 0; i < p->count; ++i) {
    sum += ((double)p->pos_x[i] - (double)from[i]) / (double)p->inv_mass[i];
  }
  return sum;
}

RANDOM_TEST(every_level_of_a_free_sheet_has_the_momentum_of_the_cloth, ROUNDS(16, 6)) {
  stack* s = new_stack(
      new_sheet_scene(random_from(&random, 9, 70), random_from(&random, 9, 70), ALL_FAMILIES));
  double scale = 0.0;
  for (uint32_t i = 0; i < s->particles.count; ++i) {
    s->particles.inv_mass[i] = random_float(&random, 0.5f, 4.0f);
    s->particles.prev_x[i] = s->particles.pos_x[i] - random_float(&random, -1.0f, 1.0f);
    scale += 1.0 / (double)s->particles.inv_mass[i];
  }
  weft__levels_set_masses(&s->levels, &s->particles);
  start_levels(s, &random);
  const double expected = momentum_of(&s->particles, s->particles.prev_x);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    const double momentum = momentum_of(&level->particles, level->rests.center[0]);
    ck_assert_double_eq_tol(momentum, expected, 1e-5 * scale);
  }
}

// Particles of runs with two ranges, which are restricted by whole vectors.
static uint32_t count_in_rows(const weft__restriction* followers) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < followers->run_count; ++r) {
    if (followers->runs[r].second != WEFT__ONE_RANGE) count += followers->runs[r].count;
  }
  return count;
}

LOOP_TEST(rows_of_a_sheet_are_restricted_as_rows, 0, 4) {
  static const uint32_t sizes[][2] = {{257, 129}, {65, 65}, {65, 200}, {130, 33}};
  stack* s = new_stack(new_sheet_scene(sizes[_i][0], sizes[_i][1], ALL_FAMILIES));
  const weft__level* level = &s->levels.levels[0];
  ck_assert_uint_ge(10 * count_in_rows(&level->followers), 8 * level->particles.count);
}

static void start_with(stack* s, const weft__kernels* kernels) {
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    const weft__schedule* schedule = &level->schedule;
    weft__level_restrict(&s->levels, l, kernels, &s->particles, 0, level->followers.run_count);
    for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
      kernels->measure_rests(&level->rests, schedule, patch);
    }
  }
}

static uint64_t hash_of_levels(stack* s) {
  uint64_t hash = WEFT__FNV_BASIS;
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    const uint32_t count = level->particles.count;
    for (uint32_t k = 0; k < count; ++k) {
      hash = weft__hash_float(hash, level->particles.pos_x[k]);
      hash = weft__hash_float(hash, level->particles.pos_y[k]);
      hash = weft__hash_float(hash, level->particles.pos_z[k]);
    }
    for (uint32_t k = 0; k < level->schedule.links.group_count * WEFT__LANES; ++k) {
      hash = weft__hash_float(hash, level->schedule.links.rest_length[k]);
    }
  }
  return hash;
}

static void check_rest_lengths(stack* s) {
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    for (uint32_t i = 0; i < level->schedule.links.group_count * WEFT__LANES; ++i) {
      require(level->schedule.links.rest_length[i] >= level->rests.lower[i]);
    }
  }
}

RANDOM_TEST(every_isa_starts_levels_like_scalar_and_draws_no_rest_length_below_its_least,
            ROUNDS(16, 6)) {
  stack* s = new_stack(new_scene_case(_i));
  fill_particles(&s->particles, &random, RIG_PLAIN);
  weft__levels_set_masses(&s->levels, &s->particles);
  start_with(s, &weft__kernels_scalar);
  const uint64_t expected = hash_of_levels(s);
  check_rest_lengths(s);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    start_with(s, weft__kernels_select((weft_isa)isa));
    ck_assert_msg(hash_of_levels(s) == expected, "%s", weft_isa_name((weft_isa)isa));
  }
}

// ---- prolongation ----

static bool has_parents(const weft__parents* parents) {
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] != 0.0f) return true;
  }
  return false;
}

static void translate(const weft__particles* p, const float by[3]) {
  for (uint32_t i = 0; i < p->count; ++i) {
    p->pos_x[i] += by[0];
    p->pos_y[i] += by[1];
    p->pos_z[i] += by[2];
  }
}

static void expect_translated(stack* s, uint32_t level, const weft__particles* before,
                              const float by[3]) {
  const weft__particles* p = finer_particles(s, level);
  const uint32_t* user_of = finer_schedule(s, level)->user_of;
  for (uint32_t i = 0; i < p->count; ++i) {
    const bool follows = has_parents(&s->made[level].parents[user_of[i]]);
    const float share = follows && p->inv_mass[i] > 0.0f ? 1.0f : 0.0f;
    require(p->pos_x[i] == before->pos_x[i] + share * by[0]);
    require(p->pos_y[i] == before->pos_y[i] + share * by[1]);
    require(p->pos_z[i] == before->pos_z[i] + share * by[2]);
  }
}

// multiple of 2^-10, small enough that every sum is free of rounding
static float draw_place(random_source* random) {
  return 0x1p-10f * ((float)random_below(random, 4001) - 2000.0f);
}

RANDOM_TEST(moving_a_whole_level_moves_what_is_free_below_it_just_as_far, ROUNDS(20, 10)) {
  stack* s = new_stack(new_sheets(&random));
  for (uint32_t i = 0; i < s->particles.count; ++i) {
    s->particles.pos_x[i] = draw_place(&random);
    s->particles.pos_y[i] = draw_place(&random);
    s->particles.pos_z[i] = draw_place(&random);
  }
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const float by[3] = {ldexpf(1.0f, -(int)random_below(&random, 10)),
                         ldexpf(-1.0f, -(int)random_below(&random, 10)),
                         ldexpf(1.0f, (int)random_below(&random, 3))};
    start_levels(s, &random);
    weft__particles before = copy_particles(finer_particles(s, l));
    translate(&s->levels.levels[l].particles, by);
    note_corrections(&s->levels.levels[l]);
    hand_down(s, l, weft__kernels_select(WEFT_ISA_AUTO), finer_particles(s, l));
    expect_translated(s, l, &before, by);
  }
}

// ---- memory ----

TEST(the_levels_of_a_large_sheet_take_less_than_three_times_what_the_sheet_takes) {
  weft_scene* scene = new_sheet_scene(257, 257, STRUCTURAL | SHEAR);
  weft__stepper stepper = {.settings.iterations = 2,
                           .settings.coarse_iterations = 8,
                           .settings.coarse_every = 1,
                           .kernels = weft__kernels_select(WEFT_ISA_AUTO)};
  ck_assert(weft__stepper_create(&stepper, scene));
  ck_assert(weft__stepper_start(&stepper, 2, NULL));
  const size_t levels = weft__levels_bytes(&stepper.levels);
  const size_t cloth = weft__stepper_bytes(&stepper) - levels;
  ck_assert_msg(levels < 3 * cloth, "%zu bytes for the levels, %zu for the cloth", levels, cloth);
  weft__stepper_destroy(&stepper);
}
