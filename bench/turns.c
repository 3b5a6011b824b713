#include "turns.h"

#include "common/interrupt.h"

static bool take_steps(const bench_turns* turns, void* context, uint32_t world, bool is_timed,
                       tool_progress* progress, tool_message* why) {
  const bench_schedule* schedule = &turns->schedule;
  char label[BENCH_TURN_LABEL];
  turns->label(context, world, label);
  for (uint32_t i = 0; i < (is_timed ? schedule->steps : schedule->warmup); ++i) {
    if (tool_interrupted() || !turns->step(context, world, is_timed, why)) return false;
    tool_progress_add(progress, turns->progress ? turns->units : 1, label);
  }
  return true;
}

/* Turn -1 is the warm-up. */
static bool take_turn(const bench_turns* turns, void* context, uint32_t world, int64_t turn,
                      tool_progress* progress, tool_message* why) {
  if (turns->begin && turn >= 0) turns->begin(context, world, (uint32_t)turn);
  if (turns->binding) bench_binding_enter(turns->binding);
  const bool ok = take_steps(turns, context, world, turn >= 0, progress, why);
  if (turns->binding) bench_binding_leave(turns->binding);
  if (ok && turns->end && turn >= 0) turns->end(context, world, (uint32_t)turn);
  return ok;
}

bool bench_take_turns(const bench_turns* turns, void* context, tool_message* why) {
  const bench_schedule* schedule = &turns->schedule;
  const uint64_t steps = schedule->warmup + (uint64_t)schedule->steps * schedule->repeats;
  tool_progress own = tool_progress_start(turns->count * steps, turns->quiet);
  tool_progress* progress = turns->progress ? turns->progress : &own;
  bool ok = true;
  for (int64_t turn = -1; turn < (int64_t)schedule->repeats; ++turn) {
    for (uint32_t i = 0; ok && i < turns->count; ++i) {
      ok = take_turn(turns, context, i, turn, progress, why);
    }
  }
  if (!turns->progress) tool_progress_end(&own);
  return ok;
}
