// What touches is moved apart: 16 lanes of a tile against one slot after the other. See cloth/apart.h.

// those that have passed each other nearer than this share of their radii have gone through each other
#define CLOTH_THROUGH 0.3f
// the least square of a distance that tells a direction, as a share of that of the radii
#define CLOTH_LEAST 1e-12f
// the least cosine between a push and what holds against it
#define CLOTH_HELD 0.32f

typedef struct wide_vector {
  wide x, y, z;
} wide_vector;

static inline wide_vector load_vector(float* const* columns, size_t at) {
  return (wide_vector){wide_load(columns[0] + at), wide_load(columns[1] + at),
                       wide_load(columns[2] + at)};
}

static inline void store_vector(float* const* columns, size_t at, wide_vector v) {
  wide_store(columns[0] + at, v.x);
  wide_store(columns[1] + at, v.y);
  wide_store(columns[2] + at, v.z);
}

// records of lanes side by side, and of any
typedef struct wide_record {
  wide_vector v;
  wide fourth;
} wide_record;

static inline wide_record load_record(const float* records, size_t at) {
  wide c[4];
  wide_load_records(records + at * 4, consecutive, c);
  return (wide_record){{c[0], c[1], c[2]}, c[3]};
}

static inline void store_record(float* records, size_t at, wide_vector v, wide fourth) {
  wide_store_records(records + at * 4, consecutive, (const wide[4]){v.x, v.y, v.z, fourth});
}

static inline wide_record fetch_record(const float* records, const uint32_t* at) {
  wide c[4];
  wide_load_far_records(records, at, c);
  return (wide_record){{c[0], c[1], c[2]}, c[3]};
}

