/* Distances of segments from each other and from triangles: a slow reference. */
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

typedef struct point {
  double x[3];
} point;

point point_of(const float* at);

/* Least distance, by ternary search along the first segment. */
double segment_to_segment(point a, point b, point c, point d);
double segment_to_triangle(point a, point b, const point triangle[3]);

#endif
