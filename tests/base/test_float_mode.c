/* Independence of the caller's floating-point mode: every public function with float arithmetic
 * gives the same bits and the same errors in all modes, and leaves the mode unchanged. */
#include "support/ask.h"
#include "support/float_mode.h"
#include "support/test.h"

enum { PARTICLE = 500, RECORD_BYTES = 4096 };

// output of a call, as bytes
typedef struct record {
  size_t length;
  unsigned char bytes[RECORD_BYTES];
} record;

static void note(record* out, const void* data, size_t length) {
  require(out->length + length <= RECORD_BYTES);
  memcpy(out->bytes + out->length, data, length);
  out->length += length;
}

static void note_result(record* out, weft_result result) {
  note(out, &result.error, sizeof(result.error));
  note(out, &result.index, sizeof(result.index));
}

// a denormal number: flushed to 0 in some modes
#define TINY 1e-40f

// collider of the last world made
static weft_collider busy_collider;

// ---- reads ----

static void read_velocities(weft_world* world, record* out) {
  float velocities[60];
  note_result(
      out, weft_world_get(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(PARTICLE, 20), velocities, 0));
  note(out, velocities, sizeof(velocities));
}

static void read_between(weft_world* world, record* out) {
  float positions[60];
  note_result(out, read_interpolated(world, 0.3f, PARTICLE, 20, positions));
  note(out, positions, sizeof(positions));
}

static void read_measures(weft_world* world, record* out) {
  weft_measures measures;
  note_result(out, weft_world_measure(world, &measures));
  note(out, &measures, sizeof(measures));
}

static void read_hash(weft_world* world, record* out) {
  const uint64_t hash = weft_world_hash(world);
  note(out, &hash, sizeof(hash));
}

static void read_collider(weft_world* world, record* out) {
  float position[3] = {0};
  float rotation[4] = {0};
  note_result(out, get_pose(world, busy_collider, position, rotation));
  note(out, position, sizeof(position));
  note(out, rotation, sizeof(rotation));
}

static void read_helpers(weft_world* world, record* out) {
  (void)world;
  const weft_ragdoll_def ragdoll = weft_default_ragdoll_def();
  const weft_tree_def tree = weft_default_tree_def();
  const float radius = weft_ragdoll_get_head_radius(&ragdoll);
  float length = 0.0f;
  uint32_t leaves[2] = {0};
  note_result(out, weft_length_at_angle(0.3f, 0.7f, 1.1f, &length));
  note_result(out, weft_tree_get_leaves(&tree, &leaves[0], &leaves[1]));
  note(out, &radius, sizeof(radius));
  note(out, &length, sizeof(length));
  note(out, leaves, sizeof(leaves));
}

static void note_hit(record* out, const weft_query_hit* hit, bool found) {
  note(out, &found, sizeof(found));
  if (!found) return;
  note(out, &hit->index, sizeof(hit->index));
  note(out, &hit->fraction, sizeof(hit->fraction));
  note(out, &hit->distance, sizeof(hit->distance));
  note(out, hit->point, sizeof(hit->point));
  note(out, hit->normal, sizeof(hit->normal));
}

static void ask(weft_world* world, record* out) {
  const float point[3] = {0.11f, -0.23f, 0.37f};
  const float way[3] = {0.1f, -0.2f, -0.7f};
  weft_query_hit hits[4];
  uint32_t count = 0;
  bool found = false;
  note_result(out, weft_world_build_index(world));
  note_result(out, ask_closest(world, point, INFINITY, NULL, hits, &found));
  note_hit(out, hits, found);
  note_result(out, ask_ray(world, point, way, 10.0f, NULL, hits, &found));
  note_hit(out, hits, found);
  note_result(out, ask_segment(world, point, way, NULL, hits, &found));
  note_hit(out, hits, found);
  note_result(out, ask_cast(world, point, way, 0.01f, NULL, hits, &found));
  note_hit(out, hits, found);
  note_result(out, ask_sphere(world, point, 0.5f, NULL, 4, hits, &count));
  for (uint32_t i = 0; i < count && i < 4; ++i) note_hit(out, &hits[i], true);
  note_result(out, ask_box(world, way, point, NULL, 4, hits, &count));
  note(out, &count, sizeof(count));
  note_result(out, ask_nearest(world, point, INFINITY, NULL, 4, hits, &count));
  for (uint32_t i = 0; i < count; ++i) note_hit(out, &hits[i], true);
}

// ---- changes, with values at the limits of their ranges ----

static void set_particles(weft_world* world, record* out) {
  const float place[3] = {0.1f, 0.2f, TINY};
  const float velocity[3] = {1.1f, TINY, -0.7f};
  weft_grip dragged = {0};
  note_result(out,
              weft_world_set(world, WEFT_ATTRIBUTE_POSITION, weft_range(PARTICLE, 1), place, 0));
  note_result(out,
              weft_world_set(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(PARTICLE, 1), velocity, 0));
  note_result(out,
              weft_world_add(world, WEFT_ATTRIBUTE_POSITION, weft_range(3, 30), place, WEFT_SAME));
  note_result(out, weft_world_add_grip(world, place, 0.3f, &dragged));
  note_result(out, weft_world_move_grip(world, dragged, velocity));
  note_result(out, weft_world_remove_grip(world, dragged));
  note_result(out, weft_world_add_grip(world, place, TINY, &dragged));
  const float inverse_masses[3] = {TINY, 0.7f, 0.0f};
  for (uint32_t i = 0; i < 3; ++i) {
    note_result(out, weft_world_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, weft_range(4 + i, 1),
                                    inverse_masses + i, 0));
  }
  note_result(out, weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(6, 1), place, 0));
}

