/* Colliders: what particles meet that is no part of the simulation. */
#ifndef WEFT_COLLIDERS_COLLIDERS_H
#define WEFT_COLLIDERS_COLLIDERS_H

#include "contact/stage.h"

typedef struct weft__colliders {
  uint32_t count;         /* that are there */
  uint32_t contact_count; /* particles held in the last substep */
  size_t bytes;
} weft__colliders;

void weft__colliders_destroy(weft__colliders* colliders);

/* Takes those that move to where they are at the end of the substep. Called by one worker, before it begins. */
void weft__colliders_move(weft__colliders* colliders, const weft__contact_stage* stage);

/* At the end of a substep: takes particles out of colliders, with friction and restitution. */
void weft__colliders_hold(weft__colliders* colliders, const weft__contact_stage* stage);

#endif
