#include "support/stack.h"

#include <stdlib.h>

#include "schedule/freeze.h"
#include "support/suite.h"

static void coarsen_again_and_again(stack* s) {
  weft__distances distances;
  const uint32_t count = weft_scene_particle_count(s->scene);
  uint32_t* all = test_alloc(sizeof(uint32_t) * (count + 1));
  for (uint32_t i = 0; i < count; ++i) all[i] = i;
  ck_assert(weft__distances_create(&distances, s->scene));
  const weft_scene* scene = s->scene;
  const uint32_t* finer = all;
  for (uint32_t l = 0; l <= WEFT__MAX_LEVELS; ++l) {
    s->depth = l;
    ck_assert(weft__coarsen(&s->made[l], scene, finer, &distances));
    scene = s->made[l].scene;
    const uint32_t here = weft_scene_particle_count(scene);
    s->cloth_of[l] = test_alloc(sizeof(uint32_t) * (here + 1));
    for (uint32_t i = 0; i < here; ++i) s->cloth_of[l][i] = finer[s->made[l].fine_of[i]];
    finer = s->cloth_of[l];
    if (weft_scene_link_count(scene) == 0) break;
  }
  weft__distances_destroy(&distances);
}

static void destroy(void* object) {
  stack* s = object;
  for (uint32_t l = 0; l <= s->depth; ++l) weft__coarsening_destroy(&s->made[l]);
  weft__levels_destroy(&s->levels);
  weft__particles_destroy(&s->particles);
  weft__schedule_destroy(&s->cloth);
}

stack* new_stack(weft_scene* scene) {
  stack* s = test_alloc(sizeof(*s));
  s->scene = scene;
  ck_assert(weft__freeze(&s->cloth, scene, NULL));
  ck_assert(weft__particles_create(&s->particles, weft_scene_particle_count(scene)));
  for (uint32_t i = 0; i < s->cloth.particle_count; ++i) {
    const uint32_t user = s->cloth.user_of[i];
    s->particles.pos_x[i] = scene->positions[(size_t)3 * user];
    s->particles.pos_y[i] = scene->positions[(size_t)3 * user + 1];
    s->particles.pos_z[i] = scene->positions[(size_t)3 * user + 2];
    s->particles.inv_mass[i] = scene->inverse_masses[user];
  }
  ck_assert(weft__levels_create(&s->levels, scene, &s->cloth));
  coarsen_again_and_again(s);
  destroy_at_end(destroy, s);
  return s;
}

const weft__schedule* finer_schedule(const stack* s, uint32_t level) {
  return level == 0 ? &s->cloth : &s->levels.levels[level - 1].schedule;
}

weft__particles* finer_particles(stack* s, uint32_t level) {
  return level == 0 ? &s->particles : &s->levels.levels[level - 1].particles;
}
