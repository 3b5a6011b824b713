/* CCD of meshes of any topology. */
#include "support/ccd_sheets.h"
#include "support/passing.h"
#include "support/shapes.h"
#include "support/test.h"

// ---- worlds ----

static weft_world* new_cloth(const mesh_shape* shape, uint32_t workers, int isa,
                             uint32_t substeps) {
  weft_world_def def = faces_def();
  def.worker_count = workers;
  def.isa = (weft_isa)isa;
  def.solver.substeps = substeps;
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = shape->place[0], .vertex_count = shape->vertex_count,
                      .triangles = shape->face[0], .triangle_count = shape->face_count);
  weft_world* world = new_world(&def, scene);
  const weft_particle_shape_def contact = cloth_contact();
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, shape->vertex_count), &contact));
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
  }
  require(hits > 0);
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
    isa = next_isa(isa);
    if (isa == ISA_END) isa = WEFT_ISA_AUTO;
  }
}

static void check(mesh_shape* shape, float speed, uint64_t seed) {
  check_crumpling(shape, 1, speed, seed);
  check_crumpling(shape, 3, 2.0f * speed, seed + 1);
  check_hashes(shape, speed);
}

TEST(a_sphere_that_is_crumpled_never_goes_through_itself) {
  mesh_shape sphere = new_icosphere(2, 0.1f);
  check(&sphere, 6.0f, 11);
}

TEST(cloth_with_a_hole_and_a_bay_never_goes_through_itself) {
  random_source random = {1};
  mesh_shape cloth = new_holed_cloth(&random, ROUNDS(13, 9), SPACING);
  turn_shape(&cloth, &random);
  check(&cloth, 4.0f, 21);
}

TEST(a_sheet_whose_sides_are_no_powers_of_two_never_goes_through_itself) {
  random_source random = {2};
  mesh_shape sheet = new_lattice(&random, ROUNDS(19, 11), ROUNDS(12, 6), SPACING);
  check(&sheet, 4.0f, 31);
}

TEST(a_strip_of_one_side_never_goes_through_itself) {
  mesh_shape strip = new_moebius_strip(ROUNDS(36, 20), 4, SPACING);
  check(&strip, 4.0f, 41);
}

// clusters have faces of both sheets, which nearly coincide
TEST(two_sheets_one_upon_the_other_never_pass) {
  random_source random = {3};
  mesh_shape sheets = new_lattice(&random, ROUNDS(10, 7), ROUNDS(9, 6), SPACING);
  mesh_shape upper = new_holed_cloth(&random, ROUNDS(9, 8), SPACING);
  const float by[3] = {0.3f * SPACING, 0.05f * SPACING, 0.2f * SPACING};
  add_shape(&sheets, &upper, by);
  check(&sheets, 4.0f, 51);
}

// ---- features that touch at rest ----

enum { HALVED_COLUMNS = 12, HALVED_ROWS = 4 };

// Panel turned at random whose odd rows have a vertex at the middle of each edge: triangles without
// area, and T-junctions. The first vertex is at a point of the diagonal of space.
static mesh_shape new_halved_panel(random_source* random, float spacing, float offset) {
  mesh_shape panel =
      new_shape((HALVED_ROWS + 1) * (2 * HALVED_COLUMNS + 1), 3 * HALVED_COLUMNS * HALVED_ROWS);
  uint32_t first[HALVED_ROWS + 1];
  for (uint32_t row = 0; row <= HALVED_ROWS; ++row) {
    const uint32_t parts = 1 + row % 2;
    first[row] = panel.vertex_count;
    for (uint32_t n = 0; n <= parts * HALVED_COLUMNS; ++n) {
      float* at = panel.place[panel.vertex_count++];
      at[0] = spacing * (float)n / (float)parts;
      at[1] = 0.0f;
      at[2] = spacing * (float)row;
    }
  }
  for (uint32_t n = 0; n < HALVED_ROWS * HALVED_COLUMNS; ++n) {
    const uint32_t row = n / HALVED_COLUMNS;
    const uint32_t a = first[row + row % 2] + n % HALVED_COLUMNS;
    const uint32_t b = first[row + 1 - row % 2] + 2 * (n % HALVED_COLUMNS);
    const uint32_t faces[2][3][3] = {{{a, b, a + 1}, {a + 1, b, b + 2}, {b, b + 1, b + 2}},
                                     {{b, a, b + 1}, {b + 1, a, a + 1}, {b + 1, a + 1, b + 2}}};
    memcpy(panel.face[panel.face_count], faces[row % 2], sizeof(faces[0]));
    panel.face_count += 3;
  }
  turn_shape(&panel, random);
  for (uint32_t n = 0; n < panel.vertex_count; ++n) {
    for (int axis = 0; axis < 3; ++axis) panel.place[n][axis] += offset;
  }
  return panel;
}

static float height_of(const weft_world* world) {
  const weft_measures measures = measures_of(world);
  return (float)measures.center[1];
}

// by the time that 60 steps take
static void expect_free_fall(const mesh_shape* shape) {
  weft_world* world = new_cloth(shape, 1, WEFT_ISA_AUTO, 16);
  const float start = height_of(world);
  weft_world_step(world, 60);
  ck_assert_float_eq_tol(start - height_of(world), 4.91f, 0.01f);
  const weft_contact_stats stats = contact_stats_of(world);
  ck_assert_uint_eq(stats.ccd_rollbacks + stats.ccd_stuck, 0);
}

LOOP_TEST(triangles_without_area_and_t_junctions_fall, 0, 2) {
  static const float offsets[] = {0.0f, 1.5f, 10.0f, 100.0f};
  for (uint32_t n = 0; n < ROUNDS(8, 4); ++n) {
    random_source random = {n + (uint32_t)_i};
    mesh_shape panel = new_halved_panel(&random, n % 8 < 4 ? 0.01f : 0.002f, offsets[n % 4]);
    expect_free_fall(&panel);
  }
}
