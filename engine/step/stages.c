#include "step/stage.h"

#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/host.h"
#include "base/memory.h"
#include "schedule/freeze.h"
#include "step/profile.h"

#define ALIGNMENT 64u

#define DECLARE(stage) extern const weft__stage weft__##stage##_stage;
WEFT__STAGES(DECLARE)

#define ROW(stage) &weft__##stage##_stage,
const weft__stage* const weft__stages[WEFT__STAGE_COUNT + 1] = {WEFT__STAGES(ROW) NULL};

weft_result weft__stages_check(bool is_wanted, weft__service service, const char* field) {
  bool is_served = !is_wanted;
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s)
    is_served |= (weft__stages[s]->serves & service) != 0;
  WEFT__FAIL_IF(!is_served, WEFT_ERROR_UNSUPPORTED, field);
  return weft__ok();
}

static size_t rounded(size_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void list_runs(weft__stage_states* states) {
  _Static_assert(WEFT__STAGE_COUNT <= 32, "a mask has a bit for each stage");
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    for (uint32_t phase = 0; phase < WEFT__PHASE_COUNT; ++phase)
      states->runs[phase] |= weft__stages[s]->run[phase] != NULL ? 1u << s : 0u;
  }
}

bool weft__stages_allocate(weft__stage_states* states) {
  size_t size = 0;
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) size += rounded(weft__stages[s]->size);
  char* block = weft__alloc_zeroed(size > 0 ? size : 1, 1);
  if (block == NULL) return false;
  states->block = block;
  states->block_bytes = size;
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    states->of[s] = block;
    block += rounded(weft__stages[s]->size);
  }
  list_runs(states);
  return true;
}

bool weft__stages_claim(const weft__stage_states* states, const weft__build* build) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->claim != NULL && !stage->claim(states->of[s], build)) return false;
  }
  return true;
}

static bool claim_hinges(void* context, weft__schedule* schedule, const weft_scene* scene,
                         bool* is_solved) {
  const weft__stage_states* states = context;
  const weft__build build = {.scene = scene, .schedule = schedule, .solved_hinges = is_solved};
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->claim_hinges != NULL && !stage->claim_hinges(states->of[s], &build)) return false;
  }
  return true;
}

bool weft__stages_freeze(weft__stage_states* states, weft__schedule* schedule,
                         const weft_scene* scene) {
  return weft__freeze(schedule, scene, &(weft__hinge_claim){states, claim_hinges});
}

void weft__stages_visit_hinges(const weft__stage_states* states, weft__visit_hinge* visit,
                               void* context) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->visit_hinges != NULL)
      weft__stages[s]->visit_hinges(states->of[s], visit, context);
  }
}

bool weft__stages_create(const weft__stage_states* states, const weft__build* build) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->create != NULL && !stage->create(states->of[s], build)) return false;
  }
  return true;
}

bool weft__stages_prepare(const weft__stage_states* states, const weft__contact_setup* setup) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->prepare != NULL && !stage->prepare(states->of[s], setup)) return false;
  }
  return true;
}

bool weft__stages_prepare_last(const weft__stage_states* states, const weft__contact_setup* setup) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->prepare_last != NULL && !stage->prepare_last(states->of[s], setup)) return false;
  }
  return true;
}

void weft__stages_connect(const weft__stage_states* states, const weft__contact_setup* setup) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->connect != NULL) weft__stages[s]->connect(states->of[s], setup);
  }
}

const weft__faces* weft__stages_joined_faces(const weft__stage_states* states) {
  const weft__faces* faces = NULL;
  for (uint32_t s = 0; weft__stages[s] != NULL && faces == NULL; ++s) {
    if (weft__stages[s]->joined_faces != NULL) faces = weft__stages[s]->joined_faces(states->of[s]);
  }
  return faces;
}

