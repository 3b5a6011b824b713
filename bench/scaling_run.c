#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common/number.h"
#include "scaling.h"

// ---- the scene ----

// particles along a side of sheets with contacts, and of a heap, unless --size says so
enum { USUAL_SHEET = 257, USUAL_HEAP = 8000, USUAL_CLOTH = 512 };

bool bench_scaling_complete_scene(const bench_plan* plan, bench_scaling_request* request,
                                  tool_message* why) {
  request->has_contacts = bench_plan_has_contacts(plan, &request->kind);
  const bool is_heap = request->has_contacts && bench_contact_is_heap(request->kind);
  if (request->size == 0) {
    request->size = is_heap ? USUAL_HEAP : request->has_contacts ? USUAL_SHEET : USUAL_CLOTH;
  }
  request->cloth = plan->scenes[0];
  request->iterations = plan->iterations;
  request->isa = plan->isas.items[0];
  request->binding = &plan->binding;
  if (request->warmup == BENCH_USUAL_WARMUP) {
    request->warmup = request->has_contacts ? bench_contact_warmup(request->kind) : 10;
  }
  if (request->has_contacts && request->cloth.mesh_path != NULL) {
    return tool_because(why, "--mesh: a scene with contacts has no mesh");
  }
  if (!is_heap && request->size > BENCH_SHEET_LARGEST) {
    return tool_because(why, "--size: sheets have %d to %d particles along a side",
                        BENCH_SHEET_SMALLEST, BENCH_SHEET_LARGEST);
  }
  return true;
}

const char* bench_scaling_scene_name(const bench_scaling_request* request) {
  if (request->has_contacts) return bench_contact_name(request->kind);
  return request->cloth.mesh_path != NULL ? bench_mesh_name(request->cloth.mesh_path) : "sheet";
}

uint32_t bench_scaling_shown_size(const bench_scaling_request* request, uint32_t size,
                                  uint32_t particles) {
  return request->cloth.mesh_path != NULL ? particles : size;
}

bool bench_scaling_create_world(const bench_scaling_request* request, uint32_t size,
                                weft_world_def def, weft_world** world, tool_message* why) {
  def.isa = request->isa;
  if (request->has_contacts) {
    const bench_contact_scene scene = {request->kind, size, 1};
    return bench_make_contact_world(&scene, true, 0, 0, &def, world, why);
  }
  bench_scene_request cloth = request->cloth;
  if (cloth.mesh_path == NULL) cloth.sheet_size = size;
  def.solver.iterations = request->iterations;
  bench_scene scene;
  if (!bench_scene_make(&cloth, &scene, why)) return false;
  const bool ok = bench_make_world(&def, scene.description, world, why);
  bench_scene_free(&scene);
  return ok;
}

// ---- busy threads ----

typedef struct busy_threads {
  pthread_t* threads;
  uint32_t count; /* started */
  atomic_bool is_over;
} busy_threads;

static void* spin(void* argument) {
  const busy_threads* busy = argument;
  while (!atomic_load_explicit(&busy->is_over, memory_order_relaxed)) continue;
  return NULL;
}

static bool start_busy(busy_threads* busy, uint32_t count, tool_message* why) {
  busy->threads = calloc(count + 1, sizeof *busy->threads);
  if (busy->threads == NULL) return tool_because(why, "no memory for %u threads", count);
  for (; busy->count < count; ++busy->count) {
    if (pthread_create(&busy->threads[busy->count], NULL, spin, busy) != 0)
      return tool_because(why, "no thread for --beside %u", count);
  }
  return true;
}

static void stop_busy(busy_threads* busy) {
  atomic_store_explicit(&busy->is_over, true, memory_order_relaxed);
  for (uint32_t i = 0; i < busy->count; ++i) pthread_join(busy->threads[i], NULL);
  free(busy->threads);
}

// ---- worlds ----

typedef struct scaling_world {
  bench_runner runner;
  double turn_median[BENCH_SCALING_TURNS];
} scaling_world;

static uint32_t size_for(const bench_scaling_request* request, uint32_t threads) {
  if (!request->is_weak) return request->size;
  const bool is_count = request->has_contacts && bench_contact_is_heap(request->kind);
  const double growth = is_count ? (double)threads : sqrt((double)threads);
  return (uint32_t)lround(growth * (double)request->size);
}

