#include "collision/ccd/flatness.h"

#include <math.h>
#include <string.h>

#include "collision/ccd/simd4.h"

// of the mean derivative: what rounding cannot make up for
#define LEAST_MARGIN 0.02f
// how much may be owed, before derivatives are taken over
#define MOST_DEBT 0.05f

// by how much more an axis has to be across than another one
#define MUCH 1.01

static void take_parts(weft__flatness_level* parts, size_t count, uint32_t faces,
                       weft__arena* arena) {
  parts->face_count = faces;
  parts->start = weft__arena_take(arena, count, sizeof(*parts->start));
  parts->now = weft__arena_take(arena, count, sizeof(*parts->now));
  parts->rate = weft__arena_take(arena, count, sizeof(*parts->rate));
  parts->window_count = weft__arena_take(arena, count, sizeof(*parts->window_count));
  parts->window = weft__arena_take(arena, count, sizeof(*parts->window));
}

void weft__flatness_take(weft__flatness* flats, size_t faces, weft__arena* arena) {
  const size_t blocks = faces / WEFT__CLUSTER_FACES + 1;
  for (int n = 0; n < 4; ++n) {
    flats->inverse[n] = weft__arena_take(arena, blocks * WEFT__CLUSTER_FACES, sizeof(float));
  }
  for (int k = 0; k < 2; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      const size_t count = blocks * WEFT__CLUSTER_FACES;
      flats->start[k][axis] = weft__arena_take(arena, count, sizeof(float));
      flats->now[k][axis] = weft__arena_take(arena, count, sizeof(float));
    }
  }
  flats->start_debt = weft__arena_take(arena, blocks, sizeof(*flats->start_debt));
  flats->now_debt = weft__arena_take(arena, blocks, sizeof(*flats->now_debt));
  flats->is_new = weft__arena_take(arena, blocks, sizeof(*flats->is_new));
  flats->is_wanted = weft__arena_take(arena, blocks, sizeof(*flats->is_wanted));
  flats->axis = weft__arena_take(arena, blocks, sizeof(*flats->axis));
  flats->around_count = weft__arena_take(arena, blocks, sizeof(*flats->around_count));
  flats->around = weft__arena_take(arena, blocks, sizeof(*flats->around));
  take_parts(&flats->blocks, blocks, WEFT__CLUSTER_FACES, arena);
  take_parts(&flats->quarters, 4 * blocks, WEFT__LEAF_FACES, arena);
}

// ---- the plane ----

static uint8_t axis_across(const weft__ccd_clusters* blocks, const weft__face_edges* web,
                           const weft__faces* faces, uint32_t block) {
  const weft__range range = weft__cluster_faces(blocks, block);
  double area[3] = {0.0, 0.0, 0.0};
  for (uint32_t f = range.begin; f < range.end; ++f) {
    const uint32_t* corner = faces->corner[blocks->face[f]];
    double edge[2][3];
    for (int k = 0; k < 2; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        edge[k][axis] =
            (double)web->place[axis][corner[k + 1]] - (double)web->place[axis][corner[0]];
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3;
      const int v = (axis + 2) % 3;
      area[axis] += fabs(edge[0][u] * edge[1][v] - edge[0][v] * edge[1][u]);
    }
  }
  // where two are as large, rounding must not part blocks that lie in one plane
  if (MUCH * area[2] >= area[0] && MUCH * area[2] >= area[1]) return 2;
  return MUCH * area[1] >= area[0] ? 1 : 0;
}

// what stands across the plane has an inverse that is no number, and is never flat
static void lay_face(const weft__flatness* flats, const float* u, const float* v,
                     const uint32_t corner[3], uint32_t n) {
  const double a[2] = {(double)u[corner[1]] - (double)u[corner[0]],
                       (double)v[corner[1]] - (double)v[corner[0]]};
  const double b[2] = {(double)u[corner[2]] - (double)u[corner[0]],
                       (double)v[corner[2]] - (double)v[corner[0]]};
  const double det = a[0] * b[1] - a[1] * b[0];
  flats->inverse[0][n] = (float)(b[1] / det);
  flats->inverse[1][n] = (float)(-b[0] / det);
  flats->inverse[2][n] = (float)(-a[1] / det);
  flats->inverse[3][n] = (float)(a[0] / det);
}

// of a face whose three corners go by one each
static float rate_of(const weft__flatness* flats, uint32_t n) {
  float sq = 0.0f;
  for (int k = 0; k < 2; ++k) {
    const float a = flats->inverse[k][n];
    const float b = flats->inverse[k + 2][n];
    const float sum = fabsf(a) + fabsf(b) + fabsf(a + b);
    sq += sum * sum;
  }
  return sqrtf(sq) * 1.0001f;
}

