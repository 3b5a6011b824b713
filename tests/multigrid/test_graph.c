#include "solvers/multigrid/graph.h"

#include "support/test.h"

// scene, its first coarsening and lookup tables for the checks
typedef struct coarsened {
  weft_scene* fine;
  weft__distances cloth;
  weft__coarsening made;
  bool* in_lattice;    /* [fine particles] */
  bool* is_linked;     /* end of a structural graph link [fine particles] */
  uint32_t* coarse_of; /* coarse index, UINT32_MAX: fine only [fine particles] */
} coarsened;

static bool is_structural(const coarsened* c, uint32_t i) {
  const weft__links* links = &c->fine->links;
  return links->kind[i] == WEFT_LINK_STRUCTURAL && !c->in_lattice[links->end_a[i]] &&
         !c->in_lattice[links->end_b[i]];
}

// fills the lookup tables
static void look_up(coarsened* c) {
  const size_t count = (size_t)weft_scene_particle_count(c->fine) + 1;
  c->in_lattice = test_alloc(count * sizeof(bool));
  c->is_linked = test_alloc(count * sizeof(bool));
  c->coarse_of = test_alloc(sizeof(uint32_t) * count);
  for (size_t p = 0; p < c->fine->part_count; ++p) {
    const weft__part* part = &c->fine->parts[p];
    for (uint32_t i = 0; i < part->particle_count; ++i) {
      c->in_lattice[part->first_particle + i] = part->columns > 0;
    }
  }
  for (uint32_t i = 0; i < c->fine->links.count; ++i) {
    if (!is_structural(c, i)) continue;
    c->is_linked[c->fine->links.end_a[i]] = true;
    c->is_linked[c->fine->links.end_b[i]] = true;
  }
  memset(c->coarse_of, 0xff, sizeof(uint32_t) * count);
  for (uint32_t i = 0; i < weft_scene_particle_count(c->made.scene); ++i) {
    require(c->coarse_of[c->made.fine_of[i]] == UINT32_MAX);
    c->coarse_of[c->made.fine_of[i]] = i;
  }
}

// takes ownership of the scene
static coarsened coarsen(weft_scene* scene) {
  coarsened c = {.fine = scene};
  const uint32_t count = weft_scene_particle_count(scene);
  uint32_t* cloth_of = test_alloc(sizeof(uint32_t) * (count + 1));
  for (uint32_t i = 0; i < count; ++i) cloth_of[i] = i;
  ck_assert(weft__distances_create(&c.cloth, scene));
  ck_assert(weft__coarsen(&c.made, scene, cloth_of, &c.cloth));
  look_up(&c);
  return c;
}

static void free_coarsened(coarsened* c) {
  weft__coarsening_destroy(&c->made);
  weft__distances_destroy(&c->cloth);
}

// scene cases with random graphs and meshes, and with all kinds of bodies mixed
static weft_scene* new_graph_case(int number) {
  return new_scene_case(number / 3 * 4 + number % 3 + 1);
}

static bool is_coarse(const coarsened* c, uint32_t particle) {
  return c->coarse_of[particle] != UINT32_MAX;
}

// ---- the coarse particles ----

LOOP_TEST(no_link_joins_two_coarse_particles_and_all_others_have_one_beside_them, 0,
          ROUNDS(20, 12)) {
  coarsened c = coarsen(new_graph_case(_i));
  bool* has_one = test_alloc(((size_t)c.fine->particle_count + 1) * sizeof(bool));
  for (uint32_t i = 0; i < c.fine->links.count; ++i) {
    if (!is_structural(&c, i)) continue;
    const uint32_t a = c.fine->links.end_a[i];
    const uint32_t b = c.fine->links.end_b[i];
    require(!is_coarse(&c, a) || !is_coarse(&c, b));
    has_one[a] |= is_coarse(&c, b);
    has_one[b] |= is_coarse(&c, a);
  }
  for (uint32_t p = 0; p < c.fine->particle_count; ++p) {
    if (c.in_lattice[p]) continue;
    require(!c.is_linked[p] || is_coarse(&c, p) || has_one[p]);
    require(c.is_linked[p] || !is_coarse(&c, p));
  }
  free_coarsened(&c);
}

LOOP_TEST(a_pinned_particle_stays_or_has_a_pinned_one_beside_it, 0, ROUNDS(20, 12)) {
  coarsened c = coarsen(new_graph_case(_i));
  const float* inverse_masses = c.fine->inverse_masses;
  bool* has_one = test_alloc(((size_t)c.fine->particle_count + 1) * sizeof(bool));
  for (uint32_t i = 0; i < c.fine->links.count; ++i) {
    if (!is_structural(&c, i)) continue;
    const uint32_t a = c.fine->links.end_a[i];
    const uint32_t b = c.fine->links.end_b[i];
    has_one[a] |= is_coarse(&c, b) && inverse_masses[b] == 0.0f;
    has_one[b] |= is_coarse(&c, a) && inverse_masses[a] == 0.0f;
  }
  for (uint32_t p = 0; p < c.fine->particle_count; ++p) {
    if (c.in_lattice[p] || !c.is_linked[p] || inverse_masses[p] > 0.0f) continue;
    require(is_coarse(&c, p) || has_one[p]);
  }
  free_coarsened(&c);
}

