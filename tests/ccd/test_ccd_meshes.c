/* CCD of meshes of any topology. */
#include "support/ccd_sheets.h"
#include "support/isas.h"
#include "support/passing.h"
#include "support/shapes.h"

// ---- worlds ----

static weft_world* new_cloth(const mesh_shape* shape, uint32_t workers, int isa,
                             uint32_t substeps) {
  weft_world_def def = faces_def();
  def.worker_count = workers;
  def.isa = (weft_isa)isa;
  def.substeps = substeps;
  weft_scene* scene = new_scene();
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = shape->place[0];
  mesh.vertex_count = shape->vertex_count;
  mesh.triangles = shape->face[0];
  mesh.triangle_count = shape->face_count;
  expect_ok(weft_scene_add_mesh(scene, &mesh, NULL));
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  const weft_particle_shape_def contact = cloth_contact();
  expect_ok(weft_world_set_particle_shape(world, 0, shape->vertex_count, &contact));
  return world;
}

// velocities towards the first particle, plus a random one each
static void fling_together(weft_world* world, random_source* random, float speed) {
  const uint32_t count = particle_count_of(world);
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < count; ++i) {
    const float* at = positions + (size_t)3 * i;
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) {
      velocity[axis] =
          random_float(random, -speed, speed) - 5.0f * speed * (at[axis] - positions[axis]);
    }
    place_particle(world, i, at, velocity);
  }
  free(positions);
}

// ---- non-penetration ----

static void check_crumpling(const mesh_shape* shape, uint32_t substeps, float speed,
                            uint64_t seed) {
  random_source random = {seed};
  const uint32_t steps = ROUNDS(24, 8) / substeps;
  weft_world* world = new_cloth(shape, 1, WEFT_ISA_AUTO, substeps);
  face_mesh mesh = new_face_mesh((const uint32_t(*)[3])shape->face, shape->face_count);
  require(count_crossings(&mesh, shape->place[0]) == 0);
  uint64_t hits = 0;
  for (uint32_t s = 0; s < steps; ++s) {
    if (s % 8 == 0) fling_together(world, &random, speed);
    weft_world_step(world, 1);
    const weft_contact_stats stats = contact_stats_of(world);
    require(stats.lost_ccd_pairs == 0);
    hits += stats.ccd_hits;
    if (s % 4 != 0 && s + 1 != steps) continue;
    float* positions = new_positions(world);
    require(count_crossings(&mesh, positions) == 0);
    free(positions);
  }
  require(hits > 0);
  free_face_mesh(&mesh);
  weft_world_destroy(&world);
}

// each number of workers runs with another ISA
static void check_hashes(const mesh_shape* shape, float speed) {
  uint64_t expected = 0;
  int isa = WEFT_ISA_AUTO;
  for (uint32_t workers = 1; workers <= 3; ++workers) {
    random_source random = {5};
    weft_world* world = new_cloth(shape, workers, isa, 2);
    fling_together(world, &random, speed);
    weft_world_step(world, ROUNDS(4, 2));
    const uint64_t hash = weft_world_hash(world);
    if (workers == 1) expected = hash;
    require(hash == expected);
    weft_world_destroy(&world);
    isa = next_isa(isa);
    if (isa == ISA_END) isa = WEFT_ISA_AUTO;
  }
}

static void check(mesh_shape* shape, float speed, uint64_t seed) {
  check_crumpling(shape, 1, speed, seed);
  check_crumpling(shape, 3, 2.0f * speed, seed + 1);
  check_hashes(shape, speed);
  free_shape(shape);
}

START_TEST(a_sphere_that_is_crumpled_never_goes_through_itself) {
  mesh_shape sphere = new_icosphere(2, 0.1f);
  check(&sphere, 6.0f, 11);
}
END_TEST

START_TEST(cloth_with_a_hole_and_a_bay_never_goes_through_itself) {
  random_source random = {1};
  mesh_shape cloth = new_holed_cloth(&random, ROUNDS(13, 9), SPACING);
  turn_shape(&cloth, &random);
  check(&cloth, 4.0f, 21);
}
END_TEST

START_TEST(a_sheet_whose_sides_are_no_powers_of_two_never_goes_through_itself) {
  random_source random = {2};
  mesh_shape sheet = new_lattice(&random, ROUNDS(19, 11), ROUNDS(12, 6), SPACING);
  check(&sheet, 4.0f, 31);
}
END_TEST

START_TEST(a_strip_of_one_side_never_goes_through_itself) {
  mesh_shape strip = new_moebius_strip(ROUNDS(36, 20), 4, SPACING);
  check(&strip, 4.0f, 41);
}
END_TEST

// clusters have faces of both sheets, which nearly coincide
START_TEST(two_sheets_one_upon_the_other_never_pass) {
  random_source random = {3};
  mesh_shape sheets = new_lattice(&random, ROUNDS(10, 7), ROUNDS(9, 6), SPACING);
  mesh_shape upper = new_holed_cloth(&random, ROUNDS(9, 8), SPACING);
  const float by[3] = {0.3f * SPACING, 0.05f * SPACING, 0.2f * SPACING};
  add_shape(&sheets, &upper, by);
  free_shape(&upper);
  check(&sheets, 4.0f, 51);
}
END_TEST

SUITE(ccd_meshes) {
  tcase_add_test(tests, a_sphere_that_is_crumpled_never_goes_through_itself);
  tcase_add_test(tests, cloth_with_a_hole_and_a_bay_never_goes_through_itself);
  tcase_add_test(tests, a_sheet_whose_sides_are_no_powers_of_two_never_goes_through_itself);
  tcase_add_test(tests, a_strip_of_one_side_never_goes_through_itself);
  tcase_add_test(tests, two_sheets_one_upon_the_other_never_pass);
}
