// Sphere particles against simple shapes: the vector form of
// collision/colliders/particle_time_of_impact.c, bit for bit. Lanes other than the common case,
// which starts outside, hits one collider and overlaps no other, are left unchanged and reported in
// `rare`.

typedef struct dwide_particles {
  dwide_vector pos, prev;
  dwide radius;
  size_t lane;
} dwide_particles;

typedef struct dwide_contact {
  dwide_vector from, to;
  dwide_vector normal;
  dwide slack, depth;
  dwide_mask hit_lanes;
  dwide_mask rare;
} dwide_contact;

// Both ends are beyond the same side.
static inline dwide_mask beyond_slab(dwide from, dwide to, double lower, double upper,
                                     dwide reach) {
  const dwide above = upper + reach;
  const dwide below = lower - reach;
  return (dwide_above(from, above) & dwide_above(to, above)) |
         (dwide_above(below, from) & dwide_above(below, to));
}

static inline dwide_mask misses_box(dwide_vector from, dwide_vector to, const weft__vec3* lower,
                                    const weft__vec3* upper, dwide reach) {
  return beyond_slab(from.x, to.x, lower->x, upper->x, reach) |
         beyond_slab(from.y, to.y, lower->y, upper->y, reach) |
         beyond_slab(from.z, to.z, lower->z, upper->z, reach);
}

static inline dwide contact_margin(dwide_vector normal, dwide_vector pos, dwide_vector from) {
  const dwide sum = dwide_abs(normal.x * pos.x) + dwide_abs(normal.y * pos.y) +
                    dwide_abs(normal.z * pos.z) + WEFT__MIN_COORDINATE;
  const dwide largest =
      dwide_max(dwide_max(dwide_abs(from.x), dwide_abs(from.y)), dwide_abs(from.z));
  return WEFT__COORDINATE_MARGIN * sum + WEFT__LOCAL_MARGIN * largest;
}

__attribute__((always_inline)) static inline dwide_contact find_contact(
    const weft__batch_collider* o, const dwide_particles* t, dwide_vector pos, dwide_mask active) {
  dwide_contact at = {.from = dwide_frame_in(o->begin, t->prev), .to = dwide_frame_in(o->end, pos)};
  // a cast at a sphere costs no more than its box
  if (o->kind != WEFT__OBSTACLE_SPHERE) {
    active &= dwide_not(misses_box(at.from, at.to, o->lower, o->upper, t->radius));
  }
  if (o->turns) {
    active &= dwide_not(misses_box(t->prev, pos, o->swept_lower, o->swept_upper, t->radius));
  }
  if (!dwide_any(active)) return at;
  dwide_cast cast;
  cast.from = at.from;
  cast.to = at.to;
  cast.radius = t->radius;
  cast.active = active;
  cast_at(o, &cast);
  at.rare = cast.starts_inside | cast.undecided;
  const dwide_mask hits = cast.hits & dwide_not(at.rare);
  if (!dwide_any(hits)) return at;
  at.normal = cast.normal;
  at.slack = contact_margin(dwide_turn_out(o->end, cast.normal), pos, at.from);
  const dwide target = t->radius + at.slack;
  at.depth = target - dwide_dot(dwide_minus(at.to, cast.point), cast.normal);
  at.hit_lanes = hits & dwide_above(at.depth, dwide_splat(0.0));
  return at;
}

// metres and substeps, as in bounds.inl
typedef struct dwide_rebound {
  dwide remaining, distance, speed;
} dwide_rebound;

// Lanes not in `comes` were in contact when the substep began.
static inline dwide_rebound contact_rebound(const dwide_contact* at, dwide speed, dwide pull,
                                            dwide restitution, dwide_mask comes) {
  const dwide zero = dwide_splat(0.0);
  const dwide one = dwide_splat(1.0);
  const dwide depth = at->depth;
  const dwide end_speed = speed + 0.5 * pull;
  const dwide root_sq = end_speed * end_speed - 2.0 * pull * depth;
  const dwide root = dwide_sqrt(dwide_select(root_sq, zero, dwide_above(root_sq, zero)));
  const dwide_mask is_inbound = dwide_above(end_speed, zero);
  const dwide left = dwide_select(2.0 * depth, root - end_speed, is_inbound) /
                     dwide_select(end_speed + root, -pull, is_inbound);
  dwide_rebound r;
  r.remaining = dwide_select(left, one, dwide_above(one, left) & comes);
  const dwide impact_speed = end_speed - pull * r.remaining;
  const dwide rebound_speed = restitution * impact_speed;
  const dwide away = (rebound_speed - 0.5 * pull * r.remaining) * r.remaining;
  const dwide rest_speed = 2.0 * dwide_select(pull, zero, dwide_above(pull, zero));
  const dwide_mask bounces = comes & dwide_above(impact_speed, rest_speed) &
                             dwide_above(rebound_speed, zero) & dwide_at_least(away, zero);
  r.distance = dwide_select(away, zero, bounces);
  r.speed = dwide_select(rebound_speed - pull * r.remaining + 0.5 * pull, zero, bounces);
  return r;
}

