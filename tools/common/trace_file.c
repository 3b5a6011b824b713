#include "common/trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "common/lanes.h"
#include "common/must.h"
#include "common/number.h"

// steps between values of strain, which takes a pass over all links
enum { STRAIN_PERIOD = 10 };
// consecutive pieces are one slice up to this length
enum { SLICE_NS = 20000 };
// steps that begin beyond this file size are left out
enum { MOST_BYTES = 1 << 28 };

// Event up to its arguments; `phase`: event type of the format.
static void begin_event(tool_trace* trace, char phase, uint32_t lane) {
  fprintf(trace->output.stream, "%s\n{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32,
          trace->has_events ? "," : "", phase, trace->process, lane);
  trace->has_events = true;
}

// Microseconds with three digits: whole nanoseconds.
static void write_time(const tool_trace* trace, const char* key, int64_t ns) {
  fprintf(trace->output.stream, ",\"%s\":%" PRId64 ".%03d", key, ns / 1000, (int)(ns % 1000));
}

static void begin_slice(tool_trace* trace, uint32_t lane, const char* category, int64_t begin_ns,
                        int64_t end_ns) {
  begin_event(trace, 'X', lane);
  write_time(trace, "ts", begin_ns - trace->origin_ns);
  write_time(trace, "dur", end_ns - begin_ns);
  fprintf(trace->output.stream, ",\"cat\":\"%s\"", category);
}

static void write_slice(tool_trace* trace, uint32_t lane, const weft_span* span) {
  static const char* const categories[] = {"stage", "loop", "wavefront", "piece", "phase", "wait"};
  FILE* out = trace->output.stream;
  begin_slice(trace, lane, categories[span->kind], span->begin_ns, span->end_ns);
  switch (span->kind) {
    case WEFT_SPAN_STAGE:
      fprintf(out, ",\"name\":\"%s\"}", span->name);
      break;
    case WEFT_SPAN_LOOP:
      fprintf(out, ",\"name\":\"%s\",\"args\":{\"job\":%u,\"items\":%u,\"grain\":%u}}", span->name,
              span->job, span->item_count, span->grain);
      break;
    case WEFT_SPAN_WAVEFRONT:
      fprintf(out,
              ",\"name\":\"%s\",\"args\":{\"job\":%u,\"patches\":%u,\"phases\":%u,\"level\":%u}}",
              span->name, span->job, span->item_count, span->phase, span->level);
      break;
    case WEFT_SPAN_PIECE:
      fprintf(out, ",\"name\":\"%s\",\"args\":{\"item\":%u,\"items\":%u}}", span->name, span->item,
              span->item_count);
      break;
    case WEFT_SPAN_PHASE:
      // viewers colour slices by name
      fprintf(out, ",\"name\":\"%s, color %u\",\"args\":{\"patch\":%u,\"phase\":%u,\"phases\":%u}}",
              span->name, span->color, span->patch, span->phase, span->item_count);
      break;
    case WEFT_SPAN_WAIT:
      fprintf(out, ",\"name\":\"%s\",\"args\":{",
              span->patch != WEFT_SPAN_NONE ? "wait for patch" : "wait for worker");
      if (span->patch != WEFT_SPAN_NONE) fprintf(out, "\"patch\":%u", span->patch);
      if (span->worker != WEFT_SPAN_NONE)
        fprintf(out, "%s\"worker\":%u", span->patch != WEFT_SPAN_NONE ? "," : "", span->worker);
      fputs("}}", out);
      break;
  }
}

// True if the span continues a slice: next items of a loop, or next phase of a patch.
static bool continues(const weft_span* slice, const weft_span* span) {
  if (span->kind != slice->kind || span->job != slice->job) return false;
  if (span->kind == WEFT_SPAN_PHASE)
    return span->patch == slice->patch && span->phase == slice->phase + slice->item_count;
  return span->kind == WEFT_SPAN_PIECE && span->item == slice->item + slice->item_count &&
         span->end_ns - slice->begin_ns <= SLICE_NS;
}

// Writes spans; those that continue each other become one slice.
static void write_slices(tool_trace* trace, uint32_t worker, const weft_spans* own) {
  for (uint32_t i = 0; i < own->count;) {
    weft_span slice = own->items[i];
    if (slice.kind == WEFT_SPAN_PHASE) slice.item_count = 1;
    for (++i; i < own->count && continues(&slice, &own->items[i]); ++i) {
      slice.end_ns = own->items[i].end_ns;
      slice.item_count += slice.kind == WEFT_SPAN_PHASE ? 1 : own->items[i].item_count;
    }
    write_slice(trace, worker, &slice);
  }
}

// Writes a slice around the spans of a worker, except the caller, in each job.
static void write_visits(tool_trace* trace, uint32_t worker, const weft_spans* own) {
  for (uint32_t i = 0, end = 0; i < own->count; i = end) {
    while (end < own->count && own->items[end].job == own->items[i].job) ++end;
    begin_slice(trace, worker, "job", own->items[i].begin_ns, own->items[end - 1].end_ns);
    fprintf(trace->output.stream, ",\"name\":\"%s\",\"args\":{\"job\":%u}}", own->items[i].name,
            own->items[i].job);
  }
}

typedef struct gap_writer {
  tool_trace* trace;
  uint32_t worker;
} gap_writer;

