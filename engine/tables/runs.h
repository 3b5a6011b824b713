/* Runs: consecutive lane groups of links of one batch with the same addressing. A run is one of
 * three kinds:
 *
 *   contiguous   lane l of its group g joins the particles a + 16 g + l and b + 16 g + l: plain
 *                vector loads and stores on the particle columns
 *   indexed      the ends of each lane are in index_a and index_b
 *   fan          a slot of a fan. A fan is up to WEFT__FAN_LANES particles, the centres, and the
 *                links that go out from each; a slot holds one link of every centre. The centres
 *                stay in registers for all slots, only the other ends are loaded and stored. Both
 *                are in index_local, as records, in units of 8 bytes: two a record */
#ifndef WEFT_TABLES_RUNS_H
#define WEFT_TABLES_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT__LANES 16u
#define WEFT__ALL_LANES 0xffffu
/* Two groups: the second is solved while the first one's results are in flight. */
#define WEFT__FAN_LANES 32u
/* Limit on records of a patch: the index of the record past them, for empty lanes, must fit. */
#define WEFT__MAX_LOCALS 32767u

/* Absent column: see weft__run. */
#define WEFT__NONE UINT32_MAX

typedef enum weft__run_kind {
  WEFT__RUN_CONTIGUOUS,
  WEFT__RUN_INDEXED,
  WEFT__RUN_FAN,
} weft__run_kind;

/* Position of a lane parameter: first element of the first group, and the stride between groups,
 * which is 0 if the whole run has the same value in all lanes. */
typedef struct weft__parameter {
  uint32_t first;
  uint32_t stride;
} weft__parameter;

#define WEFT__PARAMETERS 6u

typedef struct weft__run {
  uint16_t kind;        /* weft__run_kind */
  uint16_t is_idle;     /* bool: links that sweeps leave out, of relaxation 0 */
  uint32_t first_group; /* groups [first_group, first_group + group_count) */
  uint32_t group_count;
  uint32_t a;     /* contiguous: end of lane 0; fan: first of its centres in index_local */
  uint32_t b;     /* contiguous: other end; fan: number of centres */
  uint32_t index; /* first element: indexed, of index_a and index_b; fan, of index_local */
  /* parameters of the lanes: by name, or as an array of the same pairs in the same order */
  union {
    weft__parameter parameter[WEFT__PARAMETERS];
    struct {
      uint32_t rest; /* in rest_length */
      uint32_t rest_stride;
      uint32_t relaxation;
      uint32_t relaxation_stride;
      uint32_t compliance; /* WEFT__NONE if no link of the run has any */
      uint32_t compliance_stride;
      uint32_t tear_ratio; /* WEFT__NONE if no link of the run can break */
      uint32_t tear_ratio_stride;
      uint32_t slack_below; /* both slacks, or WEFT__NONE if no link of the run has any */
      uint32_t slack_below_stride;
      uint32_t slack_above;
      uint32_t slack_above_stride;
    };
  };
} weft__run;

static inline bool weft__run_can_tear(const weft__run* run) {
  return run->tear_ratio != WEFT__NONE;
}

static inline bool weft__run_is_compliant(const weft__run* run) {
  return run->compliance != WEFT__NONE;
}

static inline bool weft__run_has_slack(const weft__run* run) {
  return run->slack_below != WEFT__NONE;
}

/* Particles [first, first + count) that a patch copies to its records. */
typedef struct weft__segment {
  uint32_t first;
  uint32_t count;
} weft__segment;

/* Lane groups of constraints that are solved on records: see tables/hinge_schedule.h. */
typedef struct weft__piece {
  uint32_t first_lanes; /* elements [first_lanes, first_lanes + group_count) of lanes */
  uint32_t group_count;
  uint32_t first_segment;
  uint32_t segment_count;
} weft__piece;

/* Particle of a record, counted through the segments. */
static inline uint32_t weft__particle_of_record(const weft__segment* segment, uint32_t record) {
  while (record >= segment->count) record -= segment++->count;
  return segment->first + record;
}

#endif
