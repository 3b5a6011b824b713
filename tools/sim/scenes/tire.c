/* Tires dropped on a slope that roll down side by side. The slope is gravity, tilted against a
 * level floor; at some second it turns upright, and they run out on the level, or against a wall.
 *
 * A hoop of moment of inertia I that does not slip accelerates by g sin(slope) / (1 + I / (m r^2))
 * at any size; where friction is less than tan(slope) / (1 + m r^2 / I) it slips, and accelerates
 * by g (sin(slope) - friction cos(slope)). */
#include <math.h>
#include <stdlib.h>

#include "common/substeps.h"
#include "sim/observe.h"
#include "sim/scene.h"

#define PI 3.14159265358979323846

static const sim_param params[] = {
    {"tires", "number of tires, from full size to half of it", SIM_COUNT, 3, 1, 1000, NULL},
    {"particles", "particles of each tread", SIM_COUNT, 32, 5, 256, NULL},
    {"radius", "metres, of the largest", SIM_NUMBER, 0.35, 0.05, 100, NULL},
    {"mass", "kilograms, of each", SIM_NUMBER, 8, 1e-3, 1e6, NULL},
    {"give", "share of its length that a spoke gives way under the tire's weight on Earth",
     SIM_NUMBER, 0.01, 0.001, 0.5, NULL},
    {"drop", "metres above the slope at which they start", SIM_NUMBER, 0.5, 0, 1000, NULL},
    {"slope", "degrees", SIM_NUMBER, 10, 0, 80, NULL},
    {"friction", "of the floor", SIM_NUMBER, 0.8, 0, 1000, NULL},
    {"restitution", "of the floor", SIM_NUMBER, 0, 0, 1, NULL},
    {"level", "second at which the slope ends; 0 = never", SIM_NUMBER, 4, 0, 1e6, NULL},
    {"wall", "metres from the start to a wall on either side; 0 = none", SIM_NUMBER, 15, 0, 1e6,
     NULL},
    {"gravity", "metres per second squared", SIM_NUMBER, 9.81, 0, 1000, NULL},
    {"damping", "1/seconds", SIM_NUMBER, 0.3, 0, 1000, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

typedef struct tire {
  weft_body body;
  double radius;
  double turned;     // radians, clockwise
  double roundness;  // least so far
} tire;

typedef struct yard {
  tire* tires;
  uint32_t count;
  double gravity, slope, level, wall;
  double friction, restitution;
  bool is_level;
} yard;

static weft_tire_def describe(const sim_values* values, double share) {
  weft_tire_def def = weft_default_tire_def();
  const double radius = share * sim_number(values, "radius");
  const double weight = sim_number(values, "mass") * 9.81;
  def.radius = (float)radius;
  def.mass = (float)sim_number(values, "mass");
  def.count = sim_count(values, "particles");
  def.origin[1] = (float)(radius + sim_number(values, "drop"));
  const double give = sim_number(values, "give") * radius;
  def.spoke_compliance = (float)(give / weight);
  def.tread_compliance = 0.01f * def.spoke_compliance;
  return def;
}

static bool add_tires(yard* self, const sim_values* values, weft_scene* scene, tool_message* why) {
  double place = 0.0;
  for (uint32_t i = 0; i < self->count; ++i) {
    const double share = 1.0 - 0.5 * (double)i / (double)self->count;
    weft_tire_def def = describe(values, share);
    tire* t = &self->tires[i];
    def.origin[2] = (float)place;
    place += 0.5 * (double)def.radius;
    if (!sim_check(weft_scene_add_tire(scene, &def, &t->body), why)) return false;
    t->radius = (double)def.radius;
    t->roundness = 1.0;
  }
  return true;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  yard* made = calloc(1, sizeof *made);
  if (!made) return tool_because(why, "no memory for tires");
  *state = made;
  made->count = sim_count(values, "tires");
  made->tires = calloc(made->count, sizeof *made->tires);
  if (!made->tires) return tool_because(why, "no memory for tires");
  made->gravity = sim_number(values, "gravity");
  made->slope = sim_number(values, "slope") * PI / 180.0;
  made->level = sim_number(values, "level");
  made->wall = sim_number(values, "wall");
  made->friction = sim_number(values, "friction");
  made->restitution = sim_number(values, "restitution");
  def->damping = (float)sim_number(values, "damping");
  // the floor lifts a tire by the few particles on it, one substep at a time
  def->solver.substeps = tool_substeps(def, 0.002);
  // a push goes around the tread by a few links a sweep
  def->solver.iterations = 10 + sim_count(values, "particles") / 8;
  // stored velocities do not round gravity away in short substeps
  def->solver.integrator = WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER;
  def->gravity[0] = (float)(made->gravity * sin(made->slope));
  def->gravity[1] = (float)(-made->gravity * cos(made->slope));
  return add_tires(made, values, scene, why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const yard* self = state;
  (void)def;
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = 0.0f;
  if (self->wall > 0.0) {
    bounds.upper[0] = (float)(self->wall + self->tires[0].radius);
    bounds.lower[0] = -bounds.upper[0];
  }
  bounds.surface.static_friction = bounds.surface.dynamic_friction = (float)self->friction;
  bounds.surface.restitution = (float)self->restitution;
  return sim_check(weft_world_set_bounds(world, &bounds), why);
}

static uint32_t hub_of(const tire* t) {
  return t->body.first_particle + t->body.particle_count - 1;
}

static double roundness_of(const weft_world* world, const tire* t) {
  const sim_position hub = sim_position_of(world, hub_of(t));
  double lower = INFINITY, upper = 0.0;
  for (uint32_t i = t->body.first_particle; i < hub_of(t); ++i) {
    const double radius = sim_distance(hub, sim_position_of(world, i));
    lower = fmin(lower, radius);
    upper = fmax(upper, radius);
  }
  return upper > 0.0 ? lower / upper : 0.0;
}

// Rotation so far; less than half a turn since the last call.
static double turned_by_now(const weft_world* world, const tire* t) {
  const sim_position hub = sim_position_of(world, hub_of(t));
  const sim_position rim = sim_position_of(world, t->body.first_particle);
  const double angle = -atan2(rim.y - hub.y, rim.x - hub.x);
  return t->turned + remainder(angle - t->turned, 2.0 * PI);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  yard* self = state;
  for (uint32_t i = 0; i < self->count; ++i) {
    tire* t = &self->tires[i];
    t->turned = turned_by_now(world, t);
    t->roundness = fmin(t->roundness, roundness_of(world, t));
  }
  if (self->level == 0.0 || self->is_level || !sim_is_due(moment, self->level)) return true;
  self->is_level = true;
  const float upright[3] = {0.0f, (float)-self->gravity, 0.0f};
  return sim_check(weft_world_set_gravity(world, upright), why);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  const yard* self = state;
  double roundness = 1.0, squashed = 1.0, slip = 0.0, fastest = 0.0;
  for (uint32_t i = self->count; i-- > 0;) {
    const tire* t = &self->tires[i];
    const double turned = turned_by_now(world, t);
    const double rolled = sim_position_of(world, hub_of(t)).x;
    const double now = roundness_of(world, t);
    const double slid = fabs(rolled) > 1e-3 ? 1.0 - turned * t->radius / rolled : 0.0;
    roundness = fmin(roundness, now);
    squashed = fmin(squashed, fmin(t->roundness, now));
    slip = fabs(slid) > fabs(slip) ? slid : slip;
    fastest = fmax(fastest, sim_fastest(world, t->body.first_particle, t->body.particle_count));
    if (i > 0) continue;
    sim_add_result(results, "distance", rolled);
    sim_add_result(results, "turns", turned / (2.0 * PI));
  }
  sim_add_result(results, "slip", slip);
  sim_add_result(results, "roundness", roundness);
  sim_add_result(results, "least_roundness", squashed);
  sim_add_result(results, "fastest", fastest);
}

static void release(void* state) {
  yard* self = state;
  free(self->tires);
}

static void keep(void* state, sim_keep* kept) {
  yard* self = state;
  SIM_KEEP(kept, self->is_level);
}

const sim_scene sim_scene_tire = {
    .name = "tire",
    .summary = "tires that roll down a slope, out on the level, and come to rest",
    .params = params,
    .seconds = 20.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = release,
};
