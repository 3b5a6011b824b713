/* Two double pendulums side by side in one world, in two upright planes, let go at rest and alike:
 * the nearer one of stiff rods, the other one of soft springs. */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "sim/scene.h"

#define PI 3.14159265358979323846

enum { STIFF, SOFT, PENDULUM_COUNT };

static const sim_param params[] = {
    {"length1", "metres of the upper rod", SIM_NUMBER, 1, 0.1, 100, NULL},
    {"length2", "metres of the lower rod", SIM_NUMBER, 1, 0.1, 100, NULL},
    {"angle1", "degrees of the upper rod from straight down", SIM_NUMBER, 100, -180, 180, NULL},
    {"angle2", "degrees of the lower rod from straight down", SIM_NUMBER, 140, -180, 180, NULL},
    {"mass1", "kilograms of the upper mass", SIM_NUMBER, 1, 0.1, 10, NULL},
    {"mass2", "kilograms of the lower mass", SIM_NUMBER, 1, 0.1, 10, NULL},
    {"stretch", "largest strain of a soft rod under the hanging masses", SIM_NUMBER, 0.1, 0.01, 0.5,
     NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

/* Extremes of one double pendulum. */
typedef struct swing {
  weft_body body;
  double compliance;      /* metres per newton of each rod */
  double shortest[2];     /* smallest length of each rod over its rest length */
  double longest[2];      /* likewise */
  double start, off_most; /* joules: the energy at first, and by how much it was ever off */
} swing;

typedef struct double_pendulum {
  double lengths[2], angles[2], masses[2], gravity;
  bool measured;
  swing swings[PENDULUM_COUNT];
} double_pendulum;

// ---- building ----

static double_pendulum* new_double_pendulum(const sim_values* values) {
  double_pendulum* made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->lengths[0] = sim_number(values, "length1");
  made->lengths[1] = sim_number(values, "length2");
  made->angles[0] = sim_number(values, "angle1") * PI / 180.0;
  made->angles[1] = sim_number(values, "angle2") * PI / 180.0;
  made->masses[0] = sim_number(values, "mass1");
  made->masses[1] = sim_number(values, "mass2");
  return made;
}

static bool add_swing(const double_pendulum* self, weft_scene* scene, double z, swing* made,
                      tool_message* why) {
  weft_double_pendulum_def def = weft_default_double_pendulum_def();
  def.origin[2] = (float)z;
  def.compliance = (float)made->compliance;
  for (int i = 0; i < 2; ++i) {
    def.lengths[i] = (float)self->lengths[i];
    def.angles[i] = (float)self->angles[i];
    def.masses[i] = (float)self->masses[i];
  }
  return sim_check(weft_scene_add_double_pendulum(scene, &def, &made->body), why);
}

/* A tenth of a radian of the fastest swing of the springs in each, and a two-hundredth of one of
 * the rods: in longer ones stiff rods lose energy, and in much shorter ones what single precision
 * rounds off shows in small swings. */
static uint32_t substeps_for(const double_pendulum* self, double h) {
  const double length = fmin(self->lengths[0], self->lengths[1]);
  const double mass = fmin(self->masses[0], self->masses[1]);
  const double springs = sqrt(4.0 / (self->swings[SOFT].compliance * mass));
  const double rods = sqrt(self->gravity / length);
  return (uint32_t)fmin(1000.0, ceil(h * fmax(10.0 * springs, 200.0 * rods)));
}

/* One for both soft rods, by the one that it stretches more. */
static double soft_compliance(const double_pendulum* self, double stretch) {
  const double upper = self->lengths[0] / (self->masses[0] + self->masses[1]);
  const double lower = self->lengths[1] / self->masses[1];
  return stretch * fmin(upper, lower) / self->gravity;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  double_pendulum* self = new_double_pendulum(values);
  if (!self) return tool_because(why, "no memory for two double pendulums");
  *state = self;
  const double reach = self->lengths[0] + self->lengths[1];
  self->gravity = -(double)def->gravity[1];
  self->swings[SOFT].compliance = soft_compliance(self, sim_number(values, "stretch"));
  def->damping = 0.0f;
  // velocities are those of the positions' time then, for the stiff one too
  def->springs = true;
  def->substeps = substeps_for(self, (double)def->step_ns * 1e-9);
  return add_swing(self, scene, 0.1 * reach, &self->swings[STIFF], why) &&
         add_swing(self, scene, -0.1 * reach, &self->swings[SOFT], why);
}

// ---- what is measured ----

static double rod_length(const float* positions, int rod) {
  double square = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double apart = (double)positions[3 * rod + 3 + k] - (double)positions[3 * rod + k];
    square += apart * apart;
  }
  return sqrt(square);
}

static double energy_of(const double_pendulum* self, const swing* one, const float* positions,
                        const float* velocities) {
  double energy = 0.0;
  for (int i = 0; i < 2; ++i) {
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double speed = (double)velocities[3 * i + 3 + k];
      square += speed * speed;
    }
    energy += 0.5 * self->masses[i] * square;
    energy += self->masses[i] * self->gravity * (double)positions[3 * i + 4];
    const double excess = rod_length(positions, i) - self->lengths[i];
    if (one->compliance > 0.0) energy += 0.5 * excess * excess / one->compliance;
  }
  return energy;
}

