#include "collision/self/exclusions.h"

#include <stdlib.h>

#include "base/memory.h"

// a link as one of its ends sees it
typedef struct strand {
  uint32_t to;
  float length;  // metres, at rest
} strand;

// all links, by their ends: those of p are strands[first[p]] up to first[p + 1]
typedef struct web {
  const weft__schedule* schedule;
  uint32_t* first;  // [particle_count + 2]
  strand* strands;
  bool is_counting;
} web;

static float rest_of(const weft__schedule* schedule, const weft__lane* lane) {
  const weft__run* run = lane->run;
  const size_t group = lane->group - run->first_group;
  return schedule
      ->rest_length[run->rest + group * run->rest_stride + (uint32_t)__builtin_ctz(lane->bit)];
}

// counted two places up, so that filling moves each start to where the next one belongs
static void meet_link(void* context, const weft__lane* lane) {
  web* w = context;
  if (w->is_counting) {
    ++w->first[lane->a + 2];
    ++w->first[lane->b + 2];
    return;
  }
  const float length = rest_of(w->schedule, lane);
  w->strands[w->first[lane->a + 1]++] = (strand){lane->b, length};
  w->strands[w->first[lane->b + 1]++] = (strand){lane->a, length};
}

static void visit_links(web* w, const uint16_t* held, bool is_counting) {
  w->is_counting = is_counting;
  for (uint32_t patch = 0; patch < w->schedule->patch_count; ++patch) {
    weft__schedule_visit(w->schedule, patch, held, meet_link, w);
  }
}

static bool fill_web(web* w, const uint16_t* held) {
  const uint32_t count = w->schedule->particle_count;
  visit_links(w, held, true);
  for (uint32_t p = 0; p < count; ++p) w->first[p + 2] += w->first[p + 1];
  w->strands = weft__alloc(w->first[count + 1], sizeof(*w->strands));
  if (w->strands == NULL) return false;
  visit_links(w, held, false);
  return true;
}

static void destroy_web(web* w) {
  free(w->first);
  free(w->strands);
}

// lanes that hold, or held, a link
static uint16_t* new_held(const weft__schedule* schedule) {
  uint16_t* held = weft__alloc_zeroed(schedule->group_count, sizeof(*held));
  for (uint32_t i = 0; i < schedule->link_count && held != NULL; ++i) {
    const uint32_t slot = schedule->slot_of_link[i];
    uint16_t* lanes = &held[slot / WEFT__LANES];
    *lanes = (uint16_t)(*lanes | 1u << slot % WEFT__LANES);
  }
  return held;
}

static bool create_web(web* w, const weft__schedule* schedule) {
  *w = (web){.schedule = schedule,
             .first = weft__alloc_zeroed((size_t)schedule->particle_count + 2, sizeof(*w->first))};
  uint16_t* held = new_held(schedule);
  const bool good = w->first != NULL && held != NULL && fill_web(w, held);
  free(held);
  if (!good) destroy_web(w);
  return good;
}

// ---- ways ----

typedef struct relative {
  uint32_t particle;
  float way;
} relative;

// The nearest of one particle: first those whose way is known for good, nearest first, and then the others.
typedef struct family {
  relative members[WEFT__EXCLUSION_MOST + 1];
  uint32_t count, settled;
} family;

static void meet(family* f, uint32_t particle, float way) {
  for (uint32_t m = 0; m < f->count; ++m) {
    if (f->members[m].particle != particle) continue;
    if (way < f->members[m].way) f->members[m].way = way;
    return;
  }
  if (f->count <= WEFT__EXCLUSION_MOST) f->members[f->count++] = (relative){particle, way};
}

static bool is_nearer(const relative* a, const relative* b) {
  return a->way < b->way || (a->way == b->way && a->particle < b->particle);
}

