/* Each part of a scene is copied by weft_scene_add_scene(): a body moves as it does alone. */
#include "support/balls.h"
#include "support/bend_scenes.h"
#include "support/test.h"

enum { SIDE = 7, STEPS = 12 };

// ---- bodies, with a part of a scene or without it ----

static weft_material_def cloth_material(void) {
  return material_def(.bend_stiffness = 1e-3f);
}

// A curved mesh of SIDE x SIDE vertices, held at two corners.
static void add_mesh(weft_scene* scene, const weft_material_def* material,
                     const weft_pleat* pleats) {
  float positions[SIDE * SIDE][3];
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    const float column = (float)(i % SIDE), row = (float)(i / SIDE);
    positions[i][0] = 0.1f * column;
    positions[i][1] = 0.01f * column * row;
    positions[i][2] = 0.1f * row;
  }
  weft_mesh_def def = mesh_def(.material = material);
  def.pleats = pleats;
  def.pleat_count = pleats != NULL ? 1 : 0;
  def.warp[0] = material->membrane ? 1.0f : 0.0f;
  const weft_body body = add_grid_mesh(scene, &def, SIDE, SIDE, positions[0]);
  expect_ok(weft_scene_pin(scene, weft_range(body.first_particle, 1)));
  expect_ok(weft_scene_pin(scene, weft_range(body.first_particle + SIDE - 1, 1)));
}

static void add_membranes(weft_scene* scene, bool has) {
  const weft_material_def material = material_def(.membrane = has);
  add_mesh(scene, &material, NULL);
}

static void add_anisotropy(weft_scene* scene, bool has) {
  weft_material_def material = material_def(.membrane = true);
  if (has) material.weft_stiffness = 200.0f;
  add_mesh(scene, &material, NULL);
}

static void add_max_stretch(weft_scene* scene, bool has) {
  weft_material_def material = material_def(.membrane = true, .stretch_stiffness = 5.0f);
  if (has) material.max_stretch = 1.001f;
  add_mesh(scene, &material, NULL);
}

static void add_plates(weft_scene* scene, bool has) {
  weft_material_def material = cloth_material();
  if (!has) material.bend_stiffness = 0.0f;
  add_mesh(scene, &material, NULL);
}

static void add_creases(weft_scene* scene, bool has) {
  weft_material_def material = cloth_material();
  if (has) material.crease_angle = 0.01f;
  add_mesh(scene, &material, NULL);
}

static void add_pleats(weft_scene* scene, bool has) {
  const weft_material_def material = cloth_material();
  const weft_pleat pleat = {0, SIDE + 1, 2.0f};
  add_mesh(scene, &material, has ? &pleat : NULL);
}

// A sheet that is held by a row.
static weft_body add_hung(weft_scene* scene, const weft_sheet_def* def) {
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, def, &body));
  expect_ok(weft_scene_pin(scene, weft_range(body.first_particle, def->columns)));
  return body;
}

static weft_sheet_def small_sheet(void) {
  return sheet_def(.side = SIDE, .is_level = true);
}

static void add_bend_lines(weft_scene* scene, bool has) {
  const weft_material_def material = cloth_material();
  weft_sheet_def def = small_sheet();
  weft_material_def plain = material;
  plain.bend_stiffness = 0.0f;
  def.material = has ? &material : &plain;
  add_hung(scene, &def);
}

static void add_tear_ratio(weft_scene* scene, bool has) {
  weft_sheet_def def = small_sheet();
  def.relaxation = def.shear_relaxation = 0.01f;
  def.tear_ratio = has ? 1.01f : 0.0f;
  add_hung(scene, &def);
}

static void add_relaxation(weft_scene* scene, bool has) {
  weft_sheet_def def = small_sheet();
  def.relaxation = has ? 0.3f : 1.0f;
  add_hung(scene, &def);
}

static void add_pins(weft_scene* scene, bool has) {
  const weft_sheet_def def = small_sheet();
  const weft_body body = add_hung(scene, &def);
  if (has) expect_ok(weft_scene_pin(scene, weft_range(body.first_particle + SIDE * SIDE - 1, 1)));
}

