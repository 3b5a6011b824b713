/* Calls that change a world: every function of change.h, and those of time. */
#include <math.h>

#include "fuzz/calls.h"

static void pick_point(program* p, float point[3]) {
  draw_vector(p, point, -1.0f, 1.0f);
}

// Range of up to 8 particles, and an array over it.
typedef struct range {
  uint32_t first, count;
  size_t stride;
  float values[4 * 8];
} range;

static range draw_range(program* p, float low, float high) {
  static const size_t strides[] = {sizeof(float[3]), 0, WEFT_SAME, sizeof(float[4])};
  range r = {.first = draw_index(p, p->particle_count), .count = stream_below(&p->in, 9)};
  for (uint32_t i = 0; i < 8; ++i) draw_vector(p, r.values + (size_t)4 * i, low, high);
  r.stride = strides[stream_below(&p->in, 4)];
  if (draw_chance(p, 32)) r.stride = stream_below(&p->in, sizeof(float[4]));
  return r;
}

// ---- particles ----

static void set_positions(program* p) {
  const range r = draw_range(p, -1.0f, 1.0f);
  const float* to = or_null(p, r.values);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_POSITION, weft_range(r.first, r.count), to,
       r.stride);
}

static void set_velocities(program* p) {
  const range r = draw_range(p, -5.0f, 5.0f);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_VELOCITY, weft_range(r.first, r.count), r.values,
       r.stride);
}

static const float turns[][4] = {
    {0.0f, 0.0f, 0.6f, 0.8f}, {0.0f, 0.0f, 0.0f, 1.0f}, {0.6f, 0.0f, 0.0f, -0.8f}};

// angular velocities or orientations; in a plane about z
static void turn_particles(program* p) {
  range r = draw_range(p, -30.0f, 30.0f);
  const size_t stride = r.stride == sizeof(float[4]) ? 4 : 3;
  for (size_t i = 0; i < 8 && p->is_plane; ++i) {
    float* element = r.values + i * stride;
    element[2] = element[0];
    element[0] = element[1] = 0.0f;
  }
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(r.first, r.count),
       r.values, r.stride);
  CALL(p, weft_world_add, p->world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(r.first, r.count),
       r.values, r.stride);
  const float* turn = turns[stream_below(&p->in, 3)];
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_ORIENTATION, weft_range(r.first, r.count), turn,
       WEFT_SAME);
}

static void set_inverse_masses(program* p) {
  range r = draw_range(p, 0.1f, 100.0f);
  for (uint32_t i = 0; i < 32; ++i) {
    if (draw_chance(p, 2)) r.values[i] = 0.0f;
  }
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_INVERSE_MASS, weft_range(r.first, r.count),
       r.values, r.stride);
}

static void move_particles(program* p) {
  static const float pinned;
  const range r = draw_range(p, -1.0f, 1.0f);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_INVERSE_MASS, weft_range(r.first, r.count),
       &pinned, WEFT_SAME);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_TARGET, weft_range(r.first, r.count), r.values,
       r.stride);
}

static void add_grip(program* p) {
  float place[3];
  weft_grip taken = {0};
  pick_point(p, place);
  const float radius = draw_number(p, 0.05f, 1.0f);
  CALL(p, weft_world_add_grip, p->world, place, radius, &taken);
  add_handle(p, &p->grips, taken.index, taken.generation);
}

static void move_grip(program* p) {
  float place[3];
  const handle taken = draw_handle(p, &p->grips);
  const weft_grip grip = {taken.index, taken.generation};
  pick_point(p, place);
  CALL(p, weft_world_move_grip, p->world, grip, place);
  check_handle(p, taken);
}

static void release_grip(program* p) {
  const handle taken = draw_handle(p, &p->grips);
  const weft_grip grip = {taken.index, taken.generation};
  CALL(p, weft_world_remove_grip, p->world, grip);
  remove_handle(p, &p->grips, taken);
}

