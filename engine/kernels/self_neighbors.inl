// Broad phase of self-collision: tile boxes, 16 children a node, then lane against lane.

typedef struct tile_box {
  float lower[3], upper[3];
} tile_box;

// Spheres and their displacements since the lists were built: minima of the coordinate and its
// negative.
static inline void bound_axis(const float* at, const float* built, const float* radius,
                              wide lower[4]) {
  for (int k = 0; k < 4; ++k) lower[k] = wide_splat(INFINITY);
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    // NaN radii of empty lanes are not taken over
    const wide aside = wide_load(radius + lane);
    const wide here = wide_load(at + lane);
    const wide way = here - wide_load(built + lane) + (aside - aside);
    lower[0] = wide_min(here - aside, lower[0]);
    lower[1] = wide_min(-(here + aside), lower[1]);
    lower[2] = wide_min(way, lower[2]);
    lower[3] = wide_min(-way, lower[3]);
  }
}

static void bound_tile(const weft__self_tiles* tiles, uint32_t tile) {
  const size_t index = (size_t)tile * WEFT__TILE;
  for (int axis = 0; axis < 3; ++axis) {
    wide lanes[4];
    float lower[4];
    bound_axis(tiles->at[axis] + index, tiles->listed_pos[axis] + index, tiles->radius + index,
               lanes);
    wide_reduce_min(lanes, lower);
    tiles->boxes.lower[axis][tile] = lower[0];
    tiles->boxes.upper[axis][tile] = -lower[1];
    tiles->displacements.lower[axis][tile] = lower[2];
    tiles->displacements.upper[axis][tile] = -lower[3];
  }
}

// Tile or inner node, by column index, grown by `margin` and rounding.
static inline tile_box box_around(const weft__self_tiles* tiles, size_t at, float margin) {
  tile_box box;
  for (int axis = 0; axis < 3; ++axis) {
    const float lower = tiles->boxes.lower[axis][at];
    const float upper = tiles->boxes.upper[axis][at];
    const float far = fabsf(lower) > fabsf(upper) ? fabsf(lower) : fabsf(upper);
    const float aside = 1.001f * margin + 1e-6f * far;
    box.lower[axis] = lower - aside;
    box.upper[axis] = upper + aside;
  }
  return box;
}

static inline uint32_t find_overlapping_of(const float* const lower[3], const float* const upper[3],
                                           const tile_box* box) {
  uint32_t overlapping = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const wide_mask overlaps =
        wide_at_least(wide_splat(box->upper[0]), wide_load(lower[0] + lane)) &
        wide_at_least(wide_splat(box->upper[1]), wide_load(lower[1] + lane)) &
        wide_at_least(wide_splat(box->upper[2]), wide_load(lower[2] + lane)) &
        wide_at_least(wide_load(upper[0] + lane), wide_splat(box->lower[0])) &
        wide_at_least(wide_load(upper[1] + lane), wide_splat(box->lower[1])) &
        wide_at_least(wide_load(upper[2] + lane), wide_splat(box->lower[2]));
    overlapping |= wide_to_mask(overlaps) << lane;
  }
  return overlapping;
}

static inline uint32_t find_overlapping(const weft__tile_boxes* boxes, size_t first,
                                        const tile_box* box) {
  return find_overlapping_of(
      (const float* const[]){boxes->lower[0] + first, boxes->lower[1] + first,
                             boxes->lower[2] + first},
      (const float* const[]){boxes->upper[0] + first, boxes->upper[1] + first,
                             boxes->upper[2] + first},
      box);
}

static inline uint32_t find_overlapping_near(const weft__near_tiles* near, uint32_t first,
                                             const tile_box* box) {
  return find_overlapping_of((const float* const[]){near->lower[0] + first, near->lower[1] + first,
                                                    near->lower[2] + first},
                             (const float* const[]){near->upper[0] + first, near->upper[1] + first,
                                                    near->upper[2] + first},
                             box);
}

// Children from `node` on that are tiles of a range or have some.
static inline uint32_t children_in(weft__range tiles, uint32_t level, uint32_t node) {
  const uint32_t begin = tiles.begin >> 4 * level;
  const uint32_t end = (tiles.end + (1u << 4 * level) - 1) >> 4 * level;
  const uint32_t from = begin < node ? 0 : begin - node;
  const uint32_t to = end < node ? 0 : end - node;
  if (from >= WEFT__TILE || to <= from) return 0;
  const uint32_t below = to >= WEFT__TILE ? 0xffffu : (1u << to) - 1;
  return below & ~((1u << from) - 1);
}

