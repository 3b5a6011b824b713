// Contacts of cloth with cloth: rows of collision/self/rows.h, solved by Gauss-Seidel:
// collision/self/solve.h.

// smallest squared distance with a direction, over the squared sum of radii
#define MIN_DISTANCE_SQ 1e-12f
// pairs whose relative path passes closer, over their summed radii, have tunnelled
#define TUNNEL_SHARE 0.3f
// old overlap that stays, over the contact distance
#define SLOP 0.02f
// weight of a pair at its range is 0; it is 1 within 0.7 of the range
#define FULL_WEIGHT 2.0f
// between the normals of particles that meet along their surfaces
#define MIN_NORMAL_COSINE 0.5f
// distance at the start whose side is sure, over the contact distance
#define MIN_SIDE 0.3f

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

// A vector of rows, or the first `count` lanes of one: the ends of the last row are repeated.
typedef struct row_lanes {
  const uint32_t *a, *b;
  uint32_t count;
  float *push, *friction[3];
  float *distance, *static_sq, *dynamic_sq, *limit, *anchor[3], *normal[3], *range;
} row_lanes;

typedef struct last_ends {
  uint32_t a[WIDE_LANES], b[WIDE_LANES];
} last_ends;

static inline __attribute__((always_inline)) row_lanes lanes_of(const weft__contact_rows* r,
                                                                uint32_t row, uint32_t count,
                                                                last_ends* last) {
  row_lanes lanes = {r->a + row,
                     r->b + row,
                     count,
                     r->push + row,
                     {r->friction[0] + row, r->friction[1] + row, r->friction[2] + row},
                     r->distance + row,
                     r->static_sq + row,
                     r->dynamic_sq + row,
                     r->limit + row,
                     {r->anchor[0] + row, r->anchor[1] + row, r->anchor[2] + row},
                     {r->normal[0] + row, r->normal[1] + row, r->normal[2] + row},
                     r->range + row};
  if (count == WIDE_LANES) return lanes;
  for (uint32_t k = 0; k < WIDE_LANES; ++k) {
    last->a[k] = lanes.a[k < count ? k : count - 1];
    last->b[k] = lanes.b[k < count ? k : count - 1];
  }
  lanes.a = last->a;
  lanes.b = last->b;
  return lanes;
}

// Normals and ranges of both ends.
typedef struct row_surfaces {
  wide_vector of_a, of_b;
  wide range_a, range_b;
  wide_mask has_inside;  // an end within its cloth: ranges at borders are negative
} row_surfaces;

static inline row_surfaces load_row_surfaces(const weft__self_tiles* t, const row_lanes* r) {
  const wide zero = wide_splat(0.0f);
  const wide_record a = gather_record(t->surface, r->a);
  const wide_record b = gather_record(t->surface, r->b);
  return (row_surfaces){.of_a = a.v,
                        .of_b = b.v,
                        .range_a = wide_max(a.fourth, zero - a.fourth),
                        .range_b = wide_max(b.fourth, zero - b.fourth),
                        .has_inside = wide_positive(wide_max(a.fourth, b.fourth))};
}

// Of a body at most the distance at rest; `is_close`: see WEFT__FOLD_RANGES.
static inline wide distance_at_rest(const weft__self_tiles* tiles, const row_lanes* r, wide radii,
                                    const row_surfaces* s, wide_mask* is_close) {
  const wide_record here = gather_record(tiles->rest, r->a);
  const wide_record there = gather_record(tiles->rest, r->b);
  const wide_vector offset = wide_minus(here.v, there.v);
  const wide distance_sq = wide_dot(offset, offset);
  const wide_mask is_one = wide_equal(here.fourth, there.fourth);
  const wide nearest = wide_min(radii, wide_sqrt(distance_sq));
  const wide far = radii + WEFT__FOLD_RANGES * wide_max(s->range_a, s->range_b);
  const wide far_sq = far * far;
  *is_close = is_one & wide_positive(far_sq - distance_sq);
  return wide_select(nearest, radii, is_one);
}

