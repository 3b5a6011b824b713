// Self-collision solve of a tile's lanes, one neighbour slot after the other:
// collision/self/solve.h.

// pairs whose relative path passes closer, over their summed radii, have tunnelled
#define TUNNEL_SHARE 0.3f
// share of a push that links may undo before it is relaxed
#define MAX_UNDONE 0.25f
// relaxation of a push, and with one supported end
#define MIN_RELAXATION 0.001f
#define MIN_SUPPORTED_RELAXATION 0.5f
// old overlap that stays, over the contact distance
#define SLOP 0.02f

typedef struct wide_contact {
  wide_vector normal;
  wide depth;
  wide new_overlap;  // arose in this substep
  wide_mask is_along;
  wide weight;  // 0 to 1, 1 for spheres
} wide_contact;

// Coincident centres: a pseudo-random axis, common to both particles.
static inline void choose_direction(uint32_t a, uint32_t b, float normal[3]) {
  const uint32_t low = a < b ? a : b;
  const uint32_t high = a < b ? b : a;
  uint32_t bits = (low * 2654435761u) ^ (high * 2246822519u);
  bits ^= bits >> 15;
  for (uint32_t axis = 0; axis < 3; ++axis) normal[axis] = 0.0f;
  normal[bits % 3] = a < b ? 1.0f : -1.0f;
}

static void tunnelled_contact(const float now[3], const float before[3], float reach, uint32_t a,
                              uint32_t b, float out[5]) {
  float now_sq = 0.0f, before_sq = 0.0f, along = 0.0f;
  for (int k = 0; k < 3; ++k) {
    now_sq += now[k] * now[k];
    before_sq += before[k] * before[k];
    along += now[k] * before[k];
  }
  const float min_sq = MIN_DISTANCE_SQ * reach * reach;
  const float path_sq = now_sq + before_sq - 2.0f * along;
  const float share = (before_sq - along) / path_sq;
  float nearest_sq = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const float nearest = before[k] + share * (now[k] - before[k]);
    nearest_sq += nearest * nearest;
  }
  const bool is_through = along < 0.0f && nearest_sq < TUNNEL_SHARE * TUNNEL_SHARE * reach * reach;
  float normal[3];
  if (before_sq > min_sq && (!(now_sq > min_sq) || is_through)) {
    for (int k = 0; k < 3; ++k) normal[k] = before[k] / sqrtf(before_sq);
  } else if (now_sq > min_sq) {
    for (int k = 0; k < 3; ++k) normal[k] = now[k] / sqrtf(now_sq);
  } else {
    choose_direction(a, b, normal);
  }
  const float distance = now[0] * normal[0] + now[1] * normal[1] + now[2] * normal[2];
  for (int k = 0; k < 3; ++k) out[k] = normal[k];
  out[3] = reach - distance;
  out[4] = before[0] * normal[0] + before[1] * normal[1] + before[2] * normal[2] - distance;
}

static __attribute__((noinline)) void tunnelled_contacts(uint32_t special, const wide_vector* now,
                                                         const wide_vector* before, wide reach,
                                                         size_t own, const uint32_t* others,
                                                         wide_contact* c) {
  float lanes[7][WIDE_LANES];
  float out[5][WIDE_LANES];
  const wide in[7] = {now->x, now->y, now->z, before->x, before->y, before->z, reach};
  const wide given[5] = {c->normal.x, c->normal.y, c->normal.z, c->depth, c->new_overlap};
  for (int k = 0; k < 7; ++k) wide_store(lanes[k], in[k]);
  for (int k = 0; k < 5; ++k) wide_store(out[k], given[k]);
  for (; special != 0; special &= special - 1) {
    const uint32_t i = (uint32_t)__builtin_ctz(special);
    float one[5];
    tunnelled_contact((const float[]){lanes[0][i], lanes[1][i], lanes[2][i]},
                      (const float[]){lanes[3][i], lanes[4][i], lanes[5][i]}, lanes[6][i],
                      (uint32_t)own + i, others[i] / 2, one);
    for (int k = 0; k < 5; ++k) out[k][i] = one[k];
  }
  c->normal = (wide_vector){wide_load(out[0]), wide_load(out[1]), wide_load(out[2])};
  c->depth = wide_load(out[3]);
  c->new_overlap = wide_load(out[4]);
}

