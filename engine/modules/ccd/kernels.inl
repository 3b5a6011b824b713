#include "modules/ccd/kernels.h"

#include "modules/ccd/feature_pairs.inl"
#include "modules/ccd/flatness.inl"
#include "modules/ccd/time_of_impact.inl"

static const weft__ccd_kernels ccd_kernels = {
    .bound_features = bound_features,
    .test_flatness = test_flatness,
    .list_feature_pairs = list_feature_pairs,
    .test_feature_pairs = test_feature_pairs,
};
