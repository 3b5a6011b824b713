#include "modules/ccd/flatness.h"

#include "support/deformed.h"
#include "support/passing.h"
#include "support/test.h"

// ---- an oracle of crossings ----

// crossings within the two clusters of a region, at five times from start to now
static uint32_t count_region_crossings(const laid* l, uint32_t part,
                                       const weft__flat_region* region, place* start, place* now) {
  uint32_t face[2 * WEFT__CLUSTER_FACES][3];
  uint32_t count = 0;
  for (int p = 0; p < (region->other == part ? 1 : 2); ++p) {
    const weft__range faces = weft__cluster_faces(&l->clusters, p == 0 ? part : region->other);
    for (uint32_t f = faces.begin; f < faces.end; ++f) {
      memcpy(face[count++], corners_of(l, f), sizeof(*face));
    }
  }
  face_mesh mesh = new_face_mesh((const uint32_t(*)[3])face, count);
  place* at = test_alloc(sizeof(*at) * l->particles.count);
  uint32_t crossings = 0;
  for (int t = 0; t <= 4; ++t) {
    for (uint32_t k = 0; k < 3 * count; ++k) {
      const uint32_t i = face[k / 3][k % 3];
      for (int axis = 0; axis < 3; ++axis) {
        at[i][axis] = start[i][axis] + 0.25f * (float)t * (now[i][axis] - start[i][axis]);
      }
    }
    crossings += count_crossings(&mesh, at[0]);
  }
  return crossings;
}

// ---- certificates ----

static void update(const laid* l, float* const* at, place* positions) {
  set_laid(l, at, positions);
  for (uint32_t b = 0; b < l->clusters.face_cluster_count; ++b) {
    require(weft__flatness_update(&l->flats, &l->clusters, at, b, INFINITY) >= 0.0f);
  }
}

static void update_both(const laid* l, place* start, place* now) {
  update(l, l->places.start, start);
  for (uint32_t b = 0; b < l->clusters.face_cluster_count; ++b)
    weft__flatness_begin_pass(&l->flats, b);
  update(l, l->places.now, now);
}

typedef struct motion {
  random_source* random;
  place *start, *now, *changed;
  uint32_t flat, folded, corrected, crossings;
} motion;

static motion new_motion(random_source* random, const mesh_shape* shape) {
  const size_t bytes = sizeof(place) * shape->vertex_count;
  motion j = {random, test_alloc(bytes), test_alloc(bytes), test_alloc(bytes), 0, 0, 0, 0};
  memcpy(j.start, shape->place, bytes);
  memcpy(j.now, shape->place, bytes);
  return j;
}

static void check_certificate(const laid* l, uint32_t part, weft__flat_region* region, void* data) {
  motion* j = data;
  weft__flatness_test test;
  float slack;
  const bool holds = certify_region(l, region, &test, &slack);
  const plane_map mean = map_of_region(l, region, j->start, j->now);
  const plane_map map = holds ? map_of_test(&test) : mean;
  double vector[2];
  const double lower = fmin(lowest_of_region(l, region, &map, j->start, vector),
                            lowest_of_region(l, region, &map, j->now, vector));
  const double rounding = 1e-3 * (1.0 + map.norm);
  // rounding decides for regions slightly over the limit
  if (holds) require(lower > 0.0 && slack >= 0.0f);
  if (!holds && map.angle > 2e-3) require(lower < 0.02 + rounding);
  j->corrected += holds && lowest_of_region(l, region, &mean, j->now, vector) < 0.0;
  const uint32_t crossings = count_region_crossings(l, part, region, j->start, j->now);
  if (holds) require(crossings == 0);
  j->crossings += crossings;
  j->flat += holds;
  j->folded += !holds;
}

