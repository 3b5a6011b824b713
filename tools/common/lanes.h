/* Lanes: the time of each worker in a step, by work and waits. */
#ifndef TOOLS_COMMON_LANES_H
#define TOOLS_COMMON_LANES_H

#include "weft/weft.h"

typedef enum tool_lane_kind {
  TOOL_LANE_WORK,      /* in pieces and phases */
  TOOL_LANE_SEARCH,    /* in a job, between pieces or phases */
  TOOL_LANE_NEIGHBORS, /* in a wavefront, without a patch that may advance */
  TOOL_LANE_JOB_END,   /* its work in a job is done, other workers' is not */
  TOOL_LANE_ABSENT,    /* not in the job: came late, has no core, or is excluded */
  TOOL_LANE_SERIAL,    /* outside of jobs: only the caller works */
} tool_lane_kind;
enum { TOOL_LANE_KINDS = 6 };

/* "work", "search" .. */
const char* tool_lane_name(tool_lane_kind kind);

/* Part of a lane. Parts follow each other without gaps from the step's beginning to its end. */
typedef struct tool_lane_part {
  tool_lane_kind kind;
  int64_t begin_ns, end_ns;
  const weft_span* span; /* NULL for time between spans */
} tool_lane_part;

typedef void tool_take_part(void* context, const tool_lane_part* part);

/* Visits the parts of a worker's lane in order, without empty ones. `caller`: the spans of worker
 * 0. */
void tool_walk_lane(const weft_spans* caller, const weft_spans* own, uint32_t worker,
                    tool_take_part* take, void* context);

/* Spans to keep of each worker, by the number of workers: some tens of megabytes in all. */
uint32_t tool_span_capacity(uint32_t worker_count);

#endif
