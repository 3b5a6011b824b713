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
  double last_h;      /* seconds of the last substep: between current and previous positions */
  bool is_plane;      /* particles are in the plane z = 0 */
} weft__physics;

/* Constants of the integration of one substep, derived from them. */
typedef struct weft__motion {
  float kept;            /* share of the velocity left by damping */
  float displacement[3]; /* metres: acceleration times the substep squared */
  float reach[3];        /* metres: maximum displacement along each axis */
  float step_squared;    /* seconds squared: factor of force over mass */
} weft__motion;

static inline double weft__inv_square(double h) {
  return 1.0 / (h * h);
}

/* State of an environment of several. */
typedef struct weft__environment {
  float gravity[3]; /* metres per second squared */
  float damping;    /* 1/seconds */
  bool is_paused;
  /* steps while it was not paused; if it is not, less those of the world */
  uint64_t clock;
  weft__motion motion; /* derived from the physics with its own gravity and damping */
} weft__environment;

#endif
