/* Snapshots after every kind of edit, in every path of contacts: a fresh world of the scene goes on
 * with the bits of the world that was saved, with other workers. */
#include "support/backwards.h"
#include "support/collided.h"
#include "support/saved.h"
#include "support/test.h"

enum {
  SIDE = 12,
  TOWEL = SIDE * SIDE, /* the lower one; the upper one follows */
  ROPES = 2 * TOWEL,
  ROPE = 17,
  BALL = ROPES + 2 * ROPE,
};

// Two towels, one above the other, crossed ropes, a ball of gas, two spheres, a particle in
// reserve.
static weft_scene* new_edited_scene(void) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet =
      sheet_def(.side = SIDE, .spacing = 0.05f, .tear_ratio = 1.5f, .is_level = true);
  for (int t = 0; t < 2; ++t) {
    sheet.origin[1] = 0.012f * (float)t;
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  }
  weft_rope_def rope = weft_default_rope_def();
  rope.segments = ROPE - 1;
  for (int r = 0; r < 2; ++r) {
    rope.origin[0] = r == 0 ? 0.0f : 0.25f;
    rope.end[0] = r == 0 ? 0.5f : 0.25f;
    rope.origin[2] = r == 0 ? 0.25f : 0.0f;
    rope.end[2] = r == 0 ? 0.25f : 0.5f;
    rope.origin[1] = rope.end[1] = 0.05f + 0.015f * (float)r;
    expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  }
  weft_ball_def ball = weft_default_ball_def();
  ball.origin[0] = -1.0f;
  ball.pressure = 500.0f;
  expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  const float spheres[2][3] = {{0.2f, 0.2f, 0.2f}, {0.21f, 0.4f, 0.2f}};
  const float inverse_masses[2] = {1.0f, 1.0f};
  expect_ok(weft_scene_add_particles(scene, spheres[0], inverse_masses, 2, NULL));
  expect_ok(weft_scene_reserve_particles(scene, 4, NULL));
  return scene;
}

static weft_world_def edited_def(uint32_t workers) {
  weft_world_def def = default_def(.worker_count = workers, .substeps = 4, .faces = true,
                                   .loads = true, .max_joints = 16);
  def.friction_rule = WEFT_FRICTION_RULE_TABLE;
  return def;
}

// ---- edits ----

static void set_rest_lengths(weft_world* world) {
  const float length = 0.06f;
  expect_ok(weft_world_set_rest_lengths(world, 10, 200, &length, 0));
}

static void set_compliances(weft_world* world) {
  const float compliance = 1e-4f;
  expect_ok(weft_world_set_compliances(world, 10, 100, &compliance, 0));
}

static void set_shapes(weft_world* world) {
  shape_particles(world, 20, 60, .shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = 0.02f);
}

static void set_materials(weft_world* world) {
  weft_particle_shape_def shape = sphere_contact(0.01f);
  weft_material_pair_def pair = weft_default_material_pair_def();
  shape.material = 3;
  shape.ccd = false;
  pair.static_friction = pair.dynamic_friction = 0.9f;
  expect_ok(weft_world_set_particle_shape(world, 5, 30, &shape));
  expect_ok(weft_world_set_material_pair(world, 3, 0, &pair));
}

static void set_masses(weft_world* world) {
  const float inverse_mass = 20.0f;
  expect_ok(weft_world_set_inverse_masses(world, 30, 100, &inverse_mass, 0));
}

static void pin(weft_world* world) {
  const float pinned = 0.0f, to[3] = {0.0f, 0.1f, 0.0f};
  expect_ok(weft_world_set_inverse_masses(world, 0, 5, &pinned, 0));
  expect_ok(weft_world_move_particles(world, 0, 1, to, 0));
}

