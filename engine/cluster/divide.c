/* Division of a world among ranks, and the lists of what each reads of others.
 *
 * The patches of the cloth are divided into consecutive ranges of about equal cost. A coarse patch
 * goes with the cloth at the middle of it. Coarse levels of few particles are computed by every
 * rank: messages would cost more. */
#include <stddef.h>
#include <string.h>

#include "base/grain_size.h"
#include "base/memory.h"
#include "cluster/cloth.h"
#include "cluster/cluster.h"
#include "tables/collider_batch.h"

// Particles of a level that is worth dividing. On a level that every rank has, each takes the
// displacements of all of the next finer one.
#define MIN_DIVIDED WEFT__GRAIN(2048u, 32u)

static weft__range own_of(const weft_cluster* cluster, const uint32_t* first) {
  return (weft__range){first[weft__own_rank(cluster)], first[weft__own_rank(cluster) + 1]};
}

static bool is_in(weft__range range, uint32_t i) {
  return i >= range.begin && i < range.end;
}

// ---- divisions ----

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

// Numbers of the patches that lie at each rank's cloth make consecutive ranges.
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

static bool is_divided(const weft_cluster* cluster, uint32_t l) {
  return cluster->coarse[l].first_patch != NULL;
}

static bool is_any_marked(const uint8_t* marks, weft__range range) {
  return memchr(marks + range.begin, 1, range.end - range.begin) != NULL;
}

// Marks own particles of a level and those that own patches touch, lists their restriction runs,
// and marks all particles of these.
static bool list_restricted(weft_cluster* cluster, uint32_t l) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  uint32_t* runs = weft__alloc(level->followers.run_count, sizeof(*runs));
  uint8_t* marks = weft__alloc_zeroed(level->particles.count, 1);
  cluster->restricted[l] = runs;
  cluster->is_restricted[l] = marks;
  if (runs == NULL || marks == NULL) return false;
  const weft__range own = own_of(cluster, cluster->coarse[l].first_particle);
  memset(marks + own.begin, 1, own.end - own.begin);
  weft__mark_touched(&level->schedule, own_of(cluster, cluster->coarse[l].first_patch), marks);
  for (uint32_t r = 0; r < level->followers.run_count; ++r) {
    const weft__restriction_run* run = &level->followers.runs[r];
    const weft__range first = weft__restriction_range(run, 0);
    const weft__range second =
        run->second != WEFT__ONE_RANGE ? weft__restriction_range(run, 1) : (weft__range){0, 0};
    if (!is_any_marked(marks, first) && !is_any_marked(marks, second)) continue;
    memset(marks + first.begin, 1, first.end - first.begin);
    memset(marks + second.begin, 1, second.end - second.begin);
    runs[cluster->domain.restricted_count[l]++] = r;
  }
  cluster->domain.restricted[l] = runs;
  return true;
}

// first_patch: of each rank [rank_count + 1]; NULL: ranges of equal cost
static bool divide_patches(weft_cluster* cluster, const uint32_t* first_patch) {
  const weft__stepper* stepper = &cluster->world->stepper;
  weft__domain* domain = &cluster->domain;
  const uint32_t ranks = weft__rank_count(cluster);
  // the patches of strips are divided already
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
  domain->patches = own_of(cluster, cluster->cloth.first_patch);
  domain->particles = own_of(cluster, cluster->cloth.first_particle);
  const uint64_t own_count = domain->particles.end - domain->particles.begin;
  cluster->positions = weft__alloc(own_count, 6 * sizeof(float));
  if (cluster->positions == NULL) return false;
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    const uint32_t count = stepper->levels.levels[l].particles.count;
    if (count < MIN_DIVIDED) continue;
    if (!create_division(&cluster->coarse[l], ranks)) return false;
    divide_level(cluster, l);
    if (!list_restricted(cluster, l)) return false;
  }
  return true;
}

// ---- ghosts ----

