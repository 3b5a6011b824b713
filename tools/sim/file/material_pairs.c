#include "sim/file/material_pairs.h"

typedef struct file_pair {
  uint32_t a, b;
  weft_surface_def def;
} file_pair;

#define PAIR(member) offsetof(file_pair, member)
static const sim_field fields[] = {
    {"a", SIM_FIELD_COUNT, PAIR(a), true, false, 0, WEFT_MAX_MATERIALS - 1, NULL,
     "number of a material: `material` of contacts and colliders"},
    {"b", SIM_FIELD_COUNT, PAIR(b), true, false, 0, WEFT_MAX_MATERIALS - 1, NULL,
     "number of the other one, or the same"},
    SIM_SURFACE_OF(PAIR, def),
};

static void pair_defaults(void* value) {
  *(file_pair*)value = (file_pair){.def = {0}};
}

const sim_table sim_material_pair_table = {
    "material_pairs",
    "One object of `material_pairs`: surfaces of two materials, in place of their own; needs the "
    "world's `friction_rule` `table`. The fields of `weft_surface_def`.",
    SIM_TABLE_FIELDS(fields), sizeof(file_pair), pair_defaults};

static bool read_pairs(const sim_source* source, const tool_tree* list, weft_world* world) {
  const sim_place root = {NULL, "material_pairs", 0};
  for (size_t i = 0; i < tool_tree_size(list); ++i) {
    const sim_place place = {&root, NULL, i};
    file_pair pair;
    const sim_target target = {&sim_material_pair_table, &pair};
    if (!sim_read_object(source, &place, &list->items[i], &target, 1)) return false;
    if (!world) continue;
    const weft_result result = weft_world_set_material_pair(world, pair.a, pair.b, &pair.def);
    if (result.error != WEFT_OK) {
      return sim_weft_fault(source, &place, &sim_material_pair_table, result);
    }
  }
  return true;
}

bool sim_check_material_pairs(const sim_source* source, const tool_tree* list) {
  return read_pairs(source, list, NULL);
}

bool sim_start_material_pairs(const sim_source* source, const tool_tree* list, weft_world* world) {
  return read_pairs(source, list, world);
}
