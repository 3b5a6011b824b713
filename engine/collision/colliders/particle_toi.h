/* One particle and one collider. */
#ifndef WEFT_COLLISION_COLLIDERS_PARTICLE_TOI_H
#define WEFT_COLLISION_COLLIDERS_PARTICLE_TOI_H

#include "collision/colliders/colliders.h"

/* A particle on its way through a substep, metres in the world. */
typedef struct weft__traveller {
  weft__vec3 origin;    /* where the substep began for it: what happens to `prev`, this stays */
  weft__vec3 pos, prev; /* where it is, and what its velocity is told by */
  const weft__material* material;
  double least_radius, most_radius; /* of its shape, over all directions */
  bool is_fresh;                    /* prev is origin */
  bool is_held;                     /* by what it met last, */
  weft__vec3 held_along;            /* at right angles to this, in the world */
  bool struck; /* something has changed its velocity in the midst of the substep */
} weft__traveller;

/* What a collider did to it. */
typedef struct weft__collider_hit {
  double change;     /* metres a substep, of the velocity along the normal */
  weft__vec3 normal; /* in the world, towards the particle */
} weft__collider_hit;

/* True where both ends of a particle's motion lie on one side of the box that a collider sweeps in the substep.
 * Relative to a frame that turns that motion is taken to be straight, which it is not, and may hit what is
 * nowhere near. */
bool weft__is_outside_sweep(const weft__collider* collider, const weft__traveller* traveller);

/* Takes a particle out of a collider that it has met, and says whether it had. `gravity` is what that does in a
 * substep, metres. The first time in a substep it bounces and rubs; when it is looked at again, because others
 * have moved it meanwhile, it is only kept out. */
bool weft__meet(const weft__collider* collider, weft__vec3 gravity, bool first,
                weft__traveller* traveller, weft__collider_hit* meeting);

#endif
