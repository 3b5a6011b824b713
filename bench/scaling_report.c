#include <inttypes.h>
#include <math.h>

#include "common/json_file.h"
#include "common/number.h"
#include "scaling.h"
#include "text_table.h"

static const bench_column columns[] = {
    {"scene", BENCH_COLUMN_TEXT, offsetof(bench_scaling_row, scene)},
    {"isa", BENCH_COLUMN_TEXT, offsetof(bench_scaling_row, isa)},
    {"size", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, size)},
    {"particles", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, particles)},
    {"threads", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, threads)},
    {"workers", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, workers)},
    {"beside", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, beside)},
    {"steps", BENCH_COLUMN_COUNT, offsetof(bench_scaling_row, steps)},
    {"step_ms_min", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_min)},
    {"step_ms_median", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_median)},
    {"step_ms_mean", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_mean)},
    {"step_ms_p99", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_p99)},
    {"step_ms_max", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, step_ms_max)},
    {"speed_up", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, speed_up)},
    {"speed_up_low", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, speed_up_low)},
    {"speed_up_high", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, speed_up_high)},
    {"efficiency", BENCH_COLUMN_REAL, offsetof(bench_scaling_row, efficiency)},
    {"state_hash", BENCH_COLUMN_HASH, offsetof(bench_scaling_row, state_hash)},
};

const bench_row_type bench_scaling_type = BENCH_ROW_TYPE(bench_scaling_row, columns);

static const char* const heads[] = {"threads", "at work", "median ms", "mean",      "p99",
                                    "worst",   "min",     "speed-up",  "quartiles", "efficiency"};
static const char sides[] = "rrrrrrrrrr";

enum { MAX_CELL = BENCH_MAX_CELL };

static void format_row(const void* item, bench_text_row* text) {
  const bench_scaling_row* row = item;
  const double times[] = {row->step_ms_median, row->step_ms_mean, row->step_ms_p99,
                          row->step_ms_max, row->step_ms_min};
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%u", row->threads);
  snprintf(*to++, MAX_CELL, "%u", row->workers);
  for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
    snprintf(*to++, MAX_CELL, "%.3f", times[i]);
  }
  snprintf(*to++, MAX_CELL, "%.2f", row->speed_up);
  snprintf(*to++, MAX_CELL, "%.2f-%.2f", row->speed_up_low, row->speed_up_high);
  snprintf(*to++, MAX_CELL, "%.0f %%", 100.0 * row->efficiency);
}

static void print_fit(FILE* out, const bench_scaling_fit* fit) {
  if (fit->serial >= 1.0) {
    fprintf(out, "Amdahl's law: more threads are no faster, so nothing can be fitted\n");
  } else if (isfinite(fit->serial)) {
    fprintf(out,
            "Amdahl's law: %.1f %% of a step is serial (quartiles of the turns %.1f to %.1f)\n",
            100.0 * fit->serial, 100.0 * fit->serial_low, 100.0 * fit->serial_high);
  }
  if (isfinite(fit->contention)) {
    fprintf(out, "universal scalability law: contention %.2f %%, coherency %.4f %%\n",
            100.0 * fit->contention, 100.0 * fit->coherency);
  }
}

// ---- time lost by worker ----

// workers of a row that have a line each; of more the others share one
enum { MOST_LINES = 8 };

static const char* const time_heads[] = {"threads",    "worker",  "work",   "search",
                                         "neighbours", "job end", "absent", "serial"};
static const char time_sides[] = "rrrrrrrr";

static double sum_of(const bench_worker_time* time) {
  double sum = 0.0;
  for (int kind = 0; kind < TOOL_LANE_KINDS; ++kind) sum += time->ns[kind];
  return sum > 0.0 ? sum : 1.0;
}

static void format_time(const bench_scaling_row* row, const char* worker,
                        const bench_worker_time* time, bench_text_row* text) {
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%u", row->threads);
  snprintf(*to++, MAX_CELL, "%s", worker);
  for (int kind = 0; kind < TOOL_LANE_KINDS; ++kind) {
    snprintf(*to++, MAX_CELL, "%.1f %%", 100.0 * time->ns[kind] / sum_of(time));
  }
}

