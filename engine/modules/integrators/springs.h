/* Springs: links that act by forces instead of constraints. For a link from a to b, with u the
 * direction from a to b and l its length, the force on a along u is
 *
 *     F = (l - rest) / compliance + damping u . (v_b - v_a)
 *
 * or the value of its curve at the strain in place of the first term (scene/curves.h). A spring is
 * listed at both ends: a particle's worker gathers its forces in the order of the scene's links:
 *
 *     particle    0       1          2            first   0  1  3  4
 *     ends        1   |   0   2  |   1            other   1  0  2  1
 *
 * Double precision: the rounding error of a length of a metre in single precision, times the
 * stiffness of a rope, is a force that makes a pendulum's energy drift. */
#ifndef WEFT_MODULES_INTEGRATORS_SPRINGS_H
#define WEFT_MODULES_INTEGRATORS_SPRINGS_H

#include <math.h>

#include "modules/integrators/force_curve.h"
#include "scene/scene.h"
#include "tables/particles.h"
#include "tables/schedule.h"

typedef struct weft__spring {
  double stiffness; /* newtons per metre */
  float damping;    /* newton seconds per metre */
  float shortest;   /* metres: compressed below */
  float longest;    /* metres: stretched above; no force in between */
  uint32_t other;   /* other end, solver order */
  uint32_t slot;    /* lane of the link: a torn one's bit is clear in lane_mask */
  uint32_t curve;   /* 0: linear */
} weft__spring;

typedef struct weft__springs {
  uint32_t count;     /* 0: there are no columns */
  uint32_t* first;    /* by particle, solver order [particle_count + 1] */
  weft__spring* ends; /* [2 count] */
  weft__force_curves curves;
  const uint16_t* lane_mask; /* the schedule's */
  size_t bytes;
} weft__springs;

/* Links with a compliance and relaxation 1 become springs. solver: [links->count] */
void weft__springs_assign(const weft__links* links, uint8_t* solver);

bool weft__springs_create(weft__springs* springs, const weft_scene* scene,
                          const weft__schedule* schedule);
void weft__springs_destroy(weft__springs* springs);

typedef struct weft__spring_state {
  double along[3]; /* unit vector to the other end; 0 if it does not act */
  double length;   /* metres */
  double excess;   /* metres of stretch; below 0, compression */
} weft__spring_state;

static inline weft__spring_state weft__spring_measure(const weft__springs* springs,
                                                      const weft__particles* p, uint32_t i,
                                                      const weft__spring* s) {
  const bool whole = (springs->lane_mask[s->slot / WEFT__LANES] >> s->slot % WEFT__LANES & 1u) != 0;
  const double x = (double)p->pos_x[s->other] - (double)p->pos_x[i];
  const double y = (double)p->pos_y[s->other] - (double)p->pos_y[i];
  const double z = (double)p->pos_z[s->other] - (double)p->pos_z[i];
  const double length = sqrt(x * x + y * y + z * z);
  const bool is_short = length < (double)s->shortest;
  // coincident ends have no direction
  if (!whole || length == 0.0 || (!is_short && length < (double)s->longest)) {
    return (weft__spring_state){0};
  }
  const double inverse = 1.0 / length;
  return (weft__spring_state){.along = {x * inverse, y * inverse, z * inverse},
                              .length = length,
                              .excess = length - (double)(is_short ? s->shortest : s->longest)};
}

typedef struct weft__spring_load {
  double force;     /* newtons, tension above 0 */
  double stiffness; /* newtons per metre */
  double energy;    /* joules */
} weft__spring_load;

static inline weft__spring_load weft__spring_load_of(const weft__springs* springs,
                                                     const weft__spring* s, double excess) {
  const double force = s->stiffness * excess;
  if (s->curve == 0) return (weft__spring_load){force, s->stiffness, 0.5 * force * excess};
  const double rest = (double)s->shortest;
  const weft__force_value value = weft__force_curve_at(&springs->curves, s->curve, excess / rest);
  return (weft__spring_load){value.force, value.slope / rest, value.work * rest};
}

/* metres per second of the other end, relative to i */
static inline void weft__spring_velocity(const weft__particles* p, uint32_t i, uint32_t other,
                                         double velocity[3]) {
  for (int k = 0; k < 3; ++k) {
    velocity[k] = (double)(p->vel[k][other] + p->vel_lag[k][other]) -
                  (double)(p->vel[k][i] + p->vel_lag[k][i]);
  }
}

static inline double weft__inner(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Newtons on a particle. kept: share of velocities that damping leaves */
void weft__springs_force(const weft__springs* springs, const weft__particles* particles, uint32_t i,
                         double kept, double force[3]);

/* NULL if the link is no spring. */
typedef struct weft__spring_ends {
  weft__spring *a, *b;
} weft__spring_ends;

weft__spring_ends weft__springs_find(const weft__springs* springs, const weft__lane* lane);

#endif
