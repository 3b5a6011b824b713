#include "geometry/support.h"

#include <math.h>
#include <stdlib.h>

#include "base/fields.h"
#include "base/memory.h"
#include "geometry/quickhull.h"

// Points with |x| + |y| + |z| = n.
static uint32_t direction_count(uint32_t n) {
  return 4 * n * n + 2;
}

// False if not finite or too far away.
static bool find_point(const weft_collider_def* def, int x, int y, int z, float point[3]) {
  const double direction[3] = {x, y, z};
  const double length = sqrt((double)(x * x + y * y + z * z));
  const float unit[3] = {(float)(direction[0] / length), (float)(direction[1] / length),
                         (float)(direction[2] / length)};
  point[0] = point[1] = point[2] = NAN;
  def->support(def->support_context, unit, point);
  for (int axis = 0; axis < 3; ++axis) {
    if (!(fabsf(point[axis]) <= WEFT_MAX_MAGNITUDE)) return false;
  }
  return true;
}

// Points of all directions, [direction_count][3]; returns the first that is none, or their number.
static uint32_t find_points(const weft_collider_def* def, float* points) {
  const int n = (int)def->support_level;
  uint32_t count = 0;
  for (int x = -n; x <= n; ++x) {
    for (int y = abs(x) - n; y <= n - abs(x); ++y) {
      const int z = n - abs(x) - abs(y);
      for (int side = 0; side < (z > 0 ? 2 : 1); ++side, ++count) {
        if (!find_point(def, x, y, side == 0 ? z : -z, points + (size_t)3 * count)) return count;
      }
    }
  }
  return count;
}

static float* new_array(const weft_collider_def* def) {
  return weft__alloc(direction_count(def->support_level), sizeof(float[3]));
}

weft_result weft__support_check(const weft_collider_def* def) {
  WEFT__FAIL_IF(def->support == NULL, WEFT_ERROR_NULL, "weft_collider_def.support");
  WEFT__TRY(WEFT__CHECK_FIELD(collider, def, support_level));
  float* points = new_array(def);
  WEFT__FAIL_IF(points == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  const uint32_t count = direction_count(def->support_level);
  const uint32_t found = find_points(def, points);
  const bool is_solid = found == count && weft__points_are_solid(points, count);
  weft__free(points);
  if (found < count) return weft__fail_at(WEFT_ERROR_RANGE, "weft_collider_def.support", found);
  WEFT__FAIL_IF(!is_solid, WEFT_ERROR_DEGENERATE, "weft_collider_def.support");
  return weft__ok();
}

float* weft__support_new_points(const weft_collider_def* def, uint32_t* count) {
  float* points = new_array(def);
  if (points != NULL) *count = find_points(def, points);
  return points;
}
