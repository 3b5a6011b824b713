/* Motion that keeps its energy and momenta. */
#include <math.h>

#include "common/must.h"
#include "validate/oracles.h"
#include "validate/validate.h"

static const struct {
  validate_setting setting;
  const char* name;
} motion_cases[VALIDATE_MOTIONS] = {
    {VALIDATE_ONE_SUBSTEP, "1 substep"},
    {VALIDATE_DEFAULT, "default"},
};

static void open_pendulum(validate_run* run, validate_setting setting) {
  const double amplitude = 1.0;
  weft_rope_def rope = validate_bare_rope();
  rope.end[0] = (float)sin(amplitude);
  rope.end[1] = (float)-cos(amplitude);
  rope.segments = 1;
  rope.pin_origin = true;
  validate_scene(run);
  tool_must(weft_scene_add_rope(run->scene, &rope, NULL));
  validate_open(run, setting, 0.0, validate_gravity, 1.0);
}

/* Seconds of a swing, by the crossings of the vertical in four seconds. */
static double measure_period(validate_run* run) {
  const validate_mode swing = {(const double[]){0.0, 1.0}, 2, 0};
  return 1.0 / validate_frequency(run, &swing, 4.0);
}

/* Largest height of the weight in the last swing of a time, over the lowest point, as a share of
 * the first: the energy left. */
static double energy_left(validate_run* run, double seconds) {
  const double start = 1.0 - cos(1.0);
  const double period = oracle_pendulum_period(1.0, 1.0, validate_gravity);
  double highest = 0.0, place[3];
  const long count = lround(seconds * run->rate);
  for (long step = 1; step <= count; ++step) {
    if (!validate_step(run, 1)) return NAN;
    validate_position(run, 1, place);
    if ((double)step / run->rate > seconds - 0.5 * period) {
      highest = fmax(highest, 1.0 + place[1]);
    }
  }
  return highest / start;
}

void validate_pendulum(validate_run* run, uint32_t number) {
  const double period = oracle_pendulum_period(1.0, 1.0, validate_gravity);
  const validate_setting setting = motion_cases[number].setting;
  open_pendulum(run, setting);
  const char* name = motion_cases[number].name;
  validate_add(run, "s", period, measure_period(run), 0.01, "period at 1 rad, %s", name);
  open_pendulum(run, setting);
  const double periods = 2.0;
  const double left = energy_left(run, periods * period);
  const double lost = 1.0 - pow(left, 1.0 / (periods * period));
  validate_add_absolute(run, "1/s", 0.0, lost, 0.02, "energy lost in a second, %s", name);
}

static double moment_of(const weft_measures* at, int axis) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  return at->angular_momentum[axis] - at->center[b] * at->momentum[c] +
         at->center[c] * at->momentum[b];
}

/* A sheet of 0.5 m that spins in its plane at 6 rad/s, without validate_gravity. */
void validate_spin(validate_run* run, uint32_t number) {
  enum { SIDE = 33 };
  const float spin = 6.0f;
  float velocities[SIDE * SIDE][3] = {{0.0f}};
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = SIDE;
  sheet.spacing = 0.5f / (SIDE - 1);
  sheet.origin[0] = -0.25f;
  sheet.origin[1] = 0.25f;
  validate_scene(run);
  tool_must(weft_scene_add_sheet(run->scene, &sheet, NULL));
  validate_open(run, motion_cases[number].setting, 0.0, 0.0, (double)sheet.spacing);
  for (int i = 0; i < SIDE * SIDE; ++i) {
    velocities[i][0] = -spin * (0.25f - sheet.spacing * (float)(i / SIDE));
    velocities[i][1] = spin * (sheet.spacing * (float)(i % SIDE) - 0.25f);
  }
  tool_set(run->world, WEFT_ATTRIBUTE_VELOCITY, 0, SIDE * SIDE, velocities[0], 0);
  weft_measures before, after;
  tool_must(weft_world_measure(run->world, &before));
  validate_settle(run, 1.0);
  tool_must(weft_world_measure(run->world, &after));
  validate_add_absolute(run, "1/s", 0.0, 1.0 - moment_of(&after, 2) / moment_of(&before, 2), 0.03,
                        "spin lost in a second at 6 rad/s, %s", motion_cases[number].name);
}

/* A thrown sheet of soft material that crumples: its centre falls as a point does. */
void validate_momentum(validate_run* run, uint32_t number) {
  (void)number;
  const float throw[3] = {2.0f, 3.0f, 1.0f}, kick[3] = {0.0f, 0.0f, 8.0f};
  const weft_material_def material = weft_default_material_def();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.material = &material;
  validate_scene(run);
  tool_must(weft_scene_add_sheet(run->scene, &sheet, NULL));
  validate_open(run, VALIDATE_DEFAULT, 0.0, validate_gravity, (double)sheet.spacing);
  const uint32_t count = run->stats.particle_count;
  tool_set(run->world, WEFT_ATTRIBUTE_VELOCITY, 0, count, throw, WEFT_SAME);
  tool_set(run->world, WEFT_ATTRIBUTE_VELOCITY, 0, count / 8, kick, WEFT_SAME);
  weft_measures before, after;
  tool_must(weft_world_measure(run->world, &before));
  validate_settle(run, 1.0);
  tool_must(weft_world_measure(run->world, &after));
  const double fall = before.momentum[1] - before.mass * validate_gravity;
  double error = 0.0, size = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double expected = axis == 1 ? fall : before.momentum[axis];
    error += pow(after.momentum[axis] - expected, 2.0);
    size += expected * expected;
  }
  validate_add_absolute(run, "", 0.0, sqrt(error / size), 1e-4,
                        "error of the momentum after a second of flight");
}
