/* How far apart two cores are: the time in which a cache line goes to another core and back.
 *
 * On virtual machines this can change by four times from one minute to the next, and rows of
 * several threads move with it. It is printed beside them so that such a row can be judged. */
#ifndef BENCH_ROUND_TRIP_H
#define BENCH_ROUND_TRIP_H

/* Nanoseconds, the median of a few thousand round trips between two threads that run where the
 * system puts them. NaN when it cannot be measured, as on a machine of one core. */
double bench_round_trip_ns(void);

#endif
