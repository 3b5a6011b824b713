// Contacts of a tile in self-collision, and their weights for mass splitting:
// collision/self/solve.h.

// smallest squared distance with a direction, over the squared sum of radii
#define MIN_DISTANCE_SQ 1e-12f

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

static inline __attribute__((always_inline)) wide_record gather_record(const float* records,
                                                                       const uint32_t* at) {
  wide c[4];
  wide_load_far_records(records, at, c);
  return (wide_record){{c[0], c[1], c[2]}, c[3]};
}

static inline uint32_t window_mask(uint32_t lanes, uint32_t lane) {
  return lanes >> lane & ((1u << WIDE_LANES) - 1);
}

// Position that neighbours see: a support is expected to undo motion against it as in the last
// substep.
static inline wide_vector predict_position(wide_vector at, wide_vector start, wide_vector hold,
                                           wide upper) {
  const wide back = wide_dot(wide_minus(start, at), hold);
  const wide along = wide_min(wide_max(back, wide_splat(0.0f)), upper);
  return wide_along(at, hold, along);
}

static void prepare_tile(const weft__self_tiles* tiles, uint32_t tile, bool was_left) {
  const wide zero = wide_splat(0.0f);
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const size_t index = (size_t)tile * WEFT__TILE + lane;
    const wide_vector at = wide_load_vector(tiles->at, index);
    const wide_vector start = load_record(tiles->turns[0].start, index).v;
    wide_vector hold = {zero, zero, zero};
    wide upper = zero;
    if (was_left) {
      const wide_vector left = wide_load_vector(tiles->left, index);
      const wide_vector carried = wide_load_vector(tiles->carried, index);
      hold = wide_plus(carried, wide_minus(start, left));
      const wide length_sq = wide_dot(hold, hold);
      const wide_mask is_held = wide_positive(length_sq - 1e-30f);
      const wide inverse = wide_keep(wide_inverse_sqrt(length_sq), is_held);
      upper = length_sq * inverse;
      hold = wide_along((wide_vector){zero, zero, zero}, hold, inverse);
    }
    const wide give = was_left ? wide_load(tiles->relaxation + index) : wide_splat(1.0f);
    store_record(tiles->friction, index, load_record(tiles->friction, index).v, give);
    wide_store(tiles->relaxation + index, give);
    store_record(tiles->support, index, hold, upper);
    const wide radius = wide_load(tiles->radius + index);
    store_record(tiles->turns[0].seen, index, predict_position(at, start, hold, upper),
                 wide_keep(radius, wide_equal(radius, radius)));
    if (tiles->max_range > 0.0f) store_record(tiles->turns[1].start, index, start, zero);
  }
}

enum { TILE_VECTORS = WEFT__TILE / WIDE_LANES };

typedef struct tile_lanes {
  wide_vector at[TILE_VECTORS], seen[TILE_VECTORS];
  wide radius[TILE_VECTORS];
} tile_lanes;

static inline wide_vector subtract_point(wide_vector v, const float point[3]) {
  return (wide_vector){v.x - point[0], v.y - point[1], v.z - point[2]};
}

static inline uint32_t overlapping_lanes(const weft__self_tiles* tiles, const tile_lanes* own,
                                         const weft__tile_row* row) {
  const size_t other = row->place;
  const float* seen = tiles->turns[0].seen + other * 4;
  const float at[3] = {tiles->at[0][other], tiles->at[1][other], tiles->at[2][other]};
  uint32_t touching = 0;
  for (uint32_t v = 0; v < TILE_VECTORS; ++v) {
    const wide_vector now = subtract_point(own->at[v], seen);
    const wide_vector also = subtract_point(own->seen[v], at);
    const wide reach = own->radius[v] + seen[3];
    // symmetric: no tile reads a neighbour that was not prepared
    const wide nearest = wide_min(wide_dot(now, now), wide_dot(also, also));
    const wide range_sq = wide_splat(tiles->max_range * tiles->max_range);
    touching |= wide_to_mask(wide_positive((reach * reach + range_sq) - nearest)) << v * WIDE_LANES;
  }
  return touching & row->lanes;
}

