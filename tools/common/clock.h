#ifndef TOOLS_COMMON_CLOCK_H
#define TOOLS_COMMON_CLOCK_H

/* Nanoseconds of a monotonic clock. */
double tool_clock_ns(void);

/* Nanoseconds of processor time, all threads of the process. */
double tool_processor_ns(void);

#endif