static bool create_world(const bench_scaling_request* request, bench_scaling_row* row,
                         uint32_t span_capacity, scaling_world* made, tool_message* why) {
  weft_world_def def = weft_plain_world_def();
  def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.worker_count = row->of.threads_asked;
  def.span_capacity = span_capacity;
  def.worker_cpus = bench_binding_cpus(request->binding);
  row->of.size = size_for(request, row->of.threads_asked);
  snprintf(made->runner.label, sizeof made->runner.label, "%u thread%s", row->of.threads_asked,
           tool_plural(row->of.threads_asked));
  return bench_runner_create(&made->runner, request->steps, false, why) &&
         bench_scaling_create_world(request, row->of.size, def, &made->runner.world, why);
}

static void end_turn(void* runner, uint32_t turn) {
  scaling_world* world = runner;
  const bench_samples* all = &world->runner.step_ms;
  const size_t count = all->capacity / BENCH_SCALING_TURNS;
  bench_samples last = {all->values + all->count - count, count, count};
  world->turn_median[turn] = bench_samples_median(&last);
}

// ---- laws ----

bench_scaling_fit bench_scaling_fit_of(const uint32_t* workers, const double* speed_ups,
                                       size_t count) {
  double serial = 0.0, weight = 0.0;
  double xx = 0.0, xz = 0.0, zz = 0.0, xy = 0.0, zy = 0.0;
  uint32_t fewest = UINT32_MAX, most = 0;
  for (size_t i = 0; i < count; ++i) {
    const double n = (double)workers[i];
    if (workers[i] < 2) continue;
    if (workers[i] < fewest) fewest = workers[i];
    if (workers[i] > most) most = workers[i];
    serial += (1.0 / speed_ups[i] - 1.0 / n) * (1.0 - 1.0 / n);
    weight += (1.0 - 1.0 / n) * (1.0 - 1.0 / n);
    const double x = n - 1.0, z = n * (n - 1.0), y = n / speed_ups[i] - 1.0;
    xx += x * x;
    xz += x * z;
    zz += z * z;
    xy += x * y;
    zy += z * y;
  }
  const double nan = (double)NAN;
  bench_scaling_fit fit = {nan, nan, nan, nan, nan};
  if (most >= 2) fit.serial = serial / weight;
  if (most > fewest) {
    const double determinant = xx * zz - xz * xz;
    fit.contention = (xy * zz - zy * xz) / determinant;
    fit.coherency = (zy * xx - xy * xz) / determinant;
  }
  return fit;
}

// Speed-up of a row over the first in a turn.
static double speed_up_in(const bench_scaling_row* rows, const scaling_world* worlds, size_t i,
                          uint32_t turn) {
  const double work =
      (double)rows[i].of.world.particle_count / (double)rows[0].of.world.particle_count;
  return work * worlds[0].turn_median[turn] / worlds[i].turn_median[turn];
}

static void fill_speed_ups(bench_scaling_row* rows, size_t count, const scaling_world* worlds,
                           bench_samples* turns) {
  for (size_t i = 0; i < count; ++i) {
    turns->count = 0;
    for (uint32_t turn = 0; turn < BENCH_SCALING_TURNS; ++turn) {
      bench_samples_add(turns, speed_up_in(rows, worlds, i, turn));
    }
    const bench_times found = bench_samples_times(turns);
    rows[i].speed_up_low = found.q1;
    rows[i].speed_up = found.median;
    rows[i].speed_up_high = found.q3;
    rows[i].efficiency = rows[i].speed_up * (double)rows[0].of.world.worker_count /
                         (double)rows[i].of.world.worker_count;
  }
}

// The first row has one worker; median and quartiles of the fits of all turns.
static bench_scaling_fit fit_rows(const bench_scaling_row* rows, size_t count,
                                  const scaling_world* worlds, bench_samples* turns) {
  uint32_t workers[TOOL_MAX_LIST];
  double speed_ups[TOOL_MAX_LIST];
  turns->count = 0;
  for (size_t i = 0; i < count; ++i) workers[i] = rows[i].of.world.worker_count;
  for (uint32_t turn = 0; turn < BENCH_SCALING_TURNS; ++turn) {
    for (size_t i = 0; i < count; ++i) speed_ups[i] = speed_up_in(rows, worlds, i, turn);
    bench_samples_add(turns, bench_scaling_fit_of(workers, speed_ups, count).serial);
  }
  const bench_times found = bench_samples_times(turns);
  for (size_t i = 0; i < count; ++i) speed_ups[i] = rows[i].speed_up;
  bench_scaling_fit fit = bench_scaling_fit_of(workers, speed_ups, count);
  fit.serial_low = found.q1;
  fit.serial = found.median;
  fit.serial_high = found.q3;
  return fit;
}

