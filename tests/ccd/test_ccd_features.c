/* Feature pairs of two clusters, against an oracle. */
#include "modules/ccd/features.h"
#include "modules/ccd/kernels.h"
#include "support/random_laid.h"
#include "support/test.h"
#include "support/time_of_impact.h"

// A feature pair of two clusters as the oracle lists it, in the order of the kernel.
typedef struct oracle {
  const laid* l;
  uint32_t cluster[2];
  laid_place *start, *now;
} oracle;

static bool shares(const uint32_t* a, int a_count, const uint32_t* b, int b_count) {
  for (int k = 0; k < a_count * b_count; ++k) {
    if (a[k / b_count] == b[k % b_count]) return true;
  }
  return false;
}

// smallest distance at times from start to now; NaN if a particle has none
static double least_distance(const oracle* o, const uint32_t* a, int a_count, const uint32_t* b) {
  toi_motion toi = {.first_count = a_count};
  for (int k = 0; k < 4; ++k) {
    const uint32_t i = k < a_count ? a[k] : b[k - a_count];
    const float *s = o->start[i], *e = o->now[i];
    toi.start[k] = (weft__vec3){(double)s[0], (double)s[1], (double)s[2]};
    toi.displacement[k] = (weft__vec3){(double)e[0] - (double)s[0], (double)e[1] - (double)s[1],
                                       (double)e[2] - (double)s[2]};
  }
  double least = INFINITY;
  for (int t = 0; t <= 8; ++t) {
    const double distance = toi_closest_points(&toi, t / 8.0).distance;
    if (!(distance >= least)) least = distance;
  }
  return least;
}

static uint32_t listed_count(const weft__feature_search* search, int kind, uint32_t a, uint32_t b) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < search->count; ++n) {
    const weft__feature_pair* pair = &search->pair[n];
    count += pair->kind == kind && pair->a == a && pair->b == b;
  }
  return count;
}

static uint32_t near_pairs, listed_pairs;

static void expect_pair(const oracle* o, const weft__feature_search* search, int kind,
                        const uint32_t at[2], const uint32_t* a, int a_count, const uint32_t* b) {
  const uint32_t listed = listed_count(search, kind, at[0], at[1]);
  if (shares(a, a_count, b, 4 - a_count)) {
    require(listed == 0);
    return;
  }
  const float reach = kind == WEFT__PAIR_EDGE_EDGE ? search->edge_reach : search->vertex_reach;
  const bool is_near = !(least_distance(o, a, a_count, b) > (double)reach);
  require(listed <= 1 && (listed == 1 || !is_near));
  near_pairs += is_near ? 1 : 0;
  listed_pairs += listed;
}

// vertices of the cluster `of` against faces of the other
static void expect_vertices(const oracle* o, const weft__feature_search* search, int of) {
  const weft__ccd_clusters* b = &o->l->clusters;
  const weft__range vertices = weft__cluster_range(b, b->first_vertex, o->cluster[of]);
  const weft__range faces = weft__cluster_faces(b, o->cluster[1 - of]);
  for (uint32_t v = vertices.begin; v < vertices.end; ++v) {
    for (uint32_t f = faces.begin; f < faces.end; ++f) {
      const uint32_t at[2] = {v - vertices.begin, f - faces.begin};
      expect_pair(o, search, of == 0 ? WEFT__PAIR_VERTEX_FACE : WEFT__PAIR_FACE_VERTEX, at,
                  &b->vertex[v], 1, corners_of(o->l, f));
    }
  }
}

static void expect_edges(const oracle* o, const weft__feature_search* search) {
  const weft__ccd_clusters* b = &o->l->clusters;
  const weft__range first = weft__cluster_range(b, b->first_edge, o->cluster[0]);
  const weft__range second = weft__cluster_range(b, b->first_edge, o->cluster[1]);
  for (uint32_t e = first.begin; e < first.end; ++e) {
    for (uint32_t f = o->cluster[0] == o->cluster[1] ? e + 1 : second.begin; f < second.end; ++f) {
      const uint32_t at[2] = {e - first.begin, f - second.begin};
      expect_pair(o, search, WEFT__PAIR_EDGE_EDGE, at, o->l->web.end[b->edge[e]], 2,
                  o->l->web.end[b->edge[f]]);
    }
  }
}

static void search_with(const oracle* o, int isa, weft__feature_search* search) {
  static weft__cluster_features features[2];
  const weft__kernels* kernels = weft__kernels_select((weft_isa)isa);
  for (int k = 0; k < 2; ++k) {
    weft__load_features(&o->l->clusters, &o->l->places, kernels, o->cluster[k], o->cluster[0],
                        &features[k]);
    search->cluster[k] = &features[o->cluster[0] == o->cluster[1] ? 0 : k];
  }
  weft__ccd_kernels_of(kernels)->list_feature_pairs(search);
}

static void check_feature_pairs(random_source* random, const mesh_shape* shape,
                                const uint32_t* kinds, const laid* l) {
  (void)kinds;
  static weft__feature_search search, other;
  if (l->clusters.cluster_count == 0) return;
  oracle o = {.l = l,
              .start = new_moved(random, shape, 0.0f, 0.5f * SPACING),
              .now = new_moved(random, shape, random_float(random, -0.5f, 0.5f), 0.5f * SPACING)};
  // a particle that is lost is near to all
  if (random_chance(random, 4)) {
    const float lost[2] = {NAN, INFINITY};
    o.now[random_below(random, shape->vertex_count)][random_below(random, 3)] =
        lost[random_below(random, 2)];
  }
  set_laid(l, l->places.start, o.start);
  set_laid(l, l->places.now, o.now);
  for (int n = 0; n < 6; ++n) {
    o.cluster[0] = random_below(random, l->clusters.cluster_count);
    o.cluster[1] = random_chance(random, 3) ? o.cluster[0]
                                            : random_below(random, l->clusters.face_cluster_count);
    search.edge_reach = random_float(random, 0.0f, 0.3f * SPACING);
    search.vertex_reach = search.edge_reach + random_float(random, 0.0f, 0.2f * SPACING);
    search_with(&o, WEFT_ISA_SCALAR, &search);
    expect_vertices(&o, &search, 0);
    if (o.cluster[0] != o.cluster[1]) expect_vertices(&o, &search, 1);
    expect_edges(&o, &search);
    other.edge_reach = search.edge_reach;
    other.vertex_reach = search.vertex_reach;
    for (int isa = next_isa(WEFT_ISA_SCALAR); isa < ISA_END; isa = next_isa(isa)) {
      search_with(&o, isa, &other);
      require(other.count == search.count && other.overlap_count == search.overlap_count);
      require(memcmp(other.pair, search.pair, search.count * sizeof(*search.pair)) == 0);
    }
  }
}

TEST(no_pair_that_comes_close_is_missed_and_few_others_are_listed) {
  near_pairs = listed_pairs = 0;
  check_random_laid(check_feature_pairs, ROUNDS(400, 20), 6);
  require(near_pairs > ROUNDS(4000, 100) && listed_pairs < 2 * near_pairs);
}
