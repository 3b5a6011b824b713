/* Masses of level particles, and pins on levels. */
#include "support/blends.h"
#include "support/stack.h"
#include "support/test.h"

// ---- masses ----

// mass of a level particle, by its user index in the level; 0 if pinned
static double mass_at(const weft__particles* p, const weft__schedule* schedule, uint32_t user) {
  const float inverse_mass = p->inv_mass[schedule->solver_of[user]];
  return inverse_mass == 0.0f ? 0.0 : 1.0 / (double)inverse_mass;
}

static double level_mass(const stack* s, uint32_t l, uint32_t user) {
  return mass_at(&s->levels.levels[l].particles, &s->levels.levels[l].schedule, user);
}

static double finer_mass(const stack* s, uint32_t l, uint32_t user) {
  return mass_at(finer_particles(s, l), finer_schedule(s, l), user);
}

static bool follows_any(const weft__parents* parents) {
  float sum = 0.0f;
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) sum += parents->weight[j];
  return sum > 0.0f;
}

// scene without pins: a sheet, a mesh or both
static weft_scene* new_free_scene(int number) {
  random_source random = {(uint64_t)number};
  weft_scene* scene = new_scene();
  if (number % 3 != 1) {
    (void)add_sheet(scene, random_from(&random, 1, 70), random_from(&random, 6, 70), ALL_FAMILIES);
  }
  if (number % 3 != 0) (void)add_random_mesh(scene, &random, random_from(&random, 2, 30));
  return scene;
}

static void draw_masses(const stack* s, random_source* random) {
  for (uint32_t i = 0; i < s->particles.count; ++i) {
    s->particles.inv_mass[i] = expf(random_float(random, -5.0f, 5.0f));
  }
}

RANDOM_TEST(a_level_is_as_heavy_as_all_that_follows_it, ROUNDS(40, 10)) {
  stack* s = new_stack(new_free_scene(_i));
  if (_i % 2 == 0) draw_masses(s, &random);
  weft__levels_set_masses(&s->levels, &s->particles);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    double expected = 0.0;
    double sum = 0.0;
    for (uint32_t i = 0; i < finer_particles(s, l)->count; ++i) {
      if (follows_any(&s->made[l].parents[i])) expected += finer_mass(s, l, i);
    }
    for (uint32_t i = 0; i < s->levels.levels[l].particles.count; ++i) sum += level_mass(s, l, i);
    ck_assert_msg(fabs(sum - expected) <= 1e-5 * expected, "level %u: %g kg, not %g", (unsigned)l,
                  sum, expected);
  }
}

RANDOM_TEST(all_levels_of_a_sheet_weigh_what_the_sheet_does, ROUNDS(30, 10)) {
  stack* s = new_stack(
      new_sheet_scene(random_from(&random, 1, 90), random_from(&random, 6, 90), STRUCTURAL));
  draw_masses(s, &random);
  weft__levels_set_masses(&s->levels, &s->particles);
  double expected = 0.0;
  for (uint32_t i = 0; i < s->particles.count; ++i) expected += finer_mass(s, 0, i);
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    double sum = 0.0;
    for (uint32_t i = 0; i < s->levels.levels[l].particles.count; ++i) sum += level_mass(s, l, i);
    ck_assert_double_lt(fabs(sum - expected), 1e-5 * expected);
  }
}

// ---- pins ----

