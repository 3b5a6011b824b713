#include "parallel/wavefront.h"

#include <pthread.h>
#include <sched.h>

#include "parallel/worker_pool.h"
#include "support/frozen.h"
#include "support/late_workers.h"
#include "support/test.h"

// steps of a wavefront that records, in non-atomic memory, the phase of each patch
typedef struct flow_trial {
  const weft__schedule* schedule;
  weft__worker_pool* pool;
  weft__wavefront flow;
  uint32_t phase_count;
  uint32_t first_backward; /* phase */
  uint32_t step_count;
  bool dawdle;     /* some patches yield their thread */
  uint32_t* ended; /* phases completed by each patch, over all steps [patch_count] */
  uint32_t* wrong; /* order violations seen by each patch [patch_count] */
  uint32_t step;   /* current step */
} flow_trial;

// progress that a neighbour must have during a phase of a patch: that of sweeps colour by colour
static bool in_order(const flow_trial* t, uint32_t patch, uint32_t neighbor, uint32_t phase) {
  const weft__schedule* s = t->schedule;
  const uint32_t begun = t->step * t->phase_count;
  const uint32_t ended = t->ended[neighbor] - begun;
  if (phase == 0) return ended <= 1;
  const bool is_lower = s->patch_color[neighbor] < s->patch_color[patch];
  const bool goes_first = is_lower == (phase < t->first_backward);
  return ended == (goes_first ? phase + 1 : phase);
}

static void note_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  flow_trial* t = context;
  const weft__schedule* s = t->schedule;
  t->wrong[patch] += t->ended[patch] != t->step * t->phase_count + phase;
  t->wrong[patch] += worker >= weft__worker_pool_count(t->pool);
  if (t->dawdle && (patch * 7 + phase) % 5 == 0) sched_yield();
  // phase 0 runs concurrently in neighbours: only sweeps are ordered
  for (uint32_t n = s->patch_first_neighbor[patch]; n < s->patch_first_neighbor[patch + 1]; ++n) {
    if (phase > 0) t->wrong[patch] += !in_order(t, patch, s->neighbors[n], phase);
  }
  ++t->ended[patch];
}

static void run_steps(flow_trial* t) {
  for (; t->step < t->step_count; ++t->step) {
    weft__worker_pool_begin(t->pool);
    weft__wavefront_run(&t->flow, t->schedule, t->pool, t->phase_count, t->first_backward,
                        note_phase, "note", t);
  }
}

static flow_trial new_trial(const weft__schedule* s, uint32_t worker_count, uint32_t phase_count) {
  flow_trial t = {
      .schedule = s,
      .pool = weft__worker_pool_create(worker_count, NULL),
      .phase_count = phase_count,
      .first_backward = WEFT__ALL_FORWARD,
      .step_count = 3,
      .ended = test_alloc(s->patch_count * sizeof(uint32_t)),
      .wrong = test_alloc(s->patch_count * sizeof(uint32_t)),
  };
  ck_assert_ptr_nonnull(t.pool);
  ck_assert(weft__wavefront_create(&t.flow, s, worker_count));
  return t;
}

static void free_trial(flow_trial* t) {
  weft__wavefront_destroy(&t->flow);
  weft__worker_pool_destroy(t->pool);
}

RANDOM_TEST(patches_run_every_phase_once_and_sweeps_in_the_order_of_their_colours, 20) {
  frozen f = freeze(new_scene_case(_i));
  for (int round = 0; round < 4; ++round) {
    flow_trial t = new_trial(&f.schedule, random_from(&random, 1, round < 2 ? 4 : 16),
                             random_from(&random, 1, 12));
    t.dawdle = round % 2 == 1;
    t.first_backward = random_from(&random, 1, 13);
    // a delayed worker holds a patch, so that others take its share
    delays = (delay_schedule){

        .worker = (uint32_t)round % 3,
        .period = round > 1 ? 3 : 0,
        .is_random = true,
        .first = (uint32_t)_i};
    run_steps(&t);
    for (uint32_t patch = 0; patch < f.schedule.patch_count; ++patch) {
      require(t.wrong[patch] == 0);
      require(t.ended[patch] == t.step_count * t.phase_count);
    }
    free_trial(&t);
    delays = (delay_schedule){0};
  }
}

// cost of a patch: lane groups of its links and hinges, and a small share for its particles
static uint64_t cost_of(const weft__schedule* s, uint32_t patch) {
  const uint32_t links = weft__patch_first_group(s, patch + 1) - weft__patch_first_group(s, patch);
  const uint32_t particles = s->patch_first[patch + 1] - s->patch_first[patch];
  return 1 + particles / WEFT__LANES + links + weft__hinge_cost(&s->hinges, patch);
}

RANDOM_TEST(workers_own_ranges_that_cover_all_patches_and_begin_at_their_share_of_the_cost, 3) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 300, 300, STRUCTURAL | SHEAR);
  (void)add_random_mesh(scene, &random, 100);
  frozen f = freeze(scene);
  uint64_t all = 0;
  for (uint32_t p = 0; p < f.schedule.patch_count; ++p) all += cost_of(&f.schedule, p);
  for (uint32_t worker_count = 1; worker_count <= 64; ++worker_count) {
    weft__wavefront flow;
    ck_assert(weft__wavefront_create(&flow, &f.schedule, worker_count));
    require(flow.first_patch[worker_count] == f.schedule.patch_count);
    uint64_t before = 0;
    uint32_t patch = 0;
    for (uint32_t w = 0; w < worker_count; ++w) {
      while (before * worker_count < all * w) before += cost_of(&f.schedule, patch++);
      require(flow.first_patch[w] == patch);
    }
    weft__wavefront_destroy(&flow);
  }
}

TEST(counts_that_wrap_round_do_not_stop_the_flow) {
  frozen f = freeze(new_scene_case(3));
  flow_trial t = new_trial(&f.schedule, 3, 7);
  // counter just below its overflow, as after a million steps
  t.flow.begun = (1u << 23) - 10;
  for (uint32_t patch = 0; patch < f.schedule.patch_count; ++patch) {
    atomic_store_explicit(&t.flow.state[patch], t.flow.begun << 9, memory_order_relaxed);
  }
  run_steps(&t);
  for (uint32_t patch = 0; patch < f.schedule.patch_count; ++patch) {
    require(t.wrong[patch] == 0 && t.ended[patch] == t.step_count * t.phase_count);
  }
  free_trial(&t);
}
