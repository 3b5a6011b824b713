#include "coarse/levels.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coarse/coarsen.h"
#include "color/freeze.h"

// ---- what a level hands down ----

static bool follows_on(const weft__blend* blend, const weft__parents* parents) {
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] != blend->weight[j]) return false;
    if (parents->of[j] != blend->of[j] + blend->count) return false;
  }
  return true;
}

// the parents of the finer level's particles, patch by patch, as runs; returns how many runs, and
// stores them where `blends` is not NULL
static size_t list_blends(const weft__parents* parents, const weft__schedule* finer,
                          uint32_t* patch_first_blend, weft__blend* blends) {
  weft__blend blend = {0};
  size_t count = 0;
  for (uint32_t patch = 0; patch < finer->patch_count; ++patch) {
    patch_first_blend[patch] = (uint32_t)count;
    blend.count = 0;
    for (uint32_t i = finer->patch_first[patch]; i < finer->patch_first[patch + 1]; ++i) {
      const weft__parents* here = &parents[finer->user_of[i]];
      if (here->weight[0] == 0.0f) {
        blend.count = 0;
        continue;
      }
      if (blend.count == 0 || !follows_on(&blend, here)) {
        blend = (weft__blend){.first = i};
        memcpy(blend.of, here->of, sizeof(blend.of));
        memcpy(blend.weight, here->weight, sizeof(blend.weight));
        ++count;
      }
      ++blend.count;
      if (blends != NULL) blends[count - 1] = blend;
    }
  }
  patch_first_blend[finer->patch_count] = (uint32_t)count;
  return count;
}

static bool make_corrections(weft__level* level, const weft__parents* parents,
                             const weft__schedule* finer) {
  weft__corrections* c = &level->corrections;
  const size_t count = level->schedule.particle_count;
  // a run of a lane group may read past its parents' last one
  const size_t padded = count + WEFT__PARTICLE_PADDING;
  c->x = weft__alloc_zeroed(padded, sizeof(*c->x));
  c->y = weft__alloc_zeroed(padded, sizeof(*c->y));
  c->z = weft__alloc_zeroed(padded, sizeof(*c->z));
  c->patch_first_blend = weft__alloc((size_t)finer->patch_count + 1, sizeof(uint32_t));
  if (c->x == NULL || c->y == NULL || c->z == NULL || c->patch_first_blend == NULL) return false;
  const size_t blends = list_blends(parents, finer, c->patch_first_blend, NULL);
  c->blends = weft__alloc(blends, sizeof(*c->blends));
  if (c->blends == NULL) return false;
  (void)list_blends(parents, finer, c->patch_first_blend, c->blends);
  level->bytes += 3 * padded * sizeof(float) + blends * sizeof(*c->blends) +
                  ((size_t)finer->patch_count + 1) * sizeof(uint32_t);
  return true;
}

// ---- making levels ----

static bool fill_level(weft__level* level, const weft__coarsening* coarsening,
                       const weft__schedule* finer, const uint32_t* cloth_of_finer,
                       uint32_t* cloth_of) {
  const uint32_t count = coarsening->scene->particle_count;
  if (!weft__freeze(&level->schedule, coarsening->scene) ||
      !weft__particles_create(&level->particles, count) ||
      !make_corrections(level, coarsening->parents, finer)) {
    return false;
  }
  level->schedule.one_sided = true;
  level->source = weft__alloc(count, sizeof(*level->source));
  if (level->source == NULL) return false;
  level->bytes += count * sizeof(*level->source);
  for (uint32_t user = 0; user < count; ++user) {
    cloth_of[user] = cloth_of_finer[coarsening->fine_of[user]];
    level->source[level->schedule.solver_of[user]] = cloth_of[user];
  }
  return true;
}

// Adds the level under the last one. `scene` is that one's, and `cloth_of` lists the particles of the
// cloth that its particles are, in the order of the scene; both are exchanged for the new one's. Sets
// *done where there is nothing left to coarsen.
static bool add_level(weft__levels* levels, const weft__schedule* cloth, const weft_scene* scene,
                      uint32_t* cloth_of, weft__coarsening* coarsening, bool* done) {
  if (!weft__coarsen(coarsening, scene)) return false;
  *done = coarsening->scene->particle_count == 0;
  if (*done) return true;
  const weft__schedule* finer =
      levels->count == 0 ? cloth : &levels->levels[levels->count - 1].schedule;
  weft__level* level = &levels->levels[levels->count++];
  uint32_t* next_of = weft__alloc(coarsening->scene->particle_count, sizeof(*next_of));
  const bool filled = next_of != NULL && fill_level(level, coarsening, finer, cloth_of, next_of);
  if (filled) {
    memcpy(cloth_of, next_of, coarsening->scene->particle_count * sizeof(*next_of));
  }
  free(next_of);
  return filled;
}