static void get_grip(program* p) {
  float place[3] = {0.0f, 0.0f, 0.0f};
  uint32_t held = 0;
  const handle taken = draw_handle(p, &p->grips);
  const weft_grip grip = {taken.index, taken.generation};
  float radius = 0.0f;
  READ(p, weft_world_get_grip, p->world, grip, place, &radius, &held);
  check_handle(p, taken);
  note(p, place, sizeof(place));
  note(p, &held, sizeof(held));
  note(p, &radius, sizeof(radius));
}

static void shift_body(program* p) {
  float offset[3];
  const weft_body body = draw_body(p);
  draw_vector(p, offset, -0.5f, 0.5f);
  const float* by = or_null(p, offset);
  CALL(p, weft_world_add, p->world, WEFT_ATTRIBUTE_POSITION,
       weft_range(body.first_particle, body.particle_count), by, WEFT_SAME);
}

static void teleport(program* p) {
  float offset[3];
  uint32_t numbers[8];
  const uint32_t first = draw_index(p, p->particle_count), count = stream_below(&p->in, 64);
  const weft_selection particles =
      draw_chance(p, 4) ? draw_list(p, p->particle_count, numbers, 8) : weft_range(first, count);
  draw_vector(p, offset, -0.5f, 0.5f);
  const float* turn = draw_chance(p, 4) ? NULL : turns[stream_below(&p->in, p->is_plane ? 2 : 3)];
  CALL(p, weft_world_teleport, p->world, particles, offset, turn);
}

static void remove_body(program* p) {
  const weft_body body = draw_body(p);
  const weft_body* which = or_null(p, &body);
  CALL(p, weft_world_remove_body, p->world, which);
}

// ---- particles that come and go ----

static void add_particle(program* p) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  weft_particle_def def = weft_default_particle_def();
  weft_particle particle = {0};
  pick_point(p, def.position);
  draw_vector(p, def.velocity, -5.0f, 5.0f);
  def.inverse_mass = draw_chance(p, 8) ? 0.0f : draw_number(p, 0.1f, 100.0f);
  shape.shape = (weft_particle_shape)draw_index(p, WEFT_PARTICLE_SHAPE_BOX + 1);
  draw_vector(p, shape.half_size, 0.01f, 0.1f);
  if (!draw_chance(p, 4)) def.shape = &shape;
  def.cookie = draw_cookie(p, def.cookie);
  CALL(p, weft_world_add_particle, p->world, &def, &particle);
  if (p->ok && p->particles.count < MOST_CALLS) {
    p->particles.handles[p->particles.count++] =
        (handle){particle.index, particle.generation, true};
    note(p, &particle, sizeof(particle));
  }
}

enum { MOST_LIVING = 4096 };

// the list tells the live ones; a stale one is refused
static void remove_particle(program* p) {
  weft_particle living[MOST_LIVING];
  uint32_t count = 0;
  const handle taken = draw_handle(p, &p->particles);
  const weft_particle particle = {taken.index, taken.generation};
  READ(p, weft_world_list_particles, p->world, MOST_LIVING, living, &count);
  note(p, &count, sizeof(count));
  if (count > MOST_LIVING) return;
  bool is_live = false;
  for (uint32_t i = 0; i < count; ++i) {
    is_live |= living[i].index == particle.index && living[i].generation == particle.generation;
  }
  CALL(p, weft_world_remove_particle, p->world, particle);
  check_handle(p, (handle){taken.index, taken.generation, is_live});
}

static void get_particle(program* p) {
  weft_particle particle = {0};
  const uint32_t number = draw_index(p, p->particle_count);
  READ(p, weft_world_get_particle, p->world, number, &particle);
  note(p, &particle, sizeof(particle));
}

// ---- forces and limits ----

