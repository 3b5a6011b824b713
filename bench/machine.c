#include "machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/json_file.h"
#include "common/number.h"
#include "rows.h"
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

/* From the system: the topology may miss memory added since the start. */
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
  // some containers have a topology without cores
  if (machine.cores == 0) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    machine.cores = machine.hardware_threads = online > 0 ? (uint32_t)online : 1;
  }
  machine.available_cpus = weft_available_cpus();
  return machine;
}

enum { STAT_FIELDS = 8, MAX_LINE = 256 };

// CPUs in use, or stolen, from which a machine is busy.
static const double busy_cpus = 0.1;

bench_load_sample bench_load_parse(const char* stat, const char* pressure, double tick_hz) {
  bench_load_sample sample = {.stalled_s = (double)NAN};
  double ticks[STAT_FIELDS] = {0};
  if (stat == NULL || strncmp(stat, "cpu ", 4) != 0) return sample;
  const char* at = stat + 4;
  for (int i = 0; i < STAT_FIELDS; ++i) {
    char* end;
    ticks[i] = strtod(at, &end);
    // systems before 2.6.11 have no steal
    if (end == at && i < STAT_FIELDS - 1) return sample;
    at = end;
  }
  sample.is_known = true;
  sample.busy_s = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / tick_hz;
  sample.stolen_s = ticks[7] / tick_hz;
  const char* total = pressure != NULL ? strstr(pressure, "total=") : NULL;
  if (total != NULL) sample.stalled_s = 1e-6 * strtod(total + strlen("total="), NULL);
  return sample;
}

static const char* read_line(const char* path, char line[MAX_LINE]) {
  FILE* file = fopen(path, "re");
  if (file == NULL) return NULL;
  const char* read = fgets(line, MAX_LINE, file);
  (void)fclose(file);
  return read;
}

bench_load_sample bench_load_now(void) {
  char stat[MAX_LINE], pressure[MAX_LINE];
  struct timespec own;
  bench_load_sample sample =
      bench_load_parse(read_line("/proc/stat", stat), read_line("/proc/pressure/cpu", pressure),
                       (double)sysconf(_SC_CLK_TCK));
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) == 0) {
    sample.own_s = (double)own.tv_sec + 1e-9 * (double)own.tv_nsec;
  }
  sample.time_s = 1e-9 * tool_clock_ns();
  return sample;
}

bench_load bench_load_between(const bench_load_sample* first, const bench_load_sample* last) {
  const double nan = (double)NAN, seconds = last->time_s - first->time_s;
  if (!first->is_known || !last->is_known || !(seconds > 0.0)) {
    return (bench_load){0.0, nan, nan, nan};
  }
  const double own = last->own_s - first->own_s;
  const double others = (last->busy_s - first->busy_s - own) / seconds;
  return (bench_load){seconds, fmax(others, 0.0), (last->stolen_s - first->stolen_s) / seconds,
                      (last->stalled_s - first->stalled_s) / seconds};
}

bench_load bench_load_before(void) {
  const bench_load_sample first = bench_load_now();
  const struct timespec fifth = {.tv_nsec = 200000000};
  (void)nanosleep(&fifth, NULL);
  const bench_load_sample last = bench_load_now();
  return bench_load_between(&first, &last);
}

void bench_load_print(FILE* out, const bench_load* before, const bench_load* during,
                      uint32_t cpu_count) {
  if (!(before->seconds > 0.0) || !(during->seconds > 0.0)) {
    fputs("load of the machine: unknown, as there is no /proc/stat\n", out);
    return;
  }
  const bool is_busy = fmax(before->others_cpus, during->others_cpus) >= busy_cpus ||
                       during->stolen_cpus >= busy_cpus;
  fprintf(
      out,
      "%s: of %u CPUs, other processes used %.2f before the run, %.2f during it; the host %.2f\n",
      is_busy ? "busy machine" : "idle machine", cpu_count, before->others_cpus,
      during->others_cpus, during->stolen_cpus);
}

#define ROW bench_load
static const bench_row_type load_type =
    BENCH_ROW_TYPE(BENCH_REAL(seconds), BENCH_REAL(others_cpus), BENCH_REAL(stolen_cpus),
                   BENCH_REAL(stalled_share));

static json_t* cache_object(const bench_machine* machine) {
  return json_pack("{sI sI sI}", "l1d", (json_int_t)machine->l1d_bytes, "l2",
                   (json_int_t)machine->l2_bytes, "l3", (json_int_t)machine->l3_bytes);
}

json_t* bench_machine_json(const bench_machine* machine) {
  return json_pack(
      "{so sI sI sI so so so so so sI so so so so so so}", "cpu", tool_json_text(machine->cpu),
      "cores", (json_int_t)machine->cores, "hardware_threads",
      (json_int_t)machine->hardware_threads, "available_cpus", (json_int_t)machine->available_cpus,
      "topology", bench_topology_json(&machine->topology), "bind", tool_json_text(machine->bind),
      "load_before", bench_row_json(&load_type, &machine->load_before), "load_during",
      bench_row_json(&load_type, &machine->load_during), "caches", cache_object(machine),
      "memory_bytes", (json_int_t)machine->memory_bytes, "os", tool_json_text(machine->os),
      "compiler", tool_json_text(machine->compiler), "flags", tool_json_text(machine->flags),
      "baseline_flags", tool_json_text(machine->baseline_flags), "version",
      tool_json_text(machine->version), "round_trip_ns", tool_json_number(machine->round_trip_ns));
}

static void print_bytes(FILE* out, const char* name, uint64_t bytes) {
  if (bytes >= 1u << 30) {
    fprintf(out, ", %s %.1f GiB", name, (double)bytes / (1u << 30));
  } else if (bytes >= 1u << 20) {
    fprintf(out, ", %s %.1f MiB", name, (double)bytes / (1u << 20));
  } else if (bytes > 0) {
    fprintf(out, ", %s %.0f KiB", name, (double)bytes / 1024);
  }
}

void bench_machine_print(FILE* out, const bench_machine* machine) {
  fprintf(out, "%s, %u core%s", machine->cpu, machine->cores, tool_plural(machine->cores));
  print_bytes(out, "L1d", machine->l1d_bytes);
  print_bytes(out, "L2", machine->l2_bytes);
  print_bytes(out, "L3", machine->l3_bytes);
  print_bytes(out, "memory", machine->memory_bytes);
  if (machine->available_cpus < machine->hardware_threads) {
    fprintf(out, "\naffinity or CPU quota leave %u of %u CPUs: no world has more threads",
            machine->available_cpus, machine->hardware_threads);
  }
  fprintf(out, "\n%s, %s, weft %s\n%s\n", machine->os, machine->compiler, machine->version,
          machine->flags);
}
