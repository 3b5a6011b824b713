#include "machine_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/json_file.h"

enum { STAT_FIELDS = 8, MAX_LINE = 256 };

// A machine is busy from this many CPUs in use, or stolen.
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

json_t* bench_load_json(const bench_load* load) {
  return json_pack("{so so so so}", "seconds", tool_json_number(load->seconds), "others_cpus",
                   tool_json_number(load->others_cpus), "stolen_cpus",
                   tool_json_number(load->stolen_cpus), "stalled_share",
                   tool_json_number(load->stalled_share));
}
