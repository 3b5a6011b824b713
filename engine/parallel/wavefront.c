#include "parallel/wavefront.h"

#include <sched.h>

#include "base/clock.h"
#include "base/memory.h"
#include "parallel/pause.h"

// patches in a row not ready before those further behind are postponed
#define MAX_MISSES 8u
// polls before a worker looks beyond its share, and before it leaves
#define STEAL_LIMIT 8u
#define SPIN_LIMIT 1000u
#define HOLDER_BITS 9u
#define HOLDER_MASK ((1u << HOLDER_BITS) - 1)
#define PHASE_MASK (UINT32_MAX >> HOLDER_BITS)

typedef struct pass {
  weft__wavefront* wavefront;
  const weft__schedule* schedule;
  weft__worker_pool* pool;
  weft__spans* spans; /* NULL: off */
  uint32_t phase_count;
  uint32_t first_backward;
  weft__run_phase* run_phase;
  void* context;
  uint32_t share_count;
  const weft__ghosts* ghosts;
  uint32_t patch_count; /* not absent */
} pass;

uint64_t weft__patch_cost(const weft__schedule* schedule, uint32_t patch) {
  uint64_t groups = (schedule->patch_first[patch + 1] - schedule->patch_first[patch]) / WEFT__LANES;
  const uint32_t end = weft__patch_end_run(schedule, patch);
  for (uint32_t r = weft__patch_first_run(schedule, patch); r < end; ++r) {
    groups += schedule->runs[r].group_count;
  }
  return groups + weft__hinge_cost(&schedule->hinges, patch) +
         weft__membrane_cost(&schedule->membranes, patch) + 1;
}

// The i-th patch that is not absent; a ghost costs next to nothing.
static uint64_t cost_at(const weft__schedule* schedule, const weft__ghosts* ghosts, uint32_t i) {
  if (ghosts == NULL) return weft__patch_cost(schedule, i);
  const uint32_t patch = ghosts->patches[i];
  return ghosts->role[patch] == WEFT__PATCH_GHOST ? 1 : weft__patch_cost(schedule, patch);
}

static void partition(const weft__schedule* schedule, const weft__ghosts* ghosts,
                      uint32_t part_count, uint32_t* first) {
  const uint32_t count = ghosts != NULL ? ghosts->patch_count : schedule->patch_count;
  uint64_t all = 0;
  for (uint32_t i = 0; i < count; ++i) all += cost_at(schedule, ghosts, i);
  uint64_t so_far = 0;
  uint32_t part = 0;
  for (uint32_t i = 0; i < count; ++i) {
    while (part < part_count && so_far * part_count >= all * part) first[part++] = i;
    so_far += cost_at(schedule, ghosts, i);
  }
  while (part <= part_count) first[part++] = count;
}

void weft__partition_patches(const weft__schedule* schedule, uint32_t part_count, uint32_t* first) {
  partition(schedule, NULL, part_count, first);
}

void weft__wavefront_set_ghosts(weft__wavefront* wavefront, const weft__schedule* schedule,
                                uint32_t worker_count, const weft__ghosts* ghosts) {
  wavefront->ghosts = ghosts;
  // absent patches have completed the runs so far, too
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    // relaxed: published by the pool
    atomic_store_explicit(&wavefront->state[p], wavefront->begun << HOLDER_BITS,
                          memory_order_relaxed);
  }
  partition(schedule, ghosts, worker_count, wavefront->first_patch);
}

bool weft__wavefront_create(weft__wavefront* wavefront, const weft__schedule* schedule,
                            uint32_t worker_count) {
  const uint32_t patches = schedule->patch_count;
  *wavefront = (weft__wavefront){
      .state = weft__alloc(patches, sizeof(*wavefront->state)),
      .first_patch = weft__alloc((size_t)worker_count + 1, sizeof(*wavefront->first_patch)),
      .bytes = patches * sizeof(*wavefront->state) +
               (worker_count + 1) * sizeof(*wavefront->first_patch),
  };
  if (wavefront->state == NULL || wavefront->first_patch == NULL) {
    weft__wavefront_destroy(wavefront);
    return false;
  }
  for (uint32_t p = 0; p < patches; ++p) atomic_init(&wavefront->state[p], 0);
  weft__partition_patches(schedule, worker_count, wavefront->first_patch);
  return true;
}

