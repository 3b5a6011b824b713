#include "collision/ccd/leaf_bounds.h"

// the members of a quarter, at the start of a substep or now
typedef struct spot {
  const float* at[3];
  int side; /* of boxes that it makes: the first one */
} spot;

static weft__four gather(const float* at, const uint8_t which[4]) {
  return (weft__four){at[which[0]], at[which[1]], at[which[2]], at[which[3]]};
}

// around `count` points of each of the four
static void box(const spot* s, const uint8_t (*which)[4], int count, weft__moving_fours* boxes) {
  for (int axis = 0; axis < 3; ++axis) {
    weft__four least = gather(s->at[axis], which[0]);
    weft__four most = least;
    for (int k = 1; k < count; ++k) {
      const weft__four here = gather(s->at[axis], which[k]);
      least = weft__four_min(here, least);
      most = weft__four_max(here, most);
    }
    boxes->side[s->side + axis] = least;
    boxes->side[s->side + 3 + axis] = most;
  }
}

// what is missing of the four is the last one, again
static uint32_t among(uint32_t n, uint32_t count) {
  return n < count ? n : count - 1;
}

static void box_faces(const weft__ccd_clusters* blocks, const spot* s, uint32_t shift,
                      weft__leaf_bounds* boxes) {
  uint8_t which[3][4];
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const uint8_t* corner = blocks->corner[boxes->first_face + among(lane, boxes->face_count)];
    for (int k = 0; k < 3; ++k) which[k][lane] = (uint8_t)(corner[k] - shift);
  }
  box(s, (const uint8_t(*)[4])which, 3, &boxes->faces);
}

static void box_edges(const weft__ccd_clusters* blocks, const spot* s, uint32_t n,
                      weft__leaf_bounds* boxes) {
  uint8_t which[2][4];
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const uint32_t e = boxes->first_edge + among(4 * n + lane, boxes->edge_count);
    for (int k = 0; k < 2; ++k) which[k][lane] = blocks->edge_member[e][k];
  }
  box(s, (const uint8_t(*)[4])which, 2, &boxes->edges[n]);
}

static void box_vertices(const weft__ccd_clusters* blocks, const spot* s, uint32_t n,
                         weft__leaf_bounds* boxes) {
  uint8_t which[1][4];
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const uint32_t v = boxes->first_vertex + among(4 * n + lane, boxes->vertex_count);
    which[0][lane] = blocks->vertex_member[v];
  }
  box(s, (const uint8_t(*)[4])which, 1, &boxes->vertices[n]);
}

static void list(weft__leaf_bounds* boxes, const weft__ccd_clusters* blocks, uint32_t quarter) {
  const weft__range faces = weft__leaf_faces(blocks, quarter);
  const weft__range edges = weft__leaf_range(blocks->first_edge, quarter);
  const weft__range vertices = weft__leaf_range(blocks->first_vertex, quarter);
  boxes->first_face = faces.begin;
  boxes->face_count = faces.end - faces.begin;
  boxes->first_edge = edges.begin;
  boxes->edge_count = edges.end - edges.begin;
  boxes->first_vertex = vertices.begin;
  boxes->vertex_count = vertices.end - vertices.begin;
}

void weft__leaf_bounds_make(weft__leaf_bounds* boxes, const weft__ccd_clusters* blocks,
                            const weft__ccd_positions* places, uint32_t quarter) {
  const uint32_t member = blocks->first_member[quarter];
  list(boxes, blocks, quarter);
  for (int side = 0; side < WEFT__AABB_SIDES; side += WEFT__AABB_SIDES / 2) {
    float* const* at = side == 0 ? places->start : places->now;
    const spot s = {{at[0] + member, at[1] + member, at[2] + member}, side};
    // corners are counted from the first member of the block
    const uint32_t shift = member - blocks->first_member[quarter & ~3u];
    if (boxes->face_count > 0) box_faces(blocks, &s, shift, boxes);
    for (uint32_t n = 0; 4 * n < boxes->edge_count; ++n) box_edges(blocks, &s, n, boxes);
    for (uint32_t n = 0; 4 * n < boxes->vertex_count; ++n) box_vertices(blocks, &s, n, boxes);
  }
}
