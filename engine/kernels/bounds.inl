/* World bounds: particles beyond a wall are reflected into the box.
 *
 * A particle's path in a substep is a parabola under gravity. Along an axis, in metres and
 * substeps, outwards positive: it moved v, is d beyond the wall, and A is the displacement by
 * gravity in a substep. Its velocity at the end is w = v + A / 2, and it hit the wall s substeps
 * ago, at velocity c:
 *
 *     d - w s + A s^2 / 2 = 0,    s = 2 d / (w + c) = (c - w) / -A,    c = sqrt(w^2 - 2 A d)
 *
 *     wall ------------------      .  d
 *                         \      '          it rebounds with e c, e the restitution, and after the
 *                          \   ' . y        remaining s it is y = e c s - A s^2 / 2 inside; the
 *                           \ . '           parabola from there moves e c - A s + A / 2 in a
 *                            '              substep of position Verlet
 *
 * Rejected: mirroring d and v, wrong by the velocity that gravity gives in half a substep, 7 % of
 * the height of a fall of one metre at 60 Hz.
 *
 * Rest threshold: an impact with c <= 2 A, as gravity causes in two substeps, does not bounce. A
 * particle at rest on a wall hits it with A / 2, up to three times that where A rounds to twice its
 * value. Without gravity towards the wall every impact bounces. A particle at the wall when the
 * substep began does not: cloth lying there would jitter forever. In a box narrower than a rebound
 * it ends in the middle, at its speed.
 *
 * A particle beyond a wall that moves inwards is projected onto it and keeps its velocity.
 *
 * Coulomb friction: the tangential displacement is removed up to the static coefficient times the
 * change of normal velocity, else reduced by the dynamic coefficient times that change, from the
 * time of impact on. A particle lying on a wall hit it a whole substep ago: static friction holds
 * it bit for bit, and a sliding one has the closed form's acceleration. All walls' normal parts are
 * solved before friction: else in a corner one wall's friction would act on motion that another is
 * about to stop. */

typedef struct wall_lanes {
  wide pos[3], prev[3];
  wide lower[3], upper[3];
  wide_mask is_free;
} wall_lanes;

typedef struct rebound {
  wide remaining;  // share of the substep after the impact
  wide distance;   // metres inside the wall at the end
  wide speed;      // metres a substep, inwards
} rebound;

typedef struct wall_impact {
  wide_mask impact_lanes;
  wide remaining;
  wide normal_change;  // metres a substep
  wide outwards;
} wall_impact;

static inline void load_walls(const weft__bounds* b, size_t i, wall_lanes* h) {
  const float* radius[3] = {b->radius_x, b->radius_y, b->radius_z};
  for (int axis = 0; axis < 3; ++axis) {
    h->lower[axis] = wide_splat(b->lower[axis]);
    h->upper[axis] = wide_splat(b->upper[axis]);
    if (b->radius_block == NULL) continue;
    const wide r = wide_load(radius[axis] + i);
    const wide lower = h->lower[axis] + r;
    const wide upper = h->upper[axis] - r;
    const wide_mask fits = wide_at_least(upper, lower);
    h->lower[axis] = wide_select(lower, wide_splat(b->middle[axis]), fits);
    h->upper[axis] = wide_select(upper, wide_splat(b->middle[axis]), fits);
  }
}

static inline wide_mask find_outside(const weft__particles* p, const weft__bounds* b, size_t i) {
  const float* position[3] = {p->pos_x, p->pos_y, p->pos_z};
  const float* radius[3] = {b->radius_x, b->radius_y, b->radius_z};
  wide_mask outside = wide_from_mask(0);
  for (int axis = 0; axis < 3; ++axis) {
    if (b->lower[axis] == -INFINITY && b->upper[axis] == INFINITY) continue;
    const wide here = wide_load(position[axis] + i);
    const wide r = b->radius_block == NULL ? wide_splat(0.0f) : wide_load(radius[axis] + i);
    outside |= wide_at_least(here, b->upper[axis] - r);
    outside |= wide_at_least(b->lower[axis] + r, here);
  }
  return outside;
}