void weft__wavefront_destroy(weft__wavefront* wavefront) {
  weft__free(wavefront->state);
  weft__free(wavefront->first_patch);
  *wavefront = (weft__wavefront){0};
}

static uint32_t phases_of(const pass* p, uint32_t state) {
  return ((state >> HOLDER_BITS) - p->wavefront->begun) & PHASE_MASK;
}

static uint32_t state_of(const pass* p, uint32_t phases, uint32_t holder) {
  return (p->wavefront->begun + phases) << HOLDER_BITS | holder;
}

static uint32_t load_state(const pass* p, uint32_t patch) {
  // seq_cst: acquires particles released in advance(); condition of weft__worker_pool_await()
  return atomic_load_explicit(&p->wavefront->state[patch], memory_order_seq_cst);
}

// First neighbour that is not far enough; UINT32_MAX if none.
static uint32_t find_blocker(const pass* p, uint32_t patch, uint32_t phase) {
  const weft__schedule* schedule = p->schedule;
  const uint32_t color = schedule->patch_color[patch];
  const bool is_backward = phase >= p->first_backward;
  const uint32_t end = schedule->patch_first_neighbor[patch + 1];
  for (uint32_t n = schedule->patch_first_neighbor[patch]; n < end; ++n) {
    const uint32_t neighbor = schedule->neighbors[n];
    if (p->ghosts != NULL && p->ghosts->role[neighbor] == WEFT__PATCH_ABSENT) continue;
    const bool goes_first = phase > 0 && (schedule->patch_color[neighbor] < color) != is_backward;
    if (phases_of(p, load_state(p, neighbor)) < phase + (goes_first ? 1 : 0)) return neighbor;
  }
  return UINT32_MAX;
}

static uint32_t number_of(const pass* p, uint32_t phase) {
  return (p->wavefront->begun + phase) & PHASE_MASK;
}

static weft__patch_role role_of(const pass* p, uint32_t patch) {
  return p->ghosts == NULL ? WEFT__PATCH_OWN : (weft__patch_role)p->ghosts->role[patch];
}

static bool is_ready(const pass* p, uint32_t patch, uint32_t phase) {
  if (role_of(p, patch) == WEFT__PATCH_GHOST &&
      !p->ghosts->has_arrived(p->ghosts->context, patch, phase, number_of(p, phase))) {
    return false;
  }
  return find_blocker(p, patch, phase) == UINT32_MAX;
}

static void run_one(const pass* p, uint32_t patch, uint32_t phase, uint32_t worker) {
  const weft__patch_role role = role_of(p, patch);
  if (role == WEFT__PATCH_GHOST) {
    p->ghosts->apply(p->ghosts->context, patch, phase, number_of(p, phase));
    return;
  }
  p->run_phase(p->context, patch, phase, worker);
  if (role == WEFT__PATCH_BORDER) {
    p->ghosts->publish(p->ghosts->context, patch, phase, number_of(p, phase));
  }
}

static bool can_advance(const pass* p, uint32_t patch, uint32_t state) {
  const uint32_t phase = phases_of(p, state);
  return (state & HOLDER_MASK) == 0 && phase < p->phase_count && is_ready(p, patch, phase);
}

static int64_t begin_phases(const pass* p, uint32_t worker) {
  const int64_t time = weft__clock_ns();
  weft__spans_end_wait(p->spans, worker, time);
  return time;
}

static int64_t record_phase(const pass* p, uint32_t worker, int64_t begin, uint32_t patch,
                            uint32_t phase) {
  return weft__spans_add_phase(p->spans, worker, begin, patch, phase,
                               p->schedule->patch_color[patch]);
}

