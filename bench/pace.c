#include "pace.h"

#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/interrupt.h"

/* One thread writes an odd number, the other answers with the next even one. The clock is read once
 * for several trips: reading it takes about as long as a short trip. */
enum {
  SAMPLE_COUNT = 256,
  TRIPS_PER_SAMPLE = 16,
  LAST_BALL = 2 * SAMPLE_COUNT * TRIPS_PER_SAMPLE,
  MAX_WORD = 24
};

/* Threads on one core take a time slice for each trip: nothing to measure. */
static const double longest_ns = 2e7;

static const double steady_ratio = 1.6;

const char bench_round_trip_footnote[] =
    "* the time between two cores changed during this row: do not build on it\n";

typedef struct table_tennis {
  alignas(64) atomic_uint_fast32_t ball;
  alignas(64) atomic_bool over;
} table_tennis;

static void* answer_balls(void* argument) {
  table_tennis* game = argument;
  // relaxed: only the ball itself is shared
  while (!atomic_load_explicit(&game->over, memory_order_relaxed)) {
    const uint_fast32_t ball = atomic_load_explicit(&game->ball, memory_order_relaxed);
    if (ball % 2 == 1) atomic_store_explicit(&game->ball, ball + 1, memory_order_relaxed);
  }
  return NULL;
}

static void serve_ball(table_tennis* game, uint_fast32_t ball) {
  atomic_store_explicit(&game->ball, ball, memory_order_relaxed);
  while (atomic_load_explicit(&game->ball, memory_order_relaxed) != ball + 1) continue;
}

static void play(table_tennis* game, bench_samples* samples) {
  const double start_ns = tool_clock_ns();
  double before_ns = start_ns;
  for (uint_fast32_t ball = 1; ball < LAST_BALL && before_ns - start_ns < longest_ns;) {
    for (int trip = 0; trip < TRIPS_PER_SAMPLE; ++trip, ball += 2) serve_ball(game, ball);
    const double after_ns = tool_clock_ns();
    bench_samples_add(samples, (after_ns - before_ns) / TRIPS_PER_SAMPLE);
    before_ns = after_ns;
  }
}

double bench_round_trip_ns(void) {
  table_tennis game = {0};
  bench_samples samples;
  pthread_t partner;
  tool_message unused;
  if (!bench_samples_create(&samples, SAMPLE_COUNT, &unused)) return (double)NAN;
  if (pthread_create(&partner, NULL, answer_balls, &game) == 0) {
    play(&game, &samples);
    atomic_store_explicit(&game.over, true, memory_order_relaxed);
    pthread_join(partner, NULL);
  }
  const bool complete = samples.count == SAMPLE_COUNT;
  const double median = complete ? bench_samples_median(&samples) : (double)NAN;
  bench_samples_free(&samples);
  return median;
}

bool bench_round_trip_moved(double before_ns, double after_ns) {
  if (isnan(before_ns) || isnan(after_ns)) return isnan(before_ns) != isnan(after_ns);
  return before_ns > steady_ratio * after_ns || after_ns > steady_ratio * before_ns;
}

static void format_ns(char word[MAX_WORD], double ns) {
  if (isnan(ns)) {
    snprintf(word, MAX_WORD, "unknown");
  } else {
    snprintf(word, MAX_WORD, "%.0f", ns);
  }
}

void bench_format_round_trip(char* cell, size_t room, uint32_t threads, double before_ns,
                             double after_ns) {
  char before[MAX_WORD], after[MAX_WORD];
  const bool moved = bench_round_trip_moved(before_ns, after_ns);
  format_ns(before, before_ns);
  format_ns(after, after_ns);
  cell[0] = '\0';
  if (threads < 2) return;
  if (isnan(before_ns) && isnan(after_ns)) {
    snprintf(cell, room, "unknown");
  } else {
    snprintf(cell, room, "%s, %s%s", before, after, moved ? " *" : "");
  }
}

uint32_t bench_pace_steps(uint32_t link_count, uint32_t iterations) {
  const double take_ns = 0.25e9, solve_ns = 0.3;  // approximate time of a link on one thread
  const double steps = take_ns / (solve_ns * (double)link_count * (double)iterations + 1.0);
  if (steps < 5.0) return 5;
  return steps > 1000.0 ? 1000 : (uint32_t)steps;
}

/* Nanoseconds of the best step. The progress may be NULL. */
static double step_world(weft_world* world, uint32_t step_count, const char* label,
                         tool_progress* progress) {
  double best_ns = (double)INFINITY;
  for (uint32_t i = 0; i < step_count && !tool_interrupted(); ++i) {
    const double start_ns = tool_clock_ns();
    weft_world_step(world, 1);
    best_ns = fmin(best_ns, tool_clock_ns() - start_ns);
    if (progress) tool_progress_step(progress, label);
  }
  return best_ns;
}

static void take(const bench_pace_request* request, const bench_scene* scene, weft_world* world,
                 const char* label, tool_progress* progress, bench_pace* pace) {
  const bool probed = request->threads > 1;
  const double solves = (double)scene->link_count * (double)request->iterations;
  pace->round_trip_before_ns = probed ? bench_round_trip_ns() : (double)NAN;
  pace->ns_per_link = step_world(world, request->steps, label, progress) / solves;
  pace->round_trip_after_ns = probed ? bench_round_trip_ns() : (double)NAN;
  if (++pace->takes == 1) pace->state_hash = weft_world_hash(world);
}

