/* The triple product, for volumes. */
#ifndef WEFT_BASE_TRIPLE_H
#define WEFT_BASE_TRIPLE_H

/* a . (b x c): six times the volume of the tetrahedron that they span. */
static inline double weft__triple(const double a[3], const double b[3], const double c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

#endif
