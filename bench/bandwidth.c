/* Threads run one task after the other, each on its own share of the arrays: a fill, which puts the
 * memory near the thread's node, then a read and a triad. The caller is worker 0: it hands out the
 * tasks and takes the times. */
#include "machine_limits.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "samples.h"

enum { SAMPLE_COUNT = 8, PASSES_PER_SAMPLE = 3, MAX_LABEL = 64 };

/* Cache lines of 8 elements in each of the quarters that bench_loop_sum() makes. */
static const size_t share_step = 32;

/* Read by a sample of a cache: a few milliseconds. */
static const size_t sample_bytes = (size_t)256 << 20;

static const size_t huge_page_bytes = (size_t)2 << 20;

typedef enum stream_task {
  STREAM_FILL_WORDS, /* whole numbers into the first array, */
  STREAM_READ,       /* which this adds up */
  STREAM_FILL_REALS, /* real numbers into all three arrays, */
  STREAM_TRIAD,      /* which this computes with */
  STREAM_LEAVE,
} stream_task;

typedef struct stream_team stream_team;

typedef struct stream_worker {
  stream_team* team;
  size_t first;      /* element of its share */
  uint64_t checksum; /* keeps the compiler from removing the reads */
  pthread_t thread;
} stream_worker;

struct stream_team {
  char* block;            /* the three arrays */
  size_t count;           /* elements of 8 bytes in one array, */
  size_t share;           /* and in each worker's share of it */
  stream_worker* workers; /* [worker_count]; the first is the caller */
  uint32_t worker_count;
  stream_task task;     /* written by the caller while the others wait */
  pthread_mutex_t gate; /* closed until all workers have started, or some cannot */
  bool complete;        /* written before the gate opens, like the barrier */
  pthread_barrier_t barrier;
};

