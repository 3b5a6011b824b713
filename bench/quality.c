#include "quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/interrupt.h"
#include "common/must.h"

const char* const bench_method_names[BENCH_METHODS] = {"serial",      "colored",      "serial-lra",
                                                       "colored-lra", "vertex-block", "plain",
                                                       "substeps",    "lra",          "coarse"};

/* Iterations, coarse iterations, substeps, attachments; each method from fast to slow. A cloth that
 * hangs from fewer places has fewer attachments. */
#define SWEEPS(method)                                                                            \
  {method, 10, 0, 1, 0}, {method, 30, 0, 1, 0}, {method, 100, 0, 1, 0}, {method, 300, 0, 1, 0}, { \
    method, 1000, 0, 1, 0                                                                         \
  }
#define ATTACHED(method)                                                                   \
  {method, 1, 0, 1, 4}, {method, 2, 0, 1, 4}, {method, 5, 0, 1, 4}, {method, 10, 0, 1, 4}, \
      {method, 30, 0, 1, 4}, {method, 1, 0, 4, 4}, {method, 1, 0, 8, 4}, {                 \
    method, 1, 0, 16, 4                                                                    \
  }

static const bench_setting all_settings[] = {
    SWEEPS(BENCH_METHOD_SERIAL),          SWEEPS(BENCH_METHOD_COLORED),
    ATTACHED(BENCH_METHOD_SERIAL_LRA),    ATTACHED(BENCH_METHOD_COLORED_LRA),
    SWEEPS(BENCH_METHOD_VERTEX_BLOCK),    {BENCH_METHOD_VERTEX_BLOCK, 2, 0, 16, 0},
    SWEEPS(BENCH_METHOD_PLAIN),

    {BENCH_METHOD_SUBSTEPS, 1, 0, 2, 0},  {BENCH_METHOD_SUBSTEPS, 2, 0, 2, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 5, 0},  {BENCH_METHOD_SUBSTEPS, 2, 0, 5, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 10, 0}, {BENCH_METHOD_SUBSTEPS, 2, 0, 10, 0},
    {BENCH_METHOD_SUBSTEPS, 1, 0, 20, 0}, {BENCH_METHOD_SUBSTEPS, 2, 0, 20, 0},

    ATTACHED(BENCH_METHOD_LRA),

    {BENCH_METHOD_COARSE, 2, 4, 1, 0},    {BENCH_METHOD_COARSE, 2, 8, 1, 0},
    {BENCH_METHOD_COARSE, 4, 8, 1, 0},    {BENCH_METHOD_COARSE, 8, 8, 1, 0},
    {BENCH_METHOD_COARSE, 8, 16, 1, 0},   {BENCH_METHOD_COARSE, 1, 1, 4, 0},
    {BENCH_METHOD_COARSE, 2, 2, 4, 0},    {BENCH_METHOD_COARSE, 8, 8, 4, 0},
    {BENCH_METHOD_COARSE, 1, 1, 16, 0},
};

enum { ALL_SETTINGS = sizeof all_settings / sizeof *all_settings };

uint32_t bench_list_settings(uint32_t method_bits, bench_setting settings[BENCH_MOST_SETTINGS]) {
  uint32_t count = 0;
  for (size_t i = 0; i < ALL_SETTINGS; ++i) {
    if ((method_bits & 1u << all_settings[i].method) != 0) settings[count++] = all_settings[i];
  }
  return count;
}

bool bench_method_is_serial(bench_method method) {
  return method <= BENCH_METHOD_VERTEX_BLOCK;
}

double bench_sweeps(const bench_setting* setting) {
  const double each = (double)setting->iterations + (double)setting->coarse_iterations / 3.0;
  return each * (double)setting->substeps;
}

void bench_setting_title(const bench_setting* setting, char title[BENCH_MAX_CELL]) {
  const bool is_coarse = setting->method == BENCH_METHOD_COARSE;
  const bool is_named = !is_coarse && setting->method != BENCH_METHOD_SUBSTEPS;
  const bool is_whole = setting->substeps == 1;
  char substeps[32] = "", coarse[32] = "";
  if (!is_whole) snprintf(substeps, sizeof substeps, "%u substeps of ", setting->substeps);
  if (is_coarse) snprintf(coarse, sizeof coarse, "%u coarse + ", setting->coarse_iterations);
  snprintf(title, BENCH_MAX_CELL, "%s%s%s%s%u%s%s",
           is_named ? bench_method_names[setting->method] : "", is_named ? ", " : "", substeps,
           coarse, setting->iterations, is_whole ? " iteration" : "",
           is_whole && setting->iterations > 1 ? "s" : "");
}

