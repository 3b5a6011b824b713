/* Links that resist only stretch, only compression, or lengths outside a range. */
#include "modules/articulated/forest.h"
#include "solvers/long_range_attachments/anchors.h"
#include "solvers/multigrid/coarsen.h"
#include "support/snapshot.h"
#include "support/test.h"

// ---- behaviour in a world ----

static weft_link_def link_of(uint32_t a, uint32_t b, weft_link_mode mode) {
  return (weft_link_def){.a = a,
                         .b = b,
                         .rest_length = 1.0f,
                         .relaxation = 1.0f,
                         .mode = mode,
                         .max_length = mode == WEFT_LINK_MODE_RANGE ? 1.5f : 0.0f};
}

static weft_world* new_world_with(const weft_world_def* def, const float* positions,
                                  const float* inverse_masses, uint32_t count,
                                  const weft_link_def* links, uint32_t link_count) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  if (link_count > 0) expect_ok(weft_scene_add_links(scene, links, link_count, NULL));
  return new_world(def, scene);
}

static float distance_between(const weft_world* world, uint32_t a, uint32_t b) {
  float from[3];
  float to[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, a, 1, from);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, b, 1, to);
  const float d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

LOOP_TEST(a_string_lets_go_until_it_is_taut, 0, 2) {
  // the particle starts beside its pin and falls freely, all attachments enabled
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.1f, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_link_def link = link_of(0, 1, WEFT_LINK_MODE_STRETCH);
  link.compliance = _i == 0 ? 0.0f : 1e-6f;
  weft_world_def def = weft_plain_world_def();
  def.solver.attachments = 4;
  weft_world* tied = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
  weft_world* loose = new_world_with(&def, positions, inverse_masses, 2, NULL, 0);
  uint32_t steps = 0;
  for (; distance_between(loose, 0, 1) < 1.0f; ++steps) {
    ck_assert_uint_eq(weft_world_hash(tied), weft_world_hash(loose));
    weft_world_step(tied, 1);
    weft_world_step(loose, 1);
  }
  // free fall over a metre takes 0.45 seconds
  ck_assert_uint_ge(steps, 26);
  ck_assert_uint_le(steps, 28);
  for (uint32_t step = 0; step < 300; ++step) {
    weft_world_step(tied, 1);
    // an elastic one is stretched by v sqrt(m compliance) = 4.4 mm at most
    ck_assert_float_le(distance_between(tied, 0, 1), _i == 0 ? 1.0001f : 1.0045f);
  }
}

LOOP_TEST(a_strut_keeps_two_apart_and_never_together, 0, 2) {
  // two particles that approach each other and then separate
  const float positions[6] = {-2.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f};
  const float inverse_masses[2] = {1.0f, 0.25f};
  weft_link_def link = link_of(0, 1, WEFT_LINK_MODE_COMPRESS);
  link.compliance = _i == 0 ? 0.0f : 1e-7f;
  weft_world_def def = weft_plain_world_def();
  def.gravity[1] = 0.0f;
  def.damping = 0.0f;
  weft_world* world = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
  for (int way = 0; way < 2; ++way) {
    const float speed = way == 0 ? 3.0f : -3.0f;
    float places[6];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 2, places);
    place_particle(world, 0, places, (float[3]){speed, 0.0f, 0.0f});
    place_particle(world, 1, places + 3, (float[3]){-speed, 0.0f, 0.0f});
    for (uint32_t step = 0; step < 120; ++step) {
      weft_world_step(world, 1);
      ck_assert_float_ge(distance_between(world, 0, 1), 0.9999f);
    }
    // the first approach stops at the rest length; afterwards the particles separate freely
    const float expected = way == 0 ? 1.0f : 13.0f;
    ck_assert_float_eq_tol(distance_between(world, 0, 1), expected, 1e-2f);
  }
}

LOOP_TEST(a_range_holds_at_both_its_ends_and_lets_go_between_them, 0, 2) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 1.25f, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_link_def link = link_of(0, 1, WEFT_LINK_MODE_RANGE);
  link.compliance = _i == 0 ? 0.0f : 1e-7f;
  weft_world_def def = weft_plain_world_def();
  def.gravity[1] = 0.0f;
  def.damping = 0.0f;
  def.solver.attachments = 1;
  weft_world* world = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
  for (int way = 0; way < 2; ++way) {
    const float bound = way == 0 ? 1.5f : 1.0f;
    float place[3];
    place_particle(world, 1, positions + 3, (float[3]){way == 0 ? 1.0f : -1.0f, 0.0f, 0.0f});
    weft_world_step(world, 6);
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 1, 1, place);
    ck_assert_float_eq_tol(place[0], way == 0 ? 1.35f : 1.15f, 1e-5f);
    weft_world_step(world, 30);
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 1, 1, place);
    ck_assert_float_eq_tol(place[0], bound, 1e-3f);
  }
}

