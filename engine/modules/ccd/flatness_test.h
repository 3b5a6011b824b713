/* Test of a flat region's derivatives, for kernels: see modules/ccd/flatness.h. */
#ifndef WEFT_MODULES_CCD_FLATNESS_TEST_H
#define WEFT_MODULES_CCD_FLATNESS_TEST_H

#include <stdint.h>

#define WEFT__CLUSTER_FACES 16u

/* Ends of a pass, in the order in which they are tested. */
enum { WEFT__FLAT_NOW = 0, WEFT__FLAT_START = 1 };

typedef struct weft__flatness_test {
  float row[2][3];         /* P, the linear map from space to the plane */
  float norm;              /* operator norm of P, rounded up */
  float min_eigenvalue;    /* smallest one that is certified, without drift */
  uint32_t count;          /* clusters of the region */
  const uint32_t* cluster; /* [count] */
  const uint16_t* faces;   /* bit masks of the faces of a cluster that are tested [count] */
  /* by end: derivatives D by axis of the plane, xyz [face], and bounds on their drift [cluster] */
  float* const (*by[2])[3];
  const float* drift[2];
  /* results where a cluster fails */
  int failed_end;
  uint32_t failed_face; /* with the smallest eigenvalue of that cluster */
} weft__flatness_test;

#endif
