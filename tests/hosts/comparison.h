/* Steps the same cloth with threads of weft and with a host's task system, in turns. */
#ifndef TESTS_HOSTS_COMPARISON_H
#define TESTS_HOSTS_COMPARISON_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most workers of a comparison. */
#define MOST_WORKERS 7u

/* Arguments: SIZE STEPS WORKERS, all of which may be missing: the particles of a side of the sheet,
 * the steps, and the workers, by default 1, 2 and 7 one after the other. Prints the hash and the
 * median milliseconds of a step; returns 1, as of main(), if hashes differ. */
int compare_task_system(int argument_count, char** arguments, weft_task_system system);

#ifdef __cplusplus
}
#endif

#endif
