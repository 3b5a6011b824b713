#include "step/residual.h"

#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "parallel/step_context.h"

// Columns of a sum: vectors of any width add up the same columns.
#define COLUMNS 16u

static void layout(weft__residual* r, weft__arena* arena, size_t particles, size_t patches) {
  r->before_x = weft__arena_alloc(arena, particles, sizeof(float));
  r->before_y = weft__arena_alloc(arena, particles, sizeof(float));
  r->before_z = weft__arena_alloc(arena, particles, sizeof(float));
  r->sum_of_patch = weft__arena_alloc(arena, patches, sizeof(double));
  r->count_of_patch = weft__arena_alloc(arena, patches, sizeof(uint32_t));
}

bool weft__residual_create(weft__residual* residual, uint32_t particle_count,
                           uint32_t patch_count) {
  if (residual->tolerance == 0.0f) return true;
  for (weft__arena arena = {0}; weft__arena_next(&arena, &residual->block, &residual->bytes);) {
    layout(residual, &arena, particle_count, patch_count);
  }
  return residual->block != NULL;
}

void weft__residual_destroy(weft__residual* residual) {
  weft__free(residual->block);
  *residual = (weft__residual){0};
}

typedef struct residual_args {
  weft__residual* residual;
  const weft__step_context* step;
} residual_args;

// Adds the squared displacements along an axis to the columns.
static void add_axis(const float* restrict now, float* restrict before, uint32_t count,
                     float sums[restrict COLUMNS]) {
  uint32_t i = 0;
  for (; i + COLUMNS <= count; i += COLUMNS) {
    for (uint32_t k = 0; k < COLUMNS; ++k) {
      const float displacement = now[i + k] - before[i + k];
      sums[k] += displacement * displacement;
      before[i + k] = now[i + k];
    }
  }
  for (uint32_t k = 0; i < count; ++i, ++k) {
    const float displacement = now[i] - before[i];
    sums[k] += displacement * displacement;
    before[i] = now[i];
  }
}

static void measure_patch(residual_args* args, uint32_t patch) {
  weft__residual* r = args->residual;
  const weft__particles* p = args->step->particles;
  const uint32_t first = args->step->schedule->patch_first[patch];
  const uint32_t particles = args->step->schedule->patch_first[patch + 1] - first;
  float sums[COLUMNS] = {0.0f};
  add_axis(p->pos_x + first, r->before_x + first, particles, sums);
  add_axis(p->pos_y + first, r->before_y + first, particles, sums);
  add_axis(p->pos_z + first, r->before_z + first, particles, sums);
  uint32_t count = 0;
  for (uint32_t i = first; i < first + particles; ++i) count += p->inv_mass[i] > 0.0f;
  double sum = 0.0;
  for (uint32_t k = 0; k < COLUMNS; ++k) sum += (double)sums[k];
  r->sum_of_patch[patch] = sum;
  r->count_of_patch[patch] = count;
}

static void measure_patches(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  for (uint32_t p = patches.begin; p < patches.end; ++p) measure_patch(context, p);
}

void weft__residual_begin(weft__residual* residual, const weft__step_context* step) {
  residual_args args = {residual, step};
  weft__step_for_patches(step, measure_patches, &args);
}

static const weft__column sums[] = {
    WEFT__SENT(weft__residual, sum_of_patch),
    WEFT__SENT(weft__residual, count_of_patch),
};
static const weft__table sum_columns = WEFT__TABLE(sums);

float weft__residual_measure(weft__residual* residual, const weft__step_context* step) {
  weft__residual_begin(residual, step);
  weft__domain_gather(step->domain, WEFT__OWNED_PATCHES, &sum_columns, residual);
  double sum = 0.0;
  uint64_t count = 0;
  for (uint32_t patch = 0; patch < step->schedule->patch_count; ++patch) {
    sum += residual->sum_of_patch[patch];
    count += residual->count_of_patch[patch];
  }
  return count > 0 ? (float)sqrt(sum / (double)count) : 0.0f;
}
