/* A sheet that stands upright falls in folds onto a floor and itself. */
#include <math.h>
#include <stdlib.h>

#include "common/contact_scenes.h"
#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/observe.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"size", "particles along each side", SIM_COUNT, 257, 2, 2048, NULL},
    {"width", "metres along each side", SIM_NUMBER, 4, 0.01, 1000, NULL},
    {"cloth", "self-collision of the sheet", SIM_FLAG, 1, 0, 1, NULL},
    SIM_CLOTH_PARAMS,
    {"every", "steps between two counts of crossings; 0 = at the end alone", SIM_COUNT, 0, 0, 1e6,
     NULL},
    SIM_END_OF_PARAMS,
};

typedef struct folds {
  tool_contact_scene scene;
  sim_cloth_watch watch;
  double deepest; /* metres below the floor, ever */
  uint32_t every;
  double most_crossings; /* largest count of all checked states */
  double first_crossing; /* second of the first of those that had any; NaN = none had */
} folds;

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  folds* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for folds");
  *state = self;
  self->scene = tool_usual_contact_scene(TOOL_DROP_FOLDS, sim_count(values, "size"));
  self->scene.width = sim_number(values, "width");
  self->scene.thickness = sim_number(values, "thickness");
  self->scene.friction = sim_number(values, "friction");
  self->scene.self = sim_flag(values, "cloth");
  self->scene.ccd = sim_flag(values, "ccd");
  self->scene.surfaces = sim_flag(values, "surfaces");
  self->every = sim_count(values, "every");
  self->first_crossing = NAN;
  const bool ok = tool_describe_contacts(&self->scene, scene, def, why);
  def->faces = true;
  return ok;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const folds* self = state;
  (void)def;
  return tool_start_contacts(&self->scene, world, true, why);
}

static void look_for_crossings(folds* self, const weft_world* world, double time) {
  const double found = sim_count_crossings(world);
  if (isnan(self->first_crossing) && !(found == 0.0)) self->first_crossing = time;
  if (!(found <= self->most_crossings)) self->most_crossings = found;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  folds* self = state;
  weft_measures measures;
  (void)sim_watch_cloth(&self->watch, world, moment->step);
  if (!sim_check(weft_world_measure(world, &measures), why)) return false;
  self->deepest = fmax(self->deepest, -(double)measures.lower[1]);
  if (self->every > 0 && moment->step % self->every == 0) {
    look_for_crossings(self, world, moment->time);
  }
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  folds* self = state;
  const double crossings = sim_count_crossings(world);
  sim_add_result(results, "crossings", crossings);
  if (self->every > 0) {
    sim_add_result(results, "most_crossings",
                   crossings <= self->most_crossings ? self->most_crossings : crossings);
    sim_add_result(results, "first_crossing", self->first_crossing);
  }
  sim_add_result(results, "deepest", self->deepest);
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "speed", sim_fastest(world, 0, self->scene.size * self->scene.size));
  sim_report_lost(world, results);
}

const sim_scene sim_scene_drop_folds = {
    .name = "drop-folds",
    .summary = "a sheet that falls in folds onto a floor and itself",
    .params = params,
    .seconds = 10.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
};
