#include "parallel/worker_pool.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/float_mode.h"
#include "base/memory.h"
#include "parallel/cpus.h"
#include "parallel/parking.h"
#include "parallel/pause.h"
#include "weft/weft.h"

// Polls before parking, 20 to 50 microseconds: longer than a gap between stages, shorter than a
// frame.
#define SPIN_LIMIT 4000u
// Polls between two looks at the CPU.
#define POLLS_A_LOOK 16u
// A worker is late if it completed no piece while the caller spun, and the caller then slept for
// longer than this: longer than a piece, shorter than a time slice.
#define LATE_NS 300000
// Exclusion of a late worker, doubled each time it is late again soon.
#define MIN_EXCLUSION_NS 4000000
#define MAX_EXCLUSION_NS 512000000
// "Soon", in exclusions.
#define SOON 4

typedef struct member {
  /* next piece of its share: job << 32 | piece; an older job stands for piece 0 */
  alignas(WEFT__CACHE_LINE) _Atomic uint64_t next_piece;
  alignas(WEFT__CACHE_LINE) atomic_uint inside; /* job that the worker is inside of; 0 = none */
  atomic_uint progress;                         /* pieces completed */
  atomic_int cpu;                               /* last CPU seen */
  atomic_bool is_excluded; /* set by the caller or the worker, cleared by the caller */
  uint32_t seen_job;       /* last job that it has joined or missed: the worker's own */
  weft__parking idle;      /* the worker, waiting for a job */

  /* the caller's own */
  uint32_t seen_progress;
  bool is_suspect;              /* has completed nothing while the caller spun */
  int64_t exclusion_ns, end_ns; /* length and end of its last exclusion */
  bool is_timed;                /* the end of the present exclusion is set */

  weft__worker_pool* pool;
  uint32_t index;
  pthread_t thread;
  uint32_t bound_cpu; /* CPU that it is bound to, plus 1; 0 = unbound */
} member;

struct weft__worker_pool {
  // written by the caller while no worker is inside, read after `open`
  weft__task* task;
  void* context;
  weft__spans* spans; /* NULL = off */
  uint32_t job;       /* number of the last job, never 0 */
  uint32_t worker_count;
  uint32_t thread_count;                      /* threads started so far, without the caller */
  pid_t process;                              /* process of the threads */
  weft__parking caller;                       /* the caller, waiting for workers */
  alignas(WEFT__CACHE_LINE) atomic_uint open; /* number of the open job; 0 = none */
  atomic_int caller_cpu;
  atomic_bool is_stopping;
  alignas(WEFT__CACHE_LINE) atomic_uint parked_count; /* workers without a job that sleep */
  atomic_uint excluded_count;
  member workers[]; /* [worker_count]; the first is the caller */
};

// ---- workers ----

// condition: there is a job that the worker has not seen, or none will come
static bool has_work(const void* context) {
  const member* self = context;
  const weft__worker_pool* pool = self->pool;
  // acquire: pairs with open_job(); seq_cst for parking
  if (atomic_load_explicit(&pool->is_stopping, memory_order_seq_cst)) return true;
  const uint32_t open = atomic_load_explicit(&pool->open, memory_order_seq_cst);
  return open != 0 && open != self->seen_job &&
         !atomic_load_explicit(&self->is_excluded, memory_order_seq_cst);
}

static void exclude(member* w) {
  if (atomic_exchange_explicit(&w->is_excluded, true, memory_order_relaxed)) return;
  atomic_fetch_add_explicit(&w->pool->excluded_count, 1, memory_order_relaxed);
}

// True, and the worker is excluded, if it runs on the CPU that the caller needs.
static bool is_in_the_way(member* self) {
  const int cpu = weft__current_cpu();
  atomic_store_explicit(&self->cpu, cpu, memory_order_relaxed);
  if (cpu < 0 || cpu != atomic_load_explicit(&self->pool->caller_cpu, memory_order_relaxed))
    return false;
  exclude(self);
  return true;
}

static void park_idle(member* self) {
  // seq_cst, with open_job()
  atomic_fetch_add_explicit(&self->pool->parked_count, 1, memory_order_seq_cst);
  weft__park(&self->idle, has_work, self);
  atomic_fetch_sub_explicit(&self->pool->parked_count, 1, memory_order_relaxed);
}

