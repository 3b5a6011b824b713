/* Rods: bending, vibration, buckling and twist. */
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

#include "common/must.h"
#include "validate/oracles.h"

enum { MAX_SEGMENTS = 100 };

static const double length = 0.3, stiffness = 1e-3;

typedef struct grid {
  uint32_t segments;
  validate_setting setting;
} grid;

static const grid grids[VALIDATE_ROD_GRIDS] = {
    {30, VALIDATE_DEFAULT},           {30, VALIDATE_FEW_SUBSTEPS},
    {10, VALIDATE_DEFAULT},           {10, VALIDATE_FEW_SUBSTEPS},
    {MAX_SEGMENTS, VALIDATE_DEFAULT}, {MAX_SEGMENTS, VALIDATE_FEW_SUBSTEPS},
};

/* Rod along x, held and clamped at the origin. */
static weft_rod_def rod_of(const grid* self, double mass_per_metre) {
  weft_rod_def rod = weft_default_rod_def();
  rod.rope = validate_bare_rope();
  rod.rope.end[0] = (float)length;
  rod.rope.end[1] = 0.0f;
  rod.rope.segments = self->segments;
  rod.rope.mass_per_metre = (float)mass_per_metre;
  rod.rope.pin_origin = rod.clamp_origin = true;
  rod.bend_stiffness = rod.twist_stiffness = (float)stiffness;
  return rod;
}

static void open_rod(validate_run* run, const grid* self, const weft_rod_def* rod, double damping,
                     double weight) {
  validate_scene(run);
  tool_must(weft_scene_add_rod(run->scene, rod, NULL));
  validate_open(run, self->setting, damping, weight, length / self->segments);
}

static void add_result(validate_run* run, const grid* self, const char* check, const char* unit,
                       double expected, double measured) {
  validate_add(run, unit, expected, measured, 0.02, "%s, %u segments", check, self->segments);
}

static void check_sag(validate_run* run, const grid* self, double weight, const char* check) {
  const double mass = weight * stiffness / (validate_gravity * pow(length, 3.0));
  const weft_rod_def rod = rod_of(self, mass);
  double end[3];
  open_rod(run, self, &rod, 5.0, validate_gravity);
  validate_settle(run, 6.0);
  validate_position(run, self->segments, end);
  add_result(run, self, check, "", oracle_cantilever(weight), -end[1] / end[0]);
}

static void check_frequency(validate_run* run, const grid* self) {
  const double root = 1.8751040687, frequency = 2.0;
  const double speed = 2.0 * validate_pi * frequency * pow(length / root, 2.0);
  const weft_rod_def rod = rod_of(self, stiffness / (speed * speed));
  const double share = (sinh(root) - sin(root)) / (cosh(root) + cos(root));
  double shape[MAX_SEGMENTS + 1];
  for (uint32_t k = 0; k <= self->segments; ++k) {
    const double z = root * k / self->segments;
    shape[k] = 0.5 * (cosh(z) - cos(z) - share * (sinh(z) - sin(z)));
  }
  const validate_mode mode = {shape, self->segments + 1, 1};
  open_rod(run, self, &rod, 0.0, 0.0);
  validate_displace(run, &mode, 0.005);
  add_result(run, self, "first frequency", "Hz", frequency, validate_frequency(run, &mode, 5.0));
}

/* Largest distance of a particle from the x axis over the length. */
static double deflection_of(const validate_run* run, uint32_t segments) {
  double largest = 0.0, place[3];
  for (uint32_t k = 0; k <= segments; ++k) {
    validate_position(run, k, place);
    largest = fmax(largest, hypot(place[1], place[2]) / length);
  }
  return largest;
}

/* Pushes a particle aside in the first steps, with a lasting force on the last particle. */
static void push(validate_run* run, const grid* self, uint32_t particle, double aside,
                 double thrust) {
  for (int step = 0; step < 1200; ++step) {
    const float push[3] = {0.0f, (float)aside, (float)(0.5 * aside)};
    const float force[3] = {(float)-thrust, 0.0f, 0.0f};
    if (step < 5)
      tool_must(weft_world_add(run->world, WEFT_ATTRIBUTE_FORCE, weft_range(particle, 1), push, 0));
    tool_must(
        weft_world_add(run->world, WEFT_ATTRIBUTE_FORCE, weft_range(self->segments, 1), force, 0));
    if (!validate_step(run, 1)) return;
  }
}

