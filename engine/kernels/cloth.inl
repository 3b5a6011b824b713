// What touches is moved apart: 16 lanes of a tile against one particle after the other. See cloth/apart.h.

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

static inline wide_vector less_place(wide_vector v, float* const* columns, size_t place) {
  return (wide_vector){v.x - columns[0][place], v.y - columns[1][place], v.z - columns[2][place]};
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
    const wide_vector start = load_vector(tiles->turns[0].start, place);
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
    store_vector(tiles->hold, place, hold);
    wide_store(tiles->hold_most + place, most);
    const wide_mask is_free = wide_positive(wide_load(tiles->inv_mass + place));
    wide_store(tiles->hold_least + place,
               wide_select(wide_splat(CLOTH_HELD), wide_splat(-INFINITY), is_free));
    store_vector(tiles->carried, place, (wide_vector){zero, zero, zero});
    store_vector(tiles->turns[0].seen, place, seen_at(at, start, hold, most));
  }
}

// ---- what touches ----

// a tile in as many vectors as it takes
enum { TILE_VECTORS = WEFT__TILE / WIDE_LANES };

typedef struct tile_places {
  wide_vector at[TILE_VECTORS], seen[TILE_VECTORS];
  wide radius[TILE_VECTORS];
} tile_places;

static inline uint32_t find_touching_lanes(const weft__cloth_tiles* tiles, const tile_places* own,
                                           const weft__tile_row* row) {
  const size_t other = row->place;
  uint32_t touching = 0;
  for (uint32_t v = 0; v < TILE_VECTORS; ++v) {
    const wide_vector now = less_place(own->at[v], tiles->turns[0].seen, other);
    const wide_vector also = less_place(own->seen[v], tiles->at, other);
    const wide reach = own->radius[v] + tiles->radius[other];
    // what one of both sees both list: so that none reads of the other what was not made ready
    const wide nearest = wide_min(wide_dot(now, now), wide_dot(also, also));
    touching |= wide_to_mask(wide_positive(reach * reach - nearest)) << v * WIDE_LANES;
  }
  return touching & row->lanes;
}

static inline uint32_t find_touching(const weft__cloth_tiles* tiles, uint32_t tile) {
  const weft__cloth_tiles t = *tiles;
  tile_places own;
  for (uint32_t v = 0; v < TILE_VECTORS; ++v) {
    const size_t place = (size_t)tile * WEFT__TILE + v * WIDE_LANES;
    own.at[v] = load_vector(t.at, place);
    own.seen[v] = load_vector(t.turns[0].seen, place);
    own.radius[v] = wide_load(t.radius + place);
  }
  const weft__tile_row* rows = t.rows + t.row_first[tile];
  weft__tile_row* touching = t.touching + t.row_first[tile];
  const uint32_t row_count = t.row_count[tile];
  uint32_t count = 0;
  for (uint32_t r = 0; r < row_count; ++r) {
    const uint32_t lanes = find_touching_lanes(&t, &own, &rows[r]);
    if (lanes != 0) touching[count++] = (weft__tile_row){rows[r].place, lanes};
  }
  return count;
}

// The sum M of u u^T over normals u tells how much contacts help each other: none of its eigenvalues is above the root
// of the sum of its squares.
static inline void weigh_lanes(const weft__cloth_tiles* tiles, size_t own, uint32_t lane,
                               const weft__tile_row* rows, uint32_t count) {
  const wide zero = wide_splat(0.0f);
  wide xx = zero, yy = zero, zz = zero, xy = zero, yz = zero, zx = zero;
  wide contacts = zero;
  wide same = zero;
  uint32_t listed = 0;
  const wide_vector at = load_vector(tiles->at, own);
  for (uint32_t r = 0; r < count; ++r) {
    const uint32_t lanes = own_lanes(rows[r].lanes, lane);
    if (lanes == 0) continue;
    listed |= lanes;
    const wide_vector now = less_place(at, tiles->turns[0].seen, rows[r].place);
    const wide reach = wide_load(tiles->radius + own) + tiles->radius[rows[r].place];
    const wide distance_sq = wide_dot(now, now);
    const wide_mask touches = wide_positive(reach * reach - distance_sq) & wide_from_mask(lanes);
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
  wide_store(tiles->split + own, weight * wide_load(tiles->inv_mass + own));
  wide_store(tiles->ease + own, weight / wide_max(wide_max(contacts, weight), one));
}

static void touch_tile(const weft__cloth_tiles* tiles, uint32_t tile) {
  const uint32_t count = find_touching(tiles, tile);
  tiles->touch_count[tile] = count;
  if (count == 0) return;
  const weft__tile_row* rows = tiles->touching + tiles->row_first[tile];
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    weigh_lanes(tiles, (size_t)tile * WEFT__TILE + lane, lane, rows, count);
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
                                                       size_t own, uint32_t other,
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
               (uint32_t)own + i, other, one);
    for (int k = 0; k < 5; ++k) out[k][i] = one[k];
  }
  c->normal = (wide_vector){wide_load(out[0]), wide_load(out[1]), wide_load(out[2])};
  c->depth = wide_load(out[3]);
  c->fresh = wide_load(out[4]);
}

