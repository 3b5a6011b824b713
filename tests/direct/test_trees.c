/* Forest extraction against a reference, and the direct solve of a tree against a dense system. */
#include "modules/articulated/tree_solve.h"
#include "schedule/freeze.h"
#include "support/rig.h"
#include "support/test.h"

// ---- links of each tree, by brute force ----

enum { MOST = 11, MOST_GRAPH_LINKS = MOST * (MOST - 1) / 2 };

typedef struct graph {
  weft_scene* scene;
  uint32_t count;
  uint32_t link_count;
  weft_link_def links[MOST_GRAPH_LINKS];
  bool pinned[MOST];
  bool core[MOST];
  int tree[MOST_GRAPH_LINKS]; /* tree number of each link; -1: none */
} graph;

static void add_particle(weft_scene* scene, random_source* random, float inverse_mass) {
  const float position[3] = {random_float(random, -1.0f, 1.0f), random_float(random, -1.0f, 1.0f),
                             random_float(random, -1.0f, 1.0f)};
  expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
}

static void draw_graph(graph* g, random_source* random) {
  *g = (graph){.scene = new_scene(), .count = random_from(random, 2, MOST)};
  for (uint32_t i = 0; i < g->count; ++i) {
    g->pinned[i] = random_chance(random, 4);
    add_particle(g->scene, random, g->pinned[i] ? 0.0f : random_float(random, 1.0f, 9.0f));
  }
  const uint32_t density = random_from(random, 2, 12);
  for (uint32_t a = 0; a < g->count; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      if (!random_chance(random, density)) continue;
      const bool turned = random_chance(random, 2);
      g->links[g->link_count++] = (weft_link_def){
          .a = turned ? a : b,
          .b = turned ? b : a,
          .rest_length = random_float(random, 0.1f, 1.0f),
          .relaxation = random_chance(random, 10) ? 0.5f : 1.0f,
          .kind = random_chance(random, 10) ? WEFT_LINK_BEND : WEFT_LINK_STRUCTURAL};
    }
  }
  if (g->link_count > 0) {
    expect_ok(weft_scene_add_links(g->scene, g->links, g->link_count, NULL));
  }
}

static bool is_strong(const weft_link_def* link) {
  return link->kind == WEFT_LINK_STRUCTURAL && link->relaxation == 1.0f;
}

// core: union of all sets of free particles with at least two links within the set each
static void find_core(graph* g) {
  for (uint32_t set = 0; set < 1u << g->count; ++set) {
    uint32_t degree[MOST] = {0};
    for (uint32_t i = 0; i < g->link_count; ++i) {
      const weft_link_def* l = &g->links[i];
      if (!is_strong(l) || !(set >> l->a & 1) || !(set >> l->b & 1)) continue;
      ++degree[l->a];
      ++degree[l->b];
    }
    bool good = true;
    for (uint32_t i = 0; i < g->count; ++i) {
      if (set >> i & 1) good = good && !g->pinned[i] && degree[i] >= 2;
    }
    for (uint32_t i = 0; i < g->count; ++i) g->core[i] |= good && (set >> i & 1);
  }
}

static bool shares_a_free_particle(const graph* g, const weft_link_def* l, const weft_link_def* r) {
  return (!g->pinned[l->a] && (l->a == r->a || l->a == r->b)) ||
         (!g->pinned[l->b] && (l->b == r->a || l->b == r->b));
}

// tree links: strong links with a free end outside the core; links that share a free particle get
// the lower number
static void find_trees(graph* g) {
  for (uint32_t i = 0; i < g->link_count; ++i) {
    const weft_link_def* l = &g->links[i];
    const bool loose = (!g->pinned[l->a] && !g->core[l->a]) || (!g->pinned[l->b] && !g->core[l->b]);
    g->tree[i] = loose && is_strong(l) ? (int)i : -1;
  }
  for (uint32_t round = 0; round < g->link_count; ++round) {
    for (uint32_t i = 0; i < g->link_count; ++i) {
      for (uint32_t j = 0; j < g->link_count; ++j) {
        if (g->tree[i] < 0 || g->tree[j] <= g->tree[i]) continue;
        if (shares_a_free_particle(g, &g->links[i], &g->links[j])) g->tree[j] = g->tree[i];
      }
    }
  }
  int size[MOST_GRAPH_LINKS] = {0};
  for (uint32_t i = 0; i < g->link_count; ++i) {
    if (g->tree[i] >= 0) ++size[g->tree[i]];
  }
  for (uint32_t i = 0; i < g->link_count; ++i) {
    if (g->tree[i] >= 0 && size[g->tree[i]] < 2) g->tree[i] = -1;
  }
}

