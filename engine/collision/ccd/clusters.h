/* What lets nothing pass, in blocks: up to 16 faces that lie side by side, in quarters of four, the edges and the
 * corners that no quarter before them has, and, after these, each other particle that meets them as a block of its
 * own, of one quarter.
 *
 * A block is what the broad phase looks at, and what moves are counted by: see collision/ccd/ccd.h. Faces are in the
 * order of a tree that parts them where they were when there was first something exact, as neighbours in the cloth
 * stay neighbours: see collision/ccd/partition.c. */
#ifndef WEFT_COLLISION_CCD_CLUSTERS_H
#define WEFT_COLLISION_CCD_CLUSTERS_H

#include "base/sort.h"
#include "collision/stage.h"

#define WEFT__CLUSTER_FACES 16u
#define WEFT__LEAF_FACES 4u
/* of the mean edge of a block: how near things come, and how far they may go before pairs are looked for anew */
#define WEFT__CCD_GAP 0.01f
#define WEFT__CCD_LEAST_SKIN 0.1f
#define WEFT__CCD_MOST_SKIN 0.3f

/* What all faces of the world have, be they exact or not; made once. */
typedef struct weft__face_edges {
  uint32_t face_count, edge_count;
  uint32_t* order;        /* faces, so that those of a block lie side by side [face_count] */
  uint32_t (*edge_of)[3]; /* [face_count] */
  float* size;            /* metres: the mean edge of a face [face_count] */
  float* place[3];        /* metres: where particles were when this was made [particle_count] */
  uint32_t (*end)[2];     /* particles [edge_count] */
  uint32_t (*side)
      [2]; /* the faces of an edge, the second may be WEFT__NONE; where there are more, an edge
                             stands here more than once [edge_count] */
  void* block;
  size_t bytes;
} weft__face_edges;

/* False when memory cannot be had. */
bool weft__face_edges_create(weft__face_edges* web, const weft__faces* faces,
                             const weft__particles* particles);
void weft__face_edges_destroy(weft__face_edges* web);

/* Fills in the order of a web; `items` is scratch [face_count]. */
void weft__ccd_partition(const weft__face_edges* web, const weft__faces* faces, weft__keyed* items);

/* Has room for all faces and particles; what is listed may be less. */
typedef struct weft__ccd_clusters {
  uint32_t face_block_count, block_count, quarter_count;
  uint32_t face_count, edge_count, vertex_count;
  float least_size; /* metres, of a block */
  uint32_t* face;   /* numbers in the table; block b has [16 b, 16 b + 16) [face_count] */
  uint32_t* edge;   /* numbers in the web [edge_count] */
  uint32_t* vertex; /* particles that meet faces, each once [vertex_count] */
  uint32_t*
      member; /* particles of a quarter: corners and vertices, the last one repeated up to a multiple of
                           four [first_member[quarter_count]] */
  uint8_t (*corner)
      [3]; /* of a face: which of its block's members; up to a whole block filled up with the last one
                           [face_count + 15] */
  uint8_t* vertex_member;    /* which of its quarter's members it is [vertex_count] */
  uint8_t (*edge_member)[2]; /* which its ends are [edge_count] */
  uint32_t* first_edge;      /* by quarters [quarter_count + 1] */
  uint32_t* first_vertex;    /* [quarter_count + 1] */
  uint32_t* first_member;    /* [quarter_count + 1] */
  float* size;               /* metres: the least mean edge of its faces [block_count] */
  /* who was listed last, by particles, by edges of the web, and by faces of the table: as what number in `face` */
  uint32_t *listed_vertex, *listed_edge, *listed_member, *listed_face;
  void* block;
  size_t bytes;
} weft__ccd_clusters;

/* False when memory cannot be had. */
bool weft__ccd_clusters_create(weft__ccd_clusters* blocks, const weft__face_edges* web,
                               uint32_t particle_count);
void weft__ccd_clusters_destroy(weft__ccd_clusters* blocks);

/* Lists what is exact, and who meets it. */
void weft__ccd_clusters_list(weft__ccd_clusters* blocks, const weft__face_edges* web,
                             const weft__faces* faces, const weft__materials* materials,
                             uint32_t particle_count);

/* The most that a quarter has of each: of four faces that share nothing. */
#define WEFT__LEAF_MEMBERS 12u

/* How long the list of members can get. */
static inline size_t weft__most_members(size_t faces, size_t particle_count) {
  return 3 * faces + 3 * (faces / WEFT__LEAF_FACES + 1) + 4 * particle_count;
}

static inline weft__range weft__cluster_faces(const weft__ccd_clusters* blocks, uint32_t b) {
  const uint32_t end = (b + 1) * WEFT__CLUSTER_FACES;
  if (b >= blocks->face_block_count) return (weft__range){0, 0};
  return (weft__range){b * WEFT__CLUSTER_FACES,
                       end < blocks->face_count ? end : blocks->face_count};
}

static inline weft__range weft__leaf_faces(const weft__ccd_clusters* blocks, uint32_t quarter) {
  const uint32_t first = quarter * WEFT__LEAF_FACES;
  const uint32_t end = first + WEFT__LEAF_FACES;
  if (first >= blocks->face_count) return (weft__range){0, 0};
  return (weft__range){first, end < blocks->face_count ? end : blocks->face_count};
}

/* Blocks of faces have four, the others one. */
static inline weft__range weft__cluster_leaves(const weft__ccd_clusters* blocks, uint32_t b) {
  if (b < blocks->face_block_count) return (weft__range){4 * b, 4 * b + 4};
  return (weft__range){3 * blocks->face_block_count + b, 3 * blocks->face_block_count + b + 1};
}

static inline uint32_t weft__cluster_of_leaf(const weft__ccd_clusters* blocks, uint32_t quarter) {
  if (quarter < 4 * blocks->face_block_count) return quarter / 4;
  return quarter - 3 * blocks->face_block_count;
}

static inline weft__range weft__leaf_range(const uint32_t* first, uint32_t quarter) {
  return (weft__range){first[quarter], first[quarter + 1]};
}

/* Of the members, edges or vertices of a block: `first` of the three. */
static inline weft__range weft__cluster_range(const weft__ccd_clusters* blocks,
                                              const uint32_t* first, uint32_t b) {
  const weft__range quarters = weft__cluster_leaves(blocks, b);
  return (weft__range){first[quarters.begin], first[quarters.end]};
}

static inline weft__range weft__cluster_members(const weft__ccd_clusters* blocks, uint32_t b) {
  return weft__cluster_range(blocks, blocks->first_member, b);
}

#endif
