/* The figure of a game: a particle half its height above a floor, in a room or without walls. Keys
 * walk in four directions and jump, by a script: by forces, or by increments of the velocity, as in
 * games. The floor is the world's bound, or a soft one, which returns a share of the penetration in
 * each step. Motion depends only on steps, so that slow motion shows the same. Velocity Verlet has
 * velocities of the moment that they are set in, which do not stick under little drag. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/keys.h"
#include "sim/particle.h"
#include "sim/scene.h"

enum { KEY_LEFT, KEY_RIGHT, KEY_FORWARD, KEY_BACK, KEY_JUMP, KEY_COUNT };

static const char* const keys[] = {"left", "right", "forward", "back", "jump", NULL};

static const char* const usual_script[] = {"right 0.5-2, jump 1.5, left 3-4.5, jump 3.6, jump 5.5",
                                           NULL};

#define EARTH 9.81

static const char* const floors[] = {"hard", "soft", NULL};

/* The original: 85 kg on earth's standard gravity, 4 newton seconds per metre of air resistance,
 * which make 208.39 metres per second at most. */
static const char* const preset_names[] = {"usual", "original", NULL};

static const sim_preset presets[] = {
    {"usual", (const char* const[]){NULL}},
    {"original",
     (const char* const[]){"mass=85", "gravity=9.80665", "resistance=4", "walk_force=0",
                           "walk_step=0.5", "fly_step=0.05", "jump_step=5", "jump_push=0.5",
                           "friction=0", "contact_drag=0.1", "floor=soft", "margin=0.01",
                           "correction=0.3", "max_speed_x=1000", "max_speed_y=1000",
                           "max_speed_z=1000", NULL}},
    {NULL, NULL},
};

