/* Events about particles: each its table and what it does. */
#include <stdlib.h>

#include "sim/file/event_types.h"
#include "sim/particle.h"

// ---- pin ----

static const sim_table pin_table = {"events: pin", "Holds particles where they are.", NULL, 0, 0,
                                    NULL};

static bool run_pin(const sim_source* source, const sim_place* place, sim_event* event,
                    weft_world* world, double share) {
  (void)share;
  for (uint32_t next = 0, particle; sim_next_particle(event, &next, &particle);) {
    const weft_result result = sim_set_inverse_mass(world, particle, 0.0f);
    if (!sim_check_event(source, place, event, result)) return false;
  }
  return true;
}

// ---- unpin ----

typedef struct file_unpin {
  double mass;
} file_unpin;

static const sim_field unpin_fields[] = {
    {"mass", SIM_FIELD_REAL, offsetof(file_unpin, mass), false, false, 0, 1e12, NULL,
     "kilograms of each; 0 = the masses that their body gives them"},
};

static const sim_table unpin_table = {"events: unpin", "Lets particles go.",
                                      SIM_TABLE_FIELDS(unpin_fields), sizeof(file_unpin), NULL};

static bool run_unpin(const sim_source* source, const sim_place* place, sim_event* event,
                      weft_world* world, double share) {
  const file_unpin* def = event->def;
  (void)share;
  for (uint32_t next = 0, particle; sim_next_particle(event, &next, &particle);) {
    const float own = event->body->inverse_masses[particle - event->body->made.first_particle];
    const float inverse_mass = def->mass > 0.0 ? (float)(1.0 / def->mass) : own;
    const weft_result result = sim_set_inverse_mass(world, particle, inverse_mass);
    if (!sim_check_event(source, place, event, result)) return false;
  }
  return true;
}

// ---- throw ----

typedef struct file_throw {
  float velocity[3];
} file_throw;

static const sim_field throw_fields[] = {
    {"velocity", SIM_FIELD_VECTOR, offsetof(file_throw, velocity), true, false, 0, 0, NULL,
     "metres per second"},
};

static const sim_table throw_table = {"events: throw", "Gives particles a velocity.",
                                      SIM_TABLE_FIELDS(throw_fields), sizeof(file_throw), NULL};

static bool run_throw(const sim_source* source, const sim_place* place, sim_event* event,
                      weft_world* world, double share) {
  const file_throw* def = event->def;
  (void)share;
  for (uint32_t next = 0, particle; sim_next_particle(event, &next, &particle);) {
    const weft_result result = weft_world_set_velocities(world, particle, 1, def->velocity, 0);
    if (!sim_check_event(source, place, event, result)) return false;
  }
  return true;
}

// ---- move ----

typedef struct file_move {
  float by[3];
  double seconds;
} file_move;

static const sim_field move_fields[] = {
    {"by", SIM_FIELD_VECTOR, offsetof(file_move, by), true, false, 0, 0, NULL, "metres"},
    {"for", SIM_FIELD_REAL, offsetof(file_move, seconds), false, false, 0, 1e6, NULL,
     "seconds that it takes; 0 = one step"},
};

static const sim_table move_table = {"events: move",
                                     "Carries pinned particles along a straight line, at a steady "
                                     "speed. Free ones are put there, at rest.",
                                     SIM_TABLE_FIELDS(move_fields), sizeof(file_move), NULL};

static double move_seconds(const sim_event* event) {
  return ((const file_move*)event->def)->seconds;
}

static bool run_move(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  static const float still[3];
  const file_move* def = event->def;
  if (!sim_keep_start(source, place, event, world)) return false;
  for (uint32_t next = 0, particle; sim_next_particle(event, &next, &particle);) {
    float target[3];
    const float* from = event->from + (size_t)3 * (particle - event->body->made.first_particle);
    for (int axis = 0; axis < 3; ++axis) {
      target[axis] = (float)((double)from[axis] + share * (double)def->by[axis]);
    }
    // refuses particles that are not pinned
    weft_result result = weft_world_move_particles(world, particle, 1, target, 0);
    if (result.error == WEFT_ERROR_RANGE) {
      result = sim_set_particle(world, particle, target, still);
    }
    if (!sim_check_event(source, place, event, result)) return false;
  }
  return true;
}

// ---- force ----

typedef struct file_force {
  float newtons[3];
  double seconds;
} file_force;

static const sim_field force_fields[] = {
    {"newtons", SIM_FIELD_VECTOR, offsetof(file_force, newtons), true, false, 0, 0, NULL,
     "newtons, on each particle"},
    {"for", SIM_FIELD_REAL, offsetof(file_force, seconds), false, false, 0, 1e6, NULL,
     "seconds that it takes; 0 = one step"},
};

static const sim_table force_table = {"events: force", "Pushes particles.",
                                      SIM_TABLE_FIELDS(force_fields), sizeof(file_force), NULL};

static double force_seconds(const sim_event* event) {
  return ((const file_force*)event->def)->seconds;
}

static bool run_force(const sim_source* source, const sim_place* place, sim_event* event,
                      weft_world* world, double share) {
  const file_force* def = event->def;
  (void)share;
  for (uint32_t next = 0, particle; sim_next_particle(event, &next, &particle);) {
    const weft_result result = weft_world_add_forces(world, particle, 1, def->newtons, 0);
    if (!sim_check_event(source, place, event, result)) return false;
  }
  return true;
}

const sim_event_type sim_event_pin = {"pin", &pin_table, SIM_TAKES_PARTICLES, NULL, NULL, run_pin, false};
const sim_event_type sim_event_unpin = {"unpin", &unpin_table, SIM_TAKES_PARTICLES,
                                        NULL,    NULL, run_unpin,    false};
const sim_event_type sim_event_throw = {"throw", &throw_table, SIM_TAKES_PARTICLES,
                                        NULL,    NULL, run_throw,    false};
const sim_event_type sim_event_move = {"move",       &move_table, SIM_TAKES_PARTICLES,
                                       move_seconds, NULL, run_move,    false};
const sim_event_type sim_event_force = {"force",       &force_table, SIM_TAKES_PARTICLES,
                                        force_seconds, NULL, run_force,    false};
