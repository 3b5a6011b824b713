// Sphere particles against colliders of a simple shape.
//
// The vector form of collision/colliders/particle_toi.c, FINE_LANES particles at a time: doubles as
// there, operation by operation, so that the bits are the same. It handles the common case: the
// particle starts outside, hits one collider, and overlaps no other one afterwards. Lanes in any
// other case, or near a collider of another shape, are left unchanged and reported in `rare` for
// the general code.

// FINE_LANES moving particles.
typedef struct fine_particles {
  fine_vector pos, prev;
  fine radius;
  size_t lane;  // first lane within the block
} fine_particles;

// Contacts with one obstacle, in its frame.
typedef struct fine_contact {
  fine_vector from, to;
  fine_vector normal;
  fine slack, depth;
  fine_mask hit_lanes;  // lanes to resolve
  fine_mask rare;       // lanes left to the general code
} fine_contact;

// ---- detection ----

// Both ends beyond the same side of a slab.
static inline fine_mask beyond_slab(fine from, fine to, double lower, double upper, fine reach) {
  const fine above = upper + reach;
  const fine below = lower - reach;
  return (fine_above(from, above) & fine_above(to, above)) |
         (fine_above(below, from) & fine_above(below, to));
}

static inline fine_mask misses_box(fine_vector from, fine_vector to, const weft__vec3* lower,
                                   const weft__vec3* upper, fine reach) {
  return beyond_slab(from.x, to.x, lower->x, upper->x, reach) |
         beyond_slab(from.y, to.y, lower->y, upper->y, reach) |
         beyond_slab(from.z, to.z, lower->z, upper->z, reach);
}

static inline fine contact_margin(fine_vector normal, fine_vector pos, fine_vector from) {
  const fine sum = fine_abs(normal.x * pos.x) + fine_abs(normal.y * pos.y) +
                   fine_abs(normal.z * pos.z) + WEFT__LEAST_COORDINATE;
  const fine largest = fine_max(fine_max(fine_abs(from.x), fine_abs(from.y)), fine_abs(from.z));
  return WEFT__COORDINATE_SLACK * sum + WEFT__LOCAL_SLACK * largest;
}

__attribute__((always_inline)) static inline fine_contact find_contact(const weft__obstacle* o,
                                                                       const fine_particles* t,
                                                                       fine_vector pos,
                                                                       fine_mask active) {
  fine_contact at = {.from = fine_frame_in(o->begin, t->prev), .to = fine_frame_in(o->end, pos)};
  active &= fine_not(misses_box(at.from, at.to, o->least, o->most, t->radius));
  if (o->turns) {
    active &= fine_not(misses_box(t->prev, pos, o->swept_least, o->swept_most, t->radius));
  }
  if (!fine_any(active)) return at;
  fine_cast cast;
  cast.from = at.from;
  cast.to = at.to;
  cast.radius = t->radius;
  cast.active = active;
  cast_at(o, &cast);
  at.rare = cast.starts_inside | cast.undecided;
  const fine_mask hits = cast.hits & fine_not(at.rare);
  if (!fine_any(hits)) return at;
  at.normal = cast.normal;
  at.slack = contact_margin(fine_turn_out(o->end, cast.normal), pos, at.from);
  const fine target = t->radius + at.slack;
  at.depth = target - fine_dot(fine_minus(at.to, cast.point), cast.normal);
  at.hit_lanes = hits & fine_above(at.depth, fine_splat(0.0));
  return at;
}

// ---- response ----

// metres and substeps, as in bounds.inl
typedef struct fine_rebound {
  fine left, away, speed;
} fine_rebound;

// Rebound; lanes not in `comes` were in contact when the substep began.
static inline fine_rebound contact_rebound(const fine_contact* at, fine speed, fine pull,
                                           fine restitution, fine_mask comes) {
  const fine zero = fine_splat(0.0);
  const fine one = fine_splat(1.0);
  const fine depth = at->depth;
  const fine now = speed + 0.5 * pull;
  const fine root_sq = now * now - 2.0 * pull * depth;
  const fine root = fine_sqrt(fine_select(root_sq, zero, fine_above(root_sq, zero)));
  const fine_mask is_inbound = fine_above(now, zero);
  const fine left =
      fine_select(2.0 * depth, root - now, is_inbound) / fine_select(now + root, -pull, is_inbound);
  fine_rebound r;
  r.left = fine_select(left, one, fine_above(one, left) & comes);
  const fine impact_speed = now - pull * r.left;
  const fine leaves = restitution * impact_speed;
  const fine away = (leaves - 0.5 * pull * r.left) * r.left;
  const fine rests = 2.0 * fine_select(pull, zero, fine_above(pull, zero));
  const fine_mask bounces = comes & fine_above(impact_speed, rests) & fine_above(leaves, zero) &
                            fine_at_least(away, zero);
  r.away = fine_select(away, zero, bounces);
  r.speed = fine_select(leaves - pull * r.left + 0.5 * pull, zero, bounces);
  return r;
}

