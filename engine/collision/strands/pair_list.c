#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/min_max.h"
#include "base/sort.h"
#include "collision/self/seams.h"
#include "collision/strands/strands.h"

// Pairs for each strand: a heap of rope as thick as its links are long has up to ten.
#define PAIRS_A_STRAND 12u
// Share of the largest radius that a strand may move off its motion while its pairs are kept, and
// the share of this motion until the end of the step that its box covers.
#define SKIN_SHARE 0.25f
#define PREDICTION 1.25f
// Refits of a tree before it is built anew.
#define REFITS 31u
// Strands that one is compared with, at most: several hundred times a tight knot's neighbours.
#define MAX_TESTS 1024u
// Work of a comparison, and of a measured distance.
#define LIST_WORK 4u
#define MEASURE_WORK 16u
// Path between ends of two strands without contact, in sums of radii, as in self-collision.
#define EXCLUDED_PATH 1.5f

static void lay_out(weft__strands* s, size_t particles, weft__arena* arena) {
  s->particle = weft__arena_alloc(arena, s->particle_count, sizeof(*s->particle));
  s->is_thick = weft__arena_alloc(arena, s->count, sizeof(*s->is_thick));
  s->is_own = weft__arena_alloc(arena, particles, sizeof(*s->is_own));
  s->box = weft__arena_alloc(arena, s->count, sizeof(*s->box));
  s->path = weft__arena_alloc(arena, 2 * (size_t)s->leaf_count, sizeof(*s->path));
  s->is_moved = weft__arena_alloc(arena, particles, sizeof(*s->is_moved));
  s->moved = weft__arena_alloc(arena, s->particle_count, sizeof(*s->moved));
  s->lengths.is_stretched = weft__arena_alloc(arena, s->count, sizeof(*s->lengths.is_stretched));
  s->lengths.stretched = weft__arena_alloc(arena, s->count, sizeof(*s->lengths.stretched));
  s->lengths.limit = weft__arena_alloc(arena, s->count, sizeof(*s->lengths.limit));
  s->pair = weft__arena_alloc(arena, s->pair_capacity, sizeof(*s->pair));
  s->contact = weft__arena_alloc(arena, s->pair_capacity, sizeof(*s->contact));
}

// Lists the particles of strands, ascending, unless `list` is NULL; returns their number.
static uint32_t list_particles(const weft__strands* s, uint32_t particle_count, uint32_t* list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < particle_count; ++i) {
    const uint32_t end = s->faces->first_use[i + 1];
    // uses ascend, and strands come after faces
    if (s->faces->first_use[i] == end || s->faces->use[end - 1] < s->first) continue;
    if (list != NULL) list[count] = i;
    ++count;
  }
  return count;
}

static uint32_t wanted_pairs(const weft__contact_setup* setup, const weft__faces* faces) {
  if (faces == NULL) return 0;
  const uint32_t limit = setup->limits.max_pairs;
  const uint64_t wanted = limit > 0 ? limit : (uint64_t)PAIRS_A_STRAND * faces->strand_count;
  return wanted < UINT32_MAX / 2 ? (uint32_t)wanted : UINT32_MAX / 2;
}

static bool create(weft__strands* s, const weft__contact_setup* setup, const weft__faces* faces,
                   uint32_t pair_limit) {
  weft__strands made = {.faces = faces,
                        .first = faces->count - faces->strand_count,
                        .count = faces->strand_count,
                        .pair_capacity = pair_limit,
                        .lost = s->lost};
  const uint32_t particles = setup->particles->count;
  made.particle_count = list_particles(&made, particles, NULL);
  for (made.leaf_count = 1; made.leaf_count < made.count;) made.leaf_count *= 2;
  if (!weft__bvh_create(&made.tree, made.count)) return false;
  made.bytes = made.tree.bytes;
  for (weft__arena arena = {0}; weft__arena_next(&arena, &made.block, &made.bytes);)
    lay_out(&made, particles, &arena);
  if (made.block == NULL) {
    weft__bvh_destroy(&made.tree);
    return false;
  }
  (void)list_particles(&made, particles, made.particle);
  *s = made;
  return true;
}

