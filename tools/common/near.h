/* Suggestions for misspelt names. */
#ifndef TOOLS_COMMON_NEAR_H
#define TOOLS_COMMON_NEAR_H

#include <stddef.h>

/* The one of `names` [count] that is nearest to `word` in letters put in, left out or changed, the
 * first of those that are equally near; NULL where more than two in five would be, or where it is
 * one that is more than three in five. */
const char* tool_nearest(const char* word, const char* const* names, size_t count);

#endif
