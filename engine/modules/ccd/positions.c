#include "modules/ccd/positions.h"

#include <math.h>

static const weft__column columns[] = {
    WEFT__VECTOR(weft__ccd_positions, start, member_count, WEFT__CACHE),
    WEFT__VECTOR(weft__ccd_positions, now, member_count, WEFT__CACHE),
};

const weft__table weft__ccd_positions_table = WEFT__TABLE(columns);

// Squares of displacements: the largest of each lane, and the sums, as a maximum does not show NaN.
typedef struct displacement_squares {
  wide largest, sum;
} displacement_squares;

static inline void add_squares(displacement_squares* squares, wide sq) {
  squares->largest = wide_max(sq, squares->largest);
  squares->sum += sq;
}

// Largest displacement, rounded up; infinite if any is NaN or infinite.
static float upper_length(const displacement_squares* squares) {
  const wide lanes = squares->sum;
  const float sum = lanes[0] + lanes[1] + lanes[2] + lanes[3];
  return sum - sum == 0.0f ? sqrtf(wide_max_lane(squares->largest)) * 1.0001f : INFINITY;
}

void weft__ccd_positions_begin(weft__ccd_positions* positions) {
  for (int axis = 0; axis < 3; ++axis) {
    float* now = positions->now[axis];
    positions->now[axis] = positions->start[axis];
    positions->start[axis] = now;
  }
}

void weft__ccd_positions_set(const weft__ccd_positions* positions, const uint32_t* member,
                             weft__range members, float* const* at) {
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t m = members.begin; m < members.end; ++m) {
      positions->start[axis][m] = at[axis][member[m]];
    }
  }
}

weft__cluster_displacements weft__ccd_positions_update(const weft__ccd_positions* positions,
                                                       const uint32_t* member, weft__range members,
                                                       const weft__particles* particles,
                                                       bool since_begin) {
  float* const* from = since_begin ? positions->start : positions->now;
  const float* at[3] = {particles->pos_x, particles->pos_y, particles->pos_z};
  wide lower[3];
  wide upper[3];
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = wide_splat(INFINITY);
    upper[axis] = wide_splat(-INFINITY);
  }
  displacement_squares squares = {{0}, {0}};
  for (uint32_t m = members.begin; m < members.end; m += 4) {
    wide sq = {0};
    for (int axis = 0; axis < 3; ++axis) {
      const float* column = at[axis];
      const wide now = {column[member[m]], column[member[m + 1]], column[member[m + 2]],
                        column[member[m + 3]]};
      const wide displacement = now - wide_load(from[axis] + m);
      memcpy(positions->now[axis] + m, &now, sizeof(now));
      sq += displacement * displacement;
      lower[axis] = wide_min(displacement, lower[axis]);
      upper[axis] = wide_max(displacement, upper[axis]);
    }
    add_squares(&squares, sq);
  }
  float relative_sq = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float side = wide_max_lane(upper[axis]) - wide_min_lane(lower[axis]);
    relative_sq += side * side;
  }
  const float displacement = upper_length(&squares);
  // sides do not show NaN
  return (weft__cluster_displacements){
      displacement, displacement < INFINITY ? sqrtf(relative_sq) * 1.0001f : INFINITY};
}

float weft__ccd_positions_displacement(const weft__ccd_positions* positions, weft__range members) {
  displacement_squares squares = {{0}, {0}};
  for (uint32_t m = members.begin; m < members.end; m += 4) {
    wide sq = {0};
    for (int axis = 0; axis < 3; ++axis) {
      const wide displacement =
          wide_load(positions->now[axis] + m) - wide_load(positions->start[axis] + m);
      sq += displacement * displacement;
    }
    add_squares(&squares, sq);
  }
  return upper_length(&squares);
}

weft__moving_aabb weft__ccd_positions_aabb(const weft__ccd_positions* positions,
                                           weft__range members) {
  weft__moving_aabb box = weft__empty_moving_aabb();
  for (int side = 0; side < 12; side += 6) {
    float* const* at = side == 0 ? positions->start : positions->now;
    for (int axis = 0; axis < 3; ++axis) {
      wide lower = wide_load(at[axis] + members.begin);
      wide upper = lower;
      for (uint32_t m = members.begin + 4; m < members.end; m += 4) {
        const wide points = wide_load(at[axis] + m);
        lower = wide_min(points, lower);
        upper = wide_max(points, upper);
      }
      box.side[side + axis] = wide_min_lane(lower);
      box.side[side + 3 + axis] = wide_max_lane(upper);
    }
  }
  return box;
}

// Smallest or largest coordinate of a range of members along a direction, metres.
static float extent_along(float* const* at, weft__range members, const float direction[3],
                          const float origin[3], bool is_lower) {
  wide extent = {0};
  for (uint32_t m = members.begin; m < members.end; m += 4) {
    wide along = {0};
    for (int axis = 0; axis < 3; ++axis) {
      along += (wide_load(at[axis] + m) - origin[axis]) * direction[axis];
    }
    if (m == members.begin) extent = along;
    extent = is_lower ? wide_min(along, extent) : wide_max(along, extent);
  }
  return is_lower ? wide_min_lane(extent) : wide_max_lane(extent);
}

static float separation_along(float* const* at, weft__range a, weft__range b,
                              const float direction[3], const float origin[3]) {
  return extent_along(at, b, direction, origin, true) -
         extent_along(at, a, direction, origin, false);
}

bool weft__ccd_positions_are_separated(const weft__ccd_positions* positions, weft__range a,
                                       weft__range b, const float direction[3], float gap,
                                       float* slack) {
  const float origin[3] = {positions->now[0][a.begin], positions->now[1][a.begin],
                           positions->now[2][a.begin]};
  const float now = separation_along(positions->now, a, b, direction, origin) - gap;
  if (!(now > 0.0f)) return false;
  *slack = now;
  return separation_along(positions->start, a, b, direction, origin) > gap;
}
