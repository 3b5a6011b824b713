/* When and how two that are near each other meet in a substep.
 *
 * Between prev and pos both go straight on, and nothing turns, so that it is enough to look at the way of the one
 * as the other sees it. Where they would touch on it is found by Newton's steps: the plane between them is reached no
 * sooner than they are, and each step goes to it. What is left is a plane and the gap to it, taken back to where the
 * substep began: they may come nearer by so much. What passes by another passes, however near; what would go
 * through it is stopped where it touches, with the normal that it has there.
 *
 * (Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", conservative advancement) */
#ifndef WEFT_COLLISION_PARTICLES_SHAPE_CONTACT_H
#define WEFT_COLLISION_PARTICLES_SHAPE_CONTACT_H

#include "collision/particles/particle_contacts.h"
#include "collision/particles/team.h"

/* What bodies and contacts have in common in a substep. */
typedef struct weft__touch_scale {
  double h, rate;    /* seconds, and one over them */
  double gravity[3]; /* metres per second in a substep */
  double rest;       /* metres per second: what meets no faster does not bounce */
  double longest;    /* metres: the longest way of any body */
} weft__touch_scale;

/* After all bodies have been loaded. */
weft__touch_scale weft__touch_scale_of(const weft__particle_contacts* particle_contacts,
                                       const weft__contact_stage* stage);

/* Reads the velocities of the bodies [begin, end). */
void weft__touch_load(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                      uint32_t begin, uint32_t end);

/* Makes the contacts of pairs [begin, end), by their places. */
void weft__touch_pairs(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                       const weft__touch_scale* scale, uint32_t begin, uint32_t end);

/* The speed at which two part that come towards each other at `closing` metres per second, after they have met in
 * this substep with `beyond` metres of it left to go; -1 where they stay. `pull` is what gravity makes them closer by
 * in a substep, metres per second: see kernels/bounds.inl. */
float weft__touch_bounce(const weft__touch_scale* scale, double closing, double beyond, double pull,
                         double restitution);

#endif
