#include "base/float_mode.h"
#include "solvers/multigrid/torn_coarse_links.h"
#include "step/tear.h"
#include "world/ranges.h"
#include "world/world.h"

static weft_result check_def(const weft_world* world, const weft_particle_def* def) {
  WEFT__TRY(weft__check_def(&weft__particle_fields, def));
  WEFT__TRY(weft__check_plane(world, def->position, "weft_particle_def.position"));
  return weft__check_plane(world, def->velocity, "weft_particle_def.velocity");
}

// Places a particle in a slot, without any state of the former one.
static void fill_slot(weft_world* world, uint32_t i, const weft_particle_def* def) {
  weft__stepper* stepper = &world->stepper;
  weft__particles* p = &stepper->particles;
  const float still[3] = {0.0f, 0.0f, 0.0f};
  const float* velocity = def->inverse_mass > 0.0f ? def->velocity : still;
  weft__wake(&stepper->stages, i);
  weft__particles_set_state(p, i, def->position, velocity, (float)weft__last_substep(world));
  p->inv_mass[i] = def->inverse_mass;
  if (p->force_block != NULL) weft__store3(p->force, i, still);
  weft__moves_cancel(&stepper->moves, i);
  stepper->weighed = false;
  weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_MEMBERS});
  world->changes += 1;
}

static weft_result add_particle(weft_world* world, const weft_particle_def* def,
                                weft_particle* particle) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(particle == NULL, WEFT_ERROR_NULL, "particle");
  WEFT__TRY(check_def(world, def));
  weft__particles* p = &world->stepper.particles;
  WEFT__FAIL_IF(p->reserve.free_count == 0, WEFT_ERROR_TOO_MANY, "world");
  const uint32_t user = p->reserve.first_free;
  const uint32_t i = world->stepper.schedule.solver_of[user];
  p->removed[i] = false;
  if (def->shape != NULL) {
    const weft_selection slot = weft_range(user, 1);
    const weft_result result = weft__set_contact(world, &slot, def->shape);
    if (result.error != WEFT_OK) {
      p->removed[i] = true;
      return result;
    }
  }
  (void)weft__reserve_take(&p->reserve);
  fill_slot(world, i, def);
  *particle = (weft_particle){user, p->reserve.generation[user]};
  return weft__ok();
}

weft_result weft_world_add_particle(weft_world* world, const weft_particle_def* def,
                                    weft_particle* particle) {
  WEFT__RETURN_COMPUTED(add_particle, world, def, particle);
}

// True for a particle by the caller's number that is neither removed nor free.
static bool lives(const weft_world* world, uint32_t user) {
  const uint32_t i = world->stepper.schedule.solver_of[user];
  return !weft__particles_is_removed(&world->stepper.particles, i);
}

static weft_particle handle_of(const weft_world* world, uint32_t user) {
  const weft__reserve* reserve = &world->stepper.particles.reserve;
  return (weft_particle){user, weft__reserve_generation(reserve, user)};
}

typedef struct removal {
  const uint32_t* user_of;
  uint32_t first, count; /* caller's order */
} removal;

static bool is_removed(const void* context, uint32_t particle) {
  const removal* r = context;
  return r->user_of[particle] - r->first < r->count;
}

static void pin_removed(weft_world* world, uint32_t user) {
  weft__stepper* stepper = &world->stepper;
  weft__reserve* reserve = &stepper->particles.reserve;
  const uint32_t i = stepper->schedule.solver_of[user];
  if (weft__reserve_has(reserve, user) && !weft__reserve_is_free(reserve, user)) {
    weft__reserve_release(reserve, user);
  }
  stepper->particles.removed[i] = true;
  weft__grips_remove(&stepper->grips, i);
  stepper->particles.inv_mass[i] = 0.0f;
  weft__particles_stop(&stepper->particles, i);
  weft__moves_cancel(&stepper->moves, i);
}

static void break_joints(weft__joints* joints, const removal* r) {
  for (uint32_t n = 0; n < joints->end; ++n) {
    weft__joint* joint = &joints->joints[n];
    bool is_attached = false;
    for (uint32_t e = 0; e < joint->end_count; ++e)
      is_attached |= is_removed(r, joint->particle[e]);
    if (!is_attached || joint->state != WEFT__JOINT_WHOLE) continue;
    joint->state = WEFT__JOINT_BROKEN;
    joints->any_broke = true;
  }
}

