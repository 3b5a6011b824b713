/* A sheet falls onto a sphere and drapes it. */
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
    {"width", "metres along each side", SIM_NUMBER, 2, 0.01, 1000, NULL},
    {"radius", "metres, of the sphere", SIM_NUMBER, 0.5, 0.01, 1000, NULL},
    {"cloth", "self-collision of the sheet", SIM_FLAG, 0, 0, 1, NULL},
    SIM_CLOTH_PARAMS_OF(0.55, 0.5, 0),
    SIM_END_OF_PARAMS,
};

typedef struct drape {
  tool_contact_scene scene;
  sim_cloth_watch watch;
  double deepest; /* metres below the sphere's surface, ever, 0 where none was */
} drape;

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  drape* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a drape");
  *state = self;
  self->scene = tool_usual_contact_scene(TOOL_DRAPE_SPHERE, sim_count(values, "size"));
  self->scene.width = sim_number(values, "width");
  self->scene.radius = sim_number(values, "radius");
  self->scene.thickness = sim_number(values, "thickness");
  self->scene.friction = sim_number(values, "friction");
  self->scene.self = sim_flag(values, "cloth");
  self->scene.ccd = sim_flag(values, "ccd");
  self->scene.surfaces = sim_flag(values, "surfaces");
  const bool ok = tool_describe_contacts(&self->scene, scene, def, why);
  def->faces = true;
  return ok;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const drape* self = state;
  (void)def;
  return tool_start_contacts(&self->scene, world, true, why);
}

static void note(drape* self, const weft_world* world, uint64_t step) {
  static const sim_place middle = {0.0, 0.0, 0.0};
  if (!sim_watch_cloth(&self->watch, world, step)) return;
  for (uint32_t i = 0; i < self->scene.size * self->scene.size; ++i) {
    const double depth = self->scene.radius - sim_distance(sim_place_of(world, i), middle);
    if (!(depth <= self->deepest)) self->deepest = depth;
  }
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  (void)why;
  note(state, world, moment->step);
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  drape* self = state;
  note(self, world, sim_steps_of(world));
  sim_add_result(results, "deepest", self->deepest);
  sim_add_result(results, "deepest_share", self->deepest / self->scene.radius);
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "speed", sim_fastest(world, 0, self->scene.size * self->scene.size));
  sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_report_lost(world, results);
}

const sim_scene sim_scene_drape_sphere = {
    .name = "drape-sphere",
    .summary = "a sheet that falls onto a sphere",
    .params = params,
    .seconds = 5.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
};
