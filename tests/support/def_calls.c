#include "support/def_calls.h"

#include <stdlib.h>
#include <string.h>

#include "support/worlds.h"

// ---- calls on a scene ----

enum { CLOTH = 4 };

static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t triangle[] = {0, 1, 2};
static const float ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
static const float samples[4 * 65536];

// A call on a new scene, which a refusal leaves empty.
#define ON_SCENE(name, type, expression)                         \
  static weft_result call_##name(const void* given) {            \
    const type* def = given;                                     \
    weft_scene* scene = new_scene();                             \
    weft_body body;                                              \
    const weft_result result = expression;                       \
    const bool is_empty = weft_scene_particle_count(scene) == 0; \
    ck_assert(result.error == WEFT_OK || is_empty);              \
    weft_scene_destroy(&scene);                                  \
    return result;                                               \
  }
#define BODY(name) ON_SCENE(name, weft_##name##_def, weft_scene_add_##name(scene, def, &body))

BODY(sheet)
BODY(mesh)
BODY(rope)
BODY(rod)
BODY(circle)
BODY(box)
BODY(triangle)
BODY(tire)
BODY(composite)
BODY(ragdoll)
BODY(tree)
BODY(web)
BODY(double_pendulum)
BODY(ball)
BODY(cloth)

static weft_result add_link(const weft_link_def* link) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, corners, ones, 2, NULL));
  const weft_result result = weft_scene_add_links(scene, link, 1, NULL);
  weft_scene_destroy(&scene);
  return result;
}

static weft_result call_link(const void* def) {
  return add_link(def);
}

static weft_result add_curve(weft_scene* scene, const weft_force_curve_def* def) {
  uint32_t curve;
  return weft_scene_add_force_curve(scene, def, &curve);
}
ON_SCENE(force_curve, weft_force_curve_def, ((void)body, add_curve(scene, def)))

static weft_result add_material(weft_scene* scene, const weft_material_def* material) {
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = corners;
  mesh.vertex_count = 3;
  mesh.triangles = triangle;
  mesh.triangle_count = 1;
  mesh.warp[0] = 1.0f;
  mesh.material = material;
  return weft_scene_add_mesh(scene, &mesh, NULL);
}
ON_SCENE(material, weft_material_def, ((void)body, add_material(scene, def)))

static void fill_link(void* def) {
  weft_link_def* link = def;
  link->b = 1;
  link->rest_length = 1.0f;
}

static void fill_material(void* def) {
  weft_material_def* material = def;
  material->membrane = true;
  material->stretch_stiffness = 1e6f;
  material->weft_stiffness = 1e3f;
  material->bend_stiffness = 1.0f;
}

static void fill_mesh(void* def) {
  weft_mesh_def* mesh = def;
  mesh->positions = corners;
  mesh->vertex_count = 3;
  mesh->triangles = triangle;
  mesh->triangle_count = 1;
}

static void fill_force_curve(void* def) {
  // as many as any curve may have
  static float ascending[4096];
  for (uint32_t i = 0; i < 4096; ++i) ascending[i] = (float)i;
  *(weft_force_curve_def*)def = (weft_force_curve_def){ascending, ascending, 2, false};
}

static void fill_points(void* def) {
  weft_rope_def* rope = def;
  rope->points = corners;
  rope->point_count = 4;
}

// A segment so short that it may turn by the largest twist.
static void fill_rod(void* def) {
  weft_rod_def* rod = def;
  rod->rope.end[1] = -1e-6f;
  rod->rope.segments = 1;
}

static void fill_composite(void* def) {
  weft_composite_def* composite = def;
  composite->positions = corners;
  composite->inverse_masses = ones;
  composite->particle_count = 4;
}

static void fill_ball(void* def) {
  ((weft_ball_def*)def)->level = 0;
}

// ---- calls on a world ----

static weft_world* world;

// Cloth with faces, and room for a particle.
void make_def_world(void) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, CLOTH, CLOTH, ALL_FAMILIES);
  expect_ok(weft_scene_reserve_particles(scene, 1, NULL));
  weft_world_def def = weft_plain_world_def();
  def.friction_rule = WEFT_FRICTION_RULE_TABLE;
  world = new_world(&def, scene);
}

static void* new_snapshot(size_t* size) {
  expect_ok(weft_world_get_snapshot_size(world, size));
  void* snapshot = malloc(*size);
  expect_ok(weft_world_save(world, snapshot, *size, size));
  return snapshot;
}

