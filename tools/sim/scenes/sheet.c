/* A sheet in the upright plane that hangs from its upper edge or from two corners and swings down,
 * out of the plane by a draught that tilts gravity. */
#include "sim/scene.h"

static const char* const holds[] = {"edge", "corners", "nothing", NULL};

enum { HOLD_EDGE, HOLD_CORNERS };

static const sim_param params[] = {
    {"size", "particles along each side", SIM_COUNT, 64, 2, 4096, NULL},
    {"width", "metres along each side", SIM_NUMBER, 2, 0.01, 1000, NULL},
    {"hold", "pinned particles", SIM_CHOICE, HOLD_EDGE, 0, 0, holds},
    {"tilt", "share of gravity orthogonal to its plane", SIM_NUMBER, 0.2, -1, 1, NULL},
    {"attachments", "long-range attachments of a particle", SIM_COUNT, 1, 0, 4, NULL},
    {"coarse", "sweeps over each coarse level a step", SIM_COUNT, 0, 0, 10000, NULL},
    {"tear", "strain at which links tear; 0 = never", SIM_NUMBER, 0, 0, 100, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

static bool pin(weft_scene* scene, uint32_t size, uint32_t hold, tool_message* why) {
  for (uint32_t i = 0; i < size; ++i) {
    const bool held = hold == HOLD_EDGE || (hold == HOLD_CORNERS && (i == 0 || i + 1 == size));
    if (held && !sim_check(weft_scene_pin(scene, i, 1), why)) return false;
  }
  return true;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  (void)state;
  const uint32_t size = sim_count(values, "size");
  const float tear = (float)sim_number(values, "tear");
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = size;
  sheet.spacing = (float)(sim_number(values, "width") / (double)(size - 1));
  sheet.particle_mass = 0.2f * sheet.spacing * sheet.spacing;
  sheet.tear_ratio = tear > 0.0f ? 1.0f + tear : 0.0f;
  def->gravity[2] = def->gravity[1] * (float)-sim_number(values, "tilt");
  def->attachments = sim_count(values, "attachments");
  def->coarse_iterations = sim_count(values, "coarse");
  return sim_check(weft_scene_add_sheet(scene, &sheet, NULL), why) &&
         pin(scene, size, sim_choice(values, "hold"), why);
}

const sim_scene sim_scene_sheet = {
    .name = "sheet",
    .summary = "a sheet that hangs from its upper edge or two corners",
    .params = params,
    .seconds = 5.0,
    .rate = 60.0,
    .build = build,
};
