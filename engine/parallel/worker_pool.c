#include "parallel/worker_pool.h"

#include <stdalign.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/float_mode.h"
#include "base/host.h"
#include "base/memory.h"
#include "parallel/cpus.h"
#include "parallel/parking.h"
#include "parallel/pause.h"
#include "parallel/threads.h"
#include "weft/weft.h"

// Before a worker leaves and the caller parks, 20 to 50 microseconds: longer than a gap between
// stages, shorter than a frame.
#define SPIN_LIMIT 4000u
#define POLLS_A_LOOK 16u
// A worker is late if it completes no piece while the caller spins and then sleeps for LATE_NS, of
// which its thread runs for less than half. Without CPU times only the sleep decides: longer than a
// long piece, shorter than a time slice.
#define LATE_NS 300000
#define LATE_UNTOLD_NS 4000000
// Exclusion of a late worker, doubled if it is late again within SOON_NS of its return: one that is
// late once in a while helps for longer than it delays.
#define MIN_EXCLUSION_NS 4000000
#define MAX_EXCLUSION_NS 512000000
#define SOON_NS 16000000

typedef enum presence { ABSENT, OFFERED, ATTENDING } presence;

typedef struct member {
  /* in its share: job << 32 | piece; an older job stands for piece 0 */
  alignas(WEFT__CACHE_LINE) _Atomic uint64_t next_piece;
  alignas(WEFT__CACHE_LINE) atomic_uint inside; /* job that the worker is inside of; 0: none */
  atomic_uint progress;                         /* pieces completed */
  atomic_int cpu;
  weft__cpu_clock clock;   /* its task's thread's; written before it is inside a job */
  atomic_bool is_excluded; /* set by the caller or the worker, cleared by the caller */
  atomic_uint presence;
  uint32_t seen_job; /* last job joined or missed: the task's own */

  uint32_t seen_progress;
  int64_t seen_cpu_ns; /* as the caller began to sleep */
  bool is_suspect;     /* completed nothing while the caller spun */
  int64_t exclusion_ns, end_ns;
  int64_t admitted_ns; /* end of its last exclusion, as a job was opened */
  bool is_timed;

  weft__worker_pool* pool;
  weft_task task;
} member;

struct weft__worker_pool {
  // written by the caller while no worker is inside, read after `open`
  weft__task* task;
  void* context;
  weft__spans* spans; /* NULL: off */
  uint32_t job;       /* last job, never 0 */
  uint32_t worker_count;
  weft_task_system source;
  weft_threads* threads; /* weft's, shared or own; NULL: the host's */
  bool has_own_threads;
  pid_t process;
  weft__parking caller;
  atomic_uint references;
  alignas(WEFT__CACHE_LINE) atomic_uint open; /* number of the open job; 0: none */
  atomic_bool is_running;
  atomic_int caller_cpu;
  _Atomic uintptr_t enqueuing_thread; /* the caller's while in enqueue(); else 0 */
  atomic_bool is_distrusted;          /* the host has misused a task since begin */
  alignas(WEFT__CACHE_LINE) atomic_uint absent_count;
  atomic_uint excluded_count;
  member workers[]; /* [worker_count], the caller first */
};

// 0 if none. `seen`: the last job seen.
static uint32_t find_job(const member* self, uint32_t seen) {
  // seq_cst: acquires the job as open_job() left it; see attend_jobs()
  const uint32_t open = atomic_load_explicit(&self->pool->open, memory_order_seq_cst);
  if (open == seen || atomic_load_explicit(&self->is_excluded, memory_order_relaxed)) return 0;
  return open;
}

static void exclude(member* w) {
  if (atomic_exchange_explicit(&w->is_excluded, true, memory_order_relaxed)) return;
  atomic_fetch_add_explicit(&w->pool->excluded_count, 1, memory_order_relaxed);
}

// Excludes the worker if it runs on the CPU that the caller needs.
static bool is_in_the_way(member* self) {
  const int cpu = weft__current_cpu();
  atomic_store_explicit(&self->cpu, cpu, memory_order_relaxed);
  if (cpu < 0 || cpu != atomic_load_explicit(&self->pool->caller_cpu, memory_order_relaxed))
    return false;
  exclude(self);
  return true;
}

static uint32_t await_job(member* self) {
  for (uint32_t poll = 0; poll < SPIN_LIMIT; ++poll) {
    const uint32_t job = find_job(self, self->seen_job);
    if (job != 0) return job;
    // relaxed: a job is seen as it is opened, and there is none after the end
    if (!atomic_load_explicit(&self->pool->is_running, memory_order_relaxed) ||
        atomic_load_explicit(&self->is_excluded, memory_order_relaxed) ||
        (poll % POLLS_A_LOOK == 0 && is_in_the_way(self))) {
      return 0;
    }
    weft__pause();
  }
  return 0;
}

