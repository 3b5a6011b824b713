/* Worlds, scenes and arrays of a test, destroyed at its end. */
#ifndef TESTS_SUPPORT_MADE_H
#define TESTS_SUPPORT_MADE_H

#include <stddef.h>

/* Zeroed memory, freed at the end of the test. */
void* test_alloc(size_t bytes);

/* Calls destroy(object) at the end of the test, before memory is freed. */
void destroy_at_end(void (*destroy)(void* object), void* object);

/* Called by runner.c around each test. */
void begin_test(void);
void end_test(void);

#endif
