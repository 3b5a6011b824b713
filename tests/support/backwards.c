#include "support/backwards.h"

#include "parallel/worker_pool.h"

bool runs_backwards;

void __real_weft__worker_pool_run_range(weft__worker_pool* pool, weft__range items, uint32_t grain,
                                        weft__range_task* task, const char* name, void* context);
void __wrap_weft__worker_pool_run_range(weft__worker_pool* pool, weft__range items, uint32_t grain,
                                        weft__range_task* task, const char* name, void* context);
void __wrap_weft__worker_pool_run_loop(weft__worker_pool* pool, uint32_t count, uint32_t grain,
                                       weft__range_task* task, const char* name, void* context);

void __wrap_weft__worker_pool_run_range(weft__worker_pool* pool, weft__range items, uint32_t grain,
                                        weft__range_task* task, const char* name, void* context) {
  if (!runs_backwards || items.begin >= items.end) {
    __real_weft__worker_pool_run_range(pool, items, grain, task, name, context);
    return;
  }
  for (uint32_t n = (items.end - items.begin - 1) / grain + 1; n-- > 0;) {
    const uint32_t begin = items.begin + n * grain;
    const uint32_t left = items.end - begin;
    task(context, (weft__range){begin, begin + (left < grain ? left : grain)}, 0);
  }
}

void __wrap_weft__worker_pool_run_loop(weft__worker_pool* pool, uint32_t count, uint32_t grain,
                                       weft__range_task* task, const char* name, void* context) {
  __wrap_weft__worker_pool_run_range(pool, (weft__range){0, count}, grain, task, name, context);
}