bool weft__worker_pool_is_in_the_way(weft__worker_pool* pool, uint32_t index) {
  return index > 0 && is_in_the_way(&pool->workers[index]);
}

// Unless the job is closed meanwhile.
static void join_job(member* self, uint32_t job) {
  weft__worker_pool* pool = self->pool;
  self->seen_job = job;
  // seq_cst, with close_job(): either the caller sees the worker inside, or it sees the job closed
  atomic_store_explicit(&self->inside, job, memory_order_seq_cst);
  if (atomic_load_explicit(&pool->open, memory_order_seq_cst) == job) {
    pool->task(pool->context, self->task.index);
  }
  // seq_cst for parking; releases the worker's writes to close_job()
  atomic_store_explicit(&self->inside, 0, memory_order_seq_cst);
  weft__unpark(&pool->caller);
}

// seq_cst: ABSENT acquires `seen_job` as leave() released it; see open_job()
static bool change(member* w, unsigned from, presence to) {
  return atomic_compare_exchange_strong_explicit(&w->presence, &from, to, memory_order_seq_cst,
                                                 memory_order_relaxed);
}

// seq_cst, with attend_jobs()
static bool is_present(const member* w) {
  return atomic_load_explicit(&w->presence, memory_order_seq_cst) != ABSENT;
}

static bool enter(member* w, presence as) {
  if (!change(w, ABSENT, as)) return false;
  atomic_fetch_sub_explicit(&w->pool->absent_count, 1, memory_order_relaxed);
  return true;
}

static bool leave(member* w, presence from) {
  if (!change(w, from, ABSENT)) return false;
  // seq_cst, with open_job()
  atomic_fetch_add_explicit(&w->pool->absent_count, 1, memory_order_seq_cst);
  return true;
}

static void release(weft__worker_pool* pool) {
  // acq_rel: the last one sees all writes of the others
  if (atomic_fetch_sub_explicit(&pool->references, 1, memory_order_acq_rel) > 1) return;
  weft__parking_destroy(&pool->caller);
  if (pool->threads != NULL) weft__threads_release(pool->threads);
  weft__free(pool);
}

// Either a worker that leaves sees a job that is opened meanwhile, or the caller sees it absent.
static void attend_jobs(member* self) {
  const weft__float_mode mode = weft__float_mode_enter();
  uint32_t seen = 0;
  self->clock = weft__current_cpu_clock();
  do {
    for (uint32_t job; (job = await_job(self)) != 0;) join_job(self, job);
    seen = self->seen_job;
    (void)leave(self, ATTENDING);
  } while (find_job(self, seen) != 0 && enter(self, ATTENDING));
  weft__float_mode_leave(&mode);
}

// Each offer is used up by one run: if the host misuses tasks, the caller only lacks help.
static void attend(weft_task* task) {
  member* self = task->worker;
  weft__worker_pool* pool = self->pool;
  // relaxed: a thread sees its own writes
  const bool is_run_after_enqueue =
      weft__current_thread() != atomic_load_explicit(&pool->enqueuing_thread, memory_order_relaxed);
  const bool is_run_once = change(self, OFFERED, ATTENDING);
  if (!is_run_once || !is_run_after_enqueue) {
    atomic_store_explicit(&pool->is_distrusted, true, memory_order_relaxed);
  }
  WEFT__ASSERT(is_run_once);
  WEFT__ASSERT(is_run_after_enqueue);
  if (!is_run_once) return;
  if (is_run_after_enqueue) {
    attend_jobs(self);
  } else {
    (void)leave(self, ATTENDING);
  }
  release(pool);
}

// All workers are absent in a new pool and in a forked child. False if there are no more mutexes.
static bool reset_workers(weft__worker_pool* pool) {
  pool->process = getpid();
  atomic_init(&pool->references, 1);
  atomic_init(&pool->open, 0);
  atomic_init(&pool->is_running, false);
  atomic_init(&pool->caller_cpu, -1);
  atomic_init(&pool->enqueuing_thread, 0);
  atomic_init(&pool->is_distrusted, false);
  atomic_init(&pool->absent_count, pool->worker_count - 1);
  atomic_init(&pool->excluded_count, 0);
  memset(pool->workers, 0, pool->worker_count * sizeof(member));
  for (uint32_t i = 0; i < pool->worker_count; ++i) {
    member* w = &pool->workers[i];
    w->pool = pool;
    w->task = (weft_task){.run = attend, .worker = w, .index = i};
    atomic_init(&w->cpu, -1);
  }
  return weft__parking_create(&pool->caller);
}

static weft_threads* start_threads(uint32_t count, const uint32_t* cpus) {
  weft_threads* threads = NULL;
  weft_threads_def def = weft_default_threads_def();
  def.count = count;
  def.cpus = cpus;
  return weft_threads_create(&def, &threads).error == WEFT_OK ? threads : NULL;
}

