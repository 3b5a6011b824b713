/* Features of a cluster for the kernels that search for pairs. */
#ifndef WEFT_MODULES_CCD_FEATURES_H
#define WEFT_MODULES_CCD_FEATURES_H

#include "kernels/kernels.h"
#include "modules/ccd/clusters.h"
#include "modules/ccd/kernels.h"
#include "modules/ccd/positions.h"

/* Loads and bounds the features of `cluster` relative to the path of the first member of `origin`,
 * so that motion that is common to the clusters of a pair inflates no box. */
void weft__load_features(const weft__ccd_clusters* clusters, const weft__ccd_positions* positions,
                         const weft__kernels* kernels, uint32_t cluster, uint32_t origin,
                         weft__cluster_features* features);

#endif
