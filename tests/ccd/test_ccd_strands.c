/* CCD of links without faces: ropes, rings and nets. The oracle is the linking number of lines,
 * which changes only where one passes through the other. */
#include "modules/ccd/strands.h"
#include "support/ccd_sheets.h"
#include "support/saved.h"
#include "support/test.h"
#include "world/world.h"

// ---- table ----

// Particles 0 to 2 have a face, the others have none.
typedef struct strand_case {
  uint32_t a, b;
  weft_link_kind kind;
  weft_link_mode mode;
  bool is_strand;
} strand_case;

enum { TABLE = 7, CHAIN = 100, CASES = TABLE + CHAIN, FACE_LINKS = 3, POINTS = 7 + CHAIN };

// A table, then a chain from particle 6 on, of links with slack in several lane groups.
static strand_case strand_case_at(uint32_t n) {
  static const strand_case table[TABLE] = {
      {3, 4, WEFT_LINK_STRUCTURAL, WEFT_LINK_MODE_BOTH, true},
      {5, 2, WEFT_LINK_STRUCTURAL, WEFT_LINK_MODE_BOTH, true},
      {4, 5, WEFT_LINK_STRUCTURAL, WEFT_LINK_MODE_STRETCH, true},
      {6, 3, WEFT_LINK_STRUCTURAL, WEFT_LINK_MODE_RANGE, true},
      {3, 5, WEFT_LINK_STRUCTURAL, WEFT_LINK_MODE_COMPRESS, false},
      {4, 6, WEFT_LINK_SHEAR, WEFT_LINK_MODE_BOTH, false},
      {5, 6, WEFT_LINK_BEND, WEFT_LINK_MODE_BOTH, false},
  };
  if (n < TABLE) return table[n];
  const weft_link_mode mode = n * n % 5 < 2 ? WEFT_LINK_MODE_COMPRESS : WEFT_LINK_MODE_STRETCH;
  return (strand_case){n - 1, n, WEFT_LINK_STRUCTURAL, mode, mode == WEFT_LINK_MODE_STRETCH};
}

static weft_world* new_cases(void) {
  static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  static const uint32_t face[3] = {0, 1, 2};
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = corners[0], .vertex_count = 3, .triangles = face,
                      .triangle_count = 1);
  for (uint32_t n = 3; n < POINTS; ++n) {
    const float place[3] = {(float)n, (float)(n % 2), 0.0f};
    const float inverse_mass = 1.0f;
    expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
  }
  for (uint32_t n = 0; n < CASES; ++n) {
    const strand_case c = strand_case_at(n);
    weft_link_def link = weft_default_link_def();
    link.a = c.a;
    link.b = c.b;
    link.rest_length = 1.0f;
    link.max_length = c.mode == WEFT_LINK_MODE_RANGE ? 2.0f : 0.0f;
    link.kind = c.kind;
    link.mode = c.mode;
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  const weft_world_def def = faces_def();
  return new_world(&def, scene);
}

// Faces come first, as they are in the world, then the links that are strands; each is a use of its
// corners.
TEST(strands_are_structural_links_with_an_end_without_faces_that_resist_stretch) {
  weft_world* world = new_cases();
  const weft__contact_setup setup = weft__contact_setup_of(world);
  const uint32_t* solver_of = setup.schedule->solver_of;
  weft__faces* joined;
  require(weft__ccd_join_strands(&setup, &joined));
  uint32_t uses[POINTS] = {0};
  for (int k = 0; k < 3; ++k) {
    ck_assert_uint_eq(joined->corner[0][k], setup.faces->corner[0][k]);
    ck_assert_uint_eq(joined->link[0][k], setup.faces->link[0][k]);
    ++uses[joined->corner[0][k]];
  }
  uint32_t row = 1;
  for (uint32_t n = 0; n < CASES; ++n) {
    const strand_case c = strand_case_at(n);
    if (!c.is_strand) continue;
    const uint32_t a = solver_of[c.a], b = solver_of[c.b];
    const uint32_t expected[3] = {a < b ? a : b, a < b ? b : a, a < b ? b : a};
    const uint32_t links[3] = {FACE_LINKS + n, WEFT__NONE, WEFT__NONE};
    require(row < joined->count);
    ck_assert_mem_eq(joined->corner[row], expected, sizeof(expected));
    ck_assert_mem_eq(joined->link[row], links, sizeof(links));
    ++uses[a], ++uses[b], ++row;
  }
  ck_assert_uint_eq(joined->count, row);
  ck_assert_uint_eq(joined->strand_count, row - 1);
  for (uint32_t i = 0; i < POINTS; ++i) ck_assert_uint_eq(weft__face_count_of(joined, i), uses[i]);
  weft__ccd_free_joined(joined);
}

// ---- linking numbers ----

// Particles in a row; in a closed line the last is followed by the first.
typedef struct line {
  uint32_t count;
  uint32_t particle[32];
  bool is_closed;
} line;

