// Narrow phase of spheres in motion, WIDE_LANES pairs at a time in halves of doubles: the algorithm
// of modules/spheres/shape_contact.c.

#define WIDE_HALVES (WIDE_LANES / DWIDE_LANES)

typedef struct path_lanes {
  float from[3][WIDE_LANES], to[3][WIDE_LANES];  // metres
  float inv_mass[WIDE_LANES];                    // 1/kilograms
} path_lanes;

typedef struct sphere_overlap {
  dwide_vector normal;
  dwide depth, approach;
} sphere_overlap;

// Second spheres relative to the first, metres.
typedef struct sphere_motion {
  dwide_vector offset;
  dwide_vector displacement;
  dwide radii, touching;
  // at the time of impact, or at the closest approach
  dwide time;
  sphere_overlap overlap;
} sphere_motion;

typedef struct contact_results {
  float normal[3][WIDE_LANES];
  float min_separation_speed[WIDE_LANES], bounce[WIDE_LANES], gap[WIDE_LANES];
  uint32_t near_lanes;
} contact_results;

static inline void load_paths(const weft__body_path* paths, const uint32_t* bodies,
                              path_lanes* out) {
  uint32_t at[WIDE_LANES];
  for (int l = 0; l < WIDE_LANES; ++l) at[l] = 4 * bodies[l];
  wide from[4], to[4];
  wide_load_far_records((const float*)paths, at, from);
  wide_load_far_records((const float*)paths + 4, at, to);
  for (int axis = 0; axis < 3; ++axis) {
    wide_store(out->from[axis], from[axis]);
    wide_store(out->to[axis], to[axis]);
  }
  wide_store(out->inv_mass, from[3]);
}

static inline dwide_vector dwide_load_vector(float columns[3][WIDE_LANES], int first) {
  return (dwide_vector){dwide_load(columns[0] + first), dwide_load(columns[1] + first),
                        dwide_load(columns[2] + first)};
}

static inline sphere_overlap overlap_at(const sphere_motion* m, dwide_vector offset) {
  const dwide zero = dwide_splat(0.0);
  const dwide distance = dwide_sqrt(dwide_dot(offset, offset));
  const dwide_mask is_apart = dwide_above(distance, zero);
  const dwide_vector upwards = {zero, dwide_splat(1.0), zero};
  sphere_overlap overlap;
  overlap.normal = dwide_choose(dwide_scaled(1.0 / distance, offset), upwards, is_apart);
  overlap.depth = dwide_select(m->radii - distance, m->radii, is_apart);
  overlap.approach = zero - overlap.normal.x * m->displacement.x -
                     overlap.normal.y * m->displacement.y - overlap.normal.z * m->displacement.z;
  return overlap;
}

static inline dwide spheres_separated(void* pairs, dwide time, dwide_mask active) {
  sphere_motion* m = pairs;
  const sphere_overlap o =
      overlap_at(m, dwide_plus(m->offset, dwide_scaled(time, m->displacement)));
  m->time = dwide_select(time, m->time, active);
  m->overlap.normal = dwide_choose(o.normal, m->overlap.normal, active);
  m->overlap.depth = dwide_select(o.depth, m->overlap.depth, active);
  m->overlap.approach = dwide_select(o.approach, m->overlap.approach, active);
  return closes_at(time, -o.depth, m->touching, o.approach);
}

// Separation speed after restitution; -1: no bounce. As weft__bounce_speed().
static inline dwide bounce_speed(const weft__sphere_pairs* pairs, uint32_t first, dwide approach,
                                 dwide gap, dwide gravity_speed) {
  const dwide zero = dwide_splat(0.0);
  const dwide beyond = approach - dwide_select(gap, zero, dwide_above(gap, zero));
  const dwide now = approach * pairs->rate + 0.5 * gravity_speed;
  const dwide square = now * now - 2.0 * gravity_speed * beyond * pairs->rate;
  const dwide impact = dwide_select(dwide_sqrt(square), zero, dwide_above(square, zero));
  const dwide returned = dwide_load_doubles(pairs->restitution + first) * impact;
  const dwide separation =
      dwide_select(returned + 0.5 * gravity_speed, zero, dwide_above(returned, zero));
  const dwide_mask bounces = dwide_above(impact, dwide_load_doubles(pairs->rest_speed + first)) &
                             dwide_at_least(approach, gap);
  return dwide_select(separation, dwide_splat(-1.0), bounces);
}

