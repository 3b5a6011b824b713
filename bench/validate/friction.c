/* Friction on a plane, around a cylinder, of cloth on cloth. Slopes are validate_gravity, tilted.
 */
#include <math.h>

#include "common/must.h"
#include "validate/validate.h"

/* Metres per second after a second on a slope: slower bodies creep, or are caught. Two per cent
 * beyond the threshold of friction 0.3 is faster. */
static const double slip_speed = 0.05;

static void tilt(validate_run* run, double slope) {
  const double angle = atan(slope);
  const float direction[3] = {(float)(validate_gravity * sin(angle)),
                              (float)(-validate_gravity * cos(angle)), 0.0f};
  tool_must(weft_world_set_gravity(run->world, direction));
}

static double sliding_acceleration(double slope, double friction) {
  const double angle = atan(slope);
  return validate_gravity * (sin(angle) - friction * cos(angle));
}

/* Displacement of a particle along x in a second on a slope. */
static double slide(validate_run* run, uint32_t particle, double slope) {
  double before[3], after[3];
  validate_position(run, particle, before);
  tilt(run, slope);
  if (!validate_settle(run, 1.0)) return NAN;
  validate_position(run, particle, after);
  return after[0] - before[0];
}

enum { RAMP_SIDE = 9, RAMP_MIDDLE = RAMP_SIDE * RAMP_SIDE / 2 };

/* A sheet on a half-space, after half a second. */
static void open_ramp(validate_run* run, double friction) {
  validate_scene(run);
  validate_add_sheet(run, RAMP_SIDE, RAMP_SIDE, 0.02, 1, 3, NULL);
  validate_open(run, VALIDATE_DEFAULT, 0.0, validate_gravity, (double)0.02f);
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  tool_must(
      weft_world_set_particle_shape(run->world, weft_range(0, RAMP_SIDE * RAMP_SIDE), &shape));
  weft_collider_def plane = weft_default_collider_def();
  plane.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE;
  plane.surface.static_friction = plane.surface.dynamic_friction = (float)friction;
  weft_collider collider;
  tool_must(weft_world_add_collider(run->world, &plane, &collider));
  validate_settle(run, 0.5);
}

// Metres per second after a second: a sheet at rest has none; 0.03 per cent beyond the threshold
// has more.
static const double ramp_slip_speed = 1e-3;

static bool slips_on_ramp(void* context, double slope) {
  const validate_search* of = context;
  validate_run* run = of->run;
  double velocity[3];
  open_ramp(run, *(const double*)of->of);
  if (isnan(slide(run, RAMP_MIDDLE, slope))) return false;
  validate_velocity(run, RAMP_MIDDLE, velocity);
  return velocity[0] > ramp_slip_speed;
}

void validate_ramp(validate_run* run, uint32_t number) {
  (void)number;
  static const double slopes[] = {1.1, 1.5, 3.0};
  const double friction = 0.5;
  open_ramp(run, friction);
  validate_add_absolute(run, "m", 0.0, slide(run, RAMP_MIDDLE, 0.95 * friction), 1e-3,
                        "creep in a second at 0.95 of the threshold");
  validate_search of = {run, &friction};
  const double slope =
      validate_threshold(0.9 * friction, 1.1 * friction, 9, true, slips_on_ramp, &of);
  validate_add(run, "", friction, slope, 0.005, "slope that slips");
  for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; ++i) {
    open_ramp(run, friction);
    validate_add(run, "m/s2", sliding_acceleration(slopes[i] * friction, friction),
                 2.0 * slide(run, RAMP_MIDDLE, slopes[i] * friction), 0.005,
                 "acceleration at %g of the threshold", slopes[i]);
  }
}

enum { ARC = 60, TAIL = 40, ROPE_POINTS = ARC + 2 * TAIL + 1 };
static const double cylinder_radius = 0.1, rope_friction = 0.2;

/* A rope around the upper half of a cylinder, weights at its ends: height lost by the heavy end
 * after a second, and its downward speed. */
typedef struct slip {
  double height, speed;
} slip;

