#include <math.h>

#include "base/float_mode.h"
#include "base/min_max.h"
#include "step/contacts.h"
#include "world/attributes.h"
#include "world/world.h"

weft_result weft__check_contact(const weft_particle_shape_def* contact) {
  WEFT__TRY(weft__check_particle_shape(contact));
  const bool is_body = contact->shape == WEFT_PARTICLE_SHAPE_SPHERE ||
                       contact->shape == WEFT_PARTICLE_SHAPE_BOX ||
                       contact->shape == WEFT_PARTICLE_SHAPE_ELLIPSOID;
  WEFT__TRY(weft__stages_check(is_body, WEFT__SERVES_BODIES, "weft_particle_shape_def.shape"));
  WEFT__TRY(weft__stages_check(contact->collision == WEFT_COLLISION_EXACT, WEFT__SERVES_CCD,
                               "weft_particle_shape_def.collision"));
  return weft__ok();
}

static weft__material material_of(const weft_particle_shape_def* contact) {
  weft__material material = {
      .shape = contact->shape,
      .surface = {.restitution = contact->surface.restitution,
                  .static_friction = contact->surface.static_friction,
                  .dynamic_friction = contact->surface.dynamic_friction,
                  .category = contact->category,
                  .mask = contact->mask,
                  .material = contact->material},
      .is_exact = contact->collision == WEFT_COLLISION_EXACT,
      .turns = contact->turns,
  };
  const bool is_single = weft__shape_size_count(contact->shape) == 1;
  for (int axis = 0; axis < 3; ++axis) {
    material.half_size[axis] = contact->half_size[is_single ? 0 : axis];
  }
  return material;
}

// Sets the size across a plane, which has no effect on contacts, to the larger of the others, the
// width of the broad phase's cells: see width_of_box() in grid.c.
static void close_across_plane(weft__material* material) {
  material->half_size[2] = weft__maxf(material->half_size[0], material->half_size[1]);
}

weft__contact_setup weft__contact_setup_of(const weft_world* world) {
  const weft__stepper* stepper = &world->stepper;
  return (weft__contact_setup){
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .faces = &stepper->forces.faces,
      .materials = &stepper->contacts.materials,
      .colliders = &stepper->contacts.colliders,
      .limits = stepper->contacts.limits,
      .worker_count = weft__worker_pool_count(stepper->pool),
  };
}

// Tables keep their memory: preparing one again for an earlier setup cannot fail. Bodies that grow
// and cloth that is switched off forget their pairs: they come last, when nothing can fail.
static bool prepare_tables(weft_world* world) {
  weft__contacts* contacts = &world->stepper.contacts;
  const weft__contact_setup setup = weft__contact_setup_of(world);
  const weft__stage_states* stages = &world->stepper.stages;
  const bool good =
      weft__stages_prepare(stages, &setup) &&
      weft__face_contacts_prepare(&contacts->faces, &setup) && weft__prepare_radii(world) &&
      weft__self_prepare(&contacts->cloth, &setup) &&
      weft__strands_prepare(&contacts->strands, &setup, weft__stages_joined_faces(stages)) &&
      weft__stages_prepare_last(stages, &setup);
  const weft__materials* materials = &contacts->materials;
  const bool has_cloth = materials->on && materials->shape_count[WEFT_PARTICLE_SHAPE_CLOTH] > 0;
  if (good && !has_cloth) weft__self_switch_off(&contacts->cloth);
  weft__contacts_connect(contacts, weft__stages_joined_faces(stages));
  return good;
}

// m r^2 / I of a solid sphere, and of a disc.
#define SPHERE_FACTOR 2.5f
#define DISC_FACTOR 2.0f

static void load_rolls(weft_world* world, weft__range users) {
  weft__particles* particles = &world->stepper.particles;
  if (particles->rotation_block == NULL) return;
  for (uint32_t user = users.begin; user < users.end; ++user) {
    const uint32_t i = world->stepper.schedule.solver_of[user];
    const weft__material* material = weft__material_of(&world->stepper.contacts.materials, i);
    const float factor = world->def.plane ? DISC_FACTOR : SPHERE_FACTOR;
    weft__particles_set_roll(particles, i, material->half_size[0], material->turns ? factor : 0.0f);
  }
}

