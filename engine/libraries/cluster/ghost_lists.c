#include "libraries/cluster/ghost_lists.h"

#include <string.h>

#include "base/memory.h"
#include "schedule/touched.h"

static weft__range particles_of(const weft__schedule* schedule, uint32_t patch) {
  return (weft__range){schedule->patch_first[patch], schedule->patch_first[patch + 1]};
}

// Neighbours of own patches. Returns the number of patches that are not absent.
static uint32_t set_roles(const weft__schedule* schedule, weft__range own, uint8_t* role) {
  uint32_t count = 0;
  for (uint32_t patch = own.begin; patch < own.end; ++patch) {
    role[patch] = WEFT__PATCH_OWN;
    const uint32_t end = schedule->patch_first_neighbor[patch + 1];
    for (uint32_t n = schedule->patch_first_neighbor[patch]; n < end; ++n) {
      const uint32_t neighbor = schedule->neighbors[n];
      if (weft__range_has(own, neighbor)) continue;
      role[patch] = WEFT__PATCH_BORDER;
      role[neighbor] = WEFT__PATCH_GHOST;
    }
  }
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    count += role[patch] != WEFT__PATCH_ABSENT;
  }
  return count;
}

static bool list_patches(weft__ghost_level* level, weft__range own) {
  const uint32_t patch_count = level->schedule->patch_count;
  const uint32_t count = set_roles(level->schedule, own, level->role);
  level->patches = weft__alloc(count, sizeof(*level->patches));
  level->list = weft__alloc_zeroed(count, sizeof(*level->list));
  if (level->patches == NULL || level->list == NULL) return false;
  uint32_t n = 0;
  for (uint32_t patch = 0; patch < patch_count; ++patch) {
    level->ghost_of[patch] = WEFT__NONE;
    if (level->role[patch] == WEFT__PATCH_ABSENT) continue;
    level->patches[n++] = patch;
    if (level->role[patch] != WEFT__PATCH_GHOST) continue;
    level->ghost_of[patch] = level->count;
    level->list[level->count++].patch = patch;
  }
  level->ghosts.patches = level->patches;
  level->ghosts.patch_count = n;
  return true;
}

static bool list_range(weft__words* list, weft__range range, const uint8_t* marks,
                       uint8_t* listed) {
  for (uint32_t i = range.begin; i < range.end; ++i) {
    if (marks[i] == 0 || listed[i] == 0) continue;
    listed[i] = 0;
    if (!weft__words_push(list, i)) return false;
  }
  return true;
}

typedef struct lister {
  weft__words* list;
  const uint8_t* marks; /* own patches touch them */
  uint8_t* touched;     /* scratch, clear but for the patch's particles not yet listed */
} lister;

static bool list_marked(void* context, weft__range range) {
  const lister* l = context;
  return list_range(l->list, range, l->marks, l->touched);
}

// Particles that a ghost and own patches touch, the ghost's own first.
static bool list_ghost(const weft__schedule* schedule, weft__ghost* ghost, lister* l) {
  const weft__range own = particles_of(schedule, ghost->patch);
  ghost->shared.first = (uint32_t)l->list->count;
  (void)weft__mark_range(l->touched, own);
  (void)weft__visit_touched(schedule, ghost->patch, weft__mark_range, l->touched);
  if (!list_marked(l, own)) return false;
  ghost->shared.own_count = (uint32_t)l->list->count - ghost->shared.first;
  if (!weft__visit_touched(schedule, ghost->patch, list_marked, l)) return false;
  ghost->shared.count = (uint32_t)l->list->count - ghost->shared.first;
  memset(l->touched + own.begin, 0, own.end - own.begin);
  return true;
}

static bool clear_range(void* context, weft__range particles) {
  uint8_t* marks = context;
  if (particles.end > particles.begin) {
    memset(marks + particles.begin, 0, particles.end - particles.begin);
  }
  return true;
}

static bool list_ghosts(weft__ghost_level* level, const uint32_t* rank_first, weft__range own) {
  const weft__schedule* schedule = level->schedule;
  lister l = {.list = &level->ghost_particles,
              .touched = weft__alloc_zeroed(schedule->particle_count, 1)};
  uint8_t* marks = weft__alloc_zeroed(schedule->particle_count, 1);
  bool good = l.touched != NULL && marks != NULL;
  if (good) weft__mark_touched(schedule, own, marks);
  l.marks = marks;
  for (uint32_t g = 0; g < level->count && good; ++g) {
    level->list[g].rank = weft__rank_at(rank_first, level->list[g].patch);
    good = list_ghost(schedule, &level->list[g], &l);
    (void)weft__visit_touched(schedule, level->list[g].patch, clear_range, l.touched);
  }
  weft__free(marks);
  weft__free(l.touched);
  return good;
}

