/* Threads of worker pools: child processes, rounding, names, CPUs. */
#include <dirent.h>
#include <fenv.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parallel/cpus.h"
#include "support/jobs.h"
#include "support/test.h"

// A forked child and its parent both keep using the pool; a child that hangs is ended by alarm().
// Sanitizers lock their own tables: a child that is forked while another thread holds such a lock
// hangs when it starts a thread.
LOOP_TEST(a_child_process_goes_on_with_a_pool_and_can_destroy_it, 0, ROUNDS(5, 0)) {
  static trial t;
  t = (trial){.pool = new_pool(worker_counts[_i]), .item_count = MOST_ITEMS, .grain = 16};
  uint32_t runs = 0;
  for (int used = 0; used < 2; ++used) {
    for (uint32_t child_runs = 0; child_runs < 2; ++child_runs) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(300);
        // the child has threads of its own
        for (uint32_t w = 0; w < MOST_WORKERS; ++w) t.piece_count[w] = 0;
        for (uint32_t i = 0; i < child_runs; ++i) run_loop(&t);
        if (child_runs > 0 && !is_done(&t, runs + child_runs)) _exit(1);
        weft__worker_pool_destroy(t.pool);
        _exit(0);
      }
      int status = -1;
      ck_assert_int_eq(waitpid(child, &status, 0), child);
      ck_assert_int_eq(status, 0);
    }
    run_loop(&t);
    require(is_done(&t, ++runs));
    // long enough for the workers to park
    usleep(20000);
  }
  weft__worker_pool_destroy(t.pool);
}

static void count_item(void* context, weft__range items, uint32_t worker) {
  trial* t = context;
  t->wrong += worker >= weft__worker_pool_count(t->pool);
  for (uint32_t i = items.begin; i < items.end; ++i) ++t->done[i];
}

static bool run_and_count(trial* t, uint32_t runs) {
  weft__worker_pool_begin(t->pool);
  weft__worker_pool_for(t->pool, t->item_count, t->grain, count_item, t);
  weft__worker_pool_end(t->pool);
  bool good = t->wrong == 0;
  for (uint32_t i = 0; i < t->item_count; ++i) good &= t->done[i] == runs;
  return good;
}

LOOP_TEST(pools_with_shared_threads_go_on_in_a_child_process, 0, ROUNDS(1, 0)) {
  static trial trials[2];
  weft_threads* threads = NULL;
  weft_threads_def def = weft_default_threads_def();
  def.count = 3;
  expect_ok(weft_threads_create(&def, &threads));
  const weft__worker_source source = {.threads = threads};
  for (uint32_t p = 0; p < 2; ++p) {
    trials[p] = (trial){
        .pool = weft__worker_pool_create(9 - 6 * p, &source), .item_count = MOST_ITEMS, .grain = 1};
    ck_assert_uint_eq(weft__worker_pool_count(trials[p].pool), 4 - p);
    require(run_and_count(&trials[p], 1));
  }
  const pid_t child = fork();
  if (child == 0) alarm(300);
  for (uint32_t p = 0; p < 2; ++p) {
    if (!run_and_count(&trials[p], 2)) _exit(1);
    weft__worker_pool_destroy(trials[p].pool);
  }
  weft_threads_destroy(&threads);
  if (child == 0) _exit(0);
  int status = -1;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
}

static void check_rounding(void* context, weft__range items, uint32_t worker) {
  trial* t = context;
  const volatile float one = 1.0f, tiny = 0x1p-30f;
  t->wrong += worker > 0 && one + tiny != one;
  process_slowly(context, items, worker);
}

TEST(workers_round_to_nearest_whatever_the_mode_of_the_thread_that_starts_them) {
  static trial t;
  fesetround(FE_UPWARD);
  t = (trial){.pool = new_pool(4), .item_count = 64, .grain = 1};
  weft__worker_pool_begin(t.pool);
  weft__worker_pool_for(t.pool, t.item_count, t.grain, check_rounding, &t);
  fesetround(FE_TONEAREST);
  require(is_done(&t, 1));
  weft__worker_pool_destroy(t.pool);
}

#ifdef __linux__
static void check_name(void* context, weft__range items, uint32_t worker) {
  trial* t = context;
  char name[16];
  const char expected[] = {'w', 'e', 'f', 't', '-', (char)('0' + worker), '\0'};
  (void)pthread_getname_np(pthread_self(), name, sizeof(name));
  t->wrong += worker > 0 && strcmp(name, expected) != 0;
  process_slowly(context, items, worker);
}

// Number of this process's other threads whose affinity mask is `cpu` alone.
static uint32_t bound_thread_count(uint32_t cpu) {
  uint32_t count = 0;
  DIR* tasks = opendir("/proc/self/task");
  for (const struct dirent* task = readdir(tasks); task != NULL; task = readdir(tasks)) {
    const pid_t thread = (pid_t)strtol(task->d_name, NULL, 10);
    cpu_set_t set;
    if (thread == 0 || thread == getpid() || sched_getaffinity(thread, sizeof(set), &set) != 0)
      continue;
    count += CPU_COUNT(&set) == 1 && CPU_ISSET(cpu, &set);
  }
  closedir(tasks);
  return count;
}

LOOP_TEST(bound_workers_stay_on_their_cpu_in_a_child_process_too, 0, ROUNDS(1, 0)) {
  const uint32_t here = (uint32_t)sched_getcpu(), cpus[] = {here, here};
  const weft__worker_source source = {.cpus = cpus};
  static trial t;
  t = (trial){.pool = weft__worker_pool_create(3, &source), .item_count = 64, .grain = 1};
  require(weft__is_available_cpu(here));
  require(bound_thread_count(here) == 2);
  const pid_t child = fork();
  if (child == 0) {
    alarm(300);
    run_loop(&t);
    _exit(bound_thread_count(here) == 2 && is_done(&t, 1) ? 0 : 1);
  }
  int status = -1;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  weft__worker_pool_destroy(t.pool);
}

TEST(threads_are_named_after_their_worker) {
  static trial t;
  t = (trial){.pool = new_pool(4), .item_count = 64, .grain = 1};
  weft__worker_pool_begin(t.pool);
  weft__worker_pool_for(t.pool, t.item_count, t.grain, check_name, &t);
  require(is_done(&t, 1));
  weft__worker_pool_destroy(t.pool);
}
#endif
