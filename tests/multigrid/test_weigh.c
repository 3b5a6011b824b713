/* Masses of level particles, and pins on levels. */
#include "support/stack.h"
#include "support/test.h"

// ---- masses ----

// mass of a level particle, by its user index in the level; 0 if pinned
static double mass_at(const weft__particles* p, const weft__schedule* schedule, uint32_t user) {
  const float inverse_mass = p->inv_mass[schedule->solver_of[user]];
  return inverse_mass == 0.0f ? 0.0 : 1.0 / (double)inverse_mass;
}

static double level_mass(stack* s, uint32_t l, uint32_t user) {
  return mass_at(&s->levels.levels[l].particles, &s->levels.levels[l].schedule, user);
}

static double finer_mass(stack* s, uint32_t l, uint32_t user) {
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

static void draw_masses(stack* s, random_source* random) {
  for (uint32_t i = 0; i < s->particles.count; ++i) {
    s->particles.inv_mass[i] = expf(random_float(random, -5.0f, 5.0f));
  }
}

// ---- pins ----

// compares level masses with a reference computed from the parents of the next finer level
static void expect_weighed(stack* s, uint32_t l) {
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
  expect_ok(weft_scene_pin(scene, weft_range(pinned, 1)));
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
