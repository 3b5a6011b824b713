/* Sheets at rest on themselves and on particle shapes. */
#include "support/cloths.h"
#include "support/test.h"

// ---- sheets ----

// smallest distance of two particles of a strip that are no neighbours in it
static double least_within(const float* positions, uint32_t columns, uint32_t rows) {
  double lower = INFINITY;
  for (uint32_t a = 0; a < columns * rows; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      if (a / columns - b / columns < 3 && b % columns + 3 > a % columns &&
          a % columns + 3 > b % columns) {
        continue;
      }
      const double d = distance_between(positions, a, b);
      if (d < lower) lower = d;
    }
  }
  return lower;
}

TEST(a_strip_that_is_folded_over_itself_stays_in_its_layers) {
  enum { COLUMNS = 8, ROWS = 60 };
  weft_scene* scene = new_scene();
  const placed_sheet sheet = {COLUMNS, ROWS, {0.0f, 0.0f, 0.0f}, SPACING};
  (void)add_flat(scene, &sheet);
  weft_world* world = new_plain_world(scene, .substeps = 4);
  // three layers, with turns half a spacing wide
  for (uint32_t i = 0; i < COLUMNS * ROWS; ++i) {
    const uint32_t layer = i / COLUMNS / 20;
    const uint32_t along = i / COLUMNS % 20;
    const float position[3] = {SPACING * (float)(i % COLUMNS), 0.01f + SPACING * (float)layer,
                               SPACING * (float)(layer % 2 == 0 ? along : 19 - along)};
    place_particle(world, i, position, NULL);
  }
  add_floor(world, 0.8f);
  const float radius = 0.45f * SPACING;
  make_cloth(world, 0, COLUMNS * ROWS, radius, 0.4f);
  weft_world_step(world, 400);
  float* before = new_positions(world);
  weft_world_step(world, 60);
  float* after = new_positions(world);
  // sharp turns may still move, the rest is at rest
  double sum = 0.0;
  for (uint32_t i = 0; i < 3 * COLUMNS * ROWS; ++i) {
    sum += ((double)after[i] - (double)before[i]) * ((double)after[i] - (double)before[i]);
  }
  ck_assert_double_le(sqrt(sum / (COLUMNS * ROWS)), 0.3 * (double)SPACING);
  ck_assert_double_ge(least_within(after, COLUMNS, ROWS), 0.9 * 2.0 * (double)radius);
}
