/* A cable between two clamps, one of which turns while they come closer: it buckles into a helix
 * and a loop. With coils it is a telephone cord, and hangs. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/observe.h"
#include "sim/path.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"size", "segments of the cable", SIM_COUNT, 120, 8, 10000, NULL},
    {"length", "metres, along the cable", SIM_NUMBER, 1, 0.01, 100, NULL},
    {"mass", "kilograms per metre", SIM_NUMBER, 0.05, 1e-6, 1000, NULL},
    {"bend", "bend stiffness, newton square metres", SIM_NUMBER, 1e-3, 1e-9, 1e6, NULL},
    {"twist", "twist stiffness over bend stiffness", SIM_NUMBER, 0.8, 1e-3, 1000, NULL},
    {"thickness", "radius of the cable, as a share of its segments", SIM_NUMBER, 0.9, 0.5, 2, NULL},
    {"friction", "coefficient of the cable", SIM_NUMBER, 0.5, 0, 100, NULL},
    {"turns", "of one clamp against the other", SIM_NUMBER, 5, -1000, 1000, NULL},
    {"period", "seconds of a turn", SIM_NUMBER, 0.5, 0.01, 1000, NULL},
    {"approach", "share of the distance by which the clamps come closer", SIM_NUMBER, 0.4, 0, 0.9,
     NULL},
    {"coils", "of the cable at rest; 0 = straight", SIM_COUNT, 0, 0, 100, NULL},
    {"coil", "radius of a coil, as a share of its length along the cable", SIM_NUMBER, 0.1, 0.001,
     0.159, NULL},
    SIM_END_OF_PARAMS,
};

typedef struct cable {
  uint32_t segments, coils;
  double length, distance, turns, period, approach, stiffness;
  double twist_stiffness;
  float (*points)[3];  /* initial, later present points [segments + 1] */
  float (*moments)[3]; /* [segments + 1] */
  float last[3];
  weft_particle_shape_def shape;
} cable;

