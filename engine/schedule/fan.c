#include "schedule/fan.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/sort.h"
#include "schedule/fan_slots.h"

// candidates searched for centres that are not linked to each other
#define SEARCH_LENGTH 512u

typedef struct fan {
  uint32_t number; /* within the patch, from 1 */
  uint32_t center_count;
  uint32_t centers[WEFT__FAN_LANES]; /* records */
  uint32_t skipped[SEARCH_LENGTH];   /* candidates linked to a centre */
  uint32_t* other_number; /* number of a record among the fan's other ends, plus 1 [local_count] */
  weft__edge edges[WEFT__MAX_EDGES];
  uint32_t edge_link[WEFT__MAX_EDGES];
  uint32_t other_of_number[WEFT__MAX_EDGES];
  weft__slots slots;
} fan;

struct weft__fans {
  const weft__order* order;
  const weft__links* links;
  weft__arena arena;

  // current patch; records: own particles, then foreign ones that it touches
  uint32_t first_particle;
  uint32_t own_count;
  uint32_t local_count;
  uint32_t link_count;
  uint32_t* local_of;  /* [particle_count] */
  uint32_t* link;      /* caller's number [link_count] */
  uint32_t* center;    /* record, below own_count [link_count] */
  uint32_t* other;     /* record [link_count] */
  uint32_t* load;      /* links whose centre a particle is [own_count] */
  uint32_t* first_out; /* into `out` [own_count + 2] */
  uint32_t* out;
  uint32_t* first_at; /* into `at` [own_count + 2] */
  uint32_t* at;       /* links by either own end [2 x link_count] */
  /* last search that visited a particle, or last fan it is linked to, from 1 [own_count] */
  uint32_t* visited;
  uint32_t* visited_by;     /* link [own_count] */
  uint32_t* queue;          /* [own_count] */
  uint32_t* all_unassigned; /* [own_count] */
  uint32_t* unassigned;     /* rest of these: in no fan yet, highest load first */
  uint32_t unassigned_count;

  fan fan;
  weft__sort_item* foreign; /* [2 x link_count] */
  weft__sort_item* scratch; /* [2 x (link_count + own_count)] */
};

static void lay_out(weft__fans* f, uint32_t links, uint32_t own) {
  weft__arena* arena = &f->arena;
  const uint32_t particles = f->order->particle_count;
  const uint32_t max_locals = particles < WEFT__MAX_LOCALS ? particles : WEFT__MAX_LOCALS;
  f->local_of = weft__arena_alloc(arena, particles, sizeof(*f->local_of));
  f->link = weft__arena_alloc(arena, links, sizeof(*f->link));
  f->center = weft__arena_alloc(arena, links, sizeof(*f->center));
  f->other = weft__arena_alloc(arena, links, sizeof(*f->other));
  f->load = weft__arena_alloc(arena, own, sizeof(*f->load));
  f->first_out = weft__arena_alloc(arena, (size_t)own + 2, sizeof(*f->first_out));
  f->out = weft__arena_alloc(arena, links, sizeof(*f->out));
  f->first_at = weft__arena_alloc(arena, (size_t)own + 2, sizeof(*f->first_at));
  f->at = weft__arena_alloc(arena, (size_t)2 * links, sizeof(*f->at));
  f->visited = weft__arena_alloc(arena, own, sizeof(*f->visited));
  f->visited_by = weft__arena_alloc(arena, own, sizeof(*f->visited_by));
  f->queue = weft__arena_alloc(arena, own, sizeof(*f->queue));
  f->all_unassigned = weft__arena_alloc(arena, own, sizeof(*f->all_unassigned));
  f->fan.other_number = weft__arena_alloc(arena, max_locals, sizeof(*f->fan.other_number));
  f->foreign = weft__arena_alloc(arena, (size_t)2 * links, sizeof(*f->foreign));
  f->scratch = weft__arena_alloc(arena, (size_t)2 * links + 2 * own, sizeof(*f->scratch));
}