static bool buckles_under(void* context, double load) {
  const validate_search* search = context;
  const grid* self = search->of;
  const weft_rod_def rod = rod_of(self, 1e-3);
  open_rod(search->run, self, &rod, 5.0, 0.0);
  push(search->run, self, self->segments, 1e-3 * load, load);
  return deflection_of(search->run, self->segments) > 0.01;
}

/* Twisted as given and at rest without twist. */
static bool coils_under(void* context, double torque) {
  const validate_search* search = context;
  const grid* self = search->of;
  weft_rod_def rod = rod_of(self, 0.01);
  rod.rope.pin_end = rod.clamp_end = true;
  rod.rope.compliance = (float)(1e-3 * length * length / stiffness);
  rod.keeps_shape = false;
  rod.twist = (float)(torque / stiffness);
  open_rod(search->run, self, &rod, 2.0, 0.0);
  push(search->run, self, self->segments / 3, 1e-4, 0.0);
  return deflection_of(search->run, self->segments) > 3e-3;
}

static void check_threshold(validate_run* run, const grid* self, const char* check,
                            const char* unit, double expected,
                            bool (*exceeds)(void* context, double value)) {
  validate_search of = {run, self};
  add_result(run, self, check, unit, expected,
             validate_threshold(0.7 * expected, 1.4 * expected, 8, false, exceeds, &of));
}

/* Sets a torque on the free end, and lets the rod come to rest. */
static void wind(validate_run* run, const grid* self, const weft_rod_def* rod,
                 const float* torque) {
  const weft_rod_end end = {.torque = {torque[0], torque[1], torque[2]}};
  open_rod(run, self, rod, 5.0, 0.0);
  tool_must(weft_world_set_rod_end(run->world, self->segments, &end));
  validate_settle(run, 8.0);
}

/* Angle of the last segment's first material axis, which was along z, about x. */
static void check_twist(validate_run* run, const grid* self) {
  weft_rod_def rod = rod_of(self, 0.05);
  rod.normal[2] = 1.0f;
  rod.bend_stiffness = 1.0f;
  const double torque = 3.0 * stiffness / length;
  float q[4];
  wind(run, self, &rod, (float[3]){(float)torque, 0.0f, 0.0f});
  tool_must(weft_world_get_rod_frames(run->world, self->segments - 1, 1, q));
  const double y = 2.0 * ((double)q[0] * (double)q[1] + (double)q[3] * (double)q[2]);
  const double z = 2.0 * ((double)q[0] * (double)q[2] - (double)q[3] * (double)q[1]);
  const double middle = length - 0.5 * length / self->segments;
  add_result(run, self, "twist of the last segment", "rad", torque * middle / stiffness,
             atan2(-y, z));
}

/* Bent to an arc of one radian: a fixed couple turns a rod aside from validate_pi / 2 on. */
static void check_couple(validate_run* run, const grid* self) {
  const weft_rod_def rod = rod_of(self, 0.01);
  double end[3];
  wind(run, self, &rod, (float[3]){0.0f, 0.0f, (float)(stiffness / length)});
  validate_position(run, self->segments, end);
  add_result(run, self, "height under a couple", "m", length * (1.0 - cos(1.0)), end[1]);
}

void validate_rod(validate_run* run, uint32_t number) {
  const grid* self = &grids[number / VALIDATE_ROD_CHECKS];
  const double weights[] = {5.0, 20.0, 100.0};
  const uint32_t check = number % VALIDATE_ROD_CHECKS;
  char what[48];
  if (check < 3) {
    snprintf(what, sizeof what, "height over width, G = %g", weights[check]);
    check_sag(run, self, weights[check], what);
  } else if (check == 3) {
    check_frequency(run, self);
  } else if (check == 4) {
    check_threshold(run, self, "thrust at which it buckles", "N",
                    validate_pi * validate_pi * stiffness / (4.0 * length * length), buckles_under);
  } else if (check == 5) {
    check_twist(run, self);
  } else if (check == 6) {
    check_threshold(run, self, "torque at which it coils", "N m", 8.98682 * stiffness / length,
                    coils_under);
  } else {
    check_couple(run, self);
  }
}
