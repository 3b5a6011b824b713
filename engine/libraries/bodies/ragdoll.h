#ifndef WEFT_LIBRARIES_BODIES_RAGDOLL_H
#define WEFT_LIBRARIES_BODIES_RAGDOLL_H

#include <stddef.h>
#include <stdint.h>

#include "libraries/bodies/draft.h"

/* Shares of the height. */
typedef struct weft__ragdoll_position {
  double forward, up, left;
} weft__ragdoll_position;

typedef enum weft__ragdoll_swing {
  WEFT__SWING_FORWARD,
  WEFT__SWING_LEFT,
} weft__ragdoll_swing;

/* Link whose rest length is the distance of a and b when b has swung about the pivot by degrees[0]
 * from its rest pose. degrees[1]: other end of a range */
typedef struct weft__ragdoll_limit {
  weft_ragdoll_part a, b, pivot;
  weft_link_mode mode;
  weft__ragdoll_swing swing;
  double degrees[2];
} weft__ragdoll_limit;

typedef struct weft__ragdoll_limits {
  const weft__ragdoll_limit* limits;
  uint32_t count;
} weft__ragdoll_limits;

typedef struct weft__ragdoll_pair {
  weft_ragdoll_part a, b;
} weft__ragdoll_pair;

#define WEFT__RAGDOLL_SUPPORT_COUNT 31u

extern const weft__ragdoll_position weft__ragdoll_positions[WEFT_RAGDOLL_PARTICLE_COUNT];
extern const weft__ragdoll_pair weft__ragdoll_bones[WEFT_RAGDOLL_BONE_COUNT];

/* In the trunk, and of the markers at knees and elbows. */
extern const weft__ragdoll_pair weft__ragdoll_supports[WEFT__RAGDOLL_SUPPORT_COUNT];

/* Shares sum to 1. */
double weft__ragdoll_mass(weft_ragdoll_part part);

/* All ragdolls; flat ones, or others. */
weft__ragdoll_limits weft__ragdoll_common_limits(void);
weft__ragdoll_limits weft__ragdoll_limits_of(bool flat);

/* Finite, apart where a bone joins them, in a flat figure's plane, on a trunk that faces
 * somewhere. */
weft_result weft__ragdoll_check_joints(const weft_ragdoll_def* def);

/* Lengths of the given bones, before there are links. */
void weft__ragdoll_take_lengths(weft__draft* draft, const weft_ragdoll_def* def);

/* Given joints; the trunk keeps that shape. */
void weft__ragdoll_pose(weft__draft* draft, const weft_ragdoll_def* def);

#endif
