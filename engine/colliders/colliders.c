#include "colliders/colliders.h"

void weft__colliders_destroy(weft__colliders* colliders) {
  *colliders = (weft__colliders){0};
}

void weft__colliders_move(weft__colliders* colliders, const weft__contact_stage* stage) {
  (void)colliders;
  (void)stage;
}

void weft__colliders_hold(weft__colliders* colliders, const weft__contact_stage* stage) {
  (void)colliders;
  (void)stage;
}