static inline __attribute__((always_inline)) wide_vector load_columns(float* const columns[3],
                                                                      uint32_t count) {
  return (wide_vector){wide_load_first(columns[0], count), wide_load_first(columns[1], count),
                       wide_load_first(columns[2], count)};
}

static inline void store_columns(float* const columns[3], wide_vector v, uint32_t count) {
  wide_store_first(columns[0], v.x, count);
  wide_store_first(columns[1], v.y, count);
  wide_store_first(columns[2], v.z, count);
}

// Along which particles meet by their surfaces: the mean of their normals, towards `a`.
static inline void begin_surfaces(const weft__self_tiles* t, const row_lanes* r, wide reach,
                                  const row_surfaces* s, wide_mask is_close) {
  const wide zero = wide_splat(0.0f);
  const wide one = wide_splat(1.0f);
  const wide_vector before =
      wide_minus(gather_record(t->start, r->a).v, gather_record(t->start, r->b).v);
  const wide cosine = wide_dot(s->of_a, s->of_b);
  const wide sign = wide_select(wide_splat(-1.0f), one, wide_positive(zero - cosine));
  const wide_vector sum = wide_along(s->of_a, s->of_b, sign);
  const wide toward = wide_dot(before, sum);
  const wide inverse = wide_inverse_sqrt(wide_dot(sum, sum));
  const wide scale = wide_select(zero - inverse, inverse, wide_positive(zero - toward));
  const wide_mask is_along = wide_positive(wide_min(s->range_a, s->range_b)) & s->has_inside &
                             wide_positive(sign * cosine - MIN_NORMAL_COSINE) &
                             wide_positive(scale * toward - MIN_SIDE * reach) &
                             (wide_mask)~is_close;
  store_columns(r->normal, wide_scaled(scale, sum), r->count);
  wide_store_first(r->range, wide_keep(wide_max(s->range_a, s->range_b), is_along), r->count);
}

static inline void begin_row_lanes(const weft__self_tiles* t, const row_lanes* r) {
  const wide zero = wide_splat(0.0f);
  wide distance = gather_record(t->now, r->a).fourth + gather_record(t->now, r->b).fourth;
  wide_mask is_close = wide_positive(zero);
  if (t->max_range > 0.0f || t->has_near) {
    const row_surfaces s = load_row_surfaces(t, r);
    distance = distance_at_rest(t, r, distance, &s, &is_close);
    if (t->max_range > 0.0f) begin_surfaces(t, r, distance, &s, is_close);
  }
  const wide_record of_a = gather_record(t->friction, r->a);
  const wide_record of_b = gather_record(t->friction, r->b);
  const uint32_t n = r->count;
  wide_store_first(r->distance, distance, n);
  wide_store_first(r->static_sq, of_a.v.x + of_b.v.x, n);
  wide_store_first(r->dynamic_sq, of_a.v.y + of_b.v.y, n);
  wide_store_first(r->limit, wide_min(of_a.fourth, of_b.fourth), n);
  wide_store_first(r->push, zero, n);
  store_columns(r->friction, (wide_vector){zero, zero, zero}, n);
  store_columns(r->anchor,
                wide_minus(gather_record(t->anchor, r->a).v, gather_record(t->anchor, r->b).v), n);
}

typedef struct wide_contact {
  wide_vector normal;  // unit, towards `a`
  wide depth;
  wide new_overlap;  // arose in this substep
  wide weight;       // 0 to 1, 1 for spheres
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
                                                         const uint32_t* a, const uint32_t* b,
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
                      (const float[]){lanes[3][i], lanes[4][i], lanes[5][i]}, lanes[6][i], a[i] / 2,
                      b[i] / 2, one);
    for (int k = 0; k < 5; ++k) out[k][i] = one[k];
  }
  c->normal = (wide_vector){wide_load(out[0]), wide_load(out[1]), wide_load(out[2])};
  c->depth = wide_load(out[3]);
  c->new_overlap = wide_load(out[4]);
}

// Records of `a`, of `b`, by wide_load_far_row().
typedef struct end_records {
  wide of[2][4];
} end_records;

