#include <stdlib.h>

#include "common/json_file.h"
#include "common/number.h"
#include "scaling.h"
#include "text_table.h"

enum { MOST_LOSSES = 10, MAX_CELL = BENCH_MAX_CELL };
// smaller losses have no line
#define LEAST_LOSS 0.005

static double worker_time(const bench_recorded* recorded, uint32_t workers) {
  double sum = 0.0;
  for (uint32_t w = 0; w < workers; ++w) {
    for (int kind = 0; kind < TOOL_LANE_KINDS; ++kind) sum += recorded->workers[w].ns[kind];
  }
  return sum > 0.0 ? sum : 1.0;
}

// Index of the row of the most workers.
static size_t widest_of(const bench_scaling_row* rows, size_t count) {
  size_t widest = 0;
  for (size_t i = 1; i < count; ++i) {
    if (rows[i].workers > rows[widest].workers) widest = i;
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
  const double growth = (double)rows[end].particles / (double)rows[0].particles;
  const double ms = 1e-6 / request->recorded_steps;
  const double all_ns = worker_time(last, rows[end].workers);
  for (uint32_t j = 0; j < last->job_count; ++j) {
    const bench_job_time* job = &last->jobs[j];
    const bench_job_time* alone = bench_recorded_job(first, job->stage, job->name);
    const double work_ns = alone != NULL ? growth * alone->work_ns : 0.0;
    losses[j] = (bench_job_loss){.stage = weft_stage_name(job->stage),
                                 .job = job->name,
                                 .first_work_ms = ms * work_ns,
                                 .work_ms = ms * job->work_ns,
                                 .elapsed_ms = ms * job->elapsed_ns};
    losses[j].lost = (rows[end].workers * job->elapsed_ns - work_ns) / all_ns;
  }
  qsort(losses, last->job_count, sizeof *losses, by_loss);
  return last->job_count;
}

static void format_loss(const void* item, bench_text_row* text) {
  const bench_job_loss* loss = item;
  char(*to)[MAX_CELL] = text->cells;
  snprintf(*to++, MAX_CELL, "%s", loss->stage);
  snprintf(*to++, MAX_CELL, "%s", loss->job);
  snprintf(*to++, MAX_CELL, "%.2f", loss->first_work_ms);
  snprintf(*to++, MAX_CELL, "%.2f", loss->work_ms);
  snprintf(*to++, MAX_CELL, "%.2f", loss->elapsed_ms);
  snprintf(*to++, MAX_CELL, "%.1f %%", 100.0 * loss->lost);
}

void bench_scaling_print_losses(FILE* out, const bench_scaling_request* request,
                                const bench_scaling_row* rows,
                                const bench_scaling_findings* findings) {
  const bench_scaling_row* last = &rows[widest_of(rows, findings->row_count)];
  if (last == rows) return;
  bench_job_loss losses[BENCH_MAX_JOBS];
  char first_head[32], last_head[32];
  snprintf(first_head, sizeof first_head, "work of %u", rows[0].workers);
  snprintf(last_head, sizeof last_head, "of %u", last->workers);
  const char* const heads[] = {"stage", "job", first_head, last_head, "elapsed", "lost"};
  const size_t count = bench_scaling_losses(request, rows, findings, losses);
  size_t shown = count > 0 ? 1 : 0;
  while (shown < count && shown < MOST_LOSSES && losses[shown].lost >= LEAST_LOSS) ++shown;
  fprintf(out, "\njobs that lose most of the time of %u threads, ms a step\n", last->workers);
  bench_text_rows_print(out, heads, "llrrrr", losses, shown, sizeof *losses, format_loss);
}

json_t* bench_scaling_jobs_json(const bench_recorded* recorded, uint32_t steps) {
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
