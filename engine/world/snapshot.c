#include "world/snapshot.h"

#include <string.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "edit/link_values.h"
#include "solvers/multigrid/torn_coarse_links.h"
#include "step/contacts.h"
#include "step/step_size.h"
#include "step/tear.h"

static const char magic[8] = {'w', 'e', 'f', 't', 's', 'n', 'a', 'p'};

static weft__archive measuring(void) {
  return (weft__archive){.mode = WEFT__ARCHIVE_WRITE};
}

size_t weft__snapshot_measure(const weft_world* world, weft__snapshot_visit* visit,
                              const void* of) {
  weft__archive archive = measuring();
  visit(world, &archive, of);
  return sizeof(weft__snapshot_head) + archive.at + WEFT__SNAPSHOT_FOOT;
}

// Writes a snapshot of `size` bytes to the memory or the writer of the archive.
static weft_result write_snapshot(const weft_world* world, weft__snapshot_kind kind,
                                  weft__archive* archive, size_t size, weft__snapshot_visit* visit,
                                  const void* of) {
  weft__snapshot_head head = {.version = WEFT_SNAPSHOT_VERSION,
                              .kind = kind,
                              .size = size,
                              .fingerprint = world->fingerprint,
                              .particle_count = world->stepper.particles.count};
  memcpy(head.magic, magic, sizeof(magic));
  weft__archive_raw(archive, &head, sizeof(head));
  visit(world, archive, of);
  const uint64_t sum = weft__checksum_value(&archive->sum);
  weft__archive_raw(archive, &sum, sizeof(sum));
  if (archive->writer != NULL) weft__archive_flush(archive);
  return archive->result;
}

weft_result weft__snapshot_save(const weft_world* world, weft__snapshot_kind kind, void* memory,
                                size_t capacity, size_t* size, weft__snapshot_visit* visit,
                                const void* of) {
  WEFT__FAIL_IF(memory == NULL, WEFT_ERROR_NULL, "memory");
  WEFT__FAIL_IF(size == NULL, WEFT_ERROR_NULL, "size");
  const size_t needed = weft__snapshot_measure(world, visit, of);
  WEFT__FAIL_IF(needed > capacity, WEFT_ERROR_RANGE, "capacity");
  weft__archive archive = measuring();
  archive.to = memory;
  *size = needed;
  return write_snapshot(world, kind, &archive, needed, visit, of);
}

static weft_result check_head(const weft_world* world, weft__snapshot_kind kind,
                              const weft__snapshot_head* head, size_t size) {
  WEFT__FAIL_IF(memcmp(head->magic, magic, sizeof(magic)) != 0, WEFT_ERROR_CORRUPT, "snapshot");
  if (head->version != WEFT_SNAPSHOT_VERSION) {
    return weft__fail_at(WEFT_ERROR_VERSION, "snapshot", head->version);
  }
  WEFT__FAIL_IF(head->size > size, WEFT_ERROR_TRUNCATED, "size");
  WEFT__FAIL_IF(head->size < size, WEFT_ERROR_RANGE, "size");
  const bool is_whole = head->size >= sizeof(*head) + WEFT__SNAPSHOT_FOOT &&
                        head->size % sizeof(uint64_t) == 0 && head->kind == (uint32_t)kind;
  WEFT__FAIL_IF(!is_whole, WEFT_ERROR_CORRUPT, "snapshot");
  WEFT__FAIL_IF(head->fingerprint != world->fingerprint ||
                    head->particle_count != world->stepper.particles.count,
                WEFT_ERROR_FOREIGN, "scene");
  return weft__ok();
}

weft_result weft__snapshot_open(const weft_world* world, weft__snapshot_kind kind,
                                const void* memory, size_t size, weft__archive* archive) {
  weft__snapshot_head head;
  WEFT__FAIL_IF(memory == NULL, WEFT_ERROR_NULL, "memory");
  WEFT__FAIL_IF(size < sizeof(head), WEFT_ERROR_TRUNCATED, "size");
  memcpy(&head, memory, sizeof(head));
  WEFT__TRY(check_head(world, kind, &head, size));
  const unsigned char* bytes = memory;
  const size_t end = (size_t)head.size - WEFT__SNAPSHOT_FOOT;
  weft__checksum sum = {0};
  uint64_t expected = 0;
  weft__checksum_add(&sum, bytes, end);
  memcpy(&expected, bytes + end, sizeof(expected));
  WEFT__FAIL_IF(weft__checksum_value(&sum) != expected, WEFT_ERROR_CORRUPT, "snapshot");
  *archive =
      (weft__archive){.mode = WEFT__ARCHIVE_CHECK, .from = bytes, .at = sizeof(head), .end = end};
  return weft__ok();
}

