#include "base/float_mode.h"
#include "libraries/bodies/draft.h"
#include "libraries/bodies/turn.h"

static void draw(weft__draft* draft, const weft_circle_def* def) {
  const weft_link_def kind = {
      .relaxation = def->relaxation, .tear_ratio = def->tear_ratio, .compliance = def->compliance};
  const uint32_t count = def->count;
  const double radius = (double)def->radius;
  const double mass = (double)def->mass / (double)draft->particle_capacity;
  for (uint32_t i = 0; i < count; ++i) {
    const weft__turn turn = weft__turn_of((double)i, (double)count);
    (void)weft__draft_add_particle(draft, radius * turn.cosine, radius * turn.sine, 0.0, mass);
  }
  for (uint32_t i = 0; i < count; ++i) weft__draft_link(draft, &kind, i, (i + 1) % count);
  if (!def->hub) return;
  const uint32_t hub = weft__draft_add_particle(draft, 0.0, 0.0, 0.0, mass);
  for (uint32_t i = 0; i < count; ++i) weft__draft_link(draft, &kind, hub, i);
}

static weft_result add_circle(weft_scene* scene, const weft_circle_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_circle_def");
  WEFT__TRY(weft__check_def(&weft__circle_fields, def));
  const uint64_t hubs = def->hub ? 1 : 0;
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, def->count + hubs, def->count * (1 + hubs)));
  draw(&draft, def);
  return weft__draft_close(&draft, scene, &frame, "weft_circle_def.mass", "weft_circle_def.radius",
                           body);
}

weft_result weft_scene_add_circle(weft_scene* scene, const weft_circle_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_circle, scene, def, body);
}
