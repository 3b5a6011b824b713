/* weft, chapter 19: rods. Include <weft/weft.h>, which includes this.
 *
 * A rod is a rope that resists bending and twist: a cable, a wire, a spring, a stalk. Each segment,
 * a link, has a material frame: a unit quaternion x y z w that turns the axes 1 0 0, 0 1 0 and 0 0
 * 1 into the two material axes across the rod and its tangent, from the first point to the last.
 *
 *   weft_rod_def def = weft_default_rod_def();
 *   def.rope.end[0] = 0.3f;
 *   def.rope.end[1] = 0.0f;
 *   def.rope.pin_origin = true;
 *   def.clamp_origin = true;
 *   def.bend_stiffness = 1e-3f;
 *   def.twist_stiffness = 1e-3f;
 *   check(weft_scene_add_rod(scene, &def, &body));
 *
 * The energy per metre is (EI1 (k1 - k1')^2 + EI2 (k2 - k2')^2 + GJ (t - t')^2) / 2, with the
 * curvatures k1 and k2 about the material axes and the twist t, radians per metre, and their values
 * at rest. A rod extends only by `rope.compliance`, and has no shear. The whole rod is solved in
 * each substep: the bend is right at any resolution (docs/materials.md, Rods).
 *
 * Ends. A pin holds the position of a particle, a clamp the frame of an end. A clamped end turns as
 * weft_world_set_rod_end() says; a free one bears a torque. Two pinned particles in a row hold the
 * tangent, but not the twist. weft_rod_def is in weft/bodies.h.
 *
 * All calls of ropes and links apply to rods, but for setting WEFT_ATTRIBUTE_LINK_REST_LENGTH and
 * LINK_COMPLIANCE, worlds of a plane, and clusters, which report WEFT_ERROR_UNSUPPORTED. A segment
 * that is torn or switched off bends no more. Coarse levels and long-range attachments leave rods
 * out; weft_solver_def.direct_iterations must not be 0. Trees of ropes that are attached to rods
 * are solved before them. */
#ifndef WEFT_ROD_H
#define WEFT_ROD_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An end of a rod. */
typedef struct weft_rod_end {
  bool clamped;
  float frame[4];  /* unit quaternion x y z w, of a clamped end */
  float spin[3];   /* radians per second, up to 1e4: a clamped end turns; default 0 0 0 */
  float torque[3]; /* newton metres, on the last segment of the end; default 0 0 0 */
} weft_rod_end;

/* Sets and reads the end of a rod at a particle, its first or last one. The frame holds at once.
 * Between steps; a sleeping rod wakes. Fails with WEFT_ERROR_RANGE at "particle" if it is no end of
 * a rod, and at fields of weft_rod_end. */
WEFT_RESULT weft_world_set_rod_end(weft_world* world, uint32_t particle, const weft_rod_end* end);
WEFT_RESULT weft_world_get_rod_end(const weft_world* world, uint32_t particle, weft_rod_end* end);

/* Copies the material frames of the segments [first, first + count), numbers of links that are all
 * of rods: [count][4], unit quaternions x y z w. Fails with WEFT_ERROR_RANGE at "first" and the
 * index of a link of no rod. */
WEFT_RESULT weft_world_get_rod_frames(const weft_world* world, uint32_t first, uint32_t count,
                                      float* frames);

/* Copies the moments of bending and twist at particles [first, first + count), all of rods: newton
 * metres in the world, [count][3], that the part of the rod behind a particle exerts on the part
 * before it; 0 at free ends and where a segment is torn. */
WEFT_RESULT weft_world_get_rod_moments(const weft_world* world, uint32_t first, uint32_t count,
                                       float* moments);

#ifdef __cplusplus
}
#endif

#endif
