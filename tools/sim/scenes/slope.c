/* A sheet that lies on a slope: it holds by friction, or slides. */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "sim/path.h"
#include "sim/scene.h"

static const char* const tilts[] = {"collider", "gravity", NULL};

enum { TILT_COLLIDER };

static const sim_param params[] = {
    {"size", "particles along each side", SIM_COUNT, 33, 2, 1024, NULL},
    {"width", "metres along each side", SIM_NUMBER, 1, 0.01, 1000, NULL},
    {"slope", "degrees", SIM_NUMBER, 20, 0, 85, NULL},
    {"tilt", "tilts the collider or gravity", SIM_CHOICE, TILT_COLLIDER, 0, 0, tilts},
    {"friction", "static and dynamic coefficient", SIM_NUMBER, 0.4, 0, 100, NULL},
    {"radius", "contact distance of particles from the slope, metres", SIM_NUMBER, 0.005, 0, 1,
     NULL},
    {"damping", "1/seconds: the rate at which velocity fades", SIM_NUMBER, 0, 0, 1000, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

/* The way s = a t^2 / 2 + b t that fits all steps best: sums of products of s, t and q = t^2 / 2.
 */
typedef struct slide_fit {
  double tt, tq, qq, ts, qs;
} slide_fit;

typedef struct slope {
  uint32_t count;     /* particles */
  double downhill[3]; /* along the slope */
  double normal[3];   /* away from it */
  double sine, cosine;
  double friction, gravity, radius;
  bool tilts_gravity;
  float (*start)[3]; /* initial positions [count] */
  slide_fit fit;
  double h;       /* seconds of a step */
  double deepest; /* metres that any particle was closer to the slope than its radius, ever */
  uint64_t noted; /* states */
} slope;

// ---- building ----

static slope* new_slope(const sim_values* values, const weft_world_def* def) {
  slope* self = calloc(1, sizeof *self);
  if (!self) return NULL;
  const uint32_t size = sim_count(values, "size");
  self->count = size * size;
  self->start = calloc(self->count, sizeof *self->start);
  sim_sine_of_turns(sim_number(values, "slope") / 360.0, &self->sine, &self->cosine);
  self->tilts_gravity = sim_choice(values, "tilt") != TILT_COLLIDER;
  self->friction = sim_number(values, "friction");
  self->radius = sim_number(values, "radius");
  self->gravity = fabs((double)def->gravity[1]);
  self->h = (double)def->step_ns * 1e-9;
  self->downhill[0] = self->tilts_gravity ? 1.0 : self->cosine;
  self->downhill[1] = self->tilts_gravity ? 0.0 : -self->sine;
  self->normal[0] = -self->downhill[1];
  self->normal[1] = self->downhill[0];
  return self;
}

static bool add_sheet(const slope* self, const sim_values* values, weft_scene* scene,
                      tool_message* why) {
  const uint32_t size = sim_count(values, "size");
  const double width = sim_number(values, "width");
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = size;
  sheet.spacing = (float)(width / (double)(size - 1));
  sheet.particle_mass = 0.2f * sheet.spacing * sheet.spacing;
  for (int axis = 0; axis < 2; ++axis) {
    sheet.across[axis] = (float)self->downhill[axis];
    sheet.origin[axis] =
        (float)(self->normal[axis] * self->radius - 0.5 * width * self->downhill[axis]);
  }
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  return sim_check(weft_scene_add_sheet(scene, &sheet, NULL), why);
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  slope* self = new_slope(values, def);
  *state = self;
  if (!self || !self->start) return tool_because(why, "no memory for a slope");
  def->damping = (float)sim_number(values, "damping");
  if (self->tilts_gravity) {
    def->gravity[0] = (float)(self->gravity * self->sine);
    def->gravity[1] = (float)(-self->gravity * self->cosine);
  }
  return add_sheet(self, values, scene, why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const slope* self = state;
  double half_sine = 0.0, half_cosine = 1.0;
  const double turns =
      self->tilts_gravity ? 0.0 : atan2(self->sine, self->cosine) / 6.283185307179586;
  sim_sine_of_turns(0.5 * turns, &half_sine, &half_cosine);
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  weft_collider_def ground = weft_default_collider_def();
  weft_collider collider;
  (void)def;
  contact.half_size[0] = (float)self->radius;
  ground.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE;
  ground.rotation[2] = (float)-half_sine;
  ground.rotation[3] = (float)half_cosine;
  ground.static_friction = ground.dynamic_friction = (float)self->friction;
  return sim_check(weft_world_set_particle_shape(world, 0, self->count, &contact), why) &&
         sim_check(weft_world_add_collider(world, &ground, &collider), why) &&
         sim_check(weft_world_get_positions(world, 0, self->count, &self->start[0][0]), why);
}

static void free_slope(void* state) {
  slope* self = state;
  free(self->start);
}

// ---- watching ----

static void get_way(const slope* self, const weft_world* world, uint32_t particle, double way[3]) {
  float place[3] = {NAN, NAN, NAN};
  tool_must(weft_world_get_positions(world, particle, 1, place));
  for (int axis = 0; axis < 3; ++axis) {
    way[axis] = (double)place[axis] - (double)self->start[particle][axis];
  }
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Metres that the sheet as a whole is down from where it began. */
static double slide_of(const slope* self, const weft_world* world) {
  double sum = 0.0;
  for (uint32_t i = 0; i < self->count; ++i) {
    double way[3];
    get_way(self, world, i, way);
    sum += dot(way, self->downhill);
  }
  return sum / self->count;
}

/* Metres along the slope of the particle that went the farthest. */
static double creep_of(const slope* self, const weft_world* world) {
  double farthest = 0.0;
  for (uint32_t i = 0; i < self->count; ++i) {
    double way[3];
    get_way(self, world, i, way);
    const double along = dot(way, self->downhill), moved = sqrt(along * along + way[2] * way[2]);
    // also where it is not a number
    if (!(moved <= farthest)) farthest = moved;
  }
  return farthest;
}

static double depth_of(const slope* self, const weft_world* world) {
  double deepest = 0.0;
  for (uint32_t i = 0; i < self->count; ++i) {
    double way[3];
    get_way(self, world, i, way);
    deepest = fmax(deepest, -dot(way, self->normal));
  }
  return deepest;
}

static void note(slope* self, const weft_world* world, uint64_t step) {
  if (step < self->noted) return;
  const double t = (double)step * self->h, q = 0.5 * t * t, s = slide_of(self, world);
  self->fit.tt += t * t;
  self->fit.tq += t * q;
  self->fit.qq += q * q;
  self->fit.ts += t * s;
  self->fit.qs += q * s;
  self->deepest = fmax(self->deepest, depth_of(self, world));
  self->noted = step + 1;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  (void)why;
  note(state, world, moment->step);
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  slope* self = state;
  weft_world_stats stats = {.step_count = 0};
  tool_must(weft_world_get_stats(world, &stats));
  note(self, world, stats.step_count);
  const slide_fit* fit = &self->fit;
  const double area = fit->tt * fit->qq - fit->tq * fit->tq;
  const double acceleration = area > 0.0 ? (fit->tt * fit->qs - fit->tq * fit->ts) / area : NAN;
  const double exact = fmax(self->gravity * (self->sine - self->friction * self->cosine), 0.0);
  sim_add_result(results, "creep", 1e3 * creep_of(self, world));
  sim_add_result(results, "slide", slide_of(self, world));
  sim_add_result(results, "acceleration", acceleration);
  sim_add_result(results, "exact_acceleration", exact);
  sim_add_result(results, "acceleration_error",
                 exact > 0.0 ? fabs(acceleration / exact - 1.0) : NAN);
  sim_add_result(results, "deepest", self->deepest);
}

const sim_scene sim_scene_slope = {
    .name = "slope",
    .summary = "a sheet that lies on a slope, or slides down",
    .params = params,
    .seconds = 60.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
    .free = free_slope,
};
