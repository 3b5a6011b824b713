#include "modules/multirate/multirate.h"

static bool create(void* state, const weft__build* build) {
  return weft__multirate_create(state, build);
}

static void destroy(void* state) {
  weft__multirate_destroy(state);
}

static bool is_on(const void* state) {
  return ((const weft__multirate*)state)->varies;
}

static void begin(void* state, weft__step_context* step) {
  weft__multirate_begin(state, step);
}

static void take(void* state, weft__step_context* step) {
  weft__multirate_take(state, step);
}

static void changed(void* state, const weft__change* change) {
  weft__multirate* multirate = state;
  if (!multirate->varies || change->kind != WEFT__CHANGE_EDITED) return;
  weft__multirate_raise(multirate, change->users);
}

const weft__stage weft__multirate_stage = {
    .name = "multirate",
    .profile = WEFT_STAGE_LINKS,
    .size = sizeof(weft__multirate),
    .bytes = offsetof(weft__multirate, bytes),
    .table = &weft__multirate_table,
    .serves = WEFT__SERVES_RATES,
    .create = create,
    .destroy = destroy,
    .is_on = is_on,
    .run = {[WEFT__PHASE_STEP] = begin, [WEFT__PHASE_BEGIN] = take},
    .writes = {[WEFT__PHASE_BEGIN] = WEFT__WRITES_MOVES | WEFT__WRITES(CARRIED)},
    .changed = changed,
};
