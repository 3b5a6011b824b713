/* A strip of cloth, held at both ends, is twisted into a rope. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/observe.h"
#include "sim/path.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"size", "particles across the strip", SIM_COUNT, 55, 2, 512, NULL},
    {"ratio", "length over width", SIM_NUMBER, 10, 1, 100, NULL},
    {"width", "metres across the strip", SIM_NUMBER, 0.3, 0.01, 100, NULL},
    {"turns", "of one end against the other", SIM_NUMBER, 10, 0, 100, NULL},
    {"period", "seconds of a turn", SIM_NUMBER, 1, 0.01, 1000, NULL},
    {"packing", "share of the rope's volume that the cloth fills", SIM_NUMBER, 1, 0.1, 1, NULL},
    {"slack",
     "share of the length by which the ends come closer in the first turn, while the strip's "
     "edges fold in",
     SIM_NUMBER, 0.05, 0, 0.5, NULL},
    {"shear", "rigid links along both diagonals of the cells: threads keep their angles", SIM_FLAG,
     0, 0, 1, NULL},
    SIM_FABRIC_PARAM("rigid links along the threads"),
    {"damping", "1/seconds", SIM_NUMBER, 1, 0, 100, NULL},
    SIM_CLOTH_PARAMS,
    SIM_END_OF_PARAMS,
};

typedef struct twist {
  uint32_t columns, rows; /* along the strip, and across */
  double width, spacing, length, turns, period, slack;
  double section;  /* square metres: volume of the rope over the length of the strip */
  double distance; /* metres, of the ends */
  weft_particle_shape_def shape;
  sim_cloth_watch watch;
} twist;

// Seconds in which the ends come up to speed, and to rest: where they stop at once, single links
// snag.
static const double ramp_time = 1.0;
// Initial waves across the strip, and the amplitude of their speed in metres per second. The flat
// strip is an unstable equilibrium: without them it stays flat for a turn, then folds all at once
// in the middle of a clamp, so the middle is no node of the waves.
static const double waves = 3.5;
static const double wave_speed = 0.1;

static const double pi = 3.141592653589793;

/* Distance of the ends at which the outermost fibres of a rope of this many turns have the length
 * L of the strip.
 *
 * The rope has a volume of L times `section` at any distance D, so its radius R is that of
 * pi R^2 D = L section. A fibre on it is a helix, L^2 = D^2 + (2 pi turns R)^2, hence
 * D (L^2 - D^2) = 4 pi turns^2 L section. The larger root is that of a strip under tension. The
 * left side is largest at L / sqrt(3), where the ends stop: no rope has more turns. */
static double distance_of(double length, double section, double turns) {
  const double least = 4.0 * pi * turns * turns * length * section;
  double lower = length / sqrt(3.0);
  double upper = length;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (lower + upper);
    if (middle * (length * length - middle * middle) < least) {
      upper = middle;
    } else {
      lower = middle;
    }
  }
  return lower;
}

static bool add_strip(const twist* self, const sim_values* values, weft_scene* scene,
                      tool_message* why) {
  weft_material_def material = weft_default_material_def();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = self->columns;
  sheet.rows = self->rows;
  sheet.spacing = (float)self->spacing;
  sheet.particle_mass = 0.2f * sheet.spacing * sheet.spacing;
  sheet.origin[0] = (float)(-0.5 * self->length);
  sheet.origin[1] = (float)(0.5 * self->width);
  sim_fabric(values, false, &material);
  const bool is_fabric = sim_choice(values, "fabric") > 0;
  if (is_fabric) sheet.material = &material;
  sheet.shear = is_fabric || sim_flag(values, "shear");
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
  self->length = self->distance = self->spacing * (self->columns - 1);
  self->shape = sim_cloth_shape(values, self->spacing);
  self->section =
      2.0 * (double)self->shape.half_size[0] * self->width / sim_number(values, "packing");
  sim_cloth_solver(def, 20);
  def->iterations = 2;
  def->damping = (float)sim_number(values, "damping");
  def->gravity[1] = 0.0f;
  return add_strip(self, values, scene, why);
}

static bool start_waves(const twist* self, weft_world* world, tool_message* why) {
  for (uint32_t row = 0; row < self->rows; ++row) {
    double sine, cosine;
    sim_sine_of_turns(waves * row / (self->rows - 1), &sine, &cosine);
    const float velocity[3] = {0.0f, 0.0f, (float)(wave_speed * sine)};
    const weft_result result =
        weft_world_set_velocities(world, row * self->columns + 1, self->columns - 2, velocity, 0);
    if (!sim_check(result, why)) return false;
  }
  return true;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const twist* self = state;
  (void)def;
  return start_waves(self, world, why) && sim_set_cloth_shape(world, &self->shape, why);
}

static double turns_at(const twist* self, double time) {
  const double whole = self->turns * self->period;  // seconds at full speed
  const double ramp = fmin(ramp_time, whole);
  const double left = whole + ramp - time;
  if (left <= 0.0) return self->turns;
  const double seconds = time < ramp   ? 0.5 * time * time / ramp
                         : left < ramp ? whole - 0.5 * left * left / ramp
                                       : time - 0.5 * ramp;
  return seconds / self->period;
}

/* Turns the ends, half of the angle each, and brings them closer, by the moment. */
static bool move_ends(twist* self, weft_world* world, double time, tool_message* why) {
  double sine, cosine;
  const double turns = turns_at(self, time);
  self->distance =
      distance_of(self->length, self->section, turns) * (1.0 - self->slack * fmin(turns, 1.0));
  sim_sine_of_turns(0.5 * turns, &sine, &cosine);
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
  return move_ends(self, world, moment->time + moment->h, why);
}

/* Mean cosine, without its sign, of the angle between the threads of a cell: 0 = unsheared. */
static double mean_skew(const twist* self, const weft_world* world) {
  double sum = 0.0;
  for (uint32_t row = 0; row + 1 < self->rows; ++row) {
    for (uint32_t column = 0; column + 1 < self->columns; ++column) {
      const uint32_t corner = row * self->columns + column;
      const sim_position at = sim_position_of(world, corner);
      const sim_position next = sim_position_of(world, corner + 1);
      const sim_position below = sim_position_of(world, corner + self->columns);
      const double dot = (next.x - at.x) * (below.x - at.x) + (next.y - at.y) * (below.y - at.y) +
                         (next.z - at.z) * (below.z - at.z);
      sum += fabs(dot) / (sim_distance(at, next) * sim_distance(at, below));
    }
  }
  return sum / ((double)(self->rows - 1) * (self->columns - 1));
}

static void report(const weft_world* world, void* state, sim_results* results) {
  twist* self = state;
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "distance", self->distance);
  sim_add_result(results, "skew", mean_skew(self, world));
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
