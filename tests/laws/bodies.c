/* Rows of bodies: each builder of weft/bodies.h, sheets, meshes, and composites of several. */
#include "laws/bodies.h"

#include <math.h>
#include <stddef.h>

#include "laws/trial.h"
#include "support/bare.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

static void build_rope(weft_scene* scene, uint32_t size) {
  weft_rope_def def = bare_rope_def();
  def.origin[0] = -0.4f, def.end[0] = 0.4f, def.end[1] = 0.0f, def.segments = size;
  must(weft_scene_add_rope(scene, &def, NULL));
}

static void build_thread(weft_scene* scene, uint32_t size) {
  weft_rope_def def = bare_rope_def();
  def.origin[0] = -0.4f, def.end[0] = 0.4f, def.end[1] = 0.0f, def.segments = size;
  def.mode = WEFT_LINK_MODE_STRETCH;
  must(weft_scene_add_rope(scene, &def, NULL));
}

static void build_hung_rope(weft_scene* scene, uint32_t size) {
  weft_rope_def def = bare_rope_def();
  def.segments = size, def.pin_origin = true, def.end[0] = 0.5f, def.end[1] = -0.5f;
  must(weft_scene_add_rope(scene, &def, NULL));
}

// as it is ready-made: colliding exactly, in air
static void build_cord(weft_scene* scene, uint32_t size) {
  weft_rope_def def = weft_default_rope_def();
  def.segments = size, def.pin_origin = true, def.end[0] = 0.5f, def.end[1] = -0.5f;
  must(weft_scene_add_rope(scene, &def, NULL));
}

static void build_elastic_rope(weft_scene* scene, uint32_t size) {
  weft_rope_def def = bare_rope_def();
  def.segments = size, def.pin_origin = true, def.compliance = 0.02f;
  must(weft_scene_add_rope(scene, &def, NULL));
}

static void build_rod(weft_scene* scene, uint32_t size) {
  weft_rod_def def = bare_rod_def();
  def.rope.origin[0] = -0.4f, def.rope.end[0] = 0.4f, def.rope.end[1] = 0.0f;
  def.rope.segments = size;
  must(weft_scene_add_rod(scene, &def, NULL));
}

// at rest bent and twisted, made straight
static void build_curved_rod(weft_scene* scene, uint32_t size) {
  weft_rod_def def = bare_rod_def();
  def.rope.origin[0] = -0.4f, def.rope.end[0] = 0.4f, def.rope.end[1] = 0.0f;
  def.rope.segments = size, def.keeps_shape = false;
  def.rest_strain[0] = 3.0f, def.rest_strain[2] = 5.0f;
  must(weft_scene_add_rod(scene, &def, NULL));
}

static void build_circle(weft_scene* scene, uint32_t size) {
  weft_circle_def def = weft_default_circle_def();
  def.count = size;
  must(weft_scene_add_circle(scene, &def, NULL));
}

static void build_hub(weft_scene* scene, uint32_t size) {
  weft_circle_def def = weft_default_circle_def();
  def.count = size, def.hub = true;
  must(weft_scene_add_circle(scene, &def, NULL));
}

static void build_box(weft_scene* scene, uint32_t size) {
  weft_box_def def = weft_default_box_def();
  def.columns = def.rows = size;
  must(weft_scene_add_box(scene, &def, NULL));
}

static void build_triangle(weft_scene* scene, uint32_t size) {
  (void)size;
  const weft_triangle_def def = weft_default_triangle_def();
  must(weft_scene_add_triangle(scene, &def, NULL));
}

static void build_tire(weft_scene* scene, uint32_t size) {
  weft_tire_def def = weft_default_tire_def();
  def.count = size;
  must(weft_scene_add_tire(scene, &def, NULL));
}

static void build_rigid_tire(weft_scene* scene, uint32_t size) {
  weft_tire_def def = weft_default_tire_def();
  def.count = size, def.tread_compliance = def.spoke_compliance = 0.0f;
  must(weft_scene_add_tire(scene, &def, NULL));
}