// Memory that state needs and that a world may lack. It changes nothing to have it.
typedef struct memory_needs {
  uint64_t moves, held;
  uint64_t stages; /* one bit each */
  bool forces, rotation, removed, touch, radii, follows, airs, pause, partial, rest_lengths,
      compliances;
  bool unused[5]; /* false: see weft__archive_value() */
} memory_needs;

static memory_needs needs_of(const weft_world* world) {
  const weft__stepper* stepper = &world->stepper;
  memory_needs needs = {0};
  needs.moves = stepper->moves.count;
  needs.held = stepper->grips.count;
  needs.forces = stepper->particles.force_block != NULL;
  needs.rotation = stepper->particles.rotation_block != NULL;
  needs.removed = stepper->particles.removed != NULL;
  needs.touch = stepper->bounds.touch != NULL;
  needs.radii = stepper->bounds.radius_block != NULL;
  needs.airs = stepper->forces.airs != NULL;
  needs.pause = stepper->pause.block != NULL;
  needs.partial = world->fixed_step.remainder == WEFT_REMAINDER_STEP ||
                  !weft__step_size_is_constant(&stepper->physics);
  needs.rest_lengths = stepper->schedule.links.is_spread[WEFT__VALUE_REST_LENGTH];
  needs.compliances = stepper->schedule.links.is_spread[WEFT__VALUE_COMPLIANCE];
  needs.follows = weft__levels_are_tearable(&stepper->levels);
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->snapshots.has_memory != NULL && stage->snapshots.has_memory(stepper->stages.of[s]))
      needs.stages |= 1u << s;
  }
  return needs;
}

static size_t beyond(uint64_t needed, size_t count) {
  return needed > count ? (size_t)needed - count : 0;
}

static bool allocate_stages(const weft__stage_states* states, const weft__particles* particles,
                            uint64_t stages) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const bool is_needed = (stages >> s & 1u) != 0 && weft__stages[s]->snapshots.add_memory != NULL;
    if (is_needed && !weft__stages[s]->snapshots.add_memory(states->of[s], particles)) {
      return false;
    }
  }
  return true;
}

static bool allocate(weft_world* world, const memory_needs* needs) {
  weft__stepper* stepper = &world->stepper;
  const uint32_t count = stepper->particles.count;
  weft__particles* particles = &stepper->particles;
  const size_t moves = beyond(needs->moves, stepper->moves.count);
  const size_t held = beyond(needs->held, stepper->grips.count);
  return (!needs->forces || (weft__particles_add_forces(particles) &&
                             weft__forces_add_surface(&stepper->forces, &stepper->schedule))) &&
         (!needs->rotation || weft__particles_add_rotation(particles)) &&
         (!needs->removed || weft__particles_add_removed(particles)) &&
         (!needs->touch || weft__bounds_add_contacts(&stepper->bounds)) &&
         (!needs->radii || weft__bounds_add_radii(&stepper->bounds)) &&
         (!needs->airs || weft__forces_add_airs(&stepper->forces)) &&
         (!needs->partial || weft__step_size_prepare(&stepper->partial, particles)) &&
         (!needs->pause || weft__pause_prepare(&stepper->pause, count)) &&
         (!needs->rest_lengths ||
          weft__link_values_spread(&stepper->schedule, WEFT__VALUE_REST_LENGTH)) &&
         (!needs->compliances ||
          weft__link_values_spread(&stepper->schedule, WEFT__VALUE_COMPLIANCE)) &&
         (!needs->follows || weft__levels_make_tearable(&stepper->levels)) &&
         allocate_stages(&stepper->stages, particles, needs->stages) &&
         (needs->moves == 0 || weft__moves_reserve(&stepper->moves, count, moves)) &&
         (needs->held == 0 || weft__grips_reserve(&stepper->grips, count, held));
}

static void visit_memory(weft__archive* archive, weft_world* world) {
  memory_needs needs = needs_of(world);
  WEFT__ARCHIVE_VALUE(archive, needs);
  const uint64_t count = world->stepper.particles.count;
  if (!weft__archive_expect(archive, needs.moves <= count && needs.held <= count)) return;
  if (!weft__archive_is_checking(archive)) return;
  (void)weft__archive_allocated(archive, allocate(world, &needs));
}

