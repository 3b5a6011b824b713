#include "sim/scenes/hung_sheet.h"

bool sim_hang_sheet(weft_scene* scene, uint32_t size, double width, tool_message* why) {
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = size;
  sheet.spacing = (float)(width / (double)(size - 1));
  sheet.particle_mass = 0.2f * sheet.spacing * sheet.spacing;
  sheet.origin[0] = (float)(-0.5 * width);
  sheet.origin[1] = (float)(0.5 * width);
  if (!sim_check(weft_scene_add_sheet(scene, &sheet, NULL), why)) return false;
  for (uint32_t i = 0; i < size; ++i) {
    if (!sim_check(weft_scene_pin(scene, weft_range(i, 1)), why)) return false;
  }
  return true;
}
