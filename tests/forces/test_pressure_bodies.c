/* Bodies that accept pressure and bodies that are refused. */
#include "scene/scene.h"
#include "support/bad_float.h"
#include "support/balls.h"
#include "support/test.h"

static const float origin[3] = {0.0f, 0.0f, 0.0f};

// mesh to be made invalid by a test, with the faces of a ball
typedef struct made_body {
  weft_scene* scene;
  weft_body body;
} made_body;

static made_body new_body_of(const ball* b) {
  made_body made = {.scene = new_scene()};
  const weft_mesh_def def = mesh_of_ball(b);
  expect_ok(weft_scene_add_mesh(made.scene, &def, &made.body));
  return made;
}

static void expect_refused(const ball* b, weft_error error, uint64_t face) {
  made_body made = new_body_of(b);
  expect_error_at(weft_scene_set_pressure(made.scene, &made.body, 10.0f), error, "body", face);
  ck_assert_uint_eq(made.scene->pressure_count, 0);
}

TEST(volumes_are_those_of_known_solids) {
  static const float corners[] = {0, 0, 0, 2, 0, 0, 2, 3, 0, 0, 3, 0,
                                  0, 0, 5, 2, 0, 5, 2, 3, 5, 0, 3, 5};
  static const uint32_t box[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  static const uint32_t tetrahedron[] = {0, 3, 1, 0, 1, 4, 1, 3, 4, 3, 0, 4};
  const uint32_t* solids[] = {box, tetrahedron};
  const uint32_t faces[] = {12, 4};
  const double volumes[] = {30.0, 5.0};
  for (int s = 0; s < 2; ++s) {
    float positions[24];
    // far from the origin, to catch cancellation in volumes computed from there
    for (uint32_t i = 0; i < 24; ++i) positions[i] = corners[i] + 4096.0f;
    uint32_t triangles[36];
    for (uint32_t i = 0; i < 3 * faces[s]; ++i) triangles[i] = solids[s][i];
    const ball b = {8, faces[s], positions, triangles};
    made_body made = new_body_of(&b);
    expect_ok(weft_scene_set_pressure(made.scene, &made.body, 1.0f));
    ck_assert_double_eq_tol(made.scene->pressures[0].volume, volumes[s], 1e-9);
  }
}

LOOP_TEST(a_body_with_a_hole_is_refused_wherever_the_hole_is, 0, 31) {
  ball b = new_ball(2, 1.0f, origin);
  const uint32_t last = 3 * (b.triangle_count - 1);
  const uint32_t hole = (uint32_t)_i;
  for (uint32_t k = 0; k < 3; ++k) b.triangles[3 * hole + k] = b.triangles[last + k];
  --b.triangle_count;
  made_body made = new_body_of(&b);
  const weft_result result = weft_scene_set_pressure(made.scene, &made.body, 10.0f);
  ck_assert_int_eq((int)result.error, WEFT_ERROR_DEGENERATE);
  ck_assert_str_eq(result.field, "body");
  ck_assert_uint_lt(result.index, b.triangle_count);
  ck_assert_uint_eq(made.scene->pressure_count, 0);
}

TEST(a_face_that_is_turned_round_and_a_body_inside_out_are_refused) {
  ball b = new_ball(3, 1.0f, origin);
  uint32_t* corner = b.triangles;
  const uint32_t first[3] = {corner[0], corner[1], corner[2]};
  corner[0] = first[1];
  corner[1] = first[0];
  expect_refused(&b, WEFT_ERROR_DEGENERATE, 0);
  corner[0] = first[0];
  corner[1] = first[1];
  for (uint32_t t = 0; t < b.triangle_count; ++t) {
    const uint32_t swapped = b.triangles[3 * t];
    b.triangles[3 * t] = b.triangles[3 * t + 1];
    b.triangles[3 * t + 1] = swapped;
  }
  expect_refused(&b, WEFT_ERROR_DEGENERATE, 0);
}

TEST(an_edge_of_four_faces_is_refused) {
  // two tetrahedra that share the edge from 0 to 1
  static float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1};
  static uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,
                                 0, 4, 1, 0, 1, 5, 1, 4, 5, 4, 0, 5};
  const ball b = {6, 8, positions, triangles};
  expect_refused(&b, WEFT_ERROR_DEGENERATE, 0);
}

TEST(bodies_without_faces_and_sheets_are_refused) {
  random_source random = {1};
  weft_scene* scene = new_scene();
  const weft_body cloud = add_cloud(scene, &random, 6, 1.0f);
  const weft_body rope = add_sheet(scene, 1, 9, STRUCTURAL);
  const weft_body sheet = add_sheet(scene, 4, 4, ALL_FAMILIES);
  expect_error(weft_scene_set_pressure(scene, &cloud, 1.0f), WEFT_ERROR_EMPTY, "body");
  expect_error(weft_scene_set_pressure(scene, &rope, 1.0f), WEFT_ERROR_EMPTY, "body");
  expect_error(weft_scene_set_pressure(scene, &sheet, 1.0f), WEFT_ERROR_DEGENERATE, "body");
}