// False if unchanged.
static inline bool find_overlaps(const weft__self_tiles* tiles, uint32_t tile) {
  const weft__self_tiles t = *tiles;
  tile_lanes own;
  for (uint32_t v = 0; v < TILE_VECTORS; ++v) {
    const size_t index = (size_t)tile * WEFT__TILE + v * WIDE_LANES;
    own.at[v] = wide_load_vector(t.at, index);
    own.seen[v] = load_record(t.turns[0].seen, index).v;
    own.radius[v] = wide_load(t.radius + index);
  }
  const weft__tile_row* rows = t.rows + t.row_first[tile];
  weft__tile_overlap* touches = t.touches + t.row_first[tile];
  const uint32_t row_count = t.row_count[tile];
  uint32_t changed = 0;
  for (uint32_t r = 0; r < row_count; ++r) {
    const uint32_t lanes = overlapping_lanes(&t, &own, &rows[r]);
    changed |= lanes ^ touches[r].lanes;
    touches[r].lanes = (uint16_t)lanes;
  }
  return !t.slots[tile].is_good || changed != 0;
}

// Empty lanes refer to themselves: in cache, and finite.
typedef struct slot_builder {
  weft__tile_slots* slots;
  uint32_t first;
  uint32_t count;
  bool has_left;
  uint8_t of[WEFT__TILE];
} slot_builder;

static inline void add_slot(slot_builder* f) {
  uint32_t* at = f->slots->at[f->count++];
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) at[lane] = 2 * (f->first + lane);
}

// Overlaps, lane + 16 row, tested together, at least; one more row's fit.
enum { OVERLAPS_AT_ONCE = 112 };

// Gives each overlap its lane's next slot, or leaves it in its row.
static void fill_with(slot_builder* f, const weft__tile_row* rows, weft__tile_overlap* touches,
                      const uint32_t* overlaps, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t lane = overlaps[n] % WEFT__TILE;
    const uint32_t row = overlaps[n] / WEFT__TILE;
    const uint32_t slot = f->of[lane];
    if (slot == WEFT__TILE_SLOTS) {
      touches[row].left = (uint16_t)(touches[row].left | 1u << lane);
      f->has_left = true;
      continue;
    }
    if (slot == f->count) add_slot(f);
    f->slots->at[slot][lane] = 2 * rows[row].place;
    f->of[lane] = (uint8_t)(slot + 1);
  }
}

// Rows have few overlaps: listed first, without a branch on each row.
static __attribute__((noinline)) void fill_slots(const weft__self_tiles* t, uint32_t tile) {
  weft__tile_slots* slots = &t->slots[tile];
  const weft__tile_row* rows = t->rows + t->row_first[tile];
  weft__tile_overlap* touches = t->touches + t->row_first[tile];
  slot_builder f = {.slots = slots, .first = tile * WEFT__TILE};
  uint32_t overlaps[OVERLAPS_AT_ONCE + WEFT__TILE];
  uint32_t count = 0;
  for (uint32_t r = 0; r < t->row_count[tile]; ++r) {
    touches[r].left = 0;
    count += wide_append_bits(overlaps + count, WEFT__TILE * r, touches[r].lanes);
    if (count <= OVERLAPS_AT_ONCE) continue;
    fill_with(&f, rows, touches, overlaps, count);
    count = 0;
  }
  fill_with(&f, rows, touches, overlaps, count);
  for (uint32_t slot = 0; slot < f.count; ++slot) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane)
      lanes |= (uint32_t)(f.of[lane] > slot) << lane;
    slots->lanes[slot] = (uint16_t)lanes;
  }
  slots->count = (uint16_t)f.count;
  slots->has_left = f.has_left;
  slots->is_good = true;
}

typedef struct neighbour_slot {
  const uint32_t* at;  // twice the column index
  uint32_t lanes;
} neighbour_slot;

