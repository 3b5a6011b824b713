#include "modules/integrators/implicit.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/min_max.h"

// relative residual
#define TOLERANCE 1e-7
#define MAX_ITERATIONS 200u

static void lay_out(weft__implicit* m, weft__arena* arena, const weft__schedule* schedule) {
  const size_t particles = schedule->particle_count;
  const size_t patches = schedule->patch_count;
  m->tangents = weft__arena_alloc(arena, (size_t)2 * m->springs->count, sizeof(*m->tangents));
  m->change = weft__arena_alloc(arena, particles, sizeof(*m->change));
  m->residual = weft__arena_alloc(arena, particles, sizeof(*m->residual));
  m->search = weft__arena_alloc(arena, particles, sizeof(*m->search));
  m->product = weft__arena_alloc(arena, particles, sizeof(*m->product));
  m->diagonal = weft__arena_alloc(arena, particles, sizeof(*m->diagonal));
  m->residual_sums = weft__arena_alloc(arena, patches, sizeof(*m->residual_sums));
  m->search_sums = weft__arena_alloc(arena, patches, sizeof(*m->search_sums));
}

bool weft__implicit_create(weft__implicit* implicit, const weft__springs* springs,
                           const weft__schedule* schedule) {
  *implicit = (weft__implicit){.springs = springs};
  for (weft__arena arena = {0}; weft__arena_next(&arena, &implicit->block, &implicit->bytes);) {
    lay_out(implicit, &arena, schedule);
  }
  return implicit->block != NULL;
}

void weft__implicit_destroy(weft__implicit* implicit) {
  weft__free(implicit->block);
  *implicit = (weft__implicit){0};
}

typedef struct solver {
  const weft__implicit* m;
  weft__step_context* s;
  double step;   // along the search direction
  double share;  // last search direction's in the next one
} solver;

static bool is_free(const solver* c, uint32_t i) {
  return c->s->particles->inv_mass[i] > 0.0f;
}

static void add_block(const weft__tangent* t, double scale_along, double scale_across,
                      const double vector[3], double sum[3]) {
  const double along = (scale_along - scale_across) * weft__inner(t->u, vector);
  for (int k = 0; k < 3; ++k) sum[k] += along * t->u[k] + scale_across * vector[k];
}

// Tangent of one end; its share of right-hand side and diagonal.
static void linearize_end(const solver* c, uint32_t i, uint32_t end, double rhs[3],
                          double diagonal[3]) {
  const weft__particles* p = c->s->particles;
  const weft__spring* spring = &c->m->springs->ends[end];
  weft__tangent* t = &c->m->tangents[end];
  const weft__spring_state state = weft__spring_measure(c->m->springs, p, i, spring);
  *t = (weft__tangent){.u = {state.along[0], state.along[1], state.along[2]}};
  if (state.length == 0.0) return;

  const double h = (double)c->s->h;
  const weft__spring_load load = weft__spring_load_of(c->m->springs, spring, state.excess);
  // a falling piece of a curve counts as level
  const double stiff = h * h * weft__max(load.stiffness, 0.0);
  const double damp = h * (double)spring->damping;
  t->along = stiff + damp;
  const double pull = spring->curve == 0 ? stiff * state.excess : h * h * load.force;
  t->across = pull > 0.0 ? pull / state.length : 0.0;
  for (int k = 0; k < 3; ++k) {
    const double square = t->u[k] * t->u[k];
    diagonal[k] += t->along * square + t->across * (1.0 - square);
  }
  // h f + h^2 K v
  double velocity[3];
  weft__spring_velocity(p, i, spring->other, velocity);
  for (int k = 0; k < 3; ++k) velocity[k] *= (double)weft__step_motion(c->s, i)->kept;
  const double newtons = load.force + (double)spring->damping * weft__inner(t->u, velocity);
  for (int k = 0; k < 3; ++k) rhs[k] += h * newtons * t->u[k];
  add_block(t, stiff, t->across, velocity, rhs);
}

static void linearize_particle(const solver* c, uint32_t i) {
  const weft__particles* p = c->s->particles;
  const weft__springs* springs = c->m->springs;
  double rhs[3] = {0.0, 0.0, 0.0};
  double diagonal[3] = {0.0, 0.0, 0.0};
  for (uint32_t e = springs->first[i]; e < springs->first[i + 1]; ++e) {
    linearize_end(c, i, e, rhs, diagonal);
  }
  const float* gravity = weft__step_gravity(c->s, i);
  const double mass = is_free(c, i) ? 1.0 / (double)p->inv_mass[i] : 0.0;
  for (int k = 0; k < 3; ++k) {
    const double force = p->force_block != NULL ? (double)p->force[k][i] : 0.0;
    rhs[k] += (double)c->s->h * (mass * (double)gravity[k] + force);
    if (!is_free(c, i)) rhs[k] = 0.0;
    c->m->change[i][k] = 0.0;
    c->m->residual[i][k] = rhs[k];
    c->m->diagonal[i][k] = is_free(c, i) ? 1.0 / (mass + diagonal[k]) : 0.0;
    c->m->search[i][k] = c->m->diagonal[i][k] * rhs[k];
  }
}

