#include "base/float_mode.h"
#include "world/world.h"

static weft_result set_pair(weft_world* world, uint32_t a, uint32_t b,
                            const weft_surface_def* pair) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(a >= WEFT_MAX_MATERIALS, WEFT_ERROR_INDEX, "a");
  WEFT__FAIL_IF(b >= WEFT_MAX_MATERIALS, WEFT_ERROR_INDEX, "b");
  WEFT__FAIL_IF(world->def.friction_rule != WEFT_FRICTION_RULE_TABLE, WEFT_ERROR_DISABLED,
                "weft_world_def.friction_rule");
  weft_surface_def entry = {.static_friction = -1.0f};
  if (pair != NULL) {
    WEFT__TRY(weft__check_def(&weft__surface_fields, pair));
    entry = *pair;
  }
  weft__pair_rule* between = &world->stepper.contacts.materials.between;
  between->pairs[a][b] = between->pairs[b][a] = entry;
  weft__wake_all(&world->stepper.stages);
  return weft__ok();
}

weft_result weft_world_set_material_pair(weft_world* world, uint32_t a, uint32_t b,
                                         const weft_surface_def* pair) {
  WEFT__RETURN_COMPUTED(set_pair, world, a, b, pair);
}
