#include "modules/integrators/pair_forces.h"

#include <math.h>

#include "base/arena.h"
#include "base/grain_size.h"
#include "base/memory.h"
#include "base/min_max.h"
#include "parallel/atomic_max.h"

// Over the cutoff: 0.3 sizes of a cutoff of 2.5.
#define SKIN_SHARE 0.12
// Bits of a cell number along an axis; cells further out share the outermost one.
#define CELL_BITS 21u
#define LAST_CELL ((1 << (CELL_BITS - 1)) - 2)
// Particles that one tests at most: several times the neighbours in a dense liquid.
#define MAX_CANDIDATES 4096u
#define TESTS_A_UNIT 4u
// share of the size, below which the force grows no more
#define MIN_DISTANCE_SHARE 0.01
// newtons: the difference of two such forces is finite in single precision
#define MAX_FORCE 1e30
#define LIST_GRAIN WEFT__GRAIN(64u, 2u)
#define MOVE_GRAIN WEFT__GRAIN(2048u, 4u)

typedef struct pair_value {
  double force_over_r, energy;
} pair_value;

static pair_value lennard_jones(const weft__pair_forces* f, double r_sq) {
  const double size = (double)f->law.size, strength = (double)f->law.strength;
  const double r_min = MIN_DISTANCE_SHARE * size;
  if (r_sq < r_min * r_min) r_sq = r_min * r_min;
  const double ratio = size * size / r_sq;
  const double sixth = ratio * ratio * ratio;
  const double r = sqrt(r_sq);
  return (pair_value){
      24.0 * strength * (2.0 * sixth * sixth - sixth) / r_sq - f->force_at_cutoff / r,
      4.0 * strength * (sixth * sixth - sixth) - f->energy_at_cutoff +
          (r - (double)f->law.cutoff) * f->force_at_cutoff,
  };
}

static pair_value value_at(const weft__pair_forces* f, double r_sq) {
  if (f->law.kind == WEFT_PAIR_FORCE_LENNARD_JONES) return lennard_jones(f, r_sq);
  const double r = sqrt(r_sq);
  const double depth = (double)f->law.cutoff - r;
  const double newtons = (double)f->law.strength * depth;
  return (pair_value){newtons / r, 0.5 * newtons * depth};
}

// From i to j; false beyond the cutoff, or if both coincide.
static inline bool offset_between(const weft__pair_forces* f, const weft__particles* p, uint32_t i,
                                  uint32_t j, double offset[3], double* r_sq) {
  for (int k = 0; k < 3; ++k) offset[k] = (double)p->pos[k][j] - (double)p->pos[k][i];
  *r_sq = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
  const double cutoff = (double)f->law.cutoff;
  return *r_sq > 0.0 && *r_sq < cutoff * cutoff;
}

static void layout(weft__pair_forces* f, weft__arena* arena, size_t count) {
  for (int axis = 0; axis < 3; ++axis) {
    f->listed_pos[axis] = weft__arena_alloc(arena, count, sizeof(float));
  }
  f->order = weft__arena_alloc(arena, count, sizeof(*f->order));
  f->scratch = weft__arena_alloc(arena, count, sizeof(*f->scratch));
  f->listed_with = weft__arena_alloc(arena, count, sizeof(*f->listed_with));
  f->neighbor_count = weft__arena_alloc(arena, count, sizeof(*f->neighbor_count));
  f->neighbors = weft__arena_alloc(arena, count * f->law.max_neighbors, sizeof(*f->neighbors));
}

bool weft__pair_forces_create(weft__pair_forces* forces, const weft_pair_force_def* law,
                              const weft__schedule* schedule) {
  *forces = (weft__pair_forces){.law = *law, .schedule = schedule};
  if (!weft__pair_forces_act(forces)) return true;
  forces->reach = (double)law->cutoff * (1.0 + SKIN_SHARE);
  if (law->kind == WEFT_PAIR_FORCE_LENNARD_JONES) {
    const double cutoff = (double)law->cutoff;
    const pair_value at_cutoff = lennard_jones(forces, cutoff * cutoff);
    forces->force_at_cutoff = at_cutoff.force_over_r * cutoff;
    forces->energy_at_cutoff = at_cutoff.energy;
  }
  for (weft__arena arena = {0}; weft__arena_next(&arena, &forces->block, &forces->bytes);) {
    layout(forces, &arena, schedule->particle_count);
  }
  return forces->block != NULL;
}

void weft__pair_forces_destroy(weft__pair_forces* forces) {
  weft__free(forces->block);
  *forces = (weft__pair_forces){0};
}

typedef struct list_args {
  weft__pair_forces* forces;
  const weft__particles* particles;
  _Atomic uint64_t tests; /* relaxed: read after the loop */
} list_args;

static void run_loop(const weft__step_context* step, uint32_t count, uint32_t grain,
                     void (*task)(void*, weft__range, uint32_t), list_args* args) {
  if (step == NULL) {
    task(args, (weft__range){0, count}, 0);
    return;
  }
  weft__worker_pool_run_loop(step->pool, count, grain, task, "pair_forces", args);
}

