#include "sim_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/number.h"
#include "common/progress.h"
#include "samples.h"
#include "sim/crossings.h"

// Steps of one world before the next has its turn.
enum { TURN = 10 };

typedef struct sim_bench {
  const bench_sim_request* request;
  sim_run* run;
  bench_sim_row* row;
  bench_samples step_ms, quarter_ms[BENCH_SIM_QUARTERS];
  double spent_ms; /* in steps so far */
} sim_bench;

static bool remove_contacts(weft_world* world, tool_message* why) {
  weft_world_stats stats;
  return sim_check(weft_world_get_stats(world, &stats), why) &&
         sim_check(weft_world_set_particle_shape(world, 0, stats.particle_count, NULL), why);
}

static bool create(sim_bench* bench, uint32_t threads, bool with_contacts, tool_message* why) {
  sim_settings settings = bench->request->settings;
  settings.threads = threads;
  settings.keeps_cells = true;
  settings.is_profiled = true;
  tool_begin_indivisible();
  const sim_outcome outcome = sim_run_create(bench->request->scene, &settings, &bench->run, why);
  tool_end_indivisible();
  if (outcome != SIM_OK) return false;
  const size_t steps = (size_t)sim_run_length(bench->run);
  bool ok = bench_samples_create(&bench->step_ms, steps);
  for (int q = 0; q < BENCH_SIM_QUARTERS; ++q) {
    ok = ok && bench_samples_create(&bench->quarter_ms[q], steps / BENCH_SIM_QUARTERS + 1);
  }
  if (!ok) return tool_because(why, "no memory for %zu samples", steps);
  snprintf(bench->row->contacts, sizeof bench->row->contacts, "%s",
           with_contacts ? "with" : "without");
  return with_contacts || remove_contacts(sim_run_world(bench->run), why);
}

static void destroy(sim_bench* bench) {
  sim_run_destroy(&bench->run);
  bench_samples_free(&bench->step_ms);
  for (int q = 0; q < BENCH_SIM_QUARTERS; ++q) bench_samples_free(&bench->quarter_ms[q]);
}

// ---- steps ----

// Counts crossings and measures strain.
static bool look(sim_bench* bench, tool_message* why) {
  const weft_world* world = sim_run_world(bench->run);
  bench_sim_row* row = bench->row;
  weft_measures measures;
  if (!sim_check(weft_world_measure(world, &measures), why)) return false;
  row->mean_strain = (double)measures.mean_strain;
  row->max_strain = fmax(row->max_strain, (double)measures.max_strain);
  if (strcmp(row->contacts, "with") != 0) return true;
  row->last_crossings = sim_count_crossings(world);
  row->crossings = fmax(row->crossings, row->last_crossings);
  ++row->looks;
  return true;
}

static bool take_step(sim_bench* bench, tool_message* why) {
  const uint64_t length = sim_run_length(bench->run);
  const uint64_t step = sim_run_moment(bench->run).step;
  if (!sim_run_step(bench->run, why)) return false;
  const double spent_ms = sim_run_step_ms(bench->run);
  bench_samples_add(&bench->step_ms, spent_ms - bench->spent_ms);
  bench_samples_add(&bench->quarter_ms[step * BENCH_SIM_QUARTERS / length],
                    spent_ms - bench->spent_ms);
  bench->spent_ms = spent_ms;
  const uint32_t every = bench->request->look_every;
  const bool is_due = every > 0 && (step + 1) % every == 0;
  return (!is_due && step + 1 < length) || look(bench, why);
}

static bool take_turns(sim_bench* benches, size_t count, tool_message* why) {
  const uint64_t length = sim_run_length(benches[0].run);
  tool_progress progress = tool_progress_start(length * count, benches[0].request->quiet);
  bool ok = true;
  for (uint64_t step = 0; ok && step < length; step += TURN) {
    for (size_t i = 0; ok && i < count; ++i) {
      for (uint64_t s = step; ok && s < step + TURN && s < length; ++s) {
        ok = !tool_interrupted() && take_step(&benches[i], why);
        tool_progress_step(&progress, benches[i].row->contacts);
      }
    }
  }
  tool_progress_end(&progress);
  return ok;
}

