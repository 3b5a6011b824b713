/* A rope with an overhand knot is pulled tight. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/observe.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"size", "links of the rope", SIM_COUNT, 400, 50, 4000, NULL},
    {"length", "metres", SIM_NUMBER, 4, 0.1, 100, NULL},
    {"speed", "metres a second at which each end is pulled", SIM_NUMBER, 0.3, 0.001, 10, NULL},
    {"strain", "mean strain at which the ends stop", SIM_NUMBER, 0.01, 0, 1, NULL},
    {"thickness", "radius of the rope, as a share of the particles' spacing", SIM_NUMBER, 0.9, 0.5,
     2, NULL},
    {"friction", "coefficient of the rope", SIM_NUMBER, 0.3, 0, 100, NULL},
    SIM_END_OF_PARAMS,
};

typedef struct knot {
  uint32_t links;
  double length, speed, strain;
  float ends[2][3];
  float (*positions)[3];
  weft_particle_shape_def shape;
  double closest; /* metres between distant parts of the rope, ever */
  sim_cloth_watch watch;
} knot;

/* Long trefoil (Shastri 1992, "Polynomial representations of knots"); its ends go along z. */
static void trefoil(double t, double place[3]) {
  const double t2 = t * t;
  place[0] = 0.1 * t * (t2 - 3.0);
  place[1] = 0.05 * t2 * (t2 - 4.0);
  place[2] = 0.025 * t * (t2 * t2 - 10.0);
}

static double step_of(double t, double dt) {
  double a[3], b[3];
  trefoil(t, a);
  trefoil(t + dt, b);
  return sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
              (b[2] - a[2]) * (b[2] - a[2]));
}

/* Points of equal distance along the curve, scaled so that its arc has the rope's length. */
static void tie(knot* self) {
  enum { FINE = 100000 };
  const double end = 2.3, dt = 2.0 * end / FINE;
  double arc = 0.0, passed = 0.0;
  for (int i = 0; i < FINE; ++i) arc += step_of(-end + i * dt, dt);
  const double scale = self->length / arc;
  uint32_t next = 0;
  for (int i = 0; i <= FINE && next <= self->links; ++i) {
    const double t = -end + i * dt;
    if (passed >= arc * next / self->links || i == FINE) {
      double place[3];
      trefoil(t, place);
      for (int axis = 0; axis < 3; ++axis) {
        self->positions[next][axis] = (float)(scale * place[axis]);
      }
      ++next;
    }
    passed += step_of(t, dt);
  }
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  knot* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a knot");
  *state = self;
  self->links = sim_count(values, "size");
  self->length = sim_number(values, "length");
  self->speed = sim_number(values, "speed");
  self->strain = sim_number(values, "strain");
  self->closest = INFINITY;
  self->shape = weft_default_particle_shape_def();
  self->shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  self->shape.half_size[0] = (float)(sim_number(values, "thickness") * self->length / self->links);
  self->shape.static_friction = self->shape.dynamic_friction =
      (float)sim_number(values, "friction");
  self->positions = calloc(self->links + 1, sizeof *self->positions);
  if (!self->positions) return tool_because(why, "no memory for %u links", self->links);
  tie(self);
  sim_cloth_solver(def, 8);
  def->iterations = 20;
  def->coarse_iterations = 0;
  def->gravity[1] = 0.0f;
  weft_rope_def rope = weft_default_rope_def();
  rope.points = self->positions[0];
  rope.point_count = self->links + 1;
  rope.pin_origin = rope.pin_end = true;
  rope.mode = WEFT_LINK_MODE_STRETCH;
  return sim_check(weft_scene_add_rope(scene, &rope, NULL), why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  knot* self = state;
  (void)def;
  return sim_check(weft_world_get_positions(world, 0, 1, self->ends[0]), why) &&
         sim_check(weft_world_get_positions(world, self->links, 1, self->ends[1]), why) &&
         sim_set_cloth_shape(world, &self->shape, why);
}

/* Distance of particles that the rope keeps three diameters apart or more. */
static void look(knot* self, const weft_world* world) {
  const double spacing = self->length / self->links;
  const uint32_t apart = (uint32_t)ceil(6.0 * (double)self->shape.half_size[0] / spacing);
  if (weft_world_get_positions(world, 0, self->links + 1, self->positions[0]).error != WEFT_OK) {
    self->closest = (double)NAN;
  }
  for (uint32_t i = 0; i <= self->links; ++i) {
    for (uint32_t k = i + apart; k <= self->links; ++k) {
      const float *a = self->positions[i], *b = self->positions[k];
      const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1],
                   z = (double)a[2] - (double)b[2];
      self->closest = fmin(self->closest, sqrt(x * x + y * y + z * z));
    }
  }
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  knot* self = state;
  if (!sim_watch_cloth(&self->watch, world, moment->step)) return true;
  look(self, world);
  if (self->watch.mean_strain > self->strain) return true;
  for (int end = 0; end < 2; ++end) {
    self->ends[end][2] += (float)((end == 0 ? -1.0 : 1.0) * self->speed * moment->h);
    const uint32_t particle = end == 0 ? 0 : self->links;
    if (!sim_check(weft_world_move_particles(world, particle, 1, self->ends[end], 0), why)) {
      return false;
    }
  }
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  knot* self = state;
  look(self, world);
  const double between = sim_distance(sim_place_of(world, 0), sim_place_of(world, self->links));
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "in_knot", self->length - between);
  sim_add_result(results, "closest", self->closest / (2.0 * (double)self->shape.half_size[0]));
  sim_report_lost(world, results);
}

static void free_knot(void* state) {
  knot* self = state;
  if (self) free(self->positions);
  free(self);
}

static void keep(void* state, sim_keep* kept) {
  knot* self = state;
  SIM_KEEP(kept, self->ends);
  SIM_KEEP(kept, self->watch);
}

const sim_scene sim_scene_knot = {
    .name = "knot",
    .summary = "a rope with an overhand knot, pulled tight",
    .params = params,
    .seconds = 8.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = free_knot,
};
