#include <math.h>

#include "common/json_file.h"
#include "common/number.h"
#include "topology.h"

/* CPUs whose speeds differ by less than this share count as equal. */
static const double equal_speed = 0.9;

static const char* const level_names[BENCH_CACHE_LEVELS] = {"L1d", "L2", "L3", "L4"};

static void print_count(FILE* out, uint32_t count, const char* noun, const char* end) {
  fprintf(out, "%u %s%s%s", count, noun, tool_plural(count), end);
}

static void print_caches(FILE* out, const bench_topology* topology) {
  for (int i = 0; i < BENCH_CACHE_LEVELS; ++i) {
    const bench_cache_level* level = &topology->caches[i];
    if (level->count == 0) continue;
    const bool is_large = level->bytes >= 1u << 20;
    fprintf(out, "%s %s %.0f %s", i > 0 ? "," : ";", level_names[i],
            (double)level->bytes / (is_large ? 1u << 20 : 1u << 10), is_large ? "MiB" : "KiB");
    if (level->sharers > 1) {
      fprintf(out, " for %u CPUs", level->sharers);
    } else {
      fputs(" a CPU", out);
    }
  }
  fputc('\n', out);
}

// The CPUs of the first few cores that have several.
static void print_siblings(FILE* out, const bench_topology* topology) {
  enum { SHOWN_CORES = 4 };
  uint32_t shown = 0;
  fputs("SMT: CPUs", out);
  for (uint32_t i = 1; i < topology->cpu_count && shown < SHOWN_CORES; ++i) {
    const bench_cpu *cpu = &topology->cpus[i], *before = &topology->cpus[i - 1];
    if (cpu->core != before->core) continue;
    fprintf(out, "%s %u+%u", shown++ > 0 ? "," : "", before->number, cpu->number);
  }
  fprintf(out, "%s are siblings: they share one core's units and caches\n",
          shown == SHOWN_CORES ? " .." : "");
}

static bool has_siblings(const bench_topology* topology) {
  for (uint32_t i = 1; i < topology->cpu_count; ++i) {
    if (topology->cpus[i].core == topology->cpus[i - 1].core) return true;
  }
  return false;
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
  print_count(out, topology->package_count, "package", ", ");
  print_count(out, topology->core_count, "core", ", ");
  print_count(out, topology->machine_cpus, "CPU", ", ");
  print_count(out, topology->node_count, "NUMA node", "");
  print_caches(out, topology);
  if (has_siblings(topology)) print_siblings(out, topology);
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

static json_t* caches_json(const bench_topology* topology) {
  json_t* array = json_array();
  for (int i = 0; i < BENCH_CACHE_LEVELS; ++i) {
    const bench_cache_level* level = &topology->caches[i];
    if (level->count == 0) continue;
    json_array_append_new(
        array,
        json_pack("{ss sI sI sI}", "level", level_names[i], "bytes", (json_int_t)level->bytes,
                  "count", (json_int_t)level->count, "cpus_each", (json_int_t)level->sharers));
  }
  return array;
}

static json_t* cpus_json(const bench_topology* topology) {
  json_t* array = json_array();
  for (uint32_t i = 0; i < topology->cpu_count; ++i) {
    const bench_cpu* cpu = &topology->cpus[i];
    json_array_append_new(
        array, json_pack("{sI sI sI sI sI sI so}", "cpu", (json_int_t)cpu->number, "package",
                         (json_int_t)cpu->package, "numa_node", (json_int_t)cpu->node, "last_cache",
                         (json_int_t)cpu->cache, "core", (json_int_t)cpu->core, "sibling",
                         (json_int_t)cpu->sibling, "speed", tool_json_number(cpu->speed)));
  }
  return array;
}

json_t* bench_topology_json(const bench_topology* topology) {
  const char* source = topology->speed_source;
  return json_pack("{sI sI sI sI sI so so ss? so}", "packages", (json_int_t)topology->package_count,
                   "cores", (json_int_t)topology->core_count, "cpus_of_machine",
                   (json_int_t)topology->machine_cpus, "cpus_a_core",
                   (json_int_t)topology->siblings, "numa_nodes", (json_int_t)topology->node_count,
                   "virtual", json_boolean(topology->is_virtual), "caches", caches_json(topology),
                   "speeds_by", source, "cpus", cpus_json(topology));
}
