/* A skirt on a figure of capsules that stands, walks, runs and turns along a circle. */
#include <math.h>
#include <stdlib.h>

#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/path.h"
#include "sim/scene.h"
#include "sim/scenes/cone_skirt.h"

static const sim_param params[] = {
    {"around", "particles around the skirt", SIM_COUNT, 80, 12, 1000, NULL},
    {"rows", "particles from waist to hem", SIM_COUNT, 64, 3, 1000, NULL},
    {"length", "metres from waist to hem", SIM_NUMBER, 0.5, 0.05, 10, NULL},
    {"walk", "metres a second, from the first second on", SIM_NUMBER, 1.4, 0, 20, NULL},
    {"run", "metres a second, from the third second on", SIM_NUMBER, 10, 0, 20, NULL},
    {"circle", "radius of the circle, metres", SIM_NUMBER, 10, 1, 1000, NULL},
    {"stride", "metres of a pair of steps at a walk; longer at a run", SIM_NUMBER, 1.5, 0.1, 10,
     NULL},
    SIM_CLOTH_PARAMS,
    {"faces", "faces collide with the limbs, not particles alone", SIM_FLAG, 0, 0, 1, NULL},
    SIM_END_OF_PARAMS,
};

// Seconds at which speed is gained or lost, metres a second squared.
static const double acceleration = 7.0;

enum { PELVIS, LEFT_THIGH, RIGHT_THIGH, LEFT_SHIN, RIGHT_SHIN, LIMBS };

/* Capsule in the frame of the figure: x to its right, y up, z ahead; the ground is y = 0. */
typedef struct limb {
  double radius, half_length;
  double middle[3];
  double swing; /* turns about x, forwards */
} limb;

typedef struct garment {
  sim_skirt cloth;
  double walk, run, circle, stride;
  weft_particle_shape_def shape;
  weft_collider colliders[LIMBS];
  double speed, way, phase; /* metres a second, metres, turns of the stride */
  float (*waist)[3];
  float (*positions)[3];
  double deepest;      /* metres of a particle inside a limb, ever */
  double deepest_face; /* likewise of a centroid of a face */
  double most_crossings;
  sim_cloth_watch watch;
} garment;

// ---- the figure ----

/* Limbs at a phase of the stride; `vigour` from 0, standing, to 1, running. */
static void pose(double phase, double vigour, limb limbs[LIMBS]) {
  limbs[PELVIS] = (limb){0.125, 0.06, {0.0, 0.98, 0.0}, 0.0};
  for (int side = 0; side < 2; ++side) {
    double sine, cosine;
    const double x = side == 0 ? -0.095 : 0.095;
    sim_sine_of_turns(phase + 0.5 * side, &sine, &cosine);
    const double hip = 0.11 * vigour * sine;  // turns
    const double knee = hip - 0.09 * vigour * (1.0 + cosine) * 0.9;
    double s, c;
    sim_sine_of_turns(hip, &s, &c);
    const double knee_y = 0.9 - 0.42 * c, knee_z = 0.42 * s;
    limbs[LEFT_THIGH + side] = (limb){0.07, 0.2, {x, 0.9 - 0.21 * c, 0.21 * s}, hip};
    sim_sine_of_turns(knee, &s, &c);
    limbs[LEFT_SHIN + side] = (limb){0.05, 0.19, {x, knee_y - 0.21 * c, knee_z + 0.21 * s}, knee};
  }
}

static double vigour_of(double speed) {
  return fmin(1.0, speed / 4.0);
}

/* Place and heading of the figure, which walks along a circle around the origin. */
typedef struct heading {
  double sine, cosine; /* of the way */
  double radius;
} heading;

static heading heading_of(const garment* self) {
  heading h = {.radius = self->circle};
  sim_sine_of_turns(self->way / (self->circle * 6.283185307179586), &h.sine, &h.cosine);
  return h;
}

/* x to the right is outwards, z ahead along the circle. */
static void to_world(const heading* h, const double place[3], float world[3]) {
  const double out = h->radius + place[0];
  world[0] = (float)(out * h->cosine - place[2] * h->sine);
  world[1] = (float)place[1];
  world[2] = (float)(out * h->sine + place[2] * h->cosine);
}

/* Quaternion of the swing about x, then of the heading about y. */
static void rotation_of(const garment* self, const limb* l, float rotation[4]) {
  double sx, cx, sy, cy;
  sim_sine_of_turns(-0.5 * l->swing, &sx, &cx);
  sim_sine_of_turns(-0.5 * self->way / (self->circle * 6.283185307179586), &sy, &cy);
  rotation[0] = (float)(cy * sx);
  rotation[1] = (float)(sy * cx);
  rotation[2] = (float)(-sy * sx);
  rotation[3] = (float)(cy * cx);
}

// ---- building ----

