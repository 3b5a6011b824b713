/* Ctrl-C as a question asked between two steps. */
#ifndef TOOLS_COMMON_INTERRUPT_H
#define TOOLS_COMMON_INTERRUPT_H

#include <stdbool.h>

/* From here on the first Ctrl-C, or SIGTERM, sets the flag; one more, half a second later or after,
 * ends the program. */
void tool_catch_interrupt(void);

bool tool_interrupted(void);

void tool_interrupt(void);

/* Begins work without steps, such as building a world: until tool_end_indivisible() Ctrl-C ends the
 * program at once with TOOL_EXIT_INTERRUPTED. Streams are flushed here. While an output file is
 * open, which is to be closed or removed, Ctrl-C sets the flag all the same. */
void tool_begin_indivisible(void);
void tool_end_indivisible(void);

#endif