static slip run_capstan(validate_run* run, double ratio) {
  const double step = validate_pi * cylinder_radius / ARC;
  float points[ROPE_POINTS][3] = {{0.0f}};
  for (int i = 0; i < ROPE_POINTS; ++i) {
    const int arc = i < TAIL ? 0 : i > TAIL + ARC ? ARC : i - TAIL;
    const int below = i < TAIL ? TAIL - i : i > TAIL + ARC ? i - TAIL - ARC : 0;
    points[i][0] = (float)(-cylinder_radius * cos(validate_pi * arc / ARC));
    points[i][1] = (float)(cylinder_radius * sin(validate_pi * arc / ARC) - below * step);
  }
  weft_rope_def rope = validate_bare_rope();
  rope.points = points[0];
  rope.point_count = ROPE_POINTS;
  rope.mass_per_metre = 0.02f;
  validate_scene(run);
  tool_must(weft_scene_add_rope(run->scene, &rope, NULL));
  validate_open(run, VALIDATE_DEFAULT, 1.0, validate_gravity, step);
  const float light = 1.0f / 0.2f, heavy = (float)(1.0 / (0.2 * ratio));
  tool_set(run->world, WEFT_ATTRIBUTE_INVERSE_MASS, 0, 1, &light, 0);
  tool_set(run->world, WEFT_ATTRIBUTE_INVERSE_MASS, ROPE_POINTS - 1, 1, &heavy, 0);
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  tool_must(weft_world_set_particle_shape(run->world, weft_range(0, ROPE_POINTS), &shape));
  weft_collider_def cylinder = weft_default_collider_def();
  cylinder.shape = WEFT_COLLIDER_SHAPE_CAPSULE;
  cylinder.radius = (float)cylinder_radius;
  cylinder.half_size[1] = 1.0f;
  cylinder.rotation[0] = cylinder.rotation[3] = (float)sqrt(0.5);
  cylinder.surface.static_friction = cylinder.surface.dynamic_friction = (float)rope_friction;
  weft_collider collider;
  tool_must(weft_world_add_collider(run->world, &cylinder, &collider));
  double before[3], after[3], velocity[3];
  validate_position(run, ROPE_POINTS - 1, before);
  validate_settle(run, 1.0);
  validate_position(run, ROPE_POINTS - 1, after);
  validate_velocity(run, ROPE_POINTS - 1, velocity);
  return (slip){before[1] - after[1], -velocity[1]};
}

static bool capstan_slips(void* run, double ratio) {
  return run_capstan(run, ratio).speed > slip_speed;
}

void validate_capstan(validate_run* run, uint32_t number) {
  (void)number;
  const double expected = exp(rope_friction * validate_pi);
  const double threshold = validate_threshold(1.01, 8.0, 9, true, capstan_slips, run);
  validate_add(run, "", expected, threshold, 0.05,
               "ratio of weights that slips, half a turn, friction 0.2");
  validate_add_absolute(run, "m", 0.0, run_capstan(run, 0.8 * expected).height, 1e-3,
                        "creep in a second at 0.8 of the threshold");
}

enum { BASE_COLUMNS = 41, BASE_ROWS = 15, TOP_SIDE = 9 };
static const double layer_spacing = 0.02, layer_friction = 0.3;

typedef struct layers {
  double offset; /* the upper sheet's, spacings along both axes */
  const char* name;
} layers;

static const layers layer_cases[VALIDATE_LAYERS] = {
    {0.0, "aligned"},
    {0.5, "offset by half a cell"},
};

static void add_layer(validate_run* run, uint32_t columns, uint32_t rows, const double origin[3]) {
  weft_sheet_def sheet = validate_sheet(columns, rows, layer_spacing, 1, 3);
  for (int axis = 0; axis < 3; ++axis) sheet.origin[axis] = (float)origin[axis];
  tool_must(weft_scene_add_sheet(run->scene, &sheet, NULL));
}

/* A sheet on a held one, after half a second. */
static void open_layers(validate_run* run, const layers* self) {
  const double radius = 0.55 * layer_spacing;
  const uint32_t base = BASE_COLUMNS * BASE_ROWS;
  validate_scene(run);
  add_layer(run, BASE_COLUMNS, BASE_ROWS, (const double[]){0.0, 0.0, 0.0});
  add_layer(run, TOP_SIDE, TOP_SIDE,
            (const double[]){(4 + self->offset) * layer_spacing, 2.0 * radius,
                             (3 + self->offset) * layer_spacing});
  tool_must(weft_scene_pin(run->scene, weft_range(0, base)));
  weft_world_def def = validate_def(run, VALIDATE_DEFAULT);
  validate_open_def(run, &def, layer_spacing);
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = (float)radius;
  // the two combine to the root of the sum of squares
  shape.surface.static_friction = shape.surface.dynamic_friction =
      (float)(layer_friction / sqrt(2.0));
  tool_must(
      weft_world_set_particle_shape(run->world, weft_range(0, run->stats.particle_count), &shape));
  validate_settle(run, 0.5);
}

static const uint32_t top_middle = BASE_COLUMNS * BASE_ROWS + TOP_SIDE * TOP_SIDE / 2;

static bool layer_slips(void* context, double slope) {
  const validate_search* of = context;
  validate_run* run = of->run;
  double velocity[3];
  open_layers(run, of->of);
  (void)slide(run, top_middle, slope);
  validate_velocity(run, top_middle, velocity);
  return velocity[0] > slip_speed;
}

void validate_layers(validate_run* run, uint32_t number) {
  const layers* self = &layer_cases[number];
  validate_search of = {run, self};
  const double threshold = validate_threshold(0.05, 5.0, 9, true, layer_slips, &of);
  validate_add(run, "", layer_friction, threshold, 0.05, "slope that slips, %s", self->name);
  open_layers(run, self);
  const double steep = 1.5 * layer_friction;
  validate_add(run, "m/s2", sliding_acceleration(steep, layer_friction),
               2.0 * slide(run, top_middle, steep), 0.05,
               "acceleration at 1.5 of the threshold, %s", self->name);
  open_layers(run, self);
  validate_add_absolute(run, "m", 0.0, slide(run, top_middle, 0.8 * layer_friction), 1e-3,
                        "creep in a second at 0.8 of the threshold, %s", self->name);
}
