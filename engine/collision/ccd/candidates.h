/* Which pairs may meet, and which of these do. */
#ifndef WEFT_COLLISION_CCD_CANDIDATES_H
#define WEFT_COLLISION_CCD_CANDIDATES_H

#include "collision/ccd/ccd.h"
#include "collision/ccd/toi.h"

/* Context of completion steps. */
typedef struct weft__ccd_job {
  weft__ccd* ccd;
  const weft__contact_stage* stage; /* of the worker that arrives last */
} weft__ccd_job;

typedef enum weft__finding {
  WEFT__FIND_NONE = 0,
  WEFT__FIND_PAIRS = 1, /* of the runs that want them */
  WEFT__FIND_LEFT =
      2, /* and strangers of blocks that left their skins: found_at is one more than there were findings */
  WEFT__FIND_NON_ADJACENT = 3, /* and of all blocks */
  WEFT__FIND_ALL = 4,          /* and windows, with all room free at first */
} weft__finding;

/* Finds runs on the ways from exact->start to where particles are, or until a block has gone further than its skin
 * from there, and pairs. Called by all workers, who meet in it, and at its end. */
void weft__ccd_broad_phase(weft__ccd* ccd, const weft__contact_stage* stage, weft__finding what);

/* Around a block's ways, and as much further as it may go. */
weft__moving_aabb weft__ccd_cluster_aabb(const weft__ccd* ccd, const weft__materials* materials,
                                         uint32_t block);

/* Lists the runs of a worker's blocks. */
void weft__ccd_traverse(weft__ccd* ccd, const weft__contact_stage* stage, weft__finding what);

/* What tells that two blocks do not meet, if anything does: sets kind and key of a block's run, and whether its
 * pairs are wanted. */
void weft__ccd_separate(const weft__ccd* ccd, uint32_t block, weft__cluster_pair* run);

/* By how much derivatives of the parts of a window have changed, ever. */
double weft__flat_region_bend(const weft__ccd* ccd, const weft__flat_region* window);

/* Whether what told the blocks of a run apart may do so no more. */
bool weft__cluster_pair_is_over(const weft__ccd* ccd, uint32_t block,
                                const weft__cluster_pair* run);

/* Whether a plane parts the members [0] and [1] of two blocks or quarters by more than a gap; then by how much
 * more, in metres, they are parted now. */
bool weft__ccd_part(const weft__ccd_positions* places, const weft__range members[2],
                    const weft__ccd_frame* a, const weft__ccd_frame* b, float gap, float* room);

/* Finds the pairs of a worker's runs that want them. */
void weft__ccd_find_candidates(weft__ccd* ccd, const weft__contact_stage* stage);

/* By how much the particles of two blocks may have moved against each other, ever, in metres: by all that they went,
 * or, where they share one, by what they went otherwise than that. */
static inline float weft__ccd_displacement_of(const weft__ccd* ccd, uint32_t block,
                                              const weft__cluster_pair* run) {
  const float* path = run->window == WEFT__NO_WINDOW ? ccd->path : ccd->aside;
  return path[block] + path[run->other];
}

/* How much further a block may go. */
static inline float weft__ccd_allowance(const weft__ccd* ccd, uint32_t block) {
  const float left = ccd->skin[block] - ccd->path[block];
  return left > 0.0f ? left : 0.0f;
}

/* By how much a particle is larger than none. */
static inline float weft__ccd_extra(const weft__material* material) {
  return material->shape == WEFT_CONTACT_CLOTH ? 0.0f : material->half_size[0];
}

/* True once a block has used up its pair tests of this substep, or has no room for its pairs. */
static inline bool weft__ccd_is_over_budget(const weft__cluster_pair_list* chain) {
  return chain->is_lost || chain->test_count > WEFT__CCD_MAX_TESTS;
}

/* True where one of the two blocks is over its budget: both then move in one impact zone. */
static inline bool weft__cluster_pair_is_zoned(const weft__ccd* ccd, uint32_t block,
                                               const weft__cluster_pair* run) {
  return ccd->zoning[block] == WEFT__ZONED_OVER_BUDGET ||
         ccd->zoning[run->other] == WEFT__ZONED_OVER_BUDGET;
}

/* Whether a run of a block is good: else it stands in the other one's chain, or is found anew. */
static inline bool weft__cluster_pair_counts(const weft__ccd* ccd, const weft__cluster_pair* run) {
  return run->made >= ccd->found_at[run->other];
}

/* The first runs of a block of faces: those that have windows. */
static inline weft__cluster_pairs weft__flat_regions_of(const weft__ccd* ccd, uint32_t block) {
  weft__cluster_pairs runs = weft__cluster_pairs_of(&ccd->pairs, &ccd->chain[block]);
  weft__cluster_pair* end = runs.begin + ccd->flats.blocks.window_count[block];
  if (end < runs.end) runs.end = end;
  return runs;
}

/* The window of a block's run; NULL where there is none. */
static inline weft__flat_region* weft__cluster_pair_window(const weft__ccd* ccd, uint32_t block,
                                                           const weft__cluster_pair* run) {
  if (run->window == WEFT__NO_WINDOW) return NULL;
  return &ccd->flats.blocks.window[block][run->window];
}