static const sim_param params[] = {
    {"preset", "values of the others that are not set", SIM_CHOICE, 0, 0, 0, preset_names},
    {"script", "keys: left, right, forward, back, jump, each with SECOND or FROM-TO", SIM_TEXT, 0,
     0, 0, usual_script},
    {"mass", "kilograms", SIM_NUMBER, 85, 0.001, 1e6, NULL},
    {"height", "metres", SIM_NUMBER, 1.8, 0, 1000, NULL},
    {"gravity", "metres per second squared: 9.81 on earth, 1.62 on the moon", SIM_NUMBER, EARTH, 0,
     1000, NULL},
    {"walk_force", "newtons of a key, on the floor", SIM_NUMBER, 1000, 0, 1e9, NULL},
    {"air_control", "share of them in the air", SIM_NUMBER, 0.1, 0, 1, NULL},
    {"walk_step", "metres per second that a key adds in a step on the floor, beside walk_force",
     SIM_NUMBER, 0, 0, 1000, NULL},
    {"fly_step", "the same in the air", SIM_NUMBER, 0, 0, 1000, NULL},
    {"jump_height", "metres that a jump reaches on earth", SIM_NUMBER, 1, 0, 10000, NULL},
    {"jump_step", "metres per second that a jump adds, in place of jump_height; 0 = none",
     SIM_NUMBER, 0, 0, 1000, NULL},
    {"jump_push", "share of the jump's speed added in the direction of the keys", SIM_NUMBER, 0, 0,
     10, NULL},
    {"elasticity", "share of the speed at which it leaves the floor that it hits", SIM_NUMBER, 0, 0,
     1, NULL},
    {"friction", "coefficient of the floor's friction", SIM_NUMBER, 0.6, 0, 1000, NULL},
    {"contact_drag", "share of the speed along a wall or the floor lost in each step at it",
     SIM_NUMBER, 0, 0, 1, NULL},
    {"floor", "hard: bound of the world; soft: pushes back a share of the penetration", SIM_CHOICE,
     0, 0, 0, floors},
    {"margin", "metres of penetration that a soft floor leaves", SIM_NUMBER, 0.01, 0, 1000, NULL},
    {"correction", "share of the penetration beyond it that a step takes back", SIM_NUMBER, 0.3, 0,
     1, NULL},
    {"room", "metres to the walls; 0 = there are none", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"drag", "damping, 1/seconds", SIM_NUMBER, 0, 0, 1000, NULL},
    {"resistance", "newton seconds per metre: force of the air against the velocity", SIM_NUMBER, 0,
     0, 1e6, NULL},
    {"max_speed_x", "metres per second", SIM_NUMBER, 6, 1e-6, 1e9, NULL},
    {"max_speed_y", "metres per second", SIM_NUMBER, 50, 1e-6, 1e9, NULL},
    {"max_speed_z", "metres per second", SIM_NUMBER, 6, 1e-6, 1e9, NULL},
    {"drop", "metres above the floor at first", SIM_NUMBER, 0, 0, 1e5, NULL},
    {"launch_x", "metres per second at first", SIM_NUMBER, 0, -1e6, 1e6, NULL},
    {"launch_y", "metres per second", SIM_NUMBER, 0, -1e6, 1e6, NULL},
    {"launch_z", "metres per second", SIM_NUMBER, 0, -1e6, 1e6, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

enum { MOST_BOUNCES = 12 };

typedef enum flight { FLIGHT_NONE, FLIGHT_FALL, FLIGHT_JUMP, FLIGHT_BOUNCE } flight;

typedef struct player {
  // as the parameters say
  sim_script script;
  bool* is_spent; /* presses of the script that have caused a jump [script.count] */
  double walk_force, air_control, walk_step, fly_step;
  double jump_speed, jump_step, jump_push;
  double mass, elasticity, friction, contact_drag, resistance, drop, room;
  bool has_soft_floor;
  double margin, correction;
  float launch[3], half_height;
  double step; /* seconds */

  // now
  float position[3], velocity[3];
  int8_t touch[3];        /* bounds in contact in the last step, soft floor included */
  bool held[KEY_COUNT];   /* pressed by a person */
  bool touches;           /* on the floor in the last step */
  float begun[3];         /* velocity at the beginning of the last step */
  double acceleration[3]; /* metres per second squared, mean of the last step */
  flight flight;          /* cause of the present flight */
  bool has_jumped;        /* the last step began with a jump */
  double height[3];       /* metres of its lower end, after the last step and the two before */
  bool was_touching[3];   /* floor contact, after the same steps */
  uint64_t looked;        /* steps seen so far */

  // so far
  double jump_from;    /* metres: begin of the last jump */
  double highest;      /* metres: highest lower end */
  double highest_jump; /* metres: rise of the best jump */
  double top_speed[3];
  uint64_t steps_on_floor;
  uint32_t jumps, bounces;
  double bounce_heights[MOST_BOUNCES];
} player;

// ---- making it ----

static void read_values(const sim_values* values, player* self) {
  static const char* const launches[] = {"launch_x", "launch_y", "launch_z"};
  for (int axis = 0; axis < 3; ++axis) {
    self->launch[axis] = (float)sim_number(values, launches[axis]);
  }
  self->half_height = (float)(0.5 * sim_number(values, "height"));
  self->walk_force = sim_number(values, "walk_force");
  self->air_control = sim_number(values, "air_control");
  self->walk_step = sim_number(values, "walk_step");
  self->fly_step = sim_number(values, "fly_step");
  self->jump_step = sim_number(values, "jump_step");
  self->jump_speed = self->jump_step > 0.0 ? self->jump_step
                                           : sqrt(2.0 * EARTH * sim_number(values, "jump_height"));
  self->jump_push = sim_number(values, "jump_push");
  self->mass = sim_number(values, "mass");
  self->contact_drag = sim_number(values, "contact_drag");
  self->resistance = sim_number(values, "resistance");
  self->room = sim_number(values, "room");
  self->has_soft_floor = sim_choice(values, "floor") == 1;
  self->margin = sim_number(values, "margin");
  self->correction = sim_number(values, "correction");
  self->elasticity = sim_number(values, "elasticity");
  self->friction = sim_number(values, "friction");
  self->drop = sim_number(values, "drop");
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  static const char* const speeds[] = {"max_speed_x", "max_speed_y", "max_speed_z"};
  player* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a player");
  *state = self;
  read_values(values, self);
  if (!sim_script_read("--set script", sim_text(values, "script"), keys, &self->script, why)) {
    return false;
  }
  self->is_spent = calloc(self->script.count + 1, sizeof *self->is_spent);
  if (!self->is_spent) return tool_because(why, "no memory for a script");
  def->solver.integrator = WEFT_INTEGRATOR_VELOCITY_VERLET;
  def->gravity[1] = (float)-sim_number(values, "gravity");
  def->damping = (float)sim_number(values, "drag");
  for (int axis = 0; axis < 3; ++axis) {
    def->max_speed[axis] = (float)sim_number(values, speeds[axis]);
  }
  const float position[3] = {0.0f, (float)((double)self->half_height + self->drop), 0.0f};
  const float inverse_mass = (float)(1.0 / sim_number(values, "mass"));
  return sim_check(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL), why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  player* self = state;
  weft_bounds_def floor = weft_default_bounds_def();
  if (!self->has_soft_floor) floor.lower[1] = 0.0f;
  for (int axis = 0; axis < 3 && self->room > 0.0; axis += 2) {
    floor.lower[axis] = (float)-(self->room + (double)self->half_height);
    floor.upper[axis] = (float)(self->room + (double)self->half_height);
  }
  floor.surface.restitution = (float)self->elasticity;
  floor.surface.static_friction = floor.surface.dynamic_friction = (float)self->friction;
  self->step = (double)def->step_ns * 1e-9;
  self->touches = self->drop == 0.0;
  self->touch[1] = self->touches ? -1 : 0;
  memcpy(self->begun, self->launch, sizeof self->begun);
  self->flight = self->touches ? FLIGHT_NONE : FLIGHT_FALL;
  self->highest = self->drop;
  return sim_check(weft_world_set_bounds(world, &floor), why) &&
         sim_check(sim_set_radius(world, 0, self->half_height), why) &&
         sim_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, self->position, why) &&
         sim_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, self->launch, 0, why);
}

