/* Bending of sheets by the direct solver, against a dense solve and closed forms. */
#include <math.h>

#include "support/bend_scenes.h"
#include "support/worlds.h"

enum { COLUMNS = 9, ROWS = 7, COUNT = COLUMNS * ROWS };

typedef struct dense_sheet {
  double matrix[COUNT][COUNT];
  double force[COUNT][3];
} dense_sheet;

enum { ALONG, ACROSS_ROWS, CELL, ELEMENTS };

// Particles of an element, relative to its first one, and their coefficients.
typedef struct element {
  uint32_t offset[4];
  double coefficient[4];
} element;

static const element elements[ELEMENTS] = {
    {{0, 1, 2, 0}, {1, -2, 1, 0}},
    {{0, COLUMNS, 2 * COLUMNS, 0}, {1, -2, 1, 0}},
    {{0, 1, COLUMNS, COLUMNS + 1}, {1, -1, -1, 1}},
};

// False beyond the border.
static bool has_element(uint32_t row, uint32_t column, int kind) {
  const uint32_t columns = kind == ALONG ? 2 : kind == CELL ? 1 : 0;
  const uint32_t rows = kind == ACROSS_ROWS ? 2 : kind == CELL ? 1 : 0;
  return row + rows < ROWS && column + columns < COLUMNS;
}

static double axis_of(const float* positions, uint32_t particle, int axis) {
  return (double)positions[3 * particle + (uint32_t)axis];
}

static double distance_sq(const float* positions, uint32_t a, uint32_t b) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double difference = axis_of(positions, a, axis) - axis_of(positions, b, axis);
    sum += difference * difference;
  }
  return sum;
}

static double strain_of(const element* e, const float* positions, uint32_t first, int axis) {
  double d = 0.0;
  for (int i = 0; i < 4; ++i) {
    d += e->coefficient[i] * axis_of(positions, first + e->offset[i], axis);
  }
  return d;
}

// Squared sine of half the angle of a fold: between two legs, or along a diagonal of a cell.
static double fold_of(const element* e, const float* positions, uint32_t first) {
  double bent = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = strain_of(e, positions, first, axis);
    bent += d * d;
  }
  if (e->coefficient[3] == 0.0) {
    return bent / (bent + distance_sq(positions, first, first + e->offset[2]));
  }
  const double outer = distance_sq(positions, first, first + e->offset[3]);
  const double inner = distance_sq(positions, first + e->offset[1], first + e->offset[2]);
  return bent / (0.5 * (bent + outer + inner));
}

// Force of an element over its stiffness times d. The two folds about a particle are one.
static double growth_of(const float* positions, uint32_t row, uint32_t column, int kind) {
  const uint32_t i = row * COLUMNS + column;
  double fold = fold_of(&elements[kind], positions, i);
  if (kind == ALONG && row > 0 && row + 1 < ROWS) {
    fold += fold_of(&elements[ACROSS_ROWS], positions, i + 1 - COLUMNS);
  } else if (kind == ACROSS_ROWS && column > 0 && column + 1 < COLUMNS) {
    fold += fold_of(&elements[ALONG], positions, i + COLUMNS - 1);
  }
  return 1.0 + 0.4 * fmin(fold, 0.19);
}

// Adds an element of stiffness k, whose force is larger.
static void add_element(dense_sheet* dense, const element* e, const float* positions,
                        uint32_t first, double k, double growth) {
  for (int i = 0; i < 4; ++i) {
    const uint32_t own = first + e->offset[i];
    for (int j = 0; j < 4; ++j) {
      dense->matrix[own][first + e->offset[j]] += k * e->coefficient[i] * e->coefficient[j];
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double d = strain_of(e, positions, first, axis);
      dense->force[own][axis] -= k * growth * e->coefficient[i] * d;
    }
  }
}

static void add_sheet_elements(dense_sheet* dense, const float* positions, double stiffness,
                               double spacing) {
  const double whole = stiffness / (spacing * spacing);
  for (uint32_t i = 0; i < COUNT; ++i) {
    const uint32_t row = i / COLUMNS, column = i % COLUMNS;
    const double shares[ELEMENTS] = {row % (ROWS - 1) == 0 ? 0.5 : 1.0,
                                     column % (COLUMNS - 1) == 0 ? 0.5 : 1.0, 2.0};
    for (int kind = 0; kind < ELEMENTS; ++kind) {
      if (!has_element(row, column, kind)) continue;
      add_element(dense, &elements[kind], positions, i, shares[kind] * whole,
                  growth_of(positions, row, column, kind));
    }
  }
}

