/* A skirt around two legs that walk or run straight ahead: particles and faces inside the legs are
 * counted. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/path.h"
#include "sim/scene.h"
#include "sim/scenes/cone_skirt.h"

static const sim_param params[] = {
    {"around", "particles around the skirt", SIM_COUNT, 80, 12, 1000, NULL},
    {"rows", "particles from waist to hem", SIM_COUNT, 64, 3, 1000, NULL},
    {"length", "metres from waist to hem", SIM_NUMBER, 0.55, 0.3, 10, NULL},
    {"speed", "metres a second: 1.4 is a walk, 10 a run", SIM_NUMBER, 1.4, 0, 20, NULL},
    {"skin", "largest distance of the hem from its skinned position, metres; 0 = free", SIM_NUMBER,
     0.1, 0, 10, NULL},
    {"self", "the skirt collides with itself", SIM_FLAG, 1, 0, 1, NULL},
    {"faces", "faces collide with the legs, not particles alone", SIM_FLAG, 1, 0, 1, NULL},
    SIM_CLOTH_PARAMS_OF(0.55, 0.3, 0),
    SIM_END_OF_PARAMS,
};

// Metres; metres a second squared.
static const double hip_height = 0.9, hip_half_width = 0.09, leg_radius = 0.085, leg_half = 0.36;
static const double acceleration = 4.0;

typedef struct skirt {
  sim_skirt cloth;
  double wanted_speed, skin;
  weft_particle_shape_def shape;
  weft_collider legs[2];
  double speed, way, phase; /* metres a second, metres, turns of the stride */
  float (*rest)[3];         /* skinned positions with the waist above the origin */
  float (*positions)[3];
  double particles_inside, faces_inside; /* counts over all frames */
  double deepest;                        /* metres, of either */
  double most_stretch;                   /* of any edge of a face, as a share of its rest length */
  sim_cloth_watch watch;
} skirt;

// ---- legs ----

typedef struct leg {
  float place[3], rotation[4];
} leg;

// Capsules along y that swing about the hips, in opposite phases.
static leg leg_of(const skirt* self, int side) {
  // turns: 20 degrees at a walk, 30 at a run
  const double swing = 0.0556 * fmin(1.5, 0.9 + 0.06 * self->speed) * fmin(1.0, self->speed);
  double sine, cosine;
  sim_sine_of_turns(self->phase + 0.5 * side, &sine, &cosine);
  const double angle = swing * sine;
  sim_sine_of_turns(angle, &sine, &cosine);
  leg l = {.place = {(float)(side == 0 ? -hip_half_width : hip_half_width),
                     (float)(hip_height - leg_half * cosine),
                     (float)(self->way + leg_half * sine)}};
  sim_sine_of_turns(-0.5 * angle, &sine, &cosine);
  l.rotation[0] = (float)sine;
  l.rotation[3] = (float)cosine;
  return l;
}

// Speed, way and phase one step later.
static void advance(skirt* self, double h) {
  const double change = acceleration * h;
  self->speed += fmin(fmax(self->wanted_speed - self->speed, -change), change);
  self->way += self->speed * h;
  // metres of a pair of steps: longer at a run
  self->phase += self->speed * h / (1.4 * (1.0 + fmin(2.2, 0.25 * self->speed)));
}

// ---- building ----

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  skirt* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a skirt");
  *state = self;
  self->cloth = (sim_skirt){.waist = 0.17, .hem = 0.4, .waist_height = 1.0};
  if (!sim_read_skirt(&self->cloth, values, why)) return false;
  self->wanted_speed = sim_number(values, "speed");
  self->skin = sim_number(values, "skin");
  self->shape = sim_cloth_shape(values, sim_skirt_spacing(&self->cloth));
  if (!sim_flag(values, "self")) self->shape.shape = WEFT_PARTICLE_SHAPE_POINT;
  self->shape.face_contacts = sim_flag(values, "faces");
  const uint32_t count = sim_skirt_particle_count(&self->cloth);
  self->rest = calloc(count, sizeof *self->rest);
  self->positions = calloc(count, sizeof *self->positions);
  if (!self->rest || !self->positions) return tool_because(why, "no memory for a skirt");
  for (uint32_t i = 0; i < count; ++i) {
    double place[3];
    sim_skirt_place(&self->cloth, i, place);
    for (int k = 0; k < 3; ++k) self->rest[i][k] = (float)place[k];
  }
  sim_cloth_solver(def, 4);
  return sim_add_skirt(&self->cloth, self->rest, scene, why);
}

