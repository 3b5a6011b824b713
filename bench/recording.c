#include "recording.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/json_file.h"
#include "common/must.h"
#include "machine_limits.h"
#include "pace.h"
#include "profile.h"

static void append(json_t* list, int64_t value) {
  json_array_append_new(list, json_integer(value));
}

json_t* bench_integers_json(const uint32_t* values, size_t count) {
  json_t* list = json_array();
  for (size_t i = 0; i < count; ++i) append(list, values[i]);
  return list;
}

static json_t* patches_json(const weft_world* world, uint32_t level, uint32_t count) {
  uint32_t* buffer = calloc((size_t)count + 1, sizeof *buffer);
  if (buffer == NULL) return json_null();
  tool_must(weft_world_get_patch_colors(world, level, 0, count, buffer));
  json_t* colors = bench_integers_json(buffer, count);
  json_t *first = json_array(), *neighbors = json_array();
  append(first, 0);
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t found = 0;
    tool_must(weft_world_get_patch_neighbors(world, level, p, count, buffer, &found));
    for (uint32_t i = 0; i < found; ++i) append(neighbors, buffer[i]);
    append(first, (int64_t)json_array_size(neighbors));
  }
  free(buffer);
  return json_pack("{so so so}", "colors", colors, "first_neighbor", first, "neighbors", neighbors);
}

static void add_level(json_t* levels, const weft_world* world, const weft_span* job) {
  while (json_array_size(levels) <= job->level) json_array_append_new(levels, json_null());
  if (!json_is_null(json_array_get(levels, job->level))) return;
  json_array_set_new(levels, job->level, patches_json(world, job->level, job->item_count));
}

static json_t* parts_json(const weft_spans* spans, uint32_t job) {
  json_t* parts = json_array();
  for (uint32_t i = job + 1; i < spans->count && spans->items[i].kind >= WEFT_SPAN_PIECE; ++i) {
    const weft_span* span = &spans->items[i];
    const bool is_phase = span->kind == WEFT_SPAN_PHASE;
    if (span->kind == WEFT_SPAN_WAIT) continue;
    append(parts, is_phase ? span->patch : span->item);
    append(parts, is_phase ? span->phase : span->item_count);
    append(parts, span->end_ns - span->begin_ns);
  }
  return parts;
}

static json_t* span_json(const weft_spans* spans, uint32_t i) {
  static const char* const kinds[] = {"stage", "loop", "wavefront"};
  const weft_span* span = &spans->items[i];
  const int64_t origin = spans->items[0].begin_ns;
  json_t* item = json_pack(
      "{ss ss sI sI}", "kind", kinds[span->kind], "stage", weft_stage_name(span->stage), "begin_ns",
      (json_int_t)(span->begin_ns - origin), "end_ns", (json_int_t)(span->end_ns - origin));
  if (span->kind == WEFT_SPAN_STAGE) return item;
  json_object_set_new(item, "name", json_string(span->name));
  json_object_set_new(item, "count", json_integer(span->item_count));
  if (span->kind == WEFT_SPAN_LOOP) {
    json_object_set_new(item, "grain", json_integer(span->grain));
  } else {
    json_object_set_new(item, "phases", json_integer(span->phase));
    json_object_set_new(item, "level", json_integer(span->level));
  }
  json_object_set_new(item, "parts", parts_json(spans, i));
  return item;
}

static bool add_step(const weft_world* world, json_t* steps, json_t* levels, tool_message* why) {
  weft_spans spans;
  json_t* step = json_array();
  json_array_append_new(steps, step);
  tool_must(weft_world_get_spans(world, 0, &spans));
  if (spans.lost > 0) return tool_because(why, "a step has %u spans too many", spans.lost);
  for (uint32_t i = 0; i < spans.count; ++i) {
    if (spans.items[i].kind >= WEFT_SPAN_PIECE) continue;
    json_array_append_new(step, span_json(&spans, i));
    if (spans.items[i].kind == WEFT_SPAN_WAVEFRONT) add_level(levels, world, &spans.items[i]);
  }
  return true;
}

static bool record(const bench_scaling_request* request, weft_world* world, json_t* steps,
                   json_t* levels, tool_message* why) {
  for (uint32_t step = 0; step < request->warmup + BENCH_RECORDED_STEPS; ++step) {
    if (tool_interrupted()) return false;
    weft_world_step(world, 1);
    if (step >= request->warmup && !add_step(world, steps, levels, why)) return false;
  }
  return true;
}

static json_t* traffic_json(const weft_world* world, weft_world_stats stats) {
  weft_contact_stats contacts;
  json_t* traffic = json_object();
  tool_must(weft_world_get_contact_stats(world, &contacts));
  // one sweep over links reads memory: the wavefront keeps the others in caches
  stats.iterations = 1;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    const double moved = bench_stage_cost_of((weft_stage)stage, &stats, &contacts).bytes;
    if (!isfinite(moved)) continue;
    json_object_set_new(traffic, weft_stage_name((weft_stage)stage), tool_json_number(moved));
  }
  return traffic;
}

