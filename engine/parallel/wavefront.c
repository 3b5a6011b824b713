#include "parallel/wavefront.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "parallel/pause.h"

// consecutive patches found not ready before the ones further behind are postponed
#define MAX_MISSES 8u
// failed passes before the core is yielded
#define SPIN_LIMIT 200u
// and before the worker sleeps: it may share its core with the one it waits for, and the kernel
// looks for another core only on wake-up
#define YIELD_LIMIT 300u
#define SLEEP_NS 50000

// One worker's part of a step.
typedef struct worker_step {
  weft__wavefront* wavefront;
  const weft__schedule* schedule;
  uint32_t phase_count;
  uint32_t worker;
  weft__run_phase* run_phase;
  void* context;
  uint32_t begin, end; /* the worker's patches */
} worker_step;

// Cost of a patch in lane groups: its links and hinges, and a little for its particles.
static uint64_t cost_of(const weft__schedule* schedule, uint32_t patch) {
  uint64_t groups = (schedule->patch_first[patch + 1] - schedule->patch_first[patch]) / WEFT__LANES;
  const uint32_t end = weft__patch_end_run(schedule, patch);
  for (uint32_t r = weft__patch_first_run(schedule, patch); r < end; ++r) {
    groups += schedule->runs[r].group_count;
  }
  return groups + weft__hinge_cost(&schedule->hinges, patch) + 1;
}

static void partition_patches(weft__wavefront* wavefront, const weft__schedule* schedule,
                              uint32_t worker_count) {
  uint64_t all = 0;
  for (uint32_t p = 0; p < schedule->patch_count; ++p) all += cost_of(schedule, p);
  uint64_t so_far = 0;
  uint32_t worker = 0;
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    while (worker < worker_count && so_far * worker_count >= all * worker) {
      wavefront->first_patch[worker++] = p;
    }
    so_far += cost_of(schedule, p);
  }
  while (worker <= worker_count) wavefront->first_patch[worker++] = schedule->patch_count;
}

bool weft__wavefront_create(weft__wavefront* wavefront, const weft__schedule* schedule,
                            uint32_t worker_count) {
  const uint32_t patches = schedule->patch_count;
  *wavefront = (weft__wavefront){
      .done = weft__alloc(patches, sizeof(*wavefront->done)),
      .first_patch = weft__alloc((size_t)worker_count + 1, sizeof(*wavefront->first_patch)),
      .bytes =
          patches * sizeof(*wavefront->done) + (worker_count + 1) * sizeof(*wavefront->first_patch),
  };
  if (wavefront->done == NULL || wavefront->first_patch == NULL) {
    weft__wavefront_destroy(wavefront);
    return false;
  }
  for (uint32_t p = 0; p < patches; ++p) atomic_init(&wavefront->done[p], 0);
  partition_patches(wavefront, schedule, worker_count);
  return true;
}

void weft__wavefront_destroy(weft__wavefront* wavefront) {
  free(wavefront->done);
  free(wavefront->first_patch);
  *wavefront = (weft__wavefront){0};
}

void weft__wavefront_end_step(weft__wavefront* wavefront, uint32_t phase_count) {
  wavefront->begun += phase_count;
}

// Phases of this step that a patch has completed.
static uint32_t completed_phases(const worker_step* s, uint32_t patch) {
  // acquire: pairs with the store in advance(), so that the patch's particles are seen as it left
  // them
  return atomic_load_explicit(&s->wavefront->done[patch], memory_order_acquire) -
         s->wavefront->begun;
}

static bool is_ready(const worker_step* s, uint32_t patch, uint32_t phase) {
  const weft__schedule* schedule = s->schedule;
  const uint32_t color = schedule->patch_color[patch];
  const uint32_t end = schedule->patch_first_neighbor[patch + 1];
  for (uint32_t n = schedule->patch_first_neighbor[patch]; n < end; ++n) {
    const uint32_t neighbor = schedule->neighbors[n];
    const bool goes_first = phase > 0 && schedule->patch_color[neighbor] < color;
    if (completed_phases(s, neighbor) < phase + (goes_first ? 1 : 0)) return false;
  }
  return true;
}

// Advances a patch as far as its neighbours allow; true if at all.
static bool advance(const worker_step* s, uint32_t patch) {
  const uint32_t first = completed_phases(s, patch);
  uint32_t phase = first;
  for (; phase < s->phase_count && is_ready(s, patch, phase); ++phase) {
    s->run_phase(s->context, patch, phase, s->worker);
    // release: pairs with the load in completed_phases()
    atomic_store_explicit(&s->wavefront->done[patch], s->wavefront->begun + phase + 1,
                          memory_order_release);
  }
  return phase > first;
}

// The worker's `i`-th patch: every second worker counts from its upper end.
static uint32_t patch_at(const worker_step* s, uint32_t i) {
  return s->worker % 2 == 0 ? s->begin + i : s->end - 1 - i;
}

// Advances the patches behind the i-th one, nearest first, as long as some advance.
static void advance_behind(const worker_step* s, uint32_t i) {
  uint32_t misses = 0;
  while (i > 0 && misses < MAX_MISSES) {
    misses = advance(s, patch_at(s, --i)) ? 0 : misses + 1;
  }
}

// Back-off while none of the worker's patches is ready, for the `idle`-th time in a row.
static void back_off(uint32_t idle) {
  if (idle <= SPIN_LIMIT) {
    weft__pause();
  } else if (idle <= YIELD_LIMIT) {
    sched_yield();
  } else {
    nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
  }
}

void weft__wavefront_run(weft__wavefront* wavefront, const weft__schedule* schedule,
                         uint32_t phase_count, uint32_t worker, weft__run_phase* run_phase,
                         void* context) {
  const worker_step s = {wavefront,
                         schedule,
                         phase_count,
                         worker,
                         run_phase,
                         context,
                         wavefront->first_patch[worker],
                         wavefront->first_patch[worker + 1]};
  const uint32_t count = s.end - s.begin;
  uint32_t finished = 0;  // patches in front that have completed the step
  uint32_t idle = 0;
  while (finished < count) {
    bool moved = false;
    for (uint32_t i = finished; i < count; ++i) {
      if (!advance(&s, patch_at(&s, i))) continue;
      moved = true;
      advance_behind(&s, i);
    }
    while (finished < count && completed_phases(&s, patch_at(&s, finished)) == phase_count)
      ++finished;
    // none of this worker's patches is ready: another worker is busy with a neighbour
    idle = moved ? 0 : idle + 1;
    if (idle > 0) back_off(idle);
  }
}