static bool add_ghosts(weft_cluster* cluster, const weft__schedule* schedule,
                       const weft__particles* particles, const weft__division* division,
                       uint32_t quiet_phase) {
  const weft__ghost_level* ghosts = weft__border_add(&cluster->border, &cluster->common, schedule,
                                                     particles, division->first_patch, quiet_phase);
  return weft__mailbox_agree(&cluster->mailbox, &cluster->common, ghosts != NULL);
}

static bool add_all_ghosts(weft_cluster* cluster) {
  weft__stepper* stepper = &cluster->world->stepper;
  if (!add_ghosts(cluster, &stepper->schedule, &stepper->particles, &cluster->cloth, WEFT__NONE)) {
    return false;
  }
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    weft__level* level = &stepper->levels.levels[l];
    // the last phase of a coarse level stores corrections
    if (is_divided(cluster, l) &&
        !add_ghosts(cluster, &level->schedule, &level->particles, &cluster->coarse[l],
                    stepper->coarse_iterations + 1)) {
      return false;
    }
  }
  cluster->ghosts = &cluster->border.levels[0];
  return weft__mailbox_agree(&cluster->mailbox, &cluster->common,
                             weft__border_finish(&cluster->border));
}

// ---- marks of what is read ----

// Marks into zeroed `marks`.
typedef void mark_reads(const weft_cluster* cluster, uint32_t index, uint8_t* marks);

static void mark_faces(const weft_cluster* cluster, uint32_t index, uint8_t* marks) {
  (void)index;
  const weft__faces* faces = &cluster->world->stepper.forces.faces;
  const weft__range own = cluster->domain.particles;
  for (uint32_t i = own.begin; i < own.end && faces->count > 0; ++i) {
    for (uint32_t u = faces->first_use[i]; u < faces->first_use[i + 1]; ++u) {
      for (int k = 0; k < 3; ++k) marks[faces->corner[faces->use[u]][k]] = 1;
    }
  }
}

static void mark_touched(const weft_cluster* cluster, uint32_t index, uint8_t* marks) {
  (void)index;
  weft__mark_touched(&cluster->world->stepper.schedule, cluster->domain.patches, marks);
}

static void mark_blocks(const weft_cluster* cluster, uint32_t index, uint8_t* marks) {
  (void)index;
  const weft__range own = cluster->domain.particles;
  const uint32_t size = (uint32_t)WEFT__BATCH_PARTICLES;
  const uint32_t count = cluster->world->stepper.particles.count;
  if (own.begin == own.end) return;
  for (uint32_t i = own.begin / size * size; i < own.end; ++i) marks[i] = 1;
  for (uint32_t i = own.end; i < count && i % size != 0; ++i) marks[i] = 1;
}

static void mark_lines(const weft_cluster* cluster, uint32_t color, uint8_t* marks) {
  const weft__bend_lines* lines = &cluster->world->stepper.schedule.bend_lines;
  for (uint32_t b = lines->color_first[color]; b < lines->color_first[color + 1]; ++b) {
    if (cluster->solves_lines[b] == 0) continue;
    const weft__line_block* block = &lines->blocks[b];
    for (uint32_t row = block->first_row; row < block->first_row + block->row_count; ++row) {
      for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
        marks[lines->particle[row][lane]] = marks[lines->other[row][lane]] = 1;
      }
    }
  }
}

// Coarse particles that this rank restricts to.
static bool is_restricted(const weft_cluster* cluster, uint32_t l, uint32_t particle) {
  return cluster->is_restricted[l] == NULL || cluster->is_restricted[l][particle] != 0;
}

// Marks the cloth particles at the coarse particles of all levels that are restricted here.
static void mark_sources(const weft_cluster* cluster, uint8_t* marks) {
  const weft__levels* levels = &cluster->world->stepper.levels;
  for (uint32_t l = 0; l < levels->count; ++l) {
    for (uint32_t i = 0; i < levels->levels[l].particles.count; ++i) {
      if (is_restricted(cluster, l, i)) marks[levels->levels[l].source[i]] = 1;
    }
  }
}

typedef void visit_parent(const weft_cluster* cluster, uint32_t l, uint32_t finer, uint32_t parent,
                          uint8_t* marks);

