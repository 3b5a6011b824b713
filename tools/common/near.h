/* Suggestions for misspelt names. */
#ifndef TOOLS_COMMON_NEAR_H
#define TOOLS_COMMON_NEAR_H

#include <stddef.h>

/* The name of [count] nearest to `word` in letters inserted, deleted or changed, the first of
 * equals; NULL if more than two in five differ, or one that is more than three in five. */
const char* tool_nearest(const char* word, const char* const* names, size_t count);

#endif
