/* Every allocation of a call on an existing world may fail: the call then returns an error and
 * changes nothing. */
#include "support/balls.h"
#include "support/busy.h"
#include "support/data_shapes.h"
#include "support/saved.h"
#include "support/shortage.h"
#include "support/snapshot.h"
#include "support/test.h"

// requires that a failed call leaves no trace: the next step equals that of an untouched world
static void expect_same_steps(weft_world* world, weft_world* other) {
  weft_world_step(world, 1);
  weft_world_step(other, 1);
  ck_assert(weft_world_hash(world) == weft_world_hash(other));
}

// ---- cuts, moves, colliders and bounds ----

TEST(a_cut_that_finds_no_memory_says_so_and_tears_nothing) {
  weft_scene* scene = new_soft_scene();
  weft_world_def def = weft_plain_world_def();
  def.coarse_iterations = 3;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 2);
  const uint64_t hash = weft_world_hash(world);
  const float middle[3] = {0.0f, 0.0f, 0.0f};
  const weft_body body = {0, 144, 0, 0};
  weft_world_stats stats;
  for (int n = 0; n < 4; ++n) {
    ck_assert(fails_after(n, weft_world_tear_near(world, middle, middle, 0.3f, NULL)));
    ck_assert(fails_after(0, weft_world_tear_links(world, 0, 1)));
    ck_assert(fails_after(0, weft_world_set_links_enabled(world, 0, 1, false)));
    ck_assert(fails_after(0, weft_world_remove_body(world, &body)));
    bool torn = true;
    expect_ok(weft_world_get_torn(world, 0, 1, &torn));
    expect_ok(weft_world_get_stats(world, &stats));
    ck_assert(!torn && stats.torn_count == 0 && weft_world_hash(world) == hash);
  }
  expect_ok(weft_world_tear_near(world, middle, middle, 0.3f, NULL));
  // further calls allocate nothing
  ck_assert(!fails_after(0, weft_world_tear_near(world, middle, middle, 0.5f, NULL)));
  weft_world_step(world, 2);
  expect_ok(weft_world_get_stats(world, &stats));
  ck_assert_uint_gt(stats.torn_count, 0);
}

TEST(a_reset_that_finds_no_memory_says_so_and_changes_nothing) {
  weft_scene* scene = new_soft_scene();
  weft_world_def def = weft_plain_world_def();
  def.springs = true;
  def.integrator = WEFT_INTEGRATOR_IMPLICIT_EULER;
  weft_world* world = new_world(&def, scene);
  weft_world* untouched = new_world(&def, scene);
  weft_world_step(world, 2);
  weft_world_step(untouched, 2);
  for (int n = 0; fails_after(n, weft_world_reset(world, scene)); ++n) {
    expect_same_steps(world, untouched);
  }
  expect_ok(weft_world_reset(untouched, scene));
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(untouched));
}

TEST(a_restore_that_finds_no_memory_says_so_and_changes_nothing) {
  weft_scene* scene = new_busy_scene();
  const weft_world_def def = busy_def(WEFT_INTEGRATOR_POSITION_VERLET);
  weft_world* busy = new_world(&def, scene);
  weft_world* world = new_world(&def, scene);
  weft_world* untouched = new_world(&def, scene);
  weft_particle_shape_def cloth = weft_default_particle_shape_def();
  cloth.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  cloth.half_size[0] = 0.01f;
  cloth.ccd = true;
  set_up_busy(busy);
  expect_ok(weft_world_set_particle_shape(busy, 0, 400, &cloth));
  weft_world_step(busy, 3);
  saved_world saved = save_world(busy);
  for (int n = 0; fails_after(n, weft_world_restore(world, saved.bytes, saved.size)); ++n) {
    expect_same_steps(world, untouched);
  }
  weft_world_step(world, 5);
  weft_world_step(busy, 5);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(busy));
}

TEST(a_pin_that_finds_no_memory_for_its_move_says_so_and_stays) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 9, 9, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, 0, 9));
  weft_world* world = new_world_of(scene);
  const float target[3] = {5.0f, 6.0f, 7.0f};
  for (uint32_t i = 0; i < 9; ++i) {
    float* before = new_positions(world);
    for (int n = 0; fails_after(n, weft_world_move_particles(world, i, 1, target, 0)); ++n) {
      weft_world_step(world, 1);
      float here[3];
      expect_ok(weft_world_get_positions(world, i, 1, here));
      ck_assert_mem_eq(here, before + (size_t)3 * i, sizeof(here));
    }
  }
  weft_world_step(world, 1);
  float here[3];
  expect_ok(weft_world_get_positions(world, 8, 1, here));
  ck_assert_mem_eq(here, target, sizeof(here));
}

