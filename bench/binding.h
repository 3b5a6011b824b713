/* Places of workers: `--bind`. */
#ifndef BENCH_BINDING_H
#define BENCH_BINDING_H

#include "common/message.h"
#include "topology.h"
#include "weft/weft.h"

/* After KMP_AFFINITY of the LLVM OpenMP runtime. */
typedef enum bench_binding_kind {
  BENCH_BIND_NONE = 0, /* wherever the system puts them */
  BENCH_BIND_COMPACT,  /* side by side: siblings of a core, cores of a cache, of a package */
  BENCH_BIND_SCATTER,  /* far from each other: packages in turns, then caches, cores, siblings */
} bench_binding_kind;

typedef struct bench_binding {
  bench_binding_kind kind;
  const bench_topology* topology;
  uint32_t cpus[WEFT_MAX_WORKERS]; /* of each worker; from the first again if CPUs are too few */
} bench_binding;

enum { BENCH_BINDINGS = 3 };
extern const char* const bench_binding_names[BENCH_BINDINGS];

/* Fills the CPUs. The topology is kept, and has to outlive the binding. */
bool bench_binding_complete(bench_binding* binding, const bench_topology* topology,
                            tool_message* why);

/* For weft_world_def.worker_cpus: NULL if workers are not bound. */
const uint32_t* bench_binding_cpus(const bench_binding* binding);

/* Binds the calling thread to the first worker's CPU while it steps a world, and frees it again:
 * threads that it starts in between are bound likewise. */
void bench_binding_enter(const bench_binding* binding);
void bench_binding_leave(const bench_binding* binding);

#endif
