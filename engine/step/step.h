/* The step, which the caller runs with the help of the workers:
 *
 *     step      forces of wind and gas         forces/forces.h
 *               broad phase                    step/contacts.h
 *     substep   integration, attachments       solvers/long_range_attachments/
 *               coarse levels                  solvers/multigrid/levels.h
 *               sweeps over links and joints   step/sweep.h
 *               spin of closed bodies          forces/spin.h
 *               contacts, bounds               step/contacts.h, step/bounds.h
 *               tearing                        step/tear.h
 *
 * Stages of modules come between these, each in its phase: see step/stage.h. Patches and trees of
 * paused environments are skipped: see step/pause.h.
 *
 * A step in which pinned particles move, or of another length, runs separately: each of its
 * substeps begins with a stage of its own (step/moves.h, step/step_size.h), and a partial one has
 * three more (step/partial_substep.h). */
#ifndef WEFT_STEP_STEP_H
#define WEFT_STEP_STEP_H

#include "forces/forces.h"
#include "kernels/kernels.h"
#include "parallel/step_context.h"
#include "scene/scene.h"
#include "step/contacts.h"
#include "step/grips.h"
#include "step/moves.h"
#include "step/partial_substep.h"
#include "step/pause.h"
#include "step/profile.h"
#include "step/settings.h"
#include "step/step_size.h"
#include "step/substep_count.h"
#include "step/sweep.h"
#include "step/tear.h"
#include "tables/joints.h"
#include "tables/particles.h"
#include "tables/physics.h"
#include "tables/schedule.h"

/* A running world; members are grouped by their part in a snapshot.
 *
 *  state     changed by steps or by calls, and read by later steps: a snapshot holds it
 *  caches    lists and warm starts of the last substep: a snapshot holds them too, as lists that
 *            are rebuilt at another time have another order, and sums in another order other bits
 *  derived   computed from only the def and the scene: created again, not saved
 *  scratch   written before it is read in every step */
typedef struct weft__stepper {
  weft__settings settings;
  const weft__kernels* kernels;

  weft__stage_states stages; /* of modules */
  const bool* idle_patches;  /* patches asleep, whose links are left out; NULL: none */
  bool skips_step;           /* all is asleep, and stays so in this step */
  const uint32_t* strides;   /* of the last step: see step_context.h; NULL: all 1 */

  /* state */
  weft__particles particles; /* the force columns hold forces added for the next step */
  weft__physics physics;
  weft__substep_count substep_count;
  weft__environment* environments; /* motion: derived [environment_count] */
  weft__bounds bounds;             /* touch: scratch */
  weft__moves moves;
  weft__grips grips;
  weft__joints joints; /* their colours: derived */
  weft__torn torn;

  /* derived from the scene, with some columns of state */
  weft__schedule schedule;       /* state: lane masks and parameters of links and hinges */
  weft__levels levels;           /* state: masses, lane masks, ends of prolongation at tears */
  weft__attachments attachments; /* state: reach, infinite where an attachment has ended */
  weft__forces forces; /* state: wind, drift and time of its gusts, leaks of pressure, has_added */
  weft__partial_substeps partial; /* scratch of substeps that are part of a longer one */
  weft__pauses pause;             /* scratch of the steps of worlds with paused environments */
  const weft__domain* domain;     /* part of this process; NULL: all of the world */
  bool weighed;                   /* the masses of the levels are up to date; calls clear it */

  /* state: materials, colliders, events; caches: pairs, impulses, displacements, neighbour lists */
  weft__contacts contacts;

  /* scratch */
  weft__work work;     /* the last step's: state */
  weft__motion motion; /* constants of a substep, derived from the physics */
  weft__worker_pool* pool;
  weft__relaxation relaxation;
  weft__profile profile;
} weft__stepper;

/* Freezes the scene, creates its coarse levels and loads its particles. False when out of memory;
 * the caller destroys the stepper either way. */
bool weft__stepper_create(weft__stepper* stepper, const weft_scene* scene);

/* Starts the workers and allocates their memory: later calls allocate nothing. False when out of
 * threads or memory. */
bool weft__stepper_start(weft__stepper* stepper, uint32_t worker_count,
                         const weft__worker_source* source);

void weft__stepper_destroy(weft__stepper* stepper);
size_t weft__stepper_bytes(const weft__stepper* stepper);

typedef void weft__visit_halo(void* context, const weft__halo_rows* rows, void* table);

/* Particles that stages read, of other processes; joints aside, which change. */
void weft__stepper_visit_halos(weft__stepper* stepper, weft__visit_halo* visit, void* context);

/* Integration, links, levels, and the constraints that are solved directly, of a substep. */
void weft__stepper_solve(weft__stepper* stepper, weft__step_context* step);

/* Tears overstretched links. */
void weft__stepper_tear(weft__stepper* stepper, weft__step_context* step);

/* Takes `count` whole steps. It neither fails nor allocates. */
void weft__stepper_run(weft__stepper* stepper, uint64_t count);

static inline weft__constraint_tables weft__stepper_constraints(weft__stepper* stepper) {
  return (weft__constraint_tables){
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .levels = &stepper->levels,
      .attachments = &stepper->attachments,
      .stages = &stepper->stages,
      .torn = &stepper->torn,
      .any_torn = &stepper->forces.any_torn,
  };
}

static inline weft__step_size weft__stepper_step_size(weft__stepper* stepper) {
  return (weft__step_size){
      .physics = &stepper->physics,
      .motion = &stepper->motion,
      .environments = stepper->environments,
      .constraints = weft__stepper_constraints(stepper),
  };
}

/* Context of the stages, at the first substep. */
static inline weft__step_context weft__stepper_context(weft__stepper* stepper) {
  const weft__domain* domain = stepper->domain;
  return (weft__step_context){
      .pool = stepper->pool,
      .settings = &stepper->settings,
      .stages = &stepper->stages,
      .mover = weft__stages_mover(&stepper->stages),
      .idle_patches = stepper->idle_patches,
      .profile = &stepper->profile,
      .joints = &stepper->joints,
      .domain = stepper->domain,
      .work = &stepper->work,
      .substeps = stepper->settings.substeps,
      .stride = 1,
      .patches = domain != NULL ? domain->patches : (weft__range){0, stepper->schedule.patch_count},
      .own = domain != NULL ? domain->particles : (weft__range){0, stepper->particles.count},
      .h = (float)stepper->physics.h,
      .solved_h = (float)stepper->physics.solved_h,
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .bounds = &stepper->bounds,
      .physics = &stepper->physics,
      .motion = &stepper->motion,
      .environments = stepper->environments,
      .kernels = stepper->kernels,
      .materials = &stepper->contacts.materials,
      .colliders = &stepper->contacts.colliders,
      .log = &stepper->contacts.log,
      .contacts = &stepper->contacts,
  };
}

#endif
