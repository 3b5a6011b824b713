/* Wavefront of a replay: see engine/parallel/wavefront.c, whose rules and limits these are. */
#include <math.h>
#include <stdlib.h>

#include "simulated_pool.h"

enum { MAX_MISSES = 8 };
#define NONE UINT32_MAX

typedef struct patch_state {
  uint32_t phases; /* completed */
  uint32_t by;     /* worker that has completed the last one */
  double at;       /* time when it did so */
  uint32_t owner;  /* of the share that the patch is in */
  bool is_held;
} patch_state;

// Way of a worker over a share of the patches.
typedef struct walk {
  uint32_t owner, first, count;
  bool is_downward;
  uint32_t finished; /* patches in front that have completed all phases */
  uint32_t i;        /* of the pass, its last patch + 1 */
  uint32_t behind, misses;
  bool is_behind; /* after an advance: patches behind it are next */
  bool has_moved; /* in this pass */
  bool is_idle;
  double idle_since;
  uint32_t patch; /* that it advances */
} walk;

typedef struct wavefront {
  bench_simulated_pool* pool;
  const bench_task* task;
  const bench_patch_graph* patches;
  const double* costs;
  patch_state* states;   /* [patches] */
  walk* walks;           /* [workers] */
  uint32_t* first_patch; /* of each share, and the end [workers + 1] */
  uint32_t unfinished, idle_count;
  double end;
} wavefront;

// ---- shares ----

static double patch_cost(const wavefront* f, uint32_t patch) {
  double sum = 0.0;
  const double* costs = &f->costs[(size_t)patch * f->task->phase_count];
  for (uint32_t phase = 0; phase < f->task->phase_count; ++phase) sum += costs[phase];
  return sum;
}

static void partition(wavefront* f) {
  const double workers = (double)f->pool->count;
  double so_far = 0.0;
  uint32_t worker = 0;
  for (uint32_t p = 0; p < f->patches->count; ++p) {
    while (worker < f->pool->count && so_far * workers >= f->task->work_ns * worker) {
      f->first_patch[worker++] = p;
    }
    so_far += patch_cost(f, p);
    f->states[p].owner = worker - 1;
  }
  while (worker <= f->pool->count) f->first_patch[worker++] = f->patches->count;
}

static void enter_share(const wavefront* f, uint32_t owner, walk* w) {
  w->owner = owner;
  w->first = f->first_patch[owner];
  w->count = f->first_patch[owner + 1] - w->first;
  w->is_downward = owner % 2 == 1;
  w->finished = w->i = 0;
  w->is_behind = w->has_moved = false;
}

static uint32_t patch_at(const walk* w, uint32_t i) {
  return w->is_downward ? w->first + w->count - 1 - i : w->first + i;
}

// ---- order ----

static bool is_ready(const wavefront* f, uint32_t patch) {
  const patch_state* state = &f->states[patch];
  const uint32_t phase = state->phases;
  if (state->is_held || phase == f->task->phase_count) return false;
  const uint32_t end = f->patches->first_neighbor[patch + 1];
  for (uint32_t n = f->patches->first_neighbor[patch]; n < end; ++n) {
    const uint32_t q = f->patches->neighbors[n];
    const bool goes_first = phase > 0 && f->patches->color[q] < f->patches->color[patch];
    if (f->states[q].phases < phase + (goes_first ? 1 : 0)) return false;
  }
  return true;
}

// Next ready patch of the pass over the share; NONE at its end.
static uint32_t next_in_pass(const wavefront* f, walk* w) {
  while (w->is_behind && w->behind > w->finished && w->misses < MAX_MISSES) {
    const uint32_t patch = patch_at(w, --w->behind);
    if (is_ready(f, patch)) {
      w->misses = 0;
      return patch;
    }
    ++w->misses;
  }
  w->is_behind = false;
  while (w->i < w->count) {
    const uint32_t patch = patch_at(w, w->i++);
    if (!is_ready(f, patch)) continue;
    w->is_behind = w->has_moved = true;
    w->behind = w->i - 1;
    w->misses = 0;
    return patch;
  }
  return NONE;
}

static void begin_pass(const wavefront* f, walk* w) {
  while (w->finished < w->count &&
         f->states[patch_at(w, w->finished)].phases == f->task->phase_count) {
    ++w->finished;
  }
  w->i = w->finished;
  w->is_behind = w->has_moved = false;
}

// Ready patch of another share, from the near end of each; NONE if there is none.
static uint32_t next_of_others(const wavefront* f, uint32_t worker) {
  for (uint32_t k = 1; k < f->pool->count; ++k) {
    walk other;
    enter_share(f, (worker + k) % f->pool->count, &other);
    for (uint32_t i = other.count; i-- > 0;) {
      if (is_ready(f, patch_at(&other, i))) return patch_at(&other, i);
    }
  }
  return NONE;
}

