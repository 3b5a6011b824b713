#include "collision/particles/broad_phase.h"

#include <math.h>

#include "collision/particles/grid.h"

// Margin of an AABB on each side, as a share of the smallest half size of the body.
#define MARGIN_SHARE 0.1f

// ---- boxes ----

// Bounds the predicted motion along an axis, metres; false if it is not finite.
static bool predict_axis(const weft__stage* stage, uint32_t particle, int axis,
                         weft__motion_span span, float* lower, float* upper) {
  const weft__particles* p = stage->particles;
  const float* pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  const float* prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  const float here = pos[axis][particle];
  const float displacement = here - prev[axis][particle];
  const float count = (float)span.substeps;
  float predicted = 0.0f;
  if (p->inv_mass[particle] > 0.0f) {
    predicted =
        displacement * count + stage->motion->displacement[axis] * (0.5f * count * (count + 1.0f));
  }
  const float from = span.has_begun ? prev[axis][particle] : here;
  const float to = here + predicted;
  *lower = here < from ? here : from;
  *upper = here > from ? here : from;
  if (to < *lower) *lower = to;
  if (to > *upper) *upper = to;
  const float sum = from + here + to;
  return sum - sum == 0.0f;
}

// AABB of a body over its span of motion, plus a margin; empty if the motion is not finite.
static weft__aabb swept_box(const weft__particle_contacts* state, const weft__stage* stage,
                            uint32_t body, weft__motion_span span, float margin_share) {
  const uint32_t particle = state->particle[body];
  const float* half = weft__material_of(stage->materials, particle)->half_size;
  const float smallest = half[0] < half[1] ? half[0] : half[1];
  const float margin = margin_share * (smallest < half[2] ? smallest : half[2]);
  weft__aabb box;
  bool is_finite = true;
  for (int axis = 0; axis < 3; ++axis) {
    is_finite =
        predict_axis(stage, particle, axis, span, &box.lower[axis], &box.upper[axis]) && is_finite;
    box.lower[axis] -= half[axis] + margin;
    box.upper[axis] += half[axis] + margin;
    is_finite = is_finite && box.lower[axis] > -INFINITY && box.upper[axis] < INFINITY;
  }
  return is_finite ? box : weft__aabb_empty();
}

static bool stays_in_box(const weft__particle_contacts* state, const weft__stage* stage,
                         uint32_t body, weft__motion_span span) {
  const weft__aabb* box = &state->boxes[body];
  const weft__aabb now = swept_box(state, stage, body, span, 0.0f);
  for (int axis = 0; axis < 3; ++axis) {
    // an empty box is inside any box: a body that is not finite any more collides with nothing
    if (!(now.lower[axis] >= box->lower[axis] && now.upper[axis] <= box->upper[axis])) return false;
  }
  return true;
}

void weft__neighbors_check(weft__particle_contacts* state, const weft__stage* stage,
                           weft__motion_span span) {
  const weft__range own = weft__stage_share(stage, state->body_count);
  bool has_escaped = false;
  for (uint32_t i = own.begin; i < own.end && !has_escaped; ++i) {
    has_escaped = !stays_in_box(state, stage, i, span);
  }
  // relaxed: the barrier that follows makes it visible
  if (has_escaped) atomic_store_explicit(&state->has_escaped, 1, memory_order_relaxed);
}

// ---- pairs ----

// Scratch memory of a worker for the partners that its bodies find, in the memory of the contacts,
// which are written later. Partners that do not fit are found again in the second pass.
typedef struct pair_scratch {
  uint32_t* others;
  uint32_t capacity;
} pair_scratch;

static pair_scratch scratch_of(const weft__particle_contacts* state, const weft__stage* stage) {
  const weft__range own = weft__stage_share(stage, state->pair_capacity);
  const uint64_t capacity =
      (uint64_t)(own.end - own.begin) * (sizeof(weft__particle_contact) / sizeof(uint32_t));
  return (pair_scratch){(uint32_t*)(state->contacts + own.begin),
                        capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX};
}

static void find_pairs(weft__particle_contacts* state, const weft__stage* stage) {
  const weft__range own = weft__stage_share(stage, state->body_count);
  pair_scratch scratch = scratch_of(state, stage);
  weft__grid_cursors cursors = {0};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t found =
        weft__grid_find(state, stage, &cursors, i, scratch.others, scratch.capacity);
    const uint32_t count = found < WEFT__MAX_BODY_PAIRS ? found : WEFT__MAX_BODY_PAIRS;
    state->cell_order[i].value = found;
    state->list.first[state->entries[i].body + 1] = count;
    if (count > scratch.capacity) continue;
    scratch.others += count;
    scratch.capacity -= count;
  }
}

// completion: exclusive prefix sum of the counts; pairs beyond the limit are dropped and counted
static uint32_t prefix_sum(void* context) {
  weft__particle_contacts* state = context;
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
  return 0;
}

// Writes the pairs of a body with its partners.
static void write_pairs(weft__particle_pair* pairs, uint32_t body, const uint32_t* others,
                        uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) pairs[k] = (weft__particle_pair){body, others[k]};
}

static void store_pairs(weft__particle_contacts* state, const weft__stage* stage) {
  const weft__range own = weft__stage_share(stage, state->body_count);
  pair_scratch scratch = scratch_of(state, stage);
  weft__grid_cursors cursors = {0};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t value = state->cell_order[i].value;
    const uint32_t found = value < WEFT__MAX_BODY_PAIRS ? value : WEFT__MAX_BODY_PAIRS;
    const uint32_t body = state->entries[i].body;
    const uint32_t* first = state->list.first + body;
    weft__particle_pair* pairs = state->list.pairs + first[0];
    const uint32_t count = first[1] - first[0];
    if (found <= scratch.capacity) {
      write_pairs(pairs, body, scratch.others, count);
      scratch.others += found;
      scratch.capacity -= found;
    } else if (count > 0) {
      // partners go to the second half of the destination, where each is read before it is
      // overwritten
      uint32_t* others = (uint32_t*)pairs + count;
      (void)weft__grid_find(state, stage, &cursors, i, others, count);
      write_pairs(pairs, body, others, count);
    }
  }
}

void weft__neighbors_list(weft__particle_contacts* state, const weft__stage* stage,
                          weft__motion_span span) {
  const weft__range own = weft__stage_share(stage, state->body_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    state->boxes[i] = swept_box(state, stage, i, span, MARGIN_SHARE);
  }
  weft__grid_sort(state, stage);
  find_pairs(state, stage);
  (void)weft__stage_decide(stage, prefix_sum, state);
  store_pairs(state, stage);
  weft__stage_barrier(stage);
}
