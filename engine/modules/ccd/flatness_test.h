/* Test of a flat region's derivatives, for kernels: see modules/ccd/flatness.h. */
#ifndef WEFT_MODULES_CCD_FLATNESS_TEST_H
#define WEFT_MODULES_CCD_FLATNESS_TEST_H

#include <stdint.h>

#define WEFT__CLUSTER_FACES 16u

/* Ends of a pass, as tested. */
enum { WEFT__FLAT_NOW = 0, WEFT__FLAT_START = 1 };

typedef struct weft__flatness_test {
  float row[2][3];      /* P, from space to the plane */
  float norm;           /* operator norm, rounded up */
  float min_eigenvalue; /* certified without drift */
  uint32_t count;
  const uint32_t* cluster; /* [count] */
  const uint16_t* faces;   /* tested faces of a cluster, a bit each [count] */
  /* by end: derivatives D by axis of the plane, xyz [face], and bounds on their drift [cluster] */
  float* const (*by[2])[3];
  const float* drift[2];
  int failed_end;
  uint32_t failed_face;
} weft__flatness_test;

#endif