// tetrahedra of sides and struts, one beside the other
static void build_composite(weft_scene* scene, uint32_t size) {
  enum { MOST = 64 };
  float positions[MOST][3], inverse_masses[MOST];
  weft_link_def links[3 * MOST];
  uint32_t link_count = 0;
  for (uint32_t i = 0; i < size; ++i) {
    static const float corners[3][2] = {{0.1f, 0.0f}, {-0.05f, 0.0866f}, {-0.05f, -0.0866f}};
    positions[i][0] = 0.05f * (float)i - 0.025f * (float)size, inverse_masses[i] = 10.0f;
    positions[i][1] = corners[i % 3][0], positions[i][2] = corners[i % 3][1];
    for (uint32_t back = 1; back <= 3 && back <= i; ++back) {
      const float* a = positions[i];
      const float* b = positions[i - back];
      const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
      weft_link_def* link = &links[link_count++];
      *link = weft_default_link_def();
      link->a = i - back, link->b = i, link->rest_length = sqrtf(x * x + y * y + z * z);
    }
  }
  weft_composite_def def = weft_default_composite_def();
  def.positions = positions[0], def.inverse_masses = inverse_masses, def.particle_count = size;
  def.links = links, def.link_count = link_count;
  must(weft_scene_add_composite(scene, &def, NULL));
}

// `size` 1: not flat
static void add_ragdoll(weft_scene* scene, uint32_t size, float x, float y) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  def.flat = size == 0, def.height = 1.0f, def.origin[0] = x, def.origin[1] = y;
  must(weft_scene_add_ragdoll(scene, &def, NULL));
}

static void build_ragdoll(weft_scene* scene, uint32_t size) {
  add_ragdoll(scene, size, 0.0f, 0.0f);
}

static void build_ragdolls(weft_scene* scene, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    add_ragdoll(scene, 0, 0.06f * (float)i, 1.15f * (float)i);
  }
}

static void build_tree(weft_scene* scene, uint32_t size) {
  weft_tree_def def = weft_default_tree_def();
  def.depth = size, def.flat = false;
  must(weft_scene_add_tree(scene, &def, NULL));
}

static void add_web(weft_scene* scene, uint32_t rings, float tension) {
  weft_web_def def = weft_default_web_def();
  def.rings = rings, def.radius = 0.5f, def.tension = tension;
  must(weft_scene_add_web(scene, &def, NULL));
}

static void build_web(weft_scene* scene, uint32_t size) {
  add_web(scene, size, 0.02f);
}

static void build_taut_web(weft_scene* scene, uint32_t size) {
  add_web(scene, size, 0.2f);
}

static void build_pendulum(weft_scene* scene, uint32_t size) {
  weft_double_pendulum_def def = weft_default_double_pendulum_def();
  def.lengths[0] = def.lengths[1] = 0.5f, def.compliance = size == 0 ? 0.0f : 1e-5f;
  must(weft_scene_add_double_pendulum(scene, &def, NULL));
}

static void build_ball(weft_scene* scene, uint32_t size) {
  weft_ball_def def = bare_ball_def();
  def.level = size, def.radius = 0.25f;
  must(weft_scene_add_ball(scene, &def, NULL));
}

static void add_gas(weft_scene* scene, uint32_t level, float pressure) {
  weft_ball_def def = bare_ball_def();
  def.level = level, def.radius = 0.25f, def.pressure = pressure;
  must(weft_scene_add_ball(scene, &def, NULL));
}

static void build_gas(weft_scene* scene, uint32_t size) {
  add_gas(scene, size, 500.0f);
}

static void build_taut_gas(weft_scene* scene, uint32_t size) {
  add_gas(scene, size, 5000.0f);
}

static weft_sheet_def sheet_of(uint32_t size) {
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = def.rows = size, def.spacing = 0.6f / (float)(size - 1);
  def.origin[0] = -0.3f, def.origin[1] = 0.3f;
  return def;
}

static void build_sheet(weft_scene* scene, uint32_t size) {
  const weft_sheet_def def = sheet_of(size);
  must(weft_scene_add_sheet(scene, &def, NULL));
}

// two halves of a sheet, whose borders are joined: law_join()
static void build_sewn(weft_scene* scene, uint32_t size) {
  weft_sheet_def def = sheet_of(size);
  def.rows = size / 2 + 1;
  must(weft_scene_add_sheet(scene, &def, NULL));
  def.origin[1] -= (float)(def.rows - 1) * def.spacing;
  must(weft_scene_add_sheet(scene, &def, NULL));
}

uint32_t law_joints(const law_body* body) {
  return body->build == build_sewn ? body->size : 0;
}

void law_join(const law_body* body, uint32_t k, uint32_t pair[2]) {
  const uint32_t last = body->size * (body->size / 2);
  pair[0] = last + k, pair[1] = last + body->size + k;
}

static void build_cotton(weft_scene* scene, uint32_t size) {
  const weft_material_def material = weft_default_material_def();
  weft_sheet_def def = sheet_of(size);
  def.material = &material;
  must(weft_scene_add_sheet(scene, &def, NULL));
}