static uint32_t limit_workers(uint32_t worker_count, const weft__worker_source* source) {
  uint32_t limit = WEFT_MAX_WORKERS;
  if (source->threads != NULL) {
    limit = weft__threads_count(source->threads) + 1;
  } else if (source->task_system.enqueue == NULL) {
    limit = weft__available_cpus();
  }
  return worker_count < limit ? worker_count : limit;
}

static bool set_source(weft__worker_pool* pool, const weft__worker_source* source) {
  pool->source = source->task_system;
  pool->threads = source->threads;
  if (pool->threads != NULL) weft__threads_retain(pool->threads);
  if (pool->threads == NULL && pool->source.enqueue == NULL && pool->worker_count > 1) {
    pool->threads = start_threads(pool->worker_count - 1, source->cpus);
    pool->has_own_threads = true;
    if (pool->threads == NULL) return false;
  }
  if (pool->threads != NULL) {
    pool->source.context = pool->threads;
    pool->source.enqueue = pool->has_own_threads ? weft__threads_offer_own : weft__threads_offer;
  }
  return true;
}

weft__worker_pool* weft__worker_pool_create(uint32_t worker_count,
                                            const weft__worker_source* source) {
  WEFT__ASSERT(worker_count >= 1 && worker_count <= WEFT_MAX_WORKERS);
  const weft__worker_source own = {0};
  if (source == NULL) source = &own;
  worker_count = limit_workers(worker_count, source);
  weft__worker_pool* pool = weft__alloc_zeroed(1, sizeof(*pool) + worker_count * sizeof(member));
  if (pool == NULL) return NULL;
  pool->worker_count = worker_count;
  if (!reset_workers(pool)) {
    weft__free(pool);
    return NULL;
  }
  if (set_source(pool, source)) return pool;
  release(pool);
  return NULL;
}

static bool is_forked(const weft__worker_pool* pool) {
  return pool->threads != NULL && pool->process != getpid();
}

void weft__worker_pool_destroy(weft__worker_pool* pool) {
  if (pool == NULL) return;
  if (is_forked(pool)) (void)reset_workers(pool);
  if (pool->has_own_threads) {
    weft_threads* threads = pool->threads;
    pool->threads = NULL;
    weft_threads_destroy(&threads);
  }
  release(pool);
}

uint32_t weft__worker_pool_count(const weft__worker_pool* pool) {
  return pool->worker_count;
}

size_t weft__worker_pool_bytes(const weft__worker_pool* pool) {
  return sizeof(*pool) + pool->worker_count * sizeof(member);
}

static bool is_inside(const member* w) {
  // seq_cst, with join_job(); acquires the worker's writes
  return atomic_load_explicit(&w->inside, memory_order_seq_cst) != 0;
}

static uint32_t excluded_count(const weft__worker_pool* pool) {
  return atomic_load_explicit(&pool->excluded_count, memory_order_relaxed);
}

static void time_exclusion(member* w, int64_t time) {
  const bool is_soon = time - w->admitted_ns < SOON_NS;
  const int64_t length = is_soon ? 2 * w->exclusion_ns : MIN_EXCLUSION_NS;
  w->exclusion_ns = length < MAX_EXCLUSION_NS ? length : MAX_EXCLUSION_NS;
  w->end_ns = time + w->exclusion_ns;
  w->is_timed = true;
}

static void readmit(weft__worker_pool* pool) {
  const int64_t time = weft__clock_ns();
  for (uint32_t i = 1; i < pool->worker_count; ++i) {
    member* w = &pool->workers[i];
    if (!atomic_load_explicit(&w->is_excluded, memory_order_relaxed)) continue;
    if (!w->is_timed) time_exclusion(w, time);
    if (time < w->end_ns) continue;
    w->is_timed = false;
    w->admitted_ns = time;
    atomic_store_explicit(&w->is_excluded, false, memory_order_seq_cst);
    atomic_fetch_sub_explicit(&pool->excluded_count, 1, memory_order_relaxed);
  }
}

static void note_progress(weft__worker_pool* pool) {
  for (uint32_t i = 1; i < pool->worker_count; ++i) {
    member* w = &pool->workers[i];
    w->seen_progress = atomic_load_explicit(&w->progress, memory_order_relaxed);
  }
}

// Completed nothing since note_progress().
static bool is_stuck(const member* w) {
  return is_inside(w) &&
         atomic_load_explicit(&w->progress, memory_order_relaxed) == w->seen_progress;
}

static void find_suspects(weft__worker_pool* pool) {
  for (uint32_t i = 1; i < pool->worker_count; ++i) {
    member* w = &pool->workers[i];
    w->is_suspect = is_stuck(w);
    if (w->is_suspect) w->seen_cpu_ns = weft__cpu_time_ns(w->clock);
  }
}

