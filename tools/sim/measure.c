/* Out of positions, velocities and the scene's masses and links, a block at a time, in the scene's order and in
 * double precision: the same bits whatever the workers. Particles that were pinned or freed since count as
 * the scene has them. */
#include "sim/measure.h"

#include <math.h>
#include <stdlib.h>

#include "sim/scene.h"

enum { BLOCK = 1024 };

static void grow_box(const float* position, weft_measures* measures) {
  for (int axis = 0; axis < 3; ++axis) {
    measures->least[axis] = fminf(measures->least[axis], position[axis]);
    measures->most[axis] = fmaxf(measures->most[axis], position[axis]);
  }
}

static void add_particle(const float* position, const float* velocity, float inverse_mass,
                         const float* gravity, weft_measures* measures) {
  grow_box(position, measures);
  if (inverse_mass == 0.0f) return;
  const double mass = 1.0 / (double)inverse_mass;
  measures->mass += mass;
  for (int axis = 0; axis < 3; ++axis) {
    const double place = (double)position[axis], speed = (double)velocity[axis];
    measures->center[axis] += mass * place;
    measures->momentum[axis] += mass * speed;
    measures->kinetic += 0.5 * mass * speed * speed;
    measures->gravitational -= mass * (double)gravity[axis] * place;
  }
}

static bool add_particles(const weft_world* world, const weft_scene* scene, const float* gravity,
                          weft_measures* measures, tool_message* why) {
  float positions[3 * BLOCK], velocities[3 * BLOCK], inverse_masses[BLOCK];
  const uint32_t total = weft_scene_particle_count(scene);
  for (uint32_t first = 0; first < total; first += BLOCK) {
    const uint32_t count = total - first < BLOCK ? total - first : BLOCK;
    if (!sim_check(weft_world_get_positions(world, first, count, positions), why) ||
        !sim_check(weft_world_get_velocities(world, first, count, velocities), why) ||
        !sim_check(weft_scene_get_particles(scene, first, count, NULL, inverse_masses), why)) {
      return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
      add_particle(positions + 3 * i, velocities + 3 * i, inverse_masses[i], gravity, measures);
    }
  }
  for (int axis = 0; axis < 3 && measures->mass > 0.0; ++axis) {
    measures->center[axis] /= measures->mass;
  }
  return true;
}

static double length_of(const float* positions, const weft_link* link) {
  const float* a = positions + (size_t)3 * link->a;
  const float* b = positions + (size_t)3 * link->b;
  const double x = (double)b[0] - (double)a[0];
  const double y = (double)b[1] - (double)a[1];
  const double z = (double)b[2] - (double)a[2];
  return sqrt(x * x + y * y + z * z);
}

/* How much longer or shorter it is than it would be, as far as it resists that. */
static double resisted(const weft_link* link, double length) {
  const double over = length - (double)link->rest_length;
  const double beyond = length - (double)link->max_length;
  switch (link->mode) {
    case WEFT_LINK_STRETCH:
      return over < 0.0 ? 0.0 : over;
    case WEFT_LINK_COMPRESS:
      return over > 0.0 ? 0.0 : over;
    case WEFT_LINK_RANGE:
      return over < 0.0 ? over : beyond > 0.0 ? beyond : 0.0;
    default:
      return over;
  }
}

static void add_link(const weft_link* link, double length, uint64_t* count,
                     weft_measures* measures) {
  const double change = resisted(link, length);
  if (link->compliance > 0.0f)
    measures->elastic += 0.5 * change * change / (double)link->compliance;
  if (link->kind != WEFT_LINK_STRUCTURAL) return;
  const double strain = fabs(change) / (double)link->rest_length;
  measures->mean_strain += strain;
  // not fmax(), which would pass over NaN
  if (!(strain <= measures->max_strain)) measures->max_strain = strain;
  ++*count;
}

static bool add_links(const weft_world* world, const weft_scene* scene, const float* positions,
                      weft_measures* measures, tool_message* why) {
  weft_link links[BLOCK];
  bool torn[BLOCK];
  uint64_t structural = 0;
  const uint32_t total = weft_scene_link_count(scene);
  for (uint32_t first = 0; first < total; first += BLOCK) {
    const uint32_t count = total - first < BLOCK ? total - first : BLOCK;
    if (!sim_check(weft_scene_get_links(scene, first, count, links), why) ||
        !sim_check(weft_world_get_torn(world, first, count, torn), why)) {
      return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (!torn[i]) add_link(&links[i], length_of(positions, &links[i]), &structural, measures);
    }
  }
  if (structural > 0) measures->mean_strain /= (double)structural;
  return true;
}

bool sim_measure(const weft_world* world, const weft_scene* scene, const weft_world_def* def,
                 weft_measures* measures, tool_message* why) {
  const uint32_t count = weft_scene_particle_count(scene);
  *measures = (weft_measures){.least = {INFINITY, INFINITY, INFINITY},
                              .most = {-INFINITY, -INFINITY, -INFINITY}};
  if (!add_particles(world, scene, def->gravity, measures, why)) return false;
  float* positions = malloc(sizeof(float[3]) * count);
  if (!positions) return tool_because(why, "no memory to measure the links");
  const bool ok = sim_check(weft_world_get_positions(world, 0, count, positions), why) &&
                  add_links(world, scene, positions, measures, why);
  free(positions);
  return ok;
}
