/* Numbers as text. */
#ifndef TOOLS_COMMON_NUMBER_H
#define TOOLS_COMMON_NUMBER_H

#include <stdint.h>

enum { TOOL_NUMBER_SIZE = 32 };

/* Writes the shortest decimal that reads back as the same number, 0.1 and not 0.10000000000000001;
 * returns the text. */
const char* tool_shortest(double value, char text[TOOL_NUMBER_SIZE]);

/* The double of the float's shortest decimal: 0.1 for 0.1f, not 0.100000001. */
double tool_widen(float value);

/* "" for 1, else "s". */
const char* tool_plural(uint64_t count);

#endif