// Sign of the crossing of segments a and b as seen from above, if a is above b; else 0.
static int crossing_above(const float* const a[2], const float* const b[2]) {
  const double u[2] = {(double)a[1][0] - (double)a[0][0], (double)a[1][2] - (double)a[0][2]};
  const double v[2] = {(double)b[1][0] - (double)b[0][0], (double)b[1][2] - (double)b[0][2]};
  const double w[2] = {(double)b[0][0] - (double)a[0][0], (double)b[0][2] - (double)a[0][2]};
  const double area = u[0] * v[1] - u[1] * v[0];
  const double s = (w[0] * v[1] - w[1] * v[0]) / area;
  const double t = (w[0] * u[1] - w[1] * u[0]) / area;
  if (!(s >= 0.0 && s < 1.0 && t >= 0.0 && t < 1.0)) return 0;
  const double above = (double)a[0][1] + s * ((double)a[1][1] - (double)a[0][1]);
  const double below = (double)b[0][1] + t * ((double)b[1][1] - (double)b[0][1]);
  return above > below ? (area > 0.0 ? 1 : -1) : 0;
}

static uint32_t segments_of(const line* l) {
  return l->is_closed ? l->count : l->count - 1;
}

static void ends_of(const line* l, uint32_t n, const float* positions, const float* end[2]) {
  for (uint32_t k = 0; k < 2; ++k) end[k] = positions + (size_t)3 * l->particle[(n + k) % l->count];
}

// Linking number of closed lines (Gauss); of others one that changes in the same way, as long as
// their ends stay where they are.
static int linking_of(const line* a, const line* b, const float* positions) {
  int sum = 0;
  for (uint32_t i = 0; i < segments_of(a); ++i) {
    for (uint32_t k = 0; k < segments_of(b); ++k) {
      const float* first[2];
      const float* second[2];
      ends_of(a, i, positions, first);
      ends_of(b, k, positions, second);
      sum += crossing_above(first, second);
    }
  }
  return sum;
}

enum { MAX_LINES = 40 };

// Linking numbers of all pairs of lines that share no particle.
typedef struct linkings {
  int of[MAX_LINES][MAX_LINES];
} linkings;

static bool have_common(const line* a, const line* b) {
  for (uint32_t n = 0; n < a->count * b->count; ++n) {
    if (a->particle[n / b->count] == b->particle[n % b->count]) return true;
  }
  return false;
}

static linkings measure(const weft_world* world, const line* lines, uint32_t count) {
  linkings found = {{{0}}};
  float* positions = new_positions(world);
  for (uint32_t a = 0; a < count; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      if (!have_common(&lines[a], &lines[b]))
        found.of[a][b] = linking_of(&lines[a], &lines[b], positions);
    }
  }
  return found;
}

// ---- scenes ----

static const float inverse_mass = 100.0f;

typedef struct strands {
  weft_scene* scene;
  uint32_t particle_count, line_count;
  line lines[MAX_LINES];
} strands;

// Adds a line of particles, with a link from each to the next, longer by a share.
static uint32_t add_line(strands* s, const float (*places)[3], uint32_t count, bool is_closed,
                         float slack) {
  line* l = &s->lines[s->line_count];
  *l = (line){.count = count, .is_closed = is_closed};
  for (uint32_t n = 0; n < count; ++n) {
    expect_ok(weft_scene_add_particles(s->scene, places[n], &inverse_mass, 1, NULL));
    l->particle[n] = s->particle_count + n;
  }
  for (uint32_t n = 0; n < segments_of(l); ++n) {
    weft_link_def link = weft_default_link_def();
    link.a = l->particle[n];
    link.b = l->particle[(n + 1) % count];
    const float* a = places[n];
    const float* b = places[(n + 1) % count];
    float sq = 0.0f;
    for (int axis = 0; axis < 3; ++axis) sq += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    link.rest_length = (1.0f + slack) * sqrtf(sq);
    link.mode = slack > 0.0f ? WEFT_LINK_MODE_STRETCH : WEFT_LINK_MODE_BOTH;
    expect_ok(weft_scene_add_links(s->scene, &link, 1, NULL));
  }
  s->particle_count += count;
  return s->line_count++;
}

// Adds a ring of 16 links in the plane of `axis` and the next axis.
static uint32_t add_ring(strands* s, const float center[3], float radius, int axis) {
  enum { LINKS = 16 };
  float places[LINKS][3];
  for (int n = 0; n < LINKS; ++n) {
    // no crossing of two rings is at a particle
    const float angle = 6.2831853f * ((float)n + 0.21f) / LINKS;
    for (int k = 0; k < 3; ++k) places[n][k] = center[k] + 0.003f * radius * (float)(n % 3);
    places[n][axis] += radius * cosf(angle);
    places[n][(axis + 1) % 3] += radius * sinf(angle);
  }
  return add_line(s, (const float(*)[3])places, LINKS, true, 0.0f);
}

