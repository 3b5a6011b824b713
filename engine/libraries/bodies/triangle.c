#include "base/float_mode.h"
#include "libraries/bodies/draft.h"

static void draw(weft__draft* draft, const weft_triangle_def* def) {
  const weft_link_def kind = {
      .relaxation = def->relaxation, .tear_ratio = def->tear_ratio, .compliance = def->compliance};
  const double half = 0.5 * (double)def->width;
  const double third = (double)def->height / 3.0;
  const double mass = (double)def->mass / 3.0;
  (void)weft__draft_add_particle(draft, -half, -third, 0.0, mass);
  (void)weft__draft_add_particle(draft, half, -third, 0.0, mass);
  (void)weft__draft_add_particle(draft, 0.0, 2.0 * third, 0.0, mass);
  for (uint32_t i = 0; i < 3; ++i) weft__draft_link(draft, &kind, i, (i + 1) % 3);
}

static weft_result add_triangle(weft_scene* scene, const weft_triangle_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_triangle_def");
  WEFT__TRY(weft__check_def(&weft__triangle_fields, def));
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, 3, 3));
  draw(&draft, def);
  return weft__draft_close(&draft, scene, &frame, "weft_triangle_def.mass",
                           "weft_triangle_def.width", body);
}

weft_result weft_scene_add_triangle(weft_scene* scene, const weft_triangle_def* def,
                                    weft_body* body) {
  WEFT__RETURN_COMPUTED(add_triangle, scene, def, body);
}
