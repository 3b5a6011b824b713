#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/must.h"
#include "validate/validate.h"

#define ROW validate_row
const bench_row_type validate_row_type = BENCH_ROW_TYPE(
    BENCH_TEXT(test), BENCH_TEXT(check), BENCH_TEXT(unit), BENCH_REAL(expected),
    BENCH_REAL(measured), BENCH_REAL(error), BENCH_REAL(tolerance), BENCH_FLAG(is_absolute),
    BENCH_FLAG(holds), BENCH_REAL(spacing), BENCH_COUNT(particles), BENCH_REAL(rate),
    BENCH_COUNT(substeps), BENCH_COUNT(iterations), BENCH_COUNT(coarse_iterations),
    BENCH_COUNT(attachments), BENCH_REAL(seconds), BENCH_REAL(step_ms));

/* Settings of all tests. */
static const struct {
  uint32_t substeps, iterations, coarse_iterations, attachments;
} validate_settings[] = {
    [VALIDATE_DEFAULT] = {WEFT_AUTO, WEFT_AUTO, WEFT_AUTO, WEFT_AUTO},
    [VALIDATE_FEW_SUBSTEPS] = {4, WEFT_AUTO, WEFT_AUTO, WEFT_AUTO},
    [VALIDATE_FINE] = {64, 2, 0, 0},
    [VALIDATE_SWEEPS] = {32, 4, 0, 0},
    [VALIDATE_MORE_SWEEPS] = {64, 4, 0, 0},
    [VALIDATE_SWEEPS_AND_LEVELS] = {32, 4, 2, 0},
    [VALIDATE_ONE_SUBSTEP] = {1, 10, 0, 0},
};

weft_world_def validate_def(const validate_run* run, validate_setting setting) {
  weft_world_def def = weft_default_world_def();
  def.solver.substeps = validate_settings[setting].substeps;
  def.solver.iterations = validate_settings[setting].iterations;
  def.solver.coarse_iterations = validate_settings[setting].coarse_iterations;
  def.solver.attachments = validate_settings[setting].attachments;
  def.damping = 0.0f;
  def.worker_count = run->threads;
  return def;
}

void validate_close(validate_run* run) {
  weft_world_destroy(&run->world);
  weft_scene_destroy(&run->scene);
}

void validate_scene(validate_run* run) {
  validate_close(run);
  tool_must(weft_scene_create(&run->scene));
}

weft_rope_def validate_bare_rope(void) {
  weft_rope_def def = weft_default_rope_def();
  def.collision = WEFT_COLLISION_NONE;
  def.in_air = false;
  return def;
}

void validate_open_def(validate_run* run, const weft_world_def* def, double spacing) {
  weft_world_destroy(&run->world);
  tool_must(weft_world_create(def, run->scene, &run->world));
  tool_must(weft_world_get_stats(run->world, &run->stats));
  run->spacing = spacing;
  run->rate = 1e9 / (double)def->step_ns;
}

void validate_open(validate_run* run, validate_setting setting, double damping, double gravity,
                   double spacing) {
  weft_world_def def = validate_def(run, setting);
  def.damping = (float)damping;
  def.gravity[1] = (float)-gravity;
  validate_open_def(run, &def, spacing);
}

weft_sheet_def validate_sheet(uint32_t columns, uint32_t rows, double spacing, int across,
                              int down) {
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = columns;
  sheet.rows = rows;
  sheet.spacing = (float)spacing;
  for (int axis = 0; axis < 3; ++axis) {
    sheet.across[axis] = abs(across) - 1 != axis ? 0.0f : across > 0 ? 1.0f : -1.0f;
    sheet.down[axis] = abs(down) - 1 != axis ? 0.0f : down > 0 ? 1.0f : -1.0f;
  }
  return sheet;
}

void validate_add_sheet(validate_run* run, uint32_t columns, uint32_t rows, double spacing,
                        int across, int down, const weft_material_def* material) {
  weft_sheet_def sheet = validate_sheet(columns, rows, spacing, across, down);
  sheet.material = material;
  tool_must(weft_scene_add_sheet(run->scene, &sheet, NULL));
}

