#include "base/float_mode.h"
#include "base/hash.h"
#include "world/attributes.h"
#include "world/ranges.h"

weft_result weft_world_explain(const weft_world* world, uint32_t capacity,
                               weft_body_settings* bodies, uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  WEFT__FAIL_IF(bodies == NULL && capacity > 0, WEFT_ERROR_NULL, "bodies");
  for (size_t b = 0; b < world->body_count && b < capacity; ++b)
    bodies[b] = world->bodies[b].settings;
  *count = (uint32_t)world->body_count;
  return weft__ok();
}

const char* weft_settings_reason_text(weft_settings_reason reason) {
  switch (reason) {
    case WEFT_SETTINGS_REASON_GIVEN:
      return "as given";
    case WEFT_SETTINGS_REASON_LOOSE:
      return "particles without links";
    case WEFT_SETTINGS_REASON_SWEEPS:
      return "sweeps bear its weight";
    case WEFT_SETTINGS_REASON_DIRECT:
      return "a rope, tree or rod, solved directly";
    case WEFT_SETTINGS_REASON_HUNG:
      return "pinned and rigid: attachments bear it";
    case WEFT_SETTINGS_REASON_SAGS:
      return "large: levels bear what sweeps would let sag";
    case WEFT_SETTINGS_REASON_ELASTIC:
      return "an elastic sheet";
    case WEFT_SETTINGS_REASON_MEASURED:
      return "cloth of measured stiffness";
  }
  return "unknown";
}

weft_result weft_world_get_stats(const weft_world* world, weft_world_stats* stats) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(stats == NULL, WEFT_ERROR_NULL, "stats");
  const weft__stepper* stepper = &world->stepper;
  *stats = (weft_world_stats){
      .particle_count = stepper->particles.count,
      .link_count = stepper->schedule.links.link_count,
      .patch_count = stepper->schedule.patch_count,
      .patch_color_count = stepper->schedule.color_count,
      .group_count = stepper->schedule.links.group_count,
      .run_group_count = stepper->schedule.run_group_count,
      .bend_count = stepper->schedule.bend_count,
      .swept_bend_count = stepper->schedule.hinges.hinge_count,
      .substeps = stepper->substep_count.set,
      .last_substeps = stepper->settings.substeps,
      .iterations = stepper->settings.iterations,
      .coarse_iterations = stepper->settings.coarse_iterations,
      .attachments = stepper->settings.max_attachments,
      .sweeps = stepper->relaxation.last_sweeps,
      .residual = stepper->relaxation.last_residual,
      .worker_count = weft__worker_pool_count(stepper->pool),
      .torn_count = stepper->torn.count,
      .joint_count = weft__joints_count_whole(&stepper->joints),
      .lost_events = stepper->torn.events.lost,
      .isa = stepper->kernels->isa,
      .step_count = world->step_count,
      .bytes = sizeof(*world) + weft__stepper_bytes(stepper),
  };
  return weft__ok();
}

const char* weft_stage_name(weft_stage stage) {
  static const char* const names[WEFT_STAGE_COUNT] = {
      "forces",    "links", "direct", "broad_phase", "self_collision", "particle_contacts",
      "colliders", "ccd",   "bounds", "tears",       "events"};
  const bool is_one = (int)stage >= 0 && (int)stage < WEFT_STAGE_COUNT;
  return is_one ? names[stage] : "unknown";
}

weft_result weft_world_get_profile(const weft_world* world, double* seconds) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(seconds == NULL, WEFT_ERROR_NULL, "seconds");
  const weft__profile* profile = &world->stepper.profile;
  WEFT__FAIL_IF(!profile->on, WEFT_ERROR_DISABLED, "weft_world_def.profile");
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    seconds[stage] = (double)profile->spent_ns[stage] * 1e-9;
  }
  return weft__ok();
}

weft_result weft_world_get_spans(const weft_world* world, uint32_t worker, weft_spans* spans) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(spans == NULL, WEFT_ERROR_NULL, "spans");
  const weft__spans* recorded = world->stepper.profile.spans;
  WEFT__FAIL_IF(recorded == NULL, WEFT_ERROR_DISABLED, "weft_world_def.span_capacity");
  WEFT__FAIL_IF(worker >= recorded->worker_count, WEFT_ERROR_INDEX, "worker");
  const weft__span_list* list = &recorded->lists[worker];
  *spans = (weft_spans){list->items, list->count, list->lost};
  return weft__ok();
}

weft_result weft_world_set_span_capacity(weft_world* world, uint32_t capacity) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(WEFT__CHECK_AS(world, span_capacity, &capacity, "capacity"));
  weft__stepper* stepper = &world->stepper;
  const uint32_t workers = weft__worker_pool_count(stepper->pool);
  WEFT__FAIL_IF(!weft__profile_record_spans(&stepper->profile, workers, capacity),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  stepper->settings.max_spans = capacity;
  world->def.span_capacity = capacity;
  return weft__ok();
}

