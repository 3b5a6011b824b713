#include "geometry/quickhull.h"

#include <math.h>

#include "base/memory.h"

#define NONE UINT32_MAX
#define GRID_BITS 30

__extension__ typedef __int128 wide_int;

typedef struct grid_point {
  int64_t x, y, z;
} grid_point;

typedef struct hull_face {
  uint32_t corners[3];
  uint32_t across[3];  // face beyond the edge from corner k to the next
  grid_point normal;
  // head of its list of outside points, NONE: empty; of a removed face the next free one
  uint32_t first_point;
  uint32_t far_point;  // farthest of them
  uint32_t seen;       // round in which the face was found visible
  bool is_removed;
} hull_face;

typedef struct hull_edge {
  uint32_t from, to;  // corners
  uint32_t across;    // face beyond, which stays
} hull_edge;

typedef struct hull_draft {
  grid_point* positions;  // [count]
  uint32_t* next_point;   // next of the same face's list [count]
  uint32_t* face_from;    // new face whose edge begins at a corner of the horizon [count]
  uint32_t count;
  hull_face* faces;
  size_t face_count, face_capacity;
  uint32_t* visible;  // from the point
  size_t visible_count, visible_capacity;
  hull_edge* horizon;
  size_t horizon_count, horizon_capacity;
  uint32_t* work_list;  // faces that may have outside points
  size_t work_count, work_capacity;
  uint32_t first_free;
  uint32_t round;
} hull_draft;

