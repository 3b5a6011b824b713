/* Circles, boxes, triangles, composites and soft balls that fall into a box and come to rest. They
 * stand in a row by turns of kinds and pass through each other: only the box holds them. While it
 * runs, all composites are lifted at once, each as one, and later removed. */
#include <math.h>
#include <stdlib.h>

#include "common/substeps.h"
#include "sim/observe.h"
#include "sim/scene.h"

#define PI 3.14159265358979323846

static const sim_param params[] = {
    {"count", "number of bodies: circle, box, triangle, composite, ball, circle and so on",
     SIM_COUNT, 10, 1, 5000, NULL},
    {"size", "metres, of each", SIM_NUMBER, 0.5, 0.2, 10, NULL},
    {"mass", "kilograms, of each", SIM_NUMBER, 2, 0.01, 1000, NULL},
    {"drop", "metres above the floor at which they start", SIM_NUMBER, 1.5, 0, 100, NULL},
    {"throw", "initial speed along x, metres per second", SIM_NUMBER, 0.5, -50, 50, NULL},
    {"tilt", "degrees by which the flat ones are turned", SIM_NUMBER, 20, -180, 180, NULL},
    {"room", "metres from the outermost bodies to the walls", SIM_NUMBER, 2, 0.1, 1e4, NULL},
    {"friction", "of floor and walls", SIM_NUMBER, 0.5, 0, 1000, NULL},
    {"restitution", "of floor and walls", SIM_NUMBER, 0, 0, 1, NULL},
    {"pressure", "pascals in the balls, above the air's", SIM_NUMBER, 500, 0, 1e5, NULL},
    {"lift", "second at which composites are lifted; 0 = never", SIM_NUMBER, 6, 0, 1e6, NULL},
    {"height", "height by which they are lifted, metres", SIM_NUMBER, 1, 0, 100, NULL},
    {"remove", "second at which composites are removed; 0 = never", SIM_NUMBER, 12, 0, 1e6, NULL},
    {"damping", "1/seconds", SIM_NUMBER, 0.5, 0, 1000, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

typedef enum kind { CIRCLE, BOX, TRIANGLE, COMPOSITE, BALL, KINDS } kind;

typedef struct yard {
  weft_body* bodies;     // body i has kind i % KINDS
  weft_link_def* links;  // all of them
  uint32_t count, link_count;
  double size, mass, drop, room, pressure;
  double tilt;  // radians
  float thrown;
  float friction, restitution;
  double lift, height, remove;
  bool is_lifted, is_removed;
  double* starts;        // metres: initial x of each body's centre
  uint32_t (*faces)[3];  // triangles of the balls
  uint32_t face_count;
  double volume;  // initial cubic metres of each ball
} yard;

// ---- building ----

static kind kind_of(uint32_t body) {
  return (kind)(body % KINDS);
}

// Initial pose of body i: its centre, and two unit vectors of its plane.
typedef struct frame {
  float origin[3], across[3], up[3];
} frame;

static frame frame_of(const yard* self, uint32_t i) {
  const float c = (float)cos(self->tilt), s = (float)sin(self->tilt);
  return (frame){{(float)(1.5 * self->size * (double)i), (float)self->size, 0.0f},
                 {c, s, 0.0f},
                 {-s, c, 0.0f}};
}

#define PUT(def, frame)                        \
  for (int axis = 0; axis < 3; ++axis) {       \
    (def).origin[axis] = (frame).origin[axis]; \
    (def).across[axis] = (frame).across[axis]; \
    (def).up[axis] = (frame).up[axis];         \
  }

static weft_result add_circle(const yard* self, weft_scene* scene, frame at, weft_body* body) {
  weft_circle_def def = weft_default_circle_def();
  PUT(def, at)
  def.radius = (float)(0.5 * self->size);
  def.hub = true;
  def.mass = (float)self->mass;
  return weft_scene_add_circle(scene, &def, body);
}

static weft_result add_box(const yard* self, weft_scene* scene, frame at, weft_body* body) {
  weft_box_def def = weft_default_box_def();
  PUT(def, at)
  def.width = def.height = (float)self->size;
  def.mass = (float)self->mass;
  return weft_scene_add_box(scene, &def, body);
}

static weft_result add_triangle(const yard* self, weft_scene* scene, frame at, weft_body* body) {
  weft_triangle_def def = weft_default_triangle_def();
  PUT(def, at)
  def.width = (float)self->size;
  def.height = (float)(0.8660254 * self->size);
  def.mass = (float)self->mass;
  return weft_scene_add_triangle(scene, &def, body);
}

// A house: a box and a roof.
static weft_result add_house(const yard* self, weft_scene* scene, frame at, weft_body* body) {
  static const float corners[5][3] = {{-0.5f, -0.5f, 0.0f},
                                      {0.5f, -0.5f, 0.0f},
                                      {0.5f, 0.1f, 0.0f},
                                      {-0.5f, 0.1f, 0.0f},
                                      {0, 0.5f, 0}};
  static const uint32_t ends[9][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2},
                                      {1, 3}, {2, 4}, {3, 4}, {0, 4}};
  float inverse_masses[5];
  weft_link_def links[9];
  for (int i = 0; i < 5; ++i) inverse_masses[i] = (float)(5.0 / self->mass);
  for (int i = 0; i < 9; ++i) {
    const float *a = corners[ends[i][0]], *b = corners[ends[i][1]];
    const float x = b[0] - a[0], y = b[1] - a[1];
    links[i] = (weft_link_def){
        .a = ends[i][0], .b = ends[i][1], .rest_length = sqrtf(x * x + y * y), .relaxation = 1.0f};
  }
  weft_composite_def def = weft_default_composite_def();
  PUT(def, at)
  def.scale = (float)self->size;
  def.positions = corners[0];
  def.inverse_masses = inverse_masses;
  def.particle_count = 5;
  def.links = links;
  def.link_count = 9;
  return weft_scene_add_composite(scene, &def, body);
}

static weft_result add_ball(const yard* self, weft_scene* scene, frame at, weft_body* body) {
  weft_ball_def def = weft_default_ball_def();
  def.collision = WEFT_COLLISION_NONE;
  def.in_air = false;
  for (int axis = 0; axis < 3; ++axis) def.origin[axis] = at.origin[axis];
  def.radius = (float)(0.5 * self->size);
  def.mass = (float)self->mass;
  def.pressure = (float)self->pressure;
  return weft_scene_add_ball(scene, &def, body);
}

static bool add_bodies(yard* self, weft_scene* scene, tool_message* why) {
  static weft_result (*const adders[KINDS])(const yard*, weft_scene*, frame, weft_body*) = {
      add_circle, add_box, add_triangle, add_house, add_ball};
  for (uint32_t i = 0; i < self->count; ++i) {
    if (!sim_check(adders[kind_of(i)](self, scene, frame_of(self, i), &self->bodies[i]), why)) {
      return false;
    }
  }
  self->link_count = weft_scene_link_count(scene);
  self->links = calloc(self->link_count, sizeof *self->links);
  if (!self->links) return tool_because(why, "no memory for links");
  return sim_check(weft_scene_get_links(scene, 0, self->link_count, self->links), why);
}

static void take_values(yard* self, const sim_values* values) {
  self->count = sim_count(values, "count");
  self->size = sim_number(values, "size");
  self->mass = sim_number(values, "mass");
  self->drop = sim_number(values, "drop");
  self->thrown = (float)sim_number(values, "throw");
  self->tilt = sim_number(values, "tilt") * PI / 180.0;
  self->room = sim_number(values, "room");
  self->friction = (float)sim_number(values, "friction");
  self->restitution = (float)sim_number(values, "restitution");
  self->pressure = sim_number(values, "pressure");
  self->lift = sim_number(values, "lift");
  self->height = sim_number(values, "height");
  self->remove = sim_number(values, "remove");
}

// A shell on a gas whose force is found once a step swings ever further at longer steps; see
// weft_scene_set_pressure().
static bool check_step(const yard* self, const weft_world_def* def, tool_message* why) {
  const double radius = 0.5 * self->size;
  const double area = 4.0 * PI * radius * radius;
  const double step = sqrt(4.0 * self->mass / area * (radius / 3.0) / self->pressure);
  const bool is_stable = self->count <= BALL || (double)def->step_ns * 1e-9 < 0.9 * step;
  return is_stable ||
         tool_because(why, "balls of this size, mass and pressure need %.0f steps a second or more",
                      ceil(1.0 / (0.9 * step)));
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  yard* made = calloc(1, sizeof *made);
  if (!made) return tool_because(why, "no memory for shapes");
  *state = made;
  take_values(made, values);
  if (!check_step(made, def, why)) return false;
  made->bodies = calloc(made->count, sizeof *made->bodies);
  made->starts = calloc(made->count, sizeof *made->starts);
  if (!made->bodies || !made->starts) return tool_because(why, "no memory for shapes");
  def->damping = (float)sim_number(values, "damping");
  def->solver.substeps = tool_substeps(def, 0.002);
  def->solver.integrator = WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER;
  return add_bodies(made, scene, why);
}

// By the divergence theorem.
static double volume_of(const weft_world* world, const yard* self, const weft_body* body) {
  const uint32_t first = body->first_particle, end = first + body->particle_count;
  const sim_position o = sim_position_of(world, first);
  double volume = 0.0;
  for (uint32_t f = 0; f < self->face_count; ++f) {
    const uint32_t* corners = self->faces[f];
    if (corners[0] < first || corners[0] >= end) continue;
    double side[3][3];
    for (int k = 0; k < 3; ++k) {
      const sim_position at = sim_position_of(world, corners[k]);
      side[k][0] = at.x - o.x, side[k][1] = at.y - o.y, side[k][2] = at.z - o.z;
    }
    const double *a = side[0], *b = side[1], *c = side[2];
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0])) /
              6.0;
  }
  return volume;
}

