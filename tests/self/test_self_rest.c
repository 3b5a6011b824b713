/* Cloth at rest: particles nearer there than their radii, and piles. */
#include "support/cloths.h"
#include "support/moved.h"
#include "support/shapes.h"
#include "support/test.h"

// ---- near at rest ----

enum { FOLDED_COLUMNS = 20, FOLDED_ROWS = 8 };

// A sheet that is folded in the middle, layers 4 mm apart; or two sheets, without the fold.
static mesh_shape new_layers(bool is_folded) {
  const uint32_t count = FOLDED_COLUMNS * FOLDED_ROWS;
  mesh_shape made = new_shape(count, 2 * count);
  made.vertex_count = count;
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t column = n % FOLDED_COLUMNS;
    const bool is_upper = column >= FOLDED_COLUMNS / 2;
    made.place[n][0] = 0.02f * (float)(is_upper ? FOLDED_COLUMNS - 1 - column : column);
    made.place[n][1] = is_upper ? 0.004f : 0.0f;
    made.place[n][2] = 0.02f * (float)(n / FOLDED_COLUMNS);
    if (column + 1 == FOLDED_COLUMNS || n / FOLDED_COLUMNS + 1 == FOLDED_ROWS) continue;
    if (!is_folded && column + 1 == FOLDED_COLUMNS / 2) continue;
    const uint32_t faces[2][3] = {{n, n + 1, n + FOLDED_COLUMNS},
                                  {n + 1, n + FOLDED_COLUMNS + 1, n + FOLDED_COLUMNS}};
    memcpy(made.face[made.face_count], faces, sizeof(faces));
    made.face_count += 2;
  }
  return made;
}

// Two rows 12 mm apart; the triangles of each meet in one corner of the other, so that those
// opposite each other are joined by long paths only.
static mesh_shape new_fans(void) {
  enum { LONG = 40 };
  mesh_shape made = new_shape(2 * (LONG + 1), 2 * LONG);
  for (uint32_t n = 0; n <= LONG; ++n) {
    for (uint32_t row = 0; row < 2; ++row) {
      float* at = made.place[n + row * (LONG + 1)];
      at[0] = 0.02f * (float)n;
      at[1] = 0.0f;
      at[2] = 0.012f * (float)row;
    }
    if (n == LONG) break;
    const uint32_t faces[2][3] = {{n, 2 * LONG + 1, n + 1}, {0, LONG + 1 + n, LONG + 2 + n}};
    memcpy(made.face[made.face_count], faces, sizeof(faces));
    made.face_count += 2;
  }
  made.vertex_count = 2 * (LONG + 1);
  return made;
}

// Largest distance that a particle goes in 2 s without gravity, metres.
static float move_of(const mesh_shape* shape, float radius, weft_isa isa) {
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = shape->place[0], .vertex_count = shape->vertex_count,
                      .triangles = shape->face[0], .triangle_count = shape->face_count);
  const weft_world_def def = default_def(.isa = isa, .weightless = true);
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = radius);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, shape->vertex_count), &contact));
  weft_world_step(world, 120);
  float* end = new_positions(world);
  float farthest = 0.0f;
  for (uint32_t n = 0; n < 3 * shape->vertex_count; ++n)
    farthest = fmaxf(farthest, fabsf(end[n] - shape->place[n / 3][n % 3]));
  return farthest;
}

LOOP_TEST(particles_of_a_body_that_are_nearer_at_rest_than_their_radii_stay_there, 0, 2) {
  const weft_isa isa = _i == 0 ? WEFT_ISA_AUTO : WEFT_ISA_SCALAR;
  mesh_shape folded = new_layers(true);
  mesh_shape fans = new_fans();
  ck_assert_float_lt(move_of(&folded, 0.008f, isa), 5e-4f);
  ck_assert_float_lt(move_of(&fans, 0.011f, isa), 5e-4f);
}

TEST(separate_bodies_that_start_nearer_than_their_radii_part) {
  mesh_shape two = new_layers(false);
  ck_assert_float_gt(move_of(&two, 0.008f, WEFT_ISA_AUTO), 4e-3f);
}

// ---- piles ----

enum { PILE = 8, PILE_SIDE = 14 };

// Sheets over each other, each turned further than the last.
static weft_world* new_pile(float radius) {
  weft_scene* scene = new_scene();
  for (uint32_t l = 0; l < PILE; ++l) {
    const float angle = 0.17f * (float)l, cosine = cosf(angle), sine = sinf(angle);
    const float middle = 0.5f * 0.03f * (PILE_SIDE - 1);
    weft_sheet_def sheet = sheet_def(.side = PILE_SIDE, .spacing = 0.03f);
    memcpy(sheet.across, (float[3]){cosine, 0.0f, -sine}, sizeof(sheet.across));
    memcpy(sheet.down, (float[3]){sine, 0.0f, cosine}, sizeof(sheet.down));
    sheet.origin[0] = -middle * (cosine + sine);
    sheet.origin[1] = 0.05f + 0.06f * (float)l;
    sheet.origin[2] = middle * (sine - cosine);
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  }
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = cloth_contact(radius);
  contact.surface.static_friction = contact.surface.dynamic_friction = 0.3f;
  expect_ok(
      weft_world_set_particle_shape(world, weft_range(0, particle_count_of(world)), &contact));
  add_floor(world, 0.3f);
  return world;
}

TEST(a_pile_comes_to_rest_as_high_as_it_is_thick_and_does_not_lean) {
  const float radius = 0.0165f, height = radius * (2 * PILE - 1);
  const uint32_t top = (PILE - 1) * PILE_SIDE * PILE_SIDE;
  weft_world* world = new_pile(radius);
  weft_world_step(world, 300);
  float* velocities = new_velocities(world);
  float* positions = new_positions(world);
  double sum = 0.0, middle[3] = {0.0, 0.0, 0.0};
  for (uint32_t n = 0; n < 3 * particle_count_of(world); ++n) {
    sum += (double)velocities[n] * (double)velocities[n];
    if (n >= 3 * top) middle[n % 3] += (double)positions[n] / (PILE_SIDE * PILE_SIDE);
  }
  ck_assert_double_lt(sqrt(sum / particle_count_of(world)), 4e-3);
  ck_assert_double_lt(hypot(middle[0], middle[2]), 6e-3);
  ck_assert_double_gt(middle[1], 0.95 * (double)height);
  ck_assert_double_lt(middle[1], (double)height);
}
