#include "modules/spheres/broad_phase.h"

#include <math.h>

#include "base/grain_size.h"
#include "modules/spheres/grid.h"

// margin of an AABB on each side, over the smallest half size of the body
#define MARGIN_SHARE 0.1f
// bodies compared in a unit of the work of a step
#define TESTS_A_UNIT 4u
#define BODY_GRAIN WEFT__GRAIN(256u, 4u)

// Bounds the predicted motion along an axis, metres; false if it is not finite.
static bool predict_axis(const weft__step_context* step, uint32_t particle, int axis,
                         weft__motion_span span, float* lower, float* upper) {
  const weft__particles* p = step->particles;
  const float here = p->pos[axis][particle];
  const float prev = p->prev[axis][particle];
  const float displacement = here - prev;
  const float count = (float)span.substeps;
  float predicted = 0.0f;
  if (p->inv_mass[particle] > 0.0f) {
    predicted = displacement * count + weft__step_motion(step, particle)->displacement[axis] *
                                           (0.5f * count * (count + 1.0f));
  }
  const float from = span.has_begun ? prev : here;
  const float to = here + predicted;
  *lower = here < from ? here : from;
  *upper = here > from ? here : from;
  if (to < *lower) *lower = to;
  if (to > *upper) *upper = to;
  const float sum = from + here + to;
  return sum - sum == 0.0f;
}

// Span of motion plus a margin; empty if it is not finite.
static weft__aabb swept_box(const weft__particle_contacts* state, const weft__step_context* step,
                            uint32_t body, weft__motion_span span, float margin_share) {
  const uint32_t particle = state->particle[body];
  const float* half = weft__material_of(step->materials, particle)->half_size;
  const float smallest = half[0] < half[1] ? half[0] : half[1];
  const float margin = margin_share * (smallest < half[2] ? smallest : half[2]);
  weft__aabb box;
  bool is_finite = true;
  for (int axis = 0; axis < 3; ++axis) {
    is_finite =
        predict_axis(step, particle, axis, span, &box.lower[axis], &box.upper[axis]) && is_finite;
    box.lower[axis] -= half[axis] + margin;
    box.upper[axis] += half[axis] + margin;
    is_finite = is_finite && box.lower[axis] > -INFINITY && box.upper[axis] < INFINITY;
  }
  return is_finite ? box : weft__aabb_empty();
}

static bool stays_in_box(const weft__particle_contacts* state, const weft__step_context* step,
                         uint32_t body, weft__motion_span span) {
  const weft__aabb* box = &state->boxes[body];
  const weft__aabb now = swept_box(state, step, body, span, 0.0f);
  for (int axis = 0; axis < 3; ++axis) {
    // an empty box is inside any box: a body that is not finite any more collides with nothing
    if (!(now.lower[axis] >= box->lower[axis] && now.upper[axis] <= box->upper[axis])) return false;
  }
  return true;
}

typedef struct body_args {
  weft__particle_contacts* state;
  const weft__step_context* step;
  weft__motion_span span;
  /* relaxed: read after the loop */
  _Atomic bool has_escaped;    /* a body has left its AABB */
  _Atomic uint64_t tests;      /* bodies compared */
  _Atomic uint64_t unfinished; /* bodies that were not compared with all in their cells */
} body_args;

static void check_bodies(void* context, weft__range bodies, uint32_t worker) {
  (void)worker;
  body_args* args = context;
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    if (stays_in_box(args->state, args->step, i, args->span)) continue;
    atomic_store_explicit(&args->has_escaped, true, memory_order_relaxed);
    return;
  }
}

bool weft__particle_pairs_have_expired(weft__particle_contacts* state,
                                       const weft__step_context* step, weft__motion_span span) {
  body_args args = {.state = state, .step = step, .span = span};
  weft__step_for(step, state->body_count, BODY_GRAIN, check_bodies, &args);
  return args.has_escaped;
}

// Pass over a block of bodies: the first finds and counts each body's partners, the second stores
// the pairs. In between partners are in the block's share of the contacts' memory, which is written
// later; those that do not fit are found again.
typedef struct pair_pass {
  weft__particle_contacts* state;
  const weft__step_context* step;
  weft__grid_cursors cursors;
  uint32_t* others;  // memory for the partners of the current body and later ones
  uint32_t capacity;
  uint64_t tests, unfinished;
} pair_pass;

// Number of the partners of the body at an entry of the cell order.
typedef uint32_t visit_function(pair_pass* pass, uint32_t entry);

static uint32_t block_count(const weft__particle_contacts* state) {
  return (state->body_count + BODY_GRAIN - 1) / BODY_GRAIN;
}

