/* CPUs of this process, and threads bound to them. Where a platform has no affinity, threads run
 * anywhere and no CPU is known. */
#ifndef WEFT_PARALLEL_CPUS_H
#define WEFT_PARALLEL_CPUS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Clock of a thread's CPU time. */
typedef clockid_t weft__cpu_clock;

/* Number of CPUs in this process's affinity mask, at most its CPU quota; 1 where it cannot start
 * threads. */
uint32_t weft__available_cpus(void);

/* True if this platform can bind threads to CPUs. */
bool weft__can_bind(void);

/* True if the affinity mask of the calling thread has the CPU. */
bool weft__is_available_cpu(uint32_t cpu);

/* CPU of the calling thread; -1 if unknown. */
int weft__current_cpu(void);

/* Binds a thread to a CPU. False if the system refuses: the thread stays unbound. */
bool weft__bind_thread(pthread_t thread, uint32_t cpu);

/* Names the calling thread, for debuggers and profilers: `prefix`, a hyphen, and a number below
 * 1,000. */
void weft__name_thread(const char* prefix, uint32_t number);

/* Adds to the niceness of the calling thread. False if the system refuses. */
bool weft__set_nice(int nice);

/* True if this platform tells the CPU time of other threads. */
bool weft__tells_cpu_time(void);

/* The clock of the calling thread. */
weft__cpu_clock weft__current_cpu_clock(void);

/* Nanoseconds that a thread has run; 0 if unknown, as when it has ended. */
int64_t weft__cpu_time_ns(weft__cpu_clock clock);

/* Number of the calling thread, never 0, which no other thread has at the same time. */
uintptr_t weft__current_thread(void);

#endif
