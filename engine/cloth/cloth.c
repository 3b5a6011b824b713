#include "cloth/cloth.h"

bool weft__cloth_prepare(weft__cloth* cloth, const weft__contact_setup* setup) {
  (void)cloth;
  (void)setup;
  return true;
}

void weft__cloth_destroy(weft__cloth* cloth) {
  *cloth = (weft__cloth){0};
}

void weft__cloth_find(weft__cloth* cloth, const weft__contact_stage* stage) {
  (void)cloth;
  (void)stage;
}

void weft__cloth_hold(weft__cloth* cloth, const weft__contact_stage* stage) {
  (void)cloth;
  (void)stage;
}