typedef struct contact_sums {
  size_t own;
  wide_vector at;
  wide_record start, supporter, surface;
  wide_vector friction;
  wide radius, inv_mass;
  wide alone;  // the lane's share where its neighbour is supported
  wide_vector correction, start_correction, support_push;
  wide relaxation;  // for pushes out of old overlaps
  wide pushed;      // metres out of old overlaps, in the first round
  wide undone;      // metres: approach left in this round
} contact_sums;

// Share of the relative tangential displacement taken back; 1: sticking.
static inline wide friction_share(wide_vector own, wide_vector other, wide pressed, wide slid_sq) {
  const wide holds_sq = (own.x + other.x) * pressed * pressed;
  const wide dynamic_sq = own.y + other.y;
  const wide slows = pressed * dynamic_sq * wide_inverse_sqrt(dynamic_sq * slid_sq);
  const wide one = wide_splat(1.0f);
  const wide ease = wide_min(own.z, other.z);
  return ease * wide_select(one, wide_min(slows, one), wide_at_least(holds_sq, slid_sq));
}

static inline wide next_relaxation(const weft__tile_round* round, const contact_sums* g,
                                   wide pushed) {
  const wide grown = wide_min(round->grow * g->relaxation, wide_splat(1.0f));
  const wide faded = wide_max(round->fade * g->relaxation, wide_splat(MIN_RELAXATION));
  return wide_select(grown, faded, wide_at_least(MAX_UNDONE * pushed, g->undone));
}

// Returns the lanes that touch. After the first round only pairs closer than at the start count.
static inline wide_mask replace_by_surfaces(const contact_sums* g, wide_record other,
                                            wide_vector before, wide_vector now, wide reach,
                                            bool is_first, wide_mask touches, wide_contact* c) {
  const surface_contact s = find_surface_contact(g->surface, other, before, now, reach);
  wide_mask meets = s.is_within & wide_positive(reach - s.now);
  if (!is_first) meets &= wide_positive(s.before - s.now - 0.00001f * reach);
  c->normal = wide_choose(s.normal, c->normal, s.is_along);
  c->depth = wide_select(reach - s.now, c->depth, s.is_along);
  c->new_overlap = wide_select(s.before - s.now, c->new_overlap, s.is_along);
  c->weight = wide_select(s.weight, c->weight, s.is_along);
  c->is_along = s.is_along;
  return (s.is_along & meets) | ((wide_mask)~s.is_along & touches);
}

// Support against the push, or pin: infinite split mass.
static inline wide_mask is_held(wide cosine, wide split_inv_mass) {
  const wide_mask is_free = wide_positive(split_inv_mass);
  return wide_positive(cosine - WEFT__MIN_SUPPORT_COSINE) | (wide_mask)~is_free;
}

