/* Level of detail: cloth of many particles is drawn by some of them. Particles with a face are
 * clustered by their distance in links from a seed, which represents them; a face with corners of
 * three clusters is drawn between their seeds. (Rossignac, Borrel 1993, "Multi-resolution 3D
 * approximations for rendering complex scenes", with clusters of the mesh in place of cells of
 * space: layers of a folded cloth stay apart.) */
#include <stdlib.h>
#include <string.h>

#include "view/parts.h"

#define NO_POINT UINT32_MAX

/* Particles between two ranges, at most, that are read with them: cheaper than a call. */
enum { LARGEST_RADIUS = 128, MOST_BETWEEN = 16 };

/* Structural links by particle, as prefix offsets. */
typedef struct neighbors {
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* other; /* [2 link_count] */
} neighbors;

typedef struct clustering {
  const view_model* model;
  neighbors links;
  bool* has_face;    /* [particle_count] */
  uint32_t* point;   /* [particle_count] */
  uint32_t* front;   /* queue of the search [particle_count] */
  uint8_t* distance; /* links from the seed [particle_count] */
  uint32_t count;    /* number of clusters */
} clustering;

static void free_clustering(clustering* c) {
  free(c->links.first);
  free(c->links.other);
  free(c->has_face);
  free(c->front);
  free(c->distance);
}

static void list_neighbors(clustering* c) {
  const view_model* model = c->model;
  uint32_t* first = c->links.first;
  for (uint32_t i = 0; i < model->link_count; ++i) {
    ++first[model->links[i].a + 2];
    ++first[model->links[i].b + 2];
  }
  for (uint32_t i = 2; i < model->particle_count + 2; ++i) first[i] += first[i - 1];
  for (uint32_t i = 0; i < model->link_count; ++i) {
    const view_link* link = &model->links[i];
    c->links.other[first[link->a + 1]++] = link->b;
    c->links.other[first[link->b + 1]++] = link->a;
  }
}

static bool begin(clustering* c, const view_model* model) {
  const size_t particles = model->particle_count;
  *c = (clustering){.model = model,
                    .links = {calloc(particles + 2, sizeof(uint32_t)),
                              calloc(2 * (size_t)model->link_count + 1, sizeof(uint32_t))},
                    .has_face = calloc(particles, sizeof(bool)),
                    .point = calloc(particles, sizeof(uint32_t)),
                    .front = calloc(particles, sizeof(uint32_t)),
                    .distance = calloc(particles, sizeof(uint8_t))};
  if (!c->links.first || !c->links.other || !c->has_face || !c->point || !c->front ||
      !c->distance) {
    return false;
  }
  list_neighbors(c);
  for (size_t i = 0; i < 3 * (size_t)model->face_count; ++i) c->has_face[model->faces[i]] = true;
  return true;
}

/* Breadth-first from the seed, over particles without a cluster. */
static void grow(clustering* c, uint32_t seed, uint8_t radius) {
  const uint32_t point = c->count++;
  uint32_t end = 0;
  c->point[seed] = point;
  c->distance[seed] = 0;
  if (!c->has_face[seed]) return;
  c->front[end++] = seed;
  for (uint32_t at = 0; at < end; ++at) {
    const uint32_t here = c->front[at];
    if (c->distance[here] == radius) continue;
    for (uint32_t k = c->links.first[here]; k < c->links.first[here + 1]; ++k) {
      const uint32_t next = c->links.other[k];
      if (c->point[next] != NO_POINT || !c->has_face[next]) continue;
      c->point[next] = point;
      c->distance[next] = (uint8_t)(c->distance[here] + 1);
      c->front[end++] = next;
    }
  }
}

/* Pinned particles are seeds first, so that cloth is drawn to its pins. */
static void cluster(clustering* c, uint8_t radius) {
  const uint32_t count = c->model->particle_count;
  c->count = 0;
  for (uint32_t i = 0; i < count; ++i) c->point[i] = NO_POINT;
  for (uint32_t i = 0; i < count; ++i) {
    if (c->model->is_pinned[i] && c->point[i] == NO_POINT) grow(c, i, radius);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (c->point[i] == NO_POINT) grow(c, i, radius);
  }
}

