#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/json_file.h"
#include "common/number.h"
#include "scaling.h"

enum { MOST_LOSSES = 10 };
// smaller losses have no line
#define LEAST_LOSS 0.005

static double sum_of(const bench_worker_time* time) {
  double sum = 0.0;
  for (int kind = 0; kind < TOOL_LANE_KINDS; ++kind) sum += time->ns[kind];
  return sum > 0.0 ? sum : 1.0;
}

static size_t widest_of(const bench_scaling_row* rows, size_t count) {
  size_t widest = 0;
  for (size_t i = 1; i < count; ++i) {
    if (rows[i].of.world.worker_count > rows[widest].of.world.worker_count) widest = i;
  }
  return widest;
}

static int by_loss(const void* left, const void* right) {
  const double a = ((const bench_job_loss*)left)->lost, b = ((const bench_job_loss*)right)->lost;
  return a > b ? -1 : a < b ? 1 : 0;
}

size_t bench_scaling_losses(const bench_scaling_request* request, const bench_scaling_row* rows,
                            const bench_scaling_findings* findings,
                            bench_job_loss losses[BENCH_MAX_JOBS]) {
  const size_t end = widest_of(rows, findings->row_count);
  const bench_recorded *first = &findings->recorded[0], *last = &findings->recorded[end];
  const double growth =
      (double)rows[end].of.world.particle_count / (double)rows[0].of.world.particle_count;
  const double ms = 1e-6 / request->recorded_steps;
  double all_ns = 0.0;
  for (uint32_t w = 0; w < rows[end].of.world.worker_count; ++w)
    all_ns += sum_of(&last->workers[w]);
  for (uint32_t j = 0; j < last->job_count; ++j) {
    const bench_job_time* job = &last->jobs[j];
    const bench_job_time* alone = bench_recorded_job(first, job->stage, job->name);
    const double work_ns = alone != NULL ? growth * alone->work_ns : 0.0;
    losses[j] = (bench_job_loss){.stage = weft_stage_name(job->stage),
                                 .job = job->name,
                                 .first_work_ms = ms * work_ns,
                                 .work_ms = ms * job->work_ns,
                                 .elapsed_ms = ms * job->elapsed_ns};
    losses[j].lost = (rows[end].of.world.worker_count * job->elapsed_ns - work_ns) / all_ns;
  }
  qsort(losses, last->job_count, sizeof *losses, by_loss);
  return last->job_count;
}

#define ROW bench_job_loss
static void print_losses(FILE* out, const bench_scaling_request* request,
                         const bench_scaling_row* rows, const bench_scaling_findings* findings) {
  const bench_scaling_row* last = &rows[widest_of(rows, findings->row_count)];
  if (last == rows) return;
  bench_job_loss losses[BENCH_MAX_JOBS];
  char first_head[32], last_head[32];
  snprintf(first_head, sizeof first_head, "work of %u", rows[0].of.world.worker_count);
  snprintf(last_head, sizeof last_head, "of %u", last->of.world.worker_count);
  const bench_row_type losses_table = BENCH_ROW_TYPE(
      BENCH_NAMED("stage", WORD, stage), BENCH_NAMED("job", WORD, job),
      BENCH_CELL(first_head, first_work_ms, "%.2f"), BENCH_CELL(last_head, work_ms, "%.2f"),
      BENCH_CELL("elapsed", elapsed_ms, "%.2f"), BENCH_SCALED("lost", lost, "%.1f %%", 100.0));
  const size_t count = bench_scaling_losses(request, rows, findings, losses);
  size_t shown = count > 0 ? 1 : 0;
  while (shown < count && shown < MOST_LOSSES && losses[shown].lost >= LEAST_LOSS) ++shown;
  fprintf(out, "\njobs that lose most of the time of %u threads, ms a step\n",
          last->of.world.worker_count);
  bench_rows_print(out, &losses_table, losses, shown);
}
#undef ROW

static json_t* jobs_json(const bench_recorded* recorded, uint32_t steps) {
  json_t* jobs = json_array();
  for (uint32_t j = 0; j < recorded->job_count; ++j) {
    const bench_job_time* job = &recorded->jobs[j];
    json_array_append_new(
        jobs, json_pack("{ss ss so so}", "stage", weft_stage_name(job->stage), "job", job->name,
                        "work_ms", tool_json_number(1e-6 * job->work_ns / steps), "elapsed_ms",
                        tool_json_number(1e-6 * job->elapsed_ns / steps)));
  }
  return jobs;
}

#define ROW bench_scaling_row
const bench_row_type bench_scaling_type = BENCH_ROW_TYPE(
    BENCH_SCENE, BENCH_ISA, BENCH_SIZE, BENCH_PARTICLES, BENCH_OF("threads", COUNT, threads_asked),
    BENCH_OF("workers", COUNT, world.worker_count), BENCH_COUNT(beside), BENCH_COUNT(steps),
    BENCH_STEP_MS(min), BENCH_STEP_MS(median), BENCH_STEP_MS(mean), BENCH_STEP_MS(p99),
    BENCH_STEP_MS(max), BENCH_REAL(speed_up), BENCH_REAL(speed_up_low), BENCH_REAL(speed_up_high),
    BENCH_REAL(efficiency), BENCH_STATE_HASH);