// Since lists were made; NaN is larger than any.
static void measure_displacements(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  const list_args* args = context;
  weft__pair_forces* f = args->forces;
  const weft__particles* p = args->particles;
  float largest = 0.0f;
  for (uint32_t k = own.begin; k < own.end; ++k) {
    const uint32_t i = f->order[k].value;
    const float x = p->pos_x[i] - f->listed_pos[0][i];
    const float y = p->pos_y[i] - f->listed_pos[1][i];
    const float z = p->pos_z[i] - f->listed_pos[2][i];
    const float sq = x * x + y * y + z * z;
    if (!(sq <= largest)) largest = sq >= 0.0f ? sq : INFINITY;
  }
  weft__atomic_max(&f->max_displacement_sq, largest);
}

static bool are_valid(weft__pair_forces* f, const weft__particles* p,
                      const weft__step_context* step) {
  if (!f->is_listed) return false;
  list_args args = {f, p, 0};
  run_loop(step, f->listed_count, MOVE_GRAIN, measure_displacements, &args);
  const float largest = weft__float_from_bits(
      atomic_exchange_explicit(&f->max_displacement_sq, 0, memory_order_relaxed));
  const double half_skin = 0.49 * (f->reach - (double)f->law.cutoff);
  return (double)largest < half_skin * half_skin;
}

static uint32_t cell_along(double x, double width) {
  const double cell = floor(x / width);
  if (!(cell > -LAST_CELL)) return 1;
  const int32_t inside = cell < LAST_CELL ? (int32_t)cell : LAST_CELL;
  return (uint32_t)(inside + LAST_CELL + 1);
}

static uint64_t cell_number(uint32_t x, uint32_t y, uint32_t z) {
  return ((uint64_t)z << CELL_BITS | y) << CELL_BITS | x;
}

static bool is_member(const weft__pair_forces* f, const weft__particles* p, uint32_t i) {
  const uint32_t from_first = f->schedule->user_of[i] - f->law.first;
  const bool is_in_range =
      f->schedule->user_of[i] >= f->law.first && (f->law.count == 0 || from_first < f->law.count);
  return is_in_range && !weft__particles_is_removed(p, i);
}

static void push_member(weft__pair_forces* f, const weft__particles* p, uint32_t i) {
  const uint64_t cell = cell_number(cell_along((double)p->pos_x[i], f->reach),
                                    cell_along((double)p->pos_y[i], f->reach),
                                    cell_along((double)p->pos_z[i], f->reach));
  f->order[f->listed_count++] = (weft__sort_item){cell, i};
}

// Environments follow each other, each in the order of its cells.
static void sort_by_cell(weft__pair_forces* f, const weft__particles* p) {
  f->listed_count = 0;
  for (uint32_t e = 0; e < f->schedule->environment_count; ++e) {
    const weft__range own = weft__environment_particles(f->schedule, e);
    const uint32_t first = f->listed_count;
    for (uint32_t i = own.begin; i < own.end; ++i) {
      const bool is_listed = is_member(f, p, i);
      f->neighbor_count[i] = 0;
      for (int k = 0; k < 3; ++k) f->listed_pos[k][i] = is_listed ? p->pos[k][i] : 0.0f;
      if (is_listed) push_member(f, p, i);
    }
    weft__sort(f->order + first, f->scratch, f->listed_count - first);
    for (uint32_t k = first; k < f->listed_count; ++k) {
      f->listed_with[f->order[k].value] = (weft__range){first, f->listed_count};
    }
  }
}

// Row of three cells; false if there are too many.
static bool scan_row(weft__pair_forces* f, uint32_t i, uint64_t first, uint32_t* tested) {
  const float reach_sq = (float)(f->reach * f->reach);
  uint32_t* list = f->neighbors + (size_t)i * f->law.max_neighbors;
  const weft__range with = f->listed_with[i];
  for (uint32_t k = weft__lower_bound(f->order, with.begin, with.end, first);
       k < with.end && f->order[k].key <= first + 2; ++k) {
    const uint32_t j = f->order[k].value;
    if (++*tested > MAX_CANDIDATES) return false;
    const float x = f->listed_pos[0][j] - f->listed_pos[0][i];
    const float y = f->listed_pos[1][j] - f->listed_pos[1][i];
    const float z = f->listed_pos[2][j] - f->listed_pos[2][i];
    if (j == i || !(x * x + y * y + z * z < reach_sq)) continue;
    if (f->neighbor_count[i] == f->law.max_neighbors) return false;
    list[f->neighbor_count[i]++] = j;
  }
  return true;
}

static void list_neighbors(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  list_args* args = context;
  weft__pair_forces* f = args->forces;
  uint64_t all_tested = 0;
  const uint64_t row = (uint64_t)1 << CELL_BITS, layer = row << CELL_BITS;
  for (uint32_t k = own.begin; k < own.end; ++k) {
    const uint64_t first = f->order[k].key - layer - row - 1;
    const uint32_t i = f->order[k].value;
    uint32_t tested = 0;
    bool is_whole = true;
    for (uint64_t n = 0; n < 9 && is_whole; ++n) {
      is_whole = scan_row(f, i, first + n / 3 * layer + n % 3 * row, &tested);
    }
    all_tested += tested;
    if (!is_whole) atomic_fetch_add_explicit(&f->lost, 1, memory_order_relaxed);
  }
  atomic_fetch_add_explicit(&args->tests, all_tested, memory_order_relaxed);
}

