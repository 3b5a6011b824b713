#include "topology.h"

#include <hwloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static const hwloc_obj_type_t cache_types[BENCH_CACHE_LEVELS] = {
    HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE};

static uint32_t count_objects(hwloc_topology_t from, hwloc_obj_type_t type) {
  const int count = hwloc_get_nbobjs_by_type(from, type);
  return count > 0 ? (uint32_t)count : 0;
}

// CPUID leaf 1, bit 31 of ECX: reserved for hypervisors (AMD64 manual, volume 3, appendix E).
static bool has_hypervisor(void) {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c >> 31) != 0;
#else
  return false;
#endif
}

static bench_cache_level read_level(hwloc_topology_t from, hwloc_obj_type_t type) {
  bench_cache_level level = {.count = count_objects(from, type)};
  for (uint32_t i = 0; i < level.count; ++i) {
    const hwloc_obj_t cache = hwloc_get_obj_by_type(from, type, i);
    const int weight = hwloc_bitmap_weight(cache->cpuset);
    if (i == 0) level.bytes = cache->attr->cache.size;
    if (weight > 0 && (uint32_t)weight > level.sharers) level.sharers = (uint32_t)weight;
  }
  return level;
}

// Index of the enclosing object of a type, or of `otherwise` where there is none.
static uint32_t index_around(hwloc_topology_t from, hwloc_obj_t cpu, hwloc_obj_type_t type,
                             uint32_t otherwise) {
  const hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(from, type, cpu);
  return object != NULL ? object->logical_index : otherwise;
}

static bench_cpu read_cpu(hwloc_topology_t from, hwloc_obj_t object) {
  bench_cpu cpu = {.number = object->os_index, .speed = (double)NAN};
  const int node = hwloc_bitmap_first(object->nodeset);
  cpu.package = index_around(from, object, HWLOC_OBJ_PACKAGE, 0);
  cpu.node = node > 0 ? (uint32_t)node : 0;
  cpu.core = index_around(from, object, HWLOC_OBJ_CORE, object->logical_index);
  cpu.cache = cpu.package;
  for (int level = BENCH_CACHE_LEVELS - 1; level >= 0; --level) {
    if (hwloc_get_ancestor_obj_by_type(from, cache_types[level], object) == NULL) continue;
    cpu.cache = index_around(from, object, cache_types[level], 0);
    break;
  }
  const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(from, HWLOC_OBJ_CORE, object);
  if (core != NULL && object->parent == core) cpu.sibling = object->sibling_rank;
  return cpu;
}

static void read_objects(hwloc_topology_t from, hwloc_const_cpuset_t allowed,
                         bench_topology* topology) {
  const hwloc_obj_t package = hwloc_get_obj_by_type(from, HWLOC_OBJ_PACKAGE, 0);
  const char* model = package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
  if (model != NULL) snprintf(topology->model, sizeof topology->model, "%s", model);
  topology->package_count = count_objects(from, HWLOC_OBJ_PACKAGE);
  topology->node_count = count_objects(from, HWLOC_OBJ_NUMANODE);
  topology->core_count = count_objects(from, HWLOC_OBJ_CORE);
  topology->machine_cpus = count_objects(from, HWLOC_OBJ_PU);
  for (int i = 0; i < BENCH_CACHE_LEVELS; ++i) {
    topology->caches[i] = read_level(from, cache_types[i]);
  }
  for (uint32_t i = 0; i < topology->machine_cpus; ++i) {
    const hwloc_obj_t object = hwloc_get_obj_by_type(from, HWLOC_OBJ_PU, i);
    const bench_cpu cpu = read_cpu(from, object);
    if (cpu.sibling + 1 > topology->siblings) topology->siblings = cpu.sibling + 1;
    if (!hwloc_bitmap_isset(allowed, object->os_index)) continue;
    if (object->os_index < BENCH_MAX_CPUS) topology->cpus[topology->cpu_count++] = cpu;
  }
}

static bool read_allowed(hwloc_topology_t from, const char* text, hwloc_bitmap_t allowed) {
  if (text != NULL) return hwloc_bitmap_list_sscanf(allowed, text) == 0;
  return hwloc_topology_is_thissystem(from) == 1
             ? hwloc_get_cpubind(from, allowed, HWLOC_CPUBIND_THREAD) == 0
             : hwloc_bitmap_copy(allowed, hwloc_topology_get_topology_cpuset(from)) == 0;
}

bool bench_topology_read(const char* synthetic, const char* allowed, bench_topology* topology) {
  *topology = (bench_topology){.model = "unknown"};
  hwloc_topology_t from;
  // machines without a topology under /sys are no error here: hwloc prints even what it works round
  (void)setenv("HWLOC_HIDE_ERRORS", "2", 0);
  if (hwloc_topology_init(&from) != 0) return false;
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  const bool ok = set != NULL &&
                  (synthetic == NULL || hwloc_topology_set_synthetic(from, synthetic) == 0) &&
                  hwloc_topology_load(from) == 0 && read_allowed(from, allowed, set);
  if (ok) {
    read_objects(from, set, topology);
    topology->is_virtual = synthetic == NULL && has_hypervisor();
  }
  hwloc_bitmap_free(set);
  hwloc_topology_destroy(from);
  return ok;
}
