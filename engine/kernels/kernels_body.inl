/* The kernels, for WIDE_LANES lanes at a time. The including file defines KERNELS_TABLE, the name
 * of the one symbol that it exports, and KERNELS_ISA.
 *
 * A link between particles i and j of inverse masses wi and wj, at distance d = xj - xi, is moved
 * the share `stiffness` of the way to its rest length (Mueller et al. 2007, section 3.3):
 *
 *     s = stiffness (|d| - rest) / |d|,   xi += wi / (wi + wj) s d,   xj -= wj / (wi + wj) s d
 *
 * Most links join particles of one mass, and then both quotients are exactly a half. Where that
 * holds for a whole vector, the two ends share their products, which halves the multiplications,
 * the busiest unit of this loop. Halving is exact, so that both ways give the same bits for such a
 * link and vectors of any width may choose for themselves.
 *
 * TINY keeps 0 / 0 out where both ends are pinned or both lie in one place: the quotient is then
 * finite, and what it is multiplied by is 0. Elsewhere it is far below the last bit of the divisor.
 */
#include "kernels/kernels.h"
#include "kernels/wide.h"

#define TINY 1e-30f

// compiled anew for each constant that it is called with
#define SPECIAL __attribute__((always_inline)) static inline

// the ends of WIDE_LANES links
typedef struct ends {
  wide x, y, z, inv_mass;
} ends;

// Moves both ends of WIDE_LANES links whose second ends are x y z away from the first ones; `alike`:
// the lanes in which both have the same inverse mass, not 0, or that hold no link.
static inline void move_ends(ends* a, ends* b, wide x, wide y, wide z, wide rest, wide stiffness,
                             wide_mask alike, bool one_sided) {
  const wide length = wide_sqrt(x * x + y * y + z * z);
  wide error = length - rest;
  if (one_sided) error = wide_keep(error, wide_positive(error));
  const wide scale = stiffness * error / (length + TINY);
  if (wide_all(alike)) {
    const wide half = 0.5f * scale;
    const wide move_x = half * x;
    const wide move_y = half * y;
    const wide move_z = half * z;
    a->x += move_x;
    a->y += move_y;
    a->z += move_z;
    b->x -= move_x;
    b->y -= move_y;
    b->z -= move_z;
    return;
  }
  const wide sum = a->inv_mass + b->inv_mass + TINY;
  const wide scale_a = a->inv_mass / sum * scale;
  const wide scale_b = b->inv_mass / sum * scale;
  a->x += scale_a * x;
  a->y += scale_a * y;
  a->z += scale_a * z;
  b->x -= scale_b * x;
  b->y -= scale_b * y;
  b->z -= scale_b * z;
}

static inline wide_mask same_mass(const ends* a, const ends* b) {
  return wide_equal(a->inv_mass, b->inv_mass) & wide_positive(a->inv_mass);
}

static inline void solve_all(ends* a, ends* b, wide rest, wide stiffness, bool one_sided) {
  move_ends(a, b, b->x - a->x, b->y - a->y, b->z - a->z, rest, stiffness, same_mass(a, b),
            one_sided);
}

