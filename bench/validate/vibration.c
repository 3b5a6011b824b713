/* Frequencies of a hanging chain, a string and a drum, each started in one mode. */
#include "validate/validate.h"

#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "validate/oracles.h"

static double amplitude_of(const validate_run* run, const validate_mode* self) {
  double sum = 0.0, place[3];
  for (uint32_t i = 0; i < self->count; ++i) {
    validate_position(run, i, place);
    sum += self->shape[i] * place[self->axis];
  }
  return sum;
}

double validate_frequency(validate_run* run, const validate_mode* self, double seconds) {
  const long count = lround(seconds * run->rate);
  double former = amplitude_of(run, self), first = NAN, last = NAN;
  int crossings = 0;
  for (long step = 1; step <= count; ++step) {
    if (!validate_step(run, 1)) return NAN;
    const double now = amplitude_of(run, self);
    if ((former > 0.0) != (now > 0.0)) {
      last = ((double)step - now / (now - former)) / run->rate;
      if (crossings++ == 0) first = last;
    }
    former = now;
  }
  return crossings > 1 ? 0.5 * (crossings - 1) / (last - first) : NAN;
}

void validate_displace(validate_run* run, const validate_mode* self, double height) {
  for (uint32_t i = 0; i < self->count; ++i) {
    float place[3];
    tool_get(run->world, WEFT_ATTRIBUTE_POSITION, i, 1, place);
    place[self->axis] += (float)(height * self->shape[i]);
    tool_set(run->world, WEFT_ATTRIBUTE_POSITION, i, 1, place, 0);
  }
}

static void add_frequency(validate_run* run, double expected, double measured, uint32_t number) {
  validate_add(run, "Hz", expected, measured, 0.02, "mode %u", number + 1);
}

void validate_catenary(validate_run* run, uint32_t number) {
  const double width = 1.0, length = number == 0 ? 1.5 : 1.05;
  weft_rope_def rope = validate_bare_rope();
  rope.end[0] = (float)width;
  rope.end[1] = 0.0f;
  rope.segments = 100;
  rope.slack = (float)(length / width - 1.0);
  rope.pin_origin = rope.pin_end = true;
  validate_scene(run);
  tool_must(weft_scene_add_rope(run->scene, &rope, NULL));
  validate_open(run, VALIDATE_DEFAULT, 3.0, validate_gravity, length / rope.segments);
  validate_settle(run, 10.0);
  double place[3];
  validate_position(run, rope.segments / 2, place);
  validate_add(run, "m", oracle_catenary_sag(width, length), -place[1], 0.01,
               "sag of %g m between points %g m apart", length, width);
}

/* A chain of 1 m hung by its upper end. Mode n at a height x above the lower end: J0(z_n sqrt(x /
 * L)), frequency z_n sqrt(g / L) / (4 validate_pi). (D. Bernoulli 1733) */
void validate_chain(validate_run* run, uint32_t number) {
  enum { SEGMENTS = 100 };
  double shape[SEGMENTS + 1];
  const double zero = oracle_bessel_zero(number + 1);
  weft_rope_def rope = validate_bare_rope();
  rope.segments = SEGMENTS;
  rope.pin_origin = true;
  validate_scene(run);
  tool_must(weft_scene_add_rope(run->scene, &rope, NULL));
  for (uint32_t i = 0; i <= SEGMENTS; ++i) {
    shape[i] = j0(zero * sqrt(1.0 - (double)i / SEGMENTS));
  }
  const validate_mode self = {shape, SEGMENTS + 1, 0};
  validate_open(run, VALIDATE_DEFAULT, 0.0, validate_gravity, 1.0 / SEGMENTS);
  validate_displace(run, &self, 0.005);
  const double measured = validate_frequency(run, &self, 5.0);
  add_frequency(run, zero * sqrt(validate_gravity) / (4.0 * validate_pi), measured, number);
}

