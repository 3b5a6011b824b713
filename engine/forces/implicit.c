#include "forces/implicit.h"

#include <stdlib.h>

#include "base/arena.h"

// the least part of the first residual that is worth solving for, and when to give up
#define TOLERANCE 1e-7
#define MOST_ITERATIONS 200u

// ---- making and destroying ----

static void place(weft__implicit* m, weft__arena* arena, const weft__schedule* schedule) {
  const size_t particles = schedule->particle_count;
  const size_t patches = schedule->patch_count;
  m->tangents = weft__arena_take(arena, (size_t)2 * m->springs->count, sizeof(*m->tangents));
  m->change = weft__arena_take(arena, particles, sizeof(*m->change));
  m->residual = weft__arena_take(arena, particles, sizeof(*m->residual));
  m->search = weft__arena_take(arena, particles, sizeof(*m->search));
  m->image = weft__arena_take(arena, particles, sizeof(*m->image));
  m->diagonal = weft__arena_take(arena, particles, sizeof(*m->diagonal));
  m->residual_sums = weft__arena_take(arena, patches, sizeof(*m->residual_sums));
  m->search_sums = weft__arena_take(arena, patches, sizeof(*m->search_sums));
}

bool weft__implicit_create(weft__implicit* implicit, const weft__springs* springs,
                           const weft__schedule* schedule) {
  *implicit = (weft__implicit){.springs = springs};
  weft__arena arena = {0};
  place(implicit, &arena, schedule);
  if (!weft__arena_open(&arena)) return false;
  place(implicit, &arena, schedule);
  implicit->block = arena.block;
  implicit->bytes = arena.used;
  return true;
}

void weft__implicit_destroy(weft__implicit* implicit) {
  free(implicit->block);
  *implicit = (weft__implicit){0};
}

// ---- the system ----

typedef struct solver {
  const weft__implicit* m;
  const weft__substep* s;
  weft__range patches;  // the worker's own
} solver;

static bool is_free(const solver* c, uint32_t i) {
  return c->s->particles->inv_mass[i] > 0.0f;
}

static void add_block(const weft__tangent* t, double scale_along, double scale_across,
                      const double vector[3], double sum[3]) {
  const double lengthways = (scale_along - scale_across) * weft__inner(t->u, vector);
  for (int k = 0; k < 3; ++k) sum[k] += lengthways * t->u[k] + scale_across * vector[k];
}

// notes the tangent of one end and adds what it brings to the right side and to the diagonal
static void linearise_end(const solver* c, uint32_t i, uint32_t end, double side[3],
                          double diagonal[3]) {
  const weft__particles* p = c->s->particles;
  const weft__spring* spring = &c->m->springs->ends[end];
  weft__tangent* t = &c->m->tangents[end];
  const weft__pull pull = weft__spring_pull(c->m->springs, p, i, spring);
  *t = (weft__tangent){.u = {pull.along[0], pull.along[1], pull.along[2]}};
  if (pull.length == 0.0) return;

  const double h = (double)c->s->h;
  const double stiff = h * h * spring->stiffness;
  const double damp = h * (double)spring->damping;
  t->along = stiff + damp;
  t->across = pull.excess > 0.0 ? stiff * pull.excess / pull.length : 0.0;
  for (int k = 0; k < 3; ++k) {
    const double square = t->u[k] * t->u[k];
    diagonal[k] += t->along * square + t->across * (1.0 - square);
  }
  // h f + h^2 K v
  double parting[3];
  weft__spring_parting(p, i, spring->other, parting);
  for (int k = 0; k < 3; ++k) parting[k] *= (double)c->s->kept;
  const double newtons =
      spring->stiffness * pull.excess + (double)spring->damping * weft__inner(t->u, parting);
  for (int k = 0; k < 3; ++k) side[k] += h * newtons * t->u[k];
  add_block(t, stiff, t->across, parting, side);
}

// starts from no change: the residual is the right side
static void linearise_particle(const solver* c, uint32_t i) {
  const weft__particles* p = c->s->particles;
  const weft__springs* springs = c->m->springs;
  double side[3] = {0.0, 0.0, 0.0};
  double diagonal[3] = {0.0, 0.0, 0.0};
  for (uint32_t e = springs->first[i]; e < springs->first[i + 1]; ++e) {
    linearise_end(c, i, e, side, diagonal);
  }
  const bool forced = p->force_x != NULL;
  const double force[3] = {forced ? (double)p->force_x[i] : 0.0,
                           forced ? (double)p->force_y[i] : 0.0,
                           forced ? (double)p->force_z[i] : 0.0};
  const double mass = is_free(c, i) ? 1.0 / (double)p->inv_mass[i] : 0.0;
  for (int k = 0; k < 3; ++k) {
    side[k] += (double)c->s->h * (mass * (double)c->s->gravity[k] + force[k]);
    if (!is_free(c, i)) side[k] = 0.0;
    c->m->change[i][k] = 0.0;
    c->m->residual[i][k] = side[k];
    c->m->diagonal[i][k] = is_free(c, i) ? 1.0 / (mass + diagonal[k]) : 0.0;
    c->m->search[i][k] = c->m->diagonal[i][k] * side[k];
  }
}

