/* Fast particles at a thin sheet that hangs, or at a thin collider: none may pass. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/observe.h"
#include "sim/particle.h"
#include "sim/passes.h"
#include "sim/scene.h"
#include "sim/scenes/hung_sheet.h"
#include "sim/wave.h"

static const char* const targets[] = {"sheet", "plane", "mesh", NULL};

enum { TARGET_SHEET, TARGET_PLANE, TARGET_MESH };

static const sim_param params[] = {
    {"bullets", "number of bullets", SIM_COUNT, 1000, 1, 100000, NULL},
    {"speed", "metres per second", SIM_NUMBER, 100, 0.1, 1e5, NULL},
    {"mass", "grams of a bullet", SIM_NUMBER, 0.01, 1e-6, 1e6, NULL},
    {"burst", "seconds from the first hit to the last", SIM_NUMBER, 0.5, 0, 100, NULL},
    {"slant", "largest share of the speed that is lateral", SIM_NUMBER, 0.2, 0, 10, NULL},
    {"target", "target", SIM_CHOICE, TARGET_SHEET, 0, 0, targets},
    {"size", "particles, or points of the mesh, along each side", SIM_COUNT, 33, 2, 512, NULL},
    {"width", "metres along each side", SIM_NUMBER, 1, 0.01, 1000, NULL},
    {"seed", "seed of the points of impact", SIM_COUNT, 1, 0, 4294967295.0, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

/* The target: the sheet's particles and faces, or triangles in place of the collider. */
typedef struct surface {
  uint32_t place_count, triangle_count;
  float *old_places, *places; /* [place_count][3] */
  uint32_t* triangles;        /* [triangle_count][3] */
} surface;

typedef struct bullet_scene {
  uint32_t target, size, bullets;
  double width, speed, burst, slant, mass;
  double gravity; /* metres per second squared */
  uint64_t random;
  uint32_t first; /* the first bullet's particle */
  surface surface;
  float *old_shots, *shots; /* previous and present positions of bullets [bullets][3] */
  int* sides;               /* passes along the normal minus passes against it [bullets] */
  uint64_t noted;           /* states */
  double fastest;           /* metres per second, the sheet's maximum */
  double strain;            /* maximum */
} bullet_scene;

