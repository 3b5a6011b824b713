/* Events about particles: each its table and what it does. */
#include <stdlib.h>

#include "sim/file/event_types.h"
#include "sim/particle.h"

// ---- pin ----

static const sim_table pin_table = {"events: pin", "Holds particles where they are.", SIM_NO_FIELDS,
                                    0, NULL};

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

static const sim_table unpin_table = {
    "events: unpin", "Lets particles go, with the masses that their body gives them.",
    SIM_NO_FIELDS, 0, NULL};

static bool run_unpin(const sim_source* source, const sim_place* place, sim_event* event,
                      weft_world* world, double share) {
  (void)share;
  for (uint32_t next = 0, particle; sim_next_particle(event, &next, &particle);) {
    const float inverse_mass =
        event->body->inverse_masses[particle - event->body->made.first_particle];
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

/* Positions of the particles at its start. */
static bool keep_start(const sim_source* source, const sim_place* place, sim_event* event,
                       const weft_world* world) {
  const weft_body* body = &event->body->made;
  event->from = malloc(sizeof(float[3]) * body->particle_count);
  if (!event->from) return sim_fault(source, place, "no memory to move so many particles");
  return sim_check_event(
      source, place, event,
      weft_world_get_positions(world, body->first_particle, body->particle_count, event->from));
}

static bool run_move(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  static const float still[3];
  const file_move* def = event->def;
  if (!event->from && !keep_start(source, place, event, world)) return false;
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

const sim_event_type sim_event_pin = {"pin", &pin_table, SIM_TAKES_PARTICLES, NULL, run_pin, false};
const sim_event_type sim_event_unpin = {"unpin", &unpin_table, SIM_TAKES_PARTICLES,
                                        NULL,    run_unpin,    false};
const sim_event_type sim_event_throw = {"throw", &throw_table, SIM_TAKES_PARTICLES,
                                        NULL,    run_throw,    false};
const sim_event_type sim_event_move = {"move",       &move_table, SIM_TAKES_PARTICLES,
                                       move_seconds, run_move,    false};
const sim_event_type sim_event_force = {"force",       &force_table, SIM_TAKES_PARTICLES,
                                        force_seconds, run_force,    false};
