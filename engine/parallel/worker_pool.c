#include "parallel/worker_pool.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "weft/weft.h"

typedef struct worker {
  weft__worker_pool* pool;
  uint32_t index;
  pthread_t thread;
} worker;

struct weft__worker_pool {
  weft__barrier barrier;
  // written by the caller while all others wait at the barrier, read by them after it opened
  weft__task* task; /* NULL ends the workers */
  void* context;
  uint32_t worker_count;
  uint32_t thread_count; /* threads started so far, without the caller */
  pid_t process;         /* process of the threads */
  worker workers[];      /* [worker_count] */
};

static void name_thread(uint32_t index) {
#ifdef __linux__
  char name[16];
  (void)snprintf(name, sizeof(name), "weft-%u", (unsigned)(index % 1000u));
  (void)pthread_setname_np(pthread_self(), name);
#else
  (void)index;
#endif
}

static const char at_begin[] = "the begin of a task";
static const char at_end[] = "the end of a task";

static void* run_worker(void* argument) {
  const worker* self = argument;
  weft__worker_pool* pool = self->pool;
  name_thread(self->index);
  for (;;) {
    weft__barrier_wait(&pool->barrier, NULL, NULL, at_begin);
    if (pool->task == NULL) return NULL;
    pool->task(pool->context, self->index);
    weft__barrier_wait(&pool->barrier, NULL, NULL, at_end);
  }
}

static bool start_threads(weft__worker_pool* pool) {
  pool->process = getpid();
  pool->thread_count = 0;
  for (uint32_t i = 1; i < pool->worker_count; ++i) {
    pool->workers[i] = (worker){.pool = pool, .index = i};
    if (pthread_create(&pool->workers[i].thread, NULL, run_worker, &pool->workers[i]) != 0)
      return false;
    ++pool->thread_count;
  }
  return true;
}

weft__worker_pool* weft__worker_pool_create(uint32_t worker_count) {
  assert(worker_count >= 1 && worker_count <= WEFT_MAX_WORKERS);
  weft__worker_pool* pool = weft__alloc_zeroed(1, sizeof(*pool) + worker_count * sizeof(worker));
  if (pool == NULL) return NULL;
  pool->worker_count = worker_count;
  if (!weft__barrier_create(&pool->barrier, worker_count)) {
    free(pool);
    return NULL;
  }
  if (!start_threads(pool)) {
    weft__worker_pool_destroy(pool);
    return NULL;
  }
  return pool;
}

// True in a child process forked after the threads were started: it has none of them, and the
// barrier still counts those that slept there.
static bool is_forked(const weft__worker_pool* pool) {
  return pool->worker_count > 1 && pool->process != getpid();
}

// Restarts the threads in a forked child. If they cannot be had, a task would wait for them
// forever, and a step cannot return an error: the child aborts.
static void restart_threads(weft__worker_pool* pool) {
  if (!weft__barrier_create(&pool->barrier, pool->worker_count) || !start_threads(pool)) abort();
}

void weft__worker_pool_destroy(weft__worker_pool* pool) {
  if (pool == NULL) return;
  if (is_forked(pool)) {
    free(pool);
    return;
  }
  pool->task = NULL;
  // if not all threads could be started, this thread arrives at the barrier for the missing ones
  for (uint32_t i = pool->thread_count + 2; i <= pool->worker_count; ++i) {
    atomic_fetch_add_explicit(&pool->barrier.arrived, 1, memory_order_acq_rel);
  }
  if (pool->thread_count > 0) weft__barrier_wait(&pool->barrier, NULL, NULL, at_begin);
  for (uint32_t i = 1; i <= pool->thread_count; ++i) pthread_join(pool->workers[i].thread, NULL);
  weft__barrier_destroy(&pool->barrier);
  free(pool);
}

uint32_t weft__worker_pool_count(const weft__worker_pool* pool) {
  return pool->worker_count;
}

size_t weft__worker_pool_bytes(const weft__worker_pool* pool) {
  return sizeof(*pool) + pool->worker_count * sizeof(worker);
}

void weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context) {
  if (pool->worker_count == 1) {
    task(context, 0);
    return;
  }
  if (is_forked(pool)) restart_threads(pool);
  pool->task = task;
  pool->context = context;
  weft__barrier_wait(&pool->barrier, NULL, NULL, at_begin);
  task(context, 0);
  weft__barrier_wait(&pool->barrier, NULL, NULL, at_end);
}

uint32_t weft__worker_pool_wait(weft__worker_pool* pool, weft__completion* completion,
                                void* context, const char* call_site) {
  if (pool != NULL && pool->worker_count > 1)
    return weft__barrier_wait(&pool->barrier, completion, context, call_site);
  return completion != NULL ? completion(context) : 0;
}
