/* Checks and reservations come first: a call that fails changes nothing. The particles of a call
 * are pairwise different: workers write them in any order. */
#include <math.h>

#include "base/check.h"
#include "base/float_mode.h"
#include "base/memory.h"
#include "world/ranges.h"
#include "world/world.h"

typedef struct write_job {
  weft_world* world;
  const weft__selection* at;
  weft__array array;
  const char* at_field; /* name of the particles in errors */
} write_job;

static void run(write_job* job, weft__range_task* task) {
  weft__for_selection(job->world->stepper.pool, job->at, task, job);
}

typedef void sleep_call(weft_world* world, uint32_t first, uint32_t count);

static void rouse(write_job* job, sleep_call* call) {
  const uint32_t* list = job->at->list;
  if (list == NULL) call(job->world, job->at->first, job->at->count);
  for (uint32_t n = 0; n < job->at->count && list != NULL; ++n) call(job->world, list[n], 1);
}

// Tells stages that particles of a range, a list's from its lowest to its highest, were edited.
static void tell(const write_job* job) {
  const weft__selection* at = job->at;
  weft__range users = {at->first, at->first + at->count};
  if (at->list != NULL) users = (weft__range){UINT32_MAX, 0};
  for (uint32_t n = 0; n < at->count && at->list != NULL; ++n) {
    if (at->list[n] < users.begin) users.begin = at->list[n];
    if (at->list[n] >= users.end) users.end = at->list[n] + 1;
  }
  weft__stages_changed(&job->world->stepper.stages,
                       &(weft__change){.kind = WEFT__CHANGE_EDITED, .users = users});
}

static weft_result check_vectors(write_job* job) {
  return weft__check_vectors(job->world, &job->array, job->at->count);
}

static bool reserve_nothing(write_job* job) {
  (void)job;
  return true;
}

static void write_positions(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  write_job* job = context;
  weft__particles* p = &job->world->stepper.particles;
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t n = items.begin; n < items.end; ++n) {
      weft__particles_move(p, axis, weft__selected(job->at, n),
                           weft__array_at(&job->array, n)[axis]);
    }
  }
}

// Sets the offset of a held particle from its pointer to its new position.
static void update_grip_offset(weft_world* world, uint32_t i, const float position[3]) {
  weft__grips* grips = &world->stepper.grips;
  weft__held* held = weft__grips_find(grips, i);
  if (held == NULL) return;
  const float* pointer = grips->grips[held->grip].position;
  for (int axis = 0; axis < 3; ++axis) {
    held->offset[axis] = (double)position[axis] - (double)pointer[axis];
  }
  weft__moves_cancel(&world->stepper.moves, i);
}

static void apply_positions(write_job* job) {
  weft__self* cloth = &job->world->stepper.contacts.cloth;
  rouse(job, weft__disturb_range);
  tell(job);
  run(job, write_positions);
  for (uint32_t n = 0; n < job->at->count && cloth->on; ++n)
    weft__self_restart(cloth, weft__selected(job->at, n));
  const bool has_held = job->world->stepper.grips.count > 0;
  for (uint32_t n = 0; n < job->at->count && has_held; ++n) {
    update_grip_offset(job->world, weft__selected(job->at, n), weft__array_at(&job->array, n));
  }
  job->world->changes += 1;
}

static void write_velocities(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  write_job* job = context;
  weft__particles* p = &job->world->stepper.particles;
  const float h = (float)weft__last_substep(job->world);
  for (uint32_t n = items.begin; n < items.end; ++n) {
    const uint32_t i = weft__selected(job->at, n);
    float position[3];
    weft__load3(p->pos, i, position);
    weft__particles_set_state(p, i, position, weft__array_at(&job->array, n), h);
  }
}

static void apply_velocities(write_job* job) {
  rouse(job, weft__wake_range);
  tell(job);
  run(job, write_velocities);
}

static weft_result check_targets(write_job* job) {
  WEFT__TRY(check_vectors(job));
  const weft__stepper* stepper = &job->world->stepper;
  for (uint32_t n = 0; n < job->at->count; ++n) {
    const uint32_t i = weft__selected(job->at, n);
    const bool is_held = weft__grips_find(&stepper->grips, i) != NULL;
    const bool is_pinned = !is_held && weft__inverse_mass_of(job->world, i) == 0.0f;
    if (!is_pinned) return weft__fail_at(WEFT_ERROR_RANGE, job->at_field, n);
  }
  return weft__ok();
}

static bool reserve_targets(write_job* job) {
  weft__stepper* stepper = &job->world->stepper;
  return weft__moves_reserve(&stepper->moves, stepper->particles.count, job->at->count);
}

