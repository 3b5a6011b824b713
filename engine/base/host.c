#include "base/host.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fields.h"
#include "base/memory.h"
#include "base/result.h"

static weft_host_def host;

const weft_host_def* weft__host(void) {
  return &host;
}

weft_result weft_set_host(const weft_host_def* def) {
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(weft__check_def(&weft__host_fields, def));
  WEFT__FAIL_IF(def->allocate == NULL && def->release != NULL, WEFT_ERROR_NULL,
                "weft_host_def.allocate");
  WEFT__FAIL_IF(def->allocate != NULL && def->release == NULL, WEFT_ERROR_NULL,
                "weft_host_def.release");
  WEFT__FAIL_IF(weft__block_count() > 0, WEFT_ERROR_IN_USE, "weft_host_def");
  host = *def;
  return weft__ok();
}

void weft__log(const char* message) {
  if (host.log != NULL) host.log(host.context, message);
}

_Noreturn void weft__assert_failed(const char* condition, const char* file, int line) {
  if (host.assert_failed != NULL) {
    host.assert_failed(host.context, condition, file, line);
  } else {
    (void)fprintf(stderr, "weft: %s:%d: assertion failed: %s\n", file, line, condition);
  }
  abort();
}