weft__fans* weft__fans_create(const weft__order* order, const weft__links* links,
                              uint32_t max_links) {
  weft__fans* f = weft__alloc_zeroed(1, sizeof(*f));
  if (f == NULL) return NULL;
  f->order = order;
  f->links = links;
  uint32_t max_own = 0;
  for (uint32_t p = 0; p < order->patch_count; ++p) {
    const uint32_t own = order->patch_first[p + 1] - order->patch_first[p];
    if (own > max_own) max_own = own;
  }
  lay_out(f, max_links, max_own);
  if (!weft__arena_commit(&f->arena)) {
    weft__free(f);
    return NULL;
  }
  lay_out(f, max_links, max_own);
  return f;
}

void weft__fans_destroy(weft__fans* f) {
  if (f == NULL) return;
  weft__free(f->arena.block);
  weft__free(f);
}

// Link ends in other patches, all later ones, ascending.
static uint32_t list_foreign(weft__fans* f, const uint32_t* link_numbers, uint32_t count) {
  uint32_t foreign_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t ends[2] = {f->order->solver_of[f->links->end_a[link_numbers[i]]],
                              f->order->solver_of[f->links->end_b[link_numbers[i]]]};
    for (int e = 0; e < 2; ++e) {
      if (ends[e] - f->first_particle < f->own_count) continue;
      f->foreign[foreign_count++] = (weft__sort_item){ends[e], 0};
    }
  }
  weft__sort(f->foreign, f->scratch, foreign_count);
  return foreign_count;
}

static weft__fans_result make_segments(weft__fans* f, weft__emitter* emitter, uint32_t patch,
                                       const uint32_t* link_numbers, uint32_t count) {
  f->first_particle = f->order->patch_first[patch];
  f->own_count = f->order->patch_first[patch + 1] - f->first_particle;
  f->local_count = 0;
  const size_t segments_before = emitter->count[WEFT__EMIT_SEGMENTS];
  weft__segment* own = weft__emit_append(emitter, WEFT__EMIT_SEGMENTS, 1);
  if (own == NULL) return WEFT__FANS_NO_MEMORY;
  *own = (weft__segment){f->first_particle, f->own_count};
  for (uint32_t i = 0; i < f->own_count; ++i) f->local_of[f->first_particle + i] = f->local_count++;
  const uint32_t foreign_count = list_foreign(f, link_numbers, count);
  if (!weft__emit_segments(emitter, f->foreign, foreign_count, f->local_of, &f->local_count)) {
    return WEFT__FANS_NO_MEMORY;
  }
  if (f->local_count < WEFT__MAX_LOCALS) return WEFT__FANS_MADE;
  emitter->count[WEFT__EMIT_SEGMENTS] = segments_before;
  return WEFT__FANS_TOO_LARGE;
}

static void load_links(weft__fans* f, const uint32_t* link_numbers, uint32_t count) {
  f->link_count = count;
  memset(f->load, 0, f->own_count * sizeof(*f->load));
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t a = f->local_of[f->order->solver_of[f->links->end_a[link_numbers[i]]]];
    const uint32_t b = f->local_of[f->order->solver_of[f->links->end_b[link_numbers[i]]]];
    // foreign particles are no centres; of two own ones, the one with the lower load
    const bool at_a = a < f->own_count && (b >= f->own_count || f->load[a] <= f->load[b]);
    f->link[i] = link_numbers[i];
    f->center[i] = at_a ? a : b;
    f->other[i] = at_a ? b : a;
    ++f->load[f->center[i]];
  }
}

// By own ends in `one`, and in `second` unless NULL.
static void bucket_links(const weft__fans* f, const uint32_t* one, const uint32_t* second,
                         uint32_t* first, uint32_t* list) {
  const uint32_t* ends[2] = {one, second};
  memset(first, 0, ((size_t)f->own_count + 2) * sizeof(*first));
  for (int e = 0; e < 2 && ends[e] != NULL; ++e) {
    for (uint32_t i = 0; i < f->link_count; ++i) {
      if (ends[e][i] < f->own_count) ++first[ends[e][i] + 2];
    }
  }
  (void)weft__sum_buckets(first, f->own_count);
  for (int e = 0; e < 2 && ends[e] != NULL; ++e) {
    for (uint32_t i = 0; i < f->link_count; ++i) {
      if (ends[e][i] < f->own_count) list[first[ends[e][i] + 1]++] = i;
    }
  }
}