static void move_freely(weft_world* world) {
  const float at[3] = {0.3f, 0.02f, 0.3f}, velocity[3] = {0.5f, -0.5f, 0.0f};
  const float offset[3] = {0.0f, 0.001f, 0.0f}, force[3] = {0.0f, 0.1f, 0.1f};
  const weft_body ropes = {ROPES, 2 * ROPE, 0, 0};
  expect_ok(weft_world_set_positions(world, 80, 1, at, 0));
  expect_ok(weft_world_set_velocities(world, 90, 20, velocity, 0));
  expect_ok(weft_world_shift_body(world, &ropes, offset));
  expect_ok(weft_world_add_forces(world, 100, 10, force, 0));
}

static void teleport(weft_world* world) {
  const float offset[3] = {1.0f, 0.0f, 0.0f};
  expect_ok(weft_world_teleport(world, TOWEL, TOWEL, offset, NULL));
}

static void sew(weft_world* world) {
  const uint32_t pairs[] = {0, TOWEL, 5, TOWEL + 5};
  weft_seam_def seam = weft_default_seam_def();
  seam.pairs = pairs;
  seam.count = 2;
  seam.closing_time = 0.05f;
  weft_joint joints[2];
  expect_ok(weft_world_add_seam(world, &seam, joints));
  expect_ok(weft_world_remove_joint(world, joints[1]));
}

static void tear(weft_world* world) {
  const float from[3] = {0.1f, 0.0f, 0.1f}, to[3] = {0.3f, 0.0f, 0.2f};
  expect_ok(weft_world_tear_links(world, 20, 10));
  expect_ok(weft_world_tear_near(world, from, to, 0.02f, NULL));
}

static void disable_links(weft_world* world) {
  expect_ok(weft_world_set_links_enabled(world, 40, 50, false));
}

static void limit_skin(weft_world* world) {
  const weft_skin_limits limits = {0.05f, 0.02f, 0.2f, 0.05f};
  const float at[3] = {0.2f, 0.02f, 0.2f}, normal[3] = {0.0f, 1.0f, 0.0f};
  expect_ok(weft_world_set_skin_limits(world, 60, 20, &limits, 0));
  expect_ok(weft_world_move_skin(world, 60, 20, at, 0, normal, 0));
}

static void change_colliders(weft_world* world) {
  static const float points[][3] = {{-1, -0.1f, -1}, {1, -0.1f, -1}, {1, -0.1f, 1}, {-1, -0.1f, 1}};
  static const uint32_t triangles[][3] = {{0, 2, 1}, {0, 3, 2}};
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_MESH);
  def.points = points[0];
  def.point_count = 4;
  def.triangles = triangles[0];
  def.triangle_count = 2;
  def.deforms = true;
  const weft_collider floor = add_collider(world, &def);
  float targets[4][3];
  memcpy(targets, points, sizeof(targets));
  for (int k = 0; k < 4; ++k) targets[k][1] += 0.02f;
  expect_ok(weft_world_move_collider_points(world, floor, 4, targets[0], sizeof(*targets)));
  weft_collider_def sphere = collider_of_shape(WEFT_COLLIDER_SHAPE_SPHERE);
  sphere.radius = 0.05f;
  sphere.position[1] = -0.2f;
  const weft_collider passing = add_collider(world, &sphere);
  const weft_collider removed = add_collider(world, &sphere);
  const float to[3] = {0.2f, -0.06f, 0.2f};
  expect_ok(weft_world_move_collider(world, passing, to, NULL));
  expect_ok(weft_world_remove_collider(world, removed));
}

static void change_members(weft_world* world) {
  const weft_body rope = {ROPES, ROPE, 0, 0};
  weft_particle_def def = weft_default_particle_def();
  weft_particle added, removed;
  def.position[1] = 0.5f;
  expect_ok(weft_world_add_particle(world, &def, &added));
  expect_ok(weft_world_add_particle(world, &def, &removed));
  expect_ok(weft_world_remove_particle(world, removed));
  expect_ok(weft_world_remove_body(world, &rope));
}