static void write_quartiles(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_scaling_row* row = item;
  snprintf(cell, BENCH_MAX_CELL, "%.2f-%.2f", row->speed_up_low, row->speed_up_high);
}

static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_OF("threads", COUNT, threads_asked), BENCH_OF("at work", COUNT, world.worker_count),
    BENCH_MS_CELL("median ms", median, "%.3f"), BENCH_MS_CELL("mean", mean, "%.3f"),
    BENCH_MS_CELL("p99", p99, "%.3f"), BENCH_MS_CELL("worst", max, "%.3f"),
    BENCH_MS_CELL("min", min, "%.3f"), BENCH_CELL("speed-up", speed_up, "%.2f"),
    BENCH_WRITTEN("quartiles", REAL, write_quartiles),
    BENCH_SCALED("efficiency", efficiency, "%.0f %%", 100.0));
#undef ROW

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

// workers with a line each; beyond these one line for the others
enum { MOST_LINES = 8 };

static const char* const time_heads[] = {"threads",    "worker",  "work",   "search",
                                         "neighbours", "job end", "absent", "serial"};

static void format_time(const bench_scaling_row* row, const char* worker,
                        const bench_worker_time* time, bench_text_row* text) {
  char(*to)[BENCH_MAX_CELL] = text->cells;
  snprintf(*to++, BENCH_MAX_CELL, "%u", row->of.threads_asked);
  snprintf(*to++, BENCH_MAX_CELL, "%s", worker);
  for (int kind = 0; kind < TOOL_LANE_KINDS; ++kind) {
    snprintf(*to++, BENCH_MAX_CELL, "%.1f %%", 100.0 * time->ns[kind] / sum_of(time));
  }
}

// Lines of a row: the caller, and the other workers each or together.
static size_t format_times(const bench_scaling_row* row, const bench_worker_time* times,
                           bench_text_row* lines) {
  const bool is_whole = row->of.world.worker_count <= MOST_LINES;
  bench_worker_time others = {{0.0}};
  char name[16];
  for (uint32_t w = 0; w < row->of.world.worker_count; ++w) {
    snprintf(name, sizeof name, "%u", w);
    if (w == 0 || is_whole) format_time(row, name, &times[w], &lines[w]);
    for (int kind = 0; w > 0 && kind < TOOL_LANE_KINDS; ++kind) {
      others.ns[kind] += times[w].ns[kind];
    }
  }
  if (is_whole) return row->of.world.worker_count;
  format_time(row, "others", &others, &lines[1]);
  return 2;
}

static void print_times(FILE* out, const bench_scaling_request* request,
                        const bench_scaling_row* rows, size_t count,
                        const bench_recorded* recorded) {
  size_t lines = 0;
  bench_text_row* text = calloc(count * MOST_LINES, sizeof *text);
  if (!text) return;
  for (size_t i = 0; i < count; ++i) {
    lines += format_times(&rows[i], recorded[i].workers, &text[lines]);
  }
  fprintf(out, "\ntime of each worker in %u more steps\n", request->recorded_steps);
  bench_text_rows_print(out, time_heads, "rrrrrrrr", text, lines);
  free(text);
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
    json_object_set_new(row, "worker_times",
                        workers_json(recorded->workers, rows[i].of.world.worker_count));
    json_object_set_new(row, "jobs", jobs_json(recorded, request->recorded_steps));
  }
  return results;
}

void bench_scaling_print(FILE* out, const bench_scaling_request* request,
                         const bench_scaling_row* rows, size_t count,
                         const bench_scaling_findings* findings) {
  fprintf(out, "\n%s %u: %u particles%s; %s, %u steps a row in %d turns", rows[0].of.scene,
          rows[0].of.size, rows[0].of.world.particle_count,
          request->is_weak ? " for one thread" : "", rows[0].of.isa, rows[0].steps,
          BENCH_SCALING_TURNS);
  if (request->beside > 0) {
    fprintf(out, ", beside %u busy thread%s", request->beside, tool_plural(request->beside));
  }
  if (request->binding->kind != BENCH_BIND_NONE) {
    fprintf(out, ", bound %s", bench_binding_names[request->binding->kind]);
  }
  fprintf(out, "\n");
  bench_rows_print(out, &table, rows, count);
  if (!request->is_weak) {
    fprintf(out, "state hash of all rows: %016" PRIx64 "\n", rows[0].of.state_hash);
  }
  print_fit(out, &findings->fit);
  print_times(out, request, rows, count, findings->recorded);
  print_losses(out, request, rows, findings);
}