/* From 0 to 1: SplitMix64 (Steele, Lea, Flood 2014). */
static double random_share(bullet_scene* self) {
  uint64_t z = self->random += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static bool make_surface(surface* made, uint32_t size) {
  made->place_count = size * size;
  made->triangle_count = 2 * (size - 1) * (size - 1);
  made->old_places = calloc(made->place_count, sizeof(float[3]));
  made->places = calloc(made->place_count, sizeof(float[3]));
  made->triangles = calloc(made->triangle_count, sizeof(uint32_t[3]));
  if (!made->old_places || !made->places || !made->triangles) return false;
  for (uint32_t cell = 0; cell < (size - 1) * (size - 1); ++cell) {
    const uint32_t h = cell / (size - 1) * size + cell % (size - 1);
    const uint32_t corners[6] = {h, h + size, h + 1, h + 1, h + size, h + size + 1};
    memcpy(made->triangles + (size_t)6 * cell, corners, sizeof corners);
  }
  return true;
}

/* A grid in the x-y plane around 0, bulging by `wave` along z. */
static void place_surface(surface* made, uint32_t size, double width, double wave) {
  for (uint32_t i = 0; i < made->place_count; ++i) {
    const double across = (double)(i % size) / (double)(size - 1) - 0.5;
    const double down = (double)(i / size) / (double)(size - 1) - 0.5;
    float* place = made->places + (size_t)3 * i;
    place[0] = (float)(width * across);
    place[1] = (float)(-width * down);
    place[2] = (float)(wave * sim_wave(2.0 * across) * sim_wave(2.0 * down));
  }
  memcpy(made->old_places, made->places, sizeof(float[3]) * made->place_count);
}

static bool make_target(bullet_scene* self) {
  // a plane has no edge: two large triangles stand for it
  const bool is_plane = self->target == TARGET_PLANE;
  const uint32_t size = is_plane ? 2 : self->size;
  if (!make_surface(&self->surface, size)) return false;
  place_surface(&self->surface, size, is_plane ? 1e6 : self->width,
                self->target == TARGET_MESH ? 0.05 * self->width : 0.0);
  return true;
}

static bullet_scene* new_scene(const sim_values* values) {
  bullet_scene* self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->target = sim_choice(values, "target");
  self->size = sim_count(values, "size");
  self->bullets = sim_count(values, "bullets");
  self->width = sim_number(values, "width");
  self->speed = sim_number(values, "speed");
  self->burst = sim_number(values, "burst");
  self->slant = sim_number(values, "slant");
  self->mass = 1e-3 * sim_number(values, "mass");
  self->random = sim_count(values, "seed");
  self->old_shots = calloc(self->bullets, sizeof(float[3]));
  self->shots = calloc(self->bullets, sizeof(float[3]));
  self->sides = calloc(self->bullets, sizeof *self->sides);
  return self;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  bullet_scene* self = new_scene(values);
  *state = self;
  if (!self || !self->shots || !self->old_shots || !self->sides || !make_target(self)) {
    return tool_because(why, "no memory for bullets");
  }
  self->gravity = -(double)def->gravity[1];
  def->damping = 0.0f;
  // passes are counted along straight paths, from step to step
  def->solver.substeps = 1;
  if (self->target == TARGET_SHEET && !sim_hang_sheet(scene, self->size, self->width, why))
    return false;
  self->first = weft_scene_particle_count(scene);
  const float inverse_mass = (float)(1.0 / self->mass);
  for (uint32_t i = 0; i < self->bullets; ++i) {
    if (!sim_check(weft_scene_add_particles(scene, self->shots, &inverse_mass, 1, NULL), why)) {
      return false;
    }
  }
  return true;
}

/* Aimed at a point near the target's centre, from both sides, from as far away as the bullet flies
 * until its turn. */
static void aim(bullet_scene* self, uint32_t bullet, float place[3], float velocity[3]) {
  const double seconds =
      0.1 * self->width / self->speed + self->burst * (double)bullet / (double)self->bullets;
  const double side = bullet % 2 == 0 ? 1.0 : -1.0;
  for (int axis = 0; axis < 2; ++axis) {
    velocity[axis] = (float)(self->slant * self->speed * (random_share(self) - 0.5));
    const double at = 0.8 * self->width * (random_share(self) - 0.5);
    place[axis] = (float)(at - seconds * (double)velocity[axis]);
  }
  // fall on the way
  place[1] += (float)(0.5 * self->gravity * seconds * seconds);
  velocity[2] = (float)(side * self->speed);
  place[2] = (float)(-side * seconds * self->speed);
}

static bool launch(bullet_scene* self, weft_world* world, tool_message* why) {
  for (uint32_t i = 0; i < self->bullets; ++i) {
    float* place = self->shots + (size_t)3 * i;
    float velocity[3];
    aim(self, i, place, velocity);
    if (!sim_check(sim_set_particle(world, self->first + i, place, velocity), why)) {
      return false;
    }
  }
  return true;
}

static bool add_collider(const bullet_scene* self, weft_world* world, tool_message* why) {
  weft_collider_def wall = weft_default_collider_def();
  weft_collider collider;
  if (self->target == TARGET_SHEET) return true;
  if (self->target == TARGET_PLANE) {
    // y becomes z
    wall.shape = WEFT_COLLIDER_SHAPE_PLANE;
    wall.rotation[0] = wall.rotation[3] = 0.70710678f;
  } else {
    wall.shape = WEFT_COLLIDER_SHAPE_MESH;
    wall.points = self->surface.places;
    wall.point_count = self->surface.place_count;
    wall.triangles = self->surface.triangles;
    wall.triangle_count = self->surface.triangle_count;
  }
  return sim_check(weft_world_add_collider(world, &wall, &collider), why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  bullet_scene* self = state;
  weft_particle_shape_def sheet = weft_default_particle_shape_def(),
                          shot = weft_default_particle_shape_def();
  (void)def;
  sheet.collision = WEFT_COLLISION_EXACT;
  return launch(self, world, why) && add_collider(self, world, why) &&
         (self->first == 0 ||
          sim_check(weft_world_set_particle_shape(world, weft_range(0, self->first), &sheet),
                    why)) &&
         sim_check(
             weft_world_set_particle_shape(world, weft_range(self->first, self->bullets), &shot),
             why);
}

static void free_scene(void* state) {
  bullet_scene* self = state;
  free(self->surface.old_places);
  free(self->surface.places);
  free(self->surface.triangles);
  free(self->old_shots);
  free(self->shots);
  free(self->sides);
}

static void swap(float** a, float** b) {
  float* other = *a;
  *a = *b;
  *b = other;
}

static void take_places(bullet_scene* self, const weft_world* world) {
  surface* s = &self->surface;
  swap(&self->old_shots, &self->shots);
  tool_get(world, WEFT_ATTRIBUTE_POSITION, self->first, self->bullets, self->shots);
  if (self->target != TARGET_SHEET) return;
  swap(&s->old_places, &s->places);
  tool_get(world, WEFT_ATTRIBUTE_POSITION, 0, s->place_count, s->places);
}

static void note(bullet_scene* self, const weft_world* world, uint64_t step) {
  const surface* s = &self->surface;
  weft_measures measures = {.max_strain = NAN};
  if (step < self->noted) return;
  self->noted = step + 1;
  take_places(self, world);
  tool_must(weft_world_measure(world, &measures));
  if (!(measures.max_strain <= self->strain)) self->strain = measures.max_strain;
  const double fastest = sim_fastest(world, 0, self->first);
  if (!(fastest <= self->fastest)) self->fastest = fastest;
  if (step == 0) return;
  for (uint32_t i = 0; i < self->bullets; ++i) {
    const sim_passage passage = {self->old_shots + (size_t)3 * i,
                                 self->shots + (size_t)3 * i,
                                 s->old_places,
                                 s->places,
                                 s->triangles,
                                 s->triangle_count};
    self->sides[i] += sim_count_passes(&passage);
  }
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  (void)why;
  note(state, world, moment->step);
  return true;
}

/* True if half of the initial velocity is lost. */
static bool was_stopped(const bullet_scene* self, const weft_world* world, uint32_t bullet) {
  float velocity[3] = {NAN, NAN, NAN};
  tool_get(world, WEFT_ATTRIBUTE_VELOCITY, self->first + bullet, 1, velocity);
  const double side = bullet % 2 == 0 ? 1.0 : -1.0;
  return side * (double)velocity[2] < 0.5 * self->speed;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  bullet_scene* self = state;
  weft_world_stats stats = {.step_count = 0};
  uint32_t passed = 0, stopped = 0;
  tool_must(weft_world_get_stats(world, &stats));
  note(self, world, stats.step_count);
  for (uint32_t i = 0; i < self->bullets; ++i) {
    passed += self->sides[i] != 0;
    stopped += was_stopped(self, world, i);
  }
  sim_add_result(results, "passed", passed);
  sim_add_result(results, "stopped", stopped);
  sim_add_result(results, "fastest", self->fastest);
  sim_add_result(results, "strain", self->strain);
}

const sim_scene sim_scene_bullet = {
    .name = "bullet",
    .summary = "fast particles that hit a thin sheet, or a thin collider",
    .params = params,
    .seconds = 1.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
    .free = free_scene,
};
