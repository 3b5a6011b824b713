/* Tests of feature pairs for a time of impact, in lanes: see modules/ccd/time_of_impact.inl. */
#include "modules/ccd/ccd_steps.h"
#include "modules/ccd/kernels.h"

static float gap_of(const weft__materials* materials, const weft__ccd_pair_test* test) {
  const float gap = WEFT__CCD_GAP * test->size;
  if ((test->pair->a & WEFT__EDGE_EDGE_PAIR) != 0) return gap;
  return gap + weft__ccd_radius(weft__material_of(materials, test->pair->a));
}

static void load_lane(const weft__ccd* ccd, const weft__particles* particles,
                      const weft__ccd_pair_test* test, uint32_t lane, weft__toi_batch* batch) {
  uint32_t particle[4];
  (void)weft__ccd_pair_particles(ccd, test->pair, particle);
  const float* now[3] = {particles->pos_x, particles->pos_y, particles->pos_z};
  for (int k = 0; k < 4; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      batch->start[k][axis][lane] = ccd->start[axis][particle[k]];
      batch->now[k][axis][lane] = now[axis][particle[k]];
    }
  }
  batch->gap[lane] = test->gap;
  batch->may_hit |= (uint32_t)test->may_hit << lane;
}

static void take_lane(const weft__toi_batch* batch, uint32_t lane, weft__ccd_pair_test* test) {
  test->slack = batch->bound[lane] - (double)test->gap;
  test->distance = (float)batch->distance[lane];
  test->hits = (batch->hits >> lane & 1u) != 0;
  if (!test->hits) return;
  test->resolution = (float)batch->resolution[lane];
  for (int axis = 0; axis < 3; ++axis) test->normal[axis] = (float)batch->normal[axis][lane];
  for (int k = 0; k < 4; ++k) test->weight[k] = (float)batch->weight[k][lane];
}

// Tests up to WEFT__TOI_LANES pairs of one kind.
static void test_batch(const weft__step_context* step, weft__ccd_pair_test* const* tests,
                       weft__toi_batch* batch) {
  weft__ccd_kernels_of(step->kernels)->test_feature_pairs(batch);
  for (uint32_t lane = 0; lane < batch->count; ++lane) take_lane(batch, lane, tests[lane]);
  batch->count = batch->may_hit = 0;
}

void weft__ccd_test_pairs(const weft__ccd* ccd, const weft__step_context* step,
                          weft__ccd_pair_test* tests, uint32_t count) {
  weft__toi_batch batch = {.count = 0};
  for (batch.first_count = 1; batch.first_count <= 2; ++batch.first_count) {
    weft__ccd_pair_test* of_lane[WEFT__TOI_LANES];
    for (uint32_t n = 0; n < count; ++n) {
      weft__ccd_pair_test* test = &tests[n];
      const bool is_edges = (test->pair->a & WEFT__EDGE_EDGE_PAIR) != 0;
      if (is_edges != (batch.first_count == 2)) continue;
      test->gap = gap_of(step->materials, test);
      load_lane(ccd, step->particles, test, batch.count, &batch);
      of_lane[batch.count++] = test;
      if (batch.count == WEFT__TOI_LANES) test_batch(step, of_lane, &batch);
    }
    if (batch.count > 0) test_batch(step, of_lane, &batch);
  }
}
