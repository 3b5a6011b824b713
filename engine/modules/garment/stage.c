#include "step/stage.h"
#include "kernels/kernels.h"
#include "modules/garment/skin.h"

#include "base/grain_size.h"

// Blocks in a piece of work: a microsecond.
#define GRAIN WEFT__GRAIN(16u, 1u)

typedef struct skin_job {
  const weft__skin* skin;
  const weft__step_context* step;
  const weft__skin_kernels* kernels;
  float left[2];  // shares of the step that are left at begin and end of the substep
} skin_job;

static void solve_blocks(void* context, weft__range blocks, uint32_t worker) {
  (void)worker;
  const skin_job* job = context;
  const weft__step_context* step = job->step;
  const uint32_t count = step->particles->count;
  for (uint32_t b = blocks.begin; b < blocks.end; ++b) {
    if (job->skin->uses[b] == 0) continue;
    const uint32_t begin = b * WEFT__SKIN_BLOCK;
    const uint32_t end = count - begin < WEFT__SKIN_BLOCK ? count : begin + WEFT__SKIN_BLOCK;
    job->kernels->solve(step->particles, job->skin, job->left, begin, end);
  }
}

// Applies the limits at the end of a substep, with targets at its share of the step.
static void solve(void* state, weft__step_context* step) {
  weft__skin* skin = state;
  const float all = (float)step->substeps;
  skin_job job = {.skin = skin,
                  .step = step,
                  .kernels = step->kernels->of_stage[WEFT__STAGE_SKIN],
                  .left = {(float)(step->substeps - step->substep) / all,
                           (float)(step->substeps - step->substep - 1) / all}};
  weft__step_for(step, skin->block_count, GRAIN, solve_blocks, &job);
  if (step->substep + 1 == step->substeps) skin->moves = false;
}

static bool is_on(const void* state) {
  return ((const weft__skin*)state)->on;
}

static bool add_memory(void* state, const weft__particles* particles) {
  return weft__skin_create(state, particles);
}

static void destroy(void* state) {
  weft__skin_destroy(state);
}

static void changed(void* state, const weft__change* change) {
  const weft__skin* skin = state;
  if (!skin->on || change->kind != WEFT__CHANGE_SUBSTEPS) return;
  for (uint32_t i = 0; i < skin->block_count * WEFT__SKIN_BLOCK; ++i) {
    if (skin->blend[i] > 0.0f)
      skin->kept[i] = weft__skin_kept(skin->blend[i], change->settings->substeps);
  }
}

const weft__stage weft__skin_stage = {
    .name = "skin",
    .profile = WEFT_STAGE_COLLIDERS,
    .size = sizeof(weft__skin),
    .bytes = offsetof(weft__skin, bytes),
    .table = &weft__skin_table,
    .attributes = weft__skin_attributes,
    .not_in_clusters = "WEFT_ATTRIBUTE_SKIN_LIMITS",
    .destroy = destroy,
    .is_on = is_on,
    .run = {[WEFT__PHASE_LIMITS] = solve},
    .writes = {[WEFT__PHASE_LIMITS] = WEFT__WRITES_MOVES},
    .changed = changed,
    .snapshots.has_memory = is_on,
    .snapshots.add_memory = add_memory,
};
