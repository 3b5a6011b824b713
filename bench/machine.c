#include "machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "weft/weft.h"

static void describe_cpus(bench_machine* machine) {
  bench_topology* topology = &machine->topology;
  if (!bench_topology_read(NULL, NULL, topology)) return;
  snprintf(machine->cpu, sizeof machine->cpu, "%s", topology->model);
  machine->cores = topology->core_count;
  machine->hardware_threads = topology->machine_cpus;
  machine->l1d_bytes = topology->caches[0].bytes;
  machine->l2_bytes = topology->caches[1].bytes;
  machine->l3_bytes = topology->caches[2].bytes;
  machine->l3_count = topology->caches[2].count;
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
  machine.bind = "none";
  machine.round_trip_ns = (double)NAN;
  snprintf(machine.compiler, sizeof machine.compiler, "%s", BENCH_COMPILER);
  describe_os(&machine);
  describe_memory(&machine);
  describe_cpus(&machine);
  // a topology without cores, as some containers have it, still runs on something
  if (machine.cores == 0) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    machine.cores = machine.hardware_threads = online > 0 ? (uint32_t)online : 1;
  }
  machine.available_cpus = weft_available_cpus();
  return machine;
}
