/* Colliders: what particles meet that is no part of the simulation.
 *
 * Each is a shape in a frame of its own (shape.h), and the frame moves: within a substep from where it was at
 * its beginning to where it is at its end. What a particle does is looked at from inside: where it was is taken
 * into the first frame, where it is into the second, and between them it has gone straight on. So the shape
 * always stands still, and nothing passes through, whichever of the two is fast.
 *
 * Seen from a frame that turns, what goes straight goes along an arc. Over a small angle a the chord is as good, as
 * it is off by a^2 / 8 of the radius; a frame that turns further goes in slices of at most a sixteenth of a radian,
 * each of which is looked at by itself. Rejected: one chord for all of a substep, which leads through a shape that
 * makes half a turn, wherever the particle is. */
#ifndef WEFT_COLLISION_COLLIDERS_COLLIDERS_H
#define WEFT_COLLISION_COLLIDERS_COLLIDERS_H

#include <stdatomic.h>

#include "collision/colliders/pose.h"
#include "collision/stage.h"
#include "geometry/shape.h"

typedef struct weft__collider {
  const weft__shape_row* row; /* NULL = this number is free */
  weft__shape shape;
  weft__vec3 least, most; /* the box around the shape, in its frame; may be infinite */
  weft__surface surface;
  weft__pose pose;           /* where it is: between steps, and at the end of a substep within */
  weft__vec3 velocity, spin; /* metres and radians per second */

  bool is_sent;           /* to a place where it shall be at the end of the next step */
  weft__pose from, until; /* where it was when that step began, and that place */

  bool is_settled;        /* what follows is that of a collider that stands still */
  bool moves;             /* in this substep, */
  bool turns;             /* and turns */
  weft__pose start;       /* where it was when this substep began */
  weft__pose_slice slice; /* of its motion in this substep: */
  uint32_t slice_count; /* how many there are; 1 = what is seen from it goes as good as straight */
  weft__frame begin, end; /* of this substep */
  weft__vec3 swept_least; /* the box around all of its way, in the world */
  weft__vec3 swept_most;
} weft__collider;

typedef struct weft__colliders {
  uint32_t count;                 /* that are there */
  _Atomic uint32_t contact_count; /* particles held in the last substep */
  weft__collider* list;           /* by number [end] */
  uint32_t end;                   /* numbers that have been given */
  uint32_t first_free;            /* none below this is free */
  size_t capacity;                /* of list */
  uint32_t* near;                 /* room for lists, see hold.c [2 x worker_count x capacity] */
  _Atomic uint32_t* next_chunk;   /* that each worker is to take of its own [worker_count] */
  uint32_t worker_count;
  size_t bytes;
} weft__colliders;

/* Adds one of a def that has been checked, where the def's pose says. False when memory cannot be had; then
 * nothing has changed. */
bool weft__colliders_add(weft__colliders* colliders, const weft_collider_def* def,
                         uint32_t worker_count, uint32_t* number);

void weft__colliders_remove(weft__colliders* colliders, uint32_t number);

/* The collider of a number, NULL if there is none. */
static inline weft__collider* weft__colliders_find(const weft__colliders* colliders,
                                                   uint32_t number) {
  if (number >= colliders->end || colliders->list[number].row == NULL) return NULL;
  return &colliders->list[number];
}

void weft__colliders_destroy(weft__colliders* colliders);

/* Takes those that move to where they are at the end of the substep. Called by one worker, before it begins. */
void weft__colliders_move(weft__colliders* colliders, const weft__contact_stage* stage);

/* At the end of a substep: takes particles out of colliders, with friction and restitution. */
void weft__colliders_hold(weft__colliders* colliders, const weft__contact_stage* stage);

#endif
