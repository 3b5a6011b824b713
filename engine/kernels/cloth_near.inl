// Which cloth is near which: boxes of tiles, level by level, and then 16 lanes at once.

// ---- boxes ----

typedef struct tile_box {
  float least[3], most[3];
} tile_box;

// one axis of the box around spheres and of that around ways: the least of both, and the most, negated
static inline void span_axis(const float* at, const float* built, const float* radius,
                             wide least[4]) {
  for (int k = 0; k < 4; ++k) least[k] = wide_splat(INFINITY);
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    // lanes that have no radius have no number there, and are left out
    const wide aside = wide_load(radius + lane);
    const wide here = wide_load(at + lane);
    const wide way = here - wide_load(built + lane) + (aside - aside);
    least[0] = wide_min(here - aside, least[0]);
    least[1] = wide_min(-(here + aside), least[1]);
    least[2] = wide_min(way, least[2]);
    least[3] = wide_min(-way, least[3]);
  }
}

static void measure_tile(const weft__self_tiles* tiles, uint32_t tile) {
  const size_t place = (size_t)tile * WEFT__TILE;
  for (int axis = 0; axis < 3; ++axis) {
    wide lanes[4];
    float least[4];
    span_axis(tiles->at[axis] + place, tiles->built[axis] + place, tiles->radius + place, lanes);
    wide_find_least(lanes, least);
    tiles->boxes.least[axis][tile] = least[0];
    tiles->boxes.most[axis][tile] = -least[1];
    tiles->ways.least[axis][tile] = least[2];
    tiles->ways.most[axis][tile] = -least[3];
  }
}

// the box of a tile and what is within `margin` of it, rounding included
static inline tile_box box_around(const weft__self_tiles* tiles, uint32_t tile, float margin) {
  tile_box box;
  for (int axis = 0; axis < 3; ++axis) {
    const float least = tiles->boxes.least[axis][tile];
    const float most = tiles->boxes.most[axis][tile];
    const float far = fabsf(least) > fabsf(most) ? fabsf(least) : fabsf(most);
    const float aside = 1.001f * margin + 1e-6f * far;
    box.least[axis] = least - aside;
    box.most[axis] = most + aside;
  }
  return box;
}

// Which of 16 boxes from `first` on meet one.
static inline uint32_t find_met(const weft__tile_boxes* boxes, size_t first, const tile_box* box) {
  uint32_t met = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const size_t at = first + lane;
    const wide_mask is_met =
        wide_at_least(wide_splat(box->most[0]), wide_load(boxes->least[0] + at)) &
        wide_at_least(wide_splat(box->most[1]), wide_load(boxes->least[1] + at)) &
        wide_at_least(wide_splat(box->most[2]), wide_load(boxes->least[2] + at)) &
        wide_at_least(wide_load(boxes->most[0] + at), wide_splat(box->least[0])) &
        wide_at_least(wide_load(boxes->most[1] + at), wide_splat(box->least[1])) &
        wide_at_least(wide_load(boxes->most[2] + at), wide_splat(box->least[2]));
    met |= wide_to_mask(is_met) << lane;
  }
  return met;
}

// ---- whether a list is still good ----

// Which of 16 tiles, or of 16 boxes around what is in tiles, have moved by more than the skin against one.
static inline uint32_t find_moved(const weft__self_tiles* tiles, size_t first, uint32_t tile,
                                  float skin) {
  const weft__tile_boxes* ways = &tiles->ways;
  uint32_t moved = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    wide sum = wide_splat(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
      const wide up = wide_load(ways->most[axis] + first + lane) - ways->least[axis][tile];
      const wide down = ways->most[axis][tile] - wide_load(ways->least[axis] + first + lane);
      const wide across = wide_max(up, down);
      sum = sum + across * across;
    }
    moved |= (wide_to_mask(wide_at_least(wide_splat(skin * skin), sum)) ^ ((1u << WIDE_LANES) - 1))
             << lane;
  }
  return moved;
}

static bool is_stale_below(const weft__self_tiles* tiles, uint32_t tile, float skin,
                           const tile_box* box, uint32_t level, uint32_t group) {
  const uint32_t node = group * WEFT__TILE;
  const size_t first = tiles->boxes.first[level] + node;
  uint32_t met = find_met(&tiles->boxes, first, box);
  if (met != 0) met &= find_moved(tiles, first, tile, skin);
  if (level == 0) return met != 0;
  for (; met != 0; met &= met - 1) {
    const uint32_t child = node + (uint32_t)__builtin_ctz(met);
    if (is_stale_below(tiles, tile, skin, box, level - 1, child)) return true;
  }
  return false;
}

