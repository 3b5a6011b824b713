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

// True if a removed cell has lost one corner, and an end of the diagonal that is left is free.
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

// ---- removal ----

static void remove_hinge(const weft__mesh_bends* bends, uint32_t hinge, uint32_t flags) {
  bends->removed[hinge] = (uint8_t)(bends->removed[hinge] | WEFT__REMOVED | flags);
  bends->meshes[bends->mesh_of_hinge[hinge]].is_changed = true;
}

static bool has(const weft__hinge* hinge, uint32_t particle) {
  bool found = false;
  for (int k = 0; k < 4; ++k) found |= hinge->particle[k] == particle;
  return found;
}

bool weft__mesh_bends_list_hinges(weft__mesh_bends* bends, uint32_t particle_count) {
  const uint64_t count = 4 * (uint64_t)bends->hinge_count;
  uint32_t* first = weft__alloc_zeroed((uint64_t)particle_count + 1, sizeof(*first));
  bends->first_of = first;
  bends->hinges_of = weft__alloc(count, sizeof(*bends->hinges_of));
  if (first == NULL || bends->hinges_of == NULL) return false;
  bends->bytes += ((size_t)count + particle_count + 1) * sizeof(*first);
  // elements of a row or column have three particles
  for (uint64_t k = 0; k < count; ++k) {
    const uint32_t particle = bends->hinges[k / 4].particle[k % 4];
    if (particle != WEFT__NONE) ++first[particle];
  }
  for (uint32_t i = 0; i < particle_count; ++i) first[i + 1] += first[i];
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
      // elements of a row or column have three
      is_released |= particle != WEFT__NONE && lets_go(context, particle);
    }
    if (is_released) remove_hinge(bends, h, 0);
  }
}

void weft__mesh_bends_visit(weft__mesh_bends* bends, weft__archive* archive) {
  if (bends->hinge_count == 0) return;
  WEFT__ARCHIVE_ARRAY(archive, bends->removed, bends->hinge_count);
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
  weft__free(bends->first_of);
  weft__free(bends->hinges_of);
  weft__free(bends->removed);
  weft__free(bends->next);
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
