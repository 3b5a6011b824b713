#include "support/cluster_cases.h"

#include "support/bend_scenes.h"
#include "support/bodies.h"
#include "support/suite.h"

static weft_sheet_def towel_def(void) {
  weft_sheet_def def = sheet_def(.columns = 61);
  def.rows = 65;  // four patches
  def.spacing = 0.02f;
  return def;
}

static weft_scene* sheet_of(const weft_sheet_def* def, bool is_pinned) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, def, NULL));
  if (is_pinned) {
    expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
    expect_ok(weft_scene_pin(scene, weft_range(def->columns - 1, 1)));
  }
  return scene;
}

// `bend_stiffness`: 0 = without a material.
static weft_scene* pinned_sheet(float bend_stiffness, float tear_ratio) {
  const weft_material_def material = bend_material(bend_stiffness);
  weft_sheet_def def = towel_def();
  if (bend_stiffness > 0.0f) def.material = &material;
  def.tear_ratio = tear_ratio;
  return sheet_of(&def, true);
}

static weft_scene* hung_sheet(void) {
  return pinned_sheet(0.0f, 0.0f);
}

static weft_scene* stiff_sheet(void) {
  return pinned_sheet(1e-3f, 0.0f);
}

static weft_scene* weak_sheet(void) {
  return pinned_sheet(0.0f, 1.02f);
}

static weft_scene* weak_material_sheet(void) {
  return pinned_sheet(1e-4f, 1.02f);
}

static weft_scene* loose_sheet(void) {
  weft_sheet_def def = towel_def();
  def.across[2] = 0.0f;
  def.down[0] = def.down[1] = 0.0f;
  def.down[2] = 1.0f;
  return sheet_of(&def, false);
}

enum { SIDE = 48 };

static void add_lattice(weft_scene* scene, const weft_material_def* material, float tear_ratio) {
  static float positions[SIDE * SIDE][3];
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    positions[i][0] = 0.03f * (float)(i % SIDE);
    positions[i][1] = 0.03f * (float)(i / SIDE);
    positions[i][2] = i % 7 == 0 ? 0.01f : 0.0f;
  }
  weft_mesh_def def = mesh_def(.material = material);
  def.warp[0] = 1.0f;
  def.tear_ratio = tear_ratio;
  (void)add_grid_mesh(scene, &def, SIDE, SIDE, positions[0]);
}

// A mesh with membranes and creases.
static void add_membrane(weft_scene* scene) {
  weft_material_def material = material_def(.membrane = true, .weft_stiffness = 300.0f,
                                            .bend_stiffness = 1e-4f, .stretch_stiffness = 500.0f);
  material.crease_angle = 0.2f;
  add_lattice(scene, &material, 0.0f);
}

// A mesh whose bending is solved directly.
static weft_scene* plates(void) {
  const weft_material_def material = material_def(.bend_stiffness = 1e-3f);
  weft_scene* scene = new_scene();
  add_lattice(scene, &material, 0.0f);
  expect_ok(weft_scene_pin(scene, weft_range(0, SIDE)));
  return scene;
}

// The same with creases and tears, hung by two corners.
static weft_scene* weak_plates(void) {
  weft_material_def material = material_def(.bend_stiffness = 1e-3f);
  material.crease_angle = 0.01f;
  weft_scene* scene = new_scene();
  add_lattice(scene, &material, 1.02f);
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  expect_ok(weft_scene_pin(scene, weft_range(SIDE - 1, 1)));
  return scene;
}

static weft_scene* meshes(void) {
  random_source random = {7};
  weft_scene* scene = new_scene();
  add_membrane(scene);
  expect_ok(weft_scene_pin(scene, weft_range(0, SIDE)));
  (void)add_random_mesh(scene, &random, 60);
  return scene;
}

static weft_scene* graphs(void) {
  random_source random = {11};
  weft_scene* scene = new_scene();
  add_random_graph(scene, &random, 4000);
  pin_some(scene, &random, 50);
  return scene;
}

static weft_scene* ragdolls(void) {
  weft_scene* scene = new_scene();
  for (int k = 0; k < 150; ++k) {
    any_body_def def = default_body_def(BODY_RAGDOLL);
    def.ragdoll.origin[0] = 1.5f * (float)(k % 10);
    def.ragdoll.origin[1] = 0.05f * (float)(k % 3);
    def.ragdoll.origin[2] = 1.5f * (float)(k / 10);
    def.ragdoll.flat = k % 4 == 0;
    (void)add_good_body(scene, BODY_RAGDOLL, &def);
  }
  return scene;
}

// Ropes of more particles than a patch.
static weft_scene* ropes(void) {
  weft_scene* scene = new_scene();
  for (int k = 0; k < 2; ++k) {
    any_body_def def = default_body_def(BODY_ROPE);
    def.rope.origin[0] = (float)k;
    def.rope.end[0] = 20.0f + (float)k;
    def.rope.end[1] = 0.0f;
    def.rope.segments = 2600;
    def.rope.pin_origin = true;
    def.rope.pin_end = k % 2 == 0;
    (void)add_good_body(scene, BODY_ROPE, &def);
  }
  return scene;
}

