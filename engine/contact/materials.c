#include "contact/materials.h"

void weft__materials_destroy(weft__materials* materials) {
  *materials = (weft__materials){0};
}
