#include "schedule/pieces.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

// So many particles have at most WEFT__MAX_LOCALS records, gaps of segments included.
#define MAX_TOUCHED (WEFT__MAX_LOCALS / WEFT__SEGMENT_GAP)

struct weft__pieces {
  const weft__constraints* constraints;
  uint32_t* pending; /* constraints, or WEFT__EMPTY_LANE [pending_count] */
  size_t pending_count, pending_capacity;
  uint32_t* touched_by; /* last piece, plus 1, that touches a particle [particle_count] */
  uint32_t* local_of;   /* its record there [particle_count] */
  uint32_t touched_count;
  bool is_elastic;                          /* no hinge yields */
  weft__sort_item touched[2 * MAX_TOUCHED]; /* particles of the piece, and scratch */
};

static bool are_elastic(const weft__hinges* hinges) {
  for (uint32_t i = 0; i < hinges->count; ++i) {
    if (hinges->yield[i] > 0.0f) return false;
  }
  return true;
}

weft__pieces* weft__pieces_create(const weft__constraints* constraints) {
  weft__pieces* pieces = weft__alloc_zeroed(1, sizeof(*pieces));
  if (pieces == NULL) return NULL;
  const size_t particles = constraints->order->particle_count;
  pieces->constraints = constraints;
  pieces->is_elastic = constraints->hinges == NULL || are_elastic(constraints->hinges);
  pieces->touched_by = weft__alloc_zeroed(particles, sizeof(*pieces->touched_by));
  pieces->local_of = weft__alloc(particles, sizeof(*pieces->local_of));
  if (pieces->touched_by != NULL && pieces->local_of != NULL) return pieces;
  weft__pieces_destroy(pieces);
  return NULL;
}

void weft__pieces_destroy(weft__pieces* pieces) {
  if (pieces == NULL) return;
  weft__free(pieces->pending);
  weft__free(pieces->touched_by);
  weft__free(pieces->local_of);
  weft__free(pieces);
}

typedef struct columns_of {
  weft__emitted pieces, lanes, segments;
} columns_of;

static columns_of columns_for(const weft__pieces* pieces) {
  if (pieces->constraints->membranes != NULL) {
    return (columns_of){WEFT__EMIT_MEMBRANE_PIECES, WEFT__EMIT_MEMBRANE_LANES,
                        WEFT__EMIT_MEMBRANE_SEGMENTS};
  }
  return (columns_of){WEFT__EMIT_PIECES, WEFT__EMIT_LANES, WEFT__EMIT_HINGE_SEGMENTS};
}

static void fill_lane(const weft__pieces* pieces, weft__hinge_lanes* lanes, uint32_t lane,
                      uint32_t hinge, uint32_t record_count) {
  const weft__hinges* hinges = pieces->constraints->hinges;
  for (uint32_t k = 0; k < 4; ++k) lanes->index[k][lane] = (uint16_t)(2 * record_count);
  if (hinge == WEFT__EMPTY_LANE) return;
  uint32_t particle[4];
  const uint32_t arity = weft__constraint_particles(pieces->constraints, hinge, particle);
  for (uint32_t k = 0; k < arity; ++k) {
    lanes->index[k][lane] = (uint16_t)(2 * pieces->local_of[particle[k]]);
    lanes->coefficient[k][lane] = hinges->coefficient[hinge][k];
  }
  lanes->rest_length[lane] = hinges->rest_length[hinge];
  lanes->compliance[lane] = hinges->compliance[hinge];
}

static bool append_yield(const weft__pieces* pieces, weft__emitter* emitter, uint32_t groups) {
  const weft__hinges* hinges = pieces->constraints->hinges;
  weft__hinge_yield* yield = weft__emit_append(emitter, WEFT__EMIT_YIELD, groups);
  if (yield == NULL) return false;
  for (uint32_t i = 0; i < groups * WEFT__LANES; ++i) {
    const uint32_t hinge = pieces->pending[i];
    const bool yields = hinge != WEFT__EMPTY_LANE && hinges->yield[hinge] > 0.0f;
    weft__hinge_yield* group = &yield[i / WEFT__LANES];
    group->yield[i % WEFT__LANES] = yields ? hinges->yield[hinge] : INFINITY;
    group->max_rest_length[i % WEFT__LANES] = yields ? hinges->max_rest_length[hinge] : 0.0f;
  }
  return true;
}