// Tiles or inner nodes moved by more than `margin` relative to `own` since the lists were built.
static inline uint32_t find_moved(const weft__self_tiles* tiles, size_t first, size_t own,
                                  float margin) {
  const weft__tile_boxes* displacements = &tiles->displacements;
  uint32_t moved = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    wide sum = wide_splat(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
      const wide up =
          wide_load(displacements->upper[axis] + first + lane) - displacements->lower[axis][own];
      const wide down =
          displacements->upper[axis][own] - wide_load(displacements->lower[axis] + first + lane);
      const wide across = wide_max(up, down);
      sum = sum + across * across;
    }
    moved |=
        (wide_to_mask(wide_at_least(wide_splat(margin * margin), sum)) ^ ((1u << WIDE_LANES) - 1))
        << lane;
  }
  return moved;
}

// Groups tested together, at least; 16 more fit.
enum { GROUPS_AT_ONCE = 48 };

// Stale tiles of a group: groups that moved relative to it as a whole, then own tiles for each.
typedef struct stale_search {
  const weft__self_tiles* tiles;
  weft__range others;
  float margin;
  uint32_t group;
  uint32_t stale;
  float growth[3];  // metres: by margin and rounding
  uint32_t near_count;
  uint32_t near[GROUPS_AT_ONCE + WEFT__TILE];
} stale_search;

// Overlaps a tile of the group and has moved relative to it.
static bool is_stale_by(const stale_search* s, uint32_t tile, const tile_box* box, uint32_t group) {
  const uint32_t first = group * WEFT__TILE;
  const uint32_t overlapping =
      find_overlapping(&s->tiles->boxes, first, box) & children_in(s->others, 0, first);
  return overlapping != 0 && (overlapping & find_moved(s->tiles, first, tile, s->margin)) != 0;
}

static uint32_t tiles_moved_from(const stale_search* s, uint32_t group) {
  const weft__tile_boxes* boxes = &s->tiles->boxes;
  const size_t at = (size_t)boxes->first[1] + group;
  const size_t first = (size_t)s->group * WEFT__TILE;
  tile_box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = boxes->lower[axis][at] - 2.0f * s->growth[axis];
    box.upper[axis] = boxes->upper[axis][at] + 2.0f * s->growth[axis];
  }
  const uint32_t overlapping = find_overlapping(boxes, first, &box);
  return overlapping == 0 ? 0 : overlapping & find_moved(s->tiles, first, at, s->margin);
}

static void test_near_groups(stale_search* s) {
  for (uint32_t n = 0; n < s->near_count; ++n) {
    uint32_t lanes = tiles_moved_from(s, s->near[n]) & ~s->stale;
    for (; lanes != 0; lanes &= lanes - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
      const uint32_t tile = s->group * WEFT__TILE + lane;
      const tile_box box = box_around(s->tiles, tile, s->tiles->margin);
      s->stale |= (uint32_t)is_stale_by(s, tile, &box, s->near[n]) << lane;
    }
  }
  s->near_count = 0;
}

static void find_stale_below(stale_search* s, const tile_box* box, uint32_t level, uint32_t node) {
  const weft__tile_boxes* boxes = &s->tiles->boxes;
  const uint32_t first = node * WEFT__TILE;
  const size_t at = boxes->first[level] + first;
  uint32_t moved = find_overlapping(boxes, at, box) & children_in(s->others, level, first);
  if (moved != 0) moved &= find_moved(s->tiles, at, (size_t)boxes->first[1] + s->group, s->margin);
  if (level == 1) {
    s->near_count += wide_append_bits(s->near + s->near_count, first, moved);
    if (s->near_count > GROUPS_AT_ONCE) test_near_groups(s);
    return;
  }
  for (; moved != 0; moved &= moved - 1) {
    find_stale_below(s, box, level - 1, first + (uint32_t)__builtin_ctz(moved));
  }
}

static uint32_t find_stale(const weft__self_tiles* tiles, uint32_t group, weft__range others,
                           float margin) {
  const weft__tile_boxes* boxes = &tiles->boxes;
  stale_search s;
  s.tiles = tiles;
  s.others = others;
  s.margin = margin;
  s.group = group;
  s.stale = s.near_count = 0;
  if (boxes->level_count == 1) {
    for (uint32_t lane = 0; lane < tiles->tile_count; ++lane) {
      const tile_box box = box_around(tiles, lane, tiles->margin);
      s.stale |= (uint32_t)is_stale_by(&s, lane, &box, 0) << lane;
    }
    return s.stale;
  }
  const size_t own = (size_t)boxes->first[1] + group;
  const tile_box box = box_around(tiles, own, tiles->margin);
  for (int axis = 0; axis < 3; ++axis) s.growth[axis] = box.upper[axis] - boxes->upper[axis][own];
  find_stale_below(&s, &box, boxes->level_count - 1, 0);
  test_near_groups(&s);
  return s.stale;
}

