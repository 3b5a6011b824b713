/* Vertices, edges and faces of a cluster on their paths of a CCD pass, and pairs of them, for
 * kernels. */
#ifndef WEFT_MODULES_CCD_FEATURE_PAIRS_H
#define WEFT_MODULES_CCD_FEATURE_PAIRS_H

#include <stdint.h>

/* 16 faces that share none. */
#define WEFT__CLUSTER_FEATURES 48u
/* And a whole vector after the last. */
#define WEFT__FEATURE_ROOM (WEFT__CLUSTER_FEATURES + 16u)

typedef struct weft__feature_list {
  uint32_t count;
  /* twice the member, by corner or end: wide.h; padded with the last to whole vectors */
  const uint16_t* point[3];
  float lower[3][WEFT__FEATURE_ROOM]; /* metres: AABBs swept by the paths */
  float upper[3][WEFT__FEATURE_ROOM];
} weft__feature_list;

typedef struct weft__cluster_features {
  uint32_t member_count;
  const uint32_t* member;   /* each once but for padding [member_count] */
  const uint64_t* edges_at; /* bit masks of edges and faces that end there [member_count] */
  const uint64_t* faces_at;
  const float* from[3]; /* metres: when the pass began, and now */
  const float* to[3];
  weft__feature_list vertices, edges, faces;
  /* set by bound_features() */
  float start[4 * WEFT__FEATURE_ROOM]; /* metres from the particle: records of four [member] */
  float now[4 * WEFT__FEATURE_ROOM];
  float lower[3], upper[3];
} weft__cluster_features;

typedef enum weft__feature_pair_kind {
  WEFT__PAIR_VERTEX_FACE = 0, /* vertex of the first cluster, face of the second */
  WEFT__PAIR_FACE_VERTEX = 1, /* vertex of the second, face of the first */
  WEFT__PAIR_EDGE_EDGE = 2,
} weft__feature_pair_kind;

/* Indices in the lists of their clusters; a vertex before its face. */
typedef struct weft__feature_pair {
  float distance; /* metres: lower bound on the path; -infinity if unknown */
  uint8_t kind;   /* weft__feature_pair_kind */
  uint8_t a, b;
} weft__feature_pair;

#define WEFT__CLUSTER_MAX_PAIRS (2u * 48u * 16u + 48u * 48u)

typedef struct weft__feature_search {
  const weft__cluster_features* cluster[2];
  float vertex_reach;     /* metres, vertices and faces */
  float edge_reach;       /* metres, edges */
  uint32_t overlap_count; /* result: overlapping AABBs */
  uint32_t count;         /* result */
  weft__feature_pair pair[WEFT__CLUSTER_MAX_PAIRS];
} weft__feature_search;

#endif
