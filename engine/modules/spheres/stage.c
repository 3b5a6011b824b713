#include "step/stage.h"

#include "modules/spheres/particle_contacts.h"
#include "modules/spheres/rotation.h"

typedef struct turning {
  const weft__particles* particles;
} turning;

static bool create_turning(void* state, const weft__build* build) {
  ((turning*)state)->particles = build->particles;
  return true;
}

static bool turns(const void* state) {
  return ((const turning*)state)->particles->rotation_block != NULL;
}

static void damp(void* state, weft__step_context* step) {
  (void)state;
  weft__rotation_begin(step);
}

static void rotate(void* state, weft__step_context* step) {
  (void)state;
  weft__rotation_end(step);
}

const weft__stage weft__turning_stage = {
    .name = "turning",
    .profile = WEFT_STAGE_PARTICLE_CONTACTS,
    .size = sizeof(turning),
    .create = create_turning,
    .is_on = turns,
    .run = {[WEFT__PHASE_BEGIN] = damp, [WEFT__PHASE_END] = rotate},
    .writes = {[WEFT__PHASE_BEGIN] = WEFT__WRITES(SPIN), [WEFT__PHASE_END] = WEFT__WRITES(TURN)},
    .attributes = weft__rotation_attributes,
};

static void destroy(void* state) {
  weft__particle_contacts_destroy(state);
}

static bool is_on(const void* state) {
  return ((const weft__particle_contacts*)state)->on;
}

static void find(void* state, weft__step_context* step) {
  weft__particle_contacts_find(state, step);
}

static void solve(void* state, weft__step_context* step) {
  weft__particle_contacts_solve(state, step);
}

// Bodies that grow forget their pairs.
static bool prepare(void* state, const weft__contact_setup* setup) {
  return weft__particle_contacts_prepare(state, setup);
}

static void changed(void* state, const weft__change* change) {
  weft__particle_contacts* contacts = state;
  if (change->kind == WEFT__CHANGE_PLACED)
    weft__particle_contacts_forget(contacts, change->particle);
  if (change->kind == WEFT__CHANGE_PAIRS || change->kind == WEFT__CHANGE_REST)
    contacts->is_listed = false;
}

static void count(const void* state, weft_contact_stats* stats) {
  const weft__particle_contacts* contacts = state;
  stats->particle_pairs = contacts->pair_count;
  stats->particle_colors = contacts->color_count;
  stats->lost_pairs += contacts->lost;
}

static void visit(void* state, weft__archive* archive, const weft__contact_setup* setup) {
  (void)setup;
  weft__particle_contacts_visit(state, archive);
}

static void discard(void* unwanted, const void* kept) {
  weft__particle_contacts* contacts = unwanted;
  if (contacts->block != ((const weft__particle_contacts*)kept)->block)
    weft__particle_contacts_destroy(contacts);
}

const weft__stage weft__bodies_stage = {
    .name = "bodies",
    .serves = WEFT__SERVES_BODIES,
    .profile = WEFT_STAGE_PARTICLE_CONTACTS,
    .size = sizeof(weft__particle_contacts),
    .bytes = offsetof(weft__particle_contacts, bytes),
    .table = &weft__particle_contacts_table,
    .destroy = destroy,
    .is_on = is_on,
    .run = {[WEFT__PHASE_BROAD] = find, [WEFT__PHASE_CONTACTS] = solve},
    .writes = {[WEFT__PHASE_CONTACTS] = WEFT__WRITES_MOVES | WEFT__WRITES(SPIN)},
    .changed = changed,
    .count = count,
    .prepare_last = prepare,
    .snapshots.visit = visit,
    .snapshots.discard = discard,
    .snapshots.has_pairs = true,
};
