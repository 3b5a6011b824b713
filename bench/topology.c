#include "topology.h"

#include <hwloc.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/number.h"
#include "rows.h"

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
  snprintf(level.level, sizeof level.level, "L%d%s", 1 + (int)(type - HWLOC_OBJ_L1CACHE),
           type == HWLOC_OBJ_L1CACHE ? "d" : "");
  for (uint32_t i = 0; i < level.count; ++i) {
    const hwloc_obj_t cache = hwloc_get_obj_by_type(from, type, i);
    const int weight = hwloc_bitmap_weight(cache->cpuset);
    if (i == 0) level.bytes = cache->attr->cache.size;
    if (weight > 0 && (uint32_t)weight > level.sharers) level.sharers = (uint32_t)weight;
  }
  return level;
}

// Index of the enclosing object of a type, or `otherwise`.
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
  // machines without a topology under /sys are no error: hwloc prints even faults that it works
  // round
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

// ---- speeds of CPUs relative to each other ----

enum { SLICES = 16, SLICE_ITERATIONS = 40000 };

// Kilohertz; 0 if the system does not state it.
static double stated_frequency(uint32_t cpu) {
  char path[96];
  double khz = 0.0;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
  FILE* file = fopen(path, "re");
  if (file == NULL) return 0.0;
  if (fscanf(file, "%lf", &khz) != 1) khz = 0.0;
  (void)fclose(file);
  return khz;
}

// Inverse of the best time of a chain of dependent operations, without caches or vector units:
// slices shorter than another process's time slice.
static double timed_frequency(void) {
  double best_ns = (double)INFINITY;
  for (int slice = 0; slice < SLICES; ++slice) {
    uint64_t chain = (uint64_t)slice;
    const double start_ns = tool_clock_ns();
    for (int i = 0; i < SLICE_ITERATIONS; ++i) {
      chain += chain >> 7;
      __asm__ volatile("" : "+r"(chain));
    }
    best_ns = fmin(best_ns, tool_clock_ns() - start_ns);
  }
  return 1.0 / best_ns;
}

static bool is_stated(bench_topology* topology) {
  for (uint32_t i = 0; i < topology->cpu_count; ++i) {
    topology->cpus[i].speed = stated_frequency(topology->cpus[i].number);
    if (topology->cpus[i].speed <= 0.0) return false;
  }
  return true;
}

static bool time_all(bench_topology* topology) {
  cpu_set_t before, one;
  if (sched_getaffinity(0, sizeof before, &before) != 0) return false;
  bool ok = true;
  for (uint32_t i = 0; ok && i < topology->cpu_count; ++i) {
    CPU_ZERO(&one);
    CPU_SET(topology->cpus[i].number, &one);
    ok = sched_setaffinity(0, sizeof one, &one) == 0;
    topology->cpus[i].speed = ok ? timed_frequency() : 0.0;
  }
  return sched_setaffinity(0, sizeof before, &before) == 0 && ok;
}

void bench_topology_measure_speeds(bench_topology* topology) {
  topology->speed_source = NULL;
  if (topology->cpu_count == 0) return;
  if (is_stated(topology)) {
    topology->speed_source = "cpufreq";
  } else if (time_all(topology)) {
    topology->speed_source = "timed loop";
  }
  double highest = 0.0;
  for (uint32_t i = 0; i < topology->cpu_count; ++i) {
    highest = fmax(highest, topology->cpus[i].speed);
  }
  const double scale = topology->speed_source != NULL ? 1.0 / highest : (double)NAN;
  for (uint32_t i = 0; i < topology->cpu_count; ++i) topology->cpus[i].speed *= scale;
}

double bench_topology_lowest_speed(const bench_topology* topology) {
  double lowest = (double)NAN;
  for (uint32_t i = 0; i < topology->cpu_count; ++i) {
    lowest = fmin(lowest, topology->cpus[i].speed);
  }
  return lowest;
}

// ---- report ----

/* Share above which speeds of CPUs count as equal. */
static const double equal_speed = 0.9;

static void print_caches(FILE* out, const bench_topology* topology) {
  for (int i = 0; i < BENCH_CACHE_LEVELS; ++i) {
    const bench_cache_level* level = &topology->caches[i];
    if (level->count == 0) continue;
    const bool is_large = level->bytes >= 1u << 20;
    fprintf(out, "%s %s %.0f %s", i > 0 ? "," : ";", level->level,
            (double)level->bytes / (is_large ? 1u << 20 : 1u << 10), is_large ? "MiB" : "KiB");
    if (level->sharers > 1) {
      fprintf(out, " for %u CPUs", level->sharers);
    } else {
      fputs(" a CPU", out);
    }
  }
  fputc('\n', out);
}

