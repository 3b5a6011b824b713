
// Breakable links have a ratio above 0.
static inline wide_mask overstretched(const ends* a, const ends* b, wide rest, wide ratio) {
  const wide x = b->x - a->x;
  const wide y = b->y - a->y;
  const wide z = b->z - a->z;
  const wide bound = ratio * rest;
  return wide_positive(x * x + y * y + z * z - bound * bound) & wide_positive(ratio);
}

typedef struct run_ends {
  const weft__particles* particles;
  const weft__schedule* schedule;
  const weft__run* run;
  const float* records; /* for fans */
} run_ends;

static inline ends load_run_ends(const run_ends* e, uint32_t lane, bool second) {
  const weft__run* run = e->run;
  switch ((weft__run_kind)run->kind) {
    case WEFT__RUN_CONTIGUOUS:
      return load_ends(e->particles, (second ? run->b : run->a) + (size_t)lane);
    case WEFT__RUN_INDEXED:
      return gather_ends(
          e->particles, (second ? e->schedule->index_b : e->schedule->index_a) + run->index + lane);
    case WEFT__RUN_FAN:
      break;
  }
  return load_record_ends(e->records,
                          e->schedule->index_local + (second ? run->index : run->a) + lane);
}

// At tear ratio 1: the upper end of a range, else the rest length.
static inline wide reference_length(const run_ends* e, uint32_t group, uint32_t lane) {
  const weft__schedule* s = e->schedule;
  const weft__run* run = e->run;
  const wide rest =
      wide_load(s->links.rest_length + run->rest + (size_t)group * run->rest_stride + lane);
  if (!weft__run_has_slack(run)) return rest;
  const wide above = wide_load(s->links.slack_above + run->slack_above +
                               (size_t)group * run->slack_above_stride + lane);
  return rest + wide_keep(above, wide_positive(wide_splat(INFINITY) - above));
}

static bool find_torn_in_run(const run_ends* e) {
  const weft__schedule* s = e->schedule;
  const weft__run* run = e->run;
  uint32_t any = 0;
  for (uint32_t g = 0; g < run->group_count; ++g) {
    const float* ratio = s->links.tear_ratio + run->tear_ratio + (size_t)g * run->tear_ratio_stride;
    uint32_t torn = 0;
    for (uint32_t lane = 0; lane < WEFT__LANES; lane += WIDE_LANES) {
      const ends a = load_run_ends(e, g * WEFT__LANES + lane, false);
      const ends b = load_run_ends(e, g * WEFT__LANES + lane, true);
      const wide_mask found =
          overstretched(&a, &b, reference_length(e, g, lane), wide_load(ratio + lane));
      torn |= wide_to_mask(found) << lane;
    }
    torn &= s->links.lane_mask[run->first_group + g];
    s->links.torn[run->first_group + g] = (uint16_t)torn;
    any |= torn;
  }
  return any != 0;
}

static bool find_torn(const weft__particles* particles, const weft__schedule* schedule,
                      uint32_t patch, float* records) {
  const weft__segment* begin = schedule->segments + schedule->patch_first_segment[patch];
  const weft__segment* end = schedule->segments + schedule->patch_first_segment[patch + 1];
  if (begin < end) load_records(particles, begin, end, records);
  bool any = false;
  const uint32_t end_run = weft__patch_end_run(schedule, patch);
  for (uint32_t r = weft__patch_first_run(schedule, patch); r < end_run; ++r) {
    const run_ends e = {particles, schedule, &schedule->runs[r], records};
    if (weft__run_can_tear(e.run)) any |= find_torn_in_run(&e);
  }
  return any;
}
