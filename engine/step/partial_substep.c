#include "step/partial_substep.h"

#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "step/profile.h"
#include "step/stage.h"
#include "step/step_size.h"

bool weft__partial_substeps_prepare(weft__partial_substeps* partial, uint32_t particle_count) {
  if (partial->block != NULL) return true;
  for (weft__arena arena = {0}; weft__arena_next(&arena, &partial->block, &partial->bytes);) {
    for (int axis = 0; axis < 3; ++axis) {
      partial->moved[axis] = weft__arena_alloc(&arena, particle_count, sizeof(float));
    }
  }
  if (partial->block == NULL) *partial = (weft__partial_substeps){0};
  return partial->block != NULL;
}

void weft__partial_substeps_destroy(weft__partial_substeps* partial) {
  weft__free(partial->block);
  *partial = (weft__partial_substeps){0};
}

typedef struct patch_args {
  weft__partial_substeps* partial;
  weft__step_context* step;
  void (*run)(const struct patch_args* t, int axis, weft__range own);
  float share;  // taken of a solved substep
} patch_args;

static void run_patches(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const patch_args* t = context;
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    const weft__range own = weft__step_particles(t->step, (weft__range){patch, patch + 1});
    if (weft__step_leaves_out(t->step, patch)) continue;
    for (int axis = 0; axis < 3; ++axis) t->run(t, axis, own);
  }
}

static void run_all(weft__partial_substeps* partial, weft__step_context* step,
                    void (*run)(const patch_args*, int, weft__range)) {
  weft__profile_begin_stage(step->profile, WEFT_STAGE_FORCES);
  patch_args t = {.partial = partial,
                  .step = step,
                  .run = run,
                  .share = (float)weft__step_size_share(step->physics)};
  weft__step_for_patches(step, run_patches, &t);
}

static void record(const patch_args* t, int axis, weft__range own) {
  const weft__particles* p = t->step->particles;
  float* moved = t->partial->moved[axis];
  for (uint32_t i = own.begin; i < own.end; ++i) {
    moved[i] = weft__displacement(p->pos[axis][i], p->prev[axis][i], p->carried[axis][i]);
  }
}

void weft__partial_substep_begin(weft__partial_substeps* partial, weft__step_context* step) {
  if (step->particles->velocity_block == NULL) run_all(partial, step, record);
}

// Sets a position by its displacement from the previous one; the rounding error is carried.
static void take(const patch_args* t, int axis, weft__range own) {
  weft__particles* p = t->step->particles;
  const weft__motion* motion = weft__step_motion(t->step, own.begin);
  float* moved = t->partial->moved[axis];
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (!(p->inv_mass[i] > 0.0f)) continue;
    const float previous = p->prev[axis][i];
    const float whole = p->pos[axis][i] - previous + p->carried[axis][i];
    moved[i] = moved[i] * motion->part_kept + (whole - moved[i] * motion->kept) * t->share;
    const float part = moved[i] * t->share;
    const float next = previous + part;
    p->pos[axis][i] = next;
    p->carried[axis][i] = part - (next - previous);
  }
}

void weft__partial_substep_take(weft__partial_substeps* partial, weft__step_context* step) {
  if (step->particles->velocity_block != NULL) {
    weft__stages_run(step->stages, WEFT__PHASE_SHARE, step);
  } else {
    run_all(partial, step, take);
  }
}

// Contacts have changed the displacement since.
static void stretch(const patch_args* t, int axis, weft__range own) {
  weft__particles* p = t->step->particles;
  const float* moved = t->partial->moved[axis];
  const float rate = 1.0f / t->share;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (!(p->inv_mass[i] > 0.0f)) continue;
    const float here = p->pos[axis][i];
    const float taken = moved[i] * t->share - p->carried[axis][i];
    const float changed = here - p->prev[axis][i] - taken;
    float whole = moved[i];
    if (weft__is_more_than_rounding(changed, here)) whole += changed * rate;
    const float previous = here - whole;
    p->prev[axis][i] = previous;
    p->carried[axis][i] = whole - (here - previous);
  }
}

static void stretch_by_velocity(const patch_args* t, int axis, weft__range own) {
  weft__particles* p = t->step->particles;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (!(p->inv_mass[i] > 0.0f)) continue;
    p->prev[axis][i] = p->pos[axis][i] - p->vel[axis][i] * t->step->solved_h;
  }
}

void weft__partial_substep_end(weft__partial_substeps* partial, weft__step_context* step) {
  run_all(partial, step, step->particles->velocity_block != NULL ? stretch_by_velocity : stretch);
}
