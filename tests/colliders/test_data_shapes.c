/* Contacts of particles with colliders that are made of arrays. */
#include "support/data_shapes.h"
#include "support/test.h"

static weft_collider_def shape_of(random_source* random, int kind) {
  switch (kind) {
    case 0:
      return bumpy_mesh(random, 0.0f);
    case 1:
      return bumpy_field(random, 0.0f);
    case 2:
      return box_hull(random);
    default:
      return ball_grid();
  }
}

enum { KINDS = 4 };

// ---- resting ----

// rest position of a particle that falls along the shape's middle
static void top_of(int kind, float top[3]) {
  static const float tops[KINDS][3] = {
      {0.03f, 0.0f, 0.01f}, {2.03f, 0.0f, 2.01f}, {0.03f, 0.5f, 0.01f}, {1.0f, 1.5f, 1.0f}};
  memcpy(top, tops[kind], 3 * sizeof(*top));
}

// ---- non-penetration ----

LOOP_TEST(nothing_gets_into_what_is_solid_however_fast, 1, KINDS) {
  random_source random = {(uint64_t)_i + 200};
  for (int round = 0; round < ROUNDS(40, 5); ++round) {
    const weft_world_def def = def_at(60);
    weft_collider_def collider = shape_of(&random, _i);
    if (_i == 1) collider = bumpy_field(&random, 0.1f);
    enum { COUNT = 50 };
    float places[COUNT][3];
    float top[3];
    top_of(_i, top);
    for (int i = 0; i < COUNT; ++i) {
      places[i][0] = top[0] + random_float(&random, -0.3f, 0.3f);
      places[i][1] = top[1] + random_float(&random, 0.3f, 3.0f);
      places[i][2] = top[2] + random_float(&random, -0.3f, 0.3f);
    }
    weft_world* world = new_points(&def, places[0], COUNT);
    const weft_particle_shape_def contact = sphere_contact(0.0f);
    touch_all(world, &contact);
    (void)add_collider(world, &collider);
    for (uint32_t i = 0; i < COUNT; ++i) {
      const float fast[3] = {random_float(&random, -9.0f, 9.0f), -100.0f,
                             random_float(&random, -9.0f, 9.0f)};
      place_particle(world, i, places[i], fast);
    }
    for (int step = 0; step < 5; ++step) {
      weft_world_step(world, 1);
      for (uint32_t i = 0; i < COUNT; ++i) {
        double place[3];
        double velocity[3];
        read_particle(world, i, place, velocity);
        bool is_inside = false;
        if (_i == 1) {
          is_inside =
              place[1] < -0.1001 && place[0] > 0 && place[0] < 4 && place[2] > 0 && place[2] < 4;
        }
        if (_i == 2) {
          is_inside = fabs(place[0]) < 0.999 && fabs(place[1]) < 0.499 && fabs(place[2]) < 0.999;
        }
        if (_i == 3) {
          const double x = place[0] - 1.0;
          const double y = place[1] - 1.0;
          const double z = place[2] - 1.0;
          is_inside = sqrt(x * x + y * y + z * z) < 0.49;
        }
        if (is_inside) ck_abort_msg("round %d: %g %g %g", round, place[0], place[1], place[2]);
      }
    }
  }
}

// ---- arrays ----

LOOP_TEST(arrays_are_copied_and_what_is_bad_changes_nothing, 0, KINDS) {
  random_source random = {500};
  const weft_world_def def = def_at(60);
  const float start[3] = {0.0f, 1.0f, 0.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_particle_shape_def contact = sphere_contact(0.0f);
  touch_all(world, &contact);
  weft_collider_def collider = shape_of(&random, _i);
  collider.surface.static_friction = collider.surface.dynamic_friction = 1.0f;
  weft_collider added = {77, 0};
  if (collider.points != NULL) {
    weft_collider_def bad = collider;
    bad.points = NULL;
    expect_null(weft_world_add_collider(world, &bad, &added), "weft_collider_def.points");
  } else {
    weft_collider_def bad = collider;
    bad.samples = NULL;
    expect_null(weft_world_add_collider(world, &bad, &added), "weft_collider_def.samples");
  }
  ck_assert_uint_eq(added.index, 77);
  float top[3];
  top_of(_i, top);
  for (int axis = 0; axis < 3; ++axis) collider.position[axis] = -top[axis];
  const weft_world_stats empty = stats_of(world);
  added = add_collider(world, &collider);
  ck_assert_uint_gt(stats_of(world).bytes, empty.bytes);
  // the collider holds copies: the caller may overwrite the arrays
  if (collider.points != NULL) memset((void*)(uintptr_t)collider.points, 0, 8 * sizeof(float));
  if (collider.samples != NULL) memset((void*)(uintptr_t)collider.samples, 0, 8 * sizeof(float));
  weft_world_step(world, 120);
  double place[3];
  double velocity[3];
  read_particle(world, 0, place, velocity);
  ck_assert(fabs(place[1]) < 1e-3);
  expect_ok(weft_world_remove_collider(world, added));
  weft_world_step(world, 60);
  read_particle(world, 0, place, velocity);
  ck_assert(place[1] < -1.0);
}