const uint8_t* weft__stages_tangled(const weft__stage_states* states) {
  const uint8_t* tangled = NULL;
  for (uint32_t s = 0; weft__stages[s] != NULL && tangled == NULL; ++s) {
    if (weft__stages[s]->tangled != NULL) tangled = weft__stages[s]->tangled(states->of[s]);
  }
  return tangled;
}

bool weft__stages_start(const weft__stage_states* states, uint32_t worker_count) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->start != NULL && !stage->start(states->of[s], worker_count)) return false;
  }
  return true;
}

void weft__stages_destroy(weft__stage_states* states) {
  for (uint32_t s = 0; weft__stages[s] != NULL && states->block != NULL; ++s) {
    if (weft__stages[s]->destroy != NULL) weft__stages[s]->destroy(states->of[s]);
  }
  weft__free(states->block);
  *states = (weft__stage_states){0};
}

bool weft__stages_copy(weft__stage_states* copy, const weft__stage_states* from) {
  if (!weft__stages_allocate(copy)) return false;
  memcpy(copy->block, from->block, from->block_bytes);
  return true;
}

size_t weft__stages_bytes(const weft__stage_states* states) {
  size_t bytes = states->block_bytes;
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const size_t at = weft__stages[s]->bytes;
    if (at != 0) bytes += *(const size_t*)(const void*)((const char*)states->of[s] + at);
  }
  return bytes;
}

uint32_t weft__stages_useful_workers(const weft__stage_states* states) {
  uint32_t most = 0;
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->useful_workers == NULL) continue;
    const uint32_t useful = weft__stages[s]->useful_workers(states->of[s]);
    if (useful > most) most = useful;
  }
  return most;
}

static bool is_on(const weft__stage_states* states, uint32_t stage) {
  return weft__stages[stage]->is_on == NULL || weft__stages[stage]->is_on(states->of[stage]);
}

bool weft__stages_act(const weft__stage_states* states, weft__phase phase) {
  for (uint32_t left = states->runs[phase]; left != 0; left &= left - 1) {
    if (is_on(states, (uint32_t)__builtin_ctz(left))) return true;
  }
  return false;
}

static void fill_halo(const weft__halo_read* read, const weft__step_context* step) {
  if (read->rows != NULL) weft__domain_read(step->domain, read, step->particles);
}

static void finish(weft__step_context* step, uint32_t stage) {
  const weft__domain* domain = step->domain;
  if (domain->finish_stage != NULL) domain->finish_stage(domain->context, stage, step);
}

// ---- claims ----

#ifdef NDEBUG

static void run_stage(const weft__stage* stage, void* state, weft__phase phase,
                      weft__step_context* step) {
  stage->run[phase](state, step);
}

#else

enum { MAX_COLUMNS = 32 };

static void sum_columns(const weft__particles* particles, uint64_t sums[MAX_COLUMNS]) {
  WEFT__ASSERT(weft__particle_table.count <= MAX_COLUMNS);
  for (uint32_t c = 0; c < weft__particle_table.count; ++c) {
    const weft__column* column = &weft__particle_table.columns[c];
    weft__checksum sum = {0};
    for (uint32_t part = 0; part < column->parts; ++part) {
      weft__checksum_add_array(&sum, weft__column_array(particles, column, part),
                               weft__rows_of(particles, &column->used), column->size);
    }
    sums[c] = weft__checksum_value(&sum);
  }
}

static void run_stage(const weft__stage* stage, void* state, weft__phase phase,
                      weft__step_context* step) {
  uint64_t before[MAX_COLUMNS], after[MAX_COLUMNS];
  sum_columns(step->particles, before);
  stage->run[phase](state, step);
  sum_columns(step->particles, after);
  for (uint32_t c = 0; c < weft__particle_table.count; ++c) {
    if (after[c] == before[c] || (stage->writes[phase] >> c & 1u) != 0) continue;
    char text[96];
    snprintf(text, sizeof(text), "stage %s changes %s of particles in phase %d without a claim",
             stage->name, weft__particle_table.columns[c].name, (int)phase);
    weft__assert_failed(text, __FILE__, __LINE__);
  }
}

