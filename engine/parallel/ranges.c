#include "base/clock.h"
#include "parallel/worker_pool.h"

typedef struct range_job {
  weft__worker_pool* pool;
  weft__spans* spans; /* NULL = off */
  weft__range_task* task;
  void* context;
  uint32_t count, grain;
} range_job;

// Pieces of the worker's own share, then those that others have left.
static void run_pieces(void* context, uint32_t worker) {
  const range_job* job = context;
  const uint32_t workers = weft__worker_pool_count(job->pool);
  const uint32_t piece_count = (job->count - 1) / job->grain + 1;
  int64_t time = job->spans != NULL ? weft__clock_ns() : 0;
  for (uint32_t k = 0; k < workers; ++k) {
    const uint32_t owner = (worker + k) % workers;
    const weft__range share = weft__share(piece_count, owner, workers);
    for (;;) {
      const uint32_t piece = weft__worker_pool_claim(job->pool, owner, share.end - share.begin);
      if (piece == UINT32_MAX) break;
      const uint32_t begin = (share.begin + piece) * job->grain;
      const uint32_t left = job->count - begin;
      const uint32_t size = left < job->grain ? left : job->grain;
      job->task(job->context, (weft__range){begin, begin + size}, worker);
      if (job->spans != NULL) time = weft__spans_add_piece(job->spans, worker, time, begin, size);
      weft__worker_pool_report(job->pool, worker);
    }
  }
}

// Records a loop around the call of run_pieces().
static void run_recorded(range_job* job, const char* name) {
  const weft_span loop = {.kind = WEFT_SPAN_LOOP, .item_count = job->count, .grain = job->grain};
  weft_span* span = weft__spans_begin_job(job->spans, name, &loop);
  if (job->count > job->grain) {
    weft__worker_pool_run(job->pool, run_pieces, job);
  } else {
    const int64_t begin = weft__clock_ns();
    job->task(job->context, (weft__range){0, job->count}, 0);
    (void)weft__spans_add_piece(job->spans, 0, begin, 0, job->count);
  }
  weft__spans_end_job(span);
}

void weft__worker_pool_run_loop(weft__worker_pool* pool, uint32_t count, uint32_t grain,
                                weft__range_task* task, const char* name, void* context) {
  if (count == 0) return;
  weft__spans* spans = pool != NULL ? weft__worker_pool_spans(pool) : NULL;
  range_job job = {pool, spans, task, context, count, grain};
  if (spans != NULL) {
    run_recorded(&job, name);
  } else if (pool == NULL || !weft__worker_pool_is_helped(pool) || count <= grain) {
    task(context, (weft__range){0, count}, 0);
  } else {
    weft__worker_pool_run(pool, run_pieces, &job);
  }
}
