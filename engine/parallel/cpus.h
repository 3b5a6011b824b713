/* CPUs of this process. Platforms without affinity know none: threads run anywhere. */
#ifndef WEFT_PARALLEL_CPUS_H
#define WEFT_PARALLEL_CPUS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef clockid_t weft__cpu_clock;

/* CPUs in the affinity mask, at most the CPU quota; 1 where threads cannot be started. */
uint32_t weft__available_cpus(void);

bool weft__can_bind(void);

bool weft__is_available_cpu(uint32_t cpu);

int weft__current_cpu(void);

/* False if the system refuses: the thread stays unbound. */
bool weft__bind_thread(pthread_t thread, uint32_t cpu);

/* Names the calling thread PREFIX-NUMBER, number below 1,000. */
void weft__name_thread(const char* prefix, uint32_t number);

/* Adds to the calling thread's niceness. False if the system refuses. */
bool weft__set_nice(int nice);

bool weft__tells_cpu_time(void);

weft__cpu_clock weft__current_cpu_clock(void);

/* 0 if unknown, as when the thread has ended. */
int64_t weft__cpu_time_ns(weft__cpu_clock clock);

/* Number of the calling thread, never 0, unique among living threads. */
uintptr_t weft__current_thread(void);

#endif