static void visit_block(body_args* args, uint32_t block, visit_function* visit) {
  weft__particle_contacts* state = args->state;
  const weft__range memory = weft__share(state->pair_capacity, block, block_count(state));
  const uint64_t capacity =
      (uint64_t)(memory.end - memory.begin) * (sizeof(weft__particle_contact) / sizeof(uint32_t));
  pair_pass pass = {.state = state,
                    .step = args->step,
                    .others = (uint32_t*)(state->contacts + memory.begin),
                    .capacity = capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX};
  const uint32_t first = BODY_GRAIN * block;
  for (uint32_t i = first; i < first + BODY_GRAIN && i < state->body_count; ++i) {
    const uint32_t count = visit(&pass, i);
    if (count > pass.capacity) continue;
    pass.others += count;
    pass.capacity -= count;
  }
  atomic_fetch_add_explicit(&args->tests, pass.tests, memory_order_relaxed);
  atomic_fetch_add_explicit(&args->unfinished, pass.unfinished, memory_order_relaxed);
}

static uint32_t limit_partners(uint32_t found) {
  return found < WEFT__MAX_BODY_PAIRS ? found : WEFT__MAX_BODY_PAIRS;
}

static uint32_t find_partners(pair_pass* pass, uint32_t entry) {
  weft__particle_contacts* state = pass->state;
  uint32_t tests;
  const uint32_t found = weft__grid_find(state, pass->step, &pass->cursors, entry, pass->others,
                                         pass->capacity, &tests);
  pass->tests += tests;
  pass->unfinished += tests > WEFT__MAX_BODY_TESTS;
  state->cell_order[entry].value = found;
  state->list.first[state->entries[entry].body + 1] = limit_partners(found);
  return limit_partners(found);
}

static void find_blocks(void* context, weft__range blocks, uint32_t worker) {
  (void)worker;
  for (uint32_t b = blocks.begin; b < blocks.end; ++b) visit_block(context, b, find_partners);
}

// Exclusive; pairs beyond the limit are dropped and counted.
static void prefix_sum(weft__particle_contacts* state) {
  uint32_t* first = state->list.first;
  uint64_t sum = 0;
  first[0] = 0;
  for (uint32_t i = 0; i < state->body_count; ++i) {
    if (state->cell_order[i].value > WEFT__MAX_BODY_PAIRS) ++state->lost;
    sum += first[i + 1];
    first[i + 1] = sum < state->max_pairs ? (uint32_t)sum : state->max_pairs;
  }
  state->pair_count = first[state->body_count];
  state->lost += sum - state->pair_count;
}

static uint32_t store_pairs(pair_pass* pass, uint32_t entry) {
  const weft__particle_contacts* state = pass->state;
  const uint32_t found = limit_partners(state->cell_order[entry].value);
  const uint32_t body = state->entries[entry].body;
  const uint32_t first = state->list.first[body];
  const uint32_t count = state->list.first[body + 1] - first;
  weft__particle_pair* pairs = state->list.pairs + first;
  const uint32_t* others = pass->others;
  if (found > pass->capacity && count > 0) {
    // to the second half of the destination, where each is read before it is overwritten
    uint32_t* again = (uint32_t*)pairs + count;
    uint32_t tests;
    (void)weft__grid_find(state, pass->step, &pass->cursors, entry, again, count, &tests);
    pass->tests += tests;
    others = again;
  }
  for (uint32_t k = 0; k < count; ++k) pairs[k] = (weft__particle_pair){body, others[k]};
  return found;
}

static void store_blocks(void* context, weft__range blocks, uint32_t worker) {
  (void)worker;
  for (uint32_t b = blocks.begin; b < blocks.end; ++b) visit_block(context, b, store_pairs);
}

static void bound_bodies(void* context, weft__range bodies, uint32_t worker) {
  (void)worker;
  const body_args* args = context;
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    args->state->boxes[i] = swept_box(args->state, args->step, i, args->span, MARGIN_SHARE);
  }
}

void weft__particle_pairs_rebuild(weft__particle_contacts* state, const weft__step_context* step,
                                  weft__motion_span span) {
  body_args args = {.state = state, .step = step, .span = span};
  weft__step_for(step, state->body_count, BODY_GRAIN, bound_bodies, &args);
  weft__grid_sort(state, step);
  weft__step_for(step, block_count(state), 1, find_blocks, &args);
  prefix_sum(state);
  weft__step_for(step, block_count(state), 1, store_blocks, &args);
  state->lost += args.unfinished;
  weft__step_spend(step, args.tests / TESTS_A_UNIT);
}