static bool is_stale(const weft__self_tiles* tiles, uint32_t tile, float skin) {
  const tile_box box = box_around(tiles, tile, 0.0f);
  return is_stale_below(tiles, tile, skin, &box, tiles->boxes.level_count - 1, 0);
}

// ---- lists ----

typedef struct lister {
  const weft__self_tiles* tiles;
  weft__tile_list* list;
  const weft__tile_exclusions* exclusions;  // those left
  const weft__tile_exclusions* exclusion_end;
  tile_box box;
  uint32_t tile;
  float skin;
  uint32_t tile_count;  // that were met
} lister;

// more than that in one place are not looked at
enum { MOST_TILES = 256 };

// Which of a tile's lanes reach into the box.
static inline uint32_t find_within(const lister* l, size_t place) {
  const weft__self_tiles* tiles = l->tiles;
  uint32_t within = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const wide radius = wide_load(tiles->radius + place + lane);
    wide_mask is_within = wide_equal(radius, radius);
    for (int axis = 0; axis < 3; ++axis) {
      const wide here = wide_load(tiles->at[axis] + place + lane);
      is_within &= wide_at_least(here + radius, wide_splat(l->box.least[axis])) &
                   wide_at_least(wide_splat(l->box.most[axis]), here - radius);
    }
    within |= wide_to_mask(is_within) << lane;
  }
  return within;
}

// the lanes of the lister's tile that are near a place
static inline uint32_t find_near_lanes(const lister* l, size_t other) {
  const weft__self_tiles* tiles = l->tiles;
  const size_t place = (size_t)l->tile * WEFT__TILE;
  uint32_t near = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const wide x = wide_load(tiles->at[0] + place + lane) - tiles->at[0][other];
    const wide y = wide_load(tiles->at[1] + place + lane) - tiles->at[1][other];
    const wide z = wide_load(tiles->at[2] + place + lane) - tiles->at[2][other];
    const wide reach = wide_load(tiles->radius + place + lane) + tiles->radius[other] + l->skin;
    near |= wide_to_mask(wide_positive(reach * reach - (x * x + y * y + z * z))) << lane;
  }
  return near;
}

static inline void add_row(lister* l, uint32_t place, uint32_t lanes) {
  weft__tile_list* list = l->list;
  const uint32_t pairs = (uint32_t)__builtin_popcount(lanes);
  if (list->count == list->capacity) {
    list->lost += pairs;
    return;
  }
  if (place < l->tile * WEFT__TILE) list->pairs += 2 * pairs;
  if (place / WEFT__TILE == l->tile) list->pairs += pairs;
  list->rows[list->count++] = (weft__tile_row){place, lanes};
}

static inline void meet_tile(lister* l, uint32_t other) {
  if (l->tile_count++ >= MOST_TILES) {
    l->list->lost += WEFT__TILE;
    return;
  }
  while (l->exclusions < l->exclusion_end && l->exclusions->tile < other) ++l->exclusions;
  const uint16_t* exclusions = l->exclusions < l->exclusion_end && l->exclusions->tile == other
                                   ? l->exclusions->lanes
                                   : NULL;
  uint32_t within = find_within(l, (size_t)other * WEFT__TILE);
  for (; within != 0; within &= within - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(within);
    const uint32_t place = other * WEFT__TILE + lane;
    uint32_t near = find_near_lanes(l, place);
    if (exclusions != NULL) near &= ~(uint32_t)exclusions[lane];
    if (near != 0) add_row(l, place, near);
  }
}

static void list_below(lister* l, uint32_t level, uint32_t group) {
  const weft__tile_boxes* boxes = &l->tiles->boxes;
  const uint32_t node = group * WEFT__TILE;
  uint32_t met = find_met(boxes, boxes->first[level] + node, &l->box);
  for (; met != 0; met &= met - 1) {
    const uint32_t child = node + (uint32_t)__builtin_ctz(met);
    if (l->tile_count > 2 * MOST_TILES) return;
    if (level > 0) {
      list_below(l, level - 1, child);
    } else if (child < l->list->end && (l->list->only == NULL || l->list->only[child] != 0)) {
      meet_tile(l, child);
    }
  }
}

static void list_tile(const weft__self_tiles* tiles, uint32_t tile, float skin,
                      weft__tile_list* list) {
  lister l = {.tiles = tiles,
              .list = list,
              .exclusions = tiles->exclusions + tiles->exclusion_first[tile],
              .exclusion_end = tiles->exclusions + tiles->exclusion_first[tile + 1],
              .box = box_around(tiles, tile, skin),
              .tile = tile,
              .skin = skin};
  list_below(&l, tiles->boxes.level_count - 1, 0);
}
