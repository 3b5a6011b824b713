/* Position Verlet integration with damping, gravity, forces and a limit of the displacement.
 *
 * Compensated summation: floats at 5 m are multiples of 0.5 micrometres, gravity adds 10 to the
 * displacement of a substep of a millisecond. The part of a displacement that rounding of the
 * position drops is carried to the next one: positions round by at most half an ulp a substep. A
 * particle at rest to the bit carries nothing and stays, unless the displacement by its
 * acceleration rounds to nothing: then the carried part grows until it falls. (Kahan 1965, "Further
 * remarks on reducing truncation errors"; Hairer, Lubich, Wanner, "Geometric numerical
 * integration", section VIII.5) */

typedef struct motion_axis {
  float* position;
  float* previous;
  float* carried;
  const float* force;
  float displacement, reach;
} motion_axis;

// `pushed`, the displacement by acceleration, rounds to nothing: a particle that seems to rest far
// from the origin may be on its way.
static inline wide last_displacement(wide here, wide previous, wide carried, wide pushed) {
  const wide last = here - previous;
  const wide_mask is_lost = wide_equal(here + pushed, here);
  const wide_mask rests = wide_equal(here, previous);
  const wide_mask falls = is_lost & wide_positive(pushed * pushed);
  return wide_select(wide_select(last + carried, last, falls), last + carried, rests);
}

SPECIALIZED void integrate_axis(const motion_axis* a, const weft__motion* m, size_t i, size_t lanes,
                                wide push, wide_mask is_free, bool is_forced) {
  const wide here = wide_load_first(a->position + i, lanes);
  const wide previous = wide_load_first(a->previous + i, lanes);
  const wide carried = wide_load_first(a->carried + i, lanes);
  const wide forced = is_forced ? wide_load_first(a->force + i, lanes) * push : wide_splat(0.0f);
  const wide pushed = forced + a->displacement;
  wide moved = last_displacement(here, previous, carried, pushed) * m->kept;
  moved += a->displacement;
  if (is_forced) moved += forced;
  moved = wide_max(wide_min(moved, wide_splat(a->reach)), wide_splat(-a->reach));
  moved = wide_keep(moved, is_free);
  const wide next = here + moved;
  wide_store_first(a->previous + i, here, lanes);
  wide_store_first(a->position + i, next, lanes);
  wide_store_first(a->carried + i, moved - (next - here), lanes);
}

SPECIALIZED void integrate_lanes(const motion_axis axes[3], const float* inv_mass,
                                 const weft__motion* m, size_t i, size_t lanes, bool is_forced) {
  const wide inverse = wide_load_first(inv_mass + i, lanes);
  const wide_mask is_free = wide_positive(inverse);
  const wide push = inverse * m->step_squared;
  integrate_axis(&axes[0], m, i, lanes, push, is_free, is_forced);
  integrate_axis(&axes[1], m, i, lanes, push, is_free, is_forced);
  integrate_axis(&axes[2], m, i, lanes, push, is_free, is_forced);
}

SPECIALIZED void integrate_range(weft__particles* p, const weft__motion* motion, size_t begin,
                                 size_t end, bool is_forced) {
  const weft__motion m = *motion;
  const motion_axis axes[3] = {
      {p->pos_x, p->prev_x, p->carried_x, p->force_x, m.displacement[0], m.reach[0]},
      {p->pos_y, p->prev_y, p->carried_y, p->force_y, m.displacement[1], m.reach[1]},
      {p->pos_z, p->prev_z, p->carried_z, p->force_z, m.displacement[2], m.reach[2]}};
  const float* inv_mass = p->inv_mass;
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
    integrate_lanes(axes, inv_mass, &m, i, WIDE_LANES, is_forced);
  }
  if (i < end) integrate_lanes(axes, inv_mass, &m, i, end - i, is_forced);
}

static void integrate(weft__particles* particles, const weft__motion* motion, uint32_t begin,
                      uint32_t end) {
  if (particles->force_block != NULL) {
    integrate_range(particles, motion, begin, end, true);
  } else {
    integrate_range(particles, motion, begin, end, false);
  }
}

SPECIALIZED void shorten_axis(const motion_axis* a, float share, size_t i, size_t lanes) {
  const wide here = wide_load_first(a->position + i, lanes);
  const wide previous = wide_load_first(a->previous + i, lanes);
  const wide whole = here - previous + wide_load_first(a->carried + i, lanes);
  const wide moved = share * wide_select(wide_splat(0.0f), whole, wide_equal(here, previous));
  const wide start = here - moved;
  wide_store_first(a->previous + i, start, lanes);
  wide_store_first(a->carried + i, moved - (here - start), lanes);
}

static void shorten(weft__particles* p, float share, uint32_t begin, uint32_t end) {
  for (int axis = 0; axis < 3; ++axis) {
    const motion_axis own = {
        .position = p->pos[axis], .previous = p->prev[axis], .carried = p->carried[axis]};
    size_t i = begin;
    for (; i + WIDE_LANES <= end; i += WIDE_LANES) shorten_axis(&own, share, i, WIDE_LANES);
    if (i < end) shorten_axis(&own, share, i, end - i);
  }
}
