/* Fields of the defs: each call that takes a def holds each field to its row of base/defs.c. That
 * the rows are right is for tests/check_defs.py to say, which reads the public headers. */
#include <float.h>
#include <math.h>

#include "base/fields.h"
#include "support/worlds.h"

/* A call that takes a def, and the rows that count there. */
typedef struct def_call {
  const weft__fields* fields;
  weft_result (*call)(const void* def);
  void (*fill)(void* def); /* fields that the call needs; NULL = none */
  const char* rows;        /* names of members; NULL = all but conditional ones */
  const char* error_field; /* in place of the row's name, if not NULL */
  uint32_t elements;       /* of arrays, that count; 0 = all */
} def_call;

typedef union any_def {
  weft_link_def link;
  weft_material_def material;
  weft_sheet_def sheet;
  weft_mesh_def mesh;
  weft_force_curve_def force_curve;
  weft_pair_force_def pair_force;
  weft_world_def world;
  weft_threads_def threads;
  weft_rope_def rope;
  weft_rod_def rod;
  weft_composite_def composite;
  weft_double_pendulum_def double_pendulum;
  weft_ball_def ball;
  weft_particle_shape_def particle_shape;
  weft_collider_def collider;
  weft_bulk_def bulk;
  weft_joint_def joint;
  weft_seam_def seam;
} any_def;

// ---- calls on a scene ----

enum { CLOTH = 4 };

static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t triangle[] = {0, 1, 2};
static const float ones[] = {1, 1, 1, 1, 1, 1, 1, 1};

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
  static const float ascending[] = {0, 1};
  *(weft_force_curve_def*)def = (weft_force_curve_def){ascending, ascending, 2, false};
}

static void fill_points(void* def) {
  weft_rope_def* rope = def;
  rope->points = corners;
  rope->point_count = 4;
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
static void make_world(void) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, CLOTH, CLOTH, ALL_FAMILIES);
  expect_ok(weft_scene_reserve_particles(scene, 1, NULL));
  weft_world_def def = weft_plain_world_def();
  def.faces = true;
  def.friction_rule = WEFT_FRICTION_RULE_TABLE;
  world = new_world_from(&def, scene);
}

static void drop_world(void) {
  weft_world_destroy(&world);
}

// A call on the world, which a refusal leaves as it was.
#define ON_WORLD(name, type, expression)                                    \
  static weft_result call_##name(const void* given) {                       \
    const type* def = given;                                                \
    const uint64_t before = weft_world_hash(world);                         \
    const weft_result result = expression;                                  \
    ck_assert(result.error == WEFT_OK || weft_world_hash(world) == before); \
    return result;                                                          \
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

static weft_result find_near(const weft_query_filter_def* def) {
  weft_query_hit hit;
  bool found;
  return weft_world_find_closest(world, corners, 1.0f, def, &hit, &found);
}

ON_WORLD(particle_shape, weft_particle_shape_def, weft_world_set_particle_shape(world, 0, 1, def))
ON_WORLD(material_pair, weft_material_pair_def, weft_world_set_material_pair(world, 0, 1, def))
ON_WORLD(contact_limits, weft_contact_limits_def, weft_world_set_contact_limits(world, def))
ON_WORLD(wind, weft_wind_def, weft_world_set_wind(world, def))
ON_WORLD(bounds, weft_bounds_def, weft_world_set_bounds(world, def))
ON_WORLD(bulk, weft_bulk_def, weft_world_read(world, def))
ON_WORLD(particle, weft_particle_def, add_particle(def))
ON_WORLD(collider, weft_collider_def, add_collider(def))
ON_WORLD(joint, weft_joint_def, add_joint(def))
ON_WORLD(seam, weft_seam_def, add_seam(def))
ON_WORLD(query_filter, weft_query_filter_def, find_near(def))

static void fill_spring(void* def) {
  ((weft_pair_force_def*)def)->kind = WEFT_PAIR_FORCE_SPRING;
}

