/* Sweeps over the cloth and its coarse levels, in the order of parallel/wavefront.h. */
#ifndef WEFT_STEP_SWEEP_H
#define WEFT_STEP_SWEEP_H

#include "forces/pressure.h"
#include "parallel/wavefront.h"
#include "step/residual.h"
#include "step/tear.h"

/* Memory of the workers for the records of one patch. */
typedef struct weft__records {
  float* start;
  size_t floats; /* a worker's */
} weft__records;

static inline float* weft__records_of(weft__records records, uint32_t worker) {
  return records.start + worker * records.floats;
}

typedef struct weft__relaxation {
  weft__records records;
  weft__wavefront wavefront;
  weft__residual residual; /* tolerance: derived from the def */
  uint32_t last_sweeps;    /* over the links, in the last step */
  float last_residual;     /* metres, of its last sweep */
} weft__relaxation;

/* Integration, then sweeps of the coarse levels and the cloth, joints after each; closed bodies
 * keep their spin. */
void weft__sweep(weft__relaxation* relaxation, weft__constraint_tables* constraints,
                 const weft__pressures* bodies, weft__step_context* step);

/* Tears the links beyond their tear ratio. has_bodies: sweeps restore the spin of closed ones */
void weft__tear_overstretched(weft__constraint_tables* constraints, weft__records records,
                              bool has_bodies, weft__step_context* step);

#endif