static inline dwide gravity_along(const weft__sphere_pairs* pairs, uint32_t first,
                                  dwide_vector normal, const float* inv_mass[2]) {
  const dwide zero = dwide_splat(0.0);
  const dwide speed = zero + normal.x * dwide_load_doubles(pairs->gravity[0] + first) +
                      normal.y * dwide_load_doubles(pairs->gravity[1] + first) +
                      normal.z * dwide_load_doubles(pairs->gravity[2] + first);
  return dwide_select(speed, zero, dwide_above(dwide_load(inv_mass[0]), zero)) -
         dwide_select(speed, zero, dwide_above(dwide_load(inv_mass[1]), zero));
}

static inline void make_half(const weft__sphere_pairs* pairs, uint32_t first, int lane,
                             path_lanes bodies[2], contact_results* out) {
  const dwide zero = dwide_splat(0.0);
  const uint32_t at = first + (uint32_t)lane;
  const dwide_vector from = dwide_load_vector(bodies[0].from, lane);
  const dwide_vector to = dwide_load_vector(bodies[0].to, lane);
  const dwide size = dwide_load_doubles(pairs->size + at);
  sphere_motion m = {.radii = dwide_load_doubles(pairs->radii + at),
                     .touching = WEFT__TOUCH_SHARE * size};
  m.offset = dwide_minus(dwide_load_vector(bodies[1].from, lane), from);
  m.displacement = dwide_minus(dwide_minus(dwide_load_vector(bodies[1].to, lane), to), m.offset);
  (void)advance_to_contact(spheres_separated, &m, dwide_from_mask(UINT64_MAX),
                           dwide_splat(BEFORE_END), WEFT__MAX_PLANES);
  const sphere_overlap o = m.overlap;
  // permitted approach from the beginning of the substep on, metres
  const dwide gap = m.time * o.approach - o.depth;
  const dwide reach = WEFT__NEAR_SHARE * size + 2.0 * pairs->max_displacement;
  out->near_lanes |= dwide_to_mask(dwide_above(reach, gap - o.approach)) << lane;
  const float* inv_mass[2] = {bodies[0].inv_mass + lane, bodies[1].inv_mass + lane};
  const dwide gravity_speed = gravity_along(pairs, at, o.normal, inv_mass);
  dwide_store(out->normal[0] + lane, o.normal.x);
  dwide_store(out->normal[1] + lane, o.normal.y);
  dwide_store(out->normal[2] + lane, o.normal.z);
  dwide_store(out->gap + lane, gap);
  dwide_store(out->min_separation_speed + lane,
              dwide_select(-gap * pairs->rate, zero, dwide_above(gap, zero)));
  dwide_store(out->bounce + lane, bounce_speed(pairs, at, o.approach, gap, gravity_speed));
}

static inline void write_sphere_contact(const weft__sphere_pairs* pairs, uint32_t pair,
                                        const contact_results* results, int lane, float inv_mass) {
  weft__particle_contact* contact = &pairs->contacts[pairs->contact[pair]];
  const bool is_near = (results->near_lanes >> lane & 1) != 0 && inv_mass > 0.0f;
  // impulses of an impact are no estimate for the next substep
  if (!is_near || contact->bounce >= 0.0f) {
    contact->impulse = (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
  }
  if (!is_near) {
    contact->mass = 0.0f;
    return;
  }
  for (int axis = 0; axis < 3; ++axis) contact->normal[axis] = results->normal[axis][lane];
  contact->min_separation_speed = results->min_separation_speed[lane];
  contact->mass = 1.0f / inv_mass;
  contact->static_friction = pairs->static_friction[pair];
  contact->dynamic_friction = pairs->dynamic_friction[pair];
  contact->bounce = results->bounce[lane];
  contact->gap = results->gap[lane];
  contact->slop = pairs->slop_share * (float)pairs->size[pair];
}

static void make_sphere_contacts(const weft__sphere_pairs* pairs) {
  for (uint32_t first = 0; first < pairs->count; first += WIDE_LANES) {
    path_lanes bodies[2];
    load_paths(pairs->paths, pairs->first + first, &bodies[0]);
    load_paths(pairs->paths, pairs->second + first, &bodies[1]);
    contact_results results = {.near_lanes = 0};
    for (int half = 0; half < WIDE_HALVES; ++half) {
      make_half(pairs, first, half * DWIDE_LANES, bodies, &results);
    }
    for (int l = 0; l < WIDE_LANES && first + (uint32_t)l < pairs->count; ++l) {
      write_sphere_contact(pairs, first + (uint32_t)l, &results, l,
                           bodies[0].inv_mass[l] + bodies[1].inv_mass[l]);
    }
  }
}
