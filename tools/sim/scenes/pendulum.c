/* A mass on a rod that is pinned at the origin, let go at rest and at an angle. The rod is a rigid
 * link or a stiff spring. Rates are those of the tool: a step is taken in as many substeps as a
 * stiff spring needs, so that the pendulum swings alike at all of them. */
#include <math.h>
#include <stdlib.h>

#include "common/integrators.h"
#include "sim/scene.h"

#define PI 3.14159265358979323846

enum { LINK_RIGID, LINK_SPRING };

static const char* const links[] = {"rigid", "spring", NULL};

static const sim_param params[] = {
    {"length", "metres of the rod", SIM_NUMBER, 1, 0.01, 1000, NULL},
    {"angle", "degrees from straight down at which it is let go", SIM_NUMBER, 30, -179, 179, NULL},
    {"mass", "kilograms", SIM_NUMBER, 1, 1e-6, 1e6, NULL},
    {"gravity", "metres per second squared", SIM_NUMBER, 9.81, 0.01, 1000, NULL},
    {"integrator", "integrator", SIM_CHOICE, WEFT_INTEGRATOR_POSITION_VERLET, 0, 0,
     tool_integrators},
    {"link", "kind of the rod", SIM_CHOICE, LINK_SPRING, 0, 0, links},
    {"stretch", "share of its length by which the hanging mass stretches a spring", SIM_NUMBER,
     0.001, 0.0001, 0.5, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

/* Passes of the lowest point, from left to right. */
typedef struct pass_times {
  uint64_t count;
  double first, second;         /* seconds */
  double before_last, last;     /* seconds */
  double x_before, time_before; /* the mass before the last step */
} pass_times;

typedef struct pendulum {
  double length, angle, mass, gravity;
  pass_times passes;
  bool measured;
  double start, lower, upper; /* joules, 0 where the mass hangs straight down at rest length */
} pendulum;

static pendulum* new_pendulum(const sim_values* values) {
  pendulum* made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->length = sim_number(values, "length");
  made->angle = sim_number(values, "angle") * PI / 180.0;
  made->mass = sim_number(values, "mass");
  made->gravity = sim_number(values, "gravity");
  return made;
}

/* A tenth of a radian of a spring's own swing in each; and where something is of order 1, a
 * thousandth of one of the pendulum: in longer ones it loses energy, and in much shorter ones what
 * single precision rounds off adds some. */
static uint32_t substeps_for(const pendulum* self, bool is_spring, double stretch,
                             const weft_world_def* def) {
  const double swing = sqrt(self->gravity / self->length);
  const bool is_verlet = def->integrator == WEFT_INTEGRATOR_POSITION_VERLET ||
                         def->integrator == WEFT_INTEGRATOR_VELOCITY_VERLET;
  const double by_spring = is_spring ? 10.0 * swing / sqrt(stretch) : 0.0;
  const double by_order = is_spring && is_verlet ? 0.0 : 1000.0 * swing;
  const double h = (double)def->step_ns * 1e-9;
  return (uint32_t)fmin(1000.0, ceil(fmax(by_spring, by_order) * h));
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  pendulum* self = new_pendulum(values);
  if (!self) return tool_because(why, "no memory for a pendulum");
  *state = self;
  const bool is_spring = sim_choice(values, "link") == LINK_SPRING;
  const double stretch = sim_number(values, "stretch");
  const float positions[] = {0.0f,
                             0.0f,
                             0.0f,
                             (float)(self->length * sin(self->angle)),
                             (float)(-self->length * cos(self->angle)),
                             0.0f};
  const float inverse_masses[] = {0.0f, (float)(1.0 / self->mass)};
  const double compliance = stretch * self->length / (self->mass * self->gravity);
  const weft_link_def rod = {.a = 0,
                             .b = 1,
                             .rest_length = (float)self->length,
                             .relaxation = 1.0f,
                             .compliance = is_spring ? (float)compliance : 0.0f};
  def->gravity[1] = -(float)self->gravity;
  def->damping = 0.0f;
  def->integrator = (weft_integrator)sim_choice(values, "integrator");
  // with a rigid link too, as velocities are those of the positions' time then
  def->springs = true;
  def->iterations = 1;
  def->substeps = substeps_for(self, is_spring, stretch, def);
  return sim_check(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL), why) &&
         sim_check(weft_scene_add_links(scene, &rod, 1, NULL), why);
}

// ---- what is measured ----

static void note_pass(pass_times* passes, const float* position, double time) {
  const double x = (double)position[0], was = passes->x_before;
  if (was < 0.0 && x >= 0.0 && position[1] < 0.0f) {
    passes->before_last = passes->last;
    passes->last = time - (time - passes->time_before) * x / (x - was);
    if (passes->count == 0) passes->first = passes->last;
    if (passes->count == 1) passes->second = passes->last;
    ++passes->count;
  }
  passes->x_before = x;
  passes->time_before = time;
}

static double energy_of(const pendulum* self, const weft_world* world) {
  weft_measures measures;
  if (weft_world_measure(world, &measures).error != WEFT_OK) return NAN;
  return measures.kinetic + measures.gravitational + measures.elastic +
         self->mass * self->gravity * self->length;
}

/* Passes over what is not finite: how far it got until then is told. */
static void note_energy(pendulum* self, double energy) {
  if (!self->measured) self->start = self->lower = self->upper = energy;
  if (isfinite(energy)) {
    self->lower = fmin(self->lower, energy);
    self->upper = fmax(self->upper, energy);
  }
  self->measured = true;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  pendulum* self = state;
  float position[3];
  if (!sim_check(weft_world_get_positions(world, 1, 1, position), why)) return false;
  note_pass(&self->passes, position, moment->time);
  note_energy(self, energy_of(self, world));
  return true;
}

/* The energy over that at the start. */
static uint32_t show(const weft_world* world, void* state, sim_shown shown[SIM_MOST_SHOWN]) {
  const pendulum* self = state;
  const double energy = energy_of(self, world);
  shown[0] = (sim_shown){.name = "energy", .value = self->measured ? energy / self->start : 1.0};
  return 1;
}

/* Seconds of a swing to and fro: 4 K(sin(angle / 2)) sqrt(length / gravity), K being the complete
 * elliptic integral of the first kind, by the arithmetic-geometric mean (Gauss 1799). */
static double exact_period(const pendulum* self) {
  double a = 1.0, b = cos(0.5 * self->angle);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 2.0 * PI / a * sqrt(self->length / self->gravity);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  const pendulum* self = state;
  const pass_times* passes = &self->passes;
  const double end = energy_of(self, world);
  pendulum whole = *self;
  note_energy(&whole, end);
  const uint64_t periods = passes->count > 1 ? passes->count - 1 : 0;
  const double mean = (passes->last - passes->first) / (double)periods;
  sim_add_result(results, "periods", (double)periods);
  sim_add_result(results, "period", periods > 0 ? mean : NAN);
  sim_add_result(results, "first_period", periods > 0 ? passes->second - passes->first : NAN);
  sim_add_result(results, "last_period", periods > 0 ? passes->last - passes->before_last : NAN);
  sim_add_result(results, "exact_period", exact_period(self));
  sim_add_result(results, "energy_start", whole.start);
  sim_add_result(results, "energy_end", end);
  sim_add_result(results, "energy_least", whole.lower);
  sim_add_result(results, "energy_most", whole.upper);
}

const sim_scene sim_scene_pendulum = {
    .name = "pendulum",
    .summary = "a mass on a rigid rod or a stiff spring, by any integrator",
    .params = params,
    .seconds = 20.0,
    .rate = 240.0,
    .build = build,
    .before_step = before_step,
    .report = report,
    .show = show,
};
