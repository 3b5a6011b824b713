/* Closed bodies: each edge has exactly two faces, which traverse it in opposite directions. Faces
 * are outward if the volume, by the divergence theorem, is positive. */
#include <string.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/vec3.h"
#include "scene/faces.h"

#define MAX_PRESSURE 1e12f

typedef struct shell {
  uint32_t count;
  uint32_t (*corner)[3];    /* [count] */
  weft__sort_item* edges;   /* key: the two ends, value: 2 * face + direction [3 x count] */
  weft__sort_item* scratch; /* [3 x count] */
} shell;

static void list_edges(const shell* s) {
  for (size_t i = 0; i < (size_t)3 * s->count; ++i) {
    const uint32_t* corner = s->corner[i / 3];
    const uint32_t from = corner[i % 3];
    const uint32_t to = corner[(i + 1) % 3];
    const uint64_t low = from < to ? from : to;
    const uint64_t high = from < to ? to : from;
    s->edges[i] = (weft__sort_item){low << 32 | high, (uint32_t)(2 * (i / 3)) + (from < to)};
  }
}

// Sorted edges [begin, end) are one edge of two faces, in opposite directions.
static bool is_closed_edge(const weft__sort_item* edges, size_t begin, size_t end) {
  return end - begin == 2 && edges[begin].value % 2 != edges[begin + 1].value % 2;
}

static weft_result check_closed(const shell* s) {
  const size_t count = (size_t)3 * s->count;
  list_edges(s);
  weft__sort(s->edges, s->scratch, count);
  uint32_t bad = UINT32_MAX;
  for (size_t begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin; end < count && s->edges[end].key == s->edges[begin].key;) ++end;
    if (is_closed_edge(s->edges, begin, end)) continue;
    const uint32_t face = s->edges[begin].value / 2;
    if (face < bad) bad = face;
  }
  return bad == UINT32_MAX ? weft__ok() : weft__fail_at(WEFT_ERROR_DEGENERATE, "body", bad);
}

static double volume_of(const weft_scene* scene, const shell* s) {
  const float* origin = scene->positions + (size_t)3 * s->corner[0][0];
  double six_volumes = 0.0;
  for (uint32_t f = 0; f < s->count; ++f) {
    double corner[3][3];
    for (int k = 0; k < 3; ++k) {
      const float* position = scene->positions + (size_t)3 * s->corner[f][k];
      for (int axis = 0; axis < 3; ++axis) {
        corner[k][axis] = (double)position[axis] - (double)origin[axis];
      }
    }
    six_volumes += weft__triple(corner[0], corner[1], corner[2]);
  }
  return six_volumes / 6.0;
}

// Parts [first, end), if closed and oriented outward.
static weft_result measure_shell(const weft_scene* scene, size_t first, size_t end,
                                 double* volume) {
  const uint32_t count = weft__scene_face_count(scene, first, end);
  WEFT__FAIL_IF(count == 0, WEFT_ERROR_EMPTY, "body");
  const shell s = {.count = count,
                   .corner = weft__alloc(count, sizeof(*s.corner)),
                   .edges = weft__alloc((size_t)3 * count, sizeof(*s.edges)),
                   .scratch = weft__alloc((size_t)3 * count, sizeof(*s.scratch))};
  weft_result result = weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "scene");
  if (s.corner != NULL && s.edges != NULL && s.scratch != NULL) {
    weft__scene_list_faces(scene, first, end, s.corner);
    result = check_closed(&s);
  }
  if (result.error == WEFT_OK) {
    *volume = volume_of(scene, &s);
    if (!(*volume > 0.0)) result = weft__fail(WEFT_ERROR_DEGENERATE, "body");
  }
  weft__free(s.corner);
  weft__free(s.edges);
  weft__free(s.scratch);
  return result;
}

// First pressure that does not end before the part.
static size_t find_pressure(const weft_scene* scene, size_t first_part) {
  size_t begin = 0;
  for (size_t end = scene->pressure_count; begin < end;) {
    const size_t middle = begin + (end - begin) / 2;
    if (scene->pressures[middle].end_part <= first_part) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

static void remove_pressure(weft_scene* scene, size_t at) {
  weft__pressure_body* closed = &scene->pressures[at];
  memmove(closed, closed + 1, (--scene->pressure_count - at) * sizeof(*closed));
}

static void insert_pressure(weft_scene* scene, size_t at, weft__pressure_body added) {
  weft__pressure_body* closed = &scene->pressures[at];
  memmove(closed + 1, closed, (scene->pressure_count++ - at) * sizeof(*closed));
  *closed = added;
}

static weft_result set_pressure(weft_scene* scene, const weft_body* body, float pressure) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(body == NULL, WEFT_ERROR_NULL, "body");
  WEFT__TRY(weft__check_range(pressure, 0.0f, MAX_PRESSURE, "pressure"));
  weft__pressure_body added = {.pressure = pressure};
  WEFT__TRY(weft__scene_find_parts(scene, body, &added.first_part, &added.end_part));
  WEFT__TRY(measure_shell(scene, added.first_part, added.end_part, &added.volume));

  const size_t at = find_pressure(scene, added.first_part);
  const weft__pressure_body* existing = at < scene->pressure_count ? &scene->pressures[at] : NULL;
  const bool is_filled = existing != NULL && existing->first_part < added.end_part;
  const bool is_same =
      is_filled && existing->first_part == added.first_part && existing->end_part == added.end_part;
  WEFT__FAIL_IF(is_filled && !is_same, WEFT_ERROR_DUPLICATE, "body");
  WEFT__FAIL_IF(!weft__grow((void**)&scene->pressures, &scene->pressure_capacity,
                            scene->pressure_count + 1, sizeof(*scene->pressures)),
                WEFT_ERROR_OUT_OF_MEMORY, "scene");
  if (is_same) remove_pressure(scene, at);
  if (pressure > 0.0f) insert_pressure(scene, at, added);
  return weft__ok();
}

weft_result weft_scene_set_pressure(weft_scene* scene, const weft_body* body, float pressure) {
  WEFT__RETURN_COMPUTED(set_pressure, scene, body, pressure);
}
