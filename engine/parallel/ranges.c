#include "base/clock.h"
#include "parallel/worker_pool.h"

typedef struct range_job {
  weft__worker_pool* pool;
  weft__spans* spans; /* NULL: off */
  weft__range_task* task;
  void* context;
  uint32_t first, count, grain;
  int64_t begin_ns, end_ns; /* to the end of the caller's pieces */
} range_job;

// Short consecutive pieces share a span of about SPAN_NS: few readings of the clock.
#define SPAN_NS 2000
#define MAX_PIECES 16u
#define MAX_FIRST_PIECES 4u

typedef struct record {
  weft__spans* spans; /* NULL: off */
  uint32_t worker;
  int64_t begin_ns;
  uint32_t first;
  weft__range items;
  uint32_t piece_count, wanted;
} record;

// The first span has as many pieces as the worker's last one, if these are few.
static record begin_record(const range_job* job, uint32_t worker) {
  if (job->spans == NULL) return (record){.spans = NULL};
  const uint32_t last = job->spans->lists[worker].pieces_a_span;
  return (record){.spans = job->spans,
                  .worker = worker,
                  .first = job->first,
                  .begin_ns = worker == 0 ? job->begin_ns : weft__clock_ns(),
                  .wanted = last < MAX_FIRST_PIECES ? last : MAX_FIRST_PIECES};
}

static void end_span(record* r) {
  if (r->piece_count == 0) return;
  const uint32_t size = r->items.end - r->items.begin;
  const int64_t time =
      weft__spans_add_piece(r->spans, r->worker, r->begin_ns, r->items.begin - r->first, size);
  const int64_t piece_ns = (time - r->begin_ns) / r->piece_count + 1;
  const uint32_t fitting = piece_ns < SPAN_NS ? (uint32_t)(SPAN_NS / piece_ns) : 1;
  r->wanted = fitting < MAX_PIECES ? fitting : MAX_PIECES;
  r->spans->lists[r->worker].pieces_a_span = r->wanted;
  r->begin_ns = time;
  r->piece_count = 0;
}

// A piece that does not follow the last ones has a span of its own.
static void begin_piece(record* r, weft__range items) {
  if (r->piece_count > 0 && items.begin != r->items.end) end_span(r);
  if (r->piece_count == 0) r->items.begin = items.begin;
}

static void end_piece(record* r, weft__range items) {
  r->items.end = items.end;
  if (++r->piece_count >= r->wanted) end_span(r);
}

static void run_share(const range_job* job, weft__range share, uint32_t owner, uint32_t worker,
                      record* r) {
  for (;;) {
    const uint32_t piece = weft__worker_pool_claim(job->pool, owner, share.end - share.begin);
    if (piece == UINT32_MAX) return;
    const uint32_t before = (share.begin + piece) * job->grain;
    const uint32_t left = job->count - before;
    const uint32_t begin = job->first + before;
    const weft__range items = {begin, begin + (left < job->grain ? left : job->grain)};
    if (r->spans != NULL) begin_piece(r, items);
    job->task(job->context, items, worker);
    if (r->spans != NULL) end_piece(r, items);
    weft__worker_pool_report(job->pool, worker);
  }
}

static void run_pieces(void* context, uint32_t worker) {
  range_job* job = context;
  const uint32_t workers = weft__worker_pool_count(job->pool);
  const uint32_t piece_count = (job->count - 1) / job->grain + 1;
  record r = begin_record(job, worker);
  for (uint32_t k = 0; k < workers; ++k) {
    const uint32_t owner = (worker + k) % workers;
    run_share(job, weft__share(piece_count, owner, workers), owner, worker, &r);
  }
  end_span(&r);
  if (worker == 0) job->end_ns = r.begin_ns;
}

static void run_recorded(range_job* job, const char* name) {
  const bool is_helped = weft__worker_pool_is_helped(job->pool) && job->count > job->grain;
  const weft_span loop = {.kind = WEFT_SPAN_LOOP, .item_count = job->count, .grain = job->grain};
  job->begin_ns = weft__clock_ns();
  weft_span* span = weft__spans_begin_job(job->spans, name, &loop, job->begin_ns);
  if (job->count > job->grain) {
    weft__worker_pool_run(job->pool, run_pieces, job);
  } else {
    job->task(job->context, (weft__range){job->first, job->first + job->count}, 0);
    job->end_ns = weft__spans_add_piece(job->spans, 0, job->begin_ns, 0, job->count);
  }
  weft__spans_end_job(span, is_helped ? weft__clock_ns() : job->end_ns);
}

void weft__worker_pool_run_range(weft__worker_pool* pool, weft__range items, uint32_t grain,
                                 weft__range_task* task, const char* name, void* context) {
  const uint32_t count = items.end - items.begin;
  if (count == 0) return;
  weft__spans* spans = pool != NULL ? weft__worker_pool_spans(pool) : NULL;
  range_job job = {pool, spans, task, context, items.begin, count, grain, 0, 0};
  if (spans != NULL) {
    run_recorded(&job, name);
  } else if (pool == NULL || !weft__worker_pool_is_helped(pool) || count <= grain) {
    task(context, items, 0);
  } else {
    weft__worker_pool_run(pool, run_pieces, &job);
  }
}

void weft__worker_pool_run_loop(weft__worker_pool* pool, uint32_t count, uint32_t grain,
                                weft__range_task* task, const char* name, void* context) {
  weft__worker_pool_run_range(pool, (weft__range){0, count}, grain, task, name, context);
}
