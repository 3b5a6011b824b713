#include "color/patch_color.h"

#include <string.h>

#include "support/frozen.h"
#include "support/scenes.h"
#include "support/suite.h"
#include "tables/particles.h"

START_TEST(every_patch_has_one_colour_and_stands_in_it_in_order) {
  frozen f = freeze(new_scene_case(_i));
  const weft__schedule* s = &f.schedule;
  bool* seen = calloc(s->patch_count, sizeof(bool));
  require(s->color_first[0] == 0);
  require(s->color_first[s->color_count] == s->patch_count);
  for (uint32_t color = 0; color < s->color_count; ++color) {
    require(s->color_first[color] < s->color_first[color + 1]);
    for (uint32_t i = s->color_first[color]; i < s->color_first[color + 1]; ++i) {
      const uint32_t patch = s->color_patches[i];
      require(patch < s->patch_count && !seen[patch]);
      require(i == s->color_first[color] || patch > s->color_patches[i - 1]);
      seen[patch] = true;
    }
  }
  free(seen);
  free_frozen(&f);
}
END_TEST

// notes that the patch, of this colour, reads or writes a row; fails if another of the colour does
static void touch(uint64_t* toucher, uint32_t row, uint32_t color, uint32_t patch) {
  const uint64_t mark = (uint64_t)(color + 1) << 32 | patch;
  require(toucher[row] >> 32 != color + 1 || toucher[row] == mark);
  toucher[row] = mark;
}

static void touch_groups_of(const frozen* f, uint32_t patch, uint32_t color, uint64_t* toucher) {
  const weft__schedule* s = &f->schedule;
  for (uint32_t r = weft__patch_first_run(s, patch); r < weft__patch_end_run(s, patch); ++r) {
    const weft__run* run = &s->runs[r];
    for (uint32_t lane = 0; lane < run->group_count * WEFT__LANES; ++lane) {
      uint32_t a = 0;
      uint32_t b = 0;
      weft__schedule_ends(s, run, run->first_group + lane / WEFT__LANES, lane % WEFT__LANES, &a,
                          &b);
      touch(toucher, a, color, patch);
      touch(toucher, b, color, patch);
    }
  }
}

START_TEST(patches_of_one_colour_touch_no_common_row_not_even_by_an_empty_lane) {
  frozen f = freeze(new_scene_case(_i));
  const weft__schedule* s = &f.schedule;
  uint64_t* toucher = calloc((size_t)s->particle_count + WEFT__PARTICLE_PADDING, sizeof(uint64_t));
  for (uint32_t color = 0; color < s->color_count; ++color) {
    for (uint32_t i = s->color_first[color]; i < s->color_first[color + 1]; ++i) {
      touch_groups_of(&f, s->color_patches[i], color, toucher);
    }
  }
  free(toucher);
  free_frozen(&f);
}
END_TEST

START_TEST(sheets_of_one_tile_a_row_need_two_colours_and_meshes_few) {
  random_source random = {(uint64_t)_i};
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, random_from(&random, 64, 1024), random_from(&random, 64, 128),
                  STRUCTURAL | SHEAR);
  frozen f = freeze(scene);
  ck_assert_uint_eq(f.schedule.color_count, 2);
  free_frozen(&f);

  scene = new_scene();
  (void)add_random_mesh(scene, &random, random_from(&random, 50, 120));
  f = freeze(scene);
  ck_assert_uint_le(f.schedule.color_count, 3);
  free_frozen(&f);
}
END_TEST

START_TEST(bodies_that_do_not_touch_share_one_colour) {
  weft_scene* scene = new_scene();
  for (int i = 0; i < 20; ++i) (void)add_sheet(scene, 30, 30, STRUCTURAL | SHEAR | BEND);
  frozen f = freeze(scene);
  ck_assert_uint_eq(f.schedule.patch_count, 20);
  // the empty lanes at the end of one may reach into the next
  ck_assert_uint_le(f.schedule.color_count, 2);
  free_frozen(&f);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("patch_color");
  TCase* tests = suite.tests;
  const int cases = scene_case_count();
  tcase_add_loop_test(tests, every_patch_has_one_colour_and_stands_in_it_in_order, 0, cases);
  tcase_add_loop_test(tests, patches_of_one_colour_touch_no_common_row_not_even_by_an_empty_lane, 0,
                      cases);
  tcase_add_loop_test(tests, sheets_of_one_tile_a_row_need_two_colours_and_meshes_few, 0,
                      ROUNDS(20, 5));
  tcase_add_test(tests, bodies_that_do_not_touch_share_one_colour);
  return run_suite(suite);
}
