#include "support/deformed.h"
#include "support/derived.h"
#include "support/test.h"

// smallest barycentric coordinate of a point in a face: positive inside
static double share_in(const laid* l, uint32_t block, uint32_t f, const double at[2]) {
  const uint32_t* c = corners_of(l, f);
  double p[3][2];
  for (int k = 0; k < 3; ++k) {
    for (int d = 0; d < 2; ++d) p[k][d] = in_plane(l, block, c[k], d) - at[d];
  }
  double area[3];
  for (int k = 0; k < 3; ++k) {
    const double* a = p[(k + 1) % 3];
    const double* b = p[(k + 2) % 3];
    area[k] = a[0] * b[1] - a[1] * b[0];
  }
  const double all = area[0] + area[1] + area[2];
  return fmin(fmin(area[0] / all, area[1] / all), area[2] / all);
}

typedef struct cover {
  random_source* random;
  uint32_t points;
} cover;

static void draw_in_hull(const laid* l, uint32_t part, uint32_t other, random_source* random,
                         double at[2]) {
  const uint32_t block = part;
  double sum = 0.0;
  at[0] = at[1] = 0.0;
  for (int n = 0; n < 4; ++n) {
    const uint32_t from = random_chance(random, 2) ? part : other;
    const uint32_t f = face_of(l, from, random_below(random, WEFT__CLUSTER_FACES));
    const uint32_t i = corners_of(l, f)[random_below(random, 3)];
    const double weight = pow((double)random_float(random, 0.0f, 1.0f), 3.0);
    for (int d = 0; d < 2; ++d) at[d] += weight * in_plane(l, block, i, d);
    sum += weight;
  }
  for (int d = 0; d < 2; ++d) at[d] /= sum;
}

static void check_cover(const laid* l, uint32_t part, weft__flat_region* region, void* data) {
  cover* c = data;
  const uint32_t block = part;
  require(weft__flatness_region(&l->flats, part, region->other) == region);
  require(weft__flatness_region(&l->flats, region->other, part) == region);
  for (int round = 0; round < ROUNDS(8, 2); ++round) {
    double at[2];
    draw_in_hull(l, part, region->other, c->random, at);
    uint32_t in = 0;
    bool is_vague = false;
    for (uint32_t n = 0; n < region->count; ++n) {
      const weft__range faces = weft__cluster_faces(&l->clusters, region->part[n]);
      for (uint32_t f = faces.begin; f < faces.end; ++f) {
        if (!is_in_region(region, n, f - faces.begin)) continue;
        const double share = share_in(l, block, f, at);
        is_vague |= fabs(share) < 1e-3;
        in += share > 0.0;
      }
    }
    if (is_vague) continue;
    require(in == 1);
    ++c->points;
  }
}

// number of pairs of faces that share a particle and have no region
static uint32_t count_closed(const laid* l) {
  uint32_t closed = 0;
  for (uint32_t f = 0; f < l->clusters.slot_count; ++f) {
    for (uint32_t g = f; g < l->clusters.slot_count; ++g) {
      const uint32_t* a = corners_of(l, f);
      const uint32_t* b = corners_of(l, g);
      bool shared = false;
      for (int k = 0; k < 9; ++k) shared |= a[k / 3] == b[k % 3];
      closed += shared && weft__flatness_region(&l->flats, f / WEFT__CLUSTER_FACES,
                                                g / WEFT__CLUSTER_FACES) == NULL;
    }
  }
  return closed;
}

TEST(regions_cover_the_hulls_of_their_parts_once) {
  random_source random = {1};
  uint32_t holed = 0;
  for (int round = 0; round < ROUNDS(160, 4); ++round) {
    mesh_shape shape = random_flat(&random, round % FLAT_KINDS);
    turn_shape(&shape, &random);
    laid* l = new_laid(&shape, NULL);
    cover c = {.random = &random};
    const uint32_t count = each_region(l, check_cover, &c);
    // around holes there may be none
    require(count >= l->clusters.face_cluster_count || round % FLAT_KINDS == 3);
    require(c.points >= count);
    const uint32_t closed = count_closed(l);
    // convex cloth has all regions, but for neighbours beyond the limit of regions per part
    if (round % FLAT_KINDS < 2) require(closed <= 16);
    if (round % FLAT_KINDS == 3) holed += closed;
  }
  require(holed > 0);
}

static mesh_shape random_unflat(random_source* random, int kind) {
  if (kind == 0) return new_icosphere(2, 0.1f);
  if (kind == 1) return new_moebius_strip(40, 5, SPACING);
  mesh_shape made = random_flat(random, 0);
  if (kind == 2) {
    fold(random, made.place, made.vertex_count, 3.0f);
    return made;
  }
  if (kind == 3) {
    deform_jaggedly(random, made.place, made.vertex_count, 2.0f);
    return made;
  }
  mesh_shape upper = random_flat(random, 3);
  const float by[3] = {0.3f * SPACING, random_float(random, 0.1f, 2.0f) * SPACING, 0.0f};
  add_shape(&made, &upper, by);
  return made;
}

TEST(regions_of_curved_cloth_cover_hulls_too) {
  random_source random = {2};
  uint32_t count = 0;
  uint32_t closed = 0;
  for (int round = 0; round < ROUNDS(100, 5); ++round) {
    mesh_shape shape = random_unflat(&random, round % 5);
    turn_shape(&shape, &random);
    laid* l = new_laid(&shape, NULL);
    cover c = {.random = &random};
    count += each_region(l, check_cover, &c);
    closed += count_closed(l);
  }
  require(count > ROUNDS(500, 10) && closed > ROUNDS(1000, 10));
}
