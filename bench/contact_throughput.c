#include "contact_throughput.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/interrupt.h"
#include "common/progress.h"
#include "recorded.h"

typedef struct contact_ladder {
  bench_contact_run* runs; /* [count]: with contacts, and then as many without */
  uint32_t count;
} contact_ladder;

static void free_ladder(contact_ladder* ladder) {
  for (uint32_t i = 0; i < ladder->count; ++i) bench_contact_free(&ladder->runs[i]);
  free(ladder->runs);
  *ladder = (contact_ladder){0};
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

static void label_run(const bench_contact_run* run, char* label, size_t room) {
  snprintf(label, room, "%s %u: %s contacts x%u", tool_contact_name(run->request.scene.kind),
           run->request.scene.size, run->request.with_contacts ? "with" : "without",
           run->request.threads);
}

/* One turn of each world; turn number -1 stands for the warm-up. */
static bool take_turns(const bench_schedule* schedule, int64_t turn, contact_ladder* ladder,
                       tool_progress* progress, tool_message* why) {
  for (uint32_t i = 0; i < ladder->count; ++i) {
    bench_contact_run* run = &ladder->runs[i];
    char label[128];
    label_run(run, label, sizeof label);
    const uint32_t steps = turn < 0 ? schedule->warmup : schedule->steps;
    for (uint32_t s = 0; s < steps; ++s) {
      if (tool_interrupted()) return false;
      if (turn < 0) {
        bench_contact_warm_up(run);
      } else if (!bench_contact_step(run, why)) {
        return false;
      }
      tool_progress_step(progress, label);
    }
  }
  return true;
}

static bool measure(const bench_schedule* schedule, const bench_binding* binding, bool quiet,
                    contact_ladder* ladder, tool_message* why) {
  const uint64_t steps_each =
      schedule->warmup + (uint64_t)schedule->steps * (uint64_t)schedule->repeats;
  tool_progress progress = tool_progress_start(steps_each * ladder->count, quiet);
  bool finished = true;
  bench_binding_enter(binding);
  for (int64_t turn = -1; finished && turn < (int64_t)schedule->repeats; ++turn) {
    finished = take_turns(schedule, turn, ladder, &progress, why);
  }
  bench_binding_leave(binding);
  tool_progress_end(&progress);
  return finished;
}

static bool append(FILE* tables, contact_ladder* ladder, bench_rows* results, tool_message* why) {
  bench_contact_row* rows = bench_rows_append(results, ladder->count, why);
  if (!rows) return false;
  for (uint32_t i = 0; i < ladder->count; ++i) {
    if (!bench_contact_fill(&ladder->runs[i], &rows[i], why)) return false;
  }
  const uint32_t half = ladder->count / 2;
  for (uint32_t i = 0; i < half; ++i) {
    rows[i].ratio_to_without = rows[i].step_ms_median / rows[half + i].step_ms_median;
  }
  bench_contact_print(tables, rows, ladder->count);
  fflush(tables);
  return true;
}

/* Records each world with contacts by itself, in steps that are not timed. */
static bool trace_worlds(const contact_ladder* ladder, uint32_t warmup, bench_session* session,
                         tool_message* why) {
  bool ok = true;
  for (uint32_t i = 0; ok && session->trace && i < ladder->count / 2; ++i) {
    bench_contact_run run = {.world = NULL};
    bench_contact_request request = ladder->runs[i].request;
    char label[128], name[192];
    label_run(&ladder->runs[i], label, sizeof label);
    snprintf(name, sizeof name, "%s, %s", label, weft_isa_name(request.isa));
    request.span_capacity = tool_span_capacity(request.threads);
    ok = bench_contact_create(&request, 1, &run, why);
    for (uint32_t s = 0; ok && s < warmup && !tool_interrupted(); ++s) bench_contact_warm_up(&run);
    ok = ok && bench_record(run.world, name, session->trace_steps, session->trace, NULL, why);
    bench_contact_free(&run);
  }
  return ok;
}

bool bench_contact_throughput(const bench_plan* plan, tool_contact_kind kind, uint32_t iterations,
                              const bench_schedule* schedule, bench_session* session,
                              tool_message* why) {
  for (uint32_t i = 0; i < plan->scene_count; ++i) {
    const tool_contact_scene scene = tool_usual_contact_scene(kind, plan->scenes[i].sheet_size);
    const size_t sample_count = (size_t)schedule->steps * schedule->repeats;
    contact_ladder ladder;
    tool_progress_note("building the scene ..", session->quiet);
    const bool made = make_ladder(plan, &scene, iterations, sample_count, &ladder, why);
    tool_progress_note("", session->quiet);
    const bool ok = made && measure(schedule, &plan->binding, session->quiet, &ladder, why) &&
                    append(session->tables, &ladder, &session->results, why) &&
                    trace_worlds(&ladder, schedule->warmup, session, why);
    free_ladder(&ladder);
    if (!ok || tool_interrupted()) return false;
  }
  return true;
}
