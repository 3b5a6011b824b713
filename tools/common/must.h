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

#endif
