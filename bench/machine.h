/* The machine and the build of a measurement. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdint.h>

#include "machine_load.h"
#include "topology.h"

typedef struct bench_machine {
  char cpu[128]; /* model name */
  uint32_t cores;
  uint32_t hardware_threads;
  uint32_t available_cpus; /* by affinity and CPU quota: see weft_available_cpus() */
  bench_topology topology; /* without speeds at first */
  const char* bind;        /* rule by which threads are bound: bench_binding_name() */
  bench_load load_before;  /* before the run, and over it */
  bench_load load_during;
  uint64_t l1d_bytes, l2_bytes, l3_bytes; /* size of one cache; 0 if there is none */
  uint32_t l3_count;                      /* number of L3 caches */
  uint64_t memory_bytes;
  char os[256];               /* name, release, architecture */
  char compiler[128];         /* name and version */
  const char* flags;          /* the engine's */
  const char* baseline_flags; /* the serial rungs' */
  const char* version;        /* version of the library */
  double round_trip_ns;       /* between two cores, NaN if not measured */
} bench_machine;

/* Everything but the round trip, the speeds and the load, which take the machine for a moment. */
bench_machine bench_describe_machine(void);

#endif
