/* Faces of cloth against spheres, capsules and boxes. */
#include "collision/colliders/face_shape.h"
#include "support/collided.h"
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
    require(contact.depth > 0.0);
    require(fabs(contact.share[0] + contact.share[1] + contact.share[2] - 1.0) < 1e-9);
    // translated by the depth it is out, where it does not reach the middle
    if (!(least > 1e-3)) continue;
    weft__vec3 moved[3];
    for (int k = 0; k < 3; ++k)
      moved[k] = weft__plus(face.corner[k], weft__scaled(contact.depth, contact.normal));
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
  return shape_def(.radius = radius, .face_contacts = true);
}

LOOP_TEST(a_triangle_rests_on_what_is_below_its_middle, 0, 3) {
  static const weft_collider_shape kinds[] = {WEFT_COLLIDER_SHAPE_SPHERE,
                                              WEFT_COLLIDER_SHAPE_CAPSULE, WEFT_COLLIDER_SHAPE_BOX};
  weft_world_def def = def_at(60);
  def.faces = true;
  def.substeps = 4;
  for (int faces = 0; faces < 2; ++faces) {
    weft_world* world = new_triangle(&def, 0.12f);
    weft_particle_shape_def contact = faced(0.02f);
    contact.face_contacts = faces == 1;
    touch_all(world, &contact);
    weft_collider_def collider = collider_of_shape(kinds[_i]);
    collider.radius = 0.1f;
    collider.half_size[0] = collider.half_size[1] = collider.half_size[2] = 0.1f;
    // the capsule lies along x
    if (kinds[_i] == WEFT_COLLIDER_SHAPE_CAPSULE) turn_about_z(1.5707963, collider.rotation);
    (void)add_collider(world, &collider);
    weft_world_step(world, 6);
    float* positions = new_positions(world);
    const double middle =
        ((double)positions[1] + (double)positions[4] + (double)positions[7]) / 3.0;
    if (faces == 1) {
      ck_assert_uint_eq(contact_stats_of(world).face_contacts, 1);
      ck_assert(fabs(middle - 0.11) < 1e-3);
    } else {
      ck_assert(middle < 0.09);
    }
  }
}

TEST(a_moving_sphere_takes_a_face_along_and_a_hidden_one_does_not) {
  weft_world_def def = def_at(60);
  def.faces = true;
  def.substeps = 4;
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

static uint64_t hash_of_draped(weft_isa isa, uint32_t workers, uint32_t* contacts) {
  weft_world_def def = def_at(60);
  def.isa = isa;
  def.worker_count = workers;
  def.faces = true;
  def.substeps = 2;
  weft_world* world =
      new_world(&def, new_cloth_scene(.side = 24, .spacing = 0.05f, .origin = {-0.6f, 0.25f, -0.6f},
                                      .is_level = true));
  weft_particle_shape_def contact = faced(0.01f);
  contact.static_friction = contact.dynamic_friction = 0.2f;
  touch_all(world, &contact);
  for (int k = 0; k < 12; ++k) {
    static const weft_collider_shape kinds[] = {
        WEFT_COLLIDER_SHAPE_SPHERE, WEFT_COLLIDER_SHAPE_CAPSULE, WEFT_COLLIDER_SHAPE_BOX};
    weft_collider_def def_of = collider_of_shape(kinds[k % 3]);
    def_of.radius = 0.03f;
    def_of.half_size[0] = def_of.half_size[1] = def_of.half_size[2] = 0.05f;
    def_of.position[0] = 0.25f * (float)(k % 4) - 0.4f;
    def_of.position[2] = 0.3f * (float)(k / 4) - 0.3f;
    def_of.position[1] = 0.1f;
    def_of.spin[2] = 2.0f;
    turn_about_z(0.4 * k, def_of.rotation);
    (void)add_collider(world, &def_of);
  }
  *contacts = 0;
  for (int step = 0; step < 20; ++step) {
    weft_world_step(world, 1);
    *contacts += contact_stats_of(world).face_contacts;
  }
  return weft_world_hash(world);
}

TEST(all_workers_and_instruction_sets_have_one_hash) {
  const uint32_t workers[] = {1, 2, 3, 7};
  uint32_t contacts;
  const uint64_t expected = hash_of_draped(WEFT_ISA_SCALAR, 1, &contacts);
  ck_assert_uint_gt(contacts, 100);
  for (machine m = {0}; next_machine(&m, 4, 0);) {
    ck_assert_uint_eq(hash_of_draped(m.isa, workers[m.w], &contacts), expected);
  }
}

TEST(a_world_without_faces_refuses_them) {
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_triangle(&def, 1.0f);
  const weft_particle_shape_def contact = faced(0.01f);
  expect_error(weft_world_set_particle_shape(world, 0, 3, &contact), WEFT_ERROR_DISABLED,
               "weft_particle_shape_def.face_contacts");
}
