#include "support/snapshot.h"
#include "support/test.h"

enum { MOST_VERTICES = 40, MOST_TRIANGLES = 200 };

// mesh def with the arrays that it points to
typedef struct soup {
  weft_mesh_def def;
  float positions[3 * MOST_VERTICES];
  uint32_t triangles[3 * MOST_TRIANGLES];
} soup;

static bool same_face(const uint32_t* left, const uint32_t* right) {
  for (int i = 0; i < 3; ++i) {
    if (left[i] != right[0] && left[i] != right[1] && left[i] != right[2]) return false;
  }
  return true;
}

// true if an earlier triangle has the same three corners as triangle t
static bool is_repeated(const soup* s, uint32_t t) {
  for (uint32_t u = 0; u < t; ++u) {
    if (same_face(s->triangles + (size_t)3 * u, s->triangles + (size_t)3 * t)) return true;
  }
  return false;
}

static void draw_face(random_source* random, uint32_t vertex_count, uint32_t* corner) {
  corner[0] = random_below(random, vertex_count);
  do corner[1] = random_below(random, vertex_count);
  while (corner[1] == corner[0]);
  do corner[2] = random_below(random, vertex_count);
  while (corner[2] == corner[0] || corner[2] == corner[1]);
}

// triangle soup over random vertices: edges of any number of triangles, no repeated face
static void draw_soup(soup* s, random_source* random) {
  *s = (soup){.def = weft_default_mesh_def()};
  s->def.positions = s->positions;
  s->def.triangles = s->triangles;
  s->def.vertex_count = random_from(random, 8, MOST_VERTICES);
  for (uint32_t i = 0; i < 3 * s->def.vertex_count; ++i) {
    s->positions[i] = random_float(random, -1.0f, 1.0f);
  }
  const uint32_t wanted = random_from(random, 1, random_chance(random, 2) ? 12 : MOST_TRIANGLES);
  while (s->def.triangle_count < wanted) {
    // a few vertices allow only a few faces: stop early if they are used up
    draw_face(random, s->def.vertex_count, s->triangles + (size_t)3 * s->def.triangle_count);
    if (is_repeated(s, s->def.triangle_count) && random_chance(random, 50)) break;
    if (!is_repeated(s, s->def.triangle_count)) ++s->def.triangle_count;
  }
  if (s->def.triangle_count == 0) s->def.triangle_count = 1;
}

static void expect_refusal(const weft_mesh_def* def, weft_error error, const char* field,
                           uint64_t index) {
  expect_not_added(weft_scene_add_mesh(scene, def, &body), error, field, index);
}

// ---- the links ----

// reference links: pairs, kinds and order, found by comparing every face with every edge
typedef struct link_oracle {
  uint32_t count;
  uint32_t edge_count;
  uint32_t edges[3 * MOST_TRIANGLES][2];       /* in order of first use by a face [edge_count] */
  int kind[MOST_VERTICES][MOST_VERTICES];      /* weft_link_kind, -1 = not linked */
  uint32_t rank[MOST_VERTICES][MOST_VERTICES]; /* number of the edge that created the link */
} link_oracle;

static bool note_pair(link_oracle* oracle, uint32_t a, uint32_t b, weft_link_kind kind,
                      uint32_t rank) {
  if (oracle->kind[a][b] >= 0) return false;
  oracle->kind[a][b] = oracle->kind[b][a] = (int)kind;
  oracle->rank[a][b] = oracle->rank[b][a] = rank;
  ++oracle->count;
  return true;
}

static void note_edges(link_oracle* oracle, const soup* s) {
  for (uint32_t t = 0; t < s->def.triangle_count; ++t) {
    const uint32_t* corner = s->triangles + (size_t)3 * t;
    for (int i = 0; i < 3; ++i) {
      uint32_t* edge = oracle->edges[oracle->edge_count];
      edge[0] = corner[i];
      edge[1] = corner[(i + 1) % 3];
      oracle->edge_count +=
          note_pair(oracle, edge[0], edge[1], WEFT_LINK_STRUCTURAL, oracle->edge_count);
    }
  }
}