static void add_ball(weft_scene* scene, float x, uint32_t level) {
  any_body_def def = default_body_def(BODY_BALL);
  def.ball.origin[0] = x;
  def.ball.level = level;
  def.ball.pressure = 400.0f;
  (void)add_good_body(scene, BODY_BALL, &def);
}

static weft_scene* balls(void) {
  weft_scene* scene = new_scene();
  add_ball(scene, 0.0f, 4);
  add_ball(scene, 1.2f, 3);
  add_ball(scene, 2.4f, 4);
  return scene;
}

// Cloth with bending, a sheet that tears, ropes, and a ball.
static weft_scene* many_bodies(void) {
  weft_scene* scene = weak_material_sheet();
  any_body_def def = default_body_def(BODY_ROPE);
  def.rope.origin[2] = 1.0f;
  def.rope.segments = 2600;
  def.rope.pin_origin = true;
  (void)add_good_body(scene, BODY_ROPE, &def);
  const weft_material_def material = material_def(.bend_stiffness = 1e-3f);
  add_lattice(scene, &material, 0.0f);
  add_ball(scene, 4.0f, 3);
  return scene;
}

// A sheet in each of three environments.
static weft_scene* environments(void) {
  weft_scene* scene = weak_material_sheet();
  weft_material_def material = material_def(.bend_stiffness = 1e-3f);
  weft_sheet_def def = towel_def();
  def.material = &material;
  for (uint32_t e = 1; e < 3; ++e) {
    weft_body body;
    def.rows = e == 1 ? 41 : 31;
    expect_ok(weft_scene_add_sheet(scene, &def, &body));
    expect_ok(weft_scene_set_environment(scene, &body, e));
    expect_ok(weft_scene_pin(scene, weft_range(body.first_particle, 1)));
  }
  return scene;
}

static weft_scene* curtain(void) {
  const weft_sheet_def def = towel_def();
  weft_scene* scene = sheet_of(&def, false);
  expect_ok(weft_scene_pin(scene, weft_range(0, def.columns)));
  return scene;
}

static weft_scene* curtain_and_ball(void) {
  weft_scene* scene = curtain();
  weft_ball_def def = bare_ball_def();
  def.origin[0] = 5.0f;
  expect_ok(weft_scene_add_ball(scene, &def, NULL));
  return scene;
}

static void define_substeps(weft_world_def* def) {
  def->solver.substeps = 3;
  def->solver.iterations = 4;
  def->solver.attachments = 2;
}

static void define_levels(weft_world_def* def) {
  def->solver.iterations = 3;
  def->solver.coarse_iterations = 2;
}

static void define_all(weft_world_def* def) {
  def->solver.substeps = 2;
  def->solver.iterations = 3;
  def->solver.coarse_iterations = 2;
  def->solver.attachments = 2;
}

static void define_textbook(weft_world_def* def) {
  def->solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
}

static void define_plates(weft_world_def* def) {
  def->solver.direct_bends = 10000;
  def->solver.coarse_iterations = 2;
}

static void define_joints(weft_world_def* def) {
  def->max_joints = 300;
  def->solver.substeps = 2;
}

static void define_tolerance(weft_world_def* def) {
  def->solver.tolerance = 1e-4f;
  def->solver.iterations = 12;
}

static void define_default(weft_world_def* def) {
  const weft_world_def plain = *def;
  *def = weft_default_world_def();
  def->solver.substeps = 4;  // the same stages as 16
  def->worker_count = plain.worker_count;
  def->isa = plain.isa;
  def->max_joints = 300;
}

// Substeps by body, and by strain.
static void define_open(weft_world_def* def) {
  define_default(def);
  def->solver.substeps = WEFT_AUTO;
}

static weft_result set_wind(weft_world* world) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 9.0f;
  wind.gust = 0.5f;
  return weft_world_set_wind(world, &wind);
}

static weft_result set_bounds(weft_world* world) {
  weft_bounds_def bounds = floor_bounds(-1.5f, 0.3f);
  bounds.upper[0] = 1.2f;
  return weft_world_set_bounds(world, &bounds);
}

static weft_result set_colliders(weft_world* world) {
  weft_particle_shape_def shape = shape_def(.friction = 0.4f);
  shape.mask = 2;
  weft_world_stats stats;
  weft_result result = weft_world_get_stats(world, &stats);
  if (result.error != WEFT_OK) return result;
  result = weft_world_set_particle_shape(world, weft_range(0, stats.particle_count), &shape);
  if (result.error != WEFT_OK) return result;
  weft_collider_def ball = collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.4f,
                                        .position = {1.0f, -0.42f, 1.0f}, .friction = 0.5f);
  weft_collider handle;
  ball.category = 2;
  ball.mask = UINT32_MAX;
  ball.spin[1] = 2.0f;
  return weft_world_add_collider(world, &ball, &handle);
}