/* A helix along x of the given length along the curve, or a line without coils. */
static void lay_out(cable* self, double radius) {
  const double circle = radius * 6.283185307179586 * self->coils;
  self->distance = sqrt(self->length * self->length - circle * circle);
  for (uint32_t k = 0; k <= self->segments; ++k) {
    const double share = (double)k / self->segments;
    double sine, cosine;
    sim_sine_of_turns(share * self->coils, &sine, &cosine);
    self->points[k][0] = (float)(self->distance * (share - 0.5));
    self->points[k][1] = (float)(self->coils > 0 ? radius * (cosine - 1.0) : 0.0);
    self->points[k][2] = (float)(self->coils > 0 ? radius * sine : 0.0);
  }
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  cable* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a cable");
  *state = self;
  self->segments = sim_count(values, "size");
  self->coils = sim_count(values, "coils");
  self->length = sim_number(values, "length");
  self->turns = sim_number(values, "turns");
  self->period = sim_number(values, "period");
  self->approach = sim_number(values, "approach");
  self->stiffness = sim_number(values, "bend");
  self->twist_stiffness = sim_number(values, "twist") * self->stiffness;
  self->points = calloc((size_t)self->segments + 1, sizeof *self->points);
  self->moments = calloc((size_t)self->segments + 1, sizeof *self->moments);
  if (!self->points || !self->moments)
    return tool_because(why, "no memory for %u segments", self->segments);
  lay_out(self, sim_number(values, "coil") * self->length / fmax(1.0, self->coils));
  for (int axis = 0; axis < 3; ++axis) self->last[axis] = self->points[self->segments][axis];
  const double radius = sim_number(values, "thickness") * self->length / self->segments;
  self->shape = weft_default_particle_shape_def();
  self->shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  self->shape.half_size[0] = (float)radius;
  self->shape.surface.static_friction = self->shape.surface.dynamic_friction =
      (float)sim_number(values, "friction");
  weft_rod_def rod = weft_default_rod_def();
  rod.rope.collision = WEFT_COLLISION_NONE;
  rod.rope.in_air = false;
  rod.rope.points = self->points[0];
  rod.rope.point_count = self->segments + 1;
  rod.rope.mass_per_metre = (float)sim_number(values, "mass");
  rod.rope.pin_origin = rod.rope.pin_end = rod.clamp_origin = rod.clamp_end = true;
  rod.radius = (float)fmin(fmax(radius, 1e-6), 1e3);
  rod.bend_stiffness = (float)self->stiffness;
  rod.twist_stiffness = (float)self->twist_stiffness;
  def->solver.substeps = 64;
  def->damping = 5.0f;
  if (self->coils == 0) def->gravity[1] = 0.0f;
  return sim_check(weft_scene_add_rod(scene, &rod, NULL), why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const cable* self = state;
  (void)def;
  return sim_set_cloth_shape(world, &self->shape, why);
}

/* Share of the turning so far. */
static double share_at(const cable* self, double time) {
  const double seconds = fabs(self->turns) * self->period;
  return seconds > 0.0 ? fmin(time / seconds, 1.0) : fmin(time, 1.0);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  const cable* self = state;
  const double now = share_at(self, moment->time), then = share_at(self, moment->time + moment->h);
  weft_rod_end end;
  if (!sim_check(weft_world_get_rod_end(world, self->segments, &end), why)) return false;
  const double spin = 6.283185307179586 * self->turns * (then - now) / moment->h;
  if ((double)end.spin[0] != (double)(float)spin) {
    end.spin[0] = (float)spin;
    if (!sim_check(weft_world_set_rod_end(world, self->segments, &end), why)) return false;
  }
  if (then == now) return true;
  const float target[3] = {(float)((double)self->last[0] - then * self->approach * self->distance),
                           self->last[1], self->last[2]};
  return sim_set(world, WEFT_ATTRIBUTE_TARGET, self->segments, 1, target, 0, why);
}

/* Writhe: the integral of Gauss over all pairs of segments at their middles (Klenin and Langowski
 * 2000, "Computation of writhe in modeling of supercoiled DNA"). */
static double writhe_of(const cable* self) {
  double sum = 0.0;
  for (uint32_t i = 0; i < self->segments; ++i) {
    for (uint32_t k = i + 2; k < self->segments; ++k) {
      double a[3], b[3], r[3];
      for (int axis = 0; axis < 3; ++axis) {
        const float* p = &self->points[i][axis];
        const float* q = &self->points[k][axis];
        a[axis] = (double)p[3] - (double)p[0];
        b[axis] = (double)q[3] - (double)q[0];
        r[axis] = 0.5 * ((double)q[0] + (double)q[3] - (double)p[0] - (double)p[3]);
      }
      const double triple = r[0] * (a[1] * b[2] - a[2] * b[1]) +
                            r[1] * (a[2] * b[0] - a[0] * b[2]) + r[2] * (a[0] * b[1] - a[1] * b[0]);
      const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      if (square > 0.0) sum += triple / (square * sqrt(square));
    }
  }
  return -sum / 6.283185307179586;
}

/* Twist in turns, by the moment of twist at each point. */
static double twist_of(const cable* self, const float (*moments)[3]) {
  double sum = 0.0;
  for (uint32_t k = 0; k <= self->segments; ++k) {
    const float* before = self->points[k == 0 ? 0 : k - 1];
    const float* after = self->points[k == self->segments ? k : k + 1];
    const bool is_end = k == 0 || k == self->segments;
    double dot = 0.0, square = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double edge = (double)after[axis] - (double)before[axis];
      dot += edge * (double)moments[k][axis];
      square += edge * edge;
    }
    sum += (is_end ? 0.5 : 1.0) * dot / sqrt(square);
  }
  return sum * self->length / (self->segments * 6.283185307179586 * self->twist_stiffness);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  cable* self = state;
  float(*moments)[3] = self->moments;
  double aside = 0.0;
  const bool ok =
      weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(0, self->segments + 1),
                     self->points[0], 0)
              .error == WEFT_OK &&
      weft_world_get_rod_moments(world, 0, self->segments + 1, moments[0]).error == WEFT_OK;
  for (uint32_t k = 0; ok && k <= self->segments; ++k) {
    const double y = (double)self->points[k][1], z = (double)self->points[k][2];
    aside = fmax(aside, sqrt(y * y + z * z));
  }
  sim_add_result(results, "torque", ok ? (double)moments[0][0] : (double)NAN);
  sim_add_result(results, "aside", aside);
  sim_add_result(results, "twist", twist_of(self, (const float(*)[3])moments));
  sim_add_result(results, "writhe", writhe_of(self));
  sim_add_result(results, "fastest", sim_fastest(world, 0, self->segments + 1));
}

static void free_cable(void* state) {
  cable* self = state;
  free(self->points);
  free(self->moments);
}

const sim_scene sim_scene_rod = {
    .name = "rod",
    .summary = "a cable that is twisted into loops, or a telephone cord",
    .params = params,
    .seconds = 6.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
    .free = free_cable,
};
