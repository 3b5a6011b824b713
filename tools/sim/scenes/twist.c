/* A strip of cloth, held at both ends, is twisted into a rope. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/path.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"size", "particles across the strip", SIM_COUNT, 55, 2, 512, NULL},
    {"ratio", "length over width", SIM_NUMBER, 10, 1, 100, NULL},
    {"width", "metres across the strip", SIM_NUMBER, 0.3, 0.01, 100, NULL},
    {"turns", "of one end against the other", SIM_NUMBER, 10, 0, 100, NULL},
    {"period", "seconds of a turn", SIM_NUMBER, 1, 0.01, 1000, NULL},
    {"slack", "mean strain from which on the ends come closer", SIM_NUMBER, 0.005, 0, 1, NULL},
    SIM_CLOTH_PARAMS,
    SIM_END_OF_PARAMS,
};

typedef struct twist {
  uint32_t columns, rows; /* along the strip, and across */
  double width, spacing, distance, turns, period, slack;
  weft_particle_shape_def shape;
  sim_cloth_watch watch;
} twist;

// Speed at which the ends come closer, at twice the slack and above, metres a second.
static const double fastest_approach = 1.0;

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  twist* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory to twist");
  *state = self;
  self->rows = sim_count(values, "size");
  self->width = sim_number(values, "width");
  self->turns = sim_number(values, "turns");
  self->period = sim_number(values, "period");
  self->slack = sim_number(values, "slack");
  self->spacing = self->width / (self->rows - 1);
  self->columns = (uint32_t)lround(sim_number(values, "ratio") * (self->rows - 1)) + 1;
  self->distance = self->spacing * (self->columns - 1);
  self->shape = sim_cloth_shape(values, self->spacing);
  sim_cloth_solver(def, 8);
  def->gravity[1] = 0.0f;
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = self->columns;
  sheet.rows = self->rows;
  sheet.spacing = (float)self->spacing;
  sheet.particle_mass = 0.2f * sheet.spacing * sheet.spacing;
  sheet.origin[0] = (float)(-0.5 * self->distance);
  sheet.origin[1] = (float)(0.5 * self->width);
  if (!sim_check(weft_scene_add_sheet(scene, &sheet, NULL), why)) return false;
  for (uint32_t row = 0; row < self->rows; ++row) {
    const uint32_t first = row * self->columns;
    if (!sim_check(weft_scene_pin(scene, first, 1), why) ||
        !sim_check(weft_scene_pin(scene, first + self->columns - 1, 1), why)) {
      return false;
    }
  }
  return true;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const twist* self = state;
  (void)def;
  return sim_set_cloth_shape(world, &self->shape, why);
}

/* Turns the ends, half of the angle each, by the moment. */
static bool move_ends(const twist* self, weft_world* world, double time, tool_message* why) {
  double sine, cosine;
  sim_sine_of_turns(0.5 * fmin(time / self->period, self->turns), &sine, &cosine);
  for (uint32_t row = 0; row < self->rows; ++row) {
    const double across = 0.5 * self->width - self->spacing * row;
    for (int end = 0; end < 2; ++end) {
      const double side = end == 0 ? -1.0 : 1.0;
      const float target[3] = {(float)(0.5 * side * self->distance), (float)(across * cosine),
                               (float)(across * sine * side)};
      const uint32_t particle = row * self->columns + (end == 0 ? 0 : self->columns - 1);
      if (!sim_check(weft_world_move_particles(world, particle, 1, target, 0), why)) return false;
    }
  }
  return true;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  twist* self = state;
  (void)sim_watch_cloth(&self->watch, world, moment->step);
  const double excess = self->watch.mean_strain / self->slack - 1.0;
  const double least = 0.2 * self->spacing * (self->columns - 1);
  if (excess > 0.0 && self->distance > least) {
    self->distance -= moment->h * fastest_approach * fmin(excess, 1.0);
  }
  return move_ends(self, world, moment->time + moment->h, why);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  twist* self = state;
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "distance", self->distance);
  sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_report_lost(world, results);
}

static void keep(void* state, sim_keep* kept) {
  twist* self = state;
  SIM_KEEP(kept, self->distance);
  SIM_KEEP(kept, self->watch);
}

const sim_scene sim_scene_twist = {
    .name = "twist",
    .summary = "a strip of cloth, twisted into a rope",
    .params = params,
    .seconds = 12.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
};