double validate_threshold(double lower, double upper, int halvings, bool geometric,
                          bool (*exceeds)(void* context, double value), void* context) {
  for (int i = 0; i < halvings; ++i) {
    const double middle = geometric ? sqrt(lower * upper) : 0.5 * (lower + upper);
    *(exceeds(context, middle) ? &upper : &lower) = middle;
  }
  return geometric ? sqrt(lower * upper) : 0.5 * (lower + upper);
}

bool validate_step(validate_run* run, uint32_t count) {
  const double start_ns = tool_clock_ns();
  weft_world_step(run->world, count);
  run->run_ns += tool_clock_ns() - start_ns;
  run->steps += count;
  run->seconds += (double)count / run->rate;
  return !tool_interrupted();
}

bool validate_settle(validate_run* run, double seconds) {
  const long count = lround(seconds * run->rate);
  for (long i = 0; i < count; ++i) {
    if (!validate_step(run, 1)) return false;
  }
  return true;
}

void validate_add_row(validate_run* run, bool is_absolute, const char* unit, double expected,
                      double measured, double tolerance, const char* check, ...) {
  tool_message why;
  va_list arguments;
  if (tool_interrupted()) return;
  validate_row* row = bench_rows_append(run->rows, 1, &why);
  if (!row) {
    run->is_out_of_memory = true;
    return;
  }
  const double error = measured - expected;
  *row = (validate_row){.expected = expected,
                        .measured = measured,
                        .error = is_absolute ? error : error / fabs(expected),
                        .tolerance = tolerance,
                        .is_absolute = is_absolute,
                        .spacing = run->spacing,
                        .particles = run->stats.particle_count,
                        .rate = run->rate,
                        .substeps = run->stats.substeps,
                        .iterations = run->stats.iterations,
                        .coarse_iterations = run->stats.coarse_iterations,
                        .attachments = run->stats.attachments,
                        .seconds = run->seconds,
                        .step_ms = run->steps > 0 ? 1e-6 * run->run_ns / (double)run->steps : NAN};
  row->holds = fabs(row->error) <= tolerance;
  snprintf(row->test, sizeof row->test, "%s", run->test);
  snprintf(row->unit, sizeof row->unit, "%s", unit);
  va_start(arguments, check);
  vsnprintf(row->check, sizeof row->check, check, arguments);
  va_end(arguments);
}

void* validate_new(validate_run* run, size_t count, size_t size) {
  void* memory = calloc(count + 1, size);
  if (!memory) run->is_out_of_memory = true;
  return memory;
}

static void widen(const float from[3], double to[3]) {
  for (int axis = 0; axis < 3; ++axis) to[axis] = (double)from[axis];
}

void validate_position(const validate_run* run, uint32_t particle, double position[3]) {
  float values[3];
  tool_get(run->world, WEFT_ATTRIBUTE_POSITION, particle, 1, values);
  widen(values, position);
}

void validate_velocity(const validate_run* run, uint32_t particle, double velocity[3]) {
  float values[3];
  tool_get(run->world, WEFT_ATTRIBUTE_VELOCITY, particle, 1, values);
  widen(values, velocity);
}

float* validate_positions(validate_run* run) {
  const uint32_t count = run->stats.particle_count;
  float* positions = validate_new(run, 3 * (size_t)count, sizeof *positions);
  if (positions) tool_get(run->world, WEFT_ATTRIBUTE_POSITION, 0, count, positions);
  return positions;
}

double validate_rms_speed(const validate_run* run) {
  double sum = 0.0, velocity[3];
  uint32_t free_count = 0;
  for (uint32_t i = 0; i < run->stats.particle_count; ++i) {
    float inverse_mass;
    tool_get(run->world, WEFT_ATTRIBUTE_INVERSE_MASS, i, 1, &inverse_mass);
    if (inverse_mass == 0.0f) continue;
    validate_velocity(run, i, velocity);
    sum += velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
    ++free_count;
  }
  return free_count > 0 ? sqrt(sum / free_count) : 0.0;
}
