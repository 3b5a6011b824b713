#ifdef __linux__
#include <sched.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "parallel/worker_pool.h"
#include "weft/weft.h"

// CPUs of the affinity mask.
static uint32_t count_affinity(void) {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return (uint32_t)CPU_COUNT(&set);
#endif
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint32_t)count : 1;
}

bool weft__can_bind(void) {
#ifdef __linux__
  return true;
#else
  return false;
#endif
}

bool weft__is_available_cpu(uint32_t cpu) {
#ifdef __linux__
  cpu_set_t set;
  return cpu < CPU_SETSIZE && sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_ISSET(cpu, &set);
#else
  (void)cpu;
  return false;
#endif
}

// CPUs of the control group's quota, rounded up; WEFT_MAX_WORKERS without one. (Linux,
// Documentation/admin-guide/cgroup-v2.rst, "cpu.max")
static uint32_t quota(void) {
  char line[64] = "";
  FILE* file = fopen("/sys/fs/cgroup/cpu.max", "re");
  if (file == NULL) return WEFT_MAX_WORKERS;
  const bool is_read = fgets(line, sizeof(line), file) != NULL;
  (void)fclose(file);
  // "max" is no number, and gives 0
  char* rest = line;
  const unsigned long long microseconds = is_read ? strtoull(line, &rest, 10) : 0;
  const unsigned long long period = strtoull(rest, NULL, 10);
  if (microseconds == 0 || period == 0) return WEFT_MAX_WORKERS;
  const unsigned long long cpus = (microseconds - 1) / period + 1;
  return cpus < WEFT_MAX_WORKERS ? (uint32_t)cpus : WEFT_MAX_WORKERS;
}

uint32_t weft__available_cpus(void) {
  const uint32_t affinity = count_affinity();
  const uint32_t limit = quota();
  return affinity < limit ? affinity : limit;
}
