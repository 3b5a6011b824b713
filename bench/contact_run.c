#include "contact_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/must.h"
#include "common/number.h"
#include "recorded.h"

bool bench_contact_create(const bench_contact_request* request, size_t sample_count,
                          bench_contact_run* run, tool_message* why) {
  run->request = *request;
  if (!bench_samples_create(&run->step_ms, sample_count, why) ||
      !bench_samples_create(&run->contact_ms, sample_count, why) ||
      !bench_samples_create(&run->cpu_ms, sample_count, why)) {
    return false;
  }
  weft_world_def def = weft_plain_world_def();
  def.worker_count = request->threads;
  def.isa = request->isa;
  def.profile = true;
  def.span_capacity = request->span_capacity;
  if (request->binding != NULL) def.worker_cpus = bench_binding_cpus(request->binding);
  const double start_ns = tool_clock_ns();
  const bool ok =
      bench_make_contact_world(&request->scene, request->with_contacts, request->iterations,
                               request->substeps, &def, &run->world, why);
  run->build_ms = 1e-6 * (tool_clock_ns() - start_ns);
  run->substeps = def.substeps;
  run->iterations = def.iterations;
  return ok;
}

void bench_contact_free(bench_contact_run* run) {
  weft_world_destroy(&run->world);
  bench_samples_free(&run->step_ms);
  bench_samples_free(&run->contact_ms);
  bench_samples_free(&run->cpu_ms);
  *run = (bench_contact_run){0};
}

uint32_t bench_contact_warmup(tool_contact_kind kind) {
  return kind == TOOL_DROP_FOLDS ? 90 : 60;
}

static bool is_of_contacts(int stage) {
  return (stage >= WEFT_STAGE_BROAD_PHASE && stage <= WEFT_STAGE_CCD) || stage == WEFT_STAGE_EVENTS;
}

void bench_contact_step(bench_contact_run* run, bool is_timed) {
  double before[WEFT_STAGE_COUNT], after[WEFT_STAGE_COUNT], contact_ms = 0.0;
  if (!is_timed) {
    weft_world_step(run->world, 1);
    ++run->warmup;
    return;
  }
  tool_must(weft_world_get_profile(run->world, before));
  const double start_cpu_ns = tool_processor_ns(), start_ns = tool_clock_ns();
  weft_world_step(run->world, 1);
  bench_samples_add(&run->step_ms, 1e-6 * (tool_clock_ns() - start_ns));
  bench_samples_add(&run->cpu_ms, 1e-6 * (tool_processor_ns() - start_cpu_ns));
  tool_must(weft_world_get_profile(run->world, after));
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    const double seconds = after[stage] - before[stage];
    run->seconds[stage] += seconds;
    if (is_of_contacts(stage)) contact_ms += 1e3 * seconds;
  }
  bench_samples_add(&run->contact_ms, contact_ms);
}

// ---- rows ----

#define ROW bench_contact_row
#define STAGE(name, stage) BENCH_NAMED(#name "_ms", REAL, stage_ms[WEFT_STAGE_##stage])
const bench_row_type bench_contact_type = BENCH_ROW_TYPE(
    BENCH_TEXT(scene), BENCH_COUNT(size), BENCH_COUNT(particles), BENCH_COUNT(links),
    BENCH_TEXT(contacts), BENCH_TEXT(isa), BENCH_COUNT(threads), BENCH_COUNT(substeps),
    BENCH_COUNT(iterations), BENCH_LARGE(first_step), BENCH_LARGE(last_step), BENCH_STEP_MS(min),
    BENCH_STEP_MS(median), BENCH_NAMED("contact_ms_min", REAL, contact_ms.min),
    BENCH_NAMED("contact_ms_median", REAL, contact_ms.median), BENCH_REAL(ratio_to_without),
    BENCH_REAL(growth), STAGE(forces, FORCES), STAGE(links, LINKS), STAGE(direct, DIRECT),
    STAGE(broad_phase, BROAD_PHASE), STAGE(self_collision, SELF_COLLISION),
    STAGE(particle_contacts, PARTICLE_CONTACTS), STAGE(colliders, COLLIDERS), STAGE(ccd, CCD),
    STAGE(bounds, BOUNDS), STAGE(tears, TEARS), STAGE(events, EVENTS),
    BENCH_COUNT(collider_contacts), BENCH_COUNT(self_pairs), BENCH_COUNT(particle_pairs),
    BENCH_COUNT(particle_colors), BENCH_COUNT(ccd_pairs), BENCH_COUNT(ccd_hits), BENCH_LARGE(lost),
    BENCH_LARGE(bytes), BENCH_HASH(state_hash), BENCH_STEP_MS(max), BENCH_COUNT(threads_asked),
    BENCH_STEP_MS(q1), BENCH_STEP_MS(q3), BENCH_REAL(ns_per_particle), BENCH_COUNT(times),
    BENCH_NAMED("cpu_ms_median", REAL, cpu_ms.median));