static void set_physics(program* p) {
  float gravity[3], max_speed[3];
  draw_vector(p, gravity, -10.0f, 10.0f);
  draw_vector(p, max_speed, 0.1f, 50.0f);
  const float damping = draw_number(p, 0.0f, 5.0f);
  CALL(p, weft_world_set_gravity, p->world, gravity);
  CALL(p, weft_world_set_damping, p->world, damping);
  CALL(p, weft_world_set_max_speed, p->world, max_speed);
  const uint32_t span_capacity = 16u * stream_below(&p->in, 3);
  CALL(p, weft_world_set_span_capacity, p->world, span_capacity);
  // no part of snapshots
  if (p->ok) p->def.span_capacity = span_capacity;
}

static void add_forces(program* p) {
  const range r = draw_range(p, -1.0f, 1.0f);
  CALL(p, weft_world_add, p->world, WEFT_ATTRIBUTE_FORCE, weft_range(r.first, r.count), r.values,
       r.stride);
}

static void set_skin(program* p) {
  const range r = draw_range(p, -1.0f, 1.0f);
  const weft_skin_limits limits = {draw_number(p, 0.0f, 0.2f), draw_number(p, 0.0f, 0.1f),
                                   draw_number(p, 0.0f, 0.5f), draw_number(p, 0.0f, 1.0f)};
  const weft_selection at = weft_range(r.first, r.count);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_SKIN_LIMITS, at, &limits, WEFT_SAME);
  const uint32_t is_move = stream_below(&p->in, 2);
  CALL(p, weft_world_set, p->world, (weft_attribute)(WEFT_ATTRIBUTE_SKIN_POSITION + 2 * is_move),
       at, r.values, r.stride);
  CALL(p, weft_world_set, p->world, (weft_attribute)(WEFT_ATTRIBUTE_SKIN_NORMAL + 2 * is_move), at,
       r.values, r.stride);
}

static void set_wind(program* p) {
  weft_wind_def wind = weft_default_wind_def();
  draw_vector(p, wind.velocity, -10.0f, 10.0f);
  wind.density = draw_number(p, 0.0f, 2.0f);
  wind.drag = draw_number(p, 0.0f, 2.0f);
  wind.unsteady_speed = draw_number(p, 0.0f, 1.0f);
  wind.gust = draw_number(p, 0.0f, 1.0f);
  wind.gust_period = draw_number(p, 0.1f, 2.0f);
  wind.gust_size = draw_number(p, 0.1f, 5.0f);
  wind.seed = stream_byte(&p->in);
  wind.cookie = draw_cookie(p, wind.cookie);
  const weft_wind_def* with = draw_chance(p, 8) ? NULL : &wind;
  CALL(p, weft_world_set_wind, p->world, with);
}

// ---- bounds ----

static void set_bounds(program* p) {
  weft_bounds_def bounds = weft_default_bounds_def();
  for (int axis = 0; axis < 3; ++axis) {
    if (draw_chance(p, 2)) bounds.lower[axis] = draw_number(p, -1.0f, 0.0f);
    if (draw_chance(p, 2)) bounds.upper[axis] = draw_number(p, 0.0f, 1.0f);
    if (axis == 2 && p->is_plane) bounds.lower[2] = -(bounds.upper[2] = INFINITY);
  }
  bounds.surface.restitution = draw_number(p, 0.0f, 1.0f);
  bounds.surface.static_friction = draw_number(p, 0.0f, 1.0f);
  bounds.surface.dynamic_friction = bounds.surface.static_friction * draw_number(p, 0.0f, 1.0f);
  bounds.cookie = draw_cookie(p, bounds.cookie);
  const weft_bounds_def* with = draw_chance(p, 8) ? NULL : &bounds;
  CALL(p, weft_world_set_bounds, p->world, with);
}

// ---- links ----

static void switch_links(program* p) {
  const uint32_t first = draw_index(p, p->link_count);
  const uint32_t count = stream_below(&p->in, 9);
  const bool enabled = draw_chance(p, 2);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_LINK_ENABLED, weft_range(first, count),
       &(bool){enabled}, WEFT_SAME);
}

