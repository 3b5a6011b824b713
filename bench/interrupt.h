/* Ctrl-C, made into a question that is asked between two steps. */
#ifndef BENCH_INTERRUPT_H
#define BENCH_INTERRUPT_H

#include <stdbool.h>

/* From now on the first Ctrl-C only sets the flag; a second one ends the program at once. */
void bench_catch_interrupt(void);

bool bench_interrupted(void);

#endif
