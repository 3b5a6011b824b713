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

#endif
