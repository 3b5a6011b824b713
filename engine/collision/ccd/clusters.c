#include "collision/ccd/clusters.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static void place(weft__ccd_clusters* b, const weft__face_edges* web, size_t particle_count,
                  weft__arena* arena) {
  const size_t faces = web->face_count;
  const size_t blocks = faces / WEFT__CLUSTER_FACES + 1 + particle_count;
  const size_t quarters = blocks + 3 * (faces / WEFT__CLUSTER_FACES + 1);
  b->face = weft__arena_take(arena, faces, sizeof(*b->face));
  b->edge = weft__arena_take(arena, web->edge_count, sizeof(*b->edge));
  b->vertex_member = weft__arena_take(arena, particle_count, sizeof(*b->vertex_member));
  b->edge_member = weft__arena_take(arena, web->edge_count, sizeof(*b->edge_member));
  b->vertex = weft__arena_take(arena, particle_count, sizeof(*b->vertex));
  b->member =
      weft__arena_take(arena, weft__most_members(faces, particle_count), sizeof(*b->member));
  b->corner = weft__arena_take(arena, faces + WEFT__CLUSTER_FACES, sizeof(*b->corner));
  b->first_edge = weft__arena_take(arena, quarters + 1, sizeof(*b->first_edge));
  b->first_vertex = weft__arena_take(arena, quarters + 1, sizeof(*b->first_vertex));
  b->first_member = weft__arena_take(arena, quarters + 2, sizeof(*b->first_member));
  b->size = weft__arena_take(arena, blocks, sizeof(*b->size));
  b->listed_vertex = weft__arena_take(arena, particle_count, sizeof(*b->listed_vertex));
  b->listed_member = weft__arena_take(arena, particle_count, sizeof(*b->listed_member));
  b->listed_edge = weft__arena_take(arena, web->edge_count, sizeof(*b->listed_edge));
  b->listed_face = weft__arena_take(arena, faces, sizeof(*b->listed_face));
}

bool weft__ccd_clusters_create(weft__ccd_clusters* blocks, const weft__face_edges* web,
                               uint32_t particle_count) {
  *blocks = (weft__ccd_clusters){0};
  weft__arena arena = {0};
  place(blocks, web, particle_count, &arena);
  if (!weft__arena_open(&arena)) return false;
  place(blocks, web, particle_count, &arena);
  blocks->block = arena.block;
  blocks->bytes = arena.used;
  return true;
}

void weft__ccd_clusters_destroy(weft__ccd_clusters* blocks) {
  free(blocks->block);
  *blocks = (weft__ccd_clusters){0};
}

// ---- listing ----

static bool is_ccd(const weft__faces* faces, const weft__materials* materials, uint32_t face) {
  for (int k = 0; k < 3; ++k) {
    if (!weft__material_of(materials, faces->corner[face][k])->ccd) return false;
  }
  return true;
}

// returns its place among all members
static uint32_t add_corner(weft__ccd_clusters* b, uint32_t particle) {
  const uint32_t first = b->first_member[b->quarter_count];
  uint32_t place = b->listed_member[particle];
  if (place == WEFT__NONE || place < first) {
    place = b->first_member[b->quarter_count + 1]++;
    b->listed_member[particle] = place;
    b->member[place] = particle;
  }
  if (b->listed_vertex[particle] == WEFT__NONE) {
    b->listed_vertex[particle] = b->quarter_count;
    b->vertex_member[b->vertex_count] = (uint8_t)(place - first);
    b->vertex[b->vertex_count++] = particle;
  }
  return place;
}

// after its ends
static void add_edge(weft__ccd_clusters* b, const weft__face_edges* web, uint32_t edge) {
  if (b->listed_edge[edge] != WEFT__NONE) return;
  b->listed_edge[edge] = b->quarter_count;
  for (int k = 0; k < 2; ++k) {
    const uint32_t place = b->listed_member[web->end[edge][k]];
    b->edge_member[b->edge_count][k] = (uint8_t)(place - b->first_member[b->quarter_count]);
  }
  b->edge[b->edge_count++] = edge;
}

static void end_quarter(weft__ccd_clusters* b) {
  const uint32_t first = b->first_member[b->quarter_count];
  const uint32_t next = ++b->quarter_count;
  uint32_t* end = &b->first_member[next];
  for (; (*end - first) % 4 != 0; ++*end) b->member[*end] = b->member[*end - 1];
  b->first_edge[next] = b->edge_count;
  b->first_vertex[next] = b->vertex_count;
  b->first_member[next + 1] = *end;
}

static void add_face(weft__ccd_clusters* b, const weft__face_edges* web, const weft__faces* faces,
                     uint32_t face) {
  const uint32_t place = b->face_count++;
  const uint32_t block = place / WEFT__CLUSTER_FACES;
  const uint32_t first_member = b->first_member[block * 4];
  b->face[place] = face;
  b->listed_face[face] = place;
  for (int k = 0; k < 3; ++k) {
    b->corner[place][k] = (uint8_t)(add_corner(b, faces->corner[face][k]) - first_member);
  }
  for (int k = 0; k < 3; ++k) add_edge(b, web, web->edge_of[face][k]);
  const float size = web->size[face];
  if (place % WEFT__CLUSTER_FACES == 0 || size < b->size[block]) b->size[block] = size;
  if (size < b->least_size) b->least_size = size;
}

static void list_faces(weft__ccd_clusters* b, const weft__face_edges* web, const weft__faces* faces,
                       const weft__materials* materials) {
  for (uint32_t n = 0; n < web->face_count; ++n) {
    if (!is_ccd(faces, materials, web->order[n])) continue;
    if (b->face_count > 0 && b->face_count % WEFT__LEAF_FACES == 0) end_quarter(b);
    add_face(b, web, faces, web->order[n]);
  }
  if (b->face_count > 0) end_quarter(b);
  while (b->quarter_count % 4 != 0) end_quarter(b);
  b->face_block_count = b->block_count = b->quarter_count / 4;
  for (uint32_t n = b->face_count; n > 0 && n < 4 * WEFT__LEAF_FACES * b->block_count; ++n) {
    memcpy(b->corner[n], b->corner[n - 1], sizeof(b->corner[n]));
  }
}

void weft__ccd_clusters_list(weft__ccd_clusters* b, const weft__face_edges* web,
                             const weft__faces* faces, const weft__materials* materials,
                             uint32_t particle_count) {
  b->quarter_count = b->face_count = b->edge_count = b->vertex_count = 0;
  b->first_edge[0] = b->first_vertex[0] = b->first_member[0] = b->first_member[1] = 0;
  b->least_size = FLT_MAX;
  for (uint32_t i = 0; i < particle_count; ++i)
    b->listed_vertex[i] = b->listed_member[i] = WEFT__NONE;
  for (uint32_t e = 0; e < web->edge_count; ++e) b->listed_edge[e] = WEFT__NONE;
  for (uint32_t f = 0; f < web->face_count; ++f) b->listed_face[f] = WEFT__NONE;
  list_faces(b, web, faces, materials);
  // what else meets faces
  for (uint32_t i = 0; i < particle_count && b->face_count > 0; ++i) {
    if (materials->of[i] == 0 || b->listed_vertex[i] != WEFT__NONE) continue;
    b->size[b->block_count++] = b->least_size;
    (void)add_corner(b, i);
    end_quarter(b);
  }
}