TEST(certified_regions_do_not_cross_themselves) {
  random_source random = {3};
  motion all = {0};
  for (int round = 0; round < ROUNDS(120, 8); ++round) {
    mesh_shape shape = random_flat(&random, round % FLAT_KINDS);
    turn_shape(&shape, &random);
    laid* l = new_laid(&shape, NULL);
    motion j = new_motion(&random, &shape);
    deform(&random, j.start, shape.vertex_count);
    if (random_chance(&random, 4)) {
      deform(&random, j.now, shape.vertex_count);
    } else {
      memcpy(j.now, j.start, sizeof(place) * shape.vertex_count);
      deform_jaggedly(&random, j.now, shape.vertex_count, random_float(&random, 0.0f, 1.0f));
      if (random_chance(&random, 2)) fold(&random, j.now, shape.vertex_count, 2.0f);
    }
    update_both(l, j.start, j.now);
    (void)each_region(l, check_certificate, &j);
    all.flat += j.flat;
    all.folded += j.folded;
    all.corrected += j.corrected;
    all.crossings += j.crossings;
  }
  const uint32_t enough = ROUNDS(100, 10);
  require(all.flat > enough && all.folded > enough && all.corrected > ROUNDS(100, 0) &&
          all.crossings > ROUNDS(100, 0));
}

// ---- flat and folded cloth ----

static void expect_flat(const laid* l, uint32_t part, weft__flat_region* region, void* data) {
  (void)part;
  (void)data;
  weft__flatness_test test;
  float slack;
  require(weft__flatness_certifies(&l->flats, region, &test, &slack));
  require(slack > 0.1f && slack < 2.0f);
}

TEST(a_plane_that_is_turned_stretched_and_bent_a_little_is_flat) {
  random_source random = {4};
  for (int round = 0; round < ROUNDS(120, 8); ++round) {
    mesh_shape shape = random_flat(&random, round % FLAT_KINDS);
    turn_shape(&shape, &random);
    laid* l = new_laid(&shape, NULL);
    motion j = new_motion(&random, &shape);
    bend_a_little(&random, j.start, shape.vertex_count);
    memcpy(j.now, j.start, sizeof(place) * shape.vertex_count);
    deform_jaggedly(&random, j.now, shape.vertex_count, 0.05f);
    update_both(l, j.start, j.now);
    // around holes there may be none
    require(each_region(l, expect_flat, NULL) > 0 || round % FLAT_KINDS == 3);
  }
}

typedef struct crease {
  place* rest;
  int axis;
  float line; /* metres along the axis */
  uint32_t folded;
} crease;

// true if a region has a face on either side of a crease
static bool is_creased(const laid* l, const weft__flat_region* region, const crease* c) {
  bool before = false;
  bool beyond = false;
  for (uint32_t n = 0; n < region->count; ++n) {
    for (uint32_t k = 0; k < WEFT__CLUSTER_FACES; ++k) {
      if (!is_in_region(region, n, k)) continue;
      const uint32_t* corner = corners_of(l, face_of(l, region->part[n], k));
      float lower = INFINITY;
      float upper = -INFINITY;
      for (int m = 0; m < 3; ++m) {
        lower = fminf(lower, c->rest[corner[m]][c->axis]);
        upper = fmaxf(upper, c->rest[corner[m]][c->axis]);
      }
      before |= upper <= c->line;
      beyond |= lower >= c->line;
    }
  }
  return before && beyond;
}

static void expect_creased(const laid* l, uint32_t part, weft__flat_region* region, void* data) {
  (void)part;
  crease* c = data;
  if (!is_creased(l, region, c)) return;
  weft__flatness_test test;
  float slack;
  require(!weft__flatness_certifies(&l->flats, region, &test, &slack));
  ++c->folded;
}

