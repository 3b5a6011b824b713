/* Load of the machine by others than this process, from /proc/stat and /proc/pressure/cpu. */
#ifndef BENCH_MACHINE_LOAD_H
#define BENCH_MACHINE_LOAD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Counters since the start of the system and of the process. */
typedef struct bench_load_sample {
  bool is_known;
  double busy_s;    /* CPU time of all processes, seconds */
  double stolen_s;  /* time that a hypervisor gave to other machines */
  double own_s;     /* CPU time of this process */
  double stalled_s; /* time in which a runnable thread had no CPU; NaN if unknown */
  double time_s;    /* clock */
} bench_load_sample;

typedef struct bench_load {
  double seconds;       /* span of the measurement; 0 = unknown, and then all others NaN */
  double others_cpus;   /* CPUs that others keep busy, on average */
  double stolen_cpus;   /* CPUs that the host took away, on average */
  double stalled_share; /* share of the time in which a runnable thread had no CPU, 0 to 1 */
} bench_load;

/* Reads the first line of /proc/stat, "cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ..", and
 * of /proc/pressure/cpu, "some avg10=.. total=MICROSECONDS", NULL = none. `tick_hz` is the unit of
 * the former. Own time and clock are left 0. */
bench_load_sample bench_load_parse(const char* stat, const char* pressure, double tick_hz);

bench_load_sample bench_load_now(void);
bench_load bench_load_between(const bench_load_sample* first, const bench_load_sample* last);

/* Load over a fifth of a second in which this process sleeps. */
bench_load bench_load_before(void);

/* One line: the machine is busy, or idle. */
void bench_load_print(FILE* out, const bench_load* before, const bench_load* during,
                      uint32_t cpu_count);

json_t* bench_load_json(const bench_load* load);

#endif
