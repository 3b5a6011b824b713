#include "machine.h"

#include <hwloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "weft/weft.h"

static uint32_t count_objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  const int count = hwloc_get_nbobjs_by_type(topology, type);
  return count > 0 ? (uint32_t)count : 0;
}

static uint64_t cache_bytes(hwloc_topology_t topology, hwloc_obj_type_t type) {
  const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
  return cache ? cache->attr->cache.size : 0;
}

static void describe_cpu(hwloc_topology_t topology, bench_machine* machine) {
  const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  const char* model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
  if (model) snprintf(machine->cpu, sizeof machine->cpu, "%s", model);
  machine->cores = count_objects(topology, HWLOC_OBJ_CORE);
  machine->hardware_threads = count_objects(topology, HWLOC_OBJ_PU);
  machine->l1d_bytes = cache_bytes(topology, HWLOC_OBJ_L1CACHE);
  machine->l2_bytes = cache_bytes(topology, HWLOC_OBJ_L2CACHE);
  machine->l3_bytes = cache_bytes(topology, HWLOC_OBJ_L3CACHE);
  machine->l3_count = count_objects(topology, HWLOC_OBJ_L3CACHE);
}

static void read_topology(bench_machine* machine) {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return;
  if (hwloc_topology_load(topology) == 0) describe_cpu(topology, machine);
  hwloc_topology_destroy(topology);
}

static void describe_os(bench_machine* machine) {
  struct utsname names;
  if (uname(&names) != 0) return;
  snprintf(machine->os, sizeof machine->os, "%.60s %.120s %.60s", names.sysname, names.release,
           names.machine);
}

/* From the system, not from the topology, which may not know of memory added since the start. */
static void describe_memory(bench_machine* machine) {
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0) machine->memory_bytes = (uint64_t)pages * (uint64_t)page_bytes;
}

bench_machine bench_describe_machine(void) {
  bench_machine machine = {.cpu = "unknown", .os = "unknown"};
  machine.flags = BENCH_ENGINE_FLAGS;
  machine.baseline_flags = BENCH_BASELINE_FLAGS;
  machine.version = weft_version();
  machine.round_trip_ns = (double)NAN;
  snprintf(machine.compiler, sizeof machine.compiler, "%s", BENCH_COMPILER);
  describe_os(&machine);
  describe_memory(&machine);
  read_topology(&machine);
  // a topology without cores, as some containers have it, still runs on something
  if (machine.cores == 0) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    machine.cores = machine.hardware_threads = online > 0 ? (uint32_t)online : 1;
  }
  machine.available_cpus = weft_available_cpus();
  return machine;
}