// depth, speed, pull: d, v, A, in outbound lanes at a wall or beyond.
static inline rebound solve_rebound(wide depth, wide speed, wide pull, wide half_width,
                                    float restitution) {
  const wide zero = wide_splat(0.0f);
  const wide one = wide_splat(1.0f);
  const wide end_speed = speed + 0.5f * pull;
  const wide root = wide_sqrt(wide_max(end_speed * end_speed - 2.0f * pull * depth, zero));
  // inbound: pulled inside by gravity, and w + c may be rounding error
  const wide_mask is_outbound = wide_positive(end_speed);
  const wide numerator = wide_select(2.0f * depth, root - end_speed, is_outbound);
  const wide denominator = wide_select(end_speed + root, -pull, is_outbound);
  rebound r;
  const wide_mask started_at_wall = wide_at_least(depth, speed);
  r.remaining = wide_select(one, wide_min(numerator / denominator, one), started_at_wall);
  const wide impact_speed = wide_max(end_speed - pull * r.remaining, zero);
  const wide rebound_speed = restitution * impact_speed;
  r.distance = wide_min((rebound_speed - 0.5f * pull * r.remaining) * r.remaining, half_width);
  r.speed = rebound_speed - pull * r.remaining + 0.5f * pull;
  // also if the next bounce would end within the substep
  const wide_mask bounces = wide_positive(impact_speed - 2.0f * wide_max(pull, zero)) &
                            wide_positive(rebound_speed) & wide_at_least(r.distance, zero) &
                            wide_positive(half_width) & (wide_mask)~started_at_wall;
  r.distance = wide_keep(r.distance, bounces);
  r.speed = wide_keep(r.speed, bounces);
  return r;
}

static inline void apply_wall_friction(wall_lanes* h, int axis, const wall_impact* at,
                                       const weft__bounds* bounds) {
  if (wide_to_mask(at->impact_lanes) == 0) return;
  const int b = (axis + 1) % 3;
  const int c = (axis + 2) % 3;
  const wide moved[2] = {h->pos[b] - h->prev[b], h->pos[c] - h->prev[c]};
  const wide length = wide_sqrt(moved[0] * moved[0] + moved[1] * moved[1]);
  const wide static_limit = bounds->static_friction * at->normal_change;
  const wide dynamic_limit = bounds->dynamic_friction * at->normal_change;
  const wide_mask impact_lanes = at->impact_lanes & wide_positive(static_limit);
  const wide share = wide_keep(1.0f - dynamic_limit / length, wide_positive(length - static_limit));
  // impact at the beginning: start positions keep their bits
  const wide_mask began_here = impact_lanes & wide_equal(at->remaining, wide_splat(1.0f));
  for (int k = 0; k < 2; ++k) {
    const int along = k == 0 ? b : c;
    const wide slower = share * moved[k];
    const wide here = h->prev[along] + ((1.0f - at->remaining) * moved[k] + at->remaining * slower);
    h->pos[along] = wide_select(here, h->pos[along], impact_lanes);
    h->prev[along] =
        wide_select(here - slower, h->prev[along], impact_lanes & (wide_mask)~began_here);
  }
}

