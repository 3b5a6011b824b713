/* The host's callbacks: see weft_set_host(). They are the library's only global state. */
#ifndef WEFT_BASE_HOST_H
#define WEFT_BASE_HOST_H

#include "weft/weft.h"

/* Callbacks, constant while there is memory. */
const weft_host_def* weft__host(void);

/* Passes a message on to the host, if it listens. */
void weft__log(const char* message);

/* Reports an assertion that failed, and aborts. */
_Noreturn void weft__assert_failed(const char* condition, const char* file, int line);

#ifdef NDEBUG
#define WEFT__ASSERT(condition) ((void)0)
#else
#define WEFT__ASSERT(condition) \
  ((condition) ? (void)0 : weft__assert_failed(#condition, __FILE__, __LINE__))
#endif

#endif
