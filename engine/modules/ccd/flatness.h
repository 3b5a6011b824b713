/* Flatness certificates: cull self-collision of adjacent cloth that is nearly flat (the role of
 * normal cones in Volino, Magnenat-Thalmann 1994, "Efficient self-collision detection on smoothly
 * discretized surface animations using geometrical shape regularity").
 *
 * A flat region is the faces that cover the convex hull of two adjacent clusters in their rest
 * plane, and the clusters of these faces, its parts. The rest plane is spanned by two coordinate
 * axes, at positions in the scene. Current positions are a function f of the
 * position in that plane, linear on each face, with a derivative D (3 x 2) on each face.
 *
 *   Theorem. Let P be a linear map from space to the plane. If the symmetric part of P D is
 *   positive definite on each face of a region, no two points of the hull coincide.
 *   Proof. On the segment from x to y, which is in the hull, P f changes by P D (y - x), so that
 *   (y - x) . (P f(y) - P f(x)) > 0, and f(x) is not f(y): a strictly monotone map is injective. []
 *
 * A certificate that holds at the start and at the end of a pass holds in between, as derivatives
 * of straight paths interpolate linearly and positive definite matrices form a convex cone. P is
 * the least-squares inverse of the mean derivative of the region. Where a face fails, as in a sharp
 * crease beside more cloth on one side than on the other, P is corrected for it once, by a step of
 * the perceptron, which finds a P if there is one (Rosenblatt 1958, "The perceptron"; v . P D v > 0
 * for all v is a set of linear inequalities of P). The certificate stays valid while no derivative
 * changes by more than its smallest eigenvalue over the norm of P. */
#ifndef WEFT_MODULES_CCD_FLATNESS_H
#define WEFT_MODULES_CCD_FLATNESS_H

#include "base/columns.h"
#include "kernels/kernels.h"
#include "modules/ccd/clusters.h"
#include "modules/ccd/positions.h"

/* Regions of a cluster: with itself, and with later clusters that share a particle. */
#define WEFT__FLAT_MAX_REGIONS 8u
/* Clusters of a region. */
#define WEFT__FLAT_MAX_PARTS 10u
/* A region that failed n tests in a row is tested again after 2^n passes, n up to this: in crumpled
 * cloth nearly all fail. */
#define WEFT__FLAT_MAX_FAILURES 4u
/* Clusters in all regions of a cluster. */
#define WEFT__FLAT_MAX_SURROUNDING 16u

/* Mean derivative of a cluster's faces. */
typedef struct weft__ccd_frame {
  float mean[2][3]; /* by the first and by the second axis of its plane */
} weft__ccd_frame;

typedef struct weft__flat_region {
  double valid_until; /* sum of the bends of its parts that keeps it certified */
  uint32_t other;     /* the second of the two clusters */
  uint32_t retry;     /* pass from which on it is worth a test again */
  uint32_t failures;  /* in a row, up to WEFT__FLAT_MAX_FAILURES */
  uint32_t count;
  uint32_t part[WEFT__FLAT_MAX_PARTS];
  uint16_t faces[WEFT__FLAT_MAX_PARTS]; /* bit masks of the faces of a part that meet the hull */
  uint32_t unused;                      /* 0: see weft__archive_value() */
} weft__flat_region;

typedef struct weft__flatness {
  uint32_t cluster_count; /* face clusters */
  const weft__kernels* kernels;
  uint8_t* axis;     /* across the plane [cluster] */
  float* inverse[4]; /* 1 / metre: inverse matrix of two edges in the plane [face] */
  /* Derivatives by the first and by the second axis of the plane, xyz [face, padded to clusters] */
  float* start[2][3]; /* when the pass began */
  float* now[2][3];
  /* Bounds on the difference of stored derivatives and true ones [cluster] */
  float* start_drift;
  float* now_drift;
  uint8_t* is_wanted;           /* recompute derivatives at the next update [cluster] */
  uint8_t* is_new;              /* derivatives were recomputed in this pass [cluster] */
  weft__ccd_frame* start_frame; /* when the pass began [cluster] */
  weft__ccd_frame* now_frame;   /* [cluster] */
  float* rate;           /* 1 / metre: bound on change of derivatives by displacement [cluster] */
  uint8_t* region_count; /* [cluster] */
  weft__flat_region (*regions)[WEFT__FLAT_MAX_REGIONS]; /* [cluster] */
  uint8_t* surrounding_count; /* clusters in its regions; 0 = too many to list [cluster] */
  uint32_t (*surrounding)[WEFT__FLAT_MAX_SURROUNDING];
  void* block;
} weft__flatness;

extern const weft__table weft__flatness_table;

/* Chooses the rest plane of a cluster and inverts its faces in it. */
void weft__flatness_choose_plane(const weft__flatness* flatness, const weft__ccd_clusters* clusters,
                                 const weft__faces* faces, uint32_t cluster);

/* Builds the regions of a cluster; all planes must have been chosen. A cluster without region is
 * never certified. */
void weft__flatness_build_regions(const weft__flatness* flatness,
                                  const weft__ccd_clusters* clusters, const weft__face_edges* mesh,
                                  const weft__faces* faces, uint32_t cluster);

/* Invalidates the certificates of a cluster, as if its regions had been built again. */
void weft__flatness_reset_regions(const weft__flatness* flatness, uint32_t cluster);

/* Updates the derivatives of a cluster from `at`, positions by member, after relative displacements
 * of up to `displacement` metres; returns a bound on the change of a face's derivative. After small
 * displacements only the bound is accumulated. */
float weft__flatness_update(const weft__flatness* flatness, const weft__ccd_clusters* clusters,
                            float* const* at, uint32_t cluster, float displacement);

/* Begins a pass: now becomes start. */
void weft__flatness_begin_pass(const weft__flatness* flatness, uint32_t cluster);

/* Region of two clusters; NULL if there is none. */
weft__flat_region* weft__flatness_region(const weft__flatness* flatness, uint32_t a, uint32_t b);

/* True if a region is certified free of self-collision in this pass, by the P of `test`, which is
 * set; then it stays so while no derivative changes by more than *slack. If not, *slack is infinite
 * where exact derivatives, which the next update has, could change that, else 0. */
bool weft__flatness_certifies(const weft__flatness* flatness, const weft__flat_region* region,
                              weft__flatness_test* test, float* slack);

#endif
