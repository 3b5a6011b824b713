/* Shape matching: cloth that stays tangled is drawn to its shape in the scene until nothing
 * crosses.
 *
 * Contours of a cloth with itself that end inside it have no smaller part to pull back.
 *
 *   age      of a particle: steps that it has been on contours. It spreads along the mesh and falls
 *            by 2 with each edge. Particles of age 15 are matched: a contour, and then one row of
 *            particles more every other step. One that is still on a contour after ten seconds of
 *            60 steps is given up until the contour leaves it, as beside pins on the wrong side.
 *   region   Matched particles that edges connect.
 *   goal     The region's shape in the scene, turned and moved to fit best (Mueller, Heidelberger,
 *            Teschner, Gross 2005, "Meshless deformations based on shape matching"). A shape that
 *            crosses itself there, as crossings tell that are the same there, is none; nor is one
 *            whose pins have moved apart. Such regions are not matched.
 *   motion   All particles go the same share of their ways to the goal, the furthest at 1 m/s,
 *            without velocity: the centre of mass stays, and no edge within is stretched. Beside
 *            that the region moves as a rigid body, with its momentum and the spin that fits the
 *            substep best, and links within it have no effect. In a region with a pinned particle
 *            links act, without velocity: pins may be too far apart for the goal.
 *   recovery Particles stay matched for half a second; CCD holds them as soon as nothing crosses.
 *
 * A worker takes a region, and its sums are in the order of particles. */
#ifndef WEFT_MODULES_CCD_SHAPE_MATCHING_H
#define WEFT_MODULES_CCD_SHAPE_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

#include "parallel/step_context.h"

struct weft__ccd;

typedef struct weft__shape_matching {
  uint32_t region_count;
  bool is_aged; /* some particles may have an age */

  /* state */
  uint16_t* age;    /* steps, WEFT__AGE_GIVEN_UP = on a contour, and left [particle_count] */
  uint8_t* matched; /* steps that it is matched for, 0 = it is not [particle_count] */
  uint8_t* is_crossed_in_scene; /* at a contour of its cloth there [particle_count] */
  uint32_t* member; /* particles of the regions, ascending in each [first[region_count]] */
  uint32_t* first;  /* in member [region_count + 1] */

  /* scratch */
  uint16_t* next_age; /* [particle_count] */
} weft__shape_matching;

#define WEFT__AGE_GIVEN_UP UINT16_MAX

void weft__shape_matching_clear(weft__shape_matching* shapes, uint32_t particle_count);

/* Ages particles after a search for crossings, lists the regions of the next step, and marks their
 * particles as tangled while anything crosses. */
void weft__shape_matching_plan(struct weft__ccd* ccd, weft__step_context* step);

/* Moves regions towards their goals, in a substep before contacts are solved. */
void weft__shape_matching_run(struct weft__ccd* ccd, weft__step_context* step);

#endif
