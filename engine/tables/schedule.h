/* The frozen schedule: every link of a scene in solver order and layout.
 *
 *   colour     patches of one colour share no particle: they can be solved in parallel
 *    patch     a range of particles that fits a core's cache, and the links that start in it
 *     batch    links of one patch, no two of which share a particle
 *      run     consecutive lane groups of one batch with the same addressing
 *       group  16 SIMD lanes: up to 16 links, solved by vectors of any width
 *
 * Sheets become contiguous runs almost to the last link. A patch of an irregular mesh is solved on
 * *records*, copies of the particles that it touches, x y z and inverse mass side by side: one load
 * fetches a particle. Its runs are fans. The copies are made of *segments*, ranges of particles;
 * index_local counts through the patch's segments, the first of which is the patch.
 *
 * Groups have 16 lanes on every ISA. A narrower ISA solves a group in several parts with the same
 * result, as its lanes are independent: half of why all ISAs give the same bits. The other half is
 * that only this order decides which link uses whose result. */
#ifndef WEFT_TABLES_SCHEDULE_H
#define WEFT_TABLES_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/range.h"
#include "tables/hinge_schedule.h"
#include "tables/link_schedule.h"
#include "tables/membrane_schedule.h"

typedef struct weft__schedule {
  uint32_t particle_count;
  uint32_t bend_count; /* hinges, of all solvers */
  uint32_t color_count;
  uint32_t patch_count;
  uint32_t batch_count;
  uint32_t run_count;
  uint32_t run_group_count; /* in contiguous runs */
  uint32_t segment_count;
  uint32_t max_locals; /* largest number in a patch */
  weft__link_schedule links;
  weft__hinge_schedule hinges;
  weft__membrane_schedule membranes;

  uint32_t* user_of;   /* caller's number of a particle [particle_count] */
  uint32_t* solver_of; /* solver's number of a particle [particle_count] */

  /* consecutive; NULL if there is one */
  uint32_t environment_count;
  uint32_t* environment_first; /* first patch, and the end [environment_count + 1] */
  uint32_t* environment_of;    /* in solver order [particle_count] */

  uint32_t* patch_color; /* [patch_count] */
  uint32_t* component;   /* see step_context.h; NULL if there are no strides [patch_count] */
  uint32_t* patch_first_neighbor;
  uint32_t* neighbors; /* patches that share a particle, ascending */
  uint32_t* patch_first;
  uint32_t* patch_first_batch; /* [patch_count + 1] */
  uint32_t* batch_first_run;   /* [batch_count + 1] */
  weft__run* runs;             /* [run_count] */
  uint32_t* index_a;           /* in indexed groups [.. x WEFT__LANES] */
  uint32_t* index_b;
  uint16_t* index_local; /* in fans [.. x WEFT__LANES] */

  uint32_t* patch_first_segment; /* none: solved in place [patch_count + 1] */
  weft__segment* segments;       /* [segment_count] */
  size_t bytes;
} weft__schedule;

/* First columns of the table, grown while a schedule is built: lane parameters in the order of
 * weft__run, then of links, hinges, membrane elements. */
typedef enum weft__emitted {
  WEFT__EMIT_REST,
  WEFT__EMIT_RELAXATION,
  WEFT__EMIT_COMPLIANCE,
  WEFT__EMIT_TEAR_RATIO,
  WEFT__EMIT_SLACK_BELOW,
  WEFT__EMIT_SLACK_ABOVE,
  WEFT__EMIT_BATCHES,
  WEFT__EMIT_RUNS,
  WEFT__EMIT_SEGMENTS,
  WEFT__EMIT_MASKS,
  WEFT__EMIT_STRUCTURAL,
  WEFT__EMIT_INDEX_A,
  WEFT__EMIT_INDEX_B,
  WEFT__EMIT_LOCALS,
  WEFT__EMIT_HINGE_SEGMENTS,
  WEFT__EMIT_PIECES,
  WEFT__EMIT_LANES,
  WEFT__EMIT_YIELD,
  WEFT__EMIT_MEMBRANE_SEGMENTS,
  WEFT__EMIT_MEMBRANE_PIECES,
  WEFT__EMIT_MEMBRANE_LANES,
  WEFT__EMIT_COLUMNS,
  /* prefix offsets of the patches */
  WEFT__EMIT_FIRST_BATCH = WEFT__EMIT_COLUMNS,
  WEFT__EMIT_FIRST_SEGMENT,
  WEFT__EMIT_FIRST_PIECE,
  WEFT__EMIT_FIRST_LANES,
  WEFT__EMIT_FIRST_MEMBRANE_PIECE,
  WEFT__EMIT_FIRST_MEMBRANE_LANES,
  WEFT__EMIT_END,
} weft__emitted;