// Schedule of a level: 0 = the world's particles; NULL if there is none.
static const weft__schedule* find_schedule(const weft_world* world, uint32_t level) {
  const weft__levels* levels = &world->stepper.levels;
  if (level == 0) return &world->stepper.schedule;
  return level <= levels->count ? &levels->levels[level - 1].schedule : NULL;
}

weft_result weft_world_get_patch_neighbors(const weft_world* world, uint32_t level, uint32_t patch,
                                           uint32_t capacity, uint32_t* neighbors,
                                           uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(neighbors == NULL && capacity > 0, WEFT_ERROR_NULL, "neighbors");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  const weft__schedule* schedule = find_schedule(world, level);
  WEFT__FAIL_IF(schedule == NULL, WEFT_ERROR_INDEX, "level");
  WEFT__FAIL_IF(patch >= schedule->patch_count, WEFT_ERROR_INDEX, "patch");
  const uint32_t first = schedule->patch_first_neighbor[patch];
  *count = schedule->patch_first_neighbor[patch + 1] - first;
  for (uint32_t i = 0; i < *count && i < capacity; ++i) {
    neighbors[i] = schedule->neighbors[first + i];
  }
  return weft__ok();
}

static void get_patch(const weft__attribute_read* read, uint32_t i, void* value) {
  *(uint32_t*)value = weft__patch_of_particle(&read->world->stepper.schedule, i);
}

const weft__attribute weft__patch_attribute = {
    .id = WEFT_ATTRIBUTE_PATCH,
    .size = sizeof(uint32_t),
    .item = sizeof(uint32_t),
    .get = get_patch,
};

weft_result weft_world_get_patch_colors(const weft_world* world, uint32_t level, uint32_t first,
                                        uint32_t count, uint32_t* colors) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(colors == NULL && count > 0, WEFT_ERROR_NULL, "colors");
  const weft__schedule* schedule = find_schedule(world, level);
  WEFT__FAIL_IF(schedule == NULL, WEFT_ERROR_INDEX, "level");
  WEFT__TRY(weft__check_elements(first, count, schedule->patch_count));
  for (uint32_t i = 0; i < count; ++i) colors[i] = schedule->patch_color[first + i];
  return weft__ok();
}

// Levels list their particles, not the other way round.
static void get_levels(const weft_world* world, weft__range numbers, void* values) {
  const weft__schedule* schedule = &world->stepper.schedule;
  uint32_t* levels = values;
  for (uint32_t n = 0; n < numbers.end - numbers.begin; ++n) levels[n] = 0;
  for (uint32_t l = 0; l < world->stepper.levels.count; ++l) {
    const weft__level* level = &world->stepper.levels.levels[l];
    for (uint32_t i = 0; i < level->particles.count; ++i) {
      const uint32_t user = schedule->user_of[level->source[i]];
      if (weft__range_has(numbers, user)) levels[user - numbers.begin] = l + 1;
    }
  }
}

const weft__attribute weft__level_attribute = {
    .id = WEFT_ATTRIBUTE_LEVEL,
    .size = sizeof(uint32_t),
    .item = sizeof(uint32_t),
    .get_range = get_levels,
};

uint64_t weft__world_hash_range(const weft_world* world, uint64_t hash, weft__range users) {
  const weft__particles* particles = &world->stepper.particles;
  for (uint32_t user = users.begin; user < users.end; ++user) {
    if (weft__reserve_is_free(&particles->reserve, user)) continue;
    const uint32_t i = world->stepper.schedule.solver_of[user];
    hash = weft__columns_hash(hash, particles, &weft__particle_table, 0, i);
    if (weft__particle_turns(particles, i)) {
      hash = weft__columns_hash(hash, particles, &weft__particle_table, WEFT__PARTICLE_ROTATION, i);
    }
    if (particles->velocity_block == NULL) continue;
    float velocity[3];
    weft__particles_velocity(particles, i, 0.0f, velocity);
    for (int axis = 0; axis < 3; ++axis) hash = weft__hash_float(hash, velocity[axis]);
  }
  return hash;
}

static uint64_t hash_state(const weft_world* world) {
  if (world == NULL) return WEFT__FNV_BASIS;
  const weft__range all = {0, world->stepper.particles.count};
  const uint64_t hash = weft__world_hash_range(world, WEFT__FNV_BASIS, all);
  return weft__stages_hash(&world->stepper.stages, hash);
}

uint64_t weft_world_hash(const weft_world* world) {
  WEFT__RETURN_COMPUTED(hash_state, world);
}
