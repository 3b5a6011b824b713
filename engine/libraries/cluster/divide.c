/* Division of a world: the cloth's patches into consecutive ranges of about equal cost, coarse ones
 * with the cloth at their middle. Every rank computes small coarse levels: messages cost more. */
#include <stddef.h>
#include <string.h>

#include "base/grain_size.h"
#include "base/memory.h"
#include "libraries/cluster/cluster.h"
#include "libraries/cluster/exchange.h"
#include "libraries/cluster/reads.h"
#include "schedule/touched.h"

// Particles worth dividing: on a level that every rank has, each needs all the finer one's
// displacements.
#define MIN_DIVIDED WEFT__GRAIN(2048u, 32u)

static bool create_division(weft__division* division, uint32_t ranks) {
  division->first_patch = weft__alloc((size_t)ranks + 1, sizeof(uint32_t));
  division->first_particle = weft__alloc((size_t)ranks + 1, sizeof(uint32_t));
  return division->first_patch != NULL && division->first_particle != NULL;
}

static void find_particles(weft__division* division, const weft__schedule* schedule,
                           uint32_t ranks) {
  for (uint32_t r = 0; r <= ranks; ++r) {
    division->first_particle[r] = schedule->patch_first[division->first_patch[r]];
  }
}

// Consecutive ranges, by the numbers of the ranks' cloth.
static void divide_level(weft_cluster* cluster, uint32_t l) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  weft__division* division = &cluster->coarse[l];
  uint32_t* first = division->first_patch;
  memset(first, 0, ((size_t)weft__rank_count(cluster) + 1) * sizeof(*first));
  for (uint32_t patch = 0; patch < level->schedule.patch_count; ++patch) {
    const uint32_t begin = level->schedule.patch_first[patch];
    const uint32_t middle = begin + (level->schedule.patch_first[patch + 1] - begin) / 2;
    ++first[weft__rank_at(cluster->cloth.first_particle, level->source[middle]) + 1];
  }
  for (uint32_t r = 0; r < weft__rank_count(cluster); ++r) first[r + 1] += first[r];
  find_particles(division, &level->schedule, weft__rank_count(cluster));
}

static bool is_any_marked(const uint8_t* marks, weft__range range) {
  return memchr(marks + range.begin, 1, range.end - range.begin) != NULL;
}

// Particles that own patches have or touch, their restriction runs, and all particles of these.
static bool list_restricted(weft_cluster* cluster, uint32_t l) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  uint32_t* runs = weft__alloc(level->followers.run_count, sizeof(*runs));
  uint8_t* marks = weft__alloc_zeroed(level->particles.count, 1);
  cluster->restricted[l] = runs;
  cluster->is_restricted[l] = marks;
  if (runs == NULL || marks == NULL) return false;
  const weft__range own = weft__own_range(cluster, cluster->coarse[l].first_particle);
  memset(marks + own.begin, 1, own.end - own.begin);
  weft__mark_touched(&level->schedule, weft__own_range(cluster, cluster->coarse[l].first_patch),
                     marks);
  for (uint32_t r = 0; r < level->followers.run_count; ++r) {
    const weft__restriction_run* run = &level->followers.runs[r];
    const weft__range first = weft__restriction_range(run, 0);
    const weft__range second =
        run->second != WEFT__ONE_RANGE ? weft__restriction_range(run, 1) : (weft__range){0, 0};
    if (!is_any_marked(marks, first) && !is_any_marked(marks, second)) continue;
    memset(marks + first.begin, 1, first.end - first.begin);
    memset(marks + second.begin, 1, second.end - second.begin);
    runs[cluster->restricted_count[l]++] = r;
  }
  return true;
}

// first_patch: by rank [rank_count + 1]; NULL: ranges of equal cost
static bool divide_patches(weft_cluster* cluster, const uint32_t* first_patch) {
  const weft__stepper* stepper = &cluster->world->stepper;
  weft__domain* domain = &cluster->domain;
  const uint32_t ranks = weft__rank_count(cluster);
  // strips are divided already
  if (!cluster->is_strip) {
    if (!create_division(&cluster->cloth, ranks)) return false;
    uint32_t* first = cluster->cloth.first_patch;
    if (first_patch != NULL) {
      memcpy(first, first_patch, ((size_t)ranks + 1) * sizeof(*first));
    } else {
      weft__partition_patches(&stepper->schedule, ranks, first);
    }
  }
  find_particles(&cluster->cloth, &stepper->schedule, ranks);
  domain->patches = weft__own_range(cluster, cluster->cloth.first_patch);
  domain->particles = weft__own_range(cluster, cluster->cloth.first_particle);
  if (!weft__cluster_reserve(cluster, WEFT__OWNED_PARTICLES, &weft__particle_moves,
                             &stepper->particles)) {
    return false;
  }
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    const uint32_t count = stepper->levels.levels[l].particles.count;
    if (count < MIN_DIVIDED) continue;
    if (!create_division(&cluster->coarse[l], ranks)) return false;
    divide_level(cluster, l);
    if (!list_restricted(cluster, l)) return false;
  }
  return true;
}

