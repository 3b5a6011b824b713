#include "binding.h"

#include <sched.h>
#include <stdlib.h>

enum { KEYS = 4 };

const char* const bench_binding_names[BENCH_BINDINGS] = {"none", "compact", "scatter"};

// A CPU and the keys of its place, the first one first.
typedef struct ranked_cpu {
  uint32_t keys[KEYS], number;
} ranked_cpu;

static int compare(const void* left, const void* right) {
  const ranked_cpu *a = left, *b = right;
  for (int i = 0; i < KEYS; ++i) {
    if (a->keys[i] != b->keys[i]) return a->keys[i] < b->keys[i] ? -1 : 1;
  }
  return a->number < b->number ? -1 : a->number > b->number;
}

// Keys of scattered CPUs: sibling within its core, core within its cache, cache within its
// package, package. Only CPUs of the affinity mask count; neighbours are beside each other.
static void rank_scattered(const bench_topology* topology, ranked_cpu* ranked) {
  uint32_t sibling = 0, core = 0, cache = 0;
  for (uint32_t i = 0; i < topology->cpu_count; ++i) {
    const bench_cpu *cpu = &topology->cpus[i], *before = i > 0 ? cpu - 1 : cpu;
    const bool same_package = cpu->package == before->package;
    const bool same_cache = same_package && cpu->cache == before->cache;
    const bool same_core = same_cache && cpu->core == before->core;
    if (i > 0) {
      sibling = same_core ? sibling + 1 : 0;
      core = same_core ? core : same_cache ? core + 1 : 0;
      cache = same_cache ? cache : same_package ? cache + 1 : 0;
    }
    ranked[i] = (ranked_cpu){{sibling, core, cache, cpu->package}, cpu->number};
  }
}

bool bench_binding_complete(bench_binding* binding, const bench_topology* topology,
                            tool_message* why) {
  binding->topology = topology;
  if (binding->kind == BENCH_BIND_NONE) return true;
  if (topology->cpu_count == 0) {
    return tool_because(why, "--bind: the topology of this machine cannot be read");
  }
  ranked_cpu ranked[BENCH_MAX_CPUS];
  rank_scattered(topology, ranked);
  // compact: neighbours are beside each other already
  if (binding->kind == BENCH_BIND_SCATTER) {
    qsort(ranked, topology->cpu_count, sizeof ranked[0], compare);
  }
  for (uint32_t i = 0; i < WEFT_MAX_WORKERS; ++i) {
    binding->cpus[i] = ranked[i % topology->cpu_count].number;
  }
  return true;
}

const uint32_t* bench_binding_cpus(const bench_binding* binding) {
  return binding->kind == BENCH_BIND_NONE ? NULL : binding->cpus;
}

void bench_binding_enter(const bench_binding* binding) {
  if (binding->kind == BENCH_BIND_NONE) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(binding->cpus[0], &set);
  (void)sched_setaffinity(0, sizeof set, &set);
}

void bench_binding_leave(const bench_binding* binding) {
  if (binding->kind == BENCH_BIND_NONE) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (uint32_t i = 0; i < binding->topology->cpu_count; ++i) {
    CPU_SET(binding->topology->cpus[i].number, &set);
  }
  (void)sched_setaffinity(0, sizeof set, &set);
}