/* Comparisons so that NaN shows. */
static void keep_least(double value, double* lower) {
  if (!(value >= *lower)) *lower = value;
}

static void keep_most(double value, double* upper) {
  if (!(value <= *upper)) *upper = value;
}

static bool measure(const double_pendulum* self, const weft_world* world, bool first, swing* one,
                    tool_message* why) {
  float positions[9], velocities[9];
  const uint32_t begin = one->body.first_particle;
  if (!sim_check(weft_world_get_positions(world, begin, 3, positions), why) ||
      !sim_check(weft_world_get_velocities(world, begin, 3, velocities), why)) {
    return false;
  }
  const double energy = energy_of(self, one, positions, velocities);
  if (first) one->start = energy;
  keep_most(fabs(energy - one->start), &one->off_most);
  for (int i = 0; i < 2; ++i) {
    const double ratio = rod_length(positions, i) / self->lengths[i];
    if (first) one->shortest[i] = one->longest[i] = ratio;
    keep_least(ratio, &one->shortest[i]);
    keep_most(ratio, &one->longest[i]);
  }
  return true;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  double_pendulum* self = state;
  for (int i = 0; i < PENDULUM_COUNT; ++i) {
    if (!measure(self, world, moment->step == 0, &self->swings[i], why)) return false;
  }
  self->measured = true;
  return true;
}

/* The most that the pendulum could lose, from straight up to straight down. */
static double energy_scale(const double_pendulum* self) {
  return 2.0 * self->gravity *
         (self->masses[0] * self->lengths[0] +
          self->masses[1] * (self->lengths[0] + self->lengths[1]));
}

/* Energy lost or gained, as a share of the most that could be lost. */
static uint32_t show(const weft_world* world, void* state, sim_shown shown[SIM_MOST_SHOWN]) {
  static const char* const names[PENDULUM_COUNT] = {"stiff", "soft"};
  const double_pendulum* self = state;
  for (int i = 0; i < PENDULUM_COUNT; ++i) {
    const swing* one = &self->swings[i];
    float positions[9], velocities[9];
    tool_must(weft_world_get_positions(world, one->body.first_particle, 3, positions));
    tool_must(weft_world_get_velocities(world, one->body.first_particle, 3, velocities));
    const double off = energy_of(self, one, positions, velocities) - one->start;
    shown[i] =
        (sim_shown){.name = names[i], .value = self->measured ? off / energy_scale(self) : 0};
  }
  return PENDULUM_COUNT;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  static const char* const names[PENDULUM_COUNT][3] = {
      {"stiff_shortest", "stiff_longest", "stiff_energy_error"},
      {"soft_shortest", "soft_longest", "soft_energy_error"}};
  double_pendulum* self = state;
  tool_message unused;
  for (int i = 0; i < PENDULUM_COUNT; ++i) {
    swing one = self->swings[i];
    (void)measure(self, world, !self->measured, &one, &unused);
    keep_least(one.shortest[1], &one.shortest[0]);
    keep_most(one.longest[1], &one.longest[0]);
    sim_add_result(results, names[i][0], one.shortest[0]);
    sim_add_result(results, names[i][1], one.longest[0]);
    sim_add_result(results, names[i][2], one.off_most / energy_scale(self));
  }
}

const sim_scene sim_scene_double_pendulum = {
    .name = "double-pendulum",
    .summary = "two double pendulums side by side, of stiff rods and of soft ones",
    .params = params,
    .seconds = 20.0,
    .rate = 240.0,
    .build = build,
    .before_step = before_step,
    .report = report,
    .show = show,
};