// Leaves the memory of tables that are replaced to the caller.
static bool renew(weft__strands* s, const weft__contact_setup* setup, const weft__faces* faces,
                  uint32_t pair_limit) {
  const weft__materials* materials = setup->materials;
  const bool on = faces != NULL && faces->strand_count > 0 && materials->exact_count > 0 &&
                  materials->shape_count[WEFT_PARTICLE_SHAPE_CLOTH] > 0;
  if (on && (s->block == NULL || pair_limit > s->pair_capacity) &&
      !create(s, setup, faces, pair_limit)) {
    return false;
  }
  if (pair_limit != s->pair_limit) s->is_listed = false;
  s->pair_limit = pair_limit;
  s->on = on;
  return true;
}

bool weft__strands_prepare(weft__strands* s, const weft__contact_setup* setup,
                           const weft__faces* faces) {
  weft__strands former = *s;
  if (!renew(s, setup, faces, wanted_pairs(setup, faces))) return false;
  if (former.block != s->block) weft__strands_destroy(&former);
  return true;
}

void weft__strands_visit(weft__strands* s, weft__archive* archive, const weft__contact_setup* setup,
                         const weft__faces* faces) {
  uint32_t pair_limit = s->pair_limit;
  WEFT__ARCHIVE_VALUE(archive, pair_limit);
  if (weft__archive_is_checking(archive)) {
    (void)weft__archive_allocated(archive, renew(s, setup, faces, pair_limit));
    s->is_classified = false;
  }
  WEFT__ARCHIVE_VALUE(archive, s->lost);
}

void weft__strands_destroy(weft__strands* s) {
  weft__bvh_destroy(&s->tree);
  weft__free(s->block);
  *s = (weft__strands){0};
}

static bool is_thick(const weft__material* material) {
  return material->is_exact && material->shape == WEFT_PARTICLE_SHAPE_CLOTH;
}

void weft__strands_classify(weft__strands* s, const weft__step_context* step) {
  const weft__materials* materials = step->materials;
  if (s->is_classified && s->version == materials->version &&
      s->joints_version == step->joints->version)
    return;
  s->is_classified = true;
  s->version = materials->version;
  s->joints_version = step->joints->version;
  s->is_listed = false;
  s->longest_radius = 0.0f;
  for (uint32_t n = 0; n < s->particle_count; ++n) s->is_own[s->particle[n]] = 0;
  for (uint32_t k = 0; k < s->count; ++k) {
    const uint32_t* end = weft__strand_ends(s, k);
    const weft__material* of[2] = {weft__material_of(materials, end[0]),
                                   weft__material_of(materials, end[1])};
    s->is_thick[k] = is_thick(of[0]) && is_thick(of[1]);
    if (!s->is_thick[k]) continue;
    for (int e = 0; e < 2; ++e) {
      s->longest_radius = weft__maxf(s->longest_radius, of[e]->half_size[0]);
      s->is_own[end[e]] = s->faces->use[s->faces->first_use[end[e]]] >= s->first;
    }
  }
}

// Box in both states, and in `ahead` more substeps of the same motion; empty without thickness.
static weft__aabb box_of(const weft__strands* s, const weft__step_context* step, uint32_t strand,
                         float ahead, float inflation) {
  weft__aabb box = weft__aabb_empty();
  if (!s->is_thick[strand]) return box;
  const uint32_t* end = weft__strand_ends(s, strand);
  for (int e = 0; e < 2; ++e) {
    float at[3][3];
    for (int axis = 0; axis < 3; ++axis) {
      at[0][axis] = step->particles->pos[axis][end[e]];
      at[1][axis] = step->particles->prev[axis][end[e]];
      at[2][axis] = at[0][axis] + ahead * (at[0][axis] - at[1][axis]);
    }
    for (int k = 0; k < 3; ++k) weft__aabb_add_point(&box, at[k]);
  }
  weft__aabb_inflate(&box, inflation);
  return box;
}

// Boxes of both strands of a pair are inflated.
static float margin_of(const weft__strands* s) {
  return WEFT__STRAND_MARGIN * s->longest_radius;
}

// Each strand is in its listed box.
static bool is_current(const weft__strands* s, const weft__step_context* step) {
  for (uint32_t k = 0; k < s->count; ++k) {
    const weft__aabb box = box_of(s, step, k, 0.0f, margin_of(s));
    if (s->is_thick[k] && !weft__aabb_contains(&s->box[k], &box)) return false;
  }
  return true;
}

