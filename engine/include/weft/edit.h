/* weft, chapter 14: edit a running world. Include <weft/weft.h>, which includes this.
 *
 * Bodies are moved somewhere else, links get other lengths and stiffness, closed bodies another
 * pressure, without a new world; the cost goes by the particles or links that a call names, unless
 * said otherwise.
 *
 * A body with links that is added to a running world needs a new schedule: weft_world_reset() with
 * a scene that has it at its end, after which the state of the particles before is set again.
 *
 * Snapshots hold edits. One from before the first edit of links of a kind fails with
 * WEFT_ERROR_FOREIGN at "links" in the world that has made it since; another world takes it. */
#ifndef WEFT_EDIT_H
#define WEFT_EDIT_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- teleport -------------------------------------------------------------------------------- */

/* Moves particles, pinned ones included, rigidly: rotated about the origin by `rotation`, a unit
 * quaternion x y z w to 0.001, then shifted by `offset`, [3] in metres; NULL = not. Velocities,
 * orientations, angular velocities, added forces and pending targets of pins turn with them.
 * Nothing is swept in between. Particles that are held by a grip get other offsets from it. Joints
 * and links to other particles pull as ever.
 *
 * Fails with WEFT_ERROR_RANGE at "rotation", at "offset" if a particle would be further than
 * WEFT_MAX_MAGNITUDE from the origin, and in a plane at motion out of it. */
WEFT_RESULT weft_world_teleport(weft_world* world, weft_selection particles, const float* offset,
                                const float* rotation);

/* ---- links ----------------------------------------------------------------------------------- */

/* Rest lengths and compliances are WEFT_ATTRIBUTE_LINK_REST_LENGTH and LINK_COMPLIANCE. The first
 * change of a kind allocates, and takes time in proportion to all links of the world; later ones go
 * by their links, unless the direct solver has trees. A world has the same bits as if its scene had
 * had the values, unless it has multigrid levels or attachments, which keep the values of the scene
 * and end, as if torn, with a link that gets longer. */

/* ---- gas ------------------------------------------------------------------------------------- */

/* Sets the gauge pressure of a closed body that the scene has filled, in pascals, 0 to 1e12, at the
 * volume that it had then. `particle` is any of its particles. Fails with WEFT_ERROR_DISABLED at
 * "particle" if it is in no such body. Lost gas stays lost. */
WEFT_RESULT weft_world_set_pressure(weft_world* world, uint32_t particle, float pressure);

/* Pressure as set, in pascals; 0 once the gas is lost. */
WEFT_RESULT weft_world_get_pressure(const weft_world* world, uint32_t particle, float* pressure);

#ifdef __cplusplus
}
#endif

#endif
