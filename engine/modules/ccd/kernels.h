/* Kernels of CCD. */
#ifndef WEFT_MODULES_CCD_KERNELS_H
#define WEFT_MODULES_CCD_KERNELS_H

#include "kernels/kernels.h"
#include "modules/ccd/feature_pairs.h"
#include "modules/ccd/flatness_test.h"
#include "modules/ccd/toi_batch.h"

typedef struct weft__ccd_kernels {
  /* Loads a cluster relative to the path of a particle, and bounds its features. */
  void (*bound_features)(weft__cluster_features* cluster, const float from[3], const float to[3]);

  /* Smallest eigenvalue of a flat region now, above the bounds on rounding and drift; negative if a
   * cluster fails at either end of the pass, and then its worst face. */
  float (*test_flatness)(weft__flatness_test* test);

  /* Lists the feature pairs of two clusters that share no particle and may come within reach of
   * each other on their paths: all that do, and few others. */
  void (*list_feature_pairs)(weft__feature_search* search);

  /* Bounds the distance of feature pairs on their paths, and finds those that come closer than
   * their gaps. */
  void (*test_feature_pairs)(weft__toi_batch* batch);
} weft__ccd_kernels;

static inline const weft__ccd_kernels* weft__ccd_kernels_of(const weft__kernels* kernels) {
  return kernels->of_stage[WEFT__STAGE_CCD];
}

#endif
