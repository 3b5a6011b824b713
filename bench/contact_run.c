#include "contact_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/number.h"
#include "scaling.h"

bool bench_contact_create(const bench_contact_request* request, size_t sample_count,
                          bench_contact_run* run, tool_message* why) {
  run->request = *request;
  snprintf(run->runner.label, sizeof run->runner.label, "%s %u: %s contacts x%u",
           bench_contact_name(request->scene.kind), request->scene.size,
           request->with_contacts ? "with" : "without", request->threads);
  if (!bench_runner_create(&run->runner, sample_count, true, why)) return false;
  weft_world_def def = weft_plain_world_def();
  def.worker_count = request->threads;
  def.isa = request->isa;
  def.profile = true;
  def.span_capacity = request->span_capacity;
  if (request->binding != NULL) def.worker_cpus = bench_binding_cpus(request->binding);
  const double start_ns = tool_clock_ns();
  const bool ok =
      bench_make_contact_world(&request->scene, request->with_contacts, request->iterations,
                               request->substeps, &def, &run->runner.world, why);
  run->build_ms = 1e-6 * (tool_clock_ns() - start_ns);
  return ok;
}

uint32_t bench_contact_warmup(bench_contact_kind kind) {
  return kind == BENCH_DROP_FOLDS ? 90 : 60;
}

#define ROW bench_contact_row
#define STAGE(name, stage) BENCH_NAMED(#name "_ms", REAL, stage_ms[WEFT_STAGE_##stage])
#define CONTACT(name) BENCH_OF(#name, COUNT, contacts.name)
const bench_row_type bench_contact_type = BENCH_ROW_TYPE(
    BENCH_SCENE, BENCH_SIZE, BENCH_PARTICLES, BENCH_LINKS, BENCH_TEXT(contacts), BENCH_ISA,
    BENCH_THREADS, BENCH_OF("substeps", COUNT, world.substeps),
    BENCH_OF("iterations", COUNT, world.iterations), BENCH_LARGE(first_step),
    BENCH_OF("last_step", LARGE, world.step_count), BENCH_STEP_MS(min), BENCH_STEP_MS(median),
    BENCH_NAMED("contact_ms_min", REAL, contact_ms.min),
    BENCH_NAMED("contact_ms_median", REAL, contact_ms.median), BENCH_REAL(ratio_to_without),
    BENCH_REAL(growth), STAGE(forces, FORCES), STAGE(links, LINKS), STAGE(direct, DIRECT),
    STAGE(broad_phase, BROAD_PHASE), STAGE(self_collision, SELF_COLLISION),
    STAGE(particle_contacts, PARTICLE_CONTACTS), STAGE(colliders, COLLIDERS), STAGE(ccd, CCD),
    STAGE(bounds, BOUNDS), STAGE(tears, TEARS), STAGE(events, EVENTS), CONTACT(collider_contacts),
    CONTACT(self_pairs), CONTACT(particle_pairs), CONTACT(particle_colors), CONTACT(ccd_pairs),
    CONTACT(ccd_hits), BENCH_OF("lost", LARGE, lost), BENCH_OF("bytes", LARGE, world.bytes),
    BENCH_STATE_HASH, BENCH_STEP_MS(max), BENCH_THREADS_ASKED, BENCH_STEP_MS(q1), BENCH_STEP_MS(q3),
    BENCH_REAL(ns_per_particle), BENCH_COUNT(times),
    BENCH_NAMED("cpu_ms_median", REAL, cpu_ms.median));

void bench_contact_fill(bench_contact_run* run, bench_contact_row* row) {
  const bench_contact_request* request = &run->request;
  bench_runner* runner = &run->runner;
  *row = (bench_contact_row){.of = {.size = request->scene.size, .threads_asked = request->threads},
                             .contact_ms = bench_samples_times(&runner->contact_ms),
                             .cpu_ms = bench_samples_times(&runner->cpu_ms),
                             .ratio_to_without = (double)NAN,
                             .growth = (double)NAN,
                             .build_ms = run->build_ms,
                             .times = request->scene.times};
  bench_fill_facts(runner, &row->of);
  snprintf(row->of.scene, sizeof row->of.scene, "%s", bench_contact_name(request->scene.kind));
  snprintf(row->contacts, sizeof row->contacts, request->with_contacts ? "with" : "without");
  row->first_step = row->of.world.step_count - runner->step_ms.count + 1;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    row->stage_ms[stage] = bench_samples_times(&runner->stage_ms[stage]).mean;
  }
  row->ns_per_particle = 1e6 * row->of.step_ms.median / row->of.world.particle_count;
}

static const bench_row_type time_table = BENCH_ROW_TYPE(
    BENCH_TEXT(contacts), BENCH_THREADS_CELL, BENCH_MS_CELL("ms/step", median, "%.3f"),
    BENCH_MS_CELL("min", min, "%.3f"), BENCH_MS_CELL("max", max, "%.3f"),
    BENCH_CELL("x without", ratio_to_without, "%.2f"), BENCH_OF("MiB", MIB, world.bytes),
    BENCH_HASH_CELL);
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
    bench_write_threads(text[i].cells[1], &rows[i]);
    bench_format_stages(&text[i].cells[2], rows[i].stage_ms, shown, sizeof shown / sizeof shown[0]);
  }
  if (text) bench_text_rows_print(out, heads, "lrrrrrrrr", text, count);
  free(text);
}

