/* Spans: the times of each worker's work in the last step. See weft_span.
 *
 * Every worker writes to a list of its own, so that recording needs no atomics: the caller clears
 * and reads the lists between steps, while no worker is inside a job. Memory is allocated once;
 * spans that do not fit are counted. A span takes its place when it begins, so that lists are in
 * the order of begin, and an enclosing span comes before the spans in it.
 *
 * One time is taken for two spans where one follows the other. The pointer to spans is NULL where
 * they are off. */
#ifndef WEFT_PARALLEL_SPANS_H
#define WEFT_PARALLEL_SPANS_H

#include <stdalign.h>
#include <stddef.h>

#include "base/memory.h"
#include "weft/weft.h"

typedef struct weft__span_list {
  alignas(WEFT__CACHE_LINE) weft_span* items; /* [capacity], the first `count` in use */
  uint32_t count, lost;
  weft_span* wait;        /* the worker's wait that has begun; NULL = none */
  uint32_t pieces_a_span; /* short pieces of the last loop: see ranges.c */
} weft__span_list;

typedef struct weft__spans {
  uint32_t capacity, worker_count;
  size_t bytes;
  // the caller's, constant while workers are inside a job
  weft_stage stage;
  uint32_t job_count;      /* jobs begun in this step */
  const char* name;        /* the job's */
  uint32_t level;          /* the job's */
  weft_span* stage_span;   /* NULL = none, or it was lost */
  weft_span* items;        /* memory of all lists */
  weft__span_list lists[]; /* [worker_count] */
} weft__spans;

/* NULL if out of memory. */
weft__spans* weft__spans_create(uint32_t worker_count, uint32_t capacity);
void weft__spans_destroy(weft__spans* spans);

/* Clears all lists. */
void weft__spans_begin_step(weft__spans* spans);

/* Ends the stage, if one has begun, and begins the next. The last ends with the step. */
void weft__spans_begin_stage(weft__spans* spans, weft_stage stage, int64_t time);
void weft__spans_end_step(weft__spans* spans, int64_t time);

/* Begins a job on the caller: the span has kind and extent. Returns its place, NULL if it is
 * lost. */
weft_span* weft__spans_begin_job(weft__spans* spans, const char* name, const weft_span* job,
                                 int64_t time);
void weft__spans_end_job(weft_span* job, int64_t time);

/* Adds a piece, or a phase, of the present job from `begin` until now. Returns the time now. */
int64_t weft__spans_add_piece(weft__spans* spans, uint32_t worker, int64_t begin, uint32_t item,
                              uint32_t item_count);
int64_t weft__spans_add_phase(weft__spans* spans, uint32_t worker, int64_t begin, uint32_t patch,
                              uint32_t phase, uint32_t color);

/* Begins a wait in the present job, unless one has begun, and ends it. */
void weft__spans_begin_wait(weft__spans* spans, uint32_t worker, uint32_t patch, uint32_t holder);
void weft__spans_end_wait(weft__spans* spans, uint32_t worker, int64_t time);

#endif