// ---- looking at it ----

/* Height of the apex within the last three steps, if there is one. */
static bool find_top(const player* self, double* top) {
  const double now = self->height[0], mid = self->height[1], before = self->height[2];
  if (self->looked < 3 || self->was_touching[1] || !(mid >= now && mid > before)) return false;
  const double bend = 2.0 * mid - before - now;
  const bool is_free = !self->was_touching[0] && !self->was_touching[2];
  // vertex of the parabola through all three
  *top = is_free ? mid + (now - before) * (now - before) / (8.0 * bend) : mid;
  return true;
}

static void note_top(player* self) {
  double top = 0.0;
  if (!find_top(self, &top)) return;
  self->highest = fmax(self->highest, top);
  if (self->flight == FLIGHT_JUMP) {
    self->highest_jump = fmax(self->highest_jump, top - self->jump_from);
  }
  if (self->flight == FLIGHT_BOUNCE && self->bounces <= MOST_BOUNCES) {
    self->bounce_heights[self->bounces - 1] = top;
  }
}

/* The top of a flight is known a step late, and before the flight is over. */
static void note_flight(player* self) {
  note_top(self);
  if (self->touches) {
    self->flight = FLIGHT_NONE;
  } else if (self->flight == FLIGHT_NONE) {
    self->flight = self->has_jumped ? FLIGHT_JUMP : FLIGHT_BOUNCE;
    self->bounces += self->flight == FLIGHT_BOUNCE;
  }
  self->has_jumped = false;
}

static bool look(const weft_world* world, player* self, tool_message* why) {
  if (!sim_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, self->position, why) ||
      !sim_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, self->velocity, why) ||
      !sim_get(world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, 0, 1, self->touch, why)) {
    return false;
  }
  if (self->has_soft_floor && self->position[1] <= self->half_height) self->touch[1] = -1;
  self->touches = self->touch[1] < 0;
  ++self->looked;
  self->steps_on_floor += self->touches;
  memmove(self->height + 1, self->height, 2 * sizeof *self->height);
  memmove(self->was_touching + 1, self->was_touching, 2 * sizeof *self->was_touching);
  self->height[0] = (double)self->position[1] - (double)self->half_height;
  self->was_touching[0] = self->touches;
  self->highest = fmax(self->highest, self->height[0]);
  for (int axis = 0; axis < 3; ++axis) {
    self->top_speed[axis] = fmax(self->top_speed[axis], fabs((double)self->velocity[axis]));
    self->acceleration[axis] = (double)(self->velocity[axis] - self->begun[axis]) / self->step;
  }
  note_flight(self);
  return true;
}

