#ifndef WEFT_TABLES_PHYSICS_H
#define WEFT_TABLES_PHYSICS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct weft__physics {
  float gravity[3];
  float damping;      /* 1/seconds */
  float max_speed[3]; /* metres per second, by axis */
  double h;           /* seconds of a substep */
  /* seconds, >= h, that constraints are solved for: see step_size.h */
  double solved_h;
  double last_h;  /* the last one's: between current and previous positions */
  double taken_h; /* seconds of the last substep, <= last_h */
  double error_h; /* seconds that present errors of constraints are due to; 0: no errors */
  bool is_plane;  /* particles are in z = 0 */
} weft__physics;

typedef struct weft__motion {
  float kept;            /* share of the velocity after damping */
  float part_kept;       /* in a partial substep: see step_size.h */
  float displacement[3]; /* metres: acceleration times the substep squared */
  float reach[3];        /* metres: largest displacement, by axis */
  float step_squared;    /* seconds squared: force over mass times this */
} weft__motion;

static inline double weft__inv_square(double h) {
  return 1.0 / (h * h);
}

typedef struct weft__environment {
  float gravity[3];
  float damping;       /* 1/seconds */
  weft__motion motion; /* by its own gravity and damping */
  bool is_paused;
  uint8_t unused[3]; /* 0 */
  /* steps while not paused; if not paused, less the world's */
  uint64_t clock;
} weft__environment;

#endif
