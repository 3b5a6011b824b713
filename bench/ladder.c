#include "ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "baseline/serial.h"
#include "common/clock.h"
#include "common/must.h"
#include "pace.h"

/* Half a radian of the fastest mode of a sheet of springs, w = sqrt(2 n k / m) with n = 12 springs
 * a particle: within the limit of all integrators but explicit Euler, which has none. */
static int64_t spring_step_ns(const bench_scene* scene) {
  const weft_material_def material = weft_default_material_def();
  const double spacing = 2.0 / (double)(scene->size - 1);
  const double mass = (double)material.density * spacing * spacing;
  return (int64_t)(0.5e9 / sqrt(24.0 * 20.0 / mass));
}

bool bench_rung_make_world(const bench_plan* plan, const bench_scene* scene, uint32_t span_capacity,
                           bench_rung* rung, tool_message* why) {
  weft_world_def def = weft_plain_world_def();
  def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  rung->solver = BENCH_ENGINE;
  def.solver.iterations = plan->iterations;
  if (plan->integrator >= 0) {
    def.solver.springs = true;
    def.solver.integrator = (weft_integrator)plan->integrator;
    def.solver.iterations = 0;
    def.step_ns = spring_step_ns(scene);
  }
  def.worker_count = rung->threads;
  def.isa = rung->isa;
  def.span_capacity = span_capacity;
  def.worker_cpus = bench_binding_cpus(&plan->binding);
  const double start_ns = tool_clock_ns();
  if (!bench_make_world(&def, scene->description, &rung->runner.world, why)) return false;
  rung->build_ms = 1e-6 * (tool_clock_ns() - start_ns);
  const weft_world_stats stats = bench_stats_of(rung->runner.world);
  rung->isa = stats.isa;
  rung->threads = stats.worker_count;
  rung->bytes = stats.bytes;
  return true;
}

static bool make_worlds(const bench_plan* plan, const bench_scene* scene, bench_ladder* ladder,
                        tool_message* why) {
  for (uint32_t i = 0; i < plan->isas.count; ++i) {
    for (uint32_t t = 0; t < plan->threads.count; ++t) {
      bench_rung* rung = &ladder->rungs[ladder->count++];
      rung->isa = plan->isas.items[i];
      rung->threads = rung->threads_asked = plan->threads.items[t];
      if (!bench_rung_make_world(plan, scene, 0, rung, why)) return false;
    }
  }
  return true;
}

static void copy_particles(const bench_scene* scene, baseline_cloth* cloth) {
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    const float* p = scene->positions + 3 * (size_t)i;
    cloth->particles[i] =
        (baseline_particle){p[0], p[1], p[2], p[0], p[1], p[2], scene->inverse_masses[i]};
  }
}

static void copy_links(const bench_scene* scene, baseline_cloth* cloth) {
  for (uint32_t i = 0; i < scene->link_count; ++i) {
    const weft_link_def* link = &scene->links[i];
    cloth->links[i] = (baseline_link){link->a, link->b, link->rest_length, link->relaxation};
  }
}

/* Gravity, damping and step are the engine's defaults: both run the same cloth. */
static bool make_cloth(const bench_serial_setting* setting, const bench_scene* scene,
                       bench_rung* rung, tool_message* why) {
  const weft_world_def def = weft_plain_world_def();
  baseline_cloth* cloth = &rung->cloth;
  *cloth = (baseline_cloth){.particle_count = scene->particle_count,
                            .link_count = scene->link_count,
                            .iterations = setting->iterations,
                            .damping = def.damping,
                            .dt = (float)(1e-9 * (double)def.step_ns / (double)setting->substeps)};
  rung->substeps = setting->substeps;
  memcpy(cloth->gravity, def.gravity, sizeof cloth->gravity);
  const size_t particle_bytes = scene->particle_count * sizeof *cloth->particles;
  const size_t link_bytes = scene->link_count * sizeof *cloth->links;
  cloth->particles = malloc(particle_bytes);
  cloth->links = malloc(link_bytes);
  rung->bytes = particle_bytes + link_bytes;
  rung->threads = rung->threads_asked = 1;
  if (!cloth->particles || !cloth->links) {
    return tool_because(why, "%s: no memory for a serial rung", scene->name);
  }
  copy_particles(scene, cloth);
  return true;
}

