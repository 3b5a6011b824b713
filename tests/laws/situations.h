/* Cases that once failed between the parts, and are in every cover. */
#ifndef TESTS_LAWS_SITUATIONS_H
#define TESTS_LAWS_SITUATIONS_H

#include "laws/laws.h"

/* "law body path setting". */
extern const char* const law_situations[];
extern const uint32_t law_situation_count;

#endif
