#include <math.h>

#include "collision/ccd/features.h"
#include "support/isas.h"
#include "support/laid.h"
#include "support/suite.h"
#include "support/time_of_impact.h"

#define SPACING 0.02f

// ---- meshes ----

// random faces that share vertices; edges may have many faces
static mesh_shape random_soup(random_source* random) {
  mesh_shape made = new_lattice(random, 6, 6, SPACING);
  for (uint32_t f = 0; f < made.face_count; ++f) {
    uint32_t* corner = made.face[f];
    corner[0] = random_below(random, made.vertex_count - 2);
    corner[1] = random_from(random, corner[0] + 1, made.vertex_count - 2);
    corner[2] = random_from(random, corner[1] + 1, made.vertex_count - 1);
  }
  return made;
}

static mesh_shape random_mesh(random_source* random) {
  mesh_shape made;
  switch (random_below(random, 5)) {
    case 0:
      made = new_icosphere(random_below(random, 3), 0.1f);
      break;
    case 1:
      made = new_moebius_strip(random_from(random, 8, 20), 4, SPACING);
      break;
    case 2:
      made = new_holed_cloth(random, random_from(random, 9, 12), SPACING);
      break;
    case 3:
      made = random_soup(random);
      break;
    default:
      made = new_lattice(random, random_from(random, 2, 12), random_from(random, 2, 9), SPACING);
  }
  turn_shape(&made, random);
  return made;
}

// all particles with CCD, or a random subset, or none
static void draw_kinds(random_source* random, uint32_t* kinds, uint32_t count) {
  const uint32_t others = random_below(random, 4);
  const uint32_t one_in = random_from(random, 1, 20);
  for (uint32_t i = 0; i < count; ++i) {
    kinds[i] = LAID_EXACT;
    if (others > 0 && random_chance(random, one_in)) kinds[i] = random_below(random, LAID_KINDS);
  }
}

typedef void check_of_one(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                          const laid* l);

static void check_many(check_of_one* check, int rounds, uint64_t seed) {
  random_source random = {seed};
  for (int round = 0; round < rounds; ++round) {
    mesh_shape shape = random_mesh(&random);
    uint32_t* kinds = malloc(sizeof(*kinds) * shape.vertex_count);
    draw_kinds(&random, kinds, shape.vertex_count);
    laid* l = new_laid(&shape, kinds);
    check(&random, &shape, kinds, l);
    free_laid(l);
    free(kinds);
    free_shape(&shape);
  }
}

// ---- lists ----

static uint32_t* new_counts(uint32_t count) {
  uint32_t* made = calloc((size_t)count + 1, sizeof(*made));
  require(made != NULL);
  return made;
}

// Two layers, closer than the particles of each, as pieces of one mesh.
START_TEST(layers_that_lie_on_each_other_share_no_cluster) {
  random_source random = {7};
  mesh_shape shape = new_lattice(&random, 24, 13, SPACING);
  mesh_shape other = new_lattice(&random, 24, 13, SPACING);
  const uint32_t lower_count = shape.face_count;
  add_shape(&shape, &other, (float[3]){0.0f, 0.3f * SPACING, 0.0f});
  laid* l = new_laid(&shape, NULL);
  uint32_t shared = 0;
  for (uint32_t c = 0; c < l->clusters.face_cluster_count; ++c) {
    const weft__range faces = weft__cluster_faces(&l->clusters, c);
    uint32_t lower = 0;
    for (uint32_t f = faces.begin; f < faces.end; ++f) lower += l->clusters.face[f] < lower_count;
    if (lower != 0 && lower != faces.end - faces.begin) ++shared;
  }
  require(shared == 0);
  free_laid(l);
  free_shape(&other);
  free_shape(&shape);
}
END_TEST

static bool is_exact(const mesh_shape* shape, const uint32_t* kinds, uint32_t f) {
  const uint32_t* corner = shape->face[f];
  return kinds[corner[0]] == LAID_EXACT && kinds[corner[1]] == LAID_EXACT &&
         kinds[corner[2]] == LAID_EXACT;
}