static tile_box box_around_all(const weft__self_tiles* tiles, const weft__near_search* search) {
  tile_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (uint32_t tile = search->own.begin; tile < search->own.end; ++tile) {
    const tile_box box = box_around(tiles, tile, search->margin);
    for (int axis = 0; axis < 3; ++axis) {
      // empty boxes are NaN, which is not taken over
      if (box.lower[axis] < all.lower[axis]) all.lower[axis] = box.lower[axis];
      if (box.upper[axis] > all.upper[axis]) all.upper[axis] = box.upper[axis];
    }
  }
  return all;
}

static uint32_t bits_of_only(const uint8_t* only, uint32_t first, uint32_t count) {
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < count; ++lane) bits |= (uint32_t)(only[first + lane] != 0) << lane;
  return bits;
}

static void find_near_below(const weft__self_tiles* tiles, const weft__near_search* search,
                            const tile_box* box, uint32_t level, uint32_t group,
                            weft__near_tiles* near) {
  const weft__tile_boxes* boxes = &tiles->boxes;
  const uint32_t node = group * WEFT__TILE;
  const uint32_t first = boxes->first[level] + node;
  uint32_t overlapping =
      find_overlapping(boxes, first, box) & children_in(search->others, level, node);
  if (level > 0) {
    for (; overlapping != 0; overlapping &= overlapping - 1) {
      if (near->count > 2 * WEFT__MAX_NEAR_TILES) return;
      find_near_below(tiles, search, box, level - 1, node + (uint32_t)__builtin_ctz(overlapping),
                      near);
    }
    return;
  }
  if (search->only != NULL && overlapping != 0) {
    const uint32_t left = tiles->tile_count - node;
    overlapping &= bits_of_only(search->only, node, left < WEFT__TILE ? left : WEFT__TILE);
  }
  for (int axis = 0; axis < 3; ++axis) {
    wide_append_floats(near->lower[axis] + near->count, boxes->lower[axis] + first, overlapping);
    wide_append_floats(near->upper[axis] + near->count, boxes->upper[axis] + first, overlapping);
  }
  near->count += wide_append_bits(near->tile + near->count, node, overlapping);
}

// Tiles of a search are close together as a rule. False if there are more than any of them tests;
// the first ones are listed.
static bool find_near_tiles(const weft__self_tiles* tiles, const weft__near_search* search,
                            weft__near_tiles* near) {
  const tile_box box = box_around_all(tiles, search);
  near->count = 0;
  find_near_below(tiles, search, &box, tiles->boxes.level_count - 1, 0, near);
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t n = near->count; n % WEFT__TILE != 0; ++n) {
      near->lower[axis][n] = near->upper[axis][n] = NAN;
    }
  }
  return near->count <= 2 * WEFT__MAX_NEAR_TILES;
}

// Tested together, at least; 16 more fit.
enum { TILES_AT_ONCE = 48, CANDIDATES_AT_ONCE = 112 };

// Lists fill up without branches on items: they would be mispredicted.
typedef struct list_builder {
  const weft__self_tiles* tiles;
  weft__tile_list* list;
  const weft__tile_exclusions* exclusions;
  const weft__tile_exclusions* exclusion_end;
  tile_box box;
  uint32_t tile;
  float skin;
  uint32_t tile_count;
  uint32_t near_count;  // ascending, by place among the near ones
  uint32_t near[TILES_AT_ONCE + WEFT__TILE];
  // ascending, with the lanes that exclude each
  uint32_t candidate_count;
  uint32_t candidate[CANDIDATES_AT_ONCE + WEFT__TILE];
  uint32_t excluded[CANDIDATES_AT_ONCE + WEFT__TILE];
} list_builder;

static inline uint32_t lanes_in_box(const list_builder* l, size_t index) {
  const weft__self_tiles* tiles = l->tiles;
  uint32_t within = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const wide radius = wide_load(tiles->radius + index + lane);
    wide_mask is_within = wide_equal(radius, radius);
    for (int axis = 0; axis < 3; ++axis) {
      const wide here = wide_load(tiles->at[axis] + index + lane);
      is_within &= wide_at_least(here + radius, wide_splat(l->box.lower[axis])) &
                   wide_at_least(wide_splat(l->box.upper[axis]), here - radius);
    }
    within |= wide_to_mask(is_within) << lane;
  }
  return within;
}