double bench_method_patience(bench_method method) {
  if (method == BENCH_METHOD_PLAIN || method == BENCH_METHOD_VERTEX_BLOCK) return 20.0;
  return bench_method_is_serial(method) ? 150.0 : (double)INFINITY;
}

enum { SAMPLE_STRIDE = 10 };

static const float wrinkle_share = 0.1f;  // share of the spacing

#define ROW bench_quality_row
const bench_row_type bench_quality_type = BENCH_ROW_TYPE(
    BENCH_TEXT(scene), BENCH_COUNT(size), BENCH_COUNT(particles), BENCH_COUNT(links),
    BENCH_TEXT(method), BENCH_COUNT(iterations), BENCH_COUNT(coarse_iterations),
    BENCH_COUNT(substeps), BENCH_COUNT(attachments), BENCH_COUNT(threads),
    BENCH_REAL(sweeps_equivalent), BENCH_NAMED("step_ms_median", REAL, step_ms.median),
    BENCH_NAMED("strain_mean", REAL, strain.mean), BENCH_NAMED("strain_p99", REAL, strain.p99),
    BENCH_NAMED("strain_max", REAL, strain.max), BENCH_HASH(state_hash),
    BENCH_NAMED("step_ms_min", REAL, step_ms.min), BENCH_NAMED("step_ms_max", REAL, step_ms.max),
    BENCH_NAMED("step_ms_q1", REAL, step_ms.q1), BENCH_NAMED("step_ms_q3", REAL, step_ms.q3));

/* Data common to all runs of a scene. */
typedef struct quality_bench {
  const bench_quality_request* request;
  const bench_scene* scene;
  weft_link_def* structural; /* [structural_count] */
  uint32_t structural_count;
  float* positions;      /* [particle_count][3] of the sample at hand */
  bench_samples strains; /* structural links */
  tool_progress progress;
} quality_bench;

/* Wrinkles the flat scene. Worlds are described flat, for their rest lengths, and moved afterwards.
 */
static void wrinkle(bench_scene* scene) {
  const float height = wrinkle_share * (scene->positions[3] - scene->positions[0]);
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    if (scene->inverse_masses[i] > 0.0f)
      scene->positions[3 * (size_t)i + 2] += height * (float)(2.0 * bench_noise(i) - 1.0);
  }
}

static bool make_world(const quality_bench* bench, const bench_setting* setting, bench_rung* rung,
                       tool_message* why) {
  weft_world_def def = weft_plain_world_def();
  def.solver.iterations = setting->iterations;
  def.solver.coarse_iterations = setting->coarse_iterations;
  def.solver.substeps = setting->substeps;
  def.solver.attachments = setting->attachments;
  def.worker_count = bench->request->threads;
  rung->solver = BENCH_ENGINE;
  if (!bench_make_world(&def, bench->scene->description, &rung->runner.world, why)) return false;
  rung->threads = bench_stats_of(rung->runner.world).worker_count;
  if (bench->request->wrinkled) {
    tool_set(rung->runner.world, WEFT_ATTRIBUTE_POSITION, 0, bench->scene->particle_count,
             bench->scene->positions, 0);
  }
  return true;
}

static bool make_rung(const quality_bench* bench, const bench_setting* setting, bench_rung* rung,
                      tool_message* why) {
  *rung = (bench_rung){0};
  if (!bench_runner_create(&rung->runner, bench->request->steps, false, why)) return false;
  rung->runner.step = bench_rung_step;
  if (!bench_method_is_serial(setting->method)) return make_world(bench, setting, rung, why);
  const bool is_colored =
      setting->method == BENCH_METHOD_COLORED || setting->method == BENCH_METHOD_COLORED_LRA;
  const bench_serial_setting serial = {.is_colored = is_colored,
                                       .is_by_vertex = setting->method == BENCH_METHOD_VERTEX_BLOCK,
                                       .iterations = setting->iterations,
                                       .substeps = setting->substeps,
                                       .attachments = setting->attachments};
  return bench_rung_make_serial(&serial, bench->scene, rung, why);
}

static double larger(double left, double right) {
  return isnan(left) || left > right ? left : right;
}

static void add_sample(quality_bench* bench, const bench_rung* rung, bench_strain* sum) {
  bench_rung_positions(rung, bench->scene->particle_count, bench->positions);
  const bench_strain strain = bench_measure_strain(bench->positions, bench->structural,
                                                   bench->structural_count, &bench->strains);
  sum->mean += strain.mean;
  sum->p99 += strain.p99;
  sum->max = larger(sum->max, strain.max);
}

