// Sequential impulses of particle contacts, WIDE_LANES at a time, no two of which share a free
// body: see collision/particles/solve.h.

#if WIDE_LANES > 1
// Contact records, transposed.
typedef struct contact_lanes {
  wide_vector normal, along;
  wide min_separation_speed, impulse, mass, static_friction, dynamic_friction;
} contact_lanes;

// Record indices count units of 8 bytes.
static inline contact_lanes load_contacts(const weft__contact_sweep* sweep,
                                          const uint32_t lanes[WIDE_LANES]) {
  const float* records = (const float*)(sweep->contacts + lanes[0]);
  uint32_t at[WIDE_LANES];
  for (int l = 0; l < WIDE_LANES; ++l) at[l] = 8 * (lanes[l] - lanes[0]);
  const wide_record normal = gather_record(records, at);
  wide impulse[4];
  wide_load_far_records(records + 4, at, impulse);
  const wide_record rest = gather_record(records + 8, at);
  return (contact_lanes){.normal = normal.v,
                         .min_separation_speed = normal.fourth,
                         .impulse = impulse[0],
                         .along = {impulse[1], impulse[2], impulse[3]},
                         .mass = rest.v.x,
                         .static_friction = rest.v.y,
                         .dynamic_friction = rest.v.z};
}

// Transposes back: one record for each lane.
static inline void transpose_to_records(const wide in[4], float out[WIDE_LANES][4]) {
  wide rows[4] = {in[0], in[1], in[2], in[3]};
  wide_transpose(rows);
  for (int l = 0; l < WIDE_LANES; l += 4) {
    for (int k = 0; k < 4; ++k) memcpy(out[l + k], (const float*)&rows[k] + l, 4 * sizeof(float));
  }
}

static inline wide_record load_bodies(const weft__contact_sweep* sweep,
                                      const uint32_t bodies[WIDE_LANES]) {
  uint32_t at[WIDE_LANES];
  for (int l = 0; l < WIDE_LANES; ++l) at[l] = 2 * bodies[l];
  return gather_record((const float*)sweep->bodies, at);
}

// Pinned bodies are not written: other workers may read them now.
static inline void apply_impulses(const weft__contact_sweep* sweep,
                                  const uint32_t bodies[WIDE_LANES], const wide_record* was,
                                  wide rate, wide_vector applied) {
  const wide_vector v = wide_add_scaled(was->v, rate, applied);
  const uint32_t free_lanes = wide_to_mask(wide_positive(was->fourth));
  float records[WIDE_LANES][4];
  transpose_to_records((const wide[4]){v.x, v.y, v.z, was->fourth}, records);
  for (int l = 0; l < WIDE_LANES; ++l) {
    if ((free_lanes >> l & 1) == 0) continue;
    memcpy(&sweep->bodies[bodies[l]], records[l], sizeof(records[l]));
  }
}

static inline wide_vector select_vector(wide_vector a, wide_vector b, wide_mask mask) {
  return (wide_vector){wide_select(a.x, b.x, mask), wide_select(a.y, b.y, mask),
                       wide_select(a.z, b.z, mask)};
}

// Coulomb friction: accumulated tangential impulse, sticking within the static cone, else sliding.
static inline wide_vector friction_impulses(const contact_lanes* c, wide_vector speed,
                                            wide normal_speed, wide impulse) {
  const wide_vector tangential = {c->along.x - c->mass * (speed.x - normal_speed * c->normal.x),
                                  c->along.y - c->mass * (speed.y - normal_speed * c->normal.y),
                                  c->along.z - c->mass * (speed.z - normal_speed * c->normal.z)};
  const wide square = wide_dot(tangential, tangential);
  const wide static_limit = c->static_friction * impulse;
  const wide share = c->dynamic_friction * impulse / wide_sqrt(square);
  const wide_vector slid = {tangential.x * share, tangential.y * share, tangential.z * share};
  return select_vector(tangential, slid, wide_at_least(static_limit * static_limit, square));
}

static void solve_contact_lanes(weft__contact_sweep* sweep, const uint32_t lanes[WIDE_LANES],
                                wide* largest) {
  const contact_lanes c = load_contacts(sweep, lanes);
  uint32_t first[WIDE_LANES], second[WIDE_LANES];
  for (int l = 0; l < WIDE_LANES; ++l) {
    first[l] = sweep->contacts[lanes[l]].a;
    second[l] = sweep->contacts[lanes[l]].b;
  }
  const wide_record a = load_bodies(sweep, first);
  const wide_record b = load_bodies(sweep, second);
  const wide none = wide_splat(0.0f);
  const wide_vector speed = wide_subtract(b.v, a.v);
  const wide normal_speed = wide_dot(speed, c.normal);
  const wide impulse = wide_max(c.impulse - c.mass * (normal_speed - c.min_separation_speed), none);
  const wide change_along = impulse - c.impulse;
  const wide_vector pressed = {change_along * c.normal.x, change_along * c.normal.y,
                               change_along * c.normal.z};
  const wide_mask has_friction = wide_positive(c.static_friction);
  const wide_vector tangential = friction_impulses(&c, speed, normal_speed, impulse);
  const wide_vector along =
      select_vector(tangential, (wide_vector){none, none, none}, has_friction);
  const wide_vector more = wide_subtract(tangential, c.along);
  const wide_vector combined = {pressed.x + more.x, pressed.y + more.y, pressed.z + more.z};
  const wide_vector applied =
      select_vector(combined, wide_subtract(pressed, c.along), has_friction);

  float records[WIDE_LANES][4];
  transpose_to_records((const wide[4]){impulse, along.x, along.y, along.z}, records);
  for (int l = 0; l < WIDE_LANES; ++l) {
    memcpy(&sweep->contacts[lanes[l]].impulse, records[l], sizeof(records[l]));
  }
  const wide change = wide_dot(applied, applied) / (c.mass * c.mass);
  const wide enough = wide_splat(sweep->enough);
  *largest = wide_max(change, *largest);
  const uint32_t activates =
      wide_to_mask(wide_at_least(change, enough)) & ~wide_to_mask(wide_equal(change, enough));
  for (int l = 0; l < WIDE_LANES; ++l) {
    if ((activates >> l & 1) != 0) weft__mark_active(sweep, &sweep->contacts[lanes[l]]);
  }
  apply_impulses(sweep, first, &a, -a.fourth, applied);
  apply_impulses(sweep, second, &b, b.fourth, applied);
}
#endif

static void solve_contacts(weft__contact_sweep* sweep, uint32_t begin, uint32_t end) {
  uint32_t lanes[WIDE_LANES];
  uint32_t count = 0;
#if WIDE_LANES > 1
  wide largest = wide_splat(0.0f);
#endif
  for (uint32_t i = begin; i < end; ++i) {
    if (!weft__contact_is_active(sweep, sweep->ends[i])) continue;
    if (!(sweep->contacts[i].mass > 0.0f)) continue;
    lanes[count++] = i;
    if (count < WIDE_LANES) continue;
    count = 0;
#if WIDE_LANES > 1
    solve_contact_lanes(sweep, lanes, &largest);
#else
    weft__solve_contact(sweep, &sweep->contacts[i]);
#endif
  }
  for (uint32_t k = 0; k < count; ++k) weft__solve_contact(sweep, &sweep->contacts[lanes[k]]);
#if WIDE_LANES > 1
  const float change = wide_max_lane(largest);
  if (change > sweep->change) sweep->change = change;
#endif
}
