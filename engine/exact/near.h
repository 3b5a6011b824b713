/* Which pairs may meet, and which of these do. */
#ifndef WEFT_EXACT_NEAR_H
#define WEFT_EXACT_NEAR_H

#include "exact/exact.h"
#include "exact/meeting.h"

/* Finds all pairs that may meet on the ways from exact->start to where particles are, or until a block has gone
 * further than its skin from there. Unless `all`, only those of blocks that left their skins, whose found_at is
 * one more than there were findings. Called by all workers, who meet in it, and at its end. */
void weft__exact_find_pairs(weft__exact* exact, const weft__contact_stage* stage, bool all);

/* A pair, ready to be looked at. */
typedef struct weft__exact_case {
  uint32_t particle[4];
  weft__meeting meeting;
  float gap;    /* metres */
  float margin; /* metres: what the gap would be between two of no size */
} weft__exact_case;

/* `size` is the smaller one of the two blocks'. */
weft__exact_case weft__exact_case_of(const weft__exact* exact, const weft__contact_stage* stage,
                                     const weft__exact_pair* pair, float size);

/* What is between them, were they one, of the material of each. */
static inline const weft__material* weft__exact_first_material(const weft__exact_case* c,
                                                               const weft__materials* materials) {
  return weft__material_of(materials, c->particle[0]);
}

static inline const weft__material* weft__exact_second_material(const weft__exact_case* c,
                                                                const weft__materials* materials) {
  return weft__material_of(materials, c->particle[3]);
}

/* Whether it went with a link. */
bool weft__exact_pair_is_gone(const weft__exact* exact, const weft__contact_stage* stage,
                              const weft__exact_pair* pair);

/* Whether a case meets; then the time, and the nearness there. */
bool weft__exact_case_meets(const weft__exact_case* c, const weft__nearness* at_start, double bound,
                            double* time, weft__nearness* nearness);

/* Counts the ways that particles went since they were last seen, and finds pairs anew where a block left its skin,
 * or all were moved. Called by all workers, who meet in it. */
void weft__exact_count_ways(weft__exact* exact, const weft__contact_stage* stage);

/* Looks at the pairs whose keys have run out, and marks those that meet, and, if `stopping`, their particles in
 * put_back. Returns how many do. Called by all workers, who meet in it. */
uint64_t weft__exact_decide(weft__exact* exact, const weft__contact_stage* stage, bool stopping);

/* Lists what was found to meet, as far as there is room, in exact->hit. Called by all workers, who meet in it. */
void weft__exact_list_hits(weft__exact* exact, const weft__contact_stage* stage);

/* Lets what meets move as one; `first` in a substep forgets who did before. Called by all workers, who meet in
 * it. */
void weft__exact_join_zones(weft__exact* exact, const weft__contact_stage* stage, bool first);

/* Pushes apart what meets. Called by all workers, who meet in it. */
void weft__exact_push(weft__exact* exact, const weft__contact_stage* stage);

/* The next block of a worker: they take turns by handfuls, as what is near lies in heaps. */
static inline uint32_t weft__exact_next_block(const weft__contact_stage* stage, uint32_t b) {
  return (b + 1) % 8 != 0 ? b + 1 : b + 1 + 8 * (stage->worker_count - 1);
}

static inline uint32_t weft__exact_first_block(const weft__contact_stage* stage) {
  return 8 * stage->worker;
}

static inline const float* weft__axis_of(const weft__particles* p, int axis) {
  return axis == 0 ? p->pos_x : axis == 1 ? p->pos_y : p->pos_z;
}

#endif