TEST(a_bulk_write_that_finds_no_memory_changes_nothing) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 9, 9, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, 0, 9));
  weft_world* world = new_world_of(scene);
  const uint64_t hash = weft_world_hash(world);
  // two bits of the list, targets, forces: each allocates
  const uint32_t numbers[2] = {5, 3};
  float values[2][3] = {{0.1f, 0.2f, 0.3f}, {0.4f, 0.5f, 0.6f}};
  const weft_attribute_array arrays[] = {
      {WEFT_ATTRIBUTE_POSITION, values[0], sizeof(values[0])},
      {WEFT_ATTRIBUTE_TARGET, values[0], sizeof(values[0])},
      {WEFT_ATTRIBUTE_FORCE, values[0], sizeof(values[0])},
  };
  weft_bulk_def def = weft_default_bulk_def();
  def.count = 2;
  def.particles = numbers;
  def.arrays = arrays;
  def.array_count = 3;
  int failures = 0;
  for (; fails_after(failures, weft_world_write(world, &def)); ++failures) {
    ck_assert_uint_eq(weft_world_hash(world), hash);
  }
  ck_assert_int_ge(failures, 3);
  weft_world_step(world, 1);
}

LOOP_TEST(colliders_that_find_no_memory_say_so_and_can_be_added_later, 0, 2) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 9, 9, ALL_FAMILIES);
  weft_world_def world_def = weft_plain_world_def();
  world_def.loads = _i == 1;
  weft_world* world = new_world(&world_def, scene);
  const weft_collider_def def = weft_default_collider_def();
  for (uint32_t i = 0; i < 9; ++i) {
    weft_collider added = {77, 0};
    for (int n = 0; fails_after(n, weft_world_add_collider(world, &def, &added)); ++n) {
      ck_assert_uint_eq(added.index, 77);
      const weft_contact_stats stats = contact_stats_of(world);
      ck_assert_uint_eq(stats.collider_count, i);
      weft_world_step(world, 1);
    }
    ck_assert_uint_eq(added.index, i);
  }
  weft_world_step(world, 1);
}

LOOP_TEST(bounds_that_find_no_memory_say_so_and_leave_the_world_as_it_was, 0, 2) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 20, 20, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = bounds.upper[1] = 5.0f;
  const weft_particle_shape_def shape = weft_default_particle_shape_def();
  if (_i == 1) expect_ok(weft_world_set_particle_shape(world, 0, 1, &shape));
  for (int n = 0; n < 1 + _i; ++n) {
    ck_assert(fails_after(n, weft_world_set_bounds(world, &bounds)));
  }
  float position[3];
  weft_world_step(world, 1);
  expect_ok(weft_world_get_positions(world, 0, 1, position));
  ck_assert_float_ne(position[1], 5.0f);
  expect_ok(weft_world_set_bounds(world, &bounds));
  weft_world_step(world, 1);
  expect_ok(weft_world_get_positions(world, 0, 1, position));
  ck_assert_float_eq(position[1], 5.0f);
}

// ---- pressure, faces and forces ----

static weft_scene* new_ball_scene(weft_body* body) {
  const float center[3] = {0};
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 5, 6, ALL_FAMILIES);
  *body = add_ball(scene, 3, 1.0f, center);
  return scene;
}

TEST(a_ball_whose_gas_finds_no_memory_stays_as_it_was) {
  bool done = false;
  for (int n = 0; !done; ++n) {
    weft_body body;
    weft_scene* scene = new_ball_scene(&body);
    scene_snapshot before = take_snapshot(scene);
    done = !fails_after(n, weft_scene_set_pressure(scene, &body, 10.0f));
    if (!done) {
      ck_assert(looks_like(scene, &before));
      expect_ok(weft_scene_set_pressure(scene, &body, 10.0f));
    }
    use_scene(scene);
    weft_scene_destroy(&scene);
    ck_assert_int_lt(n, 100);
  }
}

TEST(a_world_with_gas_that_finds_no_memory_says_so_wherever_it_runs_out) {
  weft_body body;
  weft_scene* scene = new_ball_scene(&body);
  expect_ok(weft_scene_set_pressure(scene, &body, 10.0f));
  const weft_world_def def = held_def(0);
  make_world_of_what_there_is(&def, scene);
}

TEST(forces_and_wind_that_find_no_memory_say_so_and_can_be_had_later) {
  weft_body body;
  weft_scene* scene = new_ball_scene(&body);
  weft_world_def def = weft_plain_world_def();
  def.faces = true;
  const float force[3] = {0.0f, 1.0f, 0.0f};
  const weft_wind_def wind = weft_default_wind_def();
  for (int first = 0; first < 2; ++first) {
    weft_world* world = new_world(&def, scene);
    ck_assert(fails_after(0, first == 0 ? weft_world_add_forces(world, 3, 1, force, 0)
                                        : weft_world_set_wind(world, &wind)));
    weft_world_step(world, 1);
    expect_ok(weft_world_add_forces(world, 3, 1, force, 0));
    expect_ok(weft_world_set_wind(world, &wind));
    weft_world_step(world, 1);
    weft_world_destroy(&world);
  }
}

