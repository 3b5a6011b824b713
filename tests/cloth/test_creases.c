/* Rest angles that the caller gives, and folds that stay. */
#include "support/test.h"

// Two triangles that share the edge 0 1, folded by an angle about it.
static void fold_by(double angle, float positions[12]) {
  const float folded[12] = {
      0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, -1.0f, 0.0f, 0.5f, (float)cos(angle), (float)sin(angle),
      0.5f};
  memcpy(positions, folded, sizeof(folded));
}

static const uint32_t triangles[] = {0, 1, 2, 1, 0, 3};

static double angle_of(const weft_world* world) {
  float* at = new_positions(world);
  double offset[2][2];  // of both corners from the edge, across it
  for (int k = 0; k < 2; ++k) {
    for (int axis = 0; axis < 2; ++axis) {
      offset[k][axis] = (double)at[3 * (2 + k) + axis] - (double)at[axis];
    }
  }
  const double sine = offset[0][0] * offset[1][1] - offset[0][1] * offset[1][0];
  const double cosine = offset[0][0] * offset[1][0] + offset[0][1] * offset[1][1];
  return 3.14159265358979 - fabs(atan2(sine, cosine));
}

static weft_mesh_def hinge_mesh(const float* positions, const weft_material_def* material) {
  return mesh_def(.positions = positions, .vertex_count = 4, .triangles = triangles,
                  .triangle_count = 2, .material = material);
}

static weft_world* new_fold(const weft_mesh_def* mesh, uint32_t direct_bends) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_mesh(scene, mesh, NULL));
  weft_world_def def = weft_plain_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 3.0f;
  def.solver.iterations = 4;
  def.solver.substeps = 4;
  def.solver.direct_bends = direct_bends;
  weft_world* world = new_world(&def, scene);
  // the edge stays where it is: angles are measured across it
  pin_particles(world, 0, 2);
  return world;
}

static weft_material_def stiff(void) {
  return material_def(.bend_stiffness = 0.1f);
}

LOOP_TEST(a_pleat_folds_to_its_angle_on_the_side_of_the_given_fold, 0, 20) {
  const double angle = (const double[]){0.0, 0.3, 1.0, 2.0, 2.4}[_i % 5];
  const double side = _i % 10 < 5 ? 1.0 : -1.0;
  float positions[12];
  fold_by(side * 0.1, positions);
  const weft_material_def material = stiff();
  weft_mesh_def mesh = hinge_mesh(positions, &material);
  const weft_pleat pleat = {.a = 1, .b = 0, .angle = (float)angle};
  mesh.pleats = &pleat;
  mesh.pleat_count = 1;
  weft_world* world = new_fold(&mesh, _i < 10 ? 0 : 4);
  weft_world_step(world, 600);
  ck_assert_double_eq_tol(angle_of(world), angle, 0.02);
  // mean of the corners above the edge: the sum of their offsets lies on the side of the fold
  float* at = new_positions(world);
  if (angle > 0.0) ck_assert(side * (double)(at[7] + at[10]) > 0.0);
}

typedef struct crease_case {
  float crease_angle, max_crease;
  double held, left; /* radians */
} crease_case;

static const crease_case creases[] = {
    {0.2f, 3.0f, 0.15, 0.0},  // elastic
    {0.2f, 3.0f, 1.0, 0.8},   // yields, springs back by the crease angle
    {0.2f, 0.5f, 1.0, 0.5},   // limited
    {0.0f, 3.0f, 1.0, 0.0},   // no creases
};

LOOP_TEST(a_fold_beyond_the_crease_angle_stays, 0, 8) {
  const crease_case* c = &creases[_i % 4];
  float positions[12];
  fold_by(0.0, positions);
  weft_material_def material = stiff();
  material.crease_angle = c->crease_angle;
  material.max_crease = c->max_crease;
  const weft_mesh_def mesh = hinge_mesh(positions, &material);
  weft_world* world = new_fold(&mesh, _i < 4 ? 0 : 4);
  float inverse_masses[4], pinned = 0.0f;
  expect_get(world, WEFT_ATTRIBUTE_INVERSE_MASS, 0, 4, inverse_masses);
  float folded[12];
  fold_by(c->held, folded);
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, 0, 4, &pinned, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_POSITION, 0, 4, folded, 0);
  weft_world_step(world, 10);
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, 2, 2, inverse_masses + 2, 0);
  weft_world_step(world, 900);
  // the length of d, not the angle, is what yields: a fiftieth of a radian
  ck_assert_double_eq_tol(angle_of(world), c->left, 0.03);
}

typedef struct bad_pleats {
  weft_pleat pleats[2];
  uint32_t count;
  float bend_stiffness;
  weft_error error;
  const char* field;
  uint64_t index;
} bad_pleats;

static const bad_pleats bad[] = {
    {{{0, 1, 1.0f}, {0, 2, 1.0f}}, 2, 0.1f, WEFT_ERROR_INDEX, "weft_mesh_def.pleats", 1},
    {{{0, 9, 1.0f}}, 1, 0.1f, WEFT_ERROR_INDEX, "weft_mesh_def.pleats", 0},
    {{{0, 1, 1.0f}, {1, 0, 2.0f}}, 2, 0.1f, WEFT_ERROR_DUPLICATE, "weft_mesh_def.pleats", 1},
    {{{0, 1, 4.0f}}, 1, 0.1f, WEFT_ERROR_RANGE, "weft_mesh_def.pleats", 0},
    {{{0, 1, NAN}}, 1, 0.1f, WEFT_ERROR_NOT_FINITE, "weft_mesh_def.pleats", 0},
    {{{0, 1, 1.0f}}, 1, 0.0f, WEFT_ERROR_RANGE, "weft_material_def.bend_stiffness", 0},
};

LOOP_TEST(bad_pleats_are_named, 0, (int)(sizeof(bad) / sizeof(*bad))) {
  float positions[12];
  fold_by(0.1, positions);
  weft_material_def material = stiff();
  material.bend_stiffness = bad[_i].bend_stiffness;
  weft_mesh_def mesh = hinge_mesh(positions, &material);
  mesh.pleats = bad[_i].pleats;
  mesh.pleat_count = bad[_i].count;
  weft_scene* scene = new_scene();
  const weft_result result = weft_scene_add_mesh(scene, &mesh, NULL);
  ck_assert_int_eq(result.error, bad[_i].error);
  ck_assert_str_eq(result.field, bad[_i].field);
  ck_assert_uint_eq(result.index, bad[_i].index);
  ck_assert_uint_eq(weft_scene_particle_count(scene), 0);
}

TEST(creases_of_a_sheet_or_without_bend_stiffness_are_refused) {
  float positions[12];
  fold_by(0.0, positions);
  weft_material_def material = stiff();
  material.crease_angle = 0.1f;
  weft_scene* scene = new_scene();
  const weft_sheet_def sheet = sheet_def(.material = &material);
  ck_assert_str_eq(weft_scene_add_sheet(scene, &sheet, NULL).field,
                   "weft_material_def.crease_angle");
  material.bend_stiffness = 0.0f;
  const weft_mesh_def mesh = hinge_mesh(positions, &material);
  ck_assert_str_eq(weft_scene_add_mesh(scene, &mesh, NULL).field, "weft_material_def.crease_angle");
}
