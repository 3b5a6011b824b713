/* Many small towels, each in a place of its own, fall and crumple on a floor. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/path.h"
#include "sim/scene.h"

enum { NO_ENVIRONMENTS, APART, TOGETHER };
static const char* const environments[] = {"none", "apart", "together", NULL};

static const sim_param params[] = {
    {"count", "towels", SIM_COUNT, 1000, 1, 10000, NULL},
    {"size", "particles along each side", SIM_COUNT, 30, 2, 256, NULL},
    {"width", "metres along each side", SIM_NUMBER, 0.4, 0.01, 100, NULL},
    {"height", "metres from the floor to the lowest edge", SIM_NUMBER, 0.05, 0, 100, NULL},
    {"environments", "one for all towels; one for each; or that, and all in one place", SIM_CHOICE,
     NO_ENVIRONMENTS, 0, 0, environments},
    SIM_CLOTH_PARAMS,
    SIM_END_OF_PARAMS,
};

typedef struct towels {
  weft_particle_shape_def shape;
  double friction;
  bool are_together; /* towels of all environments */
  sim_cloth_watch watch;
} towels;

/* Towel `i` of a square of places stands upright, leans, and is turned about the vertical. */
static weft_sheet_def towel(const sim_values* values, uint32_t i) {
  const double lean = 9.0 / 41.0, upright = 40.0 / 41.0;
  const uint32_t side = (uint32_t)ceil(sqrt(sim_count(values, "count")));
  const bool are_together = sim_choice(values, "environments") == TOGETHER;
  const double width = sim_number(values, "width"), place = are_together ? 0.0 : 2.0 * width;
  double sine, cosine;
  sim_sine_of_turns(0.618033988749895 * i, &sine, &cosine);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = sim_count(values, "size");
  sheet.spacing = (float)(width / (sheet.columns - 1));
  sheet.particle_mass = 0.2f * sheet.spacing * sheet.spacing;
  sheet.across[0] = (float)cosine;
  sheet.across[2] = (float)sine;
  sheet.down[0] = (float)(-sine * lean);
  sheet.down[1] = (float)-upright;
  sheet.down[2] = (float)(cosine * lean);
  sheet.origin[0] = (float)(place * (i % side) - 0.5 * width * cosine);
  sheet.origin[1] = (float)(sim_number(values, "height") + width);
  sheet.origin[2] = (float)(place * (i / side) - 0.5 * width * sine);
  return sheet;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  towels* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for towels");
  *state = self;
  self->friction = sim_number(values, "friction");
  self->are_together = sim_choice(values, "environments") == TOGETHER;
  const weft_sheet_def first = towel(values, 0);
  self->shape = sim_cloth_shape(values, (double)first.spacing);
  // from its upper edge
  sim_fall_solver(def, (double)first.origin[1], (double)self->shape.half_size[0]);
  for (uint32_t i = 0; i < sim_count(values, "count"); ++i) {
    const weft_sheet_def sheet = towel(values, i);
    weft_body body;
    if (!sim_check(weft_scene_add_sheet(scene, &sheet, &body), why)) return false;
    if (sim_choice(values, "environments") == NO_ENVIRONMENTS) continue;
    if (!sim_check(weft_scene_set_environment(scene, &body, i), why)) return false;
  }
  return true;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const towels* self = state;
  (void)def;
  return sim_set_cloth_shape(world, &self->shape, why) && sim_add_floor(world, self->friction, why);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  towels* self = state;
  sim_report_cloth(&self->watch, world, results);
  // towels of two environments may cross
  if (!self->are_together) sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_report_lost(world, results);
}

const sim_scene sim_scene_towels = {
    .name = "towels",
    .summary = "many small towels that crumple on a floor",
    .params = params,
    .seconds = 3.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .report = report,
};
