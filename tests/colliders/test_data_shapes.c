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

RANDOM_TEST(what_falls_on_it_lies_there, KINDS) {
  for (int round = 0; round < 4; ++round) {
    const weft_world_def def = def_at(60);
    const float radius = round % 2 == 0 ? 0.0f : 0.05f;
    const float far = round < 2 ? 0.0f : 1e3f;
    float top[3];
    top_of(_i, top);
    const float start[3] = {far + top[0], top[1] + 0.5f, top[2]};
    weft_world* world = new_points(&def, start, 1);
    const weft_particle_shape_def contact = sphere_contact(radius);
    touch_all(world, &contact);
    weft_collider_def collider = shape_of(&random, _i);
    collider.position[0] = far;
    collider.static_friction = collider.dynamic_friction = 1.0f;
    (void)add_collider(world, &collider);
    weft_world_step(world, 120);
    double before[3];
    double place[3];
    double velocity[3];
    read_particle(world, 0, before, velocity);
    weft_world_step(world, 240);
    read_particle(world, 0, place, velocity);
    const double height = place[1] - (double)top[1] - (double)radius;
    if (!(height > -1e-4 && height < 1e-3)) ck_abort_msg("round %d: %g above", round, height);
    for (int axis = 0; axis < 3; ++axis) {
      require(fabs(place[axis] - before[axis]) < 1e-6 && fabs(velocity[axis]) < 1e-3);
    }
  }
}

// ---- non-penetration ----

// position in the world of a point in the frame of a collider that is rotated about z
static void place_in_world(const weft_collider_def* def, double angle, const double local[3],
                           float place[3]) {
  place[0] = (float)((double)def->position[0] + cos(angle) * local[0] - sin(angle) * local[1]);
  place[1] = (float)((double)def->position[1] + sin(angle) * local[0] + cos(angle) * local[1]);
  place[2] = (float)((double)def->position[2] + local[2]);
}

static double height_in(const weft_collider_def* def, double angle, const double place[3]) {
  return -sin(angle) * (place[0] - (double)def->position[0]) +
         cos(angle) * (place[1] - (double)def->position[1]);
}

// aimed at vertices, edges and anywhere, from above and below, straight and at an angle
LOOP_TEST(nothing_passes_a_mesh_from_either_side_however_fast, 0, 4) {
  random_source random = {(uint64_t)_i + 100};
  for (int round = 0; round < ROUNDS(150, 15); ++round) {
    weft_world_def def = def_at(60);
    def.substeps = random_from(&random, 1, 2);
    weft_collider_def collider = bumpy_mesh(&random, _i % 2 == 0 ? 0.0f : 0.05f);
    const double angle = _i < 2 ? 0.0 : (double)random_float(&random, -3.0f, 3.0f);
    turn_about_z(angle, collider.rotation);
    if (_i >= 2) collider.position[0] = random_float(&random, -100.0f, 100.0f);
    collider.static_friction = collider.dynamic_friction = random_float(&random, 0.0f, 1.0f);
    enum { COUNT = 40 };
    float places[COUNT][3];
    float velocities[COUNT][3];
    double side[COUNT];
    for (int i = 0; i < COUNT; ++i) {
      side[i] = random_chance(&random, 2) ? 1.0 : -1.0;
      const bool straight = random_chance(&random, 2);
      const double aslant[2] = {straight ? 0.0 : (double)random_float(&random, -20.0f, 20.0f),
                                straight ? 0.0 : (double)random_float(&random, -20.0f, 20.0f)};
      const bool exact = random_chance(&random, 2);
      const double height = side[i] * 0.8;
      // multiples of 1/8: a vertex, or the middle of an edge
      const double target[2] = {exact ? 0.125 * ((int)random_below(&random, 17) - 8)
                                      : (double)random_float(&random, -1.0f, 1.0f),
                                exact ? 0.125 * ((int)random_below(&random, 17) - 8)
                                      : (double)random_float(&random, -1.0f, 1.0f)};
      // time to the mesh: 0.8 / 100 seconds
      const double local[3] = {target[0] - 0.008 * aslant[0], height,
                               target[1] - 0.008 * aslant[1]};
      place_in_world(&collider, angle, local, places[i]);
      const weft_collider_def turned = {.position = {0, 0, 0}};
      const double way[3] = {aslant[0], -100.0 * side[i], aslant[1]};
      place_in_world(&turned, angle, way, velocities[i]);
    }
    weft_world* world = new_points(&def, places[0], COUNT);
    const weft_particle_shape_def contact = sphere_contact(0.0f);
    const weft_particle_shape_def ball = shape_def(.radius = 0.01f);
    touch_all(world, round % 2 == 0 ? &contact : &ball);
    (void)add_collider(world, &collider);
    for (uint32_t i = 0; i < COUNT; ++i) {
      place_particle(world, i, places[i], velocities[i]);
    }
    weft_world_step(world, 3);
    for (uint32_t i = 0; i < COUNT; ++i) {
      double place[3];
      double velocity[3];
      read_particle(world, i, place, velocity);
      const double height = side[i] * height_in(&collider, angle, place);
      const double lower = _i % 2 == 0 ? 0.0 : -0.06;
      if (!(height > lower)) ck_abort_msg("round %d, particle %u: %g", round, i, height);
    }
  }
}

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

