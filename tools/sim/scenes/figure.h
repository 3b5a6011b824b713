/* Shared by the scenes with ragdolls: poses and measurements. */
#ifndef TOOLS_SIM_SCENES_FIGURE_H
#define TOOLS_SIM_SCENES_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

/* Numbers at random, the same everywhere (Steele, Lea, Flood 2014, "Fast splittable pseudorandom
 * number generators"). */
typedef struct figure_dice {
  uint64_t state;
} figure_dice;

/* Evenly spread from least to most. */
double figure_roll(figure_dice* dice, double lower, double upper);

/* Three floats a particle, [WEFT_RAGDOLL_PARTICLE_COUNT]. */
typedef float figure_places[WEFT_RAGDOLL_PARTICLE_COUNT][3];

/* Gives a figure a frame in the plane of x and y that is tilted any way and looks to either side.
 */
void figure_face(weft_ragdoll_def* def, figure_dice* dice);

/* Swings arms, legs and head of a figure that stands as it was built to angles within their ranges.
 */
void figure_pose(figure_places places, const weft_ragdoll_def* def, figure_dice* dice);

/* The most that any bone is longer or shorter than it should be, as a share of its length. */
double figure_strain(figure_places places, const weft_link_def bones[WEFT_RAGDOLL_BONE_COUNT]);

/* Degrees by which a limb may seem to be bent the wrong way. One that stands has a degree of play.
 */
#define FIGURE_PLAY 3.0

/* Knees and elbows that bend the wrong way. */
typedef struct figure_bends {
  uint32_t wrong; /* by more than FIGURE_PLAY */
  double worst;   /* degrees; 0 where none is */
} figure_bends;

/* Flat figures stay in their plane, where it shows which way a limb bends. Others turn their limbs
 * about their length, and a kneecap lies before its knee, an elbow's tip behind it: what bends the
 * wrong way comes nearer to them than a straight limb is. */
void figure_count_bends(figure_places places, const weft_ragdoll_def* def, figure_bends* bends);

#endif