static inline wide_vector wide_less(wide_vector a, wide_vector b) {
  return (wide_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline wide wide_dot(wide_vector a, wide_vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// a + s b
static inline wide_vector wide_moved(wide_vector a, wide s, wide_vector b) {
  return (wide_vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline uint32_t own_lanes(uint32_t lanes, uint32_t lane) {
  return lanes >> lane & ((1u << WIDE_LANES) - 1);
}

// ---- where others see it ----

// What holds a particle is taken to undo its way against that in this substep, too, as it did in the last one.
static inline wide_vector seen_at(wide_vector at, wide_vector start, wide_vector hold, wide most) {
  const wide_vector back = {start.x - at.x, start.y - at.y, start.z - at.z};
  const wide along = wide_min(wide_max(wide_dot(back, hold), wide_splat(0.0f)), most);
  return wide_moved(at, along, hold);
}

static void ready_tile(const weft__cloth_tiles* tiles, uint32_t tile, bool was_left) {
  const wide zero = wide_splat(0.0f);
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const size_t place = (size_t)tile * WEFT__TILE + lane;
    const wide_vector at = load_vector(tiles->at, place);
    const wide_vector start = load_record(tiles->turns[0].start, place).v;
    wide_vector hold = {zero, zero, zero};
    wide most = zero;
    if (was_left) {
      const wide_vector left = load_vector(tiles->left, place);
      const wide_vector carried = load_vector(tiles->carried, place);
      hold = (wide_vector){carried.x + (start.x - left.x), carried.y + (start.y - left.y),
                           carried.z + (start.z - left.z)};
      const wide length_sq = wide_dot(hold, hold);
      const wide_mask is_held = wide_positive(length_sq - 1e-30f);
      const wide inverse = wide_keep(wide_inverse_sqrt(length_sq), is_held);
      most = length_sq * inverse;
      hold = wide_moved((wide_vector){zero, zero, zero}, inverse, hold);
    }
    wide_store(tiles->hold_most + place, most);
    const wide_mask is_free = wide_positive(wide_load(tiles->inv_mass + place));
    store_record(tiles->hold, place, hold,
                 wide_select(wide_splat(CLOTH_HELD), wide_splat(-INFINITY), is_free));
    store_vector(tiles->carried, place, (wide_vector){zero, zero, zero});
    const wide radius = wide_load(tiles->radius + place);
    store_record(tiles->turns[0].seen, place, seen_at(at, start, hold, most),
                 wide_keep(radius, wide_equal(radius, radius)));
  }
}

// ---- what touches ----

// a tile in as many vectors as it takes
enum { TILE_VECTORS = WEFT__TILE / WIDE_LANES };

typedef struct tile_places {
  wide_vector at[TILE_VECTORS], seen[TILE_VECTORS];
  wide radius[TILE_VECTORS];
} tile_places;

static inline wide_vector less_point(wide_vector v, const float point[3]) {
  return (wide_vector){v.x - point[0], v.y - point[1], v.z - point[2]};
}

static inline uint32_t find_touching_lanes(const weft__cloth_tiles* tiles, const tile_places* own,
                                           const weft__tile_row* row) {
  const size_t other = row->place;
  const float* seen = tiles->turns[0].seen + other * 4;
  const float at[3] = {tiles->at[0][other], tiles->at[1][other], tiles->at[2][other]};
  uint32_t touching = 0;
  for (uint32_t v = 0; v < TILE_VECTORS; ++v) {
    const wide_vector now = less_point(own->at[v], seen);
    const wide_vector also = less_point(own->seen[v], at);
    const wide reach = own->radius[v] + seen[3];
    // what one of both sees both list: so that none reads of the other what was not made ready
    const wide nearest = wide_min(wide_dot(now, now), wide_dot(also, also));
    touching |= wide_to_mask(wide_positive(reach * reach - nearest)) << v * WIDE_LANES;
  }
  return touching & row->lanes;
}

// Finds which lanes each row touches. False where these are the same as they were.
static inline bool find_touching(const weft__cloth_tiles* tiles, uint32_t tile) {
  const weft__cloth_tiles t = *tiles;
  tile_places own;
  for (uint32_t v = 0; v < TILE_VECTORS; ++v) {
    const size_t place = (size_t)tile * WEFT__TILE + v * WIDE_LANES;
    own.at[v] = load_vector(t.at, place);
    own.seen[v] = load_record(t.turns[0].seen, place).v;
    own.radius[v] = wide_load(t.radius + place);
  }
  const weft__tile_row* rows = t.rows + t.row_first[tile];
  weft__tile_touch* touches = t.touches + t.row_first[tile];
  const uint32_t row_count = t.row_count[tile];
  uint32_t changed = 0;
  for (uint32_t r = 0; r < row_count; ++r) {
    const uint32_t lanes = find_touching_lanes(&t, &own, &rows[r]);
    changed |= lanes ^ touches[r].lanes;
    touches[r].lanes = (uint16_t)lanes;
  }
  return !t.slots[tile].is_good || changed != 0;
}

// What fills a tile's slots. Lanes that have none read themselves: that is at hand, and finite.
typedef struct slot_filler {
  weft__tile_slots* slots;
  uint32_t first;          // the tile's first place
  uint32_t count;          // of slots
  uint8_t of[WEFT__TILE];  // how many each lane has
} slot_filler;

static inline void begin_slot(slot_filler* f) {
  uint32_t* at = f->slots->at[f->count++];
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) at[lane] = 2 * (f->first + lane);
}

// returns the lanes for which there was no slot
static inline uint32_t fill_row(slot_filler* f, uint32_t place, uint32_t lanes) {
  uint32_t left = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    const uint32_t slot = f->of[lane];
    if (slot == WEFT__TILE_SLOTS) {
      left |= 1u << lane;
      continue;
    }
    if (slot == f->count) begin_slot(f);
    f->slots->at[slot][lane] = 2 * place;
    f->of[lane] = (uint8_t)(slot + 1);
  }
  return left;
}

static __attribute__((noinline)) void fill_slots(const weft__cloth_tiles* t, uint32_t tile) {
  weft__tile_slots* slots = &t->slots[tile];
  const weft__tile_row* rows = t->rows + t->row_first[tile];
  weft__tile_touch* touches = t->touches + t->row_first[tile];
  slot_filler f = {.slots = slots, .first = tile * WEFT__TILE};
  uint32_t left = 0;
  for (uint32_t r = 0; r < t->row_count[tile]; ++r) {
    touches[r].left = (uint16_t)fill_row(&f, rows[r].place, touches[r].lanes);
    left |= touches[r].left;
  }
  for (uint32_t slot = 0; slot < f.count; ++slot) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane)
      lanes |= (uint32_t)(f.of[lane] > slot) << lane;
    slots->lanes[slot] = (uint16_t)lanes;
  }
  slots->count = (uint16_t)f.count;
  slots->has_left = left != 0;
  slots->is_good = true;
}