// image = matrix times search
static void apply(const solver* c, uint32_t i) {
  const weft__springs* springs = c->m->springs;
  const double* own = c->m->search[i];
  double sum[3] = {0.0, 0.0, 0.0};
  if (is_free(c, i)) {
    const double mass = 1.0 / (double)c->s->particles->inv_mass[i];
    for (int k = 0; k < 3; ++k) sum[k] = mass * own[k];
    for (uint32_t e = springs->first[i]; e < springs->first[i + 1]; ++e) {
      const weft__tangent* t = &c->m->tangents[e];
      const double* other = c->m->search[springs->ends[e].other];
      const double apart[3] = {own[0] - other[0], own[1] - other[1], own[2] - other[2]};
      add_block(t, t->along, t->across, apart, sum);
    }
  }
  for (int k = 0; k < 3; ++k) c->m->image[i][k] = sum[k];
}

// ---- conjugate gradients ----

static double sum_of(const double* sums, uint32_t patch_count) {
  double sum = 0.0;
  for (uint32_t p = 0; p < patch_count; ++p) sum += sums[p];
  return sum;
}

static void begin_patch(const solver* c, uint32_t patch) {
  const uint32_t* first = c->s->schedule->patch_first;
  double sum = 0.0;
  for (uint32_t i = first[patch]; i < first[patch + 1]; ++i) {
    linearise_particle(c, i);
    sum += weft__inner(c->m->residual[i], c->m->search[i]);
  }
  c->m->residual_sums[patch] = sum;
}

static void apply_patch(const solver* c, uint32_t patch) {
  const uint32_t* first = c->s->schedule->patch_first;
  double sum = 0.0;
  for (uint32_t i = first[patch]; i < first[patch + 1]; ++i) {
    apply(c, i);
    sum += weft__inner(c->m->search[i], c->m->image[i]);
  }
  c->m->search_sums[patch] = sum;
}

static void advance_patch(const solver* c, uint32_t patch, double step) {
  const uint32_t* first = c->s->schedule->patch_first;
  double sum = 0.0;
  for (uint32_t i = first[patch]; i < first[patch + 1]; ++i) {
    double* residual = c->m->residual[i];
    for (int k = 0; k < 3; ++k) {
      c->m->change[i][k] += step * c->m->search[i][k];
      residual[k] -= step * c->m->image[i][k];
      sum += residual[k] * residual[k] * c->m->diagonal[i][k];
    }
  }
  c->m->residual_sums[patch] = sum;
}

static void turn_patch(const solver* c, uint32_t patch, double share) {
  const uint32_t* first = c->s->schedule->patch_first;
  for (uint32_t i = first[patch]; i < first[patch + 1]; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double downhill = c->m->diagonal[i][k] * c->m->residual[i][k];
      c->m->search[i][k] = downhill + share * c->m->search[i][k];
    }
  }
}

// every worker comes to the same sums, and so to the same end
static void find_change(const solver* c) {
  const uint32_t patch_count = c->s->schedule->patch_count;
  for (uint32_t p = c->patches.begin; p < c->patches.end; ++p) begin_patch(c, p);
  weft__worker_pool_meet(c->s->pool);
  double error = sum_of(c->m->residual_sums, patch_count);
  const double enough = error * (TOLERANCE * TOLERANCE);
  for (uint32_t n = 0; n < MOST_ITERATIONS && error > enough; ++n) {
    for (uint32_t p = c->patches.begin; p < c->patches.end; ++p) apply_patch(c, p);
    weft__worker_pool_meet(c->s->pool);
    const double bent = sum_of(c->m->search_sums, patch_count);
    if (!(bent > 0.0)) return;
    for (uint32_t p = c->patches.begin; p < c->patches.end; ++p) {
      advance_patch(c, p, error / bent);
    }
    weft__worker_pool_meet(c->s->pool);
    const double left = sum_of(c->m->residual_sums, patch_count);
    for (uint32_t p = c->patches.begin; p < c->patches.end; ++p) turn_patch(c, p, left / error);
    error = left;
    weft__worker_pool_meet(c->s->pool);
  }
}

static void speed_up(const solver* c, uint32_t i) {
  const weft__particles* p = c->s->particles;
  if (!is_free(c, i)) return;
  const double kept = (double)c->s->kept;
  p->vel_x[i] = (float)((double)p->vel_x[i] * kept + c->m->change[i][0]);
  p->vel_y[i] = (float)((double)p->vel_y[i] * kept + c->m->change[i][1]);
  p->vel_z[i] = (float)((double)p->vel_z[i] * kept + c->m->change[i][2]);
}

void weft__implicit_solve(const weft__implicit* implicit, const weft__substep* substep,
                          uint32_t worker) {
  const solver c = {implicit, substep, weft__substep_patches(substep, worker)};
  find_change(&c);
  const weft__range own = weft__substep_particles(substep, worker);
  for (uint32_t i = own.begin; i < own.end; ++i) speed_up(&c, i);
}