static double lowest_of(const weft_world* world, const weft_body* body) {
  double lowest = INFINITY;
  for (uint32_t i = 0; i < body->particle_count; ++i) {
    lowest = fmin(lowest, sim_position_of(world, body->first_particle + i).y);
  }
  return lowest;
}

// The lowest particle begins at the requested height.
static bool throw_body(weft_world* world, const yard* self, const weft_body* body,
                       tool_message* why) {
  const float velocity[3] = {self->thrown, 0.0f, 0.0f};
  const float offset[3] = {0.0f, (float)(self->drop - lowest_of(world, body)), 0.0f};
  return sim_check(weft_world_add(world, WEFT_ATTRIBUTE_POSITION,
                                  weft_range(body->first_particle, body->particle_count), offset,
                                  WEFT_SAME),
                   why) &&
         sim_set(world, WEFT_ATTRIBUTE_VELOCITY, body->first_particle, body->particle_count,
                 velocity, WEFT_SAME, why);
}

static bool throw_all(weft_world* world, yard* self, tool_message* why) {
  for (uint32_t i = 0; i < self->count; ++i) {
    if (!throw_body(world, self, &self->bodies[i], why)) return false;
    self->starts[i] =
        sim_middle(world, self->bodies[i].first_particle, self->bodies[i].particle_count).x;
  }
  return true;
}

