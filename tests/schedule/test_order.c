#include "schedule/order.h"

#include "support/test.h"

static weft__order new_order(const weft_scene* scene) {
  weft__order order;
  ck_assert(weft__order_create(&order, scene));
  ck_assert_uint_eq(order.particle_count, weft_scene_particle_count(scene));
  return order;
}

LOOP_TEST(the_callers_and_the_solvers_numbers_are_inverse_permutations, 0, scene_case_count()) {
  weft_scene* scene = new_scene_case(_i);
  weft__order order = new_order(scene);
  for (uint32_t i = 0; i < order.particle_count; ++i) {
    require(order.user_of[i] < order.particle_count);
    require(order.solver_of[order.user_of[i]] == i);
    require(order.user_of[order.solver_of[i]] == i);
  }
  weft__order_destroy(&order);
}

LOOP_TEST(patches_cover_all_particles_in_order_and_none_is_empty_or_too_large, 0,
          scene_case_count()) {
  weft_scene* scene = new_scene_case(_i);
  weft__order order = new_order(scene);
  require(order.patch_first[0] == 0);
  require(order.patch_first[order.patch_count] == order.particle_count);
  for (uint32_t p = 0; p < order.patch_count; ++p) {
    require(order.patch_first[p] < order.patch_first[p + 1]);
    require(order.patch_first[p + 1] - order.patch_first[p] <= WEFT__PATCH_PARTICLES * 4 / 3);
  }
  weft__order_destroy(&order);
}

RANDOM_TEST(no_patch_of_a_sheet_of_any_width_is_too_large, ROUNDS(10, 4)) {
  for (int round = 0; round < 20; ++round) {
    weft_scene* scene = new_scene();
    // wide and narrow sheets
    const uint32_t columns = random_from(&random, 1, 6000);
    (void)add_sheet(scene, columns, random_from(&random, 1, 40 + 40000 / columns), 0);
    weft__order order = new_order(scene);
    for (uint32_t p = 0; p < order.patch_count; ++p) {
      require(order.patch_first[p + 1] - order.patch_first[p] <= WEFT__PATCH_PARTICLES * 4 / 3);
    }
    weft__order_destroy(&order);
  }
}

// ---- connectivity ----

// union-find root: lowest particle connected to particle i
static uint32_t root_of(uint32_t* parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static uint32_t* find_roots(const weft_scene* scene) {
  const uint32_t count = weft_scene_particle_count(scene);
  uint32_t* parent = test_alloc(sizeof(uint32_t) * count);
  for (uint32_t i = 0; i < count; ++i) parent[i] = i;
  for (uint32_t l = 0; l < weft_scene_link_count(scene); ++l) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, l, 1, &link));
    const uint32_t a = root_of(parent, link.a);
    const uint32_t b = root_of(parent, link.b);
    parent[a < b ? b : a] = a < b ? a : b;
  }
  for (uint32_t i = 0; i < count; ++i) parent[i] = root_of(parent, i);
  return parent;
}

static void expect_uncut(const weft__order* order, const uint32_t* root, uint32_t particle_count) {
  uint32_t* size = test_alloc(particle_count * sizeof(uint32_t));
  uint32_t* patch_of_root = test_alloc(particle_count * sizeof(uint32_t));
  for (uint32_t i = 0; i < particle_count; ++i) ++size[root[i]];
  for (uint32_t p = 0; p < order->patch_count; ++p) {
    for (uint32_t i = order->patch_first[p]; i < order->patch_first[p + 1]; ++i) {
      const uint32_t mine = root[order->user_of[i]];
      require(size[mine] > 1000 || patch_of_root[mine] == 0 || patch_of_root[mine] == p + 1);
      patch_of_root[mine] = p + 1;
    }
  }
}

RANDOM_TEST(what_hangs_together_and_is_small_is_never_cut, ROUNDS(50, 10)) {
  weft_scene* scene = new_scene();
  // no links between sheets and other bodies: these are ordered separately
  add_random_graph(scene, &random, random_from(&random, 1, 4000));
  (void)add_sheet(scene, random_from(&random, 1, 31), random_from(&random, 1, 31), ALL_FAMILIES);
  (void)add_random_mesh(scene, &random, random_from(&random, 2, 30));
  uint32_t* root = find_roots(scene);
  weft__order order = new_order(scene);
  expect_uncut(&order, root, order.particle_count);
  weft__order_destroy(&order);
}

TEST(a_thousand_tiny_sheets_share_patches) {
  weft_scene* scene = new_scene();
  for (int i = 0; i < 1000; ++i) (void)add_sheet(scene, 3, 3, ALL_FAMILIES);
  weft__order order = new_order(scene);
  // 227 sheets of 9 particles fill a patch of 2,048
  ck_assert_uint_eq(order.patch_count, (1000 + 226) / 227);
  weft__order_destroy(&order);
}

RANDOM_TEST(the_links_of_a_piece_of_a_mesh_reach_no_farther_than_two_pieces_on, 5) {
  weft_scene* scene = new_scene();
  (void)add_random_mesh(scene, &random, random_from(&random, 60, 110));
  weft__order order = new_order(scene);
  uint32_t* patch_of = test_alloc(order.particle_count * sizeof(uint32_t));
  for (uint32_t p = 0; p < order.patch_count; ++p) {
    for (uint32_t i = order.patch_first[p]; i < order.patch_first[p + 1]; ++i) patch_of[i] = p;
  }
  for (uint32_t l = 0; l < weft_scene_link_count(scene); ++l) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, l, 1, &link));
    const int a = (int)patch_of[order.solver_of[link.a]];
    const int b = (int)patch_of[order.solver_of[link.b]];
    require(abs(a - b) <= 2);
  }
  weft__order_destroy(&order);
}

TEST(patches_of_a_large_body_are_neither_tiny_nor_too_large) {
  uint32_t before = 0;
  for (uint32_t count = 1; count < 1u << 28; count += 1 + count / 7) {
    const uint32_t target = weft__patch_target(count);
    require(target >= 512 && target <= WEFT__PATCH_PARTICLES);
    if (count > 2048) require(target >= before);
    if (count > 2048) before = target;
  }
}
