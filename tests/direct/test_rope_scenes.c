/* Ropes with pins that change, beside cloth, and in large numbers. */
#include "support/ropes.h"
#include "support/test.h"

// ---- changing pins ----

TEST(a_particle_that_is_pinned_stays_and_bears_what_hangs_below) {
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(100, 100.0f));
  weft_world* world = new_world_of(scene);
  weft_world_step(world, 10);
  pin_particles(world, r.first + 40, 1);
  float before[3];
  float after[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, r.first + 40, 1, before);
  set_inverse_mass(world, r.first, 1000.0f);
  ck_assert_double_lt(worst_strain_in(world, r, 0.02, 200), 0.01);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, r.first + 40, 1, after);
  ck_assert_mem_eq(before, after, sizeof(before));
  // the former root, balanced upright, is no higher above the new pin than the rope between them
  expect_get(world, WEFT_ATTRIBUTE_POSITION, r.first, 1, after);
  ck_assert_double_lt((double)after[1], (double)before[1] + 0.8001);
}

TEST(a_pin_of_many_ropes_that_is_freed_goes_with_them) {
  weft_scene* scene = new_scene();
  rope ropes[5];
  for (uint32_t i = 0; i < 5; ++i) {
    ropes[i] = add_rope(scene, hanging_rope(20, i < 3 ? 10.0f : 1.0f));
    if (i == 0) continue;
    const weft_link_def link = {
        .a = 0, .b = ropes[i].first + 1, .rest_length = 0.1f, .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  weft_world* world = new_world_of(scene);
  weft_world_step(world, 10);
  for (uint32_t i = 0; i < 5; ++i) {
    set_inverse_mass(world, ropes[i].first, 500.0f);
  }
  weft_world_step(world, 60);
  float velocity[3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
  ck_assert_double_eq_tol((double)velocity[1], -9.4, 0.3);
  for (uint32_t i = 0; i < 5; ++i) {
    const rope below = {ropes[i].first + 1, 19};
    ck_assert_double_lt(worst_strain(world, below, 0.1), 0.05);
  }
}

// ---- ropes with cloth, and in large numbers ----

TEST(where_nothing_is_a_tree_nothing_changes) {
  weft_scene* scene = new_sheet_scene(30, 20, ALL_FAMILIES);
  weft_world_stats stats[2];
  uint64_t hashes[2];
  for (uint32_t i = 0; i < 2; ++i) {
    weft_world_def def = weft_plain_world_def();
    def.solver.direct_iterations = 100 * i;
    weft_world* world = new_world(&def, scene);
    weft_world_step(world, 20);
    expect_ok(weft_world_get_stats(world, &stats[i]));
    hashes[i] = weft_world_hash(world);
  }
  ck_assert_uint_eq(hashes[0], hashes[1]);
  ck_assert_uint_eq(stats[0].bytes, stats[1].bytes);
}

// chain (case 0), or hub with all links (case 1)
LOOP_TEST(a_chain_may_have_many_thousands_of_links_and_so_may_a_hub, 0, 2) {
  // recursion with a stack frame for each link would overflow the stack
  const uint32_t link_count = (uint32_t)(_i == 0 ? ROUNDS(120000, 50000) : 10000);
  weft_scene* scene = new_scene();
  float* positions = test_alloc(((size_t)link_count + 1) * sizeof(float[3]));
  float* inverse_masses = test_alloc(((size_t)link_count + 1) * sizeof(float));
  weft_link_def* links = test_alloc(link_count * sizeof(*links));
  for (uint32_t i = 0; i <= link_count; ++i) {
    positions[(size_t)3 * i] = _i == 0 ? 0.01f * (float)i : (float)(i % 1000);
    positions[(size_t)3 * i + 1] = _i == 0 ? 0.0f : (float)(i / 1000) + 1.0f;
    inverse_masses[i] = i == 0 ? 0.0f : 1.0f;
    if (i == 0) continue;
    links[i - 1] = (weft_link_def){.a = _i == 0 ? i - 1 : 0,
                                   .b = i,
                                   .rest_length = _i == 0 ? 0.01f : 1.0f,
                                   .relaxation = 1.0f};
    if (_i == 1 && i > 1) links[i - 1].a = 1;
  }
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, link_count + 1, NULL));
  expect_ok(weft_scene_add_links(scene, links, link_count, NULL));
  weft_world* world = new_world_of(scene);
  weft_world_step(world, 2);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, link_count + 1, positions);
  for (uint32_t i = 0; i < 3 * (link_count + 1); ++i) require(isfinite(positions[i]));
}