// The limit grows from 0 at the waist.
static bool set_limits(weft_world* world, const skirt* self, tool_message* why) {
  const uint32_t around = self->cloth.around, rows = self->cloth.rows;
  for (uint32_t row = 0; row < rows && self->skin > 0.0; ++row) {
    weft_skin_limits limits = weft_default_skin_limits();
    limits.max_distance = (float)(self->skin * row / (rows - 1));
    if (!sim_check(weft_world_set_skin_limits(world, row * around, around, &limits, 0), why)) {
      return false;
    }
  }
  return true;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  skirt* self = state;
  (void)def;
  for (int side = 0; side < 2; ++side) {
    const leg l = leg_of(self, side);
    weft_collider_def capsule = weft_default_collider_def();
    capsule.shape = WEFT_COLLIDER_SHAPE_CAPSULE;
    capsule.radius = (float)leg_radius;
    capsule.half_size[1] = (float)leg_half;
    capsule.static_friction = capsule.dynamic_friction = self->shape.static_friction;
    for (int k = 0; k < 3; ++k) capsule.position[k] = l.place[k];
    for (int k = 0; k < 4; ++k) capsule.rotation[k] = l.rotation[k];
    if (!sim_check(weft_world_add_collider(world, &capsule, &self->legs[side]), why)) return false;
  }
  return set_limits(world, self, why) && sim_set_cloth_shape(world, &self->shape, why);
}

// ---- steps ----

static void note_depth(void* state, bool is_face, double depth) {
  skirt* self = state;
  if (depth > 0.0) *(is_face ? &self->faces_inside : &self->particles_inside) += 1.0;
  self->deepest = fmax(self->deepest, depth);
}

static double edge_length(float (*positions)[3], uint32_t a, uint32_t b) {
  double square = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double along = (double)positions[b][k] - (double)positions[a][k];
    square += along * along;
  }
  return sqrt(square);
}

static void note_stretch(skirt* self, const uint32_t corner[3]) {
  for (int k = 0; k < 3; ++k) {
    const uint32_t a = corner[k], b = corner[(k + 1) % 3];
    const double stretch = edge_length(self->positions, a, b) / edge_length(self->rest, a, b);
    self->most_stretch = fmax(self->most_stretch, stretch - 1.0);
  }
}

/* Counts particles and centroids of faces inside the legs, and notes stretched edges. */
static void look(skirt* self, const weft_world* world) {
  const uint32_t count = sim_skirt_particle_count(&self->cloth);
  if (weft_world_get_positions(world, 0, count, self->positions[0]).error != WEFT_OK) return;
  for (uint32_t f = 0; f < sim_skirt_face_count(&self->cloth); ++f) {
    uint32_t corner[3];
    sim_skirt_corners(&self->cloth, f, corner);
    note_stretch(self, corner);
  }
  for (int side = 0; side < 2; ++side) {
    if (!sim_skirt_depths(&self->cloth, self->positions, world, self->legs[side], leg_radius,
                          leg_half, note_depth, self)) {
      return;
    }
  }
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  skirt* self = state;
  if (sim_watch_cloth(&self->watch, world, moment->step)) look(self, world);
  advance(self, moment->h);
  for (int side = 0; side < 2; ++side) {
    const leg l = leg_of(self, side);
    if (!sim_check(weft_world_move_collider(world, self->legs[side], l.place, l.rotation), why))
      return false;
  }
  const uint32_t around = self->cloth.around;
  const uint32_t count = self->skin > 0.0 ? sim_skirt_particle_count(&self->cloth) : around;
  for (uint32_t i = 0; i < count; ++i) {
    self->positions[i][0] = self->rest[i][0];
    self->positions[i][1] = self->rest[i][1];
    self->positions[i][2] = (float)((double)self->rest[i][2] + self->way);
  }
  const size_t stride = sizeof self->positions[0];
  if (self->skin > 0.0 &&
      !sim_check(weft_world_move_skin(world, 0, count, self->positions[0], stride, NULL, 0), why)) {
    return false;
  }
  return sim_check(weft_world_move_particles(world, 0, around, self->positions[0], stride), why);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  skirt* self = state;
  look(self, world);
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "vertices_inside", self->particles_inside);
  sim_add_result(results, "faces_inside", self->faces_inside);
  sim_add_result(results, "most_stretch", self->most_stretch);
  sim_add_result(results, "deepest", fmax(self->deepest, 0.0));
  sim_report_lost(world, results);
}

static void free_skirt(void* state) {
  skirt* self = state;
  free(self->rest);
  free(self->positions);
}

static void keep(void* state, sim_keep* kept) {
  skirt* self = state;
  SIM_KEEP(kept, self->speed);
  SIM_KEEP(kept, self->way);
  SIM_KEEP(kept, self->phase);
}

const sim_scene sim_scene_skirt = {
    .name = "skirt",
    .summary = "a skirt on legs that walk or run, counting what is inside them",
    .params = params,
    .seconds = 4.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = free_skirt,
};
