/* Parameters of the motion besides constraints. */
#ifndef WEFT_TABLES_PHYSICS_H
#define WEFT_TABLES_PHYSICS_H

#include <stdbool.h>
#include <stdint.h>

/* Parameters in the caller's units. */
typedef struct weft__physics {
  float gravity[3];   /* metres per second squared */
  float damping;      /* 1/seconds */
  float max_speed[3]; /* metres per second along each axis */
  double h;           /* seconds of a substep */
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
} weft__motion;

static inline double weft__inv_square(double h) {
  return 1.0 / (h * h);
}

/* State of an environment of several. */
typedef struct weft__environment {
  float gravity[3];    /* metres per second squared */
  float damping;       /* 1/seconds */
  weft__motion motion; /* derived from the physics with its own gravity and damping */
  bool is_paused;
  uint8_t unused[3]; /* 0: see weft__archive_value() */
  /* steps while it was not paused; if it is not, less the world's */
  uint64_t clock;
} weft__environment;

#endif
