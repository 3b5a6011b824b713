/* Time integration of constraints by an average of their forces: Houbolt's method and its kin.
 *
 * Position Verlet with constraints applies the force a' of a link at the end of a substep to the
 * whole of it, as implicit Euler does:
 *
 *   x' = x + d + h^2 (g + a'),        d: the last displacement
 *
 * The difference belongs to the begin of the substep, so that the force is late by h: a spin of w
 * radians per second decays at the rate w^2 h. With the mean of the present force and of an average
 * of past ones, which lags behind by as much as the present one leads, the order is 2:
 *
 *   x' = x + d + h^2 (g + b A + (1 - b) a'),   A' = (1 - b) A + b a',   b = h / (h + T)
 *
 * A lags behind x by (1 - b) h / b, and b times that less (1 - b) times h is 0: order 2 in h for a
 * fixed b. For a fixed averaging time T, b falls with h, and the error is of first order, smaller
 * by about (w T)^2. Motion that is fast against T is damped as before, which one Gauss-Seidel sweep
 * needs: its errors are forces without
 * a potential, and feed what nothing damps. b = 1/2 is the method of Houbolt (1950), "A recurrence
 * matrix solution for the dynamic response of elastic aircraft", 2 x' - 5 x + 4 x_1 - x_2 = 2 h^2
 * a'. For every b up to 2/3 the scheme is stable with any linear spring. Compliances are divided by
 * (1 - b) h^2, so that a body at rest hangs as it does without.
 *
 * h^2 A is the column `pull`. Between integration and the average it holds b / (1 - b) m - (1 - b)
 * A, where m is the displacement of the prediction, so that with the displacement d' after
 * constraints
 *
 *   A' = (1 - b) A + b / (1 - b) (d' - m) = b / (1 - b) d' - pull
 *
 * Contacts, bounds and limits come later, and are not averaged: they are as without, and what ends
 * at once is not drawn out. After a link is torn, its past acts on with the sum b + b (1 - b) + ...
 * = 1 of one substep's force.
 *
 * Rejected: see docs/motion.md. */

SPECIALIZED void average_axis(const float* position, const float* previous, const float* carried,
                              float* pull, float gain, size_t lanes, wide_mask is_free) {
  const wide moved = wide_load_first(position, lanes) - wide_load_first(previous, lanes) +
                     wide_load_first(carried, lanes);
  const wide mean = moved * gain - wide_load_first(pull, lanes);
  wide_store_first(pull, wide_keep(mean, is_free), lanes);
}

SPECIALIZED void average_lanes(const weft__particles* p, float gain, size_t i, size_t lanes) {
  const wide_mask is_free = wide_positive(wide_load_first(p->inv_mass + i, lanes));
  average_axis(p->pos_x + i, p->prev_x + i, p->carried_x + i, p->pull_x + i, gain, lanes, is_free);
  average_axis(p->pos_y + i, p->prev_y + i, p->carried_y + i, p->pull_y + i, gain, lanes, is_free);
  average_axis(p->pos_z + i, p->prev_z + i, p->carried_z + i, p->pull_z + i, gain, lanes, is_free);
}

static void average_pulls(const weft__particles* particles, const weft__motion* motion,
                          uint32_t begin, uint32_t end) {
  const float gain = motion->pull_gain;
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) average_lanes(particles, gain, i, WIDE_LANES);
  if (i < end) average_lanes(particles, gain, i, end - i);
}
