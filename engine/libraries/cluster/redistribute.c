#include "libraries/cluster/redistribute.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "libraries/cluster/partition.h"
#include "libraries/cluster/state.h"

// Sweeps of a lane group, by docs/cluster.md: a node of a tree in an iteration.
#define NODE_COST 10u
// least share that new ranges take off the largest cost
#define LEAST_GAIN 0.02

// Ranks know their own patches' costs.
typedef struct costs {
  const weft_cluster* cluster;
  uint64_t* of_patch; /* [patch_count] */
  float* share;       /* [rank_count] */
  unsigned char* packed;
  size_t size;
} costs;

static bool allocate_costs(costs* c, weft_cluster* cluster) {
  const weft__range own = cluster->domain.patches;
  const uint32_t patches = cluster->world->stepper.schedule.patch_count;
  *c = (costs){.cluster = cluster,
               .of_patch = weft__alloc_zeroed(patches, sizeof(*c->of_patch)),
               .share = weft__alloc(weft__rank_count(cluster), sizeof(*c->share)),
               .size = sizeof(*c->share) + (own.end - own.begin) * sizeof(*c->of_patch)};
  c->packed = weft__alloc(c->size, 1);
  return c->of_patch != NULL && c->share != NULL && c->packed != NULL;
}

static void free_costs(costs* c) {
  weft__free(c->of_patch);
  weft__free(c->share);
  weft__free(c->packed);
}

static void add_trees(weft_cluster* cluster, uint64_t* of_patch) {
  const weft__stepper* s = &cluster->world->stepper;
  const weft__stage_halo* trees = weft__cluster_halo(cluster, &weft__tree_rows, 0);
  for (uint32_t t = 0; t < weft__trees_of(s)->tree_count; ++t) {
    const uint32_t first = weft__trees_of(s)->first_node[t],
                   end = weft__trees_of(s)->first_node[t + 1];
    if (trees->home[t] != weft__own_rank(cluster) || first == end) continue;
    // a tree lies in one patch, or crosses ranks anyway
    of_patch[weft__patch_of_particle(&s->schedule, weft__trees_of(s)->particle[first])] +=
        (uint64_t)NODE_COST * s->settings.direct_iterations * (end - first);
  }
}

static void count_costs(weft_cluster* cluster, uint64_t* of_patch) {
  const weft__stepper* s = &cluster->world->stepper;
  const weft__range own = cluster->domain.patches;
  // integration, too
  const uint64_t sweeps = (uint64_t)s->settings.iterations + 1;
  for (uint32_t p = own.begin; p < own.end; ++p) {
    of_patch[p] = sweeps * weft__patch_cost(&s->schedule, p);
  }
}

static void take_costs(void* context, uint32_t from, const void* bytes, size_t size) {
  const costs* c = context;
  memcpy(&c->share[from], bytes, sizeof(*c->share));
  memcpy(c->of_patch + c->cluster->cloth.first_patch[from],
         (const unsigned char*)bytes + sizeof(*c->share), size - sizeof(*c->share));
}

static void gather_costs(weft_cluster* cluster, costs* c, float share) {
  const weft__range own = cluster->domain.patches;
  count_costs(cluster, c->of_patch);
  add_trees(cluster, c->of_patch);
  c->share[weft__own_rank(cluster)] = share;
  memcpy(c->packed, &share, sizeof(share));
  memcpy(c->packed + sizeof(share), c->of_patch + own.begin, c->size - sizeof(share));
  weft__mailbox_gather(&cluster->mailbox, &cluster->state, c->packed, c->size, take_costs, c);
}

static bool are_shares(const costs* c) {
  for (uint32_t r = 0; r < weft__rank_count(c->cluster); ++r) {
    if (!(c->share[r] > 0.0f) || !isfinite(c->share[r])) return false;
  }
  return true;
}

typedef struct moved_sets {
  const weft__stage_halo* before;
  const weft__stage_halo* after;
  uint32_t count;
  void (*copy)(weft_cluster* cluster, weft__copier* copier, uint32_t index);
  weft__words* of_rank; /* given [rank_count] */
} moved_sets;

enum { TREES, MESHES, BODIES, KINDS };

// old: the division before
typedef struct move {
  weft_cluster* cluster;
  weft_cluster* old;
  moved_sets sets[KINDS];
  unsigned char** blocks; /* by rank; NULL: nothing [rank_count] */
  size_t* sizes;          /* [rank_count] */
} move;

static bool has(const uint32_t* stamps, uint32_t rank, uint32_t set) {
  return stamps[rank] == set + 1;
}

