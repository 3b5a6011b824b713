/* What lets nothing pass, in blocks: up to 16 faces that lie side by side, the edges and the corners that no block
 * before them has, and, after these, each other particle that meets them as a block of its own.
 *
 * A block is what the broad phase looks at, and what moves are counted by: see exact/exact.h. Faces are in the
 * order of a Morton curve through the places at which they were when there was first something exact, as neighbours
 * in the cloth stay neighbours. (Morton 1966, "A computer oriented geodetic data base") */
#ifndef WEFT_EXACT_BLOCKS_H
#define WEFT_EXACT_BLOCKS_H

#include "contact/stage.h"

#define WEFT__BLOCK_FACES 16u
/* of the mean edge of a block: how near things come, and how far they may go before pairs are looked for anew */
#define WEFT__EXACT_GAP 0.01f
#define WEFT__EXACT_LEAST_SKIN 0.05f
#define WEFT__EXACT_MOST_SKIN 0.3f

/* What all faces of the world have, be they exact or not; made once. */
typedef struct weft__face_web {
  uint32_t face_count, edge_count;
  uint32_t* order;        /* faces along the curve [face_count] */
  uint32_t (*edge_of)[3]; /* [face_count] */
  float* size;            /* metres: the mean edge of a face [face_count] */
  uint32_t (*end)[2];     /* particles [edge_count] */
  uint32_t (*side)
      [2]; /* the faces of an edge, the second may be WEFT__NONE; where there are more, an edge
                             stands here more than once [edge_count] */
  void* block;
  size_t bytes;
} weft__face_web;

/* False when memory cannot be had. */
bool weft__face_web_create(weft__face_web* web, const weft__faces* faces,
                           const weft__particles* particles);
void weft__face_web_destroy(weft__face_web* web);

/* Has room for all faces and particles; what is listed may be less. */
typedef struct weft__exact_blocks {
  uint32_t face_block_count, block_count;
  uint32_t face_count, edge_count, vertex_count;
  float least_size;     /* metres, of a block */
  uint32_t* face;       /* numbers in the table; block b has [16 b, 16 b + 16) [face_count] */
  uint32_t* edge;       /* numbers in the web [edge_count] */
  uint32_t* vertex;     /* particles that meet faces, each once [vertex_count] */
  uint32_t* member;     /* particles of a block: corners and vertices [first_member[block_count]] */
  uint32_t* first_edge; /* [block_count + 1] */
  uint32_t* first_vertex; /* [block_count + 1] */
  uint32_t* first_member; /* [block_count + 1] */
  float* size;            /* metres: the least mean edge of its faces [block_count] */
  /* who was listed last, by particles and by edges of the web */
  uint32_t *listed_vertex, *listed_edge, *listed_member;
  void* block;
  size_t bytes;
} weft__exact_blocks;

/* False when memory cannot be had. */
bool weft__exact_blocks_create(weft__exact_blocks* blocks, const weft__face_web* web,
                               uint32_t particle_count);
void weft__exact_blocks_destroy(weft__exact_blocks* blocks);

/* Lists what is exact, and who meets it. */
void weft__exact_blocks_list(weft__exact_blocks* blocks, const weft__face_web* web,
                             const weft__faces* faces, const weft__materials* materials,
                             uint32_t particle_count);

static inline weft__range weft__block_faces(const weft__exact_blocks* blocks, uint32_t b) {
  const uint32_t end = (b + 1) * WEFT__BLOCK_FACES;
  if (b >= blocks->face_block_count) return (weft__range){0, 0};
  return (weft__range){b * WEFT__BLOCK_FACES, end < blocks->face_count ? end : blocks->face_count};
}

static inline weft__range weft__block_range(const uint32_t* first, uint32_t b) {
  return (weft__range){first[b], first[b + 1]};
}

#endif
