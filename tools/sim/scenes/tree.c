/* A tree that stands, sways in a wind on its leaves or is pulled at its top, and returns. The wind
 * presses on each leaf by half the air's density times its area times the squared relative speed,
 * in gusts, at most by the force that takes a leaf to the air's speed within a step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/substeps.h"
#include "sim/observe.h"
#include "sim/scene.h"

#define PI 3.14159265358979323846
#define AIR 1.2 /* kilograms per cubic metre */
#define GIVE \
  4e-4 /* metres per newton that the trunk's supports give way, times kilograms of the tree */

static const sim_param params[] = {
    {"depth", "number of forks from the trunk to a tip", SIM_COUNT, 5, 0, 9, NULL},
    {"branches", "branches at a fork", SIM_COUNT, 2, 2, 4, NULL},
    {"flat", "it grows in a plane", SIM_FLAG, 0, 0, 1, NULL},
    {"length", "metres, of the trunk", SIM_NUMBER, 2, 0.1, 100, NULL},
    {"mass", "kilograms", SIM_NUMBER, 200, 0.01, 1e6, NULL},
    {"stiffness", "of its wood, relative to the usual one", SIM_NUMBER, 1, 0.01, 1000, NULL},
    {"seed", "of its shape", SIM_COUNT, 1, 0, 4294967295, NULL},
    {"leaf", "square metres of leaves at each tip", SIM_NUMBER, 0.2, 0, 100, NULL},
    {"wind", "metres per second along x", SIM_NUMBER, 12, -100, 100, NULL},
    {"gust", "amplitude of gusts, as a share of the wind", SIM_NUMBER, 0.5, 0, 1, NULL},
    {"period", "seconds from gust to gust", SIM_NUMBER, 3, 0.1, 1000, NULL},
    {"drag", "metres that its leaves are pulled by along x, when the wind begins", SIM_NUMBER, 0,
     -10, 10, NULL},
    {"from", "second at which the wind begins", SIM_NUMBER, 5, 0, 1e6, NULL},
    {"until", "second at which it ends", SIM_NUMBER, 15, 0, 1e6, NULL},
    {"damping", "1/seconds", SIM_NUMBER, 1, 0, 1000, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

typedef struct grove {
  weft_body tree;
  uint32_t first_leaf, leaf_count;
  float* inverse_masses;  // inverse masses of the leaves
  sim_position crown;     // centre of the leaves at the wind's begin
  double leaf, wind, gust, period, drag, from, until;
  double sway;    // metres: largest distance of the crown from there
  double pulled;  // metres so far
  float hand[3];  // metres: begin of the grip
  weft_grip grip;
  bool is_gripped, is_resting;
} grove;

static weft_tree_def describe(const sim_values* values) {
  weft_tree_def def = weft_default_tree_def();
  def.depth = sim_count(values, "depth");
  def.branches = sim_count(values, "branches");
  def.flat = sim_flag(values, "flat");
  def.length = (float)sim_number(values, "length");
  def.mass = (float)sim_number(values, "mass");
  // twice the mass: wood twice as stiff
  def.bend_compliance =
      (float)(GIVE / (sim_number(values, "mass") * sim_number(values, "stiffness")));
  def.seed = sim_count(values, "seed");
  return def;
}

static bool note_leaves(grove* self, const weft_tree_def* def, const weft_scene* scene,
                        tool_message* why) {
  if (!sim_check(weft_tree_get_leaves(def, &self->first_leaf, &self->leaf_count), why))
    return false;
  self->first_leaf += self->tree.first_particle;
  self->inverse_masses = calloc(self->leaf_count, sizeof *self->inverse_masses);
  float* places = calloc(self->leaf_count, sizeof(float[3]));
  bool is_done = self->inverse_masses && places;
  if (!is_done) {
    tool_because(why, "no memory for leaves");
  } else {
    is_done = sim_check(weft_scene_get_particles(scene, self->first_leaf, self->leaf_count, places,
                                                 self->inverse_masses),
                        why);
  }
  free(places);
  return is_done;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  grove* made = calloc(1, sizeof *made);
  if (!made) return tool_because(why, "no memory for a tree");
  *state = made;
  made->leaf = sim_number(values, "leaf");
  made->wind = sim_number(values, "wind");
  made->gust = sim_number(values, "gust");
  made->period = sim_number(values, "period");
  made->drag = sim_number(values, "drag");
  made->from = sim_number(values, "from");
  made->until = sim_number(values, "until");
  def->damping = (float)sim_number(values, "damping");
  def->solver.substeps = tool_substeps(def, 0.004);
  def->solver.integrator = WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER;
  const weft_tree_def tree = describe(values);
  return sim_check(weft_scene_add_tree(scene, &tree, &made->tree), why) &&
         note_leaves(made, &tree, scene, why);
}

// newtons on a leaf of this speed along x
static double press(const grove* self, const sim_moment* moment, double speed,
                    double inverse_mass) {
  // gusts begin and end softly
  const double phase = 2.0 * PI * (moment->time - self->from) / self->period;
  const double air = self->wind * (1.0 - self->gust * cos(phase)) / (1.0 + self->gust);
  const double meets = air - speed;
  const double force = 0.5 * AIR * self->leaf * meets * fabs(meets);
  const double upper = fabs(meets) / (inverse_mass * moment->h);
  return fmin(fmax(force, -upper), upper);
}

static bool blow(weft_world* world, const grove* self, const sim_moment* moment,
                 tool_message* why) {
  for (uint32_t i = 0; i < self->leaf_count; ++i) {
    float velocity[3];
    const uint32_t leaf = self->first_leaf + i;
    if (!sim_get(world, WEFT_ATTRIBUTE_VELOCITY, leaf, 1, velocity, why)) return false;
    const double inverse_mass = (double)self->inverse_masses[i];
    const float force[3] = {(float)press(self, moment, (double)velocity[0], inverse_mass), 0.0f,
                            0.0f};
    if (!sim_check(weft_world_add(world, WEFT_ATTRIBUTE_FORCE, weft_range(leaf, 1), force, 0), why))
      return false;
  }
  return true;
}

// A hand around half of the crown moves it off in half a second, and lets go at rest.
static bool pull(weft_world* world, grove* self, const sim_moment* moment, tool_message* why) {
  const double further = fmin(fabs(self->drag) * moment->h / 0.5, fabs(self->drag) - self->pulled);
  if (self->is_gripped && !(further > 0.0)) {
    // at rest, a step later
    if (!self->is_resting) return self->is_resting = true;
    self->is_gripped = false;
    return sim_check(weft_world_remove_grip(world, self->grip), why);
  }
  if (!(further > 0.0)) return true;
  if (!self->is_gripped) {
    const sim_position at = sim_middle(world, self->first_leaf, self->leaf_count);
    const float place[3] = {(float)at.x, (float)at.y, (float)at.z};
    memcpy(self->hand, place, sizeof place);
    const float radius = (float)(0.5 * self->crown.y);
    if (!sim_check(weft_world_add_grip(world, place, radius, &self->grip), why)) return false;
    self->is_gripped = true;
  }
  self->pulled += further;
  const float to[3] = {(float)((double)self->hand[0] + copysign(self->pulled, self->drag)),
                       self->hand[1], self->hand[2]};
  return sim_check(weft_world_move_grip(world, self->grip, to), why);
}

static double offset_of(const weft_world* world, const grove* self) {
  return sim_distance(self->crown, sim_middle(world, self->first_leaf, self->leaf_count));
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  grove* self = state;
  // sags under its weight first
  if (!sim_is_due(moment, self->from + moment->h)) {
    self->crown = sim_middle(world, self->first_leaf, self->leaf_count);
  }
  self->sway = fmax(self->sway, offset_of(world, self));
  if (!sim_is_due(moment, self->from) || sim_is_due(moment, self->until)) return true;
  if (!pull(world, self, moment, why)) return false;
  return self->wind == 0.0 || self->leaf == 0.0 || blow(world, self, moment, why);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  const grove* self = state;
  const double offset = offset_of(world, self);
  const sim_position crown = sim_middle(world, self->first_leaf, self->leaf_count);
  sim_add_result(results, "height", self->crown.y);
  sim_add_result(results, "sway", fmax(self->sway, offset));
  sim_add_result(results, "offset", offset);
  sim_add_result(results, "lean", crown.x - self->crown.x);
  sim_add_result(results, "fastest",
                 sim_fastest(world, self->tree.first_particle, self->tree.particle_count));
}

static void release(void* state) {
  grove* self = state;
  free(self->inverse_masses);
}

static void keep(void* state, sim_keep* kept) {
  grove* self = state;
  SIM_KEEP(kept, self->pulled);
  SIM_KEEP(kept, self->hand);
  SIM_KEEP(kept, self->grip);
  SIM_KEEP(kept, self->is_gripped);
  SIM_KEEP(kept, self->is_resting);
}

const sim_scene sim_scene_tree = {
    .name = "tree",
    .summary = "a tree that sways in the wind and returns to its rest position",
    .params = params,
    .seconds = 30.0,
    .rate = 60.0,
    .build = build,
    .before_step = before_step,
    .keep = keep,
    .report = report,
    .free = release,
};
