/* A hanging sheet between two spheres that come together until they nearly touch, and part again.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/observe.h"
#include "sim/path.h"
#include "sim/scene.h"
#include "sim/scenes/hung_sheet.h"

static const sim_param params[] = {
    {"size", "particles along each side", SIM_COUNT, 65, 2, 1024, NULL},
    {"width", "metres along each side", SIM_NUMBER, 1, 0.01, 1000, NULL},
    {"radius", "metres, of the spheres", SIM_NUMBER, 0.25, 0.001, 1000, NULL},
    {"gap",
     "clearance of the cloth at the smallest distance of the spheres, metres; below 0, too little",
     SIM_NUMBER, 0.002, -1000, 1000, NULL},
    {"open", "largest distance of the spheres, metres", SIM_NUMBER, 0.5, 0, 1000, NULL},
    {"aside", "distance of the point of contact from the sheet's plane, metres", SIM_NUMBER, 0.1,
     -1000, 1000, NULL},
    {"period", "seconds from open to open", SIM_NUMBER, 2, 0.01, 1000, NULL},
    {"offset", "metres that one sphere is above the other", SIM_NUMBER, 0, -1000, 1000, NULL},
    {"thickness", "thickness of the cloth on either side, as a share of the particles' spacing",
     SIM_NUMBER, 0.55, 1e-3, 1, NULL},
    {"friction", "coefficient", SIM_NUMBER, 0.5, 0, 100, NULL},
    {"cloth", "self-collision of the sheet", SIM_FLAG, 1, 0, 1, NULL},
    {"ccd", "continuous collision detection: nothing passes through its faces", SIM_FLAG, 0, 0, 1,
     NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

typedef struct squeeze {
  uint32_t size;
  weft_collider colliders[2];
  double width, radius, gap, open, aside, period, offset, friction;
  weft_particle_shape_def contact;
  sim_cloth_watch watch;
} squeeze;

static void read_values(squeeze* self, const sim_values* values) {
  self->size = sim_count(values, "size");
  self->width = sim_number(values, "width");
  self->radius = sim_number(values, "radius");
  self->gap = sim_number(values, "gap");
  self->open = sim_number(values, "open");
  self->aside = sim_number(values, "aside");
  self->period = sim_number(values, "period");
  self->offset = sim_number(values, "offset");
  self->friction = sim_number(values, "friction");
  self->contact = weft_default_particle_shape_def();
  if (sim_flag(values, "cloth")) self->contact.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  self->contact.ccd = sim_flag(values, "ccd");
  self->contact.half_size[0] =
      (float)(sim_number(values, "thickness") * self->width / (double)(self->size - 1));
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  squeeze* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory to squeeze");
  *state = self;
  read_values(self, values);
  def->faces = true;
  def->substeps = 4;
  def->iterations = 4;
  def->coarse_iterations = 4;
  def->damping = 0.5f;
  return sim_hang_sheet(scene, self->size, self->width, why);
}

/* Position of the sphere on one side, -1 or 1, at a time: a cosine. */
static void find_place(const squeeze* self, double side, double time, float place[3]) {
  double sine, cosine;
  sim_sine_of_turns(time / self->period, &sine, &cosine);
  const double lower = self->gap + 2.0 * (double)self->contact.half_size[0];
  const double between = lower + (self->open - lower) * 0.5 * (1.0 + cosine);
  place[0] = 0.0f;
  place[1] = (float)(0.5 * side * self->offset);
  place[2] = (float)(self->aside + side * (self->radius + 0.5 * between));
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  squeeze* self = state;
  (void)def;
  weft_collider_def sphere = weft_default_collider_def();
  sphere.radius = (float)self->radius;
  sphere.static_friction = sphere.dynamic_friction = (float)self->friction;
  for (int i = 0; i < 2; ++i) {
    find_place(self, i == 0 ? -1.0 : 1.0, 0.0, sphere.position);
    if (!sim_check(weft_world_add_collider(world, &sphere, &self->colliders[i]), why)) return false;
  }
  return sim_check(weft_world_set_particle_shape(world, 0, self->size * self->size, &self->contact),
                   why);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  squeeze* self = state;
  (void)sim_watch_cloth(&self->watch, world, moment->step);
  for (int i = 0; i < 2; ++i) {
    float place[3];
    find_place(self, i == 0 ? -1.0 : 1.0, moment->time + moment->h, place);
    if (!sim_check(weft_world_move_collider(world, self->colliders[i], place, NULL), why)) {
      return false;
    }
  }
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  squeeze* self = state;
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "speed", sim_fastest(world, 0, self->size * self->size));
  sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_report_lost(world, results);
}

const sim_scene sim_scene_squeeze = {
    .name = "squeeze",
    .summary = "a sheet between two spheres that come together",
    .params = params,
    .seconds = 6.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
};
