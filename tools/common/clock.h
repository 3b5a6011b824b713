/* The time, for measuring. */
#ifndef TOOLS_COMMON_CLOCK_H
#define TOOLS_COMMON_CLOCK_H

/* Nanoseconds of a clock that only goes forward. */
double tool_clock_ns(void);

/* Nanoseconds of processor time of all threads of the process. */
double tool_processor_ns(void);

#endif