// Solves the lanes of which `mask` has the bit. An empty lane is given two ends in one place, so that
// it moves neither, wherever in the scene they really are.
static inline void solve_some(ends* a, ends* b, wide rest, wide stiffness, uint32_t mask,
                              bool one_sided) {
  const wide_mask keep = wide_from_mask(mask);
  move_ends(a, b, wide_keep(b->x - a->x, keep), wide_keep(b->y - a->y, keep),
            wide_keep(b->z - a->z, keep), rest, wide_keep(stiffness, keep),
            same_mass(a, b) | (wide_mask)~keep, one_sided);
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

static inline void solve_window(const weft__particles* p, size_t a, size_t b, const float* rest,
                                const float* stiffness, uint32_t mask, bool one_sided) {
  ends end_a = load_ends(p, a);
  ends end_b = load_ends(p, b);
  if (mask == WEFT__ALL_LANES) {
    solve_all(&end_a, &end_b, wide_load(rest), wide_load(stiffness), one_sided);
  } else {
    solve_some(&end_a, &end_b, wide_load(rest), wide_load(stiffness), mask, one_sided);
  }
  store_ends(p, a, &end_a);
  store_ends(p, b, &end_b);
}

SPECIAL void solve_contiguous(const weft__particles* particles, const weft__schedule* schedule,
                              const weft__run* run, bool one_sided) {
  // copies: stores to the columns could otherwise change them, for all that the compiler knows
  const weft__particles p = *particles;
  const uint16_t* masks = schedule->lane_mask + run->first_group;
  const float* rest = schedule->rest_length + run->rest;
  const float* stiffness = schedule->stiffness + run->stiffness;
  const size_t rest_stride = run->rest_stride;
  const size_t stiffness_stride = run->stiffness_stride;
  const uint32_t group_count = run->group_count;
  size_t a = run->a;
  size_t b = run->b;
  for (uint32_t g = 0; g < group_count; ++g) {
    const uint32_t mask = masks[g];
    // the full group stands apart, so that it is compiled without a thought for empty lanes
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      if (mask == WEFT__ALL_LANES) {
        solve_window(&p, a + lane, b + lane, rest + lane, stiffness + lane, WEFT__ALL_LANES,
                     one_sided);
      } else {
        solve_window(&p, a + lane, b + lane, rest + lane, stiffness + lane, mask >> lane,
                     one_sided);
      }
    }
    a += WEFT__LANES;
    b += WEFT__LANES;
    rest += rest_stride;
    stiffness += stiffness_stride;
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

SPECIAL void solve_indexed(const weft__particles* p, const weft__schedule* schedule,
                           const weft__run* run, bool one_sided) {
  for (uint32_t g = 0; g < run->group_count; ++g) {
    const uint32_t mask = schedule->lane_mask[run->first_group + g];
    const float* rest = schedule->rest_length + run->rest + (size_t)g * run->rest_stride;
    const float* stiffness =
        schedule->stiffness + run->stiffness + (size_t)g * run->stiffness_stride;
    const uint32_t* index_a = schedule->index_a + run->index + (size_t)g * WEFT__LANES;
    const uint32_t* index_b = schedule->index_b + run->index + (size_t)g * WEFT__LANES;
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      ends end_a = gather_ends(p, index_a + lane);
      ends end_b = gather_ends(p, index_b + lane);
      solve_all(&end_a, &end_b, wide_load(rest + lane), wide_load(stiffness + lane), one_sided);
      scatter_ends(p, index_a + lane, mask >> lane, &end_a);
      scatter_ends(p, index_b + lane, mask >> lane, &end_b);
    }
  }
}

// ---- fans, on records ----

static const uint16_t consecutive[WEFT__LANES] = {0,  2,  4,  6,  8,  10, 12, 14,
                                                  16, 18, 20, 22, 24, 26, 28, 30};

// Copies the patch's segments, and not a particle more: the next one may be another worker's.
static void load_records(const weft__particles* p, const weft__segment* segment,
                         const weft__segment* end, float* records) {
  for (; segment < end; ++segment) {
    uint32_t i = 0;
    for (; i + WIDE_LANES <= segment->count; i += WIDE_LANES) {
      const ends e = load_ends(p, segment->first + (size_t)i);
      const wide components[4] = {e.x, e.y, e.z, e.inv_mass};
      wide_store_records(records + (size_t)4 * i, consecutive, components);
    }
    for (; i < segment->count; ++i) {
      const size_t from = segment->first + (size_t)i;
      const float record[4] = {p->pos_x[from], p->pos_y[from], p->pos_z[from], p->inv_mass[from]};
      memcpy(records + (size_t)4 * i, record, sizeof(record));
    }
    records += (size_t)4 * segment->count;
  }
  // the record of empty lanes
  memset(records, 0, 4 * sizeof(*records));
}

static void store_records(const weft__particles* p, const weft__segment* segment,
                          const weft__segment* end, const float* records) {
  for (; segment < end; ++segment) {
    uint32_t i = 0;
    for (; i + WIDE_LANES <= segment->count; i += WIDE_LANES) {
      wide c[4];
      wide_load_records(records + (size_t)4 * i, consecutive, c);
      store_ends(p, segment->first + (size_t)i, &(ends){c[0], c[1], c[2], c[3]});
    }
    for (; i < segment->count; ++i) {
      const float* record = records + (size_t)4 * i;
      p->pos_x[segment->first + i] = record[0];
      p->pos_y[segment->first + i] = record[1];
      p->pos_z[segment->first + i] = record[2];
    }
    records += (size_t)4 * segment->count;
  }
}

#define FAN_PIECES (WEFT__FAN_LANES / WIDE_LANES)

static inline ends fetch_ends(const float* records, const uint16_t* index) {
  wide c[4];
  wide_load_records(records, index, c);
  return (ends){c[0], c[1], c[2], c[3]};
}

static inline void put_ends(float* records, const uint16_t* index, const ends* e) {
  const wide c[4] = {e->x, e->y, e->z, e->inv_mass};
  wide_store_records(records, index, c);
}

// one slot: the centres stay in registers where the ISA has enough of them
SPECIAL void solve_slot(const weft__schedule* schedule, const weft__run* run,
                        ends centers[FAN_PIECES], float* records, bool one_sided) {
  const float* rest = schedule->rest_length + run->rest;
  const float* stiffness = schedule->stiffness + run->stiffness;
  const uint16_t* index = schedule->index_local + run->index;
  const uint16_t* masks = schedule->lane_mask + run->first_group;
#pragma GCC unroll 8
  for (uint32_t piece = 0; piece < FAN_PIECES; ++piece) {
    const uint32_t first = piece * WIDE_LANES;
    const uint32_t group = first / WEFT__LANES;
    const uint32_t lane = first % WEFT__LANES;
    const wide share = wide_load(stiffness + (size_t)group * run->stiffness_stride + lane);
    const wide rest_length = wide_load(rest + (size_t)group * run->rest_stride + lane);
    ends other = fetch_ends(records, index + first);
    solve_some(&centers[piece], &other, rest_length, share, masks[group] >> lane, one_sided);
    put_ends(records, index + first, &other);
  }
}

// the slots of one fan, runs [run, end) up to the next fan; returns where that is
SPECIAL const weft__run* solve_fan(const weft__schedule* schedule, const weft__run* run,
                                   const weft__run* end, float* records, bool one_sided) {
  const uint32_t fan = run->a;
  const uint16_t* index = schedule->index_local + fan;
  ends centers[FAN_PIECES];
#pragma GCC unroll 8
  for (uint32_t piece = 0; piece < FAN_PIECES; ++piece) {
    centers[piece] = fetch_ends(records, index + (size_t)piece * WIDE_LANES);
  }
  for (; run < end && run->a == fan; ++run) solve_slot(schedule, run, centers, records, one_sided);
#pragma GCC unroll 8
  for (uint32_t piece = 0; piece < FAN_PIECES; ++piece) {
    put_ends(records, index + (size_t)piece * WIDE_LANES, &centers[piece]);
  }
  return run;
}

// all fans of a patch, which are its last runs
SPECIAL void solve_fans(const weft__particles* particles, const weft__schedule* schedule,
                        uint32_t patch, const weft__run* run, float* records, bool one_sided) {
  const weft__segment* begin = schedule->segments + schedule->patch_first_segment[patch];
  const weft__segment* end = schedule->segments + schedule->patch_first_segment[patch + 1];
  const weft__run* end_run = schedule->runs + weft__patch_end_run(schedule, patch);
  load_records(particles, begin, end, records);
  while (run < end_run) {
    run = solve_fan(schedule, run, end_run, records, one_sided);
  }
  store_records(particles, begin, end, records);
}

SPECIAL void solve_runs(const weft__particles* particles, const weft__schedule* schedule,
                        uint32_t patch, float* records, bool one_sided) {
  const weft__run* run = schedule->runs + weft__patch_first_run(schedule, patch);
  const weft__run* end = schedule->runs + weft__patch_end_run(schedule, patch);
  for (; run < end && run->kind != WEFT__RUN_FAN; ++run) {
    if (run->kind == WEFT__RUN_CONTIGUOUS) {
      solve_contiguous(particles, schedule, run, one_sided);
    } else {
      solve_indexed(particles, schedule, run, one_sided);
    }
  }
  if (run < end) solve_fans(particles, schedule, patch, run, records, one_sided);
}

// ---- a patch ----

static void solve_two_sided(const weft__particles* particles, const weft__schedule* schedule,
                            uint32_t patch, float* records) {
  solve_runs(particles, schedule, patch, records, false);
}

static void solve_one_sided(const weft__particles* particles, const weft__schedule* schedule,
                            uint32_t patch, float* records) {
  solve_runs(particles, schedule, patch, records, true);
}

static void solve_patch(const weft__particles* particles, const weft__schedule* schedule,
                        uint32_t patch, float* records) {
  if (schedule->one_sided) {
    solve_one_sided(particles, schedule, patch, records);
  } else {
    solve_two_sided(particles, schedule, patch, records);
  }
}

// one axis of position Verlet: where the particle goes, from where it is and was
static inline void integrate_axis(float* position, float* previous, float kept, float displacement,
                                  wide_mask is_free) {
  const wide here = wide_load(position);
  const wide there = wide_load(previous);
  wide_store(previous, here);
  wide_store(position, here + wide_keep((here - there) * kept + displacement, is_free));
}

// the same for the few particles that fill no vector
static inline void integrate_rest(float* position, float* previous, float kept, float displacement,
                                  const float* inv_mass, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float here = position[i];
    const float moved = (here - previous[i]) * kept + displacement;
    previous[i] = here;
    position[i] = here + (inv_mass[i] > 0.0f ? moved : 0.0f);
  }
}