// Solves by Gauss-Jordan elimination of a matrix that is positive definite.
static void solve_dense(double matrix[COUNT][COUNT], double x[COUNT][3]) {
  for (int k = 0; k < COUNT; ++k) {
    for (int i = 0; i < COUNT; ++i) {
      if (i == k) continue;
      const double share = matrix[i][k] / matrix[k][k];
      for (int j = k; j < COUNT; ++j) matrix[i][j] -= share * matrix[k][j];
      for (int axis = 0; axis < 3; ++axis) x[i][axis] -= share * x[k][axis];
    }
  }
  for (int k = 0; k < COUNT; ++k) {
    for (int axis = 0; axis < 3; ++axis) x[k][axis] /= matrix[k][k];
  }
}

// Displacements of the implicit step of length h of all elements together.
static void solve_sheet(const weft_scene* scene, double stiffness, double h, double x[COUNT][3]) {
  static dense_sheet dense;
  memset(&dense, 0, sizeof(dense));
  add_sheet_elements(&dense, scene->positions, stiffness, 0.01);
  for (uint32_t i = 0; i < COUNT; ++i) {
    const double inverse_mass = (double)scene->inverse_masses[i];
    for (uint32_t j = 0; inverse_mass == 0.0 && j < COUNT; ++j) {
      dense.matrix[i][j] = dense.matrix[j][i] = 0.0;
    }
    dense.matrix[i][i] += inverse_mass == 0.0 ? 1.0 : 1.0 / (h * h * inverse_mass);
    for (int axis = 0; axis < 3; ++axis) {
      x[i][axis] = inverse_mass == 0.0 ? 0.0 : dense.force[i][axis];
    }
  }
  solve_dense(dense.matrix, x);
}

START_TEST(a_substep_of_a_sheet_solves_all_its_elements_together) {
  const float stiffness[] = {1e-5f, 1e-2f, 1.0f};
  random_source random = {7};
  weft_material_def material = bend_material(stiffness[_i]);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = COLUMNS;
  sheet.rows = ROWS;
  sheet.spacing = 0.01f;
  sheet.structural = sheet.shear = false;
  sheet.material = &material;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  crumple(scene, &random, 0.003f);
  for (uint32_t i = 0; i < 5; ++i) expect_ok(weft_scene_pin(scene, 11 * i + 3, 1));
  weft_world_def def = direct_def();
  def.substeps = def.iterations = 1;
  def.step_ns = 2000000;
  def.gravity[1] = def.damping = 0.0f;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 1);
  float* positions = new_positions(world);
  double expected[COUNT][3];
  solve_sheet(scene, (double)stiffness[_i], 0.002, expected);
  for (uint32_t i = 0; i < COUNT; ++i) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const double moved = (double)positions[3 * i + axis] - (double)scene->positions[3 * i + axis];
      ck_assert_double_eq_tol(moved, expected[i][axis], 2e-7);
    }
  }
  free(positions);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
END_TEST

// Strip of a sheet along the diagonals of its cells: its first line of particles across, and its
// lines across and on each side of its axis.
enum { BIAS_SIDE = 33, BIAS_FIRST = 20, BIAS_LENGTH = 20, BIAS_HALF = 6 };

static void cut_bias_strip(weft_world* world, float line) {
  const float low = -0.5f * line, high = ((float)BIAS_LENGTH + 0.5f) * line;
  const float edge = ((float)BIAS_HALF + 0.5f) * line;
  const float cuts[4][9] = {{edge, -9, -9, edge, 9, -9, edge, 0, 9},
                            {-edge, -9, -9, -edge, 9, -9, -edge, 0, 9},
                            {-9, -9, low, -9, 9, low, 9, 0, low},
                            {-9, -9, high, -9, 9, high, 9, 0, high}};
  for (int i = 0; i < 4; ++i) expect_ok(weft_world_cut(world, cuts[i], NULL));
}