// Breadth first from centre to other end: nearest with load below `max_load`; own_count if none.
static uint32_t find_underloaded(weft__fans* f, uint32_t start, uint32_t max_load,
                                 uint32_t search) {
  uint32_t count = 0;
  f->queue[count++] = start;
  f->visited[start] = search;
  for (uint32_t next = 0; next < count; ++next) {
    const uint32_t particle = f->queue[next];
    for (uint32_t i = f->first_at[particle]; i < f->first_at[particle + 1]; ++i) {
      const uint32_t link = f->at[i];
      const uint32_t other = f->other[link];
      if (f->center[link] != particle || other >= f->own_count) continue;
      if (f->visited[other] == search) continue;
      f->visited[other] = search;
      f->visited_by[other] = link;
      if (f->load[other] < max_load) return other;
      f->queue[count++] = other;
    }
  }
  return f->own_count;
}

static void reverse_path(weft__fans* f, uint32_t start, uint32_t end) {
  --f->load[start];
  ++f->load[end];
  for (uint32_t particle = end; particle != start;) {
    const uint32_t link = f->visited_by[particle];
    const uint32_t before = f->center[link];
    f->center[link] = particle;
    f->other[link] = before;
    particle = before;
  }
}

// Reverses paths until no load exceeds the average, rounded up, or no path is left.
static void balance_loads(weft__fans* f) {
  const uint32_t max_load = (f->link_count + f->own_count - 1) / f->own_count;
  uint32_t search = 0;
  memset(f->visited, 0, f->own_count * sizeof(*f->visited));
  for (uint32_t particle = 0; particle < f->own_count; ++particle) {
    while (f->load[particle] > max_load) {
      const uint32_t end = find_underloaded(f, particle, max_load, ++search);
      if (end == f->own_count) break;
      reverse_path(f, particle, end);
    }
  }
}

static void list_unassigned(weft__fans* f) {
  f->unassigned = f->all_unassigned;
  f->unassigned_count = 0;
  uint32_t max_load = 0;
  for (uint32_t p = 0; p < f->own_count; ++p)
    max_load = f->load[p] > max_load ? f->load[p] : max_load;
  for (uint32_t i = 0; i < f->own_count; ++i)
    f->scratch[i] = (weft__sort_item){max_load - f->load[i], i};
  weft__sort(f->scratch, f->scratch + f->own_count, f->own_count);
  for (uint32_t i = 0; i < f->own_count; ++i) {
    if (f->load[f->scratch[i].value] > 0)
      f->unassigned[f->unassigned_count++] = f->scratch[i].value;
  }
}

static void exclude_neighbors(weft__fans* f, uint32_t particle) {
  for (uint32_t i = f->first_at[particle]; i < f->first_at[particle + 1]; ++i) {
    const uint32_t link = f->at[i];
    const uint32_t neighbor = f->center[link] == particle ? f->other[link] : f->center[link];
    if (neighbor < f->own_count) f->visited[neighbor] = f->fan.number;
  }
}

// Centres not linked to each other, among the first SEARCH_LENGTH unassigned particles.
static void choose_centers(weft__fans* f) {
  ++f->fan.number;
  f->fan.center_count = 0;
  uint32_t kept = 0;
  uint32_t next = 0;
  for (;
       next < f->unassigned_count && next < SEARCH_LENGTH && f->fan.center_count < WEFT__FAN_LANES;
       ++next) {
    const uint32_t particle = f->unassigned[next];
    if (f->visited[particle] == f->fan.number) {
      f->fan.skipped[kept++] = particle;
    } else {
      f->fan.centers[f->fan.center_count++] = particle;
      exclude_neighbors(f, particle);
    }
  }
  f->unassigned += next - kept;
  f->unassigned_count -= next - kept;
  memcpy(f->unassigned, f->fan.skipped, kept * sizeof(*f->unassigned));
}

