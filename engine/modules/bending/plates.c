#include "modules/bending/plates.h"

enum { FACTORS = WEFT__MESH_BEND_FACTORS, LISTS = WEFT__GROUP(2) };

static const weft__column columns[] = {
    WEFT__COLUMN(weft__mesh_bends, edges, edge_group_count, WEFT__DERIVED),
    WEFT__VECTOR_TIMES(weft__mesh_bends, jump, WEFT__LANES, edge_group_count, 0, WEFT__SCRATCH),
    WEFT__COLUMN(weft__mesh_bends, hinges, hinge_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, mesh_of_hinge, hinge_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, removed, hinge_count, WEFT__STATE),
    WEFT__COLUMN(weft__mesh_bends, triangles, leaf_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, plates, plate_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, nodes, node_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, meshes, mesh_count, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__mesh_bends, level_first, 1, level_count, 1, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, pivot_unknown, unknown_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, row_unknown, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, row_of_parent, row_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, particle, vertex_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, local_of, unknown_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__mesh_bends, inv_mass, vertex_count, WEFT__DERIVED),
    WEFT__VECTOR(weft__mesh_bends, local, local_count, FACTORS | WEFT__SCRATCH),
    WEFT__COLUMN(weft__mesh_bends, forward, forward_count, FACTORS | WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, backward, backward_count, FACTORS | WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, front, front_count, FACTORS | WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__mesh_bends, first_of, 1, particle_count, 1, LISTS | WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__mesh_bends, hinges_of, 4, hinge_count, 0, LISTS | WEFT__DERIVED),
};

static void change_all(void* table) {
  const weft__mesh_bends* bends = table;
  for (uint32_t m = 0; m < bends->mesh_count; ++m) bends->meshes[m].is_changed = true;
}

const weft__table weft__mesh_bends_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = change_all};

void weft__mesh_bends_set_stale(const weft__mesh_bends* bends) {
  for (uint32_t m = 0; m < bends->mesh_count; ++m) bends->meshes[m].is_stale = true;
}

void weft__mesh_bends_set_rate(weft__mesh_bends* bends, float rate_squared) {
  if (bends->rate_squared == rate_squared) return;
  bends->rate_squared = rate_squared;
  change_all(bends);
}

static void remove_hinge(const weft__mesh_bends* bends, uint32_t hinge) {
  bends->removed[hinge] = 1;
  bends->meshes[bends->mesh_of_hinge[hinge]].is_changed = true;
}

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

void weft__mesh_bends_tear(const weft__mesh_bends* bends, uint32_t a, uint32_t b) {
  if (bends->hinge_count == 0) return;
  for (uint32_t n = bends->first_of[a]; n < bends->first_of[a + 1]; ++n) {
    const uint32_t h = bends->hinges_of[n];
    if (has(&bends->hinges[h], b)) remove_hinge(bends, h);
  }
}

void weft__mesh_bends_release(const weft__mesh_bends* bends, weft__is_released* lets_go,
                              const void* context) {
  for (uint32_t h = 0; h < bends->hinge_count; ++h) {
    bool is_released = false;
    for (int k = 0; k < 4; ++k) {
      is_released |= lets_go(context, bends->hinges[h].particle[k]);
    }
    if (is_released) remove_hinge(bends, h);
  }
}
