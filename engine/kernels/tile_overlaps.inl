// Pairs of particles near contact, by tile: collision/self/rows.h.

enum { TILE_VECTORS = WEFT__TILE / WIDE_LANES };

typedef struct tile_lanes {
  wide_vector at[TILE_VECTORS];
  wide radius[TILE_VECTORS];
  float range;
} tile_lanes;

static inline wide_vector subtract_point(wide_vector v, const float point[3]) {
  return (wide_vector){v.x - point[0], v.y - point[1], v.z - point[2]};
}

static inline uint32_t overlapping_lanes(const weft__self_tiles* tiles, const tile_lanes* own,
                                         const weft__tile_row* row) {
  const float* other = tiles->now + (size_t)row->place * 4;
  const float of_other = tiles->tile_range[row->place / WEFT__TILE];
  const float range = own->range > of_other ? own->range : of_other;
  const wide range_sq = wide_splat(range * range);
  uint32_t lanes = 0;
  for (uint32_t v = 0; v < TILE_VECTORS; ++v) {
    const wide_vector between = subtract_point(own->at[v], other);
    const wide reach = WEFT__CLOSE * (own->radius[v] + other[3]);
    const wide_mask is_near =
        wide_positive((reach * reach + range_sq) - wide_dot(between, between));
    lanes |= wide_to_mask(is_near) << v * WIDE_LANES;
  }
  return lanes & row->lanes;
}

// Lanes whose pairs this end lists: each pair is listed at one.
static inline uint32_t first_lanes(uint32_t tile, uint32_t place) {
  const uint32_t other = place / WEFT__TILE;
  if (other == tile) return (1u << place % WEFT__TILE) - 1;
  return other > tile ? UINT16_MAX : 0;
}

static uint32_t find_overlaps(const weft__self_tiles* tiles, uint32_t tile) {
  const weft__self_tiles t = *tiles;
  tile_lanes own = {.range = t.tile_range[tile]};
  for (uint32_t v = 0; v < TILE_VECTORS; ++v) {
    const wide_record here = load_record(t.now, (size_t)tile * WEFT__TILE + v * WIDE_LANES);
    own.at[v] = here.v;
    own.radius[v] = here.fourth;
  }
  const weft__tile_row* rows = t.rows + t.row_first[tile];
  weft__tile_overlap* overlaps = t.overlaps + t.row_first[tile];
  uint32_t count = 0;
  for (uint32_t r = 0; r < t.row_count[tile]; ++r) {
    const uint32_t first = first_lanes(tile, rows[r].place);
    if (first == 0) continue;
    const uint32_t lanes = overlapping_lanes(&t, &own, &rows[r]) & first;
    overlaps[count] = (weft__tile_overlap){(uint16_t)r, (uint16_t)lanes};
    count += lanes != 0;
  }
  return count;
}
