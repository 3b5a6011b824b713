#include "support/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/lanes.h"
#include "support/suite.h"

enum { GROUPS_A_RUN = 4, RUN_LANES = GROUPS_A_RUN * 16 };

static float draw_size(random_source* random, rig_style style) {
  switch (style) {
    case RIG_TINY:
      return ldexpf(1.0f, -(int)random_from(random, 60, 149));
    case RIG_LARGE:
      return ldexpf(1.0f, (int)random_from(random, 10, 22));
    case RIG_HUGE:
      return ldexpf(1.0f, (int)random_from(random, 22, 127));
    default:
      return 1.0f;
  }
}

static float draw_coordinate(random_source* random, rig_style style) {
  if (style == RIG_COINCIDENT) return 0.5f * (float)random_below(random, 2);
  return draw_size(random, style) * random_float(random, -1.0f, 1.0f);
}

// equal masses, equal masses in stretches (which have a kernel path of their own), or random
// masses; one in four random draws is pinned
static void draw_masses(weft__particles* p, random_source* random) {
  const uint32_t kind = random_below(random, 3);
  float mass = random_float(random, 0.5f, 2000.0f);
  for (uint32_t i = 0; i < p->count; ++i) {
    if (kind == 2 || (kind == 1 && random_chance(random, 40))) {
      mass = random_chance(random, 4) ? 0.0f : random_float(random, 0.5f, 2000.0f);
    }
    p->inv_mass[i] = mass;
  }
}

void fill_particles(weft__particles* p, random_source* random, rig_style style) {
  for (uint32_t i = 0; i < p->count; ++i) {
    const rig_style here = style == RIG_MIXED ? (rig_style)random_below(random, RIG_MIXED) : style;
    p->pos_x[i] = draw_coordinate(random, here);
    p->pos_y[i] = draw_coordinate(random, here);
    p->pos_z[i] = draw_coordinate(random, here);
    p->prev_x[i] = draw_coordinate(random, here);
    p->prev_y[i] = draw_coordinate(random, here);
    p->prev_z[i] = draw_coordinate(random, here);
  }
  draw_masses(p, random);
}

// any mask, often full; the first lane always holds a link
static uint16_t draw_mask(random_source* random) {
  const uint64_t bits = random_chance(random, 2) ? WEFT__ALL_LANES : random_bits(random);
  return (uint16_t)((bits & WEFT__ALL_LANES) | 1u);
}

// a run of consecutive particles, whose two ranges do not overlap
static void draw_contiguous(rig* r, random_source* random, weft__run* run) {
  const uint32_t room = r->particles.count - RUN_LANES;
  run->kind = WEFT__RUN_CONTIGUOUS;
  do {
    run->a = random_below(random, room);
    // may extend past the last particle, by less than a group
    run->b = random_below(random, room + WEFT__LANES);
  } while (run->a < run->b + RUN_LANES && run->b < run->a + RUN_LANES);
  // lanes past the last particle hold no link
  for (uint32_t lane = 0; lane < RUN_LANES; ++lane) {
    if (run->b + lane < r->particles.count) continue;
    uint16_t* mask = &r->schedule.links.lane_mask[run->first_group + lane / WEFT__LANES];
    *mask = (uint16_t)((uint32_t)*mask & ~(1u << lane % WEFT__LANES));
  }
}

// a run of lanes that share no particle; empty lanes repeat the first lane of their group
static void draw_indexed(rig* r, random_source* random, weft__run* run, uint32_t number) {
  const weft__schedule* s = &r->schedule;
  run->kind = WEFT__RUN_INDEXED;
  run->index = number * RUN_LANES;
  uint32_t* order = test_alloc(sizeof(uint32_t) * r->particles.count);
  for (uint32_t i = 0; i < r->particles.count; ++i) order[i] = i;
  for (uint32_t lane = 0; lane < RUN_LANES; ++lane) {
    for (uint32_t end = 0; end < 2; ++end) {
      const uint32_t at = 2 * lane + end;
      const uint32_t other = random_from(random, at, r->particles.count - 1);
      const uint32_t drawn = order[other];
      order[other] = order[at];
      order[at] = drawn;
    }
    const uint32_t group = run->first_group + lane / WEFT__LANES;
    const bool empty = !holds_link(s, group, lane % WEFT__LANES);
    const uint32_t from = empty ? lane / WEFT__LANES * WEFT__LANES : lane;
    s->index_a[run->index + lane] = order[2 * from];
    s->index_b[run->index + lane] = order[2 * from + 1];
  }
}

