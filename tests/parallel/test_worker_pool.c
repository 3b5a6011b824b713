#include "parallel/worker_pool.h"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include "parallel/cpus.h"
#include "support/cpus.h"
#include "support/jobs.h"
#include "support/late_workers.h"
#include "support/test.h"

// ---- shares ----

RANDOM_TEST(shares_cover_every_item_once_in_order_and_differ_by_at_most_one, 10) {
  for (int round = 0; round < 2000; ++round) {
    const uint32_t worker_count = random_from(&random, 1, 256);
    const uint32_t count = (uint32_t)(random_bits(&random) >> random_from(&random, 32, 63));
    uint32_t next = 0;
    for (uint32_t worker = 0; worker < worker_count; ++worker) {
      const weft__range share = weft__share(count, worker, worker_count);
      const uint32_t size = share.end - share.begin;
      require(share.begin == next && share.begin <= share.end);
      require(size == count / worker_count || size == count / worker_count + 1);
      next = share.end;
    }
    require(next == count);
  }
}

// ---- jobs ----

static uint32_t helped_pieces(const trial* t) {
  uint32_t sum = 0;
  for (uint32_t w = 1; w < MOST_WORKERS; ++w) sum += t->piece_count[w];
  return sum;
}

LOOP_TEST(a_loop_processes_every_item_once_in_pieces_of_the_grain, 0, WORKER_COUNTS) {
  static const uint32_t item_counts[] = {0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, MOST_ITEMS};
  static const uint32_t grains[] = {1, 3, 16, 1000, UINT32_MAX};
  static trial t;
  weft__worker_pool* pool = new_pool(worker_counts[_i]);
  for (size_t c = 0; c < sizeof(item_counts) / sizeof(*item_counts); ++c) {
    for (size_t g = 0; g < sizeof(grains) / sizeof(*grains); ++g) {
      t = (trial){.pool = pool, .item_count = item_counts[c], .grain = grains[g]};
      run_loop(&t);
      require(is_done(&t, 1));
    }
  }
  weft__worker_pool_destroy(pool);
}

// delayed workers miss jobs, join the last moment before they are closed, or hold the last piece
LOOP_TEST(jobs_in_a_row_see_what_the_caller_wrote_before_and_the_caller_what_they_wrote, 0,
          WORKER_COUNTS) {
  static trial t;
  random_source random = {(uint64_t)_i};
  for (uint32_t round = 0; round < 8; ++round) {
    const uint32_t worker_count = worker_counts[_i];
    delays = (delay_schedule){.worker = random_below(&random, worker_count),
                              .period = round == 0 ? 0 : random_from(&random, 1, 9),
                              .is_random = true,
                              .first = round};
    t = (trial){.pool = new_pool(worker_count), .item_count = 100, .grain = 1 + round % 4};
    const uint32_t loops = round == 0 ? ROUNDS(2000, 300) : ROUNDS(60, 20);
    for (uint32_t n = 1; n <= loops; ++n) {
      t.input = 1000 * n;
      run_loop(&t);
      require(is_done(&t, n));
    }
    weft__worker_pool_destroy(t.pool);
    delays = (delay_schedule){0};
  }
}

// ---- waiting ----

#ifdef __linux__
// Number of this process's other threads that run or wait for a CPU.
static uint32_t awake_thread_count(void) {
  uint32_t count = 0;
  DIR* tasks = opendir("/proc/self/task");
  for (const struct dirent* task = readdir(tasks); task != NULL; task = readdir(tasks)) {
    char path[300], state = 'S';
    const pid_t thread = (pid_t)strtol(task->d_name, NULL, 10);
    if (thread == 0 || thread == getpid()) continue;
    snprintf(path, sizeof(path), "/proc/self/task/%s/stat", task->d_name);
    FILE* file = fopen(path, "r");
    // number, name in parentheses, state
    require(file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) == 1);
    fclose(file);
    count += state == 'R';
  }
  closedir(tasks);
  return count;
}

