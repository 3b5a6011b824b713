#include "step/contacts.h"

#include <string.h>

#include "collision/colliders/loads.h"
#include "collision/colliders/planes.h"
#include "collision/self/seams.h"
#include "solvers/joints/joints.h"
#include "step/bounds.h"
#include "step/profile.h"
#include "step/stage.h"
#include "step/step_size.h"

// Share of the radius of cloth at which colliders push out cloth that CCD has moved. At its full
// radius, cloth pressed onto a collider leaves later hits only impact zones, which stretch links
// and let colliders in.
#define CCD_CLOTH_SHARE 0.5f

bool weft__contacts_act(const weft__contacts* contacts) {
  // colliders move even if no particle has a contact material
  return contacts->materials.on || contacts->colliders.count > 0;
}

bool weft__contacts_move(const weft__contacts* contacts) {
  for (uint32_t n = 0; n < contacts->colliders.end; ++n) {
    const weft__collider* collider = &contacts->colliders.list[n];
    if (collider->row != NULL && weft__collider_moves(collider)) return true;
  }
  return false;
}

void weft__contacts_destroy(weft__contacts* contacts) {
  weft__materials_destroy(&contacts->materials);
  weft__contact_log_destroy(&contacts->log);
  weft__colliders_destroy(&contacts->colliders);
  weft__face_contacts_destroy(&contacts->faces);
  weft__self_destroy(&contacts->cloth);
  weft__strands_destroy(&contacts->strands);
}

void weft__contacts_connect(weft__contacts* contacts, const weft__faces* joined) {
  weft__strands* strands = &contacts->strands;
  strands->faces = joined;
  strands->exclusions = &contacts->cloth.exclusions;
  contacts->cloth.is_of_strand = strands->on ? strands->is_own : NULL;
  contacts->colliders.cloth = &contacts->cloth;
}

size_t weft__contacts_bytes(const weft__contacts* contacts) {
  return contacts->materials.bytes + contacts->log.bytes + contacts->colliders.bytes +
         contacts->faces.bytes + contacts->cloth.bytes + contacts->strands.bytes;
}

void weft__contacts_begin_step(weft__contacts* contacts, weft__step_context* step) {
  weft__profile_begin_stage(step->profile, WEFT_STAGE_BROAD_PHASE);
  if (contacts->colliders.sums != NULL) weft__collider_loads_clear(&contacts->colliders);
  if (step->joints->any_broke) weft__self_part_broken(&contacts->cloth, step->joints);
  if (contacts->strands.on) weft__strands_classify(&contacts->strands, step);
  if (contacts->cloth.on) weft__self_classify(&contacts->cloth, step);
  weft__stages_run(step->stages, WEFT__PHASE_BROAD, step);
  if (contacts->faces.on) weft__face_contacts_begin_step(&contacts->faces, step);
}

void weft__contacts_begin_substep(weft__contacts* contacts, const weft__step_context* step) {
  if (contacts->colliders.count == 0) return;
  weft__profile_begin_stage(step->profile, WEFT_STAGE_COLLIDERS);
  weft__colliders_move(&contacts->colliders, step);
}

static const weft__halo_read blocks = {&weft__collider_rows, &weft__particle_moves};

static void solve_colliders(weft__contacts* contacts, weft__step_context* step, float cloth_share) {
  weft__profile_begin_stage(step->profile, WEFT_STAGE_COLLIDERS);
  if (contacts->materials.on) weft__domain_read(step->domain, &blocks, step->particles);
  weft__colliders_solve(&contacts->colliders, step, cloth_share, NULL);
  if (contacts->faces.on) weft__face_contacts_solve(&contacts->faces, step);
}

// Finds the contacts of colliders with cloth that touches other cloth. The collider stage writes
// velocities, which must not change here, where integrators keep them.
static void find_planes(weft__contacts* contacts, weft__step_context* step) {
  weft__self* cloth = &contacts->cloth;
  weft__colliders* colliders = &contacts->colliders;
  cloth->has_planes =
      (colliders->count > 0 || step->bounds->on) && step->particles->velocity_block == NULL;
  if (!cloth->has_planes) return;
  weft__self_mark_touching(cloth, step);
  if (colliders->count == 0) return;
  weft__profile_begin_stage(step->profile, WEFT_STAGE_COLLIDERS);
  colliders->keeps_planes = true;
  weft__colliders_solve(colliders, step, 1.0f, cloth->touching);
  colliders->keeps_planes = false;
}

static void find_contacts(weft__contacts* contacts, weft__step_context* step) {
  weft__self* cloth = &contacts->cloth;
  if (!cloth->on) return;
  weft__profile_begin_stage(step->profile, WEFT_STAGE_SELF_COLLISION);
  weft__self_find_contacts(cloth, step, weft__stages_tangled(step->stages));
  if (!cloth->has_contacts) return;
  find_planes(contacts, step);
  weft__profile_begin_stage(step->profile, WEFT_STAGE_SELF_COLLISION);
  weft__self_solve_first(cloth, step);
}

bool weft__contacts_divide_sweeps(const weft__step_context* step) {
  return step->contacts->cloth.on && step->solved_h == step->h && step->stride == 1;
}

