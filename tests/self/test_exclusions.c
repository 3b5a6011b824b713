/* Pairs that are joined by a short path along links do not collide. */
#include "collision/self/exclusions.h"

#include "support/test.h"
#include "world/world.h"

enum { FULL = WEFT__MAX_EXCLUSIONS };

// particle 0 lists 2, 5 and 7; particle 1 lists nothing; the row of particle 2 is full
static uint32_t first[] = {0, 3, 3, 3 + FULL};
static uint32_t other[3 + FULL] = {2, 5, 7};
static float path_length[3 + FULL] = {0.1f, 0.2f, 0.3f};

TEST(a_pair_is_excluded_by_a_path_that_is_short_enough) {
  static const struct {
    uint32_t a, b;
    float max_path;
    bool is_excluded;
  } cases[] = {
      {0, 2, 0.1f, true},    // the path is as long as allowed
      {0, 2, 0.09f, false},  // longer
      {0, 7, 0.3f, true},    // the last of a row
      {0, 5, 0.25f, true},   // between others
      {0, 1, 1.0f, false},   // before the first
      {0, 3, 1.0f, false},   // between two of a row
      {0, 8, 1.0f, false},   // after the last
      {1, 0, 1.0f, false},   // an empty row is complete: the other end is not searched
      {2, 300, 1.0f, true},  // a full row
      {2, 0, 0.1f, true},    // full and without it: the other end has it
      {2, 0, 0.05f, false},  // so it has, but further away
      {2, 1, 1.0f, false},   // full, and the other end is empty
  };
  for (uint32_t e = 0; e < FULL; ++e) {
    other[3 + e] = 300 + e;
    path_length[3 + e] = 0.5f;
  }
  const weft__exclusions exclusions = {.first = first, .other = other, .path_length = path_length};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
    ck_assert_msg(weft__are_excluded(&exclusions, cases[i].a, cases[i].b, cases[i].max_path) ==
                      cases[i].is_excluded,
                  "case %zu", i);
  }
}

// particles of a sheet are excluded up to the length of their shortest path along rows and columns
TEST(in_a_sheet_paths_are_as_long_as_rows_and_columns_make_them) {
  enum { SIDE = 7 };
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = 1.0f);
  sheet.shear = false;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_world(&def, scene);
  const weft__schedule* schedule = &world->stepper.schedule;
  weft__exclusions exclusions;
  ck_assert(weft__exclusions_create(&exclusions, schedule, 3.5f));
  for (int a = 0; a < SIDE * SIDE; ++a) {
    for (int b = 0; b < SIDE * SIDE; ++b) {
      const int path = abs(a % SIDE - b % SIDE) + abs(a / SIDE - b / SIDE);
      if (a == b) continue;
      for (int limit = 1; limit <= 3; ++limit) {
        require(weft__are_excluded(&exclusions, schedule->solver_of[a], schedule->solver_of[b],
                                   (float)limit + 0.5f) == (path <= limit));
      }
    }
  }
  weft__exclusions_destroy(&exclusions);
}