static inline dwide_rebound rebound_or_rest(const dwide_contact* at, dwide speed, dwide pull,
                                            dwide restitution, dwide_mask hit_lanes) {
  const dwide_mask comes = dwide_not(dwide_at_least(at->depth, speed - 2.0 * at->slack));
  if (dwide_any(comes & hit_lanes)) return contact_rebound(at, speed, pull, restitution, comes);
  return (dwide_rebound){dwide_splat(1.0), dwide_splat(0.0), dwide_splat(0.0)};
}

static inline dwide kept_share(dwide length, dwide change, dwide static_friction,
                               dwide dynamic_friction, dwide_mask hit_lanes) {
  const dwide zero = dwide_splat(0.0);
  const dwide lost = dynamic_friction * change;
  const dwide_mask slides = hit_lanes &
                            dwide_not(dwide_at_least(static_friction * change, length)) &
                            dwide_above(length, lost);
  if (!dwide_any(slides)) return zero;
  return dwide_select(1.0 - lost / length, zero, slides);
}

typedef struct resolution {
  dwide_vector pos, prev;
  dwide_mask impacted;  // velocity changed within the substep
} resolution;

static inline void store_masked(double* column, dwide_mask hit_lanes, dwide value) {
  dwide_store_doubles(column, dwide_select(value, dwide_load_doubles(column), hit_lanes));
}

static inline void store_normals(weft__collider_batch* e, size_t lane, dwide_mask hit_lanes,
                                 dwide_vector normal) {
  store_masked(e->normal_x + lane, hit_lanes, normal.x);
  store_masked(e->normal_y + lane, hit_lanes, normal.y);
  store_masked(e->normal_z + lane, hit_lanes, normal.z);
}

static inline void resolve_contact(const weft__batch_collider* o, weft__collider_batch* e,
                                   const dwide_particles* t, const dwide_contact* at,
                                   dwide_vector moved, dwide speed, dwide_mask hit_lanes,
                                   resolution* resolved) {
  const dwide one = dwide_splat(1.0);
  const dwide zero = dwide_splat(0.0);
  const weft__vec3 gravity = weft__frame_rotate_in(o->end, e->gravity);
  const dwide pull =
      -(gravity.x * at->normal.x + gravity.y * at->normal.y + gravity.z * at->normal.z);
  const dwide_rebound r =
      rebound_or_rest(at, speed, pull, dwide_load(o->restitution + t->lane), hit_lanes);
  const dwide change = speed + r.speed;
  const dwide_vector along = dwide_plus(moved, dwide_scaled(speed, at->normal));
  const dwide share = kept_share(dwide_sqrt(dwide_dot(along, along)), change,
                                 dwide_load(o->static_friction + t->lane),
                                 dwide_load(o->dynamic_friction + t->lane), hit_lanes);
  const dwide_vector moves =
      dwide_plus(dwide_scaled(share, along), dwide_scaled(r.speed, at->normal));
  const dwide_vector friction_shift = dwide_scaled(-r.remaining * (1.0 - share), along);
  const dwide_vector normal_shift = dwide_scaled(at->depth + r.distance, at->normal);
  const dwide_vector target_point = dwide_plus(at->to, dwide_plus(friction_shift, normal_shift));
  dwide_vector pos = dwide_plus(t->pos, dwide_turn_out(o->end, dwide_minus(target_point, at->to)));
  dwide_vector prev;
  if (o->moves) {
    prev = dwide_frame_out(o->begin, dwide_minus(target_point, moves));
  } else {
    prev = dwide_minus(pos, dwide_turn_out(o->end, moves));
    // resting contact held by friction keeps its bits
    const dwide_mask stays = dwide_not(dwide_above(one, r.remaining)) &
                             dwide_not(dwide_above(share, zero)) &
                             dwide_at_least(2.0 * at->slack, dwide_abs(at->depth - speed));
    pos = dwide_choose(t->prev, pos, stays);
    prev = dwide_choose(t->prev, prev, stays);
  }
  resolved->pos = dwide_choose(pos, resolved->pos, hit_lanes);
  resolved->prev = dwide_choose(prev, resolved->prev, hit_lanes);
  resolved->impacted |= hit_lanes & dwide_above(one, r.remaining);
  if (e->notes) store_normals(e, t->lane, hit_lanes, dwide_turn_out(o->end, at->normal));
}

