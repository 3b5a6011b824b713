/* How far segments are from each other and from triangles, found slowly. */
#ifndef TESTS_SUPPORT_NEAR_H
#define TESTS_SUPPORT_NEAR_H

typedef struct point {
  double x[3];
} point;

point point_of(const float* at);

/* The least distances, by searching along the first segment for the point that is nearest. */
double segment_to_segment(point a, point b, point c, point d);
double segment_to_triangle(point a, point b, const point triangle[3]);

#endif
