#include "parallel/barrier.h"

#include <signal.h>
#include <string.h>

#include "support/random.h"
#include "support/suite.h"

enum { MOST_WORKERS = 16 };

typedef struct gate_trial {
  weft__barrier barrier;
  uint32_t worker_count;
  uint32_t phase_count;
  uint32_t written[MOST_WORKERS]; /* non-atomic: phase reached by each worker */
  uint32_t wrong[MOST_WORKERS];   /* reads of another worker's phase that differ from its own */
} gate_trial;

typedef struct gate_worker {
  gate_trial* trial;
  uint32_t index;
  pthread_t thread;
} gate_worker;

// writes its phase, waits, reads the phases of all workers, waits again
static void* pass_phases(void* argument) {
  const gate_worker* self = argument;
  gate_trial* trial = self->trial;
  for (uint32_t phase = 1; phase <= trial->phase_count; ++phase) {
    trial->written[self->index] = phase;
    (void)weft__barrier_wait(&trial->barrier, NULL, NULL, WEFT__CALL_SITE);
    for (uint32_t other = 0; other < trial->worker_count; ++other) {
      trial->wrong[self->index] += trial->written[other] != phase;
    }
    (void)weft__barrier_wait(&trial->barrier, NULL, NULL, WEFT__CALL_SITE);
  }
  return NULL;
}

// `spins` is the spin limit of a waiting worker before it parks
static uint32_t run_trial(uint32_t worker_count, uint32_t phase_count, uint32_t spins) {
  gate_trial* trial = NULL;
  ck_assert_int_eq(posix_memalign((void**)&trial, WEFT__CACHE_LINE, sizeof(*trial)), 0);
  memset(trial, 0, sizeof(*trial));
  trial->worker_count = worker_count;
  trial->phase_count = phase_count;
  ck_assert(weft__barrier_create(&trial->barrier, worker_count));
  trial->barrier.spin_limit = spins;
  gate_worker workers[MOST_WORKERS];
  for (uint32_t i = 0; i < worker_count; ++i) {
    workers[i] = (gate_worker){.trial = trial, .index = i};
    ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, pass_phases, &workers[i]), 0);
  }
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < worker_count; ++i) {
    ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
    wrong += trial->wrong[i];
  }
  weft__barrier_destroy(&trial->barrier);
  free(trial);
  return wrong;
}

START_TEST(nobody_passes_before_all_have_come_when_all_park_at_once) {
  ck_assert_uint_eq(run_trial((uint32_t)_i, 150, 0), 0);
}
END_TEST

START_TEST(nobody_passes_before_all_have_come_when_some_spin_and_some_park) {
  ck_assert_uint_eq(run_trial((uint32_t)_i, 150, 20), 0);
}
END_TEST

START_TEST(nobody_passes_before_all_have_come_when_all_spin) {
  ck_assert_uint_eq(run_trial((uint32_t)_i, 30, 1000), 0);
}
END_TEST

// ---- completion ----

typedef struct decision_trial {
  weft__barrier barrier;
  uint32_t worker_count;
  uint32_t round_count;
  uint32_t completed; /* completion steps so far */
  uint32_t written[MOST_WORKERS];
  uint32_t wrong[MOST_WORKERS];
} decision_trial;

typedef struct decider {
  decision_trial* trial;
  uint32_t index;
  pthread_t thread;
} decider;

// sum of the values of all workers; the completion step clears them for the next round
static uint32_t take_sum(void* context) {
  decision_trial* trial = context;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < trial->worker_count; ++i) {
    sum += trial->written[i];
    trial->written[i] = 0;
  }
  ++trial->completed;
  return sum;
}

static void* decide_again_and_again(void* argument) {
  const decider* self = argument;
  decision_trial* trial = self->trial;
  for (uint32_t round = 1; round <= trial->round_count; ++round) {
    trial->written[self->index] = round;
    const uint32_t sum = weft__barrier_wait(&trial->barrier, take_sum, trial, WEFT__CALL_SITE);
    trial->wrong[self->index] += sum != round * trial->worker_count;
  }
  return NULL;
}

START_TEST(all_workers_read_the_result_of_one_completion_step_that_has_seen_what_all_wrote) {
  decision_trial* trial = NULL;
  ck_assert_int_eq(posix_memalign((void**)&trial, WEFT__CACHE_LINE, sizeof(*trial)), 0);
  memset(trial, 0, sizeof(*trial));
  trial->worker_count = (uint32_t)_i;
  trial->round_count = 150;
  ck_assert(weft__barrier_create(&trial->barrier, trial->worker_count));
  decider workers[MOST_WORKERS];
  for (uint32_t i = 0; i < trial->worker_count; ++i) {
    workers[i] = (decider){.trial = trial, .index = i};
    ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, decide_again_and_again, &workers[i]),
                     0);
  }
  for (uint32_t i = 0; i < trial->worker_count; ++i) {
    ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
    ck_assert_uint_eq(trial->wrong[i], 0);
  }
  ck_assert_uint_eq(trial->completed, trial->round_count);
  weft__barrier_destroy(&trial->barrier);
  free(trial);
}
END_TEST

#if !defined(NDEBUG) && !defined(WEFT_TEST_SANITIZED)
static void* wait_elsewhere(void* barrier) {
  (void)weft__barrier_wait(barrier, NULL, NULL, "another place");
  return NULL;
}

START_TEST(a_debug_build_aborts_when_workers_wait_at_different_barriers) {
  static weft__barrier barrier;
  ck_assert(weft__barrier_create(&barrier, 2));
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, wait_elsewhere, &barrier), 0);
  (void)weft__barrier_wait(&barrier, NULL, NULL, "one place");
}
END_TEST
#endif

START_TEST(a_gate_for_one_is_always_open) {
  weft__barrier barrier;
  ck_assert(weft__barrier_create(&barrier, 1));
  for (int i = 0; i < 100000; ++i) (void)weft__barrier_wait(&barrier, NULL, NULL, WEFT__CALL_SITE);
  weft__barrier_destroy(&barrier);
}
END_TEST

SUITE(barrier) {
  const int end = MOST_WORKERS + 1;
  tcase_add_loop_test(tests, nobody_passes_before_all_have_come_when_all_park_at_once, 1, end);
  tcase_add_loop_test(tests, nobody_passes_before_all_have_come_when_some_spin_and_some_park, 1,
                      end);
  tcase_add_loop_test(tests, nobody_passes_before_all_have_come_when_all_spin, 1, end);
  tcase_add_loop_test(
      tests, all_workers_read_the_result_of_one_completion_step_that_has_seen_what_all_wrote, 1,
      end);
#if !defined(NDEBUG) && !defined(WEFT_TEST_SANITIZED)
  tcase_add_test_raise_signal(tests, a_debug_build_aborts_when_workers_wait_at_different_barriers,
                              SIGABRT);
#endif
  tcase_add_test(tests, a_gate_for_one_is_always_open);
}
