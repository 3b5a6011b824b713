#include "tables/faces.h"

#include "base/memory.h"

void weft__faces_destroy(weft__faces* faces) {
  weft__free(faces->block);
  *faces = (weft__faces){0};
}
