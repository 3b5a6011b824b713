#include "step/contacts.h"

bool weft__contacts_act(const weft__contacts* contacts) {
  // colliders move even if no particle has a contact material
  return contacts->materials.on || contacts->colliders.count > 0;
}

void weft__contacts_destroy(weft__contacts* contacts) {
  weft__materials_destroy(&contacts->materials);
  weft__contact_log_destroy(&contacts->log);
  weft__colliders_destroy(&contacts->colliders);
  weft__self_destroy(&contacts->cloth);
  weft__particle_contacts_destroy(&contacts->particle_contacts);
  weft__ccd_destroy(&contacts->ccd);
}

size_t weft__contacts_bytes(const weft__contacts* contacts) {
  return contacts->materials.bytes + contacts->log.bytes + contacts->colliders.bytes +
         contacts->cloth.bytes + contacts->particle_contacts.bytes + contacts->ccd.bytes;
}

static weft__contact_stage stage_of(weft__stepper* stepper, uint32_t substep, uint32_t worker) {
  return (weft__contact_stage){
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .materials = &stepper->contacts.materials,
      .kernels = stepper->kernels,
      .motion = &stepper->motion,
      .bounds = &stepper->bounds,
      .colliders = &stepper->contacts.colliders,
      .log = &stepper->contacts.log,
      .pool = stepper->pool,
      .h = (float)stepper->physics.h,
      .substep = substep,
      .substeps = stepper->substeps,
      .worker = worker,
      .worker_count = weft__worker_pool_count(stepper->pool),
  };
}

// Ends a stage with a barrier.
static void end_stage(weft__stepper* stepper, weft_stage stage, uint32_t worker) {
  weft__worker_pool_barrier(stepper->pool);
  weft__profile_record(&stepper->profile, stage, worker);
}

void weft__contacts_begin_step(weft__stepper* stepper, uint32_t worker) {
  weft__contacts* contacts = &stepper->contacts;
  const weft__contact_stage stage = stage_of(stepper, 0, worker);
  if (contacts->cloth.on) weft__self_classify(&contacts->cloth, &stage);
  if (contacts->particle_contacts.on)
    weft__particle_contacts_find(&contacts->particle_contacts, &stage);
  if (contacts->ccd.on) weft__ccd_begin_step(&contacts->ccd, &stage);
  end_stage(stepper, WEFT_STAGE_BROAD_PHASE, worker);
}

void weft__contacts_begin_substep(weft__stepper* stepper, uint32_t substep, uint32_t worker) {
  weft__contacts* contacts = &stepper->contacts;
  if (contacts->colliders.count == 0) return;
  const weft__contact_stage stage = stage_of(stepper, substep, worker);
  if (worker == 0) weft__colliders_move(&contacts->colliders, &stage);
  end_stage(stepper, WEFT_STAGE_COLLIDERS, worker);
}

void weft__contacts_solve(weft__stepper* stepper, uint32_t substep, uint32_t worker) {
  weft__contacts* contacts = &stepper->contacts;
  const weft__contact_stage stage = stage_of(stepper, substep, worker);
  if (contacts->cloth.on) {
    weft__self_solve(&contacts->cloth, &stage);
    end_stage(stepper, WEFT_STAGE_SELF_COLLISION, worker);
  }
  if (contacts->particle_contacts.on) {
    weft__particle_contacts_solve(&contacts->particle_contacts, &stage);
    end_stage(stepper, WEFT_STAGE_PARTICLE_CONTACTS, worker);
  }
  if (contacts->colliders.count > 0) {
    weft__colliders_solve(&contacts->colliders, &stage);
    end_stage(stepper, WEFT_STAGE_COLLIDERS, worker);
  }
}

void weft__contacts_run_ccd(weft__stepper* stepper, uint32_t substep, uint32_t worker) {
  if (!stepper->contacts.ccd.on) return;
  const weft__contact_stage stage = stage_of(stepper, substep, worker);
  weft__ccd_end_substep(&stepper->contacts.ccd, &stage);
  end_stage(stepper, WEFT_STAGE_CCD, worker);
}

void weft__contacts_end_step(weft__stepper* stepper, uint32_t worker) {
  weft__contact_log* log = &stepper->contacts.log;
  if (worker == 0) ++log->step;
  if (!log->on) return;

  weft__contact_log_end_step(log, stepper->substeps, stepper->pool, worker);
  weft__profile_record(&stepper->profile, WEFT_STAGE_EVENTS, worker);
}
