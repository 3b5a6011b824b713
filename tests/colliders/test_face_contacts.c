/* Faces of cloth against spheres, capsules and boxes. */
#include "collision/colliders/face_shape.h"
#include "geometry/closest_points.h"
#include "support/collided.h"
#include "support/moved.h"
#include "support/test.h"

// ---- one face, against dense samples ----

static weft__vec3 random_point(random_source* random, float reach) {
  return (weft__vec3){(double)random_float(random, -reach, reach),
                      (double)random_float(random, -reach, reach),
                      (double)random_float(random, -reach, reach)};
}

// distance from the shape; of a box 0 inside
static double distance_of(const weft__shape* shape, weft__vec3 p) {
  if (shape->kind == WEFT_COLLIDER_SHAPE_BOX) {
    const weft__vec3 away = {fmax(fabs(p.x) - shape->half_size[0], 0.0),
                             fmax(fabs(p.y) - shape->half_size[1], 0.0),
                             fmax(fabs(p.z) - shape->half_size[2], 0.0)};
    return weft__length(away);
  }
  const double half = shape->kind == WEFT_COLLIDER_SHAPE_CAPSULE ? shape->half_size[1] : 0.0;
  p.y -= fmin(fmax(p.y, -half), half);
  return weft__length(p) - shape->radius;
}

static double least_distance(const weft__shape* shape, const weft__vec3 corner[3]) {
  enum { CUTS = 60 };
  double least = (double)INFINITY;
  for (int i = 0; i <= CUTS; ++i) {
    for (int k = 0; k + i <= CUTS; ++k) {
      const double a = (double)i / CUTS, b = (double)k / CUTS;
      const weft__vec3 p =
          weft__plus(corner[0], weft__plus(weft__scaled(a, weft__minus(corner[1], corner[0])),
                                           weft__scaled(b, weft__minus(corner[2], corner[0]))));
      least = fmin(least, distance_of(shape, p));
    }
  }
  return least;
}

LOOP_TEST(contacts_are_where_samples_of_the_face_are_near, 0, 3) {
  static const weft_collider_shape kinds[] = {WEFT_COLLIDER_SHAPE_SPHERE,
                                              WEFT_COLLIDER_SHAPE_CAPSULE, WEFT_COLLIDER_SHAPE_BOX};
  const weft__shape shape = {.kind = kinds[_i], .radius = 0.3, .half_size = {0.4, 0.5, 0.3}};
  const double reach = 0.05;
  random_source random = {(uint64_t)_i};
  int found = 0;
  for (int round = 0; round < ROUNDS(3000, 200); ++round) {
    weft__local_face face;
    const weft__vec3 center = random_point(&random, 1.0f);
    for (int k = 0; k < 3; ++k)
      face.previous[k] = face.corner[k] = weft__plus(center, random_point(&random, 0.3f));
    const double least = least_distance(&shape, face.corner);
    weft__face_contact contact;
    const bool is_apart = weft__face_is_apart(&shape, face.corner, reach);
    const bool is_found = weft__face_find_contact(&shape, &face, reach, &contact);
    require(!is_apart || least > reach - 1e-9);
    // samples are up to 7 mm from the nearest point
    if (least < reach - 1e-9 && least > 1e-3) require(is_found);
    if (least > reach + 0.01) require(!is_found);
    if (!is_found) continue;
    ++found;
    require(fabs(weft__length(contact.normal) - 1.0) < 1e-9);
    const weft__vec3 out = weft__minus(weft__blend(face.corner, contact.share), contact.point);
    const double depth = reach - weft__dot(out, contact.normal);
    require(depth > 0.0);
    require(fabs(contact.share[0] + contact.share[1] + contact.share[2] - 1.0) < 1e-9);
    // translated by the depth it is out, where it does not reach the middle
    if (!(least > 1e-3)) continue;
    weft__vec3 moved[3];
    for (int k = 0; k < 3; ++k)
      moved[k] = weft__plus(face.corner[k], weft__scaled(depth, contact.normal));
    require(least_distance(&shape, moved) > reach - 1e-6);
  }
  ck_assert_int_gt(found, ROUNDS(100, 5));
}

// ---- worlds ----

