/* Cloth in SI units: mass and stiffness follow the material, independently of the resolution. */
#include "support/snapshot.h"
#include "support/test.h"

// ---- masses ----

// kilograms
static double mass_of(const weft_scene* scene, const weft_body* body) {
  double sum = 0.0;
  for (uint32_t i = 0; i < body->particle_count; ++i) {
    float inverse_mass;
    expect_ok(weft_scene_get_particles(scene, body->first_particle + i, 1, NULL, &inverse_mass));
    sum += 1.0 / (double)inverse_mass;
  }
  return sum;
}

static void expect_mass(const weft_scene* scene, const weft_body* body, double expected) {
  const double mass = mass_of(scene, body);
  ck_assert_msg(fabs(mass - expected) <= 1e-5 * expected, "%g kg, not %g", mass, expected);
}

// The same material without the shear stiffness that springs along edges cannot have.
static weft_material_def of_edges(weft_material_def material) {
  material.shear_stiffness = weft_default_material_def().shear_stiffness;
  return material;
}

RANDOM_TEST(a_sheet_weighs_density_times_area, 30) {
  weft_scene* scene = new_scene();
  const weft_material_def material = random_material(&random);
  weft_sheet_def def = weft_default_sheet_def();
  // one sheet in three is one particle wide, one in three is one particle high
  def.columns = _i % 3 == 0 ? 1 : random_from(&random, 1, 50);
  def.rows = _i % 3 == 1 ? 1 : random_from(&random, 1, 50);
  def.spacing = random_float(&random, 0.01f, 1.0f);
  def.material = &material;
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &def, &body));
  // a single row or column counts as one cell wide
  const double wide = (double)def.spacing * fmax((double)def.columns - 1.0, 1.0);
  const double high = (double)def.spacing * fmax((double)def.rows - 1.0, 1.0);
  expect_mass(scene, &body, (double)material.density * wide * high);
}

RANDOM_TEST(a_skewed_sheet_weighs_as_much_as_its_parallelogram, 30) {
  weft_scene* scene = new_scene();
  const weft_material_def material = random_material(&random);
  weft_sheet_def def = sheet_def(.material = &material);
  const float angle = random_float(&random, 0.3f, 2.8f);
  def.columns = random_from(&random, 1, 20);
  def.rows = random_from(&random, 1, 20);
  def.across[0] = 0.0f;
  def.across[2] = 1.0f;
  def.down[0] = 0.0f;
  def.down[1] = sinf(angle);
  def.down[2] = cosf(angle);
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &def, &body));
  const double cells = fmax((double)def.columns - 1.0, 1.0) * fmax((double)def.rows - 1.0, 1.0);
  const double cell = (double)def.spacing * (double)def.spacing * sin((double)angle);
  expect_mass(scene, &body, (double)material.density * cells * cell);
}

enum { VERTICES = 40 };

static double side_length(const float* positions, uint32_t a, uint32_t b) {
  double squared = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double d = (double)positions[3 * a + axis] - (double)positions[3 * b + axis];
    squared += d * d;
  }
  return sqrt(squared);
}

// triangle area by Heron's formula
static double area_of(const float* positions, const uint32_t* corner) {
  const double a = side_length(positions, corner[0], corner[1]);
  const double b = side_length(positions, corner[1], corner[2]);
  const double c = side_length(positions, corner[2], corner[0]);
  const double s = 0.5 * (a + b + c);
  return sqrt(fmax(s * (s - a) * (s - b) * (s - c), 0.0));
}