static bool has_corner(const uint32_t* triangle, uint32_t vertex) {
  return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

// links every two corners opposite to an edge
static void note_bends(link_oracle* oracle, const soup* s, uint32_t rank) {
  const uint32_t* edge = oracle->edges[rank];
  uint32_t opposite[MOST_TRIANGLES];
  uint32_t count = 0;
  for (uint32_t t = 0; t < s->def.triangle_count; ++t) {
    const uint32_t* corner = s->triangles + (size_t)3 * t;
    if (!has_corner(corner, edge[0]) || !has_corner(corner, edge[1])) continue;
    for (int i = 0; i < 3; ++i) {
      if (corner[i] != edge[0] && corner[i] != edge[1]) opposite[count++] = corner[i];
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      (void)note_pair(oracle, opposite[i], opposite[j], WEFT_LINK_BEND, rank);
    }
  }
}

static void expect_links(link_oracle* oracle, const soup* s) {
  oracle->count = oracle->edge_count = 0;
  memset(oracle->kind, 0xff, sizeof(oracle->kind));
  note_edges(oracle, s);
  if (s->def.bend_relaxation == 0.0f) return;
  for (uint32_t e = 0; e < oracle->edge_count; ++e) note_bends(oracle, s, e);
}

static void compare_link(const link_oracle* oracle, const soup* s, weft_link_def link,
                         uint32_t first) {
  const uint32_t a = link.a - first;
  const uint32_t b = link.b - first;
  require(a < s->def.vertex_count && b < s->def.vertex_count);
  require(oracle->kind[a][b] == (int)link.kind);
  double squared = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double difference =
        (double)s->positions[3 * a + axis] - (double)s->positions[3 * b + axis];
    squared += difference * difference;
  }
  require(fabs(sqrt(squared) - (double)link.rest_length) < 1e-6);
  const bool bends = link.kind == WEFT_LINK_BEND;
  require(link.relaxation == (bends ? s->def.bend_relaxation : s->def.relaxation));
  require(link.tear_ratio == s->def.tear_ratio);
}

RANDOM_TEST(links_are_those_that_comparing_all_pairs_of_triangles_finds, (ROUNDS(150, 40))) {
  static soup s;
  draw_soup(&s, &random);
  s.def.relaxation = 0.75f;
  s.def.tear_ratio = 2.0f;
  s.def.bend_relaxation = random_chance(&random, 4) ? 0.0f : 0.25f;
  static link_oracle oracle;
  expect_links(&oracle, &s);

  weft_scene* scene = new_scene();
  use_scene(scene);
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &s.def, &body));
  ck_assert_uint_eq(body.particle_count, s.def.vertex_count);
  ck_assert_uint_eq(body.link_count, oracle.count);
  scene_snapshot snapshot = take_snapshot(scene);
  for (uint32_t i = body.first_link; i < body.first_link + body.link_count; ++i) {
    compare_link(&oracle, &s, snapshot.links[i], body.first_particle);
    // clear the pair: each pair is expected once
    const uint32_t a = snapshot.links[i].a - body.first_particle;
    const uint32_t b = snapshot.links[i].b - body.first_particle;
    oracle.kind[a][b] = oracle.kind[b][a] = -1;
  }
}

RANDOM_TEST(edges_come_first_and_all_links_as_the_faces_bring_their_edges, (ROUNDS(150, 40))) {
  static soup s;
  draw_soup(&s, &random);
  static link_oracle oracle;
  expect_links(&oracle, &s);
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_mesh(scene, &s.def, NULL));
  scene_snapshot snapshot = take_snapshot(scene);
  for (uint32_t i = 1; i < snapshot.link_count; ++i) {
    const weft_link_def before = snapshot.links[i - 1];
    const weft_link_def here = snapshot.links[i];
    require(here.kind == WEFT_LINK_BEND || before.kind == WEFT_LINK_STRUCTURAL);
    require(here.kind != before.kind ||
            oracle.rank[before.a][before.b] <= oracle.rank[here.a][here.b]);
  }
}

RANDOM_TEST(particles_are_the_vertices, 20) {
  static soup s;
  draw_soup(&s, &random);
  s.def.particle_mass = 0.25f;
  weft_scene* scene = new_scene();
  weft_body body;
  use_scene(scene);
  expect_ok(weft_scene_add_mesh(scene, &s.def, &body));
  float positions[3 * MOST_VERTICES];
  float inverse_masses[MOST_VERTICES];
  expect_ok(weft_scene_get_particles(scene, body.first_particle, body.particle_count, positions,
                                     inverse_masses));
  ck_assert_mem_eq(positions, s.positions, s.def.vertex_count * sizeof(float[3]));
  for (uint32_t i = 0; i < body.particle_count; ++i) require(inverse_masses[i] == 4.0f);
}