void weft__flatness_lay(const weft__flatness* flats, const weft__ccd_clusters* blocks,
                        const weft__face_edges* web, const weft__faces* faces, uint32_t block) {
  const weft__range range = weft__cluster_faces(blocks, block);
  const int across = flats->axis[block] = axis_across(blocks, web, faces, block);
  const float* u = web->place[(across + 1) % 3];
  const float* v = web->place[(across + 2) % 3];
  flats->blocks.rate[block] = 0.0f;
  for (uint32_t f = range.begin; f < range.begin + WEFT__CLUSTER_FACES; ++f) {
    // what is missing in the last block is the last face, again
    const uint32_t face = blocks->face[f < range.end ? f : range.end - 1];
    lay_face(flats, u, v, faces->corner[face], f);
    float* quarter = &flats->quarters.rate[f / WEFT__LEAF_FACES];
    if (f % WEFT__LEAF_FACES == 0) *quarter = 0.0f;
    *quarter = fmaxf(*quarter, rate_of(flats, f));
    flats->blocks.rate[block] = fmaxf(flats->blocks.rate[block], *quarter);
  }
}

// ---- frames ----

// a quarter's faces are the lanes of one vector
enum { QUARTERS = 4 };

// both derivatives along an axis
static void derive(const weft__flatness* flats, const uint8_t (*corner)[3], const float* at,
                   uint32_t first, weft__four by[2][QUARTERS]) {
  float edge[2][WEFT__CLUSTER_FACES];
  for (uint32_t f = 0; f < WEFT__CLUSTER_FACES; ++f) {
    const float origin = at[corner[f][0]];
    edge[0][f] = at[corner[f][1]] - origin;
    edge[1][f] = at[corner[f][2]] - origin;
  }
  for (uint32_t n = 0; n < QUARTERS; ++n) {
    const weft__four a = weft__four_load(edge[0] + 4 * n);
    const weft__four b = weft__four_load(edge[1] + 4 * n);
    for (int k = 0; k < 2; ++k) {
      by[k][n] = a * weft__four_load(flats->inverse[k] + first + 4 * n) +
                 b * weft__four_load(flats->inverse[k + 2] + first + 4 * n);
    }
  }
}

static float mean_of(weft__four v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) / 4.0f;
}

// returns by how much the derivative of a face changed, at most
static float take_over(const weft__flatness* flats, const weft__ccd_clusters* blocks,
                       float* const* at, uint32_t block) {
  const uint32_t first = block * WEFT__CLUSTER_FACES;
  const uint32_t member = blocks->first_member[4 * block];
  const uint8_t(*corner)[3] = (const uint8_t(*)[3])blocks->corner + first;
  weft__ccd_frame* quarter = &flats->quarters.now[4 * (size_t)block];
  weft__four changed[QUARTERS] = {{0}};
  for (int axis = 0; axis < 3; ++axis) {
    weft__four by[2][QUARTERS];
    derive(flats, corner, at[axis] + member, first, by);
    for (int k = 0; k < 2; ++k) {
      float* column = flats->now[k][axis] + first;
      for (uint32_t n = 0; n < QUARTERS; ++n) {
        const weft__four change = by[k][n] - weft__four_load(column + 4 * n);
        changed[n] += change * change;
        quarter[n].mean[k][axis] = mean_of(by[k][n]);
      }
      memcpy(column, by[k], sizeof(by[k]));
      flats->blocks.now[block].mean[k][axis] =
          mean_of((by[k][0] + by[k][1]) + (by[k][2] + by[k][3])) / (float)QUARTERS;
    }
  }
  const weft__four most = weft__four_max(weft__four_max(changed[0], changed[1]),
                                         weft__four_max(changed[2], changed[3]));
  return sqrtf(weft__four_most(most)) * 1.0001f;
}

float weft__flatness_look(const weft__flatness* flats, const weft__ccd_clusters* blocks,
                          float* const* at, uint32_t block, float way) {
  const float most = flats->blocks.rate[block] * way;
  if (flats->now_debt[block] + most <= MOST_DEBT && !flats->is_wanted[block]) {
    flats->now_debt[block] += most;
    return most;
  }
  flats->now_debt[block] = 0.0f;
  flats->is_wanted[block] = 0;
  flats->is_new[block] = 1;
  return take_over(flats, blocks, at, block);
}

void weft__flatness_begin(const weft__flatness* flats, uint32_t block) {
  flats->start_debt[block] = flats->now_debt[block];
  if (!flats->is_new[block]) return;
  flats->is_new[block] = 0;
  flats->blocks.start[block] = flats->blocks.now[block];
  for (uint32_t q = 4 * block; q < 4 * block + 4; ++q) {
    flats->quarters.start[q] = flats->quarters.now[q];
  }
  for (int k = 0; k < 2; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      const size_t first = (size_t)block * WEFT__CLUSTER_FACES;
      memcpy(flats->start[k][axis] + first, flats->now[k][axis] + first,
             WEFT__CLUSTER_FACES * sizeof(float));
    }
  }
}

