/* Multirate integration: a step has as many substeps as its most demanding body, others take fewer,
 * longer ones.
 *
 *     8 substeps   |--|--|--|--|--|--|--|--|   stride 1
 *     2 substeps   |-----------|-----------|   stride 4
 *
 * A longer substep is taken whole, with links, levels, trees and rods, at its first short one.
 * Between steps velocities are displacements in a short one, x - x_before = v h, so that all else
 * has one length of substeps. (Gear, Wells 1984, "Multirate linear multistep methods")
 *
 * Rigid cloth adapts: errors of sweeps fall with the square of the substep, and show as strain. The
 * mean strain of a sample of a component's links, at the start of a step, raises its rung by one,
 * and lowers it once it has been small for a sixth of a second. Hung cloth is on rung 0 only after
 * a second at rest. Substeps of a step of N, + with levels:
 *
 *     rung              0        1        2        3
 *     loose           N / 8    N / 4    N / 2      N
 *     hung            N / 8      N
 *     hung, large     N / 8    N / 4 +  N / 2 +    N
 *     trees           N / 8      N
 *
 * Two further rungs of sheets have all substeps with twice and four times the sweeps. Sheets climb
 * them in contact, too, and at few pins: sweeps leave the length of substeps alone, so that no
 * error of a long one is corrected, as a velocity, in a short one. Rigid meshes have none: their
 * triangles lock, their strain is no error of sweeps, and more sweeps of them make energy.
 *
 * Trees, solved directly, leave no strain: their error is of order (w h)^2 for a swing of frequency
 * w. So they take all substeps in motion, and are on rung 0 after a second in which no particle has
 * moved by more than a five-hundredth of the mean link in a step. Ropes with swept links beside
 * them, as ragdolls' limits of joints are, do not adapt: these sag by some g h^2.
 *
 * Attachments without levels slow the swings of cloth; in violent motion substeps gain more.
 *
 * Components whose positions something reads between, with contacts, joints, moved or held
 * particles, take every substep; all do in worlds with bounds, loads, a tolerance, skin limits or
 * paused environments. Cloth that collides is none of these while nothing is near it (clearance.h):
 * what comes near within the step meets its chord. */
#ifndef WEFT_MODULES_MULTIRATE_MULTIRATE_H
#define WEFT_MODULES_MULTIRATE_MULTIRATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/aabb.h"
#include "step/stage.h"
#include "tables/rate_groups.h"

/* Rungs of all groups. */
#define WEFT__MAX_STRIDES (4u * WEFT__MAX_RATE_GROUPS)

/* Substeps of one length. */
typedef struct weft__pass {
  uint32_t stride;
  uint32_t iterations; /* most of its components */
  bool has_levels;
} weft__pass;

typedef struct weft__multirate {
  struct weft__stepper* stepper;
  bool varies; /* components differ, or adapt */
  uint32_t component_count, patch_count, environment_count;
  uint32_t* group;                  /* rate group [component_count] */
  uint32_t* sweeps;                 /* of a substep [component_count] */
  uint32_t *first_user, *last_user; /* of its particles, caller's order [component_count] */
  double* length;                   /* metres: mean of its links, of trees only [component_count] */
  uint32_t* rung;                   /* [component_count] */
  uint32_t* lowest;                 /* rung at rest: 1 if rung 0 strains [component_count] */
  uint32_t* calm;                   /* steps in which a lower rung was enough [component_count] */
  uint32_t* strides;                /* [component_count] */
  uint32_t* level_strides;          /* 0: not on levels [component_count] */
  bool* is_apart;                   /* nothing reads positions between [component_count] */
  uint8_t* contacts;                /* kind of its contact materials [component_count] */
  bool* is_clear;                   /* see clearance.h [component_count] */
  weft__aabb* boxes;                /* metres: paths of clear ones in the step [component_count] */
  uint32_t version;                 /* of the materials that these are of */
  weft__environment* environments;  /* with a pass's motion [environment_count] */
  double* sum;                      /* strain of the sample's links [component_count] */
  uint32_t* count;                  /* links of the sample [component_count] */
  double* motion; /* of their ends in a substep, in lengths; of trees the most [component_count] */
  double* patch_sum; /* the same of each patch [patch_count] */
  double* patch_motion;
  uint32_t* patch_samples;
  weft__pass passes[WEFT__MAX_STRIDES]; /* long ones first */
  uint32_t pass_count;
  weft__settings settings; /* of this step, with the sweeps of its last pass */
  size_t bytes;
} weft__multirate;

extern const weft__table weft__multirate_table;

#define WEFT__MULTIRATE_SUMS(kind)                                    \
  WEFT__COLUMN(weft__multirate, patch_sum, patch_count, kind),        \
      WEFT__COLUMN(weft__multirate, patch_motion, patch_count, kind), \
      WEFT__COLUMN(weft__multirate, patch_samples, patch_count, kind)

/* Components of the cloth and of its levels, which patches then name. False if out of memory. */
bool weft__multirate_create(weft__multirate* multirate, const weft__build* build);
void weft__multirate_destroy(weft__multirate* multirate);

/* Chooses the strides of a step. */
void weft__multirate_begin(weft__multirate* multirate, weft__step_context* step);

/* Takes the longer substeps that begin with this one. */
void weft__multirate_take(const weft__multirate* multirate, weft__step_context* step);

/* Raises the components of particles, in the caller's order: a call has placed or pushed them. */
void weft__multirate_raise(weft__multirate* multirate, weft__range users);

#endif