static void set_motion(weft_world* world, record* out) {
  const float gravity[3] = {0.1f, -9.7f, TINY};
  const float force[3] = {0.3f, TINY, 0.0f};
  note_result(out, weft_world_set_gravity(world, gravity));
  note_result(out, weft_world_set_damping(world, -TINY));
  note_result(out, weft_world_set_damping(world, 0.37f));
  note_result(out, weft_world_set_max_speed(world, (const float[]){TINY, 1.0f, 1.0f}));
  note_result(out, weft_world_set_max_speed(world, (const float[]){-TINY, 1.0f, 1.0f}));
  note_result(out, weft_world_set_max_speed(world, (const float[]){1.0f, 1.1f, 1.2f}));
  note_result(out, weft_world_add(world, WEFT_ATTRIBUTE_FORCE, weft_range(PARTICLE, 1), force, 0));
  note_result(out, weft_world_add(world, WEFT_ATTRIBUTE_FORCE, weft_range(PARTICLE, 1), force, 0));
  note_result(out, weft_world_set_step(world, 13333333));
  note_result(out, weft_world_set_substeps(world, 3));
}

static void set_time(weft_world* world, record* out) {
  note_result(out, weft_world_set_time_scale(world, -TINY));
  note_result(out, weft_world_set_time_scale(world, 0.7654321f));
  weft_advance advance = {0};
  note_result(out, weft_world_advance(world, 99999999, &advance));
  note(out, &advance.steps, sizeof(advance.steps));
  note(out, &advance.interpolation, sizeof(advance.interpolation));
}

static void set_walls(weft_world* world, record* out) {
  weft_bounds_def bounds = floor_bounds(-0.37f, 0.0f);
  bounds.upper[1] = 0.51f;
  bounds.surface.static_friction = -TINY;
  note_result(out, weft_world_set_bounds(world, &bounds));
  bounds.surface.static_friction = 0.3f;
  bounds.surface.dynamic_friction = 0.2f;
  note_result(out, weft_world_set_bounds(world, &bounds));
}

static void set_wind(weft_world* world, record* out) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 3.3f;
  wind.gust = 0.7f;
  wind.gust_size = TINY;
  note_result(out, weft_world_set_wind(world, &wind));
  wind.density = -TINY;
  note_result(out, weft_world_set_wind(world, &wind));
}

static void set_contacts(weft_world* world, record* out) {
  const float place[3] = {0.1f, -0.4f, 0.3f};
  const float spin[3] = {0.1f, TINY, 2.0f};
  weft_particle_shape_def contact = shape_def(.radius = -TINY);
  note_result(out, weft_world_set_particle_shape(world, weft_range(0, 32), &contact));
  contact.half_size[0] = 0.01f;
  note_result(out, weft_world_set_particle_shape(world, weft_range(0, 32), &contact));
  note_result(out, weft_world_move_collider(world, busy_collider, place, NULL));
  note_result(out, steer_collider(world, busy_collider, place, spin));
  const weft_collider_def def = collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.37f);
  weft_collider collider;
  note_result(out, weft_world_add_collider(world, &def, &collider));
}

static void set_links(weft_world* world, record* out) {
  const float triangle[9] = {0.2f, 0.1f, -1.0f, 0.2f, -3.0f, -1.0f, 0.2f, 0.1f, 2.0f};
  uint32_t torn = 0;
  weft_joint joint;
  weft_joint_def def = weft_default_joint_def();
  def.particle = 7;
  def.to[0] = 70;
  def.rest_length = -TINY;
  note_result(out, weft_world_add_joint(world, &def, &joint));
  def.rest_length = 0.3f;
  note_result(out, weft_world_add_joint(world, &def, &joint));
  note_result(out, weft_world_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, weft_range(11, 1),
                                  &(bool){false}, 0));
  note_result(
      out, weft_world_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, weft_range(11, 1), &(bool){true}, 0));
  note_result(out,
              weft_world_set(world, WEFT_ATTRIBUTE_LINK_TORN, weft_range(12, 1), &(bool){true}, 0));
  note_result(out, weft_world_cut(world, triangle, &torn));
  note(out, &torn, sizeof(torn));
  note_result(out, weft_world_tear_near(world, triangle, triangle + 3, 0.01f, &torn));
  note(out, &torn, sizeof(torn));
}

// ---- scenes ----