static void check_faces(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                        const laid* l) {
  (void)random;
  uint32_t* ordered = new_counts(shape->face_count);
  uint32_t* listed = new_counts(shape->face_count);
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    require(l->web.order[f] < shape->face_count);
    ++ordered[l->web.order[f]];
  }
  uint32_t count = 0;
  for (uint32_t b = 0; b < l->clusters.cluster_count; ++b) {
    const weft__range range = weft__cluster_faces(&l->clusters, b);
    for (uint32_t f = range.begin; f < range.end; ++f, ++count) ++listed[l->clusters.face[f]];
    const weft__range quarters = weft__cluster_leaves(&l->clusters, b);
    uint32_t of_quarters = 0;
    for (uint32_t q = quarters.begin; q < quarters.end && range.end > 0; ++q) {
      const weft__range faces = weft__leaf_faces(&l->clusters, q);
      of_quarters += faces.end - faces.begin;
    }
    require(of_quarters == range.end - range.begin);
  }
  require(count <= l->clusters.slot_count);
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    require(ordered[f] == 1);
    require(listed[f] == (is_exact(shape, kinds, f) ? 1 : 0));
    const uint32_t place = l->clusters.slot_of_face[f];
    require(listed[f] == 1 ? l->clusters.face[place] == f : place == WEFT__NONE);
  }
  free(ordered);
  free(listed);
}

START_TEST(faces_are_ordered_and_each_exact_one_is_in_one_block) {
  check_many(check_faces, ROUNDS(400, 20), 1);
}
END_TEST

static bool has_corner(const laid* l, uint32_t cluster, uint32_t particle) {
  const weft__range faces = weft__cluster_faces(&l->clusters, cluster);
  for (uint32_t f = faces.begin; f < faces.end; ++f) {
    const uint32_t* corner = l->faces.corner[l->clusters.face[f]];
    if (corner[0] == particle || corner[1] == particle || corner[2] == particle) return true;
  }
  return false;
}

// members are vertices of the cluster's faces; only the last member may repeat, as padding
static void check_cluster(const laid* l, uint32_t cluster) {
  const weft__ccd_clusters* b = &l->clusters;
  const weft__range members = weft__cluster_members(b, cluster);
  const bool has_faces = cluster < b->face_cluster_count;
  require(members.begin % 4 == 0 && members.end % 4 == 0 && members.end > members.begin);
  require(members.end - members.begin <= WEFT__CLUSTER_FEATURES);
  for (uint32_t m = members.begin; m < members.end; ++m) {
    if (has_faces) require(has_corner(l, cluster, b->member[m]));
    for (uint32_t n = m + 1; n < members.end; ++n) {
      if (b->member[n] == b->member[m]) require(b->member[members.end - 1] == b->member[m]);
    }
  }
  const weft__range faces = weft__cluster_faces(b, cluster);
  for (uint32_t f = faces.begin; f < faces.end; ++f) {
    for (int k = 0; k < 3; ++k) {
      const uint32_t m = members.begin + b->corner[f][k];
      require(m < members.end);
      require(b->member[m] == l->faces.corner[b->face[f]][k]);
    }
  }
}

// of the cluster of a leaf
static uint32_t first_member_around(const weft__ccd_clusters* b, uint32_t quarter) {
  return weft__cluster_members(b, weft__cluster_of_leaf(b, quarter)).begin;
}

static void check_members(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                          const laid* l) {
  (void)random;
  const weft__ccd_clusters* b = &l->clusters;
  uint32_t* vertices = new_counts(shape->vertex_count);
  for (uint32_t c = 0; c < b->cluster_count; ++c) check_cluster(l, c);
  for (uint32_t q = 0; q < b->leaf_count; ++q) {
    const bool has_faces = q < 4 * b->face_cluster_count;
    const weft__range range = weft__leaf_range(b->first_vertex, q);
    if (!has_faces) require(range.end == range.begin + 1);
    for (uint32_t v = range.begin; v < range.end; ++v) {
      ++vertices[b->vertex[v]];
      require(b->leaf_of_vertex[b->vertex[v]] == q);
      require(b->member[first_member_around(b, q) + b->vertex_member[v]] == b->vertex[v]);
    }
  }
  for (uint32_t i = 0; i < shape->vertex_count; ++i) {
    require(vertices[i] == (kinds[i] != LAID_NONE && b->slot_count > 0 ? 1 : 0));
  }
  free(vertices);
}

