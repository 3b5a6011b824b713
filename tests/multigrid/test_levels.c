#include "solvers/multigrid/transfer.h"

#include "base/hash.h"
#include "kernels/kernels.h"
#include "schedule/freeze.h"
#include "step/step.h"
#include "support/blends.h"
#include "support/rig.h"
#include "support/stack.h"
#include "support/test.h"

// starts all levels in several batches, as workers do
static void start_levels(const stack* s, random_source* random) {
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

static void hand_down(const stack* s, uint32_t level, const weft__kernels* kernels,
                      const weft__particles* particles) {
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
    expect_ok(weft_scene_pin(scene, random_below(random, particles), 1));
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
    ck_assert_uint_eq(level->schedule.link_count, weft_scene_link_count(scene));
    ck_assert_uint_eq(level->particles.count, level->schedule.particle_count);
    ck_assert(level->schedule.one_sided);
  }
  ck_assert(!s->cloth.one_sided);
}

RANDOM_TEST(sheets_lose_more_than_half_of_their_particles_from_level_to_level, ROUNDS(8, 5)) {
  weft_scene* scene = new_scene();
  const uint32_t columns = random_from(&random, 20, 100);
  (void)add_sheet(scene, columns, random_from(&random, 20, 100), ALL_FAMILIES);
  stack* s = new_stack(scene);
  ck_assert_uint_ge(s->levels.count, 3);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    ck_assert_uint_lt(2 * s->levels.levels[l].schedule.particle_count,
                      finer_schedule(s, l)->particle_count + 50);
  }
  ck_assert_uint_le(s->levels.levels[s->levels.count - 1].schedule.particle_count, 25);
}

TEST(where_nothing_can_be_coarsened_there_are_no_levels) {
  random_source random = {1};
  weft_scene* scene = new_sheet_scene(5, 5, ALL_FAMILIES);
  (void)add_cloud(scene, &random, 50, 1.0f);
  stack* s = new_stack(scene);
  ck_assert_uint_eq(s->levels.count, 0);
}

// ---- starting ----

// uniform translation by amounts that keep every sum free of rounding
RANDOM_TEST(a_level_goes_as_far_as_a_cloth_that_is_moved_as_a_whole, ROUNDS(16, 6)) {
  stack* s = new_stack(new_scene_case(_i));
  weft__levels_set_masses(&s->levels, &s->particles);
  const float by[3] = {0.5f, -0.25f, 2.0f};
  for (uint32_t i = 0; i < s->particles.count; ++i) {
    s->particles.prev_x[i] = s->particles.pos_x[i] - by[0];
    s->particles.prev_y[i] = s->particles.pos_y[i] - by[1];
    s->particles.prev_z[i] = s->particles.pos_z[i] - by[2];
  }
  start_levels(s, &random);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    for (uint32_t i = 0; i < level->particles.count; ++i) {
      require(fabsf(level->particles.pos_x[i] - level->rests.center[0][i] - by[0]) < 1e-4f);
      require(fabsf(level->particles.pos_y[i] - level->rests.center[1][i] - by[1]) < 1e-4f);
      require(fabsf(level->particles.pos_z[i] - level->rests.center[2][i] - by[2]) < 1e-4f);
    }
  }
}

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

static void start_with(const stack* s, const weft__kernels* kernels) {
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    const weft__schedule* schedule = &level->schedule;
    weft__level_restrict(&s->levels, l, kernels, &s->particles, 0, level->followers.run_count);
    for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
      kernels->measure_rests(&level->rests, schedule, patch);
    }
  }
}

static uint64_t hash_of_levels(const stack* s) {
  uint64_t hash = WEFT__FNV_BASIS;
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    const uint32_t count = level->particles.count;
    for (uint32_t k = 0; k < count; ++k) {
      hash = weft__hash_float(hash, level->particles.pos_x[k]);
      hash = weft__hash_float(hash, level->particles.pos_y[k]);
      hash = weft__hash_float(hash, level->particles.pos_z[k]);
    }
    for (uint32_t k = 0; k < level->schedule.group_count * WEFT__LANES; ++k) {
      hash = weft__hash_float(hash, level->schedule.rest_length[k]);
    }
  }
  return hash;
}

