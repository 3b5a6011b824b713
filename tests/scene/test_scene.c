
#include <sys/mman.h>

#include "support/bad_float.h"
#include "support/snapshot.h"
#include "support/test.h"

// scene that already contains bodies of every kind
static weft_scene* new_used_scene(void) {
  weft_scene* scene = new_scene();
  use_scene(scene);
  return scene;
}

TEST(null_is_refused_where_something_is_needed) {
  const float position[3] = {0};
  const float inverse_mass = 1.0f;
  float out[3];
  weft_link_def link;
  weft_scene* scene = new_used_scene();
  scene_snapshot before = take_snapshot(scene);
  expect_null(weft_scene_create(NULL), "scene");
  expect_null(weft_scene_add_particles(NULL, position, &inverse_mass, 1, NULL), "scene");
  expect_null(weft_scene_add_particles(scene, NULL, &inverse_mass, 1, NULL), "positions");
  expect_null(weft_scene_add_particles(scene, position, NULL, 1, NULL), "inverse_masses");
  expect_null(weft_scene_pin(NULL, weft_range(0, 1)), "scene");
  expect_null(weft_scene_get_particles(NULL, 0, 1, out, out), "scene");
  expect_null(weft_scene_get_links(NULL, 0, 1, &link), "scene");
  expect_null(weft_scene_get_links(scene, 0, 1, NULL), "links");
  ck_assert_uint_eq(weft_scene_particle_count(NULL), 0);
  ck_assert_uint_eq(weft_scene_link_count(NULL), 0);
  expect_unchanged(scene, &before);
}

TEST(adding_no_particles_is_an_error) {
  const float position[3] = {0};
  const float inverse_mass = 1.0f;
  weft_scene* scene = new_used_scene();
  scene_snapshot before = take_snapshot(scene);
  expect_error(weft_scene_add_particles(scene, position, &inverse_mass, 0, NULL), WEFT_ERROR_EMPTY,
               "count");
  expect_unchanged(scene, &before);
}

enum { COUNT = 50 };

LOOP_TEST(a_position_that_is_not_finite_is_named_and_changes_nothing, 0, 3 * COUNT) {
  const float bad[] = {NAN, INFINITY, -INFINITY};
  float positions[3 * COUNT] = {0};
  float inverse_masses[COUNT] = {0};
  weft_scene* scene = new_used_scene();
  scene_snapshot before = take_snapshot(scene);
  const uint32_t element = (uint32_t)_i;
  positions[element] = bad[element % 3];
  positions[3 * COUNT - 1] = NAN;
  expect_error_at(weft_scene_add_particles(scene, positions, inverse_masses, COUNT, NULL),
                  WEFT_ERROR_NOT_FINITE, "positions", element / 3);
  expect_unchanged(scene, &before);
}

static const bad_float inverse_masses_to_try[] = {
    {NAN, WEFT_ERROR_NOT_FINITE},
    {INFINITY, WEFT_ERROR_NOT_FINITE},
    {-INFINITY, WEFT_ERROR_NOT_FINITE},
    {-1.0f, WEFT_ERROR_RANGE},
    {-1e-30f, WEFT_ERROR_RANGE},
    {1e-45f, WEFT_ERROR_RANGE},
    {0.99f * WEFT_MIN_INVERSE_MASS, WEFT_ERROR_RANGE},
    {1.01f * WEFT_MAX_INVERSE_MASS, WEFT_ERROR_RANGE},
    {3e38f, WEFT_ERROR_RANGE},
    {0.0f, WEFT_OK},
    {WEFT_MIN_INVERSE_MASS, WEFT_OK},
    {WEFT_MAX_INVERSE_MASS, WEFT_OK},
};
enum { INVERSE_MASSES = sizeof(inverse_masses_to_try) / sizeof(*inverse_masses_to_try) };

