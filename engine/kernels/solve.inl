
static inline ends load_ends(const weft__particles* p, size_t i) {
  return (ends){wide_load(p->pos_x + i), wide_load(p->pos_y + i), wide_load(p->pos_z + i),
                wide_load(p->inv_mass + i)};
}

SPECIALIZED link_starts load_starts(const weft__particles* p, size_t i, link_features links) {
  if (links.along_present) return (link_starts){0};
  return (link_starts){wide_load(p->prev_x + i), wide_load(p->prev_y + i),
                       wide_load(p->prev_z + i)};
}

static inline void store_ends(weft__particles* p, size_t i, const ends* e) {
  wide_store(p->pos_x + i, e->x);
  wide_store(p->pos_y + i, e->y);
  wide_store(p->pos_z + i, e->z);
}

SPECIALIZED void solve_window(weft__particles* p, size_t a, size_t b, const link_cursor* r,
                              size_t lane, uint32_t mask) {
  ends end_a = load_ends(p, a + lane);
  ends end_b = load_ends(p, b + lane);
  const link_starts start_a = load_starts(p, a + lane, r->links);
  const link_starts start_b = load_starts(p, b + lane, r->links);
  if (mask == WEFT__ALL_LANES) {
    solve_full_lanes(&end_a, &end_b, &start_a, &start_b, r, lane);
  } else {
    solve_masked_lanes(&end_a, &end_b, &start_a, &start_b, r, lane, mask);
  }
  store_ends(p, a + lane, &end_a);
  store_ends(p, b + lane, &end_b);
}

SPECIALIZED void solve_contiguous(weft__particles* particles, const weft__schedule* schedule,
                                  const weft__run* run, link_features links) {
  // local copies: stores may alias the originals
  weft__particles p = *particles;
  const weft__run strides = *run;
  const uint16_t* masks = schedule->links.lane_mask + run->first_group;
  link_cursor r = link_cursor_at(schedule, run, links);
  size_t a = run->a;
  size_t b = run->b;
  for (uint32_t g = 0; g < strides.group_count; ++g) {
    const uint32_t mask = masks[g];
    // full groups have their own code without masks
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      if (mask == WEFT__ALL_LANES) {
        solve_window(&p, a, b, &r, lane, WEFT__ALL_LANES);
      } else {
        solve_window(&p, a, b, &r, lane, mask >> lane);
      }
    }
    a += WEFT__LANES;
    b += WEFT__LANES;
    advance_groups(&r, &strides, 1);
  }
}

static inline ends gather_ends(const weft__particles* p, const uint32_t* index) {
  float x[WIDE_LANES], y[WIDE_LANES], z[WIDE_LANES], inv_mass[WIDE_LANES];
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
    const size_t i = index[lane];
    x[lane] = p->pos_x[i];
    y[lane] = p->pos_y[i];
    z[lane] = p->pos_z[i];
    inv_mass[lane] = p->inv_mass[i];
  }
  return (ends){wide_load(x), wide_load(y), wide_load(z), wide_load(inv_mass)};
}

SPECIALIZED link_starts gather_starts(const weft__particles* p, const uint32_t* index,
                                      link_features links) {
  if (links.along_present) return (link_starts){0};
  float x[WIDE_LANES], y[WIDE_LANES], z[WIDE_LANES];
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
    const size_t i = index[lane];
    x[lane] = p->prev_x[i];
    y[lane] = p->prev_y[i];
    z[lane] = p->prev_z[i];
  }
  return (link_starts){wide_load(x), wide_load(y), wide_load(z)};
}

// Empty lanes repeat another lane's particle, and are not written.
static inline void scatter_ends(weft__particles* p, const uint32_t* index, uint32_t mask,
                                const ends* e) {
  float x[WIDE_LANES], y[WIDE_LANES], z[WIDE_LANES];
  wide_store(x, e->x);
  wide_store(y, e->y);
  wide_store(z, e->z);
  for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
    if (((mask >> lane) & 1u) == 0) continue;
    const size_t i = index[lane];
    p->pos_x[i] = x[lane];
    p->pos_y[i] = y[lane];
    p->pos_z[i] = z[lane];
  }
}

