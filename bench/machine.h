/* The machine and build of a measurement, and the load by other processes, from /proc/stat and
 * /proc/pressure/cpu. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdint.h>

#include "topology.h"

/* Counters since the start of system and process. */
typedef struct bench_load_sample {
  bool is_known;
  double busy_s;    /* seconds of CPU time, all processes */
  double stolen_s;  /* time that a hypervisor gave to other machines */
  double own_s;     /* seconds of CPU time, this process */
  double stalled_s; /* seconds in which a runnable thread had no CPU; NaN if unknown */
  double time_s;    /* clock */
} bench_load_sample;

typedef struct bench_load {
  double seconds;       /* span of the measurement; 0 = unknown, the others are NaN */
  double others_cpus;   /* CPUs that others keep busy, on average */
  double stolen_cpus;   /* CPUs that the host took away, on average */
  double stalled_share; /* share of the time in which a runnable thread had no CPU */
} bench_load;

typedef struct bench_machine {
  char cpu[128]; /* model name */
  uint32_t cores;
  uint32_t hardware_threads;
  uint32_t available_cpus; /* by affinity and CPU quota: see weft_available_cpus() */
  bench_topology topology; /* without speeds at first */
  const char* bind;        /* bench_binding_name() */
  bench_load load_before;  /* before the run, and over it */
  bench_load load_during;
  uint64_t l1d_bytes, l2_bytes, l3_bytes; /* one cache; 0 = none */
  uint32_t l3_count;
  uint64_t memory_bytes;
  char os[256];               /* name, release, architecture */
  char compiler[128];         /* name and version */
  const char* flags;          /* the engine's */
  const char* baseline_flags; /* the serial rungs' */
  const char* version;        /* version of the library */
  double round_trip_ns;       /* between two cores, NaN if not measured */
} bench_machine;

/* All but the round trip, the speeds and the load, which use the machine for a moment. */
bench_machine bench_describe_machine(void);

void bench_machine_print(FILE* out, const bench_machine* machine);
json_t* bench_machine_json(const bench_machine* machine);

/* Reads the first line of /proc/stat, "cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ..", in
 * units of 1 / `tick_hz` s, and /proc/pressure/cpu, "some avg10=.. total=MICROSECONDS", NULL =
 * none. Own time and clock stay 0. */
bench_load_sample bench_load_parse(const char* stat, const char* pressure, double tick_hz);

bench_load_sample bench_load_now(void);
bench_load bench_load_between(const bench_load_sample* first, const bench_load_sample* last);

/* Load over a fifth of a second in which this process sleeps. */
bench_load bench_load_before(void);

/* One line: the machine is busy, or idle. */
void bench_load_print(FILE* out, const bench_load* before, const bench_load* during,
                      uint32_t cpu_count);

#endif
