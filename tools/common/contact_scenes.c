#include "common/contact_scenes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/substeps.h"

// metres between a sheet and what it falls onto
static const double gap = 0.02;
// metres per second, and waves along the height: what a sheet that falls upright starts to fold by
static const double wave_speed = 0.5;
static const double wave_count = 3.0;
// down along a sheet that leans: 9, 40 and 41 make a right angle
static const double lean = 9.0 / 41.0;
static const double upright = 40.0 / 41.0;
// seconds of a substep of a sheet that falls in folds, at most
static const double longest_of_folds = 1.0 / 960.0;
static const float damping = 0.5f;
// kilograms per square metre, and kilograms per cubic metre
static const double cloth_weight = 0.2;
static const double body_density = 500.0;

static bool check(weft_result result, const char* call, tool_message* why) {
  if (result.error == WEFT_OK) return true;
  return tool_because(why, "%s: %s: %s (element %" PRIu64 ")", call, result.field,
                      weft_error_text(result.error), result.index);
}

const char* tool_contact_name(tool_contact_kind kind) {
  static const char* const names[TOOL_CONTACT_KINDS] = {"drape-sphere", "drop-folds", "particles",
                                                        "discs", "rectangles"};
  return names[kind];
}

tool_contact_scene tool_usual_contact_scene(tool_contact_kind kind, uint32_t size) {
  tool_contact_scene scene = {.kind = kind,
                              .size = size,
                              .times = 1,
                              .width = 2.0,
                              .thickness = 0.55,
                              .friction = 0.3,
                              .radius = 0.5};
  if (kind == TOOL_DRAPE_SPHERE) scene.friction = 0.5;
  // they do not touch at first, as they are up to a tenth of this aside
  if (tool_contact_is_heap(kind)) scene.thickness = 0.4;
  if (kind == TOOL_DROP_FOLDS) {
    scene.width = 4.0;
    scene.self = true;
    scene.ccd = true;
  }
  return scene;
}

uint32_t tool_contact_columns(const tool_contact_scene* scene) {
  return scene->size * scene->times;
}

uint64_t tool_contact_particle_count(const tool_contact_scene* scene) {
  const uint64_t columns = tool_contact_columns(scene);
  return tool_contact_is_heap(scene->kind) ? columns : columns * scene->size;
}

// ---- sheets ----

static double spacing_of(const tool_contact_scene* scene) {
  return scene->width / (double)(scene->size - 1);
}

// metres
static double length_of(const tool_contact_scene* scene) {
  return spacing_of(scene) * (double)(tool_contact_columns(scene) - 1);
}

// metres, on either side
static double thickness_of(const tool_contact_scene* scene) {
  return scene->thickness * spacing_of(scene);
}

static bool add_sheet(const tool_contact_scene* scene, weft_scene* description, tool_message* why) {
  weft_sheet_def sheet = weft_default_sheet_def();
  const double half = 0.5 * scene->width;
  sheet.columns = tool_contact_columns(scene);
  sheet.rows = scene->size;
  sheet.spacing = (float)spacing_of(scene);
  sheet.particle_mass = (float)(cloth_weight * spacing_of(scene) * spacing_of(scene));
  sheet.origin[0] = (float)(-0.5 * length_of(scene));
  if (scene->kind == TOOL_DRAPE_SPHERE) {
    sheet.origin[1] = (float)(scene->radius + thickness_of(scene) + gap);
    sheet.origin[2] = (float)-half;
    memcpy(sheet.down, (const float[3]){0.0f, 0.0f, 1.0f}, sizeof sheet.down);
  } else {
    sheet.origin[1] = (float)(thickness_of(scene) + gap + upright * scene->width);
    memcpy(sheet.down, (const float[3]){0.0f, (float)-upright, (float)lean}, sizeof sheet.down);
  }
  return check(weft_scene_add_sheet(description, &sheet, NULL), "weft_scene_add_sheet", why);
}

// goes up and down once while x goes from 0 to 1, between -1 and 1, in two parabolas
static double wave(double x) {
  const double within = x - floor(x);
  const double half = within < 0.5 ? 4.0 * within - 1.0 : 4.0 * within - 3.0;
  return within < 0.5 ? 1.0 - half * half : half * half - 1.0;
}

