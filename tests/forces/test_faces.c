/* Faces: number, orientation, links along their edges, and faces left after tears. */
#include "forces/faces.h"

#include "support/balls.h"
#include "support/test.h"
#include "world/world.h"

typedef struct face_list {
  uint32_t count;
  uint32_t* triangles;
} face_list;

static face_list new_faces(const weft_world* world) {
  face_list list;
  expect_ok(weft_world_get_faces(world, 0, NULL, &list.count));
  list.triangles = test_alloc((3 * (size_t)list.count + 1) * sizeof(uint32_t));
  uint32_t count = 0;
  expect_ok(weft_world_get_faces(world, list.count, list.triangles, &count));
  ck_assert_uint_eq(count, list.count);
  return list;
}

// ---- number and orientation ----

LOOP_TEST(a_sheet_has_two_faces_a_cell_that_all_turn_along_down_x_across, 0, 6) {
  static const uint32_t sizes[][2] = {{2, 2}, {5, 3}, {40, 70}, {1, 9}, {9, 1}, {1, 1}};
  const uint32_t columns = sizes[_i][0];
  const uint32_t rows = sizes[_i][1];
  weft_scene* scene = new_sheet_scene(3, 3, ALL_FAMILIES);
  const weft_body body = add_sheet(scene, columns, rows, STRUCTURAL);
  weft_world* world = new_world_of(scene);
  float* positions = new_positions(world);
  face_list list = new_faces(world);
  ck_assert_uint_eq(list.count, 8 + 2 * (columns - 1) * (rows - 1));
  for (uint32_t f = 8; f < list.count; ++f) {
    const float* corner[3];
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t particle = list.triangles[3 * f + k];
      const uint32_t cell = (f - 8) / 2;
      const uint32_t home =
          body.first_particle + cell / (columns - 1) * columns + cell % (columns - 1);
      const uint32_t from = particle - home;
      require(from == 0 || from == 1 || from == columns || from == columns + 1);
      corner[k] = positions + (size_t)3 * particle;
    }
    const float area = (corner[1][0] - corner[0][0]) * (corner[2][1] - corner[0][1]) -
                       (corner[1][1] - corner[0][1]) * (corner[2][0] - corner[0][0]);
    require(fabsf(area - 0.05f * 0.05f) < 1e-5f);
  }
}

TEST(meshes_have_the_faces_that_they_were_given_between_those_of_sheets) {
  const float center[3] = {0};
  ball b = new_ball(7, 1.0f, center);
  const weft_mesh_def def = mesh_of_ball(&b);
  weft_scene* scene = new_scene();
  random_source random = {1};
  (void)add_cloud(scene, &random, 5, 1.0f);
  (void)add_sheet(scene, 4, 4, ALL_FAMILIES);
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &def, &body));
  (void)add_sheet(scene, 2, 2, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  face_list list = new_faces(world);
  ck_assert_uint_eq(list.count, 18 + 8 * 49 + 2);
  for (uint32_t i = 0; i < 3 * b.triangle_count; ++i) {
    require(list.triangles[3 * 18 + i] == body.first_particle + b.triangles[i]);
  }
  ck_assert_uint_eq(list.triangles[3 * (list.count - 2)], body.first_particle + b.vertex_count);
}

TEST(a_short_array_gets_the_first_faces_and_the_count_of_all) {
  weft_scene* scene = new_sheet_scene(5, 5, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  face_list list = new_faces(world);
  uint32_t some[16];
  uint32_t count = 0;
  memset(some, 0xee, sizeof(some));
  expect_ok(weft_world_get_faces(world, 5, some, &count));
  ck_assert_uint_eq(count, 32);
  ck_assert_mem_eq(some, list.triangles, sizeof(uint32_t[15]));
  ck_assert_uint_eq(some[15], 0xeeeeeeeeu);
}

TEST(asking_for_faces_refuses_null) {
  weft_scene* scene = new_sheet_scene(3, 3, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  uint32_t out[3];
  uint32_t count = 77;
  expect_null(weft_world_get_faces(NULL, 1, out, &count), "world");
  expect_null(weft_world_get_faces(world, 1, NULL, &count), "triangles");
  expect_null(weft_world_get_faces(world, 1, out, NULL), "count");
  ck_assert_uint_eq(count, 77);
}

TEST(faces_take_as_much_memory_as_documented_and_none_in_a_plane) {
  weft_scene* scene = new_sheet_scene(200, 150, ALL_FAMILIES);
  weft_world_def def = plain_def(.weightless = true);
  const weft_world_stats with = stats_of(new_world(&def, scene));
  def.plane = true;
  const weft_world_stats without = stats_of(new_world(&def, scene));
  const double expected = 36.0 * 2 * 199 * 149 + 16.0 * 200 * 150;
  ck_assert_double_eq_tol((double)(with.bytes - without.bytes) / expected, 1.0, 0.01);
}

// ---- the table ----

// link between two particles, by linear search
static uint32_t link_between(const weft_link_def* links, uint32_t count, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < count; ++i) {
    if ((links[i].a == a && links[i].b == b) || (links[i].a == b && links[i].b == a)) return i;
  }
  return WEFT__NONE;
}

static void compare_links(const weft_scene* scene, const weft_world* world) {
  const weft__faces* faces = &world->stepper.forces.faces;
  const uint32_t* user_of = world->stepper.schedule.user_of;
  const uint32_t count = weft_scene_link_count(scene);
  weft_link_def* links = test_alloc((count + 1) * sizeof(*links));
  expect_ok(weft_scene_get_links(scene, 0, count, links));
  for (uint32_t f = 0; f < faces->count; ++f) {
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t a = user_of[faces->corner[f][k]];
      const uint32_t b = user_of[faces->corner[f][(k + 1) % 3]];
      require(faces->link[f][k] == link_between(links, count, a, b));
    }
  }
}