START_TEST(each_particle_that_meets_faces_is_in_one_quarter) {
  check_many(check_members, ROUNDS(400, 20), 2);
}
END_TEST

static void check_edges(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                        const laid* l) {
  (void)random;
  const weft__ccd_clusters* b = &l->clusters;
  uint32_t* listed = new_counts(l->web.edge_count);
  uint32_t* wanted = new_counts(l->web.edge_count);
  for (uint32_t q = 0; q < b->leaf_count; ++q) {
    const weft__range range = weft__leaf_range(b->first_edge, q);
    for (uint32_t e = range.begin; e < range.end; ++e) {
      ++listed[b->edge[e]];
      for (int k = 0; k < 2; ++k) {
        const uint32_t m = first_member_around(b, q) + b->edge_member[e][k];
        require(b->member[m] == l->web.end[b->edge[e]][k]);
      }
    }
  }
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    for (int k = 0; k < 3; ++k) {
      const uint32_t edge = l->web.edge_of[f][k];
      const uint32_t* end = l->web.end[edge];
      const uint32_t from = shape->face[f][k];
      const uint32_t to = shape->face[f][(k + 1) % 3];
      require((end[0] == from && end[1] == to) || (end[0] == to && end[1] == from));
      require(l->web.side[edge][0] == f || l->web.side[edge][1] == f);
      if (is_exact(shape, kinds, f)) wanted[edge] = 1;
    }
  }
  for (uint32_t e = 0; e < l->web.edge_count; ++e) require(listed[e] == wanted[e]);
  free(listed);
  free(wanted);
}

START_TEST(each_edge_of_an_exact_face_is_in_one_quarter) {
  check_many(check_edges, ROUNDS(400, 20), 3);
}
END_TEST

// ---- positions ----

typedef float place[3];

static place* new_moved(random_source* random, const mesh_shape* shape, float turned,
                        float amount) {
  place* at = malloc(sizeof(*at) * shape->vertex_count);
  const float c = cosf(turned);
  const float s = sinf(turned);
  for (uint32_t i = 0; i < shape->vertex_count; ++i) {
    const float* from = shape->place[i];
    at[i][0] = c * from[0] - s * from[1];
    at[i][1] = s * from[0] + c * from[1];
    at[i][2] = from[2];
    for (int axis = 0; axis < 3; ++axis) at[i][axis] += random_float(random, -amount, amount);
  }
  return at;
}

// smallest separation along `direction` of any two members, sampled over their displacement
static double least_between(const laid* l, weft__range a, weft__range b, const float direction[3],
                            place* start, place* now, int times) {
  double lower = INFINITY;
  for (int t = 0; t <= times; ++t) {
    const double share = (double)t / (double)times;
    for (uint32_t m = a.begin; m < a.end; ++m) {
      for (uint32_t n = b.begin; n < b.end; ++n) {
        const uint32_t i = l->clusters.member[m];
        const uint32_t j = l->clusters.member[n];
        double along = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
          const double s = (double)start[j][axis] - (double)start[i][axis];
          const double e = (double)now[j][axis] - (double)now[i][axis];
          along += (s + share * (e - s)) * (double)direction[axis];
        }
        lower = fmin(lower, along);
      }
    }
  }
  return lower;
}

// random, or near the direction from one particle to another
static void random_direction(random_source* random, const float from[3], const float to[3],
                             float direction[3]) {
  const float share = random_chance(random, 4) ? 0.0f : 1.0f;
  float sq;
  do {
    sq = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      direction[axis] = random_float(random, -SPACING, SPACING) + share * (to[axis] - from[axis]);
      sq += direction[axis] * direction[axis];
    }
  } while (sq < 0.01f * SPACING * SPACING);
  for (int axis = 0; axis < 3; ++axis) direction[axis] /= sqrtf(sq);
}

