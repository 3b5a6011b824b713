#include "modules/garment/skin.h"

// the caller's target to the bit, with no share left
SPECIALIZED wide_vector skin_target(const weft__skin_column* begin, const weft__skin_column* end,
                                    size_t i, wide left, bool moves) {
  const wide_vector to = wide_load_vector(end->axis, i);
  if (!moves) return to;
  return wide_along(to, wide_minus(wide_load_vector(begin->axis, i), to), left);
}

static inline wide_mask limit_distance(wide_vector* offset, wide limit) {
  const wide length_sq = wide_square(*offset);
  const wide_mask beyond = wide_positive(length_sq - limit * limit);
  if (wide_all((wide_mask)~beyond)) return beyond;
  const wide scale = limit / wide_sqrt(length_sq);
  *offset = wide_choose(wide_scaled(scale, *offset), *offset, beyond);
  return beyond;
}

static inline wide_mask leave_backstop(wide_vector* offset, wide_vector normal, wide normal_sq,
                                       wide to_center, wide radius) {
  const wide_vector from_center = wide_along(*offset, normal, to_center);
  const wide length_sq = wide_square(from_center);
  const wide_mask inside = wide_positive(radius * radius - length_sq) & wide_positive(normal_sq);
  if (wide_all((wide_mask)~inside)) return inside;
  const wide_vector outwards = wide_scaled(radius / wide_sqrt(length_sq), from_center);
  const wide_vector out =
      wide_choose(outwards, wide_scaled(radius, normal), wide_positive(length_sq));
  *offset = wide_choose(wide_along(out, normal, -to_center), *offset, inside);
  return inside;
}

SPECIALIZED wide_mask skin_backstop(const weft__skin* s, wide_vector* offset, size_t i, wide left,
                                    bool moves) {
  wide_vector normal = skin_target(&s->begin_normal, &s->end_normal, i, left, moves);
  const wide normal_sq = wide_square(normal);
  if (moves) {
    normal = wide_scaled(wide_keep(1.0f / wide_sqrt(normal_sq), wide_positive(normal_sq)), normal);
  }
  return leave_backstop(offset, normal, normal_sq, wide_load(s->backstop_offset + i),
                        wide_load(s->backstop_radius + i));
}

// Velocity relative to the target is blended, too: the particle approaches without oscillation.
SPECIALIZED void blend_previous(const weft__particles* p, const weft__skin* s, size_t i, wide left,
                                wide kept, wide_mask blends, bool moves) {
  const wide_vector target = skin_target(&s->begin, &s->end, i, left, moves);
  const wide_vector previous = wide_load_vector(p->prev, i);
  const wide_vector blended = wide_along(target, wide_minus(previous, target), kept);
  wide_store_vector(p->prev, i, wide_choose(blended, previous, blends));
}

SPECIALIZED void skin_lanes(const weft__particles* p, const weft__skin* s, size_t i,
                            const wide left[2], uint32_t uses, bool moves) {
  const wide_mask is_free = wide_positive(wide_load(p->inv_mass + i));
  const wide_vector here = wide_load_vector(p->pos, i);
  const wide_vector target = skin_target(&s->begin, &s->end, i, left[1], moves);
  wide_vector offset = wide_minus(here, target);
  wide_mask changed = wide_from_mask(0);
  if ((uses & WEFT__SKIN_BLEND) != 0) {
    const wide kept = wide_load(s->kept + i);
    offset = wide_scaled(kept, offset);
    changed |= wide_positive(1.0f - kept);
    blend_previous(p, s, i, left[0], kept, changed & is_free, moves);
  }
  if ((uses & WEFT__SKIN_DISTANCE) != 0)
    changed |= limit_distance(&offset, wide_load(s->max_distance + i));
  if ((uses & WEFT__SKIN_BACKSTOP) != 0) changed |= skin_backstop(s, &offset, i, left[1], moves);
  const wide_vector placed = wide_plus(target, offset);
  wide_store_vector(p->pos, i, wide_choose(placed, here, changed & is_free));
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
