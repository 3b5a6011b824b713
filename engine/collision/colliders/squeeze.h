/* Colliders as supports that squeeze cloth: collision/self/squeeze.h. */
#ifndef WEFT_COLLISION_COLLIDERS_SQUEEZE_H
#define WEFT_COLLISION_COLLIDERS_SQUEEZE_H

#include "collision/colliders/colliders.h"
#include "collision/self/squeeze.h"

/* False if there is at most one collider, and it is convex. */
bool weft__colliders_may_squeeze(const weft__colliders* colliders);

/* Poses at the beginning of a substep. */
weft__self_supports weft__colliders_supports(const weft__step_context* step);

/* Holds squeezed particles at their start of the substep, relative to their colliders, before the
 * contacts with colliders, and again where CCD has moved them. Counts no contacts. */
void weft__colliders_hold_squeezed(const weft__colliders* colliders, const weft__self* self,
                                   weft__step_context* step);

#endif
