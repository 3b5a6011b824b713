/* Jobs of worker pools, and their clocks. */
#ifndef TESTS_SUPPORT_JOBS_H
#define TESTS_SUPPORT_JOBS_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "parallel/worker_pool.h"
#include "support/suite.h"

static const uint32_t worker_counts[] = {1, 2, 3, 4, 5, 8, 16, 64};
enum { WORKER_COUNTS = sizeof(worker_counts) / sizeof(*worker_counts), MOST_WORKERS = 64 };

static inline weft__worker_pool* new_pool(uint32_t worker_count) {
  weft__worker_pool* pool = weft__worker_pool_create(worker_count, NULL);
  ck_assert_ptr_nonnull(pool);
  ck_assert_uint_eq(weft__worker_pool_count(pool), worker_count);
  ck_assert_uint_gt(weft__worker_pool_bytes(pool), 0);
  return pool;
}

enum { MOST_ITEMS = 4096 };

typedef struct trial {
  weft__worker_pool* pool;
  uint32_t item_count, grain;
  uint32_t input;                 /* non-atomic, written by the caller between jobs */
  uint32_t done[MOST_ITEMS];      /* times that each item was processed */
  uint32_t output[MOST_ITEMS];    /* non-atomic */
  pthread_t thread[MOST_WORKERS]; /* thread of each worker */
  _Atomic uint32_t piece_count[MOST_WORKERS];
  _Atomic uint32_t wrong;
} trial;

static inline void process(void* context, weft__range items, uint32_t worker) {
  trial* t = context;
  const bool is_whole = items.begin == 0 && items.end == t->item_count;
  t->wrong += worker >= weft__worker_pool_count(t->pool);
  t->wrong += items.begin >= items.end || (!is_whole && items.end - items.begin > t->grain);
  if (t->piece_count[worker]++ == 0) t->thread[worker] = pthread_self();
  t->wrong += !pthread_equal(t->thread[worker], pthread_self());
  for (uint32_t i = items.begin; i < items.end; ++i) {
    ++t->done[i];
    t->output[i] = t->input + i;
  }
}

static inline void run_loop(trial* t) {
  weft__worker_pool_begin(t->pool);
  weft__worker_pool_for(t->pool, t->item_count, t->grain, process, t);
}

// true if each item was processed by each of `runs` loops, and by the last with the present input
static inline bool is_done(const trial* t, uint32_t runs) {
  bool good = t->wrong == 0;
  for (uint32_t i = 0; i < t->item_count; ++i) {
    good &= t->done[i] == runs && t->output[i] == t->input + i;
  }
  return good;
}

static inline void sleep_ms(long ms) {
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = ms * 1000000};
  nanosleep(&pause, NULL);
}

static inline double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double seconds(void) {
  return seconds_of(CLOCK_MONOTONIC);
}

static inline double cpu_seconds(void) {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

// Pieces take longer than the caller spins, on helpers and on the caller, so that the others come
// to help.
static inline void process_slowly(void* context, weft__range items, uint32_t worker) {
  if (worker > 0) {
    sleep_ms(2);
  } else {
    for (const double end = cpu_seconds() + 5e-4; cpu_seconds() < end;) continue;
  }
  process(context, items, worker);
}

#endif