// Sets for the ranks that solve them now, but did not. before, after: last set with a particle of
// each rank, + 1 [rank_count]
static bool list_set(const move* m, const moved_sets* sets, uint32_t set, uint32_t* before,
                     uint32_t* after) {
  const weft__particle_set particles = sets->after->rows->set(sets->after->table, set);
  for (uint32_t k = 0; k < particles.count; ++k) {
    before[weft__division_rank(&m->old->cloth, particles.particles[k])] = set + 1;
    after[weft__division_rank(&m->cluster->cloth, particles.particles[k])] = set + 1;
  }
  for (uint32_t r = 0; r < weft__rank_count(m->cluster); ++r) {
    if (r == weft__own_rank(m->cluster) || !has(after, r, set) || has(before, r, set)) continue;
    if (!weft__words_push(&sets->of_rank[r], set)) return false;
  }
  return true;
}

static bool list_sets(const move* m, const moved_sets* sets) {
  const uint32_t ranks = weft__rank_count(m->cluster);
  uint32_t* stamps = weft__alloc_zeroed(2 * (uint64_t)ranks, sizeof(*stamps));
  bool good = stamps != NULL && sets->of_rank != NULL;
  for (uint32_t s = 0; s < sets->count && good; ++s) {
    if (sets->before->home[s] != weft__own_rank(m->cluster)) continue;
    good = list_set(m, sets, s, stamps, stamps + ranks);
  }
  weft__free(stamps);
  return good;
}

// Own patches of one division that the other gives another rank.
static void copy_patches(const move* m, const weft_cluster* own, const weft_cluster* others,
                         uint32_t rank, weft__copier* c) {
  const uint32_t* mine = own->cloth.first_patch + weft__own_rank(m->cluster);
  const uint32_t* theirs = others->cloth.first_patch + rank;
  const weft__range patches =
      weft__range_common((weft__range){mine[0], mine[1]}, (weft__range){theirs[0], theirs[1]});
  if (patches.begin == patches.end) return;
  weft__copy_patches(m->cluster, c, patches);
}

static void copy_given(const move* m, uint32_t to, weft__copier* c) {
  copy_patches(m, m->old, m->cluster, to, c);
  for (uint32_t k = 0; k < KINDS; ++k) {
    const weft__words* given = &m->sets[k].of_rank[to];
    for (size_t i = 0; i < given->count; ++i) m->sets[k].copy(m->cluster, c, given->items[i]);
  }
}

// Order as in copy_given(). Measures without a block.
static void copy_taken(const move* m, uint32_t from, weft__copier* c) {
  copy_patches(m, m->cluster, m->old, from, c);
  for (uint32_t k = 0; k < KINDS; ++k) {
    const moved_sets* sets = &m->sets[k];
    for (uint32_t s = 0; s < sets->count; ++s) {
      const bool is_new = sets->after->solves[s] != 0 && sets->before->solves[s] == 0;
      if (is_new && sets->before->home[s] == from) sets->copy(m->cluster, c, s);
    }
  }
}

static bool pack_given(const move* m) {
  bool good = m->blocks != NULL && m->sizes != NULL;
  for (uint32_t k = 0; k < KINDS && good; ++k) good = list_sets(m, &m->sets[k]);
  for (uint32_t r = 0; r < weft__rank_count(m->cluster) && good; ++r) {
    weft__copier c = {.at = 0};
    if (r == weft__own_rank(m->cluster)) continue;
    copy_given(m, r, &c);
    m->sizes[r] = c.at;
    if (c.at == 0) continue;
    m->blocks[r] = weft__alloc(c.at, 1);
    good = m->blocks[r] != NULL;
    if (good) copy_given(m, r, &(weft__copier){.to = m->blocks[r]});
  }
  return good;
}

static void exchange_blocks(const move* m) {
  weft__mailbox* mailbox = &m->cluster->mailbox;
  weft__channel* channel = &m->cluster->state;
  for (uint32_t r = 0; r < weft__rank_count(m->cluster); ++r) {
    if (m->sizes[r] > 0) weft__mailbox_send(mailbox, channel, r, m->blocks[r], m->sizes[r]);
  }
  for (uint32_t r = 0; r < weft__rank_count(m->cluster); ++r) {
    weft__copier c = {.at = 0};
    if (r == weft__own_rank(m->cluster)) continue;
    copy_taken(m, r, &c);
    if (c.at == 0) continue;
    weft__block* block = weft__mailbox_wait(mailbox, channel, r);
    copy_taken(m, r, &(weft__copier){.from = block->bytes});
    block->is_in_use = false;
  }
  ++channel->sequence;
}

