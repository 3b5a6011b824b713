#include <string.h>

#include "base/float_mode.h"
#include "world/ranges.h"
#include "world/snapshot.h"

typedef struct range_head {
  uint32_t first, count; /* particles, caller's numbers */
  double last_h;         /* seconds of the last substep */
  uint32_t has_velocities, has_rotation, has_forces, zero;
} range_head;

static range_head head_of(const weft_world* world, uint32_t first, uint32_t count) {
  const weft__stepper* s = &world->stepper;
  range_head head = {.first = first, .count = count, .last_h = s->physics.last_h};
  head.has_velocities = s->particles.velocity_block != NULL;
  head.has_rotation = s->particles.rotation_block != NULL;
  head.has_forces = s->particles.force_block != NULL;
  return head;
}

static weft_result check_range(const weft_world* world, uint32_t first, uint32_t count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  const weft__stepper* s = &world->stepper;
  WEFT__TRY(weft__check_elements(first, count, s->particles.count));
  for (uint32_t n = 0; n < count; ++n) {
    if (weft__particles_is_removed(&s->particles, s->schedule.solver_of[first + n])) {
      return weft__fail_at(WEFT_ERROR_STALE, "first", n);
    }
  }
  return weft__ok();
}

// Masses between steps: for held and for sleeping particles they are kept elsewhere.
static void write_masses(const weft_world* world, weft__archive* archive, const uint32_t* particles,
                         size_t count) {
  weft__archive_begin_array(archive, count, sizeof(float));
  for (size_t begin = 0; begin < count; begin += 64) {
    float masses[64] = {0};
    const size_t part = count - begin < 64 ? count - begin : 64;
    for (size_t n = 0; n < part; ++n) {
      const uint32_t i = particles[begin + n];
      const weft__held* held = weft__grips_find(&world->stepper.grips, i);
      masses[n] = held != NULL ? held->inv_mass : weft__inverse_mass_of(world, i);
    }
    weft__archive_raw(archive, masses, (part + part % 2) * sizeof(*masses));
  }
}

static void visit_stages(const weft_world* world, weft__archive* archive, const range_head* head) {
  const weft__stage_states* states = &world->stepper.stages;
  const weft__range_rows of = {.first = head->first,
                               .count = head->count,
                               .user_of = world->stepper.schedule.user_of,
                               .ratio = world->stepper.physics.last_h / head->last_h};
  for (uint32_t s = 0; weft__stages[s] != NULL && weft__archive_is_good(archive); ++s) {
    if (weft__stages[s]->snapshots.visit_range == NULL) continue;
    weft__archive_name(archive, weft__stages[s]->name);
    weft__stages[s]->snapshots.visit_range(states->of[s], archive, &of);
  }
}

static void write_range(const weft_world* world, weft__archive* archive, const void* of) {
  range_head head = *(const range_head*)of;
  const uint32_t* solver_of = world->stepper.schedule.solver_of + head.first;
  WEFT__ARCHIVE_VALUE(archive, head);
  write_masses(world, archive, solver_of, head.count);
  weft__archive_rows(archive, &world->stepper.particles, &weft__particle_table, WEFT__MOTION,
                     solver_of, head.count);
  visit_stages(world, archive, &head);
}

weft_result weft_world_get_range_size(const weft_world* world, uint32_t first, uint32_t count,
                                      size_t* size) {
  WEFT__TRY(check_range(world, first, count));
  WEFT__FAIL_IF(size == NULL, WEFT_ERROR_NULL, "size");
  const range_head head = head_of(world, first, count);
  *size = weft__snapshot_measure(world, write_range, &head);
  return weft__ok();
}

weft_result weft_world_save_range(const weft_world* world, uint32_t first, uint32_t count,
                                  void* memory, size_t capacity, size_t* size) {
  WEFT__TRY(check_range(world, first, count));
  const range_head head = head_of(world, first, count);
  return weft__snapshot_save(world, WEFT__SNAPSHOT_RANGE, memory, capacity, size, write_range,
                             &head);
}

