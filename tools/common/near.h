/* Suggestions for misspelt names. */
#ifndef TOOLS_COMMON_NEAR_H
#define TOOLS_COMMON_NEAR_H

#include <stddef.h>

/* The one of `names` [count] that is nearest to `word` in letters put in, left out or changed; NULL
 * where more than three in five would be. The first of those that are equally near. */
const char* tool_nearest(const char* word, const char* const* names, size_t count);

#endif