// What the lanes of a vector are and gather.
typedef struct tile_gatherer {
  size_t own;  // the place of its first lane
  wide_vector at, start, hold;
  wide radius, inv_mass, split, ease, hold_least, static_sq, dynamic_sq;
  wide_vector to, from, support;
} tile_gatherer;

// How much of what one slides along the other friction takes back: all of it, or what it can.
static inline wide rub_lanes(const weft__cloth_tiles* t, const tile_gatherer* g, size_t other,
                             wide pressed, wide slid_sq) {
  const wide holds_sq = (g->static_sq + t->static_sq[other]) * pressed * pressed;
  const wide dynamic_sq = g->dynamic_sq + t->dynamic_sq[other];
  const wide slows = pressed * dynamic_sq * wide_inverse_sqrt(dynamic_sq * slid_sq);
  const wide one = wide_splat(1.0f);
  const wide ease = wide_min(g->ease, wide_splat(t->ease[other]));
  return ease * wide_select(one, wide_min(slows, one), wide_at_least(holds_sq, slid_sq));
}

// inlined, so that what is gathered stays in registers
static inline __attribute__((always_inline)) void gather_row(const weft__cloth_tiles* t,
                                                             const weft__tile_round* round,
                                                             bool is_first, tile_gatherer* g,
                                                             uint32_t lanes, uint32_t other) {
  const wide zero = wide_splat(0.0f);
  const wide_vector now = less_place(g->at, round->now->seen, other);
  const wide reach = g->radius + t->radius[other];
  const wide distance_sq = wide_dot(now, now);
  wide_mask touches = wide_positive(reach * reach - distance_sq) & wide_from_mask(lanes);
  if (wide_to_mask(touches) == 0) return;

  // how they lie: after the first round only those matter that are nearer than they were
  const wide_vector before = less_place(g->start, round->now->start, other);
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
    settle_odd_lanes(touching & ~even, &now, &before, reach, g->own, other, &c);
  }

  // who takes how much of it
  const wide share = g->inv_mass / (g->split + t->split[other]);
  const wide other_along = c.normal.x * t->hold[0][other] + c.normal.y * t->hold[1][other] +
                           c.normal.z * t->hold[2][other];
  const wide_mask other_held = wide_positive(other_along - t->hold_least[other]);
  const wide_mask own_held = wide_positive(zero - wide_dot(c.normal, g->hold) - g->hold_least);
  const wide alone = g->inv_mass / g->split;
  wide part = wide_select(alone, share, other_held & (wide_mask)~own_held);
  part = wide_keep(part, touches & (wide_mask) ~(own_held & (wide_mask)~other_held));

  // along the normal
  const wide fresh = wide_min(wide_max(c.fresh, zero), c.depth);
  wide push = fresh;
  if (is_first) {
    const wide radius = wide_min(g->radius, wide_splat(t->radius[other]));
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
  const wide back = rub_lanes(t, g, other, fresh, wide_dot(slid, slid));
  g->to = wide_moved(g->to, zero - part * back, slid);
}

static inline tile_gatherer begin_lanes(const weft__cloth_tiles* t, const weft__tile_round* round,
                                        size_t own) {
  const wide zero = wide_splat(0.0f);
  const wide radius = wide_load(t->radius + own);
  return (tile_gatherer){.own = own,
                         .at = load_vector(t->at, own),
                         .start = load_vector(round->now->start, own),
                         .hold = load_vector(t->hold, own),
                         .radius = wide_keep(radius, wide_equal(radius, radius)),
                         .inv_mass = wide_load(t->inv_mass + own),
                         .split = wide_load(t->split + own),
                         .ease = wide_load(t->ease + own),
                         .hold_least = wide_load(t->hold_least + own),
                         .static_sq = wide_load(t->static_sq + own),
                         .dynamic_sq = wide_load(t->dynamic_sq + own),
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
  const wide_vector start = add_kept(g->start, g->from, is_free);
  store_vector(t->at, g->own, at);
  store_vector(round->next->start, g->own, start);
  store_vector(t->carried, g->own, add_kept(load_vector(t->carried, g->own), g->support, is_free));
  const wide most = wide_load(t->hold_most + g->own);
  store_vector(round->next->seen, g->own, seen_at(at, start, g->hold, most));
}

static void part_tile(const weft__cloth_tiles* tiles, uint32_t tile,
                      const weft__tile_round* round) {
  const weft__cloth_tiles t = *tiles;
  const weft__tile_row* rows = t.touching + t.row_first[tile];
  const uint32_t count = t.touch_count[tile];
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    tile_gatherer g = begin_lanes(&t, round, (size_t)tile * WEFT__TILE + lane);
    if (round->is_first) {
      for (uint32_t r = 0; r < count; ++r) {
        const uint32_t lanes = own_lanes(rows[r].lanes, lane);
        if (lanes != 0) gather_row(&t, round, true, &g, lanes, rows[r].place);
      }
    } else {
      for (uint32_t r = 0; r < count; ++r) {
        const uint32_t lanes = own_lanes(rows[r].lanes, lane);
        if (lanes != 0) gather_row(&t, round, false, &g, lanes, rows[r].place);
      }
    }
    if (round->more != NULL) add_more(&g, round->more + lane);
    end_lanes(&t, round, &g);
  }
}
