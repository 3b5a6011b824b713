#include "counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct counter_kind {
  const char* name;
  uint32_t type;
  uint64_t config;
} counter_kind;

#define L1D_READ_MISS                                                     \
  (PERF_COUNT_HW_CACHE_L1D | (uint64_t)PERF_COUNT_HW_CACHE_OP_READ << 8 | \
   (uint64_t)PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const counter_kind kinds[BENCH_COUNTERS] = {
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"l1d_misses", PERF_TYPE_HW_CACHE, L1D_READ_MISS},
    {"cpu_ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"context_switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
};

const char* bench_counter_name(bench_counter counter) {
  return kinds[counter].name;
}

static int open_event(uint32_t type, uint64_t config, bool with_kernel) {
  struct perf_event_attr attr = {
      .type = type,
      .size = sizeof attr,
      .config = config,
      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .inherit = 1,
      .exclude_kernel = !with_kernel,
      .exclude_hv = 1,
  };
  return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

// Software events happen inside the kernel, and count nothing without it; where the kernel hides
// itself (perf_event_paranoid of 2 and more), time and page faults of the program are left.
static int open_kernel(uint32_t type, uint64_t config) {
  if (type != PERF_TYPE_SOFTWARE) return open_event(type, config, false);
  const int file = open_event(type, config, true);
  if (file >= 0) return file;
  const bool is_kernels_own =
      config == PERF_COUNT_SW_CONTEXT_SWITCHES || config == PERF_COUNT_SW_CPU_MIGRATIONS;
  return is_kernels_own ? -1 : open_event(type, config, false);
}

void bench_counters_open(bench_counter_open* open, bench_counters* counters) {
  if (open == NULL) open = open_kernel;
  for (int i = 0; i < BENCH_COUNTERS; ++i) {
    errno = 0;
    counters->files[i] = open(kinds[i].type, kinds[i].config);
    counters->errors[i] = counters->files[i] < 0 ? errno : 0;
  }
}

void bench_counters_close(bench_counters* counters) {
  for (int i = 0; i < BENCH_COUNTERS; ++i) {
    if (counters->files[i] >= 0) close(counters->files[i]);
    counters->files[i] = -1;
  }
}

void bench_counters_read(const bench_counters* counters, double* values) {
  for (int i = 0; i < BENCH_COUNTERS; ++i) {
    uint64_t read_back[3];  // value, time enabled, time running
    values[i] = (double)NAN;
    if (counters->files[i] < 0 ||
        read(counters->files[i], read_back, sizeof read_back) != sizeof read_back) {
      continue;
    }
    if (read_back[2] == 0) {
      if (read_back[1] == 0) values[i] = 0.0;
      continue;
    }
    values[i] = (double)read_back[0] * ((double)read_back[1] / (double)read_back[2]);
  }
}

int bench_counters_error(const bench_counters* counters) {
  for (int i = 0; i < BENCH_FIRST_SOFTWARE; ++i) {
    if (counters->files[i] < 0) return counters->errors[i] != 0 ? counters->errors[i] : ENODEV;
  }
  return 0;
}