static void hold(weft_world* world) {
  const float place[3] = {0.2f, 0.0f, 0.2f}, to[3] = {0.2f, 0.03f, 0.25f};
  weft_grip grip;
  expect_ok(weft_world_add_grip(world, place, 0.06f, &grip));
  expect_ok(weft_world_move_grip(world, grip, to));
}

static void change_forces(weft_world* world) {
  const float gravity[3] = {1.0f, -5.0f, 0.0f}, fastest[3] = {3.0f, 4.0f, 5.0f};
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = 2.0f;
  wind.gust = 0.5f;
  expect_ok(weft_world_set_gravity(world, gravity));
  expect_ok(weft_world_set_damping(world, 0.3f));
  expect_ok(weft_world_set_max_speed(world, fastest));
  expect_ok(weft_world_set_wind(world, &wind));
  expect_ok(weft_world_set_pressure(world, BALL, 900.0f));
}

static void change_steps(weft_world* world) {
  weft_advance advance;
  expect_ok(weft_world_set_step(world, 10000000));
  expect_ok(weft_world_set_substeps(world, 3));
  expect_ok(weft_world_set_time_scale(world, 0.5f));
  expect_ok(weft_world_advance(world, 12345678, &advance));
}

static void change_limits(weft_world* world) {
  weft_contact_limits_def limits = event_limits(50);
  limits.max_pairs = 500;
  limits.max_ccd_pairs = 4000;
  limits.with_stays = true;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  put_floor(world, -0.03f, 0.0f);
}

static const struct {
  const char* name;
  void (*make)(weft_world* world);
} edits[] = {
    {"rest lengths", set_rest_lengths},
    {"compliances", set_compliances},
    {"shapes", set_shapes},
    {"materials", set_materials},
    {"masses", set_masses},
    {"pins", pin},
    {"motion", move_freely},
    {"teleport", teleport},
    {"seams", sew},
    {"tears", tear},
    {"links off", disable_links},
    {"skins", limit_skin},
    {"colliders", change_colliders},
    {"members", change_members},
    {"grips", hold},
    {"forces", change_forces},
    {"steps", change_steps},
    {"limits", change_limits},
};

// ---- paths of contacts ----

static void add_floor(weft_world* world) {
  put_floor(world, -0.02f, 0.0f);
}

static weft_particle_shape_def cloth_shape(float radius) {
  weft_particle_shape_def shape = shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = radius);
  return shape;
}

static void no_contacts(weft_world* world) {
  (void)world;
}

static void points_and_faces(weft_world* world) {
  weft_collider_def sphere = collider_of_shape(WEFT_COLLIDER_SHAPE_SPHERE);
  weft_particle_shape_def shape = cloth_shape(0.005f);
  sphere.radius = 0.1f;
  sphere.position[0] = sphere.position[2] = 0.2f;
  sphere.position[1] = -0.095f;
  shape.face_contacts = true;
  (void)add_collider(world, &sphere);
  expect_ok(weft_world_set_particle_shape(world, 0, 2 * TOWEL, &shape));
}

static void thick_cloth(weft_world* world) {
  const weft_particle_shape_def shape = cloth_shape(0.01f);
  add_floor(world);
  expect_ok(weft_world_set_particle_shape(world, 0, ROPES, &shape));
}

static void surfaces(weft_world* world) {
  weft_particle_shape_def shape = cloth_shape(0.01f);
  shape.surface_contacts = true;
  add_floor(world);
  expect_ok(weft_world_set_particle_shape(world, 0, ROPES, &shape));
}

static void ccd(weft_world* world) {
  weft_particle_shape_def shape = cloth_shape(0.004f);
  shape.ccd = true;
  add_floor(world);
  expect_ok(weft_world_set_particle_shape(world, 0, ROPES, &shape));
}

static void strands(weft_world* world) {
  weft_particle_shape_def shape = cloth_shape(0.01f);
  shape.ccd = true;
  add_floor(world);
  expect_ok(weft_world_set_particle_shape(world, 0, ROPES + 2 * ROPE, &shape));
}

