/* Springs: links that act by forces. Of a link from a to b, with u the direction from a to b and l its
 * length, a is pulled along u by
 *
 *     F = (l - rest) / compliance + damping u . (v_b - v_a)
 *
 * and b by as much the other way. A spring stands at both its ends, so that a particle's forces are gathered
 * by whoever has the particle, in the order of the scene's links, and no two workers write to one place:
 *
 *     particle    0       1          2            first   0  1  3  4
 *     ends        1   |   0   2  |   1            other   1  0  2  1
 *
 * Lengths and sums are in double precision. In single precision the last bit of a length of a metre, times
 * the stiffness of a rope, is as much as a gnat's weight, and a pendulum's energy wanders off by it. */
#ifndef WEFT_FORCES_SPRINGS_H
#define WEFT_FORCES_SPRINGS_H

#include <math.h>

#include "scene/scene.h"
#include "tables/particles.h"
#include "tables/schedule.h"

/* One end of a spring. */
typedef struct weft__spring {
  double stiffness; /* newtons per metre */
  float damping;    /* newton seconds per metre */
  float shortest;   /* metres: shorter than this it pushes */
  float longest;    /* metres: longer than this it pulls; in between there is no spring */
  uint32_t other;   /* the particle at the other end, in solver order */
  uint32_t slot;    /* of the link: a torn one has its bit in lane_mask clear */
} weft__spring;

typedef struct weft__springs {
  uint32_t count;            /* 0: there are no columns */
  uint32_t* first;           /* in ends, of particles in solver order [particle_count + 1] */
  weft__spring* ends;        /* [2 count] */
  const uint16_t* lane_mask; /* the schedule's */
  size_t bytes;
} weft__springs;

/* Lists the springs of a scene. False when memory cannot be had; the caller destroys them either way. */
bool weft__springs_create(weft__springs* springs, const weft_scene* scene,
                          const weft__schedule* schedule);
void weft__springs_destroy(weft__springs* springs);

/* Turns `scene`, a copy of a scene's struct, into what is left without its springs: they keep their places,
 * but hold nothing and are part of nothing that is built on links. False when memory cannot be had. The
 * copy has columns of its own then, for weft__springs_put_back(). */
bool weft__springs_leave_out(weft_scene* scene);
void weft__springs_put_back(weft_scene* scene);

/* A spring as it is now, seen from one of its ends. */
typedef struct weft__pull {
  double along[3]; /* unit vector to the other end; 0 where it does not act */
  double length;   /* metres */
  double excess;   /* metres that it is too long; below 0, too short */
} weft__pull;

static inline weft__pull weft__spring_pull(const weft__springs* springs, const weft__particles* p,
                                           uint32_t i, const weft__spring* s) {
  const bool whole = (springs->lane_mask[s->slot / WEFT__LANES] >> s->slot % WEFT__LANES & 1u) != 0;
  const double x = (double)p->pos_x[s->other] - (double)p->pos_x[i];
  const double y = (double)p->pos_y[s->other] - (double)p->pos_y[i];
  const double z = (double)p->pos_z[s->other] - (double)p->pos_z[i];
  const double length = sqrt(x * x + y * y + z * z);
  const bool is_short = length < (double)s->shortest;
  // ends in one place have no direction
  if (!whole || length == 0.0 || (!is_short && length < (double)s->longest)) {
    return (weft__pull){0};
  }
  const double inverse = 1.0 / length;
  return (weft__pull){.along = {x * inverse, y * inverse, z * inverse},
                      .length = length,
                      .excess = length - (double)(is_short ? s->shortest : s->longest)};
}

/* How fast the other end goes away from particle i, [3] in metres per second. */
static inline void weft__spring_parting(const weft__particles* p, uint32_t i, uint32_t other,
                                        double parting[3]) {
  parting[0] = (double)(p->vel_x[other] + p->lead_x[other]) - (double)(p->vel_x[i] + p->lead_x[i]);
  parting[1] = (double)(p->vel_y[other] + p->lead_y[other]) - (double)(p->vel_y[i] + p->lead_y[i]);
  parting[2] = (double)(p->vel_z[other] + p->lead_z[other]) - (double)(p->vel_z[i] + p->lead_z[i]);
}

static inline double weft__inner(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The force of all its springs on a particle, newtons; `kept` is the share of the velocities that counts. */
void weft__springs_force(const weft__springs* springs, const weft__particles* particles, uint32_t i,
                         double kept, double force[3]);

#endif