static void wait_for_work(member* self) {
  for (uint32_t poll = 0; poll < SPIN_LIMIT; ++poll) {
    if (has_work(self)) return;
    if (poll % POLLS_A_LOOK == 0 && is_in_the_way(self)) break;
    weft__pause();
  }
  park_idle(self);
}

bool weft__worker_pool_is_in_the_way(weft__worker_pool* pool, uint32_t worker) {
  return worker > 0 && is_in_the_way(&pool->workers[worker]);
}

// Joins the open job, unless it is closed meanwhile.
static void join_job(member* self, uint32_t job) {
  weft__worker_pool* pool = self->pool;
  self->seen_job = job;
  // seq_cst, with close_job(): either the caller sees this worker inside, or the worker sees the
  // job closed
  atomic_store_explicit(&self->inside, job, memory_order_seq_cst);
  if (atomic_load_explicit(&pool->open, memory_order_seq_cst) == job) {
    pool->task(pool->context, self->index);
  }
  // seq_cst for parking; releases the worker's writes to wait_for_worker()
  atomic_store_explicit(&self->inside, 0, memory_order_seq_cst);
  weft__unpark(&pool->caller);
}

static void* run_worker(void* argument) {
  member* self = argument;
  weft__worker_pool* pool = self->pool;
  weft__name_thread(self->index);
  (void)weft__float_mode_enter();
  for (;;) {
    wait_for_work(self);
    if (atomic_load_explicit(&pool->is_stopping, memory_order_acquire)) return NULL;
    // acquire: pairs with the store in open_job()
    const uint32_t job = atomic_load_explicit(&pool->open, memory_order_acquire);
    if (job != 0) join_job(self, job);
  }
}

// ---- pool ----

static void bind_thread(const member* w) {
  if (w->bound_cpu > 0) weft__bind_thread(w->thread, w->bound_cpu - 1);
}

static bool start_threads(weft__worker_pool* pool) {
  pool->process = getpid();
  for (uint32_t i = 1; i < pool->worker_count; ++i) {
    member* w = &pool->workers[i];
    if (!weft__parking_create(&w->idle)) return false;
    if (pthread_create(&w->thread, NULL, run_worker, w) != 0) {
      weft__parking_destroy(&w->idle);
      return false;
    }
    bind_thread(w);
    ++pool->thread_count;
  }
  return true;
}

// Starts the workers of a pool whose members are all 0 but their number.
static bool start(weft__worker_pool* pool) {
  atomic_init(&pool->caller_cpu, -1);
  for (uint32_t i = 0; i < pool->worker_count; ++i) {
    pool->workers[i].pool = pool;
    pool->workers[i].index = i;
    atomic_init(&pool->workers[i].cpu, -1);
  }
  return weft__parking_create(&pool->caller) && start_threads(pool);
}

weft__worker_pool* weft__worker_pool_create(uint32_t worker_count) {
  assert(worker_count >= 1 && worker_count <= WEFT_MAX_WORKERS);
  const uint32_t cpus = weft__available_cpus();
  if (worker_count > cpus) worker_count = cpus;
  weft__worker_pool* pool = weft__alloc_zeroed(1, sizeof(*pool) + worker_count * sizeof(member));
  if (pool == NULL) return NULL;
  pool->worker_count = worker_count;
  if (start(pool)) return pool;
  weft__worker_pool_destroy(pool);
  return NULL;
}

// True in a child process forked after the threads were started: it has none of them.
static bool is_forked(const weft__worker_pool* pool) {
  return pool->worker_count > 1 && pool->process != getpid();
}

// Restarts the threads in a forked child. Threads that cannot be had are missing from now on.
static void restart_threads(weft__worker_pool* pool) {
  const uint32_t worker_count = pool->worker_count;
  weft__spans* spans = pool->spans;
  memset(pool, 0, sizeof(*pool));
  pool->worker_count = worker_count;
  pool->spans = spans;
  for (uint32_t i = 0; i < worker_count; ++i) {
    const uint32_t bound_cpu = pool->workers[i].bound_cpu;
    memset(&pool->workers[i], 0, sizeof(member));
    pool->workers[i].bound_cpu = bound_cpu;
  }
  (void)start(pool);
}