START_TEST(a_strip_cut_along_the_diagonals_of_its_cells_has_the_energy_of_its_area) {
  // the ends are held in the second case: they have no half cells of their own
  const uint32_t held = _i == 0 ? 0 : 2;
  const float spacing = 0.01f, cosine = sqrtf(0.5f), line = cosine * spacing;
  const double radius = 1.0;
  weft_material_def material = bend_material(1e-3f);
  material.stretch_stiffness = material.shear_stiffness = INFINITY;
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = BIAS_SIDE;
  sheet.spacing = spacing;
  memcpy(sheet.across, (float[3]){cosine, 0.0f, cosine}, sizeof(sheet.across));
  memcpy(sheet.down, (float[3]){-cosine, 0.0f, cosine}, sizeof(sheet.down));
  sheet.origin[2] = -(float)BIAS_FIRST * line;
  sheet.material = &material;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world_def def = direct_def();
  def.direct_sheets = 10000;
  weft_world* world = new_world_from(&def, scene);
  cut_bias_strip(world, line);
  for (uint32_t i = 0; i < BIAS_SIDE * BIAS_SIDE; ++i) {
    const int column = (int)(i % BIAS_SIDE), row = (int)(i / BIAS_SIDE);
    const int across = column + row - BIAS_FIRST, along = abs(column - row);
    if (across < 0 || across > BIAS_LENGTH || along > BIAS_HALF) continue;
    const double angle = (double)line * across / radius;
    const float bent[3] = {(float)(column - row) * line, (float)(radius * (cos(angle) - 1.0)),
                           (float)(radius * sin(angle))};
    expect_ok(weft_world_set_positions(world, i, 1, bent, 0));
    const bool is_end = across < (int)held || across > BIAS_LENGTH - (int)held;
    const float pinned = 0.0f;
    if (is_end) expect_ok(weft_world_set_inverse_masses(world, i, 1, &pinned, 0));
  }
  const weft_measures measures = measures_of(world);
  const double length = (double)line * (BIAS_LENGTH - (held > 0 ? 1 : 0));
  const double area = 2.0 * BIAS_HALF * (double)line * length;
  const double energy = 0.5 * 1e-3 * area / (radius * radius);
  ck_assert_double_eq_tol(measures.elastic / energy, 1.0, 0.01);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(sheets_above_the_limit_and_with_links_that_tear_are_solved_by_lines) {
  weft_material_def material = bend_material(1e-3f);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.material = &material;
  for (int tears = 0; tears < 2; ++tears) {
    uint64_t hashes[3];
    sheet.tear_ratio = tears ? 2.0f : 0.0f;
    weft_scene* scene = new_scene();
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
    crumple(scene, &(random_source){5}, 0.005f);
    for (uint32_t k = 0; k < 3; ++k) {
      weft_world_def def = direct_def();
      def.direct_sheets = k == 0 ? 0 : 1022 + k;
      weft_world* world = new_world(&def, scene);
      weft_world_step(world, 4);
      hashes[k] = weft_world_hash(world);
      weft_world_destroy(&world);
    }
    ck_assert_uint_eq(hashes[1], hashes[0]);
    ck_assert(tears ? hashes[2] == hashes[0] : hashes[2] != hashes[0]);
    weft_scene_destroy(&scene);
  }
}
END_TEST

START_TEST(a_removed_sheet_leaves_the_other_as_it_was) {
  weft_material_def material = bend_material(1e-3f);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = 9;
  sheet.material = &material;
  weft_scene* scene = new_scene();
  weft_body kept, removed;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &kept));
  sheet.origin[2] = 1.0f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &removed));
  crumple(scene, &(random_source){5}, 0.005f);
  const weft_world_def def = direct_def();
  float ends[2][81][3];
  for (int k = 0; k < 2; ++k) {
    weft_world* world = new_world(&def, scene);
    if (k == 1) expect_ok(weft_world_remove_body(world, &removed));
    weft_world_step(world, 4);
    expect_ok(weft_world_get_positions(world, kept.first_particle, 81, ends[k][0]));
    weft_world_destroy(&world);
  }
  ck_assert_mem_eq(ends[0], ends[1], sizeof(ends[0]));
  weft_scene_destroy(&scene);
}
END_TEST

SUITE(sheet_bends) {
  tcase_add_loop_test(tests, a_substep_of_a_sheet_solves_all_its_elements_together, 0, 3);
  tcase_add_loop_test(
      tests, a_strip_cut_along_the_diagonals_of_its_cells_has_the_energy_of_its_area, 0, 2);
  tcase_add_test(tests, sheets_above_the_limit_and_with_links_that_tear_are_solved_by_lines);
  tcase_add_test(tests, a_removed_sheet_leaves_the_other_as_it_was);
}
