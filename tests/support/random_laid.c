#include "support/random_laid.h"

#include <math.h>

#include "support/made.h"

// random faces that share vertices; edges may have many faces
static mesh_shape random_soup(random_source* random) {
  mesh_shape made = new_lattice(random, 6, 6, SPACING);
  for (uint32_t f = 0; f < made.face_count; ++f) {
    uint32_t* corner = made.face[f];
    corner[0] = random_below(random, made.vertex_count - 2);
    corner[1] = random_from(random, corner[0] + 1, made.vertex_count - 2);
    corner[2] = random_from(random, corner[1] + 1, made.vertex_count - 1);
  }
  return made;
}

static mesh_shape random_mesh(random_source* random) {
  mesh_shape made;
  switch (random_below(random, 5)) {
    case 0:
      made = new_icosphere(random_below(random, 3), 0.1f);
      break;
    case 1:
      made = new_moebius_strip(random_from(random, 8, 20), 4, SPACING);
      break;
    case 2:
      made = new_holed_cloth(random, random_from(random, 9, 12), SPACING);
      break;
    case 3:
      made = random_soup(random);
      break;
    default:
      made = new_lattice(random, random_from(random, 2, 12), random_from(random, 2, 9), SPACING);
  }
  turn_shape(&made, random);
  return made;
}

// all particles with CCD, or a random subset, or none
static void draw_kinds(random_source* random, uint32_t* kinds, uint32_t count) {
  const uint32_t others = random_below(random, 4);
  const uint32_t one_in = random_from(random, 1, 20);
  for (uint32_t i = 0; i < count; ++i) {
    kinds[i] = LAID_EXACT;
    if (others > 0 && random_chance(random, one_in)) kinds[i] = random_below(random, LAID_KINDS);
  }
}

void check_random_laid(laid_check* check, int rounds, uint64_t seed) {
  random_source random = {seed};
  for (int round = 0; round < rounds; ++round) {
    mesh_shape shape = random_mesh(&random);
    uint32_t* kinds = test_alloc(sizeof(*kinds) * shape.vertex_count);
    draw_kinds(&random, kinds, shape.vertex_count);
    laid* l = new_laid(&shape, kinds);
    check(&random, &shape, kinds, l);
  }
}

laid_place* new_moved(random_source* random, const mesh_shape* shape, float turned, float amount) {
  laid_place* at = test_alloc(sizeof(*at) * shape->vertex_count);
  const float c = cosf(turned);
  const float s = sinf(turned);
  for (uint32_t i = 0; i < shape->vertex_count; ++i) {
    const float* from = shape->place[i];
    at[i][0] = c * from[0] - s * from[1];
    at[i][1] = s * from[0] + c * from[1];
    at[i][2] = from[2];
    for (int axis = 0; axis < 3; ++axis) at[i][axis] += random_float(random, -amount, amount);
  }
  return at;
}