void bench_contact_fill(bench_contact_run* run, bench_contact_row* row) {
  const bench_contact_request* request = &run->request;
  const weft_world_stats stats = bench_stats_of(run->world);
  weft_contact_stats contacts;
  tool_must(weft_world_get_contact_stats(run->world, &contacts));
  *row = (bench_contact_row){.size = request->scene.size,
                             .particles = stats.particle_count,
                             .links = stats.link_count,
                             .threads = stats.worker_count,
                             .threads_asked = request->threads,
                             .substeps = run->substeps,
                             .iterations = run->iterations,
                             .first_step = run->warmup + 1,
                             .last_step = stats.step_count,
                             .ratio_to_without = (double)NAN,
                             .growth = (double)NAN,
                             .collider_contacts = contacts.collider_contacts,
                             .self_pairs = contacts.self_pairs,
                             .particle_pairs = contacts.particle_pairs,
                             .particle_colors = contacts.particle_colors,
                             .ccd_pairs = contacts.ccd_pairs,
                             .ccd_hits = contacts.ccd_hits,
                             .lost = contacts.lost_pairs + contacts.lost_ccd_pairs,
                             .build_ms = run->build_ms,
                             .bytes = stats.bytes,
                             .state_hash = weft_world_hash(run->world),
                             .times = request->scene.times};
  snprintf(row->scene, sizeof row->scene, "%s", tool_contact_name(request->scene.kind));
  snprintf(row->contacts, sizeof row->contacts, request->with_contacts ? "with" : "without");
  snprintf(row->isa, sizeof row->isa, "%s", weft_isa_name(stats.isa));
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    row->stage_ms[stage] = 1e3 * run->seconds[stage] / (double)run->step_ms.count;
  }
  row->step_ms = bench_samples_times(&run->step_ms);
  row->contact_ms = bench_samples_times(&run->contact_ms);
  row->cpu_ms = bench_samples_times(&run->cpu_ms);
  row->ns_per_particle = 1e6 * row->step_ms.median / stats.particle_count;
}

// ---- tables ----

static void write_threads(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_contact_row* row = item;
  bench_format_threads(cell, row->threads, row->threads_asked);
}

static void write_mib(char cell[BENCH_MAX_CELL], const void* item) {
  const bench_contact_row* row = item;
  snprintf(cell, BENCH_MAX_CELL, "%.1f", (double)row->bytes / (1u << 20));
}

static const bench_row_type time_table = BENCH_ROW_TYPE(
    BENCH_TEXT(contacts), BENCH_WRITTEN("threads", REAL, write_threads),
    BENCH_CELL("ms/step", step_ms.median, "%.3f"), BENCH_CELL("min", step_ms.min, "%.3f"),
    BENCH_CELL("max", step_ms.max, "%.3f"), BENCH_CELL("x without", ratio_to_without, "%.2f"),
    BENCH_WRITTEN("MiB", REAL, write_mib), BENCH_NAMED("state hash", HASH, state_hash));
#undef ROW

static void print_stages(FILE* out, const bench_contact_row* rows, size_t count) {
  static const char* const heads[] = {"contacts",  "threads",   "links", "broad phase", "self",
                                      "particles", "colliders", "ccd",   "other"};
  static const int shown[] = {WEFT_STAGE_LINKS,          WEFT_STAGE_BROAD_PHASE,
                              WEFT_STAGE_SELF_COLLISION, WEFT_STAGE_PARTICLE_CONTACTS,
                              WEFT_STAGE_COLLIDERS,      WEFT_STAGE_CCD};
  bench_text_row* text = calloc(count, sizeof *text);
  for (size_t i = 0; text && i < count; ++i) {
    snprintf(text[i].cells[0], BENCH_MAX_CELL, "%s", rows[i].contacts);
    write_threads(text[i].cells[1], &rows[i]);
    bench_format_stages(&text[i].cells[2], rows[i].stage_ms, shown, sizeof shown / sizeof shown[0]);
  }
  if (text) bench_text_rows_print(out, heads, "lrrrrrrrr", text, count);
  free(text);
}

static void print_facts(FILE* out, const bench_contact_row* row) {
  fprintf(out, "\n%s %u: %u particles, %u links; %s, %u substep%s of %u iteration%s\n", row->scene,
          row->size, row->particles, row->links, row->isa, row->substeps,
          tool_plural(row->substeps), row->iterations, tool_plural(row->iterations));
  fprintf(out, "steps %" PRIu64 " to %" PRIu64 "; in the last one:", row->first_step,
          row->last_step);
  fprintf(out, "\n%u particle%s at colliders, %u self pair%s, %u CCD pair%s, %u hit%s",
          row->collider_contacts, tool_plural(row->collider_contacts), row->self_pairs,
          tool_plural(row->self_pairs), row->ccd_pairs, tool_plural(row->ccd_pairs), row->ccd_hits,
          tool_plural(row->ccd_hits));
  if (row->lost > 0) {
    fprintf(out, "; %" PRIu64 " pair%s found no room", row->lost, tool_plural(row->lost));
  }
  fputc('\n', out);
}

