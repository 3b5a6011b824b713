/* Calls that fail only by a defect of the program. */
#ifndef TOOLS_COMMON_MUST_H
#define TOOLS_COMMON_MUST_H

#include <stdio.h>
#include <stdlib.h>

#include "weft/weft.h"

/* Aborts, and names the field at fault, if a call failed. */
static inline void tool_must(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "internal error: %s: %s\n", result.field, weft_error_text(result.error));
  abort();
}

/* Gets an attribute of a range, packed; sets it. */
static inline void tool_get(const weft_world* world, weft_attribute attribute, uint32_t first,
                            uint32_t count, void* values) {
  tool_must(weft_world_get(world, attribute, weft_range(first, count), values, 0));
}
static inline void tool_set(weft_world* world, weft_attribute attribute, uint32_t first,
                            uint32_t count, const void* values, size_t stride) {
  tool_must(weft_world_set(world, attribute, weft_range(first, count), values, stride));
}

#endif