/* Which zones are rolled back to where the substep began, beside those that were before. */
typedef enum weft__ccd_rollback {
  WEFT__ROLL_NONE = 0,
  WEFT__ROLL_ZONES = 1,  /* those of which a pair meets */
  WEFT__ROLL_GROUPS = 2, /* and all blocks that are connected with these by runs */
  WEFT__ROLL_ALL = 3,    /* and all others */
} weft__ccd_rollback;

/* A pair, ready to be looked at. */
typedef struct weft__ccd_case {
  uint32_t particle[4];
  weft__toi toi;
  float gap;    /* metres */
  float margin; /* metres: what the gap would be between two of no size */
} weft__ccd_case;

/* `size` is the smaller one of the two blocks'. */
weft__ccd_case weft__ccd_case_of(const weft__ccd* ccd, const weft__contact_stage* stage,
                                 const weft__ccd_pair* pair, float size);

/* What is between them, were they one, of the material of each. */
static inline const weft__material* weft__ccd_first_material(const weft__ccd_case* c,
                                                             const weft__materials* materials) {
  return weft__material_of(materials, c->particle[0]);
}

static inline const weft__material* weft__ccd_second_material(const weft__ccd_case* c,
                                                              const weft__materials* materials) {
  return weft__material_of(materials, c->particle[3]);
}

/* Whether it went with a link. */
bool weft__ccd_pair_is_gone(const weft__ccd* ccd, const weft__contact_stage* stage,
                            const weft__ccd_pair* pair);

/* Whether a case meets; then the time, and the nearness there. */
bool weft__ccd_case_meets(const weft__ccd_case* c, const weft__nearness* at_start, double bound,
                          double* time, weft__nearness* nearness);

/* Counts the ways that particles went since they were last seen, or since the substep began, and finds pairs anew
 * where a block left its skin, or all were moved. Called by all workers, who meet in it. */
void weft__ccd_count_displacements(weft__ccd* ccd, const weft__contact_stage* stage, bool first);

/* True if a contour along which cloth crosses already when the substep begins passes through the pair: an edge at the
 * particle crosses the face, or one of the two edges a face of the other. Adds its tests to *test_count. */
bool weft__ccd_pair_is_crossed(const weft__ccd* ccd, const weft__contact_stage* stage,
                               const weft__ccd_pair* pair, uint32_t* test_count);

/* Bits of a round's verdict. */
enum {
  WEFT__VERDICT_HITS = 1,      /* pairs meet */
  WEFT__VERDICT_OVERSPENT = 2, /* blocks are over their budget */
};

/* Looks at the pairs whose keys have run out, and marks those that meet. Called by all workers, who meet in it. */
uint32_t weft__ccd_narrow_phase(weft__ccd* ccd, const weft__contact_stage* stage);

/* Lists what was found to meet, as far as there is room, in exact->hit. Called by all workers, who meet in it. */
void weft__ccd_list_hits(weft__ccd* ccd, const weft__contact_stage* stage);

/* Ends all impact zones, as a substep begins. Called by a completion step. */
void weft__ccd_clear_impact_zones(weft__ccd* ccd);

/* Joins what meets to impact zones, and moves or rolls back all zones. Called by all workers, who meet in it. */
void weft__ccd_join_impact_zones(weft__ccd* ccd, const weft__contact_stage* stage,
                                 weft__ccd_rollback rolling);

/* Joins blocks that are over their budget, with all that are near them, to impact zones, and moves these, or, if
 * `is_rolling`, rolls new ones back. Returns true if zones grew. Called by all workers, who meet in it. */
bool weft__ccd_join_overspent(weft__ccd* ccd, const weft__contact_stage* stage, bool is_rolling);

/* Pushes apart what meets. Called by all workers, who meet in it. */
void weft__ccd_solve(weft__ccd* ccd, const weft__contact_stage* stage);

/* Lets a particle be elsewhere. What keeps it apart has come about evenly since it was last looked at: so its velocity
 * changes only by the part of this substep. */
void weft__ccd_move(weft__ccd* ccd, const weft__contact_stage* stage, uint32_t particle,
                    const float to[3]);

/* Notes that a particle was moved, for all blocks that it is in: whoever does writes the same. */
void weft__ccd_note_moved(weft__ccd* ccd, uint32_t particle);

/* The next block of a worker: they take turns by handfuls, as what is near lies in heaps. */
static inline uint32_t weft__ccd_next_cluster(const weft__contact_stage* stage, uint32_t b) {
  return (b + 1) % 8 != 0 ? b + 1 : b + 1 + 8 * (stage->worker_count - 1);
}

static inline uint32_t weft__ccd_first_cluster(const weft__contact_stage* stage) {
  return 8 * stage->worker;
}

static inline const float* weft__axis_of(const weft__particles* p, int axis) {
  return axis == 0 ? p->pos_x : axis == 1 ? p->pos_y : p->pos_z;
}

#endif