// Prepares all for new materials of `count` particles within `hull`.
static bool adopt_materials(weft_world* world, weft__range hull, uint32_t count) {
  if (!prepare_tables(world)) return false;
  weft__load_radii(world, hull.begin, hull.end - hull.begin);
  load_rolls(world, hull);
  const weft__contact_setup setup = weft__contact_setup_of(world);
  weft__stages_changed(&world->stepper.stages, &(weft__change){.kind = WEFT__CHANGE_MATERIALS,
                                                               .setup = &setup,
                                                               .pool = world->stepper.pool,
                                                               .count = count});
  return true;
}

// Sets the material of the selected particles; their number, or UINT32_MAX if out of memory.
static uint32_t assign(weft_world* world, const weft__selection* at,
                       const weft__material* material) {
  uint32_t assigned = 0;
  for (uint32_t n = 0; n < at->count;) {
    const weft__range run = weft__selected_run(at, &n);
    if (!weft__materials_set(&world->stepper.contacts.materials, at->solver_of,
                             world->stepper.particles.removed, run.begin, run.end - run.begin,
                             material)) {
      return UINT32_MAX;
    }
    assigned += run.end - run.begin;
  }
  return assigned;
}

static weft_result set_material(weft_world* world, const weft__selection* at,
                                const weft__material* material) {
  weft__materials* materials = &world->stepper.contacts.materials;
  weft__saved_materials saved;
  WEFT__FAIL_IF(!weft__materials_save(materials, at->solver_of, at->hull.begin,
                                      at->hull.end - at->hull.begin, &saved),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  const uint32_t assigned = assign(world, at, material);
  const bool good = assigned != UINT32_MAX && adopt_materials(world, at->hull, assigned);
  if (!good) {
    weft__materials_restore(materials, at->solver_of, &saved);
    (void)prepare_tables(world);
  }
  weft__materials_release(materials, &saved);
  WEFT__FAIL_IF(!good, WEFT_ERROR_OUT_OF_MEMORY, "world");
  weft__rouse_selected(world, at, weft__disturb_range);
  return weft__ok();
}

static weft_result check_in_world(const weft_world* world, const weft_particle_shape_def* contact) {
  WEFT__TRY(weft__check_contact(contact));
  WEFT__FAIL_IF(world->def.plane && contact->shape == WEFT_PARTICLE_SHAPE_CLOTH, WEFT_ERROR_RANGE,
                "weft_particle_shape_def.shape");
  WEFT__FAIL_IF(world->def.plane && contact->collision == WEFT_COLLISION_EXACT, WEFT_ERROR_DISABLED,
                "weft_particle_shape_def.collision");
  return weft__ok();
}

weft_result weft__set_contact(weft_world* world, const weft_selection* particles,
                              const weft_particle_shape_def* contact) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__stepper* stepper = &world->stepper;
  weft__selection at;
  WEFT__TRY(weft__check_selected(world, WEFT__OF_PARTICLES, particles, &at));
  if (contact != NULL) {
    WEFT__TRY(check_in_world(world, contact));
    if (contact->collision == WEFT_COLLISION_NONE) contact = NULL;
  }
  const bool is_idle = contact == NULL && !stepper->contacts.materials.on;
  if (at.hull.begin == at.hull.end || is_idle) return weft__ok();
  WEFT__FAIL_IF(
      contact != NULL && contact->turns && !weft__particles_add_rotation(&stepper->particles),
      WEFT_ERROR_OUT_OF_MEMORY, "world");
  weft__material material = {0};
  if (contact != NULL) material = material_of(contact);
  if (world->def.plane) close_across_plane(&material);
  return set_material(world, &at, contact == NULL ? NULL : &material);
}

// A plane has no cloth: particles of a scene's are points there.
static weft_particle_shape_def outset_in(const weft_world* world,
                                         const weft_particle_shape_def* shape) {
  weft_particle_shape_def own = *shape;
  if (!world->def.plane || shape->shape != WEFT_PARTICLE_SHAPE_CLOTH) return own;
  own.shape = WEFT_PARTICLE_SHAPE_POINT;
  if (own.collision == WEFT_COLLISION_EXACT) own.collision = WEFT_COLLISION_SOFT;
  return own;
}