TEST(folded_regions_are_not_certified) {
  random_source random = {5};
  uint32_t folded = 0;
  for (int round = 0; round < ROUNDS(120, 8); ++round) {
    mesh_shape shape = random_flat(&random, round % FLAT_KINDS);
    laid* l = new_laid(&shape, NULL);
    motion j = new_motion(&random, &shape);
    const uint32_t at = random_below(&random, shape.vertex_count);
    crease c = {.rest = shape.place, .axis = random_chance(&random, 2) ? 0 : 2};
    c.line = shape.place[at][c.axis];
    for (uint32_t i = 0; i < shape.vertex_count; ++i) {
      float* along = &j.now[i][c.axis];
      if (*along > c.line) *along = 2.0f * c.line - *along;
    }
    turn_places(&random, j.now, shape.vertex_count);
    // a fold at the start of the pass invalidates the certificate as well
    const bool early = random_chance(&random, 2);
    update_both(l, (early ? j.now : j.start), (early ? j.start : j.now));
    (void)each_region(l, expect_creased, &c);
    folded += c.folded;
  }
  require(folded > ROUNDS(500, 50));
}

// ---- slack ----

// compresses all particles along the direction of least slack
static void press(const laid* l, uint32_t block, const plane_map* map, const double vector[2],
                  place* at) {
  double back[3];
  for (int axis = 0; axis < 3; ++axis) {
    back[axis] = vector[0] * map->row[0][axis] + vector[1] * map->row[1][axis];
  }
  const double length = sqrt(back[0] * back[0] + back[1] * back[1] + back[2] * back[2]);
  for (uint32_t i = 0; i < l->particles.count; ++i) {
    const double along =
        vector[0] * in_plane(l, block, i, 0) + vector[1] * in_plane(l, block, i, 1);
    for (int axis = 0; axis < 3; ++axis) at[i][axis] -= (float)(along * back[axis] / length);
  }
}

static void check_slack(const laid* l, uint32_t part, weft__flat_region* region, void* data) {
  motion* j = data;
  weft__flatness_test test;
  float slack;
  if (!random_chance(j->random, 4)) return;
  if (!weft__flatness_certifies(&l->flats, region, &test, &slack) || slack < 1e-3f) return;
  const plane_map map = map_of_test(&test);
  double vector[2];
  (void)lowest_of_region(l, region, &map, j->now, vector);
  memcpy(j->changed, j->now, sizeof(place) * l->particles.count);
  const uint32_t block = part;
  if (random_chance(j->random, 2)) {
    press(l, block, &map, vector, j->changed);
  } else {
    deform_jaggedly(j->random, j->changed, l->particles.count, 1.0f);
  }
  // scaled to just within the slack
  const double change = change_of(l, region, j->now, j->changed);
  const float share = (float)(0.999 * (double)slack / change);
  for (uint32_t i = 0; i < l->particles.count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      j->changed[i][axis] = j->now[i][axis] + share * (j->changed[i][axis] - j->now[i][axis]);
    }
  }
  require(lowest_of_region(l, region, &map, j->changed, vector) > 0.0);
  require(count_region_crossings(l, part, region, j->start, j->changed) == 0);
  ++j->flat;
}

TEST(a_region_stays_flat_within_its_slack) {
  random_source random = {6};
  uint32_t flat = 0;
  for (int round = 0; round < ROUNDS(120, 4); ++round) {
    mesh_shape shape = random_flat(&random, round % FLAT_KINDS);
    turn_shape(&shape, &random);
    laid* l = new_laid(&shape, NULL);
    motion j = new_motion(&random, &shape);
    bend_a_little(&random, j.start, shape.vertex_count);
    deform_jaggedly(&random, j.start, shape.vertex_count, random_float(&random, 0.0f, 0.6f));
    memcpy(j.now, j.start, sizeof(place) * shape.vertex_count);
    deform_smoothly(&random, j.now, shape.vertex_count, 0.4f);
    update_both(l, j.start, j.now);
    (void)each_region(l, check_slack, &j);
    flat += j.flat;
  }
  require(flat > ROUNDS(500, 20));
}

// ---- drift of stored derivatives ----

enum { UPDATES = 20, MOST_FACES = 512, MOST_BLOCKS = MOST_FACES / WEFT__CLUSTER_FACES };