SPECIALIZED void solve_indexed(weft__particles* p, const weft__schedule* schedule,
                               const weft__run* run, link_features links) {
  link_cursor r = link_cursor_at(schedule, run, links);
  for (uint32_t g = 0; g < run->group_count; ++g) {
    const uint32_t mask = schedule->links.lane_mask[run->first_group + g];
    const uint32_t* index_a = schedule->index_a + run->index + (size_t)g * WEFT__LANES;
    const uint32_t* index_b = schedule->index_b + run->index + (size_t)g * WEFT__LANES;
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      ends end_a = gather_ends(p, index_a + lane);
      ends end_b = gather_ends(p, index_b + lane);
      const link_starts start_a = gather_starts(p, index_a + lane, links);
      const link_starts start_b = gather_starts(p, index_b + lane, links);
      // finer links start from this multiplier: a removed link's must not change
      if (links.compliant || links.tracked) {
        solve_masked_lanes(&end_a, &end_b, &start_a, &start_b, &r, lane, mask >> lane);
      } else {
        solve_full_lanes(&end_a, &end_b, &start_a, &start_b, &r, lane);
      }
      scatter_ends(p, index_a + lane, mask >> lane, &end_a);
      scatter_ends(p, index_b + lane, mask >> lane, &end_b);
    }
    advance_groups(&r, run, 1);
  }
}

static const uint16_t consecutive[WEFT__LANES] = {0,  2,  4,  6,  8,  10, 12, 14,
                                                  16, 18, 20, 22, 24, 26, 28, 30};

// Records up to the last particle: the next one may be another worker's.
static void load_records(const weft__particles* p, const weft__segment* segment,
                         const weft__segment* end, float* records) {
  for (; segment < end; ++segment) {
    uint32_t i = 0;
    for (; i + WIDE_LANES <= segment->count; i += WIDE_LANES) {
      const ends e = load_ends(p, segment->first + (size_t)i);
      const wide components[4] = {e.x, e.y, e.z, e.inv_mass};
      wide_store_records(records + (size_t)4 * i, consecutive, components);
    }
    for (; i < segment->count; ++i) {
      const size_t from = segment->first + (size_t)i;
      const float record[4] = {p->pos_x[from], p->pos_y[from], p->pos_z[from], p->inv_mass[from]};
      memcpy(records + (size_t)4 * i, record, sizeof(record));
    }
    records += (size_t)4 * segment->count;
  }
  memset(records, 0, 4 * sizeof(*records));
}

static void store_records(weft__particles* p, const weft__segment* segment,
                          const weft__segment* end, const float* records) {
  for (; segment < end; ++segment) {
    uint32_t i = 0;
    for (; i + WIDE_LANES <= segment->count; i += WIDE_LANES) {
      wide c[4];
      wide_load_records(records + (size_t)4 * i, consecutive, c);
      store_ends(p, segment->first + (size_t)i, &(ends){c[0], c[1], c[2], c[3]});
    }
    for (; i < segment->count; ++i) {
      const float* record = records + (size_t)4 * i;
      p->pos_x[segment->first + i] = record[0];
      p->pos_y[segment->first + i] = record[1];
      p->pos_z[segment->first + i] = record[2];
    }
    records += (size_t)4 * segment->count;
  }
}

static void load_start_records(const weft__particles* p, const weft__segment* segment,
                               const weft__segment* end, float* records) {
  const weft__particles at_start = {.pos = {p->prev_x, p->prev_y, p->prev_z},
                                    .inv_mass = p->inv_mass};
  load_records(&at_start, segment, end, records);
}

#define FAN_PIECES (WEFT__FAN_LANES / WIDE_LANES)

static inline ends load_record_ends(const float* records, const uint16_t* index) {
  wide c[4];
  wide_load_records(records, index, c);
  return (ends){c[0], c[1], c[2], c[3]};
}

SPECIALIZED link_starts load_record_starts(const float* records, const uint16_t* index,
                                           link_features links) {
  if (links.along_present) return (link_starts){0};
  wide c[4];
  wide_load_records(records, index, c);
  return (link_starts){c[0], c[1], c[2]};
}

static inline void store_record_ends(float* records, const uint16_t* index, const ends* e) {
  const wide c[4] = {e->x, e->y, e->z, e->inv_mass};
  wide_store_records(records, index, c);
}