static bool has_moved(const bench_pace* pace) {
  return bench_round_trip_moved(pace->round_trip_before_ns, pace->round_trip_after_ns);
}

bool bench_measure_pace(const bench_pace_request* request, const bench_scene* scene,
                        const char* label, tool_progress* progress, bench_pace* pace,
                        tool_message* why) {
  weft_world* world = NULL;
  weft_world_def def = weft_plain_world_def();
  def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.solver.iterations = request->iterations;
  def.worker_count = request->threads;
  def.isa = request->isa;
  if (!bench_make_world(&def, scene->description, &world, why)) return false;
  const weft_world_stats stats = bench_stats_of(world);
  *pace = (bench_pace){.isa = stats.isa, .threads = stats.worker_count, .bytes = stats.bytes};
  take(request, scene, world, label, progress, pace);
  while (has_moved(pace) && pace->takes < BENCH_MAX_TAKES && !tool_interrupted()) {
    progress->total += request->steps;
    take(request, scene, world, label, progress, pace);
  }
  weft_world_destroy(&world);
  return !tool_interrupted();
}

/* Best of a few steps of some 50 microseconds, without other processes' time slices. */
enum { PROBES_A_TAKE = 64, STEPS_A_PROBE = 5, ITERATIONS = 32 };

static const double least_ratio = 1.2, least_share = 0.05, least_separation = 4.0;

bool bench_speed_probe_create(uint32_t size, bench_speed_probe* probe, tool_message* why) {
  const bench_scene_request request = {.sheet_size = size, .count = 1};
  bench_scene scene;
  *probe = (bench_speed_probe){0};
  if (!bench_scene_make(&request, &scene, why)) return false;
  weft_world_def def = weft_plain_world_def();
  def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.solver.iterations = ITERATIONS;
  probe->links = (double)scene.link_count * ITERATIONS;
  const bool ok = bench_make_world(&def, scene.description, &probe->world, why);
  bench_scene_free(&scene);
  return ok && bench_samples_create(&probe->samples, BENCH_MAX_PROBES, why);
}

void bench_speed_probe_free(bench_speed_probe* probe) {
  weft_world_destroy(&probe->world);
  bench_samples_free(&probe->samples);
}

void bench_speed_probe_take(bench_speed_probe* probe) {
  bench_samples* samples = &probe->samples;
  for (int i = 0; i < PROBES_A_TAKE && samples->count < samples->capacity; ++i) {
    const double best_ns = step_world(probe->world, STEPS_A_PROBE, NULL, NULL);
    if (isfinite(best_ns)) bench_samples_add(samples, best_ns / probe->links);
  }
}

// Mean and variance of logarithms.
typedef struct moments {
  double mean, variance;
} moments;

static moments moments_of(const double* values, size_t count) {
  moments m = {0.0, 0.0};
  for (size_t i = 0; i < count; ++i) m.mean += log(values[i]) / (double)count;
  for (size_t i = 0; i < count; ++i) {
    const double deviation = log(values[i]) - m.mean;
    m.variance += deviation * deviation / (double)count;
  }
  return m;
}

// Number of sorted samples below Otsu's threshold.
static size_t split(const bench_samples* sorted) {
  const size_t count = sorted->count;
  double total = 0.0, below = 0.0, largest = -1.0;
  size_t best = 0;
  for (size_t i = 0; i < count; ++i) total += log(sorted->values[i]);
  for (size_t i = 1; i < count; ++i) {
    below += log(sorted->values[i - 1]);
    const double low = (double)i, high = (double)(count - i);
    const double distance = below / low - (total - below) / high;
    const double between = low * high * distance * distance;
    if (between <= largest) continue;
    largest = between;
    best = i;
  }
  return best;
}

static bool are_two(const bench_samples* sorted, size_t fast_count, double fast_ns,
                    double slow_ns) {
  const size_t slow_count = sorted->count - fast_count;
  const double least_count = least_share * (double)sorted->count;
  if ((double)fast_count < least_count || (double)slow_count < least_count) return false;
  const moments fast = moments_of(sorted->values, fast_count);
  const moments slow = moments_of(sorted->values + fast_count, slow_count);
  const double separation =
      sqrt(2.0) * (slow.mean - fast.mean) / sqrt(fast.variance + slow.variance + 1e-12);
  return separation > least_separation && slow_ns >= least_ratio * fast_ns;
}

bench_speed_modes bench_speed_modes_of(bench_samples* samples) {
  const double median = bench_samples_median(samples);
  bench_speed_modes modes = {.probes = (uint32_t)samples->count,
                             .fast_ns = median,
                             .slow_ns = median,
                             .low_ns = bench_samples_quantile(samples, 0.05),
                             .high_ns = bench_samples_quantile(samples, 0.95)};
  if (samples->count < 2) return modes;
  const size_t fast_count = split(samples);
  const double fast_ns = samples->values[(fast_count - 1) / 2];
  const double slow_ns = samples->values[fast_count + (samples->count - fast_count) / 2];
  modes.is_bimodal = are_two(samples, fast_count, fast_ns, slow_ns);
  if (!modes.is_bimodal) return modes;
  modes.fast_ns = fast_ns;
  modes.slow_ns = slow_ns;
  modes.slow_share = 1.0 - (double)fast_count / (double)samples->count;
  return modes;
}
