/* Poses and measurements of ragdolls. */
#ifndef TOOLS_SIM_SCENES_FIGURE_H
#define TOOLS_SIM_SCENES_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

/* Random numbers, equal on every machine (Steele, Lea, Flood 2014, "Fast splittable pseudorandom
 * number generators"). */
typedef struct figure_dice {
  uint64_t state;
} figure_dice;

/* Uniform from lower to upper. */
double figure_roll(figure_dice* dice, double lower, double upper);

/* Three floats a particle, [WEFT_RAGDOLL_PARTICLE_COUNT]. */
typedef float figure_places[WEFT_RAGDOLL_PARTICLE_COUNT][3];

/* Gives a figure a frame in the plane of x and y, tilted any way and facing either side. */
void figure_face(weft_ragdoll_def* def, figure_dice* dice);

/* Swings arms, legs and head of an upright figure to angles within their ranges. */
void figure_pose(figure_places places, const weft_ragdoll_def* def, figure_dice* dice);

/* Largest strain of a bone. */
double figure_strain(figure_places places, const weft_link_def bones[WEFT_RAGDOLL_BONE_COUNT]);

/* Degrees of wrong bend that count as none: one degree of play. */
#define FIGURE_PLAY 3.0

/* Knees and elbows that bend the wrong way. */
typedef struct figure_bends {
  uint32_t wrong; /* more than FIGURE_PLAY */
  double worst;   /* degrees; 0 without any */
} figure_bends;

/* Flat figures stay in their plane, where bends show. Others turn their limbs about their length: a
 * kneecap lies before its knee, an elbow's tip behind it, and a wrong bend comes nearer to them
 * than a straight limb is. */
void figure_count_bends(figure_places places, const weft_ragdoll_def* def, figure_bends* bends);

#endif
