#include "edit/capsule.h"

#include "support/test.h"

TEST(the_surface_of_a_capsule_belongs_to_it) {
  const weft__capsule sphere = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.5};
  const weft__vec3 a = {0.5, -1.0, 0.0}, b = {0.5, 1.0, 0.0};
  ck_assert(weft__capsule_touches(&sphere, a, b));
  ck_assert(weft__capsule_touches(&sphere, a, (weft__vec3){0.5, 0.0, 0.0}));
  ck_assert(!weft__capsule_touches(&sphere, a, (weft__vec3){0.5, -1e-6, 0.0}));
  const double next = nextafter(0.5, 1.0);
  ck_assert(
      !weft__capsule_touches(&sphere, (weft__vec3){next, -1.0, 0.0}, (weft__vec3){next, 1.0, 0.0}));
}

TEST(what_is_no_number_touches_nothing) {
  const weft__capsule capsule = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 10.0};
  const weft__vec3 a = {NAN, 0.0, 0.0};
  ck_assert(!weft__capsule_touches(&capsule, a, (weft__vec3){0.0, 0.0, 0.0}));
}
