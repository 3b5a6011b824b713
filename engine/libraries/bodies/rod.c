#include <math.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "libraries/bodies/draft.h"

// radians: a turn beyond half a turn is also a smaller one the other way
#define MAX_TURN 3.141592653589793

static weft_result check_def(const weft_rod_def* def) {
  WEFT__TRY(weft__check_def(&weft__rod_fields, def));
  WEFT__FAIL_IF(def->rope.mode != WEFT_LINK_MODE_BOTH, WEFT_ERROR_RANGE, "weft_rope_def.mode");
  WEFT__FAIL_IF(def->rope.relaxation != 1.0f, WEFT_ERROR_RANGE, "weft_rope_def.relaxation");
  return weft__ok();
}

static weft_result check_turns(const weft_rod_def* def) {
  double length;
  WEFT__TRY(weft__rope_longest_link(&def->rope, &length));
  WEFT__FAIL_IF(fabs((double)def->twist) * length > MAX_TURN, WEFT_ERROR_RANGE,
                "weft_rod_def.twist");
  if (def->keeps_shape) return weft__ok();
  double turn_sq = 0.0;
  uint32_t largest = 0;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const double turn = (double)def->rest_strain[axis] * length;
    turn_sq += turn * turn;
    if (fabsf(def->rest_strain[axis]) > fabsf(def->rest_strain[largest])) largest = axis;
  }
  if (turn_sq <= MAX_TURN * MAX_TURN) return weft__ok();
  return weft__fail_at(WEFT_ERROR_RANGE, "weft_rod_def.rest_strain", largest);
}

static weft__rod rod_of(const weft_rod_def* def, const weft_body* body) {
  const float second = def->bend_stiffness_2 < 0.0f ? def->bend_stiffness : def->bend_stiffness_2;
  weft__rod rod = {
      .first_particle = body->first_particle,
      .first_link = body->first_link,
      .segments = body->link_count,
      .keeps_shape = def->keeps_shape,
      .is_clamped = {def->clamp_origin, def->clamp_end},
      .stiffness = {(double)def->bend_stiffness, (double)second, (double)def->twist_stiffness},
      .inertia = 0.5 * (double)def->rope.mass_per_metre * (double)def->radius * (double)def->radius,
      .twist = (double)def->twist,
  };
  for (int axis = 0; axis < 3; ++axis) {
    rod.normal[axis] = (double)def->normal[axis];
    rod.rest[axis] = (double)def->rest_strain[axis];
  }
  return rod;
}

static weft_result add_rod(weft_scene* scene, const weft_rod_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(check_def(def));
  WEFT__TRY(check_turns(def));
  WEFT__FAIL_IF(!weft__grow((void**)&scene->rods, &scene->rod_capacity,
                            (size_t)scene->rod_count + 1, sizeof(*scene->rods)),
                WEFT_ERROR_OUT_OF_MEMORY, "scene");
  weft_body rope;
  WEFT__TRY(weft__add_rope(scene, &def->rope, (double)def->radius, &rope));
  scene->rods[scene->rod_count++] = rod_of(def, &rope);
  if (body != NULL) *body = rope;
  return weft__ok();
}

weft_result weft_scene_add_rod(weft_scene* scene, const weft_rod_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_rod, scene, def, body);
}