static bool add_levels(weft__levels* levels, const weft_scene* scene, const weft__schedule* cloth,
                       uint32_t* cloth_of) {
  weft__coarsening last = {0};
  bool done = false;
  bool good = true;
  while (good && !done && levels->count < WEFT__MAX_LEVELS) {
    weft__coarsening next = {0};
    good =
        add_level(levels, cloth, last.scene == NULL ? scene : last.scene, cloth_of, &next, &done);
    weft__coarsening_destroy(&last);
    last = next;
  }
  weft__coarsening_destroy(&last);
  return good;
}

bool weft__levels_create(weft__levels* levels, const weft_scene* scene,
                         const weft__schedule* cloth) {
  *levels = (weft__levels){.levels = weft__alloc_zeroed(WEFT__MAX_LEVELS, sizeof(weft__level))};
  uint32_t* cloth_of = weft__alloc(scene->particle_count, sizeof(*cloth_of));
  bool good = levels->levels != NULL && cloth_of != NULL;
  if (good) {
    memcpy(cloth_of, cloth->solver_of, scene->particle_count * sizeof(*cloth_of));
    good = add_levels(levels, scene, cloth, cloth_of);
  }
  free(cloth_of);
  return good;
}

bool weft__levels_share_out(weft__levels* levels, uint32_t worker_count) {
  for (uint32_t l = 0; l < levels->count; ++l) {
    weft__level* level = &levels->levels[l];
    if (!weft__flow_create(&level->flow, &level->schedule, worker_count)) return false;
  }
  return true;
}

void weft__levels_destroy(weft__levels* levels) {
  for (uint32_t l = 0; l < levels->count; ++l) {
    weft__level* level = &levels->levels[l];
    weft__particles_destroy(&level->particles);
    weft__schedule_destroy(&level->schedule);
    weft__flow_destroy(&level->flow);
    free(level->source);
    free(level->corrections.x);
    free(level->corrections.y);
    free(level->corrections.z);
    free(level->corrections.blends);
    free(level->corrections.patch_first_blend);
  }
  free(levels->levels);
  *levels = (weft__levels){0};
}

size_t weft__levels_bytes(const weft__levels* levels) {
  size_t bytes = levels->levels == NULL ? 0 : WEFT__MAX_LEVELS * sizeof(weft__level);
  for (uint32_t l = 0; l < levels->count; ++l) {
    const weft__level* level = &levels->levels[l];
    bytes += level->bytes + level->particles.bytes + level->schedule.bytes + level->flow.bytes;
  }
  return bytes;
}

// ---- in a step ----

void weft__level_start(const weft__level* level, const weft__particles* cloth, uint32_t begin,
                       uint32_t end) {
  const weft__particles p = level->particles;
  const uint32_t first = level->schedule.patch_first[begin];
  const uint32_t last = level->schedule.patch_first[end];
  for (uint32_t i = first; i < last; ++i) {
    const uint32_t from = level->source[i];
    p.pos_x[i] = p.prev_x[i] = cloth->pos_x[from];
    p.pos_y[i] = p.prev_y[i] = cloth->pos_y[from];
    p.pos_z[i] = p.prev_z[i] = cloth->pos_z[from];
    p.inv_mass[i] = cloth->inv_mass[from];
  }
}

void weft__level_note_corrections(const weft__level* level, uint32_t patch) {
  const weft__particles p = level->particles;
  const weft__corrections c = level->corrections;
  const uint32_t* user_of = level->schedule.user_of;
  const uint32_t end = level->schedule.patch_first[patch + 1];
  for (uint32_t i = level->schedule.patch_first[patch]; i < end; ++i) {
    const uint32_t user = user_of[i];
    c.x[user] = p.pos_x[i] - p.prev_x[i];
    c.y[user] = p.pos_y[i] - p.prev_y[i];
    c.z[user] = p.pos_z[i] - p.prev_z[i];
  }
}
