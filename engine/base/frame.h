#ifndef WEFT_BASE_FRAME_H
#define WEFT_BASE_FRAME_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__frame {
  weft__vec3 position; /* metres */
  weft__vec3 axis[3];  /* unit, in the world */
  bool turns;          /* most frames are pure translations */
} weft__frame;

/* From the world into the frame, and out of it. */
static inline weft__vec3 weft__frame_rotate_in(const weft__frame* f, weft__vec3 a) {
  if (!f->turns) return a;
  return (weft__vec3){weft__dot(f->axis[0], a), weft__dot(f->axis[1], a), weft__dot(f->axis[2], a)};
}

static inline weft__vec3 weft__frame_rotate_out(const weft__frame* f, weft__vec3 a) {
  if (!f->turns) return a;
  return (weft__vec3){f->axis[0].x * a.x + f->axis[1].x * a.y + f->axis[2].x * a.z,
                      f->axis[0].y * a.x + f->axis[1].y * a.y + f->axis[2].y * a.z,
                      f->axis[0].z * a.x + f->axis[1].z * a.y + f->axis[2].z * a.z};
}

static inline weft__vec3 weft__frame_in(const weft__frame* f, weft__vec3 a) {
  return weft__frame_rotate_in(f, weft__minus(a, f->position));
}

static inline weft__vec3 weft__frame_out(const weft__frame* f, weft__vec3 a) {
  return weft__plus(f->position, weft__frame_rotate_out(f, a));
}

#endif
