/* Where something is and how it is turned, and how both change in the course of a substep. Nothing here asks
 * libm for more than a square root: steps give the same bits everywhere. */
#ifndef WEFT_COLLIDERS_POSE_H
#define WEFT_COLLIDERS_POSE_H

#include "base/frame.h"

/* A place, and a rotation: a quaternion x y z w of length 1. */
typedef struct weft__pose {
  weft__vector position; /* metres */
  double rotation[4];
} weft__pose;

/* Makes the quaternion one of length 1; one of length 0 turns nothing. */
void weft__rotation_normalise(double rotation[4]);

/* The pose after `h` seconds with a velocity, metres per second, and a spin, radians per second. */
weft__pose weft__pose_after(const weft__pose* pose, weft__vector velocity, weft__vector spin,
                            double h);

/* A share, 0 to 1, of the way between two poses: straight on, and turned the short way. */
weft__pose weft__pose_between(const weft__pose* from, const weft__pose* to, double share);

/* The same for many points. */
weft__frame weft__frame_of(const weft__pose* pose);

#endif
