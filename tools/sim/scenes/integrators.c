/* All integrators against exact motion: a mass on a spring along a line, and a pendulum on a stiff
 * spring. Each runs in worlds of its own, beside the one shown, by steps of the run, half of that,
 * a quarter .., which after every step of the run are compared with a solution of many digits and
 * with the initial energy. The table also has each integrator's error there and back, velocities
 * reversed half way, and the area of a triangle of states after the run. */
#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/integrators.h"
#include "sim/oscillator.h"
#include "sim/scene.h"

#define PI 3.14159265358979323846

enum {
  SYSTEM_COUNT = 2,
  INTEGRATOR_COUNT = WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1,
  MOST_RUNGS = 10,
  FEWEST_TO_FIT = 3,
};

/* Shares of the scale between which errors fit orders: above, an error is too large to follow its
 * order; once one is below, single precision shows in it and at all smaller steps. */
static const double least_fitted = 5e-5, most_fitted = 0.1;
/* Order 4 takes few steps to small errors, and rounding grows with the number of steps. */
static const double least_of_order_4 = 2e-6;

static const char* const systems[] = {"oscillator", "pendulum", NULL};

static const sim_param params[] = {
    {"system", "system that the run shows", SIM_CHOICE, 1, 0, 0, systems},
    {"integrator", "integrator of that system", SIM_CHOICE, WEFT_INTEGRATOR_POSITION_VERLET, 0, 0,
     tool_integrators},
    {"halvings", "number of halvings of the step", SIM_COUNT, 9, 0, MOST_RUNGS - 1, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

/* One system by one integrator in steps of one size. */
typedef struct rung {
  weft_world* world;
  double step;     /* seconds of a substep */
  double substeps; /* in a step of the run */
  double squares;  /* sum of squared errors over the scale */
  double energy;   /* largest error of the energy over the scale */
  double busy_ns;  /* wall time of its steps, for the table */
} rung;

typedef struct system_state {
  sim_oscillator oscillator;
  double length_scale; /* metres, scale of errors */
  double energy_scale; /* joules, scale of energies */
  double energy;       /* initial energy */
  sim_motion exact;
  rung rungs[INTEGRATOR_COUNT][MOST_RUNGS];
} system_state;

typedef struct comparison {
  uint32_t rung_count;
  uint32_t sample_count;
  uint32_t shown, integrator; /* world shown */
  weft_world_def def;         /* def of all worlds but the one shown */
  system_state systems[SYSTEM_COUNT];
} comparison;

// ---- making ----

/* Scales: amplitude, and the energy that may be lost. */
static void set_system(system_state* system, const sim_oscillator* o, double length_scale) {
  system->oscillator = *o;
  system->exact = sim_oscillator_start(o);
  system->energy = sim_oscillator_energy(o, &system->exact);
  system->length_scale = length_scale;
  system->energy_scale = system->energy;
}

static void set_systems(system_state* list) {
  // 4 radians a second, a quarter of a metre to both sides: it may grow to four times that
  const sim_oscillator oscillator = {
      .mass = 0.5, .length = 1.0, .compliance = 0.125, .pos = {1.25, 0.0, 0.0}};
  // 10 radians a second in the spring
  const sim_oscillator pendulum = sim_pendulum_of(1.0, 0.01, 0.5 * PI);
  set_system(&list[0], &oscillator, 0.25);
  set_system(&list[1], &pendulum, 1.0);
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  comparison* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a comparison");
  *state = self;
  self->rung_count = sim_count(values, "halvings") + 1;
  set_systems(self->systems);
  def->solver.integrator = (weft_integrator)sim_choice(values, "integrator");
  if (def->solver.substeps == WEFT_AUTO) def->solver.substeps = 1;
  self->shown = sim_choice(values, "system");
  self->integrator = sim_choice(values, "integrator");
  const system_state* shown = &self->systems[self->shown];
  return sim_check(sim_oscillator_describe(&shown->oscillator, scene, def), why);
}

static bool make_rung(const sim_oscillator* o, const weft_world_def* def, rung* made,
                      tool_message* why) {
  weft_scene* scene = NULL;
  weft_world_def with = *def;
  made->step = (double)def->step_ns * 1e-9 / def->solver.substeps;
  made->substeps = def->solver.substeps;
  const bool ok = sim_check(weft_scene_create(&scene), why) &&
                  sim_check(sim_oscillator_describe(o, scene, &with), why) &&
                  sim_check(weft_world_create(&with, scene, &made->world), why) &&
                  sim_check(sim_oscillator_push(o, made->world), why);
  weft_scene_destroy(&scene);
  return ok;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  comparison* self = state;
  (void)world;
  if (def->solver.substeps << (self->rung_count - 1) > 1000) {
    return tool_because(why, "%u halvings of %u substeps are more than 1000 substeps",
                        self->rung_count - 1, def->solver.substeps);
  }
  weft_world_def with = *def;
  with.worker_count = 1;
  self->def = with;
  for (int s = 0; s < SYSTEM_COUNT; ++s) {
    for (int i = 0; i < INTEGRATOR_COUNT; ++i) {
      for (uint32_t k = 0; k < self->rung_count; ++k) {
        system_state* system = &self->systems[s];
        with.solver.integrator = (weft_integrator)i;
        with.solver.substeps = def->solver.substeps << k;
        if (!make_rung(&system->oscillator, &with, &system->rungs[i][k], why)) return false;
      }
    }
  }
  return true;
}

static void free_comparison(void* state) {
  comparison* self = state;
  for (int s = 0; s < SYSTEM_COUNT; ++s) {
    for (int i = 0; i < INTEGRATOR_COUNT; ++i) {
      for (int k = 0; k < MOST_RUNGS; ++k) {
        weft_world_destroy(&self->systems[s].rungs[i][k].world);
      }
    }
  }
}

// ---- running ----

static bool compare(const system_state* system, rung* one, tool_message* why) {
  sim_motion motion;
  if (!sim_check(sim_oscillator_read(one->world, &motion), why)) return false;
  for (int k = 0; k < 3; ++k) {
    const double error = (motion.pos[k] - system->exact.pos[k]) / system->length_scale;
    one->squares += error * error;
  }
  const double energy = sim_oscillator_energy(&system->oscillator, &motion);
  const double error = fabs(energy - system->energy) / system->energy_scale;
  // not fmax(), which would skip NaN
  if (!(error <= one->energy)) one->energy = error;
  return true;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  comparison* self = state;
  (void)world;
  for (int s = 0; s < SYSTEM_COUNT; ++s) {
    system_state* system = &self->systems[s];
    sim_oscillator_follow(&system->oscillator, moment->h, &system->exact);
    for (int i = 0; i < INTEGRATOR_COUNT; ++i) {
      for (uint32_t k = 0; k < self->rung_count; ++k) {
        const double start_ns = tool_clock_ns();
        weft_world_step(system->rungs[i][k].world, 1);
        system->rungs[i][k].busy_ns += tool_clock_ns() - start_ns;
        if (!compare(system, &system->rungs[i][k], why)) return false;
      }
    }
  }
  ++self->sample_count;
  return true;
}

// ---- showing ----

static double energy_share(const system_state* system, const weft_world* world) {
  sim_motion motion;
  if (sim_oscillator_read(world, &motion).error != WEFT_OK) return NAN;
  return sim_oscillator_energy(&system->oscillator, &motion) / system->energy;
}

/* All integrators side by side, at the largest step, and their energies over the initial one. */
static uint32_t show(const weft_world* world, void* state, sim_shown shown[SIM_MOST_SHOWN]) {
  const comparison* self = state;
  const system_state* system = &self->systems[self->shown];
  const float width = self->shown == 0 ? 0.0f : 2.6f, height = self->shown == 0 ? 0.5f : 0.0f;
  for (int i = 0; i < INTEGRATOR_COUNT; ++i) {
    const float apart = (float)(i - (int)self->integrator);
    const bool is_main = i == (int)self->integrator;
    const weft_world* one = is_main ? world : system->rungs[i][0].world;
    shown[i] = (sim_shown){.name = tool_integrators[i],
                           .value = energy_share(system, one),
                           .world = is_main ? NULL : one,
                           .offset = {apart * width, -apart * height, 0.0f}};
  }
  return INTEGRATOR_COUNT;
}

// ---- telling ----

static double error_of(const comparison* self, const rung* one) {
  return sqrt(one->squares / (double)self->sample_count);
}

static double fit_order(const comparison* self, const rung* rungs, bool of_energy, double least) {
  double steps[MOST_RUNGS], errors[MOST_RUNGS];
  int count = 0;
  for (uint32_t k = 0; k < self->rung_count; ++k) {
    const double error = of_energy ? rungs[k].energy : error_of(self, &rungs[k]);
    if (error < least) break;
    if (!(error <= most_fitted)) continue;
    steps[count] = rungs[k].step;
    errors[count++] = error;
  }
  return count < FEWEST_TO_FIT ? NAN : sim_fitted_order(steps, errors, count);
}

#define NAMES(system)                                                                    \
  {                                                                                      \
    system "_position_verlet", system "_velocity_verlet", system "_semi_implicit_euler", \
        system "_explicit_euler", system "_implicit_euler", system "_runge_kutta_4"      \
  }

static void report(const weft_world* world, void* state, sim_results* results) {
  static const char* const order_names[SYSTEM_COUNT][INTEGRATOR_COUNT] = {NAMES("order_oscillator"),
                                                                          NAMES("order_pendulum")};
  static const char* const energy_names[SYSTEM_COUNT][INTEGRATOR_COUNT] = {
      NAMES("energy_order_oscillator"), NAMES("energy_order_pendulum")};
  const comparison* self = state;
  (void)world;
  for (int s = 0; s < SYSTEM_COUNT; ++s) {
    for (int i = 0; i < INTEGRATOR_COUNT; ++i) {
      const rung* rungs = self->systems[s].rungs[i];
      const double least = i == WEFT_INTEGRATOR_RUNGE_KUTTA_4 ? least_of_order_4 : least_fitted;
      sim_add_result(results, order_names[s][i], fit_order(self, rungs, false, least));
      sim_add_result(results, energy_names[s][i], fit_order(self, rungs, true, least));
    }
  }
}

static void write_number(FILE* out, double number) {
  fprintf(out, isfinite(number) ? ",%.9g" : ",", number);
}

// ---- there and back, and area in phase space ----

static weft_world_def def_of(const comparison* self, int integrator, uint32_t rung_index) {
  weft_world_def def = self->def;
  def.solver.integrator = (weft_integrator)integrator;
  def.solver.substeps <<= rung_index;
  return def;
}

/* Moves an oscillator for as long as the run. False without memory for its world. */
static bool move(const comparison* self, const sim_oscillator* o, const weft_world_def* def,
                 sim_motion* end) {
  tool_message why;
  rung one = {.world = NULL};
  bool ok = make_rung(o, def, &one, &why);
  if (ok) weft_world_step(one.world, self->sample_count);
  ok = ok && sim_check(sim_oscillator_read(one.world, end), &why);
  weft_world_destroy(&one.world);
  return ok;
}

/* Distance from the start after the run there and back, over the amplitude; NaN without memory. */
static double reversal_error(const comparison* self, const system_state* system,
                             const weft_world_def* def) {
  sim_oscillator back = system->oscillator;
  sim_motion end;
  if (!move(self, &system->oscillator, def, &end)) return NAN;
  for (int k = 0; k < 3; ++k) {
    back.pos[k] = end.pos[k];
    back.vel[k] = -end.vel[k];
  }
  if (!move(self, &back, def, &end)) return NAN;
  double squares = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double error = end.pos[k] - system->oscillator.pos[k];
    squares += error * error;
  }
  return sqrt(squares) / system->length_scale;
}

/* Area of a triangle of positions and velocities along the line after the run, over the initial
 * one; NaN without memory, and for the pendulum, whose states are not in a plane. */
static double area_ratio(const comparison* self, int system, const weft_world_def* def) {
  const double side = 0.05;
  double x[3], v[3];
  if (system != 0) return NAN;
  for (int corner = 0; corner < 3; ++corner) {
    sim_oscillator o = self->systems[system].oscillator;
    sim_motion end;
    if (corner == 1) o.pos[0] += side;
    if (corner == 2) o.vel[0] += side;
    if (!move(self, &o, def, &end)) return NAN;
    x[corner] = end.pos[0];
    v[corner] = end.vel[0];
  }
  return ((x[1] - x[0]) * (v[2] - v[0]) - (x[2] - x[0]) * (v[1] - v[0])) / (side * side);
}

static void write_rows(void* state, FILE* out) {
  const comparison* self = state;
  for (int s = 0; s < SYSTEM_COUNT; ++s) {
    for (int i = 0; i < INTEGRATOR_COUNT; ++i) {
      for (uint32_t k = 0; k < self->rung_count; ++k) {
        const rung* one = &self->systems[s].rungs[i][k];
        fprintf(out, "%s,%s", systems[s], tool_integrators[i]);
        write_number(out, one->step);
        write_number(out, error_of(self, one));
        write_number(out, one->energy);
        // each has one spring
        const double substeps = (double)self->sample_count * one->substeps;
        write_number(out, one->busy_ns / substeps);
        const weft_world_def def = def_of(self, i, k);
        write_number(out, reversal_error(self, &self->systems[s], &def));
        write_number(out, area_ratio(self, s, &def));
        fputc('\n', out);
      }
    }
  }
}

const sim_scene sim_scene_integrators = {
    .name = "integrators",
    .summary = "errors of all integrators against the size of the step",
    .params = params,
    .seconds = 1.0,
    .rate = 8.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
    .columns = "system,integrator,step,error,energy_error,ns_per_spring,reversal_error,area_ratio",
    .write_rows = write_rows,
    .show = show,
    .free = free_comparison,
};