// Result of a call; a refusal leaves the world unchanged.
static weft_result checked(weft_result result, void* before, size_t size_before) {
  size_t size;
  void* after = new_snapshot(&size);
  ck_assert(result.error == WEFT_OK || (size == size_before && memcmp(before, after, size) == 0));
  free(before);
  free(after);
  return result;
}

#define ON_WORLD(name, type, expression)              \
  static weft_result call_##name(const void* given) { \
    const type* def = given;                          \
    size_t size;                                      \
    void* before = new_snapshot(&size);               \
    const weft_result result = expression;            \
    return checked(result, before, size);             \
  }

static weft_result create_world(const weft_world_def* def) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, CLOTH, CLOTH, ALL_FAMILIES);
  weft_world* made = NULL;
  const weft_result result = weft_world_create(def, scene, &made);
  ck_assert(result.error == WEFT_OK || made == NULL);
  weft_world_destroy(&made);
  weft_scene_destroy(&scene);
  return result;
}

static weft_result call_world(const void* def) {
  return create_world(def);
}

static weft_result call_pair_force(const void* def) {
  weft_world_def made = weft_plain_world_def();
  made.pair_force = *(const weft_pair_force_def*)def;
  return create_world(&made);
}

static weft_result call_solver(const void* def) {
  weft_world_def made = weft_plain_world_def();
  made.solver = *(const weft_solver_def*)def;
  return create_world(&made);
}

static weft_result call_threads(const void* def) {
  weft_threads* threads = NULL;
  const weft_result result = weft_threads_create(def, &threads);
  weft_threads_destroy(&threads);
  return result;
}

static weft_result add_particle(const weft_particle_def* def) {
  weft_particle particle;
  const weft_result result = weft_world_add_particle(world, def, &particle);
  if (result.error == WEFT_OK) expect_ok(weft_world_remove_particle(world, particle));
  return result;
}

static weft_result add_collider(const weft_collider_def* def) {
  weft_collider collider;
  const weft_result result = weft_world_add_collider(world, def, &collider);
  if (result.error == WEFT_OK) expect_ok(weft_world_remove_collider(world, collider));
  return result;
}

static weft_result add_joint(const weft_joint_def* def) {
  weft_joint joint;
  const weft_result result = weft_world_add_joint(world, def, &joint);
  if (result.error == WEFT_OK) expect_ok(weft_world_remove_joint(world, joint));
  return result;
}

static weft_result add_seam(const weft_seam_def* def) {
  weft_joint joint;
  const weft_result result = weft_world_add_seam(world, def, &joint);
  if (result.error == WEFT_OK) expect_ok(weft_world_remove_joint(world, joint));
  return result;
}

static weft_result ask(const weft_query_def* def) {
  weft_query_hit hit;
  uint32_t count;
  return weft_world_query(world, def, 1, &hit, &count);
}

ON_WORLD(particle_shape, weft_particle_shape_def,
         weft_world_set_particle_shape(world, weft_range(0, 1), def))
ON_WORLD(contact_limits, weft_contact_limits_def, weft_world_set_contact_limits(world, def))
ON_WORLD(wind, weft_wind_def, weft_world_set_wind(world, def))
ON_WORLD(bounds, weft_bounds_def, weft_world_set_bounds(world, def))
ON_WORLD(vertices, weft_vertices_def, weft_world_read_vertices(world, def))
ON_WORLD(particle, weft_particle_def, add_particle(def))
ON_WORLD(collider, weft_collider_def, add_collider(def))
ON_WORLD(joint, weft_joint_def, add_joint(def))
ON_WORLD(seam, weft_seam_def, add_seam(def))
ON_WORLD(query, weft_query_def, ask(def))

static weft_result call_pair_surface(const void* def) {
  return weft_world_set_material_pair(world, 0, 1, def);
}

#define SURFACE_OF(name)                                      \
  static weft_result call_##name##_surface(const void* def) { \
    weft_##name##_def made = weft_default_##name##_def();     \
    made.surface = *(const weft_surface_def*)def;             \
    return call_##name(&made);                                \
  }
SURFACE_OF(particle_shape)
SURFACE_OF(bounds)
SURFACE_OF(collider)

static void fill_spring(void* def) {
  ((weft_pair_force_def*)def)->kind = WEFT_PAIR_FORCE_SPRING;
}

static void fill_lennard_jones(void* def) {
  ((weft_pair_force_def*)def)->kind = WEFT_PAIR_FORCE_LENNARD_JONES;
}