// ---- the floor ----

/* The soft floor returns the normal velocity by the elasticity, applies Coulomb friction, and takes
 * back a share of the penetration beyond its margin. */
static void push_from_floor(player* self, float velocity[3]) {
  const double depth = (double)self->half_height - (double)self->position[1];
  const double along = hypot((double)velocity[0], (double)velocity[2]);
  if (depth < 0.0) return;
  self->position[1] += (float)(self->correction * fmax(0.0, depth - self->margin));
  if (velocity[1] >= 0.0f) return;
  const double change = -(1.0 + self->elasticity) * (double)velocity[1];
  const double rubbed = fmin(self->friction * change, along);
  for (int axis = 0; axis < 3 && along > 0.0; axis += 2) {
    velocity[axis] = (float)((double)velocity[axis] * (1.0 - rubbed / along));
  }
  velocity[1] += (float)change;
}

// each contact takes its share of the velocity along it
static void drag_at_contacts(const player* self, float velocity[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int other = 0; other < 3; ++other) {
      if (self->touch[axis] == 0 || other == axis) continue;
      velocity[other] = (float)((double)velocity[other] * (1.0 - self->contact_drag));
    }
  }
}

// ---- what keys do ----

static void jump(player* self, const double way[2], float velocity[3]) {
  if (self->jump_speed == 0.0) return;
  self->has_jumped = true;
  self->flight = FLIGHT_NONE;
  self->jump_from = (double)self->position[1] - (double)self->half_height;
  ++self->jumps;
  velocity[1] =
      (float)(self->jump_step > 0.0 ? (double)velocity[1] + self->jump_step : self->jump_speed);
  velocity[0] += (float)(self->jump_push * self->jump_speed * way[0]);
  velocity[2] += (float)(self->jump_push * self->jump_speed * way[1]);
}

// walking and flying, by increments and by forces, and air resistance
static bool move(weft_world* world, const player* self, const double way[2], float velocity[3],
                 tool_message* why) {
  const double share = self->touches ? 1.0 : self->air_control;
  const double step = self->touches ? self->walk_step : self->fly_step;
  float force[3];
  velocity[0] += (float)(step * way[0]);
  velocity[2] += (float)(step * way[1]);
  for (int axis = 0; axis < 3; ++axis) {
    const double walk = axis == 1 ? 0.0 : way[axis / 2] * share * self->walk_force;
    force[axis] = (float)(walk - self->resistance * (double)velocity[axis]);
  }
  const bool is_pushed = force[0] != 0.0f || force[1] != 0.0f || force[2] != 0.0f;
  return !is_pushed ||
         sim_check(weft_world_add(world, WEFT_ATTRIBUTE_FORCE, weft_range(0, 1), force, 0), why);
}

// direction along x and z, and a jump: a press jumps once, at its first touch of the floor
static bool read_keys(player* self, const sim_moment* moment, double way[2]) {
  bool jumps = self->held[KEY_JUMP] && self->touches;
  way[0] = (double)self->held[KEY_RIGHT] - (double)self->held[KEY_LEFT];
  way[1] = (double)self->held[KEY_BACK] - (double)self->held[KEY_FORWARD];
  if (jumps) self->held[KEY_JUMP] = false;
  for (size_t i = 0; i < self->script.count; ++i) {
    const sim_press* press = &self->script.presses[i];
    if (!sim_press_holds(press, moment->step, moment->h)) continue;
    if (press->key == KEY_LEFT) way[0] -= 1.0;
    if (press->key == KEY_RIGHT) way[0] += 1.0;
    if (press->key == KEY_FORWARD) way[1] -= 1.0;
    if (press->key == KEY_BACK) way[1] += 1.0;
    if (press->key != KEY_JUMP || !self->touches || self->is_spent[i]) continue;
    jumps = self->is_spent[i] = true;
  }
  for (int k = 0; k < 2; ++k) way[k] = fmax(-1.0, fmin(way[k], 1.0));
  return jumps;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  player* self = state;
  double way[2];
  float velocity[3];
  if (moment->step > 0 && !look(world, self, why)) return false;
  const float height = self->position[1];
  memcpy(velocity, moment->step > 0 ? self->velocity : self->launch, sizeof velocity);
  if (self->has_soft_floor) push_from_floor(self, velocity);
  drag_at_contacts(self, velocity);
  const bool jumps = read_keys(self, moment, way);
  if (!move(world, self, way, velocity, why)) return false;
  if (jumps) jump(self, way, velocity);
  memcpy(self->begun, velocity, sizeof velocity);
  if (self->position[1] != height &&
      !sim_set(world, WEFT_ATTRIBUTE_POSITION, 0, 1, self->position, 0, why)) {
    return false;
  }
  return memcmp(velocity, self->velocity, sizeof velocity) == 0 ||
         sim_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity, 0, why);
}

