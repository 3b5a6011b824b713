/* Latency between two cores: the time in which a cache line goes to another core and back.
 *
 * On virtual machines this can change by four times from one minute to the next, and rows of
 * several threads move with it. It is printed beside them so that such a row can be judged. */
#ifndef BENCH_ROUND_TRIP_H
#define BENCH_ROUND_TRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nanoseconds, the median of a few thousand round trips between two threads that run where the
 * system puts them. NaN when it cannot be measured, as on a machine of one core. */
double bench_round_trip_ns(void);

/* Do the round trips before and after a row differ so much, by more than 1.6 times, that the row
 * was measured on two machines, as it were? Also where only one of them could be measured. */
bool bench_round_trip_moved(double before_ns, double after_ns);

/* The table's cell of a row: both, with a star where they moved; nothing where there is one thread.
 */
void bench_format_round_trip(char* cell, size_t room, uint32_t threads, double before_ns,
                             double after_ns);

/* Explanation of the star. */
extern const char bench_round_trip_footnote[];

#endif
