/* Deformation gradients of laid meshes, in the planes of their clusters, and flatness of regions
 * computed from them: a double-precision reference, face by face. */
#ifndef TESTS_SUPPORT_DERIVED_H
#define TESTS_SUPPORT_DERIVED_H

#include "support/laid.h"

typedef float place[3]; /* metres, one per particle */

/* Deformation gradient of a face, in the axes of its cluster's plane. */
void derive(const laid* l, place* at, uint32_t f, double by[2][3]);

/* Map from space to the plane: the pseudo-inverse of a mean derivative, by least squares. */
typedef struct plane_map {
  double row[2][3];
  double angle; /* 0 to 1: squared sine of the angle of the mean axes; 0 = no plane */
  double norm;  /* Frobenius norm, an upper bound of the spectral norm */
} plane_map;

/* Map of the mean derivative of all faces of a region, over the start and the current positions. */
plane_map map_of_region(const laid* l, const weft__flat_region* region, place* start, place* now);

/* Certificate of a region by the engine; requires the same of every instruction set. */
bool certify_region(const laid* l, const weft__flat_region* region, weft__flatness_test* test,
                    float* slack);

/* Map of a certificate. */
plane_map map_of_test(const weft__flatness_test* test);

/* True if the k-th face of the n-th part of a region meets its hull. */
bool is_in_region(const weft__flat_region* region, uint32_t n, uint32_t k);

/* Least eigenvalue of the symmetric parts of the mapped derivatives of the faces of a region
 * that meet its hull, and its eigenvector. */
double lowest_of_region(const laid* l, const weft__flat_region* region, const plane_map* map,
                        place* at, double vector[2]);

/* Largest change of a derivative of a region's faces between two sets of positions. */
double change_of(const laid* l, const weft__flat_region* region, place* from, place* to);

#endif