static void draw_run(rig* r, random_source* random, uint32_t number) {
  weft__run* run = &r->schedule.runs[number];
  *run = (weft__run){
      .first_group = number * GROUPS_A_RUN,
      .group_count = GROUPS_A_RUN,
      .rest = number * RUN_LANES,
      .rest_stride = random_chance(random, 2) ? 0 : WEFT__LANES,
      .relaxation = number * RUN_LANES,
      .relaxation_stride = random_chance(random, 2) ? 0 : WEFT__LANES,
      .compliance = random_chance(random, 2) ? WEFT__NONE : number * RUN_LANES,
      .compliance_stride = random_chance(random, 2) ? 0 : WEFT__LANES,
      .tear_ratio = random_chance(random, 2) ? WEFT__NONE : number * RUN_LANES,
      .tear_ratio_stride = random_chance(random, 2) ? 0 : WEFT__LANES,
  };
  run->slack_below = run->slack_above = WEFT__NONE;
  if (r->schedule.links.has_slack && !random_chance(random, 3)) {
    run->slack_below = run->slack_above = number * RUN_LANES;
    run->slack_below_stride = random_chance(random, 2) ? 0 : WEFT__LANES;
    run->slack_above_stride = random_chance(random, 2) ? 0 : WEFT__LANES;
  }
  if (run->compliance == WEFT__NONE) run->compliance_stride = 0;
  if (run->tear_ratio == WEFT__NONE) run->tear_ratio_stride = 0;
  if (random_chance(random, 2)) {
    draw_contiguous(r, random, run);
  } else {
    draw_indexed(r, random, run, number);
  }
}

// zero, finite or infinite slack
static float draw_slack(random_source* random, rig_style style) {
  const uint32_t kind = random_below(random, 3);
  return kind == 0 ? 0.0f : kind == 1 ? INFINITY : draw_size(random, style) * 0.3f;
}

static void draw_parameters(weft__schedule* s, random_source* random, rig_style style,
                            uint32_t lane_count) {
  for (uint32_t i = 0; i < lane_count; ++i) {
    s->links.rest_length[i] = draw_size(random, style) * random_float(random, 0.01f, 1.0f);
    s->links.relaxation[i] = random_chance(random, 3) ? 1.0f : random_float(random, 0.0f, 1.0f);
    s->links.tear_ratio[i] = random_chance(random, 3) ? 0.0f : random_float(random, 1.01f, 3.0f);
    s->links.compliance[i] =
        random_chance(random, 3) ? 0.0f : powf(10.0f, random_float(random, -7.0f, 1.0f));
    s->links.slack_below[i] = draw_slack(random, style);
    s->links.slack_above[i] = draw_slack(random, style);
  }
}

static void destroy_particles(void* particles) {
  weft__particles_destroy(particles);
}

static void destroy_particles_at_end(const weft__particles* particles) {
  weft__particles* kept = test_alloc(sizeof(*kept));
  *kept = *particles;
  destroy_at_end(destroy_particles, kept);
}