static void tear_links(program* p) {
  const uint32_t first = draw_index(p, p->link_count);
  const uint32_t count = stream_below(&p->in, 5);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_LINK_TORN, weft_range(first, count),
       &(bool){true}, WEFT_SAME);
}

static void edit_links(program* p) {
  const uint32_t first = draw_index(p, p->link_count), count = stream_below(&p->in, 9);
  const float length = draw_number(p, 0.02f, 0.3f), compliance = draw_number(p, 1e-6f, 1e-2f);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, weft_range(first, count),
       &length, WEFT_SAME);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_LINK_COMPLIANCE, weft_range(first, count),
       &compliance, WEFT_SAME);
  const uint32_t particle = draw_index(p, p->particle_count);
  const float pressure = draw_number(p, 0.0f, 1000.0f);
  CALL(p, weft_world_set_pressure, p->world, particle, pressure);
}

static void tear_near(program* p) {
  float from[3], to[3];
  uint32_t torn = 0;
  pick_point(p, from);
  pick_point(p, to);
  const float radius = draw_number(p, 0.02f, 0.3f);
  CALL(p, weft_world_tear_near, p->world, from, to, radius, &torn);
  note(p, &torn, sizeof(torn));
}

static void cut(program* p) {
  float triangle[9];
  uint32_t torn = 0;
  for (int corner = 0; corner < 3; ++corner) pick_point(p, triangle + 3 * corner);
  CALL(p, weft_world_cut, p->world, triangle, &torn);
  note(p, &torn, sizeof(torn));
}

static void take_torn(program* p) {
  uint32_t links[8];
  uint32_t count = 0;
  const uint32_t capacity = stream_below(&p->in, 9);
  CALL(p, weft_world_take_torn, p->world, capacity, links, &count);
  if (count > capacity) violate(p, "weft_world_take_torn: %u of at most %u", count, capacity);
  if (!p->is_over) note(p, links, sizeof(*links) * count);
}

// ---- sleep ----

static void set_asleep(program* p) {
  const range r = draw_range(p, 0.0f, 1.0f);
  const bool is_asleep = draw_chance(p, 2);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_ASLEEP, weft_range(r.first, r.count), &is_asleep,
       WEFT_SAME);
}

// ---- joints ----

static void add_joint(program* p) {
  weft_joint_def def = weft_default_joint_def();
  weft_joint joint = {0};
  def.particle = draw_index(p, p->particle_count);
  for (int k = 0; k < 3; ++k) def.to[k] = draw_index(p, p->particle_count);
  if (draw_chance(p, 2)) {
    const float share = draw_number(p, 0.0f, 1.0f);
    def.weights[0] = 0.5f;
    def.weights[1] = 0.5f * share;
    def.weights[2] = 0.5f - 0.5f * share;
  }
  def.rest_length = draw_number(p, 0.0f, 0.5f);
  def.compliance = draw_chance(p, 2) ? draw_number(p, 1e-6f, 1e-2f) : 0.0f;
  def.break_force = draw_chance(p, 4) ? draw_number(p, 1.0f, 1000.0f) : 0.0f;
  def.mode = (weft_link_mode)draw_index(p, WEFT_LINK_MODE_RANGE + 1);
  def.cookie = draw_cookie(p, def.cookie);
  CALL(p, weft_world_add_joint, p->world, &def, &joint);
  add_handle(p, &p->joints, joint.index, joint.generation);
}

static void add_seam(program* p) {
  weft_seam_def def = weft_default_seam_def();
  weft_joint joints[2] = {{0}, {0}};
  uint32_t pairs[4];
  for (int k = 0; k < 4; ++k) pairs[k] = draw_index(p, p->particle_count);
  def.pairs = pairs;
  def.count = 2;
  def.closing_time = draw_number(p, 0.0f, 0.1f);
  CALL(p, weft_world_add_seam, p->world, &def, joints);
  for (int k = 0; k < 2; ++k) add_handle(p, &p->joints, joints[k].index, joints[k].generation);
}

