/* Nothing passes through colliders, however fast, and moving colliders sweep particles along. */
#include "support/collided.h"
#include "support/test.h"

#define PI 3.14159265358979323846

// ---- non-penetration ----

static weft_collider_def thin_one(bool is_plane) {
  weft_collider_def def =
      collider_of_shape(is_plane ? WEFT_COLLIDER_SHAPE_PLANE : WEFT_COLLIDER_SHAPE_BOX);
  def.half_size[0] = def.half_size[2] = 50.0f;
  def.half_size[1] = 0.0005f;
  def.position[1] = 0.3f;
  turn_about_z(0.3, def.rotation);
  return def;
}

// signed distance to the collider's plane
static double side_of(const weft_collider_def* def, const double place[3]) {
  return -sin(0.3) * place[0] + cos(0.3) * (place[1] - (double)def->position[1]);
}

TEST(nothing_fast_passes_through_what_is_thin) {
  random_source random = {5};
  for (int round = 0; round < ROUNDS(400, 40); ++round) {
    weft_world_def def = def_at(60);
    def.solver.substeps = random_from(&random, 1, 2);
    if (random_chance(&random, 4)) def.solver.springs = true;
    const weft_collider_def collider = thin_one(random_chance(&random, 2));
    const float start[3] = {random_float(&random, -2.0f, 2.0f), random_float(&random, 1.2f, 3.0f),
                            random_float(&random, -2.0f, 2.0f)};
    weft_world* world = new_points(&def, start, 1);
    weft_particle_shape_def contact = sphere_contact(random_chance(&random, 2) ? 0.0f : 0.01f);
    contact.surface.restitution = random_chance(&random, 2) ? 0.0f : 0.7f;
    touch_all(world, &contact);
    weft_collider_def bouncing = collider;
    bouncing.surface.restitution = 1.0f;
    bouncing.surface.static_friction = bouncing.surface.dynamic_friction =
        random_float(&random, 0.0f, 1.0f);
    (void)add_collider(world, &bouncing);
    for (int step = 0; step < 60; ++step) {
      // thrown down again every third step
      double position[3];
      double velocity[3];
      read_particle(world, 0, position, velocity);
      if (!(side_of(&collider, position) > 0.0)) ck_abort_msg("round %d, step %d", round, step);
      const float here[3] = {(float)position[0], (float)position[1], (float)position[2]};
      const float fast[3] = {random_float(&random, -50.0f, 50.0f), -100.0f,
                             random_float(&random, -50.0f, 50.0f)};
      if (step % 3 == 0) place_particle(world, 0, here, fast);
      weft_world_step(world, 1);
    }
  }
}

// ---- motion ----

TEST(what_is_sent_gets_there_with_the_step_and_stands_still) {
  for (uint32_t substeps = 1; substeps <= 5; ++substeps) {
    weft_world_def def = def_at(60);
    def.solver.substeps = substeps;
    const float start[3] = {0.0f, 10.0f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    weft_collider_def box = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
    box.velocity[1] = 3.0f;
    const weft_collider handle = add_collider(world, &box);
    const float place[3] = {1.0f, 2.0f, -3.0f};
    float rotation[4];
    turn_about_z(1.0, rotation);
    // opposite quaternion, the same rotation
    for (int k = 0; k < 4; ++k) rotation[k] = -rotation[k];
    expect_ok(weft_world_move_collider(world, handle, place, rotation));
    for (int step = 0; step < 3; ++step) {
      weft_world_step(world, 1);
      float where[3];
      float turned[4];
      expect_ok(get_pose(world, handle, where, turned));
      for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(where[axis], place[axis]);
      for (int k = 0; k < 4; ++k) ck_assert_float_eq_tol(turned[k], rotation[k], 1e-6f);
    }
  }
}

TEST(a_spin_turns_by_its_angle) {
  const double spins[4] = {0.1, 3.0, 50.0, 1000.0};
  for (int k = 0; k < 4; ++k) {
    const weft_world_def def = def_at(100);
    const float start[3] = {0.0f, 10.0f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    weft_collider_def box = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
    box.spin[2] = (float)spins[k];
    const weft_collider handle = add_collider(world, &box);
    weft_world_step(world, 100);
    float turned[4];
    expect_ok(get_pose(world, handle, NULL, turned));
    const double half = 0.5 * (double)box.spin[2];
    // one rotation has two quaternions
    const double same = sin(half) * (double)turned[2] + cos(half) * (double)turned[3];
    ck_assert_double_eq_tol(fabs(same), 1.0, 1e-6);
  }
}

// friction carries a particle on a turntable round with it
TEST(what_lies_on_a_turntable_goes_round_with_it) {
  weft_world_def def = def_at(60);
  def.solver.substeps = 4;
  const float start[3] = {0.5f, 0.02f, 0.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_particle_shape_def contact = sphere_contact(0.02f);
  touch_all(world, &contact);
  weft_collider_def table = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  table.surface.static_friction = table.surface.dynamic_friction = 1.0f;
  table.spin[1] = 1.0f;
  (void)add_collider(world, &table);
  weft_world_step(world, 240);
  double position[3];
  double velocity[3];
  read_particle(world, 0, position, velocity);
  const double angle = 4.0;
  ck_assert_double_eq_tol(position[0], 0.5 * cos(angle), 0.02);
  ck_assert_double_eq_tol(position[2], -0.5 * sin(angle), 0.02);
  ck_assert_double_eq_tol(hypot(velocity[0], velocity[2]), 0.5, 0.01);
}
