/* Numbers of any size are refused, with the name of the field, or the world stays finite. */
#include "support/finite.h"
#include "support/test.h"

// ---- a world with everything in it, and its numbers ----

enum { CLOTH = 0, FREE = 36, COUNT = 38 };

static void add_all(weft_scene* scene) {
  weft_material_def material = material_def(.bend_stiffness = 1e-4f);
  (void)add_cloth(scene, .side = 6, .material = &material);
  expect_ok(weft_scene_pin(scene, CLOTH, 1));
  const float positions[6] = {0.0f, 1.0f, 0.0f, 1.0f, 1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
}

// six integrators, and the first of them with springs
enum { WORLD_KINDS = 7 };

static weft_world_def def_of(int kind) {
  return plain_def(.faces = true, .coarse_iterations = 2, .attachments = 2, .substeps = 2,
                   .integrator = (weft_integrator)(kind % 6), .springs = kind == 6);
}

// ---- input of a scene ----

typedef struct scene_case {
  const char* field;
  weft_result (*add)(weft_scene* scene, float value);
  uint64_t index;
} scene_case;

static weft_result add_particle(weft_scene* scene, float value) {
  const float positions[6] = {0.0f, 1.0f, 0.0f, 0.0f, value, 0.0f};
  const float inverse_masses[2] = {1.0f, 1.0f};
  return weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL);
}

static weft_result add_link(weft_scene* scene, float value) {
  weft_link_def link = {.a = FREE, .b = FREE + 1, .rest_length = value, .relaxation = 1.0f};
  return weft_scene_add_links(scene, &link, 1, NULL);
}

static weft_result add_range(weft_scene* scene, float value) {
  weft_link_def link = {.a = FREE, .b = FREE + 1, .rest_length = 1.0f, .relaxation = 1.0f};
  link.mode = WEFT_LINK_MODE_RANGE;
  link.max_length = value;
  return weft_scene_add_links(scene, &link, 1, NULL);
}

static weft_result add_far_sheet(weft_scene* scene, float value) {
  const weft_sheet_def def = sheet_def(.origin = {0.0f, value});
  return weft_scene_add_sheet(scene, &def, NULL);
}

// extends from 0 to `value`
static weft_result add_large_sheet(weft_scene* scene, float value) {
  const weft_sheet_def def = sheet_def(.columns = 2, .rows = 2001, .spacing = 1e6f,
                                       .origin = {0.0f, value >= 0.0f ? value : value + 2e9f});
  return weft_scene_add_sheet(scene, &def, NULL);
}

static weft_result add_mesh(weft_scene* scene, float value) {
  const float positions[12] = {0.0f,  0.0f,   0.0f, value,  0.0f,  0.0f,
                               value, -value, 0.0f, -value, value, value};
  const uint32_t triangles[9] = {0, 1, 2, 0, 2, 3, 1, 0, 3};
  const weft_mesh_def def = mesh_def(.positions = positions, .vertex_count = 4,
                                     .triangles = triangles, .triangle_count = 3);
  return weft_scene_add_mesh(scene, &def, NULL);
}

static weft_result add_far_rope(weft_scene* scene, float value) {
  weft_rope_def def = weft_default_rope_def();
  def.end[0] = value;
  return weft_scene_add_rope(scene, &def, NULL);
}

static weft_result add_far_circle(weft_scene* scene, float value) {
  weft_circle_def def = weft_default_circle_def();
  def.origin[2] = value;
  return weft_scene_add_circle(scene, &def, NULL);
}

static weft_result add_far_ball(weft_scene* scene, float value) {
  weft_ball_def def = weft_default_ball_def();
  def.origin[2] = value;
  def.level = 0;
  return weft_scene_add_ball(scene, &def, NULL);
}

static const scene_case scene_cases[] = {
    {"positions", add_particle, 1},
    {"links", add_link, 0},
    {"links", add_range, 0},
    {"weft_sheet_def.origin", add_far_sheet, 1},
    {"weft_mesh_def.positions", add_mesh, 1},
    {"weft_rope_def.end", add_far_rope, 0},
    {"weft_circle_def.origin", add_far_circle, 2},
    {"weft_ball_def.origin", add_far_ball, 2},
};

static const float too_large[] = {1.0001f * WEFT_MAX_MAGNITUDE, 1.9e19f, 3.4e38f};
enum { TOO_LARGE_COUNT = sizeof(too_large) / sizeof(*too_large) };

