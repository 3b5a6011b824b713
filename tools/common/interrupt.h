/* Ctrl-C, made into a question that is asked between two steps. */
#ifndef TOOLS_COMMON_INTERRUPT_H
#define TOOLS_COMMON_INTERRUPT_H

#include <stdbool.h>

/* From now on the first Ctrl-C, or SIGTERM, only sets the flag; a second one ends the program at
 * once. */
void tool_catch_interrupt(void);

bool tool_interrupted(void);

/* Sets the flag, as Ctrl-C does. */
void tool_interrupt(void);

/* Begins work without steps, such as the building of a world: until tool_end_indivisible() Ctrl-C
 * ends the program at once, with status TOOL_EXIT_INTERRUPTED. Streams are flushed here. While an
 * output file is open, which is to be closed or removed, Ctrl-C sets the flag all the same. */
void tool_begin_indivisible(void);
void tool_end_indivisible(void);

#endif