// Lines of a row: the caller, and the other workers each or together.
static size_t format_times(const bench_scaling_row* row, const bench_worker_time* times,
                           bench_text_row* lines) {
  const bool is_whole = row->workers <= MOST_LINES;
  bench_worker_time others = {{0.0}};
  char name[16];
  for (uint32_t w = 0; w < row->workers; ++w) {
    snprintf(name, sizeof name, "%u", w);
    if (w == 0 || is_whole) format_time(row, name, &times[w], &lines[w]);
    for (int kind = 0; w > 0 && kind < TOOL_LANE_KINDS; ++kind) {
      others.ns[kind] += times[w].ns[kind];
    }
  }
  if (is_whole) return row->workers;
  format_time(row, "others", &others, &lines[1]);
  return 2;
}

static void print_times(FILE* out, const bench_scaling_request* request,
                        const bench_scaling_row* rows, size_t count,
                        const bench_recorded* recorded) {
  bench_text_table table;
  size_t lines = 0;
  if (!bench_text_table_create(time_heads, time_sides, count * MOST_LINES, &table)) return;
  for (size_t i = 0; i < count; ++i) {
    lines += format_times(&rows[i], recorded[i].workers, &table.rows[lines]);
  }
  table.row_count = lines;
  fprintf(out, "\ntime of each worker in %u more steps\n", request->recorded_steps);
  bench_text_table_print(out, &table);
}

static json_t* workers_json(const bench_worker_time* times, uint32_t count) {
  json_t* workers = json_array();
  for (uint32_t w = 0; w < count; ++w) {
    json_t* shares = json_pack("{sI}", "worker", (json_int_t)w);
    for (int kind = 0; kind < TOOL_LANE_KINDS; ++kind) {
      json_object_set_new(shares, tool_lane_name((tool_lane_kind)kind),
                          tool_json_number(times[w].ns[kind] / sum_of(&times[w])));
    }
    json_array_append_new(workers, shares);
  }
  return workers;
}

json_t* bench_scaling_json(const bench_scaling_row* rows, size_t count,
                           const bench_scaling_request* request,
                           const bench_scaling_findings* findings) {
  json_t* results = bench_rows_json(&bench_scaling_type, rows, count);
  for (size_t i = 0; i < findings->row_count; ++i) {
    const bench_recorded* recorded = &findings->recorded[i];
    json_t* row = json_array_get(results, i);
    json_object_set_new(row, "worker_times", workers_json(recorded->workers, rows[i].workers));
    json_object_set_new(row, "jobs", bench_scaling_jobs_json(recorded, request->recorded_steps));
  }
  return results;
}

void bench_scaling_print(FILE* out, const bench_scaling_request* request,
                         const bench_scaling_row* rows, size_t count,
                         const bench_scaling_findings* findings) {
  fprintf(out, "\n%s %u: %u particles%s; %s, %u steps a row in %d turns", rows[0].scene,
          rows[0].size, rows[0].particles, request->is_weak ? " for one thread" : "", rows[0].isa,
          rows[0].steps, BENCH_SCALING_TURNS);
  if (request->beside > 0) {
    fprintf(out, ", beside %u busy thread%s", request->beside, tool_plural(request->beside));
  }
  if (request->binding->kind != BENCH_BIND_NONE) {
    fprintf(out, ", bound %s", bench_binding_name(request->binding->kind));
  }
  fprintf(out, "\n");
  bench_text_rows_print(out, heads, sides, rows, count, sizeof *rows, format_row);
  if (!request->is_weak) {
    fprintf(out, "state hash of all rows: %016" PRIx64 "\n", rows[0].state_hash);
  }
  print_fit(out, &findings->fit);
  print_times(out, request, rows, count, findings->recorded);
  bench_scaling_print_losses(out, request, rows, findings);
}
