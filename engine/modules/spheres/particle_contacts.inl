// Sequential impulses, WIDE_LANES contacts at a time, no two of which share a free body: solve.h.

#if WIDE_LANES > 1
typedef struct contact_lanes {
  wide_vector normal, along;
  wide min_separation_speed, impulse, mass, static_friction, dynamic_friction;
} contact_lanes;

// Indices count units of 8 bytes.
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

static inline void transpose_to_records(const wide in[4], float out[WIDE_LANES][4]) {
  wide rows[4] = {in[0], in[1], in[2], in[3]};
  wide_transpose(rows);
  for (int l = 0; l < WIDE_LANES; l += 4) {
    for (int k = 0; k < 4; ++k) memcpy(out[l + k], (const float*)&rows[k] + l, 4 * sizeof(float));
  }
}

static inline wide_record load_bodies(const void* of_bodies, const uint32_t bodies[WIDE_LANES]) {
  uint32_t at[WIDE_LANES];
  for (int l = 0; l < WIDE_LANES; ++l) at[l] = 2 * bodies[l];
  return gather_record((const float*)of_bodies, at);
}

// Pinned bodies are not written: other workers may read them.
static inline void apply_impulses(void* of_bodies, const uint32_t bodies[WIDE_LANES],
                                  const wide_record* was, wide rate, wide_vector applied) {
  const wide_vector v = wide_along(was->v, applied, rate);
  const uint32_t free_lanes = wide_to_mask(wide_positive(was->fourth));
  float records[WIDE_LANES][4];
  transpose_to_records((const wide[4]){v.x, v.y, v.z, was->fourth}, records);
  for (int l = 0; l < WIDE_LANES; ++l) {
    if ((free_lanes >> l & 1) == 0) continue;
    memcpy((char*)of_bodies + sizeof(records[l]) * bodies[l], records[l], sizeof(records[l]));
  }
}

static inline wide_vector friction_impulses(const contact_lanes* c, wide mass, wide_vector speed,
                                            wide normal_speed, wide impulse) {
  const wide_vector slip = wide_minus(speed, wide_scaled(normal_speed, c->normal));
  const wide_vector tangential = wide_minus(c->along, wide_scaled(mass, slip));
  const wide square = wide_dot(tangential, tangential);
  const wide static_limit = c->static_friction * impulse;
  const wide share = c->dynamic_friction * impulse / wide_sqrt(square);
  return wide_choose(tangential, wide_scaled(share, tangential),
                     wide_at_least(static_limit * static_limit, square));
}

SPECIALIZED void solve_contact_lanes(weft__contact_sweep* sweep, const uint32_t lanes[WIDE_LANES],
                                     wide* largest, bool turns) {
  const contact_lanes c = load_contacts(sweep, lanes);
  uint32_t first[WIDE_LANES], second[WIDE_LANES];
  for (int l = 0; l < WIDE_LANES; ++l) {
    first[l] = sweep->contacts[lanes[l]].a;
    second[l] = sweep->contacts[lanes[l]].b;
  }
  const wide_record a = load_bodies(sweep->bodies, first);
  const wide_record b = load_bodies(sweep->bodies, second);
  const wide none = wide_splat(0.0f);
  const wide_vector speed = wide_minus(b.v, a.v);
  const wide normal_speed = wide_dot(speed, c.normal);
  const wide impulse = wide_max(c.impulse - c.mass * (normal_speed - c.min_separation_speed), none);
  const wide_vector pressed = wide_scaled(impulse - c.impulse, c.normal);
  const wide_mask has_friction = wide_positive(c.static_friction);
  wide mass = c.mass;
  wide_vector slip = speed;
  wide_record roll_a = a;
  wide_record roll_b = b;
  if (turns) {
    roll_a = load_bodies(sweep->rolls, first);
    roll_b = load_bodies(sweep->rolls, second);
    slip = wide_minus(speed, wide_cross(wide_plus(roll_a.v, roll_b.v), c.normal));
    mass = 1.0f / (1.0f / c.mass + (roll_a.fourth + roll_b.fourth));
  }
  // as in the scalar reference, the normal component is the slip's, which has rounding
  const wide slip_along_normal = turns ? wide_dot(slip, c.normal) : normal_speed;
  const wide_vector tangential = friction_impulses(&c, mass, slip, slip_along_normal, impulse);
  const wide_vector along = wide_kept(tangential, has_friction);
  const wide_vector more = wide_minus(tangential, c.along);
  const wide_vector applied =
      wide_choose(wide_plus(pressed, more), wide_minus(pressed, c.along), has_friction);

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
  apply_impulses(sweep->bodies, first, &a, -a.fourth, applied);
  apply_impulses(sweep->bodies, second, &b, b.fourth, applied);
  if (!turns) return;
  const wide_vector ended = {-c.along.x, -c.along.y, -c.along.z};
  const wide_vector torque = wide_cross(wide_choose(more, ended, has_friction), c.normal);
  apply_impulses(sweep->rolls, first, &roll_a, roll_a.fourth, torque);
  apply_impulses(sweep->rolls, second, &roll_b, roll_b.fourth, torque);
}
#endif

SPECIALIZED void solve_active_contacts(weft__contact_sweep* sweep, uint32_t begin, uint32_t end,
                                       bool turns) {
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
    solve_contact_lanes(sweep, lanes, &largest, turns);
#else
    weft__solve_contact(sweep, &sweep->contacts[i], turns);
#endif
  }
  for (uint32_t k = 0; k < count; ++k) {
    weft__solve_contact(sweep, &sweep->contacts[lanes[k]], turns);
  }
#if WIDE_LANES > 1
  const float change = wide_max_lane(largest);
  if (change > sweep->change) sweep->change = change;
#endif
}

static void solve_contacts(weft__contact_sweep* sweep, uint32_t begin, uint32_t end) {
  solve_active_contacts(sweep, begin, end, false);
}

static void solve_turning_contacts(weft__contact_sweep* sweep, uint32_t begin, uint32_t end) {
  solve_active_contacts(sweep, begin, end, true);
}
