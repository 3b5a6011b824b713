/* A mesh prepared for CCD: edges, clusters, positions of their members, flatness. */
#ifndef TESTS_SUPPORT_LAID_H
#define TESTS_SUPPORT_LAID_H

#include "modules/ccd/clusters.h"
#include "modules/ccd/flatness.h"
#include "modules/ccd/positions.h"
#include "support/shapes.h"

/* Kind of a particle: no cloth, CCD, or cloth without CCD. */
enum { LAID_NONE = 0, LAID_EXACT = 1, LAID_OTHER = 2, LAID_KINDS = 3 };

typedef struct laid {
  weft__particles particles;
  weft__faces faces;
  weft__materials materials;
  weft__material rows[LAID_KINDS];
  weft__face_edges web;
  weft__ccd_clusters clusters;
  weft__ccd_positions places;
  weft__flatness flats;
} laid;

/* Kinds by vertices; NULL = CCD for all. */
laid* new_laid(const mesh_shape* shape, const uint32_t* kinds);

/* Gathers the positions of the clusters' members into columns. */
void set_laid(const laid* l, float* const* at, float (*positions)[3]);

/* Corners of a face, by its index in clusters.face. */
static inline const uint32_t* corners_of(const laid* l, uint32_t f) {
  return l->faces.corner[l->clusters.face[f]];
}

/* Coordinate of a particle in the plane of a cluster, metres. */
static inline double in_plane(const laid* l, uint32_t block, uint32_t particle, int k) {
  const int across = l->flats.axis[block];
  return (double)l->faces.place[(across + 1 + k) % 3][particle];
}

/* Face n of a cluster, as its index in clusters.face; past the end the last face
 * repeats. */
static inline uint32_t face_of(const laid* l, uint32_t part, uint32_t n) {
  const weft__range faces = weft__cluster_faces(&l->clusters, part);
  const uint32_t f = faces.begin + n;
  return f < faces.end ? f : faces.end - 1;
}

typedef void region_check(const laid* l, uint32_t part, weft__flat_region* region, void* data);

/* Calls `check` for every region; returns their number. */
uint32_t each_region(const laid* l, region_check* check, void* data);

#endif