SPECIALIZED wide displacement_sq(const weft__particles* p, size_t i, size_t lanes) {
  const wide x = wide_load_first(p->pos_x + i, lanes) - wide_load_first(p->prev_x + i, lanes);
  const wide y = wide_load_first(p->pos_y + i, lanes) - wide_load_first(p->prev_y + i, lanes);
  const wide z = wide_load_first(p->pos_z + i, lanes) - wide_load_first(p->prev_z + i, lanes);
  return x * x + y * y + z * z;
}

static float measure_displacement(const weft__particles* particles, uint32_t begin, uint32_t end) {
  const weft__particles p = *particles;
  wide largest = wide_splat(0.0f);
  // keeps any NaN and infinity
  wide sum = wide_splat(0.0f);
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
    const wide square = displacement_sq(&p, i, WIDE_LANES);
    sum += square;
    largest = wide_max(square, largest);
  }
  if (i < end) {
    const wide square = displacement_sq(&p, i, end - i);
    sum += square;
    largest = wide_max(square, largest);
  }
  if (!wide_all(wide_at_least(wide_splat(FLT_MAX), sum))) return INFINITY;
  return sqrtf(wide_max_lane(largest));
}

static inline wide distance_along(wide at, float lower, float upper) {
  return wide_max(wide_max(lower - at, at - upper), wide_splat(0.0f));
}

// Distance to the inner box.
SPECIALIZED wide distance_sq_to_box(const weft__rounded_box* box, wide x, wide y, wide z) {
  x = x - box->position[0];
  y = y - box->position[1];
  z = z - box->position[2];
  wide local[3] = {x, y, z};
  for (int k = 0; k < 3 && box->turns; ++k) {
    local[k] = box->axis[k][0] * x + box->axis[k][1] * y + box->axis[k][2] * z;
  }
  wide sum = wide_splat(0.0f);
  for (int k = 0; k < 3; ++k) {
    const wide away = distance_along(local[k], box->lower[k], box->upper[k]);
    sum += away * away;
  }
  return sum;
}

SPECIALIZED uint64_t find_near_lanes(const weft__particles* p, const weft__rounded_box* box,
                                     float distance_sq, size_t i, size_t lanes) {
  const wide sum = distance_sq_to_box(box, wide_load_first(p->pos_x + i, lanes),
                                      wide_load_first(p->pos_y + i, lanes),
                                      wide_load_first(p->pos_z + i, lanes));
  // NaN is near
  return ~wide_to_mask(wide_positive(sum - distance_sq)) & ((1u << lanes) - 1);
}

static uint64_t find_near(const weft__particles* particles, const weft__rounded_box* box,
                          float distance, uint32_t begin, uint32_t end) {
  const weft__particles p = *particles;
  const weft__rounded_box at = *box;
  const float distance_sq = distance * distance;
  uint64_t near = 0;
  size_t i = begin;
  for (; i + WIDE_LANES <= end; i += WIDE_LANES) {
    near |= find_near_lanes(&p, &at, distance_sq, i, WIDE_LANES) << (i - begin);
  }
  if (i < end) near |= find_near_lanes(&p, &at, distance_sq, i, end - i) << (i - begin);
  return near;
}

static inline dwide_particles load_dwide_particles(const weft__particles* p,
                                                   const weft__collider_batch* e, size_t i,
                                                   size_t lane) {
  return (dwide_particles){
      .pos = {dwide_load(p->pos_x + i), dwide_load(p->pos_y + i), dwide_load(p->pos_z + i)},
      .prev = {dwide_load(p->prev_x + i), dwide_load(p->prev_y + i), dwide_load(p->prev_z + i)},
      .radius = dwide_load(e->radius + lane),
      .lane = lane,
  };
}

static inline void set_velocities(weft__particles* p, size_t i, uint32_t impacted, float rate) {
  for (size_t k = i; impacted != 0; ++k, impacted >>= 1) {
    if ((impacted & 1) == 0) continue;
    p->vel_x[k] = (p->pos_x[k] - p->prev_x[k]) * rate;
    p->vel_y[k] = (p->pos_y[k] - p->prev_y[k]) * rate;
    p->vel_z[k] = (p->pos_z[k] - p->prev_z[k]) * rate;
  }
}

