/* Balls under pressure. */
#include "forces/pressure.h"

#include "support/balls.h"
#include "support/external_forces.h"
#include "support/test.h"
#include "weft/bodies.h"
#include "world/world.h"

static const float center[3] = {1.0f, 2.0f, -1.0f};

// ball of light cloth with helpers
typedef struct balloon {
  weft_world* world;
  ball mesh;
} balloon;

static weft_world_def calm_def(void) {
  return plain_def(.weightless = true);
}

static balloon new_balloon(uint32_t cuts, const weft_material_def* material, float pressure,
                           bool pin_below, const weft_world_def* def) {
  balloon b = {.mesh = new_ball(cuts, 0.5f, center)};
  weft_mesh_def mesh = mesh_of_ball(&b.mesh);
  mesh.material = material;
  mesh.tear_ratio = 3.0f;
  weft_scene* scene = new_scene();
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &mesh, &body));
  expect_ok(weft_scene_set_pressure(scene, &body, pressure));
  for (uint32_t i = 0; i < b.mesh.vertex_count && pin_below; ++i) {
    if (b.mesh.positions[3 * i + 1] < 1.65f) expect_ok(weft_scene_pin(scene, weft_range(i, 1)));
  }
  b.world = new_world(def, scene);
  return b;
}

static double volume_now(const balloon* b) {
  float* positions = new_positions(b->world);
  return volume_of_faces(positions, b->mesh.triangles, b->mesh.triangle_count);
}

static double volume_at_first(const balloon* b) {
  return volume_of_faces(b->mesh.positions, b->mesh.triangles, b->mesh.triangle_count);
}

// ---- effect of pressure ----

TEST(a_ball_that_is_torn_loses_its_gas) {
  const weft_material_def material = material_def(.stretch_stiffness = 200.0f);
  const weft_world_def def = plain_def(.damping = 1.0f, .substeps = 4);
  balloon b = new_balloon(10, &material, 20.0f, true, &def);
  weft_world_step(b.world, 120);
  const weft__pressure* gas = b.world->stepper.forces.pressures.pressures;
  ck_assert(!gas->has_leaked);
  ck_assert_float_gt(gas->pressure_now, 15.0f);
  // move a particle of the upper side far away
  const float away[3] = {1.0f, 3.2f, -1.0f};
  uint32_t top = 0;
  while (b.mesh.positions[3 * top + 1] < 2.49f) ++top;
  place_particle(b.world, top, away, NULL);
  pin_particles(b.world, top, 1);
  weft_world_step(b.world, 2);
  ck_assert(gas->has_leaked);
  ck_assert_float_eq(gas->pressure_now, 0.0f);
  float home[3] = {1.0f, 2.4f, -1.0f};
  place_particle(b.world, top, home, NULL);
  weft_world_step(b.world, 240);
  ck_assert_double_lt(volume_now(&b) / volume_at_first(&b), 0.6);
}

// ---- extreme volumes ----

// pressure of a ball of 10 pascals after scaling it by `size` along each axis
static double pressure_at(float size) {
  const weft_world_def def = calm_def();
  balloon b = new_balloon(4, NULL, 10.0f, false, &def);
  for (uint32_t i = 0; i < b.mesh.vertex_count; ++i) {
    float position[3];
    for (uint32_t axis = 0; axis < 3; ++axis) {
      position[axis] = center[axis] + size * (b.mesh.positions[3 * i + axis] - center[axis]);
    }
    place_particle(b.world, i, position, NULL);
  }
  begin_external_forces(b.world);
  return (double)b.world->stepper.forces.pressures.pressures[0].pressure_now;
}

TEST(pressure_is_inverse_to_volume_down_to_a_twentieth) {
  ck_assert_double_eq_tol(pressure_at(1.0f), 10.0, 1e-4);
  ck_assert_double_eq_tol(pressure_at(2.0f), 10.0 / 8.0, 1e-4);
  ck_assert_double_eq_tol(pressure_at(0.5f), 80.0, 1e-2);
  ck_assert_double_eq_tol(pressure_at(0.1f), 200.0, 1e-3);
  // all particles at one point, and inside out
  ck_assert_double_eq_tol(pressure_at(0.0f), 200.0, 1e-3);
  ck_assert_double_eq_tol(pressure_at(-1.0f), 200.0, 1e-3);
}

TEST(gas_takes_no_faces_to_be_asked_for_and_they_can_be_read) {
  const weft_world_def def = calm_def();
  balloon b = new_balloon(3, NULL, 10.0f, false, &def);
  uint32_t count = 0;
  expect_ok(weft_world_get_faces(b.world, 0, NULL, &count));
  ck_assert_uint_eq(count, b.mesh.triangle_count);
}

// ---- rest and angular momentum ----

#define ROLLINGS (sizeof(rollings) / sizeof(*rollings))