static inline uint32_t lanes_in_range(const weft__self_tiles* tiles, size_t own, size_t other,
                                      float skin) {
  const float of_own = tiles->tile_margin[own / WEFT__TILE];
  const float of_other = tiles->tile_margin[other / WEFT__TILE];
  const float margin = skin + (of_own > of_other ? of_own : of_other);
  uint32_t near = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const wide x = wide_load(tiles->at[0] + own + lane) - tiles->at[0][other];
    const wide y = wide_load(tiles->at[1] + own + lane) - tiles->at[1][other];
    const wide z = wide_load(tiles->at[2] + own + lane) - tiles->at[2][other];
    const wide reach = wide_load(tiles->radius + own + lane) + tiles->radius[other] + margin;
    near |= wide_to_mask(wide_positive(reach * reach - (x * x + y * y + z * z))) << lane;
  }
  return near;
}

static inline void add_row(list_builder* l, weft__tile_row row) {
  weft__tile_list* list = l->list;
  const uint32_t first = l->tile * WEFT__TILE;
  const uint32_t pairs = (uint32_t)__builtin_popcount(row.lanes);
  if (list->count == list->capacity) {
    list->lost += pairs;
    return;
  }
  if (row.place < first + WEFT__TILE) list->pairs += row.place < first ? 2 * pairs : pairs;
  list->rows[list->count++] = row;
}

// One in three is in range.
static void test_candidates(list_builder* l) {
  const weft__self_tiles tiles = *l->tiles;
  weft__tile_row rows[CANDIDATES_AT_ONCE + WEFT__TILE];
  uint32_t count = 0;
  for (uint32_t c = 0; c < l->candidate_count; ++c) {
    const uint32_t other = l->candidate[c];
    const uint32_t near = lanes_in_range(&tiles, (size_t)l->tile * WEFT__TILE, other, l->skin);
    rows[count] = (weft__tile_row){other, near & ~l->excluded[c]};
    count += rows[count].lanes != 0;
  }
  l->candidate_count = 0;
  for (uint32_t r = 0; r < count; ++r) add_row(l, rows[r]);
}

static inline void find_candidates_in(list_builder* l, uint32_t other) {
  static const uint16_t none[WEFT__TILE];
  if (l->tile_count++ >= WEFT__MAX_NEAR_TILES) {
    l->list->lost += WEFT__TILE;
    return;
  }
  while (l->exclusions < l->exclusion_end && l->exclusions->tile < other) ++l->exclusions;
  const uint16_t* excluded = l->exclusions < l->exclusion_end && l->exclusions->tile == other
                                 ? l->exclusions->lanes
                                 : none;
  const uint32_t within = lanes_in_box(l, (size_t)other * WEFT__TILE);
  wide_append_values(l->excluded + l->candidate_count, excluded, within);
  l->candidate_count +=
      wide_append_bits(l->candidate + l->candidate_count, other * WEFT__TILE, within);
  if (l->candidate_count > CANDIDATES_AT_ONCE) test_candidates(l);
}

static void search_near_tiles(list_builder* l, const weft__near_tiles* near) {
  for (uint32_t n = 0; n < l->near_count && l->tile_count <= 2 * WEFT__MAX_NEAR_TILES; ++n) {
    find_candidates_in(l, near->tile[l->near[n]]);
  }
  l->near_count = 0;
}

static void list_tile(const weft__self_tiles* tiles, uint32_t tile, float skin,
                      const weft__near_tiles* near, weft__tile_list* list) {
  list_builder l;
  l.tiles = tiles;
  l.list = list;
  l.exclusions = tiles->exclusions + tiles->exclusion_first[tile];
  l.exclusion_end = tiles->exclusions + tiles->exclusion_first[tile + 1];
  l.box = box_around(tiles, tile, skin + tiles->margin);
  l.tile = tile;
  l.skin = skin;
  l.tile_count = l.near_count = l.candidate_count = 0;
  for (uint32_t n = 0; n < near->count; n += WEFT__TILE) {
    l.near_count +=
        wide_append_bits(l.near + l.near_count, n, find_overlapping_near(near, n, &l.box));
    if (l.near_count > TILES_AT_ONCE) search_near_tiles(&l, near);
  }
  search_near_tiles(&l, near);
  test_candidates(&l);
}
