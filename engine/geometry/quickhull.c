#include "geometry/quickhull.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define NONE UINT32_MAX
#define GRID_BITS 30

__extension__ typedef __int128 wide_int;

typedef struct place {
  int64_t x, y, z;
} place;

typedef struct hull_face {
  uint32_t corners[3];
  uint32_t across[3];  // the face beyond the edge from corner k to the next
  place normal;
  uint32_t
      first_point;  // of those above it, NONE = there are none; of faces that are gone, the next of these
  uint32_t far_point;  // the highest of them
  uint32_t seen;       // the round in which it was found to see the point
  bool is_gone;
} hull_face;

typedef struct hull_edge {
  uint32_t from, to;  // corners
  uint32_t across;    // the face that stays
} hull_edge;

typedef struct hull_draft {
  place* places;         // [count]
  uint32_t* next_point;  // of the same face [count]
  uint32_t* face_from;   // the new face whose edge begins at a corner of the horizon [count]
  uint32_t count;
  hull_face* faces;
  size_t face_count, face_room;
  uint32_t* sight;  // the faces that see the point
  size_t sight_count, sight_room;
  hull_edge* horizon;
  size_t horizon_count, horizon_room;
  uint32_t* heap;  // faces that may have points above them
  size_t heap_count, heap_room;
  uint32_t first_gone;
  uint32_t round;
} hull_draft;

// ---- whole numbers ----

static place minus(place a, place b) {
  return (place){a.x - b.x, a.y - b.y, a.z - b.z};
}