// Claims a patch and advances it as far as neighbours allow; true if at all.
static bool advance(const pass* p, uint32_t patch, uint32_t worker) {
  atomic_uint* own = &p->wavefront->state[patch];
  uint32_t state = load_state(p, patch);
  const uint32_t holder = worker + 1;
  // acquire: pairs with the stores below, as a failed claim is not followed by work
  if (!can_advance(p, patch, state) ||
      !atomic_compare_exchange_strong_explicit(own, &state, state | holder, memory_order_acquire,
                                               memory_order_relaxed)) {
    return false;
  }
  uint32_t phase = phases_of(p, state);
  int64_t time = p->spans != NULL ? begin_phases(p, worker) : 0;
  do {
    run_one(p, patch, phase, worker);
    if (p->spans != NULL) time = record_phase(p, worker, time, patch, phase);
    ++phase;
    // release: pairs with load_state() for neighbours
    atomic_store_explicit(own, state_of(p, phase, holder), memory_order_release);
  } while (phase < p->phase_count && is_ready(p, patch, phase));
  // seq_cst: for the condition of weft__worker_pool_await()
  atomic_store_explicit(own, state_of(p, phase, 0), memory_order_seq_cst);
  if (phase == p->phase_count) {
    atomic_fetch_sub_explicit(&p->wavefront->unfinished, 1, memory_order_seq_cst);
  }
  weft__worker_pool_report(p->pool, worker);
  if (p->ghosts != NULL && worker == 0) p->ghosts->poll(p->ghosts->context, 0);
  return true;
}

static uint32_t unfinished(const pass* p) {
  return atomic_load_explicit(&p->wavefront->unfinished, memory_order_seq_cst);
}

typedef struct share {
  uint32_t first, count;
  bool is_downward;
  uint32_t finished;
} share;

static share share_of(const pass* p, uint32_t owner) {
  const uint32_t* first = p->wavefront->first_patch;
  // even: begin at both ends, where the borders are
  const bool is_odd = p->ghosts != NULL && p->ghosts->is_odd && p->share_count % 2 == 1;
  if (p->share_count == 1) return (share){.count = p->patch_count, .is_downward = is_odd};
  return (share){first[owner], first[owner + 1] - first[owner], (owner % 2 == 1) != is_odd, 0};
}

static uint32_t patch_of(const pass* p, uint32_t i) {
  return p->ghosts != NULL ? p->ghosts->patches[i] : i;
}

static uint32_t patch_at(const pass* p, const share* s, uint32_t i) {
  return patch_of(p, s->is_downward ? s->first + s->count - 1 - i : s->first + i);
}

static void advance_behind(const pass* p, const share* s, uint32_t i, uint32_t worker) {
  uint32_t misses = 0;
  while (i > s->finished && misses < MAX_MISSES) {
    misses = advance(p, patch_at(p, s, --i), worker) ? 0 : misses + 1;
  }
}

static void skip_finished(const pass* p, share* s) {
  while (s->finished < s->count &&
         phases_of(p, load_state(p, patch_at(p, s, s->finished))) == p->phase_count) {
    ++s->finished;
  }
}

static bool pass_over(const pass* p, share* s, uint32_t worker) {
  bool moved = false;
  for (uint32_t i = s->finished; i < s->count; ++i) {
    if (!advance(p, patch_at(p, s, i), worker)) continue;
    moved = true;
    advance_behind(p, s, i, worker);
  }
  skip_finished(p, s);
  return moved;
}

// Advances one patch of another share, its owner's last first.
static bool steal(const pass* p, uint32_t worker) {
  for (uint32_t k = 1; k < p->share_count; ++k) {
    const share other = share_of(p, (worker + k) % p->share_count);
    for (uint32_t i = other.count; i-- > 0;) {
      if (advance(p, patch_at(p, &other, i), worker)) return true;
    }
  }
  return false;
}