// Setting that both worlds must share.
static void compare(weft__archive* archive, double own, const char* field) {
  double value = own;
  WEFT__ARCHIVE_VALUE(archive, value);
  if (weft__archive_is_reading(archive) && value != own) {
    weft__archive_fail(archive, WEFT_ERROR_FOREIGN, field);
  }
}

// Substeps may change between steps: the snapshot's number is taken.
static void visit_substeps(weft__archive* archive, weft_world* world) {
  double substeps = world->stepper.settings.substeps;
  WEFT__ARCHIVE_VALUE(archive, substeps);
  const bool is_within = substeps >= 1.0 && substeps <= (double)WEFT__MAX_SUBSTEPS;
  if (!weft__archive_expect(archive, is_within && (double)(uint32_t)substeps == substeps)) return;
  if (weft__archive_is_loading(archive)) world->stepper.settings.substeps = (uint32_t)substeps;
}

// Number that differs where bodies have other settings.
static double digest_of(const weft__settings* settings) {
  uint32_t digest = (uint32_t)settings->quality;
  for (uint32_t g = 0; g < settings->groups.count; ++g) {
    const weft__rate_group* group = &settings->groups.of[g];
    const uint32_t flags = 4 * (uint32_t)group->adaption + (group->sweeps_adapt ? 2u : 0u) +
                           (group->on_levels ? 1u : 0u);
    digest = 31u * (31u * (31u * digest + group->substeps) + group->iterations) + flags;
  }
  return digest;
}

static void visit_def(weft__archive* archive, weft_world* world) {
  visit_substeps(archive, world);
  const weft__stepper* s = &world->stepper;
  const weft_pair_force_def* law = &s->settings.pair_force;
  compare(archive, s->settings.iterations, "weft_solver_def.iterations");
  compare(archive, s->settings.coarse_iterations, "weft_solver_def.coarse_iterations");
  compare(archive, s->settings.coarse_every, "weft_solver_def.coarse_every");
  compare(archive, s->settings.direct_iterations, "weft_solver_def.direct_iterations");
  compare(archive, s->settings.max_attachments, "weft_solver_def.attachments");
  compare(archive, digest_of(&s->settings), "weft_solver_def.quality");
  compare(archive, s->settings.direct_bends, "weft_solver_def.direct_bends");
  compare(archive, s->settings.integrator, "weft_solver_def.integrator");
  compare(archive, s->settings.sweeps, "weft_solver_def.sweeps");
  compare(archive, s->settings.with_springs, "weft_solver_def.springs");
  compare(archive, s->settings.with_loads, "weft_world_def.loads");
  compare(archive, (double)s->relaxation.residual.tolerance, "weft_solver_def.tolerance");
  compare(archive, s->physics.is_plane, "weft_world_def.plane");
  compare(archive, (double)s->settings.sleep_speed, "weft_world_def.sleep_speed");
  compare(archive, (double)s->settings.sleep_seconds, "weft_world_def.sleep_seconds");
  compare(archive, s->settings.max_joints, "weft_world_def.max_joints");
  compare(archive, s->settings.max_events, "weft_world_def.max_events");
  compare(archive, law->kind, "weft_pair_force_def.kind");
  if (law->kind == WEFT_PAIR_FORCE_NONE) return;
  compare(archive, (double)law->strength, "weft_pair_force_def.strength");
  // size has no meaning for other laws, and no range
  const bool has_size = law->kind == WEFT_PAIR_FORCE_LENNARD_JONES;
  compare(archive, has_size ? (double)law->size : 0.0, "weft_pair_force_def.size");
  compare(archive, (double)law->cutoff, "weft_pair_force_def.cutoff");
  compare(archive, law->max_neighbors, "weft_pair_force_def.max_neighbors");
  compare(archive, law->first, "weft_pair_force_def.first");
  compare(archive, law->count, "weft_pair_force_def.count");
}

#define MEMBER(name) WEFT__MEMBER(weft_world, name)

