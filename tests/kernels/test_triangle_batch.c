/* Triangles near balls: against those of one pair, on all instruction sets, bit for bit. */
#include "geometry/moving_shell.h"
#include "geometry/shell.h"
#include "geometry/triangle_batch.h"
#include "kernels/kernels.h"
#include "support/isas.h"
#include "support/random.h"
#include "support/test.h"

enum { PAIRS = WEFT__BATCH_TRIANGLES, CASES = ROUNDS(200, 40) };

// Some triangles have an edge of no length, some balls are on a corner or move along with one.
static void make_pair(weft__triangle_batch* b, uint32_t i, random_source* random) {
  for (int c = 0; c < 9; ++c) {
    b->begin[c][i] = random_float(random, -1.0f, 1.0f);
    b->end[c][i] = b->begin[c][i] + random_float(random, -0.1f, 0.1f);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (i % 8 == 1) b->end[3 + axis][i] = b->end[axis][i];
    b->point[axis][i] =
        i % 8 == 2 ? (double)b->end[axis][i] : (double)random_float(random, -1.0f, 1.0f);
    b->path[axis][i] = (double)random_float(random, -0.1f, 0.1f);
    if (i % 8 == 3) b->path[axis][i] = (double)b->end[axis][i] - (double)b->begin[axis][i];
  }
}

static weft__vec3 corner(float column[9][PAIRS], int k, uint32_t i) {
  return (weft__vec3){(double)column[3 * k][i], (double)column[3 * k + 1][i],
                      (double)column[3 * k + 2][i]};
}

static void check_pair(weft__triangle_batch* b, uint32_t i) {
  weft__vec3 end[3];
  weft__vec3 paths[3];
  for (int k = 0; k < 3; ++k) {
    const weft__vec3 begin = corner(b->begin, k, i);
    paths[k] = weft__minus(corner(b->end, k, i), begin);
    end[k] = weft__plus(begin, paths[k]);
  }
  const weft__vec3 point = {b->point[0][i], b->point[1][i], b->point[2][i]};
  const weft__vec3 path = {b->path[0][i], b->path[1][i], b->path[2][i]};
  const weft__triangle triangle = {end[0], end[1], end[2]};
  const weft__triangle_point nearest = weft__nearest_on_triangle(point, &triangle);
  const weft__vec3 normal = weft__triangle_direction(&triangle, &nearest, point, 0.0);
  ck_assert(b->distance[i] == nearest.distance);
  ck_assert(b->nearest[0][i] == nearest.point.x && b->nearest[1][i] == nearest.point.y &&
            b->nearest[2][i] == nearest.point.z);
  for (int k = 0; k < 3; ++k) ck_assert(b->share[k][i] == nearest.shares[k]);
  ck_assert((b->inside >> i & 1) == nearest.inside);
  ck_assert(b->travel[i] == weft__relative_travel(paths, path));
  ck_assert((b->behind >> i & 1) == (weft__dot(normal, weft__triangle_normal(&triangle)) < 0.0));
}

TEST(a_batch_meets_triangles_as_one_ball_does) {
  random_source random = {7};
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (int round = 0; round < CASES; ++round) {
      weft__triangle_batch b = {.count = PAIRS - (uint32_t)round % 9};
      for (uint32_t i = 0; i < b.count; ++i) make_pair(&b, i, &random);
      weft__kernels_select((weft_isa)isa)->meet_triangles(&b);
      for (uint32_t i = 0; i < b.count; ++i) check_pair(&b, i);
    }
  }
}