static bool append_hinges(const weft__pieces* pieces, weft__emitter* emitter, uint32_t groups,
                          uint32_t record_count) {
  weft__hinge_lanes* lanes = weft__emit_append(emitter, WEFT__EMIT_LANES, groups);
  if (lanes == NULL) return false;
  memset(lanes, 0, groups * sizeof(*lanes));
  for (uint32_t i = 0; i < groups * WEFT__LANES; ++i) {
    fill_lane(pieces, &lanes[i / WEFT__LANES], i % WEFT__LANES, pieces->pending[i], record_count);
  }
  return pieces->is_elastic || append_yield(pieces, emitter, groups);
}

static void fill_membrane(const weft__pieces* pieces, weft__membrane_lanes* lanes, uint32_t lane,
                          uint32_t number, uint32_t record_count) {
  for (uint32_t k = 0; k < 3; ++k) lanes->index[k][lane] = (uint16_t)(2 * record_count);
  weft__membrane_clear_lane(lanes, lane);
  if (number == WEFT__EMPTY_LANE) return;
  const weft__membrane* membrane = &pieces->constraints->membranes->list[number];
  const uint32_t* solver_of = pieces->constraints->order->solver_of;
  for (uint32_t k = 0; k < 3; ++k) {
    lanes->index[k][lane] = (uint16_t)(2 * pieces->local_of[solver_of[membrane->particle[k]]]);
  }
  for (uint32_t k = 0; k < 2; ++k) {
    lanes->gradient_u[k][lane] = membrane->gradient_u[k];
    lanes->gradient_v[k][lane] = membrane->gradient_v[k];
  }
  for (uint32_t k = 0; k < WEFT__MEMBRANE_COMPLIANCES; ++k) {
    lanes->compliance[k][lane] = membrane->compliance[k];
  }
}

static bool append_membranes(const weft__pieces* pieces, weft__emitter* emitter, uint32_t groups,
                             uint32_t record_count) {
  weft__membrane_lanes* lanes = weft__emit_append(emitter, WEFT__EMIT_MEMBRANE_LANES, groups);
  if (lanes == NULL) return false;
  for (uint32_t i = 0; i < groups * WEFT__LANES; ++i) {
    fill_membrane(pieces, &lanes[i / WEFT__LANES], i % WEFT__LANES, pieces->pending[i],
                  record_count);
  }
  return true;
}

bool weft__pieces_close(weft__pieces* pieces, weft__emitter* emitter) {
  const uint32_t groups = (uint32_t)(pieces->pending_count / WEFT__LANES);
  if (groups == 0) return true;
  const columns_of at = columns_for(pieces);
  const uint32_t first_lanes = (uint32_t)emitter->count[at.lanes];
  const uint32_t first_segment = (uint32_t)emitter->count[at.segments];
  uint32_t record_count = 0;
  weft__sort(pieces->touched, pieces->touched + MAX_TOUCHED, pieces->touched_count);
  weft__piece* piece = weft__emit_append(emitter, at.pieces, 1);
  if (piece == NULL || !weft__emit_segments(emitter, pieces->touched, pieces->touched_count,
                                            pieces->local_of, &record_count)) {
    return false;
  }
  *piece = (weft__piece){
      .first_lanes = first_lanes,
      .group_count = groups,
      .first_segment = first_segment,
      .segment_count = (uint32_t)emitter->count[at.segments] - first_segment,
  };
  const bool done = at.lanes == WEFT__EMIT_LANES
                        ? append_hinges(pieces, emitter, groups, record_count)
                        : append_membranes(pieces, emitter, groups, record_count);
  if (record_count > emitter->schedule->max_locals) emitter->schedule->max_locals = record_count;
  pieces->pending_count = 0;
  pieces->touched_count = 0;
  return done;
}

bool weft__pieces_add(weft__pieces* pieces, weft__emitter* emitter,
                      const uint32_t hinge[WEFT__LANES]) {
  const bool is_full = pieces->touched_count + 4 * WEFT__LANES > MAX_TOUCHED;
  if (is_full && !weft__pieces_close(pieces, emitter)) return false;
  if (!weft__grow((void**)&pieces->pending, &pieces->pending_capacity,
                  pieces->pending_count + WEFT__LANES, sizeof(*pieces->pending))) {
    return false;
  }
  const uint32_t piece = (uint32_t)emitter->count[columns_for(pieces).pieces] + 1;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    pieces->pending[pieces->pending_count++] = hinge[lane];
    if (hinge[lane] == WEFT__EMPTY_LANE) continue;
    uint32_t particle[4];
    const uint32_t arity = weft__constraint_particles(pieces->constraints, hinge[lane], particle);
    for (uint32_t k = 0; k < arity; ++k) {
      if (pieces->touched_by[particle[k]] == piece) continue;
      pieces->touched_by[particle[k]] = piece;
      pieces->touched[pieces->touched_count++] = (weft__sort_item){particle[k], particle[k]};
    }
  }
  return true;
}
