// Colliders: particles that are balls, and meet one that is a plain shape.
//
// This is what collision/colliders/particle_toi.c does to one particle after another, for FINE_LANES of them, and the same bits: doubles
// as there, operation by operation, so that it shows nowhere which particles came here. Most do nothing rare: they
// come from outside, meet one collider, and where that has put them there is no other. Those that do are left as
// they were for meet.c: so are those that might meet a collider of a shape that is not known here.

// FINE_LANES particles on their way
typedef struct fine_travellers {
  fine_vector pos, prev;
  fine radius;
  size_t lane;  // of the block, that they begin at
} fine_travellers;

// where they meet an obstacle, in its frame
typedef struct fine_contact {
  fine_vector from, to;
  fine_vector normal;
  fine slack, depth;
  fine_mask met;   // and are to be taken out of it
  fine_mask rare;  // or to be left to others
} fine_contact;

// ---- whether they meet ----

// both ends beyond one side of a box
static inline fine_mask are_beside(fine from, fine to, double least, double most, fine reach) {
  const fine above = most + reach;
  const fine below = least - reach;
  return (fine_above(from, above) & fine_above(to, above)) |
         (fine_above(below, from) & fine_above(below, to));
}

static inline fine_mask pass_by(fine_vector from, fine_vector to, const weft__vec3* least,
                                const weft__vec3* most, fine reach) {
  return are_beside(from.x, to.x, least->x, most->x, reach) |
         are_beside(from.y, to.y, least->y, most->y, reach) |
         are_beside(from.z, to.z, least->z, most->z, reach);
}

static inline fine slack_along(fine_vector normal, fine_vector pos, fine_vector from) {
  const fine sum = fine_abs(normal.x * pos.x) + fine_abs(normal.y * pos.y) +
                   fine_abs(normal.z * pos.z) + WEFT__LEAST_COORDINATE;
  const fine largest = fine_max(fine_max(fine_abs(from.x), fine_abs(from.y)), fine_abs(from.z));
  return WEFT__COORDINATE_SLACK * sum + WEFT__LOCAL_SLACK * largest;
}

__attribute__((always_inline)) static inline fine_contact find_contact(const weft__obstacle* o,
                                                                       const fine_travellers* t,
                                                                       fine_vector pos,
                                                                       fine_mask looks) {
  fine_contact at = {.from = fine_frame_in(o->begin, t->prev), .to = fine_frame_in(o->end, pos)};
  looks &= fine_not(pass_by(at.from, at.to, o->least, o->most, t->radius));
  if (o->turns) {
    looks &= fine_not(pass_by(t->prev, pos, o->swept_least, o->swept_most, t->radius));
  }
  if (!fine_any(looks)) return at;
  fine_cast cast;
  cast.from = at.from;
  cast.to = at.to;
  cast.radius = t->radius;
  cast.looks = looks;
  cast_at(o, &cast);
  at.rare = cast.begins_inside | cast.unsure;
  const fine_mask hits = cast.hits & fine_not(at.rare);
  if (!fine_any(hits)) return at;
  at.normal = cast.normal;
  at.slack = slack_along(fine_turn_out(o->end, cast.normal), pos, at.from);
  const fine target = t->radius + at.slack;
  at.depth = target - fine_dot(fine_minus(at.to, cast.point), cast.normal);
  at.met = hits & fine_above(at.depth, fine_splat(0.0));
  return at;
}

// ---- what they do ----

// metres and substeps
typedef struct fine_rebound {
  fine left, away, speed;
} fine_rebound;

// of those lanes that come from away, the others have been there
static inline fine_rebound bounce(const fine_contact* at, fine speed, fine pull, fine restitution,
                                  fine_mask comes) {
  const fine zero = fine_splat(0.0);
  const fine one = fine_splat(1.0);
  const fine depth = at->depth;
  const fine now = speed + 0.5 * pull;
  const fine root_sq = now * now - 2.0 * pull * depth;
  const fine root = fine_sqrt(fine_select(root_sq, zero, fine_above(root_sq, zero)));
  const fine_mask still_in = fine_above(now, zero);
  const fine left =
      fine_select(2.0 * depth, root - now, still_in) / fine_select(now + root, -pull, still_in);
  fine_rebound r;
  r.left = fine_select(left, one, fine_above(one, left) & comes);
  const fine met = now - pull * r.left;
  const fine leaves = restitution * met;
  const fine away = (leaves - 0.5 * pull * r.left) * r.left;
  const fine rests = 2.0 * fine_select(pull, zero, fine_above(pull, zero));
  const fine_mask bounces =
      comes & fine_above(met, rests) & fine_above(leaves, zero) & fine_at_least(away, zero);
  r.away = fine_select(away, zero, bounces);
  r.speed = fine_select(leaves - pull * r.left + 0.5 * pull, zero, bounces);
  return r;
}

