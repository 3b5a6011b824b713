/* Two fingers hold a folded towel. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/path.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"size", "particles across the towel", SIM_COUNT, 33, 5, 512, NULL},
    {"width", "metres across; it is twice as long", SIM_NUMBER, 0.3, 0.01, 10, NULL},
    {"finger", "half the side of a finger, metres", SIM_NUMBER, 0.02, 1e-3, 1, NULL},
    {"grasp", "share of the two layers' thickness by which the fingers close", SIM_NUMBER, 0.2, 0,
     0.9, NULL},
    {"settle", "second from which on creep is measured", SIM_NUMBER, 2, 0, 1000, NULL},
    SIM_CLOTH_PARAMS_OF(0.45, 0.6, 1),
    SIM_END_OF_PARAMS,
};

typedef struct grip_scene {
  uint32_t columns, rows;
  double spacing, finger, grasp, settle;
  weft_particle_shape_def shape;
  weft_collider fingers[2];
  bool is_free;
  double settled; /* metres: height of the held part when creep begins to count; NaN before */
  double creep;   /* metres, the most since */
  sim_cloth_watch watch;
} grip_scene;

// Second at which the fingers have closed and the towel is let go.
static const double closed = 0.5;

/* The towel hangs in two layers, folded at its top over half a circle. */
static void fold(const grip_scene* self, float (*positions)[3]) {
  const double radius = 1.5 * (double)self->shape.half_size[0];
  const double arc = 3.141592653589793 * radius, length = self->spacing * (self->rows - 1);
  for (uint32_t row = 0; row < self->rows; ++row) {
    const double s = self->spacing * row - 0.5 * length; /* along the towel from the fold */
    double y, z;
    if (fabs(s) < 0.5 * arc) {
      double sine, cosine;
      sim_sine_of_turns(s / (2.0 * arc), &sine, &cosine);
      y = radius * (cosine - 1.0);
      z = radius * sine;
    } else {
      y = -radius - (fabs(s) - 0.5 * arc);
      z = s < 0.0 ? -radius : radius;
    }
    for (uint32_t column = 0; column < self->columns; ++column) {
      float* place = positions[row * self->columns + column];
      place[0] = (float)(self->spacing * (column - 0.5 * (self->columns - 1)));
      place[1] = (float)y;
      place[2] = (float)z;
    }
  }
}

static bool add_towel(const grip_scene* self, weft_scene* scene, tool_message* why) {
  const uint32_t columns = self->columns, rows = self->rows, cells = (columns - 1) * (rows - 1);
  float(*positions)[3] = calloc((size_t)columns * rows, sizeof *positions);
  uint32_t(*triangles)[3] = calloc(2 * (size_t)cells, sizeof *triangles);
  bool ok = positions && triangles;
  if (!ok) (void)tool_because(why, "no memory for a towel");
  for (uint32_t cell = 0; ok && cell < cells; ++cell) {
    const uint32_t h = cell / (columns - 1) * columns + cell % (columns - 1);
    const uint32_t pair[2][3] = {{h, h + columns, h + 1}, {h + 1, h + columns, h + columns + 1}};
    for (int k = 0; k < 6; ++k) triangles[2 * cell + (uint32_t)k / 3][k % 3] = pair[k / 3][k % 3];
  }
  if (ok) {
    fold(self, positions);
    weft_mesh_def mesh = weft_default_mesh_def();
    mesh.positions = positions[0];
    mesh.vertex_count = columns * rows;
    mesh.triangles = triangles[0];
    mesh.triangle_count = 2 * cells;
    mesh.particle_mass = (float)(0.4 * self->spacing * self->spacing);
    mesh.bend_relaxation = 0.02f;
    // held by its fold until the fingers are closed
    ok = sim_check(weft_scene_add_mesh(scene, &mesh, NULL), why) &&
         sim_check(weft_scene_pin(scene, rows / 2 * columns, columns), why);
  }
  free(positions);
  free(triangles);
  return ok;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  grip_scene* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a towel");
  *state = self;
  self->columns = sim_count(values, "size");
  self->rows = 2 * self->columns - 1;
  self->spacing = sim_number(values, "width") / (self->columns - 1);
  self->finger = sim_number(values, "finger");
  self->grasp = sim_number(values, "grasp");
  self->settle = sim_number(values, "settle");
  self->shape = sim_cloth_shape(values, self->spacing);
  self->settled = (double)NAN;
  sim_cloth_solver(def, 8);
  return add_towel(self, scene, why);
}