// keeps the sums in registers
static inline __attribute__((always_inline)) void add_contact(const weft__self_tiles* t,
                                                              const weft__tile_round* round,
                                                              bool is_first, bool is_general,
                                                              contact_sums* g, neighbour_slot m) {
  const wide zero = wide_splat(0.0f);
  const wide_mask listed = wide_from_mask(m.lanes);
  const wide_record seen = gather_record(round->now->seen, m.at);
  const wide_vector now = wide_minus(g->at, seen.v);
  wide reach = g->radius + seen.fourth;
  if (is_general && t->has_near) reach = contact_distance(t, g->own, m.at, reach);
  const wide distance_sq = wide_dot(now, now);
  wide_mask touches = wide_positive(reach * reach - distance_sq) & listed;
  if (!is_general && wide_to_mask(touches) == 0) return;

  const wide_record start = gather_record(round->now->start, m.at);
  const wide_vector before = wide_minus(g->start.v, start.v);
  const wide along = wide_dot(now, before);
  if (!is_first) {
    touches &= wide_positive(along - 1.00001f * distance_sq) | (wide_mask)~wide_positive(along);
  }
  if (!is_general && wide_to_mask(touches) == 0) return;
  const wide inverse = wide_inverse_sqrt(distance_sq);
  wide_contact c = {.normal = wide_scaled(inverse, now),
                    .depth = reach - distance_sq * inverse,
                    .new_overlap = (along - distance_sq) * inverse,
                    .is_along = wide_from_mask(0),
                    .weight = wide_splat(1.0f)};
  wide_mask regular =
      wide_positive(along) & wide_positive(distance_sq - MIN_DISTANCE_SQ * reach * reach);
  if (is_general) {
    const wide_record other = gather_record(t->surface, m.at);
    touches = replace_by_surfaces(g, other, before, now, reach, is_first, touches, &c) & listed;
    regular |= c.is_along;
    if (wide_to_mask(touches) == 0) return;
  }
  const uint32_t special = wide_to_mask(touches & (wide_mask)~regular);
  if (special != 0) {
    // copies: or the vectors of all contacts would be in memory
    const wide_vector paths[2] = {now, before};
    wide_contact tunnelled = c;
    tunnelled_contacts(special, &paths[0], &paths[1], reach, g->own, m.at, &tunnelled);
    c = tunnelled;
  }

  // the push is all of the lane's if the other end is supported
  wide share = g->inv_mass / (g->start.fourth + start.fourth);
  wide alone = g->alone;
  if (is_general) {
    share = c.weight * share;
    alone = c.weight * alone;
  }
  const wide_record hold = gather_record(t->support, m.at);
  const wide_mask other_held = is_held(wide_dot(c.normal, hold.v), start.fourth);
  const wide_mask own_held = is_held(zero - wide_dot(c.normal, g->supporter.v), g->start.fourth);
  wide own_share = wide_select(alone, share, other_held & (wide_mask)~own_held);
  own_share = wide_keep(own_share, touches & (wide_mask) ~(own_held & (wide_mask)~other_held));

  const wide new_overlap = wide_min(wide_max(c.new_overlap, zero), c.depth);
  wide push = new_overlap;
  if (is_first) {
    const wide radius = wide_min(g->radius, seen.fourth);
    const wide_record rub = gather_record(t->friction, m.at);
    const wide minimum = wide_keep(wide_splat(MIN_SUPPORTED_RELAXATION), own_held | other_held);
    const wide relaxation = wide_max(wide_min(g->relaxation, rub.fourth), minimum);
    const wide beyond = wide_max(c.depth - new_overlap - SLOP * reach, zero);
    const wide old = relaxation * wide_min(beyond, 2.0f * round->push * radius);
    push = push + old;
    g->pushed = g->pushed + wide_keep(old, touches);
    g->start_correction = wide_along(g->start_correction, c.normal, own_share * old);
  }
  g->correction = wide_along(g->correction, c.normal, own_share * push);
  g->support_push = wide_along(g->support_push, c.normal, wide_keep(own_share * push, other_held));
  if (!is_first) g->undone = g->undone + wide_keep(new_overlap, touches);

  const wide_vector slid = wide_along(wide_minus(now, before), c.normal, c.new_overlap);
  const wide back = friction_share(g->friction, gather_record(t->friction, m.at).v, new_overlap,
                                   wide_dot(slid, slid));
  g->correction = wide_along(g->correction, slid, zero - own_share * back);
}

