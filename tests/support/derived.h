/* Derivatives of laid meshes by the planes that their blocks lie in, and what they say of windows:
 * in double precision, by the book, face by face. */
#ifndef TESTS_SUPPORT_DERIVED_H
#define TESTS_SUPPORT_DERIVED_H

#include "support/laid.h"

typedef float place[3]; /* metres, by particles */

/* Of a face, by the two axes of the plane of its block. */
void derive(const laid* l, place* at, uint32_t f, double by[2][3]);

/* From space to the plane: the inverse of a mean derivative, by least squares. */
typedef struct plane_map {
  double row[2][3];
  double angle; /* 0 to 1: 0 where what it is the inverse of is no plane */
  double norm;  /* no vector of length 1 becomes longer */
} plane_map;

/* Of the mean of all faces of a window, at the start and now. */
plane_map map_of_window(const laid* l, const weft__flatness_level* parts,
                        const weft__flat_region* window, place* start, place* now);

/* The least eigenvalue of the symmetric parts of the mapped derivatives of a window, and which way
 * it is. */
double least_of_window(const laid* l, const weft__flatness_level* parts,
                       const weft__flat_region* window, const plane_map* map, place* at,
                       double way[2]);

/* The most that a derivative of a window's faces changes from one place to another. */
double change_of(const laid* l, const weft__flatness_level* parts, const weft__flat_region* window,
                 place* from, place* to);

#endif