/* Counted from the end, so that the shortest run has a sample too. */
static bool is_sampled(uint32_t step, uint32_t step_count) {
  const uint32_t left = step_count - 1 - step;
  return left < (step_count + 3) / 4 && left % SAMPLE_STRIDE == 0;
}

static bool step_rung(quality_bench* bench, const char* label, bench_rung* rung,
                      bench_strain* strain) {
  const uint32_t step_count = bench->request->steps;
  uint32_t sample_count = 0;
  for (uint32_t step = 0; step < step_count; ++step) {
    if (tool_interrupted()) return false;
    bench_runner_step(&rung->runner, true);
    tool_progress_step(&bench->progress, label);
    if (!is_sampled(step, step_count)) continue;
    add_sample(bench, rung, strain);
    ++sample_count;
  }
  strain->mean /= (double)sample_count;
  strain->p99 /= (double)sample_count;
  return true;
}

static bench_quality_row new_row(const bench_scene* scene, const bench_setting* setting) {
  bench_quality_row row = {.size = scene->size,
                           .particles = scene->particle_count,
                           .links = scene->link_count,
                           .iterations = setting->iterations,
                           .coarse_iterations = setting->coarse_iterations,
                           .substeps = setting->substeps,
                           .attachments = setting->attachments,
                           .sweeps_equivalent = bench_sweeps(setting),
                           .setting = *setting};
  snprintf(row.scene, sizeof row.scene, "%s", scene->name);
  snprintf(row.method, sizeof row.method, "%s", bench_method_names[setting->method]);
  return row;
}

static bool run_setting(quality_bench* bench, const bench_setting* setting, bench_quality_row* row,
                        tool_message* why) {
  char label[BENCH_MAX_CELL];
  bench_setting_title(setting, label);
  *row = new_row(bench->scene, setting);
  bench_rung rung;
  const bool ok =
      make_rung(bench, setting, &rung, why) && step_rung(bench, label, &rung, &row->strain);
  if (ok) {
    row->threads = rung.threads;
    row->step_ms = bench_samples_times(&rung.runner.step_ms);
    row->state_hash = bench_rung_hash(&rung);
  }
  bench_rung_free(&rung);
  return ok;
}

/* From the last run of the same method, by its sweeps; 0 if there is none. */
static double expected_seconds(const bench_quality* quality, const bench_setting* setting,
                               uint32_t step_count) {
  if (quality->count == 0) return 0.0;
  const bench_quality_row* last = &quality->rows[quality->count - 1];
  if (last->setting.method != setting->method) return 0.0;
  const double step_ms = last->step_ms.median * bench_sweeps(setting) / last->sweeps_equivalent;
  return 1e-3 * step_ms * (double)step_count;
}

static bool run_settings(quality_bench* bench, bench_quality* quality, tool_message* why) {
  bench_setting settings[BENCH_MOST_SETTINGS];
  const uint32_t step_count = bench->request->steps;
  const uint32_t count = bench_list_settings(bench->request->method_bits, settings);
  bench->progress = tool_progress_start((uint64_t)step_count * count, bench->request->quiet);
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; ++i) {
    const double seconds = expected_seconds(quality, &settings[i], step_count);
    if (!bench->request->complete && seconds > bench_method_patience(settings[i].method)) {
      quality->skipped[quality->skipped_count++] = (bench_skipped){settings[i], seconds};
      bench->progress.total -= step_count;
      continue;
    }
    ok = run_setting(bench, &settings[i], &quality->rows[quality->count], why);
    if (ok) ++quality->count;
  }
  tool_progress_end(&bench->progress);
  return ok;
}

static bool make_room(const bench_scene* scene, quality_bench* bench, tool_message* why) {
  bench->structural = malloc((scene->link_count + 1) * sizeof *bench->structural);
  bench->positions = malloc(scene->particle_count * 3 * sizeof *bench->positions);
  if (!bench->structural || !bench->positions) {
    return tool_because(why, "%s: no memory for its strain", scene->name);
  }
  for (uint32_t i = 0; i < scene->link_count; ++i) {
    if (scene->links[i].kind != WEFT_LINK_STRUCTURAL) continue;
    bench->structural[bench->structural_count++] = scene->links[i];
  }
  return bench_samples_create(&bench->strains, bench->structural_count, why);
}

bool bench_measure_quality(const bench_quality_request* request, bench_scene* scene,
                           bench_quality* quality, tool_message* why) {
  quality_bench bench = {.request = request, .scene = scene};
  if (request->wrinkled) wrinkle(scene);
  *quality = (bench_quality){.count = 0};
  const bool ok = make_room(scene, &bench, why) && run_settings(&bench, quality, why);
  free(bench.structural);
  bench_samples_free(&bench.strains);
  free(bench.positions);
  return ok;
}
