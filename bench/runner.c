#include "runner.h"

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/must.h"
#include "scenes.h"

bool bench_runner_create(bench_runner* runner, size_t count, bool is_profiled, tool_message* why) {
  runner->is_profiled = is_profiled;
  bool ok = bench_samples_create(&runner->step_ms, count, why);
  if (!is_profiled) return ok;
  ok = ok && bench_samples_create(&runner->cpu_ms, count, why) &&
       bench_samples_create(&runner->contact_ms, count, why);
  for (int i = 0; ok && i < WEFT_STAGE_COUNT; ++i) {
    ok = bench_samples_create(&runner->stage_ms[i], count, why);
  }
  return ok;
}

void bench_runner_free(bench_runner* runner) {
  weft_world_destroy(&runner->world);
  bench_samples_free(&runner->step_ms);
  bench_samples_free(&runner->cpu_ms);
  bench_samples_free(&runner->contact_ms);
  for (int i = 0; i < WEFT_STAGE_COUNT; ++i) bench_samples_free(&runner->stage_ms[i]);
}

static bool is_of_contacts(int stage) {
  return (stage >= WEFT_STAGE_BROAD_PHASE && stage <= WEFT_STAGE_CCD) || stage == WEFT_STAGE_EVENTS;
}

static void add_stages(bench_runner* runner, const double before[WEFT_STAGE_COUNT]) {
  double after[WEFT_STAGE_COUNT], contact_ms = 0.0;
  tool_must(weft_world_get_profile(runner->world, after));
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    const double ms = 1e3 * (after[stage] - before[stage]);
    bench_samples_add(&runner->stage_ms[stage], ms);
    if (is_of_contacts(stage)) contact_ms += ms;
  }
  bench_samples_add(&runner->contact_ms, contact_ms);
}

void bench_runner_step(bench_runner* runner, bool is_timed) {
  double before[WEFT_STAGE_COUNT];
  is_timed = is_timed && runner->step_ms.count < runner->step_ms.capacity;
  const bool is_profiled = is_timed && runner->is_profiled;
  if (is_profiled) tool_must(weft_world_get_profile(runner->world, before));
  const double start_cpu_ns = is_profiled ? tool_processor_ns() : 0.0, start_ns = tool_clock_ns();
  if (runner->step) {
    runner->step(runner);
  } else {
    weft_world_step(runner->world, 1);
  }
  const double step_ns = tool_clock_ns() - start_ns;
  if (is_timed) bench_samples_add(&runner->step_ms, 1e-6 * step_ns);
  if (!is_profiled) return;
  bench_samples_add(&runner->cpu_ms, 1e-6 * (tool_processor_ns() - start_cpu_ns));
  add_stages(runner, before);
}

static bool take_steps(const bench_turns* turns, bench_runner* runner, bool is_timed,
                       tool_progress* progress, tool_message* why) {
  const uint32_t count = is_timed ? turns->schedule.steps : turns->schedule.warmup;
  for (uint32_t i = 0; i < count; ++i) {
    if (tool_interrupted()) return false;
    if (!turns->step) {
      bench_runner_step(runner, is_timed);
    } else if (!turns->step(runner, why)) {
      return false;
    }
    tool_progress_add(progress, turns->progress ? turns->units : 1, runner->label);
  }
  return true;
}

/* Turn -1 is the warm-up. */
static bool take_turn(const bench_turns* turns, bench_runner* runner, int64_t turn,
                      tool_progress* progress, tool_message* why) {
  if (turns->begin && turn >= 0) turns->begin(runner, (uint32_t)turn);
  if (turns->binding) bench_binding_enter(turns->binding);
  const bool ok = take_steps(turns, runner, turn >= 0, progress, why);
  if (turns->binding) bench_binding_leave(turns->binding);
  if (ok && turns->end && turn >= 0) turns->end(runner, (uint32_t)turn);
  return ok;
}

bool bench_take_turns(const bench_turns* turns, tool_message* why) {
  const bench_schedule* schedule = &turns->schedule;
  const uint64_t steps = schedule->warmup + (uint64_t)schedule->steps * schedule->repeats;
  tool_progress own = tool_progress_start(turns->count * steps, turns->quiet);
  tool_progress* progress = turns->progress ? turns->progress : &own;
  bool ok = true;
  for (int64_t turn = -1; turn < (int64_t)schedule->repeats; ++turn) {
    for (size_t i = 0; ok && i < turns->count; ++i) {
      bench_runner* runner = (void*)((char*)turns->runners + i * turns->stride);
      ok = take_turn(turns, runner, turn, progress, why);
    }
  }
  if (!turns->progress) tool_progress_end(&own);
  return ok;
}

void bench_write_threads(char cell[BENCH_MAX_CELL], const void* row) {
  const bench_facts* of = row;
  const uint32_t at_work = of->world.worker_count;
  snprintf(cell, BENCH_MAX_CELL, at_work == of->threads_asked ? "%u" : "%u of %u", at_work,
           of->threads_asked);
}

void bench_fill_facts(bench_runner* runner, bench_facts* facts) {
  facts->world = bench_stats_of(runner->world);
  tool_must(weft_world_get_contact_stats(runner->world, &facts->contacts));
  facts->lost = facts->contacts.lost_pairs + facts->contacts.lost_ccd_pairs;
  snprintf(facts->isa, sizeof facts->isa, "%s", weft_isa_name(facts->world.isa));
  facts->step_ms = bench_samples_times(&runner->step_ms);
  facts->state_hash = weft_world_hash(runner->world);
}