static void add_level_flag(weft_scene* scene, bool has) {
  weft_sheet_def def = small_sheet();
  def.columns = def.rows = 4 * SIDE;
  const weft_body body = add_hung(scene, &def);
  expect_ok(weft_scene_set_coarse(scene, body.first_particle, !has));
}

static void add_user_data(weft_scene* scene, bool has) {
  static int hosts;
  const weft_sheet_def def = small_sheet();
  const weft_body body = add_hung(scene, &def);
  if (has) expect_ok(weft_scene_set_user_data(scene, body.first_particle, &hosts));
}

static void add_environment(weft_scene* scene, bool has) {
  const weft_sheet_def def = small_sheet();
  add_hung(scene, &def);
  const weft_body body = add_hung(scene, &def);
  if (has) expect_ok(weft_scene_set_environment(scene, &body, 1));
}

static void add_reserved(weft_scene* scene, bool has) {
  const float at_origin[3] = {0.0f, 0.0f, 0.0f}, pinned = 0.0f;
  const weft_sheet_def def = small_sheet();
  add_hung(scene, &def);
  if (has) expect_ok(weft_scene_reserve_particles(scene, 1, NULL));
  if (!has) expect_ok(weft_scene_add_particles(scene, at_origin, &pinned, 1, NULL));
}

static void add_gas(weft_scene* scene, bool has) {
  const float center[3] = {0.0f, 0.0f, 0.0f};
  const weft_body body = add_ball(scene, 3, 0.3f, center);
  if (has) expect_ok(weft_scene_set_pressure(scene, &body, 100.0f));
}

// Two particles beside each other, one of them pinned, that a link holds or does not.
static void add_link(weft_scene* scene, weft_link_def link) {
  const float positions[2][3] = {{0.0f, 0.0f, 0.0f}, {0.4f, -0.3f, 0.0f}};
  const float inverse_masses[2] = {0.0f, 10.0f};
  weft_body body;
  expect_ok(weft_scene_add_particles(scene, positions[0], inverse_masses, 2, &body));
  link.a = body.first_particle;
  link.b = body.first_particle + 1;
  link.rest_length = 0.5f;
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
}

static void add_compliance(weft_scene* scene, bool has) {
  weft_link_def link = weft_default_link_def();
  if (has) link.compliance = 0.1f;
  add_link(scene, link);
}

static void add_mode(weft_scene* scene, bool has) {
  weft_link_def link = weft_default_link_def();
  if (has) link.mode = WEFT_LINK_MODE_COMPRESS;
  add_link(scene, link);
}

static void add_range(weft_scene* scene, bool has) {
  weft_link_def link = weft_default_link_def();
  link.mode = WEFT_LINK_MODE_RANGE;
  link.max_length = has ? 0.501f : 1.0f;
  add_link(scene, link);
}

static void add_damping(weft_scene* scene, bool has) {
  weft_link_def link = weft_default_link_def();
  link.compliance = 0.01f;
  if (has) link.spring_damping = 5.0f;
  add_link(scene, link);
}

static void add_curve(weft_scene* scene, bool has) {
  static const float strains[3] = {-1.0f, 0.0f, 1.0f}, forces[3] = {-9.0f, 1.0f, 99.0f};
  const weft_force_curve_def def = {.strains = strains, .forces = forces, .count = 3};
  weft_link_def link = weft_default_link_def();
  link.compliance = 0.01f;
  if (has) expect_ok(weft_scene_add_force_curve(scene, &def, &link.force_curve));
  add_link(scene, link);
}

// A rod that leaves a clamp.
static void add_rod(weft_scene* scene, const weft_rod_def* made) {
  weft_rod_def def = *made;
  def.rope.segments = SIDE;
  def.rope.pin_origin = true;
  expect_ok(weft_scene_add_rod(scene, &def, NULL));
}

static void add_stiffness(weft_scene* scene, bool has) {
  weft_rod_def def = bare_rod_def();
  if (has) def.bend_stiffness = 1.0f;
  add_rod(scene, &def);
}

static void add_clamp(weft_scene* scene, bool has) {
  weft_rod_def def = bare_rod_def();
  def.clamp_origin = has;
  add_rod(scene, &def);
}

