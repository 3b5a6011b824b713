/* Pose of a rigid frame, and its motion: of libm only square roots, the same everywhere. */
#ifndef WEFT_BASE_POSE_H
#define WEFT_BASE_POSE_H

#include <stdint.h>

#include "base/frame.h"

/* Unit quaternion x y z w. */
typedef struct weft__pose {
  weft__vec3 position; /* metres */
  double rotation[4];
} weft__pose;

/* One of length 0 becomes the identity. */
void weft__rotation_normalise(double rotation[4]);

/* Rotation b after a, the Hamilton product b a; `product` may be one of them. */
void weft__rotation_multiply(const double a[4], const double b[4], double product[4]);

/* Normalised; NULL: none. position [3], rotation [4] */
weft__pose weft__pose_of(const float* position, const float* rotation);

/* After `h` seconds; metres per second, radians per second. */
weft__pose weft__pose_after(const weft__pose* pose, weft__vec3 velocity, weft__vec3 spin, double h);

/* Rotation vector of the shorter arc, radians; of half a turn, one arc, the same for q and -q. */
weft__vec3 weft__rotation_between(const double from[4], const double to[4]);

/* Constant velocity and spin along the shorter arc; share from 0 to 1. */
weft__pose weft__pose_between(const weft__pose* from, const weft__pose* to, double share);

/* One of `count` equal slices of a motion at constant velocity and spin. */
typedef struct weft__pose_slice {
  weft__vec3 translation; /* metres */
  double rotation[4];
} weft__pose_slice;

weft__pose_slice weft__pose_slice_of(weft__vec3 translation, weft__vec3 turn, uint32_t count);

/* The quaternion stays normalised to a few last digits over a hundred slices. */
weft__pose weft__pose_advance(const weft__pose* pose, const weft__pose_slice* slice);

weft__frame weft__frame_of(const weft__pose* pose);

#endif