// compares level masses with a reference computed from the parents of the next finer level
static void expect_weighed(const stack* s, uint32_t l) {
  const uint32_t count = s->levels.levels[l].particles.count;
  const uint32_t finer_count = finer_particles(s, l)->count;
  double* mass = test_alloc(count * sizeof(*mass));
  bool* is_pinned = test_alloc(count * sizeof(*is_pinned));
  for (uint32_t i = 0; i < count; ++i) {
    is_pinned[i] = finer_mass(s, l, s->made[l].fine_of[i]) == 0.0;
  }
  bool* by_others = test_alloc(count * sizeof(*by_others));
  for (uint32_t i = 0; i < finer_count; ++i) {
    const weft__parents* parents = &s->made[l].parents[i];
    const double here = finer_mass(s, l, i);
    uint32_t nearest = 0;
    bool has_pinned_parent = false;
    for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
      if (parents->weight[j] == 0.0f) continue;
      mass[parents->of[j]] += here * (double)parents->weight[j];
      has_pinned_parent |= is_pinned[parents->of[j]];
      if (parents->weight[j] > parents->weight[nearest]) nearest = j;
    }
    if (here > 0.0 || has_pinned_parent || !follows_any(parents)) continue;
    by_others[parents->of[nearest]] = true;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const double expected = is_pinned[i] || by_others[i] ? 0.0 : mass[i];
    require(fabs(level_mass(s, l, i) - expected) <= 1e-5 * expected);
  }
}

RANDOM_TEST(pins_hold_on_every_level_as_the_header_says, ROUNDS(60, 12)) {
  stack* s = new_stack(new_free_scene(_i));
  draw_masses(s, &random);
  const uint32_t pins = random_below(&random, 1 + s->particles.count / 3);
  for (uint32_t i = 0; i < pins; ++i) {
    s->particles.inv_mass[random_below(&random, s->particles.count)] = 0.0f;
  }
  weft__levels_set_masses(&s->levels, &s->particles);
  for (uint32_t l = 0; l < s->levels.count; ++l) expect_weighed(s, l);
}

// number of pinned particles of a level, and the index of one of them
static uint32_t count_pinned(const stack* s, uint32_t l, uint32_t* one) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->levels.levels[l].particles.count; ++i) {
    if (level_mass(s, l, i) > 0.0) continue;
    *one = i;
    ++count;
  }
  return count;
}

// expects exactly one pinned particle on every level, each a parent of the one on the next finer
// level
static void expect_one_pin(const stack* s, uint32_t cloth) {
  uint32_t finer = cloth;
  for (uint32_t l = 0; l < s->levels.count; ++l) {
    uint32_t one = 0;
    if (!follows_any(&s->made[l].parents[finer])) return;
    require(count_pinned(s, l, &one) == 1);
    bool is_parent = false;
    for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
      const weft__parents* parents = &s->made[l].parents[finer];
      is_parent |= parents->weight[j] > 0.0f && parents->of[j] == one;
    }
    require(is_parent);
    finer = one;
  }
}

RANDOM_TEST(one_pinned_particle_anywhere_pins_exactly_one_on_every_level, ROUNDS(16, 6)) {
  stack* s = new_stack(new_free_scene(_i % 2));
  for (int draw = 0; draw < ROUNDS(40, 10); ++draw) {
    const uint32_t pinned = random_below(&random, s->particles.count);
    float* inverse_mass = &s->particles.inv_mass[s->cloth.solver_of[pinned]];
    const float before = *inverse_mass;
    *inverse_mass = 0.0f;
    weft__levels_set_masses(&s->levels, &s->particles);
    expect_one_pin(s, pinned);
    // no pins remain after the particle is freed
    *inverse_mass = before;
    weft__levels_set_masses(&s->levels, &s->particles);
    uint32_t none;
    for (uint32_t l = 0; l < s->levels.count; ++l) require(count_pinned(s, l, &none) == 0);
  }
}

// ---- in a world ----

static weft_world* new_leveled_world(const weft_scene* scene) {
  return new_plain_world(scene, .iterations = 4, .coarse_iterations = 8);
}