/* Huge pages where the system has them, like the engine's own memory. */
static void* allocate(size_t bytes) {
  void* memory = aligned_alloc(huge_page_bytes, bytes + (-bytes & (huge_page_bytes - 1)));
#ifdef MADV_HUGEPAGE
  if (memory) (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

uint64_t bench_array_bytes(const bench_machine* machine) {
  const uint64_t smallest = (uint64_t)64 << 20;
  const uint64_t fair = machine->memory_bytes / 16;
  uint64_t bytes = 4 * machine->l3_bytes * machine->l3_count;
  if (bytes < smallest) bytes = smallest;
  return fair > 0 && bytes > fair ? fair : bytes;
}

static void fill_reals(double* a, double* b, double* c, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    a[i] = 0.0;
    b[i] = 1.0;
    c[i] = 2.0;
  }
}

static void do_task(stream_worker* worker) {
  const stream_team* team = worker->team;
  uint64_t* words = (uint64_t*)(void*)team->block + worker->first;
  double* a = (double*)(void*)team->block + worker->first;
  double *b = a + team->count, *c = b + team->count;
  switch (team->task) {
    case STREAM_FILL_WORDS:
      for (size_t i = 0; i < team->share; ++i) words[i] = i;
      break;
    case STREAM_READ:
      for (int i = 0; i < PASSES_PER_SAMPLE; ++i) {
        worker->checksum += bench_loop_sum(words, team->share);
      }
      break;
    case STREAM_FILL_REALS:
      fill_reals(a, b, c, team->share);
      break;
    case STREAM_TRIAD:
      for (int i = 0; i < PASSES_PER_SAMPLE; ++i) bench_loop_triad(a, b, c, 3.0, team->share);
      break;
    case STREAM_LEAVE:
      break;
  }
}

static void* help(void* argument) {
  stream_worker* worker = argument;
  stream_team* team = worker->team;
  pthread_mutex_lock(&team->gate);
  pthread_mutex_unlock(&team->gate);
  if (!team->complete) return NULL;
  for (;;) {
    pthread_barrier_wait(&team->barrier);
    if (team->task == STREAM_LEAVE) return NULL;
    do_task(worker);
    pthread_barrier_wait(&team->barrier);
  }
}

/* Nanoseconds. The clock starts before any worker can, so that no rate is too high. */
static double run_task(stream_team* team, stream_task task) {
  team->task = task;
  const double start_ns = tool_clock_ns();
  pthread_barrier_wait(&team->barrier);
  do_task(&team->workers[0]);
  pthread_barrier_wait(&team->barrier);
  return tool_clock_ns() - start_ns;
}

/* Best rate of a task that moves so many bytes an element. */
static double sample_rate(stream_team* team, stream_task task, double element_bytes,
                          const char* label, tool_progress* progress) {
  const double elements = (double)team->share * (double)team->worker_count * PASSES_PER_SAMPLE;
  double best_ns = (double)INFINITY;
  for (int i = 0; i < SAMPLE_COUNT && !tool_interrupted(); ++i) {
    best_ns = fmin(best_ns, run_task(team, task));
    tool_progress_step(progress, label);
  }
  return element_bytes * elements / best_ns;
}

static void run_team(stream_team* team, bench_bandwidth* measured, tool_progress* progress) {
  char label[MAX_LABEL];
  snprintf(label, sizeof label, "memory x%u", team->worker_count);
  run_task(team, STREAM_FILL_WORDS);
  measured->read_gb_per_s = sample_rate(team, STREAM_READ, 8.0, label, progress);
  if (!tool_interrupted()) run_task(team, STREAM_FILL_REALS);
  measured->triad_gb_per_s = sample_rate(team, STREAM_TRIAD, 24.0, label, progress);
  team->task = STREAM_LEAVE;
  pthread_barrier_wait(&team->barrier);
}

static bool start_team(stream_team* team, bench_bandwidth* measured, tool_progress* progress) {
  uint32_t present = 1;
  pthread_mutex_lock(&team->gate);
  for (; present < team->worker_count; ++present) {
    stream_worker* worker = &team->workers[present];
    if (pthread_create(&worker->thread, NULL, help, worker) != 0) break;
  }
  team->complete = present == team->worker_count &&
                   pthread_barrier_init(&team->barrier, NULL, team->worker_count) == 0;
  pthread_mutex_unlock(&team->gate);
  if (team->complete) run_team(team, measured, progress);
  for (uint32_t i = 1; i < present; ++i) pthread_join(team->workers[i].thread, NULL);
  if (team->complete) pthread_barrier_destroy(&team->barrier);
  return team->complete;
}

static bool measure_team(uint64_t array_bytes, bench_bandwidth* measured, tool_progress* progress,
                         tool_message* why) {
  stream_team team = {.count = (size_t)array_bytes / 8, .worker_count = measured->threads};
  team.share = team.count / team.worker_count / share_step * share_step;
  team.block = allocate(3 * team.count * 8);
  team.workers = calloc(team.worker_count, sizeof *team.workers);
  bool ok = team.block && team.workers && pthread_mutex_init(&team.gate, NULL) == 0;
  if (ok) {
    for (uint32_t i = 0; i < team.worker_count; ++i) {
      team.workers[i].team = &team;
      team.workers[i].first = team.share * i;
    }
    ok = start_team(&team, measured, progress);
    pthread_mutex_destroy(&team.gate);
  }
  free(team.workers);
  free(team.block);
  return ok || tool_because(why, "no memory or threads to measure the memory's bandwidth (x%u)",
                            measured->threads);
}

bool bench_measure_memory(uint64_t array_bytes, bool quiet, bench_bandwidth* measured,
                          uint32_t count, tool_message* why) {
  tool_progress progress = tool_progress_start((uint64_t)count * 2 * SAMPLE_COUNT, quiet);
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; ++i) {
    ok = measure_team(array_bytes, &measured[i], &progress, why) && !tool_interrupted();
  }
  tool_progress_end(&progress);
  return ok;
}

double bench_measure_block_read(uint64_t block_bytes, const char* label, bool quiet) {
  const size_t count = (size_t)block_bytes / 8 / share_step * share_step;
  uint64_t* block = count > 0 ? allocate(count * sizeof *block) : NULL;
  if (!block) return (double)NAN;
  for (size_t i = 0; i < count; ++i) block[i] = i;
  const size_t passes = sample_bytes / (count * sizeof *block) + 1;
  volatile uint64_t checksum = 0;  // keeps the compiler from removing the sums
  double best_ns = (double)INFINITY;
  tool_progress progress = tool_progress_start(SAMPLE_COUNT, quiet);
  for (int i = 0; i < SAMPLE_COUNT && !tool_interrupted(); ++i) {
    const double start_ns = tool_clock_ns();
    for (size_t pass = 0; pass < passes; ++pass) checksum += bench_loop_sum(block, count);
    best_ns = fmin(best_ns, tool_clock_ns() - start_ns);
    tool_progress_step(&progress, label);
  }
  tool_progress_end(&progress);
  (void)checksum;
  free(block);
  return (double)(passes * count * sizeof *block) / best_ns;
}
