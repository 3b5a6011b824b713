#include "parallel/worker_pool.h"

typedef struct range_job {
  weft__worker_pool* pool;
  weft__range_task* task;
  void* context;
  uint32_t count, grain;
} range_job;

// Pieces of the worker's own share, then those that others have left.
static void run_pieces(void* context, uint32_t worker) {
  const range_job* job = context;
  const uint32_t workers = weft__worker_pool_count(job->pool);
  const uint32_t piece_count = (job->count - 1) / job->grain + 1;
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
      weft__worker_pool_report(job->pool, worker);
    }
  }
}

void weft__worker_pool_for(weft__worker_pool* pool, uint32_t count, uint32_t grain,
                           weft__range_task* task, void* context) {
  if (pool == NULL || !weft__worker_pool_is_helped(pool) || count <= grain) {
    if (count > 0) task(context, (weft__range){0, count}, 0);
    return;
  }
  range_job job = {pool, task, context, count, grain};
  weft__worker_pool_run(pool, run_pieces, &job);
}