LOOP_TEST(a_coarse_particle_is_placed_and_weighs_as_the_fine_one_that_it_is, 0, ROUNDS(20, 12)) {
  coarsened c = coarsen(new_graph_case(_i));
  for (uint32_t i = 0; i < weft_scene_particle_count(c.made.scene); ++i) {
    const uint32_t fine = c.made.fine_of[i];
    require(c.made.scene->inverse_masses[i] == c.fine->inverse_masses[fine]);
    if (c.in_lattice[fine]) continue;
    require(memcmp(c.made.scene->positions + (size_t)3 * i, c.fine->positions + (size_t)3 * fine,
                   sizeof(float[3])) == 0);
  }
  free_coarsened(&c);
}

// ---- cells ----

// sets the shorter of two path lengths; returns true on a change
static bool shorten(float* distance, float way) {
  if (!(way < *distance)) return false;
  *distance = way;
  return true;
}

// shortest path lengths from any coarse particle, by relaxing all links to a fixed point (Bellman
// 1958)
static float* measure_slowly(const coarsened* c) {
  const weft__links* links = &c->fine->links;
  float* distance = test_alloc(sizeof(float) * ((size_t)c->fine->particle_count + 1));
  for (uint32_t p = 0; p < c->fine->particle_count; ++p) {
    distance[p] = is_coarse(c, p) && !c->in_lattice[p] ? 0.0f : INFINITY;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < links->count; ++i) {
      const uint32_t a = links->end_a[i];
      const uint32_t b = links->end_b[i];
      if (c->in_lattice[a] && c->in_lattice[b]) continue;
      changed |= shorten(&distance[b], distance[a] + links->rest_length[i]);
      changed |= shorten(&distance[a], distance[b] + links->rest_length[i]);
    }
  }
  return distance;
}

LOOP_TEST(a_cell_is_what_lies_nearest_to_its_root_along_the_links, 0, ROUNDS(20, 12)) {
  coarsened c = coarsen(new_graph_case(_i));
  float* expected = measure_slowly(&c);
  for (uint32_t p = 0; p < c.fine->particle_count; ++p) {
    require(c.cloth.distance[p] == expected[p]);
    require((c.cloth.root[p] == WEFT__NO_CELL) == isinf(expected[p]));
    // the last link of the shortest path stays within the cell
    bool is_reached = expected[p] == 0.0f && c.cloth.root[p] == p;
    for (uint32_t i = c.cloth.links.first[p]; i < c.cloth.links.first[p + 1]; ++i) {
      const uint32_t from = c.cloth.links.to[i];
      is_reached |= c.cloth.root[from] == c.cloth.root[p] &&
                    c.cloth.distance[from] + c.fine->links.rest_length[c.cloth.links.link[i]] ==
                        c.cloth.distance[p];
    }
    require(is_reached || c.cloth.root[p] == WEFT__NO_CELL);
  }
  free_coarsened(&c);
}

// ---- links ----

static uint64_t pair_of(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int compare_pairs(const void* left, const void* right) {
  const uint64_t a = *(const uint64_t*)left;
  const uint64_t b = *(const uint64_t*)right;
  return (a > b) - (a < b);
}

// sorts and removes duplicates; returns the number left
static size_t make_set(uint64_t* pairs, size_t count) {
  size_t kept = 0;
  if (count > 0) qsort(pairs, count, sizeof(*pairs), compare_pairs);
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || pairs[i] != pairs[i - 1]) pairs[kept++] = pairs[i];
  }
  return kept;
}

LOOP_TEST(roots_are_linked_once_where_their_cells_touch_and_nowhere_else, 0, ROUNDS(20, 12)) {
  coarsened c = coarsen(new_graph_case(_i));
  const weft__links* links = &c.fine->links;
  uint64_t* expected = test_alloc(sizeof(uint64_t) * ((size_t)links->count + 1));
  uint64_t* found = test_alloc(sizeof(uint64_t) * ((size_t)c.made.scene->links.count + 1));
  size_t expected_count = 0;
  for (uint32_t i = 0; i < links->count; ++i) {
    const uint32_t a = c.cloth.root[links->end_a[i]];
    const uint32_t b = c.cloth.root[links->end_b[i]];
    if (c.in_lattice[links->end_a[i]] && c.in_lattice[links->end_b[i]]) continue;
    if (a == WEFT__NO_CELL || b == WEFT__NO_CELL || a == b) continue;
    expected[expected_count++] = pair_of(a, b);
  }
  expected_count = make_set(expected, expected_count);
  size_t count = 0;
  for (uint32_t i = 0; i < c.made.scene->links.count; ++i) {
    const weft_link_def link = weft__links_get(&c.made.scene->links, i);
    const uint32_t a = c.made.fine_of[link.a];
    const uint32_t b = c.made.fine_of[link.b];
    require(link.rest_length > 0.0f);
    // links with an end in a lattice belong to the lattice or to a seam: see test_coarsen.c,
    // test_seams.c
    if (!c.in_lattice[a] && !c.in_lattice[b]) found[count++] = pair_of(a, b);
  }
  ck_assert_uint_eq(make_set(found, count), count);
  ck_assert_uint_eq(count, expected_count);
  require(count == 0 || memcmp(found, expected, count * sizeof(*found)) == 0);
  free_coarsened(&c);
}

