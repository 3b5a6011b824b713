/* What pushes particles besides gravity: forces that the caller adds, air, gas.
 *
 * The caller's are put into the force columns of the particles between steps. What air and gas do is added
 * once a step, before its first substep, from where particles are and how fast they go then, and stays for
 * all of the step. Then all of it is cleared. All workers take part, in stages:
 *
 *     measure   the volumes of gas, a block of faces each     only where there is gas
 *     settle    what pressures that makes, by one worker      only where there is gas
 *     press     each face, what it gives to its corners
 *     gather    each particle, what its faces give it, in their order
 *
 * They meet after each. A face writes to itself alone and so does a particle: no sum depends on who takes
 * part. */
#ifndef WEFT_FORCES_FORCES_H
#define WEFT_FORCES_FORCES_H

#include "forces/air.h"
#include "forces/pressure.h"
#include "parallel/worker_pool.h"

typedef struct weft__forces {
  bool has_faces;    /* the table is kept, though it may be empty */
  weft__faces faces; /* none unless it is */
  weft__pressures pressures;
  weft__air air;
  bool any_gone;  /* some link was before this run of steps: faces may be */
  bool has_added; /* the caller has added forces since the last step */
} weft__forces;

/* What a stage looks at, and who it is. */
typedef struct weft__force_stage {
  const weft__particles* particles;
  const weft__schedule* schedule;
  double last_h;       /* seconds between where particles are and where they were */
  double step_seconds; /* for which the forces push */
  bool any_gone;       /* some link is */
  uint32_t worker, worker_count;
} weft__force_stage;

/* Makes the table of faces if it is wanted or the scene has gas. False when memory cannot be had; the
 * caller destroys the forces either way. */
bool weft__forces_create(weft__forces* forces, const weft_scene* scene,
                         const weft__schedule* schedule, bool keep_faces);
void weft__forces_destroy(weft__forces* forces);
size_t weft__forces_bytes(const weft__forces* forces);

/* Whether air or gas push in a step. */
static inline bool weft__forces_act(const weft__forces* forces) {
  return forces->air.is_there || forces->pressures.count > 0;
}

void weft__forces_measure(const weft__forces* forces, const weft__force_stage* stage);
void weft__forces_press(const weft__forces* forces, const weft__force_stage* stage);
void weft__forces_gather(const weft__forces* forces, const weft__force_stage* stage);

/* Clears the force columns once the step is over. */
void weft__forces_clear(const weft__force_stage* stage);

#endif
