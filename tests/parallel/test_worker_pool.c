#include "parallel/worker_pool.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/random.h"
#include "support/suite.h"

static const uint32_t worker_counts[] = {1, 2, 3, 4, 5, 8, 16, 64};
enum { WORKER_COUNTS = sizeof(worker_counts) / sizeof(*worker_counts), MOST_WORKERS = 64 };

static weft__worker_pool* new_pool(uint32_t worker_count) {
  weft__worker_pool* pool = weft__worker_pool_create(worker_count);
  ck_assert_ptr_nonnull(pool);
  ck_assert_uint_eq(weft__worker_pool_count(pool), worker_count);
  ck_assert_uint_gt(weft__worker_pool_bytes(pool), 0);
  return pool;
}

// ---- shares ----

START_TEST(shares_cover_every_item_once_in_order_and_differ_by_at_most_one) {
  random_source random = {(uint64_t)_i};
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
END_TEST

// ---- tasks ----

typedef struct task_trial {
  uint32_t worker_count;
  uint32_t item_count;
  uint32_t runs[MOST_WORKERS];    /* runs of the task per worker */
  pthread_t thread[MOST_WORKERS]; /* thread of each worker */
  uint32_t done[4096];            /* times that each item was processed */
} task_trial;

static void count_items(void* context, uint32_t worker) {
  task_trial* trial = context;
  ++trial->runs[worker];
  trial->thread[worker] = pthread_self();
  const weft__range share = weft__share(trial->item_count, worker, trial->worker_count);
  for (uint32_t i = share.begin; i < share.end; ++i) ++trial->done[i];
}

START_TEST(every_worker_runs_a_task_once_and_every_item_is_worked_on_once) {
  const uint32_t worker_count = worker_counts[_i];
  static const uint32_t item_counts[] = {0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 4096};
  weft__worker_pool* pool = new_pool(worker_count);
  for (size_t c = 0; c < sizeof(item_counts) / sizeof(*item_counts); ++c) {
    static task_trial trial;
    trial = (task_trial){.worker_count = worker_count, .item_count = item_counts[c]};
    weft__worker_pool_run(pool, count_items, &trial);
    for (uint32_t w = 0; w < MOST_WORKERS; ++w) require(trial.runs[w] == (w < worker_count));
    for (uint32_t i = 0; i < 4096; ++i) require(trial.done[i] == (i < item_counts[c]));
  }
  weft__worker_pool_destroy(pool);
}
END_TEST

START_TEST(the_caller_is_worker_0_and_each_worker_keeps_its_own_thread) {
  const uint32_t worker_count = worker_counts[_i];
  weft__worker_pool* pool = new_pool(worker_count);
  static task_trial first;
  static task_trial again;
  first = again = (task_trial){.worker_count = worker_count};
  weft__worker_pool_run(pool, count_items, &first);
  weft__worker_pool_run(pool, count_items, &again);
  require(pthread_equal(first.thread[0], pthread_self()));
  for (uint32_t w = 0; w < worker_count; ++w) {
    require(pthread_equal(first.thread[w], again.thread[w]));
    for (uint32_t v = 0; v < w; ++v) require(!pthread_equal(first.thread[w], first.thread[v]));
  }
  weft__worker_pool_destroy(pool);
}
END_TEST

// ---- barriers ----

typedef struct meeting {
  weft__worker_pool* pool;
  uint32_t worker_count;
  uint32_t phase_count;
  uint64_t value[MOST_WORKERS]; /* non-atomic, written by its worker in each phase */
  uint32_t wrong[MOST_WORKERS];
} meeting;

// value of a worker in a phase, unique to both
static uint64_t value_of(uint32_t phase, uint32_t worker) {
  return (uint64_t)phase << 32 | worker;
}

static void meet_again_and_again(void* context, uint32_t worker) {
  meeting* m = context;
  for (uint32_t phase = 1; phase <= m->phase_count; ++phase) {
    m->value[worker] = value_of(phase, worker);
    (void)weft__worker_pool_wait(m->pool, NULL, NULL, WEFT__CALL_SITE);
    for (uint32_t other = 0; other < m->worker_count; ++other) {
      m->wrong[worker] += m->value[other] != value_of(phase, other);
    }
    (void)weft__worker_pool_wait(m->pool, NULL, NULL, WEFT__CALL_SITE);
  }
}

START_TEST(meeting_separates_what_was_written_before_from_what_is_read_after) {
  const uint32_t worker_count = worker_counts[_i];
  weft__worker_pool* pool = new_pool(worker_count);
  static meeting m;
  for (int round = 0; round < 4; ++round) {
    m = (meeting){.pool = pool, .worker_count = worker_count, .phase_count = ROUNDS(60, 40)};
    weft__worker_pool_run(pool, meet_again_and_again, &m);
    for (uint32_t w = 0; w < worker_count; ++w) ck_assert_uint_eq(m.wrong[w], 0);
  }
  weft__worker_pool_destroy(pool);
}
END_TEST

// ---- parking ----

static void sleep_ms(long ms) {
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = ms * 1000000};
  nanosleep(&pause, NULL);
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

START_TEST(workers_sleep_between_tasks_and_wake_for_the_next) {
  weft__worker_pool* pool = new_pool(4);
  static task_trial trial;
  const double before = cpu_seconds();
  for (uint32_t round = 1; round <= 5; ++round) {
    sleep_ms(100);
    trial = (task_trial){.worker_count = 4, .item_count = 1000};
    weft__worker_pool_run(pool, count_items, &trial);
    for (uint32_t i = 0; i < 1000; ++i) require(trial.done[i] == 1);
  }
  // half a second of waiting costs next to no CPU time
  ck_assert_double_lt(cpu_seconds() - before, 0.2);
  weft__worker_pool_destroy(pool);
}
END_TEST

static void sleep_while_others_wait(void* context, uint32_t worker) {
  meeting* m = context;
  for (uint32_t phase = 0; phase < m->worker_count; ++phase) {
    // the other workers spin, then park
    if (phase == worker) sleep_ms(20);
    m->value[worker] = value_of(phase, worker);
    (void)weft__worker_pool_wait(m->pool, NULL, NULL, WEFT__CALL_SITE);
    for (uint32_t other = 0; other < m->worker_count; ++other) {
      m->wrong[worker] += m->value[other] != value_of(phase, other);
    }
    (void)weft__worker_pool_wait(m->pool, NULL, NULL, WEFT__CALL_SITE);
  }
}

START_TEST(a_worker_that_comes_late_finds_the_others_parked_and_wakes_them) {
  const uint32_t worker_count = (uint32_t)_i;
  weft__worker_pool* pool = new_pool(worker_count);
  static meeting m;
  m = (meeting){.pool = pool, .worker_count = worker_count};
  weft__worker_pool_run(pool, sleep_while_others_wait, &m);
  for (uint32_t w = 0; w < worker_count; ++w) ck_assert_uint_eq(m.wrong[w], 0);
  weft__worker_pool_destroy(pool);
}
END_TEST

// ---- several pools ----

START_TEST(pools_come_and_go_hundreds_of_times) {
  for (uint32_t i = 0; i < 200; ++i) {
    const uint32_t worker_count = 1 + i % 8;
    weft__worker_pool* pool = weft__worker_pool_create(worker_count);
    require(pool != NULL);
    static task_trial trial;
    // every third pool runs no task
    if (i % 3 != 0) {
      trial = (task_trial){.worker_count = worker_count, .item_count = 10};
      weft__worker_pool_run(pool, count_items, &trial);
      for (uint32_t item = 0; item < 10; ++item) require(trial.done[item] == 1);
    }
    weft__worker_pool_destroy(pool);
  }
}
END_TEST

START_TEST(pools_do_not_disturb_each_other) {
  weft__worker_pool* pools[5];
  static task_trial trials[5];
  for (uint32_t p = 0; p < 5; ++p) {
    pools[p] = new_pool(p + 1);
    trials[p] = (task_trial){.worker_count = p + 1, .item_count = 100};
  }
  for (uint32_t round = 1; round <= 100; ++round) {
    for (uint32_t p = 0; p < 5; ++p) weft__worker_pool_run(pools[p], count_items, &trials[p]);
  }
  for (uint32_t p = 0; p < 5; ++p) {
    for (uint32_t i = 0; i < 100; ++i) require(trials[p].done[i] == 100);
    weft__worker_pool_destroy(pools[p]);
  }
}
END_TEST

static void add_one(void* context, uint32_t worker) {
  uint64_t* counts = context;
  ++counts[worker];
}

START_TEST(many_short_tasks_in_a_row_all_run) {
  const uint32_t worker_count = worker_counts[_i];
  const uint64_t tasks = worker_count > 4 ? 50 : ROUNDS(1000, 300);
  uint64_t counts[MOST_WORKERS] = {0};
  weft__worker_pool* pool = new_pool(worker_count);
  for (uint64_t t = 0; t < tasks; ++t) weft__worker_pool_run(pool, add_one, counts);
  for (uint32_t w = 0; w < worker_count; ++w) ck_assert_uint_eq(counts[w], tasks);
  weft__worker_pool_destroy(pool);
}
END_TEST

// A forked child and its parent both keep using the pool; a child that hangs is ended by alarm().
START_TEST(a_child_process_goes_on_with_a_pool_and_can_destroy_it) {
  const uint32_t worker_count = worker_counts[_i];
  weft__worker_pool* pool = new_pool(worker_count);
  for (int used = 0; used < 2; ++used) {
    for (int runs = 0; runs < 2; ++runs) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);
        for (int i = 0; i < runs; ++i) {
          task_trial trial = {.worker_count = worker_count, .item_count = 4096};
          weft__worker_pool_run(pool, count_items, &trial);
          for (uint32_t w = 0; w < worker_count; ++w) {
            if (trial.runs[w] != 1) _exit(1);
          }
        }
        weft__worker_pool_destroy(pool);
        _exit(0);
      }
      int status = -1;
      ck_assert_int_eq(waitpid(child, &status, 0), child);
      ck_assert_int_eq(status, 0);
    }
    task_trial trial = {.worker_count = worker_count, .item_count = 4096};
    weft__worker_pool_run(pool, count_items, &trial);
    ck_assert_uint_eq(trial.runs[worker_count - 1], 1);
    // long enough for the workers to park
    usleep(20000);
  }
  weft__worker_pool_destroy(pool);
}
END_TEST