LOOP_TEST(a_mesh_that_comes_fast_sweeps_points_along, 0, 3) {
  random_source random = {(uint64_t)_i + 300};
  const weft_world_def def = def_at(60);
  enum { COUNT = 200 };
  float places[COUNT][3];
  for (int i = 0; i < COUNT; ++i) {
    places[i][0] = 0.125f * (float)((int)random_below(&random, 17) - 8);
    places[i][1] = random_float(&random, 0.3f, 1.0f);
    places[i][2] = 0.125f * (float)((int)random_below(&random, 17) - 8);
  }
  weft_world* world = new_points(&def, places[0], COUNT);
  const weft_particle_shape_def contact = sphere_contact(0.0f);
  touch_all(world, &contact);
  weft_collider_def collider = bumpy_mesh(&random, 0.02f);
  collider.velocity[1] = 100.0f;
  (void)add_collider(world, &collider);
  weft_world_step(world, 3);
  for (uint32_t i = 0; i < COUNT; ++i) {
    double place[3];
    double velocity[3];
    read_particle(world, i, place, velocity);
    require(place[1] > 4.9);
  }
}

// ---- the same bits ----

static uint64_t hash_of(uint32_t workers, weft_isa isa) {
  random_source random = {400};
  weft_scene* scene = new_sheet_scene(33, 33, ALL_FAMILIES);
  (void)add_cloud(scene, &random, 1500, 2.0f);
  weft_world_def def = def_at(60);
  def.worker_count = workers;
  def.isa = isa;
  def.substeps = 2;
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = sphere_contact(0.02f);
  contact.shape = WEFT_PARTICLE_SHAPE_POINT;
  contact.static_friction = contact.dynamic_friction = 0.3f;
  touch_all(world, &contact);
  for (int kind = 0; kind < KINDS; ++kind) {
    weft_collider_def collider = kind == 0 ? bumpy_mesh(&random, 0.1f) : shape_of(&random, kind);
    for (int axis = 0; axis < 3; ++axis) {
      collider.position[axis] = random_float(&random, -1.0f, 1.0f);
      collider.velocity[axis] = random_float(&random, -2.0f, 2.0f);
      collider.spin[axis] = kind == 1 ? 0.0f : random_float(&random, -5.0f, 5.0f);
    }
    if (kind < 2) collider.position[1] = -2.0f;
    (void)add_collider(world, &collider);
  }
  weft_world_step(world, ROUNDS(40, 5));
  const weft_contact_stats stats = contact_stats_of(world);
  ck_assert_uint_gt(stats.collider_contacts, 20);
  return weft_world_hash(world) * 31 + stats.collider_contacts;
}

TEST(all_workers_and_instruction_sets_give_one_result) {
  const uint64_t wanted = hash_of(1, WEFT_ISA_AUTO);
  const uint32_t workers[] = {2, 3, 7};
  for (int k = 0; k < 3; ++k) ck_assert_uint_eq(hash_of(workers[k], WEFT_ISA_AUTO), wanted);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    ck_assert_uint_eq(hash_of(2, (weft_isa)isa), wanted);
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
  collider.static_friction = collider.dynamic_friction = 1.0f;
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
