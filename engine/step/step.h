/* The step, run by all workers together: every patch is integrated - velocity, gravity, damping, and
 * back into the reach of its tethers - and then swept `iterations` times, its links first and then its
 * bend elements, in the order that parallel/wavefront.h describes. Where there are coarse levels, they come between
 * the two: see solvers/multigrid/levels.h. Then come trees, contacts, the bounds, and what tears. While there are joints, they are
 * solved after every sweep, and after trees. Worlds with springs, or with an integrator other than position
 * Verlet, have forces before all this and velocities after it: see forces/integrators.h. What air and
 * gas push with is found once a step, before its first substep: see forces/forces.h. Around the sweeps, closed bodies
 * under pressure are held to their angular momentum: see forces/spin.h.
 *
 * A step in which pinned particles move, or the first one of another length, is taken by itself, and each
 * substep of it begins with a stage of its own: see step/moves.h and step/pace.h. */
#ifndef WEFT_STEP_STEP_H
#define WEFT_STEP_STEP_H

#include "collision/ccd/ccd.h"
#include "collision/colliders/colliders.h"
#include "collision/event_log.h"
#include "collision/materials.h"
#include "collision/particles/particle_contacts.h"
#include "collision/self/self.h"
#include "edit/event_ring.h"
#include "forces/forces.h"
#include "forces/integrators.h"
#include "kernels/kernels.h"
#include "parallel/wavefront.h"
#include "parallel/worker_pool.h"
#include "scene/scene.h"
#include "solvers/attachments/attachments.h"
#include "solvers/direct/trees.h"
#include "solvers/multigrid/levels.h"
#include "step/grips.h"
#include "step/moves.h"
#include "step/profile.h"
#include "tables/joints.h"
#include "tables/particles.h"
#include "tables/schedule.h"

/* What moves particles besides links, in the caller's units. */
typedef struct weft__physics {
  float gravity[3];   /* metres per second squared */
  float damping;      /* 1/seconds */
  float max_speed[3]; /* metres per second along each axis */
  double h;           /* seconds of a substep */
  double last_h;      /* of the last one: between where a particle is and where it was */
} weft__physics;

/* What particles meet, and how: see step/contacts.h. */
typedef struct weft__contacts {
  weft_contact_limits limits;
  weft__materials materials;
  weft__contact_log log;
  weft__colliders colliders;
  weft__self cloth;
  weft__particle_contacts particle_contacts;
  weft__ccd ccd;
} weft__contacts;

/* All that a step reads and writes. */
typedef struct weft__stepper {
  weft__particles particles;
  weft__schedule schedule;
  weft__physics physics;
  weft__motion motion; /* what a substep makes of the physics */
  uint32_t substeps;   /* of one step */
  uint32_t iterations;
  uint32_t coarse_iterations; /* sweeps over each coarse level; 0 = there are no levels */
  uint32_t direct_iterations; /* of trees; 0 = none are made */
  uint32_t max_attachments;   /* of one particle at most; 0 = there are none */
  weft_integrator integrator;
  bool with_springs;   /* compliant links of full stiffness act by forces, and are not swept */
  uint32_t max_joints; /* there is room for */
  const weft__kernels* kernels;
  weft__worker_pool* pool;
  weft__wavefront wavefront;
  weft__levels levels;
  weft__trees trees;
  weft__attachments attachments;
  weft__moves moves;
  weft__grips grips;
  weft__joints joints;
  weft__integrators integrators;
  weft__bounds bounds;
  weft__contacts contacts;
  bool keep_faces; /* for air and to be read, though there be no gas */
  weft__forces forces;
  uint32_t torn_count; /* links torn so far */
  uint32_t max_events; /* torn links that may wait */
  weft__event_ring event_ring;
  bool* has_torn; /* patches in which links were found too long [patch_count] */
  bool weighed;   /* the levels know the masses of the cloth */
  weft__profile profile;
  float* records;       /* room for the records of one patch for each worker */
  size_t record_floats; /* of one worker */
} weft__stepper;

/* Freezes the scene, makes its coarse levels and loads its particles. False when memory cannot be had; the caller destroys
 * the stepper either way. */
bool weft__stepper_create(weft__stepper* stepper, const weft_scene* scene);

/* Starts the workers and takes their memory: after this, nothing allocates. False when threads or
 * memory cannot be had. */
bool weft__stepper_start(weft__stepper* stepper, uint32_t worker_count);

void weft__stepper_destroy(weft__stepper* stepper);
size_t weft__stepper_bytes(const weft__stepper* stepper);

/* Takes `count` whole steps. Neither fails nor allocates. */
void weft__stepper_run(weft__stepper* stepper, uint64_t count);

/* One over the substep squared, 1/seconds^2. */
static inline double weft__inv_step_sq(const weft__stepper* stepper) {
  return 1.0 / (stepper->physics.h * stepper->physics.h);
}

/* The room of a worker for the records of a patch. */
static inline float* weft__records_of(const weft__stepper* stepper, uint32_t worker) {
  return stepper->records + worker * stepper->record_floats;
}

/* What a substep is for the integrators. */
static inline weft__substep weft__stepper_substep(const weft__stepper* stepper) {
  const weft__physics* physics = &stepper->physics;
  return (weft__substep){
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .pool = stepper->pool,
      .h = (float)physics->h,
      .kept = stepper->motion.kept,
      .gravity = {physics->gravity[0], physics->gravity[1], physics->gravity[2]},
      .max_speed = {physics->max_speed[0], physics->max_speed[1], physics->max_speed[2]},
  };
}

#endif