typedef struct search {
  weft__strands* strands;
  weft__step_context* step;
  uint32_t strand;
  uint32_t first;     /* this strand's */
  bool has_only_near; /* pairs of this substep */
  uint32_t tests;     /* this strand's */
  uint64_t lost, work;
} search;

bool weft__strands_are_excluded(const weft__strands* s, const weft__step_context* step,
                                uint32_t one, uint32_t other) {
  const weft__materials* materials = step->materials;
  const uint32_t* a = weft__strand_ends(s, one);
  const uint32_t* b = weft__strand_ends(s, other);
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      const weft__material* of[2] = {weft__material_of(materials, a[i]),
                                     weft__material_of(materials, b[k])};
      const float path = EXCLUDED_PATH * (of[0]->half_size[0] + of[1]->half_size[0]);
      if (a[i] == b[k] || !weft__surfaces_collide(&of[0]->surface, &of[1]->surface) ||
          weft__are_excluded(s->exclusions, a[i], b[k], path) ||
          weft__seams_exclude(s->exclusions, step->joints, a[i], b[k], path)) {
        return true;
      }
    }
  }
  return weft__environment_of(step->schedule, a[0]) != weft__environment_of(step->schedule, b[0]);
}

static bool add_pair(void* context, uint32_t other) {
  search* q = context;
  weft__strands* s = q->strands;
  if (++q->tests > MAX_TESTS) {
    ++q->lost;
    return false;
  }
  q->work += LIST_WORK;
  if (other <= q->strand || weft__strands_are_excluded(s, q->step, q->strand, other)) return true;
  if (q->has_only_near) q->work += MEASURE_WORK;
  const uint64_t pair = (uint64_t)q->strand << 32 | other;
  weft__strand_contact contact;
  if (q->has_only_near && !weft__strands_measure(s, q->step, pair, &contact)) return true;
  if (s->pair_count == s->pair_limit) {
    ++q->lost;
    return false;
  }
  s->pair[s->pair_count++] = pair;
  return true;
}

static void build_tree(weft__strands* s) {
  weft__bvh_build(&s->tree, s->box, s->count);
  s->refits_left = REFITS;
}

// Refits the tree, or builds it after some times.
static void update_tree(weft__strands* s, const weft__step_context* step, float ahead) {
  const float inflation = margin_of(s) + SKIN_SHARE * s->longest_radius;
  for (uint32_t k = 0; k < s->count; ++k) s->box[k] = box_of(s, step, k, ahead, inflation);
  if (s->refits_left == 0) {
    build_tree(s);
  } else {
    weft__bvh_refit(&s->tree, s->box, step->pool);
    --s->refits_left;
  }
}

// Returns the number of strands with more pairs than there is room for.
static uint64_t list_pairs(weft__strands* s, weft__step_context* step, bool has_only_near,
                           uint64_t* work) {
  search q = {.strands = s, .step = step, .has_only_near = has_only_near};
  s->pair_count = 0;
  for (q.strand = 0; q.strand < s->count; ++q.strand) {
    if (!s->is_thick[q.strand]) continue;
    q.first = s->pair_count;
    q.tests = 0;
    (void)weft__bvh_find(&s->tree, &s->box[q.strand], add_pair, &q);
    weft__sort_numbers(s->pair + q.first, s->pair_count - q.first);
  }
  *work = q.work;
  return q.lost;
}

// Pairs that are dropped depend on the order in which a tree finds them: it is a new one's.
static uint64_t list_all(weft__strands* s, weft__step_context* step, uint64_t* work) {
  const uint64_t lost = list_pairs(s, step, false, work);
  if (lost == 0 || s->refits_left == REFITS) return lost;
  build_tree(s);
  return list_pairs(s, step, false, work);
}

// Without room for pairs within the skin only pairs that take part are listed: dropped ones then
// depend on positions, not on the age of a list.
void weft__strands_find_pairs(weft__strands* s, weft__step_context* step) {
  if (s->is_listed && is_current(s, step)) return;
  if (step->substep > 0 && weft__step_cuts(step, WEFT__WORK_HALF)) return;
  update_tree(s, step, PREDICTION * (float)(step->substeps - 1 - step->substep));
  uint64_t work[2] = {0};
  s->is_listed = list_all(s, step, &work[0]) == 0;
  if (!s->is_listed) s->lost += list_pairs(s, step, true, &work[1]);
  weft__step_spend(step, work[0] + work[1]);
}