static void solve_cloth_again(weft__contacts* contacts, weft__step_context* step) {
  if (!contacts->cloth.on || !contacts->cloth.has_contacts) return;
  weft__profile_begin_stage(step->profile, WEFT_STAGE_SELF_COLLISION);
  weft__self_solve_again(&contacts->cloth, step);
}

// A joint of cloth that touches.
static bool is_pressed(const void* context, const weft__joint* joint) {
  const weft__self* cloth = context;
  bool touches = false;
  for (uint32_t e = 0; e < joint->end_count; ++e) {
    const uint32_t place = cloth->place_of[joint->particle[e]];
    if (!(cloth->tiles.radius[place] > 0.0f)) return false;
    touches |= weft__self_touches(cloth, place / WEFT__TILE);
  }
  return touches;
}

// Closes the seams that contacts have opened.
static void solve_seams(const weft__contacts* contacts, weft__step_context* step) {
  const weft__self* cloth = &contacts->cloth;
  if (step->joints->count == 0 || !cloth->on || !cloth->has_contacts) return;
  const weft__joint_pass pass = {.inv_step_sq = weft__inv_step_sq(step->physics),
                                 .h = step->physics->h,
                                 .takes = is_pressed,
                                 .context = cloth};
  weft__joints_solve(step->joints, pass, step);
}

// Calls for all particles, with the positions of other processes' where there are any.
static void solve_in_sweeps(weft__step_context* step,
                            void (*solve)(weft__contacts* contacts, weft__step_context* step)) {
  const weft__domain* domain = step->domain;
  weft__step_context all = domain != NULL ? weft__step_of_all(step) : *step;
  if (domain != NULL)
    weft__domain_gather(domain, WEFT__OWNED_PARTICLES, &weft__particle_moves, step->particles);
  solve(step->contacts, &all);
  weft__profile_begin_stage(step->profile, WEFT_STAGE_LINKS);
}

void weft__contacts_begin(weft__step_context* step) {
  solve_in_sweeps(step, find_contacts);
  step->contacts->is_begun = true;
}

void weft__contacts_solve_again(weft__step_context* step) {
  const weft__self* cloth = &step->contacts->cloth;
  if (cloth->on && cloth->has_contacts) solve_in_sweeps(step, solve_cloth_again);
}

void weft__contacts_solve(weft__contacts* contacts, weft__step_context* step) {
  weft__stages_run(step->stages, WEFT__PHASE_UNTANGLE, step);
  if (!contacts->is_begun) find_contacts(contacts, step);
  contacts->is_begun = false;
  solve_cloth_again(contacts, step);
  solve_seams(contacts, step);
  if (contacts->strands.on) {
    weft__profile_begin_stage(step->profile, WEFT_STAGE_SELF_COLLISION);
    weft__strands_find_pairs(&contacts->strands, step);
    weft__strands_solve(&contacts->strands, step);
  }
  weft__stages_run(step->stages, WEFT__PHASE_CONTACTS, step);
  if (contacts->colliders.count > 0) solve_colliders(contacts, step, 1.0f);
}

void weft__contacts_push_out(weft__step_context* step) {
  weft__contacts* contacts = step->contacts;
  const uint32_t contact_count = contacts->colliders.contact_count;
  const uint32_t face_count = contacts->faces.contact_count;
  solve_colliders(contacts, step, CCD_CLOTH_SHARE);
  if (step->bounds->on) weft__apply_bounds(step);
  contacts->colliders.contact_count = contact_count;
  contacts->faces.contact_count = face_count;
}

// Notes the contacts of sleepers again, which no stage solves: they last until they wake.
static void note_sleepers(const weft__step_context* step) {
  const uint32_t* solver_of = step->schedule->solver_of;
  const weft__particles* particles = step->particles;
  if (particles->asleep == NULL) return;
  for (uint32_t i = 0; i < step->log->now_count; ++i) {
    const weft__touching* touching = &step->log->now[i];
    const uint32_t particle = (uint32_t)(touching->pair >> 32);
    const uint32_t other = (uint32_t)touching->pair & INT32_MAX;
    const bool is_collider = touching->generation != 0;
    if (!weft__particles_is_asleep(particles, solver_of[particle])) continue;
    if (!is_collider && !weft__particles_is_asleep(particles, solver_of[other])) continue;
    const weft__touch_impulse* impulse = &touching->impulse;
    const weft__vec3 normal = weft__vec3_of(impulse->normal);
    weft__contact_note note = {.particle = particle,
                               .other = other,
                               .generation = touching->generation,
                               .substep = step->substeps - 1,
                               .impulse = weft__plus(weft__scaled((double)impulse->along, normal),
                                                     weft__vec3_of(impulse->friction))};
    memcpy(note.place.normal, impulse->normal, sizeof(note.place.normal));
    memcpy(note.place.point, touching->point, sizeof(note.place.point));
    weft__contact_log_note(step->log, 0, &note);
  }
}

void weft__contacts_end_step(weft__contacts* contacts, const weft__step_context* step) {
  weft__contact_log* log = &contacts->log;
  ++log->step;
  if (!log->on) return;

  weft__profile_begin_stage(step->profile, WEFT_STAGE_EVENTS);
  note_sleepers(step);
  weft__contact_log_end_step(log, step);
}
