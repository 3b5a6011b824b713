#include "recording.h"

#include <math.h>
#include <stdlib.h>

#include "common/interrupt.h"
#include "common/json_file.h"
#include "common/must.h"
#include "stage_model.h"

static void append(json_t* list, int64_t value) {
  json_array_append_new(list, json_integer(value));
}

json_t* bench_integers_json(const uint32_t* values, size_t count) {
  json_t* list = json_array();
  for (size_t i = 0; i < count; ++i) append(list, values[i]);
  return list;
}

// ---- patches ----

// Patches of a level; null without memory.
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

// Adds the level of a wavefront, once.
static void add_level(json_t* levels, const weft_world* world, const weft_span* job) {
  while (json_array_size(levels) <= job->level) json_array_append_new(levels, json_null());
  if (!json_is_null(json_array_get(levels, job->level))) return;
  json_array_set_new(levels, job->level, patches_json(world, job->level, job->item_count));
}

// ---- steps ----

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

// A stage or a job.
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

// ---- the world ----

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
    weft_world_stats stats;
    tool_must(weft_world_get_stats(world, &stats));
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
