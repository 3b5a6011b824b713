#include "libraries/cluster/ghosts.h"

#include <string.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/memory.h"
#include "libraries/cluster/ghost_lists.h"

// a patch touches at most WEFT__MAX_LOCALS particles
_Static_assert(WEFT__PHASES_HEAD + sizeof(weft__ghost_entry) +
                       WEFT__MAX_LOCALS * 6 * sizeof(float) <=
                   WEFT_MAX_MESSAGE,
               "entries fit messages");

static float* slot_of(const weft__ghost* ghost, uint32_t number) {
  return ghost->slot + (size_t)(number % WEFT__GHOST_SLOTS) * 6 * ghost->shared.count;
}

static bool has_arrived(void* context, uint32_t patch, uint32_t phase, uint32_t number) {
  weft__ghost_level* level = context;
  if (phase == level->quiet_phase) return true;
  weft__ghost* ghost = &level->list[level->ghost_of[patch]];
  // acquire: pairs with take_entry()
  return atomic_load_explicit(&ghost->arrived[number % WEFT__GHOST_SLOTS], memory_order_acquire) ==
         number + 1;
}

static const float* load_vectors(float* const columns[3], const uint32_t* particle, uint32_t count,
                                 const float* from) {
  for (uint32_t k = 0; k < count; ++k) {
    for (int axis = 0; axis < 3; ++axis) columns[axis][particle[k]] = *from++;
  }
  return from;
}

static float* store_vectors(float* const columns[3], const uint32_t* particle, uint32_t count,
                            float* to) {
  for (uint32_t k = 0; k < count; ++k) {
    for (int axis = 0; axis < 3; ++axis) *to++ = columns[axis][particle[k]];
  }
  return to;
}

static void apply(void* context, uint32_t patch, uint32_t phase, uint32_t number) {
  const weft__ghost_level* level = context;
  if (phase == level->quiet_phase) return;
  const weft__ghost* ghost = &level->list[level->ghost_of[patch]];
  const uint32_t* particle = level->ghost_particles.items + ghost->shared.first;
  const uint32_t count = phase == 0 ? ghost->shared.own_count : ghost->shared.count;
  const float* rest = load_vectors(level->particles->pos, particle, count, slot_of(ghost, number));
  if (phase == 0) (void)load_vectors(level->start, particle, count, rest);
}

static void publish_to(const weft__ghost_level* level, const weft__target* target, uint32_t phase,
                       uint32_t number) {
  weft__outbox* outbox = &level->border->outboxes[target->outbox];
  const uint32_t* particle = level->sent_particles.items + target->shared.first;
  const uint32_t count = phase == 0 ? target->shared.own_count : target->shared.count;
  const weft__ghost_entry head = {level->number, target->ghost, number,
                                  phase == 0 ? 2 * count : count};
  pthread_mutex_lock(&outbox->mutex);
  unsigned char* to = outbox->bytes + outbox->size;
  outbox->size += sizeof(head) + head.count * 3 * sizeof(float);
  WEFT__ASSERT(outbox->size <= outbox->capacity);
  memcpy(to, &head, sizeof(head));
  float* rest =
      store_vectors(level->particles->pos, particle, count, (float*)(void*)(to + sizeof(head)));
  if (phase == 0) (void)store_vectors(level->start, particle, count, rest);
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

static size_t entry_bytes(const unsigned char* bytes) {
  weft__ghost_entry head;
  memcpy(&head, bytes, sizeof(head));
  return sizeof(head) + head.count * 3 * sizeof(float);
}

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

static void take_entry(const weft__border* border, const weft__ghost_entry* head,
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
    weft__ghost_entry head;
    memcpy(&head, bytes, sizeof(head));
    take_entry(border, &head, bytes + sizeof(head));
  }
}

static uint32_t last_number(const weft__ghost* ghost) {
  uint32_t last = 0;
  for (uint32_t s = 0; s < WEFT__GHOST_SLOTS; ++s) {
    const uint32_t here = atomic_load_explicit(&ghost->arrived[s], memory_order_relaxed);
    if (here > last) last = here;
  }
  return last;
}

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

bool weft__border_create(weft__border* border, weft__mailbox* mailbox, uint32_t level_capacity) {
  *border = (weft__border){
      .mailbox = mailbox,
      .levels = weft__alloc_zeroed(level_capacity, sizeof(*border->levels)),
      .outboxes = weft__alloc_zeroed(mailbox->transport.rank_count, sizeof(*border->outboxes)),
  };
  mailbox->take_phases = take_entries;
  mailbox->context = border;
  return border->levels != NULL && border->outboxes != NULL;
}

weft__ghost_level* weft__border_add(weft__border* border, weft__channel* channel,
                                    const weft__schedule* schedule, weft__particles* particles,
                                    float* const start[3], const uint32_t* rank_first,
                                    uint32_t quiet_phase) {
  const uint32_t own_rank = border->mailbox->transport.rank;
  const uint32_t rank_count = border->mailbox->transport.rank_count;
  const weft__range own = weft__rank_range(rank_first, own_rank);
  weft__ghost_level* level = &border->levels[border->level_count];
  *level = (weft__ghost_level){.border = border,
                               .schedule = schedule,
                               .particles = particles,
                               .start = start,
                               .number = border->level_count++,
                               .quiet_phase = quiet_phase};
  weft__words* of_rank = weft__alloc_zeroed(rank_count, sizeof(*of_rank));
  bool good = of_rank != NULL && weft__ghosts_list(level, rank_first, own, of_rank);
  // all ranks trade or none
  good = weft__mailbox_agree(border->mailbox, channel, good);
  good = good && weft__mailbox_trade(border->mailbox, channel, of_rank) &&
         weft__ghosts_fill_targets(level, of_rank);
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
  level->slots = weft__alloc(level->ghost_particles.count * 6 * WEFT__GHOST_SLOTS, sizeof(float));
  if (level->slots == NULL) return false;
  for (uint32_t g = 0; g < level->count; ++g) {
    weft__ghost* ghost = &level->list[g];
    ghost->slot = level->slots + (size_t)ghost->shared.first * 6 * WEFT__GHOST_SLOTS;
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
