#include "parallel/spans.h"

#include "base/clock.h"
#include "base/memory.h"

weft__spans* weft__spans_create(uint32_t worker_count, uint32_t capacity) {
  const size_t bytes = sizeof(weft__spans) + worker_count * sizeof(weft__span_list);
  const size_t item_bytes = (size_t)worker_count * capacity * sizeof(weft_span);
  weft__spans* spans = weft__alloc_zeroed(1, bytes);
  // zeroed: its pages exist before the first step
  weft_span* items = weft__alloc_zeroed(1, item_bytes);
  if (spans == NULL || items == NULL) {
    weft__free(spans);
    weft__free(items);
    return NULL;
  }
  spans->capacity = capacity;
  spans->worker_count = worker_count;
  spans->bytes = bytes + item_bytes;
  spans->items = items;
  for (uint32_t w = 0; w < worker_count; ++w) {
    spans->lists[w].items = items + (size_t)w * capacity;
    spans->lists[w].pieces_a_span = 1;
  }
  return spans;
}

void weft__spans_destroy(weft__spans* spans) {
  if (spans == NULL) return;
  weft__free(spans->items);
  weft__free(spans);
}

static weft_span* begin_span(weft__spans* spans, uint32_t worker, weft_span_kind kind,
                             int64_t time) {
  weft__span_list* list = &spans->lists[worker];
  if (list->count == spans->capacity) {
    ++list->lost;
    return NULL;
  }
  weft_span* span = &list->items[list->count++];
  *span = (weft_span){.begin_ns = time,
                      .end_ns = time,
                      .name = spans->name,
                      .kind = kind,
                      .stage = spans->stage,
                      .job = spans->job_count - 1,
                      .patch = WEFT_SPAN_NONE,
                      .worker = WEFT_SPAN_NONE};
  return span;
}

void weft__spans_begin_step(weft__spans* spans) {
  for (uint32_t w = 0; w < spans->worker_count; ++w) {
    weft__span_list* list = &spans->lists[w];
    list->count = list->lost = 0;
    list->wait = NULL;
  }
  spans->job_count = 0;
  spans->stage_span = NULL;
}

void weft__spans_begin_stage(weft__spans* spans, weft_stage stage, int64_t time) {
  weft__spans_end_step(spans, time);
  spans->stage = stage;
  spans->name = weft_stage_name(stage);
  spans->stage_span = begin_span(spans, 0, WEFT_SPAN_STAGE, time);
  if (spans->stage_span != NULL) spans->stage_span->job = spans->job_count;
}

void weft__spans_end_step(weft__spans* spans, int64_t time) {
  if (spans->stage_span != NULL) spans->stage_span->end_ns = time;
  spans->stage_span = NULL;
}

weft_span* weft__spans_begin_job(weft__spans* spans, const char* name, const weft_span* job,
                                 int64_t time) {
  ++spans->job_count;
  spans->name = name;
  spans->level = job->level;
  weft_span* span = begin_span(spans, 0, job->kind, time);
  if (span == NULL) return NULL;
  span->item_count = job->item_count;
  span->grain = job->grain;
  span->phase = job->phase;
  span->level = job->level;
  return span;
}

void weft__spans_end_job(weft_span* job, int64_t time) {
  if (job != NULL) job->end_ns = time;
}

int64_t weft__spans_add_piece(weft__spans* spans, uint32_t worker, int64_t begin, uint32_t item,
                              uint32_t item_count) {
  const int64_t time = weft__clock_ns();
  weft_span* span = begin_span(spans, worker, WEFT_SPAN_PIECE, begin);
  if (span == NULL) return time;
  span->end_ns = time;
  span->item = item;
  span->item_count = item_count;
  return time;
}

int64_t weft__spans_add_phase(weft__spans* spans, uint32_t worker, int64_t begin, uint32_t patch,
                              uint32_t phase, uint32_t color) {
  const int64_t time = weft__clock_ns();
  weft_span* span = begin_span(spans, worker, WEFT_SPAN_PHASE, begin);
  if (span == NULL) return time;
  span->end_ns = time;
  span->patch = patch;
  span->phase = phase;
  span->color = color;
  span->level = spans->level;
  return time;
}

void weft__spans_begin_wait(weft__spans* spans, uint32_t worker, uint32_t patch, uint32_t holder) {
  weft__span_list* list = &spans->lists[worker];
  if (list->wait != NULL) return;
  list->wait = begin_span(spans, worker, WEFT_SPAN_WAIT, weft__clock_ns());
  if (list->wait == NULL) return;
  list->wait->patch = patch;
  list->wait->worker = holder;
}

void weft__spans_end_wait(weft__spans* spans, uint32_t worker, int64_t time) {
  weft__span_list* list = &spans->lists[worker];
  if (list->wait != NULL) list->wait->end_ns = time;
  list->wait = NULL;
}