// The worker waits for the neighbour, or the holder, of its share's first unfinished patch.
static void record_wait(const pass* p, const share* s, uint32_t worker) {
  if (p->spans->lists[worker].wait != NULL) return;
  uint32_t patch = WEFT_SPAN_NONE, state = 0;
  for (uint32_t i = s->finished; i < s->count && patch == WEFT_SPAN_NONE; ++i) {
    const uint32_t own = patch_at(p, s, i);
    state = load_state(p, own);
    const uint32_t phase = phases_of(p, state);
    if (phase == p->phase_count) continue;
    const uint32_t blocker = (state & HOLDER_MASK) != 0 ? own : find_blocker(p, own, phase);
    if (blocker == UINT32_MAX) return;  // may advance by now
    patch = blocker;
    state = load_state(p, blocker);
  }
  const uint32_t holder = state & HOLDER_MASK;
  weft__spans_begin_wait(p->spans, worker, patch, holder > 0 ? holder - 1 : WEFT_SPAN_NONE);
}

// condition: a patch may advance, or none is left
static bool has_ready(const void* context) {
  const pass* p = context;
  if (unfinished(p) == 0) return true;
  for (uint32_t i = 0; i < p->patch_count; ++i) {
    const uint32_t patch = patch_of(p, i);
    if (can_advance(p, patch, load_state(p, patch))) return true;
  }
  return false;
}

// `idle`: polls so far. False if the worker leaves. With ghosts none sleeps: messages wake nobody.
static bool wait_for_ready(const pass* p, uint32_t worker, uint32_t idle) {
  if (p->ghosts != NULL && worker == 0) {
    p->ghosts->poll(p->ghosts->context, idle + 1);
  } else if (idle < SPIN_LIMIT) {
    weft__pause();
  } else if (p->ghosts != NULL) {
    sched_yield();
  } else if (worker > 0) {
    return false;
  } else {
    weft__worker_pool_await(p->pool, has_ready, p);
  }
  return true;
}

static void advance_all(const pass* p, uint32_t worker) {
  uint32_t owner = worker;
  share own = share_of(p, owner);
  for (uint32_t idle = 0; unfinished(p) > 0; ++idle) {
    // own share done: help with the next
    if (own.finished == own.count) own = share_of(p, ++owner % p->share_count);
    if (pass_over(p, &own, worker) || (idle >= STEAL_LIMIT && steal(p, worker))) {
      idle = 0;
      continue;
    }
    if (p->spans != NULL) record_wait(p, &own, worker);
    if (!wait_for_ready(p, worker, idle)) return;
    if (idle % 16 == 15 && weft__worker_pool_is_in_the_way(p->pool, worker)) return;
  }
}

static void run_worker(void* context, uint32_t worker) {
  const pass* p = context;
  advance_all(p, worker);
  if (p->spans != NULL) weft__spans_end_wait(p->spans, worker, weft__clock_ns());
}

void weft__wavefront_run(weft__wavefront* wavefront, const weft__schedule* schedule,
                         weft__worker_pool* pool, uint32_t phase_count, uint32_t first_backward,
                         weft__run_phase* run_phase, const char* name, void* context) {
  const uint32_t shares = weft__worker_pool_is_helped(pool) ? weft__worker_pool_count(pool) : 1;
  weft__spans* spans = weft__worker_pool_spans(pool);
  const weft__ghosts* ghosts = wavefront->ghosts;
  const uint32_t patch_count = ghosts != NULL ? ghosts->patch_count : schedule->patch_count;
  pass p = {wavefront, schedule, pool,   spans,  phase_count, first_backward,
            run_phase, context,  shares, ghosts, patch_count};
  const weft_span job = {.kind = WEFT_SPAN_WAVEFRONT,
                         .item_count = patch_count,
                         .phase = phase_count,
                         .level = wavefront->level};
  weft_span* span =
      spans != NULL ? weft__spans_begin_job(spans, name, &job, weft__clock_ns()) : NULL;
  // relaxed: published by the pool
  atomic_store_explicit(&wavefront->unfinished, patch_count, memory_order_relaxed);
  weft__worker_pool_run(pool, run_worker, &p);
  if (ghosts != NULL) ghosts->poll(ghosts->context, 0);
  wavefront->begun = (wavefront->begun + phase_count) & PHASE_MASK;
  if (spans != NULL) weft__spans_end_job(span, weft__clock_ns());
}