static void check_node(const graph* g, const weft__forest* forest, uint32_t first, uint32_t node) {
  const weft_link_def* link = &g->links[forest->link[node]];
  const uint32_t q = forest->particle[node];
  const uint32_t p = forest->particle[first + forest->parent[node]];
  require(first + forest->parent[node] < node);
  require((link->a == p && link->b == q) || (link->a == q && link->b == p));
  require(!g->core[q]);
  // a pinned parent is the root of its tree
  require(!g->pinned[p] || forest->parent[node] == 0);
}

// tree number of each link according to the forest
static void list_forest(const graph* g, const weft__forest* forest, int tree[MOST_GRAPH_LINKS]) {
  for (uint32_t i = 0; i < g->link_count; ++i) tree[i] = -1;
  for (uint32_t t = 0; t < forest->tree_count; ++t) {
    const uint32_t first = forest->first_node[t];
    const uint32_t end = forest->first_node[t + 1];
    bool pinned = false;
    require(forest->link[first] == WEFT__NO_TREE_LINK && forest->parent[first] == 0);
    for (uint32_t i = first + 1; i < end; ++i) {
      check_node(g, forest, first, i);
      require(tree[forest->link[i]] == -1);
      tree[forest->link[i]] = (int)t;
      pinned |= g->pinned[forest->particle[i]];
    }
    const uint32_t root = forest->particle[first];
    require(g->core[root] || g->pinned[root] || !pinned);
  }
}

RANDOM_TEST(trees_are_what_a_search_over_all_sets_of_particles_finds, ROUNDS(60, 10)) {
  for (int round = 0; round < 40; ++round) {
    graph g;
    weft__forest forest;
    int tree[MOST_GRAPH_LINKS];
    draw_graph(&g, &random);
    find_core(&g);
    find_trees(&g);
    ck_assert(weft__forest_create(&forest, g.scene));
    list_forest(&g, &forest, tree);
    for (uint32_t i = 0; i < g.link_count; ++i) {
      require((tree[i] == -1) == (g.tree[i] == -1));
      for (uint32_t j = 0; j < i; ++j) require((tree[i] == tree[j]) == (g.tree[i] == g.tree[j]));
    }
    weft__forest_destroy(&forest);
  }
}

// ---- single tree ----

typedef struct plant {
  weft_scene* scene;
  weft__schedule schedule;
  weft__particles particles;
  weft__trees trees;
  uint32_t* at; /* user index of each node */
} plant;

