#include "schedule/freeze.h"

#include "support/frozen.h"
#include "support/test.h"

static uint32_t row_end(const weft__schedule* s, bool of_stiffness) {
  uint32_t end = 0;
  for (uint32_t r = 0; r < s->run_count; ++r) {
    const weft__run* run = &s->runs[r];
    const uint32_t first = of_stiffness ? run->relaxation : run->rest;
    const uint32_t stride = of_stiffness ? run->relaxation_stride : run->rest_stride;
    const uint32_t here = first + (run->group_count - 1) * stride + WEFT__LANES;
    if (here > end) end = here;
  }
  return end;
}

static uint32_t index_end(const weft__schedule* s, weft__run_kind kind) {
  uint32_t end = 0;
  for (uint32_t r = 0; r < s->run_count; ++r) {
    const weft__run* run = &s->runs[r];
    if (run->kind == kind) end = run->index + run->group_count * WEFT__LANES;
  }
  return end;
}

static bool same(const void* left, const void* right, size_t count, size_t size) {
  return count == 0 || memcmp(left, right, count * size) == 0;
}

static bool same_counts(const weft__schedule* s, const weft__schedule* t) {
  return s->particle_count == t->particle_count && s->link_count == t->link_count &&
         s->color_count == t->color_count && s->patch_count == t->patch_count &&
         s->batch_count == t->batch_count && s->run_count == t->run_count &&
         s->group_count == t->group_count && s->run_group_count == t->run_group_count &&
         s->segment_count == t->segment_count && s->max_locals == t->max_locals &&
         s->bytes == t->bytes;
}

static bool same_columns(const weft__schedule* s, const weft__schedule* t) {
  const size_t u32 = sizeof(uint32_t);
  return same(s->user_of, t->user_of, s->particle_count, u32) &&
         same(s->solver_of, t->solver_of, s->particle_count, u32) &&
         same(s->patch_color, t->patch_color, s->patch_count, u32) &&
         same(s->patch_first_neighbor, t->patch_first_neighbor, s->patch_count + 1, u32) &&
         same(s->neighbors, t->neighbors, s->patch_first_neighbor[s->patch_count], u32) &&
         same(s->patch_first_segment, t->patch_first_segment, s->patch_count + 1, u32) &&
         same(s->segments, t->segments, s->segment_count, sizeof(*s->segments)) &&
         same(s->patch_first, t->patch_first, s->patch_count + 1, u32) &&
         same(s->patch_first_batch, t->patch_first_batch, s->patch_count + 1, u32) &&
         same(s->batch_first_run, t->batch_first_run, s->batch_count + 1, u32) &&
         same(s->runs, t->runs, s->run_count, sizeof(*s->runs)) &&
         same(s->lane_mask, t->lane_mask, s->group_count, sizeof(*s->lane_mask)) &&
         same(s->index_a, t->index_a, index_end(s, WEFT__RUN_INDEXED), u32) &&
         same(s->index_b, t->index_b, index_end(s, WEFT__RUN_INDEXED), u32) &&
         same(s->index_local, t->index_local, index_end(s, WEFT__RUN_FAN), sizeof(uint16_t)) &&
         same(s->rest_length, t->rest_length, row_end(s, false), sizeof(float)) &&
         same(s->relaxation, t->relaxation, row_end(s, true), sizeof(float)) &&
         same(s->slot_of_link, t->slot_of_link, s->link_count, u32);
}

static void check_bytes(const weft__schedule* s) {
  const size_t lower =
      ((size_t)2 * s->particle_count + s->link_count + 2 * index_end(s, WEFT__RUN_INDEXED)) *
          sizeof(uint32_t) +
      s->run_count * sizeof(*s->runs) + s->group_count * sizeof(*s->lane_mask);
  ck_assert_uint_ge(s->bytes, lower);
}

// freeze the scene again, and build and freeze it once more: other addresses, memory not fresh
LOOP_TEST(the_same_scene_gives_the_same_schedule_byte_for_byte, 0, scene_case_count() / 2) {
  frozen once = freeze(new_scene_case(_i));
  check_bytes(&once.schedule);
  (void)test_alloc(12345);
  weft__schedule again;
  weft_scene* built_again = new_scene_case(_i);
  const weft_scene* scenes[] = {once.scene, built_again};
  for (int i = 0; i < 2; ++i) {
    ck_assert(weft__freeze(&again, scenes[i], NULL));
    ck_assert(same_counts(&once.schedule, &again));
    ck_assert(same_columns(&once.schedule, &again));
    weft__schedule_destroy(&again);
  }
}

LOOP_TEST(particles_without_links_make_a_schedule_without_groups, 0, 5) {
  random_source random = {3};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, 1 + 700 * (uint32_t)_i, 1.0f);
  frozen f = freeze(scene);
  ck_assert_uint_eq(f.schedule.group_count, 0);
  ck_assert_uint_eq(f.schedule.run_count, 0);
  ck_assert_uint_ge(f.schedule.color_count, 1);
}