START_TEST(destroying_nothing_is_harmless) {
  weft__worker_pool_destroy(NULL);
}
END_TEST

#ifdef __linux__
static void note_name(void* context, uint32_t worker) {
  char(*names)[16] = context;
  (void)pthread_getname_np(pthread_self(), names[worker], 16);
}

START_TEST(threads_are_named_after_their_worker) {
  char names[4][16];
  weft__worker_pool* pool = new_pool(4);
  weft__worker_pool_run(pool, note_name, names);
  for (int w = 1; w < 4; ++w) {
    const char expected[] = {'w', 'e', 'f', 't', '-', (char)('0' + w), '\0'};
    ck_assert_str_eq(names[w], expected);
  }
  weft__worker_pool_destroy(pool);
}
END_TEST
#endif

SUITE(worker_pool) {
  tcase_add_loop_test(tests, shares_cover_every_item_once_in_order_and_differ_by_at_most_one, 0,
                      10);
  tcase_add_loop_test(tests, every_worker_runs_a_task_once_and_every_item_is_worked_on_once, 0,
                      WORKER_COUNTS);
  tcase_add_loop_test(tests, the_caller_is_worker_0_and_each_worker_keeps_its_own_thread, 0,
                      WORKER_COUNTS);
  tcase_add_loop_test(tests, meeting_separates_what_was_written_before_from_what_is_read_after, 0,
                      WORKER_COUNTS);
  tcase_add_test(tests, workers_sleep_between_tasks_and_wake_for_the_next);
  tcase_add_loop_test(tests, a_worker_that_comes_late_finds_the_others_parked_and_wakes_them, 2, 6);
  tcase_add_test(tests, pools_come_and_go_hundreds_of_times);
  tcase_add_test(tests, pools_do_not_disturb_each_other);
  tcase_add_loop_test(tests, many_short_tasks_in_a_row_all_run, 0, WORKER_COUNTS);
  // Sanitizers lock their own tables: a child that is forked while another thread holds such a lock
  // hangs when it starts a thread.
  tcase_add_loop_test(tests, a_child_process_goes_on_with_a_pool_and_can_destroy_it, 0,
                      ROUNDS(5, 0));
  tcase_add_test(tests, destroying_nothing_is_harmless);
#ifdef __linux__
  tcase_add_test(tests, threads_are_named_after_their_worker);
#endif
}
