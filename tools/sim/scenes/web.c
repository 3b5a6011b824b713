/* An upright spider's web, pinned at its outer ends. A fly thrown past a thread sticks there, by a
 * joint to the thread's nearest point, and hangs in the web from then on; one that meets a gap
 * flies on. */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "common/substeps.h"
#include "sim/observe.h"
#include "sim/particle.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"radius", "metres, to the pins", SIM_NUMBER, 0.3, 0.01, 100, NULL},
    {"radials", "threads from the hub outwards", SIM_COUNT, 16, 3, 200, NULL},
    {"rings", "turns of the spiral", SIM_COUNT, 8, 1, 200, NULL},
    {"spiral", "one spiral thread instead of closed rings", SIM_FLAG, 1, 0, 1, NULL},
    {"thread", "grams of a metre of thread", SIM_NUMBER, 1, 1e-4, 1e5, NULL},
    {"give", "strain of a thread per newton", SIM_NUMBER, 0.05, 0, 100, NULL},
    {"tear", "strain at which threads tear; 0 = never", SIM_NUMBER, 0, 0, 100, NULL},
    {"flies", "number of flies, thrown one a second", SIM_COUNT, 1, 0, 60, NULL},
    {"fly", "grams, of each", SIM_NUMBER, 2, 1e-3, 1e6, NULL},
    {"size", "metres, the radius of a fly", SIM_NUMBER, 0.02, 1e-4, 10, NULL},
    {"speed", "metres per second", SIM_NUMBER, 3, 0.1, 1000, NULL},
    {"aim", "largest distance from the hub, as a share of the radius", SIM_NUMBER, 0.6, 0, 1, NULL},
    {"damping", "1/seconds", SIM_NUMBER, 0.5, 0, 1000, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

// radii before the web: the waiting flies
#define AWAY 2.0

typedef enum fly_state { WAITS, FLIES, HANGS, MISSED } fly_state;

typedef struct fly {
  fly_state state;
  weft_joint joint;
} fly;

typedef struct garden {
  weft_body web;
  uint32_t first_fly;
  uint32_t fly_count;
  fly flies[60];
  weft_link_def* threads;
  bool* torn;
  double radius, fly_mass, size, speed, aim, gravity;
} garden;

static weft_web_def describe(const sim_values* values) {
  weft_web_def def = weft_default_web_def();
  const float tear = (float)sim_number(values, "tear");
  def.radius = (float)sim_number(values, "radius");
  def.radials = sim_count(values, "radials");
  def.rings = sim_count(values, "rings");
  def.spiral = sim_flag(values, "spiral");
  def.mass_per_metre = (float)(sim_number(values, "thread") * 1e-3);
  def.compliance = (float)sim_number(values, "give");
  def.tear_ratio = tear > 0.0f ? 1.0f + tear : 0.0f;
  return def;
}

// Start of a fly, on a spiral, so that flies hit different threads.
static sim_position aim_of(const garden* self, uint32_t number) {
  const double turn = 2.39996322972865332 * ((double)number + 0.5);
  const double share = sqrt(((double)number + 0.5) / (double)self->fly_count);
  const double out = self->aim * self->radius * share;
  return (sim_position){out * cos(turn), out * sin(turn), -AWAY * self->radius};
}

static bool add_flies(garden* self, weft_scene* scene, tool_message* why) {
  self->first_fly = weft_scene_particle_count(scene);
  for (uint32_t i = 0; i < self->fly_count; ++i) {
    const sim_position aim = aim_of(self, i);
    const float place[3] = {(float)aim.x, (float)aim.y, (float)aim.z}, waits = 0.0f;
    if (!sim_check(weft_scene_add_particles(scene, place, &waits, 1, NULL), why)) return false;
  }
  return true;
}

static bool note_threads(garden* self, const weft_scene* scene, tool_message* why) {
  self->threads = calloc(self->web.link_count, sizeof *self->threads);
  self->torn = calloc(self->web.link_count, sizeof *self->torn);
  if (!self->threads || !self->torn) return tool_because(why, "no memory for a web");
  return sim_check(
      weft_scene_get_links(scene, self->web.first_link, self->web.link_count, self->threads), why);
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  garden* made = calloc(1, sizeof *made);
  if (!made) return tool_because(why, "no memory for a web");
  *state = made;
  made->radius = sim_number(values, "radius");
  made->fly_count = sim_count(values, "flies");
  made->fly_mass = sim_number(values, "fly") * 1e-3;
  made->size = sim_number(values, "size");
  made->speed = sim_number(values, "speed");
  made->aim = sim_number(values, "aim");
  made->gravity = -(double)def->gravity[1];
  def->damping = (float)sim_number(values, "damping");
  def->solver.substeps = tool_substeps(def, 0.002);
  def->solver.iterations = 10;
  // threads are light, flies are not: stored velocities bear short substeps better
  def->solver.integrator = WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER;
  const weft_web_def web = describe(values);
  return sim_check(weft_scene_add_web(scene, &web, &made->web), why) &&
         note_threads(made, scene, why) && add_flies(made, scene, why);
}

// point of a thread, `share` from its first end to its last
typedef struct spot {
  uint32_t thread;
  double share;
  double distance;
} spot;

static spot nearest_on(const weft_world* world, const weft_link_def* thread, sim_position from) {
  const sim_position a = sim_position_of(world, thread->a), b = sim_position_of(world, thread->b);
  const sim_position way = {b.x - a.x, b.y - a.y, b.z - a.z};
  const double squared = way.x * way.x + way.y * way.y + way.z * way.z;
  const double along = (from.x - a.x) * way.x + (from.y - a.y) * way.y + (from.z - a.z) * way.z;
  const double share = squared > 0.0 ? fmin(fmax(along / squared, 0.0), 1.0) : 0.0;
  const sim_position there = {a.x + share * way.x, a.y + share * way.y, a.z + share * way.z};
  return (spot){0, share, sim_distance(from, there)};
}

static spot nearest_thread(const weft_world* world, const garden* self, sim_position from) {
  spot nearest = {0, 0.0, INFINITY};
  for (uint32_t i = 0; i < self->web.link_count; ++i) {
    if (self->torn[i]) continue;
    spot found = nearest_on(world, &self->threads[i], from);
    found.thread = i;
    if (found.distance < nearest.distance) nearest = found;
  }
  return nearest;
}

static bool stick(weft_world* world, garden* self, uint32_t number, spot at, tool_message* why) {
  const weft_link_def* thread = &self->threads[at.thread];
  weft_joint_def def = weft_default_joint_def();
  def.particle = self->first_fly + number;
  def.to[0] = thread->a;
  def.to[1] = thread->b;
  def.weights[1] = (float)at.share;
  def.weights[0] = 1.0f - def.weights[1];
  // holds by its legs: nothing jumps
  def.rest_length = (float)at.distance;
  return sim_check(weft_world_add_joint(world, &def, &self->flies[number].joint), why);
}

// Aimed to meet the middle of the web in its fall.
static bool throw_fly(weft_world* world, garden* self, uint32_t number, tool_message* why) {
  const sim_position from = aim_of(self, number);
  const uint32_t particle = self->first_fly + number;
  const double flight = -from.z / self->speed;
  const float place[3] = {(float)from.x, (float)from.y, (float)from.z};
  const float velocity[3] = {0.0f, (float)(0.5 * self->gravity * flight), (float)self->speed};
  self->flies[number].state = FLIES;
  return sim_check(sim_set_inverse_mass(world, particle, (float)(1.0 / self->fly_mass)), why) &&
         sim_check(sim_set_particle(world, particle, place, velocity), why);
}

// Throws it, or checks its arrival at the web.
static bool guide_fly(weft_world* world, garden* self, uint32_t number, const sim_moment* moment,
                      tool_message* why) {
  fly* f = &self->flies[number];
  if (f->state == WAITS && sim_is_due(moment, (double)number)) {
    return throw_fly(world, self, number, why);
  }
  if (f->state != FLIES) return true;
  const uint32_t particle = self->first_fly + number;
  const sim_position here = sim_position_of(world, particle);
  if (here.z < 0.0) return true;
  // back to where it crossed the web, whatever the step
  float velocity[3];
  if (!sim_get(world, WEFT_ATTRIBUTE_VELOCITY, particle, 1, velocity, why)) return false;
  const double past = velocity[2] > 0.0f ? here.z / (double)velocity[2] : 0.0;
  const sim_position through = {here.x - past * (double)velocity[0],
                                here.y - past * (double)velocity[1], 0.0};
  const spot at = nearest_thread(world, self, through);
  f->state = at.distance <= self->size ? HANGS : MISSED;
  if (f->state == MISSED) return true;
  const float place[3] = {(float)through.x, (float)through.y, 0.0f};
  return sim_check(sim_set_particle(world, particle, place, velocity), why) &&
         stick(world, self, number, at, why);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  garden* self = state;
  if (!sim_get(world, WEFT_ATTRIBUTE_LINK_TORN, self->web.first_link, self->web.link_count,
               self->torn, why)) {
    return false;
  }
  for (uint32_t i = 0; i < self->fly_count; ++i) {
    if (!guide_fly(world, self, i, moment, why)) return false;
  }
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  const garden* self = state;
  double pull = 0.0,
         fastest = sim_fastest(world, self->web.first_particle, self->web.particle_count);
  uint32_t caught = 0, held = 0;
  const sim_position hub = sim_position_of(world, self->web.first_particle);
  for (uint32_t i = 0; i < self->fly_count; ++i) {
    if (self->flies[i].state != HANGS) continue;
    float force = 0.0f;
    bool broken = false;
    tool_must(weft_world_get_joint(world, self->flies[i].joint, NULL, &force, &broken));
    pull += (double)force;
    fastest = fmax(fastest, sim_fastest(world, self->first_fly + i, 1));
    ++caught;
    const sim_position middle = {0.0, 0.0, 0.0};
    held += sim_distance(middle, sim_position_of(world, self->first_fly + i)) < 2.0 * self->radius;
  }
  sim_add_result(results, "caught", (double)caught);
  sim_add_result(results, "held", (double)held);
  sim_add_result(results, "pull", pull);
  sim_add_result(results, "sag", sim_distance(hub, (sim_position){0.0, 0.0, 0.0}));
  sim_add_result(results, "fastest", fastest);
}

static void release(void* state) {
  garden* self = state;
  free(self->threads);
  free(self->torn);
}

static void keep(void* state, sim_keep* kept) {
  garden* self = state;
  SIM_KEEP(kept, self->flies);
}

const sim_scene sim_scene_web = {
    .name = "web",
    .summary = "a spider's web that catches flies",
    .params = params,
    .seconds = 15.0,
    .rate = 60.0,
    .build = build,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = release,
};