void weft__worker_pool_bind(weft__worker_pool* pool, const uint32_t* cpus) {
  for (uint32_t i = 1; i <= pool->thread_count; ++i) {
    pool->workers[i].bound_cpu = cpus[i] + 1;
    bind_thread(&pool->workers[i]);
  }
}

void weft__worker_pool_bind_alike(weft__worker_pool* pool, const weft__worker_pool* other) {
  for (uint32_t i = 1; i <= pool->thread_count && i <= other->thread_count; ++i) {
    pool->workers[i].bound_cpu = other->workers[i].bound_cpu;
    bind_thread(&pool->workers[i]);
  }
}

void weft__worker_pool_destroy(weft__worker_pool* pool) {
  if (pool == NULL) return;
  if (!is_forked(pool)) {
    atomic_store_explicit(&pool->is_stopping, true, memory_order_seq_cst);
    for (uint32_t i = 1; i <= pool->thread_count; ++i) {
      weft__unpark(&pool->workers[i].idle);
      pthread_join(pool->workers[i].thread, NULL);
      weft__parking_destroy(&pool->workers[i].idle);
    }
    weft__parking_destroy(&pool->caller);
  }
  free(pool);
}

uint32_t weft__worker_pool_count(const weft__worker_pool* pool) {
  return pool->worker_count;
}

size_t weft__worker_pool_bytes(const weft__worker_pool* pool) {
  return sizeof(*pool) + pool->worker_count * sizeof(member);
}

// ---- late workers ----

static bool is_inside(const member* w) {
  // seq_cst, with join_job(); acquires what the worker has written
  return atomic_load_explicit(&w->inside, memory_order_seq_cst) != 0;
}

static uint32_t excluded_count(const weft__worker_pool* pool) {
  return atomic_load_explicit(&pool->excluded_count, memory_order_relaxed);
}

// Sets the end of a new exclusion.
static void time_exclusion(member* w, int64_t time) {
  const bool is_soon = time - w->end_ns < SOON * w->exclusion_ns;
  const int64_t length = is_soon ? 2 * w->exclusion_ns : MIN_EXCLUSION_NS;
  w->exclusion_ns = length < MAX_EXCLUSION_NS ? length : MAX_EXCLUSION_NS;
  w->end_ns = time + w->exclusion_ns;
  w->is_timed = true;
}

// Readmits workers at the end of their exclusion.
static void readmit(weft__worker_pool* pool) {
  const int64_t time = weft__clock_ns();
  for (uint32_t i = 1; i <= pool->thread_count; ++i) {
    member* w = &pool->workers[i];
    if (!atomic_load_explicit(&w->is_excluded, memory_order_relaxed)) continue;
    if (!w->is_timed) time_exclusion(w, time);
    if (time < w->end_ns) continue;
    w->is_timed = false;
    atomic_store_explicit(&w->is_excluded, false, memory_order_seq_cst);
    atomic_fetch_sub_explicit(&pool->excluded_count, 1, memory_order_relaxed);
  }
}

static void note_progress(weft__worker_pool* pool) {
  for (uint32_t i = 1; i <= pool->thread_count; ++i) {
    member* w = &pool->workers[i];
    w->seen_progress = atomic_load_explicit(&w->progress, memory_order_relaxed);
  }
}

// Marks workers that are inside a job and have completed nothing since note_progress().
static void find_suspects(weft__worker_pool* pool) {
  for (uint32_t i = 1; i <= pool->thread_count; ++i) {
    member* w = &pool->workers[i];
    w->is_suspect = is_inside(w) &&
                    atomic_load_explicit(&w->progress, memory_order_relaxed) == w->seen_progress;
  }
}

static void exclude_suspects(weft__worker_pool* pool) {
  for (uint32_t i = 1; i <= pool->thread_count; ++i) {
    if (pool->workers[i].is_suspect) exclude(&pool->workers[i]);
  }
}

// True if a worker inside a job was last seen on the caller's CPU: it cannot go on while the caller
// spins.
static bool blocks_worker(const weft__worker_pool* pool) {
  const int cpu = weft__current_cpu();
  for (uint32_t i = 1; i <= pool->thread_count && cpu >= 0; ++i) {
    const member* w = &pool->workers[i];
    if (is_inside(w) && atomic_load_explicit(&w->cpu, memory_order_relaxed) == cpu) return true;
  }
  return false;
}

