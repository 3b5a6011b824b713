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
