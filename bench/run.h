/* How every command that measures begins, and ends where it was interrupted. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "common/message.h"
#include "machine.h"

/* False in a debug build, where the option that asks for a file of results is given (not NULL). */
bool bench_check_build(const char* option, tool_message* why);

/* From here on Ctrl-C is caught. Measures the round trip between the cores and prints the machine.
 */
void bench_begin_run(FILE* out, bench_machine* machine);

/* Says that nothing was written; returns TOOL_EXIT_INTERRUPTED. */
int bench_end_interrupted(void);

#endif
