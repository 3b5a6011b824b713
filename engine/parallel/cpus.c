#include "parallel/cpus.h"

#include <stdio.h>
#include <unistd.h>

#include "weft/weft.h"

#ifdef __linux__

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static uint32_t count_affinity(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return (uint32_t)CPU_COUNT(&set);
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint32_t)count : 1;
}

// CPUs of the control group's quota, rounded up. (Linux, Documentation/admin-guide/cgroup-v2.rst,
// "cpu.max")
static uint32_t quota(void) {
  char line[64] = "";
  FILE* file = fopen("/sys/fs/cgroup/cpu.max", "re");
  if (file == NULL) return WEFT_MAX_WORKERS;
  const bool is_read = fgets(line, sizeof(line), file) != NULL;
  (void)fclose(file);
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

bool weft__can_bind(void) {
  return true;
}

bool weft__is_available_cpu(uint32_t cpu) {
  cpu_set_t set;
  return cpu < CPU_SETSIZE && sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_ISSET(cpu, &set);
}

int weft__current_cpu(void) {
  return sched_getcpu();
}

bool weft__bind_thread(pthread_t thread, uint32_t cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return pthread_setaffinity_np(thread, sizeof(set), &set) == 0;
}

void weft__name_thread(const char* prefix, uint32_t number) {
  char name[16];
  (void)snprintf(name, sizeof(name), "%.11s-%u", prefix, (unsigned)(number % 1000u));
  (void)pthread_setname_np(pthread_self(), name);
}

bool weft__tells_cpu_time(void) {
  return true;
}

weft__cpu_clock weft__current_cpu_clock(void) {
  weft__cpu_clock clock = CLOCK_THREAD_CPUTIME_ID;
  (void)pthread_getcpuclockid(pthread_self(), &clock);
  return clock;
}

int64_t weft__cpu_time_ns(weft__cpu_clock clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return 0;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

bool weft__set_nice(int nice) {
  if (nice == 0) return true;
  // -1 is a niceness, too
  errno = 0;
  const id_t thread = (id_t)syscall(SYS_gettid);
  const int now = getpriority(PRIO_PROCESS, thread);
  return errno == 0 && setpriority(PRIO_PROCESS, thread, now + nice) == 0;
}

#else

// 1 for WebAssembly without threads
uint32_t weft__available_cpus(void) {
#ifdef _WIN32
  // winpthreads
  const long count = pthread_num_processors_np();
#else
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
  return count > 0 ? (uint32_t)count : 1;
}

bool weft__can_bind(void) {
  return false;
}

bool weft__is_available_cpu(uint32_t cpu) {
  (void)cpu;
  return false;
}

int weft__current_cpu(void) {
  return -1;
}

bool weft__bind_thread(pthread_t thread, uint32_t cpu) {
  (void)thread;
  (void)cpu;
  return false;
}

void weft__name_thread(const char* prefix, uint32_t number) {
#ifdef __APPLE__
  char name[16];
  (void)snprintf(name, sizeof(name), "%.11s-%u", prefix, (unsigned)(number % 1000u));
  (void)pthread_setname_np(name);
#else
  (void)prefix;
  (void)number;
#endif
}

bool weft__tells_cpu_time(void) {
  return false;
}

weft__cpu_clock weft__current_cpu_clock(void) {
  return 0;
}

int64_t weft__cpu_time_ns(weft__cpu_clock clock) {
  (void)clock;
  return 0;
}

bool weft__set_nice(int nice) {
  return nice == 0;
}

#endif

uintptr_t weft__current_thread(void) {
  static _Thread_local char own;
  return (uintptr_t)&own;
}