// What lanes meet next.
typedef struct tile_meeting {
  const uint32_t* at;  // twice the places
  uint32_t lanes;      // bits
} tile_meeting;

// The slots of a tile, and then what is left in its rows.
typedef struct tile_walk {
  const weft__tile_slots* slots;
  const weft__tile_row* rows;
  const weft__tile_touch* touches;
  uint32_t slot_count, count;
  uint32_t lane;
  uint32_t same[WIDE_LANES];
} tile_walk;

static inline tile_walk begin_walk(const weft__cloth_tiles* tiles, uint32_t tile, uint32_t lane) {
  tile_walk w;
  w.slots = &tiles->slots[tile];
  w.rows = tiles->rows + tiles->row_first[tile];
  w.touches = tiles->touches + tiles->row_first[tile];
  w.slot_count = w.count = tiles->slot_count[tile];
  if (w.slot_count > 0 && w.slots->has_left) w.count += tiles->row_count[tile];
  w.lane = lane;
  return w;
}

// no lanes where none of these meets any
static inline tile_meeting meeting_of(tile_walk* w, uint32_t k) {
  if (k < w->slot_count) {
    return (tile_meeting){w->slots->at[k] + w->lane, own_lanes(w->slots->lanes[k], w->lane)};
  }
  const uint32_t r = k - w->slot_count;
  for (uint32_t i = 0; i < WIDE_LANES; ++i) w->same[i] = 2 * w->rows[r].place;
  return (tile_meeting){w->same, own_lanes(w->touches[r].left, w->lane)};
}

// The sum M of u u^T over normals u tells how much contacts help each other: none of its eigenvalues is above the root
// of the sum of its squares.
static inline void weigh_lanes(const weft__cloth_tiles* tiles, size_t own, tile_walk* walk) {
  const wide zero = wide_splat(0.0f);
  wide xx = zero, yy = zero, zz = zero, xy = zero, yz = zero, zx = zero;
  wide contacts = zero;
  wide same = zero;
  uint32_t listed = 0;
  const wide_vector at = load_vector(tiles->at, own);
  for (uint32_t k = 0; k < walk->count; ++k) {
    const tile_meeting m = meeting_of(walk, k);
    if (m.lanes == 0) continue;
    listed |= m.lanes;
    const wide_record other = fetch_record(tiles->turns[0].seen, m.at);
    const wide_vector now = wide_less(at, other.v);
    const wide reach = wide_load(tiles->radius + own) + other.fourth;
    const wide distance_sq = wide_dot(now, now);
    const wide_mask touches = wide_positive(reach * reach - distance_sq) & wide_from_mask(m.lanes);
    const wide_mask apart = wide_positive(distance_sq - CLOTH_LEAST * reach * reach);
    const wide inverse = wide_keep(wide_inverse_sqrt(distance_sq), touches & apart);
    const wide x = now.x * inverse;
    const wide y = now.y * inverse;
    const wide z = now.z * inverse;
    xx = xx + x * x;
    yy = yy + y * y;
    zz = zz + z * z;
    xy = xy + x * y;
    yz = yz + y * z;
    zx = zx + z * x;
    const wide one = wide_keep(wide_splat(1.0f), touches);
    contacts = contacts + one;
    same = same + (one - wide_keep(one, apart));
  }
  const wide one = wide_splat(1.0f);
  const wide size = wide_sqrt(xx * xx + yy * yy + zz * zz + 2.0f * (xy * xy + yz * yz + zx * zx));
  const wide weight = wide_max(size + same, wide_keep(one, wide_from_mask(listed)));
  float split[WIDE_LANES];
  float ease[WIDE_LANES];
  wide_store(split, weight * wide_load(tiles->inv_mass + own));
  wide_store(ease, weight / wide_max(wide_max(contacts, weight), one));
  for (uint32_t i = 0; i < WIDE_LANES; ++i) {
    tiles->turns[0].start[(own + i) * 4 + 3] = split[i];
    tiles->rub[(own + i) * 4 + 2] = ease[i];
  }
}