// ---- windows ----

weft__flat_region* weft__flatness_region(const weft__flatness_level* parts, uint32_t a,
                                         uint32_t b) {
  const uint32_t first = a < b ? a : b;
  const uint32_t second = a < b ? b : a;
  for (uint32_t n = 0; n < parts->window_count[first]; ++n) {
    if (parts->window[first][n].other == second) return &parts->window[first][n];
  }
  return NULL;
}

// from space to the plane
typedef struct plane_map {
  float row[2][3];
  float norm; /* the largest that it makes of a vector of length 1 */
} plane_map;

static float dot(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// the inverse of the mean derivative of the window, in the sense of least squares
static bool map_of(const weft__flatness_level* parts, const weft__flat_region* window,
                   plane_map* map) {
  float mean[2][3] = {{0}};
  const float share = 0.5f / (float)window->count;
  for (uint32_t n = 0; n < window->count; ++n) {
    const weft__ccd_frame* start = &parts->start[window->part[n]];
    const weft__ccd_frame* now = &parts->now[window->part[n]];
    for (int k = 0; k < 2; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        mean[k][axis] += share * (start->mean[k][axis] + now->mean[k][axis]);
      }
    }
  }
  const float a = dot(mean[0], mean[0]);
  const float b = dot(mean[0], mean[1]);
  const float c = dot(mean[1], mean[1]);
  const float det = a * c - b * b;
  if (!(det > 1e-3f * a * c)) return false;
  for (int axis = 0; axis < 3; ++axis) {
    map->row[0][axis] = (c * mean[0][axis] - b * mean[1][axis]) / det;
    map->row[1][axis] = (a * mean[1][axis] - b * mean[0][axis]) / det;
  }
  const float p = dot(map->row[0], map->row[0]);
  const float q = dot(map->row[1], map->row[1]);
  const float r = dot(map->row[0], map->row[1]);
  map->norm = sqrtf(0.5f * (p + q) + sqrtf(0.25f * (p - q) * (p - q) + r * r)) * 1.0001f;
  return true;
}

static weft__four four_dot(const float row[3], float* const columns[3], size_t n) {
  return row[0] * weft__four_load(columns[0] + n) + row[1] * weft__four_load(columns[1] + n) +
         row[2] * weft__four_load(columns[2] + n);
}

// the least eigenvalues of the symmetric parts, of four faces
static weft__four least_of(const plane_map* map, float* const columns[2][3], size_t n) {
  const weft__four a = four_dot(map->row[0], columns[0], n);
  const weft__four c = four_dot(map->row[1], columns[1], n);
  const weft__four b =
      0.5f * (four_dot(map->row[0], columns[1], n) + four_dot(map->row[1], columns[0], n));
  const weft__four half = 0.5f * (a - c);
  return 0.5f * (a + c) - weft__four_sqrt(half * half + b * b);
}

// by how much the least of a part's is above what rounding cannot make up for, and what is owed; below 0 where one
// is not
static float margin_of(const plane_map* map, float* const columns[2][3], size_t first,
                       uint32_t face_count, float debt) {
  const float limit = LEAST_MARGIN + map->norm * debt;
  weft__four least = weft__four_splat(INFINITY);
  for (size_t f = first; f < first + face_count; f += 4) {
    const weft__four here = least_of(map, columns, f);
    if (weft__four_mask(here > limit) != 0xfu) return -1.0f;
    least = weft__four_min(here, least);
  }
  return weft__four_least(least) - limit;
}

// takes the derivatives of a window over, the next time
static void want(const weft__flatness* flats, const weft__flatness_level* parts,
                 const weft__flat_region* window) {
  for (uint32_t n = 0; n < window->count; ++n) {
    const uint32_t block = window->part[n] * parts->face_count / WEFT__CLUSTER_FACES;
    if (!(flats->now_debt[block] > 0.0f)) continue;
    // whoever wants it writes the same
    __atomic_store_n(&flats->is_wanted[block], 1, __ATOMIC_RELAXED);
  }
}

bool weft__flat_holds(const weft__flatness* flats, const weft__flatness_level* parts,
                      const weft__flat_region* window, float* slack) {
  plane_map map;
  bool good = map_of(parts, window, &map);
  *slack = INFINITY;
  for (uint32_t n = 0; n < window->count && good; ++n) {
    const size_t first = (size_t)window->part[n] * parts->face_count;
    const size_t block = first / WEFT__CLUSTER_FACES;
    const float now = margin_of(&map, flats->now, first, parts->face_count, flats->now_debt[block]);
    const float start =
        margin_of(&map, flats->start, first, parts->face_count, flats->start_debt[block]);
    good = now >= 0.0f && start >= 0.0f;
    *slack = fminf(*slack, now);
  }
  if (!good) {
    want(flats, parts, window);
    return false;
  }
  *slack /= map.norm;
  return true;
}