// Visits all pairs of a particle of the finer level and one of its parents on level l.
static void visit_parents(const weft_cluster* cluster, uint32_t l, visit_parent* visit,
                          uint8_t* marks) {
  const weft__levels* levels = &cluster->world->stepper.levels;
  const weft__level* level = &levels->levels[l];
  const weft__coarse_corrections* c = &level->corrections;
  const uint32_t finer_patches =
      l == 0 ? levels->cloth_patches : levels->levels[l - 1].schedule.patch_count;
  for (uint32_t b = 0; b < c->patch_first_blend[finer_patches]; ++b) {
    const weft__prolongation* blend = &c->blends[b];
    for (uint32_t k = 0; k < blend->count; ++k) {
      for (uint32_t j = 0; j < 4; ++j) {
        visit(cluster, l, blend->first + k, level->schedule.solver_of[blend->of[j] + k], marks);
      }
    }
  }
}

static void mark_follower(const weft_cluster* cluster, uint32_t l, uint32_t finer, uint32_t parent,
                          uint8_t* marks) {
  if (is_restricted(cluster, l, parent)) marks[finer] = 1;
}

static void mark_displacements(const weft_cluster* cluster, uint32_t l, uint8_t* marks) {
  if (l == 0) mark_sources(cluster, marks);
  visit_parents(cluster, l, mark_follower, marks);
}

// Particles of the level finer than l that this rank prolongs to.
static weft__range own_finer(const weft_cluster* cluster, uint32_t l) {
  if (l == 0) return cluster->domain.particles;
  if (is_divided(cluster, l - 1)) return own_of(cluster, cluster->coarse[l - 1].first_particle);
  return (weft__range){0, cluster->world->stepper.levels.levels[l - 1].particles.count};
}

static void mark_parent(const weft_cluster* cluster, uint32_t l, uint32_t finer, uint32_t parent,
                        uint8_t* marks) {
  if (is_in(own_finer(cluster, l), finer)) marks[parent] = 1;
}

static void mark_corrections(const weft_cluster* cluster, uint32_t l, uint8_t* marks) {
  visit_parents(cluster, l, mark_parent, marks);
}

static const weft__schedule* finer_schedule(const weft_cluster* cluster, uint32_t l) {
  const weft__stepper* stepper = &cluster->world->stepper;
  return l == 0 ? &stepper->schedule : &stepper->levels.levels[l - 1].schedule;
}

static const weft__division* finer_division(const weft_cluster* cluster, uint32_t l) {
  return l == 0 ? &cluster->cloth : &cluster->coarse[l - 1];
}

static uint32_t first_slot(const weft__schedule* schedule, uint32_t patch) {
  return weft__patch_first_group(schedule, patch) * WEFT__LANES;
}

static void mark_multipliers(const weft_cluster* cluster, uint32_t l, uint8_t* marks) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  const weft__schedule* finer = finer_schedule(cluster, l);
  const weft__range own = own_of(cluster, finer_division(cluster, l)->first_patch);
  for (uint32_t s = first_slot(finer, own.begin); s < first_slot(finer, own.end); ++s) {
    const uint32_t origin = level->origins.of[s];
    if (origin != WEFT__NO_ORIGIN) marks[origin] = 1;
  }
}

// ---- lists ----

static bool list_reads(weft_cluster* cluster, weft__halo* halo, mark_reads* mark, uint32_t index,
                       const uint32_t* first, size_t count) {
  uint8_t* marks = weft__alloc_zeroed(count, 1);
  if (marks != NULL) mark(cluster, index, marks);
  const bool good = weft__halo_create(halo, &cluster->mailbox, &cluster->common, marks, first);
  weft__free(marks);
  return good;
}

static bool list_cloth(weft_cluster* cluster, weft__halo* halo, mark_reads* mark, uint32_t index) {
  return list_reads(cluster, halo, mark, index, cluster->cloth.first_particle,
                    cluster->world->stepper.particles.count);
}