// Waits as long as it takes: on a busy machine a thread may be late to sleep.
TEST(workers_sleep_between_jobs_and_wake_for_the_next) {
  static trial t;
  t = (trial){.pool = new_pool(4), .item_count = 1000, .grain = 1};
  for (uint32_t n = 1; n <= 5; ++n) {
    run_loop(&t);
    require(is_done(&t, n));
    while (awake_thread_count() > 0) sleep_ms(1);
  }
  weft__worker_pool_destroy(t.pool);
}
#endif

// CPUs that there are, of which tests make the engine believe in more.
uint32_t __real_weft__available_cpus(void);

LOOP_TEST(a_caller_waits_for_workers_inside_a_job_and_readmits_them_after_their_exclusion, 2, 6) {
  static trial t;
  t = (trial){.pool = new_pool((uint32_t)_i), .item_count = 64, .grain = 1};
  uint32_t helped = 0;
  // on a busy machine the others come late
  for (uint32_t n = 1; n <= 2000 && helped < 3; ++n) {
    const uint32_t before = helped_pieces(&t);
    weft__worker_pool_begin(t.pool);
    weft__worker_pool_for(t.pool, t.item_count, t.grain, process_slowly, &t);
    require(is_done(&t, n));
    helped += helped_pieces(&t) > before;
    // longer than the first exclusions of a late worker
    sleep_ms(20);
    // a worker does not help on the caller's core
    if (__real_weft__available_cpus() == 1) break;
  }
  require(helped >= 3 || __real_weft__available_cpus() == 1);
  weft__worker_pool_destroy(t.pool);
}

// Runs jobs until the worker has been late, and the caller has no help any more; returns a time
// before its exclusion began, or infinity if it is never late.
static double run_until_late(trial* t) {
  double begin = seconds();
  for (int n = 0; n < 20000; ++n) {
    if (!weft__worker_pool_is_helped(t->pool)) return begin;
    begin = seconds();
    weft__worker_pool_begin(t->pool);
    weft__worker_pool_for(t->pool, t->item_count, t->grain, process_slowly, t);
  }
  return INFINITY;
}

TEST(a_late_worker_is_left_out_for_4_milliseconds_or_more_each_time) {
  static trial t;
  // two pieces, of which a helping worker's takes four times as long; on one CPU it is left out as
  // it is in the caller's way
  t = (trial){.pool = new_pool(2), .item_count = 2, .grain = 1};
  require(weft__worker_pool_is_helped(t.pool));
  for (int time = 0; time < 3; ++time) {
    const double begin = run_until_late(&t);
    while (!weft__worker_pool_is_helped(t.pool)) continue;
    require(seconds() - begin >= 0.004);
  }
  weft__worker_pool_destroy(t.pool);
}