static void integrate(const weft__particles* particles, const weft__motion* motion, uint32_t begin,
                      uint32_t end) {
  const weft__particles p = *particles;
  const weft__motion m = *motion;
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
    const wide_mask is_free = wide_positive(wide_load(p.inv_mass + i));
    integrate_axis(p.pos_x + i, p.prev_x + i, m.kept, m.displacement[0], is_free);
    integrate_axis(p.pos_y + i, p.prev_y + i, m.kept, m.displacement[1], is_free);
    integrate_axis(p.pos_z + i, p.prev_z + i, m.kept, m.displacement[2], is_free);
  }
  const float* inv_mass = p.inv_mass + i;
  integrate_rest(p.pos_x + i, p.prev_x + i, m.kept, m.displacement[0], inv_mass, end - i);
  integrate_rest(p.pos_y + i, p.prev_y + i, m.kept, m.displacement[1], inv_mass, end - i);
  integrate_rest(p.pos_z + i, p.prev_z + i, m.kept, m.displacement[2], inv_mass, end - i);
}

// ---- corrections from a coarser level ----

// one axis of WIDE_LANES particles: the weighted sum of what their parents were moved
static inline wide wide_blend(const float* moved, const weft__blend* b, size_t k) {
  return b->weight[0] * wide_load(moved + b->of[0] + k) +
         b->weight[1] * wide_load(moved + b->of[1] + k) +
         b->weight[2] * wide_load(moved + b->of[2] + k) +
         b->weight[3] * wide_load(moved + b->of[3] + k);
}