// A triangle whose corners are outside of a collider at the origin and whose middle is not.
static weft_world* new_triangle(const weft_world_def* def, float height) {
  static const uint32_t corners[3] = {0, 1, 2};
  const float positions[9] = {-0.5f, height, -0.3f, 0.5f, height, -0.3f, 0.0f, height, 0.6f};
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = positions, .vertex_count = 3, .triangles = corners,
                      .triangle_count = 1);
  return new_world(def, scene);
}

static weft_particle_shape_def faced(float radius) {
  return shape_def(.radius = radius);
}

TEST(a_moving_sphere_takes_a_face_along_and_a_hidden_one_does_not) {
  weft_world_def def = def_at(60);
  def.solver.substeps = 4;
  def.gravity[1] = 0.0f;
  for (int filtered = 0; filtered < 2; ++filtered) {
    weft_world* world = new_triangle(&def, 0.2f);
    const weft_particle_shape_def contact = faced(0.0f);
    touch_all(world, &contact);
    weft_collider_def ball =
        collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.1f, .velocity = {0.0f, 3.0f});
    if (filtered == 1) ball.mask = 0;
    (void)add_collider(world, &ball);
    weft_world_step(world, 30);
    float* positions = new_positions(world);
    const double middle =
        ((double)positions[1] + (double)positions[4] + (double)positions[7]) / 3.0;
    ck_assert(filtered == 1 ? middle == (double)0.2f : fabs(middle - 1.6) < 1e-3);
  }
}

// Its middle hits a small ball at 1 m/s: the law of particles.
LOOP_TEST(a_face_bounces_by_the_restitution_of_the_pair, 0, 3) {
  const float restitution = 0.5f * (float)_i;
  weft_world_def def = def_at(240);
  def.solver.substeps = 4;
  def.gravity[1] = 0.0f;
  weft_world* world = new_triangle(&def, 0.15f);
  const weft_particle_shape_def contact = shape_def(.radius = 0.0f, .restitution = restitution);
  touch_all(world, &contact);
  (void)put_collider(world, .shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.1f,
                     .restitution = restitution);
  const float down[9] = {0, -1, 0, 0, -1, 0, 0, -1, 0};
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 3, down, WEFT_SAME);
  weft_world_step(world, 24);
  float* velocities = new_velocities(world);
  for (int k = 0; k < 3; ++k)
    ck_assert_double_eq_tol((double)velocities[3 * k + 1], (double)restitution, 0.02);
}

// ---- links through a collider ----

// Both ends are pulled against it, within the cone of friction; 4 times the length at rest.
LOOP_TEST(links_through_a_collider_are_freed, 0, 3) {
  enum { COLUMNS = 8 };
  static const collider_changes shapes[] = {
      {.shape = WEFT_COLLIDER_SHAPE_CAPSULE, .radius = 0.03f, .half_size = {0, 0.3f, 0}},
      {.shape = WEFT_COLLIDER_SHAPE_BOX, .half_size = {0.025f, 0.3f, 0.025f}},
      {.shape = WEFT_COLLIDER_SHAPE_ELLIPSOID, .half_size = {0.03f, 0.3f, 0.03f}},
  };
  weft_scene* scene = new_scene();
  const weft_sheet_def sheet = sheet_def(.columns = COLUMNS, .rows = 2, .spacing = 0.02f);
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  const weft_world_def def = default_def(.undamped = false);
  weft_world* world = new_world(&def, scene);
  const float nothing[3] = {0};
  expect_ok(weft_world_set_gravity(world, nothing));
  shape_particles(world, 0, 2 * COLUMNS, .shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = 0.009f,
                  .friction = 0.5f);
  for (uint32_t i = 0; i < 2 * COLUMNS; ++i) {
    const float position[3] = {0.02f * (float)(i % COLUMNS) - 0.07f, 0.02f,
                               i < COLUMNS ? -0.035f : 0.035f};
    place_particle(world, i, position, NULL);
  }
  weft_collider_def collider = changed_collider_def(shapes[_i]);
  collider.surface.static_friction = collider.surface.dynamic_friction = 0.5f;
  collider.rotation[2] = collider.rotation[3] = sqrtf(0.5f);  // its length along x
  put_collider_by(world, collider);
  weft_world_step(world, 60);
  ck_assert_double_le(measures_of(world).max_strain, 0.05);
}