/* Middle of a finger, which closes along z. */
static void finger_at(const grip_scene* self, int finger, double time, float place[3]) {
  // two layers, each as thick as two radii
  const double held = 4.0 * (double)self->shape.half_size[0] * (1.0 - self->grasp);
  const double open = 0.1 * (1.0 - fmin(time / closed, 1.0));
  place[0] = 0.0f;
  place[1] = (float)(-3.0 * self->finger);
  place[2] = (float)((finger == 0 ? -1.0 : 1.0) * (0.5 * held + open + self->finger));
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  grip_scene* self = state;
  (void)def;
  for (int i = 0; i < 2; ++i) {
    weft_collider_def box = weft_default_collider_def();
    box.shape = WEFT_COLLIDER_SHAPE_BOX;
    for (int axis = 0; axis < 3; ++axis) box.half_size[axis] = (float)self->finger;
    box.static_friction = box.dynamic_friction = self->shape.static_friction;
    finger_at(self, i, 0.0, box.position);
    if (!sim_check(weft_world_add_collider(world, &box, &self->fingers[i]), why)) return false;
  }
  return sim_set_cloth_shape(world, &self->shape, why);
}

/* Mean height of the particles between the fingers, metres. */
static double held_height(const grip_scene* self, const weft_world* world) {
  double sum = 0.0;
  uint32_t count = 0;
  const double limit = 0.5 * self->finger;
  for (uint32_t i = 0; i < self->columns * self->rows; ++i) {
    // chosen by place at rest, so that the particles are always the same
    const double x = self->spacing * (i % self->columns - 0.5 * (self->columns - 1));
    const double down =
        fabs(self->spacing * (i / self->columns) - 0.5 * self->spacing * (self->rows - 1));
    if (fabs(x) > limit || fabs(down - 3.0 * self->finger) > limit) continue;
    float place[3];
    if (weft_world_get_positions(world, i, 1, place).error != WEFT_OK) return (double)NAN;
    sum += (double)place[1];
    ++count;
  }
  return count > 0 ? sum / count : (double)NAN;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  grip_scene* self = state;
  (void)sim_watch_cloth(&self->watch, world, moment->step);
  if (moment->time >= self->settle) {
    const double height = held_height(self, world);
    if (isnan(self->settled)) self->settled = height;
    self->creep = fmax(self->creep, fabs(height - self->settled));
  }
  if (!self->is_free && moment->time >= 2.0 * closed) {
    const float inverse_mass = (float)(1.0 / (0.4 * self->spacing * self->spacing));
    self->is_free = true;
    if (!sim_check(weft_world_set_inverse_masses(world, self->rows / 2 * self->columns,
                                                 self->columns, &inverse_mass, 0),
                   why)) {
      return false;
    }
  }
  for (int i = 0; i < 2 && moment->time < closed; ++i) {
    float place[3];
    finger_at(self, i, moment->time + moment->h, place);
    if (!sim_check(weft_world_move_collider(world, self->fingers[i], place, NULL), why)) {
      return false;
    }
  }
  return true;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  grip_scene* self = state;
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "creep", self->creep);
  sim_add_result(results, "height", held_height(self, world));
  sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_report_lost(world, results);
}

static void keep(void* state, sim_keep* kept) {
  grip_scene* self = state;
  SIM_KEEP(kept, self->is_free);
}

const sim_scene sim_scene_grip = {
    .name = "grip",
    .summary = "two fingers that hold a folded towel",
    .params = params,
    .seconds = 10.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
};
