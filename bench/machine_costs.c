#include "machine_costs.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "bandwidth.h"
#include "common/clock.h"
#include "common/must.h"
#include "round_trip.h"
#include "speed_probe.h"
#include "stage_model.h"

// Costs of the worker pool in nanoseconds, of the order of those on Zen 4 with two workers, see
// docs/performance.md, chapter Workers.
static const bench_replay_costs usual_costs = {.handoff = 60.0,
                                               .look = 5.0,
                                               .claim = 10.0,
                                               .steal = 600.0,
                                               .wake = 2000.0,
                                               .wake_up = 5000.0,
                                               .spin = 35000.0,
                                               .slowdown = 1.0,
                                               .memory_gb_per_s = (double)INFINITY};

// ---- slowdown ----

enum { TURNS = 21, PROBE_SIZE = 32 };
static const double turn_ns = 1e7;

// Threads that step a world each until the time is over.
typedef struct stepper {
  bench_speed_probe probe;
  atomic_bool* is_over;
  double steps_a_ns;
  pthread_t thread;
  bool is_started;
} stepper;

// Time on a core, without that of other processes.
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

bool bench_measure_slowdown(bench_machine_costs* costs, uint32_t threads, tool_message* why) {
  if (threads < 2 || threads > costs->cpus || threads > BENCH_MAX_SLOWDOWNS) return true;
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
  if (ok) costs->slowdown[threads] = fmax(1.0, bench_samples_median(&ratios));
  for (uint32_t i = 0; steppers != NULL && i < threads; ++i) {
    bench_speed_probe_free(&steppers[i].probe);
  }
  bench_samples_free(&ratios);
  free(steppers);
  return ok;
}

// ---- costs ----

bool bench_measure_costs(const bench_machine* machine, bool quiet, bench_machine_costs* costs,
                         tool_message* why) {
  costs->cpus = machine->available_cpus;
  costs->l3_bytes = machine->l3_bytes * machine->l3_count;
  costs->round_trip_ns = bench_round_trip_ns();
  for (int i = 0; i <= BENCH_MAX_SLOWDOWNS; ++i) costs->slowdown[i] = (double)NAN;
  bench_bandwidth memory = {.threads = costs->cpus};
  if (!bench_measure_memory(bench_array_bytes(machine), quiet, &memory, 1, why)) return false;
  costs->all_gb_per_s = fmax(memory.read_gb_per_s, memory.triad_gb_per_s);
  return true;
}

double bench_memory_of(const bench_machine_costs* costs, uint32_t workers) {
  if (workers <= costs->cpus) return costs->all_gb_per_s;
  if (costs->given_gb_per_s > 0.0) return costs->given_gb_per_s;
  const double in_proportion = costs->all_gb_per_s / costs->cpus * workers;
  return fmax(costs->all_gb_per_s, fmin(in_proportion, BENCH_SOCKET_GB_PER_S));
}

bench_replay_costs bench_costs_for(const bench_machine_costs* costs, uint32_t workers) {
  bench_replay_costs made = usual_costs;
  if (isfinite(costs->round_trip_ns)) made.handoff = 0.5 * costs->round_trip_ns;
  if (workers <= BENCH_MAX_SLOWDOWNS && isfinite(costs->slowdown[workers])) {
    made.slowdown = costs->slowdown[workers];
  }
  made.memory_gb_per_s = bench_memory_of(costs, workers);
  return made;
}

void bench_memory_traffic(const bench_machine_costs* costs, const weft_world* world,
                          double bytes[WEFT_STAGE_COUNT]) {
  weft_world_stats stats;
  weft_contact_stats contacts;
  tool_must(weft_world_get_stats(world, &stats));
  tool_must(weft_world_get_contact_stats(world, &contacts));
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    // one sweep over links reads memory: the wavefront keeps the others in caches
    weft_world_stats once = stats;
    once.iterations = 1;
    const double moved = bench_stage_cost_of((weft_stage)stage, &once, &contacts).bytes;
    const bool is_kept = moved <= (double)costs->l3_bytes * stats.substeps;
    bytes[stage] = isfinite(moved) && !is_kept ? moved : 0.0;
  }
}
