/* Third law of contacts: the loads on all colliders of a world, the impulses of its contact events
 * and its change of momentum less its weight are the same, up to sign. Worlds have loads, no pins,
 * no damping and no forces but gravity; they do not sleep. */
#ifndef TESTS_SUPPORT_THIRD_LAW_H
#define TESTS_SUPPORT_THIRD_LAW_H

#include <math.h>

#include "support/worlds.h"

enum { MOST_LAW_EVENTS = 1 << 13 };

typedef struct third_law {
  weft_world* world;
  const weft_collider* colliders;
  uint32_t count;
  weft_world_def def;
  double momentum[3];         /* at the begin, newton seconds */
  double loads[3], events[3]; /* sums of the impulses on colliders, and on particles */
  double pressed;             /* sum of the lengths of the loads */
  double seconds;
} third_law;

/* Begins to measure: asks the world for all of its contact events. */
static inline third_law begin_third_law(weft_world* world, const weft_collider* colliders,
                                        uint32_t count) {
  third_law law = {.world = world, .colliders = colliders, .count = count};
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_events = limits.max_touches = MOST_LAW_EVENTS;
  limits.with_stays = true;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  expect_ok(weft_world_get_def(world, &law.def));
  const weft_measures measures = measures_of(world);
  memcpy(law.momentum, measures.momentum, sizeof(law.momentum));
  return law;
}

static inline void add_loads(third_law* law) {
  for (uint32_t n = 0; n < law->count; ++n) {
    weft_collider_load load;
    expect_ok(weft_world_get_collider_loads(law->world, &law->colliders[n], 1, &load));
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      law->loads[axis] += (double)load.impulse[axis];
      square += (double)load.impulse[axis] * (double)load.impulse[axis];
    }
    law->pressed += sqrt(square);
  }
}

static inline void add_events(third_law* law) {
  static weft_contact_event events[MOST_LAW_EVENTS];
  uint32_t count = 0;
  expect_ok(weft_world_take_contact_events(law->world, MOST_LAW_EVENTS, events, &count));
  for (uint32_t k = 0; k < count; ++k) {
    const weft_contact_event* event = &events[k];
    for (int axis = 0; axis < 3; ++axis) {
      if (event->collider.generation == 0) continue;
      law->events[axis] += (double)event->impulse * (double)event->normal[axis];
      law->events[axis] += (double)event->friction[axis];
    }
  }
}

static inline void step_third_law(third_law* law, uint32_t steps) {
  for (uint32_t step = 0; step < steps; ++step) {
    weft_world_step(law->world, 1);
    law->seconds += (double)law->def.step_ns * 1e-9;
    add_loads(law);
    add_events(law);
  }
}

/* Errors of the law, as shares of what the colliders bear in all: of the loads against the change
 * of momentum, and of the events against the loads. */
typedef struct third_law_errors {
  double loads, events;
} third_law_errors;

static inline third_law_errors errors_of(const third_law* law) {
  const weft_measures measures = measures_of(law->world);
  double of_loads = 0.0, of_events = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double gained = measures.momentum[axis] - law->momentum[axis];
    const double weight = measures.mass * (double)law->def.gravity[axis] * law->seconds;
    of_loads = fmax(of_loads, fabs(law->loads[axis] + gained - weight));
    of_events = fmax(of_events, fabs(law->loads[axis] + law->events[axis]));
  }
  return (third_law_errors){of_loads / law->pressed, of_events / law->pressed};
}

#endif
