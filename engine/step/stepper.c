#include <string.h>

#include "base/memory.h"
#include "forces/faces.h"
#include "schedule/freeze.h"
#include "schedule/touched.h"
#include "step/contacts.h"
#include "step/step.h"
#include "step/step_size.h"

// Particles of a patch of several small bodies, at most, in a world with sleepers: one body awake
// keeps a patch awake. A larger patch is solved in fewer vectors.
#define SHARED_PATCH 512u

// Lists the free slots of the scene's reserved parts in ascending order.
static bool load_reserve(weft__particles* particles, const weft__schedule* schedule,
                         const weft_scene* scene) {
  for (size_t p = scene->part_count; p-- > 0;) {
    const weft__part* part = &scene->parts[p];
    if (!part->is_reserved) continue;
    if (particles->reserve.generation == NULL &&
        (!weft__reserve_create(&particles->reserve, particles->count) ||
         !weft__particles_add_removed(particles))) {
      return false;
    }
    weft__reserve_add(&particles->reserve, part->first_particle, part->particle_count);
    for (uint32_t k = 0; k < part->particle_count; ++k) {
      particles->removed[schedule->solver_of[part->first_particle + k]] = true;
    }
  }
  return true;
}

static bool load_particles(weft__particles* particles, const weft__schedule* schedule,
                           const weft_scene* scene) {
  if (!weft__particles_create(particles, scene->particle_count)) return false;
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    const uint32_t user = schedule->user_of[i];
    const float* position = scene->positions + (size_t)3 * user;
    weft__store3(particles->pos, i, position);
    weft__store3(particles->prev, i, position);
    particles->inv_mass[i] = scene->inverse_masses[user];
  }
  return load_reserve(particles, schedule, scene);
}

static bool create_constraints(weft__stepper* stepper, const weft_scene* scene) {
  if (!weft__stages_freeze(&stepper->stages, &stepper->schedule, scene) ||
      !weft__schedule_add(&stepper->schedule, WEFT__TEAR_MASKS))
    return false;
  if (stepper->settings.with_loads && !weft__schedule_track(&stepper->schedule)) return false;
  if (stepper->settings.coarse_iterations > 0 &&
      !weft__levels_create(&stepper->levels, scene, &stepper->schedule)) {
    return false;
  }
  const bool along_present = stepper->settings.sweeps == WEFT_SWEEPS_TEXTBOOK;
  stepper->schedule.links.along_present = along_present;
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    stepper->levels.levels[l].schedule.links.along_present = along_present;
  }
  if (stepper->settings.max_attachments > 0 &&
      !weft__attachments_create(&stepper->attachments, scene, &stepper->schedule,
                                stepper->settings.max_attachments)) {
    return false;
  }
  return weft__torn_events_create(&stepper->torn.events, stepper->settings.max_events) &&
         weft__joints_create(&stepper->joints, stepper->settings.max_joints);
}

// Environments begin with the gravity and the damping of the world. NULL if out of memory.
static weft__environment* create_environments(const weft__physics* physics, uint32_t count) {
  weft__environment* environments = weft__alloc_zeroed(count, sizeof(*environments));
  if (environments == NULL) return NULL;
  for (uint32_t e = 0; e < count; ++e) {
    memcpy(environments[e].gravity, physics->gravity, sizeof(physics->gravity));
    environments[e].damping = physics->damping;
  }
  return environments;
}

static bool create_tables(weft__stepper* stepper, const weft_scene* scene, uint8_t* solver) {
  weft__build build = {.scene = scene,
                       .settings = &stepper->settings,
                       .physics = &stepper->physics,
                       .solver = solver,
                       .particles = &stepper->particles,
                       .schedule = &stepper->schedule,
                       .stepper = stepper};
  if (!weft__stages_allocate(&stepper->stages) || !weft__stages_claim(&stepper->stages, &build)) {
    return false;
  }
  if (!create_constraints(stepper, scene)) return false;
  const weft__schedule* schedule = &stepper->schedule;
  weft__physics* physics = &stepper->physics;
  stepper->contacts.materials.environment_of = schedule->environment_of;
  stepper->contacts.materials.particle_count = schedule->particle_count;
  stepper->environments = create_environments(physics, schedule->environment_count);
  stepper->bounds = weft__bounds_for(scene->particle_count);
  physics->last_h = physics->taken_h = physics->h;
  if (stepper->environments == NULL || !load_particles(&stepper->particles, schedule, scene) ||
      !weft__forces_create(&stepper->forces, scene, schedule, !physics->is_plane) ||
      (weft__forces_act(&stepper->forces) && !weft__particles_add_forces(&stepper->particles)) ||
      !weft__stages_create(&stepper->stages, &build)) {
    return false;
  }
  weft__step_size size = weft__stepper_step_size(stepper);
  weft__step_size_set(&size, physics->h);
  return true;
}

