/* The kernels, for WIDE_LANES lanes at a time. The including file defines KERNELS_TABLE, the name
 * of the one symbol that it exports, and KERNELS_ISA. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

#include "kernels/solve.inl"
#include "kernels/tear.inl"

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
    wide_mask is_free = wide_positive(wide_load(p->inv_mass + i));
    if (c->follows != NULL) is_free &= wide_positive(wide_load(c->follows + i));
    blend_axis(p->pos_x + i, c->x, b, k, is_free);
    blend_axis(p->pos_y + i, c->y, b, k, is_free);
    blend_axis(p->pos_z + i, c->z, b, k, is_free);
  }
  for (; k < b->count; ++k, ++i) {
    if (c->follows != NULL && c->follows[i] == 0.0f) continue;
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

// ---- tethers ----

// Moves those of WIDE_LANES particles back that are further from x y z than they may be. Most are not,
// and a root and a division are then saved. An infinite reach is beyond nothing, an anchor that is not
// a number holds nothing.
static inline void tether_window(const weft__particles* p, size_t i, wide x, wide y, wide z,
                                 wide reach) {
  const ends e = load_ends(p, i);
  x = e.x - x;
  y = e.y - y;
  z = e.z - z;
  const wide length_sq = x * x + y * y + z * z;
  const wide_mask beyond = wide_positive(length_sq - reach * reach) & wide_positive(e.inv_mass);
  if (wide_all((wide_mask)~beyond)) return;
  const wide share = 1.0f - reach / wide_sqrt(length_sq);
  wide_store(p->pos_x + i, e.x - wide_keep(share * x, beyond));
  wide_store(p->pos_y + i, e.y - wide_keep(share * y, beyond));
  wide_store(p->pos_z + i, e.z - wide_keep(share * z, beyond));
}

// the same for one particle
static inline void tether_one(const weft__particles* p, size_t i, float x, float y, float z,
                              float reach) {
  x = p->pos_x[i] - x;
  y = p->pos_y[i] - y;
  z = p->pos_z[i] - z;
  const float length_sq = x * x + y * y + z * z;
  if (!(length_sq - reach * reach > 0.0f && p->inv_mass[i] > 0.0f)) return;
  const float share = 1.0f - reach / sqrtf(length_sq);
  p->pos_x[i] -= share * x;
  p->pos_y[i] -= share * y;
  p->pos_z[i] -= share * z;
}

static inline wide gather(const float* column, const uint32_t* index) {
  float gathered[WIDE_LANES];
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) gathered[lane] = column[index[lane]];
  return wide_load(gathered);
}

static inline void tether_group(const weft__particles* p, const weft__tethers* t, uint32_t kind,
                                size_t i, const uint32_t* anchor, const float* reach) {
  const uint32_t a = anchor[0];
  for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
    const wide far = wide_load(reach + lane);
    if (kind == WEFT__TETHER_SHARED) {
      tether_window(p, i + lane, wide_splat(t->anchor_x[a]), wide_splat(t->anchor_y[a]),
                    wide_splat(t->anchor_z[a]), far);
    } else if (kind == WEFT__TETHER_CONSECUTIVE) {
      tether_window(p, i + lane, wide_load(t->anchor_x + a + lane),
                    wide_load(t->anchor_y + a + lane), wide_load(t->anchor_z + a + lane), far);
    } else {
      const uint32_t* index = anchor + lane;
      tether_window(p, i + lane, gather(t->anchor_x, index), gather(t->anchor_y, index),
                    gather(t->anchor_z, index), far);
    }
  }
}

static void tether_slot(const weft__particles* particles, const weft__tethers* tethers,
                        uint32_t slot, uint32_t patch, uint32_t begin, uint32_t end) {
  const weft__particles p = *particles;
  const weft__tethers t = *tethers;
  const uint32_t* anchor = t.anchor + (size_t)slot * t.particle_count;
  const float* reach = t.reach + (size_t)slot * t.particle_count;
  const uint8_t* kind = t.kind + (size_t)slot * t.group_count + t.patch_first_group[patch];
  size_t i = begin;
  for (; i + WEFT__LANES <= end; i += WEFT__LANES, ++kind) {
    if (*kind != WEFT__TETHER_NONE) tether_group(&p, &t, *kind, i, anchor + i, reach + i);
  }
  for (; i < end; ++i) {
    const uint32_t a = anchor[i];
    tether_one(&p, i, t.anchor_x[a], t.anchor_y[a], t.anchor_z[a], reach[i]);
  }
}

static void tether(const weft__particles* particles, const weft__tethers* tethers, uint32_t patch,
                   uint32_t begin, uint32_t end) {
  for (uint32_t slot = tethers->slot_count; slot-- > 0;) {
    tether_slot(particles, tethers, slot, patch, begin, end);
  }
}

const weft__kernels KERNELS_TABLE = {
    .isa = KERNELS_ISA,
    .integrate = integrate,
    .solve_patch = solve_patch,
    .blend = blend,
    .find_torn = find_torn,
    .tether = tether,
};