// Centres stay in registers if the ISA has enough. Groups without links are left out: a small patch
// has many.
SPECIALIZED void solve_slot(const weft__schedule* schedule, const weft__run* run,
                            ends centers[FAN_PIECES], const link_starts start_centers[FAN_PIECES],
                            float* records, const float* start_records, link_features links) {
  const link_cursor first_group = link_cursor_at(schedule, run, links);
  const uint16_t* index = schedule->index_local + run->index;
  const uint16_t* masks = schedule->links.lane_mask + run->first_group;
#pragma GCC unroll 8
  for (uint32_t piece = 0; piece < FAN_PIECES; ++piece) {
    const uint32_t first = piece * WIDE_LANES;
    const uint32_t group = first / WEFT__LANES;
    const uint32_t lane = first % WEFT__LANES;
    if (masks[group] == 0) continue;
    link_cursor r = first_group;
    advance_groups(&r, run, group);
    ends other = load_record_ends(records, index + first);
    const link_starts start_other = load_record_starts(start_records, index + first, links);
    solve_masked_lanes(&centers[piece], &other, &start_centers[piece], &start_other, &r, lane,
                       masks[group] >> lane);
    store_record_ends(records, index + first, &other);
  }
}

// Constant features for `solve`. all: the schedule's; without slack none is compiled
#define SOLVE_BY_FAMILY(all, run, solve, ...)              \
  do {                                                     \
    link_features links = (all);                           \
    links.slack = (all).slack && weft__run_has_slack(run); \
    links.compliant = weft__run_is_compliant(run);         \
    SOLVE_CASE(links, true, true, solve, __VA_ARGS__)      \
    SOLVE_CASE(links, true, false, solve, __VA_ARGS__)     \
    SOLVE_CASE(links, false, true, solve, __VA_ARGS__)     \
    SOLVE_CASE(links, false, false, solve, __VA_ARGS__)    \
  } while (0)

#define SOLVE_CASE(features, has_slack, is_compliant, solve, ...)                  \
  if ((features).slack == (has_slack) && (features).compliant == (is_compliant)) { \
    link_features constant = features;                                             \
    constant.slack = has_slack;                                                    \
    constant.compliant = is_compliant;                                             \
    solve(__VA_ARGS__, constant);                                                  \
    break;                                                                         \
  }

typedef struct patch_records {
  float* now;
  float* start;
} patch_records;

// Runs [begin, end) are its slots.
SPECIALIZED void solve_fan(const weft__schedule* schedule, const weft__run* begin,
                           const weft__run* end, const patch_records* records, bool is_backward,
                           link_features all) {
  const uint16_t* index = schedule->index_local + begin->a;
  ends centers[FAN_PIECES];
  link_starts start_centers[FAN_PIECES];
#pragma GCC unroll 8
  for (uint32_t piece = 0; piece < FAN_PIECES; ++piece) {
    centers[piece] = load_record_ends(records->now, index + (size_t)piece * WIDE_LANES);
    start_centers[piece] =
        load_record_starts(records->start, index + (size_t)piece * WIDE_LANES, all);
  }
  const weft__run* run = is_backward ? end - 1 : begin;
  const ptrdiff_t next = is_backward ? -1 : 1;
  for (ptrdiff_t left = end - begin; left > 0; --left, run += next) {
    if (run->is_idle) continue;
    SOLVE_BY_FAMILY(all, run, solve_slot, schedule, run, centers, start_centers, records->now,
                    records->start);
  }
#pragma GCC unroll 8
  for (uint32_t piece = 0; piece < FAN_PIECES; ++piece) {
    store_record_ends(records->now, index + (size_t)piece * WIDE_LANES, &centers[piece]);
  }
}

static inline const weft__run* end_of_fan(const weft__run* run, const weft__run* end) {
  const uint32_t fan = run->a;
  while (run < end && run->a == fan) ++run;
  return run;
}

static inline const weft__run* begin_of_fan(const weft__run* begin, const weft__run* end) {
  const uint32_t fan = end[-1].a;
  while (end > begin && end[-1].a == fan) --end;
  return end;
}

