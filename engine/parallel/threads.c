#include "parallel/threads.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/host.h"
#include "base/memory.h"
#include "base/result.h"
#include "parallel/cpus.h"
#include "parallel/parking.h"
#include "parallel/pause.h"

#define MAX_NAME 11u
// Polls before parking, 20 to 50 microseconds: shorter than a frame.
#define SPIN_LIMIT 4000u
#define POLLS_A_LOOK 16u

typedef struct member {
  alignas(WEFT__CACHE_LINE) _Atomic(weft_task*) task; /* offered, or running; NULL: idle */
  weft__parking idle;
  weft_threads* threads;
  uint32_t index;
  uint32_t bound_cpu; /* plus 1; 0: unbound */
  pthread_t thread;
} member;

struct weft_threads {
  uint32_t count, started;
  size_t stack_bytes;
  int nice;
  char name[MAX_NAME + 1];
  pthread_mutex_t restarting;
  atomic_int process;     /* the threads' */
  atomic_uint references; /* worker pools, and the owner until it destroys the threads */
  alignas(WEFT__CACHE_LINE) atomic_bool is_stopping;
  atomic_int caller_cpu;
  member members[]; /* [count] */
};

// condition: there is a task, or none will come
static bool has_task(const void* context) {
  const member* self = context;
  // seq_cst for parking; acquires the task as weft__threads_offer() left it
  return atomic_load_explicit(&self->task, memory_order_seq_cst) != NULL ||
         atomic_load_explicit(&self->threads->is_stopping, memory_order_seq_cst);
}

static bool is_in_the_way(const member* self) {
  const int cpu = weft__current_cpu();
  return cpu >= 0 && cpu == atomic_load_explicit(&self->threads->caller_cpu, memory_order_relaxed);
}

static void await_task(member* self) {
  for (uint32_t poll = 0; poll < SPIN_LIMIT; ++poll) {
    if (has_task(self)) return;
    if (poll % POLLS_A_LOOK == 0 && is_in_the_way(self)) break;
    weft__pause();
  }
  weft__park(&self->idle, has_task, self);
}

static void* run_thread(void* argument) {
  member* self = argument;
  weft__name_thread(self->threads->name, self->index + 1);
  if (!weft__set_nice(self->threads->nice)) weft__log("a thread was refused its niceness");
  for (;;) {
    await_task(self);
    weft_task* task = atomic_load_explicit(&self->task, memory_order_acquire);
    if (task == NULL) return NULL;
    weft_task_run(task);
    // release: pairs with the exchange in weft__threads_offer()
    atomic_store_explicit(&self->task, NULL, memory_order_release);
  }
}

static bool start_thread(member* m, const pthread_attr_t* attributes) {
  atomic_init(&m->task, NULL);
  if (!weft__parking_create(&m->idle)) return false;
  if (pthread_create(&m->thread, attributes, run_thread, m) != 0) {
    weft__parking_destroy(&m->idle);
    return false;
  }
  if (m->bound_cpu > 0 && !weft__bind_thread(m->thread, m->bound_cpu - 1)) {
    weft__log("a thread could not be bound to its CPU");
  }
  return true;
}

static bool start(weft_threads* threads) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  if (threads->stack_bytes > 0) (void)pthread_attr_setstacksize(&attributes, threads->stack_bytes);
  threads->started = 0;
  while (threads->started < threads->count &&
         start_thread(&threads->members[threads->started], &attributes)) {
    ++threads->started;
  }
  pthread_attr_destroy(&attributes);
  // release: pairs with are_forked()
  atomic_store_explicit(&threads->process, (int)getpid(), memory_order_release);
  return threads->started == threads->count;
}

static bool are_forked(const weft_threads* threads) {
  // acquire: pairs with start()
  return atomic_load_explicit(&threads->process, memory_order_acquire) != (int)getpid();
}

static void stop(weft_threads* threads) {
  atomic_store_explicit(&threads->is_stopping, true, memory_order_seq_cst);
  if (are_forked(threads)) return;
  for (uint32_t i = 0; i < threads->started; ++i) {
    weft__unpark(&threads->members[i].idle);
    pthread_join(threads->members[i].thread, NULL);
    weft__parking_destroy(&threads->members[i].idle);
  }
}

// relaxed: threads are stopped while no world is inside a call
static bool is_stopping(const weft_threads* threads) {
  return atomic_load_explicit(&threads->is_stopping, memory_order_relaxed);
}