/* Numbers the clusters in the order of their seeds. */
static void sort_points(const clustering* c, view_detail* detail) {
  uint32_t* number = c->front;
  uint32_t next = 0;
  for (uint32_t i = 0; i < c->model->particle_count; ++i) {
    if (c->distance[i] > 0) continue;
    number[c->point[i]] = next;
    detail->seeds[next++] = i;
  }
  for (uint32_t i = 0; i < c->model->particle_count; ++i) c->point[i] = number[c->point[i]];
  detail->count = next;
  detail->point_of = c->point;
}

void view_detail_free(view_detail* detail) {
  free(detail->seeds);
  free(detail->point_of);
  *detail = (view_detail){.seeds = NULL};
}

bool view_detail_make(view_detail* detail, const view_model* model, uint32_t most_points) {
  clustering c;
  view_detail_free(detail);
  if (model->particle_count <= most_points || model->face_count == 0 || model->beside_count > 0) {
    return true;
  }
  bool ok = begin(&c, model);
  if (ok) {
    uint8_t radius = 1;
    do {
      cluster(&c, radius);
    } while (c.count > most_points && ++radius < LARGEST_RADIUS);
    detail->seeds = calloc(c.count, sizeof *detail->seeds);
    ok = detail->seeds != NULL;
  }
  if (ok) {
    sort_points(&c, detail);
  } else {
    free(c.point);
  }
  free_clustering(&c);
  return ok;
}

static bool is_seed(const view_detail* detail, uint32_t particle) {
  return detail->seeds[detail->point_of[particle]] == particle;
}

static bool list_faces(view_model* model) {
  const view_detail* detail = &model->detail;
  uint32_t* faces = calloc(3 * (size_t)model->face_count + 1, sizeof *faces);
  if (!faces) return false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < model->face_count; ++i) {
    const uint32_t* face = model->faces + 3 * (size_t)i;
    if (!is_seed(detail, face[0]) && !is_seed(detail, face[1]) && !is_seed(detail, face[2])) {
      continue;
    }
    memcpy(faces + 3 * (size_t)count++, face, sizeof(uint32_t[3]));
  }
  uint32_t* fitted = realloc(faces, (3 * (size_t)count + 1) * sizeof *faces);
  model->normal_faces = fitted ? fitted : faces;
  model->normal_face_count = count;
  return true;
}

/* Seeds and the corners of the faces at them, as ranges. */
static bool list_ranges(view_model* model) {
  bool* is_read = calloc(model->particle_count, sizeof *is_read);
  // ranges are apart
  view_range* ranges = calloc((size_t)model->particle_count / MOST_BETWEEN + 1, sizeof *ranges);
  uint32_t count = 0, end = 0;
  if (is_read && ranges) {
    for (uint32_t i = 0; i < model->detail.count; ++i) is_read[model->detail.seeds[i]] = true;
    for (size_t i = 0; i < 3 * (size_t)model->normal_face_count; ++i) {
      is_read[model->normal_faces[i]] = true;
    }
    for (uint32_t i = 0; i < model->particle_count; ++i) {
      if (!is_read[i]) continue;
      if (count == 0 || i - end > MOST_BETWEEN) ranges[count++] = (view_range){.first = i};
      ranges[count - 1].count = i + 1 - ranges[count - 1].first;
      end = i + 1;
    }
  }
  free(is_read);
  model->read = ranges;
  model->read_count = count;
  return is_read && ranges;
}

bool view_detail_list(view_model* model) {
  free(model->read);
  free(model->normal_faces);
  model->read = NULL;
  model->normal_faces = NULL;
  if (model->detail.seeds) return list_faces(model) && list_ranges(model);
  model->read = calloc(1, sizeof *model->read);
  model->read_count = 1;
  if (model->read) *model->read = (view_range){0, model->particle_count};
  return model->read != NULL;
}