RANDOM_TEST(a_mesh_weighs_density_times_area_and_a_vertex_without_a_face_its_own_mass, 40) {
  float positions[3 * VERTICES];
  uint32_t triangles[3 * VERTICES];
  bool in_face[VERTICES] = {false};
  uint32_t count = 0;
  double expected = 0.0;
  const weft_material_def material = of_edges(random_material(&random));
  for (uint32_t i = 0; i < 3 * VERTICES; ++i) positions[i] = random_float(&random, -1.0f, 1.0f);
  // triangle strip with gaps
  for (uint32_t i = 0; i + 2 < VERTICES; ++i) {
    if (i > 0 && random_chance(&random, 2)) continue;
    for (uint32_t k = 0; k < 3; ++k) {
      triangles[3 * count + k] = i + k;
      in_face[i + k] = true;
    }
    expected += (double)material.density * area_of(positions, triangles + (size_t)3 * count++);
  }
  weft_mesh_def def =
      mesh_def(.positions = positions, .vertex_count = VERTICES, .triangles = triangles,
               .triangle_count = count, .material = &material);
  def.particle_mass = 0.25f;
  weft_scene* scene = new_scene();
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &def, &body));
  for (uint32_t i = 0; i < VERTICES; ++i) {
    if (in_face[i]) continue;
    float inverse_mass;
    expect_ok(weft_scene_get_particles(scene, i, 1, NULL, &inverse_mass));
    ck_assert(inverse_mass == 4.0f);
    expected += 0.25;
  }
  expect_mass(scene, &body, expected);
}

// ---- refused materials ----

// right triangle with legs of one metre
static weft_mesh_def one_triangle(const weft_material_def* material) {
  static const float positions[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
  static const uint32_t corners[] = {0, 1, 2};
  return mesh_def(.positions = positions, .vertex_count = 3, .triangles = corners,
                  .triangle_count = 1, .material = material);
}

static weft_sheet_def sheet_of(const weft_material_def* material) {
  return sheet_def(.material = material);
}

// expects the add call to fail with this error, to leave the scene unchanged and usable
static void expect_sheet_refused(const weft_sheet_def* def, weft_error error, const char* field) {
  expect_not_added(weft_scene_add_sheet(scene, def, &body), error, field, 0);
}

static void expect_mesh_refused(const weft_mesh_def* def, weft_error error, const char* field,
                                uint64_t index) {
  expect_not_added(weft_scene_add_mesh(scene, def, &body), error, field, index);
}

TEST(a_density_that_makes_particles_too_light_or_too_heavy_is_refused) {
  weft_material_def material = material_def(.density = 1e-6f);
  weft_sheet_def sheet = sheet_of(&material);
  sheet.spacing = 1e-5f;
  expect_sheet_refused(&sheet, WEFT_ERROR_RANGE, "weft_material_def.density");
  material.density = 1e6f;
  sheet.spacing = 1e6f;
  expect_sheet_refused(&sheet, WEFT_ERROR_RANGE, "weft_material_def.density");
  float positions[] = {0.0f, 0.0f, 0.0f, 1e6f, 0.0f, 0.0f, 0.0f, 1e6f, 0.0f};
  weft_mesh_def mesh = one_triangle(&material);
  mesh.positions = positions;
  expect_mesh_refused(&mesh, WEFT_ERROR_RANGE, "weft_material_def.density", 0);
  material.density = 1e-6f;
  positions[3] = positions[7] = 1e-5f;
  expect_mesh_refused(&mesh, WEFT_ERROR_RANGE, "weft_material_def.density", 0);
}

LOOP_TEST(an_infinite_stiffness_leaves_links_that_do_not_give_way, 0, 4) {
  weft_material_def material = material_def(.stretch_stiffness = _i % 2 == 0 ? INFINITY : 2000.0f,
                                            .shear_stiffness = _i / 2 == 0 ? INFINITY : 200.0f);
  weft_scene* scene = new_scene();
  const weft_sheet_def sheet = sheet_of(&material);
  const weft_material_def edges = of_edges(material);
  const weft_mesh_def mesh = one_triangle(&edges);
  weft_body of_mesh;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_add_mesh(scene, &mesh, &of_mesh));
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    const bool stretches = link.kind == WEFT_LINK_STRUCTURAL;
    const bool rigid =
        stretches ? isinf(material.stretch_stiffness) != 0 : isinf(material.shear_stiffness) != 0;
    require(rigid == (link.compliance == 0.0f));
    require(i < of_mesh.first_link || stretches);
  }
}