static void expect_range(weft_result result, const char* field, uint64_t index, float value) {
  ck_assert_msg(
      result.error == WEFT_ERROR_RANGE && strcmp(result.field, field) == 0 && result.index == index,
      "%s = %g: %s: %s [%llu]", field, (double)value, result.field, weft_error_text(result.error),
      (unsigned long long)result.index);
}

LOOP_TEST(what_is_added_beyond_the_largest_magnitude_is_refused_by_name, 0,
          sizeof(scene_cases) / sizeof(*scene_cases)) {
  const scene_case* c = &scene_cases[_i];
  for (int i = 0; i < TOO_LARGE_COUNT; ++i) {
    weft_scene* scene = new_scene();
    add_all(scene);
    expect_range(c->add(scene, too_large[i]), c->field, c->index, too_large[i]);
  }
}

LOOP_TEST(what_is_added_at_the_largest_magnitude_steps_on_finite_numbers, 0,
          sizeof(scene_cases) / sizeof(*scene_cases)) {
  const scene_case* c = &scene_cases[_i];
  for (int kind = 0; kind < WORLD_KINDS; ++kind) {
    weft_scene* scene = new_scene();
    add_all(scene);
    // skips values that are refused at this size, such as masses
    if (c->add(scene, WEFT_MAX_MAGNITUDE).error == WEFT_OK) {
      const weft_world_def def = def_of(kind);
      weft_world* world = new_world(&def, scene);
      const weft_wind_def wind = weft_default_wind_def();
      expect_ok(weft_world_set_wind(world, &wind));
      weft_world_step(world, 5);
      expect_finite(world, c->field, WEFT_MAX_MAGNITUDE);
    }
  }
}

TEST(a_sheet_that_reaches_beyond_the_largest_magnitude_is_refused) {
  weft_scene* scene = new_scene();
  expect_ok(add_large_sheet(scene, 1e9f));
  expect_range(add_large_sheet(scene, 0.5e9f), "weft_sheet_def.spacing", 0, 0.5e9f);
}

// ---- input of a running world ----

typedef struct world_case {
  const char* field;
  weft_result (*set)(weft_world* world, float value);
  uint64_t index;
} world_case;

static weft_result set_position(weft_world* world, float value) {
  return weft_world_set_positions(world, 8, 1, (const float[]){0.0f, value, 0.0f}, 0);
}

static weft_result set_velocity(weft_world* world, float value) {
  return weft_world_set_velocities(world, 8, 1, (const float[]){0.0f, 0.0f, value}, 0);
}

static weft_result set_target(weft_world* world, float value) {
  return weft_world_move_particles(world, FREE, 1, (const float[]){0.0f, value, 0.0f}, 0);
}

static weft_result grip_at(weft_world* world, float value) {
  weft_grip grip;
  return weft_world_add_grip(world, (const float[]){0.0f, 0.0f, value}, 1e-3f, &grip);
}

static weft_result move_grip(weft_world* world, float value) {
  const float from[3] = {0.1f, -0.1f, 0.0f};
  weft_grip grip;
  const weft_result result = weft_world_add_grip(world, from, 0.1f, &grip);
  if (result.error != WEFT_OK) return result;
  return weft_world_move_grip(world, grip, (const float[]){0.0f, 0.0f, value});
}

static weft_result shift(weft_world* world, float value) {
  const weft_body body = {.first_particle = 8, .particle_count = 12};
  return weft_world_shift_body(world, &body, (const float[]){0.0f, 0.0f, value});
}

static weft_result set_gravity(weft_world* world, float value) {
  return weft_world_set_gravity(world, (const float[]){value, 0.0f, 0.0f});
}

static weft_result add_force(weft_world* world, float value) {
  return weft_world_add_forces(world, 8, 1, (const float[]){0.0f, value, 0.0f}, 0);
}

static weft_result set_wind(weft_world* world, float value) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[1] = value;
  wind.gust = 1.0f;
  return weft_world_set_wind(world, &wind);
}

static weft_result set_least(weft_world* world, float value) {
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[2] = value;
  bounds.restitution = 1.0f;
  return weft_world_set_bounds(world, &bounds);
}

static weft_result set_most(weft_world* world, float value) {
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.upper[2] = value;
  return weft_world_set_bounds(world, &bounds);
}