// CPUs of the first few cores that have several.
static void print_siblings(FILE* out, const bench_topology* topology) {
  enum { SHOWN_CORES = 4 };
  uint32_t shown = 0;
  for (uint32_t i = 1; i < topology->cpu_count && shown < SHOWN_CORES; ++i) {
    const bench_cpu *cpu = &topology->cpus[i], *before = &topology->cpus[i - 1];
    if (cpu->core != before->core) continue;
    fprintf(out, "%s %u+%u", shown++ > 0 ? "," : "SMT: CPUs", before->number, cpu->number);
  }
  if (shown == 0) return;
  fprintf(out, "%s are siblings: they share one core's units and caches\n",
          shown == SHOWN_CORES ? " .." : "");
}

static void print_speeds(FILE* out, const bench_topology* topology) {
  const double lowest = bench_topology_lowest_speed(topology);
  if (!(lowest < equal_speed)) return;
  uint32_t slow = 0;
  for (uint32_t i = 0; i < topology->cpu_count; ++i) slow += topology->cpus[i].speed < equal_speed;
  fprintf(out, "speeds differ (%s): %u of %u CPUs below %.0f %% of the fastest, lowest %.0f %%\n",
          topology->speed_source, slow, topology->cpu_count, 100.0 * equal_speed, 100.0 * lowest);
}

void bench_topology_print(FILE* out, const bench_topology* topology, uint32_t available_cpus) {
  if (topology->cpu_count == 0) {
    fputs("topology: unknown\n", out);
    return;
  }
  fprintf(out, "%u package%s, %u core%s, %u CPU%s, %u NUMA node%s", topology->package_count,
          tool_plural(topology->package_count), topology->core_count,
          tool_plural(topology->core_count), topology->machine_cpus,
          tool_plural(topology->machine_cpus), topology->node_count,
          tool_plural(topology->node_count));
  print_caches(out, topology);
  print_siblings(out, topology);
  if (topology->is_virtual) {
    fputs("virtual machine: its host may run two CPUs on siblings of one core, and does not tell\n",
          out);
  }
  if (topology->cpu_count < topology->machine_cpus) {
    fprintf(out, "affinity mask: %u of %u CPUs\n", topology->cpu_count, topology->machine_cpus);
  }
  if (available_cpus < topology->cpu_count) {
    fprintf(out, "CPU quota: the time of %u of %u CPUs\n", available_cpus, topology->cpu_count);
  }
  print_speeds(out, topology);
}

// ---- JSON ----

#define ROW bench_cache_level
static const bench_row_type level_type =
    BENCH_ROW_TYPE(BENCH_TEXT(level), BENCH_LARGE(bytes), BENCH_COUNT(count),
                   BENCH_NAMED("cpus_each", COUNT, sharers));
#undef ROW
#define ROW bench_cpu
static const bench_row_type cpu_type =
    BENCH_ROW_TYPE(BENCH_NAMED("cpu", COUNT, number), BENCH_COUNT(package),
                   BENCH_NAMED("numa_node", COUNT, node), BENCH_NAMED("last_cache", COUNT, cache),
                   BENCH_COUNT(core), BENCH_COUNT(sibling), BENCH_REAL(speed));
#undef ROW
#define ROW bench_topology
static const bench_row_type type = BENCH_ROW_TYPE(
    BENCH_NAMED("packages", COUNT, package_count), BENCH_NAMED("cores", COUNT, core_count),
    BENCH_NAMED("cpus_of_machine", COUNT, machine_cpus),
    BENCH_NAMED("cpus_a_core", COUNT, siblings), BENCH_NAMED("numa_nodes", COUNT, node_count),
    BENCH_NAMED("virtual", FLAG, is_virtual));

json_t* bench_topology_json(const bench_topology* topology) {
  const char* source = topology->speed_source;
  json_t *json = bench_row_json(&type, topology), *caches = json_array();
  for (int i = 0; i < BENCH_CACHE_LEVELS; ++i) {
    if (topology->caches[i].count == 0) continue;
    json_array_append_new(caches, bench_row_json(&level_type, &topology->caches[i]));
  }
  json_object_set_new(json, "caches", caches);
  json_object_set_new(json, "speeds_by", source ? json_string(source) : json_null());
  json_object_set_new(json, "cpus",
                      bench_rows_json(&cpu_type, topology->cpus, topology->cpu_count));
  return json;
}
#undef ROW

// ---- places of workers ----

enum { KEYS = 4 };

const char* const bench_binding_names[BENCH_BINDINGS] = {"none", "compact", "scatter"};

// A CPU and the keys of its place, the first key first.
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

// Keys of scattered CPUs: sibling in its core, core in its cache, cache in its package, package.
// CPUs of the affinity mask only, neighbours side by side.
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
  // compact: side by side already
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