static void note_scene(record* out, const weft_scene* scene) {
  const uint32_t count = weft_scene_particle_count(scene);
  for (uint32_t i = 0; i < count; i += count / 10 + 1) {
    float numbers[4];
    note_result(out, weft_scene_get_particles(scene, i, 1, numbers, numbers + 3));
    note(out, numbers, sizeof(numbers));
  }
  for (uint32_t i = 0; i < weft_scene_link_count(scene); i += count / 10 + 1) {
    weft_link_def link;
    note_result(out, weft_scene_get_links(scene, i, 1, &link));
    note(out, &link.rest_length, sizeof(link.rest_length));
    note(out, &link.compliance, sizeof(link.compliance));
  }
}

static void add_parts(weft_world* world, record* out) {
  (void)world;
  const float positions[6] = {TINY, 0.1f, 0.2f, 0.3f, -TINY, 0.4f};
  const float denormal[2] = {TINY, 1.0f};
  const float masses[2] = {0.7f, 0.0f};
  weft_scene* scene = new_scene();
  note_result(out, weft_scene_add_particles(scene, positions, denormal, 2, NULL));
  note_result(out, weft_scene_add_particles(scene, positions, masses, 2, NULL));
  weft_link_def link = {.b = 1, .rest_length = TINY, .relaxation = 1.0f};
  note_result(out, weft_scene_add_links(scene, &link, 1, NULL));
  note_scene(out, scene);
}

#define ADD_BODY(name)                                            \
  static void add_##name##_body(weft_world* world, record* out) { \
    (void)world;                                                  \
    weft_scene* scene = new_scene();                              \
    const weft_##name##_def def = weft_default_##name##_def();    \
    note_result(out, weft_scene_add_##name(scene, &def, NULL));   \
    note_scene(out, scene);                                       \
    weft_scene_destroy(&scene);                                   \
  }

ADD_BODY(sheet)
ADD_BODY(rope)
ADD_BODY(circle)
ADD_BODY(box)
ADD_BODY(triangle)
ADD_BODY(tire)
ADD_BODY(ragdoll)
ADD_BODY(tree)
ADD_BODY(web)
ADD_BODY(double_pendulum)
ADD_BODY(ball)

// ---- all calls ----

typedef struct call_case {
  const char* name;
  void (*call)(weft_world* world, record* out);
} call_case;

static const call_case calls[] = {
    {"velocities", read_velocities},
    {"interpolated", read_between},
    {"measures", read_measures},
    {"hash", read_hash},
    {"collider", read_collider},
    {"helpers", read_helpers},
    {"queries", ask},
    {"particles", set_particles},
    {"motion", set_motion},
    {"time", set_time},
    {"walls", set_walls},
    {"wind", set_wind},
    {"contacts", set_contacts},
    {"links", set_links},
    {"free parts", add_parts},
    {"sheet", add_sheet_body},
    {"rope", add_rope_body},
    {"circle", add_circle_body},
    {"box", add_box_body},
    {"triangle", add_triangle_body},
    {"tire", add_tire_body},
    {"ragdoll", add_ragdoll_body},
    {"tree", add_tree_body},
    {"web", add_web_body},
    {"double pendulum", add_double_pendulum_body},
    {"ball", add_ball_body},
};

// velocity is part of the state; the cloth bends and swings, and a collider moves and spins
static weft_world* new_busy_world(void) {
  weft_scene* scene = new_scene();
  weft_material_def material = material_def(.bend_stiffness = 1e-4f);
  const weft_sheet_def sheet = sheet_def(.side = 24, .material = &material);
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  weft_world* world = new_plain_world(scene, .integrator = WEFT_INTEGRATOR_VELOCITY_VERLET,
                                      .substeps = 2, .coarse_iterations = 2);
  weft_collider_def collider = collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE,
                                            .position = {0.0f, -3.0f}, .velocity = {0.1f});
  collider.spin[1] = 0.3f;
  expect_ok(weft_world_add_collider(world, &collider, &busy_collider));
  weft_world_step(world, 7);
  return world;
}

// output of a call in a mode, and hash of the world two steps later
static record run_in(const call_case* c, int mode) {
  static record out;
  memset(&out, 0, sizeof(out));
  weft_world* world = new_busy_world();
  set_float_mode(mode);
  const unsigned before = get_float_mode();
  c->call(world, &out);
  const unsigned after = get_float_mode();
  reset_float_mode();
  ck_assert_msg(after == before, "%s: the mode changes", c->name);
  weft_world_step(world, 2);
  const uint64_t hash = weft_world_hash(world);
  note(&out, &hash, sizeof(hash));
  return out;
}

LOOP_TEST(a_call_gives_the_same_bits_in_every_floating_point_mode, 0,
          (int)(sizeof(calls) / sizeof(*calls))) {
  const call_case* c = &calls[_i];
  const record expected = run_in(c, 0);
  for (int mode = 1; mode < FLOAT_MODE_COUNT; ++mode) {
    const record is = run_in(c, mode);
    ck_assert_msg(is.length == expected.length, "%s: mode %d: other lengths", c->name, mode);
    for (size_t i = 0; i < is.length; ++i) {
      if (is.bytes[i] == expected.bytes[i]) continue;
      ck_abort_msg("%s: mode %d: byte %zu differs", c->name, mode, i);
    }
  }
}
