#ifndef WEFT_TABLES_SURFACE_LOAD_H
#define WEFT_TABLES_SURFACE_LOAD_H

#include "tables/stars.h"

/* Air at 16 consecutive particles. */
typedef struct weft__surface_load {
  float air[3][WEFT__LANES];         /* metres per second */
  float half_density[WEFT__LANES];   /* density / 2 * drag, kilograms per cubic metre; 0: no air */
  float unsteady_speed[WEFT__LANES]; /* metres per second */
  float velocity_rate;               /* 1 / seconds of the last substep */
  float step_rate;                   /* 1 / seconds of the step */
} weft__surface_load;

/* Gas at 16 consecutive particles. */
typedef struct weft__gas_load {
  float gauge[WEFT__LANES]; /* pascals; 0 outside of closed bodies */
  float* force[3];          /* the gas's share of the forces, by particle of the world */
} weft__gas_load;

#endif
