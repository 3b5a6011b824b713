/* Where something is and how it is turned, and how both change in the course of a substep. Nothing here asks
 * libm for more than a square root: steps give the same bits everywhere. */
#ifndef WEFT_COLLIDERS_POSE_H
#define WEFT_COLLIDERS_POSE_H

#include <stdbool.h>

#include "base/vector.h"

/* A place, and a rotation: a quaternion x y z w of length 1. */
typedef struct weft__pose {
  weft__vector position; /* metres */
  double rotation[4];
} weft__pose;

/* The same for many points: the axes of the turned frame, in the world. */
typedef struct weft__frame {
  weft__vector position;
  weft__vector axis[3];
  bool turns; /* it is no plain shift, as most are */
} weft__frame;

/* Makes the quaternion one of length 1; one of length 0 turns nothing. */
void weft__rotation_normalise(double rotation[4]);

/* The pose after `h` seconds with a velocity, metres per second, and a spin, radians per second. */
weft__pose weft__pose_after(const weft__pose* pose, weft__vector velocity, weft__vector spin,
                            double h);

/* A share, 0 to 1, of the way between two poses: straight on, and turned the short way. */
weft__pose weft__pose_between(const weft__pose* from, const weft__pose* to, double share);

weft__frame weft__frame_of(const weft__pose* pose);

/* Directions and places of the world, in the frame, and the other way round. */
static inline weft__vector weft__turn_in(const weft__frame* f, weft__vector a) {
  if (!f->turns) return a;
  return (weft__vector){weft__dot(f->axis[0], a), weft__dot(f->axis[1], a),
                        weft__dot(f->axis[2], a)};
}

static inline weft__vector weft__turn_out(const weft__frame* f, weft__vector a) {
  if (!f->turns) return a;
  return (weft__vector){f->axis[0].x * a.x + f->axis[1].x * a.y + f->axis[2].x * a.z,
                        f->axis[0].y * a.x + f->axis[1].y * a.y + f->axis[2].y * a.z,
                        f->axis[0].z * a.x + f->axis[1].z * a.y + f->axis[2].z * a.z};
}

static inline weft__vector weft__frame_in(const weft__frame* f, weft__vector a) {
  return weft__turn_in(f, weft__minus(a, f->position));
}

static inline weft__vector weft__frame_out(const weft__frame* f, weft__vector a) {
  return weft__plus(f->position, weft__turn_out(f, a));
}

#endif