static bool summarize(const bench_scaling_request* request, bench_scaling_row* rows, size_t count,
                      scaling_world* worlds, bench_scaling_fit* fit, tool_message* why) {
  bench_samples turns;
  if (!bench_samples_create(&turns, BENCH_SCALING_TURNS, why)) return false;
  bool ok = true;
  for (size_t i = 0; ok && i < count; ++i) {
    bench_facts* of = &rows[i].of;
    bench_fill_facts(&worlds[i].runner, of);
    of->size = bench_scaling_shown_size(request, of->size, of->world.particle_count);
    if (!request->is_weak && of->state_hash != rows[0].of.state_hash) {
      ok = tool_because(why, "the state differs between %u and %u threads",
                        rows[0].of.threads_asked, of->threads_asked);
    }
  }
  if (ok) fill_speed_ups(rows, count, worlds, &turns);
  // laws of a scene of one size
  *fit = bench_scaling_fit_of(NULL, NULL, 0);
  if (ok && !request->is_weak) *fit = fit_rows(rows, count, worlds, &turns);
  bench_samples_free(&turns);
  return ok;
}

// ---- recorded steps ----

static bool record_row(const bench_scaling_request* request, bench_scaling_row* row,
                       tool_trace* trace, bench_recorded* times, tool_progress* progress,
                       tool_message* why) {
  scaling_world world = {.turn_median = {0.0}};
  char name[512];
  const bool ok =
      create_world(request, row, tool_span_capacity(row->of.threads_asked), &world, why);
  const bench_turns warmup = {.runners = &world,
                              .count = 1,
                              .schedule = {request->warmup, 0, 0},
                              .progress = progress,
                              .units = 1};
  snprintf(name, sizeof name, "%s %u, %s", row->of.scene, row->of.size, world.runner.label);
  const bool recorded =
      ok && bench_take_turns(&warmup, why) &&
      bench_record(world.runner.world, name, request->recorded_steps, trace, times, why);
  bench_runner_free(&world.runner);
  return recorded;
}

static bool record_rows(const bench_scaling_request* request, bench_scaling_row* rows, size_t count,
                        bool quiet, tool_trace* trace, bench_scaling_findings* findings,
                        tool_message* why) {
  findings->recorded = calloc(count, sizeof *findings->recorded);
  if (findings->recorded == NULL) return tool_because(why, "no memory for %zu rows", count);
  findings->row_count = count;
  tool_progress progress = tool_progress_start((uint64_t)count * request->warmup, quiet);
  bool ok = true;
  for (size_t i = 0; ok && i < count; ++i) {
    bench_recorded* times = &findings->recorded[i];
    times->workers = calloc(rows[i].of.world.worker_count, sizeof *times->workers);
    ok = times->workers != NULL || tool_because(why, "no memory for workers");
    ok = ok && record_row(request, &rows[i], trace, times, &progress, why);
  }
  tool_progress_end(&progress);
  return ok;
}

void bench_scaling_free_findings(bench_scaling_findings* findings) {
  for (size_t i = 0; i < findings->row_count; ++i) free(findings->recorded[i].workers);
  free(findings->recorded);
}

bool bench_scaling_measure(const bench_scaling_request* request, bench_scaling_row* rows,
                           size_t count, bool quiet, tool_trace* trace,
                           bench_scaling_findings* findings, tool_message* why) {
  scaling_world worlds[TOOL_MAX_LIST] = {0};
  busy_threads busy = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < count; ++i) {
    rows[i].steps = request->steps;
    rows[i].beside = request->beside;
    ok = create_world(request, &rows[i], 0, &worlds[i], why);
  }
  ok = ok && start_busy(&busy, request->beside, why);
  const bench_turns turns = {
      .runners = worlds,
      .count = count,
      .stride = sizeof *worlds,
      .schedule = {request->warmup, request->steps / BENCH_SCALING_TURNS, BENCH_SCALING_TURNS},
      .binding = request->binding,
      .quiet = quiet,
      .end = end_turn};
  ok = ok && bench_take_turns(&turns, why);
  ok = ok && summarize(request, rows, count, worlds, &findings->fit, why);
  for (size_t i = 0; i < count; ++i) bench_runner_free(&worlds[i].runner);
  ok = ok && record_rows(request, rows, count, quiet, trace, findings, why);
  stop_busy(&busy);
  return ok;
}