json_t* bench_record_steps(const bench_scaling_request* request, tool_message* why) {
  weft_world* world = NULL;
  weft_world_def def = weft_plain_world_def();
  def.span_capacity = 1u << 20;
  json_t *steps = json_array(), *levels = json_array(), *made = NULL;
  if (bench_scaling_create_world(request, request->size, def, &world, why) &&
      record(request, world, steps, levels, why)) {
    const weft_world_stats stats = bench_stats_of(world);
    made = json_pack("{sI sI sI so sO sO}", "particles", (json_int_t)stats.particle_count,
                     "iterations", (json_int_t)stats.iterations, "substeps",
                     (json_int_t)stats.substeps, "traffic", traffic_json(world, stats), "levels",
                     levels, "steps", steps);
    if (made == NULL) tool_because(why, "no memory for a recording");
  }
  json_decref(steps);
  json_decref(levels);
  weft_world_destroy(&world);
  return made;
}

enum { TURNS = 21, PROBE_SIZE = 32, MOST_THREADS = 64 };
static const double turn_ns = 1e7;

// Threads that step a world each until the time is over.
typedef struct stepper {
  bench_speed_probe probe;
  atomic_bool* is_over;
  double steps_a_ns;
  pthread_t thread;
  bool is_started;
} stepper;

// Time on a core, without other processes.
static double thread_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void* step_until_over(void* argument) {
  stepper* s = argument;
  uint64_t steps = 0;
  const double start_ns = thread_ns();
  while (!atomic_load_explicit(s->is_over, memory_order_relaxed)) {
    weft_world_step(s->probe.world, 1);
    ++steps;
  }
  s->steps_a_ns = (double)steps / (thread_ns() - start_ns);
  return NULL;
}

// Steps of all steppers together in a nanosecond.
static double rate_of(stepper* steppers, uint32_t count, atomic_bool* is_over) {
  double rate = 0.0;
  atomic_store_explicit(is_over, false, memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    steppers[i].is_started =
        pthread_create(&steppers[i].thread, NULL, step_until_over, &steppers[i]) == 0;
  }
  const double start_ns = tool_clock_ns();
  while (tool_clock_ns() - start_ns < turn_ns) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  atomic_store_explicit(is_over, true, memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    if (!steppers[i].is_started) continue;
    pthread_join(steppers[i].thread, NULL);
    rate += steppers[i].steps_a_ns;
  }
  return rate;
}

static bool measure_slowdown(uint32_t threads, double* factor, tool_message* why) {
  atomic_bool is_over = false;
  bench_samples ratios = {NULL, 0, 0};
  stepper* steppers = calloc(threads, sizeof *steppers);
  bool ok = (steppers != NULL && bench_samples_create(&ratios, TURNS, why)) ||
            tool_because(why, "no memory for %u threads", threads);
  for (uint32_t i = 0; ok && i < threads; ++i) {
    steppers[i].is_over = &is_over;
    ok = bench_speed_probe_create(PROBE_SIZE, &steppers[i].probe, why);
  }
  for (int turn = 0; ok && turn < TURNS; ++turn) {
    const double alone = rate_of(steppers, 1, &is_over);
    bench_samples_add(&ratios, threads * alone / rate_of(steppers, threads, &is_over));
  }
  if (ok) *factor = fmax(1.0, bench_samples_median(&ratios));
  for (uint32_t i = 0; steppers != NULL && i < threads; ++i) {
    bench_speed_probe_free(&steppers[i].probe);
  }
  bench_samples_free(&ratios);
  free(steppers);
  return ok;
}

static bool is_wanted(uint32_t threads, uint32_t cpus, const tool_count_list* listed) {
  if (threads == cpus || (threads & (threads - 1)) == 0) return true;
  for (uint32_t i = 0; i < listed->count; ++i) {
    if (listed->items[i] == threads) return true;
  }
  return false;
}

static bool add_slowdowns(json_t* list, uint32_t cpus, const tool_count_list* listed,
                          tool_message* why) {
  for (uint32_t threads = 2; threads <= cpus && threads <= MOST_THREADS; ++threads) {
    double factor = 1.0;
    if (!is_wanted(threads, cpus, listed)) continue;
    if (tool_interrupted() || !measure_slowdown(threads, &factor, why)) return false;
    json_array_append_new(list, json_pack("{sI so}", "threads", (json_int_t)threads, "factor",
                                          tool_json_number(factor)));
  }
  return true;
}

json_t* bench_costs_json(const bench_machine* machine, const tool_count_list* threads, bool quiet,
                         tool_message* why) {
  bench_bandwidth memory = {.threads = machine->available_cpus};
  json_t* slowdowns = json_array();
  if (!bench_measure_memory(bench_array_bytes(machine), quiet, &memory, 1, why) ||
      !add_slowdowns(slowdowns, memory.threads, threads, why)) {
    json_decref(slowdowns);
    return NULL;
  }
  json_t* costs =
      json_pack("{sI so so sI so}", "cpus", (json_int_t)memory.threads, "gb_per_s",
                tool_json_number(fmax(memory.read_gb_per_s, memory.triad_gb_per_s)),
                "round_trip_ns", tool_json_number(machine->round_trip_ns), "l3_bytes",
                (json_int_t)(machine->l3_bytes * machine->l3_count), "slowdown", slowdowns);
  if (costs == NULL) tool_because(why, "no memory for costs of the machine");
  return costs;
}