// Next patch of a worker; the time that it takes to find one in another share is added.
static uint32_t next_patch(const wavefront* f, uint32_t worker, double* time) {
  walk* w = &f->walks[worker];
  for (uint32_t shares = 0; shares <= f->pool->count;) {
    const uint32_t patch = next_in_pass(f, w);
    if (patch != NONE) return patch;
    const bool has_moved = w->has_moved;
    begin_pass(f, w);
    if (has_moved) continue;
    if (w->finished < w->count) break;
    enter_share(f, (w->owner + 1) % f->pool->count, w);
    begin_pass(f, w);
    ++shares;
  }
  *time += f->pool->costs->steal;
  return next_of_others(f, worker);
}

// ---- phases ----

// Begins the next phase of a patch, not before its neighbours' last phases are seen.
static void begin_phase(wavefront* f, uint32_t worker, uint32_t patch, double time) {
  patch_state* state = &f->states[patch];
  const double handoff = f->pool->costs->handoff;
  const uint32_t end = f->patches->first_neighbor[patch + 1];
  if (state->phases > 0 && state->by != worker) time = fmax(time, state->at + handoff);
  for (uint32_t n = f->patches->first_neighbor[patch]; n < end; ++n) {
    const patch_state* q = &f->states[f->patches->neighbors[n]];
    if (q->phases > 0 && q->by != worker) time = fmax(time, q->at + handoff);
  }
  const double cost = f->costs[(size_t)patch * f->task->phase_count + state->phases];
  state->is_held = true;
  f->walks[worker].patch = patch;
  bench_push_event(f->pool, time + cost * f->pool->costs->slowdown, worker);
}

static void look_for_patch(wavefront* f, uint32_t worker, double time) {
  walk* w = &f->walks[worker];
  double found = time + f->pool->costs->claim;
  const uint32_t patch = next_patch(f, worker, &found);
  w->patch = NONE;
  if (patch != NONE) {
    begin_phase(f, worker, patch, found);
    return;
  }
  w->is_idle = true;
  w->idle_since = time;
  ++f->idle_count;
}

// An idle worker takes a patch that has become ready: its owner, else the nearest before it.
static void wake_for(wavefront* f, uint32_t patch, double time) {
  const uint32_t count = f->pool->count, owner = f->states[patch].owner;
  if (f->idle_count == 0 || !is_ready(f, patch)) return;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t worker = (owner + count - k) % count;
    walk* w = &f->walks[worker];
    if (!w->is_idle) continue;
    w->is_idle = false;
    --f->idle_count;
    const bool is_own = w->owner == owner;
    begin_phase(f, worker, patch,
                is_own ? time : fmax(time, w->idle_since + f->pool->costs->steal));
    return;
  }
}

static void complete_phase(wavefront* f, uint32_t worker, double time) {
  const uint32_t patch = f->walks[worker].patch;
  patch_state* state = &f->states[patch];
  *state = (patch_state){state->phases + 1, worker, time, state->owner, false};
  f->pool->idle_since[worker] = f->end = fmax(f->end, time);
  if (state->phases == f->task->phase_count) --f->unfinished;
  if (is_ready(f, patch)) {
    begin_phase(f, worker, patch, time);
  } else if (f->unfinished > 0) {
    look_for_patch(f, worker, time);
  }
  const uint32_t end = f->patches->first_neighbor[patch + 1];
  wake_for(f, patch, time);
  for (uint32_t n = f->patches->first_neighbor[patch]; n < end; ++n) {
    wake_for(f, f->patches->neighbors[n], time);
  }
}

static bool create(wavefront* f) {
  f->states = calloc((size_t)f->patches->count + 1, sizeof *f->states);
  f->walks = calloc(f->pool->count, sizeof *f->walks);
  f->first_patch = calloc((size_t)f->pool->count + 1, sizeof *f->first_patch);
  if (f->states == NULL || f->walks == NULL || f->first_patch == NULL) return false;
  partition(f);
  for (uint32_t w = 0; w < f->pool->count; ++w) {
    enter_share(f, w, &f->walks[w]);
    f->walks[w].patch = NONE;
    bench_push_event(f->pool, f->pool->arrival[w], w);
  }
  return true;
}

double bench_simulate_wavefront(bench_simulated_pool* pool, const bench_task* task,
                                const bench_patch_graph* patches, const double* costs) {
  wavefront f = {.pool = pool,
                 .task = task,
                 .patches = patches,
                 .costs = costs,
                 .unfinished = patches->count,
                 .end = pool->time};
  const bool ok = create(&f);
  while (ok && pool->heap_count > 0) {
    const bench_event now = bench_pop_event(pool);
    if (f.walks[now.worker].patch != NONE) {
      complete_phase(&f, now.worker, now.time);
    } else if (f.unfinished > 0) {
      look_for_patch(&f, now.worker, now.time);
    }
  }
  for (uint32_t w = 0; ok && w < pool->count; ++w)
    pool->idle_since[w] = fmax(pool->arrival[w], f.end);
  free(f.states);
  free(f.walks);
  free(f.first_patch);
  return ok ? f.end : -1.0;
}