// Pins particles whose links are gone, and lets go of all else that holds them.
static void release(weft_world* world, const removal* r) {
  weft__stepper* stepper = &world->stepper;
  for (uint32_t n = 0; n < r->count; ++n) pin_removed(world, r->first + n);
  break_joints(&stepper->joints, r);
  weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_MEMBERS});
  stepper->weighed = false;
  world->changes += 1;
}

static void remove_particles(weft_world* world, uint32_t first, uint32_t count) {
  weft__stepper* stepper = &world->stepper;
  weft__constraint_tables tables = weft__stepper_constraints(stepper);
  const removal r = {stepper->schedule.user_of, first, count};
  if (count > 0) weft__remove_links(&tables, is_removed, &r);
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t i = stepper->schedule.solver_of[first + n];
    weft__levels_release(&stepper->levels, i);
    weft__attachments_release(&stepper->attachments, i);
  }
  release(world, &r);
}

static weft_result remove_body(weft_world* world, const weft_body* body) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(body == NULL, WEFT_ERROR_NULL, "body");
  weft__stepper* stepper = &world->stepper;
  const weft__schedule* schedule = &stepper->schedule;
  const uint64_t particles = (uint64_t)body->first_particle + body->particle_count;
  const uint64_t links = (uint64_t)body->first_link + body->link_count;
  WEFT__FAIL_IF(particles > schedule->particle_count || links > schedule->links.link_count,
                WEFT_ERROR_INDEX, "body");
  const bool is_ready = weft__levels_make_tearable(&stepper->levels) &&
                        weft__particles_add_removed(&stepper->particles) &&
                        weft__remove_contacts(world, body->first_particle, body->particle_count);
  WEFT__FAIL_IF(!is_ready, WEFT_ERROR_OUT_OF_MEMORY, "world");
  weft__disturb_range(world, body->first_particle, body->particle_count);
  remove_particles(world, body->first_particle, body->particle_count);
  weft__constraint_tables tables = weft__stepper_constraints(stepper);
  for (uint32_t link = body->first_link; link < links; ++link) {
    const weft__lane lane = weft__schedule_lane(schedule, schedule->links.slot_of_link[link]);
    weft__remove_link(&tables, &lane);
  }
  return weft__ok();
}

weft_result weft_world_remove_body(weft_world* world, const weft_body* body) {
  WEFT__RETURN_COMPUTED(remove_body, world, body);
}

// Reserved particles have no links: removal takes a time independent of the world's size.
weft_result weft_world_remove_particle(weft_world* world, weft_particle particle) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  const uint32_t user = particle.index;
  const bool is_known = user < world->stepper.particles.count && lives(world, user) &&
                        handle_of(world, user).generation == particle.generation;
  WEFT__FAIL_IF(!is_known, WEFT_ERROR_STALE, "particle");
  if (!weft__reserve_has(&world->stepper.particles.reserve, user)) {
    return weft_world_remove_body(world, &(weft_body){user, 1, 0, 0});
  }
  WEFT__FAIL_IF(!weft__remove_contacts(world, user, 1), WEFT_ERROR_OUT_OF_MEMORY, "world");
  weft__disturb_range(world, user, 1);
  release(world, &(removal){world->stepper.schedule.user_of, user, 1});
  return weft__ok();
}

weft_result weft_world_list_particles(const weft_world* world, uint32_t capacity,
                                      weft_particle* particles, uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(particles == NULL && capacity > 0, WEFT_ERROR_NULL, "particles");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  uint32_t living = 0;
  for (uint32_t user = 0; user < world->stepper.particles.count; ++user) {
    if (!lives(world, user)) continue;
    if (living < capacity) particles[living] = handle_of(world, user);
    ++living;
  }
  *count = living;
  return weft__ok();
}

weft_result weft_world_get_particle(const weft_world* world, uint32_t number,
                                    weft_particle* particle) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(particle == NULL, WEFT_ERROR_NULL, "particle");
  WEFT__FAIL_IF(number >= world->stepper.particles.count, WEFT_ERROR_INDEX, "number");
  WEFT__FAIL_IF(!lives(world, number), WEFT_ERROR_STALE, "number");
  *particle = handle_of(world, number);
  return weft__ok();
}
