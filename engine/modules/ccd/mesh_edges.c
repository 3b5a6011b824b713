/* Edges of the mesh of all faces, as topology: sides of faces are sorted by their ends, and two
 * equal ones in a row are an edge. */
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "modules/ccd/clusters.h"

// ---- edges ----

static const weft__column columns[] = {
    WEFT__COLUMN(weft__face_edges, order, face_count, WEFT__STATE),
    WEFT__COLUMN(weft__face_edges, is_first, face_count, WEFT__STATE),
    WEFT__COLUMN(weft__face_edges, edge_of, face_count, WEFT__STATE),
    WEFT__COLUMN(weft__face_edges, size, face_count, WEFT__STATE),
    WEFT__COLUMN(weft__face_edges, end, edge_count, WEFT__STATE),
    WEFT__COLUMN(weft__face_edges, side, edge_count, WEFT__STATE),
};

const weft__table weft__face_edges_table = WEFT__TABLE(columns);

static uint64_t edge_key(const weft__faces* faces, uint32_t side) {
  const uint32_t* corner = faces->corner[side / 3];
  const uint64_t a = corner[side % 3];
  const uint64_t b = corner[(side % 3 + 1) % 3];
  return a < b ? a << 32 | b : b << 32 | a;
}

// True if a sorted side is the second of an edge; `open` if the edge before it has one side so far.
static bool completes_edge(const weft__sort_item* sides, size_t n, bool open) {
  return n > 0 && open && sides[n].key == sides[n - 1].key;
}

static uint32_t count_edges(const weft__sort_item* sides, size_t count) {
  uint32_t edges = 0;
  bool open = false;
  for (size_t n = 0; n < count; ++n) {
    const bool is_second = completes_edge(sides, n, open);
    if (!is_second) ++edges;
    open = !is_second;
  }
  return edges;
}

// Lists the sides of all faces; a strand has one. Returns their number.
static size_t list_sides(const weft__face_edges* mesh, const weft__faces* faces,
                         weft__sort_item* sides) {
  size_t count = 0;
  for (uint32_t side = 0; side < 3 * mesh->face_count; ++side) {
    if (side / 3 >= mesh->first_strand && side % 3 != 0) continue;
    sides[count++] = (weft__sort_item){edge_key(faces, side), side};
  }
  return count;
}

static void fill_edges(const weft__face_edges* mesh, const weft__sort_item* sides, size_t count) {
  uint32_t edges = 0;
  bool open = false;
  for (size_t n = 0; n < count; ++n) {
    const bool is_second = completes_edge(sides, n, open);
    const uint32_t face = sides[n].value / 3;
    if (is_second) {
      mesh->side[edges - 1][1] = face;
    } else {
      mesh->end[edges][0] = (uint32_t)(sides[n].key >> 32);
      mesh->end[edges][1] = (uint32_t)sides[n].key;
      mesh->side[edges][0] = face;
      mesh->side[edges][1] = WEFT__NONE;
      ++edges;
    }
    mesh->edge_of[face][sides[n].value % 3] = edges - 1;
    if (face >= mesh->first_strand) mesh->edge_of[face][1] = mesh->edge_of[face][2] = edges - 1;
    open = !is_second;
  }
}

// ---- lengths ----

static double length(const weft__particles* p, uint32_t a, uint32_t b) {
  return weft__length(weft__minus(weft__vec3_at(p->pos, a), weft__vec3_at(p->pos, b)));
}

static void measure_faces(const weft__face_edges* mesh, const weft__faces* faces,
                          const weft__particles* p) {
  for (uint32_t f = 0; f < mesh->face_count; ++f) {
    const uint32_t* c = faces->corner[f];
    const double sum = length(p, c[0], c[1]) + length(p, c[1], c[2]) + length(p, c[2], c[0]);
    // two corners of a strand are one
    const double mean = sum / (f < mesh->first_strand ? 3 : 2);
    mesh->size[f] = mean > 1e-9 ? (float)mean : 1e-9f;
  }
}

static bool build(weft__face_edges* mesh, const weft__faces* faces,
                  const weft__particles* particles, const uint32_t* environment_of,
                  weft__sort_item* items, weft__sort_item* scratch, uint32_t* charts) {
  const size_t side_count = list_sides(mesh, faces, items);
  weft__sort(items, scratch, side_count);
  mesh->edge_count = count_edges(items, side_count);
  if (!weft__columns_create(mesh, &weft__face_edges_table, 0, &mesh->block, &mesh->bytes))
    return false;
  fill_edges(mesh, items, side_count);
  measure_faces(mesh, faces, particles);
  weft__ccd_partition(mesh, faces, environment_of, items, charts);
  return true;
}

bool weft__face_edges_create(weft__face_edges* mesh, const weft__faces* faces,
                             const weft__particles* particles, const uint32_t* environment_of) {
  *mesh = (weft__face_edges){.face_count = faces->count,
                             .first_strand = faces->count - faces->strand_count};
  const size_t side_count = (size_t)3 * faces->count;
  weft__sort_item* items = weft__alloc(side_count, sizeof(*items));
  weft__sort_item* scratch = weft__alloc(side_count, sizeof(*scratch));
  uint32_t* charts = weft__alloc((size_t)2 * faces->count, sizeof(*charts));
  const bool is_built = items != NULL && scratch != NULL && charts != NULL &&
                        build(mesh, faces, particles, environment_of, items, scratch, charts);
  weft__free(charts);
  weft__free(items);
  weft__free(scratch);
  return is_built;
}

void weft__face_edges_destroy(weft__face_edges* mesh) {
  weft__free(mesh->block);
  *mesh = (weft__face_edges){0};
}