static double distance_between(const weft_scene* scene, uint32_t a, uint32_t b) {
  double squared = 0.0;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const double d = (double)scene->positions[(size_t)3 * a + axis] -
                     (double)scene->positions[(size_t)3 * b + axis];
    squared += d * d;
  }
  return sqrt(squared);
}

RANDOM_TEST(no_coarse_link_of_a_mesh_is_shorter_than_the_straight_line_at_rest, ROUNDS(20, 12)) {
  weft_scene* scene = new_scene();
  (void)add_random_mesh(scene, &random, random_from(&random, 2, 40));
  coarsened c = coarsen(scene);
  for (uint32_t i = 0; i < c.made.scene->links.count; ++i) {
    const weft_link_def link = weft__links_get(&c.made.scene->links, i);
    const double straight = distance_between(c.made.scene, link.a, link.b);
    require((double)link.rest_length >= straight * (1.0 - 1e-6));
  }
  free_coarsened(&c);
}

enum { ROPE = 60 };

// chain of links with random compliances; returns the compliance from the first particle to each
static weft_scene* new_soft_rope(random_source* random, double softness[ROPE]) {
  weft_scene* scene = new_scene();
  float positions[3 * ROPE] = {0.0f};
  float inverse_masses[ROPE];
  for (uint32_t i = 0; i < ROPE; ++i) {
    positions[3 * i] = (float)i;
    inverse_masses[i] = 1.0f;
  }
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, ROPE, NULL));
  softness[0] = 0.0;
  for (uint32_t i = 0; i + 1 < ROPE; ++i) {
    const weft_link_def link = {.a = i,
                                .b = i + 1,
                                .rest_length = random_float(random, 0.5f, 1.5f),
                                .relaxation = 1.0f,
                                .compliance = random_float(random, 0.0f, 1.0f)};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    softness[i + 1] = softness[i] + (double)link.compliance;
  }
  return scene;
}

RANDOM_TEST(a_coarse_link_of_a_rope_gives_way_as_the_links_between_its_ends_do_together, 20) {
  double softness[ROPE];
  coarsened c = coarsen(new_soft_rope(&random, softness));
  ck_assert_uint_gt(c.made.scene->links.count, ROPE / 4);
  for (uint32_t i = 0; i < c.made.scene->links.count; ++i) {
    const weft_link_def link = weft__links_get(&c.made.scene->links, i);
    const double expected =
        fabs(softness[c.made.fine_of[link.a]] - softness[c.made.fine_of[link.b]]);
    require(fabs((double)link.compliance - expected) <= 1e-5 * expected);
  }
  free_coarsened(&c);
}

RANDOM_TEST(levels_of_a_soft_mesh_without_bend_links_give_way_and_those_of_a_rigid_one_do_not, 10) {
  const weft_material_def material = weft_default_material_def();
  const bool is_soft = _i % 2 == 0;
  weft_scene* scene = new_scene();
  (void)add_random_mesh_of(scene, &random, 20, is_soft ? &material : NULL, 0.0f);
  coarsened c = coarsen(scene);
  for (uint32_t i = 0; i < c.made.scene->links.count; ++i) {
    require((c.made.scene->links.compliance[i] > 0.0f) == is_soft);
  }
  free_coarsened(&c);
}

// ---- parents ----

LOOP_TEST(parents_have_weights_that_sum_to_one_or_there_are_none, 0, ROUNDS(20, 12)) {
  coarsened c = coarsen(new_graph_case(_i));
  const uint32_t coarse_count = weft_scene_particle_count(c.made.scene);
  for (uint32_t p = 0; p < c.fine->particle_count; ++p) {
    if (c.in_lattice[p]) continue;
    const weft__parents* parents = &c.made.parents[p];
    double sum = 0.0;
    for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
      require(parents->weight[j] >= 0.0f);
      sum += (double)parents->weight[j];
      require(parents->weight[j] == 0.0f || parents->of[j] < coarse_count);
    }
    require(sum == 0.0 || fabs(sum - 1.0) <= 3e-7);
    require(sum > 0.0 || c.cloth.root[p] == WEFT__NO_CELL || !c.is_linked[p]);
    if (is_coarse(&c, p)) require(parents->of[0] == c.coarse_of[p] && parents->weight[0] == 1.0f);
  }
  free_coarsened(&c);
}