// state of all clusters after each update
typedef struct history {
  float stood[UPDATES][2][3][MOST_FACES]; /* stored derivatives */
  float debt[UPDATES][MOST_BLOCKS];
  double bend[UPDATES][MOST_BLOCKS]; /* accumulated since the first update */
} history;

// largest displacement in a cluster, relative to that of its first particle
static double relative_displacement(const laid* l, uint32_t block, place* from, place* to) {
  const weft__range members = weft__cluster_members(&l->clusters, block);
  const uint32_t first = l->clusters.member[members.begin];
  double upper = 0.0;
  for (uint32_t m = members.begin; m < members.end; ++m) {
    const uint32_t i = l->clusters.member[m];
    double sq = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double moved = (double)to[i][axis] - (double)from[i][axis];
      const double relative = moved - ((double)to[first][axis] - (double)from[first][axis]);
      sq += relative * relative;
    }
    upper = fmax(upper, sqrt(sq));
  }
  return upper;
}

static void record(const laid* l, history* d, int n) {
  for (int k = 0; k < 6; ++k) {
    memcpy(d->stood[n][k / 3][k % 3], l->flats.now[k / 3][k % 3],
           sizeof(float) * l->clusters.slot_count);
  }
  memcpy(d->debt[n], l->flats.now_drift, sizeof(float) * l->clusters.face_cluster_count);
}

// the derivatives of a face differ from those stored at any earlier update by at most the drift of
// that time and the bends reported since
static void check_history(const laid* l, const history* d, int n, place* at) {
  for (uint32_t f = 0; f < l->clusters.slot_count; ++f) {
    const uint32_t block = f / WEFT__CLUSTER_FACES;
    double by[2][3];
    derive(l, at, f, by);
    for (int before = 0; before <= n; ++before) {
      double sq = 0.0;
      for (int k = 0; k < 6; ++k) {
        const double change = by[k / 3][k % 3] - (double)d->stood[before][k / 3][k % 3][f];
        sq += change * change;
      }
      const double bound =
          (double)d->debt[before][block] + d->bend[n][block] - d->bend[before][block];
      require(sqrt(sq) <= bound * 1.0001 + 2e-5);
    }
  }
}

// displacements of equal length and random sign, zero for the first particle of a cluster: no
// displacement as long bends a face more
static void flip(const laid* l, random_source* random, place* at) {
  float step[3];
  for (int axis = 0; axis < 3; ++axis) step[axis] = random_float(random, -1e-4f, 1e-4f);
  for (uint32_t i = 0; i < l->particles.count; ++i) {
    float sign = random_chance(random, 2) ? 1.0f : -1.0f;
    for (uint32_t b = 0; b < l->clusters.face_cluster_count; ++b) {
      if (l->clusters.member[l->clusters.first_member[4 * b]] == i) sign = 0.0f;
    }
    for (int axis = 0; axis < 3; ++axis) at[i][axis] += sign * step[axis];
  }
}

// moves all particles together, then each by a small or large relative displacement
static void go_on(const laid* l, random_source* random, place* at, uint32_t count) {
  float by[3];
  for (int axis = 0; axis < 3; ++axis) by[axis] = random_float(random, -0.1f, 0.1f);
  const float amount = random_chance(random, 8) ? 0.2f : random_float(random, 0.0f, 0.004f);
  for (uint32_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) at[i][axis] += by[axis];
  }
  if (random_chance(random, 2)) {
    flip(l, random, at);
    return;
  }
  if (random_chance(random, 2)) deform_jaggedly(random, at, count, amount);
  if (random_chance(random, 2)) deform_smoothly(random, at, count, amount);
}

