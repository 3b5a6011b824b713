/* Position Verlet integration with damping, gravity, forces and a limit of the displacement. */

// One axis.
typedef struct motion_axis {
  float* position;
  float* previous;
  const float* force;
  float displacement, reach;
} motion_axis;

// Specialized with and without forces.
SPECIALIZED void integrate_axis(const motion_axis* a, size_t i, float kept, wide push,
                                wide_mask is_free, bool forced) {
  const wide here = wide_load(a->position + i);
  const wide previous_position = wide_load(a->previous + i);
  wide moved = (here - previous_position) * kept + a->displacement;
  if (forced) moved += wide_load(a->force + i) * push;
  moved = wide_max(wide_min(moved, wide_splat(a->reach)), wide_splat(-a->reach));
  wide_store(a->previous + i, here);
  wide_store(a->position + i, here + wide_keep(moved, is_free));
}

// Scalar remainder of a range.
SPECIALIZED void integrate_one(const motion_axis* a, size_t i, float kept, float push, bool is_free,
                               bool forced) {
  const float here = a->position[i];
  float moved = (here - a->previous[i]) * kept + a->displacement;
  if (forced) moved += a->force[i] * push;
  moved = moved < a->reach ? moved : a->reach;
  moved = moved > -a->reach ? moved : -a->reach;
  a->previous[i] = here;
  a->position[i] = here + (is_free ? moved : 0.0f);
}

SPECIALIZED void integrate_range(const weft__particles* p, const weft__motion* motion, size_t begin,
                                 size_t end, bool forced) {
  const weft__motion m = *motion;
  const motion_axis x = {p->pos_x, p->prev_x, p->force_x, m.displacement[0], m.reach[0]};
  const motion_axis y = {p->pos_y, p->prev_y, p->force_y, m.displacement[1], m.reach[1]};
  const motion_axis z = {p->pos_z, p->prev_z, p->force_z, m.displacement[2], m.reach[2]};
  const float* inv_mass = p->inv_mass;
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
    const wide inverse = wide_load(inv_mass + i);
    const wide_mask is_free = wide_positive(inverse);
    const wide push = inverse * m.step_squared;
    integrate_axis(&x, i, m.kept, push, is_free, forced);
    integrate_axis(&y, i, m.kept, push, is_free, forced);
    integrate_axis(&z, i, m.kept, push, is_free, forced);
  }
  for (; i < end; ++i) {
    const bool is_free = inv_mass[i] > 0.0f;
    const float push = inv_mass[i] * m.step_squared;
    integrate_one(&x, i, m.kept, push, is_free, forced);
    integrate_one(&y, i, m.kept, push, is_free, forced);
    integrate_one(&z, i, m.kept, push, is_free, forced);
  }
}

static void integrate(const weft__particles* particles, const weft__motion* motion, uint32_t begin,
                      uint32_t end) {
  if (particles->force_block == NULL) {
    integrate_range(particles, motion, begin, end, false);
  } else {
    integrate_range(particles, motion, begin, end, true);
  }
}
