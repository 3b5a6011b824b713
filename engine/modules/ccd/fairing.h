/* Fairing: cloth that stays tangled is smoothed until nothing crosses, and then finds back to its
 * shape, while CCD keeps it from crossing again.
 *
 * Contours of a cloth with itself that end inside it have no smaller part to pull back. But a
 * surface that is smooth enough does not cross itself, so smoothing comes first and lengths come
 * second (Sacht, Jacobson, Panozzo, Schueller, Sorkine-Hornung 2013, "Consistent volumetric
 * discretizations inside self-intersecting surfaces").
 *
 *   age        of a particle: steps that it has been on contours. It spreads along the mesh and
 *              falls by 2 with each edge. Particles of age 15 are faired: a contour, and then one
 *              row of particles more every other step.
 *   smoothing  Laplacian, with symmetric weights, which keep the centre of mass of a whole cloth
 *              (Taubin 1995, "A signal processing approach to fair surface design"): of the
 *              displacements of the substep, so that the effect of links within few edges is
 *              undone and further on remains; then of positions, without velocity, at 1 m/s at
 *              most and no further than to edges of 0.3 of their length.
 *   recovery   Formerly faired particles, with some rows around them, gain no speed from links for
 *              half a second: links move them by 1 m/s beyond their speed.
 *   limit      A particle still on a contour after ten seconds of 60 steps is given up until the
 *              contour leaves it, as beside pins on the wrong side; so is every particle on one
 *              while there are three times as many crossings as the fewest so far. */
#ifndef WEFT_MODULES_CCD_FAIRING_H
#define WEFT_MODULES_CCD_FAIRING_H

#include <stdbool.h>
#include <stdint.h>

#include "parallel/step_context.h"

struct weft__ccd;

typedef struct weft__fairing {
  uint32_t count;  /* particles that are faired or recover */
  uint32_t fewest; /* crossings since there were none */
  bool has_failed; /* there are far more; of a plan */

  /* state */
  uint16_t* age;     /* steps, WEFT__FAIRING_GIVEN_UP = on a contour, and left [particle_count] */
  uint8_t* recovery; /* steps until it has recovered; 0 = neither faired nor recovering
                        [particle_count] */
  float* motion[3];  /* metres: its displacement by velocity in the last substep [particle_count] */
  uint8_t* is_known; /* motion is [particle_count] */
  uint32_t* active;  /* particles that are faired or recover, ascending [count] */

  /* scratch */
  uint16_t* next_age; /* [particle_count] */
  float* length;      /* edges around a particle, as a multiple of their length [particle_count] */
  float* field[2][3]; /* metres: before and after an iteration, in turns [particle_count] */
} weft__fairing;

#define WEFT__FAIRING_GIVEN_UP UINT16_MAX

void weft__fairing_clear(weft__fairing* fairing, uint32_t particle_count);

/* True if a particle is faired, so that contours do not push it. */
bool weft__fairing_includes(const weft__fairing* fairing, uint32_t particle);

/* Ages particles after a search for crossings, and marks as tangled and lists those to fair in the
 * next step. */
void weft__fairing_plan(struct weft__ccd* ccd, weft__step_context* step);

/* Smooths faired particles and bounds the speed of recovering ones, in a substep before contacts
 * are solved. */
void weft__fairing_run(struct weft__ccd* ccd, weft__step_context* step);

#endif