typedef struct neighbour_walk {
  const weft__tile_slots* slots;
  const weft__tile_row* rows;
  const weft__tile_overlap* touches;
  uint32_t slot_count, count;
  uint32_t lane;
  uint32_t repeated[WIDE_LANES];
} neighbour_walk;

static inline neighbour_walk begin_neighbours(const weft__self_tiles* tiles, uint32_t tile,
                                              uint32_t lane) {
  neighbour_walk w;
  w.slots = &tiles->slots[tile];
  w.rows = tiles->rows + tiles->row_first[tile];
  w.touches = tiles->touches + tiles->row_first[tile];
  w.slot_count = w.count = tiles->slot_count[tile];
  if (w.slot_count > 0 && w.slots->has_left) w.count += tiles->row_count[tile];
  w.lane = lane;
  return w;
}

static inline neighbour_slot neighbours_at(neighbour_walk* w, uint32_t k) {
  if (k < w->slot_count) {
    return (neighbour_slot){w->slots->at[k] + w->lane, window_mask(w->slots->lanes[k], w->lane)};
  }
  const uint32_t r = k - w->slot_count;
  for (uint32_t i = 0; i < WIDE_LANES; ++i) w->repeated[i] = 2 * w->rows[r].place;
  return (neighbour_slot){w->repeated, window_mask(w->touches[r].left, w->lane)};
}

// Sum of radii; for particles of one body at most their distance at rest.
static inline __attribute__((always_inline)) wide contact_distance(const weft__self_tiles* tiles,
                                                                   size_t own, const uint32_t* at,
                                                                   wide radii) {
  const wide_record here = load_record(tiles->rest, own);
  const wide_record there = gather_record(tiles->rest, at);
  const wide_vector offset = wide_minus(here.v, there.v);
  const wide nearest = wide_min(radii, wide_sqrt(wide_dot(offset, offset)));
  return wide_select(nearest, radii, wide_equal(here.fourth, there.fourth));
}

// Contacts take more than spheres at the sum of their radii.
static inline bool has_surfaces_or_near(const weft__self_tiles* tiles) {
  return tiles->max_range > 0.0f || tiles->has_near;
}

// between the normals of particles that meet along their surfaces
#define MIN_NORMAL_COSINE 0.5f
// distance at the start whose side is sure, over the contact distance
#define MIN_SIDE 0.3f

typedef struct surface_contact {
  wide_mask is_along;  // others meet as spheres
  wide_mask is_within;
  wide_vector normal;  // unit, from the neighbour
  wide before, now;
  wide weight;
} surface_contact;

static inline surface_contact find_surface_contact(wide_record own, wide_record other,
                                                   wide_vector before, wide_vector now,
                                                   wide reach) {
  const wide zero = wide_splat(0.0f);
  const wide one = wide_splat(1.0f);
  const wide cosine = wide_dot(own.v, other.v);
  const wide sign = wide_select(wide_splat(-1.0f), one, wide_positive(zero - cosine));
  const wide_vector sum = wide_along(own.v, other.v, sign);
  const wide toward = wide_dot(before, sum);
  const wide inverse = wide_inverse_sqrt(wide_dot(sum, sum));
  const wide scale = wide_select(zero - inverse, inverse, wide_positive(zero - toward));
  const wide range = wide_max(own.fourth, other.fourth);
  surface_contact c;
  c.normal = wide_scaled(scale, sum);
  c.before = scale * toward;
  c.now = wide_dot(now, c.normal);
  const wide offset_sq = wide_max(wide_dot(now, now) - c.now * c.now, zero);
  c.is_along = wide_positive(wide_min(own.fourth, other.fourth)) &
               wide_positive(sign * cosine - MIN_NORMAL_COSINE) &
               wide_positive(c.before - MIN_SIDE * reach);
  c.is_within = wide_positive(range * range - offset_sq);
  c.weight = one - offset_sq / wide_max(range * range, wide_splat(1e-30f));
  return c;
}

