#include "machine_costs.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "bandwidth.h"
#include "common/clock.h"
#include "common/interrupt.h"
#include "common/json_file.h"
#include "speed_probe.h"

// ---- slowdown ----

enum { TURNS = 21, PROBE_SIZE = 32, MOST_THREADS = 64 };
static const double turn_ns = 1e7;

// Threads that step a world each until the time is over.
typedef struct stepper {
  bench_speed_probe probe;
  atomic_bool* is_over;
  double steps_a_ns;
  pthread_t thread;
  bool is_started;
} stepper;

// Time on a core, without other processes.
static double thread_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void* step_until_over(void* argument) {
  stepper* s = argument;
  uint64_t steps = 0;
  const double start_ns = thread_ns();
  while (!atomic_load_explicit(s->is_over, memory_order_relaxed)) {
    weft_world_step(s->probe.world, 1);
    ++steps;
  }
  s->steps_a_ns = (double)steps / (thread_ns() - start_ns);
  return NULL;
}

// Steps of all steppers together in a nanosecond.
static double rate_of(stepper* steppers, uint32_t count, atomic_bool* is_over) {
  double rate = 0.0;
  atomic_store_explicit(is_over, false, memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    steppers[i].is_started =
        pthread_create(&steppers[i].thread, NULL, step_until_over, &steppers[i]) == 0;
  }
  const double start_ns = tool_clock_ns();
  while (tool_clock_ns() - start_ns < turn_ns) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  atomic_store_explicit(is_over, true, memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    if (!steppers[i].is_started) continue;
    pthread_join(steppers[i].thread, NULL);
    rate += steppers[i].steps_a_ns;
  }
  return rate;
}

static bool measure_slowdown(uint32_t threads, double* factor, tool_message* why) {
  atomic_bool is_over = false;
  bench_samples ratios = {NULL, 0, 0};
  stepper* steppers = calloc(threads, sizeof *steppers);
  bool ok = (steppers != NULL && bench_samples_create(&ratios, TURNS)) ||
            tool_because(why, "no memory for %u threads", threads);
  for (uint32_t i = 0; ok && i < threads; ++i) {
    steppers[i].is_over = &is_over;
    ok = bench_speed_probe_create(PROBE_SIZE, &steppers[i].probe, why);
  }
  for (int turn = 0; ok && turn < TURNS; ++turn) {
    const double alone = rate_of(steppers, 1, &is_over);
    bench_samples_add(&ratios, threads * alone / rate_of(steppers, threads, &is_over));
  }
  if (ok) *factor = fmax(1.0, bench_samples_median(&ratios));
  for (uint32_t i = 0; steppers != NULL && i < threads; ++i) {
    bench_speed_probe_free(&steppers[i].probe);
  }
  bench_samples_free(&ratios);
  free(steppers);
  return ok;
}

static bool is_wanted(uint32_t threads, uint32_t cpus, const tool_count_list* listed) {
  if (threads == cpus || (threads & (threads - 1)) == 0) return true;
  for (uint32_t i = 0; i < listed->count; ++i) {
    if (listed->items[i] == threads) return true;
  }
  return false;
}

static bool add_slowdowns(json_t* list, uint32_t cpus, const tool_count_list* listed,
                          tool_message* why) {
  for (uint32_t threads = 2; threads <= cpus && threads <= MOST_THREADS; ++threads) {
    double factor = 1.0;
    if (!is_wanted(threads, cpus, listed)) continue;
    if (tool_interrupted() || !measure_slowdown(threads, &factor, why)) return false;
    json_array_append_new(list, json_pack("{sI so}", "threads", (json_int_t)threads, "factor",
                                          tool_json_number(factor)));
  }
  return true;
}

// ---- costs ----

json_t* bench_costs_json(const bench_machine* machine, const tool_count_list* threads, bool quiet,
                         tool_message* why) {
  bench_bandwidth memory = {.threads = machine->available_cpus};
  json_t* slowdowns = json_array();
  if (!bench_measure_memory(bench_array_bytes(machine), quiet, &memory, 1, why) ||
      !add_slowdowns(slowdowns, memory.threads, threads, why)) {
    json_decref(slowdowns);
    return NULL;
  }
  json_t* costs =
      json_pack("{sI so so sI so}", "cpus", (json_int_t)memory.threads, "gb_per_s",
                tool_json_number(fmax(memory.read_gb_per_s, memory.triad_gb_per_s)),
                "round_trip_ns", tool_json_number(machine->round_trip_ns), "l3_bytes",
                (json_int_t)(machine->l3_bytes * machine->l3_count), "slowdown", slowdowns);
  if (costs == NULL) tool_because(why, "no memory for costs of the machine");
  return costs;
}