static void compare_uses(const weft_world* world) {
  const weft__faces* faces = &world->stepper.forces.faces;
  uint32_t uses = 0;
  for (uint32_t i = 0; i < world->stepper.particles.count; ++i) {
    for (uint32_t u = faces->first_use[i]; u < faces->first_use[i + 1]; ++u, ++uses) {
      require(u == uses);
      require(u == faces->first_use[i] || faces->use[u] > faces->use[u - 1]);
      const uint32_t* corner = faces->corner[faces->use[u]];
      require(corner[0] == i || corner[1] == i || corner[2] == i);
    }
  }
  ck_assert_uint_eq(uses, 3 * faces->count);
}

RANDOM_TEST(edges_have_the_links_between_their_ends_and_particles_their_faces, ROUNDS(40, 8)) {
  weft_scene* scene = new_sheet_scene(random_from(&random, 2, 12), random_from(&random, 2, 12),
                                      random_from(&random, 1, ALL_FAMILIES));
  (void)add_random_mesh(scene, &random, random_from(&random, 2, 14));
  (void)add_cloud(scene, &random, 7, 1.0f);
  (void)add_sheet(scene, random_from(&random, 1, 5), random_from(&random, 1, 9), BEND);
  add_random_links(scene, &random, 300);
  weft_world* world = new_world_of(scene);
  compare_links(scene, world);
  compare_uses(world);
}

// ---- faces after tears ----

// expects the earlier faces without torn edges, in the same order
static void expect_left(const weft_scene* scene, const weft_world* world, const face_list* before) {
  const uint32_t count = weft_scene_link_count(scene);
  weft_link_def* links = test_alloc(count * sizeof(*links));
  bool* torn = test_alloc(count * sizeof(*torn));
  expect_ok(weft_scene_get_links(scene, 0, count, links));
  expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, 0, count, torn);
  face_list after = new_faces(world);
  uint32_t left = 0;
  for (uint32_t f = 0; f < before->count; ++f) {
    const uint32_t* corner = before->triangles + (size_t)3 * f;
    bool gone = false;
    for (int k = 0; k < 3 && !gone; ++k) {
      const uint32_t link = link_between(links, count, corner[k], corner[(k + 1) % 3]);
      gone = link != WEFT__NONE && torn[link];
    }
    if (gone) continue;
    require(left < after.count);
    require(memcmp(after.triangles + (size_t)3 * left, corner, sizeof(uint32_t[3])) == 0);
    ++left;
  }
  ck_assert_uint_eq(left, after.count);
  ck_assert_uint_lt(left, before->count);
}

RANDOM_TEST(after_a_tear_exactly_the_faces_without_torn_links_are_left, ROUNDS(20, 5)) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = sheet_def(.tear_ratio = 1.5f);
  sheet.columns = random_from(&random, 5, 12);
  sheet.rows = random_from(&random, 5, 12);
  sheet.shear = random_chance(&random, 2);
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  const float center[3] = {3.0f, 0.0f, 0.0f};
  ball b = new_ball(5, 0.5f, center);
  weft_mesh_def mesh = mesh_of_ball(&b);
  mesh.tear_ratio = 1.5f;
  expect_ok(weft_scene_add_mesh(scene, &mesh, NULL));
  weft_world* world = new_world_of(scene);
  face_list before = new_faces(world);
  const uint32_t particles = weft_scene_particle_count(scene);
  for (int i = 0; i < 4; ++i) {
    const float away[3] = {50.0f, 9.0f * (float)i, -30.0f};
    place_particle(world, random_below(&random, particles), away, NULL);
  }
  weft_world_step(world, 2);
  expect_left(scene, world, &before);
}

TEST(a_face_is_gone_while_a_link_of_it_is_switched_off) {
  weft_scene* scene = new_sheet_scene(6, 5, STRUCTURAL | SHEAR);
  weft_world* world = new_world_of(scene);
  face_list before = new_faces(world);
  weft_link_def links[200];
  const uint32_t count = weft_scene_link_count(scene);
  expect_ok(weft_scene_get_links(scene, 0, count, links));
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t with = 0;
    for (uint32_t f = 0; f < before.count; ++f) {
      const uint32_t* c = before.triangles + (size_t)3 * f;
      for (int k = 0; k < 3; ++k) with += link_between(&links[i], 1, c[k], c[(k + 1) % 3]) == 0;
    }
    uint32_t left = 0;
    expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, i, 1, &(bool){false}, 0);
    expect_ok(weft_world_get_faces(world, 0, NULL, &left));
    require(left == before.count - with);
    expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, i, 1, &(bool){true}, 0);
    expect_ok(weft_world_get_faces(world, 0, NULL, &left));
    require(left == before.count);
  }
}