// Spheres that turn: the displacement of the contact changes 1 + m r^2 / I times as much as the
// centre's.
static void apply_rolling_friction(wall_lanes* h, weft__particles* p, size_t i, int axis,
                                   const wall_impact* at, const weft__bounds* bounds, float step) {
  if (wide_to_mask(at->impact_lanes) == 0) return;
  const int b = (axis + 1) % 3;
  const int c = (axis + 2) % 3;
  float* const spin[3] = {p->spin_x, p->spin_y, p->spin_z};
  const wide factor = wide_load(p->roll_factor + i);
  const wide rate = wide_load(p->roll_radius + i) * step;
  const wide roll[2] = {wide_load(spin[b] + i) * rate, wide_load(spin[c] + i) * rate};
  const wide moved[2] = {h->pos[b] - h->prev[b], h->pos[c] - h->prev[c]};
  const wide slip[2] = {moved[0] + at->outwards * roll[1], moved[1] - at->outwards * roll[0]};
  const wide length = wide_sqrt(slip[0] * slip[0] + slip[1] * slip[1]);
  const wide reaction = 1.0f + factor;
  const wide static_limit = bounds->static_friction * at->normal_change;
  const wide dynamic_limit = bounds->dynamic_friction * at->normal_change;
  const wide_mask impact_lanes = at->impact_lanes & wide_positive(static_limit);
  const wide share = wide_select(dynamic_limit / length, 1.0f / reaction,
                                 wide_positive(length - static_limit * reaction));
  const wide_mask began_here = impact_lanes & wide_equal(at->remaining, wide_splat(1.0f));
  wide impulse[2];
  for (int k = 0; k < 2; ++k) {
    const int along = k == 0 ? b : c;
    impulse[k] = -share * slip[k];
    const wide slower = moved[k] + impulse[k];
    const wide here = h->prev[along] + (moved[k] + at->remaining * impulse[k]);
    h->pos[along] = wide_select(here, h->pos[along], impact_lanes);
    h->prev[along] =
        wide_select(here - slower, h->prev[along], impact_lanes & (wide_mask)~began_here);
  }
  const wide torque = at->outwards * factor / rate;
  for (int k = 0; k < 2; ++k) {
    const int about = k == 0 ? b : c;
    const wide before = wide_load(spin[about] + i);
    const wide after = k == 0 ? before - torque * impulse[1] : before + torque * impulse[0];
    wide_store(spin[about] + i, wide_select(after, before, impact_lanes));
  }
}

static inline void apply_frictions(wall_lanes* h, weft__particles* p, size_t i, int axis,
                                   wall_impact at, const weft__bounds* bounds, float step_squared) {
  if (p->rotation_block != NULL) {
    const wide_mask turns = wide_positive(wide_load(p->roll_factor + i));
    wall_impact rolling = at;
    rolling.impact_lanes &= turns;
    at.impact_lanes &= (wide_mask)~turns;
    apply_rolling_friction(h, p, i, axis, &rolling, bounds, sqrtf(step_squared));
  }
  apply_wall_friction(h, axis, &at, bounds);
}

static inline void mark_contact(weft__wall_contact* touch, int axis, uint32_t lower,
                                uint32_t upper) {
  touch->lower[axis] = (uint16_t)((touch->lower[axis] & ~upper) | lower);
  touch->upper[axis] = (uint16_t)((touch->upper[axis] & ~lower) | upper);
}

// `first`: lane of the vector within its group.
static inline wall_impact solve_axis(wall_lanes* h, int axis, const weft__bounds* b, float pull,
                                     weft__wall_contact* touch, uint32_t first) {
  const wide x = h->pos[axis];
  const wide_mask at_most = wide_at_least(x, h->upper[axis]) & h->is_free;
  const wide_mask at_least = wide_at_least(h->lower[axis], x) & (wide_mask)~at_most & h->is_free;
  const wide_mask at_wall = at_most | at_least;
  if (wide_to_mask(at_wall) == 0)
    return (wall_impact){at_wall, wide_splat(1.0f), wide_splat(0.0f), wide_splat(1.0f)};
  mark_contact(touch, axis, wide_to_mask(at_least) << first, wide_to_mask(at_most) << first);

  const wide outwards = wide_select(wide_splat(1.0f), wide_splat(-1.0f), at_most);
  const wide wall = wide_select(h->upper[axis], h->lower[axis], at_most);
  const wide depth = (x - wall) * outwards;
  const wide moved = x - h->prev[axis];
  const wide speed = moved * outwards;
  const wide_mask impact_lanes =
      wide_positive(speed) & wide_at_least(depth, wide_splat(0.0f)) & at_wall;
  const wide half_width = 0.5f * (h->upper[axis] - h->lower[axis]);
  const rebound r = solve_rebound(depth, speed, pull * outwards, half_width, b->restitution);

  const wide here = wide_select(wall - r.distance * outwards, wall, impact_lanes);
  const wide moves = wide_select(-outwards * r.speed, moved, impact_lanes);
  const wide_mask changes = impact_lanes | (wide_positive(depth) & at_wall);
  h->pos[axis] = wide_select(here, x, changes);
  h->prev[axis] = wide_select(here - moves, h->prev[axis], changes);
  return (wall_impact){impact_lanes, r.remaining, speed + r.speed, outwards};
}