static void free_move(move* m) {
  for (uint32_t r = 0; r < weft__rank_count(m->cluster); ++r) {
    for (uint32_t k = 0; k < KINDS && m->sets[k].of_rank != NULL; ++k) {
      weft__free(m->sets[k].of_rank[r].items);
    }
    if (m->blocks != NULL) weft__free(m->blocks[r]);
  }
  for (uint32_t k = 0; k < KINDS; ++k) weft__free(m->sets[k].of_rank);
  weft__free(m->blocks);
  weft__free(m->sizes);
}

// Collective; if it fails nothing is sent.
static bool move_state(weft_cluster* cluster, weft_cluster* old) {
  const uint32_t ranks = weft__rank_count(cluster);
  const weft__halo_rows* const rows[KINDS] = {&weft__tree_rows, &weft__bend_mesh_rows,
                                              &weft__pressure_rows};
  move m = {
      .cluster = cluster,
      .old = old,
      .sets = {{.copy = weft__copy_tree}, {.copy = weft__copy_mesh}, {.copy = weft__copy_body}},
      .blocks = weft__alloc_zeroed(ranks, sizeof(*m.blocks)),
      .sizes = weft__alloc_zeroed(ranks, sizeof(*m.sizes))};
  for (uint32_t k = 0; k < KINDS; ++k) {
    m.sets[k].before = weft__cluster_halo(old, rows[k], 0);
    m.sets[k].after = weft__cluster_halo(cluster, rows[k], 0);
    m.sets[k].count = rows[k]->set_count(m.sets[k].after->table);
    m.sets[k].of_rank = weft__alloc_zeroed(ranks, sizeof(*m.sets[k].of_rank));
  }
  const bool good = weft__mailbox_agree(&cluster->mailbox, &cluster->common, pack_given(&m));
  if (good) exchange_blocks(&m);
  free_move(&m);
  return good;
}

// Collective; the old ranges stay if it fails.
static bool take_ranges(weft_cluster* cluster, const uint32_t* first_patch) {
  weft_cluster* old = weft__alloc_zeroed(1, sizeof(*old));
  if (!weft__mailbox_agree(&cluster->mailbox, &cluster->common, old != NULL)) {
    weft__free(old);
    return false;
  }
  weft__cluster_move_division(old, cluster);
  const bool good = weft__cluster_divide(cluster, first_patch) && move_state(cluster, old);
  if (!good) {
    weft__cluster_destroy_division(cluster);
    weft__cluster_move_division(cluster, old);
  }
  weft__cluster_apply(cluster);
  weft__cluster_destroy_division(old);
  weft__free(old);
  if (!good) return false;
  cluster->world->stepper.joints.sorted = false;
  return true;
}

// Present ranges stay if they are as good.
static weft_result choose_ranges(weft_cluster* cluster, const costs* c, uint32_t* first_patch) {
  const uint32_t ranks = weft__rank_count(cluster);
  const uint32_t patches = cluster->world->stepper.schedule.patch_count;
  const uint32_t* present = cluster->cloth.first_patch;
  const weft__cost_shares by = {c->of_patch, patches, c->share, ranks};
  weft__partition_costs(&by, first_patch);
  cluster->balance.before = weft__partition_imbalance(&by, present);
  cluster->balance.after = weft__partition_imbalance(&by, first_patch);
  if (cluster->balance.after > (1.0 - LEAST_GAIN) * cluster->balance.before) {
    cluster->balance.after = cluster->balance.before;
    return weft__ok();
  }
  WEFT__FAIL_IF(!take_ranges(cluster, first_patch), WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  ++cluster->balance.count;
  return weft__ok();
}

weft_result weft__cluster_redistribute(weft_cluster* cluster, float share) {
  costs c;
  uint32_t* first_patch = weft__alloc((size_t)weft__rank_count(cluster) + 1, sizeof(*first_patch));
  const bool good = allocate_costs(&c, cluster) && first_patch != NULL;
  weft_result result = weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  if (weft__mailbox_agree(&cluster->mailbox, &cluster->common, good)) {
    gather_costs(cluster, &c, share);
    result = are_shares(&c) ? choose_ranges(cluster, &c, first_patch)
                            : weft__fail(WEFT_ERROR_RANGE, "share");
  }
  free_costs(&c);
  weft__free(first_patch);
  return result;
}