// Up to WEFT__MAX_SLOTS links of each centre from the `done`-th on; returns their total.
static uint32_t list_edges(weft__fans* f, uint32_t done, uint32_t* other_count) {
  uint32_t count = 0;
  *other_count = 0;
  for (uint32_t lane = 0; lane < f->fan.center_count; ++lane) {
    const uint32_t begin = f->first_out[f->fan.centers[lane]] + done;
    const uint32_t end = f->first_out[f->fan.centers[lane] + 1];
    for (uint32_t i = begin; i < end && i < begin + WEFT__MAX_SLOTS; ++i) {
      const uint32_t other = f->other[f->out[i]];
      if (f->fan.other_number[other] == 0) {
        f->fan.other_of_number[*other_count] = other;
        f->fan.other_number[other] = ++*other_count;
      }
      f->fan.edge_link[count] = f->link[f->out[i]];
      f->fan.edges[count++] =
          (weft__edge){.lane = (uint16_t)lane, .other = (uint16_t)(f->fan.other_number[other] - 1)};
    }
  }
  for (uint32_t i = 0; i < *other_count; ++i) f->fan.other_number[f->fan.other_of_number[i]] = 0;
  return count;
}

static bool emit_slot(weft__fans* f, weft__emitter* emitter, uint32_t slot) {
  weft__lanes lanes = {
      .kind = WEFT__RUN_FAN,
      .first = {emitter->fan_centers, f->fan.center_count},
      .lane_count = WEFT__FAN_LANES,
  };
  for (uint32_t lane = 0; lane < lanes.lane_count; ++lane) {
    // empty lanes: the record past all others
    lanes.item[lane] = WEFT__EMPTY_LANE;
    lanes.local[lane] = (uint16_t)(2 * f->local_count);
    if (lane >= f->fan.center_count || (f->fan.slots.lane_used[lane] >> slot & 1) == 0) continue;
    const uint32_t edge = f->fan.slots.lane_edge[lane][slot];
    lanes.item[lane] = f->fan.edge_link[edge];
    lanes.local[lane] = (uint16_t)(2 * f->fan.other_of_number[f->fan.edges[edge].other]);
  }
  return weft__emit_batch_begin(emitter) && weft__emit_lanes(emitter, &lanes);
}

// In rounds of WEFT__MAX_SLOTS links a centre.
static bool emit_fan(weft__fans* f, weft__emitter* emitter) {
  uint16_t centers[WEFT__FAN_LANES];
  for (uint32_t lane = 0; lane < WEFT__FAN_LANES; ++lane) {
    const uint32_t center = lane < f->fan.center_count ? f->fan.centers[lane] : f->local_count;
    centers[lane] = (uint16_t)(2 * center);
  }
  if (!weft__emit_centers(emitter, centers)) return false;
  for (uint32_t done = 0;; done += WEFT__MAX_SLOTS) {
    uint32_t other_count = 0;
    const uint32_t edge_count = list_edges(f, done, &other_count);
    if (edge_count == 0) return true;
    const uint32_t slot_count =
        weft__assign_slots(&f->fan.slots, f->fan.edges, edge_count, other_count);
    for (uint32_t slot = 0; slot < slot_count; ++slot) {
      if (!emit_slot(f, emitter, slot)) return false;
    }
  }
}

weft__fans_result weft__fans_emit(weft__fans* f, weft__emitter* emitter, uint32_t patch,
                                  const uint32_t* link_numbers, uint32_t count) {
  const weft__fans_result result = make_segments(f, emitter, patch, link_numbers, count);
  if (result != WEFT__FANS_MADE) return result;
  load_links(f, link_numbers, count);
  bucket_links(f, f->center, f->other, f->first_at, f->at);
  balance_loads(f);
  bucket_links(f, f->center, NULL, f->first_out, f->out);
  memset(f->visited, 0, f->own_count * sizeof(*f->visited));
  f->fan.number = 0;
  list_unassigned(f);
  while (f->unassigned_count > 0) {
    choose_centers(f);
    if (!emit_fan(f, emitter)) return WEFT__FANS_NO_MEMORY;
  }
  weft__schedule* schedule = emitter->schedule;
  if (f->local_count > schedule->max_locals) schedule->max_locals = f->local_count;
  return WEFT__FANS_MADE;
}
