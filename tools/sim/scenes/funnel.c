/* A cloth falls into a funnel and is drawn through it by its middle. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/path.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"size", "particles along each side", SIM_COUNT, 129, 3, 1024, NULL},
    {"width", "metres along each side", SIM_NUMBER, 1.2, 0.01, 100, NULL},
    {"mouth", "metres, radius of the funnel at its top", SIM_NUMBER, 0.7, 0.01, 100, NULL},
    {"hole", "metres, radius of the funnel at its bottom", SIM_NUMBER, 0.12, 1e-3, 100, NULL},
    {"height", "metres from the bottom to the top", SIM_NUMBER, 0.6, 0.01, 100, NULL},
    {"wait", "seconds until it is drawn", SIM_NUMBER, 1.5, 0, 1000, NULL},
    {"speed", "metres a second at which it is drawn", SIM_NUMBER, 0.4, 0, 100, NULL},
    {"depth", "metres below the bottom where the middle stops", SIM_NUMBER, 1, 0, 100, NULL},
    SIM_CLOTH_PARAMS,
    SIM_END_OF_PARAMS,
};

enum { SIDES = 32 };

typedef struct funnel {
  uint32_t size;
  double spacing, mouth, hole, height, wait, speed, depth, friction;
  weft_particle_shape_def shape;
  weft_grip grip;
  bool is_held;
  sim_cloth_watch watch;
} funnel;

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  funnel* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a funnel");
  *state = self;
  const double width = sim_number(values, "width");
  self->size = sim_count(values, "size");
  self->spacing = width / (self->size - 1);
  self->mouth = sim_number(values, "mouth");
  self->hole = sim_number(values, "hole");
  self->height = sim_number(values, "height");
  self->wait = sim_number(values, "wait");
  self->speed = sim_number(values, "speed");
  self->depth = sim_number(values, "depth");
  self->friction = sim_number(values, "friction");
  self->shape = sim_cloth_shape(values, self->spacing);
  sim_cloth_solver(def, 8);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = self->size;
  sheet.spacing = (float)self->spacing;
  sheet.particle_mass = 0.2f * sheet.spacing * sheet.spacing;
  sheet.origin[0] = sheet.origin[2] = (float)(-0.5 * width);
  sheet.origin[1] = (float)(self->height + 0.05);
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  return sim_check(weft_scene_add_sheet(scene, &sheet, NULL), why);
}

/* A cone of two rings of points. */
static bool add_funnel(const funnel* self, weft_world* world, tool_message* why) {
  float points[2 * SIDES][3];
  uint32_t triangles[2 * SIDES][3];
  for (uint32_t i = 0; i < SIDES; ++i) {
    double sine, cosine;
    sim_sine_of_turns((double)i / SIDES, &sine, &cosine);
    for (uint32_t ring = 0; ring < 2; ++ring) {
      const double radius = ring == 0 ? self->hole : self->mouth;
      float* point = points[ring * SIDES + i];
      point[0] = (float)(radius * cosine);
      point[1] = ring == 0 ? 0.0f : (float)self->height;
      point[2] = (float)(radius * sine);
    }
    const uint32_t next = (i + 1) % SIDES;
    const uint32_t pair[2][3] = {{i, next, SIDES + i}, {next, SIDES + next, SIDES + i}};
    for (int k = 0; k < 6; ++k) triangles[2 * i + (uint32_t)k / 3][k % 3] = pair[k / 3][k % 3];
  }
  weft_collider_def def = weft_default_collider_def();
  weft_collider collider;
  def.shape = WEFT_COLLIDER_SHAPE_MESH;
  def.points = &points[0][0];
  def.point_count = 2 * SIDES;
  def.triangles = &triangles[0][0];
  def.triangle_count = 2 * SIDES;
  return sim_check(weft_world_add_collider(world, &def, &collider), why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const funnel* self = state;
  (void)def;
  return sim_set_cloth_shape(world, &self->shape, why) && add_funnel(self, world, why);
}

/* Holds the middle of the cloth, and draws it straight down. */
static bool draw(funnel* self, weft_world* world, double h, tool_message* why) {
  float place[3];
  if (!self->is_held) {
    const uint32_t middle = self->size / 2 * (self->size + 1);
    self->is_held = true;
    return sim_check(weft_world_get_positions(world, middle, 1, place), why) &&
           sim_check(weft_world_add_grip(world, place, (float)(2.0 * self->spacing), &self->grip),
                     why);
  }
  if (!sim_check(weft_world_get_grip(world, self->grip, place, NULL), why)) return false;
  // towards the axis while the middle is above the hole
  for (int axis = 0; axis < 3; axis += 2) place[axis] *= (float)(1.0 - fmin(1.0, 5.0 * h));
  place[1] = (float)fmax((double)place[1] - self->speed * h, -self->depth);
  return sim_check(weft_world_move_grip(world, self->grip, place), why);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  funnel* self = state;
  (void)sim_watch_cloth(&self->watch, world, moment->step);
  return moment->time < self->wait || draw(self, world, moment->h, why);
}

/* Particles that have passed the hole. */
static double count_below(const funnel* self, const weft_world* world) {
  double below = 0.0;
  for (uint32_t i = 0; i < self->size * self->size; ++i) {
    float place[3];
    if (weft_world_get_positions(world, i, 1, place).error != WEFT_OK) return (double)NAN;
    below += place[1] < 0.0f;
  }
  return below;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  funnel* self = state;
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "below", count_below(self, world));
  sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_report_lost(world, results);
}

static void keep(void* state, sim_keep* kept) {
  funnel* self = state;
  SIM_KEEP(kept, self->grip);
  SIM_KEEP(kept, self->is_held);
}

const sim_scene sim_scene_funnel = {
    .name = "funnel",
    .summary = "a cloth that is drawn through a funnel",
    .params = params,
    .seconds = 6.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
};
