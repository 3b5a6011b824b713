/* Runs: consecutive lane groups of one batch's links, addressed alike. Kinds:
 *
 *   contiguous   lane l of its group g joins the particles a + 16 g + l and b + 16 g + l: plain
 *                vector loads and stores on the particle columns
 *   indexed      the ends of each lane are in index_a and index_b
 *   fan          one slot of a fan (schedule/fan.h); ends are records in index_local, in units of
 *                8 bytes, two a record */
#ifndef WEFT_TABLES_RUNS_H
#define WEFT_TABLES_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT__LANES 16u
#define WEFT__ALL_LANES 0xffffu
/* Two groups: one is solved while the other's results are in flight. */
#define WEFT__FAN_LANES 32u
/* The index of the record past a patch's last, for empty lanes, must fit. */
#define WEFT__MAX_LOCALS 32767u

/* Absent column. */
#define WEFT__NONE UINT32_MAX

typedef enum weft__run_kind {
  WEFT__RUN_CONTIGUOUS,
  WEFT__RUN_INDEXED,
  WEFT__RUN_FAN,
} weft__run_kind;

/* First element of the first group, and the stride between groups; 0: one value in all lanes. */
typedef struct weft__parameter {
  uint32_t first;
  uint32_t stride;
} weft__parameter;

#define WEFT__PARAMETERS 6u

typedef struct weft__run {
  uint16_t kind;    /* weft__run_kind */
  uint16_t is_idle; /* bool: of relaxation 0, left out of sweeps */
  uint32_t first_group;
  uint32_t group_count;
  uint32_t a;     /* contiguous: end of lane 0; fan: first centre in index_local */
  uint32_t b;     /* contiguous: other end; fan: number of centres */
  uint32_t index; /* indexed: first element in index_a and index_b; fan: in index_local */
  /* by name, or as an array */
  union {
    weft__parameter parameter[WEFT__PARAMETERS];
    struct {
      uint32_t rest; /* in rest_length */
      uint32_t rest_stride;
      uint32_t relaxation;
      uint32_t relaxation_stride;
      uint32_t compliance; /* WEFT__NONE if no link has any */
      uint32_t compliance_stride;
      uint32_t tear_ratio; /* WEFT__NONE if no link can break */
      uint32_t tear_ratio_stride;
      uint32_t slack_below; /* both slacks, or WEFT__NONE if no link has any */
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

/* Particles that a patch copies to its records. */
typedef struct weft__segment {
  uint32_t first;
  uint32_t count;
} weft__segment;

typedef struct weft__piece {
  uint32_t first_lanes;
  uint32_t group_count;
  uint32_t first_segment;
  uint32_t segment_count;
} weft__piece;

static inline uint32_t weft__particle_of_record(const weft__segment* segment, uint32_t record) {
  while (record >= segment->count) record -= segment++->count;
  return segment->first + record;
}

#endif
