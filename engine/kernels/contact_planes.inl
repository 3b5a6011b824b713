// Contacts of cloth with planes of colliders and bounds: collision/colliders/planes.h.

static inline wide_vector load_lanes(float from[3][WEFT__TILE], uint32_t lane) {
  return (wide_vector){wide_load(from[0] + lane), wide_load(from[1] + lane),
                       wide_load(from[2] + lane)};
}

static inline void store_lanes(float to[3][WEFT__TILE], uint32_t lane, wide_vector v) {
  wide_store(to[0] + lane, v.x);
  wide_store(to[1] + lane, v.y);
  wide_store(to[2] + lane, v.z);
}

static void solve_planes(const weft__self_tiles* tiles, uint32_t tile, uint32_t lanes,
                         weft__tile_planes* planes, float allowed, weft__tile_changes* changes) {
  weft__tile_planes* p = planes;
  const wide zero = wide_splat(0.0f);
  for (uint32_t lane = 0; lane < WEFT__TILE; lane += WIDE_LANES) {
    const wide_mask acts = wide_from_mask(lanes >> lane & ((1u << WIDE_LANES) - 1));
    const size_t place = (size_t)tile * WEFT__TILE + lane;
    const wide_record now = load_record(tiles->now, place);
    const wide_record start = load_record(tiles->start, place);
    const wide_vector normal = load_lanes(p->normal, lane);
    const wide_vector moved = wide_minus(wide_minus(now.v, start.v), load_lanes(p->carried, lane));
    const wide depth = wide_dot(wide_minus(load_lanes(p->at, lane), now.v), normal);
    const wide along = wide_dot(moved, normal);
    const wide old = wide_min(wide_max(depth + along, zero), wide_splat(allowed));
    const wide had = wide_load(p->push + lane);
    const wide push = wide_keep(wide_max(had + wide_min(old - along, depth), zero), acts);
    wide_store(p->push + lane, push);
    const wide_vector held = load_lanes(p->friction, lane);
    const wide_vector slip = wide_along(moved, normal, zero - along);
    const wide_vector wanted = wide_minus(held, slip);
    const wide of_static = wide_load(p->static_friction + lane);
    const wide of_dynamic = wide_load(p->dynamic_friction + lane);
    const wide share = friction_share(of_static * of_static, of_dynamic * of_dynamic, push,
                                      wide_dot(wanted, wanted));
    const wide_vector friction = wide_kept(wide_scaled(share, wanted), acts);
    store_lanes(p->friction, lane, friction);
    const wide_vector change =
        wide_kept(wide_along(wide_minus(friction, held), normal, push - had), acts);
    store_lanes(changes->by, lane, change);
    store_record(tiles->now, place, wide_plus(now.v, change), now.fourth);
  }
}