static inline void store_resolved(weft__particles* p, size_t i, const dwide_particles* t,
                                  const resolution* resolved, dwide_mask handled, float rate) {
  const dwide_vector pos = dwide_choose(resolved->pos, t->pos, handled);
  const dwide_vector prev = dwide_choose(resolved->prev, t->prev, handled);
  dwide_store(p->pos_x + i, pos.x);
  dwide_store(p->pos_y + i, pos.y);
  dwide_store(p->pos_z + i, pos.z);
  dwide_store(p->prev_x + i, prev.x);
  dwide_store(p->prev_y + i, prev.y);
  dwide_store(p->prev_z + i, prev.z);
  if (p->velocity_block == NULL) return;
  set_velocities(p, i, dwide_to_mask(resolved->impacted & handled), rate);
}

// Lanes that hit another obstacle than the first are added to `rare`. Returns the lanes hit.
static inline dwide_mask resolve_obstacles(weft__collider_batch* e, const dwide_particles* t,
                                           dwide_mask active, dwide_mask* by, dwide_mask* rare,
                                           resolution* resolved) {
  dwide_mask handled = dwide_from_mask(0);
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    const weft__batch_collider* o = &e->obstacles[k];
    const dwide_contact at =
        find_contact(o, t, t->pos, active & dwide_from_mask(o->meets >> t->lane));
    by[k] = at.hit_lanes;
    *rare |= at.rare | (handled & at.hit_lanes);
    handled |= at.hit_lanes;
    if (!dwide_any(at.hit_lanes)) continue;
    const dwide_vector moved = dwide_minus(at.to, at.from);
    const dwide speed = -dwide_dot(moved, at.normal);
    *rare |= at.hit_lanes & dwide_not(dwide_above(speed, dwide_splat(0.0)));
    resolve_contact(o, e, t, &at, moved, speed, at.hit_lanes & dwide_not(*rare), resolved);
  }
  return handled;
}

// Lanes that would hit an obstacle at their resolved positions.
static inline dwide_mask find_second_hits(const weft__collider_batch* e, const dwide_particles* t,
                                          dwide_mask active, const resolution* resolved) {
  dwide_mask again = dwide_from_mask(0);
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    const weft__batch_collider* o = &e->obstacles[k];
    const dwide_contact at =
        find_contact(o, t, resolved->pos, active & dwide_from_mask(o->meets >> t->lane));
    again |= at.hit_lanes | at.rare;
  }
  return again;
}

static inline void encounter_lanes(weft__particles* p, weft__collider_batch* e, size_t i,
                                   size_t lane, uint64_t all) {
  const dwide_mask active =
      dwide_from_mask(all >> lane) & dwide_above(dwide_load(p->inv_mass + i), dwide_splat(0.0));
  if (!dwide_any(active)) return;
  const dwide_particles t = load_dwide_particles(p, e, i, lane);
  resolution resolved = {t.pos, t.prev, dwide_from_mask(0)};
  dwide_mask by[WEFT__BATCH_COLLIDERS];
  dwide_mask rare = dwide_from_mask(0);
  dwide_mask handled = resolve_obstacles(e, &t, active, by, &rare, &resolved);
  handled &= dwide_not(rare);
  if (e->rechecks && dwide_any(handled)) rare |= find_second_hits(e, &t, handled, &resolved);
  handled &= dwide_not(rare);
  e->rare |= (uint64_t)dwide_to_mask(rare) << lane;
  if (!dwide_any(handled)) return;
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    e->resolved_by[k] |= (uint64_t)dwide_to_mask(by[k] & handled) << lane;
  }
  store_resolved(p, i, &t, &resolved, handled, e->rate);
}

static void solve_colliders(weft__particles* particles, weft__collider_batch* encounter,
                            uint32_t begin, uint32_t end) {
  weft__particles p = *particles;
  uint64_t any = 0;
  for (uint32_t k = 0; k < encounter->obstacle_count; ++k) {
    encounter->resolved_by[k] = 0;
    any |= encounter->obstacles[k].meets;
  }
  encounter->rare = 0;
  const size_t count = end - begin;
  if (count < WEFT__BATCH_PARTICLES) any &= (UINT64_C(1) << count) - 1;
  for (size_t lane = 0; lane < count; lane += DWIDE_LANES) {
    encounter_lanes(&p, encounter, begin + lane, lane, any);
  }
}
