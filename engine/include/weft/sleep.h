/* weft, chapter 12: sleep. Include <weft/weft.h>, which includes this.
 *
 * Bodies at rest are left out of the step. Particles that links, bend elements, gas or a pair
 * force of the scene connect are one *component*; components that joints connect, or that touch,
 * are one *island*. An island whose particles have all stayed, for weft_world_def.sleep_seconds,
 * within sleep_speed * sleep_seconds of where they were falls asleep: its velocities are set to 0,
 * and from then on its particles are held as if they were pinned, so that not a bit of them
 * changes. Static colliders and bounds do not connect islands. It is a rule of motion, not of
 * effort: the hash is the same for any worker count and ISA, and whether the work is left out or
 * not.
 *
 * An island wakes, with all that touches it,
 *
 *   - when something faster than sleep_speed comes within reach of it in the next step: another
 *     body, a particle that is moved or gripped, a collider that moves; when a collider is added or
 *     removed there, or a body removed;
 *   - when a call places, pushes, moves, grips, pins, joins, tears, cuts or reshapes one of its
 *     particles;
 *   - with all others, when gravity, damping, speed limits, bounds, wind or the friction of
 *     materials are set;
 *   - by WEFT_ATTRIBUTE_ASLEEP, which also puts to sleep.
 *
 * Reach is judged by boxes around groups of up to 64 particles, sizes of shapes and a margin of
 * sleep_speed * sleep_seconds included: bodies just out of reach may wake, too. Only
 * particles with a shape touch. Contacts of sleepers last, also in contact events. A component with
 * faces does not fall asleep in moving air. One that is torn in two still sleeps and wakes as one.
 */
#ifndef WEFT_SLEEP_H
#define WEFT_SLEEP_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_sleep_stats {
  uint32_t component_count;      /* 0 in a world without sleep */
  uint32_t sleeping_components;  /* components asleep */
  uint32_t sleeping_particles;   /* without removed bodies and free slots */
  uint64_t fell_asleep, woke_up; /* components, since the world was created */
  uint64_t skipped_steps;        /* steps that were left out as a whole */
} weft_sleep_stats;

/* Copies the counts of sleep. */
WEFT_RESULT weft_world_get_sleep_stats(const weft_world* world, weft_sleep_stats* stats);

#ifdef __cplusplus
}
#endif

#endif