static void place_skirt(const garment* self, uint32_t count, float (*positions)[3]) {
  const heading h = heading_of(self);
  for (uint32_t i = 0; i < count; ++i) {
    double place[3];
    sim_skirt_place(&self->cloth, i, place);
    to_world(&h, place, positions[i]);
  }
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  garment* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a garment");
  *state = self;
  self->cloth = (sim_skirt){.waist = 0.14, .hem = 0.32, .waist_height = 1.0};
  if (!sim_read_skirt(&self->cloth, values, why)) return false;
  self->walk = sim_number(values, "walk");
  self->run = sim_number(values, "run");
  self->circle = sim_number(values, "circle");
  self->stride = sim_number(values, "stride");
  self->shape = sim_cloth_shape(values, sim_skirt_spacing(&self->cloth));
  self->shape.face_contacts = sim_flag(values, "faces");
  const uint32_t count = sim_skirt_particle_count(&self->cloth);
  self->waist = calloc(self->cloth.around, sizeof *self->waist);
  self->positions = calloc(count, sizeof *self->positions);
  if (!self->waist || !self->positions) return tool_because(why, "no memory for a garment");
  place_skirt(self, count, self->positions);
  sim_cloth_solver(def, 8);
  return sim_add_skirt(&self->cloth, self->positions, scene, why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  garment* self = state;
  limb limbs[LIMBS];
  const heading h = heading_of(self);
  (void)def;
  pose(0.0, 0.0, limbs);
  for (int i = 0; i < LIMBS; ++i) {
    weft_collider_def capsule = weft_default_collider_def();
    capsule.shape = WEFT_COLLIDER_SHAPE_CAPSULE;
    capsule.radius = (float)limbs[i].radius;
    capsule.half_size[1] = (float)limbs[i].half_length;
    capsule.static_friction = capsule.dynamic_friction = self->shape.static_friction;
    to_world(&h, limbs[i].middle, capsule.position);
    rotation_of(self, &limbs[i], capsule.rotation);
    if (!sim_check(weft_world_add_collider(world, &capsule, &self->colliders[i]), why)) {
      return false;
    }
  }
  return sim_set_cloth_shape(world, &self->shape, why);
}

// ---- steps ----

static void note_depth(void* state, bool is_face, double depth) {
  garment* self = state;
  double* deepest = is_face ? &self->deepest_face : &self->deepest;
  *deepest = fmax(*deepest, depth);
}

/* Notes depths of particles and of centroids of faces in the limbs. */
static void look(garment* self, const weft_world* world) {
  limb limbs[LIMBS];
  const uint32_t count = sim_skirt_particle_count(&self->cloth);
  if (weft_world_get_positions(world, 0, count, self->positions[0]).error != WEFT_OK) return;
  pose(self->phase, vigour_of(self->speed), limbs);
  for (int i = 0; i < LIMBS; ++i) {
    if (!sim_skirt_depths(&self->cloth, self->positions, world, self->colliders[i], limbs[i].radius,
                          limbs[i].half_length, note_depth, self)) {
      return;
    }
  }
}

static void advance(garment* self, const sim_moment* moment) {
  const double wanted = moment->time < 1.0 ? 0.0 : moment->time < 3.0 ? self->walk : self->run;
  const double change = acceleration * moment->h;
  self->speed += fmin(fmax(wanted - self->speed, -change), change);
  self->way += self->speed * moment->h;
  // strides of a run are up to three times as long
  const double stride = self->stride * (1.0 + fmin(2.0, self->speed / 5.0));
  self->phase += self->speed * moment->h / stride;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  garment* self = state;
  limb limbs[LIMBS];
  if (sim_watch_cloth(&self->watch, world, moment->step)) look(self, world);
  advance(self, moment);
  const heading h = heading_of(self);
  pose(self->phase, vigour_of(self->speed), limbs);
  for (int i = 0; i < LIMBS; ++i) {
    float place[3], rotation[4];
    to_world(&h, limbs[i].middle, place);
    rotation_of(self, &limbs[i], rotation);
    if (!sim_check(weft_world_move_collider(world, self->colliders[i], place, rotation), why)) {
      return false;
    }
  }
  place_skirt(self, self->cloth.around, self->waist);
  return sim_check(weft_world_move_particles(world, 0, self->cloth.around, self->waist[0],
                                             sizeof self->waist[0]),
                   why);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  garment* self = state;
  look(self, world);
  sim_report_cloth(&self->watch, world, results);
  sim_add_result(results, "inside", self->deepest);
  sim_add_result(results, "faces_inside", self->deepest_face);
  sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_report_lost(world, results);
}

static void free_garment(void* state) {
  garment* self = state;
  free(self->waist);
  free(self->positions);
}

static void keep(void* state, sim_keep* kept) {
  garment* self = state;
  SIM_KEEP(kept, self->speed);
  SIM_KEEP(kept, self->way);
  SIM_KEEP(kept, self->phase);
}

const sim_scene sim_scene_garment = {
    .name = "garment",
    .summary = "a skirt on a figure that walks, runs and turns",
    .params = params,
    .seconds = 6.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = free_garment,
};