// The blocks of rows in which a rank has a particle: others of the block are solved along.
static void assign_rows(const weft_cluster* cluster) {
  const weft__bend_lines* lines = &cluster->world->stepper.schedule.bend_lines;
  const weft__range own = cluster->domain.particles;
  for (uint32_t b = 0; b < lines->block_count; ++b) {
    const uint32_t* particle = lines->particle[lines->blocks[b].first_row];
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if (is_in(own, particle[lane])) cluster->solves_lines[b] = 1;
    }
  }
}

// Lines within one rank are solved there; the others are dealt out.
static bool divide_lines(weft_cluster* cluster) {
  const weft__bend_lines* lines = &cluster->world->stepper.schedule.bend_lines;
  const uint32_t* first = cluster->cloth.first_particle;
  cluster->solves_lines = weft__alloc_zeroed(lines->block_count, 1);
  if (cluster->solves_lines == NULL) return false;
  cluster->domain.solves_lines = cluster->solves_lines;
  if (cluster->columns != NULL) {
    assign_rows(cluster);
    return true;
  }
  for (uint32_t color = 0; color < WEFT__LINE_COLORS; ++color) {
    const uint32_t begin = lines->color_first[color];
    const uint32_t count = lines->color_first[color + 1] - begin;
    for (uint32_t b = begin; b < begin + count; ++b) {
      const weft__line_block* block = &lines->blocks[b];
      uint32_t lower = UINT32_MAX, upper = 0;
      for (uint32_t i = block->first_row; i < block->first_row + block->row_count; ++i) {
        for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
          const uint32_t particle = lines->particle[i][lane], other = lines->other[i][lane];
          if (particle < lower) lower = particle;
          if (particle > upper) upper = particle;
          if (other < lower) lower = other;
          if (other > upper) upper = other;
        }
      }
      const uint32_t home = weft__rank_at(first, lower);
      const uint32_t dealt = (uint32_t)((uint64_t)(b - begin) * weft__rank_count(cluster) / count);
      cluster->solves_lines[b] =
          (home == weft__rank_at(first, upper) ? home : dealt) == weft__own_rank(cluster);
    }
  }
  return true;
}

static bool list_lines(weft_cluster* cluster) {
  if (cluster->world->stepper.schedule.bend_lines.hinge_count == 0) return true;
  bool good = weft__mailbox_agree(&cluster->mailbox, &cluster->common, divide_lines(cluster));
  // of rows alone no line crosses ranks
  for (uint32_t color = 0; good && color < WEFT__LINE_COLORS && cluster->columns == NULL; ++color) {
    good = list_cloth(cluster, &cluster->lines[color], mark_lines, color);
  }
  return good;
}

// Slots of each rank's patches.
static bool list_multipliers(weft_cluster* cluster, uint32_t l) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  if (level->origins.of == NULL) return true;
  const uint32_t ranks = weft__rank_count(cluster);
  uint32_t* first = weft__alloc((size_t)ranks + 1, sizeof(*first));
  bool good = weft__mailbox_agree(&cluster->mailbox, &cluster->common, first != NULL);
  if (good) {
    for (uint32_t r = 0; r <= ranks; ++r) {
      first[r] = first_slot(&level->schedule, cluster->coarse[l].first_patch[r]);
    }
    good = list_reads(cluster, &cluster->levels[l].multipliers, mark_multipliers, l, first,
                      (size_t)level->schedule.group_count * WEFT__LANES);
  }
  weft__free(first);
  return good;
}

static bool list_level(weft_cluster* cluster, uint32_t l) {
  const weft__stepper* stepper = &cluster->world->stepper;
  const weft__level* level = &stepper->levels.levels[l];
  weft__level_exchange* to = &cluster->levels[l];
  const weft__division* finer = finer_division(cluster, l);
  if (finer->first_patch != NULL &&
      !list_reads(cluster, &to->displacements, mark_displacements, l, finer->first_particle,
                  finer_schedule(cluster, l)->particle_count)) {
    return false;
  }
  if (!is_divided(cluster, l)) return true;
  const uint32_t* first = cluster->coarse[l].first_particle;
  if (!list_reads(cluster, &to->corrections, mark_corrections, l, first, level->particles.count)) {
    return false;
  }
  weft__halo_map(&to->corrections, level->schedule.user_of);
  return list_multipliers(cluster, l);
}