// Unless they run a long piece. slept_ns: since find_suspects()
static void exclude_late(weft__worker_pool* pool, int64_t slept_ns) {
  for (uint32_t i = 1; i < pool->worker_count; ++i) {
    member* w = &pool->workers[i];
    if (!w->is_suspect || !is_stuck(w)) continue;
    if (weft__cpu_time_ns(w->clock) - w->seen_cpu_ns < slept_ns / 2) exclude(w);
  }
}

// A worker last seen on the caller's CPU cannot go on while the caller spins.
static bool blocks_worker(const weft__worker_pool* pool) {
  const int cpu = weft__current_cpu();
  for (uint32_t i = 1; i < pool->worker_count && cpu >= 0; ++i) {
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
  const int64_t patience = weft__tells_cpu_time() ? LATE_NS : LATE_UNTOLD_NS;
  if (weft__park_for(&pool->caller, holds, context, patience)) return;
  exclude_late(pool, weft__clock_ns() - begin);
  weft__park(&pool->caller, holds, context);
}

// condition
static bool has_left(const void* context) {
  return !is_inside(context);
}

// relaxed: a hint, for is_in_the_way()
static void tell_caller_cpu(weft__worker_pool* pool) {
  atomic_store_explicit(&pool->caller_cpu, weft__current_cpu(), memory_order_relaxed);
}

void weft__worker_pool_begin(weft__worker_pool* pool) {
  if (pool->worker_count == 1) return;
  if (is_forked(pool)) {
    weft__threads_restart(pool->threads);
    (void)reset_workers(pool);
  }
  tell_caller_cpu(pool);
  atomic_store_explicit(&pool->is_distrusted, false, memory_order_relaxed);
  atomic_store_explicit(&pool->is_running, true, memory_order_relaxed);
}

void weft__worker_pool_end(weft__worker_pool* pool) {
  atomic_store_explicit(&pool->is_running, false, memory_order_relaxed);
}

void weft__worker_pool_record(weft__worker_pool* pool, weft__spans* spans) {
  pool->spans = spans;
}

weft__spans* weft__worker_pool_spans(const weft__worker_pool* pool) {
  return pool->spans;
}

static bool has_help(const weft__worker_pool* pool) {
  return pool->worker_count - 1 > excluded_count(pool) &&
         !atomic_load_explicit(&pool->is_distrusted, memory_order_relaxed);
}

bool weft__worker_pool_is_helped(weft__worker_pool* pool) {
  if (excluded_count(pool) > 0) readmit(pool);
  return has_help(pool);
}

static void call_workers(weft__worker_pool* pool) {
  atomic_store_explicit(&pool->enqueuing_thread, weft__current_thread(), memory_order_relaxed);
  for (uint32_t i = 1; i < pool->worker_count; ++i) {
    member* w = &pool->workers[i];
    if (atomic_load_explicit(&w->is_excluded, memory_order_relaxed) || is_present(w)) continue;
    // relaxed: the owner has a reference
    atomic_fetch_add_explicit(&pool->references, 1, memory_order_relaxed);
    // a task that has begun although it is refused keeps its reference
    if (enter(w, OFFERED) &&
        (pool->source.enqueue(pool->source.context, &w->task) || !leave(w, OFFERED)))
      continue;
    atomic_fetch_sub_explicit(&pool->references, 1, memory_order_relaxed);
  }
  atomic_store_explicit(&pool->enqueuing_thread, 0, memory_order_relaxed);
}

static void open_job(weft__worker_pool* pool, weft__task* task, void* context) {
  pool->task = task;
  pool->context = context;
  // the system may move the caller within a step
  tell_caller_cpu(pool);
  // seq_cst, with attend_jobs(); releases the job to join_job()
  atomic_store_explicit(&pool->open, pool->job, memory_order_seq_cst);
  if (atomic_load_explicit(&pool->absent_count, memory_order_seq_cst) > excluded_count(pool))
    call_workers(pool);
}

static void await_leaving(weft__worker_pool* pool, uint32_t worker) {
  weft__spans* spans = pool->spans;
  if (spans != NULL) weft__spans_begin_wait(spans, 0, WEFT_SPAN_NONE, worker);
  weft__worker_pool_await(pool, has_left, &pool->workers[worker]);
  if (spans != NULL) weft__spans_end_wait(spans, 0, weft__clock_ns());
}

static void close_job(weft__worker_pool* pool) {
  // seq_cst, with join_job()
  atomic_store_explicit(&pool->open, 0, memory_order_seq_cst);
  for (uint32_t i = 1; i < pool->worker_count; ++i) {
    if (is_inside(&pool->workers[i])) await_leaving(pool, i);
  }
}

void weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context) {
  if (++pool->job == 0) ++pool->job;
  if (!has_help(pool)) {
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