static void build_stiff_sheet(weft_scene* scene, uint32_t size) {
  weft_material_def material = weft_default_material_def();
  material.bend_stiffness = 1e-4f;
  weft_sheet_def def = sheet_of(size);
  def.material = &material;
  must(weft_scene_add_sheet(scene, &def, NULL));
}

static void build_bend_links(weft_scene* scene, uint32_t size) {
  weft_sheet_def def = sheet_of(size);
  def.bend = true;
  must(weft_scene_add_sheet(scene, &def, NULL));
}

static void build_net(weft_scene* scene, uint32_t size) {
  weft_sheet_def def = sheet_of(size);
  def.shear = false;
  must(weft_scene_add_sheet(scene, &def, NULL));
}

// held by its left column
static void build_flag(weft_scene* scene, uint32_t size) {
  build_sheet(scene, size);
  for (uint32_t row = 0; row < size; ++row) must(weft_scene_pin(scene, weft_range(row * size, 1)));
}

static void build_mesh_flag(weft_scene* scene, uint32_t size) {
  build_grid(scene, size);
  for (uint32_t row = 0; row < size; ++row) must(weft_scene_pin(scene, weft_range(row * size, 1)));
}

static void build_corner(weft_scene* scene, uint32_t size) {
  build_sheet(scene, size);
  must(weft_scene_pin(scene, weft_range(0, 1)));
}

static void build_curtain(weft_scene* scene, uint32_t size) {
  build_sheet(scene, size);
  must(weft_scene_pin(scene, weft_range(0, size)));
}

// ready-made, without air, and without the ripple, which goes by place and number
static void add_cloth(weft_scene* scene, uint32_t size, uint32_t hooks) {
  weft_cloth_def def = weft_default_cloth_def();
  def.width = def.height = 0.6f;
  def.columns = size;
  def.hooks = hooks;
  def.ripple = 0.0f;
  def.in_air = false;
  must(weft_scene_add_cloth(scene, &def, NULL));
}

static void build_cloth(weft_scene* scene, uint32_t size) {
  add_cloth(scene, size, 0);
}

static void build_drapery(weft_scene* scene, uint32_t size) {
  add_cloth(scene, size, size);
}

// sheets in front of each other
static void build_layers(weft_scene* scene, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    weft_sheet_def def = sheet_of(8);
    def.origin[2] = 0.06f * (float)i;
    must(weft_scene_add_sheet(scene, &def, NULL));
  }
}

// particles without links, in layers
static void build_heap(weft_scene* scene, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    const float inverse_mass = 10.0f;
    const float position[3] = {0.09f * (float)(i % 3) + 0.004f * (float)(i % 5),
                               0.09f * (float)(i / 9), 0.09f * (float)(i / 3 % 3)};
    must(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
  }
}