/* An elastic string of 1 m and 0.01 kg under 1 N: mode n has n sqrt(T / m) / 2. */
void validate_string(validate_run* run, uint32_t number) {
  enum { SEGMENTS = 64 };
  double shape[SEGMENTS + 1];
  const double tension = 1.0, strain = 0.1, mass = 0.01;
  weft_rope_def rope = validate_bare_rope();
  rope.end[0] = 1.0f;
  rope.end[1] = 0.0f;
  rope.segments = SEGMENTS;
  rope.slack = (float)(1.0 / (1.0 + strain) - 1.0);
  // a metre of the rest length
  rope.mass_per_metre = (float)(mass * (1.0 + strain));
  rope.compliance = (float)(strain / tension);
  rope.pin_origin = rope.pin_end = true;
  validate_scene(run);
  tool_must(weft_scene_add_rope(run->scene, &rope, NULL));
  for (uint32_t i = 0; i <= SEGMENTS; ++i)
    shape[i] = sin((number + 1) * validate_pi * i / SEGMENTS);
  const validate_mode self = {shape, SEGMENTS + 1, 2};
  validate_open(run, VALIDATE_DEFAULT, 0.0, 0.0, 1.0 / SEGMENTS);
  validate_displace(run, &self, 0.002);
  const double measured = validate_frequency(run, &self, 2.0);
  add_frequency(run, 0.5 * (number + 1) * sqrt(tension / mass), measured, number);
}

/* A square sheet of structural and diagonal springs k and G newtons per metre, Y = (k^2 + 2 k G) /
 * (k + G), stretched by e to a side a, its border held. Its tension is (k + 2 G) e / (1 + e) per
 * metre of rest length and strain, and mode (m, n) has sqrt((k + 2 G) e (m^2 + n^2) / (density (1 +
 * e))) / (2 a0). */
void validate_drum(validate_run* run, uint32_t number) {
  enum { CELLS = 32, SIDE = CELLS + 1 };
  static const int across[] = {1, 2, 2}, down[] = {1, 1, 2};
  const double strain = 0.1, density = 0.2, stretch = 50.0, shear = 10.0, rest = 1.0 / CELLS;
  const double b = stretch - 2.0 * shear;
  const double k = 0.5 * (b + sqrt(b * b + 4.0 * stretch * shear));
  double shape[SIDE * SIDE];
  float places[SIDE * SIDE][3];
  weft_material_def material = weft_default_material_def();
  material.stretch_stiffness = (float)stretch;
  material.shear_stiffness = (float)shear;
  validate_scene(run);
  validate_add_sheet(run, SIDE, SIDE, rest, 1, -2, &material);
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    const uint32_t column = i % SIDE, row = i / SIDE;
    const bool is_border = column % CELLS == 0 || row % CELLS == 0;
    if (is_border) tool_must(weft_scene_pin(run->scene, weft_range(i, 1)));
    shape[i] = sin(across[number] * validate_pi * column / CELLS) *
               sin(down[number] * validate_pi * row / CELLS);
    places[i][0] = (float)((1.0 + strain) * rest * column);
    places[i][1] = (float)(-(1.0 + strain) * rest * row);
    places[i][2] = 0.0f;
  }
  const validate_mode self = {shape, SIDE * SIDE, 2};
  validate_open(run, VALIDATE_DEFAULT, 0.0, 0.0, (1.0 + strain) * rest);
  tool_set(run->world, WEFT_ATTRIBUTE_POSITION, 0, SIDE * SIDE, places[0], 0);
  validate_displace(run, &self, 0.005);
  const double measured = validate_frequency(run, &self, 2.0);
  const double squares = across[number] * across[number] + down[number] * down[number];
  const double speed_sq = (k + 2.0 * shear) * strain / (density * (1.0 + strain));
  add_frequency(run, 0.5 * sqrt(speed_sq * squares), measured, number);
}
