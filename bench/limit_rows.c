#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine_limits.h"

enum { MAX_LABEL = 128 };

static const double sweep_bytes = 28.0;  // traffic of one particle

#define COLUMN(name, kind) \
  { #name, BENCH_COLUMN_##kind, offsetof(bench_limit_row, name) }

static const bench_column columns[] = {
    COLUMN(scene, TEXT),
    COLUMN(size, COUNT),
    COLUMN(particles, COUNT),
    COLUMN(links, COUNT),
    COLUMN(isa, TEXT),
    COLUMN(threads, COUNT),
    COLUMN(iterations, COUNT),
    COLUMN(steps, COUNT),
    COLUMN(takes, COUNT),
    COLUMN(ns_per_link, REAL),
    COLUMN(share_of_l2_ceiling, REAL),
    COLUMN(effective_gb_per_s, REAL),
    COLUMN(share_of_bandwidth, REAL),
    COLUMN(round_trip_before_ns, REAL),
    COLUMN(round_trip_after_ns, REAL),
    COLUMN(state_hash, HASH),
    COLUMN(count, COUNT),
};

const bench_row_type bench_limit_type = BENCH_ROW_TYPE(bench_limit_row, columns);

double bench_l2_ceiling_ns(const bench_limits* limits, const char* isa) {
  for (uint32_t i = 0; i < limits->ceiling_count; ++i) {
    const bench_ceiling* ceiling = &limits->ceilings[i];
    if (ceiling->cache != BENCH_L2) continue;
    if (strcmp(weft_isa_name(ceiling->isa), isa) == 0) return ceiling->ns_per_link;
  }
  return (double)NAN;
}

double bench_memory_gb_per_s(const bench_limits* limits, uint32_t threads) {
  const bench_bandwidth* nearest = NULL;
  for (uint32_t i = 0; i < limits->memory_count; ++i) {
    const bench_bandwidth* memory = &limits->memory[i];
    if (memory->threads < threads) continue;
    if (!nearest || memory->threads < nearest->threads) nearest = memory;
  }
  return nearest ? fmax(nearest->read_gb_per_s, nearest->triad_gb_per_s) : (double)NAN;
}

static void fill_row(const bench_scene* scene, const bench_pace_request* request,
                     const bench_pace* pace, bench_limit_row* row) {
  *row = (bench_limit_row){.size = scene->size,
                           .particles = scene->particle_count,
                           .links = scene->link_count,
                           .threads = pace->threads,
                           .iterations = request->iterations,
                           .steps = request->steps,
                           .takes = pace->takes,
                           .ns_per_link = pace->ns_per_link,
                           .round_trip_before_ns = pace->round_trip_before_ns,
                           .round_trip_after_ns = pace->round_trip_after_ns,
                           .state_hash = pace->state_hash,
                           .count = scene->count};
  snprintf(row->scene, sizeof row->scene, "%s", scene->name);
  snprintf(row->isa, sizeof row->isa, "%s", weft_isa_name(pace->isa));
}

static void fill_shares(const bench_limits* limits, bench_limit_row* row) {
  const double sweep_ns = row->ns_per_link * (double)row->links;
  const double thread_ns = row->ns_per_link * (double)row->threads;
  row->share_of_l2_ceiling = bench_l2_ceiling_ns(limits, row->isa) / thread_ns;
  row->effective_gb_per_s = sweep_bytes * (double)row->particles / sweep_ns;
  row->share_of_bandwidth = row->effective_gb_per_s / bench_memory_gb_per_s(limits, row->threads);
}

void bench_fill_shares(const bench_limits* limits, bench_rows* rows) {
  bench_limit_row* items = rows->items;
  for (size_t i = 0; i < rows->count; ++i) fill_shares(limits, &items[i]);
}

static bool measure_row(const bench_pace_request* request, const bench_scene* scene,
                        tool_progress* progress, bench_limit_row* row, tool_message* why) {
  bench_pace pace;
  char title[BENCH_MAX_TITLE], label[MAX_LABEL];
  bench_scene_title(scene->name, scene->size, scene->count, title);
  snprintf(label, sizeof label, "%.60s: %s x%u", title, weft_isa_name(request->isa),
           request->threads);
  if (!bench_measure_pace(request, scene, label, progress, &pace, why)) return false;
  fill_row(scene, request, &pace, row);
  return true;
}

bool bench_limit_rows_append(const bench_plan* plan, const bench_scene* scene, bool quiet,
                             bench_rows* rows, tool_message* why) {
  const size_t new_count = (size_t)plan->isas.count * plan->threads.count;
  bench_limit_row* added = bench_rows_append(rows, new_count, why);
  if (!added) return false;
  const uint32_t steps = bench_pace_steps(scene->link_count, plan->iterations);
  tool_progress progress = tool_progress_start((uint64_t)steps * new_count, quiet);
  bool ok = true;
  for (size_t i = 0; ok && i < new_count; ++i) {
    const bench_pace_request request = {plan->isas.items[i / plan->threads.count],
                                        plan->threads.items[i % plan->threads.count],
                                        plan->iterations, steps};
    ok = measure_row(&request, scene, &progress, &added[i], why);
  }
  tool_progress_end(&progress);
  return ok;
}
