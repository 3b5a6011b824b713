/* Topology of the machine: CPUs (cores or their SMT siblings), the cores, caches and packages that
 * share them, and NUMA nodes. */
#ifndef BENCH_TOPOLOGY_H
#define BENCH_TOPOLOGY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/message.h"
#include "weft/weft.h"

enum { BENCH_MAX_CPUS = 1024, BENCH_CACHE_LEVELS = 4 };

typedef struct bench_cpu {
  uint32_t number;  /* the system's */
  uint32_t package; /* from here: numbers from 0 over the machine */
  uint32_t node;    /* NUMA */
  uint32_t cache;   /* last-level cache; the package where there is none */
  uint32_t core;
  uint32_t sibling; /* among the CPUs of its core */
  double speed;     /* relative to the fastest CPU, 0 to 1; NaN if unknown */
} bench_cpu;

/* Data or unified caches of one level. */
typedef struct bench_cache_level {
  char level[8];  /* "L1d", "L2" .. */
  uint64_t bytes; /* size of one; 0 = none */
  uint32_t count;
  uint32_t sharers; /* CPUs that share one, at most */
} bench_cache_level;

typedef struct bench_topology {
  char model[128]; /* CPU model, or "unknown" */
  uint32_t package_count, node_count, core_count;
  uint32_t machine_cpus;                        /* CPUs of the machine or its cpuset */
  uint32_t siblings;                            /* CPUs of one core, at most */
  bench_cache_level caches[BENCH_CACHE_LEVELS]; /* L1d to L4 */
  bool is_virtual;                              /* a hypervisor runs the machine */
  const char* speed_source;                     /* "cpufreq" or "timed loop"; NULL = not known */
  uint32_t cpu_count;                           /* CPUs that the affinity mask allows */
  bench_cpu cpus[BENCH_MAX_CPUS];               /* [cpu_count], neighbours beside each other */
} bench_topology;

/* Reads the topology without speeds. `synthetic` describes a machine in hwloc's words ("package:2
 * core:4 pu:2"), NULL = this one. `allowed` lists the CPUs of the affinity mask ("0-3,8"), NULL =
 * the calling thread's. False, with all zeros but the model, if it cannot be read. */
bool bench_topology_read(const char* synthetic, const char* allowed, bench_topology* topology);

/* Speeds by the maximal frequency that cpufreq states, else by a short loop on each CPU. */
void bench_topology_measure_speeds(bench_topology* topology);

/* Speed of the slowest CPU, 0 to 1; NaN if unknown. */
double bench_topology_lowest_speed(const bench_topology* topology);

/* Two to four lines. `available_cpus` is from weft_available_cpus(). */
void bench_topology_print(FILE* out, const bench_topology* topology, uint32_t available_cpus);

json_t* bench_topology_json(const bench_topology* topology);

/* ---- places of workers: --bind --------------------------------------------------------------- */

/* After KMP_AFFINITY of the LLVM OpenMP runtime. */
typedef enum bench_binding_kind {
  BENCH_BIND_NONE = 0, /* placed by the system */
  BENCH_BIND_COMPACT,  /* side by side: siblings of a core, cores of a cache, of a package */
  BENCH_BIND_SCATTER,  /* far from each other: packages in turns, then caches, cores, siblings */
} bench_binding_kind;

typedef struct bench_binding {
  bench_binding_kind kind;
  const bench_topology* topology;
  uint32_t cpus[WEFT_MAX_WORKERS]; /* each worker's; reused from the first on if too few */
} bench_binding;

enum { BENCH_BINDINGS = 3 };
extern const char* const bench_binding_names[BENCH_BINDINGS];

/* Fills the CPUs. The topology has to outlive the binding. */
bool bench_binding_complete(bench_binding* binding, const bench_topology* topology,
                            tool_message* why);

/* For weft_world_def.worker_cpus: NULL if workers are not bound. */
const uint32_t* bench_binding_cpus(const bench_binding* binding);

/* Binds the calling thread to the first worker's CPU while it steps a world, and frees it again;
 * threads started in between are bound too. */
void bench_binding_enter(const bench_binding* binding);
void bench_binding_leave(const bench_binding* binding);

#endif