// ---- with contacts and without ----

typedef struct contact_ladder {
  bench_contact_run* runs; /* [count]: with contacts, and then as many without */
  uint32_t count;
} contact_ladder;

static void free_ladder(contact_ladder* ladder) {
  for (uint32_t i = 0; i < ladder->count; ++i) bench_contact_free(&ladder->runs[i]);
  free(ladder->runs);
}

static bool make_ladder(const bench_plan* plan, const tool_contact_scene* scene,
                        uint32_t iterations, size_t sample_count, contact_ladder* ladder,
                        tool_message* why) {
  const uint32_t half = plan->isas.count * plan->threads.count;
  *ladder = (contact_ladder){calloc((size_t)2 * half, sizeof *ladder->runs), 0};
  if (!ladder->runs) return tool_because(why, "no memory for %u worlds", 2 * half);
  for (uint32_t i = 0; i < 2 * half; ++i) {
    const uint32_t at = i % half;
    const bench_contact_request request = {
        .scene = *scene,
        .with_contacts = i < half,
        .isa = plan->isas.items[at / plan->threads.count],
        .threads = plan->threads.items[at % plan->threads.count],
        .iterations = iterations,
        .binding = &plan->binding,
    };
    if (!bench_contact_create(&request, sample_count, &ladder->runs[ladder->count++], why)) {
      return false;
    }
  }
  return true;
}

static void label_run(const void* context, uint32_t number, char label[BENCH_TURN_LABEL]) {
  const bench_contact_request* request = &((const contact_ladder*)context)->runs[number].request;
  snprintf(label, BENCH_TURN_LABEL, "%s %u: %s contacts x%u",
           tool_contact_name(request->scene.kind), request->scene.size,
           request->with_contacts ? "with" : "without", request->threads);
}

static bool step_run(void* context, uint32_t number, bool is_timed, tool_message* why) {
  (void)why;
  bench_contact_step(&((contact_ladder*)context)->runs[number], is_timed);
  return true;
}

static bool append(FILE* out, contact_ladder* ladder, bench_rows* results, tool_message* why) {
  bench_contact_row* rows = bench_rows_append(results, ladder->count, why);
  if (!rows) return false;
  for (uint32_t i = 0; i < ladder->count; ++i) bench_contact_fill(&ladder->runs[i], &rows[i]);
  const uint32_t half = ladder->count / 2;
  for (uint32_t i = 0; i < half; ++i) {
    rows[i].ratio_to_without = rows[i].step_ms.median / rows[half + i].step_ms.median;
  }
  // rows with contacts come first
  print_facts(out, &rows[0]);
  bench_rows_print(out, &time_table, rows, ladder->count);
  fputc('\n', out);
  print_stages(out, rows, ladder->count);
  fflush(out);
  return true;
}

/* Records each world with contacts by itself, in steps that are not timed. */
static bool trace_worlds(const contact_ladder* ladder, uint32_t warmup, bench_session* session,
                         tool_message* why) {
  bool ok = true;
  for (uint32_t i = 0; ok && session->trace && i < ladder->count / 2; ++i) {
    bench_contact_run run = {.world = NULL};
    bench_contact_request request = ladder->runs[i].request;
    char label[BENCH_TURN_LABEL], name[192];
    label_run(ladder, i, label);
    snprintf(name, sizeof name, "%s, %s", label, weft_isa_name(request.isa));
    request.span_capacity = tool_span_capacity(request.threads);
    ok = bench_contact_create(&request, 1, &run, why);
    for (uint32_t s = 0; ok && s < warmup && !tool_interrupted(); ++s)
      bench_contact_step(&run, false);
    ok =
        ok && bench_record(run.world, name, session->output.trace_steps, session->trace, NULL, why);
    bench_contact_free(&run);
  }
  return ok;
}

bool bench_contact_throughput(const bench_plan* plan, tool_contact_kind kind, uint32_t iterations,
                              const bench_schedule* schedule, bench_session* session,
                              tool_message* why) {
  const bool quiet = session->output.quiet;
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    const tool_contact_scene scene = tool_usual_contact_scene(kind, plan->scenes[i].sheet_size);
    const size_t sample_count = (size_t)schedule->steps * schedule->repeats;
    contact_ladder ladder;
    tool_progress_note("building the scene ..", quiet);
    const bool made = make_ladder(plan, &scene, iterations, sample_count, &ladder, why);
    tool_progress_note("", quiet);
    const bench_turns turns = {.count = ladder.count,
                               .schedule = *schedule,
                               .binding = &plan->binding,
                               .quiet = quiet,
                               .step = step_run,
                               .label = label_run};
    const bool ok = made && bench_take_turns(&turns, &ladder, why) &&
                    append(session->tables, &ladder, &session->results, why) &&
                    trace_worlds(&ladder, schedule->warmup, session, why);
    free_ladder(&ladder);
    if (!ok || tool_interrupted()) return false;
  }
  return true;
}
