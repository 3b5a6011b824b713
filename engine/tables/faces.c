#include "tables/faces.h"

#include "base/memory.h"
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
