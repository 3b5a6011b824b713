/* Stage of continuous collision detection. */
#include "step/stage.h"

#include "modules/ccd/ccd.h"
#include "step/contacts.h"
#include "step/profile.h"

static void destroy(void* state) {
  weft__ccd_destroy(state);
}

static bool is_on(const void* state) {
  return ((const weft__ccd*)state)->on;
}

static void begin_step(void* state, weft__step_context* step) {
  weft__ccd_begin_step(state, step);
}

static void untangle(void* state, weft__step_context* step) {
  if (weft__ccd_is_untangling(state)) weft__ccd_untangle(state, step);
}

// Colliders and bounds again, within a pass.
static void push_out(void* context, weft__step_context* step) {
  (void)context;
  weft__contacts_push_out(step);
  weft__profile_begin_stage(step->profile, WEFT_STAGE_CCD);
}

static void confirm(void* state, weft__step_context* step) {
  weft__ccd_end_substep(state, step, step->colliders->count > 0 ? push_out : NULL, NULL);
}

static bool prepare(void* state, const weft__contact_setup* setup) {
  return weft__ccd_prepare(state, setup);
}

static void connect(void* state, const weft__contact_setup* setup) {
  weft__ccd* ccd = state;
  ccd->faces = ccd->joined_faces != NULL ? ccd->joined_faces : setup->faces;
}

static void changed(void* state, const weft__change* change) {
  weft__ccd* ccd = state;
  if (change->kind == WEFT__CHANGE_REST) ccd->is_stale = true;
  if (change->kind == WEFT__CHANGE_MATERIALS)
    weft__ccd_name_particles(ccd, change->setup, change->pool, change->count);
}

static const weft__faces* joined_faces(const void* state) {
  return ((const weft__ccd*)state)->joined_faces;
}

static const uint8_t* tangled(const void* state) {
  return weft__ccd_tangled(state);
}

static void count(const void* state, weft_contact_stats* stats) {
  const weft__ccd* ccd = state;
  stats->ccd_pairs = ccd->pair_count;
  stats->ccd_hits = ccd->hit_count;
  stats->ccd_tests = ccd->test_count;
  stats->ccd_crossed = ccd->tangled_count;
  stats->crossings = ccd->on ? ccd->tangles.crossing_count : 0;
  stats->crossings_found = ccd->tangles.found_count;
  stats->crossings_resolved = ccd->tangles.resolved_count;
  stats->ccd_over_budget = ccd->over_budget_count;
  stats->ccd_rounds = ccd->round_count;
  stats->ccd_rollbacks = ccd->rollback_count;
  stats->ccd_stuck = ccd->on ? ccd->stuck_count : 0;
  stats->lost_ccd_pairs = ccd->lost;
}

static void visit(void* state, weft__archive* archive, const weft__contact_setup* setup) {
  weft__ccd_visit(state, archive, setup);
}

static void discard(void* unwanted, const void* kept) {
  weft__ccd* ccd = unwanted;
  if (ccd->block != ((const weft__ccd*)kept)->block) weft__ccd_destroy(ccd);
}

const weft__stage weft__ccd_stage = {
    .name = "ccd",
    .serves = WEFT__SERVES_CCD,
    .profile = WEFT_STAGE_CCD,
    .size = sizeof(weft__ccd),
    .bytes = offsetof(weft__ccd, bytes),
    .table = &weft__ccd_table,
    .destroy = destroy,
    .is_on = is_on,
    .run = {[WEFT__PHASE_BROAD] = begin_step,
            [WEFT__PHASE_UNTANGLE] = untangle,
            [WEFT__PHASE_CONFIRM] = confirm},
    .writes = {[WEFT__PHASE_UNTANGLE] = WEFT__WRITES_MOVES,
               [WEFT__PHASE_CONFIRM] = WEFT__WRITES_MOVES | WEFT__WRITES(VEL) | WEFT__WRITES(SPIN)},
    .changed = changed,
    .count = count,
    .prepare = prepare,
    .connect = connect,
    .joined_faces = joined_faces,
    .tangled = tangled,
    .snapshots.visit = visit,
    .snapshots.discard = discard,
    .snapshots.has_pairs = true,
};
