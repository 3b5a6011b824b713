/* Events about particles. */
#include <float.h>

#include "sim/file/event_keys.h"
#include "sim/particle.h"

SIM_EVENT_PLAIN(pin, "Holds particles where they are.");

static weft_result pin(sim_event* event, const sim_event_call* call, uint32_t particle) {
  (void)event;
  return sim_set_inverse_mass(call->world, particle, 0.0f);
}

static const sim_field unpin_fields[] = {
    SIM_RANGE_OF(SIM_EVENT, REAL, mass, 0, 1e12,
                 "kilograms of each; 0 = the masses that their body gives them"),
};
SIM_EVENT_TABLE(unpin, unpin_fields, "Lets particles go.");

static weft_result unpin(sim_event* event, const sim_event_call* call, uint32_t particle) {
  const double mass = ((const sim_event_def*)event->def)->mass;
  const float own = event->body->inverse_masses[particle - event->body->made.first_particle];
  return sim_set_inverse_mass(call->world, particle, mass > 0.0 ? (float)(1.0 / mass) : own);
}

static const sim_field throw_fields[] = {
    SIM_EVENT_VECTOR("velocity", 0, true, "metres per second"),
};
SIM_EVENT_TABLE(throw, throw_fields, "Gives particles a velocity.");

static weft_result throw_one(sim_event* event, const sim_event_call* call, uint32_t particle) {
  float velocity[3];
  sim_event_vector(event, call, 0, velocity);
  return weft_world_set(call->world, WEFT_ATTRIBUTE_VELOCITY, weft_range(particle, 1), velocity, 0);
}

static const sim_field force_fields[] = {
    SIM_EVENT_VECTOR("newtons", 0, true, "newtons, on each particle"),
    SIM_EVENT_FOR,
};
SIM_EVENT_TABLE(force, force_fields, "Pushes particles.");

static weft_result push(sim_event* event, const sim_event_call* call, uint32_t particle) {
  float force[3];
  sim_event_vector(event, call, 0, force);
  return weft_world_add(call->world, WEFT_ATTRIBUTE_FORCE, weft_range(particle, 1), force, 0);
}

static const sim_field move_fields[] = {
    SIM_EVENT_VECTOR("by", 0, false, "metres: a straight line, at a steady speed"),
    SIM_EVENT_VECTOR("path", 1, false,
                     "metres, in place of `by`: position at the end of the step `t`"),
    SIM_EVENT_FOR,
};
SIM_EVENT_TABLE(move, move_fields, "Carries pinned particles. Free ones are put there, at rest.");

static weft_result move(sim_event* event, const sim_event_call* call, uint32_t particle) {
  static const float still[3];
  float target[3];
  const float* from = event->from + (size_t)3 * (particle - event->body->made.first_particle);
  if (event->vectors[1][0].count > 0) {
    sim_event_vector(event, call, 1, target);
  } else {
    sim_event_vector(event, call, 0, target);
    for (int axis = 0; axis < 3; ++axis) {
      target[axis] = (float)((double)from[axis] + call->share * (double)target[axis]);
    }
  }
  // refuses particles that are not pinned
  const weft_result result =
      weft_world_set(call->world, WEFT_ATTRIBUTE_TARGET, weft_range(particle, 1), target, 0);
  if (result.error != WEFT_ERROR_RANGE) return result;
  return sim_set_particle(call->world, particle, target, still);
}

static const sim_field skin_fields[] = {
    SIM_EVENT_VECTOR("path", 1, true, "metres: position at the end of the step `t`"),
    {"max_distance", SIM_FIELD_ANY, SIM_EVENT(limit), true, false, 0, 0, NULL,
     "metres that a particle stays within of it, when it begins: a formula"},
    SIM_EVENT_FOR,
};
SIM_EVENT_TABLE(skin, skin_fields, "Carries a skin that particles stay near.");

static weft_result skin(sim_event* event, const sim_event_call* call, uint32_t particle) {
  float place[3];
  sim_event_vector(event, call, 1, place);
  if (event->held_steps == 0) {
    weft_skin_limits limits = weft_default_skin_limits();
    sim_formula_floats(&event->limit, 1, call->scope, call->world, &limits.max_distance);
    const weft_result result = weft_world_set(call->world, WEFT_ATTRIBUTE_SKIN_LIMITS,
                                              weft_range(particle, 1), &limits, 0);
    if (result.error != WEFT_OK) return result;
  }
  return weft_world_set(call->world, WEFT_ATTRIBUTE_SKIN_POSITION_TARGET, weft_range(particle, 1),
                        place, 0);
}

#define TYPE(type) .name = #type, .table = &type##_table, .takes = SIM_TAKES_PARTICLES
const sim_event_type sim_event_pin = {TYPE(pin), .run_particle = pin};
const sim_event_type sim_event_unpin = {TYPE(unpin), .run_particle = unpin};
const sim_event_type sim_event_throw = {TYPE(throw), .vectors = {"velocity"},
                                        .run_particle = throw_one};
const sim_event_type sim_event_force = {TYPE(force), .lasts = true, .vectors = {"newtons"},
                                        .run_particle = push};
const sim_event_type sim_event_move = {TYPE(move), .lasts = true, .has_start = true,
                                       .vectors = {"by", "path"}, .run_particle = move};
const sim_event_type sim_event_skin = {TYPE(skin), .lasts = true, .has_start = true,
                                       .vectors = {"by", "path"}, .run_particle = skin};