// Takes the task to the first idle of `count` threads, from its worker's own.
static bool offer(weft_threads* threads, weft_task* task, uint32_t count) {
  if (is_stopping(threads)) return false;
  atomic_store_explicit(&threads->caller_cpu, weft__current_cpu(), memory_order_relaxed);
  for (uint32_t k = 0; k < count; ++k) {
    member* m = &threads->members[(task->index - 1 + k) % threads->started];
    weft_task* idle = NULL;
    if (atomic_load_explicit(&m->task, memory_order_relaxed) != NULL) continue;
    // seq_cst for parking; releases the task to run_thread()
    if (!atomic_compare_exchange_strong_explicit(&m->task, &idle, task, memory_order_seq_cst,
                                                 memory_order_relaxed)) {
      continue;
    }
    weft__unpark(&m->idle);
    return true;
  }
  return false;
}

bool weft__threads_offer(void* context, weft_task* task) {
  weft_threads* threads = context;
  return offer(threads, task, threads->started);
}

bool weft__threads_offer_own(void* context, weft_task* task) {
  weft_threads* threads = context;
  return offer(threads, task, task->index <= threads->started ? 1 : 0);
}

uint32_t weft__threads_count(const weft_threads* threads) {
  return threads->count;
}

void weft__threads_restart(weft_threads* threads) {
  pthread_mutex_lock(&threads->restarting);
  if (!is_stopping(threads) && are_forked(threads) && !start(threads)) {
    weft__log("not all threads could be restarted after fork()");
  }
  pthread_mutex_unlock(&threads->restarting);
}

void weft__threads_retain(weft_threads* threads) {
  // relaxed: the calling thread has a reference, or the host's pointer
  atomic_fetch_add_explicit(&threads->references, 1, memory_order_relaxed);
}

void weft__threads_release(weft_threads* threads) {
  // acq_rel: the last one sees all writes of the others
  if (atomic_fetch_sub_explicit(&threads->references, 1, memory_order_acq_rel) > 1) return;
  pthread_mutex_destroy(&threads->restarting);
  weft__free(threads);
}

weft_threads_def weft_default_threads_def(void) {
  const uint32_t cpus = weft__available_cpus();
  const uint32_t count = cpus < 2 ? 1 : cpus - 1;
  weft_threads_def def;
  weft__set_defaults(&weft__threads_fields, &def);
  def.count = count < WEFT_MAX_WORKERS ? count : WEFT_MAX_WORKERS - 1;
  def.name = "weft";
  return def;
}

weft_result weft__check_cpus(const uint32_t* cpus, uint32_t count, const char* field) {
  if (cpus == NULL) return weft__ok();
  WEFT__FAIL_IF(!weft__can_bind(), WEFT_ERROR_UNSUPPORTED, field);
  for (uint32_t i = 0; i < count; ++i) {
    if (!weft__is_available_cpu(cpus[i])) return weft__fail_at(WEFT_ERROR_RANGE, field, i);
  }
  return weft__ok();
}

static weft_result check_def(const weft_threads_def* def) {
  WEFT__TRY(weft__check_def(&weft__threads_fields, def));
  WEFT__TRY(weft__check_cpus(def->cpus, def->count, "weft_threads_def.cpus"));
  WEFT__FAIL_IF(def->nice != 0 && !weft__can_bind(), WEFT_ERROR_UNSUPPORTED,
                "weft_threads_def.nice");
  const size_t length = strlen(def->name);
  WEFT__FAIL_IF(length == 0 || length > MAX_NAME, WEFT_ERROR_RANGE, "weft_threads_def.name");
  return weft__ok();
}

static weft_threads* allocate(const weft_threads_def* def) {
  weft_threads* made = weft__alloc_zeroed(1, sizeof(*made) + def->count * sizeof(member));
  if (made == NULL) return NULL;
  if (pthread_mutex_init(&made->restarting, NULL) != 0) {
    weft__free(made);
    return NULL;
  }
  made->count = def->count;
  made->stack_bytes = def->stack_bytes;
  made->nice = def->nice;
  memcpy(made->name, def->name, strlen(def->name));
  atomic_init(&made->references, 1);
  atomic_init(&made->caller_cpu, -1);
  for (uint32_t i = 0; i < def->count; ++i) {
    made->members[i].threads = made;
    made->members[i].index = i;
    made->members[i].bound_cpu = def->cpus != NULL ? def->cpus[i] + 1 : 0;
  }
  return made;
}

weft_result weft_threads_create(const weft_threads_def* def, weft_threads** threads) {
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(threads == NULL, WEFT_ERROR_NULL, "threads");
  WEFT__TRY(check_def(def));
  weft_threads* made = allocate(def);
  WEFT__FAIL_IF(made == NULL, WEFT_ERROR_OUT_OF_MEMORY, "threads");
  if (!start(made)) {
    weft_threads_destroy(&made);
    return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "threads");
  }
  *threads = made;
  return weft__ok();
}

void weft_threads_destroy(weft_threads** threads) {
  if (threads == NULL || *threads == NULL) return;
  stop(*threads);
  weft__threads_release(*threads);
  *threads = NULL;
}
