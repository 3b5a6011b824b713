/* Very many small bodies: figures that fall onto a floor, and ropes that swing beside them. No two
 * meet, so that the whole step can be divided among workers: `ms_per_step` in the report. */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "sim/particle.h"
#include "sim/scene.h"
#include "sim/scenes/figure.h"

static const sim_param params[] = {
    {"ragdolls", "number of ragdolls", SIM_COUNT, 10000, 0, 100000, NULL},
    {"ropes", "number of ropes", SIM_COUNT, 1000, 0, 100000, NULL},
    {"links", "links of a rope", SIM_COUNT, 20, 1, 1000, NULL},
    {"drop", "metres that ragdolls fall", SIM_NUMBER, 1, 0, 10, NULL},
    {"friction", "of the floor", SIM_NUMBER, 0.6, 0, 10, NULL},
    {"seed", "of poses", SIM_COUNT, 1, 0, 4294967295.0, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

// metres
#define BETWEEN 2.5
#define ROPE_LENGTH 2.0
// head of a rope, and displacement of its end
#define ROPE_HEIGHT 3.0
#define ROPE_ASIDE 1.0

typedef struct crowd {
  uint32_t ragdolls, ropes, links;
  double drop, friction;
  figure_dice dice;
  weft_link_def bones[WEFT_RAGDOLL_BONE_COUNT];
  weft_ragdoll_def* defs;
  figure_places* places;  // initial places
} crowd;

static crowd* make(const sim_values* values) {
  crowd* made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->ragdolls = sim_count(values, "ragdolls");
  made->ropes = sim_count(values, "ropes");
  made->links = sim_count(values, "links");
  made->drop = sim_number(values, "drop");
  made->friction = sim_number(values, "friction");
  made->dice.state = sim_count(values, "seed");
  // one more, as none may be NULL
  made->defs = calloc((size_t)made->ragdolls + 1, sizeof *made->defs);
  made->places = calloc((size_t)made->ragdolls + 1, sizeof *made->places);
  return made;
}

// place of body i in a square of so many
static void find_place(uint32_t i, uint32_t count, float* x, float* z) {
  const uint32_t side = (uint32_t)ceil(sqrt((double)count));
  *x = (float)(BETWEEN * ((double)(i % side) - 0.5 * (double)(side - 1)));
  *z = (float)(BETWEEN * (double)(i / side));
}

static bool add_ragdoll(crowd* self, uint32_t i, weft_scene* scene, tool_message* why) {
  weft_body body;
  weft_ragdoll_def* def = &self->defs[i];
  float x, z;
  *def = weft_default_ragdoll_def();
  figure_face(def, &self->dice);
  find_place(i, self->ragdolls, &x, &z);
  // centre at the height of a standing figure's
  def->origin[0] = x - 0.5f * def->height * def->up[0];
  def->origin[1] = (float)self->drop + 0.5f * def->height * (2.0f - def->up[1]);
  def->origin[2] = z;
  if (!sim_check(weft_scene_add_ragdoll(scene, def, &body), why) ||
      !sim_check(weft_scene_get_particles(scene, body.first_particle, body.particle_count,
                                          &self->places[i][0][0], NULL),
                 why)) {
    return false;
  }
  figure_pose(self->places[i], def, &self->dice);
  return true;
}

static bool add_rope(const crowd* self, uint32_t i, weft_scene* scene, tool_message* why) {
  weft_rope_def def = weft_default_rope_def();
  def.collision = WEFT_COLLISION_NONE;
  def.in_air = false;
  float x, z;
  find_place(i, self->ropes, &x, &z);
  const double down = sqrt(ROPE_LENGTH * ROPE_LENGTH - ROPE_ASIDE * ROPE_ASIDE);
  def.origin[0] = x;
  def.origin[1] = (float)ROPE_HEIGHT;
  def.origin[2] = (float)-BETWEEN - z;
  def.end[0] = x + (float)ROPE_ASIDE;
  def.end[1] = (float)(ROPE_HEIGHT - down);
  def.end[2] = def.origin[2];
  def.segments = self->links;
  def.pin_origin = true;
  return sim_check(weft_scene_add_rope(scene, &def, NULL), why);
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  crowd* self = make(values);
  *state = self;
  if (!self || !self->defs || !self->places) return tool_because(why, "no memory for a crowd");
  if (self->ragdolls + self->ropes == 0) {
    return tool_because(why, "a crowd needs ragdolls or ropes: both are 0");
  }
  def->solver.substeps = 4;
  def->solver.iterations = 8;
  def->damping = 0.5f;
  for (uint32_t i = 0; i < self->ragdolls; ++i) {
    if (!add_ragdoll(self, i, scene, why)) return false;
  }
  for (uint32_t i = 0; i < self->ropes; ++i) {
    if (!add_rope(self, i, scene, why)) return false;
  }
  return self->ragdolls == 0 ||
         sim_check(weft_scene_get_links(scene, 0, WEFT_RAGDOLL_BONE_COUNT, self->bones), why);
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  (void)def;
  const crowd* self = state;
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = 0.0f;
  bounds.surface.static_friction = bounds.surface.dynamic_friction = (float)self->friction;
  if (!sim_check(weft_world_set_bounds(world, &bounds), why)) return false;
  for (uint32_t i = 0; i < self->ragdolls; ++i) {
    const float radius = weft_ragdoll_get_head_radius(&self->defs[i]);
    const uint32_t first = i * WEFT_RAGDOLL_PARTICLE_COUNT;
    if (!sim_check(sim_set_radius(world, first + WEFT_RAGDOLL_HEAD, radius), why)) {
      return false;
    }
    if (!sim_set(world, WEFT_ATTRIBUTE_POSITION, first, WEFT_RAGDOLL_PARTICLE_COUNT,
                 self->places[i][0], 0, why)) {
      return false;
    }
  }
  return true;
}

static void report_ragdolls(const weft_world* world, const crowd* self, sim_results* results) {
  figure_bends bends = {0};
  double strain = 0.0, head_gap = INFINITY;
  for (uint32_t i = 0; i < self->ragdolls; ++i) {
    figure_places places;
    tool_get(world, WEFT_ATTRIBUTE_POSITION, i * WEFT_RAGDOLL_PARTICLE_COUNT,
             WEFT_RAGDOLL_PARTICLE_COUNT, &places[0][0]);
    strain = fmax(strain, figure_strain(places, self->bones));
    figure_count_bends(places, &self->defs[i], &bends);
    head_gap = fmin(head_gap, (double)places[WEFT_RAGDOLL_HEAD][1] -
                                  (double)weft_ragdoll_get_head_radius(&self->defs[i]));
  }
  sim_add_result(results, "ragdoll_strain", strain);
  sim_add_result(results, "wrong_bends", (double)bends.wrong);
  sim_add_result(results, "head_gap", head_gap);
}

// the longest path along a rope over its rest length, less 1
static double rope_strain(const weft_world* world, const crowd* self, uint32_t rope) {
  const uint32_t first = self->ragdolls * WEFT_RAGDOLL_PARTICLE_COUNT + rope * (self->links + 1);
  const double rest = ROPE_LENGTH / (double)self->links;
  double upper = 0.0;
  float here[3], next[3];
  tool_get(world, WEFT_ATTRIBUTE_POSITION, first, 1, here);
  for (uint32_t i = 1; i <= self->links; ++i) {
    tool_get(world, WEFT_ATTRIBUTE_POSITION, first + i, 1, next);
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double way = (double)next[axis] - (double)here[axis];
      squared += way * way;
      here[axis] = next[axis];
    }
    upper = fmax(upper, fabs(sqrt(squared) / rest - 1.0));
  }
  return upper;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  const crowd* self = state;
  if (self->ragdolls > 0) report_ragdolls(world, self, results);
  if (self->ropes == 0) return;
  double strain = 0.0;
  for (uint32_t i = 0; i < self->ropes; ++i) strain = fmax(strain, rope_strain(world, self, i));
  sim_add_result(results, "rope_strain", strain);
}

static void free_crowd(void* state) {
  crowd* self = state;
  free(self->defs);
  free(self->places);
}

const sim_scene sim_scene_crowd = {
    .name = "crowd",
    .summary = "thousands of ragdolls that fall onto a floor, and of ropes that swing",
    .params = params,
    .seconds = 3.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .report = report,
    .free = free_crowd,
};
