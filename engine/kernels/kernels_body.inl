/* The kernels, for WIDE_LANES lanes at a time. The including file defines KERNELS_TABLE, the name
 * of the one symbol that it exports, and KERNELS_ISA.
 *
 * A link between particles i and j of inverse masses wi and wj, at distance d = xj - xi, is moved
 * the share `stiffness` of the way to its rest length (Mueller et al. 2007, section 3.3):
 *
 *     s = stiffness (|d| - rest) / (|d| (wi + wj)),   xi += wi s d,   xj -= wj s d
 *
 * TINY keeps 0 / 0 out where both ends are pinned or both lie in one place: s is then finite, and
 * what it is multiplied by is 0. Elsewhere it is far below the last bit of the divisor. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

#define TINY 1e-30f

// the ends of WIDE_LANES links
typedef struct ends {
  wide x, y, z, inv_mass;
} ends;

// moves both ends of WIDE_LANES links
static inline void solve(ends* a, ends* b, wide rest, wide stiffness) {
  const wide x = b->x - a->x;
  const wide y = b->y - a->y;
  const wide z = b->z - a->z;
  const wide length = wide_sqrt(x * x + y * y + z * z);
  const wide scale = stiffness * (length - rest) / (length * (a->inv_mass + b->inv_mass) + TINY);
  const wide scale_a = a->inv_mass * scale;
  const wide scale_b = b->inv_mass * scale;
  a->x += scale_a * x;
  a->y += scale_a * y;
  a->z += scale_a * z;
  b->x -= scale_b * x;
  b->y -= scale_b * y;
  b->z -= scale_b * z;
}

static inline ends load_ends(const weft__particles* p, size_t i) {
  return (ends){wide_load(p->pos_x + i), wide_load(p->pos_y + i), wide_load(p->pos_z + i),
                wide_load(p->inv_mass + i)};
}

static inline void store_ends(const weft__particles* p, size_t i, const ends* e) {
  wide_store(p->pos_x + i, e->x);
  wide_store(p->pos_y + i, e->y);
  wide_store(p->pos_z + i, e->z);
}

static void solve_contiguous(const weft__particles* p, const weft__schedule* schedule,
                             const weft__run* run) {
  const float* rest = schedule->rest_length + run->rest;
  const float* stiffness = schedule->stiffness + run->stiffness;
  size_t a = run->a;
  size_t b = run->b;
  for (uint32_t g = 0; g < run->group_count; ++g) {
    const uint32_t mask = schedule->lane_mask[run->first_group + g];
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      wide share = wide_load(stiffness + lane);
      if (mask != WEFT__ALL_LANES) share = wide_keep(share, wide_from_mask(mask >> lane));
      ends end_a = load_ends(p, a + lane);
      ends end_b = load_ends(p, b + lane);
      solve(&end_a, &end_b, wide_load(rest + lane), share);
      store_ends(p, a + lane, &end_a);
      store_ends(p, b + lane, &end_b);
    }
    a += WEFT__LANES;
    b += WEFT__LANES;
    rest += run->rest_stride;
    stiffness += run->stiffness_stride;
  }
}

static inline ends gather_ends(const weft__particles* p, const uint32_t* index) {
  float x[WIDE_LANES], y[WIDE_LANES], z[WIDE_LANES], inv_mass[WIDE_LANES];
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
    const size_t i = index[lane];
    x[lane] = p->pos_x[i];
    y[lane] = p->pos_y[i];
    z[lane] = p->pos_z[i];
    inv_mass[lane] = p->inv_mass[i];
  }
  return (ends){wide_load(x), wide_load(y), wide_load(z), wide_load(inv_mass)};
}

// only the lanes that hold a link: an empty lane repeats another one's particle
static inline void scatter_ends(const weft__particles* p, const uint32_t* index, uint32_t mask,
                                const ends* e) {
  float x[WIDE_LANES], y[WIDE_LANES], z[WIDE_LANES];
  wide_store(x, e->x);
  wide_store(y, e->y);
  wide_store(z, e->z);
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
    if (((mask >> lane) & 1u) == 0) continue;
    const size_t i = index[lane];
    p->pos_x[i] = x[lane];
    p->pos_y[i] = y[lane];
    p->pos_z[i] = z[lane];
  }
}

static void solve_indexed(const weft__particles* p, const weft__schedule* schedule,
                          const weft__run* run) {
  for (uint32_t g = 0; g < run->group_count; ++g) {
    const uint32_t mask = schedule->lane_mask[run->first_group + g];
    const float* rest = schedule->rest_length + run->rest + (size_t)g * run->rest_stride;
    const float* stiffness =
        schedule->stiffness + run->stiffness + (size_t)g * run->stiffness_stride;
    const uint32_t* index_a = schedule->index_a + run->a + (size_t)g * WEFT__LANES;
    const uint32_t* index_b = schedule->index_b + run->a + (size_t)g * WEFT__LANES;
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      ends end_a = gather_ends(p, index_a + lane);
      ends end_b = gather_ends(p, index_b + lane);
      solve(&end_a, &end_b, wide_load(rest + lane), wide_load(stiffness + lane));
      scatter_ends(p, index_a + lane, mask >> lane, &end_a);
      scatter_ends(p, index_b + lane, mask >> lane, &end_b);
    }
  }
}

static void solve_runs(const weft__particles* particles, const weft__schedule* schedule,
                       uint32_t begin, uint32_t end) {
  for (uint32_t r = begin; r < end; ++r) {
    const weft__run* run = &schedule->runs[r];
    if (run->kind == WEFT__RUN_CONTIGUOUS) {
      solve_contiguous(particles, schedule, run);
    } else {
      solve_indexed(particles, schedule, run);
    }
  }
}

// one axis of position Verlet: where the particle goes, from where it is and was
static inline void integrate_axis(float* position, float* previous, wide kept, wide displacement,
                                  wide_bits is_free) {
  const wide here = wide_load(position);
  const wide there = wide_load(previous);
  wide_store(previous, here);
  wide_store(position, here + wide_keep((here - there) * kept + displacement, is_free));
}

static void integrate(const weft__particles* p, const weft__motion* motion, uint32_t begin,
                      uint32_t end) {
  const wide kept = wide_splat(motion->kept);
  const wide x = wide_splat(motion->displacement[0]);
  const wide y = wide_splat(motion->displacement[1]);
  const wide z = wide_splat(motion->displacement[2]);
  for (size_t i = begin; i < end; i += WIDE_LANES) {
    const wide_bits is_free = wide_positive(wide_load(p->inv_mass + i));
    integrate_axis(p->pos_x + i, p->prev_x + i, kept, x, is_free);
    integrate_axis(p->pos_y + i, p->prev_y + i, kept, y, is_free);
    integrate_axis(p->pos_z + i, p->prev_z + i, kept, z, is_free);
  }
}

const weft__kernels KERNELS_TABLE = {
    .isa = KERNELS_ISA,
    .integrate = integrate,
    .solve_runs = solve_runs,
};
