/* Attributes of motion. The elements of a change are pairwise different: workers write them in any
 * order. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "world/attributes.h"
#include "world/ranges.h"

#define VECTOR .size = sizeof(float[3]), .item = sizeof(float)

// Tells stages that particles from the lowest to the highest were edited.
static void tell(const weft__attribute_write* write) {
  weft__stages_changed(&write->world->stepper.stages,
                       &(weft__change){.kind = WEFT__CHANGE_EDITED, .users = write->at.hull});
}

// Checks vectors, and their sums with the present ones, which are limited as well.
static weft_result check_sums(const weft__attribute_write* write, const weft__attribute* row) {
  WEFT__TRY(weft__check_vectors(write->world, &write->array, write->at.count));
  const weft__attribute_read read = weft__attribute_read_of(write->world);
  for (uint32_t n = 0; n < write->at.count && write->is_sum; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    float present[3];
    row->get(&read, weft__selected(&write->at, n), present);
    const float* more = weft__array_at(&write->array, n);
    for (int axis = 0; axis < 3; ++axis) {
      if (fabsf(present[axis] + more[axis]) <= WEFT_MAX_MAGNITUDE) continue;
      return weft__fail_at(WEFT_ERROR_RANGE, write->array.field, n);
    }
  }
  return weft__ok();
}

// Present value of an element, [3], to the one after the call.
static void add_or_set(const weft__attribute_write* write, uint32_t n, float value[3]) {
  const float* given = weft__array_at(&write->array, n);
  for (int axis = 0; axis < 3; ++axis)
    value[axis] = write->is_sum ? value[axis] + given[axis] : given[axis];
}

// ---- positions ----

static void get_position(const weft__attribute_read* read, uint32_t i, void* value) {
  if (read->is_between) {
    weft__read_interpolated(read, i, value);
  } else {
    weft__load3(read->world->stepper.particles.pos, i, value);
  }
}

static void place_range(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  const weft__attribute_write* write = context;
  weft__particles* p = &write->world->stepper.particles;
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t n = items.begin; n < items.end; ++n) {
      if (!weft__selects(&write->at, n)) continue;
      const uint32_t i = weft__selected(&write->at, n);
      const float given = weft__array_at(&write->array, n)[axis];
      weft__particles_move(p, axis, i, write->is_sum ? p->pos[axis][i] + given : given);
    }
  }
}

// Sets the offset of a held particle from its pointer to its new position.
static void update_grip_offset(weft_world* world, uint32_t i) {
  weft__grips* grips = &world->stepper.grips;
  weft__held* held = weft__grips_find(grips, i);
  if (held == NULL) return;
  const float* pointer = grips->grips[held->grip].position;
  for (int axis = 0; axis < 3; ++axis) {
    held->offset[axis] = (double)world->stepper.particles.pos[axis][i] - (double)pointer[axis];
  }
  weft__moves_cancel(&world->stepper.moves, i);
}

static weft_result prepare_positions(const weft__attribute_write* write) {
  return check_sums(write, &weft__position_attribute);
}

static void place(weft__attribute_write* write) {
  weft_world* world = write->world;
  weft__self* cloth = &world->stepper.contacts.cloth;
  const bool has_held = world->stepper.grips.count > 0;
  weft__rouse_selected(write->world, &write->at, weft__disturb_range);
  tell(write);
  weft__for_selected(world->stepper.pool, write, place_range);
  for (uint32_t n = 0; n < write->at.count && (cloth->on || has_held); ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const uint32_t i = weft__selected(&write->at, n);
    if (cloth->on) weft__self_restart(cloth, i);
    if (has_held) update_grip_offset(world, i);
  }
  world->changes += 1;
}

const weft__attribute weft__position_attribute = {
    .id = WEFT_ATTRIBUTE_POSITION,
    VECTOR,
    .get = get_position,
    .is_set = true,
    .is_added = true,
    .prepare = prepare_positions,
    .apply = place,
};

// ---- velocities ----

static void get_velocity(const weft__attribute_read* read, uint32_t i, void* value) {
  weft__particles_velocity(&read->world->stepper.particles, i, read->rate, value);
}

static weft_result prepare_velocities(const weft__attribute_write* write) {
  return check_sums(write, &weft__velocity_attribute);
}

static void push_range(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  const weft__attribute_write* write = context;
  weft__particles* p = &write->world->stepper.particles;
  const weft__attribute_read read = weft__attribute_read_of(write->world);
  const float h = (float)weft__last_substep(write->world);
  for (uint32_t n = items.begin; n < items.end; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const uint32_t i = weft__selected(&write->at, n);
    float position[3], velocity[3];
    weft__load3(p->pos, i, position);
    get_velocity(&read, i, velocity);
    add_or_set(write, n, velocity);
    weft__particles_set_state(p, i, position, velocity, h);
  }
}

static void push(weft__attribute_write* write) {
  weft__rouse_selected(write->world, &write->at, weft__wake_range);
  tell(write);
  weft__for_selected(write->world->stepper.pool, write, push_range);
}

const weft__attribute weft__velocity_attribute = {
    .id = WEFT_ATTRIBUTE_VELOCITY,
    VECTOR,
    .get = get_velocity,
    .is_set = true,
    .is_added = true,
    .prepare = prepare_velocities,
    .apply = push,
};

// ---- targets ----

static void get_target(const weft__attribute_read* read, uint32_t i, void* value) {
  const weft__move* move = weft__moves_find(&read->world->stepper.moves, i);
  weft__load3(read->world->stepper.particles.pos, i, value);
  if (move != NULL) memcpy(value, move->target, sizeof(move->target));
}

static weft_result prepare_targets(const weft__attribute_write* write) {
  WEFT__TRY(weft__check_vectors(write->world, &write->array, write->at.count));
  weft__stepper* stepper = &write->world->stepper;
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const uint32_t i = weft__selected(&write->at, n);
    const bool is_held = weft__grips_find(&stepper->grips, i) != NULL;
    const bool is_pinned = !is_held && weft__inverse_mass_of(write->world, i) == 0.0f;
    if (!is_pinned) return weft__fail_at_selected(write, WEFT_ERROR_RANGE, n);
  }
  WEFT__FAIL_IF(!weft__moves_reserve(&stepper->moves, stepper->particles.count, write->at.count),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

static void set_targets(weft__attribute_write* write) {
  weft__stepper* stepper = &write->world->stepper;
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    // cannot fail: room is reserved
    (void)weft__moves_set(&stepper->moves, stepper->particles.count, weft__selected(&write->at, n),
                          weft__array_at(&write->array, n));
  }
}

const weft__attribute weft__target_attribute = {
    .id = WEFT_ATTRIBUTE_TARGET,
    VECTOR,
    .get = get_target,
    .is_set = true,
    .prepare = prepare_targets,
    .apply = set_targets,
};

// ---- inverse masses ----

static void get_inverse_mass(const weft__attribute_read* read, uint32_t i, void* value) {
  *(float*)value = weft__inverse_mass_of(read->world, i);
}

static weft_result prepare_inverse_masses(const weft__attribute_write* write) {
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const weft_error error = weft__check_inverse_mass(*weft__array_at(&write->array, n));
    if (error != WEFT_OK) return weft__fail_at(error, write->array.field, n);
  }
  return weft__ok();
}

static void set_inverse_mass(weft_world* world, uint32_t i, float inverse_mass) {
  weft__stepper* stepper = &world->stepper;
  if (weft__reserve_is_free(&stepper->particles.reserve, stepper->schedule.user_of[i])) return;
  weft__held* held = weft__grips_find(&stepper->grips, i);
  if (held != NULL) {
    held->inv_mass = inverse_mass;
    return;
  }
  stepper->particles.inv_mass[i] = inverse_mass;
  if (inverse_mass > 0.0f) {
    weft__moves_cancel(&stepper->moves, i);
  } else {
    // clears the velocity: otherwise a later change of mass would release it
    weft__particles_stop(&stepper->particles, i);
  }
}

static void set_inverse_mass_range(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  const weft__attribute_write* write = context;
  for (uint32_t n = items.begin; n < items.end; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    set_inverse_mass(write->world, weft__selected(&write->at, n),
                     *weft__array_at(&write->array, n));
  }
}

static void set_inverse_masses(weft__attribute_write* write) {
  weft__stepper* stepper = &write->world->stepper;
  weft__rouse_selected(write->world, &write->at, weft__wake_range);
  // the list of moves is one for all particles
  weft__worker_pool* pool = stepper->moves.count > 0 ? NULL : stepper->pool;
  weft__for_selected(pool, write, set_inverse_mass_range);
  stepper->weighed = false;
}

const weft__attribute weft__inverse_mass_attribute = {
    .id = WEFT_ATTRIBUTE_INVERSE_MASS,
    .size = sizeof(float),
    .item = sizeof(float),
    .get = get_inverse_mass,
    .is_set = true,
    .prepare = prepare_inverse_masses,
    .apply = set_inverse_masses,
};

// ---- forces ----

static void get_force(const weft__attribute_read* read, uint32_t i, void* value) {
  const weft__particles* p = &read->world->stepper.particles;
  memset(value, 0, sizeof(float[3]));
  if (p->force_block != NULL) weft__load3(p->force, i, value);
}

static weft_result prepare_forces(const weft__attribute_write* write) {
  WEFT__TRY(check_sums(write, &weft__force_attribute));
  WEFT__FAIL_IF(!weft__particles_add_forces(&write->world->stepper.particles),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

static void load_range(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  const weft__attribute_write* write = context;
  weft__particles* p = &write->world->stepper.particles;
  for (uint32_t n = items.begin; n < items.end; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const uint32_t i = weft__selected(&write->at, n);
    float force[3];
    weft__load3(p->force, i, force);
    add_or_set(write, n, force);
    weft__store3(p->force, i, force);
  }
}

static void load(weft__attribute_write* write) {
  weft__rouse_selected(write->world, &write->at, weft__wake_range);
  weft__for_selected(write->world->stepper.pool, write, load_range);
  write->world->stepper.forces.has_added = true;
}

const weft__attribute weft__force_attribute = {
    .id = WEFT_ATTRIBUTE_FORCE,
    VECTOR,
    .get = get_force,
    .is_set = true,
    .is_added = true,
    .prepare = prepare_forces,
    .apply = load,
};
