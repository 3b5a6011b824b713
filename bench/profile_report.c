#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/number.h"
#include "profile.h"
#include "text_table.h"

enum { MAX_CELL = BENCH_MAX_CELL };

#define COLUMN(name, kind) \
  { #name, BENCH_COLUMN_##kind, offsetof(bench_profile_row, name) }
#define COUNTER(name, counter) \
  { name, BENCH_COLUMN_REAL, offsetof(bench_profile_row, counters[BENCH_##counter]) }

static const bench_column columns[] = {
    COLUMN(scene, TEXT),
    COLUMN(size, COUNT),
    COLUMN(particles, COUNT),
    COLUMN(links, COUNT),
    COLUMN(isa, TEXT),
    COLUMN(threads, COUNT),
    COLUMN(steps, COUNT),
    COLUMN(sweeps, COUNT),
    COLUMN(stage, TEXT),
    COLUMN(ms, REAL),
    COLUMN(ms_min, REAL),
    COLUMN(share, REAL),
    COLUMN(gb_per_s, REAL),
    COLUMN(gflop_per_s, REAL),
    COLUMN(share_of_ceiling, REAL),
    COUNTER("instructions", INSTRUCTIONS),
    COUNTER("cycles", CYCLES),
    COUNTER("cache_misses", CACHE_MISSES),
    COUNTER("l1d_misses", L1D_MISSES),
    COUNTER("cpu_ns", CPU_NS),
    COUNTER("page_faults", PAGE_FAULTS),
    COUNTER("context_switches", CONTEXT_SWITCHES),
    COUNTER("migrations", MIGRATIONS),
    COLUMN(state_hash, HASH),
};

const bench_row_type bench_profile_type = BENCH_ROW_TYPE(bench_profile_row, columns);

static const char* const heads[] = {
    "stage", "ms", "min", "share", "GB/s", "GFLOP/s", "of ceiling",
};
static const char sides[] = "lrrrrrr";

static void write_number(char cell[MAX_CELL], const char* format, double value) {
  if (isfinite(value)) snprintf(cell, MAX_CELL, format, value);
}

static void format_row(const bench_profile_row* row, bench_text_row* text) {
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%s", row->stage);
  write_number(*to++, "%.3f", row->ms);
  write_number(*to++, "%.3f", row->ms_min);
  write_number(*to++, "%.1f %%", 100.0 * row->share);
  write_number(*to++, "%.2f", row->gb_per_s);
  write_number(*to++, "%.2f", row->gflop_per_s);
  write_number(*to++, "%.0f %%", 100.0 * row->share_of_ceiling);
}

static void print_hardware(FILE* out, const double* counters, int error) {
  if (error != 0) {
    fprintf(out, "hardware counters: not here (perf_event_open: %s)\n", strerror(error));
  }
  if (isfinite(counters[BENCH_INSTRUCTIONS])) {
    fprintf(out, "a step, all threads: %.3g instructions, %.3g cycles, %.2f instructions a cycle\n",
            counters[BENCH_INSTRUCTIONS], counters[BENCH_CYCLES],
            counters[BENCH_INSTRUCTIONS] / counters[BENCH_CYCLES]);
  }
  if (isfinite(counters[BENCH_CACHE_MISSES])) {
    fprintf(out, "a step, all threads: %.3g last-level cache misses, %.3g L1d read misses\n",
            counters[BENCH_CACHE_MISSES], counters[BENCH_L1D_MISSES]);
  }
}

static void print_software(FILE* out, const double* counters) {
  bool any = false;
  for (int i = BENCH_FIRST_SOFTWARE; i < BENCH_COUNTERS; ++i) {
    if (!isfinite(counters[i])) continue;
    fputs(any ? ", " : "a step, all threads: ", out);
    any = true;
    if (i == BENCH_CPU_NS) {
      fprintf(out, "%.3f ms of CPU", 1e-6 * counters[i]);
    } else {
      const char* name = bench_counter_name((bench_counter)i);
      const char* gap = strchr(name, '_');
      const int length = gap != NULL ? (int)(gap - name) : (int)strlen(name);
      fprintf(out, "%.2f %.*s%s%s", counters[i], length, name, gap != NULL ? " " : "",
              gap != NULL ? gap + 1 : "");
    }
  }
  fputs(any ? "\n" : "software counters: not here either\n", out);
}

void bench_profile_print(FILE* out, const bench_profile_row* rows, int error) {
  const bench_profile_row* step = &rows[WEFT_STAGE_COUNT];
  fprintf(out, "\n%s %u: %u particles, %u links; %s, %u thread%s at work, %u step%s\n", step->scene,
          step->size, step->particles, step->links, step->isa, step->threads,
          tool_plural(step->threads), step->steps, tool_plural(step->steps));
  bench_text_table table;
  if (!bench_text_table_create(heads, sides, BENCH_PROFILE_ROWS, &table)) return;
  table.row_count = 0;
  for (int i = 0; i < BENCH_PROFILE_ROWS; ++i) {
    if (rows[i].ms > 0.0) format_row(&rows[i], &table.rows[table.row_count++]);
  }
  bench_text_table_print(out, &table);
  print_hardware(out, step->counters, error);
  print_software(out, step->counters);
}
