#include "tables/mesh_bends.h"

enum { FACTORS = WEFT__MESH_BEND_FACTORS, LISTS = WEFT__GROUP(2) };

static const weft__column columns[] = {
    WEFT__COLUMN(weft__mesh_bends, edges, edge_group_count, WEFT__DERIVED),
    WEFT__VECTOR_TIMES(weft__mesh_bends, jump, WEFT__LANES, edge_group_count, 0, WEFT__SCRATCH),
    WEFT__COLUMN(weft__mesh_bends, hinges, hinge_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, mesh_of_hinge, hinge_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, removed, hinge_count, WEFT__STATE),
    WEFT__COLUMN(weft__mesh_bends, next, hinge_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, triangles, leaf_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__mesh_bends, stars, star_group_count, WEFT__DERIVED),
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

// A removed cell has lost one corner, and an end of the diagonal left is free.
static bool is_free_triangle(const weft__mesh_bends* bends, const float* inv_mass, uint32_t cell) {
  const uint32_t* particle = bends->hinges[cell].particle;
  const bool outer = (bends->removed[cell] & WEFT__TORN_OUTER) != 0;
  const bool inner = (bends->removed[cell] & WEFT__TORN_INNER) != 0;
  if (outer == inner) return false;
  return inv_mass[particle[outer ? 1 : 0]] > 0.0f || inv_mass[particle[outer ? 2 : 3]] > 0.0f;
}

double weft__mesh_bends_compliance(const weft__mesh_bends* bends, const float* inv_mass,
                                   uint32_t hinge) {
  const uint32_t* particle = bends->hinges[hinge].particle;
  double cells = 1.0;
  for (int side = 0; side < 4; ++side) {
    const uint32_t next = bends->next[hinge][side];
    if (next == WEFT__NONE || bends->removed[next] == 0) continue;
    if (particle[3] == WEFT__NONE) {
      cells += inv_mass[particle[2 * side]] > 0.0f ? 0.5 : 0.0;
    } else {
      cells += is_free_triangle(bends, inv_mass, next) ? 0.25 : 0.0;
    }
  }
  return (double)bends->hinges[hinge].compliance / cells;
}

static void remove_hinge(const weft__mesh_bends* bends, uint32_t hinge, uint32_t flags) {
  bends->removed[hinge] = (uint8_t)(bends->removed[hinge] | WEFT__REMOVED | flags);
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
    const uint32_t particle = bends->hinges[k / 4].particle[k % 4];
    if (particle != WEFT__NONE) ++first[particle];
  }
  for (uint32_t i = 0; i < bends->particle_count; ++i) first[i + 1] += first[i];
  for (uint64_t k = count; k-- > 0;) {
    const uint32_t particle = bends->hinges[k / 4].particle[k % 4];
    if (particle != WEFT__NONE) bends->hinges_of[--first[particle]] = (uint32_t)(k / 4);
  }
  return true;
}

void weft__mesh_bends_tear(const weft__mesh_bends* bends, uint32_t a, uint32_t b) {
  if (bends->hinge_count == 0) return;
  for (uint32_t n = bends->first_of[a]; n < bends->first_of[a + 1]; ++n) {
    const uint32_t h = bends->hinges_of[n];
    const uint32_t* p = bends->hinges[h].particle;
    if (!has(&bends->hinges[h], b)) continue;
    const bool is_outer = (p[0] == a && p[3] == b) || (p[0] == b && p[3] == a);
    const bool is_inner = (p[1] == a && p[2] == b) || (p[1] == b && p[2] == a);
    remove_hinge(bends, h, is_outer ? WEFT__TORN_OUTER : is_inner ? WEFT__TORN_INNER : 0);
  }
}

void weft__mesh_bends_release(const weft__mesh_bends* bends, weft__is_released* lets_go,
                              const void* context) {
  for (uint32_t h = 0; h < bends->hinge_count; ++h) {
    bool is_released = false;
    for (int k = 0; k < 4; ++k) {
      const uint32_t particle = bends->hinges[h].particle[k];
      is_released |= particle != WEFT__NONE && lets_go(context, particle);
    }
    if (is_released) remove_hinge(bends, h, 0);
  }
}