static void touch_tile(const weft__cloth_tiles* tiles, uint32_t tile) {
  if (find_touching(tiles, tile)) fill_slots(tiles, tile);
  tiles->slot_count[tile] = tiles->slots[tile].count;
  if (tiles->slot_count[tile] == 0) return;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    tile_walk walk = begin_walk(tiles, tile, lane);
    weigh_lanes(tiles, (size_t)tile * WEFT__TILE + lane, &walk);
  }
}

// ---- one round ----

// how lanes lie to one other
typedef struct wide_contact {
  wide_vector normal;  // from the other one
  wide depth;          // metres by which they overlap
  wide fresh;          // of that, what came about in this substep
} wide_contact;

// for those in the very same place: any direction, as long as both take the same one
static inline void choose_direction(uint32_t a, uint32_t b, float normal[3]) {
  const uint32_t low = a < b ? a : b;
  const uint32_t high = a < b ? b : a;
  uint32_t bits = (low * 2654435761u) ^ (high * 2246822519u);
  bits ^= bits >> 15;
  for (uint32_t axis = 0; axis < 3; ++axis) normal[axis] = 0.0f;
  normal[bits % 3] = a < b ? 1.0f : -1.0f;
}

// One of those that have gone through each other's middle, or are in the same place.
static void settle_odd(const float now[3], const float before[3], float reach, uint32_t a,
                       uint32_t b, float out[5]) {
  float now_sq = 0.0f, before_sq = 0.0f, along = 0.0f;
  for (int k = 0; k < 3; ++k) {
    now_sq += now[k] * now[k];
    before_sq += before[k] * before[k];
    along += now[k] * before[k];
  }
  const float least = CLOTH_LEAST * reach * reach;
  // the nearest of the line through both
  const float way_sq = now_sq + before_sq - 2.0f * along;
  const float share = (before_sq - along) / way_sq;
  float nearest_sq = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const float nearest = before[k] + share * (now[k] - before[k]);
    nearest_sq += nearest * nearest;
  }
  const bool is_through =
      along < 0.0f && nearest_sq < CLOTH_THROUGH * CLOTH_THROUGH * reach * reach;
  float normal[3];
  if (before_sq > least && (!(now_sq > least) || is_through)) {
    for (int k = 0; k < 3; ++k) normal[k] = before[k] / sqrtf(before_sq);
  } else if (now_sq > least) {
    for (int k = 0; k < 3; ++k) normal[k] = now[k] / sqrtf(now_sq);
  } else {
    choose_direction(a, b, normal);
  }
  const float distance = now[0] * normal[0] + now[1] * normal[1] + now[2] * normal[2];
  for (int k = 0; k < 3; ++k) out[k] = normal[k];
  out[3] = reach - distance;
  out[4] = before[0] * normal[0] + before[1] * normal[1] + before[2] * normal[2] - distance;
}