weft_result weft__begin_contacts(weft_world* world, const weft_scene* scene) {
  weft__stepper* stepper = &world->stepper;
  weft__materials* materials = &stepper->contacts.materials;
  const uint32_t count = stepper->schedule.particle_count;
  for (uint32_t r = 0; r < scene->shape_run_count; ++r) {
    const weft__shape_run* run = &scene->shape_runs[r];
    const weft_particle_shape_def shape = outset_in(world, &run->shape);
    WEFT__TRY(check_in_world(world, &shape));
    weft__material material = material_of(&shape);
    if (world->def.plane) close_across_plane(&material);
    const bool is_none = shape.collision == WEFT_COLLISION_NONE;
    const bool good = (!material.turns || weft__particles_add_rotation(&stepper->particles)) &&
                      weft__materials_set(materials, stepper->schedule.solver_of, NULL, run->first,
                                          run->count, is_none ? NULL : &material);
    WEFT__FAIL_IF(!good, WEFT_ERROR_OUT_OF_MEMORY, "world");
  }
  WEFT__FAIL_IF(materials->on && !adopt_materials(world, (weft__range){0, count}, count),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

bool weft__remove_contacts(weft_world* world, uint32_t first, uint32_t count) {
  const weft_selection range = weft_range(first, count);
  return weft__set_contact(world, &range, NULL).error == WEFT_OK;
}

weft_result weft_world_set_particle_shape(weft_world* world, weft_selection particles,
                                          const weft_particle_shape_def* contact) {
  WEFT__RETURN_COMPUTED(weft__set_contact, world, &particles, contact);
}

static bool prepare_for(weft_world* world, const weft_contact_limits_def* limits) {
  weft__contacts* contacts = &world->stepper.contacts;
  contacts->limits = *limits;
  // the log comes last: shrinking it drops events
  return prepare_tables(world) &&
         weft__contact_log_prepare(&contacts->log, limits, world->stepper.particles.count,
                                   weft__worker_pool_count(world->stepper.pool));
}

static weft_result set_contact_limits(weft_world* world, const weft_contact_limits_def* limits) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(limits == NULL, WEFT_ERROR_NULL, "limits");
  WEFT__TRY(weft__check_def(&weft__contact_limits_fields, limits));
  const weft_contact_limits_def before = world->stepper.contacts.limits;
  if (prepare_for(world, limits)) return weft__ok();
  world->stepper.contacts.limits = before;
  (void)prepare_tables(world);
  return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "world");
}

weft_result weft_world_set_contact_limits(weft_world* world,
                                          const weft_contact_limits_def* limits) {
  WEFT__RETURN_COMPUTED(set_contact_limits, world, limits);
}

weft_result weft_world_get_contact_stats(const weft_world* world, weft_contact_stats* stats) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(stats == NULL, WEFT_ERROR_NULL, "stats");
  const weft__contacts* contacts = &world->stepper.contacts;
  *stats = (weft_contact_stats){
      .collider_count = contacts->colliders.count,
      .collider_contacts = contacts->colliders.contact_count,
      .face_contacts = contacts->faces.on ? contacts->faces.contact_count : 0,
      .self_pairs = contacts->cloth.lists.pair_count,
      .lost_pairs = contacts->cloth.lists.lost + contacts->strands.lost,
      .lost_touches = contacts->log.lost_touches,
      .lost_events = contacts->log.lost_events,
      .work = world->stepper.work.spent,
      .work_cuts = world->stepper.work.cuts,
  };
  weft__stages_count(&world->stepper.stages, stats);
  return weft__ok();
}

weft_result weft_world_take_contact_events(weft_world* world, uint32_t capacity,
                                           weft_contact_event* events, uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(events == NULL && capacity > 0, WEFT_ERROR_NULL, "events");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  WEFT__FAIL_IF(!world->stepper.contacts.log.on, WEFT_ERROR_DISABLED,
                "weft_contact_limits_def.max_events");
  *count = weft__contact_log_take(&world->stepper.contacts.log, capacity, events);
  return weft__ok();
}
