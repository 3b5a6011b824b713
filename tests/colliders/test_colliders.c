/* Contacts of particles with colliders: filters and depenetration. */

#include "support/collided.h"
#include "support/test.h"

// ---- depenetration ----

TEST(what_a_collider_appears_on_is_put_out_and_gets_no_velocity) {
  for (int shape = WEFT_COLLIDER_SHAPE_HALF_SPACE; shape <= WEFT_COLLIDER_SHAPE_ELLIPSOID;
       ++shape) {
    for (int springs = 0; springs < 2; ++springs) {
      weft_world_def def = def_at(60);
      def.solver.springs = springs != 0;
      const float start[3] = {0.0f, -0.1f, 0.0f};
      weft_world* world = new_points(&def, start, 1);
      expect_ok(weft_world_set_gravity(world, (float[3]){0.0f, 0.0f, 0.0f}));
      const weft_particle_shape_def contact = sphere_contact(0.05f);
      touch_all(world, &contact);
      weft_collider_def collider = collider_of_shape((weft_collider_shape)shape);
      collider.surface.restitution = 1.0f;
      collider.half_size[0] = collider.half_size[2] = 2.0f;
      (void)add_collider(world, &collider);
      double position[3];
      double velocity[3];
      for (int step = 0; step < 5; ++step) {
        weft_world_step(world, 1);
        read_particle(world, 0, position, velocity);
        ck_assert_double_lt(hypot(hypot(velocity[0], velocity[1]), velocity[2]), 1e-4);
      }
      ck_assert_double_gt(fabs(position[1]), 0.04);
    }
  }
}

LOOP_TEST(in_a_corner_both_colliders_take_the_velocity_along_their_normals, 0, 3) {
  const int third = _i;
  const int walls[2] = {(third + 1) % 3, (third + 2) % 3};
  weft_world_def def = def_at(60);
  for (int axis = 0; axis < 3; ++axis) def.gravity[axis] = 0.0f;
  float start[3] = {0.05f, 0.05f, 0.05f};
  float velocity[3] = {-4.0f, -4.0f, -4.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_particle_shape_def contact = sphere_contact(0.0f);
  touch_all(world, &contact);
  for (int k = 0; k < 2; ++k) {
    weft_collider_def box = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
    for (int axis = 0; axis < 3; ++axis) box.half_size[axis] = 2.0f;
    box.position[walls[k]] = -2.0f;
    (void)add_collider(world, &box);
  }
  place_particle(world, 0, start, velocity);
  weft_world_step(world, 1);
  double after[3];
  double position[3];
  read_particle(world, 0, position, after);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_eq_tol(after[axis], axis == third ? -4.0 : 0.0, 1e-3);
    if (axis != third) ck_assert_double_eq_tol(position[axis], 0.0, 1e-5);
  }
}

// ---- filters ----

TEST(filters_and_pins_and_shapes_are_kept) {
  const weft_world_def def = def_at(60);
  float start[18];
  for (int i = 0; i < 6; ++i) {
    start[3 * i] = 2.0f * (float)i;
    start[3 * i + 1] = 1.0f;
    start[3 * i + 2] = 0.0f;
  }
  weft_world* world = new_points(&def, start, 6);
  // 0 has no contact, 1 another mask, 2 is pinned, 3 a box, 4 an ellipsoid, 5 cloth
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.mask = 2;
  expect_ok(weft_world_set_particle_shape(world, weft_range(1, 1), &contact));
  contact = weft_default_particle_shape_def();
  expect_ok(weft_world_set_particle_shape(world, weft_range(2, 1), &contact));
  pin_particles(world, 2, 1);
  const weft_particle_shape shapes[3] = {WEFT_PARTICLE_SHAPE_BOX, WEFT_PARTICLE_SHAPE_ELLIPSOID,
                                         WEFT_PARTICLE_SHAPE_CLOTH};
  for (uint32_t k = 0; k < 3; ++k) {
    contact.shape = shapes[k];
    contact.half_size[0] = 0.3f;
    contact.half_size[1] = 0.2f;
    contact.half_size[2] = 0.1f;
    expect_ok(weft_world_set_particle_shape(world, weft_range(3 + k, 1), &contact));
  }
  const weft_collider_def floor = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  const weft_collider handle = add_collider(world, &floor);
  weft_world_step(world, 120);
  double height[6];
  double velocity[3];
  for (uint32_t i = 0; i < 6; ++i) {
    double position[3];
    read_particle(world, i, position, velocity);
    height[i] = position[1];
  }
  ck_assert_double_lt(height[0], -5.0);
  ck_assert_double_lt(height[1], -5.0);
  ck_assert_double_eq(height[2], 1.0);
  ck_assert_double_eq_tol(height[3], 0.2, 1e-6);
  ck_assert_double_eq_tol(height[4], 0.2, 1e-6);
  ck_assert_double_eq_tol(height[5], 0.3, 1e-6);
  weft_contact_stats stats = contact_stats_of(world);
  ck_assert_uint_eq(stats.collider_count, 1);
  // particle shapes at rest may be carried by impulses alone
  ck_assert_uint_ge(stats.collider_contacts, 1);
  ck_assert_uint_le(stats.collider_contacts, 3);
  expect_ok(weft_world_remove_collider(world, handle));
  weft_world_step(world, 60);
  double position[3];
  read_particle(world, 5, position, velocity);
  ck_assert_double_lt(position[1], -4.0);
  stats = contact_stats_of(world);
  ck_assert_uint_eq(stats.collider_count, 0);
  ck_assert_uint_eq(stats.collider_contacts, 0);
}