// State that is in no table of its own.
static const weft__column columns[] = {
    MEMBER(step_count),
    MEMBER(fixed_step.step_ns),
    MEMBER(fixed_step.leftover_ns),
    MEMBER(fixed_step.max_steps),
    MEMBER(fixed_step.remainder),
    MEMBER(fixed_step.min_elapsed_ns),
    MEMBER(fixed_step.max_elapsed_ns),
    MEMBER(fixed_step.smooth),
    MEMBER(fixed_step.has_last),
    MEMBER(fixed_step.last_ns),
    MEMBER(fixed_step.half),
    MEMBER(fixed_step.scale),
    MEMBER(fixed_step.scale_part),
    MEMBER(fixed_step.part),
    MEMBER(stepper.physics.gravity),
    MEMBER(stepper.physics.damping),
    MEMBER(stepper.physics.max_speed),
    MEMBER(stepper.substep_count.set),
    MEMBER(stepper.substep_count.most),
    MEMBER(stepper.substep_count.calm),
    MEMBER(stepper.physics.h),
    MEMBER(stepper.physics.solved_h),
    MEMBER(stepper.physics.last_h),
    MEMBER(stepper.physics.taken_h),
    MEMBER(stepper.physics.error_h),
    MEMBER(stepper.torn.count),
    MEMBER(stepper.relaxation.last_sweeps),
    MEMBER(stepper.relaxation.last_residual),
    MEMBER(stepper.work),
    MEMBER(stepper.contacts.limits.max_pairs),
    MEMBER(stepper.contacts.limits.max_ccd_pairs),
    MEMBER(stepper.contacts.limits.max_touches),
    MEMBER(stepper.contacts.limits.max_events),
    MEMBER(stepper.contacts.limits.with_stays),
    MEMBER(stepper.contacts.limits.cookie),
    WEFT__COLUMN(weft_world, stepper.environments, stepper.schedule.environment_count, WEFT__STATE),
};

static bool is_sound(const void* table) {
  const weft__stepper* s = &((const weft_world*)table)->stepper;
  const weft__substep_count* count = &s->substep_count;
  if (!(count->set >= 1 && count->set <= count->most && count->most <= WEFT__MAX_SUBSTEPS))
    return false;
  if (!(s->physics.solved_h >= s->physics.h)) return false;
  // substeps of changing lengths need memory
  return s->particles.velocity_block != NULL || s->partial.block != NULL ||
         weft__step_size_is_constant(&s->physics);
}

static void count_pauses(void* table) {
  weft__stepper* s = &((weft_world*)table)->stepper;
  s->pause.count = 0;
  for (uint32_t e = 0; e < s->schedule.environment_count; ++e) {
    s->pause.count += s->environments[e].is_paused;
  }
}

static const weft__table world_table = {.columns = columns,
                                        .count = WEFT__COUNT_OF(columns),
                                        .is_sound = is_sound,
                                        .loaded = count_pauses};

static void visit_particles(weft__archive* archive, weft_world* world) {
  weft__stepper* s = &world->stepper;
  const weft__particles* p = &s->particles;
  // masses are the first column
  const bool is_as_heavy = weft__archive_is_reading(archive) &&
                           weft__archive_is_same(archive, p->inv_mass, p->count, sizeof(float));
  weft__archive_table(archive, &s->particles, &weft__particle_table);
  if (weft__archive_is_loading(archive)) s->weighed = s->weighed && is_as_heavy;
}

static void visit_values(weft__archive* archive, weft_world* world) {
  weft__link_values_visit(&world->stepper.schedule, archive);
}

static void visit_levels(weft__archive* archive, weft_world* world) {
  weft__levels_visit(&world->stepper.levels, archive);
}

static void visit_materials(weft__archive* archive, weft_world* world) {
  weft__materials_visit(&world->stepper.contacts.materials, archive);
}

static void visit_log(weft__archive* archive, weft_world* world) {
  weft__contact_log_visit(&world->stepper.contacts.log, archive,
                          weft__worker_pool_count(world->stepper.pool));
}

static void visit_colliders(weft__archive* archive, weft_world* world) {
  weft__colliders_visit(&world->stepper.contacts.colliders, archive,
                        weft__worker_pool_count(world->stepper.pool),
                        world->stepper.particles.count);
}

static void visit_cloth(weft__archive* archive, weft_world* world) {
  const weft__contact_setup setup = weft__contact_setup_of(world);
  weft__self_visit(&world->stepper.contacts.cloth, archive, &setup);
}