RANDOM_TEST(a_sheet_pinned_or_freed_while_it_runs_is_as_if_it_had_always_been, ROUNDS(20, 6)) {
  weft_scene* scene = new_scene();
  const uint32_t columns = random_from(&random, 10, 40);
  (void)add_sheet(scene, columns, random_from(&random, 10, 40), ALL_FAMILIES);
  const uint32_t count = weft_scene_particle_count(scene);
  const uint32_t pinned = random_below(&random, count);
  const float inverse_mass = scene->inverse_masses[pinned];
  weft_world* later = new_leveled_world(scene);
  expect_ok(weft_scene_pin(scene, pinned, 1));
  weft_world* first = new_leveled_world(scene);
  pin_particles(later, pinned, 1);
  weft_world_step(first, 10);
  weft_world_step(later, 10);
  ck_assert_uint_eq(weft_world_hash(first), weft_world_hash(later));
  set_inverse_mass(first, pinned, inverse_mass);
  weft_world_step(first, 1);
  // an intermediate mass: cached weights must not matter
  set_inverse_mass(later, pinned, 0.5f * inverse_mass);
  set_inverse_mass(later, pinned, inverse_mass);
  weft_world_step(later, 1);
  ck_assert_uint_eq(weft_world_hash(first), weft_world_hash(later));
}

enum { SIDE = 65 };

// mean strain of structural links, relative to the rest lengths
static double mean_strain(const weft_scene* scene, const weft_world* world) {
  float* places = new_positions(world);
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < scene->links.count; ++i) {
    if (scene->links.kind[i] != WEFT_LINK_STRUCTURAL) continue;
    const float* a = places + (size_t)3 * scene->links.end_a[i];
    const float* b = places + (size_t)3 * scene->links.end_b[i];
    double squared = 0.0;
    for (int k = 0; k < 3; ++k)
      squared += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    sum += fabs(sqrt(squared) / (double)scene->links.rest_length[i] - 1.0);
    ++count;
  }
  return sum / (double)count;
}

// strain of a sheet that hangs by one particle
static double strain_by_one_pin(uint32_t column, uint32_t row, uint32_t coarse) {
  weft_scene* scene = new_sheet_scene(SIDE, SIDE, STRUCTURAL | SHEAR);
  expect_ok(weft_scene_pin(scene, row * SIDE + column, 1));
  weft_world* world =
      new_plain_world(scene, .iterations = 4, .coarse_iterations = coarse, .damping = 2.0f);
  weft_world_step(world, 180);
  return mean_strain(scene, world);
}

LOOP_TEST(a_sheet_held_by_one_pin_keeps_its_length_wherever_that_is, 0, LONG_RUN(1)) {
  const double even = strain_by_one_pin(32, 0, 8);
  const double odd = strain_by_one_pin(33, 1, 8);
  const double plain = strain_by_one_pin(33, 1, 0);
  ck_assert_msg(even < 0.1 && odd < 1.2 * even && odd < 0.3 * plain, "even %g odd %g plain %g",
                even, odd, plain);
}

// drop of a heavy particle below its rest distance from the pinned top row
static double stretch_by_load(uint32_t column, uint32_t row, uint32_t coarse) {
  weft_scene* scene = new_sheet_scene(SIDE, SIDE, STRUCTURAL | SHEAR);
  expect_ok(weft_scene_pin(scene, 0, SIDE));
  weft_world* world =
      new_plain_world(scene, .iterations = 8, .coarse_iterations = coarse, .damping = 2.0f);
  // the particle is as heavy as the sheet
  const uint32_t heavy = row * SIDE + column;
  set_inverse_mass(world, heavy, 1000.0f / (float)(SIDE * SIDE));
  weft_world_step(world, 180);
  float place[3];
  expect_ok(weft_world_get_positions(world, heavy, 1, place));
  return -(double)place[1] / (0.05 * (double)row) - 1.0;
}

LOOP_TEST(a_heavy_load_is_felt_on_all_levels_wherever_it_hangs, 0, LONG_RUN(1)) {
  const double even = stretch_by_load(32, 60, 8);
  const double odd = stretch_by_load(33, 61, 8);
  const double plain = stretch_by_load(33, 61, 0);
  ck_assert_msg(even < 0.02 && odd < 1.5 * even && odd < 0.03 * plain, "even %g odd %g plain %g",
                even, odd, plain);
}
