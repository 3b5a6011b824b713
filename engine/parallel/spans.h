/* Spans: the times of each worker's work in the last step (weft_span). Every worker writes to its
 * own list, without atomics: the caller clears and reads lists between steps. Spans take their
 * place when they begin: lists are in order of begin, enclosing spans first. One reading of the
 * clock ends a span and begins the next. NULL spans are off. */
#ifndef WEFT_PARALLEL_SPANS_H
#define WEFT_PARALLEL_SPANS_H

#include <stdalign.h>
#include <stddef.h>

#include "base/memory.h"
#include "weft/weft.h"

typedef struct weft__span_list {
  alignas(WEFT__CACHE_LINE) weft_span* items; /* [capacity] */
  uint32_t count, lost;
  weft_span* wait; /* the wait that has begun; NULL: none */
  uint32_t pieces_a_span;
} weft__span_list;

typedef struct weft__spans {
  uint32_t capacity, worker_count;
  size_t bytes;
  // the caller's, constant while workers are inside a job
  weft_stage stage;
  uint32_t job_count;
  const char* name;
  uint32_t level;
  weft_span* stage_span; /* NULL: none, or lost */
  weft_span* items;
  weft__span_list lists[]; /* [worker_count] */
} weft__spans;

weft__spans* weft__spans_create(uint32_t worker_count, uint32_t capacity);
void weft__spans_destroy(weft__spans* spans);

void weft__spans_begin_step(weft__spans* spans);

void weft__spans_begin_stage(weft__spans* spans, weft_stage stage, int64_t time);
void weft__spans_end_step(weft__spans* spans, int64_t time);

/* `job` has kind and extent. NULL if lost. */
weft_span* weft__spans_begin_job(weft__spans* spans, const char* name, const weft_span* job,
                                 int64_t time);
void weft__spans_end_job(weft_span* job, int64_t time);

/* Adds a piece, or a phase, of the present job from `begin` until now. Returns now. */
int64_t weft__spans_add_piece(weft__spans* spans, uint32_t worker, int64_t begin, uint32_t item,
                              uint32_t item_count);
int64_t weft__spans_add_phase(weft__spans* spans, uint32_t worker, int64_t begin, uint32_t patch,
                              uint32_t phase, uint32_t color);

/* One wait at a time. */
void weft__spans_begin_wait(weft__spans* spans, uint32_t worker, uint32_t patch, uint32_t holder);
void weft__spans_end_wait(weft__spans* spans, uint32_t worker, int64_t time);

#endif