// Request to the owner of a ghost's patch, before its particles.
enum { REQUEST_PATCH, REQUEST_GHOST, REQUEST_OWN_COUNT, REQUEST_COUNT, REQUEST_HEAD };

static bool request_ghosts(const weft__ghost_level* level, weft__words* of_rank) {
  const weft__numbering* all = &level->border->mailbox->numbering;
  for (uint32_t g = 0; g < level->count; ++g) {
    const weft__ghost* ghost = &level->list[g];
    const weft__shared* shared = &ghost->shared;
    const uint32_t head[REQUEST_HEAD] = {ghost->patch + all->first_patch, g, shared->own_count,
                                         shared->count};
    weft__words* to = &of_rank[ghost->rank];
    for (uint32_t k = 0; k < REQUEST_HEAD; ++k) {
      if (!weft__words_push(to, head[k])) return false;
    }
    for (uint32_t k = 0; k < shared->count; ++k) {
      const uint32_t particle = level->ghost_particles.items[shared->first + k];
      if (!weft__words_push(to, particle + all->first_particle)) return false;
    }
  }
  return true;
}

static uint32_t find_outbox(const weft__border* border, uint32_t rank) {
  for (uint32_t b = 0; b < border->outbox_count; ++b) {
    if (border->outboxes[b].rank == rank) return b;
  }
  return WEFT__NONE;
}

static bool add_outbox(weft__border* border, uint32_t rank) {
  if (find_outbox(border, rank) != WEFT__NONE) return true;
  weft__outbox* outbox = &border->outboxes[border->outbox_count];
  *outbox = (weft__outbox){.rank = rank, .size = WEFT__PHASES_HEAD};
  if (pthread_mutex_init(&outbox->mutex, NULL) != 0) return false;
  ++border->outbox_count;
  return true;
}

static bool read_requests(weft__ghost_level* level, uint32_t rank, const weft__words* words,
                          bool fills) {
  const uint32_t outbox = find_outbox(level->border, rank);
  const weft__numbering* all = &level->border->mailbox->numbering;
  for (size_t at = 0; at < words->count;) {
    const uint32_t* head = words->items + at;
    const uint32_t count = head[REQUEST_COUNT], patch = head[REQUEST_PATCH] - all->first_patch;
    at += REQUEST_HEAD + count;
    if (!fills) {
      ++level->first_target[patch + 1];
      continue;
    }
    weft__target* target = &level->targets[level->first_target[patch + 1]++];
    *target =
        (weft__target){outbox,
                       head[REQUEST_GHOST],
                       {(uint32_t)level->sent_particles.count, count, head[REQUEST_OWN_COUNT]}};
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t particle = head[REQUEST_HEAD + k] - all->first_particle;
      if (!weft__words_push(&level->sent_particles, particle)) return false;
    }
    level->border->outboxes[outbox].capacity +=
        WEFT__GHOST_SLOTS * (sizeof(weft__ghost_entry) + count * 6 * sizeof(float));
  }
  return true;
}

bool weft__ghosts_fill_targets(weft__ghost_level* level, const weft__words* of_rank) {
  weft__border* border = level->border;
  const uint32_t rank_count = border->mailbox->transport.rank_count;
  const uint32_t own = border->mailbox->transport.rank;
  const uint32_t patch_count = level->schedule->patch_count;
  for (uint32_t rank = 0; rank < rank_count; ++rank) {
    if (rank == own || of_rank[rank].count == 0) continue;
    if (!add_outbox(border, rank)) return false;
    (void)read_requests(level, rank, &of_rank[rank], false);
  }
  uint32_t* first = level->first_target;
  for (uint32_t p = 0; p < patch_count; ++p) first[p + 1] += first[p];
  level->targets = weft__alloc(first[patch_count], sizeof(*level->targets));
  if (level->targets == NULL) return false;
  // first[p + 1] is the next free target of patch p while they are filled
  memmove(first + 1, first, patch_count * sizeof(*first));
  for (uint32_t rank = 0; rank < rank_count; ++rank) {
    if (rank != own && !read_requests(level, rank, &of_rank[rank], true)) return false;
  }
  return true;
}

bool weft__ghosts_list(weft__ghost_level* level, const uint32_t* rank_first, weft__range own,
                       weft__words* of_rank) {
  const uint32_t patch_count = level->schedule->patch_count;
  level->role = weft__alloc_zeroed(patch_count, sizeof(*level->role));
  level->ghost_of = weft__alloc(patch_count, sizeof(*level->ghost_of));
  level->first_target = weft__alloc_zeroed((size_t)patch_count + 2, sizeof(uint32_t));
  return level->role != NULL && level->ghost_of != NULL && level->first_target != NULL &&
         list_patches(level, own) && list_ghosts(level, rank_first, own) &&
         request_ghosts(level, of_rank);
}