static __attribute__((noinline)) void settle_odd_lanes(uint32_t odd, const wide_vector* now,
                                                       const wide_vector* before, wide reach,
                                                       size_t own, const uint32_t* others,
                                                       wide_contact* c) {
  float lanes[7][WIDE_LANES];
  float out[5][WIDE_LANES];
  const wide in[7] = {now->x, now->y, now->z, before->x, before->y, before->z, reach};
  const wide given[5] = {c->normal.x, c->normal.y, c->normal.z, c->depth, c->fresh};
  for (int k = 0; k < 7; ++k) wide_store(lanes[k], in[k]);
  for (int k = 0; k < 5; ++k) wide_store(out[k], given[k]);
  for (; odd != 0; odd &= odd - 1) {
    const uint32_t i = (uint32_t)__builtin_ctz(odd);
    float one[5];
    settle_odd((const float[]){lanes[0][i], lanes[1][i], lanes[2][i]},
               (const float[]){lanes[3][i], lanes[4][i], lanes[5][i]}, lanes[6][i],
               (uint32_t)own + i, others[i] / 2, one);
    for (int k = 0; k < 5; ++k) out[k][i] = one[k];
  }
  c->normal = (wide_vector){wide_load(out[0]), wide_load(out[1]), wide_load(out[2])};
  c->depth = wide_load(out[3]);
  c->fresh = wide_load(out[4]);
}

// What the lanes of a vector are and gather.
typedef struct tile_gatherer {
  size_t own;  // the place of its first lane
  wide_vector at;
  wide_record start, hold;
  wide_vector rub;
  wide radius, inv_mass;
  wide_vector to, from, support;
} tile_gatherer;

// How much of what one slides along the other friction takes back: all of it, or what it can.
static inline wide rub_lanes(wide_vector own, wide_vector other, wide pressed, wide slid_sq) {
  const wide holds_sq = (own.x + other.x) * pressed * pressed;
  const wide dynamic_sq = own.y + other.y;
  const wide slows = pressed * dynamic_sq * wide_inverse_sqrt(dynamic_sq * slid_sq);
  const wide one = wide_splat(1.0f);
  const wide ease = wide_min(own.z, other.z);
  return ease * wide_select(one, wide_min(slows, one), wide_at_least(holds_sq, slid_sq));
}

// inlined, so that what is gathered stays in registers
static inline __attribute__((always_inline)) void gather_meeting(const weft__cloth_tiles* t,
                                                                 const weft__tile_round* round,
                                                                 bool is_first, tile_gatherer* g,
                                                                 tile_meeting m) {
  const wide zero = wide_splat(0.0f);
  const wide_record seen = fetch_record(round->now->seen, m.at);
  const wide_vector now = wide_less(g->at, seen.v);
  const wide reach = g->radius + seen.fourth;
  const wide distance_sq = wide_dot(now, now);
  wide_mask touches = wide_positive(reach * reach - distance_sq) & wide_from_mask(m.lanes);
  if (wide_to_mask(touches) == 0) return;

  // how they lie: after the first round only those matter that are nearer than they were
  const wide_record start = fetch_record(round->now->start, m.at);
  const wide_vector before = wide_less(g->start.v, start.v);
  const wide along = wide_dot(now, before);
  if (!is_first) {
    touches &= wide_positive(along - 1.00001f * distance_sq) | (wide_mask)~wide_positive(along);
  }
  const uint32_t touching = wide_to_mask(touches);
  if (touching == 0) return;
  const wide inverse = wide_inverse_sqrt(distance_sq);
  wide_contact c = {.normal = {now.x * inverse, now.y * inverse, now.z * inverse},
                    .depth = reach - distance_sq * inverse,
                    .fresh = (along - distance_sq) * inverse};
  const uint32_t even =
      wide_to_mask(wide_positive(along) & wide_positive(distance_sq - CLOTH_LEAST * reach * reach));
  if ((touching & ~even) != 0) {
    settle_odd_lanes(touching & ~even, &now, &before, reach, g->own, m.at, &c);
  }

  // who takes how much of it
  const wide share = g->inv_mass / (g->start.fourth + start.fourth);
  const wide_record hold = fetch_record(t->hold, m.at);
  const wide_mask other_held = wide_positive(wide_dot(c.normal, hold.v) - hold.fourth);
  const wide_mask own_held = wide_positive(zero - wide_dot(c.normal, g->hold.v) - g->hold.fourth);
  const wide alone = g->inv_mass / g->start.fourth;
  wide part = wide_select(alone, share, other_held & (wide_mask)~own_held);
  part = wide_keep(part, touches & (wide_mask) ~(own_held & (wide_mask)~other_held));

  // along the normal
  const wide fresh = wide_min(wide_max(c.fresh, zero), c.depth);
  wide push = fresh;
  if (is_first) {
    const wide radius = wide_min(g->radius, seen.fourth);
    const wide old = wide_min(c.depth - fresh, 2.0f * round->push * radius);
    push = push + old;
    g->from = wide_moved(g->from, part * old, c.normal);
  }
  g->to = wide_moved(g->to, part * push, c.normal);
  g->support = wide_moved(g->support, wide_keep(part * push, other_held), c.normal);
  if (!is_first) return;

  // and across it
  const wide_vector way = {now.x - before.x, now.y - before.y, now.z - before.z};
  const wide_vector slid = wide_moved(way, c.fresh, c.normal);
  const wide back = rub_lanes(g->rub, fetch_record(t->rub, m.at).v, fresh, wide_dot(slid, slid));
  g->to = wide_moved(g->to, zero - part * back, slid);
}

