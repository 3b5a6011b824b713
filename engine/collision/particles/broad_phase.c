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

// Pass of a worker over its bodies. The first finds and counts the partners of each body, the
// second stores the pairs. In between the partners are in the memory of the contacts, which are
// written later; those that do not fit are found again.
typedef struct pair_pass {
  weft__particle_contacts* state;
  const weft__stage* stage;
  weft__grid_cursors cursors;
  uint32_t* others;  // memory for the partners of the current body and later ones
  uint32_t capacity;
} pair_pass;

// Visits the body at an entry of the cell order; returns the number of its partners.
typedef uint32_t visit_function(pair_pass* pass, uint32_t entry);

static void visit_bodies(weft__particle_contacts* state, const weft__stage* stage,
                         visit_function* visit) {
  const weft__range memory = weft__stage_share(stage, state->pair_capacity);
  const uint64_t capacity =
      (uint64_t)(memory.end - memory.begin) * (sizeof(weft__particle_contact) / sizeof(uint32_t));
  pair_pass pass = {.state = state,
                    .stage = stage,
                    .others = (uint32_t*)(state->contacts + memory.begin),
                    .capacity = capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX};
  const weft__range own = weft__stage_share(stage, state->body_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t count = visit(&pass, i);
    if (count > pass.capacity) continue;
    pass.others += count;
    pass.capacity -= count;
  }
}

static uint32_t limit_partners(uint32_t found) {
  return found < WEFT__MAX_BODY_PAIRS ? found : WEFT__MAX_BODY_PAIRS;
}

static uint32_t find_partners(pair_pass* pass, uint32_t entry) {
  weft__particle_contacts* state = pass->state;
  const uint32_t found =
      weft__grid_find(state, pass->stage, &pass->cursors, entry, pass->others, pass->capacity);
  state->cell_order[entry].value = found;
  state->list.first[state->entries[entry].body + 1] = limit_partners(found);
  return limit_partners(found);
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
    (void)weft__grid_find(state, pass->stage, &pass->cursors, entry, again, count);
    others = again;
  }
  for (uint32_t k = 0; k < count; ++k) pairs[k] = (weft__particle_pair){body, others[k]};
  return found;
}

void weft__neighbors_list(weft__particle_contacts* state, const weft__stage* stage,
                          weft__motion_span span) {
  const weft__range own = weft__stage_share(stage, state->body_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    state->boxes[i] = swept_box(state, stage, i, span, MARGIN_SHARE);
  }
  weft__grid_sort(state, stage);
  visit_bodies(state, stage, find_partners);
  (void)weft__stage_decide(stage, prefix_sum, state);
  visit_bodies(state, stage, store_pairs);
  weft__stage_barrier(stage);
}