LOOP_TEST(an_inverse_mass_outside_its_limits_is_named_and_changes_nothing, 0, 5 * INVERSE_MASSES) {
  const float positions[3 * COUNT] = {0};
  float inverse_masses[COUNT] = {0};
  const bad_float bad = inverse_masses_to_try[_i % INVERSE_MASSES];
  weft_scene* scene = new_used_scene();
  scene_snapshot before = take_snapshot(scene);
  const uint32_t element = (uint32_t)_i % COUNT;
  inverse_masses[element] = bad.value;
  if (bad.error == WEFT_OK) {
    expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, COUNT, NULL));
    return;
  }
  expect_error_at(weft_scene_add_particles(scene, positions, inverse_masses, COUNT, NULL),
                  bad.error, "inverse_masses", element);
  expect_unchanged(scene, &before);
}

RANDOM_TEST(particles_come_back_as_they_went_in_and_bodies_are_numbered_on, 10) {
  static float positions[4000 * 3];
  static float inverse_masses[4000];
  weft_scene* scene = new_scene();
  uint32_t total = 0;
  while (total < 3000) {
    const uint32_t count = random_from(&random, 1, 1000);
    for (uint32_t i = 3 * total; i < 3 * (total + count); ++i) {
      positions[i] = random_float(&random, -1e3f, 1e3f);
    }
    for (uint32_t i = total; i < total + count; ++i) {
      inverse_masses[i] = random_float(&random, 0.0f, 1e3f);
    }
    weft_body body;
    expect_ok(weft_scene_add_particles(scene, positions + (size_t)3 * total, inverse_masses + total,
                                       count, &body));
    ck_assert_uint_eq(body.first_particle, total);
    ck_assert_uint_eq(body.particle_count, count);
    ck_assert_uint_eq(body.first_link, 0);
    ck_assert_uint_eq(body.link_count, 0);
    total += count;
  }
  scene_snapshot snapshot = take_snapshot(scene);
  ck_assert_uint_eq(snapshot.particle_count, total);
  ck_assert_mem_eq(snapshot.positions, positions, total * sizeof(float[3]));
  ck_assert_mem_eq(snapshot.inverse_masses, inverse_masses, total * sizeof(float));
}

TEST(pinning_takes_the_mass_of_one_particle_and_an_index_past_the_end_is_refused) {
  weft_scene* scene = new_sheet_scene(4, 4, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(5, 1)));
  scene_snapshot before = take_snapshot(scene);
  for (uint32_t i = 0; i < 16; ++i) ck_assert((before.inverse_masses[i] == 0.0f) == (i == 5));
  expect_past_end(weft_scene_pin(scene, weft_range(16, 1)));
  expect_past_end(weft_scene_pin(scene, weft_range(UINT32_MAX, 1)));
  expect_unchanged(scene, &before);
}

TEST(reading_takes_any_range_inside_the_scene_and_none_outside) {
  weft_scene* scene = new_sheet_scene(4, 4, STRUCTURAL);
  float positions[48];
  float inverse_masses[16];
  weft_link_def links[24];
  expect_ok(weft_scene_get_particles(scene, 16, 0, NULL, NULL));
  expect_ok(weft_scene_get_particles(scene, 3, 13, positions, NULL));
  expect_ok(weft_scene_get_particles(scene, 3, 13, NULL, inverse_masses));
  expect_ok(weft_scene_get_links(scene, 24, 0, NULL));
  expect_ok(weft_scene_get_links(scene, 5, 19, links));
  expect_past_end(weft_scene_get_particles(scene, 3, 14, positions, NULL));
  expect_past_end(weft_scene_get_particles(scene, UINT32_MAX, 1, positions, NULL));
  expect_past_end(weft_scene_get_particles(scene, 17, 0, NULL, NULL));
  expect_past_end(weft_scene_get_links(scene, 5, 20, links));
  expect_past_end(weft_scene_get_links(scene, 1, UINT32_MAX, links));
}

#ifndef WEFT_TEST_SANITIZED
#endif
