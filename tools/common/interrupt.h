/* Ctrl-C, made into a question that is asked between two steps. */
#ifndef TOOLS_COMMON_INTERRUPT_H
#define TOOLS_COMMON_INTERRUPT_H

#include <stdbool.h>

/* From now on the first Ctrl-C only sets the flag; a second one ends the program at once. */
void tool_catch_interrupt(void);

bool tool_interrupted(void);

#endif
