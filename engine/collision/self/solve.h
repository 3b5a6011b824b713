/* Solve of cloth contacts, by Gauss-Seidel over rows.
 *
 * Contacts act among links: a pass forward before the sweeps of a substep, which is where planes
 * are found, one forward and one backward between both halves of them, and after them, with planes
 * after each. Both ends of a row move by opposite impulses, and all of a displacement counts as
 * velocity: momentum is conserved, and a pile stands without memory of its load, as each substep
 * passes it down. A row has the sum of its pushes since the start of the substep, at least 0, so
 * that a later pass can take back what an earlier one pushed too far, and of its friction, within
 * Coulomb's cone of that push.
 *
 * Overlap that a substep leaves is seen by the next one; slip is not, and layers would creep. So
 * friction acts against the slip since the start of the step, its anchor, where a pair has moved by
 * less than 1 % of its distance since then. Anchors last for a step.
 *
 * Overlap that arose in the substep is taken back at once, older overlap by at most 3 m/s, but for
 * 2 % of the contact distance (slop; Catto 2006, "Fast and Simple Physics using Sequential
 * Impulses"). Overlap that is given, by the start of the scene, by another thickness, by a place
 * that the caller has set, is pushed out by 3 radii a second, for 2 s, equally and oppositely but
 * without velocity: particles do not fly apart.
 *
 * Planes of colliders and bounds that cloth of tiles with contacts touches are rows, too, without
 * slop: colliders/planes.h. So are bodies.
 *
 * Particles that passed through each other's centre in this substep return to their side. */
#ifndef WEFT_COLLISION_SELF_SOLVE_H
#define WEFT_COLLISION_SELF_SOLVE_H

#include "collision/self/self.h"

/* Sets anchors of friction to the start of a step, and normals of the last step aside. */
void weft__self_set_anchors(weft__self* self, const weft__step_context* step);

/* A pass forward, with pushes out of given overlaps. */
void weft__self_begin_solve(weft__self* self, const weft__step_context* step);

/* Positions, starts and radii of active tiles, as records. */
void weft__self_load_records(weft__self* self, const weft__step_context* step,
                             const uint8_t* tangled);

/* Finds the particles placed since the last substep that overlap others: contacts are found. */
void weft__self_find_given(weft__self* self, const weft__step_context* step);

/* The overlap of a placed particle is given. */
void weft__self_mark_given(weft__self* self, uint32_t place);

#endif
