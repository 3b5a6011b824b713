
#include "base/float_mode.h"
#include "libraries/bodies/draft.h"

// Checks that links stay within the body; the scene checks everything else.
static weft_result check_ends(const weft_composite_def* def) {
  for (uint32_t i = 0; i < def->link_count; ++i) {
    const weft_link_def* link = &def->links[i];
    if (link->a >= def->particle_count || link->b >= def->particle_count) {
      return weft__fail_at(WEFT_ERROR_INDEX, "weft_composite_def.links", i);
    }
  }
  return weft__ok();
}

static weft_result check_def(const weft_composite_def* def) {
  WEFT__TRY(weft__check_def(&weft__composite_fields, def));
  WEFT__FAIL_IF(def->links == NULL && def->link_count > 0, WEFT_ERROR_NULL,
                "weft_composite_def.links");
  WEFT__TRY(weft__check_finite(def->positions, (size_t)3 * def->particle_count, 3,
                               "weft_composite_def.positions"));
  for (uint32_t i = 0; i < def->particle_count; ++i) {
    const weft_error error = weft__check_inverse_mass(def->inverse_masses[i]);
    if (error != WEFT_OK) return weft__fail_at(error, "weft_composite_def.inverse_masses", i);
  }
  return check_ends(def);
}

static void draw(weft__draft* draft, const weft_composite_def* def) {
  const double scale = (double)def->scale;
  for (uint32_t i = 0; i < def->particle_count; ++i) {
    const float* position = def->positions + (size_t)3 * i;
    (void)weft__draft_add_particle(draft, scale * (double)position[0], scale * (double)position[1],
                                   scale * (double)position[2], 0.0);
    draft->inverse_masses[i] = def->inverse_masses[i];
  }
  for (uint32_t i = 0; i < def->link_count; ++i) {
    weft_link_def link = def->links[i];
    link.max_length = (float)(scale * (double)link.max_length);
    weft__draft_link_with_length(draft, &link, link.a, link.b, scale * (double)link.rest_length);
  }
}

static weft_result add_composite(weft_scene* scene, const weft_composite_def* def,
                                 weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_composite_def");
  WEFT__TRY(check_def(def));
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, def->particle_count, def->link_count));
  draw(&draft, def);
  return weft__draft_close(&draft, scene, &frame, "weft_composite_def.inverse_masses",
                           "weft_composite_def.links", body);
}

weft_result weft_scene_add_composite(weft_scene* scene, const weft_composite_def* def,
                                     weft_body* body) {
  WEFT__RETURN_COMPUTED(add_composite, scene, def, body);
}