void weft__pair_forces_update(weft__pair_forces* forces, const weft__particles* particles,
                              const weft__step_context* step) {
  if (!weft__pair_forces_act(forces) || are_valid(forces, particles, step)) return;
  // budget spent: an earlier substep's lists
  if (step != NULL && step->substep > 0 && forces->is_listed &&
      weft__step_cuts(step, WEFT__WORK_ALL))
    return;
  sort_by_cell(forces, particles);
  list_args args = {forces, particles, 0};
  run_loop(step, forces->listed_count, LIST_GRAIN, list_neighbors, &args);
  if (step != NULL) weft__step_spend(step, args.tests / TESTS_A_UNIT);
  forces->is_listed = true;
}

void weft__pair_forces_add(const weft__pair_forces* forces, const weft__particles* particles,
                           uint32_t particle, double force[3]) {
  const uint32_t* list = forces->neighbors + (size_t)particle * forces->law.max_neighbors;
  for (uint32_t n = 0; n < forces->neighbor_count[particle]; ++n) {
    double offset[3], r_sq;
    if (!offset_between(forces, particles, particle, list[n], offset, &r_sq)) continue;
    const double pull = -value_at(forces, r_sq).force_over_r;
    for (int axis = 0; axis < 3; ++axis) force[axis] += pull * offset[axis];
  }
  for (int axis = 0; axis < 3; ++axis)
    force[axis] = weft__max(weft__min(force[axis], MAX_FORCE), -MAX_FORCE);
}

// Half of each pair at either end; pairs of pinned particles do not count.
static double energy_of_lists(const weft__pair_forces* f, const weft__particles* p) {
  double energy = 0.0;
  for (uint32_t i = 0; i < p->count; ++i) {
    const uint32_t* list = f->neighbors + (size_t)i * f->law.max_neighbors;
    for (uint32_t n = 0; n < f->neighbor_count[i]; ++n) {
      double offset[3], r_sq;
      if (p->inv_mass[i] == 0.0f && p->inv_mass[list[n]] == 0.0f) continue;
      if (!offset_between(f, p, i, list[n], offset, &r_sq)) continue;
      energy += 0.5 * value_at(f, r_sq).energy;
    }
  }
  return energy;
}

bool weft__pair_forces_energy(const weft__pair_forces* forces, const weft__particles* particles,
                              const weft__schedule* schedule, double* energy) {
  weft__pair_forces own;
  if (!weft__pair_forces_create(&own, &forces->law, schedule)) return false;
  weft__pair_forces_update(&own, particles, NULL);
  *energy = energy_of_lists(&own, particles);
  weft__pair_forces_destroy(&own);
  return true;
}

// Keys belong to the search that has ended.
static void visit_member(const weft__pair_forces* forces, weft__archive* archive, uint32_t k) {
  uint32_t particle = forces->order[k].value;
  WEFT__ARCHIVE_VALUE(archive, particle);
  if (weft__archive_is_loading(archive)) forces->order[k].value = particle;
}

static void visit_neighbors(const weft__pair_forces* forces, weft__archive* archive, uint32_t i) {
  uint32_t count = forces->neighbor_count[i];
  WEFT__ARCHIVE_VALUE(archive, count);
  if (!weft__archive_expect(archive, count <= forces->law.max_neighbors)) return;
  if (weft__archive_is_loading(archive)) forces->neighbor_count[i] = count;
  WEFT__ARCHIVE_ARRAY(archive, forces->neighbors + (size_t)i * forces->law.max_neighbors, count);
}

void weft__pair_forces_visit(weft__pair_forces* forces, weft__archive* archive,
                             uint32_t particle_count) {
  uint64_t lost = atomic_load_explicit(&forces->lost, memory_order_relaxed);
  WEFT__ARCHIVE_VALUE(archive, forces->is_listed);
  WEFT__ARCHIVE_VALUE(archive, forces->listed_count);
  WEFT__ARCHIVE_VALUE(archive, lost);
  if (!weft__archive_expect(archive, forces->listed_count <= particle_count)) return;
  if (weft__archive_is_loading(archive)) {
    atomic_store_explicit(&forces->lost, lost, memory_order_relaxed);
  }
  if (!weft__pair_forces_act(forces) || !forces->is_listed) return;
  for (int axis = 0; axis < 3; ++axis) {
    WEFT__ARCHIVE_ARRAY(archive, forces->listed_pos[axis], particle_count);
  }
  for (uint32_t k = 0; k < forces->listed_count; ++k) visit_member(forces, archive, k);
  for (uint32_t i = 0; i < particle_count; ++i) visit_neighbors(forces, archive, i);
}
