#include "tables/faces.h"

#include <stdlib.h>

void weft__faces_destroy(weft__faces* faces) {
  free(faces->block);
  *faces = (weft__faces){0};
}
