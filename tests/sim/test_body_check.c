/* What weft-sim check says of bodies: known shapes, and random faces against a count of all pairs.
 */
#include "sim/body_check.h"
#include "support/test.h"

enum { VERTICES = 12, MOST_FACES = 24 };

static sim_body_check* rows_of(const weft_scene* scene, uint32_t* count) {
  tool_message why;
  const weft_world* world = new_default_world(scene, .worker_count = 1);
  sim_body_check* rows = sim_check_bodies(scene, world, count, &why);
  ck_assert_msg(rows != NULL, "%s", rows != NULL ? "" : why.text);
  return rows;
}

TEST(sheets_have_a_border_and_balls_have_none) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_ball_def ball = bare_ball_def();
  uint32_t count = 0;
  sheet.columns = 7;
  sheet.rows = 4;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  for (int i = 0; i < 3; ++i) {
    ball.origin[0] = 2.0f + 2.0f * (float)i;
    expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  }
  sim_body_check* rows = rows_of(scene, &count);
  ck_assert_uint_eq(count, 2);
  ck_assert_uint_eq(rows[0].bodies, 1);
  ck_assert_uint_eq(rows[0].range.particle_count, 28);
  ck_assert_uint_eq(rows[0].range.link_count, rows[0].link_count);
  ck_assert_uint_eq(rows[0].face_count, 36);
  ck_assert_uint_eq(rows[0].edge_count, 6 * 4 + 7 * 3);
  ck_assert_uint_eq(rows[0].border_count, 1);
  ck_assert_uint_eq(rows[0].border_edge_count, 18);
  ck_assert_double_eq_tol(rows[0].mean, 0.05, 1e-6);
  ck_assert(rows[0].shortest <= rows[0].mean && rows[0].mean <= rows[0].longest);
  ck_assert_uint_eq(rows[1].bodies, 3);
  ck_assert_uint_eq(rows[1].range.first_particle, 28);
  ck_assert_uint_eq(rows[1].border_count, 0);
  ck_assert_uint_eq(rows[1].crowded_count + rows[1].turned_count + rows[1].unlinked_count, 0);
  free(rows);
}

TEST(a_body_of_several_calls_is_one) {
  weft_scene* scene = new_scene();
  uint32_t count = 0;
  const float inverse_mass = 1.0f;
  for (uint32_t i = 0; i < 5; ++i) {
    const float place[3] = {(float)i, 0.0f, 0.0f};
    expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
    if (i == 0 || i == 4) continue;
    weft_link_def link = weft_default_link_def();
    link.a = i - 1;
    link.b = i;
    link.rest_length = 1.0f;
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  sim_body_check* rows = rows_of(scene, &count);
  ck_assert_uint_eq(count, 2);
  ck_assert_uint_eq(rows[0].range.particle_count, 4);
  ck_assert_uint_eq(rows[0].link_count, 3);
  ck_assert_uint_eq(rows[0].unlinked_count, 0);
  ck_assert_uint_eq(rows[1].unlinked_count, 1);
  free(rows);
}

// ---- random faces ----

typedef struct face_soup {
  float places[VERTICES][3];
  uint32_t faces[MOST_FACES][3];
  uint32_t count;
} face_soup;

static bool has_face(const face_soup* soup, const uint32_t face[3]) {
  for (uint32_t f = 0; f < soup->count; ++f) {
    int same = 0;
    for (int i = 0; i < 9; ++i) same += soup->faces[f][i / 3] == face[i % 3];
    if (same == 3) return true;
  }
  return false;
}

static face_soup random_soup(random_source* random) {
  face_soup made = {.count = 0};
  for (int i = 0; i < 3 * VERTICES; ++i) made.places[i / 3][i % 3] = random_float(random, 0, 1);
  for (int tries = 0; tries < MOST_FACES; ++tries) {
    uint32_t face[3];
    for (int k = 0; k < 3; ++k) face[k] = random_below(random, VERTICES);
    const bool is_face = face[0] != face[1] && face[1] != face[2] && face[2] != face[0];
    if (!is_face || has_face(&made, face)) continue;
    memcpy(made.faces[made.count++], face, sizeof face);
  }
  return made;
}

// faces that go from one vertex to the other
static uint32_t sides_of(const face_soup* soup, uint32_t from, uint32_t to) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 3 * soup->count; ++i) {
    sum += soup->faces[i / 3][i % 3] == from && soup->faces[i / 3][(i + 1) % 3] == to;
  }
  return sum;
}

// borders as parts of the graph of border edges: each vertex takes the lowest number it can reach
static uint32_t count_borders(const face_soup* soup) {
  uint32_t part[VERTICES], borders = 0;
  bool is_border[VERTICES] = {false};
  for (uint32_t i = 0; i < VERTICES; ++i) part[i] = i;
  for (uint32_t i = 0; i < VERTICES * VERTICES * VERTICES; ++i) {
    const uint32_t a = i % VERTICES, b = i / VERTICES % VERTICES;
    if (a == b || sides_of(soup, a, b) + sides_of(soup, b, a) != 1) continue;
    is_border[a] = true;
    if (part[b] < part[a]) part[a] = part[b];
  }
  for (uint32_t i = 0; i < VERTICES; ++i) borders += is_border[i] && part[i] == i;
  return borders;
}

RANDOM_TEST(random_faces_have_the_borders_and_faults_that_pairs_of_vertices_show, 100) {
  const face_soup soup = random_soup(&random);
  weft_scene* scene = new_scene();
  weft_mesh_def def = weft_default_mesh_def();
  uint32_t count = 0, border = 0, crowded = 0, turned = 0;
  if (soup.count == 0) return;
  def.positions = soup.places[0];
  def.vertex_count = VERTICES;
  def.triangles = soup.faces[0];
  def.triangle_count = soup.count;
  expect_ok(weft_scene_add_mesh(scene, &def, NULL));
  for (uint32_t i = 0; i < VERTICES * VERTICES; ++i) {
    const uint32_t a = i / VERTICES, b = i % VERTICES;
    if (a >= b) continue;
    const uint32_t there = sides_of(&soup, a, b), back = sides_of(&soup, b, a);
    border += there + back == 1;
    crowded += there + back > 2;
    turned += there + back == 2 && there != back;
  }
  sim_body_check* rows = rows_of(scene, &count);
  ck_assert_uint_eq(count, 1);
  require(rows->face_count == soup.count);
  require(rows->border_edge_count == border && rows->border_count == count_borders(&soup));
  require(rows->crowded_count == crowded && rows->turned_count == turned);
  free(rows);
}