// rows move forwards and backwards by turns
static bool start_waves(const tool_contact_scene* scene, weft_world* world, tool_message* why) {
  const uint32_t columns = tool_contact_columns(scene);
  for (uint32_t row = 0; row < scene->size; ++row) {
    const double height = (double)row / (double)(scene->size - 1);
    const float velocity[3] = {0.0f, 0.0f, (float)(wave_speed * wave(wave_count * height))};
    if (!check(weft_world_set_velocities(world, row * columns, columns, velocity, 0),
               "weft_world_set_velocities", why)) {
      return false;
    }
  }
  return true;
}

// ---- particles ----

// SplitMix64 (Steele, Lea, Flood 2014): from -1 to 1
static double draw(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-52 - 1.0;
}

static bool is_plane(const tool_contact_scene* scene) {
  return scene->kind == TOOL_DISCS || scene->kind == TOOL_RECTANGLES;
}

// Side of the initial cube or square of a heap of one time, in particles: the smallest one with
// room for all.
static uint32_t side_of(const tool_contact_scene* scene) {
  uint32_t side = 1;
  while ((uint64_t)side * side * (is_plane(scene) ? 1 : side) < scene->size) ++side;
  return side;
}

static double grain_spacing(const tool_contact_scene* scene) {
  return scene->width / (double)(side_of(scene) + 1);
}

// Times along z: the largest divisor up to the root; the rest is along x.
static uint32_t times_deep(const tool_contact_scene* scene) {
  uint32_t deep = 1;
  for (uint32_t k = 2; !is_plane(scene) && (uint64_t)k * k <= scene->times; ++k) {
    if (scene->times % k == 0) deep = k;
  }
  return deep;
}

// Floor of a heap: particles along x and z, and metres of the box around them.
typedef struct heap_floor {
  uint32_t count[2];
  double width[2];
} heap_floor;

static heap_floor floor_of(const tool_contact_scene* scene) {
  const uint32_t side = side_of(scene), deep = times_deep(scene);
  heap_floor floor = {.count = {side * (scene->times / deep), is_plane(scene) ? 1 : side * deep}};
  for (int k = 0; k < 2; ++k) {
    // exactly the width of the scene where it is taken once
    floor.width[k] = scene->width * ((double)(floor.count[k] + 1) / (double)(side + 1));
  }
  return floor;
}

static double grain_radius(const tool_contact_scene* scene) {
  return scene->thickness * grain_spacing(scene);
}

static void place_particles(const tool_contact_scene* scene, float* positions, float* masses) {
  const heap_floor floor = floor_of(scene);
  const double spacing = grain_spacing(scene), radius = grain_radius(scene);
  // 4 pi / 3
  const double mass = body_density * 4.1887902 * radius * radius * radius;
  uint64_t state = 1;
  const uint32_t layer = floor.count[0] * floor.count[1];
  for (uint32_t i = 0; i < tool_contact_particle_count(scene); ++i) {
    const uint32_t cell[3] = {i % floor.count[0], i / layer, i / floor.count[0] % floor.count[1]};
    // none stands on another for long: each layer is over the gaps of the one below
    const double shift = cell[1] % 2 == 0 ? -0.25 * spacing : 0.25 * spacing;
    for (int axis = 0; axis < 3; ++axis) {
      const double start = axis == 1 ? radius + gap : spacing - 0.5 * floor.width[axis / 2] + shift;
      const double aside = 0.1 * radius * draw(&state);
      positions[3 * (size_t)i + (size_t)axis] = (float)(start + spacing * cell[axis] + aside);
    }
    if (is_plane(scene)) positions[3 * (size_t)i + 2] = 0.0f;
    masses[i] = (float)(1.0 / mass);
  }
}

static bool add_particles(const tool_contact_scene* scene, weft_scene* description,
                          tool_message* why) {
  const uint32_t count = (uint32_t)tool_contact_particle_count(scene);
  float* positions = malloc(count * 3 * sizeof *positions);
  float* masses = malloc(count * sizeof *masses);
  bool ok = positions && masses;
  if (ok) {
    place_particles(scene, positions, masses);
    ok = check(weft_scene_add_particles(description, positions, masses, count, NULL),
               "weft_scene_add_particles", why);
  } else {
    (void)tool_because(why, "no memory for %u particles", count);
  }
  free(positions);
  free(masses);
  return ok;
}

// ---- both ----

uint32_t tool_contact_substeps(const tool_contact_scene* scene, const weft_world_def* def) {
  if (scene->kind != TOOL_DROP_FOLDS) return 4;
  weft_world_def damped = *def;
  damped.damping = damping;
  return tool_fall_substeps(&damped, upright * scene->width, thickness_of(scene), longest_of_folds);
}