static double thread_seconds(void) {
  return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

#ifdef __linux__
// Computes for 0.2 ms a piece, so that the worker is not late at the end of a job.
static void process_computing(void* context, weft__range items, uint32_t worker) {
  for (const double end = thread_seconds() + 2e-4; thread_seconds() < end;) continue;
  process(context, items, worker);
}

// The first two CPUs of a set; false if it has fewer.
static bool find_two_cpus(const cpu_set_t* set, uint32_t cpu[2]) {
  int count = 0;
  for (uint32_t n = 0; n < CPU_SETSIZE && count < 2; ++n) {
    if (CPU_ISSET(n, set)) cpu[count++] = n;
  }
  return count == 2;
}

// True if the worker helps, and is not left out, in a step that the caller begins on the worker's
// CPU and goes on with on another one.
static bool helps_a_caller_that_moves(const cpu_set_t* all, const uint32_t cpu[2]) {
  static trial t;
  const weft__worker_source source = {.cpus = &cpu[0]};
  // a pool has as many workers as its caller has CPUs
  require(pthread_setaffinity_np(pthread_self(), sizeof(*all), all) == 0);
  t = (trial){.pool = weft__worker_pool_create(2, &source), .item_count = 64, .grain = 1};
  require(weft__bind_thread(pthread_self(), cpu[0]));
  weft__worker_pool_begin(t.pool);
  require(weft__bind_thread(pthread_self(), cpu[1]));
  bool helps = true;
  for (int n = 0; n < 3 && helps; ++n) {
    const uint32_t before = helped_pieces(&t);
    weft__worker_pool_for(t.pool, t.item_count, t.grain, process_computing, &t);
    // the worker spins meanwhile, and looks where it is
    sleep_ms(1);
    helps = helped_pieces(&t) > before && weft__worker_pool_is_helped(t.pool);
  }
  weft__worker_pool_destroy(t.pool);
  return helps;
}

TEST(a_caller_that_the_system_moves_within_a_step_keeps_its_help) {
  cpu_set_t all;
  CPU_ZERO(&all);
  uint32_t cpu[2];
  require(pthread_getaffinity_np(pthread_self(), sizeof(all), &all) == 0);
  if (!find_two_cpus(&all, cpu)) return;
  // on a busy machine the worker may come late
  bool helps = false;
  for (int n = 0; n < 200 && !helps; ++n) helps = helps_a_caller_that_moves(&all, cpu);
  require(helps);
  require(pthread_setaffinity_np(pthread_self(), sizeof(all), &all) == 0);
}
#endif

static atomic_bool is_helping;

// A helping worker computes for 3 ms; the caller waits 20 ms at most for it to begin.
static void process_long(void* context, weft__range items, uint32_t worker) {
  if (worker > 0) {
    atomic_store(&is_helping, true);
    for (const double end = thread_seconds() + 3e-3; thread_seconds() < end;) continue;
  } else {
    for (const double end = seconds() + 2e-2; !atomic_load(&is_helping) && seconds() < end;)
      continue;
  }
  process(context, items, worker);
}

TEST(a_worker_that_computes_a_long_piece_is_not_late) {
  static trial t;
  // on a busy machine the worker may come late, lose its core, or meet the caller on it; a new pool
  // has excluded nobody
  bool stays = __real_weft__available_cpus() == 1 || !weft__tells_cpu_time();
  for (int n = 0; n < 200 && !stays; ++n) {
    t = (trial){.pool = new_pool(2), .item_count = 2, .grain = 1};
    atomic_store(&is_helping, false);
    weft__worker_pool_begin(t.pool);
    weft__worker_pool_for(t.pool, t.item_count, t.grain, process_long, &t);
    stays = atomic_load(&is_helping) && weft__worker_pool_is_helped(t.pool);
    weft__worker_pool_destroy(t.pool);
  }
  require(stays);
}

TEST(a_caller_alone_has_no_help_and_does_all) {
  static trial t;
  t = (trial){.pool = new_pool(1), .item_count = 100, .grain = 1};
  require(!weft__worker_pool_is_helped(t.pool));
  run_loop(&t);
  require(is_done(&t, 1) && t.piece_count[0] == 1);
  weft__worker_pool_destroy(t.pool);
}

// ---- pools ----

TEST(a_pool_has_no_more_workers_than_there_are_cpus) {
  for (available_cpus = 1; available_cpus <= 3; ++available_cpus) {
    weft__worker_pool* pool = weft__worker_pool_create(2, NULL);
    require(weft__worker_pool_count(pool) == (available_cpus == 1 ? 1 : 2));
    weft__worker_pool_destroy(pool);
  }
  available_cpus = 0;
}

TEST(pools_come_and_go_hundreds_of_times) {
  static trial t;
  for (uint32_t i = 0; i < 200; ++i) {
    t = (trial){.pool = new_pool(1 + i % 8), .item_count = 10, .grain = 1};
    // every third pool runs no job
    if (i % 3 != 0) {
      run_loop(&t);
      require(is_done(&t, 1));
    }
    weft__worker_pool_destroy(t.pool);
  }
}

TEST(pools_do_not_disturb_each_other) {
  static trial trials[5];
  for (uint32_t p = 0; p < 5; ++p) {
    trials[p] = (trial){.pool = new_pool(p + 1), .item_count = 100, .grain = 3};
  }
  for (uint32_t round = 1; round <= 100; ++round) {
    for (uint32_t p = 0; p < 5; ++p) run_loop(&trials[p]);
  }
  for (uint32_t p = 0; p < 5; ++p) {
    require(is_done(&trials[p], 100));
    weft__worker_pool_destroy(trials[p].pool);
  }
}

TEST(destroying_nothing_is_harmless) {
  weft__worker_pool_destroy(NULL);
}