#endif

void weft__stages_run(const weft__stage_states* states, weft__phase phase,
                      weft__step_context* step) {
  for (uint32_t left = states->runs[phase]; left != 0; left &= left - 1) {
    const uint32_t s = (uint32_t)__builtin_ctz(left);
    if (!is_on(states, s)) continue;
    weft__profile_begin_stage(step->profile, weft__stages[s]->profile);
    if (step->domain != NULL) fill_halo(&weft__stages[s]->reads[phase], step);
    run_stage(weft__stages[s], states->of[s], phase, step);
    if (step->domain != NULL) finish(step, s);
  }
}

void weft__stages_changed(const weft__stage_states* states, const weft__change* change) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->changed != NULL) weft__stages[s]->changed(states->of[s], change);
  }
}

bool weft__stages_measure(const weft__stage_states* states, weft__measure* sums) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->measure != NULL && !weft__stages[s]->measure(states->of[s], sums)) {
      return false;
    }
  }
  return true;
}

void weft__stages_count(const weft__stage_states* states, weft_contact_stats* stats) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->count != NULL) weft__stages[s]->count(states->of[s], stats);
  }
}

uint64_t weft__stages_hash(const weft__stage_states* states, uint64_t hash) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->hash != NULL) hash = weft__stages[s]->hash(states->of[s], hash);
  }
  return hash;
}

bool weft__stages_prepare_edits(const weft__stage_states* states, const weft__schedule* schedule) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->links.prepare_edits != NULL && !stage->links.prepare_edits(states->of[s], schedule))
      return false;
  }
  return true;
}

weft_error weft__stages_check_edit(const weft__stage_states* states, const weft__link_edit* edit) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->links.check_edit == NULL) continue;
    const weft_error error = weft__stages[s]->links.check_edit(states->of[s], edit);
    if (error != WEFT_OK) return error;
  }
  return WEFT_OK;
}

bool weft__stages_edit(const weft__stage_states* states, const weft__link_edit* edit) {
  bool is_own = false;
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    if (weft__stages[s]->links.edit != NULL)
      is_own |= weft__stages[s]->links.edit(states->of[s], edit);
  }
  return is_own;
}

bool weft__stages_read_link(const weft__stage_states* states, weft__link_state* link) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__stage* stage = weft__stages[s];
    if (stage->links.read != NULL && stage->links.read(states->of[s], link)) return true;
  }
  return false;
}

const weft__attribute* weft__stages_attribute(weft_attribute id) {
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const weft__attribute* row = weft__stages[s]->attributes;
    for (; row != NULL && row->size > 0; ++row) {
      if (row->id == id) return row;
    }
  }
  return NULL;
}

uint32_t weft__stages_mover(const weft__stage_states* states) {
  uint32_t s = 0;
  while (weft__stages[s] != NULL &&
         (weft__stages[s]->move == NULL || !weft__stages[s]->is_on(states->of[s]))) {
    ++s;
  }
  return s;
}

void weft__wake(const weft__stage_states* states, uint32_t particle) {
  weft__stages_changed(states, &(weft__change){.kind = WEFT__CHANGE_WAKE, .particle = particle});
}

void weft__wake_all(const weft__stage_states* states) {
  weft__stages_changed(states, &(weft__change){.kind = WEFT__CHANGE_WAKE_ALL});
}

void weft__wake_near(const weft__stage_states* states, const weft__aabb* box) {
  weft__stages_changed(states, &(weft__change){.kind = WEFT__CHANGE_WAKE_NEAR, .box = box});
}

void weft__disturb(const weft__stage_states* states, uint32_t particle) {
  weft__stages_changed(states, &(weft__change){.kind = WEFT__CHANGE_DISTURB, .particle = particle});
}
