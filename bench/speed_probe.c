#include "speed_probe.h"

#include <math.h>

#include "common/clock.h"

/* Each probe is the best of a few steps, so that the time slices of other processes are left out;
 * a step takes some 50 microseconds. */
enum { PROBES_A_TAKE = 64, STEPS_A_PROBE = 5, ITERATIONS = 32 };

static const double least_ratio = 1.2, least_share = 0.05, least_separation = 4.0;

bool bench_speed_probe_create(uint32_t size, bench_speed_probe* probe, tool_message* why) {
  const bench_scene_request request = {.sheet_size = size, .count = 1};
  bench_scene scene;
  *probe = (bench_speed_probe){0};
  if (!bench_scene_make(&request, &scene, why)) return false;
  weft_world_def def = weft_plain_world_def();
  def.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.iterations = ITERATIONS;
  probe->links = (double)scene.link_count * ITERATIONS;
  const bool ok = bench_make_world(&def, scene.description, &probe->world, why);
  bench_scene_free(&scene);
  if (!ok) return false;
  return bench_samples_create(&probe->samples, BENCH_MAX_PROBES) ||
         tool_because(why, "no memory for %d probes", BENCH_MAX_PROBES);
}

void bench_speed_probe_free(bench_speed_probe* probe) {
  weft_world_destroy(&probe->world);
  bench_samples_free(&probe->samples);
}

void bench_speed_probe_take(bench_speed_probe* probe) {
  bench_samples* samples = &probe->samples;
  for (int i = 0; i < PROBES_A_TAKE && samples->count < samples->capacity; ++i) {
    double best_ns = (double)INFINITY;
    for (int step = 0; step < STEPS_A_PROBE; ++step) {
      const double start_ns = tool_clock_ns();
      weft_world_step(probe->world, 1);
      best_ns = fmin(best_ns, tool_clock_ns() - start_ns);
    }
    bench_samples_add(samples, best_ns / probe->links);
  }
}

// ---- modes ----

// Mean and variance of the logarithms of a part of the samples.
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

// Number of samples below Otsu's threshold, of sorted ones.
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
