#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/number.h"
#include "scaling.h"

// ---- the scene ----

// particles along a side of sheets with contacts, and particles of a heap, unless --size says so
enum { USUAL_SHEET = 257, USUAL_HEAP = 8000, USUAL_CLOTH = 512 };

bool bench_scaling_complete_scene(const bench_plan* plan, bench_scaling_request* request,
                                  tool_message* why) {
  request->has_contacts = bench_plan_has_contacts(plan, &request->kind);
  const bool is_heap = request->has_contacts && tool_contact_is_heap(request->kind);
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
  if (request->has_contacts) return tool_contact_name(request->kind);
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
    const tool_contact_scene scene = tool_usual_contact_scene(request->kind, size);
    return bench_make_contact_world(&scene, true, 0, 0, &def, world, why);
  }
  bench_scene_request cloth = request->cloth;
  if (cloth.mesh_path == NULL) cloth.sheet_size = size;
  def.iterations = request->iterations;
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

// One world, its steps and the median of each turn.
typedef struct scaling_world {
  weft_world* world;
  bench_samples step_ms, turn_ms;
  double turn_median[BENCH_SCALING_TURNS];
} scaling_world;

static uint32_t size_for(const bench_scaling_request* request, uint32_t threads) {
  if (!request->is_weak) return request->size;
  const bool is_count = request->has_contacts && tool_contact_is_heap(request->kind);
  const double growth = is_count ? (double)threads : sqrt((double)threads);
  return (uint32_t)lround(growth * (double)request->size);
}

static bool create_world(const bench_scaling_request* request, bench_scaling_row* row,
                         uint32_t span_capacity, scaling_world* made, tool_message* why) {
  weft_world_def def = weft_plain_world_def();
  def.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.worker_count = row->threads;
  def.span_capacity = span_capacity;
  def.worker_cpus = bench_binding_cpus(request->binding);
  row->size = size_for(request, row->threads);
  if (!bench_scaling_create_world(request, row->size, def, &made->world, why)) return false;
  return bench_samples_create(&made->step_ms, request->steps, why) &&
         bench_samples_create(&made->turn_ms, request->steps / BENCH_SCALING_TURNS, why);
}

static void free_world(scaling_world* world) {
  weft_world_destroy(&world->world);
  bench_samples_free(&world->step_ms);
  bench_samples_free(&world->turn_ms);
}

// ---- turns ----

typedef struct scaling_turns {
  const bench_scaling_row* rows;
  scaling_world* worlds;
} scaling_turns;

static bool step_world(void* context, uint32_t number, bool is_timed, tool_message* why) {
  scaling_world* world = &((scaling_turns*)context)->worlds[number];
  (void)why;
  const double start_ns = tool_clock_ns();
  weft_world_step(world->world, 1);
  const double step_ms = 1e-6 * (tool_clock_ns() - start_ns);
  if (is_timed) {
    bench_samples_add(&world->step_ms, step_ms);
    bench_samples_add(&world->turn_ms, step_ms);
  }
  return true;
}

static void end_turn(void* context, uint32_t number, uint32_t turn) {
  scaling_world* world = &((scaling_turns*)context)->worlds[number];
  world->turn_median[turn] = bench_samples_median(&world->turn_ms);
  world->turn_ms.count = 0;
}

static void label_row(const bench_scaling_row* row, char label[BENCH_TURN_LABEL]) {
  snprintf(label, BENCH_TURN_LABEL, "%u thread%s", row->threads, tool_plural(row->threads));
}

static void label_world(const void* context, uint32_t number, char label[BENCH_TURN_LABEL]) {
  label_row(&((const scaling_turns*)context)->rows[number], label);
}

static bool take_turns(const bench_scaling_request* request, const bench_scaling_row* rows,
                       size_t count, bool quiet, scaling_world* worlds, tool_message* why) {
  scaling_turns context = {rows, worlds};
  const bench_turns turns = {
      .count = (uint32_t)count,
      .schedule = {request->warmup, request->steps / BENCH_SCALING_TURNS, BENCH_SCALING_TURNS},
      .binding = request->binding,
      .quiet = quiet,
      .step = step_world,
      .end = end_turn,
      .label = label_world};
  return bench_take_turns(&turns, &context, why);
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

// Speed-up of a row over the first one in a turn.
static double speed_up_in(const bench_scaling_row* rows, const scaling_world* worlds, size_t i,
                          uint32_t turn) {
  const double work = (double)rows[i].particles / (double)rows[0].particles;
  return work * worlds[0].turn_median[turn] / worlds[i].turn_median[turn];
}

static void fill_row(const bench_scaling_request* request, bench_scaling_row* row,
                     scaling_world* world) {
  const weft_world_stats stats = bench_stats_of(world->world);
  snprintf(row->isa, sizeof row->isa, "%s", weft_isa_name(stats.isa));
  row->particles = stats.particle_count;
  row->size = bench_scaling_shown_size(request, row->size, row->particles);
  row->workers = stats.worker_count;
  row->state_hash = weft_world_hash(world->world);
  row->step_ms = bench_samples_times(&world->step_ms);
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
    rows[i].efficiency = rows[i].speed_up * (double)rows[0].workers / (double)rows[i].workers;
  }
}

// The first row is that of one worker; the median and quartiles of the fits of all turns.
static bench_scaling_fit fit_rows(const bench_scaling_row* rows, size_t count,
                                  const scaling_world* worlds, bench_samples* turns) {
  uint32_t workers[TOOL_MAX_LIST];
  double speed_ups[TOOL_MAX_LIST];
  turns->count = 0;
  for (size_t i = 0; i < count; ++i) workers[i] = rows[i].workers;
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
    fill_row(request, &rows[i], &worlds[i]);
    if (!request->is_weak && rows[i].state_hash != rows[0].state_hash) {
      ok = tool_because(why, "the state differs between %u and %u threads", rows[0].threads,
                        rows[i].threads);
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
  scaling_world world = {.world = NULL};
  char label[BENCH_TURN_LABEL], name[256];
  label_row(row, label);
  snprintf(name, sizeof name, "%s %u, %s", row->scene, row->size, label);
  bool ok = create_world(request, row, tool_span_capacity(row->threads), &world, why);
  for (uint32_t i = 0; ok && i < request->warmup; ++i) {
    weft_world_step(world.world, 1);
    tool_progress_step(progress, label);
    ok = !tool_interrupted();
  }
  ok = ok && bench_record(world.world, name, request->recorded_steps, trace, times, why);
  free_world(&world);
  return ok;
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
    times->workers = calloc(rows[i].workers, sizeof *times->workers);
    ok = times->workers != NULL || tool_because(why, "no memory for %u workers", rows[i].workers);
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
  ok = ok && take_turns(request, rows, count, quiet, worlds, why);
  ok = ok && summarize(request, rows, count, worlds, &findings->fit, why);
  for (size_t i = 0; i < count; ++i) free_world(&worlds[i]);
  ok = ok && record_rows(request, rows, count, quiet, trace, findings, why);
  stop_busy(&busy);
  return ok;
}