static int parted[2];

static void check_parting(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                          const laid* l) {
  (void)kinds;
  if (l->clusters.cluster_count < 2) return;
  const float turned = random_float(random, -1.0f, 1.0f);
  place* start = new_moved(random, shape, 0.0f, 0.2f * SPACING);
  place* now = new_moved(random, shape, random_chance(random, 2) ? turned : 0.0f, 0.5f * SPACING);
  set_laid(l, l->places.start, start);
  set_laid(l, l->places.now, now);
  for (int n = 0; n < 12; ++n) {
    const weft__range a =
        weft__cluster_members(&l->clusters, random_below(random, l->clusters.cluster_count));
    const weft__range b =
        weft__cluster_members(&l->clusters, random_below(random, l->clusters.cluster_count));
    float direction[3];
    random_direction(random, start[l->clusters.member[a.begin]], start[l->clusters.member[b.begin]],
                     direction);
    const float gap = random_float(random, 0.0f, SPACING);
    float room = 0.0f;
    const bool parts = weft__ccd_positions_are_separated(&l->places, a, b, direction, gap, &room);
    const double rounding = 1e-6;
    const double at_start = least_between(l, a, b, direction, start, start, 1) - (double)gap;
    const double at_end = least_between(l, a, b, direction, now, now, 1) - (double)gap;
    if (parts) {
      require(least_between(l, a, b, direction, start, now, 7) > (double)gap - rounding);
      require(room > 0.0f && fabs((double)room - at_end) < rounding);
    } else {
      require(fmin(at_start, at_end) < rounding);
    }
    ++parted[parts ? 1 : 0];
  }
  free(start);
  free(now);
}

START_TEST(what_a_plane_parts_stays_apart) {
  parted[0] = parted[1] = 0;
  check_many(check_parting, ROUNDS(400, 20), 4);
  require(parted[0] > ROUNDS(500, 10) && parted[1] > ROUNDS(500, 10));
}
END_TEST

// ---- boxes ----

// bounds are tight
static void expect_box(const weft__moving_aabb* box, const uint32_t* particle, int count,
                       place* start, place* now) {
  for (int side = 0; side < WEFT__AABB_SIDES; ++side) {
    place* at = side < 6 ? start : now;
    const int axis = side % 3;
    float reach = at[particle[0]][axis];
    for (int k = 1; k < count; ++k) {
      const float here = at[particle[k]][axis];
      reach = weft__aabb_side_is_upper(side) ? fmaxf(reach, here) : fminf(reach, here);
    }
    require(box->side[side] == reach);
  }
}

static void check_boxes(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                        const laid* l) {
  (void)kinds;
  place* start = new_moved(random, shape, 0.0f, SPACING);
  place* now = new_moved(random, shape, 0.5f, SPACING);
  set_laid(l, l->places.start, start);
  set_laid(l, l->places.now, now);
  for (uint32_t block = 0; block < l->clusters.cluster_count; ++block) {
    const weft__range members = weft__cluster_members(&l->clusters, block);
    const weft__moving_aabb box = weft__ccd_positions_aabb(&l->places, members);
    expect_box(&box, l->clusters.member + members.begin, (int)(members.end - members.begin), start,
               now);
  }
  free(start);
  free(now);
}

START_TEST(boxes_are_as_large_as_what_is_in_them) {
  check_many(check_boxes, ROUNDS(400, 20), 5);
}
END_TEST

// ---- feature pairs ----

