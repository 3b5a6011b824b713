/* Where something is and how it is turned, and how both change in the course of a substep. Nothing here asks
 * libm for more than a square root: steps give the same bits everywhere. */
#ifndef WEFT_COLLISION_COLLIDERS_POSE_H
#define WEFT_COLLISION_COLLIDERS_POSE_H

#include <stdint.h>

#include "base/frame.h"

/* A place, and a rotation: a quaternion x y z w of length 1. */
typedef struct weft__pose {
  weft__vec3 position; /* metres */
  double rotation[4];
} weft__pose;

/* Makes the quaternion one of length 1; one of length 0 turns nothing. */
void weft__rotation_normalise(double rotation[4]);

/* The pose after `h` seconds with a velocity, metres per second, and a spin, radians per second. */
weft__pose weft__pose_after(const weft__pose* pose, weft__vec3 velocity, weft__vec3 spin, double h);

/* The rotation vector, radians, of the shorter arc from one rotation to another: of half a turn, one of the two
 * arcs, the same for q and -q. */
weft__vec3 weft__rotation_between(const double from[4], const double to[4]);

/* A share, 0 to 1, of the way between two poses, at constant velocity and spin: straight on, and turned along the
 * shorter arc. */
weft__pose weft__pose_between(const weft__pose* from, const weft__pose* to, double share);

/* One of the equal slices of a motion at constant velocity and spin. */
typedef struct weft__pose_slice {
  weft__vec3 way; /* metres */
  double turn[4]; /* a quaternion */
} weft__pose_slice;

/* `count` slices make up a way, metres, and a turn, radians about each axis. */
weft__pose_slice weft__pose_slice_of(weft__vec3 way, weft__vec3 turn, uint32_t count);

/* The pose a slice later. Its length stays 1 but for the last digits, a hundred slices long. */
weft__pose weft__pose_advance(const weft__pose* pose, const weft__pose_slice* slice);

/* The same for many points. */
weft__frame weft__frame_of(const weft__pose* pose);

#endif
