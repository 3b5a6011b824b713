/* The magnet's stage: state, columns in snapshots, work in a step. */
#include "magnet.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/grain_size.h"
#include "step/stage.h"
#include "world/world.h"

#define MAX_STRENGTH 1e6f
#define CORE 0.01f
#define GRAIN WEFT__GRAIN(1024u, 1u)

typedef struct magnet {
  float point[3];
  float strength;
} magnet;

static const weft__column columns[] = {WEFT__MEMBER(magnet, point), WEFT__MEMBER(magnet, strength)};
static const weft__table table = WEFT__TABLE(columns);

static bool is_on(const void* state) {
  return ((const magnet*)state)->strength != 0.0f;
}

typedef struct pull_job {
  const magnet* by;
  const weft__step_context* step;
} pull_job;

// A displacement that position Verlet takes over as velocity.
static void pull_range(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  const pull_job* job = context;
  const weft__particles* p = job->step->particles;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (!(p->inv_mass[i] > 0.0f)) continue;
    float to[3];
    for (int axis = 0; axis < 3; ++axis) to[axis] = job->by->point[axis] - p->pos[axis][i];
    const float distance_sq = weft__dot3(to, to);
    if (distance_sq == 0.0f) continue;
    const float scale = job->by->strength * job->step->h * job->step->h /
                        ((distance_sq + CORE) * sqrtf(distance_sq));
    for (int axis = 0; axis < 3; ++axis) p->pos[axis][i] += scale * to[axis];
  }
}

static void pull(void* state, weft__step_context* step) {
  pull_job job = {.by = state, .step = step};
  weft__step_for_range(step, step->own, GRAIN, pull_range, &job);
}

const weft__stage weft__magnet_stage = {
    .name = "magnet",
    .profile = WEFT_STAGE_FORCES,
    .size = sizeof(magnet),
    .table = &table,
    .not_in_clusters = "weft_world_set_magnet",
    .is_on = is_on,
    .run = {[WEFT__PHASE_BEFORE_SWEEPS] = pull},
    .writes = {[WEFT__PHASE_BEFORE_SWEEPS] = WEFT__WRITES(POS)},
};

static magnet* magnet_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_MAGNET];
}

weft_result weft_world_set_magnet(weft_world* world, const float point[3], float strength) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(point == NULL, WEFT_ERROR_NULL, "point");
  WEFT__TRY(weft__check_magnitude(point, 3, 1, "point"));
  WEFT__TRY(weft__check_range(strength, -MAX_STRENGTH, MAX_STRENGTH, "strength"));
  memcpy(magnet_of(world)->point, point, 3 * sizeof(float));
  magnet_of(world)->strength = strength;
  weft__wake_all(&world->stepper.stages);
  return weft__ok();
}

weft_result weft_world_get_magnet(const weft_world* world, float* point, float* strength) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(point == NULL, WEFT_ERROR_NULL, "point");
  WEFT__FAIL_IF(strength == NULL, WEFT_ERROR_NULL, "strength");
  memcpy(point, magnet_of(world)->point, 3 * sizeof(float));
  *strength = magnet_of(world)->strength;
  return weft__ok();
}