static void check_rest_lengths(const stack* s) {
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    for (uint32_t i = 0; i < level->schedule.group_count * WEFT__LANES; ++i) {
      require(level->schedule.rest_length[i] >= level->rests.lower[i]);
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

enum { MOST_SIDE = 100 };

// reduces a list of indices along a side to those kept in the next level; returns their number
static uint32_t keep(uint32_t* places, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (count <= 5 || i % 2 == 0 || i == count - 1) places[kept++] = places[i];
  }
  return kept;
}

RANDOM_TEST(the_places_of_a_level_are_columns_and_rows_of_the_sheet_over_all_levels,
            ROUNDS(20, 10)) {
  weft_scene* scene = new_scene();
  uint32_t column_count = random_from(&random, 1, MOST_SIDE);
  uint32_t row_count = random_from(&random, 6, MOST_SIDE);
  uint32_t columns[MOST_SIDE];
  uint32_t rows[MOST_SIDE];
  for (uint32_t i = 0; i < MOST_SIDE; ++i) columns[i] = rows[i] = i;
  (void)add_sheet(scene, column_count, row_count, STRUCTURAL);
  const uint32_t width = column_count;
  stack* s = new_stack(scene);
  start_levels(s, &random);
  ck_assert_uint_ge(s->levels.count, 1);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    const weft__level* level = &s->levels.levels[l];
    column_count = keep(columns, column_count);
    row_count = keep(rows, row_count);
    ck_assert_uint_eq(level->particles.count, column_count * row_count);
    for (uint32_t user = 0; user < level->particles.count; ++user) {
      const uint32_t place = rows[user / column_count] * width + columns[user % column_count];
      const float* expected = scene->positions + (size_t)3 * place;
      const uint32_t i = level->schedule.solver_of[user];
      require(level->particles.pos_x[i] == expected[0]);
      require(level->particles.pos_y[i] == expected[1]);
      require(level->particles.pos_z[i] == expected[2]);
    }
  }
  ck_assert(column_count <= 5 && row_count <= 5);
}

// ---- prolongation ----

static bool same_positions(const weft__particles* a, const weft__particles* b) {
  for (uint32_t i = 0; i < a->count; ++i) {
    // compares by value: a zero may change its sign
    if (a->pos_x[i] != b->pos_x[i] || a->pos_y[i] != b->pos_y[i] || a->pos_z[i] != b->pos_z[i]) {
      return false;
    }
  }
  return true;
}

RANDOM_TEST(a_level_that_was_not_moved_hands_down_nothing, ROUNDS(16, 6)) {
  stack* s = new_stack(new_scene_case(_i));
  fill_particles(&s->particles, &random, RIG_PLAIN);
  start_levels(s, &random);
  for (uint32_t l = s->levels.count; l-- > 0;) {
    weft__particles before = copy_particles(finer_particles(s, l));
    note_corrections(&s->levels.levels[l]);
    hand_down(s, l, weft__kernels_select(WEFT_ISA_AUTO), finer_particles(s, l));
    ck_assert(same_positions(finer_particles(s, l), &before));
  }
}

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

static void expect_translated(const stack* s, uint32_t level, const weft__particles* before,
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

static void draw_corrections(const weft__level* level, random_source* random) {
  for (uint32_t i = 0; i < level->particles.count; ++i) {
    level->corrections.x[i] = random_float(random, -1.0f, 1.0f);
    level->corrections.y[i] = random_float(random, -1.0f, 1.0f);
    level->corrections.z[i] = random_float(random, -1.0f, 1.0f);
  }
}

static void compare_blend(const stack* s, uint32_t l) {
  const weft__coarse_corrections* c = &s->levels.levels[l].corrections;
  const uint32_t* user_of = finer_schedule(s, l)->user_of;
  const weft__particles* p = finer_particles(s, l);
  weft__particles before = copy_particles(p);
  hand_down(s, l, weft__kernels_select(WEFT_ISA_AUTO), p);
  for (uint32_t i = 0; i < p->count; ++i) {
    const weft__parents* parents = &s->made[l].parents[user_of[i]];
    require(is_blended(parents, c->x, p->inv_mass[i], before.pos_x[i], p->pos_x[i]));
    require(is_blended(parents, c->y, p->inv_mass[i], before.pos_y[i], p->pos_y[i]));
    require(is_blended(parents, c->z, p->inv_mass[i], before.pos_z[i], p->pos_z[i]));
  }
}

RANDOM_TEST(every_particle_takes_the_weighted_mean_of_its_parents_once_with_every_isa,
            ROUNDS(16, 6)) {
  stack* s = new_stack(new_scene_case(_i));
  start_levels(s, &random);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    draw_corrections(&s->levels.levels[l], &random);
    weft__particles expected = copy_particles(finer_particles(s, l));
    hand_down(s, l, &weft__kernels_scalar, &expected);
    for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
      weft__particles particles = copy_particles(finer_particles(s, l));
      hand_down(s, l, weft__kernels_select((weft_isa)isa), &particles);
      ck_assert_msg(same_particles(&particles, &expected), "%s", weft_isa_name((weft_isa)isa));
    }
    compare_blend(s, l);
  }
}

// ---- memory ----

static size_t levels_bytes_of(uint32_t side) {
  weft_scene* scene = new_sheet_scene(side, side, ALL_FAMILIES);
  weft__schedule cloth;
  weft__levels levels;
  ck_assert(weft__freeze(&cloth, scene, NULL));
  ck_assert(weft__levels_create(&levels, scene, &cloth));
  const size_t bytes = weft__levels_bytes(&levels);
  weft__levels_destroy(&levels);
  ck_assert_uint_eq(weft__levels_bytes(&levels), 0);
  weft__schedule_destroy(&cloth);
  return bytes;
}

TEST(larger_sheets_have_levels_that_take_more_memory) {
  size_t last = levels_bytes_of(5);
  for (uint32_t side = 9; side <= 129; side = 2 * side - 1) {
    const size_t bytes = levels_bytes_of(side);
    ck_assert_uint_gt(bytes, last);
    last = bytes;
  }
}

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
