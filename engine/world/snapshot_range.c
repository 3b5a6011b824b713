/* Snapshots of a range of particles: their motion alone, one row a particle. */
#include <string.h>

#include "base/float_mode.h"
#include "world/ranges.h"
#include "world/snapshot.h"

typedef struct range_head {
  uint32_t first, count; /* particles, caller's numbers */
  double last_h;         /* seconds of the last substep */
  uint32_t has_velocities, has_rotation, has_forces, zero;
  uint32_t node_count;    /* of trees, with a particle of the range */
  uint32_t segment_count; /* of rods, with both particles in the range */
} range_head;

typedef struct motion_row {
  float pos[3], prev[3], carried[3];
  float inv_mass;
} motion_row;

typedef struct velocity_row {
  float vel[3], lag[3];
  float kick_share, zero;
} velocity_row;

typedef struct rotation_row {
  float spin[3], turn[4];
  float zero;
} rotation_row;

typedef struct force_row {
  float force[3], zero;
} force_row;

typedef struct node_row {
  uint64_t node;
  double multiplier;
} node_row;

typedef struct segment_row {
  uint64_t segment;
  double frame[4];
  double spin, multiplier;
} segment_row;

// Segments [begin, end) of a rod that lie within a range of particles.
static weft__range segments_in(const weft__rods* rods, uint32_t rod, uint32_t first,
                               uint32_t count) {
  const int64_t from = (int64_t)first - rods->first_particle[rod];
  const int64_t last = from + count - 1;
  const int64_t segments = weft__rod_segments(rods, rod);
  const int64_t begin = from > 0 ? from : 0;
  const int64_t end = last < segments ? last : segments;
  const uint32_t base = rods->first_segment[rod];
  if (begin >= end) return (weft__range){base, base};
  return (weft__range){base + (uint32_t)begin, base + (uint32_t)end};
}