// Unused columns, as much memory as contacts, are not read.
static inline __attribute__((always_inline)) contact_sums begin_sums(const weft__self_tiles* t,
                                                                     const weft__tile_round* round,
                                                                     bool is_first, bool is_general,
                                                                     size_t own) {
  const wide zero = wide_splat(0.0f);
  const wide radius = wide_load(t->radius + own);
  contact_sums g = {.own = own,
                    .at = wide_load_vector(t->at, own),
                    .start = load_record(round->now->start, own),
                    .supporter = load_record(t->support, own),
                    .surface = {{zero, zero, zero}, zero},
                    .friction = load_record(t->friction, own).v,
                    .relaxation = zero,
                    .pushed = zero,
                    .undone = zero,
                    .radius = wide_keep(radius, wide_equal(radius, radius)),
                    .inv_mass = wide_load(t->inv_mass + own),
                    .correction = {zero, zero, zero},
                    .start_correction = {zero, zero, zero},
                    .support_push = {zero, zero, zero}};
  g.alone = g.inv_mass / g.start.fourth;
  if (is_general) g.surface = load_record(t->surface, own);
  if (is_first || round->is_last) g.relaxation = wide_load(t->relaxation + own);
  return g;
}

static inline void add_external(contact_sums* g, const float* more) {
  wide* sums[9] = {&g->correction.x,       &g->correction.y,       &g->correction.z,
                   &g->start_correction.x, &g->start_correction.y, &g->start_correction.z,
                   &g->support_push.x,     &g->support_push.y,     &g->support_push.z};
  for (int k = 0; k < 9; ++k) *sums[k] = *sums[k] + wide_load(more + (size_t)k * WEFT__TILE);
}

// The start changes only in the first round, and by pairs with bodies.
static inline __attribute__((always_inline)) void store_sums(const weft__self_tiles* t,
                                                             const weft__tile_round* round,
                                                             bool is_first, const contact_sums* g) {
  const wide_mask is_free = wide_positive(g->inv_mass);
  const wide_vector at = wide_plus(g->at, wide_kept(g->correction, is_free));
  const wide_vector start = wide_plus(g->start.v, wide_kept(g->start_correction, is_free));
  wide_store_vector(t->at, g->own, at);
  if (!weft__tile_round_keeps_start(round))
    store_record(round->next->start, g->own, start, g->start.fourth);
  const wide zero = wide_splat(0.0f);
  const wide_vector carried =
      is_first ? (wide_vector){zero, zero, zero} : wide_load_vector(t->carried, g->own);
  wide_store_vector(t->carried, g->own, wide_plus(carried, wide_kept(g->support_push, is_free)));
  if (is_first) wide_store(t->pushed + g->own, g->pushed);
  // predicted positions of the last round are not read
  if (round->is_last) {
    wide_store(t->relaxation + g->own, next_relaxation(round, g, wide_load(t->pushed + g->own)));
    return;
  }
  store_record(round->next->seen, g->own,
               predict_position(at, start, g->supporter.v, g->supporter.fourth), g->radius);
}

static inline __attribute__((always_inline)) void solve_tile_lanes(const weft__self_tiles* t,
                                                                   uint32_t tile, uint32_t lane,
                                                                   const weft__tile_round* round,
                                                                   bool is_first, bool is_general) {
  contact_sums g = begin_sums(t, round, is_first, is_general, (size_t)tile * WEFT__TILE + lane);
  neighbour_walk walk = begin_neighbours(t, tile, lane);
  for (uint32_t k = 0; k < walk.count; ++k) {
    const neighbour_slot m = neighbours_at(&walk, k);
    if (m.lanes != 0) add_contact(t, round, is_first, is_general, &g, m);
  }
  if (round->more != NULL) add_external(&g, round->more + lane);
  store_sums(t, round, is_first, &g);
}

static void solve_tile(const weft__self_tiles* tiles, uint32_t tile,
                       const weft__tile_round* round) {
  const weft__self_tiles t = *tiles;
  const bool is_general = has_surfaces_or_near(&t);
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    if (is_general && round->is_first) {
      solve_tile_lanes(&t, tile, lane, round, true, true);
    } else if (is_general) {
      solve_tile_lanes(&t, tile, lane, round, false, true);
    } else if (round->is_first) {
      solve_tile_lanes(&t, tile, lane, round, true, false);
    } else {
      solve_tile_lanes(&t, tile, lane, round, false, false);
    }
  }
}
