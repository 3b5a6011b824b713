/* Skinned garments: blend towards the skinned position, maximum distance from it, backstop. */
#include "modules/garment/skin.h"

typedef struct skin_vector {
  wide x, y, z;
} skin_vector;

static inline wide skin_dot(skin_vector a, skin_vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline skin_vector skin_add(skin_vector a, wide scale, skin_vector b) {
  return (skin_vector){a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}

static inline skin_vector skin_minus(skin_vector a, skin_vector b) {
  return (skin_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline skin_vector skin_scale(wide scale, skin_vector a) {
  return (skin_vector){scale * a.x, scale * a.y, scale * a.z};
}

static inline skin_vector skin_select(skin_vector a, skin_vector b, wide_mask mask) {
  return (skin_vector){wide_select(a.x, b.x, mask), wide_select(a.y, b.y, mask),
                       wide_select(a.z, b.z, mask)};
}

static inline skin_vector skin_load(float* const axis[3], size_t i) {
  return (skin_vector){wide_load(axis[0] + i), wide_load(axis[1] + i), wide_load(axis[2] + i)};
}

// With no share left, the caller's to the bit.
SPECIALIZED skin_vector skin_target(const weft__skin_column* begin, const weft__skin_column* end,
                                    size_t i, wide left, bool moves) {
  const skin_vector to = skin_load(end->axis, i);
  if (!moves) return to;
  return skin_add(to, left, skin_minus(skin_load(begin->axis, i), to));
}

static inline wide_mask limit_distance(skin_vector* offset, wide limit) {
  const wide length_sq = skin_dot(*offset, *offset);
  const wide_mask beyond = wide_positive(length_sq - limit * limit);
  if (wide_all((wide_mask)~beyond)) return beyond;
  const wide scale = limit / wide_sqrt(length_sq);
  *offset = skin_select(skin_scale(scale, *offset), *offset, beyond);
  return beyond;
}

static inline wide_mask leave_backstop(skin_vector* offset, skin_vector normal, wide normal_sq,
                                       wide to_center, wide radius) {
  const skin_vector from_center = skin_add(*offset, to_center, normal);
  const wide length_sq = skin_dot(from_center, from_center);
  const wide_mask inside = wide_positive(radius * radius - length_sq) & wide_positive(normal_sq);
  if (wide_all((wide_mask)~inside)) return inside;
  const skin_vector outwards = skin_scale(radius / wide_sqrt(length_sq), from_center);
  const skin_vector out =
      skin_select(outwards, skin_scale(radius, normal), wide_positive(length_sq));
  *offset = skin_select(skin_add(out, -to_center, normal), *offset, inside);
  return inside;
}

SPECIALIZED wide_mask skin_backstop(const weft__skin* s, skin_vector* offset, size_t i, wide left,
                                    bool moves) {
  skin_vector normal = skin_target(&s->begin_normal, &s->end_normal, i, left, moves);
  const wide normal_sq = skin_dot(normal, normal);
  if (moves) {
    normal = skin_scale(wide_keep(1.0f / wide_sqrt(normal_sq), wide_positive(normal_sq)), normal);
  }
  return leave_backstop(offset, normal, normal_sq, wide_load(s->backstop_offset + i),
                        wide_load(s->backstop_radius + i));
}

// Previous positions are blended, too: a share of the velocity relative to the target remains, and
// the particle approaches it without oscillation.
SPECIALIZED void blend_previous(const weft__particles* p, const weft__skin* s, size_t i, wide left,
                                wide kept, wide_mask blends, bool moves) {
  const skin_vector target = skin_target(&s->begin, &s->end, i, left, moves);
  const skin_vector previous = {wide_load(p->prev_x + i), wide_load(p->prev_y + i),
                                wide_load(p->prev_z + i)};
  const skin_vector blended = skin_add(target, kept, skin_minus(previous, target));
  const skin_vector placed = skin_select(blended, previous, blends);
  wide_store(p->prev_x + i, placed.x);
  wide_store(p->prev_y + i, placed.y);
  wide_store(p->prev_z + i, placed.z);
}

SPECIALIZED void skin_lanes(const weft__particles* p, const weft__skin* s, size_t i,
                            const wide left[2], uint32_t uses, bool moves) {
  const wide_mask is_free = wide_positive(wide_load(p->inv_mass + i));
  const skin_vector here = {wide_load(p->pos_x + i), wide_load(p->pos_y + i),
                            wide_load(p->pos_z + i)};
  const skin_vector target = skin_target(&s->begin, &s->end, i, left[1], moves);
  skin_vector offset = skin_minus(here, target);
  wide_mask changed = wide_from_mask(0);
  if ((uses & WEFT__SKIN_BLEND) != 0) {
    const wide kept = wide_load(s->kept + i);
    offset = skin_scale(kept, offset);
    changed |= wide_positive(1.0f - kept);
    blend_previous(p, s, i, left[0], kept, changed & is_free, moves);
  }
  if ((uses & WEFT__SKIN_DISTANCE) != 0)
    changed |= limit_distance(&offset, wide_load(s->max_distance + i));
  if ((uses & WEFT__SKIN_BACKSTOP) != 0) changed |= skin_backstop(s, &offset, i, left[1], moves);
  const skin_vector placed =
      skin_select(skin_add(target, wide_splat(1.0f), offset), here, changed & is_free);
  wide_store(p->pos_x + i, placed.x);
  wide_store(p->pos_y + i, placed.y);
  wide_store(p->pos_z + i, placed.z);
}

static void skin_solve(const weft__particles* particles, const weft__skin* skin,
                       const float left[2], uint32_t begin, uint32_t end) {
  const weft__particles p = *particles;
  const weft__skin s = *skin;
  const uint32_t uses = s.uses[begin / WEFT__SKIN_BLOCK];
  const wide shares[2] = {wide_splat(left[0]), wide_splat(left[1])};
  if (s.moves) {
    for (size_t i = begin; i < end; i += WIDE_LANES) skin_lanes(&p, &s, i, shares, uses, true);
  } else {
    for (size_t i = begin; i < end; i += WIDE_LANES) skin_lanes(&p, &s, i, shares, uses, false);
  }
}

static const weft__skin_kernels skin_kernels = {.solve = skin_solve};