static void remove_joint(program* p) {
  const handle taken = draw_handle(p, &p->joints);
  const weft_joint joint = {taken.index, taken.generation};
  CALL(p, weft_world_remove_joint, p->world, joint);
  remove_handle(p, &p->joints, taken);
}

// ---- time ----

static void pause_environment(program* p) {
  const bool on = draw_chance(p, 2);
  CALL(p, weft_world_set, p->world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED, weft_range(0, 1), &on, 0);
}

static void set_pace(program* p) {
  const float scale = draw_number(p, 0.0f, 2.0f);
  const int64_t step_ns = draw_ns(p, 1000000, 20000000);
  const uint32_t substeps = stream_below(&p->in, 4);
  CALL(p, weft_world_set_time_scale, p->world, scale);
  CALL(p, weft_world_set_step, p->world, step_ns);
  CALL(p, weft_world_set_substeps, p->world, substeps);
}

static void advance(program* p) {
  weft_advance taken = {0};
  const int64_t elapsed_ns = draw_ns(p, 0, 40000000);
  CALL(p, weft_world_advance, p->world, elapsed_ns, &taken);
  note(p, &taken.steps, sizeof(taken.steps));
  note(p, &taken.interpolation, sizeof(taken.interpolation));
  note(p, &taken.remainder_ns, sizeof(taken.remainder_ns));
  note(p, &taken.dropped_ns, sizeof(taken.dropped_ns));
  check_finite(p);
}

// handles of the world before are those of another one
static void reset(program* p) {
  const weft_scene* scene = or_null(p, p->scene);
  if (!draw_chance(p, 4)) return;
  CALL(p, weft_world_reset, p->world, scene);
  if (p->ok) p->colliders.count = p->joints.count = p->grips.count = p->particles.count = 0;
}

// any attribute of a range or a list, some left out
static void write_attribute(program* p) {
  enum { MOST = 8, FLOATS = 7 };
  static float values[MOST][FLOATS];
  static bool mask[MOST];
  uint32_t numbers[MOST];
  const weft_attribute attribute = (weft_attribute)draw_index(p, WEFT_ATTRIBUTE_COUNT);
  const uint32_t total = element_count(p, attribute);
  for (int n = 0; n < MOST; ++n) {
    numbers[n] = draw_index(p, total);
    mask[n] = draw_chance(p, 2);
    draw_vector(p, values[n], -1.0f, 1.0f);
    draw_vector(p, values[n] + 3, -1.0f, 1.0f);
  }
  const weft_selection selection = {.first = draw_index(p, total),
                                    .count = stream_below(&p->in, MOST + 1),
                                    .indices = draw_chance(p, 2) ? numbers : NULL,
                                    .mask = draw_chance(p, 2) ? mask : NULL};
  size_t stride = draw_chance(p, 4) ? WEFT_SAME : sizeof(values[0]);
  if (draw_chance(p, 16)) stride = stream_below(&p->in, 16);
  const float* from = draw_chance(p, 32) ? NULL : values[0];
  if (draw_chance(p, 2)) {
    CALL(p, weft_world_set, p->world, attribute, selection, from, stride);
  } else {
    CALL(p, weft_world_add, p->world, attribute, selection, from, stride);
  }
}

program_call* const change_calls[] = {
    write_attribute,
    set_positions,
    set_velocities,
    turn_particles,
    set_inverse_masses,
    move_particles,
    add_grip,
    move_grip,
    release_grip,
    get_grip,
    shift_body,
    remove_body,
    set_physics,
    add_forces,
    set_skin,
    set_wind,
    set_bounds,
    switch_links,
    tear_links,
    tear_near,
    cut,
    take_torn,
    set_asleep,
    add_joint,
    add_joint,
    remove_joint,
    set_pace,
    advance,
    reset,
    add_particle,
    add_particle,
    remove_particle,
    get_particle,
    teleport,
    edit_links,
    add_seam,
    pause_environment,
};
const uint32_t change_call_count = sizeof(change_calls) / sizeof(*change_calls);
