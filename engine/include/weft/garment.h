/* weft, chapter 16: garments on animated characters. Include <weft/weft.h>, which includes this.
 *
 * A skinned garment follows a pose that the caller computes each frame, and simulation moves it
 * within limits about that pose. Each particle has a skinned position and a skinned normal, and
 *
 *   maximum distance   it stays within a sphere around its skinned position; 0 = it follows
 *   backstop           it stays out of a sphere behind its skinned position
 *   blend              share of the distance to the skinned position, and of the velocity relative
 *                      to it, that a step removes
 *
 *                 skinned position      normal
 *                    .---o---------------->        backstop_distance from the skinned position to
 *          (       ) |                             the sphere, backstop_radius to its centre
 *          (   x   ) |
 *          (       )
 *
 * They act in this order once a substep, after links and before contacts, so that colliders and CCD
 * decide on the final position. NvCloth has them as motion and separation constraints, Unreal
 * Chaos, Jolt and Unity under the same names.
 *
 *   weft_skin_limits limits = weft_default_skin_limits();
 *   limits.max_distance = 0.1f;
 *   check(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_LIMITS, body, &limits, WEFT_SAME));
 *   for (;;) {  // each frame
 *     skin_vertices(positions, normals);
 *     check(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_POSITION_TARGET, body, positions, 0));
 *     check(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_NORMAL_TARGET, body, normals, 0));
 *     weft_world_step(world, 1);
 *   }
 *
 * The first call allocates, steps do not. A particle without a skinned position has the one where
 * it was at the first call, without a normal. Pinned particles stay where they are. For the
 * character itself see colliders of moving points, weft_world_move_collider_points(). */
#ifndef WEFT_GARMENT_H
#define WEFT_GARMENT_H

#include "weft/contact.h"
#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of a particle about its skinned position: four floats. */
typedef struct weft_skin_limits {
  float max_distance;      /* metres, 0 to 1e6, or infinity = none; default infinity */
  float backstop_distance; /* metres, 0 to 1e6; default 0 */
  float backstop_radius;   /* metres, 0 to 1e6; 0 = no backstop; default 0 */
  /* 0 to 1: of the distance to the skinned position, 1 - blend is left after a step, in which each
   * substep has an equal ratio; default 0 */
  float blend;
} weft_skin_limits;

WEFT_API weft_skin_limits weft_default_skin_limits(void);

#ifdef __cplusplus
}
#endif

#endif
