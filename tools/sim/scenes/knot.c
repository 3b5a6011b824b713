/* A rope or a ribbon with an overhand knot is pulled tight. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/knot_determinant.h"
#include "sim/observe.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"size", "links of the rope", SIM_COUNT, 400, 50, 4000, NULL},
    {"across", "particles across a ribbon; 1 = a rope", SIM_COUNT, 1, 1, 32, NULL},
    SIM_COLLISION_PARAM(WEFT_COLLISION_EXACT),
    {"length", "metres", SIM_NUMBER, 4, 0.1, 100, NULL},
    {"speed", "metres a second at which each end is pulled", SIM_NUMBER, 0.3, 0.001, 10, NULL},
    {"strain", "mean strain at which the ends stop", SIM_NUMBER, 0.01, 0, 1, NULL},
    {"thickness", "radius of the rope, as a share of the particles' spacing", SIM_NUMBER, 0.9, 0.5,
     2, NULL},
    {"friction", "coefficient of the rope", SIM_NUMBER, 0.3, 0, 100, NULL},
    SIM_END_OF_PARAMS,
};

typedef struct knot {
  uint32_t links, across;
  double length, speed, strain;
  float first[2][32][3]; /* initial places of both ends */
  double pulled;         /* metres, each end, so far */
  float (*positions)[3]; /* [count_of()] */
  weft_particle_shape_def shape;
  double closest;  /* least distance of far parts of the rope, metres */
  uint64_t untied; /* states without the overhand knot */
  sim_cloth_watch watch;
} knot;

static uint32_t count_of(const knot* self) {
  return (self->links + 1) * self->across;
}

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

/* Equidistant points of the curve, scaled to the rope's length of arc. */
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

/* Widens the line into a ribbon: a direction across is carried along it without twist. */
static void widen(const knot* self) {
  double across[3] = {0.0, 1.0, 0.0};
  const double spacing = self->length / self->links;
  float(*line)[3] = self->positions;
  for (uint32_t i = self->links + 1; i-- > 0;) {
    // from the end on, as the line lies in the first places
    const float *a = line[i == 0 ? 0 : i - 1], *b = line[i == 0 ? 1 : i];
    double along[3], dot = 0.0, square = 0.0, middle[3];
    for (int axis = 0; axis < 3; ++axis) {
      along[axis] = ((double)b[axis] - (double)a[axis]) / spacing;
      dot += along[axis] * across[axis];
      middle[axis] = (double)line[i][axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
      across[axis] -= dot * along[axis];
      square += across[axis] * across[axis];
    }
    for (int axis = 0; axis < 3; ++axis) across[axis] /= sqrt(square);
    // backwards, so that line points are read before they are overwritten
    for (uint32_t k = self->across; k-- > 0;) {
      const double side = spacing * (k - 0.5 * (self->across - 1));
      for (int axis = 0; axis < 3; ++axis) {
        self->positions[i * self->across + k][axis] = (float)(middle[axis] + side * across[axis]);
      }
    }
  }
}

static bool add_ribbon(const knot* self, weft_scene* scene, tool_message* why) {
  const uint32_t across = self->across, cells = self->links * (across - 1);
  uint32_t(*triangles)[3] = calloc(2 * (size_t)cells, sizeof *triangles);
  if (!triangles) return tool_because(why, "no memory for a ribbon");
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const uint32_t h = cell / (across - 1) * across + cell % (across - 1);
    const uint32_t pair[6] = {h, h + across, h + 1, h + 1, h + across, h + across + 1};
    for (uint32_t k = 0; k < 6; ++k) triangles[2 * cell + k / 3][k % 3] = pair[k];
  }
  const double spacing = self->length / self->links;
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = self->positions[0];
  mesh.vertex_count = count_of(self);
  mesh.triangles = triangles[0];
  mesh.triangle_count = 2 * cells;
  mesh.particle_mass = (float)(0.2 * spacing * spacing);
  mesh.bend_relaxation = 0.02f;
  const bool ok = sim_check(weft_scene_add_mesh(scene, &mesh, NULL), why) &&
                  sim_check(weft_scene_pin(scene, weft_range(0, across)), why) &&
                  sim_check(weft_scene_pin(scene, weft_range(self->links * across, across)), why);
  free(triangles);
  return ok;
}

