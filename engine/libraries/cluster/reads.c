#include "libraries/cluster/reads.h"

#include "base/memory.h"
#include "libraries/cluster/cluster.h"

// Marks are zeroed.
typedef void mark_reads(const weft_cluster* cluster, uint32_t index, uint8_t* marks);

static void mark_lines(const weft_cluster* cluster, uint32_t color, uint8_t* marks) {
  const weft__bend_lines* lines = weft__bend_lines_of(&cluster->world->stepper.stages);
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

static bool is_restricted(const weft_cluster* cluster, uint32_t l, uint32_t particle) {
  return cluster->is_restricted[l] == NULL || cluster->is_restricted[l][particle] != 0;
}

// Cloth particles at coarse ones that are restricted here.
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

// Pairs of a finer particle and a parent on level l.
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

// Prolonged to here.
static weft__range own_finer(const weft_cluster* cluster, uint32_t l) {
  if (l == 0) return cluster->domain.particles;
  if (weft__cluster_divides(cluster, l - 1))
    return weft__own_range(cluster, cluster->coarse[l - 1].first_particle);
  return (weft__range){0, cluster->world->stepper.levels.levels[l - 1].particles.count};
}

static void mark_parent(const weft_cluster* cluster, uint32_t l, uint32_t finer, uint32_t parent,
                        uint8_t* marks) {
  if (weft__range_has(own_finer(cluster, l), finer)) marks[parent] = 1;
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

static void mark_multipliers(const weft_cluster* cluster, uint32_t l, uint8_t* marks) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  const weft__schedule* finer = finer_schedule(cluster, l);
  const weft__range own = weft__own_range(cluster, finer_division(cluster, l)->first_patch);
  for (uint32_t s = weft__patch_first_slot(finer, own.begin);
       s < weft__patch_first_slot(finer, own.end); ++s) {
    const uint32_t origin = level->origins.of[s];
    if (origin != WEFT__NO_ORIGIN) marks[origin] = 1;
  }
}

static weft__stage_halo* add_halo(weft_cluster* cluster, const weft__halo_rows* rows,
                                  uint32_t index) {
  weft__stage_halo* halo = &cluster->halos[cluster->halo_count++];
  *halo = (weft__stage_halo){.rows = rows, .index = index};
  return halo;
}

// Rows by this rank's work. first: by rank, and the end
static bool list_rows(weft_cluster* cluster, weft__stage_halo* halo, mark_reads* mark,
                      const uint32_t* first, size_t count) {
  uint8_t* marks = weft__alloc_zeroed(count, 1);
  if (marks != NULL) mark(cluster, halo->index, marks);
  const bool good =
      weft__halo_create(&halo->lists, &cluster->mailbox, &cluster->common, marks, first);
  weft__free(marks);
  return good;
}

// Blocks in which a rank has a particle: others of the block are solved along.
static void assign_rows(const weft_cluster* cluster) {
  const weft__bend_lines* lines = weft__bend_lines_of(&cluster->world->stepper.stages);
  const weft__range own = cluster->domain.particles;
  for (uint32_t b = 0; b < lines->block_count; ++b) {
    const uint32_t* particle = lines->particle[lines->blocks[b].first_row];
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if (weft__range_has(own, particle[lane])) cluster->solves_lines[b] = 1;
    }
  }
}

// Lines within one rank are solved there; others are dealt out.
static bool divide_lines(weft_cluster* cluster) {
  const weft__bend_lines* lines = weft__bend_lines_of(&cluster->world->stepper.stages);
  const uint32_t* first = cluster->cloth.first_particle;
  cluster->solves_lines = weft__alloc_zeroed(lines->block_count, 1);
  if (cluster->solves_lines == NULL) return false;
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
  if (weft__bend_lines_of(&cluster->world->stepper.stages)->hinge_count == 0) return true;
  bool good = weft__mailbox_agree(&cluster->mailbox, &cluster->common, divide_lines(cluster));
  // division by rows cuts no line
  for (uint32_t color = 0; good && color < WEFT__LINE_COLORS && cluster->columns == NULL; ++color) {
    good = list_rows(cluster, add_halo(cluster, &weft__line_rows, color), mark_lines,
                     cluster->cloth.first_particle, cluster->world->stepper.particles.count);
  }
  return good;
}

static bool list_multipliers(weft_cluster* cluster, uint32_t l) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  if (level->origins.of == NULL) return true;
  const uint32_t ranks = weft__rank_count(cluster);
  uint32_t* first = weft__alloc((size_t)ranks + 1, sizeof(*first));
  bool good = weft__mailbox_agree(&cluster->mailbox, &cluster->common, first != NULL);
  if (good) {
    for (uint32_t r = 0; r <= ranks; ++r) {
      first[r] = weft__patch_first_slot(&level->schedule, cluster->coarse[l].first_patch[r]);
    }
    good = list_rows(cluster, add_halo(cluster, &weft__origin_links, l), mark_multipliers, first,
                     (size_t)level->schedule.links.group_count * WEFT__LANES);
  }
  weft__free(first);
  return good;
}

static bool list_level(weft_cluster* cluster, uint32_t l) {
  const weft__stepper* stepper = &cluster->world->stepper;
  const weft__level* level = &stepper->levels.levels[l];
  const weft__division* finer = finer_division(cluster, l);
  if (finer->first_patch != NULL &&
      !list_rows(cluster, add_halo(cluster, &weft__follower_rows, l), mark_displacements,
                 finer->first_particle, finer_schedule(cluster, l)->particle_count)) {
    return false;
  }
  if (!weft__cluster_divides(cluster, l)) return true;
  weft__stage_halo* parents = add_halo(cluster, &weft__parent_rows, l);
  if (!list_rows(cluster, parents, mark_corrections, cluster->coarse[l].first_particle,
                 level->particles.count)) {
    return false;
  }
  weft__halo_map(&parents->lists, level->schedule.user_of);
  return list_multipliers(cluster, l);
}

typedef struct lister {
  weft_cluster* cluster;
  bool good;
} lister;

static void list_stage(void* context, const weft__halo_rows* rows, void* table) {
  lister* l = context;
  if (!l->good) return;
  weft__stage_halo* halo = add_halo(l->cluster, rows, 0);
  halo->table = table;
  l->good = weft__stage_halo_create(l->cluster, halo);
}

bool weft__cluster_list_reads(weft_cluster* cluster) {
  weft__stepper* stepper = &cluster->world->stepper;
  lister l = {cluster, true};
  weft__stepper_visit_halos(stepper, list_stage, &l);
  bool good = l.good && list_lines(cluster);
  for (uint32_t level = 0; level < stepper->levels.count && good; ++level) {
    good = list_level(cluster, level);
  }
  return good;
}
