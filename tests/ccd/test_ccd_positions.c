/* Positions of clusters: separating planes, boxes, displacements. */
#include "support/random_laid.h"
#include "support/test.h"

// smallest separation along `direction` of any two members, sampled over their displacement
static double smallest_separation(const laid* l, weft__range a, weft__range b,
                                  const float direction[3], laid_place* start, laid_place* now,
                                  int times) {
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

static int separated[2];

static void check_separation(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                             const laid* l) {
  (void)kinds;
  if (l->clusters.cluster_count < 2) return;
  const float turned = random_float(random, -1.0f, 1.0f);
  laid_place* start = new_moved(random, shape, 0.0f, 0.2f * SPACING);
  laid_place* now =
      new_moved(random, shape, random_chance(random, 2) ? turned : 0.0f, 0.5f * SPACING);
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
    const bool is_separated =
        weft__ccd_positions_are_separated(&l->places, a, b, direction, gap, &room);
    const double rounding = 1e-6;
    const double at_start = smallest_separation(l, a, b, direction, start, start, 1) - (double)gap;
    const double at_end = smallest_separation(l, a, b, direction, now, now, 1) - (double)gap;
    if (is_separated) {
      require(smallest_separation(l, a, b, direction, start, now, 7) > (double)gap - rounding);
      require(room > 0.0f && fabs((double)room - at_end) < rounding);
    } else {
      require(fmin(at_start, at_end) < rounding);
    }
    ++separated[is_separated ? 1 : 0];
  }
}

TEST(pairs_that_a_plane_separates_stay_apart) {
  separated[0] = separated[1] = 0;
  check_random_laid(check_separation, ROUNDS(400, 20), 4);
  require(separated[0] > ROUNDS(500, 10) && separated[1] > ROUNDS(500, 10));
}

// bounds are tight
static void expect_box(const weft__moving_aabb* box, const uint32_t* particle, int count,
                       laid_place* start, laid_place* now) {
  for (int side = 0; side < WEFT__AABB_SIDES; ++side) {
    laid_place* at = side < 6 ? start : now;
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
  laid_place* start = new_moved(random, shape, 0.0f, SPACING);
  laid_place* now = new_moved(random, shape, 0.5f, SPACING);
  set_laid(l, l->places.start, start);
  set_laid(l, l->places.now, now);
  for (uint32_t cluster = 0; cluster < l->clusters.cluster_count; ++cluster) {
    const weft__range members = weft__cluster_members(&l->clusters, cluster);
    const weft__moving_aabb box = weft__ccd_positions_aabb(&l->places, members);
    expect_box(&box, l->clusters.member + members.begin, (int)(members.end - members.begin), start,
               now);
  }
}

TEST(boxes_are_tight) {
  check_random_laid(check_boxes, ROUNDS(400, 20), 5);
}

TEST(a_lost_coordinate_is_an_infinite_displacement) {
  const uint32_t member[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const float lost[3] = {NAN, INFINITY, -INFINITY};
  for (int at = 0; at < 24; ++at) {
    float start[3][8] = {{0}};
    float now[3][8] = {{0}};
    float pos[3][8] = {{0}};
    const weft__ccd_positions places = {.start = {start[0], start[1], start[2]},
                                        .now = {now[0], now[1], now[2]}};
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
