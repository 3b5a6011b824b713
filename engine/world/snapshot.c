/* Snapshots: head, foot, and the list of all rooms with state. */
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

// ---- head and foot ----

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

// ---- rooms ----

// Memory that state needs and that a world may lack. It changes nothing to have it.
typedef struct memory_needs {
  uint64_t moves, held;
  bool forces, rotation, removed, touch, radii, follows, airs, pause, partial, rest_lengths,
      compliances, skin;
  bool unused[4]; /* false: see weft__archive_value() */
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
  needs.partial =
      world->fixed_step.remainder == WEFT_REMAINDER_STEP || !weft__step_size_is_constant(stepper);
  needs.rest_lengths = stepper->schedule.is_spread[WEFT__VALUE_REST_LENGTH];
  needs.compliances = stepper->schedule.is_spread[WEFT__VALUE_COMPLIANCE];
  needs.follows = weft__levels_are_tearable(&stepper->levels);
  needs.skin = stepper->skin.on;
  return needs;
}

static size_t beyond(uint64_t needed, size_t count) {
  return needed > count ? (size_t)needed - count : 0;
}

static bool allocate(weft__stepper* stepper, const memory_needs* needs) {
  const uint32_t count = stepper->particles.count;
  weft__particles* particles = &stepper->particles;
  const size_t moves = beyond(needs->moves, stepper->moves.count);
  const size_t held = beyond(needs->held, stepper->grips.count);
  return (!needs->forces || weft__particles_add_forces(particles)) &&
         (!needs->rotation || weft__particles_add_rotation(particles)) &&
         (!needs->removed || weft__particles_add_removed(particles)) &&
         (!needs->touch || weft__bounds_add_contacts(&stepper->bounds, count)) &&
         (!needs->radii || weft__bounds_add_radii(&stepper->bounds, count)) &&
         (!needs->airs || weft__forces_add_airs(&stepper->forces)) &&
         (!needs->partial || weft__step_size_prepare(stepper)) &&
         (!needs->pause || weft__pause_prepare(&stepper->pause, count)) &&
         (!needs->rest_lengths ||
          weft__link_values_spread(&stepper->schedule, WEFT__VALUE_REST_LENGTH)) &&
         (!needs->compliances ||
          weft__link_values_spread(&stepper->schedule, WEFT__VALUE_COMPLIANCE)) &&
         (!needs->follows || weft__tear_prepare(stepper)) &&
         (!needs->skin || weft__skin_create(&stepper->skin, particles)) &&
         (needs->moves == 0 || weft__moves_reserve(&stepper->moves, count, moves)) &&
         (needs->held == 0 || weft__grips_reserve(&stepper->grips, count, held));
}

static void visit_memory(weft__archive* archive, weft_world* world) {
  memory_needs needs = needs_of(world);
  WEFT__ARCHIVE_VALUE(archive, needs);
  const uint64_t count = world->stepper.particles.count;
  if (!weft__archive_expect(archive, needs.moves <= count && needs.held <= count)) return;
  if (!weft__archive_is_checking(archive)) return;
  (void)weft__archive_allocated(archive, allocate(&world->stepper, &needs));
}

// A setting that the two worlds must have in common.
static void compare(weft__archive* archive, double own, const char* field) {
  double value = own;
  WEFT__ARCHIVE_VALUE(archive, value);
  if (weft__archive_is_reading(archive) && value != own) {
    weft__archive_fail(archive, WEFT_ERROR_FOREIGN, field);
  }
}

// May change between steps: that of the snapshot is taken.
static void visit_substeps(weft__archive* archive, weft_world* world) {
  double substeps = world->stepper.substeps;
  WEFT__ARCHIVE_VALUE(archive, substeps);
  const bool is_within = substeps >= 1.0 && substeps <= (double)WEFT__MAX_SUBSTEPS;
  if (!weft__archive_expect(archive, is_within && (double)(uint32_t)substeps == substeps)) return;
  if (weft__archive_is_loading(archive)) world->stepper.substeps = (uint32_t)substeps;
}

