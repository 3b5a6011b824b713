#include "results.h"

#include <stdio.h>
#include <stdlib.h>

#define COLUMN(name, kind) \
  { #name, BENCH_COLUMN_##kind, offsetof(bench_result, name) }

static const bench_column columns[] = {
    COLUMN(scene, TEXT),
    COLUMN(size, COUNT),
    COLUMN(particles, COUNT),
    COLUMN(links, COUNT),
    COLUMN(patches, COUNT),
    COLUMN(patch_colors, COUNT),
    COLUMN(solver, TEXT),
    COLUMN(isa, TEXT),
    COLUMN(threads, COUNT),
    COLUMN(iterations, COUNT),
    COLUMN(steps, LARGE),
    COLUMN(step_ms_min, REAL),
    COLUMN(step_ms_median, REAL),
    COLUMN(solve_ns_per_link, REAL),
    COLUMN(links_per_second, REAL),
    COLUMN(ratio_to_serial_natural, REAL),
    COLUMN(ratio_to_serial_colored, REAL),
    COLUMN(build_ms, REAL),
    COLUMN(bytes, LARGE),
    COLUMN(strain_mean, REAL),
    COLUMN(strain_max, REAL),
    COLUMN(state_hash, HASH),
    COLUMN(count, COUNT),
    COLUMN(step_ms_max, REAL),
    COLUMN(threads_asked, COUNT),
    COLUMN(step_ms_q1, REAL),
    COLUMN(step_ms_q3, REAL),
};

const bench_row_type bench_result_type = BENCH_ROW_TYPE(bench_result, columns);

static void fill_scene(const bench_scene* scene, bench_result* row) {
  snprintf(row->scene, sizeof row->scene, "%s", scene->name);
  row->size = scene->size;
  row->count = scene->count;
  row->particles = scene->particle_count;
  row->links = scene->link_count;
}

static bool fill_rung(const bench_rung* rung, bench_result* row, tool_message* why) {
  snprintf(row->solver, sizeof row->solver, "%s", bench_solver_name(rung->solver));
  snprintf(row->isa, sizeof row->isa, "%s", bench_rung_isa_name(rung));
  row->threads = rung->threads;
  row->threads_asked = rung->threads_asked;
  row->steps = rung->step_count;
  row->build_ms = rung->build_ms;
  row->bytes = rung->bytes;
  row->state_hash = bench_rung_hash(rung);
  row->round_trip_before_ns = rung->round_trip_before_ns;
  row->round_trip_after_ns = rung->round_trip_after_ns;
  if (!rung->world) return true;
  weft_world_stats stats;
  const weft_result read = weft_world_get_stats(rung->world, &stats);
  if (!bench_check_weft(why, "weft_world_get_stats", read)) return false;
  row->patches = stats.patch_count;
  row->patch_colors = stats.patch_color_count;
  return true;
}

static void fill_times(bench_samples* samples, uint32_t iterations, bench_result* row) {
  const double solves = (double)row->links * (double)iterations;
  row->iterations = iterations;
  row->step_ms_min = bench_samples_min(samples);
  row->step_ms_median = bench_samples_median(samples);
  row->step_ms_max = bench_samples_quantile(samples, 1.0);
  row->step_ms_q1 = bench_samples_quantile(samples, 0.25);
  row->step_ms_q3 = bench_samples_quantile(samples, 0.75);
  row->solve_ns_per_link = 1e6 * row->step_ms_median / solves;
  row->links_per_second = 1e9 / row->solve_ns_per_link;
}

static void fill_ratios(bench_result* rows, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    rows[i].ratio_to_serial_natural =
        rows[BENCH_SERIAL_NATURAL].step_ms_median / rows[i].step_ms_median;
    rows[i].ratio_to_serial_colored =
        rows[BENCH_SERIAL_COLORED].step_ms_median / rows[i].step_ms_median;
  }
}

static bool fill_rows(const bench_scene* scene, uint32_t iterations, bench_ladder* ladder,
                      float* positions, bench_result* rows, tool_message* why) {
  for (uint32_t i = 0; i < ladder->count; ++i) {
    bench_rung* rung = &ladder->rungs[i];
    fill_scene(scene, &rows[i]);
    if (!fill_rung(rung, &rows[i], why)) return false;
    fill_times(&rung->samples, iterations, &rows[i]);
    if (!bench_rung_positions(rung, scene->particle_count, positions, why)) return false;
    const bench_strain strain =
        bench_measure_strain(positions, scene->links, scene->structural_count);
    rows[i].strain_mean = strain.mean;
    rows[i].strain_max = strain.max;
  }
  fill_ratios(rows, ladder->count);
  return true;
}

bool bench_results_append(bench_rows* results, const bench_scene* scene, uint32_t iterations,
                          bench_ladder* ladder, tool_message* why) {
  bench_result* rows = bench_rows_append(results, ladder->count, why);
  if (!rows) return false;
  float* positions = malloc(scene->particle_count * 3 * sizeof *positions);
  if (!positions) return tool_because(why, "%s: no memory for its positions", scene->name);
  const bool ok = fill_rows(scene, iterations, ladder, positions, rows, why);
  free(positions);
  return ok;
}