void weft__worker_pool_await(weft__worker_pool* pool, weft__condition* holds, const void* context) {
  for (uint32_t poll = 0; poll < SPIN_LIMIT; ++poll) {
    if (holds(context)) return;
    if (poll == 0) note_progress(pool);
    if (poll % POLLS_A_LOOK == POLLS_A_LOOK - 1 && blocks_worker(pool)) break;
    weft__pause();
  }
  find_suspects(pool);
  const int64_t begin = weft__clock_ns();
  weft__park(&pool->caller, holds, context);
  if (weft__clock_ns() - begin > LATE_NS) exclude_suspects(pool);
}

// condition
static bool has_left(const void* context) {
  return !is_inside(context);
}

// ---- jobs ----

void weft__worker_pool_begin(weft__worker_pool* pool) {
  if (pool->worker_count == 1) return;
  if (is_forked(pool)) restart_threads(pool);
  if (excluded_count(pool) > 0) readmit(pool);
  atomic_store_explicit(&pool->caller_cpu, weft__current_cpu(), memory_order_relaxed);
}

void weft__worker_pool_record(weft__worker_pool* pool, weft__spans* spans) {
  pool->spans = spans;
}

weft__spans* weft__worker_pool_spans(const weft__worker_pool* pool) {
  return pool->spans;
}

bool weft__worker_pool_is_helped(const weft__worker_pool* pool) {
  return pool->thread_count > excluded_count(pool);
}

static void open_job(weft__worker_pool* pool, weft__task* task, void* context) {
  pool->task = task;
  pool->context = context;
  // seq_cst for parking; releases the job to join_job()
  atomic_store_explicit(&pool->open, pool->job, memory_order_seq_cst);
  // seq_cst, with park_idle(); excluded workers stay parked
  if (atomic_load_explicit(&pool->parked_count, memory_order_seq_cst) <= excluded_count(pool))
    return;
  for (uint32_t i = 1; i <= pool->thread_count; ++i) {
    member* w = &pool->workers[i];
    if (!atomic_load_explicit(&w->is_excluded, memory_order_relaxed)) weft__unpark(&w->idle);
  }
}

// Waits until a worker has left the job.
static void await_leaving(weft__worker_pool* pool, uint32_t worker) {
  weft__spans* spans = pool->spans;
  if (spans != NULL) weft__spans_begin_wait(spans, 0, WEFT_SPAN_NONE, worker);
  weft__worker_pool_await(pool, has_left, &pool->workers[worker]);
  if (spans != NULL) weft__spans_end_wait(spans, 0, weft__clock_ns());
}

static void close_job(weft__worker_pool* pool) {
  // seq_cst, with join_job()
  atomic_store_explicit(&pool->open, 0, memory_order_seq_cst);
  for (uint32_t i = 1; i <= pool->thread_count; ++i) {
    if (is_inside(&pool->workers[i])) await_leaving(pool, i);
  }
}

void weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context) {
  if (++pool->job == 0) ++pool->job;
  if (!weft__worker_pool_is_helped(pool)) {
    task(context, 0);
    return;
  }
  open_job(pool, task, context);
  task(context, 0);
  close_job(pool);
}

void weft__worker_pool_report(weft__worker_pool* pool, uint32_t worker) {
  if (worker == 0) return;
  atomic_uint* progress = &pool->workers[worker].progress;
  // relaxed: a sign of life, and one writer
  atomic_store_explicit(progress, atomic_load_explicit(progress, memory_order_relaxed) + 1,
                        memory_order_relaxed);
  weft__unpark(&pool->caller);
}

uint32_t weft__worker_pool_claim(weft__worker_pool* pool, uint32_t owner, uint32_t count) {
  const uint64_t first = (uint64_t)pool->job << 32;
  _Atomic uint64_t* next = &pool->workers[owner].next_piece;
  // relaxed: pieces are independent of each other, and published by `open`
  uint64_t seen = atomic_load_explicit(next, memory_order_relaxed);
  uint32_t piece = 0;
  do {
    piece = seen >> 32 == pool->job ? (uint32_t)seen : 0;
    if (piece >= count) return UINT32_MAX;
  } while (!atomic_compare_exchange_weak_explicit(next, &seen, first + piece + 1,
                                                  memory_order_relaxed, memory_order_relaxed));
  return piece;
}