static void visit_def(weft__archive* archive, weft_world* world) {
  visit_substeps(archive, world);
  const weft__stepper* s = &world->stepper;
  const weft_pair_force_def* law = &s->pair_force;
  compare(archive, s->iterations, "weft_world_def.iterations");
  compare(archive, s->coarse_iterations, "weft_world_def.coarse_iterations");
  compare(archive, s->coarse_every, "weft_world_def.coarse_every");
  compare(archive, s->direct_iterations, "weft_world_def.direct_iterations");
  compare(archive, s->max_attachments, "weft_world_def.attachments");
  compare(archive, s->direct_bends, "weft_world_def.direct_bends");
  compare(archive, s->direct_sheets, "weft_world_def.direct_sheets");
  compare(archive, s->integrator, "weft_world_def.integrator");
  compare(archive, s->sweeps, "weft_world_def.sweeps");
  compare(archive, s->with_springs, "weft_world_def.springs");
  compare(archive, s->with_loads, "weft_world_def.loads");
  compare(archive, (double)s->residual.tolerance, "weft_world_def.tolerance");
  compare(archive, s->forces.has_faces, "weft_world_def.faces");
  compare(archive, s->physics.is_plane, "weft_world_def.plane");
  compare(archive, (double)s->sleep.speed, "weft_world_def.sleep_speed");
  compare(archive, (double)s->sleep.seconds, "weft_world_def.sleep_seconds");
  compare(archive, s->max_joints, "weft_world_def.max_joints");
  compare(archive, s->max_events, "weft_world_def.max_events");
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

static void visit_time(weft__archive* archive, weft_world* world) {
  weft__fixed_step* t = &world->fixed_step;
  WEFT__ARCHIVE_VALUE(archive, world->step_count);
  WEFT__ARCHIVE_VALUE(archive, t->step_ns);
  WEFT__ARCHIVE_VALUE(archive, t->leftover_ns);
  WEFT__ARCHIVE_VALUE(archive, t->max_steps);
  WEFT__ARCHIVE_VALUE(archive, t->remainder);
  WEFT__ARCHIVE_VALUE(archive, t->min_elapsed_ns);
  WEFT__ARCHIVE_VALUE(archive, t->max_elapsed_ns);
  WEFT__ARCHIVE_VALUE(archive, t->smooth);
  WEFT__ARCHIVE_VALUE(archive, t->has_last);
  WEFT__ARCHIVE_VALUE(archive, t->last_ns);
  WEFT__ARCHIVE_VALUE(archive, t->half);
  WEFT__ARCHIVE_VALUE(archive, t->scale);
  WEFT__ARCHIVE_VALUE(archive, t->scale_part);
  WEFT__ARCHIVE_VALUE(archive, t->part);
}

static void visit_environments(weft__archive* archive, weft_world* world) {
  weft__stepper* s = &world->stepper;
  const uint32_t count = s->schedule.environment_count;
  WEFT__ARCHIVE_ARRAY(archive, s->environments, count);
  if (!weft__archive_is_loading(archive)) return;
  s->pause.count = 0;
  for (uint32_t e = 0; e < count; ++e) s->pause.count += s->environments[e].is_paused;
}

static void visit_physics(weft__archive* archive, weft_world* world) {
  weft__stepper* s = &world->stepper;
  WEFT__ARCHIVE_VALUE(archive, s->physics.gravity);
  WEFT__ARCHIVE_VALUE(archive, s->physics.damping);
  WEFT__ARCHIVE_VALUE(archive, s->physics.max_speed);
  WEFT__ARCHIVE_VALUE(archive, s->physics.h);
  WEFT__ARCHIVE_VALUE(archive, s->physics.last_h);
  WEFT__ARCHIVE_VALUE(archive, s->physics.taken_h);
  WEFT__ARCHIVE_VALUE(archive, s->physics.error_h);
  const bool has_memory = s->integrators.on || s->partial.block != NULL;
  (void)weft__archive_expect(archive, has_memory || weft__step_size_is_constant(s));
  WEFT__ARCHIVE_VALUE(archive, s->torn_count);
  WEFT__ARCHIVE_VALUE(archive, s->sweep_count);
  WEFT__ARCHIVE_VALUE(archive, s->last_residual);
  weft__bounds_visit(&s->bounds, archive, s->particles.count);
}

static void visit_particles(weft__archive* archive, weft_world* world) {
  weft__stepper* s = &world->stepper;
  bool is_as_heavy = false;
  weft__particles_visit(&s->particles, archive, &is_as_heavy);
  if (weft__archive_is_loading(archive)) s->weighed = s->weighed && is_as_heavy;
  weft__moves_visit(&s->moves, archive, s->particles.count);
  weft__grips_visit(&s->grips, archive, s->particles.count);
  bool has_skin = s->skin.on;
  WEFT__ARCHIVE_VALUE(archive, has_skin);
  if (!weft__archive_expect(archive, !has_skin || s->skin.on)) return;
  if (has_skin) weft__skin_visit(&s->skin, archive);
  // a world that had none when it was saved
  if (weft__archive_is_loading(archive) && !has_skin) weft__skin_destroy(&s->skin);
}

static void visit_links(weft__archive* archive, weft_world* world) {
  weft__stepper* s = &world->stepper;
  weft__schedule_visit_state(&s->schedule, archive);
  weft__schedule_visit_multipliers(&s->schedule, archive);
  weft__link_values_visit(&s->schedule, archive);
  if (weft__link_values_are_spread(&s->schedule)) {
    WEFT__ARCHIVE_ARRAY(archive, s->trees.rest_length, s->trees.node_count);
    WEFT__ARCHIVE_ARRAY(archive, s->trees.compliance, s->trees.node_count);
    WEFT__ARCHIVE_ARRAY(archive, s->integrators.springs.ends, 2 * s->integrators.springs.count);
  }
  weft__levels_visit(&s->levels, archive, &s->schedule);
  weft__attachments_visit(&s->attachments, archive);
  weft__trees_visit(&s->trees, archive);
  if (s->rods.rod_count > 0) weft__rods_visit(&s->rods, archive);
  weft__joints_visit(&s->joints, archive);
  weft__torn_events_visit(&s->torn_events, archive);
}

static void visit_forces(weft__archive* archive, weft_world* world) {
  weft__stepper* s = &world->stepper;
  weft__forces_visit(&s->forces, archive);
  weft__pair_forces_visit(&s->integrators.pair_forces, archive, s->particles.count);
}

static void visit_limits(weft_contact_limits_def* limits, weft__archive* archive) {
  WEFT__ARCHIVE_VALUE(archive, limits->max_pairs);
  WEFT__ARCHIVE_VALUE(archive, limits->max_ccd_pairs);
  WEFT__ARCHIVE_VALUE(archive, limits->max_touches);
  WEFT__ARCHIVE_VALUE(archive, limits->max_events);
  WEFT__ARCHIVE_VALUE(archive, limits->with_stays);
  WEFT__ARCHIVE_VALUE(archive, limits->cookie);
}

static void visit_contacts(weft__archive* archive, weft_world* world) {
  WEFT__ARCHIVE_VALUE(archive, world->stepper.work);
  weft__contacts* contacts = &world->stepper.contacts;
  const uint32_t workers = weft__worker_pool_count(world->stepper.pool);
  visit_limits(&contacts->limits, archive);
  weft__materials_visit(&contacts->materials, archive, world->stepper.particles.count);
  weft__contact_log_visit(&contacts->log, archive, workers);
  weft__colliders_visit(&contacts->colliders, archive, workers);
}

void weft__snapshot_visit_pairs(weft__archive* archive, weft_world* world) {
  weft__contacts* contacts = &world->stepper.contacts;
  const weft__contact_setup setup = weft__contact_setup_of(world);
  weft__self_visit(&contacts->cloth, archive, &setup);
  weft__particle_contacts_visit(&contacts->particle_contacts, archive);
  weft__ccd_visit(&contacts->ccd, archive, &setup);
  weft__strands_visit(&contacts->strands, archive, &setup, contacts->ccd.joined_faces);
  weft__face_contacts_visit(&contacts->faces, archive, &setup);
}

static void visit_sleep(weft__archive* archive, weft_world* world) {
  weft__sleep_visit(&world->stepper.sleep, archive, world->stepper.schedule.patch_count);
}

// All state of a world. A new room of state is a line here, or a line of its visitor.
static const struct room {
  const char* name;
  void (*visit)(weft__archive* archive, weft_world* world);
} rooms[] = {
    {"settings", visit_def},
    {"time", visit_time},
    {"physics", visit_physics},
    {"environments", visit_environments},
    {"particles", visit_particles},
    {"links", visit_links},
    {"forces", visit_forces},
    {"contacts", visit_contacts},
    {"pairs", weft__snapshot_visit_pairs},
    {"sleep", visit_sleep},
};

static void visit_rooms(weft__archive* archive, weft_world* world) {
  for (size_t r = 0; r < sizeof(rooms) / sizeof(*rooms); ++r) {
    weft__archive_name(archive, rooms[r].name);
    if (!weft__archive_is_good(archive)) return;
    rooms[r].visit(archive, world);
  }
}

// ---- save ----

// Writing leaves the world as it is: visits are not const because the same ones load.
static void write_world(const weft_world* world, weft__archive* archive, const void* of) {
  (void)of;
  visit_memory(archive, (weft_world*)world);
  visit_rooms(archive, (weft_world*)world);
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

// ---- restore ----

// Destroys the tables of `unwanted` that `kept` has replaced.
static void discard(weft__contacts* unwanted, const weft__contacts* kept) {
  if (unwanted->materials.rows != kept->materials.rows) {
    weft__materials_destroy(&unwanted->materials);
  }
  if (unwanted->log.lists != kept->log.lists) weft__contact_log_destroy(&unwanted->log);
  if (unwanted->colliders.list != kept->colliders.list) {
    weft__colliders_discard(&unwanted->colliders, &kept->colliders);
  }
  if (unwanted->cloth.block != kept->cloth.block) weft__self_destroy(&unwanted->cloth);
  if (unwanted->particle_contacts.block != kept->particle_contacts.block) {
    weft__particle_contacts_destroy(&unwanted->particle_contacts);
  }
  if (unwanted->ccd.block != kept->ccd.block) weft__ccd_destroy(&unwanted->ccd);
  if (unwanted->strands.block != kept->strands.block) weft__strands_destroy(&unwanted->strands);
  if (unwanted->faces.block != kept->faces.block) weft__face_contacts_destroy(&unwanted->faces);
}

// Recomputes or outdates what is derived from the state.
static void derive(weft_world* world) {
  // tables that were replaced know the copy
  world->stepper.contacts.cloth.faces = &world->stepper.forces.faces;
  weft__ccd* ccd = &world->stepper.contacts.ccd;
  ccd->faces = ccd->joined_faces != NULL ? ccd->joined_faces : &world->stepper.forces.faces;
  world->stepper.contacts.faces.faces = &world->stepper.forces.faces;
  weft__contacts_connect(&world->stepper.contacts);
  weft__step_size_set(&world->stepper, world->stepper.physics.h);
  weft__load_radii(world, 0, world->stepper.particles.count);
  ++world->changes;
  world->indexed_materials = ~world->stepper.contacts.materials.version;
}

// Values are read into a copy of the world: its columns are the world's, but for tables that are
// replaced.
static weft_result restore_into(weft_world* world, weft_world* copy, weft__archive* archive) {
  visit_memory(archive, world);
  if (!weft__archive_is_good(archive)) return archive->result;
  memcpy(copy, world, sizeof(*copy));
  visit_rooms(archive, copy);
  (void)weft__archive_expect(archive, archive->at == archive->end);
  if (!weft__archive_is_good(archive)) {
    discard(&copy->stepper.contacts, &world->stepper.contacts);
    return archive->result;
  }
  archive->mode = WEFT__ARCHIVE_LOAD;
  archive->at = sizeof(weft__snapshot_head);
  visit_memory(archive, copy);
  visit_rooms(archive, copy);
  discard(&world->stepper.contacts, &copy->stepper.contacts);
  memcpy(world, copy, sizeof(*copy));
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