// ---- refused meshes ----

RANDOM_TEST(a_face_that_comes_twice_is_named_however_its_corners_are_turned, (ROUNDS(150, 40))) {
  static soup s;
  draw_soup(&s, &random);
  if (s.def.triangle_count < 2) return;
  // several copies: the error names the first face that repeats an earlier one
  const uint32_t copies = random_from(&random, 1, 3);
  for (uint32_t c = 0; c < copies; ++c) {
    const uint32_t* from = s.triangles + (size_t)3 * random_below(&random, s.def.triangle_count);
    const uint32_t turn = random_below(&random, 3);
    const uint32_t way = random_from(&random, 1, 2);
    const uint32_t turned[3] = {from[turn], from[(turn + way) % 3], from[(turn + 2 * way) % 3]};
    const uint32_t to = random_below(&random, s.def.triangle_count);
    memcpy(s.triangles + (size_t)3 * to, turned, sizeof(turned));
  }
  uint32_t first = 0;
  while (first < s.def.triangle_count && !is_repeated(&s, first)) ++first;
  if (first == s.def.triangle_count) return;
  expect_refusal(&s.def, WEFT_ERROR_DUPLICATE, "weft_mesh_def.triangles", first);
}

RANDOM_TEST(a_corner_past_the_last_vertex_is_named, (ROUNDS(150, 40))) {
  static soup s;
  draw_soup(&s, &random);
  const uint32_t corner = random_below(&random, 3 * s.def.triangle_count);
  const uint32_t bad[] = {s.def.vertex_count, s.def.vertex_count + 1, UINT32_MAX};
  s.triangles[corner] = bad[_i % 3];
  expect_refusal(&s.def, WEFT_ERROR_INDEX, "weft_mesh_def.triangles", corner / 3);
}

RANDOM_TEST(a_face_that_uses_a_vertex_twice_is_named, (ROUNDS(150, 40))) {
  static soup s;
  draw_soup(&s, &random);
  const uint32_t corner = random_below(&random, 3 * s.def.triangle_count);
  const uint32_t other = corner / 3 * 3 + (corner + random_from(&random, 1, 2)) % 3;
  s.triangles[corner] = s.triangles[other];
  expect_refusal(&s.def, WEFT_ERROR_DEGENERATE, "weft_mesh_def.triangles", corner / 3);
}

TEST(an_edge_without_a_length_is_refused_and_a_bend_without_one_left_out) {
  const float positions[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.5f, 1.0f,
                             0.0f, 0.5f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  // two faces folded onto each other: same corners, opposite winding
  const uint32_t folded[] = {0, 1, 2, 1, 0, 3};
  weft_mesh_def def =
      mesh_def(.positions = positions, .vertex_count = 5, .triangles = folded, .triangle_count = 2);
  weft_scene* scene = new_scene();
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &def, &body));
  ck_assert_uint_eq(body.link_count, 5);
  // vertices 0 and 4 coincide
  const uint32_t flat[] = {1, 2, 0, 1, 0, 4};
  def.triangles = flat;
  expect_refusal(&def, WEFT_ERROR_DEGENERATE, "weft_mesh_def.positions", 0);
}

TEST(an_edge_longer_than_a_float_can_tell_is_refused) {
  const float positions[] = {1.0f, 3e38f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f};
  const uint32_t triangle[] = {0, 1, 2};
  const weft_mesh_def def = mesh_def(.positions = positions, .vertex_count = 3,
                                     .triangles = triangle, .triangle_count = 1);
  expect_refusal(&def, WEFT_ERROR_RANGE, "weft_mesh_def.positions", 0);
}

LOOP_TEST(a_position_that_is_not_finite_is_named, 0, (ROUNDS(150, 40))) {
  const float bad[] = {NAN, INFINITY, -INFINITY};
  random_source random = {(uint64_t)_i};
  static soup s;
  draw_soup(&s, &random);
  const uint32_t element = random_below(&random, 3 * s.def.vertex_count);
  s.positions[element] = bad[_i % 3];
  expect_refusal(&s.def, WEFT_ERROR_NOT_FINITE, "weft_mesh_def.positions", element / 3);
}

TEST(null_is_refused) {
  random_source random = {0};
  static soup s;
  draw_soup(&s, &random);
  expect_null(weft_scene_add_mesh(NULL, &s.def, NULL), "scene");
  expect_refusal(NULL, WEFT_ERROR_NULL, "def", 0);
}