static relative settle_nearest(family* f) {
  uint32_t nearest = f->settled;
  for (uint32_t m = nearest + 1; m < f->count; ++m) {
    if (is_nearer(&f->members[m], &f->members[nearest])) nearest = m;
  }
  const relative found = f->members[nearest];
  f->members[nearest] = f->members[f->settled];
  f->members[f->settled++] = found;
  return found;
}

// Dijkstra 1959, over the few that are near: a list does for a heap
static void find_family(const web* w, uint32_t particle, float reach, family* f) {
  f->members[0] = (relative){particle, 0.0f};
  f->count = 1;
  f->settled = 0;
  while (f->settled < f->count) {
    const relative here = settle_nearest(f);
    for (uint32_t s = w->first[here.particle]; s < w->first[here.particle + 1]; ++s) {
      const float way = here.way + w->strands[s].length;
      if (way <= reach) meet(f, w->strands[s].to, way);
    }
  }
}

static int compare_numbers(const void* a, const void* b) {
  const uint32_t left = ((const relative*)a)->particle;
  const uint32_t right = ((const relative*)b)->particle;
  return left < right ? -1 : left > right;
}

// what grows while families are found
typedef struct gathered_exclusions {
  relative* entries;
  size_t capacity;
} gathered_exclusions;

static bool add_family(gathered_exclusions* drawn, size_t count, family* f) {
  const uint32_t others = f->count - 1;
  if (!weft__grow((void**)&drawn->entries, &drawn->capacity, count + others,
                  sizeof(*drawn->entries))) {
    return false;
  }
  qsort(f->members + 1, others, sizeof(*f->members), compare_numbers);
  for (uint32_t m = 0; m < others; ++m) drawn->entries[count + m] = f->members[m + 1];
  return true;
}

static bool find_families(weft__exclusions* exclusions, const web* w, gathered_exclusions* drawn) {
  const uint32_t particle_count = w->schedule->particle_count;
  size_t count = 0;
  family f;
  for (uint32_t p = 0; p < particle_count; ++p) {
    exclusions->first[p] = (uint32_t)count;
    find_family(w, p, exclusions->reach, &f);
    if (count + f.count > UINT32_MAX || !add_family(drawn, count, &f)) return false;
    count += f.count - 1;
  }
  exclusions->first[particle_count] = (uint32_t)count;
  return true;
}

static bool keep_families(weft__exclusions* exclusions, const gathered_exclusions* drawn,
                          uint32_t particle_count) {
  const size_t count = exclusions->first[particle_count];
  exclusions->of = weft__alloc(count, sizeof(*exclusions->of));
  exclusions->way = weft__alloc(count, sizeof(*exclusions->way));
  if (exclusions->of == NULL || exclusions->way == NULL) return false;
  for (size_t e = 0; e < count; ++e) {
    exclusions->of[e] = drawn->entries[e].particle;
    exclusions->way[e] = drawn->entries[e].way;
  }
  exclusions->bytes = count * (sizeof(*exclusions->of) + sizeof(*exclusions->way)) +
                      ((size_t)particle_count + 1) * sizeof(*exclusions->first);
  return true;
}

bool weft__exclusions_create(weft__exclusions* exclusions, const weft__schedule* schedule,
                             float reach) {
  *exclusions = (weft__exclusions){
      .reach = reach,
      .first = weft__alloc((size_t)schedule->particle_count + 1, sizeof(*exclusions->first))};
  web w;
  if (exclusions->first == NULL || !create_web(&w, schedule)) {
    weft__exclusions_destroy(exclusions);
    return false;
  }
  gathered_exclusions drawn = {0};
  const bool good = find_families(exclusions, &w, &drawn) &&
                    keep_families(exclusions, &drawn, schedule->particle_count);
  free(drawn.entries);
  destroy_web(&w);
  if (!good) weft__exclusions_destroy(exclusions);
  return good;
}

void weft__exclusions_destroy(weft__exclusions* exclusions) {
  free(exclusions->first);
  free(exclusions->of);
  free(exclusions->way);
  *exclusions = (weft__exclusions){0};
}
