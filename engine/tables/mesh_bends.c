#include "tables/mesh_bends.h"

#include "base/memory.h"

void weft__mesh_bends_set_stale(const weft__mesh_bends* bends) {
  for (uint32_t m = 0; m < bends->mesh_count; ++m) bends->meshes[m].is_stale = true;
}

static void change_all(const weft__mesh_bends* bends) {
  for (uint32_t m = 0; m < bends->mesh_count; ++m) bends->meshes[m].is_changed = true;
}

void weft__mesh_bends_set_rate(weft__mesh_bends* bends, float rate_squared) {
  if (bends->rate_squared == rate_squared) return;
  bends->rate_squared = rate_squared;
  change_all(bends);
}

// ---- removal ----

static void remove_hinge(const weft__mesh_bends* bends, uint32_t hinge) {
  bends->is_removed[hinge] = true;
  bends->meshes[bends->mesh_of_hinge[hinge]].is_changed = true;
}

static bool has(const weft__hinge* hinge, uint32_t particle) {
  bool found = false;
  for (int k = 0; k < 4; ++k) found |= hinge->particle[k] == particle;
  return found;
}

void weft__mesh_bends_tear(const weft__mesh_bends* bends, uint32_t a, uint32_t b) {
  for (uint32_t h = 0; h < bends->hinge_count; ++h) {
    if (has(&bends->hinges[h], a) && has(&bends->hinges[h], b)) remove_hinge(bends, h);
  }
}

void weft__mesh_bends_release(const weft__mesh_bends* bends, weft__is_released* lets_go,
                              const void* context) {
  for (uint32_t h = 0; h < bends->hinge_count; ++h) {
    bool is_released = false;
    for (int k = 0; k < 4; ++k) {
      const uint32_t particle = bends->hinges[h].particle[k];
      // elements of a row or column have three
      is_released |= particle != WEFT__NONE && lets_go(context, particle);
    }
    if (is_released) remove_hinge(bends, h);
  }
}

void weft__mesh_bends_visit(weft__mesh_bends* bends, weft__archive* archive) {
  if (bends->hinge_count == 0) return;
  WEFT__ARCHIVE_ARRAY(archive, bends->is_removed, bends->hinge_count);
  if (weft__archive_is_loading(archive)) change_all(bends);
}

void weft__mesh_bends_destroy(weft__mesh_bends* bends) {
  weft__free(bends->edges);
  for (int axis = 0; axis < 3; ++axis) {
    weft__free(bends->jump[axis]);
    weft__free(bends->local[axis]);
  }
  weft__free(bends->hinges);
  weft__free(bends->mesh_of_hinge);
  weft__free(bends->is_removed);
  weft__free(bends->triangles);
  weft__free(bends->stars);
  weft__free(bends->plates);
  weft__free(bends->nodes);
  weft__free(bends->meshes);
  weft__free(bends->level_first);
  weft__free(bends->pivot_unknown);
  weft__free(bends->row_unknown);
  weft__free(bends->row_of_parent);
  weft__free(bends->particle);
  weft__free(bends->local_of);
  weft__free(bends->inv_mass);
  weft__free(bends->forward);
  weft__free(bends->backward);
  weft__free(bends->front);
  *bends = (weft__mesh_bends){0};
}