static inline fine_rebound rebound_or_rest(const fine_contact* at, fine speed, fine pull,
                                           fine restitution, fine_mask hit_lanes) {
  const fine_mask comes = fine_not(fine_at_least(at->depth, speed - 2.0 * at->slack));
  if (fine_any(comes & hit_lanes)) return contact_rebound(at, speed, pull, restitution, comes);
  return (fine_rebound){fine_splat(1.0), fine_splat(0.0), fine_splat(0.0)};
}

static inline fine kept_share(fine length, fine change, fine static_friction, fine dynamic_friction,
                              fine_mask hit_lanes) {
  const fine zero = fine_splat(0.0);
  const fine lost = dynamic_friction * change;
  const fine_mask slides = hit_lanes & fine_not(fine_at_least(static_friction * change, length)) &
                           fine_above(length, lost);
  if (!fine_any(slides)) return zero;
  return fine_select(1.0 - lost / length, zero, slides);
}

// Resolved positions of the lanes.
typedef struct resolution {
  fine_vector pos, prev;
  fine_mask struck;  // velocity changed within the substep
} resolution;

static inline void store_masked(double* column, fine_mask hit_lanes, fine value) {
  fine_store_doubles(column, fine_select(value, fine_load_doubles(column), hit_lanes));
}

static inline void store_impacts(weft__encounter* e, size_t lane, fine_mask hit_lanes, fine change,
                                 fine_vector normal) {
  store_masked(e->change + lane, hit_lanes, change);
  store_masked(e->normal_x + lane, hit_lanes, normal.x);
  store_masked(e->normal_y + lane, hit_lanes, normal.y);
  store_masked(e->normal_z + lane, hit_lanes, normal.z);
}

static inline void resolve_contact(const weft__obstacle* o, weft__encounter* e,
                                   const fine_particles* t, const fine_contact* at,
                                   fine_vector moved, fine speed, fine_mask hit_lanes,
                                   resolution* resolved) {
  const fine one = fine_splat(1.0);
  const fine zero = fine_splat(0.0);
  const weft__vec3 gravity = weft__turn_in(o->end, e->gravity);
  const fine pull =
      -(gravity.x * at->normal.x + gravity.y * at->normal.y + gravity.z * at->normal.z);
  const fine_rebound r =
      rebound_or_rest(at, speed, pull, fine_load(o->restitution + t->lane), hit_lanes);
  const fine change = speed + r.speed;
  const fine_vector along = fine_plus(moved, fine_scaled(speed, at->normal));
  const fine share =
      kept_share(fine_sqrt(fine_dot(along, along)), change, fine_load(o->static_friction + t->lane),
                 fine_load(o->dynamic_friction + t->lane), hit_lanes);
  const fine_vector moves = fine_plus(fine_scaled(share, along), fine_scaled(r.speed, at->normal));
  const fine_vector rubbed = fine_scaled(-r.left * (1.0 - share), along);
  const fine_vector raised = fine_scaled(at->depth + r.away, at->normal);
  const fine_vector target_point = fine_plus(at->to, fine_plus(rubbed, raised));
  fine_vector pos = fine_plus(t->pos, fine_turn_out(o->end, fine_minus(target_point, at->to)));
  fine_vector prev;
  if (o->moves) {
    prev = fine_frame_out(o->begin, fine_minus(target_point, moves));
  } else {
    prev = fine_minus(pos, fine_turn_out(o->end, moves));
    // resting contact held by friction: keeps its position bit for bit
    const fine_mask stays = fine_not(fine_above(one, r.left)) & fine_not(fine_above(share, zero)) &
                            fine_at_least(2.0 * at->slack, fine_abs(at->depth - speed));
    pos = fine_choose(t->prev, pos, stays);
    prev = fine_choose(t->prev, prev, stays);
  }
  resolved->pos = fine_choose(pos, resolved->pos, hit_lanes);
  resolved->prev = fine_choose(prev, resolved->prev, hit_lanes);
  resolved->struck |= hit_lanes & fine_above(one, r.left);
  if (e->notes) store_impacts(e, t->lane, hit_lanes, change, fine_turn_out(o->end, at->normal));
}

// ---- entry points ----

static inline fine_particles load_fine_particles(const weft__particles* p, const weft__encounter* e,
                                                 size_t i, size_t lane) {
  return (fine_particles){
      .pos = {fine_load(p->pos_x + i), fine_load(p->pos_y + i), fine_load(p->pos_z + i)},
      .prev = {fine_load(p->prev_x + i), fine_load(p->prev_y + i), fine_load(p->prev_z + i)},
      .radius = fine_load(e->radius + lane),
      .lane = lane,
  };
}

