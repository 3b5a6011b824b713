#include "common/lanes.h"

#include <stddef.h>

const char* tool_lane_name(tool_lane_kind kind) {
  static const char* const names[TOOL_LANE_KINDS] = {"work",    "search", "neighbors",
                                                     "job_end", "absent", "serial"};
  return names[kind];
}

uint32_t tool_span_capacity(uint32_t worker_count) {
  const uint32_t most = 1u << 18, least = 1u << 15, all = 1u << 20;
  const uint32_t share = all / (worker_count > 0 ? worker_count : 1);
  return share > most ? most : share < least ? least : share;
}

typedef struct walk {
  tool_take_part* take;
  void* context;
  int64_t time; /* end of the last part */
} walk;

static void add_part(walk* w, tool_lane_kind kind, int64_t end_ns, const weft_span* span) {
  const tool_lane_part part = {kind, w->time, end_ns, span};
  if (end_ns <= w->time) return;
  w->take(w->context, &part);
  w->time = end_ns;
}

static bool is_job(const weft_span* span) {
  return span->kind == WEFT_SPAN_LOOP || span->kind == WEFT_SPAN_WAVEFRONT;
}

static bool is_within_job(const weft_span* span) {
  return span->kind >= WEFT_SPAN_PIECE;
}

static tool_lane_kind kind_of(const weft_span* span) {
  if (span->kind != WEFT_SPAN_WAIT) return TOOL_LANE_WORK;
  // at the end of a job the caller waits for workers, not for patches
  const bool is_for_worker = span->patch == WEFT_SPAN_NONE && span->worker != WEFT_SPAN_NONE;
  return is_for_worker ? TOOL_LANE_JOB_END : TOOL_LANE_NEIGHBORS;
}

// A worker that leaves a wavefront while it waits has left it to others.
static tool_lane_kind kind_of_rest(const weft_span* last, uint32_t worker) {
  if (worker == 0) return TOOL_LANE_SEARCH;
  return last == NULL || last->kind == WEFT_SPAN_WAIT ? TOOL_LANE_ABSENT : TOOL_LANE_JOB_END;
}

// Parts within a job; returns the index of the first span after it.
static uint32_t walk_job(walk* w, const weft_span* job, const weft_spans* own, uint32_t i,
                         uint32_t worker) {
  const weft_span* last = NULL;
  for (; i < own->count; ++i) {
    const weft_span* span = &own->items[i];
    if (!is_within_job(span) || span->job < job->job) continue;
    if (span->job > job->job) break;
    const bool is_late = last == NULL && worker > 0;
    add_part(w, is_late ? TOOL_LANE_ABSENT : TOOL_LANE_SEARCH, span->begin_ns, NULL);
    add_part(w, kind_of(span), span->end_ns, span);
    last = span;
  }
  add_part(w, kind_of_rest(last, worker), job->end_ns, NULL);
  return i;
}

void tool_walk_lane(const weft_spans* caller, const weft_spans* own, uint32_t worker,
                    tool_take_part* take, void* context) {
  if (caller->count == 0) return;
  walk w = {take, context, caller->items[0].begin_ns};
  int64_t end_ns = w.time;
  uint32_t next = 0;
  for (uint32_t i = 0; i < caller->count; ++i) {
    const weft_span* span = &caller->items[i];
    if (span->kind == WEFT_SPAN_STAGE) end_ns = span->end_ns;
    if (!is_job(span)) continue;
    add_part(&w, TOOL_LANE_SERIAL, span->begin_ns, NULL);
    next = walk_job(&w, span, own, next, worker);
  }
  add_part(&w, TOOL_LANE_SERIAL, end_ns, NULL);
}