rig new_rig(random_source* random, rig_style style, uint32_t run_count) {
  rig r = {0};
  const uint32_t lanes = run_count * RUN_LANES;
  ck_assert(weft__particles_create(&r.particles, random_from(random, 3 * RUN_LANES, 1000)));
  fill_particles(&r.particles, random, style);
  weft__schedule* s = &r.schedule;
  s->particle_count = r.particles.count;
  s->patch_count = s->batch_count = s->run_count = run_count;
  s->links.group_count = run_count * GROUPS_A_RUN;
  s->runs = test_alloc(run_count * sizeof(*s->runs));
  s->patch_first_batch = test_alloc((run_count + 1) * sizeof(uint32_t));
  s->patch_first_segment = test_alloc((run_count + 1) * sizeof(uint32_t));
  s->batch_first_run = test_alloc((run_count + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i <= run_count; ++i) s->patch_first_batch[i] = s->batch_first_run[i] = i;
  s->links.lane_mask = test_alloc(s->links.group_count * sizeof(*s->links.lane_mask));
  s->index_a = test_alloc(lanes * sizeof(*s->index_a));
  s->index_b = test_alloc(lanes * sizeof(*s->index_b));
  s->links.rest_length = test_alloc(lanes * sizeof(*s->links.rest_length));
  s->links.relaxation = test_alloc(lanes * sizeof(*s->links.relaxation));
  s->links.compliance = test_alloc(lanes * sizeof(*s->links.compliance));
  s->links.multiplier = test_alloc(lanes * sizeof(*s->links.multiplier));
  s->links.tear_ratio = test_alloc(lanes * sizeof(*s->links.tear_ratio));
  s->links.slack_below = test_alloc(lanes * sizeof(*s->links.slack_below));
  s->links.slack_above = test_alloc(lanes * sizeof(*s->links.slack_above));
  s->links.torn = test_alloc(s->links.group_count * sizeof(*s->links.torn));
  s->links.rate_squared = 3600.0f;
  s->links.one_sided = random_chance(random, 4);
  s->links.has_slack = !s->links.one_sided && random_chance(random, 2);
  for (uint32_t g = 0; g < s->links.group_count; ++g) s->links.lane_mask[g] = draw_mask(random);
  draw_parameters(s, random, style, lanes);
  for (uint32_t run = 0; run < run_count; ++run) draw_run(&r, random, run);
  destroy_particles_at_end(&r.particles);
  return r;
}

void forget_multipliers(const weft__schedule* schedule) {
  if (schedule->links.multiplier == NULL) return;
  memset(schedule->links.multiplier, 0, sizeof(float) * WEFT__LANES * schedule->links.group_count);
}

void solve_rig(const weft__kernels* kernels, weft__particles* particles,
               const weft__schedule* schedule, uint32_t sweeps) {
  forget_multipliers(schedule);
  for (uint32_t sweep = 0; sweep < sweeps; ++sweep) {
    for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
      kernels->solve_patch(particles, schedule, patch, false, NULL);
    }
  }
}

enum { COLUMN_COUNT = 7 };

static float* column_of(const weft__particles* p, int column) {
  float* const columns[COLUMN_COUNT] = {p->pos_x,  p->pos_y,  p->pos_z,   p->prev_x,
                                        p->prev_y, p->prev_z, p->inv_mass};
  return columns[column];
}

weft__particles copy_particles(const weft__particles* particles) {
  weft__particles copy;
  ck_assert(weft__particles_create(&copy, particles->count));
  const size_t bytes = (particles->count + WEFT__PARTICLE_PADDING) * sizeof(float);
  for (int c = 0; c < COLUMN_COUNT; ++c) {
    memcpy(column_of(&copy, c), column_of(particles, c), bytes);
  }
  if (particles->force_block != NULL) {
    ck_assert(weft__particles_add_forces(&copy));
    memcpy(copy.force_x, particles->force_x, bytes);
    memcpy(copy.force_y, particles->force_y, bytes);
    memcpy(copy.force_z, particles->force_z, bytes);
  }
  destroy_particles_at_end(&copy);
  return copy;
}

bool same_particles(const weft__particles* left, const weft__particles* right) {
  const size_t bytes = (left->count + WEFT__PARTICLE_PADDING) * sizeof(float);
  for (int c = 0; c < COLUMN_COUNT; ++c) {
    if (memcmp(column_of(left, c), column_of(right, c), bytes) != 0) return false;
  }
  return left->count == right->count;
}