// In worlds that store velocities: see bounds.inl.
static inline void set_velocities(const weft__particles* p, size_t i, uint32_t struck, float rate) {
  for (size_t k = i; struck != 0; ++k, struck >>= 1) {
    if ((struck & 1) == 0) continue;
    p->vel_x[k] = (p->pos_x[k] - p->prev_x[k]) * rate;
    p->vel_y[k] = (p->pos_y[k] - p->prev_y[k]) * rate;
    p->vel_z[k] = (p->pos_z[k] - p->prev_z[k]) * rate;
  }
}

// The only place where positions and previous positions are written.
static inline void store_resolved(const weft__particles* p, size_t i, const fine_particles* t,
                                  const resolution* resolved, fine_mask handled, float rate) {
  const fine_vector pos = fine_choose(resolved->pos, t->pos, handled);
  const fine_vector prev = fine_choose(resolved->prev, t->prev, handled);
  fine_store(p->pos_x + i, pos.x);
  fine_store(p->pos_y + i, pos.y);
  fine_store(p->pos_z + i, pos.z);
  fine_store(p->prev_x + i, prev.x);
  fine_store(p->prev_y + i, prev.y);
  fine_store(p->prev_z + i, prev.z);
  if (p->velocity_block == NULL) return;
  set_velocities(p, i, fine_to_mask(resolved->struck & handled), rate);
}

// Resolves each lane against the first obstacle that it hits; adds lanes that hit another one to
// `rare`. Returns the lanes that were hit.
static inline fine_mask resolve_obstacles(weft__encounter* e, const fine_particles* t,
                                          fine_mask active, fine_mask* by, fine_mask* rare,
                                          resolution* resolved) {
  fine_mask handled = fine_from_mask(0);
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    const weft__obstacle* o = &e->obstacles[k];
    const fine_contact at =
        find_contact(o, t, t->pos, active & fine_from_mask(o->meets >> t->lane));
    by[k] = at.hit_lanes;
    *rare |= at.rare | (handled & at.hit_lanes);
    handled |= at.hit_lanes;
    if (!fine_any(at.hit_lanes)) continue;
    const fine_vector moved = fine_minus(at.to, at.from);
    const fine speed = -fine_dot(moved, at.normal);
    *rare |= at.hit_lanes & fine_not(fine_above(speed, fine_splat(0.0)));
    resolve_contact(o, e, t, &at, moved, speed, at.hit_lanes & fine_not(*rare), resolved);
  }
  return handled;
}

// Lanes that would hit an obstacle at their resolved positions.
static inline fine_mask find_second_hits(const weft__encounter* e, const fine_particles* t,
                                         fine_mask active, const resolution* resolved) {
  fine_mask again = fine_from_mask(0);
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    const weft__obstacle* o = &e->obstacles[k];
    const fine_contact at =
        find_contact(o, t, resolved->pos, active & fine_from_mask(o->meets >> t->lane));
    again |= at.hit_lanes | at.rare;
  }
  return again;
}

static inline void encounter_lanes(const weft__particles* p, weft__encounter* e, size_t i,
                                   size_t lane, uint64_t all) {
  const fine_mask active =
      fine_from_mask(all >> lane) & fine_above(fine_load(p->inv_mass + i), fine_splat(0.0));
  if (!fine_any(active)) return;
  const fine_particles t = load_fine_particles(p, e, i, lane);
  resolution resolved = {t.pos, t.prev, fine_from_mask(0)};
  fine_mask by[WEFT__ENCOUNTER_OBSTACLES];
  fine_mask rare = fine_from_mask(0);
  fine_mask handled = resolve_obstacles(e, &t, active, by, &rare, &resolved);
  handled &= fine_not(rare);
  // a single convex obstacle needs no second test: a point outside the contact plane is outside the
  // shape
  if (e->obstacle_count > 1 && fine_any(handled))
    rare |= find_second_hits(e, &t, handled, &resolved);
  handled &= fine_not(rare);
  e->rare |= (uint64_t)fine_to_mask(rare) << lane;
  if (!fine_any(handled)) return;
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    e->held_by[k] |= (uint64_t)fine_to_mask(by[k] & handled) << lane;
  }
  store_resolved(p, i, &t, &resolved, handled, e->rate);
}

static void encounter(const weft__particles* particles, weft__encounter* encounter, uint32_t begin,
                      uint32_t end) {
  const weft__particles p = *particles;
  uint64_t any = 0;
  for (uint32_t k = 0; k < encounter->obstacle_count; ++k) {
    encounter->held_by[k] = 0;
    any |= encounter->obstacles[k].meets;
  }
  encounter->rare = 0;
  const size_t count = end - begin;
  if (count < WEFT__ENCOUNTER_PARTICLES) any &= (UINT64_C(1) << count) - 1;
  for (size_t lane = 0; lane < count; lane += FINE_LANES) {
    encounter_lanes(&p, encounter, begin + lane, lane, any);
  }
}
