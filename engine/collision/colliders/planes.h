/* Contact planes: rows of cloth on colliders, among the sweeps.
 *
 * The collider stage finds contacts of moving particles with shapes, and solves each alone, at the
 * end of a substep. For cloth in contact with cloth the contacts that it would find before the
 * sweeps are rows, too: the planes tangent to the shapes, which are solved with the others, by the
 * same rules (self/solve.h). Friction is then bounded by all of the push of a substep, not by what
 * the last stage adds. Contacts that bounce are left to that stage. */
#ifndef WEFT_COLLISION_COLLIDERS_PLANES_H
#define WEFT_COLLISION_COLLIDERS_PLANES_H

#include "collision/colliders/loads.h"
#include "collision/self/self.h"
#include "tables/bounds.h"

/* Number of a plane of the bounds, which have no loads and no events. */
#define WEFT__BOUNDS_PLANE (WEFT__NONE - 1)

/* Takes a contact that the collider stage has found: records it, or keeps only its plane where
 * planes are kept. Of several colliders the last one's lasts. */
void weft__collider_contact_take(const weft__step_context* step, uint32_t worker,
                                 const weft__collider_contact* contact);

/* Adds planes of the bounds to lanes of a tile without one, each of the wall that its particle is
 * furthest beyond, if any. */
void weft__add_bounds_planes(const struct weft__self* cloth, const weft__bounds* bounds,
                             uint32_t tile);

/* Records the changes of a tile's lanes by colliders, as loads and events. */
void weft__record_planes(const weft__step_context* step, uint32_t worker, uint32_t tile,
                         const weft__tile_changes* changes);

#endif
