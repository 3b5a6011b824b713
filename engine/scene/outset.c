/* Contacts and air with which worlds of a scene begin. */
#include <string.h>

#include "base/memory.h"
#include "base/selection.h"
#include "scene/scene.h"

// of shapes other than points
#define MIN_HALF_SIZE 1e-6f

uint32_t weft__shape_size_count(weft_particle_shape shape) {
  return shape == WEFT_PARTICLE_SHAPE_BOX || shape == WEFT_PARTICLE_SHAPE_ELLIPSOID ? 3 : 1;
}

static weft_result check_half_size(const weft_particle_shape_def* shape) {
  const bool is_point = shape->shape == WEFT_PARTICLE_SHAPE_POINT;
  for (uint32_t axis = 0; axis < weft__shape_size_count(shape->shape); ++axis) {
    WEFT__TRY(WEFT__CHECK_ELEMENT(particle_shape, shape, half_size, axis));
    if (!is_point && shape->half_size[axis] < MIN_HALF_SIZE) {
      return weft__fail_at(WEFT_ERROR_RANGE, "weft_particle_shape_def.half_size", axis);
    }
  }
  return weft__ok();
}

weft_result weft__check_particle_shape(const weft_particle_shape_def* shape) {
  WEFT__TRY(weft__check_def(&weft__particle_shape_fields, shape));
  WEFT__TRY(check_half_size(shape));
  WEFT__FAIL_IF(shape->turns && shape->shape != WEFT_PARTICLE_SHAPE_SPHERE, WEFT_ERROR_RANGE,
                "weft_particle_shape_def.turns");
  return weft__ok();
}

// Consecutive bodies of one shape are one run.
static bool continues(const weft__shape_run* last, uint32_t first,
                      const weft_particle_shape_def* shape) {
  return last->first + last->count == first && memcmp(&last->shape, shape, sizeof(*shape)) == 0;
}

weft_result weft__scene_push_shape(weft_scene* scene, uint32_t first, uint32_t count,
                                   const weft_particle_shape_def* shape) {
  const uint32_t runs = scene->shape_run_count;
  if (runs > 0 && continues(&scene->shape_runs[runs - 1], first, shape)) {
    scene->shape_runs[runs - 1].count += count;
    return weft__ok();
  }
  WEFT__FAIL_IF(!weft__grow((void**)&scene->shape_runs, &scene->shape_run_capacity,
                            (size_t)runs + 1, sizeof(*scene->shape_runs)),
                WEFT_ERROR_OUT_OF_MEMORY, "scene");
  weft__shape_run* run = &scene->shape_runs[scene->shape_run_count++];
  *run = (weft__shape_run){first, count, *shape};
  return weft__ok();
}

void weft__scene_clip_shapes(weft_scene* scene) {
  uint32_t kept = 0;
  for (uint32_t r = 0; r < scene->shape_run_count; ++r) {
    weft__shape_run run = scene->shape_runs[r];
    if (run.first >= scene->particle_count) continue;
    const uint32_t left = scene->particle_count - run.first;
    run.count = run.count < left ? run.count : left;
    scene->shape_runs[kept++] = run;
  }
  scene->shape_run_count = kept;
}

weft_result weft_scene_set_particle_shape(weft_scene* scene, weft_selection particles,
                                          const weft_particle_shape_def* shape) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  weft__selection at;
  WEFT__TRY(weft__check_selection(&particles, scene->particle_count, NULL, &at));
  weft_particle_shape_def given = weft_default_particle_shape_def();
  given.collision = WEFT_COLLISION_NONE;
  if (shape != NULL) WEFT__TRY(weft__check_particle_shape(shape));
  if (shape != NULL) given = *shape;
  const uint32_t before = scene->shape_run_count;
  const uint32_t last = before > 0 ? scene->shape_runs[before - 1].count : 0;
  for (uint32_t n = 0; n < at.count;) {
    const weft__range run = weft__selected_run(&at, &n);
    if (run.begin == run.end) continue;
    const weft_result result =
        weft__scene_push_shape(scene, run.begin, run.end - run.begin, &given);
    if (result.error == WEFT_OK) continue;
    scene->shape_run_count = before;
    if (before > 0) scene->shape_runs[before - 1].count = last;
    return result;
  }
  return weft__ok();
}

weft_result weft_scene_set_wind(weft_scene* scene, const weft_wind_def* wind) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  if (wind != NULL) WEFT__TRY(weft__check_def(&weft__wind_fields, wind));
  scene->has_wind = wind != NULL;
  if (wind != NULL) scene->wind = *wind;
  return weft__ok();
}