static bool note_faces(const weft_world* world, yard* self, tool_message* why) {
  uint32_t count = 0;
  if (!sim_check(weft_world_get_faces(world, 0, NULL, &count), why)) return false;
  self->faces = calloc((size_t)count + 1, sizeof *self->faces);
  if (!self->faces) return tool_because(why, "no memory for faces");
  self->face_count = count;
  if (!sim_check(weft_world_get_faces(world, count, self->faces[0], &count), why)) return false;
  for (uint32_t i = 0; i < self->count; ++i) {
    if (kind_of(i) == BALL) self->volume = volume_of(world, self, &self->bodies[i]);
  }
  return true;
}

// A body's full size of space around each, and the room.
static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  yard* self = state;
  (void)def;
  weft_bounds_def bounds = weft_default_bounds_def();
  const double beside = self->size + self->room;
  bounds.lower[0] = (float)-beside;
  bounds.upper[0] = (float)(1.5 * self->size * (double)(self->count - 1) + beside);
  bounds.lower[1] = 0.0f;
  bounds.lower[2] = (float)-beside;
  bounds.upper[2] = (float)beside;
  bounds.surface.static_friction = bounds.surface.dynamic_friction = self->friction;
  bounds.surface.restitution = self->restitution;
  return sim_check(weft_world_set_bounds(world, &bounds), why) && throw_all(world, self, why) &&
         note_faces(world, self, why);
}

