#include "step/skin.h"

#include "base/grain_size.h"

// Blocks in a piece of work: a microsecond.
#define GRAIN WEFT__GRAIN(16u, 1u)

typedef struct skin_job {
  const weft__skin* skin;
  const weft__step_context* step;
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
    step->kernels->solve_skin(step->particles, job->skin, job->left, begin, end);
  }
}

void weft__skin_solve(weft__skin* skin, const weft__step_context* step) {
  const float all = (float)step->substeps;
  skin_job job = {.skin = skin,
                  .step = step,
                  .left = {(float)(step->substeps - step->substep) / all,
                           (float)(step->substeps - step->substep - 1) / all}};
  weft__step_for(step, skin->block_count, GRAIN, solve_blocks, &job);
  if (step->substep + 1 == step->substeps) skin->moves = false;
}