static void print_facts(FILE* out, const bench_contact_row* row) {
  fprintf(out, "\n%s %u: %u particles, %u links; %s, %u substep%s of %u iteration%s\n",
          row->of.scene, row->of.size, row->of.world.particle_count, row->of.world.link_count,
          row->of.isa, row->of.world.substeps, tool_plural(row->of.world.substeps),
          row->of.world.iterations, tool_plural(row->of.world.iterations));
  fprintf(out, "steps %" PRIu64 " to %" PRIu64 "; in the last one:", row->first_step,
          row->of.world.step_count);
  fprintf(out, "\n%u particle%s at colliders, %u self pair%s, %u CCD pair%s, %u hit%s",
          row->of.contacts.collider_contacts, tool_plural(row->of.contacts.collider_contacts),
          row->of.contacts.self_pairs, tool_plural(row->of.contacts.self_pairs),
          row->of.contacts.ccd_pairs, tool_plural(row->of.contacts.ccd_pairs),
          row->of.contacts.ccd_hits, tool_plural(row->of.contacts.ccd_hits));
  if (row->of.lost > 0) {
    fprintf(out, "; %" PRIu64 " pair%s found no room", row->of.lost, tool_plural(row->of.lost));
  }
  fputc('\n', out);
}

typedef struct contact_ladder {
  bench_contact_run* runs; /* [count]: with contacts, then as many without */
  uint32_t count;
} contact_ladder;

static void free_ladder(contact_ladder* ladder) {
  for (uint32_t i = 0; i < ladder->count; ++i) bench_runner_free(&ladder->runs[i].runner);
  free(ladder->runs);
}

static bool make_ladder(const bench_plan* plan, const bench_contact_scene* scene,
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

static bool append(FILE* out, contact_ladder* ladder, bench_rows* results, tool_message* why) {
  bench_contact_row* rows = bench_rows_append(results, ladder->count, why);
  if (!rows) return false;
  for (uint32_t i = 0; i < ladder->count; ++i) bench_contact_fill(&ladder->runs[i], &rows[i]);
  const uint32_t half = ladder->count / 2;
  for (uint32_t i = 0; i < half; ++i) {
    rows[i].ratio_to_without = rows[i].of.step_ms.median / rows[half + i].of.step_ms.median;
  }
  // rows with contacts come first
  print_facts(out, &rows[0]);
  bench_rows_print(out, &time_table, rows, ladder->count);
  fputc('\n', out);
  print_stages(out, rows, ladder->count);
  fflush(out);
  return true;
}

static bool trace_worlds(const contact_ladder* ladder, uint32_t warmup, bench_session* session,
                         tool_message* why) {
  bool ok = true;
  for (uint32_t i = 0; ok && session->trace && i < ladder->count / 2; ++i) {
    bench_contact_run run = {.request = ladder->runs[i].request};
    bench_contact_request request = run.request;
    char name[192];
    snprintf(name, sizeof name, "%s, %s", ladder->runs[i].runner.label, weft_isa_name(request.isa));
    request.span_capacity = tool_span_capacity(request.threads);
    ok = bench_contact_create(&request, 1, &run, why);
    for (uint32_t s = 0; ok && s < warmup && !tool_interrupted(); ++s)
      bench_runner_step(&run.runner, false);
    ok = ok && bench_record(run.runner.world, name, session->output.trace_steps, session->trace,
                            NULL, why);
    bench_runner_free(&run.runner);
  }
  return ok;
}

bool bench_contact_throughput(const bench_plan* plan, bench_contact_kind kind, uint32_t iterations,
                              const bench_schedule* schedule, bench_session* session,
                              tool_message* why) {
  const bool quiet = session->output.quiet;
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    const bench_contact_scene scene = {kind, plan->scenes[i].sheet_size, 1};
    const size_t sample_count = (size_t)schedule->steps * schedule->repeats;
    contact_ladder ladder;
    tool_progress_note("building the scene ..", quiet);
    const bool made = make_ladder(plan, &scene, iterations, sample_count, &ladder, why);
    tool_progress_note("", quiet);
    const bench_turns turns = {.runners = ladder.runs,
                               .count = ladder.count,
                               .stride = sizeof *ladder.runs,
                               .schedule = *schedule,
                               .binding = &plan->binding,
                               .quiet = quiet};
    const bool ok = made && bench_take_turns(&turns, why) &&
                    append(session->tables, &ladder, &session->results, why) &&
                    trace_worlds(&ladder, schedule->warmup, session, why);
    free_ladder(&ladder);
    if (!ok || tool_interrupted()) return false;
  }
  return true;
}
