/* Atoms with the Lennard-Jones law in a cube with elastic walls: a gas, or a liquid that gathers
 * into a drop when cold. Units of the law: diameters s, well depths e, atomic masses, times s
 * sqrt(m / e), about two picoseconds of argon; temperature is two thirds of an atom's kinetic
 * energy. */
#include <math.h>
#include <stdlib.h>

#include "common/integrators.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"atoms", "atoms along each side of the lattice at the start", SIM_COUNT, 8, 2, 64, NULL},
    {"density", "atoms for each cubic diameter of the box", SIM_NUMBER, 0.1, 0.001, 0.8, NULL},
    {"temperature", "of the velocities at the start", SIM_NUMBER, 1, 0, 100, NULL},
    {"cutoff", "diameters at which forces end", SIM_NUMBER, 2.5, 1, 10, NULL},
    {"integrator", "integrator; implicit_euler is refused", SIM_CHOICE,
     WEFT_INTEGRATOR_VELOCITY_VERLET, 0, 0, tool_integrators},
    {"seed", "of the velocities", SIM_COUNT, 1, 0, 4294967295, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

/* A state of the table. */
typedef struct argon_row {
  double time, kinetic, pair;
} argon_row;

enum { MOST_ROWS = 100000 };

typedef struct argon {
  uint32_t count;
  double width, temperature; /* diameters */
  uint64_t seed;
  argon_row* rows;
  size_t row_count;
  double start, lower, upper; /* energies */
} argon;

/* Splitmix64 (Steele, Lea, Flood 2014), from -0.5 to 0.5. */
static double draw(uint64_t* state) {
  uint64_t bits = *state += 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return (double)(bits >> 11) * 0x1p-53 - 0.5;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  argon* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for argon");
  *state = self;
  def->solver.integrator = (weft_integrator)sim_choice(values, "integrator");
  if (def->solver.integrator == WEFT_INTEGRATOR_IMPLICIT_EULER) {
    return tool_because(why, "--set integrator: implicit_euler has no forces between particles");
  }
  const uint32_t side = sim_count(values, "atoms");
  self->count = side * side * side;
  self->width = cbrt((double)self->count / sim_number(values, "density"));
  self->temperature = sim_number(values, "temperature");
  self->seed = sim_count(values, "seed");
  self->rows = calloc(MOST_ROWS, sizeof *self->rows);
  if (!self->rows) return tool_because(why, "no memory for the table");
  const double spacing = self->width / side;
  const float inverse_mass = 1.0f;
  for (uint32_t i = 0; i < self->count; ++i) {
    const float position[3] = {(float)((i % side + 0.5) * spacing),
                               (float)((i / side % side + 0.5) * spacing),
                               (float)((i / side / side + 0.5) * spacing)};
    if (!sim_check(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL), why)) {
      return false;
    }
  }
  def->gravity[0] = def->gravity[1] = def->gravity[2] = 0.0f;
  def->damping = 0.0f;
  def->solver.iterations = 0;
  def->solver.substeps = 1;
  def->pair_force.kind = WEFT_PAIR_FORCE_LENNARD_JONES;
  def->pair_force.cutoff = (float)sim_number(values, "cutoff");
  def->pair_force.max_neighbors = 256;
  return true;
}

/* Velocities of zero mean and exactly the temperature; walls. */
static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  argon* self = state;
  (void)def;
  weft_bounds_def box = weft_default_bounds_def();
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = 0.0f;
    box.upper[axis] = (float)self->width;
  }
  box.surface.restitution = 1.0f;
  if (!sim_check(weft_world_set_bounds(world, &box), why)) return false;
  double mean[3] = {0.0, 0.0, 0.0}, square = 0.0;
  uint64_t random = self->seed;
  for (uint32_t i = 0; i < 3 * self->count; ++i) mean[i % 3] += draw(&random) / self->count;
  random = self->seed;
  for (uint32_t i = 0; i < 3 * self->count; ++i) {
    const double velocity = draw(&random) - mean[i % 3];
    square += velocity * velocity;
  }
  const double scale = sqrt(3.0 * self->temperature * self->count / square);
  random = self->seed;
  for (uint32_t i = 0; i < self->count; ++i) {
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) {
      velocity[axis] = (float)(scale * (draw(&random) - mean[axis]));
    }
    if (!sim_set(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity, 0, why)) return false;
  }
  return true;
}

static void note(argon* self, const weft_measures* measures, double time) {
  const double energy = measures->kinetic + measures->pair;
  if (self->row_count == 0) self->start = self->lower = self->upper = energy;
  self->lower = fmin(self->lower, energy);
  self->upper = fmax(self->upper, energy);
  if (self->row_count == MOST_ROWS) return;
  self->rows[self->row_count++] = (argon_row){time, measures->kinetic, measures->pair};
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  weft_measures measures;
  if (moment->step % 10 != 0) return true;
  if (!sim_check(weft_world_measure(world, &measures), why)) return false;
  note(state, &measures, moment->time);
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  argon* self = state;
  weft_measures measures = {.kinetic = NAN, .pair = NAN};
  // unchanged without memory
  (void)!weft_world_measure(world, &measures).error;
  sim_add_result(results, "atoms", self->count);
  sim_add_result(results, "width", self->width);
  sim_add_result(results, "temperature", 2.0 / 3.0 * measures.kinetic / self->count);
  sim_add_result(results, "potential_per_atom", measures.pair / self->count);
  sim_add_result(results, "energy_start", self->start);
  sim_add_result(results, "energy_end", measures.kinetic + measures.pair);
  sim_add_result(results, "energy_least", self->lower);
  sim_add_result(results, "energy_most", self->upper);
}

static void write_rows(void* state, FILE* out) {
  const argon* self = state;
  for (size_t i = 0; i < self->row_count; ++i) {
    const argon_row* row = &self->rows[i];
    fprintf(out, "%.9g,%.9g,%.9g,%.9g,%.9g\n", row->time, 2.0 / 3.0 * row->kinetic / self->count,
            row->kinetic, row->pair, row->kinetic + row->pair);
  }
}

static void free_argon(void* state) {
  argon* self = state;
  free(self->rows);
}

const sim_scene sim_scene_argon = {
    .name = "argon",
    .summary = "atoms with Lennard-Jones forces in a box, a gas or a drop",
    .params = params,
    .seconds = 10.0,
    .rate = 250.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
    .columns = "time,temperature,kinetic,potential,energy",
    .write_rows = write_rows,
    .free = free_argon,
};