static place cross(place a, place b) {
  return (place){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static wide_int dot(place a, place b) {
  return (wide_int)a.x * b.x + (wide_int)a.y * b.y + (wide_int)a.z * b.z;
}

static double length(place a) {
  return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

// the points, and where they lie on the grid
typedef struct gridded {
  const float* points;
  uint32_t count;
  double least[3];  // metres
  double scale;     // a power of two, so that points of few digits stay as they are
} gridded;

// false where all are in one place
static bool put_on_grid(gridded* of, const float* points, uint32_t count) {
  *of = (gridded){.points = points, .count = count};
  double size = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    double low = INFINITY;
    double high = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
      const double at = (double)points[3 * (size_t)i + (size_t)axis];
      if (at < low) low = at;
      if (at > high) high = at;
    }
    of->least[axis] = low;
    if (high - low > size) size = high - low;
  }
  if (!(size > 0.0)) return false;
  int exponent = 0;
  frexp(size, &exponent);
  of->scale = ldexp(1.0, GRID_BITS - exponent);
  return true;
}

static place place_at(const gridded* of, uint32_t i) {
  const float* at = &of->points[3 * (size_t)i];
  int64_t whole[3];
  for (int axis = 0; axis < 3; ++axis) {
    whole[axis] = (int64_t)(((double)at[axis] - of->least[axis]) * of->scale + 0.5);
  }
  return (place){whole[0], whole[1], whole[2]};
}

// ---- the first tetrahedron ----

static uint32_t farthest_from_point(const gridded* of, place from) {
  uint32_t farthest = 0;
  double most = -1.0;
  for (uint32_t i = 0; i < of->count; ++i) {
    const double distance = length(minus(place_at(of, i), from));
    if (distance > most) {
      most = distance;
      farthest = i;
    }
  }
  return farthest;
}

static uint32_t farthest_from_line(const gridded* of, place a, place b) {
  uint32_t farthest = 0;
  double most = -1.0;
  for (uint32_t i = 0; i < of->count; ++i) {
    const double area = length(cross(minus(b, a), minus(place_at(of, i), a)));
    if (area > most) {
      most = area;
      farthest = i;
    }
  }
  return farthest;
}

// above or below; *most is the height times the length of the normal
static uint32_t farthest_from_plane(const gridded* of, place a, place normal, double* most) {
  uint32_t farthest = 0;
  *most = -1.0;
  for (uint32_t i = 0; i < of->count; ++i) {
    const double height = fabs((double)dot(normal, minus(place_at(of, i), a)));
    if (height > *most) {
      *most = height;
      farthest = i;
    }
  }
  return farthest;
}

// flatter than this, a millionth of the size, is no body
#define LEAST_HEIGHT ldexp(1.0, GRID_BITS - 20)

static bool find_corners(const gridded* of, uint32_t corners[4]) {
  corners[0] = farthest_from_point(of, place_at(of, 0));
  const place a = place_at(of, corners[0]);
  corners[1] = farthest_from_point(of, a);
  const place b = place_at(of, corners[1]);
  corners[2] = farthest_from_line(of, a, b);
  const place normal = cross(minus(b, a), minus(place_at(of, corners[2]), a));
  const double base = length(minus(b, a));
  if (!(length(normal) > LEAST_HEIGHT * base)) return false;
  double height = 0.0;
  corners[3] = farthest_from_plane(of, a, normal, &height);
  if (!(height > LEAST_HEIGHT * length(normal))) return false;
  // the first three shall turn left, seen from outside
  if (dot(normal, minus(place_at(of, corners[3]), a)) > 0) {
    const uint32_t corner = corners[1];
    corners[1] = corners[2];
    corners[2] = corner;
  }
  return true;
}

bool weft__points_are_solid(const float* points, uint32_t count) {
  gridded of;
  uint32_t corners[4];
  return count >= 4 && put_on_grid(&of, points, count) && find_corners(&of, corners);
}

// ---- faces ----

static bool push(uint32_t** list, size_t* count, size_t* room, uint32_t value) {
  if (!weft__grow((void**)list, room, *count + 1, sizeof(**list))) return false;
  (*list)[(*count)++] = value;
  return true;
}

static uint32_t new_face(hull_draft* hull, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t number = hull->first_gone;
  if (number != NONE) {
    hull->first_gone = hull->faces[number].first_point;
  } else {
    if (!weft__grow((void**)&hull->faces, &hull->face_room, hull->face_count + 1,
                    sizeof(*hull->faces))) {
      return NONE;
    }
    number = (uint32_t)hull->face_count++;
  }
  const place at = hull->places[a];
  hull->faces[number] = (hull_face){
      .corners = {a, b, c},
      .across = {NONE, NONE, NONE},
      .normal = cross(minus(hull->places[b], at), minus(hull->places[c], at)),
      .first_point = NONE,
      .far_point = NONE,
  };
  return number;
}

static wide_int height_above(const hull_draft* hull, const hull_face* face, uint32_t point) {
  return dot(face->normal, minus(hull->places[point], hull->places[face->corners[0]]));
}

// gives a point to the first of some faces that see it, if one does
static void give_point(hull_draft* hull, const uint32_t* faces, size_t count, uint32_t point) {
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

static bool begin(hull_draft* hull, const gridded* of) {
  uint32_t corners[4];
  if (!find_corners(of, corners)) return false;
  static const uint8_t turns[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const uint8_t across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  uint32_t made[4];
  for (int k = 0; k < 4; ++k) {
    made[k] = new_face(hull, corners[turns[k][0]], corners[turns[k][1]], corners[turns[k][2]]);
    if (made[k] == NONE || !push(&hull->heap, &hull->heap_count, &hull->heap_room, made[k])) {
      return false;
    }
  }
  for (int k = 0; k < 4; ++k) {
    for (int side = 0; side < 3; ++side) hull->faces[made[k]].across[side] = made[across[k][side]];
  }
  for (uint32_t point = 0; point < hull->count; ++point) give_point(hull, made, 4, point);
  return true;
}

// ---- a point more ----

// All faces that see the point, from one that does: they hang together, and the rest begins at the horizon.
static bool look_around(hull_draft* hull, uint32_t first, uint32_t point) {
  hull->sight_count = 0;
  hull->horizon_count = 0;
  hull->round += 1;
  hull->faces[first].seen = hull->round;
  if (!push(&hull->sight, &hull->sight_count, &hull->sight_room, first)) return false;
  for (size_t i = 0; i < hull->sight_count; ++i) {
    const uint32_t number = hull->sight[i];
    for (int side = 0; side < 3; ++side) {
      const uint32_t other = hull->faces[number].across[side];
      if (hull->faces[other].seen == hull->round) continue;
      if (height_above(hull, &hull->faces[other], point) > 0) {
        hull->faces[other].seen = hull->round;
        if (!push(&hull->sight, &hull->sight_count, &hull->sight_room, other)) return false;
        continue;
      }
      if (!weft__grow((void**)&hull->horizon, &hull->horizon_room, hull->horizon_count + 1,
                      sizeof(*hull->horizon))) {
        return false;
      }
      hull->horizon[hull->horizon_count++] = (hull_edge){
          hull->faces[number].corners[side], hull->faces[number].corners[(side + 1) % 3], other};
    }
  }
  return true;
}

// the face beyond the horizon learns which new one is across their edge
static void join(hull_draft* hull, const hull_edge* edge, uint32_t made) {
  hull_face* other = &hull->faces[edge->across];
  for (int side = 0; side < 3; ++side) {
    if (other->corners[side] == edge->to && other->corners[(side + 1) % 3] == edge->from) {
      other->across[side] = made;
    }
  }
  hull->faces[made].across[0] = edge->across;
}

// faces from the horizon to the point; their numbers are the last of the heap
static bool close_up(hull_draft* hull, uint32_t point) {
  const size_t first = hull->heap_count;
  for (size_t i = 0; i < hull->horizon_count; ++i) {
    const hull_edge* edge = &hull->horizon[i];
    const uint32_t made = new_face(hull, edge->from, edge->to, point);
    if (made == NONE || !push(&hull->heap, &hull->heap_count, &hull->heap_room, made)) return false;
    join(hull, edge, made);
    hull->face_from[edge->from] = made;
  }
  for (size_t i = 0; i < hull->horizon_count; ++i) {
    const uint32_t made = hull->heap[first + i];
    const uint32_t next = hull->face_from[hull->horizon[i].to];
    hull->faces[made].across[1] = next;
    hull->faces[next].across[2] = made;
  }
  return true;
}

// the points above faces that go are above the new ones, if any: what sees both sides of a horizon's edge sees the
// face between
static void hand_on(hull_draft* hull, const uint32_t* made, size_t count, uint32_t added) {
  for (size_t i = 0; i < hull->sight_count; ++i) {
    hull_face* gone = &hull->faces[hull->sight[i]];
    uint32_t next = NONE;
    for (uint32_t point = gone->first_point; point != NONE; point = next) {
      next = hull->next_point[point];
      if (point != added) give_point(hull, made, count, point);
    }
    gone->is_gone = true;
    gone->first_point = hull->first_gone;
    hull->first_gone = hull->sight[i];
  }
}

static bool grow(hull_draft* hull, const gridded* of) {
  if (!begin(hull, of)) return false;
  while (hull->heap_count > 0) {
    const uint32_t number = hull->heap[--hull->heap_count];
    const hull_face* face = &hull->faces[number];
    if (face->is_gone || face->first_point == NONE) continue;
    const uint32_t point = face->far_point;
    if (!look_around(hull, number, point)) return false;
    const size_t first = hull->heap_count;
    if (!close_up(hull, point)) return false;
    hand_on(hull, hull->heap + first, hull->heap_count - first, point);
  }
  return true;
}

// ---- all of it ----

static bool prepare(hull_draft* hull, const gridded* of) {
  *hull = (hull_draft){.count = of->count, .first_gone = NONE};
  hull->places = weft__alloc(of->count, sizeof(*hull->places));
  hull->next_point = weft__alloc(of->count, sizeof(*hull->next_point));
  hull->face_from = weft__alloc(of->count, sizeof(*hull->face_from));
  if (hull->places == NULL || hull->next_point == NULL || hull->face_from == NULL) return false;
  for (uint32_t i = 0; i < of->count; ++i) hull->places[i] = place_at(of, i);
  return true;
}

static bool take_faces(const hull_draft* hull, weft__hull_faces* faces) {
  faces->corners = weft__alloc(hull->face_count, 3 * sizeof(*faces->corners));
  if (faces->corners == NULL) return false;
  for (size_t i = 0; i < hull->face_count; ++i) {
    if (hull->faces[i].is_gone) continue;
    for (int k = 0; k < 3; ++k) {
      faces->corners[3 * (size_t)faces->count + (size_t)k] = hull->faces[i].corners[k];
    }
    faces->count += 1;
  }
  return true;
}

bool weft__quickhull(const float* points, uint32_t count, weft__hull_faces* faces) {
  *faces = (weft__hull_faces){0};
  gridded of;
  if (!put_on_grid(&of, points, count)) return false;
  hull_draft hull;
  const bool made = prepare(&hull, &of) && grow(&hull, &of) && take_faces(&hull, faces);
  free(hull.places);
  free(hull.next_point);
  free(hull.face_from);
  free(hull.faces);
  free(hull.sight);
  free(hull.horizon);
  free(hull.heap);
  return made;
}
