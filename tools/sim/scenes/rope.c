/* A rope of plain links that is held at its upper end and let go sideways, with a load at its lower end. It is
 * a tree, which the library solves directly: it bears any load. */
#include <math.h>
#include <stdlib.h>

#include "sim/scene.h"

static const sim_param params[] = {
    {"links", "links of the rope", SIM_COUNT, 100, 1, 1000000, NULL},
    {"length", "metres", SIM_NUMBER, 2, 0.001, 100000, NULL},
    {"mass", "kilograms of the rope", SIM_NUMBER, 0.1, 1e-6, 1e6, NULL},
    {"load", "kilograms at its lower end", SIM_NUMBER, 1, 0, 1e6, NULL},
    {"compliance", "metres per newton of each link", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"release", "second at which the upper end is let go; 0 = never", SIM_NUMBER, 0, 0, 1e6, NULL},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

typedef struct rope {
  uint32_t link_count;
  float mass; /* kilograms of each particle but the last */
  double release;
  bool released;
  double lowest; /* metres: the load's least height before any step */
} rope;

static bool add_node(weft_scene* scene, float x, float mass, tool_message* why) {
  const float position[3] = {x, 0.0f, 0.0f}, inverse_mass = mass > 0.0f ? 1.0f / mass : 0.0f;
  return sim_check(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL), why);
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  (void)def;
  rope* made = calloc(1, sizeof *made);
  if (!made) return tool_because(why, "no memory for a rope");
  *state = made;
  made->link_count = sim_count(values, "links");
  made->mass = (float)(sim_number(values, "mass") / (double)made->link_count);
  made->release = sim_number(values, "release");
  const float rest = (float)(sim_number(values, "length") / (double)made->link_count);
  const float load = (float)sim_number(values, "load");
  if (!add_node(scene, 0.0f, 0.0f, why)) return false;
  for (uint32_t i = 1; i <= made->link_count; ++i) {
    const weft_link link = {.a = i - 1,
                            .b = i,
                            .rest_length = rest,
                            .stiffness = 1.0f,
                            .compliance = (float)sim_number(values, "compliance")};
    const float mass = made->mass + (i == made->link_count ? load : 0.0f);
    if (!add_node(scene, rest * (float)i, mass, why) ||
        !sim_check(weft_scene_add_links(scene, &link, 1, NULL), why)) {
      return false;
    }
  }
  return true;
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  rope* self = state;
  float end[3];
  if (!sim_check(weft_world_get_positions(world, self->link_count, 1, end), why)) return false;
  self->lowest = fmin(self->lowest, (double)end[1]);
  if (self->release == 0.0 || self->released || moment->time < self->release) return true;
  self->released = true;
  return sim_check(weft_world_set_inverse_mass(world, 0, 1.0f / self->mass), why);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  const rope* self = state;
  float from[3], to[3];
  (void)weft_world_get_positions(world, 0, 1, from);
  (void)weft_world_get_positions(world, self->link_count, 1, to);
  const double x = (double)(to[0] - from[0]), y = (double)(to[1] - from[1]);
  const double z = (double)(to[2] - from[2]);
  sim_add_result(results, "span", sqrt(x * x + y * y + z * z));
  sim_add_result(results, "lowest", fmin(self->lowest, (double)to[1]));
}

const sim_scene sim_scene_rope = {
    .name = "rope",
    .summary = "a rope with a load, held at one end and let go sideways",
    .params = params,
    .seconds = 5.0,
    .rate = 60.0,
    .build = build,
    .before_step = before_step,
    .report = report,
};
