/* Speeds of CPUs relative to each other. */
#include <math.h>
#include <sched.h>

#include "common/clock.h"
#include "topology.h"

enum { SLICES = 16, SLICE_ITERATIONS = 40000 };

// Maximal frequency in kilohertz; 0 if the system does not state it.
static double stated_frequency(uint32_t cpu) {
  char path[96];
  double khz = 0.0;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
  FILE* file = fopen(path, "re");
  if (file == NULL) return 0.0;
  if (fscanf(file, "%lf", &khz) != 1) khz = 0.0;
  (void)fclose(file);
  return khz;
}

// Inverse of the best time of a chain of dependent operations, which no cache and no vector unit
// speeds up: the best of many slices, each shorter than a time slice of another process.
static double timed_frequency(void) {
  double best_ns = (double)INFINITY;
  for (int slice = 0; slice < SLICES; ++slice) {
    uint64_t chain = (uint64_t)slice;
    const double start_ns = tool_clock_ns();
    for (int i = 0; i < SLICE_ITERATIONS; ++i) {
      chain += chain >> 7;
      __asm__ volatile("" : "+r"(chain));
    }
    best_ns = fmin(best_ns, tool_clock_ns() - start_ns);
  }
  return 1.0 / best_ns;
}

static bool is_stated(bench_topology* topology) {
  for (uint32_t i = 0; i < topology->cpu_count; ++i) {
    topology->cpus[i].speed = stated_frequency(topology->cpus[i].number);
    if (topology->cpus[i].speed <= 0.0) return false;
  }
  return true;
}

static bool time_all(bench_topology* topology) {
  cpu_set_t before, one;
  if (sched_getaffinity(0, sizeof before, &before) != 0) return false;
  bool ok = true;
  for (uint32_t i = 0; ok && i < topology->cpu_count; ++i) {
    CPU_ZERO(&one);
    CPU_SET(topology->cpus[i].number, &one);
    ok = sched_setaffinity(0, sizeof one, &one) == 0;
    topology->cpus[i].speed = ok ? timed_frequency() : 0.0;
  }
  return sched_setaffinity(0, sizeof before, &before) == 0 && ok;
}

void bench_topology_measure_speeds(bench_topology* topology) {
  topology->speed_source = NULL;
  if (topology->cpu_count == 0) return;
  if (is_stated(topology)) {
    topology->speed_source = "cpufreq";
  } else if (time_all(topology)) {
    topology->speed_source = "timed loop";
  }
  double highest = 0.0;
  for (uint32_t i = 0; i < topology->cpu_count; ++i) {
    highest = fmax(highest, topology->cpus[i].speed);
  }
  const double scale = topology->speed_source != NULL ? 1.0 / highest : (double)NAN;
  for (uint32_t i = 0; i < topology->cpu_count; ++i) topology->cpus[i].speed *= scale;
}

double bench_topology_lowest_speed(const bench_topology* topology) {
  double lowest = (double)NAN;
  for (uint32_t i = 0; i < topology->cpu_count; ++i) {
    lowest = fmin(lowest, topology->cpus[i].speed);
  }
  return lowest;
}
