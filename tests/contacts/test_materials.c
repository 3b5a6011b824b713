/* The table of shared materials, against one with a row for every particle. */
#include "collision/materials.h"

#include "support/test.h"

enum { MOST = 300 };

typedef struct plain {
  bool has[MOST];
  weft__material of[MOST];
} plain;

static uint32_t solver_of[MOST];

static void shuffle(random_source* random) {
  for (uint32_t i = 0; i < MOST; ++i) solver_of[i] = i;
  for (uint32_t i = MOST - 1; i > 0; --i) {
    const uint32_t k = random_below(random, i + 1);
    const uint32_t swap = solver_of[i];
    solver_of[i] = solver_of[k];
    solver_of[k] = swap;
  }
}

// few kinds, so that many are equal
static weft__material draw(random_source* random, uint32_t kinds) {
  return (weft__material){
      .shape = (weft_particle_shape)random_below(random, WEFT__CONTACT_SHAPE_COUNT),
      .half_size = {(float)random_below(random, kinds), 1.0f, 2.0f},
      .surface = {.category = 1, .mask = random_chance(random, 2) ? 1 : UINT32_MAX},
      .is_exact = random_chance(random, 4),
  };
}

static bool same(const weft__material* a, const weft__material* b) {
  return a->shape == b->shape && a->half_size[0] == b->half_size[0] && a->is_exact == b->is_exact &&
         a->surface.mask == b->surface.mask && a->surface.category == b->surface.category;
}

static void set_both(weft__materials* materials, plain* expected, uint32_t first, uint32_t count,
                     const weft__material* material) {
  require(weft__materials_set(materials, solver_of, NULL, first, count, material));
  for (uint32_t i = first; i < first + count; ++i) {
    expected->has[i] = material != NULL;
    if (material != NULL) expected->of[i] = *material;
  }
}

static void compare(const weft__materials* materials, const plain* expected) {
  uint32_t shape_count[WEFT__CONTACT_SHAPE_COUNT] = {0};
  uint32_t exact_count = 0;
  for (uint32_t i = 0; i < MOST; ++i) {
    const weft__material* found = weft__material_of(materials, solver_of[i]);
    require((materials->of[solver_of[i]] != 0) == expected->has[i]);
    if (!expected->has[i]) {
      require(found->surface.mask == 0);
      continue;
    }
    require(same(found, &expected->of[i]));
    ++shape_count[expected->of[i].shape];
    exact_count += expected->of[i].is_exact ? 1 : 0;
  }
  require(memcmp(shape_count, materials->shape_count, sizeof(shape_count)) == 0);
  require(exact_count == materials->exact_count);
}

// equal particles share a row, and different ones do not
static void expect_shared_rows(const weft__materials* materials, const plain* expected) {
  for (uint32_t i = 0; i < MOST; ++i) {
    for (uint32_t k = 0; k < i; ++k) {
      if (!expected->has[i] || !expected->has[k]) continue;
      const bool one_row = materials->of[solver_of[i]] == materials->of[solver_of[k]];
      require(one_row == same(&expected->of[i], &expected->of[k]));
    }
  }
}

RANDOM_TEST(particles_have_what_they_were_last_given, ROUNDS(30, 10)) {
  const uint32_t kinds = random_from(&random, 1, 60);
  weft__materials materials = {.particle_count = MOST};
  plain expected = {0};
  shuffle(&random);
  for (int round = 0; round < 200; ++round) {
    const uint32_t first = random_below(&random, MOST);
    uint32_t count = random_chance(&random, 2) ? 1 : random_below(&random, MOST);
    if (count > MOST - first) count = MOST - first;
    const weft__material material = draw(&random, kinds);
    const uint32_t version = materials.version;
    const bool was_on = materials.on;
    const weft__material* given = random_chance(&random, 4) ? NULL : &material;
    set_both(&materials, &expected, first, count, given);
    const bool has_effect = count > 0 && (given != NULL || was_on);
    require((materials.version != version) == has_effect);
    if (materials.on) compare(&materials, &expected);
  }
  expect_shared_rows(&materials, &expected);
  weft__materials_destroy(&materials);
}

TEST(what_was_never_set_takes_no_memory) {
  weft__materials materials = {.particle_count = MOST};
  ck_assert(weft__materials_set(&materials, solver_of, NULL, 0, MOST, NULL));
  ck_assert(!materials.on);
  ck_assert_uint_eq(materials.bytes, 0);
}

TEST(rows_that_nobody_has_are_used_again) {
  weft__materials materials = {.particle_count = MOST};
  for (uint32_t i = 0; i < MOST; ++i) solver_of[i] = i;
  weft__material material = {.surface = {.category = 1, .mask = 1}};
  for (int round = 0; round < 1000; ++round) {
    material.half_size[0] = (float)round;
    ck_assert(weft__materials_set(&materials, solver_of, NULL, 0, MOST, &material));
    require(weft__material_of(&materials, 7)->half_size[0] == (float)round);
  }
  ck_assert_uint_le(materials.row_count, 3);
  weft__materials_destroy(&materials);
}