// ---- contacts ----

static weft_world* new_contact_world(void) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 12, 12, ALL_FAMILIES);
  weft_world_def def = weft_plain_world_def();
  def.faces = true;
  def.worker_count = 2;
  return new_world(&def, scene);
}

static weft_particle_shape_def contact_number(int number) {
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.shape = (weft_particle_shape)(number % (WEFT_PARTICLE_SHAPE_ELLIPSOID + 1));
  for (int axis = 0; axis < 3; ++axis) contact.half_size[axis] = 0.01f;
  contact.ccd = number % 2 == 0;
  return contact;
}

TEST(contacts_that_find_no_memory_say_so_and_leave_those_before_as_they_were) {
  weft_world* world = new_contact_world();
  weft_world* other = new_contact_world();
  for (int number = 0; number < 10; ++number) {
    const weft_particle_shape_def contact = contact_number(number);
    const uint32_t first = (uint32_t)number * 5;
    for (int n = 0; fails_after(n, weft_world_set_particle_shape(world, first, 90, &contact));
         ++n) {
      expect_same_steps(world, other);
      ck_assert_int_lt(n, 200);
    }
    expect_ok(weft_world_set_particle_shape(other, first, 90, &contact));
    expect_same_steps(world, other);
  }
}

TEST(limits_of_contacts_that_find_no_memory_say_so_and_leave_those_before_as_they_were) {
  weft_world* world = new_contact_world();
  weft_world* other = new_contact_world();
  for (int number = 0; number < 6; ++number) {
    const weft_particle_shape_def contact = contact_number(number);
    expect_ok(weft_world_set_particle_shape(world, 0, 144, &contact));
    expect_ok(weft_world_set_particle_shape(other, 0, 144, &contact));
    weft_contact_limits_def limits = weft_default_contact_limits_def();
    limits.max_pairs = limits.max_ccd_pairs = (uint32_t)(1000 * (number + 1));
    limits.max_touches = limits.max_events = (uint32_t)(1000 - 100 * number);
    for (int n = 0; fails_after(n, weft_world_set_contact_limits(world, &limits)); ++n) {
      expect_same_steps(world, other);
      ck_assert_int_lt(n, 200);
    }
    expect_ok(weft_world_set_contact_limits(other, &limits));
    expect_same_steps(world, other);
  }
}

// ---- queries ----

TEST(an_index_that_finds_no_memory_says_so_and_can_be_had_later) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 20, 20, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  const float point[3] = {0.0f, 0.0f, 0.0f};
  uint32_t plain = 0;
  expect_ok(weft_world_overlap_sphere(world, point, 0.2f, NULL, 0, NULL, &plain));
  bool done = false;
  for (int n = 0; !done; ++n) {
    done = !fails_after(n, weft_world_build_index(world));
    // queries allocate nothing
    uint32_t count = 0;
    ck_assert(
        !fails_after(0, weft_world_overlap_sphere(world, point, 0.2f, NULL, 0, NULL, &count)));
    ck_assert_uint_eq(count, plain);
    ck_assert_int_lt(n, 10);
  }
  // rebuilding an index allocates nothing
  weft_world_step(world, 1);
  ck_assert(!fails_after(0, weft_world_build_index(world)));
}

// ---- shapes ----

TEST(a_collider_that_finds_no_memory_says_so_and_is_not_there) {
  random_source random = {9};
  const float start[3] = {0.0f, 5.0f, 0.0f};
  const weft_world_def world_def = weft_plain_world_def();
  const weft_collider_def defs[] = {bumpy_mesh(&random, 0.1f), bumpy_field(&random, 0.1f),
                                    box_hull(&random), ball_grid()};
  weft_world* world = new_points(&world_def, start, 1);
  weft_contact_stats stats;
  for (int k = 0; k < 4; ++k) {
    for (int n = 0;; ++n) {
      weft_collider added = {77, 0};
      allocations_left = n;
      const weft_result result = weft_world_add_collider(world, &defs[k], &added);
      const bool ran_out = allocations_left < 0;
      allocations_left = -1;
      expect_ok(weft_world_get_contact_stats(world, &stats));
      if (result.error == WEFT_OK && !ran_out) break;
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      ck_assert(added.index == 77 && stats.collider_count == (uint32_t)k);
      ck_assert_int_lt(n, 1000);
    }
    ck_assert_uint_eq(stats.collider_count, (uint32_t)k + 1);
  }
}