// Strands follow CCD, whose faces they have; faces follow materials.
static void visit_strands_and_faces(weft__archive* archive, weft_world* world) {
  weft__contacts* contacts = &world->stepper.contacts;
  const weft__contact_setup setup = weft__contact_setup_of(world);
  weft__strands_visit(&contacts->strands, archive, &setup,
                      weft__stages_joined_faces(&world->stepper.stages));
  weft__face_contacts_visit(&contacts->faces, archive, &setup);
}

#define TABLE(name, member, table) \
  { name, &(table), offsetof(weft_world, stepper.member), NULL, false }
#define VISITED(name, member, table, visit) \
  { name, &(table), offsetof(weft_world, stepper.member), visit, false }
#define PAIRS(name, member, table, visit) \
  { name, &(table), offsetof(weft_world, stepper.member), visit, true }
#define OTHER(name, visit) \
  { name, NULL, 0, visit, false }

const weft__state_row weft__world_state[] = {
    OTHER("settings", visit_def),
    {"world", &world_table, 0, NULL, false},
    TABLE("bounds", bounds, weft__bounds_table),
    VISITED("particles", particles, weft__particle_table, visit_particles),
    TABLE("reserve", particles.reserve, weft__reserve_table),
    TABLE("moves", moves, weft__moves_table),
    TABLE("grips", grips, weft__grips_table),
    TABLE("schedule", schedule, weft__schedule_table),
    OTHER("values", visit_values),
    OTHER("levels", visit_levels),
    TABLE("attachments", attachments, weft__attachments_table),
    TABLE("joints", joints, weft__joints_table),
    TABLE("torn events", torn.events, weft__torn_events_table),
    TABLE("forces", forces, weft__forces_table),
    VISITED("materials", contacts.materials, weft__materials_table, visit_materials),
    VISITED("log", contacts.log, weft__contact_log_table, visit_log),
    OTHER("colliders", visit_colliders),
    PAIRS("cloth", contacts.cloth, weft__self_table, visit_cloth),
};
const size_t weft__world_state_count = WEFT__COUNT_OF(weft__world_state);

static void visit_stages(weft__archive* archive, const weft_world* world, bool only_pairs) {
  const weft__contact_setup setup = weft__contact_setup_of(world);
  for (uint32_t s = 0; weft__stages[s] != NULL && weft__archive_is_good(archive); ++s) {
    const weft__stage* stage = weft__stages[s];
    void* state = world->stepper.stages.of[s];
    if (only_pairs ? !stage->snapshots.has_pairs
                   : stage->table == NULL && stage->snapshots.visit == NULL)
      continue;
    weft__archive_name(archive, stage->name);
    if (stage->snapshots.visit != NULL) {
      stage->snapshots.visit(state, archive, &setup);
    } else {
      weft__archive_table(archive, state, stage->table);
    }
  }
}

size_t weft__state_table_count(void) {
  return weft__world_state_count + WEFT__STAGE_COUNT;
}

const weft__table* weft__state_table(size_t row) {
  return row < weft__world_state_count ? weft__world_state[row].table
                                       : weft__stages[row - weft__world_state_count]->table;
}

const void* weft__state_struct(const weft_world* world, size_t row) {
  return row < weft__world_state_count ? (const char*)world + weft__world_state[row].offset
                                       : world->stepper.stages.of[row - weft__world_state_count];
}

static void visit_state(weft__archive* archive, weft_world* world, bool only_pairs) {
  for (size_t r = 0; r < weft__world_state_count && weft__archive_is_good(archive); ++r) {
    const weft__state_row* row = &weft__world_state[r];
    if (only_pairs && !row->has_pairs) continue;
    weft__archive_name(archive, row->name);
    if (row->visit != NULL) {
      row->visit(archive, world);
    } else {
      weft__archive_table(archive, (char*)world + row->offset, row->table);
    }
  }
  visit_stages(archive, world, only_pairs);
  weft__archive_name(archive, "strands");
  visit_strands_and_faces(archive, world);
}

void weft__snapshot_visit_pairs(weft__archive* archive, weft_world* world) {
  visit_state(archive, world, true);
}

// Writing leaves the world as it is: visits are not const because the same ones load.
static void write_world(const weft_world* world, weft__archive* archive, const void* of) {
  (void)of;
  visit_memory(archive, (weft_world*)world);
  visit_state(archive, (weft_world*)world, false);
}

weft_result weft_world_get_snapshot_size(const weft_world* world, size_t* size) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(size == NULL, WEFT_ERROR_NULL, "size");
  *size = weft__snapshot_measure(world, write_world, NULL);
  return weft__ok();
}

