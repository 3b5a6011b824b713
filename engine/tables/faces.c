#include "tables/faces.h"

#include <math.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "base/sort.h"

void weft__faces_destroy(weft__faces* faces) {
  weft__free(faces->block);
  *faces = (weft__faces){0};
}

static int corner_count(const weft__faces* faces, uint32_t face) {
  return face < faces->count - faces->strand_count ? 3 : 2;
}

void weft__faces_list_uses(const weft__faces* faces, uint32_t particle_count) {
  uint32_t* first = faces->first_use;
  for (uint32_t f = 0; f < faces->count; ++f) {
    for (int k = 0; k < corner_count(faces, f); ++k) ++first[faces->corner[f][k] + 2];
  }
  (void)weft__sum_buckets(first, particle_count);
  for (uint32_t f = 0; f < faces->count; ++f) {
    for (int k = 0; k < corner_count(faces, f); ++k)
      faces->use[first[faces->corner[f][k] + 1]++] = f;
  }
}

static float length_sq(const float v[3]) {
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

float weft__face_range(const weft__faces* faces, uint32_t face) {
  const uint32_t* corner = faces->corner[face];
  float edge[3][3];
  float longest_sq = 0.0f;
  float product_sq = 1.0f;
  for (int k = 0; k < 3; ++k) {
    for (int axis = 0; axis < 3; ++axis)
      edge[k][axis] = faces->place[axis][corner[(k + 1) % 3]] - faces->place[axis][corner[k]];
    longest_sq = weft__maxf(longest_sq, length_sq(edge[k]));
    product_sq *= length_sq(edge[k]);
  }
  const float normal[3] = {edge[0][1] * edge[1][2] - edge[0][2] * edge[1][1],
                           edge[0][2] * edge[1][0] - edge[0][0] * edge[1][2],
                           edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0]};
  const float circle_sq = product_sq / (4.0f * length_sq(normal));
  return sqrtf(weft__minf(circle_sq, longest_sq / 3.0f));
}