static void add_rest_strain(weft_scene* scene, bool has) {
  weft_rod_def def = bare_rod_def();
  def.keeps_shape = false;
  def.rest_strain[0] = has ? 2.0f : 0.0f;
  add_rod(scene, &def);
}

// A part of a scene, and a body that needs it to move as it does.
static const struct scene_part {
  const char* name;
  void (*add)(weft_scene* scene, bool has);
} parts[] = {
    {"membranes", add_membranes},
    {"anisotropy of membranes", add_anisotropy},
    {"limit of stretch", add_max_stretch},
    {"plates of a mesh", add_plates},
    {"creases", add_creases},
    {"pleats", add_pleats},
    {"bend lines", add_bend_lines},
    {"tear ratio", add_tear_ratio},
    {"relaxation", add_relaxation},
    {"pins", add_pins},
    {"exclusion from levels", add_level_flag},
    {"user data", add_user_data},
    {"environment", add_environment},
    {"reserved particles", add_reserved},
    {"gas", add_gas},
    {"compliance", add_compliance},
    {"mode of a link", add_mode},
    {"range of a link", add_range},
    {"damping of a spring", add_damping},
    {"force curve", add_curve},
    {"stiffness of a rod", add_stiffness},
    {"clamp of a rod", add_clamp},
    {"rest strain of a rod", add_rest_strain},
};
enum { PART_COUNT = sizeof(parts) / sizeof(*parts) };

// ---- observation ----

static weft_world* new_moving(const weft_scene* scene) {
  weft_world_def def = plain_def(.integrator = WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER, .springs = true,
                                 .substeps = 4, .iterations = 4, .coarse_iterations = 2);
  def.solver.direct_bends = 1000;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, STEPS);
  return world;
}

// All that a body shows: how it has moved, the host's data, its environment, room for a particle.
typedef struct observed {
  uint32_t count, environments, has_room;
  void* user_data[4 * SIDE * 4 * SIDE];
  float state[2][4 * SIDE * 4 * SIDE][3];
} observed;

static observed* new_observed(weft_world* world, const weft_body* body) {
  observed* o = test_alloc(1 * sizeof(*o));
  const uint32_t first = body->first_particle;
  o->count = body->particle_count;
  ck_assert_uint_le(o->count, 4 * SIDE * 4 * SIDE);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, first, o->count, o->state[0][0]);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, first, o->count, o->state[1][0]);
  for (uint32_t i = 0; i < o->count; ++i) {
    expect_ok(weft_world_get_body_user_data(world, first + i, &o->user_data[i]));
  }
  const weft_particle_def def = weft_default_particle_def();
  weft_particle made;
  o->has_room = weft_world_add_particle(world, &def, &made).error == WEFT_OK;
  o->environments = weft_world_environment_count(world);
  return o;
}

static observed* new_alone(const struct scene_part* part, bool has) {
  weft_scene* scene = new_scene();
  part->add(scene, has);
  weft_world* world = new_moving(scene);
  const weft_body body = {.particle_count = weft_scene_particle_count(scene)};
  return new_observed(world, &body);
}

// The body copied into another environment of a scene that has something of all parts already.
static observed* new_copied(const struct scene_part* part) {
  weft_scene* scene = new_scene();
  weft_scene* other = new_scene();
  for (uint32_t p = 0; p < PART_COUNT; ++p) {
    if (parts[p].add != add_environment && parts[p].add != add_reserved) parts[p].add(scene, true);
  }
  part->add(other, true);
  weft_body body;
  expect_ok(weft_scene_add_scene(scene, other, NULL, NULL, 1, &body));
  weft_world* world = new_moving(scene);
  observed* o = new_observed(world, &body);
  o->environments -= 1;
  return o;
}

LOOP_TEST(each_part_of_a_scene_is_copied_into_another_one, 0, PART_COUNT) {
  const struct scene_part* part = &parts[_i];
  observed* with = new_alone(part, true);
  observed* without = new_alone(part, false);
  observed* copied = new_copied(part);
  ck_assert_msg(memcmp(with, without, sizeof(*with)) != 0, "%s changes nothing", part->name);
  ck_assert_msg(memcmp(with, copied, sizeof(*with)) == 0, "%s: not copied", part->name);
}
