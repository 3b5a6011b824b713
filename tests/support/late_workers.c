#include "support/late_workers.h"

#include <time.h>

#include "parallel/worker_pool.h"
#include "support/random.h"

// longer than other workers need for a loop of a small scene
#define DELAY_NS 20000

delay_schedule delays;

// a thread belongs to one pool: its locals are one worker's
static _Thread_local uint32_t call_count;
static _Thread_local uint32_t own_index;

void __real_weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context);
void __wrap_weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context);
uint32_t __real_weft__worker_pool_claim(weft__worker_pool* pool, uint32_t owner, uint32_t count);
uint32_t __wrap_weft__worker_pool_claim(weft__worker_pool* pool, uint32_t owner, uint32_t count);

static bool is_late(void) {
  if (delays.period == 0 || own_index != delays.worker) return false;
  const uint32_t call = call_count++;
  if (!delays.is_random) return call % delays.period == delays.first;
  random_source random = {(uint64_t)delays.first << 32 | call};
  return random_chance(&random, delays.period);
}

static void sleep_if_late(void) {
  const struct timespec delay = {.tv_nsec = DELAY_NS};
  if (is_late()) (void)nanosleep(&delay, NULL);
}

typedef struct late_task {
  weft__task* task;
  void* context;
} late_task;

static void run_late(void* context, uint32_t worker) {
  const late_task* late = context;
  own_index = worker;
  sleep_if_late();
  late->task(late->context, worker);
  sleep_if_late();
}

void __wrap_weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context) {
  late_task late = {task, context};
  __real_weft__worker_pool_run(pool, run_late, &late);
}

uint32_t __wrap_weft__worker_pool_claim(weft__worker_pool* pool, uint32_t owner, uint32_t count) {
  const uint32_t piece = __real_weft__worker_pool_claim(pool, owner, count);
  sleep_if_late();
  return piece;
}
