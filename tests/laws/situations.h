/* Cases that once failed between the parts, in every cover: "law body path setting". */
#ifndef TESTS_LAWS_SITUATIONS_H
#define TESTS_LAWS_SITUATIONS_H

#include "laws/laws.h"

extern const char* const law_situations[];
extern const uint32_t law_situation_count;

#endif