static void apply_targets(write_job* job) {
  weft__stepper* stepper = &job->world->stepper;
  for (uint32_t n = 0; n < job->at->count; ++n) {
    // cannot fail: room is reserved
    (void)weft__moves_set(&stepper->moves, stepper->particles.count, weft__selected(job->at, n),
                          weft__array_at(&job->array, n));
  }
}

static weft_result check_inverse_masses(write_job* job) {
  for (uint32_t n = 0; n < job->at->count; ++n) {
    const weft_error error = weft__check_inverse_mass(*weft__array_at(&job->array, n));
    if (error != WEFT_OK) return weft__fail_at(error, job->array.field, n);
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

static void write_inverse_masses(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  write_job* job = context;
  for (uint32_t n = items.begin; n < items.end; ++n) {
    set_inverse_mass(job->world, weft__selected(job->at, n), *weft__array_at(&job->array, n));
  }
}

static void apply_inverse_masses(write_job* job) {
  weft__stepper* stepper = &job->world->stepper;
  rouse(job, weft__wake_range);
  // the list of moves is one for all particles
  weft__worker_pool* pool = stepper->moves.count > 0 ? NULL : stepper->pool;
  weft__for_selection(pool, job->at, write_inverse_masses, job);
  stepper->weighed = false;
}

// Checks the sums with earlier forces, which are limited as well.
static weft_result check_forces(write_job* job) {
  WEFT__TRY(check_vectors(job));
  const weft__particles* p = &job->world->stepper.particles;
  if (p->force_block == NULL) return weft__ok();
  for (uint32_t n = 0; n < job->at->count; ++n) {
    const float* force = weft__array_at(&job->array, n);
    for (int axis = 0; axis < 3; ++axis) {
      const float sum = p->force[axis][weft__selected(job->at, n)] + force[axis];
      if (fabsf(sum) <= WEFT_MAX_MAGNITUDE) continue;
      return weft__fail_at(WEFT_ERROR_RANGE, job->array.field, n);
    }
  }
  return weft__ok();
}

static bool reserve_forces(write_job* job) {
  return weft__particles_add_forces(&job->world->stepper.particles);
}

static void write_forces(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  write_job* job = context;
  weft__particles* p = &job->world->stepper.particles;
  for (uint32_t n = items.begin; n < items.end; ++n) {
    const uint32_t i = weft__selected(job->at, n);
    const float* force = weft__array_at(&job->array, n);
    for (int axis = 0; axis < 3; ++axis) p->force[axis][i] += force[axis];
  }
}

static void apply_forces(write_job* job) {
  rouse(job, weft__wake_range);
  run(job, write_forces);
  job->world->stepper.forces.has_added = true;
}

typedef struct attribute_writer {
  const char* field;
  size_t floats;
  weft_result (*check)(write_job* job);
  bool (*reserve)(write_job* job); /* false when out of memory */
  void (*apply)(write_job* job);
} attribute_writer;

#define WRITER_COUNT 5u /* attributes up to WEFT_ATTRIBUTE_FORCE */

static const attribute_writer writers[WRITER_COUNT] = {
    [WEFT_ATTRIBUTE_POSITION] = {"positions", 3, check_vectors, reserve_nothing, apply_positions},
    [WEFT_ATTRIBUTE_VELOCITY] = {"velocities", 3, check_vectors, reserve_nothing, apply_velocities},
    [WEFT_ATTRIBUTE_TARGET] = {"targets", 3, check_targets, reserve_targets, apply_targets},
    [WEFT_ATTRIBUTE_INVERSE_MASS] = {"inverse_masses", 1, check_inverse_masses, reserve_nothing,
                                     apply_inverse_masses},
    [WEFT_ATTRIBUTE_FORCE] = {"forces", 3, check_forces, reserve_forces, apply_forces},
};

static weft_result write_range(weft_world* world, weft_attribute attribute, uint32_t first,
                               uint32_t count, const float* values, size_t stride) {
  const attribute_writer* writer = &writers[attribute];
  const weft__array array = {values, stride, writer->floats, writer->field};
  WEFT__TRY(weft__check_array(world, first, count, &array));
  if (count == 0) return weft__ok();
  const weft__selection at = {world->stepper.schedule.solver_of, NULL, first, count};
  write_job job = {world, &at, array, "first"};
  WEFT__TRY(writer->check(&job));
  WEFT__FAIL_IF(!writer->reserve(&job), WEFT_ERROR_OUT_OF_MEMORY, "world");
  writer->apply(&job);
  return weft__ok();
}

weft_result weft_world_set_positions(weft_world* world, uint32_t first, uint32_t count,
                                     const float* positions, size_t stride) {
  WEFT__RETURN_COMPUTED(write_range, world, WEFT_ATTRIBUTE_POSITION, first, count, positions,
                        stride);
}

weft_result weft_world_set_velocities(weft_world* world, uint32_t first, uint32_t count,
                                      const float* velocities, size_t stride) {
  WEFT__RETURN_COMPUTED(write_range, world, WEFT_ATTRIBUTE_VELOCITY, first, count, velocities,
                        stride);
}

weft_result weft_world_set_inverse_masses(weft_world* world, uint32_t first, uint32_t count,
                                          const float* inverse_masses, size_t stride) {
  WEFT__RETURN_COMPUTED(write_range, world, WEFT_ATTRIBUTE_INVERSE_MASS, first, count,
                        inverse_masses, stride);
}

weft_result weft_world_move_particles(weft_world* world, uint32_t first, uint32_t count,
                                      const float* targets, size_t stride) {
  WEFT__RETURN_COMPUTED(write_range, world, WEFT_ATTRIBUTE_TARGET, first, count, targets, stride);
}

weft_result weft_world_add_forces(weft_world* world, uint32_t first, uint32_t count,
                                  const float* forces, size_t stride) {
  WEFT__RETURN_COMPUTED(write_range, world, WEFT_ATTRIBUTE_FORCE, first, count, forces, stride);
}

typedef struct bulk_jobs {
  write_job of[WRITER_COUNT];
  bool has[WRITER_COUNT];
} bulk_jobs;

// Checks that no particle is listed twice, by a bit for each unless they ascend.
static weft_result check_unique(const weft__selection* at, uint32_t particle_count) {
  uint32_t n = 1;
  while (n < at->count && at->list[n - 1] < at->list[n]) ++n;
  if (n >= at->count) return weft__ok();
  uint64_t* seen = weft__alloc_zeroed(particle_count / 64 + 1, sizeof(*seen));
  WEFT__FAIL_IF(seen == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  for (n = 0; n < at->count; ++n) {
    uint64_t* word = &seen[at->list[n] / 64];
    const uint64_t bit = UINT64_C(1) << at->list[n] % 64;
    if ((*word & bit) != 0) break;
    *word |= bit;
  }
  weft__free(seen);
  if (n == at->count) return weft__ok();
  return weft__fail_at(WEFT_ERROR_DUPLICATE, "weft_bulk_def.particles", n);
}

static weft_result list_jobs(weft_world* world, const weft_bulk_def* def, const weft__selection* at,
                             bulk_jobs* jobs) {
  const char* const at_field = at->list != NULL ? "weft_bulk_def.particles" : "weft_bulk_def.first";
  for (uint32_t k = 0; k < def->array_count; ++k) {
    const weft_attribute_array* from = &def->arrays[k];
    if ((uint32_t)from->attribute >= WRITER_COUNT)
      return weft__fail_at(WEFT_ERROR_RANGE, "weft_attribute_array.attribute", k);
    if (jobs->has[from->attribute])
      return weft__fail_at(WEFT_ERROR_DUPLICATE, "weft_bulk_def.arrays", k);
    const attribute_writer* writer = &writers[from->attribute];
    const weft__array array = {from->values, from->stride, writer->floats, writer->field};
    jobs->of[from->attribute] = (write_job){world, at, array, at_field};
    jobs->has[from->attribute] = true;
  }
  return weft__ok();
}

static weft_result write_bulk(weft_world* world, const weft_bulk_def* def) {
  weft__selection at;
  WEFT__TRY(weft__check_bulk(world, def, &at));
  bulk_jobs jobs = {0};
  WEFT__TRY(list_jobs(world, def, &at, &jobs));
  if (at.count == 0) return weft__ok();
  if (at.list != NULL) WEFT__TRY(check_unique(&at, world->stepper.particles.count));
  for (uint32_t a = 0; a < WRITER_COUNT; ++a) {
    if (jobs.has[a]) WEFT__TRY(writers[a].check(&jobs.of[a]));
  }
  for (uint32_t a = 0; a < WRITER_COUNT; ++a) {
    WEFT__FAIL_IF(jobs.has[a] && !writers[a].reserve(&jobs.of[a]), WEFT_ERROR_OUT_OF_MEMORY,
                  "world");
  }
  for (uint32_t a = 0; a < WRITER_COUNT; ++a) {
    if (jobs.has[a]) writers[a].apply(&jobs.of[a]);
  }
  return weft__ok();
}

weft_result weft_world_write(weft_world* world, const weft_bulk_def* def) {
  WEFT__RETURN_COMPUTED(write_bulk, world, def);
}