// ---- rows ----

static bool fill(sim_bench* bench, tool_message* why) {
  const weft_world* world = sim_run_world(bench->run);
  bench_sim_row* row = bench->row;
  weft_world_stats stats;
  weft_contact_stats contacts;
  if (!sim_check(weft_world_get_stats(world, &stats), why) ||
      !sim_check(weft_world_get_contact_stats(world, &contacts), why) ||
      !sim_check(weft_world_get_profile(world, row->stage_ms), why) ||
      !sim_get_faces(world, 0, NULL, &row->faces, why)) {
    return false;
  }
  snprintf(row->scene, sizeof row->scene, "%s", sim_run_name(bench->run));
  snprintf(row->isa, sizeof row->isa, "%s", weft_isa_name(stats.isa));
  row->particles = stats.particle_count;
  row->links = stats.link_count;
  row->threads = stats.worker_count;
  row->substeps = stats.substeps;
  row->iterations = stats.iterations;
  row->steps = (uint32_t)stats.step_count;
  row->lost = contacts.lost_pairs + contacts.lost_ccd_pairs + contacts.lost_touches;
  row->state_hash = weft_world_hash(world);
  for (int i = 0; i < WEFT_STAGE_COUNT; ++i) row->stage_ms[i] *= 1e3 / (double)stats.step_count;
  row->step_ms_mean = bench_samples_mean(&bench->step_ms);
  row->step_ms_median = bench_samples_median(&bench->step_ms);
  row->step_ms_p99 = bench_samples_quantile(&bench->step_ms, 0.99);
  row->step_ms_max = bench_samples_quantile(&bench->step_ms, 1.0);
  for (int q = 0; q < BENCH_SIM_QUARTERS; ++q) {
    row->quarter_ms[q] = bench_samples_median(&bench->quarter_ms[q]);
  }
  if (row->faces == 0) row->crossings = row->last_crossings = (double)NAN;
  return true;
}

// Rows with contacts stand before those without.
static void fill_ratios(bench_sim_row* rows, size_t threads) {
  for (size_t i = 0; i < threads; ++i) {
    const bench_sim_row* bare = &rows[threads + i];
    rows[i].ratio = rows[i].step_ms_median / bare->step_ms_median;
    for (int q = 0; q < BENCH_SIM_QUARTERS; ++q) {
      rows[i].quarter_ratio =
          fmax(rows[i].quarter_ratio, rows[i].quarter_ms[q] / bare->quarter_ms[q]);
    }
    rows[threads + i].ratio = rows[threads + i].quarter_ratio = 1.0;
  }
}

bool bench_sim_measure(const bench_sim_request* request, bench_sim_row* rows, sim_results* results,
                       tool_message* why) {
  const size_t threads = request->threads.count, count = 2 * threads;
  sim_bench* benches = calloc(count, sizeof *benches);
  if (benches == NULL) return tool_because(why, "no memory for %zu worlds", count);
  bool ok = true;
  tool_progress_note("building the scene ..", request->quiet);
  for (size_t i = 0; ok && i < count; ++i) {
    benches[i].request = request;
    benches[i].row = &rows[i];
    ok = create(&benches[i], request->threads.items[i % threads], i < threads, why);
  }
  tool_progress_note("", request->quiet);
  ok = ok && take_turns(benches, count, why);
  for (size_t i = 0; ok && i < count; ++i) ok = fill(&benches[i], why);
  if (ok) {
    fill_ratios(rows, threads);
    *results = sim_run_results(benches[0].run);
  }
  for (size_t i = 0; i < count; ++i) destroy(&benches[i]);
  free(benches);
  return ok;
}