TEST(a_range_breaks_at_its_tear_ratio_of_its_max_length) {
  const float lengths[2] = {1.79f, 1.81f};
  for (int i = 0; i < 2; ++i) {
    const float positions[6] = {0.0f, 0.0f, 0.0f, 1.2f, 0.0f, 0.0f};
    const float inverse_masses[2] = {0.0f, 0.0f};
    weft_link_def link = link_of(0, 1, WEFT_LINK_MODE_RANGE);
    link.tear_ratio = 1.2f;
    const weft_world_def def = weft_plain_world_def();
    weft_world* world = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
    place_particle(world, 1, (float[3]){lengths[i], 0.0f, 0.0f}, NULL);
    weft_world_step(world, 1);
    bool torn = i == 0;
    expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, 0, 1, &torn);
    ck_assert(torn == (i == 1));
  }
}

// ---- solvers that must exclude these links ----

static weft_scene* new_hung_pair(weft_link_def link) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  return scene;
}

TEST(attachments_reach_along_what_holds_and_nothing_else) {
  for (int mode = WEFT_LINK_MODE_BOTH; mode <= WEFT_LINK_MODE_RANGE; ++mode) {
    for (int kind = WEFT_LINK_STRUCTURAL; kind <= WEFT_LINK_SUPPORT; ++kind) {
      weft_link_def link = link_of(0, 1, (weft_link_mode)mode);
      link.kind = (weft_link_kind)kind;
      weft_scene* scene = new_hung_pair(link);
      weft__anchors anchors;
      ck_assert(weft__anchors_find(&anchors, scene, 1));
      const bool holds = mode <= WEFT_LINK_MODE_STRETCH && kind != WEFT_LINK_SUPPORT;
      ck_assert_uint_eq(anchors.count[1], holds ? 1 : 0);
      weft__anchors_destroy(&anchors);
    }
  }
}

TEST(trees_take_links_that_act_both_ways_only) {
  for (int mode = WEFT_LINK_MODE_BOTH; mode <= WEFT_LINK_MODE_RANGE; ++mode) {
    weft_scene* scene = new_scene();
    random_source random = {3};
    (void)add_cloud(scene, &random, 5, 1.0f);
    for (uint32_t i = 0; i < 4; ++i) {
      const weft_link_def link = link_of(i, i + 1, (weft_link_mode)mode);
      expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    }
    weft__forest forest;
    ck_assert(weft__forest_create(&forest, scene));
    ck_assert_uint_eq(forest.tree_count > 0, mode == WEFT_LINK_MODE_BOTH);
    weft__forest_destroy(&forest);
  }
}

static weft__coarsening coarsen(const weft_scene* scene) {
  const uint32_t count = weft_scene_particle_count(scene);
  uint32_t* cloth_of = test_alloc(count * sizeof(*cloth_of));
  for (uint32_t i = 0; i < count; ++i) cloth_of[i] = i;
  weft__distances distances;
  weft__coarsening made;
  ck_assert(weft__distances_create(&distances, scene));
  ck_assert(weft__coarsen(&made, scene, cloth_of, &distances));
  weft__distances_destroy(&distances);
  return made;
}

LOOP_TEST(coarse_levels_are_the_same_with_and_without_supports_and_struts, 0, 8) {
  const int modes[4] = {WEFT_LINK_MODE_BOTH, WEFT_LINK_MODE_STRETCH, WEFT_LINK_MODE_COMPRESS,
                        WEFT_LINK_MODE_RANGE};
  const bool is_mesh = _i % 2 == 0;
  const weft_link_mode mode = (weft_link_mode)modes[_i / 2];
  weft_scene* scenes[2];
  for (int added = 0; added < 2; ++added) {
    random_source random = {(uint64_t)_i};
    weft_scene* scene = scenes[added] = new_scene();
    for (int body = 0; body < 2; ++body) {
      if (is_mesh) {
        (void)add_random_mesh(scene, &random, 20);
      } else {
        (void)add_sheet(scene, 20, 20, STRUCTURAL | SHEAR);
      }
    }
    for (uint32_t i = 0; i < 100 && added == 1; ++i) {
      weft_link_def link = link_of(i, 799 - i, mode);
      link.rest_length = 0.01f;
      link.max_length *= 0.01f;
      if (mode <= WEFT_LINK_MODE_STRETCH) link.kind = WEFT_LINK_SUPPORT;
      expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    }
  }
  weft__coarsening made[2];
  for (int i = 0; i < 2; ++i) made[i] = coarsen(scenes[i]);
  ck_assert_uint_gt(weft_scene_link_count(made[0].scene), 0);
  scene_snapshot expected = take_snapshot(made[0].scene);
  ck_assert(looks_like(made[1].scene, &expected));
  for (int i = 0; i < 2; ++i) {
    weft__coarsening_destroy(&made[i]);
    weft_scene_destroy(&scenes[i]);
  }
}
