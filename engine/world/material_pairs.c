#include "base/float_mode.h"
#include "world/world.h"

static weft_result check_materials(const weft_world* world, uint32_t a, uint32_t b) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(a >= WEFT_MAX_MATERIALS, WEFT_ERROR_INDEX, "a");
  WEFT__FAIL_IF(b >= WEFT_MAX_MATERIALS, WEFT_ERROR_INDEX, "b");
  WEFT__FAIL_IF(world->def.friction_rule != WEFT_FRICTION_RULE_TABLE, WEFT_ERROR_DISABLED,
                "weft_world_def.friction_rule");
  return weft__ok();
}

static weft_result set_pair(weft_world* world, uint32_t a, uint32_t b,
                            const weft_material_pair_def* pair) {
  WEFT__TRY(check_materials(world, a, b));
  weft_material_pair_def entry = {.static_friction = -1.0f};
  if (pair != NULL) {
    WEFT__TRY(weft__check_def(&weft__material_pair_fields, pair));
    entry = *pair;
  }
  weft__pair_rule* between = &world->stepper.contacts.materials.between;
  between->pairs[a][b] = between->pairs[b][a] = entry;
  weft__wake_all(&world->stepper.stages);
  return weft__ok();
}

weft_result weft_world_set_material_pair(weft_world* world, uint32_t a, uint32_t b,
                                         const weft_material_pair_def* pair) {
  WEFT__RETURN_COMPUTED(set_pair, world, a, b, pair);
}

weft_result weft_world_get_material_pair(const weft_world* world, uint32_t a, uint32_t b,
                                         weft_material_pair_def* pair, bool* is_set) {
  WEFT__FAIL_IF(pair == NULL, WEFT_ERROR_NULL, "pair");
  WEFT__FAIL_IF(is_set == NULL, WEFT_ERROR_NULL, "is_set");
  WEFT__TRY(check_materials(world, a, b));
  const weft_material_pair_def* entry = &world->stepper.contacts.materials.between.pairs[a][b];
  *is_set = entry->static_friction >= 0.0f;
  *pair = *is_set ? *entry : weft_default_material_pair_def();
  return weft__ok();
}