// Rings, each of which goes through the next.
static strands new_chain(uint32_t rings) {
  strands s = {.scene = new_scene()};
  for (uint32_t n = 0; n < rings; ++n) {
    const float center[3] = {0.06f * (float)n, 0.002f, 0.001f};
    (void)add_ring(&s, center, 0.05f, n % 2 == 0 ? 0 : 2);
  }
  return s;
}

static weft_world* new_world_with(strands* s, const weft_world_def* def, bool ccd) {
  weft_world* world = new_world(def, s->scene);
  weft_particle_shape_def shape = cloth_contact();
  shape.collision = ccd ? WEFT_COLLISION_EXACT : WEFT_COLLISION_SOFT;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, particle_count_of(world)), &shape));
  return world;
}

// ---- rings ----

static weft_world_def def_of(uint32_t substeps) {
  weft_world_def def = faces_def();
  def.solver.substeps = substeps;
  return def;
}

// True if all linking numbers stay while rings are flung about.
static bool stay_linked(uint32_t substeps, bool ccd, uint64_t seed) {
  random_source random = {seed};
  const weft_world_def def = def_of(substeps);
  strands s = new_chain(6);
  weft_world* world = new_world_with(&s, &def, ccd);
  const linkings before = measure(world, s.lines, s.line_count);
  for (uint32_t n = 1; n < s.line_count; ++n) ck_assert_int_eq(abs(before.of[n][n - 1]), 1);
  bool is_same = true;
  uint64_t hits = 0;
  for (uint32_t step = 0; step < ROUNDS(60, 12) && is_same; ++step) {
    if (step % 10 == 0) fling(world, &random, 0, s.particle_count, 8.0f);
    weft_world_step(world, 1);
    const weft_contact_stats stats = contact_stats_of(world);
    ck_assert_uint_eq(stats.lost_ccd_pairs, 0);
    hits += stats.ccd_hits;
    const linkings now = measure(world, s.lines, s.line_count);
    is_same = memcmp(&now, &before, sizeof now) == 0;
  }
  ck_assert(ccd == (hits > 0));
  return is_same;
}

LOOP_TEST(rings_of_a_chain_that_is_flung_about_stay_linked, 0, ROUNDS(3, 1)) {
  ck_assert(stay_linked(1, true, 1 + (uint64_t)_i));
  ck_assert(stay_linked(3, true, 11 + (uint64_t)_i));
  ck_assert(!stay_linked(1, false, 1 + (uint64_t)_i));
}

// ---- ropes ----

enum { ROPE = 21 };

// A rope along x, and one along z above it, whose ends are pinned; both have no weight. The first
// link is that of a pair of particles elsewhere.
static strands new_cross(void) {
  strands s = {.scene = new_scene()};
  static const float pair[2][3] = {{9.0f, 0.0f, 0.0f}, {9.0f, 0.1f, 0.0f}};
  (void)add_line(&s, pair, 2, false, 0.0f);
  for (int n = 0; n < 2; ++n) {
    float places[ROPE][3];
    for (int i = 0; i < ROPE; ++i) {
      for (int axis = 0; axis < 3; ++axis) places[i][axis] = 0.0037f * (float)(axis + n);
      places[i][2 * n] += SPACING * (float)(i - ROPE / 2);
      places[i][1] += 0.05f * (float)n;
    }
    (void)add_line(&s, (const float(*)[3])places, ROPE, false, n == 1 ? 0.5f : 0.0f);
    const line* rope = &s.lines[1 + n];
    expect_ok(weft_scene_pin(s.scene, weft_range(rope->particle[0], 1)));
    expect_ok(weft_scene_pin(s.scene, weft_range(rope->particle[ROPE - 1], 1)));
  }
  return s;
}

static void throw_down(weft_world* world, const line* l, uint32_t first, uint32_t end,
                       float speed) {
  float* positions = new_positions(world);
  for (uint32_t n = first; n < end; ++n) {
    const uint32_t i = l->particle[n];
    place_particle(world, i, positions + (size_t)3 * i, (const float[3]){0.0f, -speed, 0.0f});
  }
}

LOOP_TEST(a_rope_thrown_across_another_does_not_pass_it_until_that_is_torn, 0, 3) {
  static const float speeds[] = {1.0f, 30.0f, 1000.0f};
  for (int is_torn = 0; is_torn < 2; ++is_torn) {
    const weft_world_def def = def_of(2);
    strands s = new_cross();
    weft_world* world = new_world_with(&s, &def, true);
    const int before = measure(world, s.lines, 3).of[2][1];
    ck_assert_int_eq(abs(before), 1);
    expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 0, is_torn ? ROPE : 1, &(bool){true}, WEFT_SAME);
    throw_down(world, &s.lines[2], 1, ROPE - 1, speeds[_i]);
    uint64_t hits = 0;
    for (int step = 0; step < 30; ++step) {
      weft_world_step(world, 1);
      hits += contact_stats_of(world).ccd_hits;
      if (!is_torn) ck_assert_int_eq(measure(world, s.lines, 3).of[2][1], before);
    }
    ck_assert(is_torn == (hits == 0));
  }
}