// clang-format off
#define FREE_MESH (TRAIT_FREE | TRAIT_LINKS | TRAIT_FACES)
#define FREE_LINKS (TRAIT_FREE | TRAIT_LINKS)
#define ON_AXIS (TRAIT_AXIS | TRAIT_FLOOR | TRAIT_LINKS)
#define ON_PINS (TRAIT_HELD | TRAIT_FLOOR | TRAIT_LINKS)
const law_body law_bodies[] = {
  {"sheet", FREE_MESH | TRAIT_LIES, 9, 0.04f, build_sheet},
  {"upright-sheet", FREE_MESH, 13, 0.0275f, build_sheet},
  {"cone-6", FREE_MESH, 6, 0.01f, build_cone},
  {"cone-12", FREE_MESH, 12, 0.01f, build_cone},
  {"cone-24", FREE_MESH, 24, 0.01f, build_cone},
  {"cone-48", FREE_MESH, 48, 0.01f, build_cone},
  {"cone-96", FREE_MESH, 96, 0.005f, build_cone},
  {"poles-16", FREE_MESH, 16, 0.01f, build_poles},
  {"poles-32", FREE_MESH, 32, 0.01f, build_poles},
  {"seam", FREE_MESH, 16, 0.01f, build_seam},
  {"bipyramid-64", FREE_MESH, 64, 0.005f, build_bipyramid},
  {"circle", FREE_LINKS | TRAIT_LIES, 16, 0.05f, build_circle},
  {"hub-12", FREE_LINKS | TRAIT_LIES, 12, 0.05f, build_hub},
  {"hub-48", FREE_LINKS | TRAIT_LIES, 48, 0.02f, build_hub},
  {"tire", FREE_LINKS | TRAIT_LIES, 24, 0.05f, build_tire},
  {"rigid-tire-12", FREE_LINKS | TRAIT_LIES, 12, 0.05f, build_rigid_tire},
  {"rigid-tire-96", FREE_LINKS | TRAIT_LIES, 96, 0.01f, build_rigid_tire},
  {"triangle", FREE_LINKS | TRAIT_LIES | TRAIT_LUMPS, 0, 0.05f, build_triangle},
  {"box", FREE_LINKS | TRAIT_LIES | TRAIT_LUMPS, 4, 0.05f, build_box},
  {"composite", FREE_LINKS, 24, 0.02f, build_composite},
  {"rope", FREE_LINKS, 16, 0.02f, build_rope},
  {"thread", FREE_LINKS, 16, 0.02f, build_thread},
  {"rod", TRAIT_FREE, 16, 0.02f, build_rod},
  {"curved-rod", TRAIT_FREE | TRAIT_TENSE, 16, 0.02f, build_curved_rod},
  {"ragdoll", FREE_LINKS | TRAIT_LUMPS, 0, 0.03f, build_ragdoll},
  {"ragdoll-3d", FREE_LINKS | TRAIT_LUMPS, 1, 0.03f, build_ragdoll},
  {"ball", FREE_MESH, 1, 0.02f, build_ball},
  {"ball-of-gas", TRAIT_FREE | TRAIT_FACES | TRAIT_TENSE, 1, 0.02f, build_gas},
  {"cotton", FREE_MESH | TRAIT_LIES, 9, 0.04f, build_cotton},
  {"stiff-sheet", TRAIT_FREE | TRAIT_FACES | TRAIT_LIES, 9, 0.03f, build_stiff_sheet},
  {"bend-links", FREE_MESH | TRAIT_LIES, 9, 0.03f, build_bend_links},
  {"net", FREE_MESH, 9, 0.03f, build_net},
  {"mesh", FREE_MESH | TRAIT_LIES, 9, 0.03f, build_grid},
  {"irregular", FREE_MESH | TRAIT_LIES, 9, 0.015f, build_irregular},
  {"membrane", TRAIT_FREE | TRAIT_FACES | TRAIT_LIES, 9, 0.015f, build_membrane},
  {"plates", TRAIT_FREE | TRAIT_FACES | TRAIT_LIES, 9, 0.015f, build_plates},
  {"fans", FREE_MESH, 21, 0.011f, build_fans},
  {"slivers", FREE_MESH, 24, 0.004f, build_slivers},
  {"cloth", TRAIT_FREE | TRAIT_FACES | TRAIT_LIES, 9, 0.04f, build_cloth},
  {"layers", FREE_MESH | TRAIT_LIES | TRAIT_PARTS, 3, 0.03f, build_layers},
  {"heap", FREE_LINKS | TRAIT_LUMPS | TRAIT_PARTS, 18, 0.04f, build_heap},
  {"ragdolls", FREE_LINKS | TRAIT_LUMPS | TRAIT_PARTS, 3, 0.03f, build_ragdolls},
  {"flag", ON_AXIS | TRAIT_FACES, 9, 0.03f, build_flag},
  {"mesh-flag", ON_AXIS | TRAIT_FACES, 9, 0.03f, build_mesh_flag},
  {"corner", ON_AXIS | TRAIT_FACES, 9, 0.03f, build_corner},
  {"hung-rope", ON_AXIS, 16, 0.02f, build_hung_rope},
  {"cord", ON_PINS, 16, 0.02f, build_cord},
  {"elastic-rope", ON_AXIS, 16, 0.02f, build_elastic_rope},
  {"pendulum", ON_AXIS | TRAIT_LUMPS, 0, 0.05f, build_pendulum},
  {"elastic-pendulum", ON_AXIS | TRAIT_LUMPS, 1, 0.05f, build_pendulum},
  {"curtain", ON_PINS | TRAIT_FACES, 9, 0.03f, build_curtain},
  {"drapery", ON_PINS | TRAIT_FACES, 9, 0.03f, build_drapery},
  {"border", ON_PINS | TRAIT_FACES, 9, 0.015f, build_border},
  {"tree", ON_PINS, 4, 0.02f, build_tree},
  {"web", ON_PINS | TRAIT_TENSE, 5, 0.01f, build_web},
  {"taut-web", ON_PINS | TRAIT_TENSE, 8, 0.005f, build_taut_web},
  {"taut-ball-of-gas", TRAIT_FREE | TRAIT_FACES | TRAIT_TENSE, 1, 0.02f, build_taut_gas},
  {"sewn", TRAIT_FREE | TRAIT_FACES | TRAIT_LIES, 9, 0.04f, build_sewn},
};
// clang-format on

const uint32_t law_body_count = COUNT(law_bodies);