weft_result weft_world_save(const weft_world* world, void* memory, size_t capacity, size_t* size) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  return weft__snapshot_save(world, WEFT__SNAPSHOT_WORLD, memory, capacity, size, write_world,
                             NULL);
}

weft_result weft_world_save_to(const weft_world* world, weft_snapshot_writer* writer,
                               void* context) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(writer == NULL, WEFT_ERROR_NULL, "writer");
  const size_t size = weft__snapshot_measure(world, write_world, NULL);
  weft__archive archive = measuring();
  archive.writer = writer;
  archive.writer_context = context;
  return write_snapshot(world, WEFT__SNAPSHOT_WORLD, &archive, size, write_world, NULL);
}

// Destroys the tables of `of` that `by` does not share.
static void discard(weft_world* of, const weft_world* by) {
  weft__contacts* unwanted = &of->stepper.contacts;
  const weft__contacts* kept = &by->stepper.contacts;
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->snapshots.discard == NULL) continue;
    weft__stages[s]->snapshots.discard(of->stepper.stages.of[s], by->stepper.stages.of[s]);
  }
  if (unwanted->materials.rows != kept->materials.rows) {
    weft__materials_destroy(&unwanted->materials);
  }
  if (unwanted->log.lists != kept->log.lists) weft__contact_log_destroy(&unwanted->log);
  if (unwanted->colliders.list != kept->colliders.list) {
    weft__colliders_discard(&unwanted->colliders, &kept->colliders);
  }
  if (unwanted->cloth.block != kept->cloth.block) weft__self_destroy(&unwanted->cloth);
  if (unwanted->strands.block != kept->strands.block) weft__strands_destroy(&unwanted->strands);
  if (unwanted->faces.block != kept->faces.block) weft__face_contacts_destroy(&unwanted->faces);
}

// Recomputes or outdates all tables that are derived from the state.
static void derive(weft_world* world) {
  // tables that were replaced know the copy
  world->stepper.contacts.cloth.faces = &world->stepper.forces.faces;
  world->stepper.contacts.faces.faces = &world->stepper.forces.faces;
  const weft__contact_setup setup = weft__contact_setup_of(world);
  weft__stages_connect(&world->stepper.stages, &setup);
  weft__contacts_connect(&world->stepper.contacts,
                         weft__stages_joined_faces(&world->stepper.stages));
  weft__step_size size = weft__stepper_step_size(&world->stepper);
  weft__step_size_apply(&size);
  weft__load_radii(world, 0, world->stepper.particles.count);
  ++world->changes;
}

// Values go into a copy of the world, which shares its columns but for tables that are replaced.
static weft_result restore_into(weft_world* world, weft_world* copy, weft__archive* archive) {
  visit_memory(archive, world);
  if (!weft__archive_is_good(archive)) return archive->result;
  memcpy(copy, world, sizeof(*copy));
  if (!weft__archive_allocated(archive,
                               weft__stages_copy(&copy->stepper.stages, &world->stepper.stages))) {
    return archive->result;
  }
  visit_state(archive, copy, false);
  (void)weft__archive_expect(archive, archive->at == archive->end);
  if (!weft__archive_is_good(archive)) {
    discard(copy, world);
    weft__free(copy->stepper.stages.block);
    return archive->result;
  }
  archive->mode = WEFT__ARCHIVE_LOAD;
  archive->at = sizeof(weft__snapshot_head);
  visit_memory(archive, copy);
  visit_state(archive, copy, false);
  discard(world, copy);
  // states stay where they are
  const weft__stage_states stages = world->stepper.stages;
  memcpy(stages.block, copy->stepper.stages.block, stages.block_bytes);
  weft__free(copy->stepper.stages.block);
  memcpy(world, copy, sizeof(*copy));
  world->stepper.stages = stages;
  derive(world);
  return weft__ok();
}

static weft_result restore(weft_world* world, const void* memory, size_t size) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__archive archive;
  WEFT__TRY(weft__snapshot_open(world, WEFT__SNAPSHOT_WORLD, memory, size, &archive));
  weft_world* copy = weft__alloc(1, sizeof(*copy));
  WEFT__FAIL_IF(copy == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  const weft_result result = restore_into(world, copy, &archive);
  weft__free(copy);
  return result;
}

weft_result weft_world_restore(weft_world* world, const void* memory, size_t size) {
  WEFT__RETURN_COMPUTED(restore, world, memory, size);
}
