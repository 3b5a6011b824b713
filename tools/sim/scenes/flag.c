/* A flag that is held along its left edge, in a wind with gusts. */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "sim/cloth.h"
#include "sim/scene.h"
#include "sim/wave.h"

static const sim_param params[] = {
    {"columns", "particles along its length", SIM_COUNT, 31, 2, 2048, NULL},
    {"rows", "particles along its edge on the mast", SIM_COUNT, 21, 2, 2048, NULL},
    {"length", "metres", SIM_NUMBER, 1.5, 0.01, 1000, NULL},
    {"wind", "metres per second", SIM_NUMBER, 8, 0, 200, NULL},
    {"gust", "amplitude of gusts, as a share of the wind", SIM_NUMBER, 0.5, 0, 10, NULL},
    {"gust_period", "seconds from gust to gust", SIM_NUMBER, 0.5, 1e-3, 1e6, NULL},
    {"gust_size", "metres from gust to gust", SIM_NUMBER, 1, 1e-3, 1e6, NULL},
    {"veer", "initial angle of the wind to the flag's plane, degrees", SIM_NUMBER, 10, -90, 90,
     NULL},
    {"seed", "of the gusts", SIM_COUNT, 1, 0, 4294967295.0, NULL},
    {"density", "kilograms per square metre", SIM_NUMBER, 0.15, 1e-3, 1000, NULL},
    {"bend", "bend stiffness, newton metres", SIM_NUMBER, 0, 0, 1, NULL},
    {"damping", "1/seconds: the rate at which velocity fades", SIM_NUMBER, 0.1, 0, 1000, NULL},
    SIM_FABRIC_PARAM("density and bend"),
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

/* Seconds after which a flag is taken to have forgotten how it began. */
static const double start_seconds = 2.0;

/* Statistics of the states so far. */
typedef struct flag_flight {
  uint64_t noted; /* states */
  double fastest; /* metres per second, of any particle */
  double tip_slowest,
      tip_fastest; /* metres per second, since the start; the middle of the free edge */
  double center_height,
      tip_height;   /* metre seconds since the start, above the middle of the mast */
  double seconds;   /* since the start */
  double side;      /* the way in which the tip goes sideways: -1, 1; 0 = not known yet */
  uint64_t turns;   /* changes of side since the start */
  uint64_t* hashes; /* state hashes [noted, capacity hash_room] */
  size_t hash_room;
} flag_flight;

typedef struct flag {
  uint32_t columns, rows;
  float spacing;
  double h; /* seconds of a step */
  weft_wind_def wind;
  double side_speed; /* metres per second at which the tip goes one way */
  flag_flight flight;
} flag;

// ---- building ----

static weft_wind_def wind_of(const sim_values* values) {
  const double speed = sim_number(values, "wind");
  const double veer = sim_number(values, "veer") * (3.14159265358979 / 180.0);
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = (float)(speed * cos(veer));
  wind.velocity[2] = (float)(speed * sin(veer));
  wind.gust = (float)sim_number(values, "gust");
  wind.gust_period = (float)sim_number(values, "gust_period");
  wind.gust_size = (float)sim_number(values, "gust_size");
  wind.seed = sim_count(values, "seed");
  return wind;
}

static flag* new_flag(const sim_values* values, double h) {
  flag* self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->columns = sim_count(values, "columns");
  self->rows = sim_count(values, "rows");
  self->spacing = (float)(sim_number(values, "length") / (double)(self->columns - 1));
  self->h = h;
  self->wind = wind_of(values);
  self->side_speed = fmax(0.05, 0.02 * sim_number(values, "wind"));
  self->flight.tip_slowest = INFINITY;
  return self;
}

static bool add_cloth(const flag* self, const sim_values* values, weft_scene* scene,
                      tool_message* why) {
  weft_material_def cotton = weft_default_material_def();
  cotton.density = (float)sim_number(values, "density");
  cotton.bend_stiffness = (float)sim_number(values, "bend");
  sim_fabric(values, false, &cotton);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = self->columns;
  sheet.rows = self->rows;
  sheet.spacing = self->spacing;
  sheet.origin[1] = 0.5f * self->spacing * (float)(self->rows - 1);
  sheet.material = &cotton;
  if (!sim_check(weft_scene_add_sheet(scene, &sheet, NULL), why)) return false;
  for (uint32_t row = 0; row < self->rows; ++row) {
    if (!sim_check(weft_scene_pin(scene, row * self->columns, 1), why)) return false;
  }
  return true;
}

// Sweeps that are too few leave cloth as long as rubber: links stretch by about a h^2 columns /
// (sweeps * spacing). Substeps divide h. The wind meets most of a flag nearly edge-on: a tenth of
// it counts, and at most what brings the cloth to its speed in one step. Coarse levels hold
// together what is finer than this.
static uint32_t substeps_for(const flag* self, const sim_values* values,
                             const weft_world_def* def) {
  const double most_strain = 0.02, wind = sim_number(values, "wind");
  const double blown = 0.1 * 0.5 * 1.2 * wind * wind / sim_number(values, "density");
  const double acceleration = 9.81 + fmin(blown, wind / self->h);
  const double columns = fmin((double)self->columns, 32.0);
  const double spacing = sim_number(values, "length") / columns;
  const double sweeps = (double)(def->iterations > 0 ? def->iterations : 1);
  const double parts = self->h * sqrt(acceleration * columns / (sweeps * spacing * most_strain));
  return parts > 200.0 ? 200 : parts > 1.0 ? (uint32_t)ceil(parts) : 1;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  flag* self = new_flag(values, (double)def->step_ns * 1e-9);
  if (!self) return tool_because(why, "no memory for a flag");
  *state = self;
  def->faces = true;
  def->attachments = 1;
  def->coarse_iterations = 8;
  def->substeps = substeps_for(self, values, def);
  def->damping = (float)sim_number(values, "damping");
  return add_cloth(self, values, scene, why);
}

// A flag that is quite flat would stay so: held along an edge it stands by itself.
static bool start_folding(const flag* self, weft_world* world, tool_message* why) {
  for (uint32_t i = 0; i < self->rows * self->columns; ++i) {
    const double row = i / self->columns, column = i % self->columns;
    const double along = column / (double)(self->columns - 1), down = row / (double)self->rows;
    const float velocity[3] = {0.0f, 0.0f, (float)(0.2 * along * (1.0 + sim_wave(2.0 * down)))};
    if (column > 0.0 && !sim_check(weft_world_set_velocities(world, i, 1, velocity, 0), why)) {
      return false;
    }
  }
  return true;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  (void)def;
  const flag* self = state;
  return sim_check(weft_world_set_wind(world, &self->wind), why) && start_folding(self, world, why);
}

static void free_flag(void* state) {
  flag* self = state;
  free(self->flight.hashes);
}

// ---- watching ----

static double length_of(const float vector[3]) {
  const double x = (double)vector[0], y = (double)vector[1], z = (double)vector[2];
  return sqrt(x * x + y * y + z * z);
}

static double fastest_of(const flag* self, const weft_world* world) {
  double fastest = 0.0;
  for (uint32_t row = 0; row < self->rows; ++row) {
    for (uint32_t column = 0; column < self->columns; ++column) {
      float velocity[3];
      tool_must(weft_world_get_velocities(world, row * self->columns + column, 1, velocity));
      const double speed = length_of(velocity);
      // NaN counts as the largest speed
      if (!(speed <= fastest)) fastest = isnan(speed) ? INFINITY : speed;
    }
  }
  return fastest;
}

static bool note_hash(flag_flight* flight, uint64_t hash, tool_message* why) {
  if (flight->noted == flight->hash_room) {
    const size_t room = flight->hash_room > 0 ? 2 * flight->hash_room : 1024;
    uint64_t* grown = realloc(flight->hashes, room * sizeof *grown);
    if (!grown) return tool_because(why, "no memory for the hashes of a flag");
    flight->hashes = grown;
    flight->hash_room = room;
  }
  flight->hashes[flight->noted++] = hash;
  return true;
}

/* A way counts from a certain speed on: to stand still is no turn. */
static void note_side(const flag* self, flag_flight* flight, double speed) {
  if (fabs(speed) < self->side_speed) return;
  const double side = speed > 0.0 ? 1.0 : -1.0;
  if (flight->side * side < 0.0) ++flight->turns;
  flight->side = side;
}

static bool note_flight(const flag* self, const weft_world* world, flag_flight* flight,
                        tool_message* why) {
  const uint32_t tip = self->rows / 2 * self->columns + self->columns - 1;
  float place[3], velocity[3];
  weft_measures measures;
  if (!sim_check(weft_world_get_positions(world, tip, 1, place), why) ||
      !sim_check(weft_world_get_velocities(world, tip, 1, velocity), why) ||
      !sim_check(weft_world_measure(world, &measures), why)) {
    return false;
  }
  const double speed = length_of(velocity);
  flight->tip_slowest = fmin(flight->tip_slowest, speed);
  flight->tip_fastest = fmax(flight->tip_fastest, speed);
  flight->center_height += measures.center[1] * self->h;
  flight->tip_height += (double)place[1] * self->h;
  flight->seconds += self->h;
  note_side(self, flight, (double)velocity[2]);
  return true;
}

/* Notes a state, once. */
static bool note(flag* self, const weft_world* world, uint64_t step, tool_message* why) {
  flag_flight* flight = &self->flight;
  if (step < flight->noted) return true;
  flight->fastest = fmax(flight->fastest, fastest_of(self, world));
  return note_hash(flight, weft_world_hash(world), why) &&
         ((double)step * self->h < start_seconds || note_flight(self, world, flight, why));
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  return note(state, world, moment->step, why);
}

// ---- telling ----

static int by_size(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

/* Number of distinct states; NAN without memory. */
static double count_states(const flag_flight* flight) {
  uint64_t* sorted = calloc((size_t)flight->noted + 1, sizeof *sorted);
  if (!sorted) return NAN;
  for (size_t i = 0; i < flight->noted; ++i) sorted[i] = flight->hashes[i];
  qsort(sorted, (size_t)flight->noted, sizeof *sorted, by_size);
  uint64_t count = 0;
  for (size_t i = 0; i < flight->noted; ++i) count += i == 0 || sorted[i] != sorted[i - 1];
  free(sorted);
  return (double)count;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  flag* self = state;
  weft_world_stats stats;
  tool_message why;
  tool_must(weft_world_get_stats(world, &stats));
  (void)note(self, world, stats.step_count, &why);
  const flag_flight* flight = &self->flight;
  // lift: 0 = hanging straight down, 1 = level
  const double half = 0.5 * (double)self->spacing * (double)(self->columns - 1);
  const bool is_known = flight->seconds > 0.0;
  const double seconds = is_known ? flight->seconds : NAN;
  sim_add_result(results, "lift", 1.0 + flight->center_height / seconds / half);
  sim_add_result(results, "tip_height", flight->tip_height / seconds);
  sim_add_result(results, "flutter", (double)flight->turns / seconds);
  sim_add_result(results, "fastest", flight->fastest);
  sim_add_result(results, "tip_slowest", is_known ? flight->tip_slowest : NAN);
  sim_add_result(results, "tip_fastest", is_known ? flight->tip_fastest : NAN);
  sim_add_result(results, "states", count_states(flight));
  sim_add_result(results, "states_noted", (double)flight->noted);
}

const sim_scene sim_scene_flag = {
    .name = "flag",
    .summary = "a flag that flutters in a wind with gusts",
    .params = params,
    .seconds = 30.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
    .free = free_flag,
};