static bool sort_by_color(const bench_scene* scene, bench_rung* rung, tool_message* why) {
  baseline_cloth* cloth = &rung->cloth;
  baseline_link* sorted = malloc((cloth->link_count + 1) * sizeof *sorted);
  const double start_ns = tool_clock_ns();
  const bool ok = sorted && baseline_sort_by_color(cloth->links, cloth->link_count,
                                                   cloth->particle_count, sorted) > 0;
  rung->build_ms = 1e-6 * (tool_clock_ns() - start_ns);
  free(cloth->links);
  cloth->links = sorted;
  return ok || tool_because(why, "%s: no memory to colour links", scene->name);
}

bool bench_rung_make_serial(const bench_serial_setting* setting, const bench_scene* scene,
                            bench_rung* rung, tool_message* why) {
  rung->solver = setting->is_colored ? BENCH_SERIAL_COLORED : BENCH_SERIAL_NATURAL;
  if (!make_cloth(setting, scene, rung, why)) return false;
  copy_links(scene, &rung->cloth);
  if (setting->attachments > 0 && !baseline_attach(&rung->cloth, setting->attachments)) {
    return tool_because(why, "%s: no memory for attachments", scene->name);
  }
  if (setting->is_by_vertex && !baseline_blocks_make(&rung->cloth, &rung->blocks)) {
    return tool_because(why, "%s: no memory for blocks of vertices", scene->name);
  }
  return !setting->is_colored || sort_by_color(scene, rung, why);
}

static bool make_samples(size_t sample_count, bench_ladder* ladder, tool_message* why) {
  for (uint32_t i = 0; i < ladder->count; ++i) {
    if (!bench_runner_create(&ladder->rungs[i].runner, sample_count, false, why)) return false;
    ladder->rungs[i].runner.step = bench_rung_step;
    ladder->rungs[i].round_trip_before_ns = (double)NAN;
    ladder->rungs[i].round_trip_after_ns = (double)NAN;
  }
  return true;
}

/* Worlds first, while the description exists; the serial rungs need the flat scene. */
static bool make_rungs(const bench_plan* plan, bench_scene* scene, bench_ladder* ladder,
                       tool_message* why) {
  const bench_serial_setting natural = {.iterations = plan->iterations, .substeps = 1};
  bench_serial_setting colored = natural;
  colored.is_colored = true;
  ladder->count = 2;
  if (!make_worlds(plan, scene, ladder, why)) return false;
  if (!bench_scene_add_flat(scene, why)) return false;
  weft_scene_destroy(&scene->description);
  if (!bench_rung_make_serial(&natural, scene, &ladder->rungs[0], why)) return false;
  if (!bench_rung_make_serial(&colored, scene, &ladder->rungs[1], why)) return false;
  bench_scene_keep_structural(scene);
  return true;
}

bool bench_ladder_make(const bench_plan* plan, size_t sample_count, bench_scene* scene,
                       bench_ladder* ladder, tool_message* why) {
  const size_t rung_count = 2 + (size_t)plan->isas.count * plan->threads.count;
  *ladder = (bench_ladder){calloc(rung_count, sizeof *ladder->rungs), 0, &plan->binding};
  if (!ladder->rungs) return tool_because(why, "no memory for %zu rungs", rung_count);
  if (make_rungs(plan, scene, ladder, why) && make_samples(sample_count, ladder, why)) return true;
  bench_ladder_free(ladder);
  return false;
}

