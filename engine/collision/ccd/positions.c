#include "collision/ccd/positions.h"

#include <math.h>

#include "collision/ccd/simd4.h"

void weft__ccd_positions_take(weft__ccd_positions* places, size_t members, weft__arena* arena) {
  for (int axis = 0; axis < 3; ++axis) {
    places->start[axis] = weft__arena_take(arena, members, sizeof(float));
    places->now[axis] = weft__arena_take(arena, members, sizeof(float));
  }
}

// what is not a number is the longest
static float longest(weft__four sq) {
  const float most = weft__four_most(sq);
  const float sum = sq[0] + sq[1] + sq[2] + sq[3];
  return sum - sum == 0.0f ? sqrtf(most) * 1.0001f : INFINITY;
}

void weft__ccd_positions_begin(weft__ccd_positions* places) {
  for (int axis = 0; axis < 3; ++axis) {
    float* now = places->now[axis];
    places->now[axis] = places->start[axis];
    places->start[axis] = now;
  }
}

void weft__ccd_positions_set(const weft__ccd_positions* places, const uint32_t* member,
                             weft__range members, float* const* at) {
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t m = members.begin; m < members.end; ++m) {
      places->start[axis][m] = at[axis][member[m]];
    }
  }
}

weft__cluster_displacements weft__ccd_positions_look(const weft__ccd_positions* places,
                                                     const uint32_t* member, weft__range members,
                                                     const weft__particles* particles,
                                                     bool since_begin) {
  float* const* from = since_begin ? places->start : places->now;
  const float* at[3] = {particles->pos_x, particles->pos_y, particles->pos_z};
  float first[3];
  for (int axis = 0; axis < 3; ++axis) {
    first[axis] = at[axis][member[members.begin]] - from[axis][members.begin];
  }
  weft__four most = {0};
  weft__four most_aside = {0};
  for (uint32_t m = members.begin; m < members.end; m += 4) {
    weft__four sq = {0};
    weft__four aside_sq = {0};
    for (int axis = 0; axis < 3; ++axis) {
      const float* column = at[axis];
      const weft__four now = {column[member[m]], column[member[m + 1]], column[member[m + 2]],
                              column[member[m + 3]]};
      const weft__four way = now - weft__four_load(from[axis] + m);
      const weft__four aside = way - first[axis];
      memcpy(places->now[axis] + m, &now, sizeof(now));
      sq += way * way;
      aside_sq += aside * aside;
    }
    most = weft__four_max(sq, most);
    most_aside = weft__four_max(aside_sq, most_aside);
  }
  return (weft__cluster_displacements){longest(most), longest(most_aside)};
}

float weft__ccd_positions_way(const weft__ccd_positions* places, weft__range members) {
  weft__four most = {0};
  for (uint32_t m = members.begin; m < members.end; m += 4) {
    weft__four sq = {0};
    for (int axis = 0; axis < 3; ++axis) {
      const weft__four way =
          weft__four_load(places->now[axis] + m) - weft__four_load(places->start[axis] + m);
      sq += way * way;
    }
    most = weft__four_max(sq, most);
  }
  return longest(most);
}

weft__moving_aabb weft__ccd_positions_box(const weft__ccd_positions* places, weft__range members) {
  weft__moving_aabb box = weft__empty_moving_aabb();
  for (int side = 0; side < 12; side += 6) {
    float* const* at = side == 0 ? places->start : places->now;
    for (int axis = 0; axis < 3; ++axis) {
      weft__four least = weft__four_load(at[axis] + members.begin);
      weft__four most = least;
      for (uint32_t m = members.begin + 4; m < members.end; m += 4) {
        const weft__four here = weft__four_load(at[axis] + m);
        least = weft__four_min(here, least);
        most = weft__four_max(here, most);
      }
      box.side[side + axis] = weft__four_least(least);
      box.side[side + 3 + axis] = weft__four_most(most);
    }
  }
  return box;
}

// along a direction: the least, or the most, of a block
static float reach_along(float* const* at, weft__range members, const float direction[3],
                         const float origin[3], bool least) {
  weft__four reach = {0};
  for (uint32_t m = members.begin; m < members.end; m += 4) {
    weft__four along = {0};
    for (int axis = 0; axis < 3; ++axis) {
      along += (weft__four_load(at[axis] + m) - origin[axis]) * direction[axis];
    }
    if (m == members.begin) reach = along;
    reach = least ? weft__four_min(along, reach) : weft__four_max(along, reach);
  }
  return least ? weft__four_least(reach) : weft__four_most(reach);
}

static float between(float* const* at, weft__range low, weft__range high, const float direction[3],
                     const float origin[3]) {
  return reach_along(at, high, direction, origin, true) -
         reach_along(at, low, direction, origin, false);
}

bool weft__ccd_positions_part(const weft__ccd_positions* places, weft__range a, weft__range b,
                              const float direction[3], float gap, float* room) {
  const float origin[3] = {places->now[0][a.begin], places->now[1][a.begin],
                           places->now[2][a.begin]};
  const float now = between(places->now, a, b, direction, origin) - gap;
  if (!(now > 0.0f)) return false;
  *room = now;
  return between(places->start, a, b, direction, origin) > gap;
}