// A feature pair of two clusters as the oracle lists it, in the order of the kernel.
typedef struct oracle {
  const laid* l;
  uint32_t block[2];
  place *start, *now;
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
  const weft__range vertices = weft__cluster_range(b, b->first_vertex, o->block[of]);
  const weft__range faces = weft__cluster_faces(b, o->block[1 - of]);
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
  const weft__range first = weft__cluster_range(b, b->first_edge, o->block[0]);
  const weft__range second = weft__cluster_range(b, b->first_edge, o->block[1]);
  for (uint32_t e = first.begin; e < first.end; ++e) {
    for (uint32_t f = o->block[0] == o->block[1] ? e + 1 : second.begin; f < second.end; ++f) {
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
    weft__load_features(&o->l->clusters, &o->l->places, kernels, o->block[k], o->block[0],
                        &features[k]);
    search->cluster[k] = &features[o->block[0] == o->block[1] ? 0 : k];
  }
  kernels->list_feature_pairs(search);
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
    o.block[0] = random_below(random, l->clusters.cluster_count);
    o.block[1] = random_chance(random, 3) ? o.block[0]
                                          : random_below(random, l->clusters.face_cluster_count);
    search.edge_reach = random_float(random, 0.0f, 0.3f * SPACING);
    search.vertex_reach = search.edge_reach + random_float(random, 0.0f, 0.2f * SPACING);
    search_with(&o, WEFT_ISA_SCALAR, &search);
    expect_vertices(&o, &search, 0);
    if (o.block[0] != o.block[1]) expect_vertices(&o, &search, 1);
    expect_edges(&o, &search);
    other.edge_reach = search.edge_reach;
    other.vertex_reach = search.vertex_reach;
    for (int isa = next_isa(WEFT_ISA_SCALAR); isa < ISA_END; isa = next_isa(isa)) {
      search_with(&o, isa, &other);
      require(other.count == search.count && other.overlap_count == search.overlap_count);
      require(memcmp(other.pair, search.pair, search.count * sizeof(*search.pair)) == 0);
    }
  }
  free(o.start);
  free(o.now);
}

START_TEST(a_lost_coordinate_is_an_infinite_displacement) {
  const uint32_t member[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const float lost[3] = {NAN, INFINITY, -INFINITY};
  for (int at = 0; at < 24; ++at) {
    float start[3][8] = {{0}};
    float now[3][8] = {{0}};
    float pos[3][8] = {{0}};
    const weft__ccd_positions places = {{start[0], start[1], start[2]}, {now[0], now[1], now[2]}};
    const weft__particles particles = {
        .count = 8, .pos_x = pos[0], .pos_y = pos[1], .pos_z = pos[2]};
    const weft__range all = {0, 8};
    // a particle that has moved on hides none that is lost
    pos[at % 3][7 - at / 3] = 1.0f;
    require(weft__ccd_positions_update(&places, member, all, &particles, true).displacement <
            1.01f);
    for (int n = 0; n < 3; ++n) {
      pos[at % 3][at / 3] = lost[n];
      const weft__cluster_displacements moved =
          weft__ccd_positions_update(&places, member, all, &particles, true);
      require(moved.displacement == INFINITY && moved.relative == INFINITY);
      require(weft__ccd_positions_displacement(&places, all) == INFINITY);
    }
  }
}
END_TEST

START_TEST(no_pair_that_comes_close_is_missed_and_few_others_are_listed) {
  near_pairs = listed_pairs = 0;
  check_many(check_feature_pairs, ROUNDS(400, 20), 6);
  require(near_pairs > ROUNDS(4000, 100) && listed_pairs < 2 * near_pairs);
}
END_TEST

SUITE(ccd_clusters) {
  tcase_add_test(tests, faces_are_ordered_and_each_exact_one_is_in_one_block);
  tcase_add_test(tests, layers_that_lie_on_each_other_share_no_cluster);
  tcase_add_test(tests, each_particle_that_meets_faces_is_in_one_quarter);
  tcase_add_test(tests, each_edge_of_an_exact_face_is_in_one_quarter);
  tcase_add_test(tests, what_a_plane_parts_stays_apart);
  tcase_add_test(tests, boxes_are_as_large_as_what_is_in_them);
  tcase_add_test(tests, a_lost_coordinate_is_an_infinite_displacement);
  tcase_add_test(tests, no_pair_that_comes_close_is_missed_and_few_others_are_listed);
}
