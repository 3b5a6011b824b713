#include "modules/bending/plates.h"

#include "modules/bending/renewal.h"

enum { FACTORS = WEFT__MESH_BEND_FACTORS, LISTS = WEFT__GROUP(2) };

static const weft__column columns[] = {
    WEFT__MEMBER(weft__mesh_bends, rate_squared),
    WEFT__MEMBER(weft__mesh_bends, renewed),
    WEFT__MEMBER(weft__mesh_bends, renewals),
    WEFT__MEMBER(weft__mesh_bends, steps),
    WEFT__COLUMN(weft__mesh_bends, edges, edge_group_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, creases, crease_group_count, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__mesh_bends, rest_jump, WEFT__LANES, crease_group_count, 0,
                       WEFT__STATE),
    WEFT__VECTOR_TIMES(weft__mesh_bends, jump, WEFT__LANES, edge_group_count, 0, WEFT__SCRATCH),
    WEFT__COLUMN(weft__mesh_bends, hinges, hinge_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, mesh_of_hinge, hinge_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, removed, hinge_count, WEFT__STATE),
    WEFT__COLUMN_TIMES(weft__mesh_bends, plates_of, 2, hinge_count, 0, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, triangles, leaf_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, plates, plate_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, nodes, node_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, order, node_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, meshes, mesh_count, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__mesh_bends, level_first, 1, level_count, 1, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, pivot_unknown, unknown_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, row_unknown, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, row_of_parent, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, particle, vertex_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, local_of, unknown_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__mesh_bends, inv_mass, vertex_count, WEFT__STATE),
    WEFT__VECTOR(weft__mesh_bends, local, local_count, FACTORS | WEFT__SCRATCH),
    WEFT__COLUMN(weft__mesh_bends, forward, forward_count, FACTORS | WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, backward, backward_count, FACTORS | WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__mesh_bends, front, 2, front_count, 0, FACTORS | WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__mesh_bends, first_of, 1, particle_count, 1, LISTS | WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__mesh_bends, hinges_of, 4, hinge_count, 0, LISTS | WEFT__DERIVED),
};

const weft__table weft__mesh_bends_table = {.columns = columns,
                                            .count = WEFT__COUNT_OF(columns),
                                            .is_sound = weft__mesh_bends_is_sound,
                                            .loaded = weft__mesh_bends_loaded};

static bool has(const weft__hinge* hinge, uint32_t particle) {
  bool found = false;
  for (int k = 0; k < 4; ++k) found |= hinge->particle[k] == particle;
  return found;
}

bool weft__mesh_bends_list_hinges(weft__mesh_bends* bends) {
  if (!weft__columns_add(bends, &weft__mesh_bends_table, LISTS, &bends->bytes)) return false;
  uint32_t* first = bends->first_of;
  const uint64_t count = 4 * (uint64_t)bends->hinge_count;
  for (uint64_t k = 0; k < count; ++k) {
    ++first[bends->hinges[k / 4].particle[k % 4]];
  }
  for (uint32_t i = 0; i < bends->particle_count; ++i) first[i + 1] += first[i];
  for (uint64_t k = count; k-- > 0;) {
    bends->hinges_of[--first[bends->hinges[k / 4].particle[k % 4]]] = (uint32_t)(k / 4);
  }
  return true;
}

void weft__mesh_bends_tear(weft__mesh_bends* bends, uint32_t a, uint32_t b) {
  if (bends->hinge_count == 0) return;
  for (uint32_t n = bends->first_of[a]; n < bends->first_of[a + 1]; ++n) {
    const uint32_t h = bends->hinges_of[n];
    if (has(&bends->hinges[h], b)) weft__mesh_bends_remove(bends, h);
  }
}

void weft__mesh_bends_release(weft__mesh_bends* bends, weft__is_released* lets_go,
                              const void* context) {
  for (uint32_t h = 0; h < bends->hinge_count; ++h) {
    bool is_released = false;
    for (int k = 0; k < 4; ++k) {
      is_released |= lets_go(context, bends->hinges[h].particle[k]);
    }
    if (is_released) weft__mesh_bends_remove(bends, h);
  }
}
