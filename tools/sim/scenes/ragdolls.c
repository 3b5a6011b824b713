/* Figures that fall into a box in poses of their own and come to rest as people would. The first
 * hangs by a hand; the head of the second is dragged for a while. They do not meet each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/particle.h"
#include "sim/scene.h"
#include "sim/scenes/figure.h"

static const char* const planes[] = {"apart", "one", NULL};

static const sim_param params[] = {
    {"count", "number of ragdolls", SIM_COUNT, 12, 1, 1000, NULL},
    {"flat", "ragdolls stay in their plane; otherwise limbs also spread and twist", SIM_FLAG, 1, 0,
     0, NULL},
    {"plane", "each ragdoll has a plane of its own, or all fall in one", SIM_CHOICE, 0, 0, 0,
     planes},
    {"drop", "metres that they fall", SIM_NUMBER, 3, 0, 20, NULL},
    {"speed", "metres per second, the most that they are thrown at", SIM_NUMBER, 3, 0, 10, NULL},
    {"friction", "of floor and walls", SIM_NUMBER, 0.6, 0, 10, NULL},
    {"restitution", "of floor and walls", SIM_NUMBER, 0.1, 0, 1, NULL},
    {"damping", "1/seconds: limbs would swing for long without it", SIM_NUMBER, 1.5, 0, 100, NULL},
    {"hang", "the first ragdoll hangs by a hand", SIM_FLAG, 1, 0, 0, NULL},
    {"drag", "second at which dragging of the second one starts; 0 = never", SIM_NUMBER, 2, 0, 1e6,
     NULL},
    {"seed", "of poses and velocities", SIM_COUNT, 1, 0, 4294967295.0, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

// metres
#define HALF_WIDTH 5.0
#define BETWEEN_PLANES 1.5
// pointer: up and towards the middle, in seconds and metres
#define DRAG_SECONDS 3.0
#define DRAG_UP 1.0
#define DRAG_ACROSS 1.5
// metres a substep: a fifteenth of the shortest bone
#define MOST_WAY 0.0133
// metres per second squared
#define GRAVITY 9.81

enum { HANGING = 0, DRAGGED = 1 };

typedef struct ragdolls {
  uint32_t count;
  figure_dice dice;
  double drop, speed, depth, friction, restitution, drag;
  bool hang;
  weft_link_def bones[WEFT_RAGDOLL_BONE_COUNT];
  weft_ragdoll_def* defs;
  figure_places* places;
  float lower[3], upper[3];
  float pointer[3];
  weft_grip grip;
  bool dragging, let_go;
  double dragged;  // metres of the dragged head from its begin
  double strain;   // maximum
  double head_gap;
} ragdolls;

// ---- describing ----

static ragdolls* make(const sim_values* values) {
  ragdolls* made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->count = sim_count(values, "count");
  made->dice.state = sim_count(values, "seed");
  made->drop = sim_number(values, "drop");
  made->speed = sim_number(values, "speed");
  made->friction = sim_number(values, "friction");
  made->restitution = sim_number(values, "restitution");
  made->drag = sim_number(values, "drag");
  made->hang = sim_flag(values, "hang");
  made->depth = sim_choice(values, "plane") == 0 ? BETWEEN_PLANES : 0.0;
  made->head_gap = INFINITY;
  made->defs = calloc(made->count, sizeof *made->defs);
  made->places = calloc(made->count, sizeof *made->places);
  return made;
}

static weft_ragdoll_def place(ragdolls* self, uint32_t i, bool flat) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  def.flat = flat;
  figure_face(&def, &self->dice);
  const double room = HALF_WIDTH - 1.5 * (double)def.height;
  const double x = figure_roll(&self->dice, -room, room);
  // centre and lowest part at about the height of the drop
  const double y = self->drop + (double)def.height * (1.0 + figure_roll(&self->dice, 0.0, 0.2));
  def.origin[0] = (float)(x - 0.5 * (double)(def.height * def.up[0]));
  def.origin[1] = (float)(y - 0.5 * (double)(def.height * def.up[1]));
  def.origin[2] = (float)(self->depth * (double)i);
  return def;
}

static bool add(ragdolls* self, uint32_t i, bool flat, weft_scene* scene, tool_message* why) {
  weft_body body;
  weft_ragdoll_def* def = &self->defs[i];
  *def = place(self, i, flat);
  if (!sim_check(weft_scene_add_ragdoll(scene, def, &body), why)) return false;
  if (i == HANGING && self->hang &&
      !sim_check(weft_scene_pin(scene, weft_range(body.first_particle + WEFT_RAGDOLL_HAND_LEFT, 1)),
                 why)) {
    return false;
  }
  float(*places)[3] = self->places[i];
  if (!sim_check(weft_scene_get_particles(scene, body.first_particle, body.particle_count,
                                          &places[0][0], NULL),
                 why)) {
    return false;
  }
  figure_pose(places, def, &self->dice);
  return true;
}

// as many as keep a body that hits the floor within MOST_WAY in each
static uint32_t substeps_of(const ragdolls* self, double h) {
  const double height = self->drop + 2.0 * (double)weft_default_ragdoll_def().height;
  const double speed = sqrt(2.0 * GRAVITY * height) + 2.0 * self->speed;
  const double parts = ceil(speed * h / MOST_WAY);
  return parts < 1.0 ? 1 : parts > 1000.0 ? 1000 : (uint32_t)parts;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  ragdolls* self = make(values);
  *state = self;
  if (!self || !self->defs || !self->places) return tool_because(why, "no memory for ragdolls");
  def->damping = (float)sim_number(values, "damping");
  def->solver.substeps = substeps_of(self, (double)def->step_ns * 1e-9);
  def->solver.iterations = 10;
  for (uint32_t i = 0; i < self->count; ++i) {
    if (!add(self, i, sim_flag(values, "flat"), scene, why)) return false;
  }
  return sim_check(weft_scene_get_links(scene, 0, WEFT_RAGDOLL_BONE_COUNT, self->bones), why);
}

// ---- starting ----

static bool set_walls(const ragdolls* self, weft_world* world, tool_message* why) {
  weft_bounds_def bounds = weft_default_bounds_def();
  memcpy(bounds.lower, self->lower, sizeof bounds.lower);
  memcpy(bounds.upper, self->upper, sizeof bounds.upper);
  bounds.surface.static_friction = bounds.surface.dynamic_friction = (float)self->friction;
  bounds.surface.restitution = (float)self->restitution;
  if (!sim_check(weft_world_set_bounds(world, &bounds), why)) return false;
  for (uint32_t i = 0; i < self->count; ++i) {
    const float radius = weft_ragdoll_get_head_radius(&self->defs[i]);
    const uint32_t head = i * WEFT_RAGDOLL_PARTICLE_COUNT + WEFT_RAGDOLL_HEAD;
    if (!sim_check(sim_set_radius(world, head, radius), why)) {
      return false;
    }
  }
  return true;
}

// rigid motion: a velocity, and a spin in the plane about the pelvis
static bool throw(ragdolls * self, uint32_t i, weft_world* world, tool_message* why) {
  const double x = figure_roll(&self->dice, -self->speed, self->speed);
  const double y = figure_roll(&self->dice, -self->speed, self->speed);
  const double spin = figure_roll(&self->dice, -self->speed, self->speed);
  const bool hangs = i == HANGING && self->hang;
  float(*places)[3] = self->places[i];
  float velocities[WEFT_RAGDOLL_PARTICLE_COUNT][3] = {{0.0f}};
  for (uint32_t part = 0; part < WEFT_RAGDOLL_PARTICLE_COUNT && !hangs; ++part) {
    const float* middle = places[WEFT_RAGDOLL_PELVIS];
    velocities[part][0] = (float)(x - spin * (double)(places[part][1] - middle[1]));
    velocities[part][1] = (float)(y + spin * (double)(places[part][0] - middle[0]));
  }
  const uint32_t first = i * WEFT_RAGDOLL_PARTICLE_COUNT, count = WEFT_RAGDOLL_PARTICLE_COUNT;
  return sim_set(world, WEFT_ATTRIBUTE_POSITION, first, count, places[0], 0, why) &&
         sim_set(world, WEFT_ATTRIBUTE_VELOCITY, first, count, velocities[0], 0, why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  (void)def;
  ragdolls* self = state;
  const double height = (double)weft_default_ragdoll_def().height;
  self->lower[0] = (float)-HALF_WIDTH;
  self->upper[0] = (float)HALF_WIDTH;
  self->lower[1] = 0.0f;
  self->upper[1] = (float)(self->drop + 4.0 * height);
  self->lower[2] = (float)-height;
  self->upper[2] = (float)(self->depth * (double)(self->count - 1) + height);
  for (uint32_t i = 0; i < self->count; ++i) {
    if (!throw(self, i, world, why)) return false;
  }
  return set_walls(self, world, why);
}

// ---- watching ----

static bool watch(ragdolls* self, const weft_world* world, tool_message* why) {
  const uint32_t particles = self->count * WEFT_RAGDOLL_PARTICLE_COUNT;
  if (!sim_get(world, WEFT_ATTRIBUTE_POSITION, 0, particles, &self->places[0][0][0], why)) {
    return false;
  }
  for (uint32_t i = 0; i < self->count; ++i) {
    const float* head = self->places[i][WEFT_RAGDOLL_HEAD];
    const double radius = (double)weft_ragdoll_get_head_radius(&self->defs[i]);
    for (int axis = 0; axis < 3; ++axis) {
      const double gap =
          fmin((double)(head[axis] - self->lower[axis]), (double)(self->upper[axis] - head[axis]));
      self->head_gap = fmin(self->head_gap, gap - radius);
    }
    self->strain = fmax(self->strain, figure_strain(self->places[i], self->bones));
  }
  return true;
}

// begins and ends at rest
static double share_of_drag(double seconds) {
  const double share = fmax(0.0, fmin(1.0, seconds / DRAG_SECONDS));
  return share * share * (3.0 - 2.0 * share);
}

static bool drag(ragdolls* self, const sim_moment* moment, weft_world* world, tool_message* why) {
  const double since = moment->time + moment->h - self->drag;
  if (self->drag == 0.0 || self->count <= DRAGGED || since <= 0.0) return true;
  if (since - moment->h > DRAG_SECONDS) {
    if (!self->dragging || self->let_go) return true;
    self->let_go = true;
    return sim_check(weft_world_remove_grip(world, self->grip), why);
  }
  const float* head = self->places[DRAGGED][WEFT_RAGDOLL_HEAD];
  if (!self->dragging) {
    memcpy(self->pointer, head, sizeof self->pointer);
    if (!sim_check(weft_world_add_grip(world, head, 1e-3f, &self->grip), why)) return false;
  }
  self->dragging = true;
  const double share = share_of_drag(since);
  const double across = self->pointer[0] > 0.0f ? -DRAG_ACROSS : DRAG_ACROSS;
  const float to[3] = {(float)((double)self->pointer[0] + share * across),
                       (float)((double)self->pointer[1] + share * DRAG_UP), self->pointer[2]};
  double gone = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = (double)head[axis] - (double)self->pointer[axis];
    gone += way * way;
  }
  self->dragged = fmax(self->dragged, sqrt(gone));
  return sim_check(weft_world_move_grip(world, self->grip, to), why);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  ragdolls* self = state;
  if (moment->step > 0 && !watch(self, world, why)) return false;
  return drag(self, moment, world, why);
}

// ---- telling ----

static double fastest(const ragdolls* self, const weft_world* world) {
  double upper = 0.0;
  for (uint32_t i = self->hang ? 1 : 0; i < self->count; ++i) {
    figure_places velocities;
    tool_get(world, WEFT_ATTRIBUTE_VELOCITY, i * WEFT_RAGDOLL_PARTICLE_COUNT,
             WEFT_RAGDOLL_PARTICLE_COUNT, &velocities[0][0]);
    for (int part = 0; part < WEFT_RAGDOLL_PARTICLE_COUNT; ++part) {
      const float* v = velocities[part];
      upper = fmax(upper, sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                               (double)v[2] * (double)v[2]));
    }
  }
  return upper;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  ragdolls* self = state;
  tool_message why;
  (void)watch(self, world, &why);
  figure_bends bends = {0};
  double strain = 0.0;
  for (uint32_t i = 0; i < self->count; ++i) {
    figure_count_bends(self->places[i], &self->defs[i], &bends);
    strain = fmax(strain, figure_strain(self->places[i], self->bones));
  }
  sim_add_result(results, "worst_strain", self->strain);
  sim_add_result(results, "strain", strain);
  sim_add_result(results, "wrong_bends", (double)bends.wrong);
  sim_add_result(results, "worst_bend", bends.worst);
  sim_add_result(results, "head_gap", self->head_gap);
  sim_add_result(results, "speed", fastest(self, world));
  sim_add_result(results, "dragged", self->dragged);
  if (!self->hang) return;
  const float(*hanging)[3] = (const float(*)[3])self->places[HANGING];
  sim_add_result(results, "hangs_by",
                 (double)(hanging[WEFT_RAGDOLL_HAND_LEFT][1] - hanging[WEFT_RAGDOLL_PELVIS][1]));
}

static void free_ragdolls(void* state) {
  ragdolls* self = state;
  free(self->defs);
  free(self->places);
}

static void keep(void* state, sim_keep* kept) {
  ragdolls* self = state;
  SIM_KEEP(kept, self->pointer);
  SIM_KEEP(kept, self->grip);
  SIM_KEEP(kept, self->dragging);
  SIM_KEEP(kept, self->let_go);
}

const sim_scene sim_scene_ragdolls = {
    .name = "ragdolls",
    .summary = "ragdolls that fall into a box; one hangs by a hand, one is dragged by its head",
    .params = params,
    .seconds = 10.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = free_ragdolls,
};
