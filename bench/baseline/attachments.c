/* One Dijkstra search for all islands: its queue holds paths (length, particle, island), and a
 * particle accepts the first path of each island until it has enough. Paths lead through free
 * particles only. */
#include "baseline/serial.h"

#include <math.h>
#include <stdlib.h>

typedef struct path {
  float length; /* metres along links */
  uint32_t particle, anchor, island;
} path;

typedef struct search {
  baseline_cloth* cloth;
  uint32_t* first;      /* first neighbour of each particle [particle_count + 1] */
  uint32_t* neighbors;  /* links of each particle [2 * link_count] */
  uint32_t* island;     /* island of a pinned particle [particle_count] */
  uint32_t* tie_count;  /* [particle_count] */
  uint32_t* tie_island; /* [particle_count][capacity] */
  uint32_t capacity;
  path* heap; /* binary, the shortest path first */
  size_t heap_count, heap_capacity;
} search;

static const float longest_zigzag = 7.0f / 6.0f;  // over the straight line

static void swap(path* a, path* b) {
  const path kept = *a;
  *a = *b;
  *b = kept;
}

static bool push(search* s, path item) {
  if (s->heap_count == s->heap_capacity) {
    s->heap_capacity = 2 * s->heap_capacity + 1024;
    path* heap = realloc(s->heap, s->heap_capacity * sizeof *heap);
    if (heap == NULL) return false;
    s->heap = heap;
  }
  size_t i = s->heap_count++;
  s->heap[i] = item;
  for (; i > 0 && s->heap[i].length < s->heap[(i - 1) / 2].length; i = (i - 1) / 2) {
    swap(&s->heap[i], &s->heap[(i - 1) / 2]);
  }
  return true;
}

static path pop(search* s) {
  const path shortest = s->heap[0];
  s->heap[0] = s->heap[--s->heap_count];
  for (size_t i = 0;;) {
    size_t child = 2 * i + 1;
    if (child + 1 < s->heap_count && s->heap[child + 1].length < s->heap[child].length) ++child;
    if (child >= s->heap_count || s->heap[i].length <= s->heap[child].length) return shortest;
    swap(&s->heap[i], &s->heap[child]);
    i = child;
  }
}

static bool is_pinned(const search* s, uint32_t particle) {
  return s->cloth->particles[particle].inverse_mass == 0.0f;
}

static void list_neighbors(search* s) {
  const baseline_cloth* cloth = s->cloth;
  for (uint32_t i = 0; i < cloth->link_count; ++i) {
    ++s->first[cloth->links[i].a];
    ++s->first[cloth->links[i].b];
  }
  for (uint32_t i = 0; i < cloth->particle_count; ++i) s->first[i + 1] += s->first[i];
  // filled from the back, so that each offset ends at its first neighbour
  for (uint32_t i = 0; i < cloth->link_count; ++i) {
    s->neighbors[--s->first[cloth->links[i].a]] = i;
    s->neighbors[--s->first[cloth->links[i].b]] = i;
  }
}

static uint32_t other_end(const search* s, uint32_t link, uint32_t particle) {
  const baseline_link* l = &s->cloth->links[link];
  return l->a == particle ? l->b : l->a;
}

// Flood fill of pinned particles without an island; the heap is the stack.
static bool find_islands(search* s) {
  for (uint32_t i = 0; i < s->cloth->particle_count; ++i) s->island[i] = UINT32_MAX;
  for (uint32_t start = 0; start < s->cloth->particle_count; ++start) {
    if (!is_pinned(s, start) || s->island[start] != UINT32_MAX) continue;
    s->island[start] = start;
    if (!push(s, (path){.particle = start})) return false;
    while (s->heap_count > 0) {
      const uint32_t here = s->heap[--s->heap_count].particle;
      for (uint32_t k = s->first[here]; k < s->first[here + 1]; ++k) {
        const uint32_t next = other_end(s, s->neighbors[k], here);
        if (!is_pinned(s, next) || s->island[next] != UINT32_MAX) continue;
        s->island[next] = start;
        if (!push(s, (path){.particle = next})) return false;
      }
    }
  }
  return true;
}

static float straight_distance(const baseline_particle* a, const baseline_particle* b) {
  const float x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
  return sqrtf(x * x + y * y + z * z);
}

static bool push_neighbors(search* s, const path* from) {
  for (uint32_t k = s->first[from->particle]; k < s->first[from->particle + 1]; ++k) {
    const uint32_t link = s->neighbors[k], next = other_end(s, link, from->particle);
    if (is_pinned(s, next) || s->tie_count[next] == s->capacity) continue;
    const float length = from->length + s->cloth->links[link].rest_length;
    if (!push(s, (path){length, next, from->anchor, from->island})) return false;
  }
  return true;
}

static bool accepts(search* s, const path* found) {
  uint32_t* count = &s->tie_count[found->particle];
  uint32_t* islands = s->tie_island + (size_t)found->particle * s->capacity;
  for (uint32_t i = 0; i < *count; ++i) {
    if (islands[i] == found->island) return false;
  }
  if (*count == s->capacity) return false;
  islands[(*count)++] = found->island;
  return true;
}

static void attach(search* s, const path* found) {
  baseline_cloth* cloth = s->cloth;
  const float straight =
      straight_distance(&cloth->particles[found->particle], &cloth->particles[found->anchor]);
  const bool is_zigzag = found->length <= longest_zigzag * straight;
  cloth->attachments[cloth->attachment_count++] = (baseline_attachment){
      found->particle, found->anchor, is_zigzag ? fminf(straight, found->length) : found->length};
}

static bool find_attachments(search* s) {
  list_neighbors(s);
  if (!find_islands(s)) return false;
  for (uint32_t i = 0; i < s->cloth->particle_count; ++i) {
    if (is_pinned(s, i) && !push_neighbors(s, &(path){0.0f, i, i, s->island[i]})) return false;
  }
  while (s->heap_count > 0) {
    const path found = pop(s);
    if (!accepts(s, &found)) continue;
    attach(s, &found);
    if (!push_neighbors(s, &found)) return false;
  }
  return true;
}

static int compare_attachments(const void* left, const void* right) {
  const baseline_attachment* a = left;
  const baseline_attachment* b = right;
  if (a->particle != b->particle) return a->particle < b->particle ? -1 : 1;
  return (a->reach > b->reach) - (a->reach < b->reach);
}

bool baseline_attach(baseline_cloth* cloth, uint32_t islands) {
  const size_t count = cloth->particle_count;
  search s = {.cloth = cloth,
              .first = calloc(count + 1, sizeof *s.first),
              .neighbors = malloc((size_t)2 * cloth->link_count * sizeof *s.neighbors + 1),
              .island = malloc(count * sizeof *s.island + 1),
              .tie_count = calloc(count + 1, sizeof *s.tie_count),
              .tie_island = malloc(count * islands * sizeof *s.tie_island + 1),
              .capacity = islands};
  cloth->attachments = malloc(count * islands * sizeof *cloth->attachments + 1);
  bool ok = s.first && s.neighbors && s.island && s.tie_count && s.tie_island;
  ok = ok && cloth->attachments && find_attachments(&s);
  // by particle, so that memory is read in order
  if (ok) {
    qsort(cloth->attachments, cloth->attachment_count, sizeof *cloth->attachments,
          compare_attachments);
  }
  free(s.first);
  free(s.neighbors);
  free(s.island);
  free(s.tie_count);
  free(s.tie_island);
  free(s.heap);
  return ok;
}