static weft_result add_joint(weft_world* world, float value) {
  weft_joint_def def = weft_default_joint_def();
  def.particle = 8;
  def.to[0] = 20;
  def.rest_length = value;
  weft_joint joint;
  return weft_world_add_joint(world, &def, &joint);
}

static weft_collider last_collider;

// adds a collider and a shape to each particle
static weft_result add_collider_of(weft_world* world, weft_collider_def def) {
  const weft_particle_shape_def contact = weft_default_particle_shape_def();
  expect_ok(weft_world_set_particle_shape(world, 0, COUNT, &contact));
  return weft_world_add_collider(world, &def, &last_collider);
}

static weft_result place_collider(weft_world* world, float value) {
  const weft_collider_def def =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .position = {0.0f, value});
  return add_collider_of(world, def);
}

static weft_result throw_collider(weft_world* world, float value) {
  const weft_collider_def def =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .velocity = {0.0f, value});
  return add_collider_of(world, def);
}

static weft_result send_collider(weft_world* world, float value) {
  expect_ok(add_collider_of(world, weft_default_collider_def()));
  return weft_world_move_collider(world, last_collider, (const float[]){value, 0.0f, 0.0f}, NULL);
}

static weft_result push_collider(weft_world* world, float value) {
  expect_ok(add_collider_of(world, weft_default_collider_def()));
  return weft_world_set_collider_velocity(world, last_collider, (const float[]){value, 0.0f, 0.0f},
                                          NULL);
}

static weft_result add_hull(weft_world* world, float value) {
  const float points[12] = {0.0f, 0.0f,  0.0f, value, 0.0f, 0.0f,
                            0.0f, value, 0.0f, 0.0f,  0.0f, value};
  weft_collider_def def = collider_def(.shape = WEFT_COLLIDER_SHAPE_HULL);
  def.points = points;
  def.point_count = 4;
  return add_collider_of(world, def);
}

static weft_result add_heights(weft_world* world, float value) {
  const float samples[4] = {0.0f, 0.0f, value, 0.0f};
  weft_collider_def def = collider_def(.shape = WEFT_COLLIDER_SHAPE_HEIGHTFIELD);
  def.samples = samples;
  def.size[0] = def.size[2] = 2;
  return add_collider_of(world, def);
}

static const world_case world_cases[] = {
    {"positions", set_position, 0},
    {"velocities", set_velocity, 0},
    {"targets", set_target, 0},
    {"place", grip_at, 2},
    {"place", move_grip, 2},
    {"offset", shift, 2},
    {"gravity", set_gravity, 0},
    {"forces", add_force, 0},
    {"weft_wind_def.velocity", set_wind, 1},
    {"weft_bounds_def.lower", set_least, 2},
    {"weft_bounds_def.upper", set_most, 2},
    {"weft_joint_def.rest_length", add_joint, 0},
    {"weft_collider_def.position", place_collider, 1},
    {"weft_collider_def.velocity", throw_collider, 1},
    {"position", send_collider, 0},
    {"velocity", push_collider, 0},
    {"weft_collider_def.points", add_hull, 1},
    {"weft_collider_def.samples", add_heights, 2},
};

static weft_world* new_full_world(int kind) {
  weft_scene* scene = new_scene();
  add_all(scene);
  const weft_world_def def = def_of(kind);
  return new_world(&def, scene);
}

LOOP_TEST(what_is_set_beyond_the_largest_magnitude_is_refused_by_name, 0,
          sizeof(world_cases) / sizeof(*world_cases)) {
  const world_case* c = &world_cases[_i];
  for (int i = 0; i < TOO_LARGE_COUNT; ++i) {
    weft_world* world = new_full_world(0);
    expect_range(c->set(world, too_large[i]), c->field, c->index, too_large[i]);
  }
}

LOOP_TEST(what_is_set_at_the_largest_magnitude_steps_on_finite_numbers, 0,
          sizeof(world_cases) / sizeof(*world_cases)) {
  const world_case* c = &world_cases[_i];
  for (int kind = 0; kind < WORLD_KINDS; ++kind) {
    weft_world* world = new_full_world(kind);
    const weft_wind_def wind = weft_default_wind_def();
    expect_ok(weft_world_set_wind(world, &wind));
    expect_ok(c->set(world, WEFT_MAX_MAGNITUDE));
    for (int step = 0; step < 10; ++step) {
      weft_world_step(world, 1);
      expect_finite(world, c->field, WEFT_MAX_MAGNITUDE);
    }
  }
}