void bench_rung_free(bench_rung* rung) {
  free(rung->cloth.particles);
  free(rung->cloth.links);
  free(rung->cloth.attachments);
  baseline_blocks_free(&rung->blocks);
  bench_runner_free(&rung->runner);
  *rung = (bench_rung){0};
}

void bench_ladder_free(bench_ladder* ladder) {
  for (uint32_t i = 0; i < ladder->count; ++i) bench_rung_free(&ladder->rungs[i]);
  free(ladder->rungs);
  *ladder = (bench_ladder){0};
}

void bench_rung_step(void* runner) {
  bench_rung* rung = runner;
  ++rung->step_count;
  if (rung->runner.world) {
    weft_world_step(rung->runner.world, 1);
    return;
  }
  for (uint32_t i = 0; i < rung->substeps; ++i) {
    if (rung->blocks.order) {
      baseline_blocks_step(&rung->cloth, &rung->blocks);
    } else {
      baseline_step(&rung->cloth);
    }
  }
}

const char* bench_solver_name(bench_solver solver) {
  static const char* const names[] = {"serial-natural", "serial-colored", "engine"};
  return names[solver];
}

const char* bench_rung_isa_name(const bench_rung* rung) {
  return rung->runner.world ? weft_isa_name(rung->isa) : "native";
}

uint64_t bench_rung_hash(const bench_rung* rung) {
  return rung->runner.world ? weft_world_hash(rung->runner.world) : baseline_hash(&rung->cloth);
}

void bench_rung_positions(const bench_rung* rung, uint32_t particle_count, float* positions) {
  if (rung->runner.world) {
    tool_get(rung->runner.world, WEFT_ATTRIBUTE_POSITION, 0, particle_count, positions);
    return;
  }
  for (uint32_t i = 0; i < particle_count; ++i) {
    const baseline_particle* p = &rung->cloth.particles[i];
    float* to = positions + 3 * (size_t)i;
    to[0] = p->x, to[1] = p->y, to[2] = p->z;
  }
}

// ---- measurement ----

uint32_t bench_default_steps(uint32_t link_count, uint32_t iterations) {
  const double turn_ns = 0.5e9, solve_ns = 11.0;  // approximate time of a link on the serial rung
  const double steps = turn_ns / (solve_ns * (double)link_count * (double)iterations + 1.0);
  if (steps < 3.0) return 3;
  return steps > 100.0 ? 100 : (uint32_t)steps;
}

static void begin_turn(void* runner, uint32_t turn) {
  bench_rung* rung = runner;
  if (rung->threads > 1 && turn == 0) rung->round_trip_before_ns = bench_round_trip_ns();
}

static void end_turn(void* runner, uint32_t turn) {
  bench_rung* rung = runner;
  const bench_samples* timed = &rung->runner.step_ms;
  (void)turn;
  if (rung->threads > 1 && timed->count == timed->capacity) {
    rung->round_trip_after_ns = bench_round_trip_ns();
  }
}

bool bench_ladder_measure(const bench_schedule* schedule, const bench_scene* scene, bool quiet,
                          bench_ladder* ladder) {
  const bench_turns turns = {.runners = ladder->rungs,
                             .count = ladder->count,
                             .stride = sizeof *ladder->rungs,
                             .schedule = *schedule,
                             .binding = ladder->binding,
                             .quiet = quiet,
                             .begin = begin_turn,
                             .end = end_turn};
  char title[BENCH_MAX_TITLE];
  bench_scene_title(scene->name, scene->size, scene->count, title);
  for (uint32_t i = 0; i < ladder->count; ++i) {
    bench_rung* rung = &ladder->rungs[i];
    snprintf(rung->runner.label, sizeof rung->runner.label, "%.60s: %s %s x%u", title,
             bench_solver_name(rung->solver), bench_rung_isa_name(rung), rung->threads);
  }
  return bench_take_turns(&turns, NULL);
}

// ---- rows ----