typedef struct row_ends {
  end_records now;
  wide inv_mass[2];
  wide_vector between, before;  // metres, from `b` to `a`: now, at the start of the substep
  wide distance;
} row_ends;

// The inverse masses are transposed as fourth components of differences.
static inline __attribute__((always_inline)) row_ends load_row_ends(const weft__self_tiles* t,
                                                                    const row_lanes* r) {
  row_ends e;
  wide between[4], before[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    e.now.of[0][k] = wide_load_far_row(t->now, r->a, k);
    const wide start_a = wide_load_far_row(t->start, r->a, k);
    e.now.of[1][k] = wide_load_far_row(t->now, r->b, k);
    const wide start_b = wide_load_far_row(t->start, r->b, k);
    between[k] = wide_with_fourth(e.now.of[0][k] - e.now.of[1][k], start_b, k);
    before[k] = wide_with_fourth(start_a - start_b, start_a, k);
  }
  wide_transpose(between);
  wide_transpose(before);
  e.between = (wide_vector){between[0], between[1], between[2]};
  e.before = (wide_vector){before[0], before[1], before[2]};
  e.inv_mass[0] = before[3];
  e.inv_mass[1] = between[3];
  e.distance = wide_load_first(r->distance, r->count);
  return e;
}

// Contact of two spheres; `regular`: lanes whose normal is sure.
static inline __attribute__((always_inline)) wide_contact find_sphere_contact(const row_ends* e,
                                                                              wide reach,
                                                                              wide_mask* regular) {
  const wide distance_sq = wide_dot(e->between, e->between);
  const wide along = wide_dot(e->between, e->before);
  const wide inverse = wide_inverse_sqrt(distance_sq);
  *regular = wide_positive(along) & wide_positive(distance_sq - MIN_DISTANCE_SQ * reach * reach);
  return (wide_contact){.normal = wide_scaled(inverse, e->between),
                        .depth = reach - distance_sq * inverse,
                        .new_overlap = (along - distance_sq) * inverse,
                        .weight = wide_splat(1.0f)};
}

// In place of spheres where surfaces meet; returns the lanes that touch.
static inline __attribute__((always_inline)) wide_mask replace_by_surfaces(
    const row_lanes* r, const row_ends* e, wide reach, wide_mask touches, wide_mask* regular,
    wide_contact* c) {
  const wide zero = wide_splat(0.0f);
  const wide_vector normal = load_columns(r->normal, r->count);
  const wide range = wide_load_first(r->range, r->count);
  const wide_mask is_along = wide_positive(range);
  const wide now = wide_dot(e->between, normal);
  const wide offset_sq = wide_max(wide_dot(e->between, e->between) - now * now, zero);
  const wide range_sq = range * range;
  const wide share = offset_sq / wide_max(range_sq, wide_splat(1e-30f));
  c->normal = wide_choose(normal, c->normal, is_along);
  c->depth = wide_select(reach - now, c->depth, is_along);
  c->new_overlap = wide_select(wide_dot(e->before, normal) - now, c->new_overlap, is_along);
  const wide weight = wide_splat(FULL_WEIGHT) * (wide_splat(1.0f) - share);
  c->weight = wide_select(wide_max(wide_min(weight, wide_splat(1.0f)), zero), c->weight, is_along);
  *regular |= is_along;
  return (is_along & wide_positive(range_sq - offset_sq) & wide_positive(c->depth)) |
         ((wide_mask)~is_along & touches);
}

// Coulomb's law: what friction takes within the cone of the push, all of it if it sticks. By the
// squares of the coefficients.
static inline wide friction_share(wide static_sq, wide dynamic_sq, wide push, wide friction_sq) {
  const wide one = wide_splat(1.0f);
  const wide root = wide_inverse_sqrt(wide_max(dynamic_sq * friction_sq, wide_splat(1e-30f)));
  const wide slides = wide_min(push * dynamic_sq * root, one);
  return wide_select(one, slides, wide_at_least(static_sq * push * push, friction_sq));
}

