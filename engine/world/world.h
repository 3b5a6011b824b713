/* What a weft_world is made of. The public functions stand beside this, a file for each chapter's kind:
 * world.c makes and steps, time.c makes steps of elapsed time, particles.c changes particles, physics.c what
 * pulls at all of them, bounds.c limits them, contacts.c lets them meet, links.c tears links, read.c and measure.c
 * read back. */
#ifndef WEFT_WORLD_WORLD_H
#define WEFT_WORLD_WORLD_H

#include "base/result.h"
#include "query/index.h"
#include "step/fixed_step.h"
#include "step/step.h"
#include "weft/weft.h"

struct weft_world {
  weft__stepper stepper;
  weft__fixed_step fixed_step;
  uint64_t step_count;
  /* of where particles are, and of links that come back: whoever makes one raises it, and the index is known to be
   * out of date */
  uint64_t changes;
  uint64_t indexed_changes;   /* that the index knows */
  uint32_t indexed_materials; /* the version of the materials that it knows */
  weft__index index;
};

/* Takes the contacts of particles, by the caller's numbers, away. False when memory cannot be had; then nothing has
 * changed. */
bool weft__take_contacts_away(weft_world* world, uint32_t first, uint32_t count);

/* The seconds of a substep in steps of this length. */
double weft__substep_of(const weft_world* world, int64_t step_ns);

/* The time between where a particle is and where it was: the last substep's, not the next one's. */
double weft__substep_seconds(const weft_world* world);

/* Above 0 along each axis, and no NaN. */
weft_result weft__check_max_speed(const float max_speed[3], const char* field);

/* Sets how fast particles get at most, WEFT_MAX_MAGNITUDE where that is more: the way of a substep is finite,
 * whatever pushes. */
void weft__set_max_speed(weft_world* world, const float max_speed[3]);

/* Finite, and 0 or more. */
weft_result weft__check_damping(float damping, const char* field);

#define WEFT__MAX_FRICTION 1000.0f

/* How things that meet rub and bounce: restitution 0 to 1, static friction 0 to the most, dynamic friction 0
 * to that. The fields are their names, in this order. */
weft_result weft__check_rub(float restitution, float static_friction, float dynamic_friction,
                            const char* const fields[3]);

/* As long as a step may be. */
weft_result weft__check_step_ns(int64_t step_ns, const char* field);

#endif
