#include "step/moves.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/min_max.h"

static const weft__column columns[] = {
    WEFT__MEMBER(weft__moves, count),
    WEFT__LIST(weft__moves, moves, count, capacity, WEFT__STATE),
    WEFT__GROWN(weft__moves, move_of),
};

static void number_moves(void* table) {
  const weft__moves* moves = table;
  for (uint32_t m = 0; m < moves->count; ++m) moves->move_of[moves->moves[m].particle] = m;
}

const weft__table weft__moves_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = number_moves};

weft__move* weft__moves_find(const weft__moves* moves, uint32_t particle) {
  if (moves->move_of == NULL) return NULL;
  const uint32_t index = moves->move_of[particle];
  const bool is_own = index < moves->count && moves->moves[index].particle == particle;
  return is_own ? &moves->moves[index] : NULL;
}

bool weft__moves_reserve(weft__moves* moves, uint32_t particle_count, size_t more) {
  if (moves->move_of == NULL) {
    moves->move_of = weft__alloc_zeroed(particle_count, sizeof(*moves->move_of));
  }
  const bool good =
      moves->move_of != NULL && weft__grow((void**)&moves->moves, &moves->capacity,
                                           moves->count + more, sizeof(*moves->moves));
  moves->bytes = moves->capacity * sizeof(*moves->moves);
  if (moves->move_of != NULL) moves->bytes += particle_count * sizeof(*moves->move_of);
  return good;
}

void weft__moves_destroy(weft__moves* moves) {
  weft__columns_free(moves, &weft__moves_table);
  *moves = (weft__moves){0};
}

bool weft__moves_set(weft__moves* moves, uint32_t particle_count, uint32_t particle,
                     const float target[3]) {
  weft__move* move = weft__moves_find(moves, particle);
  if (move == NULL) {
    if (!weft__moves_reserve(moves, particle_count, 1)) return false;
    moves->move_of[particle] = (uint32_t)moves->count;
    move = &moves->moves[moves->count++];
    *move = (weft__move){.particle = particle};
  }
  memcpy(move->target, target, sizeof(move->target));
  return true;
}

void weft__moves_cancel(weft__moves* moves, uint32_t particle) {
  weft__move* move = weft__moves_find(moves, particle);
  if (move == NULL) return;
  *move = moves->moves[--moves->count];
  moves->move_of[move->particle] = (uint32_t)(move - moves->moves);
}

// Double precision represents the difference of any two floats without overflow.
static float interpolate(float start, float target, uint32_t part, uint32_t parts) {
  if (part == parts) return target;
  const double path = (double)target - (double)start;
  return (float)((double)start + path * (double)part / (double)parts);
}

// Displacement of a solved substep over the real one: a particle goes on at its speed, unless it
// has just begun to move.
static double extension(const weft__move* move, const weft__move_span* span, const float moved[3]) {
  double moved_sq = 0.0;
  double last_sq = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double last = (double)move->last[axis] * span->scale;
    moved_sq += (double)moved[axis] * (double)moved[axis];
    last_sq += last * last;
  }
  if (!(last_sq > moved_sq && moved_sq > 0.0)) return 1.0;
  return weft__min(sqrt(last_sq / moved_sq), span->stretch);
}

static void extend(const weft__move* move, weft__particles* particles,
                   const weft__move_span* span) {
  float moved[3];
  for (int axis = 0; axis < 3; ++axis) {
    moved[axis] = particles->pos[axis][move->particle] - move->before[axis];
  }
  const double factor = extension(move, span, moved);
  for (int axis = 0; axis < 3; ++axis) {
    particles->pos[axis][move->particle] =
        (float)((double)move->before[axis] + factor * (double)moved[axis]);
  }
}

void weft__moves_begin(const weft__moves* moves, weft__particles* particles,
                       const weft__move_span* span) {
  for (size_t m = 0; m < moves->count; ++m) {
    weft__move* move = &moves->moves[m];
    for (int axis = 0; axis < 3; ++axis) {
      float* pos = &particles->pos[axis][move->particle];
      float* prev = &particles->prev[axis][move->particle];
      if (span->substep == 0) {
        move->start[axis] = *pos;
        move->last[axis] = *pos - *prev;
      }
      move->before[axis] = *prev = *pos;
      *pos = interpolate(move->start[axis], move->target[axis], span->substep + 1, span->substeps);
    }
    if (span->stretch > 1.0) extend(move, particles, span);
  }
}

void weft__moves_return(const weft__moves* moves, weft__particles* particles, uint32_t substep,
                        uint32_t substeps) {
  for (size_t m = 0; m < moves->count; ++m) {
    const weft__move* move = &moves->moves[m];
    for (int axis = 0; axis < 3; ++axis) {
      particles->pos[axis][move->particle] = particles->prev[axis][move->particle] =
          interpolate(move->start[axis], move->target[axis], substep + 1, substeps);
    }
  }
}

void weft__moves_end(weft__moves* moves, weft__particles* particles, float rate, float stretch) {
  for (size_t m = 0; m < moves->count; ++m) {
    const weft__move* move = &moves->moves[m];
    const uint32_t i = move->particle;
    for (int axis = 0; axis < 3; ++axis) {
      const float moved = particles->pos[axis][i] - move->before[axis];
      particles->prev[axis][i] =
          stretch == 1.0f ? move->before[axis] : particles->pos[axis][i] - moved * stretch;
      if (particles->velocity_block != NULL) particles->vel[axis][i] = moved * rate;
    }
  }
  moves->count = 0;
}