static void multiply(const solver* c, uint32_t i) {
  const weft__springs* springs = c->m->springs;
  const double* own = c->m->search[i];
  double sum[3] = {0.0, 0.0, 0.0};
  if (is_free(c, i)) {
    const double mass = 1.0 / (double)c->s->particles->inv_mass[i];
    for (int k = 0; k < 3; ++k) sum[k] = mass * own[k];
    for (uint32_t e = springs->first[i]; e < springs->first[i + 1]; ++e) {
      const weft__tangent* t = &c->m->tangents[e];
      const double* other = c->m->search[springs->ends[e].other];
      const double difference[3] = {own[0] - other[0], own[1] - other[1], own[2] - other[2]};
      add_block(t, t->along, t->across, difference, sum);
    }
  }
  for (int k = 0; k < 3; ++k) c->m->product[i][k] = sum[k];
}

static double sum_of(const double* sums, uint32_t patch_count) {
  double sum = 0.0;
  for (uint32_t p = 0; p < patch_count; ++p) sum += sums[p];
  return sum;
}

static void linearize_patch(const solver* c, uint32_t patch) {
  const uint32_t* first = c->s->schedule->patch_first;
  double sum = 0.0;
  for (uint32_t i = first[patch]; i < first[patch + 1]; ++i) {
    linearize_particle(c, i);
    sum += weft__inner(c->m->residual[i], c->m->search[i]);
  }
  c->m->residual_sums[patch] = sum;
}

static void multiply_patch(const solver* c, uint32_t patch) {
  const uint32_t* first = c->s->schedule->patch_first;
  double sum = 0.0;
  for (uint32_t i = first[patch]; i < first[patch + 1]; ++i) {
    multiply(c, i);
    sum += weft__inner(c->m->search[i], c->m->product[i]);
  }
  c->m->search_sums[patch] = sum;
}

static void advance_patch(const solver* c, uint32_t patch) {
  const uint32_t* first = c->s->schedule->patch_first;
  double sum = 0.0;
  for (uint32_t i = first[patch]; i < first[patch + 1]; ++i) {
    double* residual = c->m->residual[i];
    for (int k = 0; k < 3; ++k) {
      c->m->change[i][k] += c->step * c->m->search[i][k];
      residual[k] -= c->step * c->m->product[i][k];
      sum += residual[k] * residual[k] * c->m->diagonal[i][k];
    }
  }
  c->m->residual_sums[patch] = sum;
}

static void update_search(const solver* c, uint32_t patch) {
  const uint32_t* first = c->s->schedule->patch_first;
  for (uint32_t i = first[patch]; i < first[patch + 1]; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double preconditioned = c->m->diagonal[i][k] * c->m->residual[i][k];
      c->m->search[i][k] = preconditioned + c->share * c->m->search[i][k];
    }
  }
}

static void linearize(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  for (uint32_t p = patches.begin; p < patches.end; ++p) linearize_patch(context, p);
}

static void multiply_search(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  for (uint32_t p = patches.begin; p < patches.end; ++p) multiply_patch(context, p);
}

static void advance(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  for (uint32_t p = patches.begin; p < patches.end; ++p) advance_patch(context, p);
}

static void turn_search(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  for (uint32_t p = patches.begin; p < patches.end; ++p) update_search(context, p);
}

static void solve_change(solver* c) {
  const uint32_t patch_count = c->s->schedule->patch_count;
  weft__step_for_patches(c->s, linearize, c);
  double error = sum_of(c->m->residual_sums, patch_count);
  const double target = error * (TOLERANCE * TOLERANCE);
  for (uint32_t n = 0; n < MAX_ITERATIONS && error > target; ++n) {
    weft__step_for_patches(c->s, multiply_search, c);
    const double curvature = sum_of(c->m->search_sums, patch_count);
    if (!(curvature > 0.0)) return;
    c->step = error / curvature;
    weft__step_for_patches(c->s, advance, c);
    const double next_error = sum_of(c->m->residual_sums, patch_count);
    c->share = next_error / error;
    weft__step_for_patches(c->s, turn_search, c);
    error = next_error;
  }
}

static void apply_change(const solver* c, uint32_t i) {
  weft__particles* p = c->s->particles;
  if (!is_free(c, i)) return;
  const double kept = (double)weft__step_motion(c->s, i)->kept;
  for (int k = 0; k < 3; ++k)
    p->vel[k][i] = (float)((double)p->vel[k][i] * kept + c->m->change[i][k]);
}

static void apply_changes(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const solver* c = context;
  const weft__range own = weft__step_particles(c->s, patches);
  for (uint32_t i = own.begin; i < own.end; ++i) apply_change(c, i);
}

void weft__implicit_solve(const weft__implicit* implicit, weft__step_context* step) {
  solver c = {.m = implicit, .s = step};
  solve_change(&c);
  weft__step_for_patches(step, apply_changes, &c);
}
