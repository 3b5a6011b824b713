#include "sim/file/force_curves.h"

#include <stdlib.h>

typedef struct file_curve {
  const tool_tree *strains, *forces;
  bool monotone;
} file_curve;

#define CURVE(member) offsetof(file_curve, member)
static const sim_field fields[] = {
    {"strains", SIM_FIELD_LIST, CURVE(strains), true, false, 0, 0, NULL,
     "length / rest length - 1, ascending: two numbers or more"},
    {"forces", SIM_FIELD_LIST, CURVE(forces), true, false, 0, 0, NULL,
     "newtons, of each strain: tension above 0"},
    SIM_KEY_OF(CURVE, FLAG, monotone, "refuses forces that fall as the strain rises"),
};

const sim_table sim_force_curve_table = {
    "force_curves",
    "One object of `force_curves`: the force of a spring against its strain, piecewise linear, for "
    "`force_curve` of links.",
    SIM_TABLE_FIELDS(fields), sizeof(file_curve), NULL};

static bool add_curve(const sim_source* source, const sim_place* place, weft_scene* scene,
                      const file_curve* curve) {
  const sim_place strains = {place, "strains", 0}, forces = {place, "forces", 0};
  weft_force_curve_def def = {.is_monotone = curve->monotone};
  float *strain_list = NULL, *force_list = NULL;
  uint32_t force_count = 0, number = 0;
  bool ok = sim_read_numbers(source, &strains, curve->strains, &strain_list, &def.count) &&
            sim_read_numbers(source, &forces, curve->forces, &force_list, &force_count);
  if (ok && force_count != def.count) {
    ok = sim_fault(source, &forces, "has %u numbers, and `strains` has %u", force_count, def.count);
  }
  if (ok) {
    def.strains = strain_list;
    def.forces = force_list;
    const weft_result result = weft_scene_add_force_curve(scene, &def, &number);
    ok = result.error == WEFT_OK || sim_weft_fault(source, place, &sim_force_curve_table, result);
  }
  free(strain_list);
  free(force_list);
  return ok;
}

bool sim_add_force_curves(const sim_source* source, const tool_tree* list, weft_scene* scene) {
  const sim_place root = {NULL, "force_curves", 0};
  for (size_t i = 0; i < tool_tree_size(list); ++i) {
    const sim_place place = {&root, NULL, i};
    file_curve curve = {0};
    const sim_target target = {&sim_force_curve_table, &curve};
    if (!sim_read_object(source, &place, &list->items[i], &target, 1) ||
        !add_curve(source, &place, scene, &curve)) {
      return false;
    }
  }
  return true;
}
