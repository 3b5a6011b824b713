#include "base/float_mode.h"
#include "libraries/bodies/draft.h"
#include "libraries/bodies/turn.h"

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
  WEFT__TRY(weft__check_def(&weft__double_pendulum_fields, def));
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