static inline void blend_axis(float* position, const float* moved, const weft__blend* b, size_t k,
                              wide_mask is_free) {
  wide_store(position, wide_load(position) + wide_keep(wide_blend(moved, b, k), is_free));
}

// the same for one particle
static inline void blend_one(float* position, const float* moved, const weft__blend* b, size_t k,
                             float inv_mass) {
  const float sum = b->weight[0] * moved[b->of[0] + k] + b->weight[1] * moved[b->of[1] + k] +
                    b->weight[2] * moved[b->of[2] + k] + b->weight[3] * moved[b->of[3] + k];
  *position += inv_mass > 0.0f ? sum : 0.0f;
}

static void blend_run(const weft__particles* p, const weft__corrections* c, const weft__blend* b) {
  size_t k = 0;
  size_t i = b->first;
  for (; k + WIDE_LANES <= b->count; k += WIDE_LANES, i += WIDE_LANES) {
    const wide_mask is_free = wide_positive(wide_load(p->inv_mass + i));
    blend_axis(p->pos_x + i, c->x, b, k, is_free);
    blend_axis(p->pos_y + i, c->y, b, k, is_free);
    blend_axis(p->pos_z + i, c->z, b, k, is_free);
  }
  for (; k < b->count; ++k, ++i) {
    blend_one(p->pos_x + i, c->x, b, k, p->inv_mass[i]);
    blend_one(p->pos_y + i, c->y, b, k, p->inv_mass[i]);
    blend_one(p->pos_z + i, c->z, b, k, p->inv_mass[i]);
  }
}

static void blend(const weft__particles* particles, const weft__corrections* corrections,
                  uint32_t patch) {
  const uint32_t end = corrections->patch_first_blend[patch + 1];
  for (uint32_t i = corrections->patch_first_blend[patch]; i < end; ++i) {
    blend_run(particles, corrections, &corrections->blends[i]);
  }
}

const weft__kernels KERNELS_TABLE = {
    .isa = KERNELS_ISA,
    .integrate = integrate,
    .solve_patch = solve_patch,
    .blend = blend,
};