extern const weft__table weft__schedule_table;

enum {
  WEFT__TEAR_MASKS = WEFT__GROUP(1),
  WEFT__LINK_MULTIPLIERS = WEFT__GROUP(2),
  WEFT__HINGE_MULTIPLIERS = WEFT__GROUP(3),
  WEFT__MEMBRANE_MULTIPLIERS = WEFT__GROUP(4),
};

/* Zeroed, unless they exist. */
bool weft__schedule_add(weft__schedule* schedule, uint32_t group);

/* Rest length of a lane of the run's group, metres. */
static inline double weft__schedule_rest_length(const weft__schedule* schedule,
                                                const weft__run* run, uint32_t group,
                                                uint32_t lane) {
  const size_t groups_before = group - run->first_group;
  return (double)schedule->links.rest_length[run->rest + groups_before * run->rest_stride + lane];
}

static inline uint32_t weft__patch_first_run(const weft__schedule* schedule, uint32_t patch) {
  return schedule->batch_first_run[schedule->patch_first_batch[patch]];
}

static inline uint32_t weft__patch_end_run(const weft__schedule* schedule, uint32_t patch) {
  return schedule->batch_first_run[schedule->patch_first_batch[patch + 1]];
}

/* A patch's groups, and slots, end at the next one's. */
static inline uint32_t weft__patch_first_group(const weft__schedule* schedule, uint32_t patch) {
  const uint32_t run = weft__patch_first_run(schedule, patch);
  return run < schedule->run_count ? schedule->runs[run].first_group : schedule->links.group_count;
}

static inline uint32_t weft__patch_first_slot(const weft__schedule* schedule, uint32_t patch) {
  return weft__patch_first_group(schedule, patch) * WEFT__LANES;
}

void weft__fill_patch_of(const uint32_t* patch_first, uint32_t patch_count, uint32_t* patch_of);

static inline weft__range weft__environment_particles(const weft__schedule* schedule,
                                                      uint32_t environment) {
  if (schedule->environment_first == NULL) return (weft__range){0, schedule->particle_count};
  const uint32_t* first = schedule->environment_first + environment;
  return (weft__range){schedule->patch_first[first[0]], schedule->patch_first[first[1]]};
}

static inline uint32_t weft__environment_of(const weft__schedule* schedule, uint32_t particle) {
  return schedule->environment_of == NULL ? 0 : schedule->environment_of[particle];
}

uint32_t weft__patch_of_particle(const weft__schedule* schedule, uint32_t particle);

/* The lane holds a link; `run` is the patch's. */
void weft__schedule_ends(const weft__schedule* schedule, uint32_t patch, const weft__run* run,
                         uint32_t group, uint32_t lane, uint32_t* a, uint32_t* b);

typedef struct weft__lane {
  uint32_t patch;
  uint32_t group;
  uint32_t bit;
  const weft__run* run;
  uint32_t a, b;
} weft__lane;

static inline uint32_t weft__lane_slot(const weft__lane* lane) {
  return lane->group * WEFT__LANES + (uint32_t)__builtin_ctz(lane->bit);
}

/* See slot_of_link. */
weft__lane weft__schedule_lane(const weft__schedule* schedule, uint32_t slot);

typedef void weft__visit_lane(void* context, const weft__lane* lane);

/* Marked lanes of a patch in slot order: links that act by lane_mask. The visit may change a
 * group's mask, which is read before. [group_count] */
void weft__schedule_visit(const weft__schedule* schedule, uint32_t patch, const uint16_t* masks,
                          weft__visit_lane* visit, void* context);

/* Rigid links get multipliers; positions keep their bits. */
bool weft__schedule_track(weft__schedule* schedule);

void weft__schedule_destroy(weft__schedule* schedule);

#endif
