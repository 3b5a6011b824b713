#ifndef WEFT_BASE_RESULT_H
#define WEFT_BASE_RESULT_H

#include "weft/weft.h"

static inline weft_result weft__ok(void) {
  return (weft_result){WEFT_OK, "", 0};
}

static inline weft_result weft__fail_at(weft_error error, const char* field, uint64_t index) {
  return (weft_result){error, field, index};
}

static inline weft_result weft__fail(weft_error error, const char* field) {
  return weft__fail_at(error, field, 0);
}

#define WEFT__TRY(call)                                 \
  do {                                                  \
    const weft_result try_result = (call);              \
    if (try_result.error != WEFT_OK) return try_result; \
  } while (0)

#define WEFT__FAIL_IF(condition, error, field)          \
  do {                                                  \
    if (condition) return weft__fail((error), (field)); \
  } while (0)

#endif