static bool add_rope(const knot* self, weft_scene* scene, tool_message* why) {
  weft_rope_def rope = weft_default_rope_def();
  rope.collision = WEFT_COLLISION_NONE;
  rope.in_air = false;
  rope.points = self->positions[0];
  rope.point_count = self->links + 1;
  rope.pin_origin = rope.pin_end = true;
  rope.mode = WEFT_LINK_MODE_STRETCH;
  return sim_check(weft_scene_add_rope(scene, &rope, NULL), why);
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  knot* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a knot");
  *state = self;
  self->links = sim_count(values, "size");
  self->across = sim_count(values, "across");
  self->length = sim_number(values, "length");
  self->speed = sim_number(values, "speed");
  self->strain = sim_number(values, "strain");
  self->closest = INFINITY;
  self->shape = weft_default_particle_shape_def();
  self->shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  self->shape.half_size[0] = (float)(sim_number(values, "thickness") * self->length / self->links);
  self->shape.surface.static_friction = self->shape.surface.dynamic_friction =
      (float)sim_number(values, "friction");
  self->shape.collision = (weft_collision)sim_choice(values, "collision");
  self->positions = calloc(count_of(self), sizeof *self->positions);
  if (!self->positions) return tool_because(why, "no memory for %u links", self->links);
  tie(self);
  sim_cloth_solver(def, 8);
  def->solver.iterations = 20;
  def->solver.coarse_iterations = 0;
  def->gravity[1] = 0.0f;
  if (self->across == 1) return add_rope(self, scene, why);
  widen(self);
  return add_ribbon(self, scene, why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  knot* self = state;
  (void)def;
  return sim_get(world, WEFT_ATTRIBUTE_POSITION, 0, self->across, self->first[0][0], why) &&
         sim_get(world, WEFT_ATTRIBUTE_POSITION, self->links * self->across, self->across,
                 self->first[1][0], why) &&
         sim_set_cloth_shape(world, &self->shape, why);
}

/* True if the middle line is an overhand knot. */
static bool is_tied(const knot* self) {
  enum { OVERHAND = 3 };
  float(*line)[3] = calloc(self->links + 1, sizeof *line);
  if (!line) return false;
  for (uint32_t i = 0; i <= self->links; ++i) {
    memcpy(line[i], self->positions[i * self->across + self->across / 2], sizeof line[i]);
  }
  const uint32_t determinant = sim_knot_determinant(line[0], self->links + 1);
  free(line);
  return determinant == OVERHAND;
}

/* The knot, and the distance of particles three rope diameters apart or more along the rope. */
static void look(knot* self, const weft_world* world) {
  const double spacing = self->length / self->links;
  const uint32_t apart = (uint32_t)ceil(6.0 * (double)self->shape.half_size[0] / spacing);
  if (weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(0, count_of(self)),
                     self->positions[0], 0)
          .error != WEFT_OK) {
    self->closest = (double)NAN;
  }
  if (!is_tied(self)) ++self->untied;
  for (uint32_t i = 0; i <= self->links; ++i) {
    for (uint32_t k = i + apart; k <= self->links; ++k) {
      const float *a = self->positions[i * self->across + self->across / 2],
                  *b = self->positions[k * self->across + self->across / 2];
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
  self->pulled += self->speed * moment->h;
  for (int end = 0; end < 2; ++end) {
    float places[32][3];
    for (uint32_t k = 0; k < self->across; ++k) {
      for (int axis = 0; axis < 3; ++axis) places[k][axis] = self->first[end][k][axis];
      places[k][2] += (float)(end == 0 ? -self->pulled : self->pulled);
    }
    const uint32_t first = end == 0 ? 0 : self->links * self->across;
    if (!sim_set(world, WEFT_ATTRIBUTE_TARGET, first, self->across, places[0], 0, why)) {
      return false;
    }
  }
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  knot* self = state;
  look(self, world);
  const double between =
      sim_distance(sim_position_of(world, 0), sim_position_of(world, self->links * self->across));
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "in_knot", self->length - between);
  sim_add_result(results, "closest", self->closest / (2.0 * (double)self->shape.half_size[0]));
  sim_add_result(results, "untied", (double)self->untied);
  if (self->across > 1) sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_report_lost(world, results);
}

static void free_knot(void* state) {
  knot* self = state;
  free(self->positions);
}

static void keep(void* state, sim_keep* kept) {
  knot* self = state;
  SIM_KEEP(kept, self->pulled);
  SIM_KEEP(kept, self->watch);
  SIM_KEEP(kept, self->untied);
}

const sim_scene sim_scene_knot = {
    .name = "knot",
    .summary = "a rope or a ribbon with an overhand knot, pulled tight",
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
