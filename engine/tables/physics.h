/* Parameters of the motion besides constraints. */
#ifndef WEFT_TABLES_PHYSICS_H
#define WEFT_TABLES_PHYSICS_H

#include <stdbool.h>
#include <stdint.h>

/* Parameters in the caller's units. */
typedef struct weft__physics {
  float gravity[3];      /* metres per second squared */
  float damping;         /* 1/seconds */
  float max_speed[3];    /* metres per second along each axis */
  double averaging_time; /* seconds; 0 = forces of constraints are not averaged: see average.inl */
  double h;              /* seconds of a substep */
  /* seconds of the substep that constraints are solved for, at least h: see step_size.h */
  double solved_h;
  double last_h;  /* likewise, of the last one: between current and previous positions */
  double taken_h; /* seconds of the last substep, at most last_h */
  double error_h; /* seconds: the present errors of constraints are due to it; 0 = there are none */
  bool is_plane;  /* particles are in the plane z = 0 */
} weft__physics;

/* Constants of the integration of one substep, derived from them. */
typedef struct weft__motion {
  float kept;            /* share of the velocity left by damping */
  float part_kept;       /* likewise, in a partial substep: see step_size.h */
  float displacement[3]; /* metres: acceleration times the substep squared */
  float reach[3];        /* metres: maximum displacement along each axis */
  float step_squared;    /* seconds squared: factor of force over mass */
  /* factors of the averaged pull in the displacement and in the next average, and of the
   * displacement there: see average.inl */
  float pull_share, pull_kept, pull_gain;
} weft__motion;

/* Share of past substeps in the force of constraints, 0 to a half: b in average.inl. h: seconds of
 * a substep. */
static inline double weft__physics_past_share(const weft__physics* physics, double h) {
  if (!(physics->averaging_time > 0.0)) return 0.0;
  const double share = h / (h + physics->averaging_time);
  return share < 0.5 ? share : 0.5;
}

/* Force of a constraint over its multiplier in a substep of h seconds, 1/seconds^2: the multiplier
 * is the displacement by the share of the present substep. */
static inline double weft__physics_inv_step_sq(const weft__physics* physics, double h) {
  return 1.0 / ((1.0 - weft__physics_past_share(physics, h)) * h * h);
}

/* State of an environment of several. */
typedef struct weft__environment {
  float gravity[3];    /* metres per second squared */
  float damping;       /* 1/seconds */
  weft__motion motion; /* derived from the physics with its own gravity and damping */
  bool is_paused;
  uint8_t unused[3]; /* 0: see weft__archive_value() */
  /* steps while it was not paused; if it is not, less those of the world */
  uint64_t clock;
} weft__environment;

#endif
