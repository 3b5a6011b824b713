/* Rows of contact paths: nothing, the body with itself, each collider, those smaller than faces,
 * cloth on cloth, spheres, grips. Supports have their top at y = 0. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "laws/trial.h"
#include "libraries/bodies/turn.h"
#include "support/bare.h"

static void add_collider(law_trial* trial, weft_collider_def* def) {
  must(weft_world_add_collider(trial->world, def, &trial->colliders[trial->collider_count++]));
}

static void open_floor(law_trial* trial, float height) {
  weft_collider_def def = weft_default_collider_def();
  def.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE, def.position[1] = height;
  add_collider(trial, &def);
}

static void open_bounds(law_trial* trial) {
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = 0.0f;
  bounds.surface.static_friction = bounds.surface.dynamic_friction = trial->def.friction;
  must(weft_world_set_bounds(trial->world, &bounds));
}

enum { SIDE = 9 };  // samples of a side, 0.5 m apart

static void corner_of_box(const float* direction, float* point) {
  point[0] = direction[0] < 0.0f ? -2.0f : 2.0f;
  point[1] = direction[1] < 0.0f ? -0.5f : 0.0f;
  point[2] = direction[2] < 0.0f ? -2.0f : 2.0f;
}

static void support_of_box(const void* context, const float* direction, float* point) {
  (void)context;
  corner_of_box(direction, point);
}

static void open_hull(law_trial* trial, weft_collider_def* def) {
  float points[8][3];
  for (int i = 0; i < 8; ++i) {
    const float direction[3] = {i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f};
    corner_of_box(direction, points[i]);
  }
  def->points = points[0], def->point_count = 8;
  add_collider(trial, def);
}

static void open_heights(law_trial* trial, weft_collider_def* def) {
  static const float heights[SIDE * SIDE];
  def->samples = heights, def->size[0] = def->size[2] = SIDE, def->spacing = 0.5f;
  def->position[0] = def->position[2] = -2.0f;
  add_collider(trial, def);
}

static void open_distances(law_trial* trial, weft_collider_def* def) {
  float samples[SIDE * SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE * SIDE; ++i) samples[i] = 0.5f * (float)(i / SIDE % SIDE - 4);
  def->samples = samples, def->spacing = 0.5f;
  def->size[0] = def->size[1] = def->size[2] = SIDE;
  for (int axis = 0; axis < 3; ++axis) def->position[axis] = -2.0f;
  add_collider(trial, def);
}

// points of a plane of triangles, waved by `amplitude`
static void wave_points(float amplitude, float points[SIDE * SIDE][3]) {
  for (int i = 0; i < SIDE * SIDE; ++i) {
    const int column = i % SIDE, row = i / SIDE;
    points[i][0] = 0.5f * (float)column - 2.0f, points[i][2] = 0.5f * (float)row - 2.0f;
    points[i][1] = (column + row) % 2 == 0 ? amplitude : -amplitude;
  }
}

static void open_mesh(law_trial* trial, weft_collider_def* def) {
  float points[SIDE * SIDE][3];
  uint32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
  uint32_t count = 0;
  wave_points(0.0f, points);
  for (uint32_t i = 0; i + SIDE < SIDE * SIDE; ++i) {
    if (i % SIDE == SIDE - 1) continue;
    const uint32_t faces[2][3] = {{i, i + SIDE, i + 1}, {i + 1, i + SIDE, i + SIDE + 1}};
    memcpy(triangles[count], faces, sizeof(faces));
    count += 2;
  }
  def->points = points[0], def->point_count = SIDE * SIDE;
  def->triangles = triangles[0], def->triangle_count = count;
  def->deforms = (trial->path->traits & TRAIT_DRIVE) != 0;
  add_collider(trial, def);
}

static void open_level(law_trial* trial) {
  weft_collider_def def = weft_default_collider_def();
  def.shape = (weft_collider_shape)trial->path->kind;
  switch (def.shape) {
    case WEFT_COLLIDER_SHAPE_HULL:
      open_hull(trial, &def);
      return;
    case WEFT_COLLIDER_SHAPE_HEIGHTFIELD:
      open_heights(trial, &def);
      return;
    case WEFT_COLLIDER_SHAPE_DISTANCE_GRID:
      open_distances(trial, &def);
      return;
    case WEFT_COLLIDER_SHAPE_MESH:
      open_mesh(trial, &def);
      return;
    case WEFT_COLLIDER_SHAPE_BOX:
      def.half_size[0] = def.half_size[2] = 2.0f, def.position[1] = -def.half_size[1];
      break;
    case WEFT_COLLIDER_SHAPE_SUPPORT:
      def.support = support_of_box;
      break;
    default:
      break;
  }
  add_collider(trial, &def);
}

// a sphere or a capsule smaller than faces
static void open_thin(law_trial* trial) {
  weft_collider_def def = weft_default_collider_def();
  def.shape = (weft_collider_shape)trial->path->kind;
  def.radius = 0.02f, def.position[1] = -def.radius;
  def.half_size[1] = 0.25f;
  if (def.shape == WEFT_COLLIDER_SHAPE_CAPSULE) def.rotation[2] = def.rotation[3] = 0.70710678f;
  add_collider(trial, &def);
  open_floor(trial, -0.6f);
}

static void open_curved(law_trial* trial) {
  weft_collider_def def = weft_default_collider_def();
  def.shape = (weft_collider_shape)trial->path->kind;
  def.radius = 0.25f, def.position[1] = -0.25f;
  def.half_size[0] = 0.4f, def.half_size[1] = 0.25f, def.half_size[2] = 0.3f;
  // a capsule lies
  if (def.shape == WEFT_COLLIDER_SHAPE_CAPSULE) def.rotation[2] = def.rotation[3] = 0.70710678f;
  if (def.shape == WEFT_COLLIDER_SHAPE_BOX) def.half_size[0] = 0.2f, def.half_size[2] = 0.15f;
  add_collider(trial, &def);
  open_floor(trial, -0.6f);
}

static void move_box(law_trial* trial) {
  const double angle = 0.1 * trial->step;
  const float position[3] = {0.1f * (float)weft__turn_by(angle).sine, -0.5f, 0.0f};
  must(weft_world_move_collider(trial->world, trial->colliders[0], position, NULL));
}

static void move_mesh(law_trial* trial) {
  float points[SIDE * SIDE][3];
  wave_points(0.04f * (float)weft__turn_by(0.1 * trial->step).sine, points);
  must(weft_world_move_collider_points(trial->world, trial->colliders[0], SIDE * SIDE, points[0],
                                       12));
}

// pins go sideways at 6 m/s for half a second, and stop at once
static void move_pins(law_trial* trial) {
  const float place = 0.1f * fminf((float)(trial->step + 1), 30.0f);
  for (uint32_t i = 0; i < trial->count; ++i) {
    float inverse_mass;
    must(weft_world_get(trial->world, WEFT_ATTRIBUTE_INVERSE_MASS, weft_range(i, 1), &inverse_mass,
                        0));
    if (trial->mass[i] > 0.0 || inverse_mass > 0.0f) continue;
    const float* first = trial->first_positions + 3 * i;
    const float target[3] = {first[0], first[1], first[2] + place};
    must(weft_world_set(trial->world, WEFT_ATTRIBUTE_TARGET, weft_range(i, 1), target, 0));
  }
}

// a closed mesh that goes through the body at 10 m/s
static void open_arm(law_trial* trial) {
  static const float points[6][3] = {{0.12f, 0, 0},  {-0.12f, 0, 0}, {0, 0.12f, 0},
                                     {0, -0.12f, 0}, {0, 0, 0.12f},  {0, 0, -0.12f}};
  static const uint32_t triangles[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                           {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  weft_collider_def def = weft_default_collider_def();
  def.shape = WEFT_COLLIDER_SHAPE_MESH, def.one_sided = true;
  def.points = points[0], def.point_count = 6, def.triangles = triangles[0];
  def.triangle_count = 8, def.position[2] = 0.5f;
  add_collider(trial, &def);
}

static void move_arm(law_trial* trial) {
  const float way = 10.0f / 60.0f * (float)(trial->step + 1);
  const float position[3] = {0.05f, -0.05f, 0.5f - fminf(way, 3.0f)};
  must(weft_world_move_collider(trial->world, trial->colliders[0], position, NULL));
}

// pads above and below a lying body
static const float open_gap = 0.05f;

static void open_pads(law_trial* trial) {
  weft_collider_def def = weft_default_collider_def();
  def.shape = WEFT_COLLIDER_SHAPE_BOX;
  def.half_size[0] = def.half_size[2] = 2.0f, def.position[1] = -def.half_size[1];
  add_collider(trial, &def);
  def.position[1] = def.half_size[1] + 2.0f * trial->body->thickness + open_gap;
  add_collider(trial, &def);
}

// the upper pad closes in half a second, to four fifths of the body's thickness
static void move_pads(law_trial* trial) {
  const float share = fminf(1.0f, (float)(trial->step + 1) / 30.0f);
  const float gap = open_gap - share * (open_gap + 0.4f * trial->body->thickness);
  const float position[3] = {0.0f, 0.5f + 2.0f * trial->body->thickness + gap, 0.0f};
  must(weft_world_move_collider(trial->world, trial->colliders[1], position, NULL));
}

static void add_pinned_sheet(weft_scene* scene) {
  weft_sheet_def def = weft_default_sheet_def();
  weft_body body;
  def.columns = def.rows = 21, def.spacing = 0.06f;
  def.origin[0] = def.origin[2] = -0.6f;
  def.down[1] = 0.0f, def.down[2] = 1.0f;
  must(weft_scene_add_sheet(scene, &def, &body));
  must(weft_scene_pin(scene, weft_range(body.first_particle, body.particle_count)));
}

static void add_pinned_ropes(weft_scene* scene) {
  for (int i = 0; i < 9; ++i) {
    weft_rope_def def = bare_rope_def();
    weft_body body;
    def.origin[0] = -0.6f, def.end[0] = 0.6f, def.end[1] = 0.0f, def.segments = 8;
    def.origin[2] = def.end[2] = 0.13f * (float)(i - 4);
    must(weft_scene_add_rope(scene, &def, &body));
    must(weft_scene_pin(scene, weft_range(body.first_particle, body.particle_count)));
  }
}

// clang-format off
#define BEARS (TRAIT_LOADS | TRAIT_FLOOR | TRAIT_LEVEL | TRAIT_SLOPE)
#define CARRIES (TRAIT_LOADS | TRAIT_FLOOR)
#define ROCKS (CARRIES | TRAIT_DRIVE)
#define HELD (TRAIT_HELD | TRAIT_AXIS)
#define LEVEL(shape) .kind = WEFT_COLLIDER_SHAPE_##shape, .open = open_level
#define CURVED(shape) .kind = WEFT_COLLIDER_SHAPE_##shape, .open = open_curved
#define THIN(shape) .kind = WEFT_COLLIDER_SHAPE_##shape, .open = open_thin
#define POINT .shape = WEFT_PARTICLE_SHAPE_POINT
#define CLOTH .shape = WEFT_PARTICLE_SHAPE_CLOTH
const law_path law_paths[] = {
  {"none", TRAIT_ALOFT | TRAIT_LEVEL, 0, 0, POINT},
  {"half-space", BEARS, 0, HELD, POINT, LEVEL(HALF_SPACE)},
  {"bounds", TRAIT_FLOOR | TRAIT_LEVEL | TRAIT_SLOPE, 0, HELD, POINT, .open = open_bounds},
  {"plane", BEARS, 0, HELD, POINT, LEVEL(PLANE)},
  {"box", BEARS, 0, HELD, POINT, LEVEL(BOX)},
  {"hull", BEARS, 0, HELD, POINT, LEVEL(HULL)},
  {"heightfield", BEARS, 0, HELD, POINT, LEVEL(HEIGHTFIELD)},
  {"mesh", BEARS, 0, HELD, POINT, LEVEL(MESH)},
  {"distance-grid", BEARS, 0, HELD, POINT, LEVEL(DISTANCE_GRID)},
  {"support", BEARS, 0, HELD, POINT, LEVEL(SUPPORT)},
  {"sphere", CARRIES, 0, HELD, POINT, CURVED(SPHERE)},
  {"capsule", CARRIES, 0, HELD, POINT, CURVED(CAPSULE)},
  {"ellipsoid", CARRIES, 0, HELD, POINT, CURVED(ELLIPSOID)},
  {"knob", CARRIES, TRAIT_FACES, HELD, POINT, THIN(SPHERE)},
  {"rod", CARRIES, TRAIT_FACES, HELD, POINT, THIN(CAPSULE)},
  {"box-moves", ROCKS, 0, HELD, POINT, LEVEL(BOX), .move = move_box},
  {"mesh-deforms", ROCKS, 0, HELD, POINT, LEVEL(MESH), .move = move_mesh},
  {"pins-move", TRAIT_DRIVE | TRAIT_JERKS, 0, TRAIT_FREE, POINT, .move = move_pins},
  {"arm", TRAIT_DRIVE | TRAIT_PASSES, TRAIT_FACES, TRAIT_FREE, POINT, .open = open_arm,
   .move = move_arm},
  {"arm-exact", TRAIT_DRIVE | TRAIT_PASSES | TRAIT_EXACT, TRAIT_FACES, TRAIT_FREE, CLOTH,
   .open = open_arm, .move = move_arm},
  {"pads", TRAIT_LOADS | TRAIT_DRIVE | TRAIT_GRIP, TRAIT_LIES, HELD | TRAIT_PARTS, CLOTH,
   .open = open_pads,
   .move = move_pads},
  {"itself", TRAIT_INNER | TRAIT_LEVEL, TRAIT_FACES, 0, CLOTH},
  {"itself-exact", TRAIT_INNER | TRAIT_LEVEL | TRAIT_EXACT, TRAIT_FACES, 0, CLOTH},
  {"spheres", TRAIT_INNER | TRAIT_LEVEL, TRAIT_LUMPS, 0, .shape = WEFT_PARTICLE_SHAPE_SPHERE},
  {"towel", BEARS, TRAIT_FACES, HELD, CLOTH, LEVEL(HALF_SPACE)},
  {"towel-exact", BEARS | TRAIT_EXACT, TRAIT_FACES, HELD, CLOTH,
   LEVEL(HALF_SPACE)},
  {"pile", BEARS, TRAIT_LUMPS, HELD, .shape = WEFT_PARTICLE_SHAPE_SPHERE,
   LEVEL(HALF_SPACE)},
  {"cloth", TRAIT_SLOPE, TRAIT_FACES, HELD, CLOTH, .add = add_pinned_sheet},
  {"cloth-exact", TRAIT_EXACT, TRAIT_FACES, HELD, POINT, .add = add_pinned_sheet},
  {"strands", TRAIT_EXACT, 0, HELD | TRAIT_LUMPS, CLOTH, .add = add_pinned_ropes},
};
// clang-format on

const uint32_t law_path_count = sizeof(law_paths) / sizeof(law_paths[0]);