// A query that no number of a field turns into another one.
static void fill_query(void* def) {
  ((weft_query_def*)def)->kind = WEFT_QUERY_SPHERE;
}

static void fill_threads(void* def) {
  weft_threads_def* threads = def;
  threads->count = 1;
  threads->name = "test";
}

static void fill_joint(void* def) {
  weft_joint_def* joint = def;
  for (uint32_t k = 0; k < 3; ++k) joint->to[k] = k + 1;
}

static void fill_seam(void* def) {
  static const uint32_t pair[] = {0, 1};
  weft_seam_def* seam = def;
  seam->pairs = pair;
  seam->count = 1;
}

// Dynamic friction is at most the static one.
static void fill_surface(void* def) {
  ((weft_surface_def*)def)->static_friction = 1000.0f;
}

static void fill_box(void* def) {
  ((weft_collider_def*)def)->shape = WEFT_COLLIDER_SHAPE_BOX;
}

static void fill_collider_mesh(void* def) {
  weft_collider_def* collider = def;
  collider->shape = WEFT_COLLIDER_SHAPE_MESH;
  collider->points = corners;
  collider->point_count = 4;
  collider->triangles = triangle;
  collider->triangle_count = 1;
}

static void fill_grid(void* def) {
  weft_collider_def* collider = def;
  collider->shape = WEFT_COLLIDER_SHAPE_DISTANCE_GRID;
  collider->samples = samples;
  for (int axis = 0; axis < 3; ++axis) collider->size[axis] = 2;
}

static void fill_heightfield(void* def) {
  fill_grid(def);
  ((weft_collider_def*)def)->shape = WEFT_COLLIDER_SHAPE_HEIGHTFIELD;
}

static void point_of_sphere(const void* context, const float* direction, float* point) {
  (void)context;
  for (int axis = 0; axis < 3; ++axis) point[axis] = direction[axis];
}

static void fill_support(void* def) {
  weft_collider_def* collider = def;
  collider->shape = WEFT_COLLIDER_SHAPE_SUPPORT;
  collider->support = point_of_sphere;
}

#define ALL(name) \
  { &weft__##name##_fields, call_##name, NULL, NULL, NULL, 0 }
#define FILLED(name, fill) \
  { &weft__##name##_fields, call_##name, fill, NULL, NULL, 0 }
#define SOME(name, fill, rows) \
  { &weft__##name##_fields, call_##name, fill, rows, NULL, 0 }

#define SURFACE(name) \
  { &weft__surface_fields, call_##name##_surface, fill_surface, NULL, NULL, 0 }

const def_call def_calls[] = {
    {&weft__link_fields, call_link, fill_link,
     "relaxation tear_ratio kind compliance mode spring_damping", "links", 0},
    FILLED(material, fill_material),
    ALL(sheet),
    FILLED(mesh, fill_mesh),
    {&weft__force_curve_fields, call_force_curve, fill_force_curve, "count", "count", 0},
    ALL(rope),
    SOME(rope, NULL, "origin end segments"),
    SOME(rope, fill_points, "point_count"),
    FILLED(rod, fill_rod),
    ALL(circle),
    ALL(box),
    ALL(triangle),
    ALL(tire),
    FILLED(composite, fill_composite),
    ALL(ragdoll),
    ALL(tree),
    ALL(web),
    ALL(double_pendulum),
    FILLED(ball, fill_ball),
    ALL(cloth),
    ALL(world),
    ALL(solver),
    FILLED(pair_force, fill_spring),
    SOME(pair_force, fill_lennard_jones, "size"),
    FILLED(threads, fill_threads),
    ALL(particle_shape),
    SURFACE(particle_shape),
    SURFACE(bounds),
    SURFACE(collider),
    SURFACE(pair),
    {&weft__particle_shape_fields, call_particle_shape, NULL, "half_size", NULL, 1},
    ALL(contact_limits),
    ALL(wind),
    SOME(vertices, NULL, "interpolation"),
    ALL(particle),
    ALL(collider),
    SOME(collider, NULL, "radius"),
    SOME(collider, fill_box, "half_size"),
    SOME(collider, fill_collider_mesh, "point_count triangle_count"),
    SOME(collider, fill_grid, "size spacing"),
    SOME(collider, fill_heightfield, "spacing"),
    SOME(collider, fill_support, "support_level"),
    FILLED(joint, fill_joint),
    FILLED(seam, fill_seam),
    FILLED(query, fill_query),
};
const int def_call_count = sizeof(def_calls) / sizeof(*def_calls);
