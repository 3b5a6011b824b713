#include "support/laid.h"

#include "support/suite.h"

static void list_uses(weft__faces* faces, uint32_t particle_count) {
  faces->first_use = test_alloc((particle_count + 1) * sizeof(*faces->first_use));
  faces->use = test_alloc(((size_t)3 * faces->count) * sizeof(*faces->use));
  uint32_t count = 0;
  for (uint32_t i = 0; i < particle_count; ++i) {
    for (uint32_t side = 0; side < 3 * faces->count; ++side) {
      if (faces->corner[side / 3][side % 3] == i) faces->use[count++] = side / 3;
    }
    faces->first_use[i + 1] = count;
  }
}

static void set_materials(laid* l, uint32_t count, const uint32_t* kinds) {
  for (int kind = 1; kind < LAID_KINDS; ++kind) {
    l->rows[kind].shape = WEFT_PARTICLE_SHAPE_CLOTH;
    l->rows[kind].surface = (weft__surface){.category = 1, .mask = 1};
    l->rows[kind].is_exact = kind == LAID_EXACT;
  }
  l->materials.rows = l->rows;
  l->materials.row_count = LAID_KINDS;
  l->materials.of = test_alloc((count) * sizeof(*l->materials.of));
  for (uint32_t i = 0; i < count; ++i) {
    l->materials.of[i] = kinds == NULL ? LAID_EXACT : kinds[i];
  }
}

static void allocate(laid* l) {
  size_t bytes = 0;
  l->places.member_count = l->clusters.member_capacity;
  l->flats.cluster_count = l->clusters.face_cluster_capacity;
  require(
      weft__columns_create(&l->places, &weft__ccd_positions_table, 0, &l->places.block, &bytes));
  require(weft__columns_create(&l->flats, &weft__flatness_table, 0, &l->flats.block, &bytes));
  l->flats.kernels = weft__kernels_select(WEFT_ISA_AUTO);
}

static void lay(laid* l) {
  const uint32_t count = l->clusters.face_cluster_count;
  for (uint32_t b = 0; b < count; ++b) {
    weft__flatness_choose_plane(&l->flats, &l->clusters, &l->faces, b);
  }
  for (uint32_t b = 0; b < count; ++b) {
    weft__flatness_build_regions(&l->flats, &l->clusters, &l->web, &l->faces, b);
  }
}

static void destroy(void* object) {
  laid* l = object;
  weft__particles_destroy(&l->particles);
  weft__face_edges_destroy(&l->web);
  weft__ccd_clusters_destroy(&l->clusters);
  weft__free(l->places.block);
  weft__free(l->flats.block);
}

laid* new_laid(const mesh_shape* shape, const uint32_t* kinds) {
  laid* l = test_alloc(sizeof(*l));
  destroy_at_end(destroy, l);
  require(weft__particles_create(&l->particles, shape->vertex_count));
  for (uint32_t i = 0; i < shape->vertex_count; ++i) {
    l->particles.pos_x[i] = shape->place[i][0];
    l->particles.pos_y[i] = shape->place[i][1];
    l->particles.pos_z[i] = shape->place[i][2];
  }
  memcpy(l->faces.place, l->particles.pos, sizeof(l->faces.place));
  l->faces.count = shape->face_count;
  l->faces.corner = test_alloc((shape->face_count) * sizeof(*l->faces.corner));
  memcpy(l->faces.corner, shape->face, sizeof(*shape->face) * shape->face_count);
  list_uses(&l->faces, shape->vertex_count);
  set_materials(l, shape->vertex_count, kinds);
  require(weft__face_edges_create(&l->web, &l->faces, &l->particles, NULL));
  require(weft__ccd_clusters_create(&l->clusters, &l->web, shape->vertex_count));
  weft__ccd_clusters_build(&l->clusters, &l->web, &l->faces, &l->materials, shape->vertex_count);
  allocate(l);
  lay(l);
  return l;
}

void set_laid(const laid* l, float* const* at, float (*positions)[3]) {
  const uint32_t end = l->clusters.first_member[l->clusters.leaf_count];
  for (uint32_t m = 0; m < end; ++m) {
    for (int axis = 0; axis < 3; ++axis) at[axis][m] = positions[l->clusters.member[m]][axis];
  }
}

uint32_t each_region(const laid* l, region_check* check, void* data) {
  uint32_t count = 0;
  for (uint32_t part = 0; part < l->clusters.face_cluster_count; ++part) {
    for (uint32_t n = 0; n < l->flats.region_count[part]; ++n, ++count) {
      check(l, part, &l->flats.regions[part][n], data);
    }
  }
  return count;
}