bool weft__stepper_create(weft__stepper* stepper, const weft_scene* scene) {
  // this world's view of the scene: which solver has a link depends on the world
  weft_scene view = *scene;
  view.direct_bends = stepper->settings.direct_bends;
  if (stepper->settings.sleep_speed > 0.0f) view.shared_patch = SHARED_PATCH;
  uint8_t* solver = weft__alloc_zeroed(scene->links.count, sizeof(*solver));
  if (solver == NULL) return false;
  view.links.solver = solver;
  const bool good = create_tables(stepper, &view, solver);
  weft__free(solver);
  return good;
}

static size_t max_record_floats(const weft__schedule* schedule, const weft__levels* levels) {
  size_t largest = weft__record_floats(schedule);
  for (uint32_t l = 0; l < levels->count; ++l) {
    const size_t floats = weft__record_floats(&levels->levels[l].schedule);
    if (floats > largest) largest = floats;
  }
  return largest;
}

bool weft__stepper_start(weft__stepper* stepper, uint32_t worker_count,
                         const weft__worker_source* source) {
  stepper->pool = weft__worker_pool_create(worker_count, source);
  if (stepper->pool == NULL) return false;
  const uint32_t workers = weft__worker_pool_count(stepper->pool);
  weft__relaxation* relaxation = &stepper->relaxation;
  weft__records* records = &relaxation->records;
  records->floats = max_record_floats(&stepper->schedule, &stepper->levels);
  records->start = weft__alloc(workers, records->floats * sizeof(float));
  stepper->torn.in_patch = weft__alloc_zeroed(stepper->schedule.patch_count, sizeof(bool));
  return records->start != NULL && stepper->torn.in_patch != NULL &&
         weft__profile_record_spans(&stepper->profile, workers, stepper->settings.max_spans) &&
         weft__residual_create(&relaxation->residual, stepper->particles.count,
                               stepper->schedule.patch_count) &&
         weft__wavefront_create(&relaxation->wavefront, &stepper->schedule, workers) &&
         weft__levels_assign_patches(&stepper->levels, workers) &&
         weft__stages_start(&stepper->stages, workers);
}

void weft__stepper_destroy(weft__stepper* stepper) {
  weft__worker_pool_destroy(stepper->pool);
  weft__stages_destroy(&stepper->stages);
  weft__wavefront_destroy(&stepper->relaxation.wavefront);
  weft__residual_destroy(&stepper->relaxation.residual);
  weft__levels_destroy(&stepper->levels);
  weft__attachments_destroy(&stepper->attachments);
  weft__moves_destroy(&stepper->moves);
  weft__grips_destroy(&stepper->grips);
  weft__torn_events_destroy(&stepper->torn.events);
  weft__joints_destroy(&stepper->joints);
  weft__bounds_destroy(&stepper->bounds);
  weft__contacts_destroy(&stepper->contacts);
  weft__forces_destroy(&stepper->forces);
  weft__particles_destroy(&stepper->particles);
  weft__schedule_destroy(&stepper->schedule);
  weft__spans_destroy(stepper->profile.spans);
  weft__pause_destroy(&stepper->pause);
  weft__partial_substeps_destroy(&stepper->partial);
  weft__free(stepper->environments);
  weft__free(stepper->relaxation.records.start);
  weft__free(stepper->torn.in_patch);
  *stepper = (weft__stepper){0};
}

size_t weft__stepper_bytes(const weft__stepper* stepper) {
  const weft__relaxation* relaxation = &stepper->relaxation;
  const size_t records =
      weft__worker_pool_count(stepper->pool) * relaxation->records.floats * sizeof(float);
  const weft__spans* spans = stepper->profile.spans;
  return (spans != NULL ? spans->bytes : 0) + weft__stages_bytes(&stepper->stages) +
         stepper->particles.bytes + stepper->particles.reserve.bytes + stepper->schedule.bytes +
         relaxation->wavefront.bytes + relaxation->residual.bytes + records +
         stepper->schedule.patch_count * sizeof(*stepper->torn.in_patch) +
         weft__levels_bytes(&stepper->levels) + stepper->attachments.bytes + stepper->pause.bytes +
         stepper->partial.bytes +
         stepper->schedule.environment_count * sizeof(*stepper->environments) +
         stepper->moves.bytes + stepper->grips.bytes + stepper->bounds.bytes +
         weft__contacts_bytes(&stepper->contacts) + stepper->joints.bytes + stepper->forces.bytes +
         stepper->forces.faces.bytes + stepper->forces.link_drag.bytes +
         stepper->forces.pressures.bytes + stepper->torn.events.bytes +
         weft__worker_pool_bytes(stepper->pool);
}

void weft__stepper_visit_halos(weft__stepper* stepper, weft__visit_halo* visit, void* context) {
  visit(context, &weft__face_rows, &stepper->forces.faces);
  visit(context, &weft__link_drag_rows, &stepper->forces.link_drag);
  visit(context, &weft__pressure_rows, &stepper->forces.pressures);
  visit(context, &weft__collider_rows, &stepper->particles);
  visit(context, &weft__touched_rows, &stepper->schedule);
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    for (uint32_t phase = 0; phase < WEFT__PHASE_COUNT; ++phase) {
      const weft__halo_rows* rows = weft__stages[s]->reads[phase].rows;
      if (rows != NULL) visit(context, rows, stepper->stages.of[s]);
    }
  }
}
