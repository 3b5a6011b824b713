#include "base/float_mode.h"
#include "libraries/bodies/draft.h"
#include "libraries/bodies/turn.h"

#define COOKIE 0xd0b1cafeu
#define MAX_ANGLE 100.0f

weft_double_pendulum_def weft_default_double_pendulum_def(void) {
  return (weft_double_pendulum_def){
      .across = {1.0f, 0.0f, 0.0f},
      .up = {0.0f, 1.0f, 0.0f},
      .lengths = {1.0f, 1.0f},
      .angles = {2.0f, 2.5f},
      .masses = {1.0f, 1.0f},
      .cookie = COOKIE,
  };
}

static weft_result check_pair(const float values[2], float lower, float upper, const char* field) {
  for (uint64_t i = 0; i < 2; ++i) {
    const weft_result result = weft__check_range(values[i], lower, upper, field);
    if (result.error != WEFT_OK) return weft__fail_at(result.error, field, i);
  }
  return weft__ok();
}

static weft_result check_def(const weft_double_pendulum_def* def, const weft__draft_frame* frame) {
  WEFT__FAIL_IF(def->cookie != COOKIE, WEFT_ERROR_DEF, "weft_double_pendulum_def");
  WEFT__TRY(weft__check_frame(frame));
  WEFT__TRY(check_pair(def->lengths, 1e-6f, 1e6f, "weft_double_pendulum_def.lengths"));
  WEFT__TRY(check_pair(def->angles, -MAX_ANGLE, MAX_ANGLE, "weft_double_pendulum_def.angles"));
  WEFT__TRY(check_pair(def->masses, 1e-12f, 1e12f, "weft_double_pendulum_def.masses"));
  WEFT__TRY(weft__check_range(def->compliance, 0.0f, WEFT__MAX_COMPLIANCE,
                              "weft_double_pendulum_def.compliance"));
  return weft__check_tear_ratio(def->tear_ratio, "weft_double_pendulum_def.tear_ratio");
}

static void draw(weft__draft* draft, const weft_double_pendulum_def* def) {
  const weft_link_def rod = {
      .relaxation = 1.0f, .tear_ratio = def->tear_ratio, .compliance = def->compliance};
  double x = 0.0;
  double y = 0.0;
  (void)weft__draft_add_particle(draft, x, y, 0.0, 0.0);
  for (uint32_t i = 0; i < 2; ++i) {
    const weft__turn turn = weft__turn_by((double)def->angles[i]);
    x += (double)def->lengths[i] * turn.sine;
    y -= (double)def->lengths[i] * turn.cosine;
    (void)weft__draft_add_particle(draft, x, y, 0.0, (double)def->masses[i]);
    weft__draft_link_with_length(draft, &rod, i, i + 1, (double)def->lengths[i]);
  }
}

static weft_result add_double_pendulum(weft_scene* scene, const weft_double_pendulum_def* def,
                                       weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_double_pendulum_def");
  WEFT__TRY(check_def(def, &frame));
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, 3, 2));
  draw(&draft, def);
  return weft__draft_close(&draft, scene, &frame, "weft_double_pendulum_def.masses",
                           "weft_double_pendulum_def.lengths", body);
}

weft_result weft_scene_add_double_pendulum(weft_scene* scene, const weft_double_pendulum_def* def,
                                           weft_body* body) {
  WEFT__RETURN_COMPUTED(add_double_pendulum, scene, def, body);
}