bool tool_describe_contacts(const tool_contact_scene* scene, weft_scene* description,
                            weft_world_def* def, tool_message* why) {
  def->substeps = tool_contact_substeps(scene, def);
  def->iterations = 4;
  def->damping = damping;
  def->plane = is_plane(scene);
  if (tool_contact_is_heap(scene->kind)) return add_particles(scene, description, why);
  def->coarse_iterations = 4;
  if (scene->kind == TOOL_DROP_FOLDS) {
    // folds are as long as a few links: more sweeps over levels do not make it any stiffer
    def->iterations = 8;
    def->coarse_iterations = 1;
  }
  if (scene->ccd || scene->surfaces) def->faces = true;
  return add_sheet(scene, description, why);
}

static bool set_contacts(const tool_contact_scene* scene, weft_world* world, tool_message* why) {
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  const bool is_sheet = !tool_contact_is_heap(scene->kind);
  if (scene->self) contact.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  if (!is_sheet) contact.shape = WEFT_PARTICLE_SHAPE_SPHERE;
  if (scene->kind == TOOL_RECTANGLES) contact.shape = WEFT_PARTICLE_SHAPE_BOX;
  contact.half_size[0] = (float)(is_sheet ? thickness_of(scene) : grain_radius(scene));
  contact.half_size[1] = contact.half_size[2] = contact.half_size[0];
  contact.static_friction = contact.dynamic_friction = (float)scene->friction;
  contact.ccd = scene->ccd;
  contact.surface_contacts = scene->surfaces;
  const uint32_t count = (uint32_t)tool_contact_particle_count(scene);
  return check(weft_world_set_particle_shape(world, 0, count, &contact),
               "weft_world_set_particle_shape", why);
}

static bool add_collider(const weft_collider_def* def, weft_world* world, tool_message* why) {
  weft_collider collider;
  return check(weft_world_add_collider(world, def, &collider), "weft_world_add_collider", why);
}

// half spaces that look inwards: y of each is turned to x, -x, z or -z; in a plane the first two
static bool add_walls(const tool_contact_scene* scene, weft_collider_def def, weft_world* world,
                      tool_message* why) {
  const heap_floor floor = floor_of(scene);
  const float turn = (float)sqrt(0.5);
  const float half[2] = {(float)(0.5 * floor.width[0]), (float)(0.5 * floor.width[1])};
  const float rotations[4][4] = {
      {0, 0, -turn, turn}, {0, 0, turn, turn}, {turn, 0, 0, turn}, {-turn, 0, 0, turn}};
  const float positions[4][3] = {
      {-half[0], 0, 0}, {half[0], 0, 0}, {0, 0, -half[1]}, {0, 0, half[1]}};
  for (int wall = 0; wall < (is_plane(scene) ? 2 : 4); ++wall) {
    memcpy(def.rotation, rotations[wall], sizeof def.rotation);
    memcpy(def.position, positions[wall], sizeof def.position);
    if (!add_collider(&def, world, why)) return false;
  }
  return true;
}

// One below the middle of each part of the sheet.
static bool add_spheres(const tool_contact_scene* scene, weft_collider_def def, weft_world* world,
                        tool_message* why) {
  const double distance = spacing_of(scene) * (double)scene->size;
  for (uint32_t k = 0; k < scene->times; ++k) {
    def.position[0] = (float)(distance * ((double)k - 0.5 * (double)(scene->times - 1)));
    if (!add_collider(&def, world, why)) return false;
  }
  return true;
}

static bool add_colliders(const tool_contact_scene* scene, weft_world* world, tool_message* why) {
  weft_collider_def def = weft_default_collider_def();
  // the friction of a pair is the root of the sum of squares: the cloth alone has some
  def.static_friction = def.dynamic_friction = 0.0f;
  if (scene->kind == TOOL_DRAPE_SPHERE) {
    def.shape = WEFT_COLLIDER_SHAPE_SPHERE;
    def.radius = (float)scene->radius;
    return add_spheres(scene, def, world, why);
  }
  def.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE;
  if (!add_collider(&def, world, why)) return false;
  return !tool_contact_is_heap(scene->kind) || add_walls(scene, def, world, why);
}

bool tool_start_contacts(const tool_contact_scene* scene, weft_world* world, bool with_contacts,
                         tool_message* why) {
  if (scene->kind == TOOL_DROP_FOLDS && !start_waves(scene, world, why)) return false;
  return !with_contacts || (set_contacts(scene, world, why) && add_colliders(scene, world, why));
}