static void fill_lennard_jones(void* def) {
  ((weft_pair_force_def*)def)->kind = WEFT_PAIR_FORCE_LENNARD_JONES;
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

static void fill_friction(void* def) {
  ((weft_collider_def*)def)->static_friction = 1000.0f;
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
  collider->samples = ones;
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

static const def_call calls[] = {
    {&weft__link_fields, call_link, fill_link,
     "relaxation tear_ratio kind compliance mode spring_damping", "links", 0},
    FILLED(material, fill_material),
    ALL(sheet),
    FILLED(mesh, fill_mesh),
    {&weft__force_curve_fields, call_force_curve, fill_force_curve, "count", "count", 0},
    ALL(rope),
    SOME(rope, NULL, "origin end segments"),
    SOME(rope, fill_points, "point_count"),
    ALL(rod),
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
    ALL(world),
    FILLED(pair_force, fill_spring),
    SOME(pair_force, fill_lennard_jones, "size"),
    FILLED(threads, fill_threads),
    ALL(particle_shape),
    {&weft__particle_shape_fields, call_particle_shape, NULL, "half_size", NULL, 1},
    ALL(material_pair),
    ALL(contact_limits),
    ALL(wind),
    SOME(bounds, NULL, "restitution static_friction dynamic_friction"),
    SOME(bulk, NULL, "interpolation"),
    ALL(particle),
    FILLED(collider, fill_friction),
    SOME(collider, NULL, "radius"),
    SOME(collider, fill_box, "half_size"),
    SOME(collider, fill_collider_mesh, "point_count triangle_count"),
    SOME(collider, fill_grid, "size spacing"),
    SOME(collider, fill_heightfield, "spacing"),
    SOME(collider, fill_support, "support_level"),
    FILLED(joint, fill_joint),
    FILLED(seam, fill_seam),
    ALL(query_filter),
};
enum { CALLS = sizeof(calls) / sizeof(*calls) };

// ---- values ----

static bool is_named(const char* names, const weft__field* field) {
  const char* member = strchr(field->name, '.') + 1;
  const size_t length = strlen(member);
  for (const char* at = names; (at = strstr(at, member)) != NULL; at += length) {
    const bool begins = at == names || at[-1] == ' ';
    if (begins && (at[length] == ' ' || at[length] == '\0')) return true;
  }
  return false;
}

static bool counts(const def_call* call, const weft__field* field) {
  if (call->rows != NULL) return is_named(call->rows, field);
  return !(field->flags & WEFT__FIELD_CONDITIONAL) && field->kind != WEFT__FIELD_DEF;
}

static any_def new_def(const def_call* call) {
  any_def def;
  weft__set_defaults(call->fields, &def);
  if (call->fill != NULL) call->fill(&def);
  return def;
}

static void expect_refused(const def_call* call, const any_def* def, const weft__field* field,
                           weft_error error, uint64_t index) {
  const char* name = call->error_field != NULL ? call->error_field : field->name;
  expect_error_at(call->call(def), error, name, index);
}

// Accepted, or refused for other reasons than the range of the field.
static void expect_in_range(const def_call* call, const any_def* def, const weft__field* field) {
  const weft_result result = call->call(def);
  const bool is_range = result.error == WEFT_ERROR_NOT_FINITE || result.error == WEFT_ERROR_RANGE ||
                        result.error == WEFT_ERROR_EMPTY || result.error == WEFT_ERROR_TOO_MANY;
  ck_assert_msg(!is_range || strcmp(result.field, field->name) != 0, "%s: %s", field->name,
                weft_error_text(result.error));
}

// Fits other fields to a value at the end of its range.
static void fit(const def_call* call, const weft__field* field, any_def* def, uint32_t element) {
  if (call->fields == &weft__joint_fields && is_named("weights", field)) {
    const uint32_t other = element == 0 ? 1 : 0;
    def->joint.weights[other] = 1.0f - def->joint.weights[element];
  }
  if (call->fields != &weft__ball_fields) return;
  if (is_named("radius", field)) def->ball.mass = def->ball.radius > 1.0f ? 1e6f : 1e-3f;
  if (is_named("mass", field)) def->ball.radius = def->ball.mass > 1.0f ? 1.0f : 0.2f;
}

static void try_float(const def_call* call, const weft__field* field, uint32_t element) {
  const float lower = (float)field->lower, upper = (float)field->upper;
  const bool is_open = isinf(upper);
  const float inside = field->flags & WEFT__FIELD_ABOVE ? nextafterf(lower, INFINITY) : lower;
  const float below = nextafterf(inside, -INFINITY);
  const bool is_zero = below == 0.0f && (field->flags & WEFT__FIELD_OR_ZERO);
  const struct {
    float value;
    weft_error error;
  } values[] = {
      {NAN, WEFT_ERROR_NOT_FINITE},
      {INFINITY, is_open ? WEFT_OK : WEFT_ERROR_NOT_FINITE},
      {-INFINITY, is_open ? WEFT_ERROR_RANGE : WEFT_ERROR_NOT_FINITE},
      {below, is_zero ? WEFT_OK : WEFT_ERROR_RANGE},
      {inside, WEFT_OK},
      {upper, WEFT_OK},
      {nextafterf(upper, INFINITY), upper < FLT_MAX ? WEFT_ERROR_RANGE
                                    : is_open       ? WEFT_OK
                                                    : WEFT_ERROR_NOT_FINITE},
      {field->flags & WEFT__FIELD_OR_ZERO ? 0.0f : inside, WEFT_OK},
  };
  for (size_t v = 0; v < sizeof(values) / sizeof(*values); ++v) {
    any_def def = new_def(call);
    memcpy((char*)&def + field->offset + element * sizeof(float), &values[v].value, sizeof(float));
    if (values[v].error == WEFT_OK) {
      fit(call, field, &def, element);
      expect_in_range(call, &def, field);
    } else {
      expect_refused(call, &def, field, values[v].error, element);
    }
  }
}

static void set_whole(any_def* def, const weft__field* field, uint32_t element, double value) {
  char* at = (char*)def + field->offset;
  const size_t bytes = field->bytes / weft__field_count(field);
  const int64_t whole = (int64_t)value;
  // little-endian machines and the rest alike: one type a size
  const uint32_t half = (uint32_t)whole;
  memcpy(at + element * bytes, bytes == sizeof(half) ? (const void*)&half : &whole, bytes);
}

// Counts beyond this are accepted by calls that take long.
#define MOST 100000.0

static void try_whole(const def_call* call, const weft__field* field, uint32_t element) {
  const bool is_count = field->kind == WEFT__FIELD_COUNT;
  const bool is_signed = field->kind == WEFT__FIELD_INT || field->kind == WEFT__FIELD_LONG;
  const double largest = field->kind == WEFT__FIELD_LONG ? 0x1p62 : (double)UINT32_MAX;
  const struct {
    double value;
    weft_error error;
    bool exists;
  } values[] = {
      {field->lower - 1.0, is_count && field->lower == 1.0 ? WEFT_ERROR_EMPTY : WEFT_ERROR_RANGE,
       field->lower > 0.0 || is_signed},
      {0.0, is_count ? WEFT_ERROR_EMPTY : WEFT_ERROR_RANGE,
       field->lower > 0.0 && !(field->flags & WEFT__FIELD_OR_ZERO)},
      {field->lower, WEFT_OK, true},
      {field->upper, WEFT_OK, field->upper <= MOST},
      {field->upper + 1.0, is_count ? WEFT_ERROR_TOO_MANY : WEFT_ERROR_RANGE,
       field->upper < largest},
      {(double)UINT32_MAX, WEFT_OK, field->flags & WEFT__FIELD_OR_AUTO},
      {0.0, WEFT_OK, field->flags & WEFT__FIELD_OR_ZERO},
  };
  for (size_t v = 0; v < sizeof(values) / sizeof(*values); ++v) {
    any_def def = new_def(call);
    if (!values[v].exists) continue;
    set_whole(&def, field, element, values[v].value);
    if (values[v].error == WEFT_OK) {
      expect_in_range(call, &def, field);
    } else {
      expect_refused(call, &def, field, values[v].error, element);
    }
  }
}

// A direction or a quaternion: finite, of unit length, at right angles to the one before.
static void try_unit(const def_call* call, const weft__field* field) {
  static const float bad[] = {NAN, INFINITY, -INFINITY};
  static const float lengths[] = {0.0f, 0.998f, 1.002f, 1e-20f, 1e30f};
  for (uint32_t k = 0; k < weft__field_count(field); ++k) {
    for (int n = 0; n < 3; ++n) {
      any_def def = new_def(call);
      memcpy((char*)&def + field->offset + k * sizeof(float), &bad[n], sizeof(float));
      expect_refused(call, &def, field, WEFT_ERROR_NOT_FINITE, k);
    }
  }
  for (int n = 0; n < 5; ++n) {
    any_def def = new_def(call);
    float* unit = (float*)(void*)((char*)&def + field->offset);
    for (uint32_t k = 0; k < weft__field_count(field); ++k) unit[k] *= lengths[n];
    expect_refused(call, &def, field, WEFT_ERROR_RANGE, 0);
  }
  if (!(field->flags & WEFT__FIELD_ORTHOGONAL)) return;
  any_def def = new_def(call);
  const float skewed[] = {0.6f, 0.8f, 0.0f};
  memcpy((char*)&def + field->offset, skewed, sizeof(skewed));
  expect_refused(call, &def, field, WEFT_ERROR_RANGE, 0);
}

static void try_rest(const def_call* call, const weft__field* field) {
  any_def def = new_def(call);
  if (field->flags & WEFT__FIELD_REQUIRED) {
    memset((char*)&def + field->offset, 0, field->bytes);
    expect_refused(call, &def, field, WEFT_ERROR_NULL, 0);
  }
  if (field->flags & WEFT__FIELD_AT_MOST) {
    const float values[] = {0.5f, 0.75f};
    memcpy((char*)&def + field[-1].offset, &values[0], sizeof(float));
    memcpy((char*)&def + field->offset, &values[1], sizeof(float));
    expect_refused(call, &def, field, WEFT_ERROR_RANGE, 0);
  }
}

START_TEST(each_field_is_held_to_its_range_and_named) {
  const def_call* call = &calls[_i];
  make_world();
  for (uint32_t f = 0; f < call->fields->count; ++f) {
    const weft__field* field = &call->fields->rows[f];
    if (!counts(call, field)) continue;
    const uint32_t elements = call->elements > 0 ? call->elements : weft__field_count(field);
    if (field->kind == WEFT__FIELD_UNIT) try_unit(call, field);
    for (uint32_t k = 0; k < elements; ++k) {
      if (field->kind == WEFT__FIELD_FLOAT) try_float(call, field, k);
      if (field->kind > WEFT__FIELD_UNIT && field->kind < WEFT__FIELD_FLAG) {
        try_whole(call, field, k);
      }
    }
    try_rest(call, field);
  }
  drop_world();
}
END_TEST

START_TEST(a_def_not_made_by_its_default_function_is_refused) {
  const def_call* call = &calls[_i];
  if (call->fields->cookie == 0) return;
  make_world();
  any_def def = new_def(call);
  uint32_t cookie = call->fields->cookie ^ 1u;
  const bool is_material = call->fields == &weft__material_fields;
  memcpy((char*)&def + call->fields->cookie_offset, &cookie, sizeof(cookie));
  expect_error(call->call(&def), WEFT_ERROR_DEF,
               is_material ? "weft_mesh_def.material" : call->fields->name);
  memset(&def, 0, sizeof(def));
  expect_error(call->call(&def), WEFT_ERROR_DEF,
               is_material ? "weft_mesh_def.material" : call->fields->name);
  drop_world();
}
END_TEST

START_TEST(defs_that_are_filled_are_accepted) {
  make_world();
  const any_def def = new_def(&calls[_i]);
  expect_ok(calls[_i].call(&def));
  drop_world();
}
END_TEST

START_TEST(every_range_is_tried_at_a_call) {
  // ranges that depend on other fields
  static const char elsewhere[] = "rest_length max_length lower upper isa";
  for (const weft__fields* const* fields = weft__fields_of_defs; *fields != NULL; ++fields) {
    for (uint32_t f = 0; f < (*fields)->count; ++f) {
      const weft__field* field = &(*fields)->rows[f];
      bool is_tried = field->kind >= WEFT__FIELD_FLAG || is_named(elsewhere, field) ||
                      (field->lower == 0.0 && field->upper >= (double)UINT32_MAX);
      for (int c = 0; c < CALLS && !is_tried; ++c) {
        is_tried = calls[c].fields == *fields && counts(&calls[c], field);
      }
      ck_assert_msg(is_tried, "%s", field->name);
    }
  }
}
END_TEST

SUITE(defs) {
  tcase_add_test(tests, every_range_is_tried_at_a_call);
  tcase_add_loop_test(tests, each_field_is_held_to_its_range_and_named, 0, CALLS);
  tcase_add_loop_test(tests, a_def_not_made_by_its_default_function_is_refused, 0, CALLS);
  tcase_add_loop_test(tests, defs_that_are_filled_are_accepted, 0, CALLS);
}