// tree of `count` particles; two in three are linked to the previous one, the others to any; some
// are pinned
static weft_scene* new_tree(random_source* random, uint32_t count, float mass_ratio, bool gives) {
  weft_scene* scene = new_scene();
  const uint32_t pin_rarity = random_from(random, 3, 50);
  for (uint32_t i = 0; i < count; ++i) {
    const bool pinned = random_chance(random, pin_rarity) && i % 3 == 0;
    const float power = random_float(random, 0.0f, 1.0f);
    add_particle(scene, random, pinned ? 0.0f : powf(mass_ratio, power));
    if (i == 0) continue;
    const uint32_t to = random_chance(random, 3) ? random_below(random, i) : i - 1;
    const weft_link_def link = {.a = i,
                                .b = to,
                                .rest_length = random_float(random, 0.1f, 1.0f),
                                .relaxation = 1.0f,
                                .compliance = gives ? random_float(random, 0.0f, 0.1f) : 0.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return scene;
}

// takes ownership of the scene
static plant new_plant(weft_scene* scene) {
  plant p = {.scene = scene};
  weft__forest forest;
  const uint32_t count = scene->particle_count;
  ck_assert(weft__forest_create(&forest, scene));
  ck_assert(weft__freeze(&p.schedule, scene, NULL));
  ck_assert(weft__trees_create(&p.trees, &forest, scene, &p.schedule));
  p.trees.inv_step_sq = 3600.0;
  p.schedule.links.along_present = true;
  ck_assert(weft__trees_divide(&p.trees, 1));
  ck_assert(weft__particles_create(&p.particles, count));
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t user = p.schedule.user_of[i];
    p.particles.pos_x[i] = scene->positions[(size_t)3 * user];
    p.particles.pos_y[i] = scene->positions[(size_t)3 * user + 1];
    p.particles.pos_z[i] = scene->positions[(size_t)3 * user + 2];
    p.particles.inv_mass[i] = scene->inverse_masses[user];
  }
  weft__forest_destroy(&forest);
  return p;
}

static void free_plant(plant* p) {
  weft__trees_destroy(&p->trees);
  weft__particles_destroy(&p->particles);
  weft__schedule_destroy(&p->schedule);
}

// ---- dense reference ----

enum { MOST_NODES = 24, MOST_UNKNOWNS = 4 * MOST_NODES };

typedef struct dense {
  uint32_t size;
  double rows[MOST_UNKNOWNS][MOST_UNKNOWNS + 1]; /* the last column is the right-hand side */
} dense;

static void solve_dense(dense* d) {
  for (uint32_t c = 0; c < d->size; ++c) {
    uint32_t best = c;
    for (uint32_t r = c; r < d->size; ++r) {
      if (fabs(d->rows[r][c]) > fabs(d->rows[best][c])) best = r;
    }
    for (uint32_t k = 0; k <= d->size; ++k) {
      const double swap = d->rows[c][k];
      d->rows[c][k] = d->rows[best][k];
      d->rows[best][k] = swap;
    }
    for (uint32_t r = 0; r < d->size; ++r) {
      if (r == c) continue;
      const double times = d->rows[r][c] / d->rows[c][c];
      for (uint32_t k = c; k <= d->size; ++k) d->rows[r][k] -= times * d->rows[c][k];
    }
  }
  for (uint32_t r = 0; r < d->size; ++r) d->rows[r][d->size] /= d->rows[r][r];
}

// position of a node
static void place_of(const plant* p, uint32_t node, double place[3]) {
  const uint32_t i = p->trees.particle[node];
  place[0] = (double)p->particles.pos_x[i];
  place[1] = (double)p->particles.pos_y[i];
  place[2] = (double)p->particles.pos_z[i];
}

// adds the rows of one link: the unknowns are 3 displacements a node, then 1 multiplier a link
static void add_dense_link(const plant* p, dense* d, uint32_t first, uint32_t q, uint32_t count) {
  const uint32_t parent = p->trees.parent[first + q];
  const uint32_t m = 3 * count + q - 1;
  double at_q[3];
  double at_p[3];
  place_of(p, first + q, at_q);
  place_of(p, first + parent, at_p);
  double n[3];
  for (int k = 0; k < 3; ++k) n[k] = at_q[k] - at_p[k];
  const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int k = 0; k < 3; ++k) n[k] /= length;
  const double mu = p->trees.multiplier[first + q];
  const double s = mu > 0.0 ? mu / length : 0.0;
  const double w = (double)p->particles.inv_mass[p->trees.particle[first + q]] +
                   (double)p->particles.inv_mass[p->trees.particle[first + parent]];
  for (uint32_t k = 0; k < 3; ++k) {
    for (uint32_t l = 0; l < 3; ++l) {
      const double across = s * ((k == l ? 1.0 : 0.0) - n[k] * n[l]);
      d->rows[3 * q + k][3 * q + l] += across;
      d->rows[3 * parent + k][3 * parent + l] += across;
      d->rows[3 * q + k][3 * parent + l] -= across;
      d->rows[3 * parent + k][3 * q + l] -= across;
    }
    d->rows[3 * q + k][m] += n[k];
    d->rows[3 * parent + k][m] -= n[k];
    d->rows[m][3 * q + k] += n[k];
    d->rows[m][3 * parent + k] -= n[k];
  }
  const bool is_pin = p->particles.inv_mass[p->trees.particle[first + q]] == 0.0f;
  const double soft = is_pin ? 1e-6 * w : 0.0;
  d->rows[m][m] -= (double)p->trees.compliance[first + q] * p->trees.inv_step_sq + soft;
  d->rows[m][d->size] = (double)p->trees.rest_length[first + q] - length - soft * mu;
  if (w == 0.0) d->rows[m][m] = -1.0;
}

static void fill_dense(const plant* p, dense* d, uint32_t first, uint32_t count) {
  memset(d, 0, sizeof(*d));
  d->size = 4 * count - 1;
  for (uint32_t q = 1; q < count; ++q) add_dense_link(p, d, first, q, count);
  for (uint32_t q = 0; q < count; ++q) {
    const double w = (double)p->particles.inv_mass[p->trees.particle[first + q]];
    for (uint32_t k = 0; k < 3; ++k) {
      double* row = d->rows[3 * q + k];
      if (w == 0.0) memset(row, 0, sizeof(*d->rows));
      row[3 * q + k] += w == 0.0 ? 1.0 : 1.0 / w;
    }
  }
}