// Mass splitting: the Frobenius norm of M = sum u u^T over contact normals u bounds its largest
// eigenvalue, and is the weight.
static inline __attribute__((always_inline)) void weigh_contacts(const weft__self_tiles* tiles,
                                                                 bool is_general, size_t own,
                                                                 neighbour_walk* walk) {
  const wide zero = wide_splat(0.0f);
  wide xx = zero, yy = zero, zz = zero, xy = zero, yz = zero, zx = zero;
  wide contacts = zero;
  wide coincident = zero;
  uint32_t listed = 0;
  const wide_vector at = wide_load_vector(tiles->at, own);
  for (uint32_t k = 0; k < walk->count; ++k) {
    const neighbour_slot m = neighbours_at(walk, k);
    if (m.lanes == 0) continue;
    listed |= m.lanes;
    const wide_record other = gather_record(tiles->turns[0].seen, m.at);
    const wide_vector now = wide_minus(at, other.v);
    wide reach = wide_load(tiles->radius + own) + other.fourth;
    if (is_general && tiles->has_near) reach = contact_distance(tiles, own, m.at, reach);
    const wide distance_sq = wide_dot(now, now);
    wide_mask touches = wide_positive(reach * reach - distance_sq) & wide_from_mask(m.lanes);
    wide_mask distinct = wide_positive(distance_sq - MIN_DISTANCE_SQ * reach * reach);
    const wide inverse = wide_keep(wide_inverse_sqrt(distance_sq), touches & distinct);
    wide_vector u = wide_scaled(inverse, now);
    wide one = wide_keep(wide_splat(1.0f), touches);
    if (is_general) {
      const wide_vector before = wide_minus(load_record(tiles->turns[1].start, own).v,
                                            gather_record(tiles->turns[1].start, m.at).v);
      const surface_contact c =
          find_surface_contact(load_record(tiles->surface, own),
                               gather_record(tiles->surface, m.at), before, now, reach);
      touches = c.is_within & wide_positive(reach - c.now) & wide_from_mask(m.lanes);
      one = wide_select(wide_keep(c.weight, touches), one, c.is_along);
      const wide root = wide_keep(wide_sqrt(wide_max(c.weight, zero)), touches);
      u.x = wide_select(root * c.normal.x, u.x, c.is_along);
      u.y = wide_select(root * c.normal.y, u.y, c.is_along);
      u.z = wide_select(root * c.normal.z, u.z, c.is_along);
      distinct |= c.is_along;
    }
    xx = xx + u.x * u.x;
    yy = yy + u.y * u.y;
    zz = zz + u.z * u.z;
    xy = xy + u.x * u.y;
    yz = yz + u.y * u.z;
    zx = zx + u.z * u.x;
    contacts = contacts + one;
    coincident = coincident + (one - wide_keep(one, distinct));
  }
  const wide one = wide_splat(1.0f);
  const wide size = wide_sqrt(xx * xx + yy * yy + zz * zz + 2.0f * (xy * xy + yz * yz + zx * zx));
  const wide weight = wide_max(size + coincident, wide_keep(one, wide_from_mask(listed)));
  float split[WIDE_LANES];
  float ease[WIDE_LANES];
  wide_store(split, weight * wide_load(tiles->inv_mass + own));
  wide_store(ease, weight / wide_max(wide_max(contacts, weight), one));
  for (uint32_t i = 0; i < WIDE_LANES; ++i) {
    tiles->turns[0].start[(own + i) * 4 + 3] = split[i];
    tiles->friction[(own + i) * 4 + 2] = ease[i];
  }
}

static void find_tile_contacts(const weft__self_tiles* tiles, uint32_t tile) {
  if (find_overlaps(tiles, tile)) fill_slots(tiles, tile);
  tiles->slot_count[tile] = tiles->slots[tile].count;
  if (tiles->slot_count[tile] == 0) return;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    neighbour_walk walk = begin_neighbours(tiles, tile, lane);
    const size_t own = (size_t)tile * WEFT__TILE + lane;
    if (has_surfaces_or_near(tiles)) {
      weigh_contacts(tiles, true, own, &walk);
    } else {
      weigh_contacts(tiles, false, own, &walk);
    }
  }
}
