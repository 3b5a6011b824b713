#include "exact/blocks.h"

#include <float.h>
#include <stdlib.h>

#include "base/arena.h"

static void place(weft__exact_blocks* b, const weft__face_web* web, size_t particle_count,
                  weft__arena* arena) {
  const size_t faces = web->face_count;
  const size_t blocks = faces / WEFT__BLOCK_FACES + 1 + particle_count;
  b->face = weft__arena_take(arena, faces, sizeof(*b->face));
  b->edge = weft__arena_take(arena, web->edge_count, sizeof(*b->edge));
  b->vertex = weft__arena_take(arena, particle_count, sizeof(*b->vertex));
  b->member = weft__arena_take(arena, 3 * faces + particle_count, sizeof(*b->member));
  b->first_edge = weft__arena_take(arena, blocks + 1, sizeof(*b->first_edge));
  b->first_vertex = weft__arena_take(arena, blocks + 1, sizeof(*b->first_vertex));
  b->first_member = weft__arena_take(arena, blocks + 2, sizeof(*b->first_member));
  b->size = weft__arena_take(arena, blocks, sizeof(*b->size));
  b->listed_vertex = weft__arena_take(arena, particle_count, sizeof(*b->listed_vertex));
  b->listed_member = weft__arena_take(arena, particle_count, sizeof(*b->listed_member));
  b->listed_edge = weft__arena_take(arena, web->edge_count, sizeof(*b->listed_edge));
}

bool weft__exact_blocks_create(weft__exact_blocks* blocks, const weft__face_web* web,
                               uint32_t particle_count) {
  *blocks = (weft__exact_blocks){0};
  weft__arena arena = {0};
  place(blocks, web, particle_count, &arena);
  if (!weft__arena_open(&arena)) return false;
  place(blocks, web, particle_count, &arena);
  blocks->block = arena.block;
  blocks->bytes = arena.used;
  return true;
}

void weft__exact_blocks_destroy(weft__exact_blocks* blocks) {
  free(blocks->block);
  *blocks = (weft__exact_blocks){0};
}

// ---- listing ----

static bool is_exact(const weft__faces* faces, const weft__materials* materials, uint32_t face) {
  for (int k = 0; k < 3; ++k) {
    if (!weft__material_of(materials, faces->corner[face][k])->exact) return false;
  }
  return true;
}

static void add_corner(weft__exact_blocks* b, uint32_t particle) {
  if (b->listed_vertex[particle] == WEFT__NONE) {
    b->listed_vertex[particle] = b->block_count;
    b->vertex[b->vertex_count++] = particle;
  }
  if (b->listed_member[particle] == b->block_count) return;
  b->listed_member[particle] = b->block_count;
  b->member[b->first_member[b->block_count + 1]++] = particle;
}

static void add_edge(weft__exact_blocks* b, uint32_t edge) {
  if (b->listed_edge[edge] != WEFT__NONE) return;
  b->listed_edge[edge] = b->block_count;
  b->edge[b->edge_count++] = edge;
}

static void end_block(weft__exact_blocks* b) {
  const uint32_t next = ++b->block_count;
  b->first_edge[next] = b->edge_count;
  b->first_vertex[next] = b->vertex_count;
  b->first_member[next + 1] = b->first_member[next];
}

static void list_faces(weft__exact_blocks* b, const weft__face_web* web, const weft__faces* faces,
                       const weft__materials* materials) {
  for (uint32_t n = 0; n < web->face_count; ++n) {
    const uint32_t face = web->order[n];
    if (!is_exact(faces, materials, face)) continue;
    if (b->face_count % WEFT__BLOCK_FACES == 0) {
      if (b->face_count > 0) end_block(b);
      b->size[b->block_count] = FLT_MAX;
    }
    b->face[b->face_count++] = face;
    for (int k = 0; k < 3; ++k) add_corner(b, faces->corner[face][k]);
    for (int k = 0; k < 3; ++k) add_edge(b, web->edge_of[face][k]);
    if (web->size[face] < b->size[b->block_count]) b->size[b->block_count] = web->size[face];
    if (web->size[face] < b->least_size) b->least_size = web->size[face];
  }
  if (b->face_count > 0) end_block(b);
  b->face_block_count = b->block_count;
}

void weft__exact_blocks_list(weft__exact_blocks* b, const weft__face_web* web,
                             const weft__faces* faces, const weft__materials* materials,
                             uint32_t particle_count) {
  b->block_count = b->face_count = b->edge_count = b->vertex_count = 0;
  b->first_edge[0] = b->first_vertex[0] = b->first_member[0] = b->first_member[1] = 0;
  b->least_size = FLT_MAX;
  for (uint32_t i = 0; i < particle_count; ++i)
    b->listed_vertex[i] = b->listed_member[i] = WEFT__NONE;
  for (uint32_t e = 0; e < web->edge_count; ++e) b->listed_edge[e] = WEFT__NONE;
  list_faces(b, web, faces, materials);
  // what else meets faces
  for (uint32_t i = 0; i < particle_count && b->face_count > 0; ++i) {
    if (materials->of[i] == 0 || b->listed_vertex[i] != WEFT__NONE) continue;
    b->size[b->block_count] = b->least_size;
    add_corner(b, i);
    end_block(b);
  }
}