// Writes a worker's time without spans.
static void write_gap(void* context, const tool_lane_part* part) {
  const gap_writer* to = context;
  if (part->span != NULL || part->kind == TOOL_LANE_SEARCH) return;
  begin_slice(to->trace, to->worker, "idle", part->begin_ns, part->end_ns);
  fprintf(to->trace->output.stream, ",\"name\":\"%s\"}", tool_lane_name(part->kind));
}

static void write_step_slice(tool_trace* trace, const weft_spans* caller) {
  int64_t end_ns = caller->items[0].end_ns;
  for (uint32_t i = 0; i < caller->count; ++i) {
    if (caller->items[i].end_ns > end_ns) end_ns = caller->items[i].end_ns;
  }
  begin_slice(trace, 0, "step", caller->items[0].begin_ns, end_ns);
  fprintf(trace->output.stream, ",\"name\":\"step\",\"args\":{\"step\":%" PRIu64 "}}",
          trace->world_step);
}

static void write_lane(tool_trace* trace, uint32_t worker, const weft_spans* caller,
                       const weft_spans* own) {
  const gap_writer gaps = {trace, worker};
  if (worker == 0) {
    write_step_slice(trace, caller);
  } else {
    write_visits(trace, worker, own);
    tool_walk_lane(caller, own, worker, write_gap, (void*)&gaps);
  }
  write_slices(trace, worker, own);
}

static void begin_counter(tool_trace* trace, const char* name, int64_t time_ns) {
  begin_event(trace, 'C', 0);
  write_time(trace, "ts", time_ns - trace->origin_ns);
  fprintf(trace->output.stream, ",\"name\":\"%s\",\"args\":{", name);
}

static void write_counters(tool_trace* trace, const weft_world* world, int64_t time_ns) {
  FILE* out = trace->output.stream;
  weft_contact_stats met;
  tool_must(weft_world_get_contact_stats(world, &met));
  begin_counter(trace, "pairs", time_ns);
  fprintf(out, "\"self\":%u,\"particles\":%u,\"ccd\":%u}}", met.self_pairs, met.particle_pairs,
          met.ccd_pairs);
  begin_counter(trace, "contacts", time_ns);
  fprintf(out, "\"colliders\":%u,\"ccd\":%u}}", met.collider_contacts, met.ccd_hits);
  if (trace->world_step % STRAIN_PERIOD != 0) return;
  weft_measures measures;
  char text[TOOL_NUMBER_SIZE];
  tool_must(weft_world_measure(world, &measures));
  if (!isfinite(measures.mean_strain)) return;
  begin_counter(trace, "mean strain", time_ns);
  fprintf(out, "\"strain\":%s}}", tool_shortest(measures.mean_strain, text));
}

bool tool_trace_open(const char* path, tool_trace* trace, tool_message* why) {
  *trace = (tool_trace){.has_events = false};
  if (!tool_output_open(path, &trace->output, why)) return false;
  fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", trace->output.stream);
  return true;
}

void tool_trace_begin_world(tool_trace* trace, const char* name, uint32_t worker_count) {
  FILE* out = trace->output.stream;
  ++trace->process;
  trace->world_step = 0;
  json_t* text = json_string(name);
  begin_event(trace, 'M', 0);
  fputs(",\"name\":\"process_name\",\"args\":{\"name\":", out);
  if (text == NULL || json_dumpf(text, out, JSON_ENCODE_ANY) != 0) fputs("\"world\"", out);
  fputs("}}", out);
  json_decref(text);
  for (uint32_t worker = 0; worker < worker_count; ++worker) {
    begin_event(trace, 'M', worker);
    fprintf(out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"worker %u%s\"}}", worker,
            worker == 0 ? ", the caller" : "");
    begin_event(trace, 'M', worker);
    fprintf(out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}", worker);
  }
}

bool tool_trace_add_step(tool_trace* trace, const weft_world* world, tool_message* why) {
  weft_world_stats stats;
  weft_spans caller, own;
  tool_must(weft_world_get_stats(world, &stats));
  tool_must(weft_world_get_spans(world, 0, &caller));
  if (caller.count == 0) return true;
  // -1 for standard output that is no file
  if (ftello(trace->output.stream) > MOST_BYTES) {
    ++trace->left_out;
    return true;
  }
  if (trace->step_count == 0) trace->origin_ns = caller.items[0].begin_ns;
  for (uint32_t worker = 0; worker < stats.worker_count; ++worker) {
    tool_must(weft_world_get_spans(world, worker, &own));
    trace->lost += own.lost;
    write_lane(trace, worker, &caller, &own);
  }
  write_counters(trace, world, caller.items[0].begin_ns);
  ++trace->step_count;
  ++trace->world_step;
  if (fflush(trace->output.stream) == 0 && !ferror(trace->output.stream)) return true;
  return tool_because(why, "cannot write '%s': %s", trace->output.path, strerror(errno));
}

bool tool_trace_close(tool_trace* trace, bool is_kept, tool_message* why) {
  fputs("\n]}\n", trace->output.stream);
  if (is_kept && trace->lost > 0) {
    tool_warn("'%s' lacks %" PRIu64 " spans, for which there was no room", trace->output.path,
              trace->lost);
  }
  if (is_kept && trace->left_out > 0) {
    tool_warn("'%s' lacks %" PRIu64 " steps, being larger than %d MiB", trace->output.path,
              trace->left_out, MOST_BYTES >> 20);
  }
  return tool_output_close(&trace->output, is_kept, why);
}
