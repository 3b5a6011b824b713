#include "schedule/patch_coloring.h"

#include "support/frozen.h"
#include "support/test.h"
#include "tables/particles.h"

static void check_colors(const weft__schedule* s) {
  bool* seen = test_alloc(s->color_count * sizeof(bool));
  for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
    require(s->patch_color[patch] < s->color_count);
    seen[s->patch_color[patch]] = true;
    const uint32_t first = s->patch_first_neighbor[patch];
    for (uint32_t n = first; n < s->patch_first_neighbor[patch + 1]; ++n) {
      require(s->neighbors[n] < s->patch_count && s->neighbors[n] != patch);
      require(n == first || s->neighbors[n] > s->neighbors[n - 1]);
      require(s->patch_color[s->neighbors[n]] != s->patch_color[patch]);
    }
  }
  for (uint32_t color = 0; color < s->color_count; ++color) require(seen[color]);
}

static bool are_neighbors(const weft__schedule* s, uint32_t patch, uint32_t other) {
  for (uint32_t n = s->patch_first_neighbor[patch]; n < s->patch_first_neighbor[patch + 1]; ++n) {
    if (s->neighbors[n] == other) return true;
  }
  return false;
}

// row with up to 16 patches that read or write it
typedef struct touched_row {
  uint32_t patches[16];
  uint32_t count;
} touched_row;

// records an access of the patch to a row; fails unless all earlier patches of the row are
// neighbours
static void touch(const weft__schedule* s, touched_row* rows, uint32_t row, uint32_t patch) {
  touched_row* here = &rows[row];
  for (uint32_t i = 0; i < here->count; ++i) {
    if (here->patches[i] == patch) return;
    require(are_neighbors(s, patch, here->patches[i]));
    require(are_neighbors(s, here->patches[i], patch));
  }
  require(here->count < 16);
  here->patches[here->count++] = patch;
}

static void touch_groups_of(const frozen* f, uint32_t patch, touched_row* rows) {
  const weft__schedule* s = &f->schedule;
  for (uint32_t r = weft__patch_first_run(s, patch); r < weft__patch_end_run(s, patch); ++r) {
    const weft__run* run = &s->runs[r];
    if (run->kind == WEFT__RUN_FAN) continue;
    for (uint32_t lane = 0; lane < run->group_count * WEFT__LANES; ++lane) {
      uint32_t a = 0;
      uint32_t b = 0;
      weft__schedule_ends(s, patch, run, run->first_group + lane / WEFT__LANES, lane % WEFT__LANES,
                          &a, &b);
      touch(s, rows, a, patch);
      touch(s, rows, b, patch);
    }
  }
}

// a patch that is solved on records reads and writes all of its segments
static void touch_segments_of(const frozen* f, uint32_t patch, touched_row* rows) {
  const weft__schedule* s = &f->schedule;
  for (uint32_t i = s->patch_first_segment[patch]; i < s->patch_first_segment[patch + 1]; ++i) {
    const weft__segment segment = s->segments[i];
    require(segment.count > 0 && segment.first + segment.count <= s->particle_count);
    for (uint32_t row = 0; row < segment.count; ++row) touch(s, rows, segment.first + row, patch);
  }
}

// colour numbers have no gaps
LOOP_TEST(patches_that_touch_a_common_row_are_neighbours_and_have_different_colours, 0,
          scene_case_count()) {
  frozen f = freeze(new_scene_case(_i));
  const weft__schedule* s = &f.schedule;
  check_colors(s);
  touched_row* rows =
      test_alloc(((size_t)s->particle_count + WEFT__PARTICLE_PADDING) * sizeof(touched_row));
  for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
    // integration writes the patch's own rows
    for (uint32_t row = s->patch_first[patch]; row < s->patch_first[patch + 1]; ++row) {
      touch(s, rows, row, patch);
    }
    touch_groups_of(&f, patch, rows);
    touch_segments_of(&f, patch, rows);
  }
}

RANDOM_TEST(sheets_of_one_tile_a_row_need_two_colours_and_meshes_few, ROUNDS(10, 3)) {
  weft_scene* scene = new_sheet_scene(random_from(&random, 64, 512), random_from(&random, 64, 96),
                                      STRUCTURAL | SHEAR);
  frozen f = freeze(scene);
  ck_assert_uint_eq(f.schedule.color_count, 2);

  scene = new_scene();
  (void)add_random_mesh(scene, &random, random_from(&random, 50, 100));
  f = freeze(scene);
  ck_assert_uint_le(f.schedule.color_count, 3);
}

TEST(bodies_that_do_not_touch_share_one_colour) {
  weft_scene* scene = new_scene();
  for (int i = 0; i < 20; ++i) (void)add_sheet(scene, 30, 30, STRUCTURAL | SHEAR | BEND);
  frozen f = freeze(scene);
  ck_assert_uint_eq(f.schedule.patch_count, 10);
  // empty lanes at the end of one patch may reach into the next
  ck_assert_uint_le(f.schedule.color_count, 2);
}