// ---- running ----

static bool lift_all(weft_world* world, const yard* self, tool_message* why) {
  const float offset[3] = {0.0f, (float)self->height, 0.0f};
  for (uint32_t i = COMPOSITE; i < self->count; i += KINDS) {
    if (!sim_check(weft_world_add(
                       world, WEFT_ATTRIBUTE_POSITION,
                       weft_range(self->bodies[i].first_particle, self->bodies[i].particle_count),
                       offset, WEFT_SAME),
                   why))
      return false;
  }
  return true;
}

static bool remove_all(weft_world* world, const yard* self, tool_message* why) {
  for (uint32_t i = COMPOSITE; i < self->count; i += KINDS) {
    if (!sim_check(weft_world_remove_body(world, &self->bodies[i]), why)) return false;
  }
  return true;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  yard* self = state;
  if (self->lift > 0.0 && !self->is_lifted && sim_is_due(moment, self->lift)) {
    self->is_lifted = true;
    if (!lift_all(world, self, why)) return false;
  }
  if (self->remove > 0.0 && !self->is_removed && sim_is_due(moment, self->remove)) {
    self->is_removed = true;
    return remove_all(world, self, why);
  }
  return true;
}

// ---- telling ----

// largest of its links
static double strain_of(const weft_world* world, const yard* self, const weft_body* body) {
  double upper = 0.0;
  for (uint32_t i = body->first_link; i < body->first_link + body->link_count; ++i) {
    const weft_link_def* link = &self->links[i];
    const double length =
        sim_distance(sim_position_of(world, link->a), sim_position_of(world, link->b));
    upper = fmax(upper, fabs(length / (double)link->rest_length - 1.0));
  }
  return upper;
}

static void tell_moved(const weft_world* world, const yard* self, sim_results* results) {
  static const char* const names[KINDS] = {"circle_moved", "box_moved", "triangle_moved",
                                           "composite_moved", "ball_moved"};
  for (uint32_t i = 0; i < self->count && i < KINDS; ++i) {
    const weft_body* body = &self->bodies[i];
    const sim_position middle = sim_middle(world, body->first_particle, body->particle_count);
    sim_add_result(results, names[i], middle.x - self->starts[i]);
  }
}

static void report(const weft_world* world, void* state, sim_results* results) {
  const yard* self = state;
  double strain = 0.0, fastest = 0.0, volume = INFINITY;
  uint32_t standing = 0;
  for (uint32_t i = 0; i < self->count; ++i) {
    const weft_body* body = &self->bodies[i];
    if (self->is_removed && kind_of(i) == COMPOSITE) continue;
    fastest = fmax(fastest, sim_fastest(world, body->first_particle, body->particle_count));
    standing += lowest_of(world, body) < 0.01 * self->size;
    if (kind_of(i) == BALL) {
      volume = fmin(volume, volume_of(world, self, body) / self->volume);
    } else {
      strain = fmax(strain, strain_of(world, self, body));
    }
  }
  sim_add_result(results, "standing", (double)standing);
  sim_add_result(results, "fastest", fastest);
  sim_add_result(results, "strain", strain);
  if (self->count > BALL) sim_add_result(results, "volume", volume);
  tell_moved(world, self, results);
}

static void release(void* state) {
  yard* self = state;
  free(self->bodies);
  free(self->links);
  free(self->starts);
  free(self->faces);
}

static void keep(void* state, sim_keep* kept) {
  yard* self = state;
  SIM_KEEP(kept, self->is_lifted);
  SIM_KEEP(kept, self->is_removed);
}

const sim_scene sim_scene_shapes = {
    .name = "shapes",
    .summary = "circles, boxes, triangles, composites and balls that fall into a box",
    .params = params,
    .seconds = 15.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = release,
};
