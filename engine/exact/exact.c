#include "exact/exact.h"

bool weft__exact_prepare(weft__exact* exact, const weft__contact_setup* setup) {
  (void)exact;
  (void)setup;
  return true;
}

void weft__exact_destroy(weft__exact* exact) {
  *exact = (weft__exact){0};
}

void weft__exact_find(weft__exact* exact, const weft__contact_stage* stage) {
  (void)exact;
  (void)stage;
}

void weft__exact_hold(weft__exact* exact, const weft__contact_stage* stage) {
  (void)exact;
  (void)stage;
}