// Slip since the anchors where the pair has hardly moved in the step, so that the remainder of a
// substep is not forgotten; elsewhere since the start of the substep.
static inline __attribute__((always_inline)) wide_vector find_slip(const row_lanes* r,
                                                                   const row_ends* e,
                                                                   const wide_contact* c,
                                                                   wide reach) {
  const wide limit = WEFT__ANCHOR_SHARE * reach;
  const wide_vector of_step = wide_minus(e->between, load_columns(r->anchor, r->count));
  const wide_vector along =
      wide_along(of_step, c->normal, wide_splat(0.0f) - wide_dot(of_step, c->normal));
  const wide_vector of_substep =
      wide_along(wide_minus(e->between, e->before), c->normal, c->new_overlap);
  return wide_choose(along, of_substep, wide_positive(limit * limit - wide_dot(of_step, of_step)));
}

// Lanes past the first ones are as the last of these, as their ends are.
static inline wide repeat_last(wide value, uint32_t count) {
  float lanes[WIDE_LANES];
  wide_store(lanes, value);
  return wide_select(value, wide_splat(lanes[count - 1]), wide_from_mask((1u << count) - 1));
}

static inline __attribute__((always_inline)) void move_row_end(float* records, const uint32_t* at,
                                                               const wide from[4],
                                                               wide_vector impulse, wide inv_mass) {
  const wide_vector by = wide_scaled(inv_mass, impulse);
  wide rows[4] = {by.x, by.y, by.z, wide_splat(0.0f)};
  wide_transpose(rows);
  for (int k = 0; k < 4; ++k) wide_store_far_row(records, at, k, from[k] + rows[k]);
}

// Moves both ends by opposite impulses.
static inline __attribute__((always_inline)) void move_row_ends(float* records, const row_lanes* r,
                                                                const end_records* from,
                                                                const wide inv_mass[2],
                                                                wide_vector impulse) {
  wide_vector by = impulse;
  if (r->count < WIDE_LANES) {
    by.x = repeat_last(by.x, r->count);
    by.y = repeat_last(by.y, r->count);
    by.z = repeat_last(by.z, r->count);
  }
  move_row_end(records, r->a, from->of[0], by, inv_mass[0]);
  move_row_end(records, r->b, from->of[1], by, wide_splat(0.0f) - inv_mass[1]);
}

static inline __attribute__((always_inline)) void give_row_ends(const weft__self_tiles* t,
                                                                const row_lanes* r,
                                                                const wide inv_mass[2],
                                                                wide_vector given) {
  end_records start;
  for (int k = 0; k < 4; ++k) {
    start.of[0][k] = wide_load_far_row(t->start, r->a, k);
    start.of[1][k] = wide_load_far_row(t->start, r->b, k);
  }
  move_row_ends(t->start, r, &start, inv_mass, given);
}