static void read_masses(weft_world* world, weft__archive* archive, const uint32_t* particles,
                        uint32_t count) {
  weft__stepper* s = &world->stepper;
  const unsigned char* masses = weft__archive_view(archive, count, sizeof(float));
  for (uint32_t n = 0; masses != NULL && weft__archive_is_loading(archive) && n < count; ++n) {
    float inv_mass;
    memcpy(&inv_mass, masses + n * sizeof(inv_mass), sizeof(inv_mass));
    float* own = &s->particles.inv_mass[particles[n]];
    weft__grips_remove(&s->grips, particles[n]);
    weft__moves_cancel(&s->moves, particles[n]);
    if (memcmp(own, &inv_mass, sizeof(inv_mass)) != 0) s->weighed = false;
    *own = inv_mass;
  }
}

// Adapts the motion of a particle to the world's substep; one that no longer turns stays so.
static void adapt(weft_world* world, uint32_t i, float ratio) {
  weft__stepper* s = &world->stepper;
  weft__particles* p = &s->particles;
  for (int axis = 0; axis < 3; ++axis) {
    const float pos = p->pos[axis][i];
    if (ratio != 1.0f) p->prev[axis][i] = pos - (pos - p->prev[axis][i]) * ratio;
    p->carried[axis][i] *= ratio;
    if (p->force_block != NULL && p->force[axis][i] != 0.0f) s->forces.has_added = true;
  }
  if (p->rotation_block != NULL && !weft__particle_turns(p, i)) {
    weft__particles_set_roll(p, i, p->roll_radius[i], 0.0f);
  }
  weft__self_restart(&s->contacts.cloth, i);
  weft__stages_changed(&s->stages, &(weft__change){.kind = WEFT__CHANGE_PLACED, .particle = i});
}

// Checks or loads the rows of a range, whose substep may have another length.
static void read_range(weft_world* world, weft__archive* archive, const range_head* head) {
  weft__stepper* s = &world->stepper;
  const uint32_t* particles = s->schedule.solver_of + head->first;
  const double ratio = s->physics.last_h / head->last_h;
  read_masses(world, archive, particles, head->count);
  weft__archive_rows(archive, &s->particles, &weft__particle_table, WEFT__MOTION, particles,
                     head->count);
  for (uint32_t n = 0; n < head->count && weft__archive_is_loading(archive); ++n) {
    adapt(world, particles[n], (float)ratio);
  }
  visit_stages(world, archive, head);
}

static weft_result check_content(weft_world* world, weft__archive* archive,
                                 const range_head* head) {
  weft__particles* p = &world->stepper.particles;
  WEFT__FAIL_IF(!(head->last_h > 0.0), WEFT_ERROR_CORRUPT, "snapshot");
  WEFT__TRY(check_range(world, head->first, head->count));
  WEFT__FAIL_IF((head->has_velocities != 0) != (p->velocity_block != NULL), WEFT_ERROR_FOREIGN,
                "weft_solver_def.integrator");
  const bool has_memory = (!head->has_rotation || weft__particles_add_rotation(p)) &&
                          (!head->has_forces || weft__particles_add_forces(p));
  WEFT__FAIL_IF(!has_memory, WEFT_ERROR_OUT_OF_MEMORY, "world");
  read_range(world, archive, head);
  (void)weft__archive_expect(archive, archive->at == archive->end);
  return archive->result;
}

static weft_result restore_range(weft_world* world, const void* memory, size_t size) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__archive archive;
  range_head head = {0};
  WEFT__TRY(weft__snapshot_open(world, WEFT__SNAPSHOT_RANGE, memory, size, &archive));
  WEFT__ARCHIVE_VALUE(&archive, head);
  WEFT__TRY(archive.result);
  const size_t content = archive.at;
  WEFT__TRY(check_content(world, &archive, &head));
  archive.mode = WEFT__ARCHIVE_LOAD;
  archive.at = content;
  weft__disturb_range(world, head.first, head.count);
  read_range(world, &archive, &head);
  ++world->changes;
  return weft__ok();
}

weft_result weft_world_restore_range(weft_world* world, const void* memory, size_t size) {
  WEFT__RETURN_COMPUTED(restore_range, world, memory, size);
}