static range_head head_of(const weft_world* world, uint32_t first, uint32_t count) {
  const weft__stepper* s = &world->stepper;
  range_head head = {.first = first, .count = count, .last_h = s->physics.last_h};
  head.has_velocities = s->particles.velocity_block != NULL;
  head.has_rotation = s->particles.rotation_block != NULL;
  head.has_forces = s->particles.force_block != NULL;
  for (uint32_t node = 0; node < s->trees.node_count; ++node) {
    head.node_count += s->schedule.user_of[s->trees.particle[node]] - first < count;
  }
  for (uint32_t rod = 0; rod < s->rods.rod_count; ++rod) {
    const weft__range segments = segments_in(&s->rods, rod, first, count);
    head.segment_count += segments.end - segments.begin;
  }
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

// ---- save ----

static void write_motion(const weft_world* world, weft__archive* archive, uint32_t i) {
  const weft__particles* p = &world->stepper.particles;
  const weft__held* held = weft__grips_find(&world->stepper.grips, i);
  motion_row row = {.inv_mass = held != NULL ? held->inv_mass : weft__inverse_mass_of(world, i)};
  for (int axis = 0; axis < 3; ++axis) {
    row.pos[axis] = p->pos[axis][i];
    row.prev[axis] = p->prev[axis][i];
    row.carried[axis] = p->carried[axis][i];
  }
  WEFT__ARCHIVE_VALUE(archive, row);
}

static void write_velocity(const weft__particles* p, weft__archive* archive, uint32_t i) {
  velocity_row row = {.kick_share = p->kick_share[i]};
  weft__load3(p->vel, i, row.vel);
  weft__load3(p->vel_lag, i, row.lag);
  WEFT__ARCHIVE_VALUE(archive, row);
}

static void write_rotation(const weft__particles* p, weft__archive* archive, uint32_t i) {
  rotation_row row = {0};
  weft__load3(p->spin, i, row.spin);
  for (int k = 0; k < 4; ++k) row.turn[k] = p->turn[k][i];
  WEFT__ARCHIVE_VALUE(archive, row);
}

static void write_force(const weft__particles* p, weft__archive* archive, uint32_t i) {
  force_row row = {0};
  weft__load3(p->force, i, row.force);
  WEFT__ARCHIVE_VALUE(archive, row);
}

static void write_nodes(const weft_world* world, weft__archive* archive, const range_head* head) {
  const weft__trees* trees = &world->stepper.trees;
  const uint32_t* user_of = world->stepper.schedule.user_of;
  for (uint32_t node = 0; node < trees->node_count && head->node_count > 0; ++node) {
    if (user_of[trees->particle[node]] - head->first >= head->count) continue;
    node_row row = {node, trees->multiplier[node]};
    WEFT__ARCHIVE_VALUE(archive, row);
  }
}

static void write_segments(const weft_world* world, weft__archive* archive,
                           const range_head* head) {
  const weft__rods* rods = &world->stepper.rods;
  for (uint32_t rod = 0; rod < rods->rod_count; ++rod) {
    const weft__range segments = segments_in(rods, rod, head->first, head->count);
    for (uint32_t s = segments.begin; s < segments.end; ++s) {
      segment_row row = {.segment = s, .spin = rods->spin[s], .multiplier = rods->multiplier[s]};
      memcpy(row.frame, rods->frame[s], sizeof(row.frame));
      WEFT__ARCHIVE_VALUE(archive, row);
    }
  }
}

static void write_range(const weft_world* world, weft__archive* archive, const void* of) {
  range_head head = *(const range_head*)of;
  const weft__particles* p = &world->stepper.particles;
  const uint32_t* solver_of = world->stepper.schedule.solver_of + head.first;
  WEFT__ARCHIVE_VALUE(archive, head);
  for (uint32_t n = 0; n < head.count; ++n) {
    write_motion(world, archive, solver_of[n]);
    if (head.has_velocities) write_velocity(p, archive, solver_of[n]);
    if (head.has_rotation) write_rotation(p, archive, solver_of[n]);
    if (head.has_forces) write_force(p, archive, solver_of[n]);
  }
  write_nodes(world, archive, &head);
  write_segments(world, archive, &head);
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

// ---- restore ----

// Length of the world's last substep over that of the range, and 1 if they are equal.
static float ratio_of(const weft_world* world, const range_head* head) {
  return (float)(world->stepper.physics.last_h / head->last_h);
}

static float scaled_back(float pos, float prev, float ratio) {
  return ratio == 1.0f ? prev : pos - (pos - prev) * ratio;
}

static void read_motion(weft_world* world, weft__archive* archive, uint32_t i, float ratio) {
  weft__stepper* s = &world->stepper;
  weft__particles* p = &s->particles;
  motion_row row = {0};
  WEFT__ARCHIVE_VALUE(archive, row);
  weft__grips_remove(&s->grips, i);
  weft__moves_cancel(&s->moves, i);
  if (memcmp(&p->inv_mass[i], &row.inv_mass, sizeof(float)) != 0) s->weighed = false;
  p->inv_mass[i] = row.inv_mass;
  for (int axis = 0; axis < 3; ++axis) {
    p->pos[axis][i] = row.pos[axis];
    p->prev[axis][i] = scaled_back(row.pos[axis], row.prev[axis], ratio);
    p->carried[axis][i] = row.carried[axis] * ratio;
  }
  weft__self_restart(&s->contacts.cloth, i);
  weft__particle_contacts_forget(&s->contacts.particle_contacts, i);
}

static void read_velocity(const weft__particles* p, weft__archive* archive, uint32_t i) {
  velocity_row row = {0};
  WEFT__ARCHIVE_VALUE(archive, row);
  weft__store3(p->vel, i, row.vel);
  weft__store3(p->vel_lag, i, row.lag);
  p->kick_share[i] = row.kick_share;
}

// A particle that no longer turns stays so.
static void read_rotation(const weft__particles* p, weft__archive* archive, uint32_t i) {
  rotation_row row = {0};
  WEFT__ARCHIVE_VALUE(archive, row);
  if (!weft__particle_turns(p, i) && p->turn[3][i] == 0.0f) return;
  weft__store3(p->spin, i, row.spin);
  for (int k = 0; k < 4; ++k) p->turn[k][i] = row.turn[k];
}

static void read_force(weft__stepper* s, weft__archive* archive, uint32_t i) {
  const weft__particles* p = &s->particles;
  force_row row = {0};
  WEFT__ARCHIVE_VALUE(archive, row);
  for (int axis = 0; axis < 3; ++axis) {
    p->force[axis][i] = row.force[axis];
    if (row.force[axis] != 0.0f) s->forces.has_added = true;
  }
}

static void read_nodes(weft__trees* trees, weft__archive* archive, const range_head* head,
                       double ratio) {
  for (uint32_t n = 0; n < head->node_count; ++n) {
    node_row row = {0};
    WEFT__ARCHIVE_VALUE(archive, row);
    if (row.node < trees->node_count) trees->multiplier[row.node] = row.multiplier * ratio * ratio;
  }
}

static void read_segments(weft__rods* rods, weft__archive* archive, const range_head* head,
                          double ratio) {
  for (uint32_t n = 0; n < head->segment_count; ++n) {
    segment_row row = {0};
    WEFT__ARCHIVE_VALUE(archive, row);
    if (row.segment >= rods->segment_count) continue;
    memcpy(rods->frame[row.segment], row.frame, sizeof(row.frame));
    rods->spin[row.segment] = row.spin;
    rods->multiplier[row.segment] = row.multiplier * ratio * ratio;
  }
}

static size_t bytes_of(const range_head* head) {
  const size_t row = sizeof(motion_row) + (head->has_velocities ? sizeof(velocity_row) : 0) +
                     (head->has_rotation ? sizeof(rotation_row) : 0) +
                     (head->has_forces ? sizeof(force_row) : 0);
  return sizeof(*head) + head->count * row + head->node_count * sizeof(node_row) +
         head->segment_count * sizeof(segment_row);
}

static weft_result check_content(weft_world* world, const weft__archive* archive,
                                 const range_head* head) {
  weft__particles* p = &world->stepper.particles;
  const size_t size = archive->end - sizeof(weft__snapshot_head);
  WEFT__FAIL_IF(bytes_of(head) != size || !(head->last_h > 0.0), WEFT_ERROR_CORRUPT, "snapshot");
  WEFT__TRY(check_range(world, head->first, head->count));
  WEFT__FAIL_IF((head->has_velocities != 0) != (p->velocity_block != NULL), WEFT_ERROR_FOREIGN,
                "weft_world_def.integrator");
  const bool has_memory = (!head->has_rotation || weft__particles_add_rotation(p)) &&
                          (!head->has_forces || weft__particles_add_forces(p));
  WEFT__FAIL_IF(!has_memory, WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

static weft_result restore_range(weft_world* world, const void* memory, size_t size) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__archive archive;
  range_head head = {0};
  WEFT__TRY(weft__snapshot_open(world, WEFT__SNAPSHOT_RANGE, memory, size, &archive));
  WEFT__ARCHIVE_VALUE(&archive, head);
  WEFT__TRY(archive.result);
  WEFT__TRY(check_content(world, &archive, &head));
  weft__stepper* s = &world->stepper;
  const uint32_t* solver_of = s->schedule.solver_of + head.first;
  const float ratio = ratio_of(world, &head);
  weft__disturb_range(world, head.first, head.count);
  for (uint32_t n = 0; n < head.count; ++n) {
    read_motion(world, &archive, solver_of[n], ratio);
    if (head.has_velocities) read_velocity(&s->particles, &archive, solver_of[n]);
    if (head.has_rotation) read_rotation(&s->particles, &archive, solver_of[n]);
    if (head.has_forces) read_force(s, &archive, solver_of[n]);
  }
  const double scale = s->physics.last_h / head.last_h;
  read_nodes(&s->trees, &archive, &head, scale);
  read_segments(&s->rods, &archive, &head, scale);
  ++world->changes;
  return weft__ok();
}

weft_result weft_world_restore_range(weft_world* world, const void* memory, size_t size) {
  WEFT__RETURN_COMPUTED(restore_range, world, memory, size);
}