static weft_result set_all(weft_world* world) {
  weft_result result = set_wind(world);
  if (result.error == WEFT_OK) result = set_bounds(world);
  if (result.error == WEFT_OK) result = set_colliders(world);
  return result;
}

// Joins particles far from each other, some of them in chains; some joints break.
static weft_result add_joints(weft_world* world, uint32_t seed) {
  random_source random = {seed};
  weft_world_stats stats;
  weft_result result = weft_world_get_stats(world, &stats);
  weft_joint handle;
  for (int k = 0; k < 60 && result.error == WEFT_OK; ++k) {
    weft_joint_def def = weft_default_joint_def();
    def.particle = random_below(&random, stats.particle_count - 40);
    for (uint32_t e = 0; e < 3; ++e) def.to[e] = def.particle + 1 + 7 * e + (uint32_t)(k % 9);
    if (k % 3 == 0) def.to[0] = (def.particle + stats.particle_count / 2) % stats.particle_count;
    if (k % 2 == 0) def.weights[0] = def.weights[1] = 0.5f;
    def.rest_length = 0.05f * (float)(k % 4);
    def.compliance = k % 5 == 0 ? 1e-4f : 0.0f;
    def.break_force = k % 4 == 0 ? 30.0f : 0.0f;
    def.closing_time = k % 6 == 0 ? 0.2f : 0.0f;
    result = weft_world_add_joint(world, &def, &handle);
    if (k % 10 == 9 && result.error == WEFT_OK) result = weft_world_remove_joint(world, handle);
  }
  return result;
}

static weft_result set_joints(weft_world* world) {
  return add_joints(world, 5);
}

static weft_result change_joints(weft_world* world) {
  return add_joints(world, 9);
}

static weft_result set_joints_and_all(weft_world* world) {
  const weft_result result = set_joints(world);
  return result.error == WEFT_OK ? set_all(world) : result;
}

static weft_result pause_one(weft_world* world) {
  const weft_result result = set_all(world);
  return result.error == WEFT_OK ? weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED,
                                                  weft_range(1, 1), &(bool){true}, WEFT_SAME)
                                 : result;
}

static weft_result pause_another(weft_world* world) {
  const weft_result result = weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED,
                                            weft_range(1, 1), &(bool){false}, WEFT_SAME);
  return result.error == WEFT_OK ? weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED,
                                                  weft_range(2, 1), &(bool){true}, WEFT_SAME)
                                 : result;
}

static weft_result set_floor(weft_world* world) {
  const weft_bounds_def bounds = floor_bounds(0.0f, 0.6f);
  return weft_world_set_bounds(world, &bounds);
}

static const float target[3] = {0.3f, 0.1f, 0.2f};

static weft_result set_move(weft_world* world) {
  return weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(0, 1), target, 0);
}

const cluster_case cluster_cases[CLUSTER_CASES] = {
    {"plain", hung_sheet, NULL, NULL, false, NULL},
    {"mesh", meshes, NULL, NULL, false, NULL},
    {"graph", graphs, NULL, NULL, false, NULL},
    {"substeps", hung_sheet, define_substeps, NULL, false, NULL},
    {"moved pins", hung_sheet, define_substeps, set_move, false, NULL},
    {"bend lines", stiff_sheet, define_substeps, NULL, false, NULL},
    {"strain", curtain, define_open, NULL, false, NULL},
    {"rates", curtain_and_ball, define_open, set_wind, false, NULL},
    {"textbook", stiff_sheet, define_textbook, NULL, false, NULL},
    {"wind", hung_sheet, NULL, set_wind, false, NULL},
    {"bounds", hung_sheet, NULL, set_bounds, false, NULL},
    {"colliders", loose_sheet, NULL, set_colliders, false, NULL},
    {"tearing", weak_sheet, NULL, NULL, true, NULL},
    {"levels", hung_sheet, define_levels, NULL, false, NULL},
    {"compliant levels", stiff_sheet, define_levels, NULL, false, NULL},
    {"mesh levels", meshes, define_levels, NULL, false, NULL},
    {"all", weak_material_sheet, define_all, set_all, true, NULL},
    {"plates", plates, define_plates, NULL, false, NULL},
    {"weak plates", weak_plates, define_plates, NULL, true, NULL},
    {"ragdolls", ragdolls, NULL, set_floor, false, NULL},
    {"ropes", ropes, define_substeps, NULL, false, NULL},
    {"gas", balls, NULL, set_bounds, false, NULL},
    {"joints", hung_sheet, define_joints, set_joints, false, change_joints},
    {"joints of ropes", ropes, define_joints, set_joints, false, change_joints},
    {"joints of balls", balls, define_joints, set_joints, false, change_joints},
    {"paused environments", environments, define_all, pause_one, true, pause_another},
    {"tolerance", hung_sheet, define_tolerance, NULL, false, NULL},
    {"default", many_bodies, define_default, set_joints_and_all, true, change_joints},
};