// Takes back all new overlap and the old one up to a limit, and a push that is no longer needed.
// False if no lane moves.
static inline __attribute__((always_inline)) bool solve_row_lanes(const weft__self_tiles* t,
                                                                  bool has_surfaces, bool gives,
                                                                  const row_lanes* r,
                                                                  const row_ends* e,
                                                                  wide_vector* impulse) {
  const uint32_t n = r->count;
  const wide zero = wide_splat(0.0f);
  const wide tiny = wide_splat(1e-30f);
  const wide reach = e->distance;
  const wide had = wide_load_first(r->push, n);
  wide_mask touches = wide_positive(reach * reach - wide_dot(e->between, e->between));
  if (!has_surfaces && wide_to_mask(touches | wide_positive(had)) == 0) return false;
  wide_mask regular;
  wide_contact c = find_sphere_contact(e, reach, &regular);
  if (has_surfaces) touches = replace_by_surfaces(r, e, reach, touches, &regular, &c);
  touches |= wide_positive(had);
  const wide inverse_sum = e->inv_mass[0] + e->inv_mass[1];
  touches &= wide_positive(inverse_sum);
  if (n < WIDE_LANES) touches &= wide_from_mask((1u << n) - 1);
  if (wide_to_mask(touches) == 0) return false;
  const uint32_t special = wide_to_mask(touches & (wide_mask)~regular);
  if (special != 0) {
    // copies: or the vectors of all contacts would be in memory
    const wide_vector paths[2] = {e->between, e->before};
    wide_contact tunnelled = c;
    tunnelled_contacts(special, &paths[0], &paths[1], reach, r->a, r->b, &tunnelled);
    c = tunnelled;
  }
  const wide mass = wide_keep(c.weight / wide_max(inverse_sum, tiny), touches);
  const wide old = wide_max(wide_max(c.depth - c.new_overlap, zero) - SLOP * reach, zero);
  const wide limit = wide_load_first(r->limit, n);
  const wide by = wide_min(c.new_overlap + wide_min(old, wide_max(limit, zero)), c.depth);
  const wide push = wide_keep(wide_max(had + by * mass, zero), touches);
  wide_store_first(r->push, push, n);

  const wide_vector slip = find_slip(r, e, &c, reach);
  const wide_vector held = load_columns(r->friction, n);
  wide_vector friction = wide_along(held, slip, zero - mass);
  const wide share =
      friction_share(wide_load_first(r->static_sq, n), wide_load_first(r->dynamic_sq, n), push,
                     wide_dot(friction, friction));
  friction = wide_kept(wide_scaled(share, friction), touches);
  wide_store_first(r->friction[0], friction.x, n);
  wide_store_first(r->friction[1], friction.y, n);
  wide_store_first(r->friction[2], friction.z, n);
  *impulse = wide_along(wide_minus(friction, held), c.normal, push - had);
  if (gives) {
    const wide_vector given =
        wide_scaled(mass * wide_min(old, wide_max(zero - limit, zero)), c.normal);
    give_row_ends(t, r, e->inv_mass, given);
    *impulse = wide_plus(*impulse, given);
  }
  return true;
}

static void begin_contact_rows(const weft__self_tiles* tiles, const weft__contact_rows* rows,
                               uint32_t first, uint32_t end) {
  const weft__self_tiles t = *tiles;
  last_ends last;
  for (uint32_t k = first; k < end; k += WIDE_LANES) {
    const uint32_t count = end - k < WIDE_LANES ? end - k : WIDE_LANES;
    const row_lanes lanes = lanes_of(rows, k, count, &last);
    begin_row_lanes(&t, &lanes);
  }
}

// Rows share no place: the ends of the next lanes can be loaded before the present ones are stored.
// Loads behind these stores wait for a long solve, as a CPU looks ahead by fewer instructions than
// a vector of rows has.
static inline __attribute__((always_inline)) void solve_rows_of(const weft__self_tiles* t,
                                                                bool has_surfaces,
                                                                const weft__contact_rows* rows,
                                                                uint32_t first, uint32_t end) {
  last_ends last;
  wide_vector impulse;
  uint32_t k = first;
  if (k + WIDE_LANES <= end) {
    row_lanes next = lanes_of(rows, k, WIDE_LANES, &last);
    row_ends e = load_row_ends(t, &next);
    for (bool is_last = false; !is_last;) {
      const row_lanes lanes = next;
      const bool moves = solve_row_lanes(t, has_surfaces, rows->gives, &lanes, &e, &impulse);
      const row_ends from = e;
      k += WIDE_LANES;
      is_last = k + WIDE_LANES > end;
      if (!is_last) {
        next = lanes_of(rows, k, WIDE_LANES, &last);
        e = load_row_ends(t, &next);
      }
      if (moves) move_row_ends(t->now, &lanes, &from.now, from.inv_mass, impulse);
    }
  }
  if (k == end) return;
  const row_lanes lanes = lanes_of(rows, k, end - k, &last);
  const row_ends e = load_row_ends(t, &lanes);
  if (solve_row_lanes(t, has_surfaces, rows->gives, &lanes, &e, &impulse))
    move_row_ends(t->now, &lanes, &e.now, e.inv_mass, impulse);
}

static void solve_contact_rows(const weft__self_tiles* tiles, const weft__contact_rows* rows,
                               uint32_t first, uint32_t end) {
  const weft__self_tiles t = *tiles;
  if (t.max_range > 0.0f) {
    solve_rows_of(&t, true, rows, first, end);
  } else {
    solve_rows_of(&t, false, rows, first, end);
  }
}