static bool take_input(weft_world* world, void* state, const sim_input* input, tool_message* why) {
  player* self = state;
  (void)world;
  for (int key = 0; input->key && keys[key]; ++key) {
    if (strcmp(input->key, keys[key]) != 0) continue;
    self->held[key] = input->is_down;
    return true;
  }
  return tool_because(why, "'%s' is not a key of the player", input->key ? input->key : "point");
}

// ---- telling of it ----

static void report(const weft_world* world, void* state, sim_results* results) {
  static const char* const forces[] = {"force_x", "force_y", "force_z"};
  static const char* const accelerations[] = {"acceleration_x", "acceleration_y", "acceleration_z"};
  static const char* const bounce_names[MOST_BOUNCES] = {
      "bounce_1", "bounce_2", "bounce_3", "bounce_4",  "bounce_5",  "bounce_6",
      "bounce_7", "bounce_8", "bounce_9", "bounce_10", "bounce_11", "bounce_12"};
  // a copy, so that it can be called at any time
  player now = *(const player*)state;
  weft_world_stats stats = {.step_count = 0};
  tool_message unused;
  tool_must(weft_world_get_stats(world, &stats));
  if (stats.step_count > now.looked) (void)look(world, &now, &unused);
  sim_add_result(results, "jumps", now.jumps);
  sim_add_result(results, "highest_jump", now.highest_jump);
  sim_add_result(results, "highest", now.highest);
  sim_add_result(results, "jump_speed", now.jump_speed);
  sim_add_result(results, "bounces", now.bounces);
  for (uint32_t i = 0; i < now.bounces && i < MOST_BOUNCES; ++i) {
    if (now.bounce_heights[i] > 0.0)
      sim_add_result(results, bounce_names[i], now.bounce_heights[i]);
  }
  sim_add_result(results, "top_speed_x", now.top_speed[0]);
  sim_add_result(results, "top_speed_y", now.top_speed[1]);
  sim_add_result(results, "top_speed_z", now.top_speed[2]);
  for (int axis = 0; axis < 3; ++axis) {
    sim_add_result(results, forces[axis], now.mass * now.acceleration[axis]);
    sim_add_result(results, accelerations[axis], now.acceleration[axis]);
  }
  sim_add_result(results, "time_on_floor", now.step * (double)now.steps_on_floor);
  sim_add_result(results, "time_in_air", now.step * (double)(now.looked - now.steps_on_floor));
  sim_add_result(results, "x", (double)now.position[0]);
  sim_add_result(results, "y", (double)now.position[1] - (double)now.half_height);
  sim_add_result(results, "z", (double)now.position[2]);
}

static void free_state(void* state) {
  player* self = state;
  sim_script_free(&self->script);
  free(self->is_spent);
}

static void keep(void* state, sim_keep* kept) {
  player* self = state;
  // all from `position` on is state
  const size_t first = offsetof(player, position);
  sim_keep_bytes(kept, (char*)self + first, sizeof *self - first);
  sim_keep_bytes(kept, self->is_spent, self->script.count * sizeof *self->is_spent);
}

const sim_scene sim_scene_player = {
    .name = "player",
    .summary = "a game character that walks, jumps and bounces by a script of keys",
    .params = params,
    .presets = presets,
    .seconds = 8.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = free_state,
    .input = take_input,
    .keys = keys,
};
