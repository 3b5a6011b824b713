/* CPUs of this process, and threads bound to them: all that the worker pool asks of the platform
 * beyond pthreads. Where a platform has no affinity, threads run anywhere and no CPU is known. */
#ifndef WEFT_PARALLEL_CPUS_H
#define WEFT_PARALLEL_CPUS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* CPUs that this process may use: those of its affinity mask, at most its CPU quota; 1 where it
 * cannot start threads. */
uint32_t weft__available_cpus(void);

/* True if this platform can bind threads to CPUs. */
bool weft__can_bind(void);

/* True if the affinity mask of the calling thread has the CPU. */
bool weft__is_available_cpu(uint32_t cpu);

/* CPU of the calling thread; -1 if unknown. */
int weft__current_cpu(void);

/* Binds a thread to a CPU; a thread that cannot be bound stays unbound. */
void weft__bind_thread(pthread_t thread, uint32_t cpu);

/* Names the calling thread, a worker, for debuggers and profilers. */
void weft__name_thread(uint32_t worker);

#endif