static void bodies(weft_world* world) {
  weft_particle_shape_def sphere = sphere_contact(0.1f);
  const weft_particle_shape_def shape = cloth_shape(0.01f);
  const uint32_t spheres = particle_count_of(world) - 6;
  sphere.turns = true;
  add_floor(world);
  expect_ok(weft_world_set_particle_shape(world, 0, TOWEL, &shape));
  expect_ok(weft_world_set_particle_shape(world, spheres, 2, &sphere));
}

static const struct {
  const char* name;
  void (*make)(weft_world* world);
} paths[] = {{"none", no_contacts},
             {"points and faces", points_and_faces},
             {"thickness", thick_cloth},
             {"surfaces", surfaces},
             {"ccd", ccd},
             {"strands", strands},
             {"bodies", bodies}};

enum { EDITS = sizeof(edits) / sizeof(*edits), PATHS = sizeof(paths) / sizeof(*paths) };

// ---- tests ----

// Runs a fresh world on from a snapshot and requires the bytes of the straight run.
static void expect_restored(const weft_scene* scene, weft_world* world, const char* edit,
                            const char* path, uint32_t workers) {
  const weft_world_def def = edited_def(workers);
  weft_world* other = new_world(&def, scene);
  saved_world saved = save_world(world);
  const weft_result result = weft_world_restore(other, saved.bytes, saved.size);
  if (result.error != WEFT_OK) ck_abort_msg("%s, %s: %s", edit, path, result.field);
  weft_world_step(world, 3);
  weft_world_step(other, 3);
  saved_world one = save_world(world), two = save_world(other);
  if (weft_world_hash(world) != weft_world_hash(other)) ck_abort_msg("%s, %s: hash", edit, path);
  if (one.size != two.size || memcmp(one.bytes, two.bytes, one.size) != 0) {
    ck_abort_msg("%s, %s: bytes", edit, path);
  }
}

// The edit before contacts are set up, and then in a run with contacts.
LOOP_TEST(a_snapshot_after_any_edit_restores_into_a_fresh_world_of_any_workers, 0,
          THREADED(PATHS, 0)) {
  weft_scene* scene = new_edited_scene();
  for (int e = 0; e < EDITS; ++e) {
    const weft_world_def def = edited_def(1 + (uint32_t)e % 2);
    weft_world* world = new_world(&def, scene);
    edits[e].make(world);
    paths[_i].make(world);
    expect_restored(scene, world, edits[e].name, paths[_i].name, 1 + (uint32_t)e % 3);
    expect_ok(weft_world_reset(world, scene));
    paths[_i].make(world);
    weft_world_step(world, 3);
    edits[e].make(world);
    expect_restored(scene, world, edits[e].name, paths[_i].name, 3 - (uint32_t)e % 3);
  }
}

// All edits one after the other. The second run has its loops backwards, as if the last worker had
// begun first; the third has other workers.
static saved_world run_all_edits(const weft_scene* scene, int path, uint32_t workers,
                                 bool backwards) {
  const weft_world_def def = edited_def(workers);
  weft_world* world = new_world(&def, scene);
  runs_backwards = backwards;
  paths[path].make(world);
  for (int e = 0; e < EDITS; ++e) {
    edits[e].make(world);
    weft_world_step(world, 1);
  }
  runs_backwards = false;
  return save_world(world);
}

LOOP_TEST(equal_runs_have_equal_snapshots_with_any_workers, 0, PATHS) {
  weft_scene* scene = new_edited_scene();
  saved_world first = run_all_edits(scene, _i, 1, false);
  saved_world backwards = run_all_edits(scene, _i, 1, true);
  saved_world others = run_all_edits(scene, _i, 3, false);
  ck_assert_uint_eq(backwards.size, first.size);
  ck_assert_mem_eq(backwards.bytes, first.bytes, first.size);
  ck_assert_uint_eq(others.size, first.size);
  ck_assert_mem_eq(others.bytes, first.bytes, first.size);
}