// Solving one axis may move others out again.
static inline void clamp_axis(wall_lanes* h, int axis) {
  const wide x = h->pos[axis];
  const wide_mask above = wide_positive(x - h->upper[axis]) & h->is_free;
  const wide_mask below = wide_positive(h->lower[axis] - x) & (wide_mask)~above & h->is_free;
  const wide here = wide_select(h->upper[axis], wide_select(h->lower[axis], x, below), above);
  const wide prev = here - (x - h->prev[axis]);
  h->pos[axis] = here;
  h->prev[axis] = wide_select(prev, h->prev[axis], above | below);
}

// Changes by walls are a force over the whole substep, as by links; an impact changes the velocity
// at once.
static inline void update_velocities(weft__particles* p, size_t i, const wall_lanes* h,
                                     wide_mask impacted, float rate) {
  float* velocity[3] = {p->vel_x, p->vel_y, p->vel_z};
  for (int axis = 0; axis < 3; ++axis) {
    const wide end_speed = (h->pos[axis] - h->prev[axis]) * rate;
    wide_store(velocity[axis] + i, wide_select(end_speed, wide_load(velocity[axis] + i), impacted));
  }
}

static inline void store_walls(weft__particles* p, size_t i, const wall_lanes* h) {
  wide_store(p->pos_x + i, h->pos[0]);
  wide_store(p->pos_y + i, h->pos[1]);
  wide_store(p->pos_z + i, h->pos[2]);
  wide_store(p->prev_x + i, h->prev[0]);
  wide_store(p->prev_y + i, h->prev[1]);
  wide_store(p->prev_z + i, h->prev[2]);
}

static void solve_walls(weft__particles* p, const weft__bounds* b, const weft__motion* motion,
                        size_t i) {
  wall_lanes h = {
      .pos = {wide_load(p->pos_x + i), wide_load(p->pos_y + i), wide_load(p->pos_z + i)},
      .prev = {wide_load(p->prev_x + i), wide_load(p->prev_y + i), wide_load(p->prev_z + i)},
      .is_free = wide_positive(wide_load(p->inv_mass + i)),
  };
  load_walls(b, i, &h);
  weft__wall_contact* touch = &b->touch[i / WEFT__LANES];
  wall_impact at[3];
  for (int axis = 0; axis < 3; ++axis) {
    at[axis] = solve_axis(&h, axis, b, motion->displacement[axis], touch, i % WEFT__LANES);
  }
  for (int axis = 0; axis < 3 && b->static_friction > 0.0f; ++axis) {
    apply_frictions(&h, p, i, axis, at[axis], b, motion->step_squared);
  }
  for (int axis = 0; axis < 3; ++axis) clamp_axis(&h, axis);
  if (p->velocity_block != NULL) {
    wide_mask impacted = wide_from_mask(0);
    for (int axis = 0; axis < 3; ++axis) {
      impacted |=
          at[axis].impact_lanes & (wide_mask)~wide_equal(at[axis].remaining, wide_splat(1.0f));
    }
    update_velocities(p, i, &h, impacted, 1.0f / sqrtf(motion->step_squared));
  }
  store_walls(p, i, &h);
}

static void solve_bounds(weft__particles* particles, const weft__bounds* bounds,
                         const weft__motion* motion, uint32_t begin, uint32_t end, bool first) {
  weft__particles p = *particles;
  const weft__bounds b = *bounds;
  for (size_t i = begin; i < end; i += WIDE_LANES) {
    if (first && i % WEFT__LANES == 0) b.touch[i / WEFT__LANES] = (weft__wall_contact){0};
    if (wide_to_mask(find_outside(&p, &b, i)) != 0) solve_walls(&p, &b, motion, i);
  }
}
