#include "impulses/impulses.h"

bool weft__impulses_prepare(weft__impulses* impulses, const weft__contact_setup* setup) {
  (void)impulses;
  (void)setup;
  return true;
}

void weft__impulses_destroy(weft__impulses* impulses) {
  *impulses = (weft__impulses){0};
}

void weft__impulses_find(weft__impulses* impulses, const weft__contact_stage* stage) {
  (void)impulses;
  (void)stage;
}

void weft__impulses_hold(weft__impulses* impulses, const weft__contact_stage* stage) {
  (void)impulses;
  (void)stage;
}
