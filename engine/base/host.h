/* Host's callbacks, the library's only global state: weft_set_host(). */
#ifndef WEFT_BASE_HOST_H
#define WEFT_BASE_HOST_H

#include "weft/weft.h"

/* Constant while any memory is allocated. */
const weft_host_def* weft__host(void);

void weft__log(const char* message);

_Noreturn void weft__assert_failed(const char* condition, const char* file, int line);

#ifdef NDEBUG
#define WEFT__ASSERT(condition) ((void)0)
#else
#define WEFT__ASSERT(condition) \
  ((condition) ? (void)0 : weft__assert_failed(#condition, __FILE__, __LINE__))
#endif

#endif
