#include "schedule/pieces.h"

#include <string.h>

#include "base/memory.h"

// A piece that touches so many particles has at most WEFT__MAX_LOCALS records, gaps of its segments
// included.
#define MAX_TOUCHED (WEFT__MAX_LOCALS / WEFT__SEGMENT_GAP)

struct weft__pieces {
  const weft__constraints* constraints;
  uint32_t* pending; /* hinges, WEFT__EMPTY_LANE in empty lanes [pending_count] */
  size_t pending_count, pending_capacity;
  uint32_t* touched_by; /* last piece, plus 1, that touches a particle [particle_count] */
  uint32_t* local_of;   /* its record in that piece [particle_count] */
  uint32_t touched_count;
  weft__sort_item touched[2 * MAX_TOUCHED]; /* particles of the piece, and scratch to sort them */
};

weft__pieces* weft__pieces_create(const weft__constraints* constraints) {
  weft__pieces* pieces = weft__alloc_zeroed(1, sizeof(*pieces));
  if (pieces == NULL) return NULL;
  const size_t particles = constraints->order->particle_count;
  pieces->constraints = constraints;
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

bool weft__pieces_close(weft__pieces* pieces, weft__emitter* emitter) {
  const uint32_t groups = (uint32_t)(pieces->pending_count / WEFT__LANES);
  if (groups == 0) return true;
  weft__schedule* schedule = emitter->schedule;
  const uint32_t first_lanes = (uint32_t)emitter->count[WEFT__EMIT_LANES];
  const uint32_t first_segment = (uint32_t)emitter->count[WEFT__EMIT_HINGE_SEGMENTS];
  uint32_t record_count = 0;
  weft__sort(pieces->touched, pieces->touched + MAX_TOUCHED, pieces->touched_count);
  weft__hinge_piece* piece = weft__emit_append(emitter, WEFT__EMIT_PIECES, 1);
  weft__hinge_lanes* lanes = weft__emit_append(emitter, WEFT__EMIT_LANES, groups);
  if (piece == NULL || lanes == NULL ||
      !weft__emit_segments(emitter, pieces->touched, pieces->touched_count, pieces->local_of,
                           &record_count)) {
    return false;
  }
  *piece = (weft__hinge_piece){
      .first_lanes = first_lanes,
      .group_count = groups,
      .first_segment = first_segment,
      .segment_count = (uint32_t)emitter->count[WEFT__EMIT_HINGE_SEGMENTS] - first_segment,
  };
  memset(lanes, 0, groups * sizeof(*lanes));
  for (uint32_t i = 0; i < groups * WEFT__LANES; ++i) {
    fill_lane(pieces, &lanes[i / WEFT__LANES], i % WEFT__LANES, pieces->pending[i], record_count);
  }
  if (record_count > schedule->max_locals) schedule->max_locals = record_count;
  pieces->pending_count = 0;
  pieces->touched_count = 0;
  return true;
}

bool weft__pieces_add(weft__pieces* pieces, weft__emitter* emitter,
                      const uint32_t hinge[WEFT__LANES]) {
  const bool is_full = pieces->touched_count + 4 * WEFT__LANES > MAX_TOUCHED;
  if (is_full && !weft__pieces_close(pieces, emitter)) return false;
  if (!weft__grow((void**)&pieces->pending, &pieces->pending_capacity,
                  pieces->pending_count + WEFT__LANES, sizeof(*pieces->pending))) {
    return false;
  }
  const uint32_t piece = (uint32_t)emitter->count[WEFT__EMIT_PIECES] + 1;
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
