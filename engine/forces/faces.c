#include "forces/faces.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "scene/adjacency.h"
#include "scene/faces.h"

static void lay_out(weft__faces* faces, uint32_t particle_count, weft__arena* arena) {
  const size_t count = faces->count;
  faces->corner = weft__arena_alloc(arena, count, sizeof(*faces->corner));
  faces->link = weft__arena_alloc(arena, count, sizeof(*faces->link));
  faces->use = weft__arena_alloc(arena, 3 * count, sizeof(*faces->use));
  faces->first_use =
      weft__arena_alloc(arena, (size_t)particle_count + 2, sizeof(*faces->first_use));
  for (int axis = 0; axis < 3; ++axis)
    faces->place[axis] = weft__arena_alloc(arena, particle_count, sizeof(float));
}

static void number_corners(const weft__faces* faces, const weft_scene* scene,
                           const weft__schedule* schedule) {
  weft__scene_list_faces(scene, 0, scene->part_count, faces->corner);
  for (uint32_t f = 0; f < faces->count; ++f) {
    for (int k = 0; k < 3; ++k) faces->corner[f][k] = schedule->solver_of[faces->corner[f][k]];
  }
}

// link_to: link from the corner to each particle
static void link_edge(const weft__faces* faces, const weft__schedule* schedule, uint32_t face,
                      uint32_t corner, const uint32_t* link_to) {
  for (int k = 0; k < 3; ++k) {
    if (faces->corner[face][k] != corner) continue;
    const uint32_t next = faces->corner[face][(k + 1) % 3];
    faces->link[face][k] = link_to[schedule->user_of[next]];
  }
}

// Links scattered over `link_to` once for all faces: cost is a sum, not a product.
static void link_edges(const weft__faces* faces, const weft__schedule* schedule,
                       const weft__adjacency* adjacency, uint32_t* link_to) {
  for (uint32_t i = 0; i < schedule->particle_count; ++i) link_to[i] = WEFT__NONE;
  for (uint32_t i = 0; i < schedule->particle_count; ++i) {
    if (weft__face_count_of(faces, i) == 0) continue;
    const uint32_t begin = adjacency->first[schedule->user_of[i]];
    const uint32_t end = adjacency->first[schedule->user_of[i] + 1];
    for (uint32_t n = begin; n < end; ++n) link_to[adjacency->to[n]] = adjacency->link[n];
    for (uint32_t u = faces->first_use[i]; u < faces->first_use[i + 1]; ++u) {
      link_edge(faces, schedule, faces->use[u], i, link_to);
    }
    for (uint32_t n = begin; n < end; ++n) link_to[adjacency->to[n]] = WEFT__NONE;
  }
}

static bool find_links(const weft__faces* faces, const weft_scene* scene,
                       const weft__schedule* schedule) {
  weft__adjacency adjacency;
  if (!weft__adjacency_create(&adjacency, scene, NULL, NULL)) return false;
  uint32_t* link_to = weft__alloc(schedule->particle_count, sizeof(*link_to));
  if (link_to != NULL) link_edges(faces, schedule, &adjacency, link_to);
  weft__adjacency_destroy(&adjacency);
  const bool good = link_to != NULL;
  weft__free(link_to);
  return good;
}

bool weft__faces_create(weft__faces* faces, const weft_scene* scene,
                        const weft__schedule* schedule) {
  *faces = (weft__faces){.count = weft__scene_face_count(scene, 0, scene->part_count)};
  for (weft__arena arena = {0}; weft__arena_next(&arena, &faces->block, &faces->bytes);) {
    lay_out(faces, scene->particle_count, &arena);
  }
  if (faces->block == NULL) return false;
  number_corners(faces, scene, schedule);
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    const float* place = scene->positions + 3 * (size_t)schedule->user_of[i];
    for (int axis = 0; axis < 3; ++axis) faces->place[axis][i] = place[axis];
  }
  weft__faces_list_uses(faces, scene->particle_count);
  return faces->count == 0 || find_links(faces, scene, schedule);
}

static void mark_corners(const void* table, const weft__domain* domain, uint8_t* marks) {
  const weft__faces* faces = table;
  const weft__range own = domain->particles;
  for (uint32_t i = own.begin; i < own.end && faces->count > 0; ++i) {
    for (uint32_t u = faces->first_use[i]; u < faces->first_use[i + 1]; ++u) {
      for (int k = 0; k < 3; ++k) marks[faces->corner[faces->use[u]][k]] = 1;
    }
  }
}

const weft__halo_rows weft__face_rows = {.mark = mark_corners};
