#include "cluster/ghosts.h"

#include <string.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/memory.h"
#include "schedule/touched.h"

// In front of the positions of an entry, three floats each.
typedef struct entry_head {
  uint32_t level, ghost, number, count;
} entry_head;

// a patch touches at most WEFT__MAX_LOCALS particles: each entry fits a message
_Static_assert(WEFT__PHASES_HEAD + sizeof(entry_head) + WEFT__MAX_LOCALS * 3 * sizeof(float) <=
                   WEFT_MAX_MESSAGE,
               "entries fit messages");

// ---- marks ----

static bool mark_range(void* context, weft__range particles) {
  uint8_t* marks = context;
  if (particles.end > particles.begin) {
    memset(marks + particles.begin, 1, particles.end - particles.begin);
  }
  return true;
}

static weft__range particles_of(const weft__schedule* schedule, uint32_t patch) {
  return (weft__range){schedule->patch_first[patch], schedule->patch_first[patch + 1]};
}

void weft__mark_touched(const weft__schedule* schedule, weft__range patches, uint8_t* marks) {
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    (void)mark_range(marks, particles_of(schedule, patch));
    (void)weft__visit_touched(schedule, patch, mark_range, marks);
  }
}

// ---- construction: roles ----

// Patches next to own ones are ghosts. Returns the number of patches that are not absent.
static uint32_t set_roles(const weft__schedule* schedule, weft__range own, uint8_t* role) {
  uint32_t count = 0;
  for (uint32_t patch = own.begin; patch < own.end; ++patch) {
    role[patch] = WEFT__PATCH_OWN;
    const uint32_t end = schedule->patch_first_neighbor[patch + 1];
    for (uint32_t n = schedule->patch_first_neighbor[patch]; n < end; ++n) {
      const uint32_t neighbor = schedule->neighbors[n];
      if (neighbor >= own.begin && neighbor < own.end) continue;
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

// ---- construction: particles of ghosts ----

// Appends marked particles of a range, unless listed, and clears `listed`.
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
  const uint8_t* marks; /* of particles that own patches touch */
  uint8_t* touched;     /* scratch, clear but for the patch's particles not yet listed */
} lister;

static bool list_marked(void* context, weft__range range) {
  const lister* l = context;
  return list_range(l->list, range, l->marks, l->touched);
}

// Lists the particles that a ghost and own patches touch, the ghost's own first.
static bool list_ghost(const weft__schedule* schedule, weft__ghost* ghost, lister* l) {
  const weft__range own = particles_of(schedule, ghost->patch);
  ghost->shared.first = (uint32_t)l->list->count;
  (void)mark_range(l->touched, own);
  (void)weft__visit_touched(schedule, ghost->patch, mark_range, l->touched);
  if (!list_marked(l, own)) return false;
  ghost->shared.own_count = (uint32_t)l->list->count - ghost->shared.first;
  if (!weft__visit_touched(schedule, ghost->patch, list_marked, l)) return false;
  ghost->shared.count = (uint32_t)l->list->count - ghost->shared.first;
  // particles that no own patch touches
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

// ---- construction: targets ----

// Numbers of a ghost in a request to the owner of its patch, before its particles.
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

// Counts the targets of each patch, or fills them.
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
        WEFT__GHOST_SLOTS * (sizeof(entry_head) + count * 3 * sizeof(float));
  }
  return true;
}

static bool fill_targets(weft__ghost_level* level, const weft__words* of_rank) {
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

// ---- phases of ghosts ----

static float* slot_of(const weft__ghost* ghost, uint32_t number) {
  return ghost->slot + (size_t)(number % WEFT__GHOST_SLOTS) * 3 * ghost->shared.count;
}

static bool has_arrived(void* context, uint32_t patch, uint32_t phase, uint32_t number) {
  weft__ghost_level* level = context;
  if (phase == level->quiet_phase) return true;
  weft__ghost* ghost = &level->list[level->ghost_of[patch]];
  // acquire: pairs with take_entry()
  return atomic_load_explicit(&ghost->arrived[number % WEFT__GHOST_SLOTS], memory_order_acquire) ==
         number + 1;
}

static void apply(void* context, uint32_t patch, uint32_t phase, uint32_t number) {
  const weft__ghost_level* level = context;
  if (phase == level->quiet_phase) return;
  const weft__ghost* ghost = &level->list[level->ghost_of[patch]];
  const weft__particles* p = level->particles;
  const uint32_t* particle = level->ghost_particles.items + ghost->shared.first;
  const uint32_t count = phase == 0 ? ghost->shared.own_count : ghost->shared.count;
  const float* from = slot_of(ghost, number);
  for (uint32_t k = 0; k < count; ++k) {
    p->pos_x[particle[k]] = *from++;
    p->pos_y[particle[k]] = *from++;
    p->pos_z[particle[k]] = *from++;
  }
}

// Adds an entry to an outbox.
static void publish_to(const weft__ghost_level* level, const weft__target* target, uint32_t phase,
                       uint32_t number) {
  weft__outbox* outbox = &level->border->outboxes[target->outbox];
  const weft__particles* p = level->particles;
  const uint32_t* particle = level->sent_particles.items + target->shared.first;
  const uint32_t count = phase == 0 ? target->shared.own_count : target->shared.count;
  const entry_head head = {level->number, target->ghost, number, count};
  pthread_mutex_lock(&outbox->mutex);
  unsigned char* to = outbox->bytes + outbox->size;
  outbox->size += sizeof(head) + count * 3 * sizeof(float);
  WEFT__ASSERT(outbox->size <= outbox->capacity);
  memcpy(to, &head, sizeof(head));
  float* floats = (float*)(void*)(to + sizeof(head));
  for (uint32_t k = 0; k < count; ++k) {
    *floats++ = p->pos_x[particle[k]];
    *floats++ = p->pos_y[particle[k]];
    *floats++ = p->pos_z[particle[k]];
  }
  pthread_mutex_unlock(&outbox->mutex);
}

static void publish(void* context, uint32_t patch, uint32_t phase, uint32_t number) {
  const weft__ghost_level* level = context;
  if (phase == level->quiet_phase) return;
  for (uint32_t t = level->first_target[patch]; t < level->first_target[patch + 1]; ++t) {
    publish_to(level, &level->targets[t], phase, number);
  }
  // release: pairs with send_all()
  atomic_fetch_add_explicit(&level->border->waiting, 1, memory_order_release);
}

// ---- messages ----

static size_t entry_bytes(const unsigned char* bytes) {
  entry_head head;
  memcpy(&head, bytes, sizeof(head));
  return sizeof(head) + head.count * 3 * sizeof(float);
}

// Sends whole entries, as many as a message holds.
static void send_entries(const weft__border* border, const weft__outbox* outbox, size_t size) {
  unsigned char* begin = outbox->sending + WEFT__PHASES_HEAD;
  unsigned char* end = outbox->sending + size;
  while (begin < end) {
    unsigned char* next = begin;
    while (next < end &&
           (size_t)(next - begin) + entry_bytes(next) + WEFT__PHASES_HEAD <= WEFT_MAX_MESSAGE) {
      next += entry_bytes(next);
    }
    weft__mailbox_send_phases(border->mailbox, outbox->rank, begin - WEFT__PHASES_HEAD,
                              (size_t)(next - begin) + WEFT__PHASES_HEAD);
    begin = next;
  }
}

static void send_all(weft__border* border) {
  // acquire: pairs with publish()
  if (atomic_exchange_explicit(&border->waiting, 0, memory_order_acquire) == 0) return;
  for (uint32_t b = 0; b < border->outbox_count; ++b) {
    weft__outbox* outbox = &border->outboxes[b];
    pthread_mutex_lock(&outbox->mutex);
    const size_t size = outbox->size;
    unsigned char* bytes = outbox->bytes;
    outbox->bytes = outbox->sending;
    outbox->sending = bytes;
    outbox->size = WEFT__PHASES_HEAD;
    pthread_mutex_unlock(&outbox->mutex);
    if (size > WEFT__PHASES_HEAD) send_entries(border, outbox, size);
  }
}

static void take_entry(const weft__border* border, const entry_head* head,
                       const unsigned char* floats) {
  weft__ghost* ghost = &border->levels[head->level].list[head->ghost];
  const size_t size = head->count * 3 * sizeof(float);
  if (size > 0) memcpy(slot_of(ghost, head->number), floats, size);
  // release: pairs with has_arrived()
  atomic_store_explicit(&ghost->arrived[head->number % WEFT__GHOST_SLOTS], head->number + 1,
                        memory_order_release);
}

static void take_entries(void* context, const unsigned char* bytes, size_t size) {
  const weft__border* border = context;
  for (const unsigned char* end = bytes + size; bytes < end; bytes += entry_bytes(bytes)) {
    entry_head head;
    memcpy(&head, bytes, sizeof(head));
    take_entry(border, &head, bytes + sizeof(head));
  }
}

// Last phase that a ghost has got, as a number.
static uint32_t last_number(const weft__ghost* ghost) {
  uint32_t last = 0;
  for (uint32_t s = 0; s < WEFT__GHOST_SLOTS; ++s) {
    const uint32_t here = atomic_load_explicit(&ghost->arrived[s], memory_order_relaxed);
    if (here > last) last = here;
  }
  return last;
}

// Logs the ghost that is furthest behind.
static void report_stuck(const weft__ghost_level* level) {
  const weft__ghost* behind = &level->list[0];
  for (uint32_t g = 1; g < level->count; ++g) {
    if (last_number(&level->list[g]) < last_number(behind)) behind = &level->list[g];
  }
  weft__ranks_stuck(level->border->mailbox->transport.rank, behind->rank, "phase of patch",
                    behind->patch, last_number(behind));
}

static void poll(void* context, uint32_t idle) {
  weft__ghost_level* level = context;
  weft__border* border = level->border;
  send_all(border);
  weft__mailbox_poll(border->mailbox);
  if (idle == 0) {
    if (border->idle_since != 0) {
      border->mailbox->traffic.waited_ns += weft__clock_ns() - border->idle_since;
    }
    border->idle_since = border->stuck_since = 0;
    return;
  }
  if (border->idle_since == 0) border->idle_since = weft__clock_ns();
  if (weft__mailbox_idle(idle, &border->stuck_since)) report_stuck(level);
}

// ---- creation and destruction ----

bool weft__border_create(weft__border* border, weft__mailbox* mailbox, uint32_t level_capacity) {
  *border = (weft__border){
      .mailbox = mailbox,
      .levels = weft__alloc_zeroed(level_capacity, sizeof(*border->levels)),
      .level_capacity = level_capacity,
      .outboxes = weft__alloc_zeroed(mailbox->transport.rank_count, sizeof(*border->outboxes)),
  };
  mailbox->take_phases = take_entries;
  mailbox->context = border;
  return border->levels != NULL && border->outboxes != NULL;
}

static bool create_level(weft__ghost_level* level, const uint32_t* rank_first, weft__range own,
                         weft__words* of_rank) {
  const uint32_t patch_count = level->schedule->patch_count;
  level->role = weft__alloc_zeroed(patch_count, sizeof(*level->role));
  level->ghost_of = weft__alloc(patch_count, sizeof(*level->ghost_of));
  level->first_target = weft__alloc_zeroed((size_t)patch_count + 2, sizeof(uint32_t));
  return level->role != NULL && level->ghost_of != NULL && level->first_target != NULL &&
         of_rank != NULL && list_patches(level, own) && list_ghosts(level, rank_first, own) &&
         request_ghosts(level, of_rank);
}

weft__ghost_level* weft__border_add(weft__border* border, weft__channel* channel,
                                    const weft__schedule* schedule,
                                    const weft__particles* particles, const uint32_t* rank_first,
                                    uint32_t quiet_phase) {
  const uint32_t own_rank = border->mailbox->transport.rank;
  const uint32_t rank_count = border->mailbox->transport.rank_count;
  const weft__range own = {rank_first[own_rank], rank_first[own_rank + 1]};
  weft__ghost_level* level = &border->levels[border->level_count];
  *level = (weft__ghost_level){.border = border,
                               .schedule = schedule,
                               .particles = particles,
                               .number = border->level_count++,
                               .quiet_phase = quiet_phase};
  weft__words* of_rank = weft__alloc_zeroed(rank_count, sizeof(*of_rank));
  bool good = create_level(level, rank_first, own, of_rank);
  // no rank trades alone
  good = weft__mailbox_agree(border->mailbox, channel, good);
  good = good && weft__mailbox_trade(border->mailbox, channel, of_rank) &&
         fill_targets(level, of_rank);
  for (uint32_t rank = 0; rank < rank_count && of_rank != NULL; ++rank) {
    weft__free(of_rank[rank].items);
  }
  weft__free(of_rank);
  level->ghosts.role = level->role;
  level->ghosts.is_odd = own_rank % 2 == 1;
  level->ghosts.context = level;
  level->ghosts.has_arrived = has_arrived;
  level->ghosts.apply = apply;
  level->ghosts.publish = publish;
  level->ghosts.poll = poll;
  return good ? level : NULL;
}

static bool allocate_slots(weft__ghost_level* level) {
  level->slots = weft__alloc(level->ghost_particles.count * 3 * WEFT__GHOST_SLOTS, sizeof(float));
  if (level->slots == NULL) return false;
  for (uint32_t g = 0; g < level->count; ++g) {
    weft__ghost* ghost = &level->list[g];
    ghost->slot = level->slots + (size_t)ghost->shared.first * 3 * WEFT__GHOST_SLOTS;
  }
  return true;
}

bool weft__border_finish(weft__border* border) {
  for (uint32_t l = 0; l < border->level_count; ++l) {
    if (!allocate_slots(&border->levels[l])) return false;
  }
  for (uint32_t b = 0; b < border->outbox_count; ++b) {
    weft__outbox* outbox = &border->outboxes[b];
    outbox->capacity += WEFT__PHASES_HEAD;
    outbox->bytes = weft__alloc(outbox->capacity, 1);
    outbox->sending = weft__alloc(outbox->capacity, 1);
    if (outbox->bytes == NULL || outbox->sending == NULL) return false;
  }
  return true;
}

void weft__border_destroy(weft__border* border) {
  for (uint32_t l = 0; l < border->level_count; ++l) {
    weft__ghost_level* level = &border->levels[l];
    weft__free(level->role);
    weft__free(level->patches);
    weft__free(level->ghost_of);
    weft__free(level->list);
    weft__free(level->ghost_particles.items);
    weft__free(level->first_target);
    weft__free(level->targets);
    weft__free(level->sent_particles.items);
    weft__free(level->slots);
  }
  for (uint32_t b = 0; b < border->outbox_count; ++b) {
    pthread_mutex_destroy(&border->outboxes[b].mutex);
    weft__free(border->outboxes[b].bytes);
    weft__free(border->outboxes[b].sending);
  }
  weft__free(border->levels);
  weft__free(border->outboxes);
  *border = (weft__border){0};
}