TEST(null_and_bodies_that_are_not_the_scenes_are_refused) {
  weft_scene* scene = new_scene();
  const weft_body first = add_ball(scene, 2, 1.0f, origin);
  const weft_body second = add_ball(scene, 3, 1.0f, origin);
  expect_null(weft_scene_set_pressure(NULL, &first, 1.0f), "scene");
  expect_null(weft_scene_set_pressure(scene, NULL, 1.0f), "body");
  weft_body bad = second;
  ++bad.particle_count;
  expect_error(weft_scene_set_pressure(scene, &bad, 1.0f), WEFT_ERROR_INDEX, "body");
  bad.first_particle = UINT32_MAX;
  bad.particle_count = UINT32_MAX;
  expect_error(weft_scene_set_pressure(scene, &bad, 1.0f), WEFT_ERROR_INDEX, "body");
  bad = first;
  bad.particle_count = 0;
  expect_error(weft_scene_set_pressure(scene, &bad, 1.0f), WEFT_ERROR_EMPTY, "body");
  bad = first;
  --bad.particle_count;
  expect_error(weft_scene_set_pressure(scene, &bad, 1.0f), WEFT_ERROR_RANGE, "body");
  bad = first;
  ++bad.first_particle;
  expect_error(weft_scene_set_pressure(scene, &bad, 1.0f), WEFT_ERROR_RANGE, "body");
  weft_scene* empty = new_scene();
  expect_error(weft_scene_set_pressure(empty, &first, 1.0f), WEFT_ERROR_INDEX, "body");
  ck_assert_uint_eq(scene->pressure_count, 0);
}

LOOP_TEST(pressure_is_a_number_from_zero_to_its_limit, 0, BAD_FLOAT_COUNT) {
  const bad_float bad = bad_float_of(0.0f, 1e12f, _i);
  weft_scene* scene = new_scene();
  const weft_body body = add_ball(scene, 2, 1.0f, origin);
  if (bad.error == WEFT_OK) {
    expect_ok(weft_scene_set_pressure(scene, &body, bad.value));
  } else {
    expect_error(weft_scene_set_pressure(scene, &body, bad.value), bad.error, "pressure");
  }
}

RANDOM_TEST(a_body_keeps_the_last_pressure_and_none_where_that_is_zero, 10) {
  enum { BALLS = 12 };
  weft_scene* scene = new_scene();
  weft_body bodies[BALLS];
  float wanted[BALLS] = {0};
  for (uint32_t i = 0; i < BALLS; ++i) {
    (void)add_sheet(scene, 2, 2, STRUCTURAL);
    bodies[i] = add_ball(scene, 1 + i % 3, 1.0f, origin);
  }
  for (int round = 0; round < 60; ++round) {
    const uint32_t i = random_below(&random, BALLS);
    wanted[i] = random_chance(&random, 3) ? 0.0f : random_float(&random, 1.0f, 9.0f);
    expect_ok(weft_scene_set_pressure(scene, &bodies[i], wanted[i]));
  }
  size_t next = 0;
  for (uint32_t i = 0; i < BALLS; ++i) {
    if (wanted[i] == 0.0f) continue;
    ck_assert_uint_lt(next, scene->pressure_count);
    const weft__pressure_body* closed = &scene->pressures[next++];
    ck_assert_float_eq(closed->pressure, wanted[i]);
    ck_assert_uint_eq(scene->parts[closed->first_part].first_particle, bodies[i].first_particle);
  }
  ck_assert_uint_eq(next, scene->pressure_count);
}

TEST(two_bodies_can_share_their_gas_but_not_be_in_two) {
  const float beside[3] = {3.0f, 0.0f, 0.0f};
  weft_scene* scene = new_scene();
  const weft_body first = add_ball(scene, 2, 1.0f, origin);
  const weft_body second = add_ball(scene, 3, 1.0f, beside);
  const weft_body both = {.particle_count = first.particle_count + second.particle_count};
  expect_ok(weft_scene_set_pressure(scene, &first, 5.0f));
  expect_error(weft_scene_set_pressure(scene, &both, 5.0f), WEFT_ERROR_DUPLICATE, "body");
  const double volume = scene->pressures[0].volume;
  expect_ok(weft_scene_set_pressure(scene, &first, 0.0f));
  expect_ok(weft_scene_set_pressure(scene, &both, 5.0f));
  ck_assert_double_gt(scene->pressures[0].volume, 2.0 * volume);
  expect_error(weft_scene_set_pressure(scene, &second, 5.0f), WEFT_ERROR_DUPLICATE, "body");
  ck_assert_uint_eq(scene->pressure_count, 1);
}