// Runs [begin, end) are fans.
SPECIALIZED void solve_fans(weft__particles* particles, const weft__schedule* schedule,
                            uint32_t patch, const weft__run* begin, const weft__run* end,
                            bool is_backward, float* scratch, link_features all) {
  const weft__segment* first = schedule->segments + schedule->patch_first_segment[patch];
  const weft__segment* last = schedule->segments + schedule->patch_first_segment[patch + 1];
  const patch_records records = {scratch, scratch + weft__start_records(schedule)};
  load_records(particles, first, last, records.now);
  if (!all.along_present) load_start_records(particles, first, last, records.start);
  while (begin < end) {
    const weft__run* from = is_backward ? begin_of_fan(begin, end) : begin;
    const weft__run* to = is_backward ? end : end_of_fan(begin, end);
    solve_fan(schedule, from, to, &records, is_backward, all);
    if (is_backward) end = from;
    if (!is_backward) begin = to;
  }
  store_records(particles, first, last, records.now);
}

SPECIALIZED void solve_run(weft__particles* particles, const weft__schedule* schedule,
                           const weft__run* run, link_features links) {
  if (run->kind == WEFT__RUN_CONTIGUOUS) {
    solve_contiguous(particles, schedule, run, links);
  } else {
    solve_indexed(particles, schedule, run, links);
  }
}

// Runs [begin, end) are no fans.
SPECIALIZED void solve_in_place(weft__particles* particles, const weft__schedule* schedule,
                                const weft__run* begin, const weft__run* end, bool is_backward,
                                link_features all) {
  const weft__run* run = is_backward ? end - 1 : begin;
  const ptrdiff_t next = is_backward ? -1 : 1;
  for (ptrdiff_t left = end - begin; left > 0; --left, run += next) {
    if (run->is_idle) continue;
    SOLVE_BY_FAMILY(all, run, solve_run, particles, schedule, run);
  }
}

SPECIALIZED void solve_runs(weft__particles* particles, const weft__schedule* schedule,
                            uint32_t patch, bool is_backward, float* records, link_features all) {
  const weft__run* begin = schedule->runs + weft__patch_first_run(schedule, patch);
  const weft__run* end = schedule->runs + weft__patch_end_run(schedule, patch);
  const weft__run* fans = begin;
  while (fans < end && fans->kind != WEFT__RUN_FAN) ++fans;
  const weft__run* in_use = fans;
  // copying records is the cost of a patch whose fans are idle
  while (in_use < end && in_use->is_idle) ++in_use;
  if (!is_backward) solve_in_place(particles, schedule, begin, fans, false, all);
  if (in_use < end) {
    solve_fans(particles, schedule, patch, fans, end, is_backward, records, all);
  }
  if (is_backward) solve_in_place(particles, schedule, begin, fans, true, all);
}

// `links`: constant.
#define SOLVE_FAMILY(name, links)                                                              \
  static void name(weft__particles* particles, const weft__schedule* schedule, uint32_t patch, \
                   bool is_backward, float* records) {                                         \
    solve_runs(particles, schedule, patch, is_backward, records, (link_features)links);        \
  }
#define FEATURES(...) \
  { __VA_ARGS__ }

SOLVE_FAMILY(solve_two_sided, FEATURES(.slack = false))
SOLVE_FAMILY(solve_one_sided, FEATURES(.one_sided = true))
SOLVE_FAMILY(solve_with_slack, FEATURES(.slack = true))
SOLVE_FAMILY(solve_tracked, FEATURES(.slack = true, .tracked = true))
SOLVE_FAMILY(solve_two_sided_present, FEATURES(.along_present = true))
SOLVE_FAMILY(solve_one_sided_present, FEATURES(.one_sided = true, .along_present = true))
SOLVE_FAMILY(solve_with_slack_present, FEATURES(.slack = true, .along_present = true))
SOLVE_FAMILY(solve_tracked_present, FEATURES(.slack = true, .tracked = true, .along_present = true))

static void solve_patch(weft__particles* particles, const weft__schedule* schedule, uint32_t patch,
                        bool is_backward, float* records) {
  typedef void solver(weft__particles*, const weft__schedule*, uint32_t, bool, float*);
  static solver* const solvers[4][2] = {
      {solve_two_sided, solve_two_sided_present},
      {solve_with_slack, solve_with_slack_present},
      {solve_one_sided, solve_one_sided_present},
      {solve_tracked, solve_tracked_present},
  };
  const int with_slack = schedule->links.has_slack ? 1 : 0;
  const int sided = schedule->links.one_sided ? 2 : with_slack;
  const int family = schedule->links.is_tracked ? 3 : sided;
  solvers[family][schedule->links.along_present ? 1 : 0](particles, schedule, patch, is_backward,
                                                         records);
}