static grid_point minus(grid_point a, grid_point b) {
  return (grid_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static grid_point cross(grid_point a, grid_point b) {
  return (grid_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static wide_int dot(grid_point a, grid_point b) {
  return (wide_int)a.x * b.x + (wide_int)a.y * b.y + (wide_int)a.z * b.z;
}

static double length(grid_point a) {
  return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

typedef struct point_grid {
  const float* points;
  uint32_t count;
  double lower[3];  // metres
  double scale;     // power of two: points of few digits are represented exactly
} point_grid;

// Fits the grid to the points; false if all coincide.
static bool fit_grid(point_grid* grid, const float* points, uint32_t count) {
  *grid = (point_grid){.points = points, .count = count};
  double size = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    double low = INFINITY;
    double high = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
      const double at = (double)points[3 * (size_t)i + (size_t)axis];
      if (at < low) low = at;
      if (at > high) high = at;
    }
    grid->lower[axis] = low;
    if (high - low > size) size = high - low;
  }
  if (!(size > 0.0)) return false;
  int exponent = 0;
  frexp(size, &exponent);
  grid->scale = ldexp(1.0, GRID_BITS - exponent);
  return true;
}

static grid_point quantize(const point_grid* grid, uint32_t i) {
  const float* at = &grid->points[3 * (size_t)i];
  int64_t whole[3];
  for (int axis = 0; axis < 3; ++axis) {
    whole[axis] = (int64_t)(((double)at[axis] - grid->lower[axis]) * grid->scale + 0.5);
  }
  return (grid_point){whole[0], whole[1], whole[2]};
}

static uint32_t farthest_from_point(const point_grid* grid, grid_point from) {
  uint32_t farthest = 0;
  double largest = -1.0;
  for (uint32_t i = 0; i < grid->count; ++i) {
    const double distance = length(minus(quantize(grid, i), from));
    if (distance > largest) {
      largest = distance;
      farthest = i;
    }
  }
  return farthest;
}

static uint32_t farthest_from_line(const point_grid* grid, grid_point a, grid_point b) {
  uint32_t farthest = 0;
  double largest = -1.0;
  for (uint32_t i = 0; i < grid->count; ++i) {
    const double area = length(cross(minus(b, a), minus(quantize(grid, i), a)));
    if (area > largest) {
      largest = area;
      farthest = i;
    }
  }
  return farthest;
}

// On either side; *largest: height times the length of the normal.
static uint32_t farthest_from_plane(const point_grid* grid, grid_point a, grid_point normal,
                                    double* largest) {
  uint32_t farthest = 0;
  *largest = -1.0;
  for (uint32_t i = 0; i < grid->count; ++i) {
    const double height = fabs((double)dot(normal, minus(quantize(grid, i), a)));
    if (height > *largest) {
      *largest = height;
      farthest = i;
    }
  }
  return farthest;
}

// A millionth of the size, in grid units.
#define MIN_HEIGHT ldexp(1.0, GRID_BITS - 20)

static bool find_tetrahedron(const point_grid* grid, uint32_t corners[4]) {
  corners[0] = farthest_from_point(grid, quantize(grid, 0));
  const grid_point a = quantize(grid, corners[0]);
  corners[1] = farthest_from_point(grid, a);
  const grid_point b = quantize(grid, corners[1]);
  corners[2] = farthest_from_line(grid, a, b);
  const grid_point normal = cross(minus(b, a), minus(quantize(grid, corners[2]), a));
  const double base = length(minus(b, a));
  if (!(length(normal) > MIN_HEIGHT * base)) return false;
  double height = 0.0;
  corners[3] = farthest_from_plane(grid, a, normal, &height);
  if (!(height > MIN_HEIGHT * length(normal))) return false;
  // counter-clockwise from outside
  if (dot(normal, minus(quantize(grid, corners[3]), a)) > 0) {
    const uint32_t corner = corners[1];
    corners[1] = corners[2];
    corners[2] = corner;
  }
  return true;
}

bool weft__points_are_solid(const float* points, uint32_t count) {
  point_grid grid;
  uint32_t corners[4];
  return count >= 4 && fit_grid(&grid, points, count) && find_tetrahedron(&grid, corners);
}

static bool push(uint32_t** list, size_t* count, size_t* capacity, uint32_t value) {
  if (!weft__grow((void**)list, capacity, *count + 1, sizeof(**list))) return false;
  (*list)[(*count)++] = value;
  return true;
}

static uint32_t new_face(hull_draft* hull, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t number = hull->first_free;
  if (number != NONE) {
    hull->first_free = hull->faces[number].first_point;
  } else {
    if (!weft__grow((void**)&hull->faces, &hull->face_capacity, hull->face_count + 1,
                    sizeof(*hull->faces))) {
      return NONE;
    }
    number = (uint32_t)hull->face_count++;
  }
  const grid_point at = hull->positions[a];
  hull->faces[number] = (hull_face){
      .corners = {a, b, c},
      .across = {NONE, NONE, NONE},
      .normal = cross(minus(hull->positions[b], at), minus(hull->positions[c], at)),
      .first_point = NONE,
      .far_point = NONE,
  };
  return number;
}

static wide_int height_above(const hull_draft* hull, const hull_face* face, uint32_t point) {
  return dot(face->normal, minus(hull->positions[point], hull->positions[face->corners[0]]));
}

// Adds a point to the outside list of the first of some faces that it is above, if any.
static void assign_point(hull_draft* hull, const uint32_t* faces, size_t count, uint32_t point) {
  for (size_t i = 0; i < count; ++i) {
    hull_face* face = &hull->faces[faces[i]];
    const wide_int height = height_above(hull, face, point);
    if (height <= 0) continue;
    if (face->far_point == NONE || height > height_above(hull, face, face->far_point)) {
      face->far_point = point;
    }
    hull->next_point[point] = face->first_point;
    face->first_point = point;
    return;
  }
}

static bool build_tetrahedron(hull_draft* hull, const point_grid* grid) {
  uint32_t corners[4];
  if (!find_tetrahedron(grid, corners)) return false;
  static const uint8_t turns[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const uint8_t across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  uint32_t made[4];
  for (int k = 0; k < 4; ++k) {
    made[k] = new_face(hull, corners[turns[k][0]], corners[turns[k][1]], corners[turns[k][2]]);
    if (made[k] == NONE ||
        !push(&hull->work_list, &hull->work_count, &hull->work_capacity, made[k])) {
      return false;
    }
  }
  for (int k = 0; k < 4; ++k) {
    for (int side = 0; side < 3; ++side) hull->faces[made[k]].across[side] = made[across[k][side]];
  }
  for (uint32_t point = 0; point < hull->count; ++point) assign_point(hull, made, 4, point);
  return true;
}

// Flood fill: visible faces are connected, and their boundary is the horizon.
static bool find_horizon(hull_draft* hull, uint32_t first, uint32_t point) {
  hull->visible_count = 0;
  hull->horizon_count = 0;
  hull->round += 1;
  hull->faces[first].seen = hull->round;
  if (!push(&hull->visible, &hull->visible_count, &hull->visible_capacity, first)) return false;
  for (size_t i = 0; i < hull->visible_count; ++i) {
    const uint32_t number = hull->visible[i];
    for (int side = 0; side < 3; ++side) {
      const uint32_t other = hull->faces[number].across[side];
      if (hull->faces[other].seen == hull->round) continue;
      if (height_above(hull, &hull->faces[other], point) > 0) {
        hull->faces[other].seen = hull->round;
        if (!push(&hull->visible, &hull->visible_count, &hull->visible_capacity, other))
          return false;
        continue;
      }
      if (!weft__grow((void**)&hull->horizon, &hull->horizon_capacity, hull->horizon_count + 1,
                      sizeof(*hull->horizon))) {
        return false;
      }
      hull->horizon[hull->horizon_count++] = (hull_edge){
          hull->faces[number].corners[side], hull->faces[number].corners[(side + 1) % 3], other};
    }
  }
  return true;
}

// Links the face beyond the horizon with the new one across their edge.
static void link_across_horizon(hull_draft* hull, const hull_edge* edge, uint32_t made) {
  hull_face* other = &hull->faces[edge->across];
  for (int side = 0; side < 3; ++side) {
    if (other->corners[side] == edge->to && other->corners[(side + 1) % 3] == edge->from) {
      other->across[side] = made;
    }
  }
  hull->faces[made].across[0] = edge->across;
}

// Adds the cone of faces from the horizon to the point; they are the last entries of the work list.
static bool add_cone(hull_draft* hull, uint32_t point) {
  const size_t first = hull->work_count;
  for (size_t i = 0; i < hull->horizon_count; ++i) {
    const hull_edge* edge = &hull->horizon[i];
    const uint32_t made = new_face(hull, edge->from, edge->to, point);
    if (made == NONE || !push(&hull->work_list, &hull->work_count, &hull->work_capacity, made))
      return false;
    link_across_horizon(hull, edge, made);
    hull->face_from[edge->from] = made;
  }
  for (size_t i = 0; i < hull->horizon_count; ++i) {
    const uint32_t made = hull->work_list[first + i];
    const uint32_t next = hull->face_from[hull->horizon[i].to];
    hull->faces[made].across[1] = next;
    hull->faces[next].across[2] = made;
  }
  return true;
}

// Reassigns the outside points of removed faces to the new ones: a point above both faces at a
// horizon edge is above the new face between.
static void reassign_points(hull_draft* hull, const uint32_t* made, size_t count, uint32_t added) {
  for (size_t i = 0; i < hull->visible_count; ++i) {
    hull_face* removed = &hull->faces[hull->visible[i]];
    uint32_t next = NONE;
    for (uint32_t point = removed->first_point; point != NONE; point = next) {
      next = hull->next_point[point];
      if (point != added) assign_point(hull, made, count, point);
    }
    removed->is_removed = true;
    removed->first_point = hull->first_free;
    hull->first_free = hull->visible[i];
  }
}

static bool expand_hull(hull_draft* hull, const point_grid* grid) {
  if (!build_tetrahedron(hull, grid)) return false;
  while (hull->work_count > 0) {
    const uint32_t number = hull->work_list[--hull->work_count];
    const hull_face* face = &hull->faces[number];
    if (face->is_removed || face->first_point == NONE) continue;
    const uint32_t point = face->far_point;
    if (!find_horizon(hull, number, point)) return false;
    const size_t first = hull->work_count;
    if (!add_cone(hull, point)) return false;
    reassign_points(hull, hull->work_list + first, hull->work_count - first, point);
  }
  return true;
}

static bool prepare(hull_draft* hull, const point_grid* grid) {
  *hull = (hull_draft){.count = grid->count, .first_free = NONE};
  hull->positions = weft__alloc(grid->count, sizeof(*hull->positions));
  hull->next_point = weft__alloc(grid->count, sizeof(*hull->next_point));
  hull->face_from = weft__alloc(grid->count, sizeof(*hull->face_from));
  if (hull->positions == NULL || hull->next_point == NULL || hull->face_from == NULL) return false;
  for (uint32_t i = 0; i < grid->count; ++i) hull->positions[i] = quantize(grid, i);
  return true;
}

static bool copy_faces(const hull_draft* hull, weft__hull_faces* faces) {
  faces->corners = weft__alloc(hull->face_count, 3 * sizeof(*faces->corners));
  if (faces->corners == NULL) return false;
  for (size_t i = 0; i < hull->face_count; ++i) {
    if (hull->faces[i].is_removed) continue;
    for (int k = 0; k < 3; ++k) {
      faces->corners[3 * (size_t)faces->count + (size_t)k] = hull->faces[i].corners[k];
    }
    faces->count += 1;
  }
  return true;
}

bool weft__quickhull(const float* points, uint32_t count, weft__hull_faces* faces) {
  *faces = (weft__hull_faces){0};
  point_grid grid;
  if (!fit_grid(&grid, points, count)) return false;
  hull_draft hull;
  const bool made = prepare(&hull, &grid) && expand_hull(&hull, &grid) && copy_faces(&hull, faces);
  weft__free(hull.positions);
  weft__free(hull.next_point);
  weft__free(hull.face_from);
  weft__free(hull.faces);
  weft__free(hull.visible);
  weft__free(hull.horizon);
  weft__free(hull.work_list);
  return made;
}