static bool add_ghosts(weft_cluster* cluster, const weft__schedule* schedule,
                       weft__particles* particles, float* const start[3],
                       const weft__division* division, uint32_t quiet_phase) {
  const weft__ghost_level* ghosts =
      weft__border_add(&cluster->border, &cluster->common, schedule, particles, start,
                       division->first_patch, quiet_phase);
  return weft__mailbox_agree(&cluster->mailbox, &cluster->common, ghosts != NULL);
}

static bool add_all_ghosts(weft_cluster* cluster) {
  weft__stepper* stepper = &cluster->world->stepper;
  weft__particles* cloth = &stepper->particles;
  if (!add_ghosts(cluster, &stepper->schedule, cloth, cloth->prev, &cluster->cloth, WEFT__NONE)) {
    return false;
  }
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    weft__level* level = &stepper->levels.levels[l];
    // the last phase of a coarse level stores corrections
    if (weft__cluster_divides(cluster, l) &&
        !add_ghosts(cluster, &level->schedule, &level->particles, level->displacements.start,
                    &cluster->coarse[l], stepper->settings.coarse_iterations + 1)) {
      return false;
    }
  }
  cluster->ghosts = &cluster->border.levels[0];
  return weft__mailbox_agree(&cluster->mailbox, &cluster->common,
                             weft__border_finish(&cluster->border));
}

void weft__cluster_apply(weft_cluster* cluster) {
  weft__stepper* stepper = &cluster->world->stepper;
  const weft__ghost_level* ghosts = cluster->border.levels;
  const uint32_t workers = weft__worker_pool_count(stepper->pool);
  weft__wavefront_set_ghosts(&stepper->relaxation.wavefront, &stepper->schedule, workers,
                             &ghosts->ghosts);
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    weft__level* level = &stepper->levels.levels[l];
    level->followers.own_runs = cluster->restricted[l];
    level->followers.own_run_count = cluster->restricted_count[l];
    if (!weft__cluster_divides(cluster, l)) continue;
    ++ghosts;
    weft__wavefront_set_ghosts(&level->wavefront, &level->schedule, workers, &ghosts->ghosts);
  }
  for (uint32_t h = 0; h < cluster->halo_count; ++h) weft__stage_halo_apply(&cluster->halos[h]);
  weft__bend_lines_of(&stepper->stages)->solves = cluster->solves_lines;
}

bool weft__cluster_divide(weft_cluster* cluster, const uint32_t* first_patch) {
  weft__mailbox* mailbox = &cluster->mailbox;
  const bool good =
      divide_patches(cluster, first_patch) &&
      weft__border_create(&cluster->border, mailbox, 1 + cluster->world->stepper.levels.count);
  return weft__mailbox_agree(mailbox, &cluster->common, good) && add_all_ghosts(cluster) &&
         weft__cluster_list_reads(cluster);
}

typedef struct member {
  size_t offset, size;
} member;

#define MEMBER(name) \
  { offsetof(weft_cluster, name), sizeof(((weft_cluster*)0)->name) }

static const member members[] = {
    MEMBER(border),       MEMBER(cloth),         MEMBER(coarse),         MEMBER(halos),
    MEMBER(halo_count),   MEMBER(is_restricted), MEMBER(restricted),     MEMBER(restricted_count),
    MEMBER(solves_lines), MEMBER(ghosts),        MEMBER(domain.patches), MEMBER(domain.particles),
};

void weft__cluster_move_division(weft_cluster* to, weft_cluster* from) {
  for (size_t m = 0; m < sizeof(members) / sizeof(*members); ++m) {
    unsigned char* source = (unsigned char*)from + members[m].offset;
    memcpy((unsigned char*)to + members[m].offset, source, members[m].size);
    memset(source, 0, members[m].size);
  }
}

void weft__cluster_destroy_division(weft_cluster* cluster) {
  weft__border_destroy(&cluster->border);
  weft__free(cluster->cloth.first_patch);
  weft__free(cluster->cloth.first_particle);
  for (uint32_t l = 0; l < WEFT__MAX_LEVELS; ++l) {
    weft__free(cluster->coarse[l].first_patch);
    weft__free(cluster->coarse[l].first_particle);
    weft__free(cluster->is_restricted[l]);
    weft__free(cluster->restricted[l]);
  }
  for (uint32_t h = 0; h < cluster->halo_count; ++h) weft__stage_halo_destroy(&cluster->halos[h]);
  weft__free(cluster->solves_lines);
}

void weft__cluster_destroy_lists(weft_cluster* cluster) {
  weft__cluster_destroy_division(cluster);
  weft__stage_halo_destroy(&cluster->joints);
  weft__free(cluster->packed);
  weft__free(cluster->own_torn.items);
}