#define ROW bench_result
const bench_row_type bench_result_type = BENCH_ROW_TYPE(
    BENCH_SCENE, BENCH_SIZE, BENCH_PARTICLES, BENCH_LINKS,
    BENCH_OF("patches", COUNT, world.patch_count),
    BENCH_OF("patch_colors", COUNT, world.patch_color_count), BENCH_TEXT(solver), BENCH_ISA,
    BENCH_THREADS, BENCH_COUNT(iterations), BENCH_LARGE(steps), BENCH_STEP_MS(min),
    BENCH_STEP_MS(median), BENCH_REAL(solve_ns_per_link), BENCH_REAL(links_per_second),
    BENCH_REAL(ratio_to_serial_natural), BENCH_REAL(ratio_to_serial_colored), BENCH_REAL(build_ms),
    BENCH_LARGE(bytes), BENCH_NAMED("strain_mean", REAL, strain.mean),
    BENCH_NAMED("strain_max", REAL, strain.max), BENCH_STATE_HASH, BENCH_OF("count", COUNT, count),
    BENCH_STEP_MS(max), BENCH_THREADS_ASKED, BENCH_STEP_MS(q1), BENCH_STEP_MS(q3));
#undef ROW

static void fill_row(const bench_scene* scene, uint32_t iterations, bench_rung* rung,
                     bench_result* row) {
  *row = (bench_result){
      .of = {.size = scene->size, .count = scene->count, .threads_asked = rung->threads_asked},
      .iterations = iterations,
      .steps = rung->step_count,
      .build_ms = rung->build_ms,
      .bytes = rung->bytes,
      .round_trip_before_ns = rung->round_trip_before_ns,
      .round_trip_after_ns = rung->round_trip_after_ns};
  snprintf(row->of.scene, sizeof row->of.scene, "%s", scene->name);
  snprintf(row->solver, sizeof row->solver, "%s", bench_solver_name(rung->solver));
  if (rung->runner.world) {
    bench_fill_facts(&rung->runner, &row->of);
  } else {
    snprintf(row->of.isa, sizeof row->of.isa, "%s", bench_rung_isa_name(rung));
    row->of.world = (weft_world_stats){.particle_count = scene->particle_count,
                                       .link_count = scene->link_count,
                                       .worker_count = rung->threads};
    row->of.step_ms = bench_samples_times(&rung->runner.step_ms);
    row->of.state_hash = bench_rung_hash(rung);
  }
  // a world of springs has no links
  row->of.world.link_count = scene->link_count;
  row->solve_ns_per_link =
      1e6 * row->of.step_ms.median / ((double)scene->link_count * (double)iterations);
  row->links_per_second = 1e9 / row->solve_ns_per_link;
}

bool bench_ladder_append_rows(const bench_scene* scene, uint32_t iterations, bench_ladder* ladder,
                              bench_rows* results, tool_message* why) {
  bench_samples strains = {NULL, 0, 0};
  bench_result* rows = bench_rows_append(results, ladder->count, why);
  float* positions = malloc(scene->particle_count * 3 * sizeof *positions);
  const bool ok = rows && positions && bench_samples_create(&strains, scene->structural_count, why);
  for (uint32_t i = 0; ok && i < ladder->count; ++i) {
    fill_row(scene, iterations, &ladder->rungs[i], &rows[i]);
    rows[i].ratio_to_serial_natural =
        rows[BENCH_SERIAL_NATURAL].of.step_ms.median / rows[i].of.step_ms.median;
    bench_rung_positions(&ladder->rungs[i], scene->particle_count, positions);
    rows[i].strain =
        bench_measure_strain(positions, scene->links, scene->structural_count, &strains);
  }
  for (uint32_t i = 0; ok && i < ladder->count; ++i) {
    rows[i].ratio_to_serial_colored =
        rows[BENCH_SERIAL_COLORED].of.step_ms.median / rows[i].of.step_ms.median;
  }
  free(positions);
  bench_samples_free(&strains);
  return ok || tool_because(why, "%s: no memory for its strain", scene->name);
}
