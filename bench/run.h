/* How every command that measures begins, and ends where it was interrupted. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "machine.h"

/* From here on Ctrl-C is caught. Measures the round trip between the cores and prints the machine. */
void bench_begin_run(bench_machine* machine);

/* Says that nothing was written; returns BENCH_EXIT_INTERRUPTED. */
int bench_end_interrupted(void);

#endif
