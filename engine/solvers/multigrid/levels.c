#include "solvers/multigrid/levels.h"

#include <string.h>

#include "base/memory.h"
#include "schedule/freeze.h"
#include "solvers/multigrid/ancestry.h"
#include "solvers/multigrid/coarsen.h"
#include "solvers/multigrid/torn_coarse_links.h"

enum { TEARS = WEFT__LEVEL_TEARS, BLENDS = WEFT__GROUP(2), ORIGINS = WEFT__GROUP(3) };

static const weft__column columns[] = {
    // three axes in one piece
    WEFT__COLUMN_TIMES(weft__level, corrections.x, 3, schedule.particle_count, 0, WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__level, displacements.moved[0], 3, schedule.particle_count,
                       3 * WEFT__PARTICLE_PADDING, WEFT__SCRATCH),
    WEFT__COLUMN(weft__level, source, schedule.particle_count, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__level, corrections.patch_first_blend, 1, finer_patch_count, 1,
                       WEFT__DERIVED),
    WEFT__COLUMN(weft__level, corrections.blends, blend_count, BLENDS | WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__level, origins.of, WEFT__LANES, finer_group_count, 0,
                       ORIGINS | WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__level, origins.share, WEFT__LANES, finer_group_count, 0,
                       ORIGINS | WEFT__DERIVED),
    WEFT__COLUMN(weft__level, origins.rows, finer_group_count, ORIGINS | WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__level, links.first, 1, schedule.particle_count, 1,
                       TEARS | WEFT__DERIVED),
    WEFT__COLUMN(weft__level, links.to, schedule.links.link_count, TEARS | WEFT__DERIVED),
    WEFT__COLUMN(weft__level, links.slot, schedule.links.link_count, TEARS | WEFT__DERIVED),
    WEFT__COLUMN_PADDED(weft__level, corrections.follows, finer_count, WEFT__PARTICLE_PADDING,
                        TEARS | WEFT__STATE),
};

const weft__table weft__level_table = WEFT__TABLE(columns);

static const weft__column displacements[] = {
    WEFT__SENT_VECTOR(weft__displacements, start),
    WEFT__SENT_VECTOR(weft__displacements, moved),
};
static const weft__column corrections[] = {
    WEFT__SENT(weft__coarse_corrections, x),
    WEFT__SENT(weft__coarse_corrections, y),
    WEFT__SENT(weft__coarse_corrections, z),
};
static const weft__column multipliers[] = {WEFT__SENT(weft__schedule, links.multiplier)};

const weft__table weft__displacement_columns = WEFT__TABLE(displacements);
const weft__table weft__correction_columns = WEFT__TABLE(corrections);
const weft__table weft__multiplier_columns = WEFT__TABLE(multipliers);
const weft__halo_rows weft__follower_rows, weft__parent_rows, weft__origin_links;

static bool continues_run(const weft__prolongation* blend, const weft__parents* parents) {
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] != blend->weight[j]) return false;
    if (parents->of[j] != blend->of[j] + blend->count) return false;
  }
  return true;
}

static bool has_no_parents(const weft__parents* parents) {
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] != 0.0f) return false;
  }
  return true;
}