static uint32_t update_all(const laid* l, history* d, int n, place* from, place* to) {
  uint32_t lazy = 0;
  for (uint32_t b = 0; b < l->clusters.face_cluster_count; ++b) {
    const float displacement =
        n == 0 ? INFINITY : (float)(relative_displacement(l, b, from, to) * 1.00001);
    const bool is_wanted = l->flats.is_wanted[b] != 0;
    const float bend =
        weft__flatness_update(&l->flats, &l->clusters, l->places.now, b, displacement);
    d->bend[n][b] = n == 0 ? 0.0 : d->bend[n - 1][b] + (double)bend;
    require(l->flats.now_drift[b] >= 0.0f && l->flats.now_drift[b] <= 0.051f);
    if (is_wanted) require(l->flats.now_drift[b] == 0.0f);
    lazy += l->flats.now_drift[b] > 0.0f;
  }
  return lazy;
}

typedef struct certificate {
  weft__flat_region region;
  plane_map map;
  float slack;
} certificate;

typedef struct certificates {
  place *start, *now;
  certificate* all;
  uint32_t count;
} certificates;

enum { MAX_CERTIFICATES = 2000 };

static void keep_certificate(const laid* l, uint32_t part, weft__flat_region* region, void* data) {
  (void)part;
  certificates* p = data;
  weft__flatness_test test;
  float slack;
  if (p->count == MAX_CERTIFICATES || !weft__flatness_certifies(&l->flats, region, &test, &slack))
    return;
  p->all[p->count++] = (certificate){*region, map_of_test(&test), slack};
}

// returns the number of certificates that are still valid
static uint32_t check_certificates(const laid* l, const certificates* p, const history* d,
                                   int given, int n, place* at) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < p->count; ++k) {
    certificate* q = &p->all[k];
    double bend = 0.0;
    for (uint32_t m = 0; m < q->region.count; ++m) {
      const uint32_t block = q->region.part[m];
      bend += d->bend[n][block] - d->bend[given][block];
    }
    if (bend > (double)q->slack) continue;
    double vector[2];
    require(lowest_of_region(l, &q->region, &q->map, at, vector) > 0.0);
    ++kept;
  }
  return kept;
}

static uint32_t check_updates(random_source* random, int kind, history* d, certificate* room) {
  mesh_shape shape = random_flat(random, kind);
  turn_shape(&shape, random);
  require(shape.face_count <= MOST_FACES);
  laid* l = new_laid(&shape, NULL);
  motion j = new_motion(random, &shape);
  bend_a_little(random, j.now, shape.vertex_count);
  deform_jaggedly(random, j.now, shape.vertex_count, 0.4f);
  certificates p = {
      .start = test_alloc(sizeof(place) * shape.vertex_count), .now = j.now, .all = room};
  const int given = (int)random_from(random, 1, 12);
  uint32_t lazy = 0;
  uint32_t kept = 0;
  for (int n = 0; n < UPDATES; ++n) {
    memcpy(j.start, j.now, sizeof(place) * shape.vertex_count);
    if (n > 0) go_on(l, random, j.now, shape.vertex_count);
    set_laid(l, l->places.now, j.now);
    lazy += update_all(l, d, n, j.start, j.now);
    record(l, d, n);
    check_history(l, d, n, j.now);
    if (n == given) (void)each_region(l, keep_certificate, &p);
    if (n > given) kept += check_certificates(l, &p, d, given, n, j.now);
    if (n > 0 && !random_chance(random, 3)) continue;
    for (uint32_t b = 0; b < l->clusters.face_cluster_count; ++b)
      weft__flatness_begin_pass(&l->flats, b);
    memcpy(p.start, j.now, sizeof(place) * shape.vertex_count);
  }
  require(lazy > 0);
  return kept;
}

TEST(bounds_on_bends_are_never_too_small) {
  random_source random = {7};
  history* d = test_alloc(sizeof(*d));
  certificate* room = test_alloc(sizeof(*room) * MAX_CERTIFICATES);
  uint32_t kept = 0;
  for (int round = 0; round < ROUNDS(60, 4); ++round) {
    kept += check_updates(&random, round % FLAT_KINDS, d, room);
  }
  require(kept > 100);
}
