/* Wheel: tread and spokes of separate stiffness, and supports that keep the tread from folding.
 *
 *      2 ---- 1          tread      0-1, 1-2 ..
 *     / \    / \         spokes     hub-0, hub-1 ..
 *    3 --- hub -- 0      supports   0-2, 1-3 ..: without them, a particle could flip
 *     \ /    \ /                    between its neighbours, or a whole arc to the other side
 *      4 ---- 5 */
#include "base/float_mode.h"
#include "libraries/bodies/draft.h"
#include "libraries/bodies/turn.h"

static void draw(weft__draft* draft, const weft_tire_def* def) {
  const weft_link_def tread = {.relaxation = def->tread_relaxation,
                               .tear_ratio = def->tear_ratio,
                               .compliance = def->tread_compliance};
  const weft_link_def spoke = {.relaxation = def->spoke_relaxation,
                               .tear_ratio = def->tear_ratio,
                               .compliance = def->spoke_compliance};
  const weft_link_def support = {.relaxation = def->tread_relaxation,
                                 .kind = WEFT_LINK_SUPPORT,
                                 .compliance = def->tread_compliance};
  const uint32_t count = def->count;
  const double radius = (double)def->radius;
  const double mass = (double)def->mass / ((double)count + 1.0);
  for (uint32_t i = 0; i < count; ++i) {
    const weft__turn turn = weft__turn_of((double)i, (double)count);
    (void)weft__draft_add_particle(draft, radius * turn.cosine, radius * turn.sine, 0.0, mass);
  }
  const uint32_t hub = weft__draft_add_particle(draft, 0.0, 0.0, 0.0, mass);
  for (uint32_t i = 0; i < count; ++i) weft__draft_link(draft, &tread, i, (i + 1) % count);
  for (uint32_t i = 0; i < count; ++i) weft__draft_link(draft, &spoke, hub, i);
  for (uint32_t i = 0; i < count; ++i) weft__draft_link(draft, &support, i, (i + 2) % count);
}

static weft_result add_tire(weft_scene* scene, const weft_tire_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_tire_def");
  WEFT__TRY(weft__check_def(&weft__tire_fields, def));
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, (uint64_t)def->count + 1, (uint64_t)def->count * 3));
  draw(&draft, def);
  return weft__draft_close(&draft, scene, &frame, "weft_tire_def.mass", "weft_tire_def.radius",
                           body);
}

weft_result weft_scene_add_tire(weft_scene* scene, const weft_tire_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_tire, scene, def, body);
}