static bool list_all(weft_cluster* cluster) {
  const uint32_t levels = cluster->world->stepper.levels.count;
  if (!list_cloth(cluster, &cluster->faces, mark_faces, 0) ||
      !list_cloth(cluster, &cluster->touched, mark_touched, 0) ||
      !list_cloth(cluster, &cluster->blocks, mark_blocks, 0) || !list_lines(cluster) ||
      !weft__coupled_create(cluster)) {
    return false;
  }
  for (uint32_t l = 0; l < levels; ++l) {
    if (!list_level(cluster, l)) return false;
  }
  return true;
}

void weft__cluster_apply(weft_cluster* cluster) {
  weft__stepper* stepper = &cluster->world->stepper;
  const weft__ghost_level* ghosts = cluster->border.levels;
  const uint32_t workers = weft__worker_pool_count(stepper->pool);
  weft__wavefront_set_ghosts(&stepper->wavefront, &stepper->schedule, workers, &ghosts->ghosts);
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    weft__level* level = &stepper->levels.levels[l];
    if (!is_divided(cluster, l)) continue;
    ++ghosts;
    weft__wavefront_set_ghosts(&level->wavefront, &level->schedule, workers, &ghosts->ghosts);
  }
  stepper->trees.solves = cluster->trees.solves;
  stepper->schedule.mesh_bends.solves = cluster->meshes.solves;
  stepper->forces.pressures.solves = cluster->bodies.solves;
}

bool weft__cluster_divide(weft_cluster* cluster, const uint32_t* first_patch) {
  weft__mailbox* mailbox = &cluster->mailbox;
  const bool good =
      divide_patches(cluster, first_patch) &&
      weft__border_create(&cluster->border, mailbox, 1 + cluster->world->stepper.levels.count);
  return weft__mailbox_agree(mailbox, &cluster->common, good) && add_all_ghosts(cluster) &&
         list_all(cluster);
}

// ---- one division in place of another ----

typedef struct member {
  size_t offset, size;
} member;

#define MEMBER(name) \
  { offsetof(weft_cluster, name), sizeof(((weft_cluster*)0)->name) }

// Members of a cluster that are made by its division.
static const member members[] = {
    MEMBER(border),
    MEMBER(cloth),
    MEMBER(coarse),
    MEMBER(faces),
    MEMBER(touched),
    MEMBER(blocks),
    MEMBER(lines),
    MEMBER(trees),
    MEMBER(meshes),
    MEMBER(bodies),
    MEMBER(levels),
    MEMBER(is_restricted),
    MEMBER(restricted),
    MEMBER(solves_lines),
    MEMBER(positions),
    MEMBER(ghosts),
    MEMBER(domain.patches),
    MEMBER(domain.particles),
    MEMBER(domain.restricted),
    MEMBER(domain.restricted_count),
    MEMBER(domain.solves_lines),
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
    weft__halo_destroy(&cluster->levels[l].displacements);
    weft__free(cluster->is_restricted[l]);
    weft__free(cluster->restricted[l]);
    weft__halo_destroy(&cluster->levels[l].corrections);
    weft__halo_destroy(&cluster->levels[l].multipliers);
  }
  weft__halo_destroy(&cluster->faces);
  weft__halo_destroy(&cluster->touched);
  weft__halo_destroy(&cluster->blocks);
  for (uint32_t c = 0; c < WEFT__LINE_COLORS; ++c) weft__halo_destroy(&cluster->lines[c]);
  weft__coupled_destroy(&cluster->trees);
  weft__coupled_destroy(&cluster->meshes);
  weft__coupled_destroy(&cluster->bodies);
  weft__free(cluster->solves_lines);
  weft__free(cluster->positions);
}

void weft__cluster_destroy_lists(weft_cluster* cluster) {
  weft__cluster_destroy_division(cluster);
  weft__coupled_destroy(&cluster->joints);
  weft__cluster_destroy_cloth(cluster);
  weft__free(cluster->own_torn.items);
}