static inline tile_gatherer begin_lanes(const weft__cloth_tiles* t, const weft__tile_round* round,
                                        size_t own) {
  const wide zero = wide_splat(0.0f);
  const wide radius = wide_load(t->radius + own);
  return (tile_gatherer){.own = own,
                         .at = load_vector(t->at, own),
                         .start = load_record(round->now->start, own),
                         .hold = load_record(t->hold, own),
                         .rub = load_record(t->rub, own).v,
                         .radius = wide_keep(radius, wide_equal(radius, radius)),
                         .inv_mass = wide_load(t->inv_mass + own),
                         .to = {zero, zero, zero},
                         .from = {zero, zero, zero},
                         .support = {zero, zero, zero}};
}

static inline wide_vector add_kept(wide_vector v, wide_vector by, wide_mask keep) {
  return (wide_vector){v.x + wide_keep(by.x, keep), v.y + wide_keep(by.y, keep),
                       v.z + wide_keep(by.z, keep)};
}

static inline void add_more(tile_gatherer* g, const float* more) {
  wide* sums[9] = {&g->to.x,   &g->to.y,      &g->to.z,      &g->from.x,   &g->from.y,
                   &g->from.z, &g->support.x, &g->support.y, &g->support.z};
  for (int k = 0; k < 9; ++k) *sums[k] = *sums[k] + wide_load(more + (size_t)k * WEFT__TILE);
}

static inline void end_lanes(const weft__cloth_tiles* t, const weft__tile_round* round,
                             const tile_gatherer* g) {
  const wide_mask is_free = wide_positive(g->inv_mass);
  const wide_vector at = add_kept(g->at, g->to, is_free);
  const wide_vector start = add_kept(g->start.v, g->from, is_free);
  store_vector(t->at, g->own, at);
  store_record(round->next->start, g->own, start, g->start.fourth);
  store_vector(t->carried, g->own, add_kept(load_vector(t->carried, g->own), g->support, is_free));
  const wide most = wide_load(t->hold_most + g->own);
  store_record(round->next->seen, g->own, seen_at(at, start, g->hold.v, most), g->radius);
}

static void part_tile(const weft__cloth_tiles* tiles, uint32_t tile,
                      const weft__tile_round* round) {
  const weft__cloth_tiles t = *tiles;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    tile_gatherer g = begin_lanes(&t, round, (size_t)tile * WEFT__TILE + lane);
    tile_walk walk = begin_walk(&t, tile, lane);
    if (round->is_first) {
      for (uint32_t k = 0; k < walk.count; ++k) {
        const tile_meeting m = meeting_of(&walk, k);
        if (m.lanes != 0) gather_meeting(&t, round, true, &g, m);
      }
    } else {
      for (uint32_t k = 0; k < walk.count; ++k) {
        const tile_meeting m = meeting_of(&walk, k);
        if (m.lanes != 0) gather_meeting(&t, round, false, &g, m);
      }
    }
    if (round->more != NULL) add_more(&g, round->more + lane);
    end_lanes(&t, round, &g);
  }
}