static inline fine_rebound bounce_or_rest(const fine_contact* at, fine speed, fine pull,
                                          fine restitution, fine_mask met) {
  const fine_mask comes = fine_not(fine_at_least(at->depth, speed - 2.0 * at->slack));
  if (fine_any(comes & met)) return bounce(at, speed, pull, restitution, comes);
  return (fine_rebound){fine_splat(1.0), fine_splat(0.0), fine_splat(0.0)};
}

static inline fine share_left(fine length, fine change, fine grip, fine rub, fine_mask met) {
  const fine zero = fine_splat(0.0);
  const fine lost = rub * change;
  const fine_mask slides =
      met & fine_not(fine_at_least(grip * change, length)) & fine_above(length, lost);
  if (!fine_any(slides)) return zero;
  return fine_select(1.0 - lost / length, zero, slides);
}

// what has come of some lanes
typedef struct fine_outcome {
  fine_vector pos, prev;
  fine_mask struck;  // their velocity has changed in the midst of the substep
} fine_outcome;

static inline void note_change(double* column, fine_mask met, fine value) {
  fine_store_doubles(column, fine_select(value, fine_load_doubles(column), met));
}

static inline void note_changes(weft__encounter* e, size_t lane, fine_mask met, fine change,
                                fine_vector normal) {
  note_change(e->change + lane, met, change);
  note_change(e->normal_x + lane, met, normal.x);
  note_change(e->normal_y + lane, met, normal.y);
  note_change(e->normal_z + lane, met, normal.z);
}

static inline void strike_at(const weft__obstacle* o, weft__encounter* e, const fine_travellers* t,
                             const fine_contact* at, fine_vector moved, fine speed, fine_mask met,
                             fine_outcome* outcome) {
  const fine one = fine_splat(1.0);
  const fine zero = fine_splat(0.0);
  const weft__vec3 gravity = weft__turn_in(o->end, e->gravity);
  const fine pull =
      -(gravity.x * at->normal.x + gravity.y * at->normal.y + gravity.z * at->normal.z);
  const fine_rebound r = bounce_or_rest(at, speed, pull, fine_load(o->restitution + t->lane), met);
  const fine change = speed + r.speed;
  const fine_vector along = fine_plus(moved, fine_scaled(speed, at->normal));
  const fine share =
      share_left(fine_sqrt(fine_dot(along, along)), change, fine_load(o->static_friction + t->lane),
                 fine_load(o->dynamic_friction + t->lane), met);
  const fine_vector moves = fine_plus(fine_scaled(share, along), fine_scaled(r.speed, at->normal));
  const fine_vector rubbed = fine_scaled(-r.left * (1.0 - share), along);
  const fine_vector raised = fine_scaled(at->depth + r.away, at->normal);
  const fine_vector place = fine_plus(at->to, fine_plus(rubbed, raised));
  fine_vector pos = fine_plus(t->pos, fine_turn_out(o->end, fine_minus(place, at->to)));
  fine_vector prev;
  if (o->moves) {
    prev = fine_frame_out(o->begin, fine_minus(place, moves));
  } else {
    prev = fine_minus(pos, fine_turn_out(o->end, moves));
    // what lay there and is held stays where it was, to the bit
    const fine_mask stays = fine_not(fine_above(one, r.left)) & fine_not(fine_above(share, zero)) &
                            fine_at_least(2.0 * at->slack, fine_abs(at->depth - speed));
    pos = fine_choose(t->prev, pos, stays);
    prev = fine_choose(t->prev, prev, stays);
  }
  outcome->pos = fine_choose(pos, outcome->pos, met);
  outcome->prev = fine_choose(prev, outcome->prev, met);
  outcome->struck |= met & fine_above(one, r.left);
  if (e->notes) note_changes(e, t->lane, met, change, fine_turn_out(o->end, at->normal));
}

// ---- all of them ----