static void compare_with_dense(plant* p, uint32_t tree, random_source* random) {
  static dense d;
  const uint32_t first = p->trees.first_node[tree];
  const uint32_t count = p->trees.first_node[tree + 1] - first;
  for (uint32_t i = 1; i < count; ++i) {
    p->trees.multiplier[first + i] = random_float(random, -0.1f, 0.3f);
  }
  fill_dense(p, &d, first, count);
  solve_dense(&d);
  weft__tree_joint joints[MOST_NODES];
  weft__tree_node_contacts nodes[MOST_NODES];
  const weft__tree_memory memory = {joints, nodes};
  const weft__bounds none = {0};
  weft__step_context step = {
      .stride = 1, .particles = &p->particles, .bounds = &none, .schedule = &p->schedule};
  const weft__tree_solver solver = {.iterations = 1, .step = &step};
  double mu[MOST_NODES];
  for (uint32_t i = 0; i < count; ++i) mu[i] = p->trees.multiplier[first + i];
  weft__tree_solve(&solver, &p->trees, tree, 0, &memory);
  // redundant links at pinned particles make the multipliers huge and equally inaccurate
  double size = 1e-12;
  double upper = 1.0;
  for (uint32_t i = 0; i < 3 * count; ++i) size = fmax(size, fabs(d.rows[i][d.size]));
  for (uint32_t i = 3 * count; i < d.size; ++i) upper = fmax(upper, fabs(d.rows[i][d.size]));
  for (uint32_t q = 0; q < count; ++q) {
    const double* expected = &d.rows[3 * q][d.size];
    const size_t next = MOST_UNKNOWNS + 1;
    ck_assert_double_eq_tol(joints[q].move.x, expected[0], 1e-6 * size);
    ck_assert_double_eq_tol(joints[q].move.y, expected[next], 1e-6 * size);
    ck_assert_double_eq_tol(joints[q].move.z, expected[2 * next], 1e-6 * size);
    if (q == 0 || !joints[q].is_linked) continue;
    const double multiplier = d.rows[3 * count + q - 1][d.size];
    ck_assert_double_eq_tol(joints[q].change + mu[q], multiplier, 1e-4 * upper);
  }
}

RANDOM_TEST(an_iteration_moves_as_elimination_on_the_whole_system_does, ROUNDS(300, 60)) {
  const uint32_t count = random_from(&random, 3, MOST_NODES);
  plant p = new_plant(new_tree(&random, count, _i % 2 == 0 ? 1.0f : 100.0f, _i % 3 == 0));
  for (uint32_t t = 0; t < p.trees.tree_count; ++t) compare_with_dense(&p, t, &random);
  free_plant(&p);
}

// ---- arbitrary start positions ----

// sum of the squared length errors of all tree links
static double sum_errors(const plant* p) {
  double sum = 0.0;
  for (uint32_t t = 0; t < p->trees.tree_count; ++t) {
    const uint32_t first = p->trees.first_node[t];
    for (uint32_t i = first + 1; i < p->trees.first_node[t + 1]; ++i) {
      double q[3];
      double o[3];
      place_of(p, i, q);
      place_of(p, first + p->trees.parent[i], o);
      const double length = hypot(hypot(q[0] - o[0], q[1] - o[1]), q[2] - o[2]);
      sum +=
          (length - (double)p->trees.rest_length[i]) * (length - (double)p->trees.rest_length[i]);
    }
  }
  return sum;
}

RANDOM_TEST(a_solve_leaves_no_tree_worse_than_it_found_it_wherever_its_particles_are,
            ROUNDS(300, 60)) {
  const rig_style style = (rig_style)(_i % RIG_STYLE_COUNT);
  plant p = new_plant(new_tree(&random, random_from(&random, 3, 300), 1e6f, false));
  weft__particles masses = copy_particles(&p.particles);
  fill_particles(&p.particles, &random, style);
  memcpy(p.particles.inv_mass, masses.inv_mass, sizeof(float) * p.particles.count);
  const weft__bounds none = {0};
  weft__step_context step = {
      .stride = 1, .particles = &p.particles, .bounds = &none, .schedule = &p.schedule};
  for (int round = 0; round < 10; ++round) {
    weft__particles before = copy_particles(&p.particles);
    const double found = sum_errors(&p);
    const weft__tree_solver solver = {.iterations = random_from(&random, 1, 10), .step = &step};
    weft__trees_solve(&p.trees, &solver);
    const double left = sum_errors(&p);
    if (isfinite(found)) {
      // the tolerance covers rounding of the stored positions
      require(left <= found * (1.0 + 1e-6) + 1e-3 * (style == RIG_LARGE || style == RIG_MIXED));
    } else {
      require(same_particles(&before, &p.particles));
    }
  }
  free_plant(&p);
}