// Runs of parents, patch by patch. Returns their number, and stores them if `blends` is not NULL.
static size_t list_blends(const weft__parents* parents, const weft__schedule* finer,
                          uint32_t* patch_first_blend, weft__prolongation* blends) {
  weft__prolongation blend = {0};
  size_t count = 0;
  for (uint32_t patch = 0; patch < finer->patch_count; ++patch) {
    patch_first_blend[patch] = (uint32_t)count;
    blend.count = 0;
    for (uint32_t i = finer->patch_first[patch]; i < finer->patch_first[patch + 1]; ++i) {
      const weft__parents* here = &parents[finer->user_of[i]];
      if (has_no_parents(here)) {
        blend.count = 0;
        continue;
      }
      if (blend.count == 0 || !continues_run(&blend, here)) {
        blend = (weft__prolongation){.first = i};
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
  weft__coarse_corrections* c = &level->corrections;
  c->y = c->x + level->schedule.particle_count;
  c->z = c->y + level->schedule.particle_count;
  level->blend_count = (uint32_t)list_blends(parents, finer, c->patch_first_blend, NULL);
  if (!weft__columns_add(level, &weft__level_table, BLENDS, &level->bytes)) return false;
  (void)list_blends(parents, finer, c->patch_first_blend, c->blends);
  return true;
}

// Links are strained alike: the force of each is its rest length over its compliance.
static float multiplier_share(const weft_scene* fine, uint32_t link, const weft_scene* coarse,
                              uint32_t ancestor) {
  const weft__links* f = &fine->links;
  const weft__links* c = &coarse->links;
  const double coarse_ratio = (double)c->compliance[ancestor] / (double)c->rest_length[ancestor];
  const double share = coarse_ratio * (double)f->rest_length[link] / (double)f->compliance[link];
  return share < 1.0 ? (float)share : 1.0f;
}

static void set_origins(weft__level* level, const uint32_t* ancestor, const weft_scene* fine,
                        const weft_scene* coarse, const weft__link_schedule* finer) {
  const weft__multiplier_origins o = level->origins;
  for (uint32_t slot = 0; slot < finer->group_count * WEFT__LANES; ++slot) {
    o.of[slot] = WEFT__NO_ORIGIN;
    o.share[slot] = 0.0f;
  }
  for (uint32_t i = 0; i < fine->links.count; ++i) {
    if (ancestor[i] == WEFT__NO_ANCESTOR || fine->links.compliance[i] == 0.0f) continue;
    const uint32_t slot = finer->slot_of_link[i];
    o.of[slot] = level->schedule.links.slot_of_link[ancestor[i]];
    o.share[slot] = multiplier_share(fine, i, coarse, ancestor[i]);
  }
}

static weft__origin_rows origin_rows(const uint32_t* of, const float* share) {
  const weft__origin_rows rows = {of[0], of[1], share[0]};
  bool good = of[0] != WEFT__NO_ORIGIN && of[1] != WEFT__NO_ORIGIN;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    good &= of[lane] == (lane % 2 == 0 ? rows.even : rows.odd) + lane / 2;
    good &= share[lane] == rows.share;
  }
  return good ? rows : (weft__origin_rows){.even = WEFT__NO_ORIGIN};
}

static bool make_origins(weft__level* level, const weft__coarsening* coarsening,
                         const weft_scene* fine, const weft__schedule* finer) {
  if (level->schedule.links.multiplier == NULL || finer->links.multiplier == NULL) return true;
  weft__multiplier_origins* o = &level->origins;
  uint32_t* ancestor = weft__alloc(fine->links.count, sizeof(*ancestor));
  const bool done = ancestor != NULL &&
                    weft__columns_add(level, &weft__level_table, ORIGINS, &level->bytes) &&
                    weft__list_ancestors(ancestor, coarsening, fine);
  if (done) set_origins(level, ancestor, fine, coarsening->scene, &finer->links);
  for (size_t g = 0; g < finer->links.group_count && done; ++g) {
    o->rows[g] = origin_rows(o->of + g * WEFT__LANES, o->share + g * WEFT__LANES);
  }
  weft__free(ancestor);
  return done;
}

typedef struct level_builder {
  weft__levels* levels;
  const weft__schedule* cloth;
  weft__distances distances;  // along the cloth
  const weft_scene* scene;    // the last level's, or the cloth's
  uint32_t* cloth_of;         // cloth particle of each
} level_builder;

static void connect_displacements(weft__level* level) {
  const size_t count = (size_t)level->particles.count + WEFT__PARTICLE_PADDING;
  weft__displacements* d = &level->displacements;
  const weft__particles* p = &level->particles;
  for (size_t axis = 0; axis < 3; ++axis) {
    d->pos[axis] = p->pos[axis];
    d->unswept[axis] = p->prev[axis];
    d->start[axis] = level->rests.center[axis];
    d->moved[axis] = d->moved[0] + axis * count;
  }
}

static bool fill_level(weft__level* level, const level_builder* m,
                       const weft__coarsening* coarsening, const weft__schedule* finer,
                       const uint32_t* cloth_of) {
  const uint32_t count = coarsening->scene->particle_count;
  level->finer_count = finer->particle_count;
  level->finer_patch_count = finer->patch_count;
  level->finer_group_count = finer->links.group_count;
  if (!weft__freeze(&level->schedule, coarsening->scene, NULL) ||
      !weft__columns_add(level, &weft__level_table, 0, &level->bytes) ||
      !weft__particles_create(&level->particles, count) ||
      !make_corrections(level, coarsening->parents, finer) ||
      !weft__followers_create(&level->followers, &level->schedule, &level->corrections,
                              finer->patch_count, &level->bytes) ||
      !weft__rests_create(&level->rests, &level->schedule, &level->bytes) ||
      !make_origins(level, coarsening, m->scene, finer)) {
    return false;
  }
  connect_displacements(level);
  level->schedule.links.one_sided = true;
  for (uint32_t user = 0; user < count; ++user) {
    level->source[level->schedule.solver_of[user]] = m->cloth->solver_of[cloth_of[user]];
  }
  return true;
}

static bool add_level(level_builder* m, const weft__coarsening* coarsening) {
  weft__levels* levels = m->levels;
  const weft__schedule* finer =
      levels->count == 0 ? m->cloth : &levels->levels[levels->count - 1].schedule;
  const uint32_t count = coarsening->scene->particle_count;
  uint32_t* cloth_of = weft__alloc(count, sizeof(*cloth_of));
  if (cloth_of == NULL) return false;
  for (uint32_t i = 0; i < count; ++i) cloth_of[i] = m->cloth_of[coarsening->fine_of[i]];
  weft__free(m->cloth_of);
  m->cloth_of = cloth_of;
  const bool filled = fill_level(&levels->levels[levels->count++], m, coarsening, finer, cloth_of);
  m->scene = coarsening->scene;
  return filled;
}

static bool add_levels(level_builder* m) {
  weft__coarsening last = {0};
  bool good = true;
  for (bool more = true; good && more && m->levels->count < WEFT__MAX_LEVELS;) {
    weft__coarsening next = {0};
    good = weft__coarsen(&next, m->scene, m->cloth_of, &m->distances);
    more = good && next.scene->links.count > 0;
    if (more) good = add_level(m, &next);
    weft__coarsening_destroy(&last);
    last = next;
  }
  weft__coarsening_destroy(&last);
  return good;
}

// lattices are coarsened without distances
static bool needs_distances(const weft_scene* scene) {
  bool any = false;
  for (size_t p = 0; p < scene->part_count; ++p) any |= scene->parts[p].columns == 0;
  return any;
}

static bool store_drawn(weft__levels* levels, const weft_scene* scene,
                        const weft__schedule* cloth) {
  const size_t count = cloth->particle_count;
  const size_t padded = count + WEFT__PARTICLE_PADDING;
  float* block = weft__alloc_zeroed(3 * padded, sizeof(*block));
  levels->drawn[0] = block;
  if (block == NULL) return false;
  for (size_t axis = 0; axis < 3; ++axis) {
    levels->drawn[axis] = block + axis * padded;
    for (size_t i = 0; i < count; ++i) {
      levels->drawn[axis][i] = scene->positions[(size_t)3 * cloth->user_of[i] + axis];
    }
  }
  levels->levels[0].bytes += 3 * padded * sizeof(float);
  return true;
}

bool weft__levels_create(weft__levels* levels, const weft_scene* scene,
                         const weft__schedule* cloth) {
  *levels = (weft__levels){.levels = weft__alloc_zeroed(WEFT__MAX_LEVELS, sizeof(weft__level)),
                           .cloth_patches = cloth->patch_count};
  const uint32_t count = scene->particle_count;
  level_builder m = {.levels = levels,
                     .cloth = cloth,
                     .scene = scene,
                     .cloth_of = weft__alloc(count, sizeof(*m.cloth_of))};
  bool good = levels->levels != NULL && m.cloth_of != NULL &&
              (!needs_distances(scene) || weft__distances_create(&m.distances, scene));
  if (good) {
    for (uint32_t i = 0; i < count; ++i) m.cloth_of[i] = i;
    good = add_levels(&m) && (!cloth->links.can_tear || weft__levels_make_tearable(levels));
  }
  good = good && (levels->count == 0 || store_drawn(levels, scene, cloth));
  weft__distances_destroy(&m.distances);
  weft__free(m.cloth_of);
  return good;
}

bool weft__levels_assign_patches(weft__levels* levels, uint32_t worker_count) {
  for (uint32_t l = 0; l < levels->count; ++l) {
    weft__level* level = &levels->levels[l];
    if (!weft__wavefront_create(&level->wavefront, &level->schedule, worker_count)) return false;
    level->wavefront.level = l + 1;
  }
  return true;
}

void weft__levels_destroy(weft__levels* levels) {
  for (uint32_t l = 0; l < levels->count; ++l) {
    weft__level* level = &levels->levels[l];
    weft__particles_destroy(&level->particles);
    weft__schedule_destroy(&level->schedule);
    weft__wavefront_destroy(&level->wavefront);
    weft__followers_destroy(&level->followers);
    weft__rests_destroy(&level->rests);
    weft__columns_free(level, &weft__level_table);
  }
  weft__free(levels->drawn[0]);
  weft__free(levels->levels);
  *levels = (weft__levels){0};
}

size_t weft__levels_bytes(const weft__levels* levels) {
  if (levels->levels == NULL) return 0;
  size_t bytes = WEFT__MAX_LEVELS * sizeof(weft__level);
  for (uint32_t l = 0; l < levels->count; ++l) {
    const weft__level* level = &levels->levels[l];
    bytes += level->bytes + level->particles.bytes + level->schedule.bytes + level->wavefront.bytes;
  }
  return bytes;
}