static inline fine_travellers load_travellers(const weft__particles* p, const weft__encounter* e,
                                              size_t i, size_t lane) {
  return (fine_travellers){
      .pos = {fine_load(p->pos_x + i), fine_load(p->pos_y + i), fine_load(p->pos_z + i)},
      .prev = {fine_load(p->prev_x + i), fine_load(p->prev_y + i), fine_load(p->prev_z + i)},
      .radius = fine_load(e->radius + lane),
      .lane = lane,
  };
}

// in worlds that keep velocities: see bounds.inl
static inline void set_velocities(const weft__particles* p, size_t i, uint32_t struck, float rate) {
  for (size_t k = i; struck != 0; ++k, struck >>= 1) {
    if ((struck & 1) == 0) continue;
    p->vel_x[k] = (p->pos_x[k] - p->prev_x[k]) * rate;
    p->vel_y[k] = (p->pos_y[k] - p->prev_y[k]) * rate;
    p->vel_z[k] = (p->pos_z[k] - p->prev_z[k]) * rate;
  }
}

// the one place where positions and velocities change
static inline void put_travellers(const weft__particles* p, size_t i, const fine_travellers* t,
                                  const fine_outcome* outcome, fine_mask caught, float rate) {
  const fine_vector pos = fine_choose(outcome->pos, t->pos, caught);
  const fine_vector prev = fine_choose(outcome->prev, t->prev, caught);
  fine_store(p->pos_x + i, pos.x);
  fine_store(p->pos_y + i, pos.y);
  fine_store(p->pos_z + i, pos.z);
  fine_store(p->prev_x + i, prev.x);
  fine_store(p->prev_y + i, prev.y);
  fine_store(p->prev_z + i, prev.z);
  if (p->velocity_block == NULL) return;
  set_velocities(p, i, fine_to_mask(outcome->struck & caught), rate);
}

// Those that meet one obstacle in `outcome`; `rare` are added to.
static inline fine_mask meet_all(weft__encounter* e, const fine_travellers* t, fine_mask looks,
                                 fine_mask* by, fine_mask* rare, fine_outcome* outcome) {
  fine_mask caught = fine_from_mask(0);
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    const weft__obstacle* o = &e->obstacles[k];
    const fine_contact at = find_contact(o, t, t->pos, looks & fine_from_mask(o->meets >> t->lane));
    by[k] = at.met;
    *rare |= at.rare | (caught & at.met);
    caught |= at.met;
    if (!fine_any(at.met)) continue;
    const fine_vector moved = fine_minus(at.to, at.from);
    const fine speed = -fine_dot(moved, at.normal);
    *rare |= at.met & fine_not(fine_above(speed, fine_splat(0.0)));
    strike_at(o, e, t, &at, moved, speed, at.met & fine_not(*rare), outcome);
  }
  return caught;
}

// those of them that meet something where they now are
static inline fine_mask meet_again(const weft__encounter* e, const fine_travellers* t,
                                   fine_mask looks, const fine_outcome* outcome) {
  fine_mask again = fine_from_mask(0);
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    const weft__obstacle* o = &e->obstacles[k];
    const fine_contact at =
        find_contact(o, t, outcome->pos, looks & fine_from_mask(o->meets >> t->lane));
    again |= at.met | at.rare;
  }
  return again;
}

static inline void encounter_lanes(const weft__particles* p, weft__encounter* e, size_t i,
                                   size_t lane, uint64_t all) {
  const fine_mask looks =
      fine_from_mask(all >> lane) & fine_above(fine_load(p->inv_mass + i), fine_splat(0.0));
  if (!fine_any(looks)) return;
  const fine_travellers t = load_travellers(p, e, i, lane);
  fine_outcome outcome = {t.pos, t.prev, fine_from_mask(0)};
  fine_mask by[WEFT__ENCOUNTER_OBSTACLES];
  fine_mask rare = fine_from_mask(0);
  fine_mask caught = meet_all(e, &t, looks, by, &rare, &outcome);
  caught &= fine_not(rare);
  // what stays out of the plane of a contact stays out of all of a convex shape
  if (e->obstacle_count > 1 && fine_any(caught)) rare |= meet_again(e, &t, caught, &outcome);
  caught &= fine_not(rare);
  e->rare |= (uint64_t)fine_to_mask(rare) << lane;
  if (!fine_any(caught)) return;
  for (uint32_t k = 0; k < e->obstacle_count; ++k) {
    e->held_by[k] |= (uint64_t)fine_to_mask(by[k] & caught) << lane;
  }
  put_travellers(p, i, &t, &outcome, caught, e->rate);
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
