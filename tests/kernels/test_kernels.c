#include "kernels/kernels.h"

#include "support/lanes.h"
#include "support/rig.h"
#include "support/test.h"

// case number: style + seed * RIG_STYLE_COUNT
static rig rig_of(int number, uint32_t run_count) {
  random_source random = {(uint64_t)number};
  return new_rig(&random, (rig_style)(number % RIG_STYLE_COUNT), run_count);
}

// ---- available kernels ----

TEST(scalar_is_always_there_and_auto_takes_the_widest) {
  ck_assert(weft_isa_supported(WEFT_ISA_SCALAR));
  ck_assert(weft_isa_supported(WEFT_ISA_AUTO));
  int widest = WEFT_ISA_SCALAR;
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    ck_assert_int_eq((int)weft__kernels_select((weft_isa)isa)->isa, isa);
    widest = isa;
  }
  ck_assert_int_eq((int)weft__kernels_select(WEFT_ISA_AUTO)->isa, widest);
}

TEST(the_environment_can_choose_for_auto_and_for_nothing_else) {
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    setenv("WEFT_ISA", weft_isa_name((weft_isa)isa), 1);
    ck_assert_int_eq((int)weft__kernels_select(WEFT_ISA_AUTO)->isa, isa);
    ck_assert_int_eq((int)weft__kernels_select(WEFT_ISA_SCALAR)->isa, WEFT_ISA_SCALAR);
  }
  setenv("WEFT_ISA", "avx9", 1);
  ck_assert(!weft_isa_supported(WEFT_ISA_AUTO));
  ck_assert(weft_isa_supported(WEFT_ISA_SCALAR));
  const weft__kernels* widest = (setenv("WEFT_ISA", "", 1), weft__kernels_select(WEFT_ISA_AUTO));
  setenv("WEFT_ISA", "auto", 1);
  ck_assert_ptr_eq(weft__kernels_select(WEFT_ISA_AUTO), widest);
  unsetenv("WEFT_ISA");
  ck_assert_ptr_eq(weft__kernels_select(WEFT_ISA_AUTO), widest);
}

TEST(isas_that_do_not_exist_are_not_supported) {
  const int bad[] = {-1, ISA_END, 1000};
  for (int i = 0; i < 3; ++i) {
    ck_assert(!weft_isa_supported((weft_isa)bad[i]));
    ck_assert_ptr_nonnull(weft_isa_name((weft_isa)bad[i]));
  }
}

TEST(isas_have_the_names_that_the_header_lists) {
  const char* const names[] = {"auto", "scalar", "sse2", "avx2", "avx512", "neon", "simd128"};
  for (int isa = 0; isa < ISA_END; ++isa) {
    ck_assert_str_eq(weft_isa_name((weft_isa)isa), names[isa]);
  }
}

// ---- every ISA against scalar ----

LOOP_TEST(every_isa_solves_like_scalar_bit_for_bit, 0, ROUNDS(300, 60)) {
  rig r = rig_of(_i, 12);
  weft__particles expected = copy_particles(&r.particles);
  solve_rig(&weft__kernels_scalar, &expected, &r.schedule, 3);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles particles = copy_particles(&r.particles);
    solve_rig(weft__kernels_select((weft_isa)isa), &particles, &r.schedule, 3);
    ck_assert_msg(same_particles(&particles, &expected), "%s", weft_isa_name((weft_isa)isa));
  }
}

static weft__motion draw_motion(random_source* random) {
  weft__motion motion = {.kept = random_float(random, 0.0f, 1.0f),
                         .step_squared = random_float(random, 1e-6f, 1e-3f)};
  for (int axis = 0; axis < 3; ++axis) {
    motion.displacement[axis] = random_float(random, -0.01f, 0.01f);
    // half of the limits are infinite, the other half limit most particles
    motion.reach[axis] =
        random_below(random, 2) == 0 ? INFINITY : random_float(random, 1e-4f, 0.1f);
  }
  return motion;
}

#define MOST_FORCE 10.0f  // newtons

// every other case has forces
static void draw_forces(random_source* random, weft__particles* p) {
  if (random_below(random, 2) == 0) return;
  ck_assert(weft__particles_add_forces(p));
  destroy_at_end(free, p->force_block);
  for (uint32_t i = 0; i < p->count; ++i) {
    p->force_x[i] = random_float(random, -MOST_FORCE, MOST_FORCE);
    p->force_y[i] = random_float(random, -MOST_FORCE, MOST_FORCE);
    p->force_z[i] = random_float(random, -MOST_FORCE, MOST_FORCE);
  }
}

RANDOM_TEST(every_isa_integrates_like_scalar_bit_for_bit, ROUNDS(300, 60)) {
  const weft__motion motion = draw_motion(&random);
  rig r = rig_of(_i, 1);
  const uint32_t end = random_from(&random, 1, r.particles.count);
  const uint32_t begin = random_below(&random, end);
  draw_forces(&random, &r.particles);
  weft__particles expected = copy_particles(&r.particles);
  weft__kernels_scalar.integrate(&expected, &motion, begin, end);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles particles = copy_particles(&r.particles);
    weft__kernels_select((weft_isa)isa)->integrate(&particles, &motion, begin, end);
    ck_assert_msg(same_particles(&particles, &expected), "%s", weft_isa_name((weft_isa)isa));
  }
}

// ---- scalar against double precision ----

typedef struct point {
  double x, y, z;
} point;

static point point_of(const weft__particles* p, uint32_t i) {
  return (point){(double)p->pos_x[i], (double)p->pos_y[i], (double)p->pos_z[i]};
}

static point moved(point from, point direction, double amount) {
  return (point){from.x + amount * direction.x, from.y + amount * direction.y,
                 from.z + amount * direction.z};
}

static bool near(const weft__particles* p, uint32_t i, point expected, double tolerance) {
  const point got = point_of(p, i);
  return fabs(got.x - expected.x) <= tolerance && fabs(got.y - expected.y) <= tolerance &&
         fabs(got.z - expected.z) <= tolerance;
}

// link parameters of a lane
typedef struct lane_rule {
  double rest, relaxation;
  double softness, multiplier; /* compliant links only */
  double below, above;         /* tolerance for compression and for stretch, from rest */
  bool compliant, one_sided, has_slack, along_present;
} lane_rule;

static double lane_value(const float* column, uint32_t first, uint32_t stride, uint32_t lane) {
  return (double)column[first + lane / WEFT__LANES * stride + lane % WEFT__LANES];
}

static lane_rule rule_of_lane(const weft__schedule* s, const weft__run* run, uint32_t lane) {
  lane_rule r = {
      .rest = lane_value(s->rest_length, run->rest, run->rest_stride, lane),
      .relaxation = lane_value(s->relaxation, run->relaxation, run->relaxation_stride, lane),
      .compliant = weft__run_is_compliant(run),
      .one_sided = s->one_sided,
      .has_slack = weft__run_has_slack(run),
      .along_present = s->along_present};
  if (weft__run_has_slack(run)) {
    r.below = lane_value(s->slack_below, run->slack_below, run->slack_below_stride, lane);
    r.above = lane_value(s->slack_above, run->slack_above, run->slack_above_stride, lane);
  }
  if (!r.compliant) return r;
  r.softness = (double)s->rate_squared *
               lane_value(s->compliance, run->compliance, run->compliance_stride, lane);
  r.multiplier = (double)s->multiplier[(size_t)run->first_group * WEFT__LANES + lane];
  return r;
}

// constraint error outside the tolerance; below 0 if too short
static double too_long(const lane_rule* r, double error) {
  if (error > r->above) return error - r->above;
  return error < -r->below ? error + r->below : 0.0;
}

static const double resolution = 1e-6;   // share of the rest length
static const double near_rest = 0.2;     // of the squared length, as a share of its rest
static const double turn_limit = 0.8;    // cosine of the largest turn
static const double limit_width = 1e-5;  // where rounding decides

// Change of a compliant link's multiplier.
static double solve_multiplier(const lane_rule* r, double length, double weights) {
  double alone = r->multiplier * weights + length - r->rest;
  if (r->has_slack) {
    // multiplier at which force and length of this link agree
    alone = too_long(r, alone);
  } else if (!r->along_present) {
    const double error = length - r->rest - r->softness * r->multiplier;
    alone -= fmax(-resolution * r->rest, fmin(error, resolution * r->rest));
  }
  const double change = r->relaxation * (alone / (weights + r->softness) - r->multiplier);
  if (!r->one_sided) return change;
  if (length <= r->rest) return 0.0;
  return r->softness < 2.0 * weights ? fmax(change, -r->multiplier) : 0.0;
}

// True for a length of a rigid link that needs no root.
static bool is_near_rest(const lane_rule* r, double length) {
  if (r->compliant) return true;
  return fabs(length * length - r->rest * r->rest) <= near_rest * r->rest * r->rest;
}

// Length that a rigid link is to be shorter by.
static double shorten_rigid(const lane_rule* r, double length) {
  double error = r->one_sided ? fmax(length - r->rest, 0.0) : too_long(r, length - r->rest);
  const double excess = length * length - r->rest * r->rest;
  const bool is_measured = r->one_sided || r->has_slack || r->along_present;
  if (!is_measured && is_near_rest(r, length)) error = 0.5 * excess / length;
  if (!r->along_present && fabs(error) <= resolution * r->rest) error = 0.0;
  return r->relaxation * error;
}

static double inner(point a, point b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point offset_of(float* const columns[3], uint32_t a, uint32_t b) {
  return (point){(double)columns[0][b] - (double)columns[0][a],
                 (double)columns[1][b] - (double)columns[1][a],
                 (double)columns[2][b] - (double)columns[2][a]};
}

// Cosine of the turn of a link since the start of the substep.
static double turn_of(point d, point e) {
  const double lengths = sqrt(inner(d, d) * inner(e, e));
  return lengths > 0.0 ? inner(d, e) / lengths : 0.0;
}

// True if rounding decides between two formulas.
static bool sensitive(const weft__particles* p, uint32_t a, uint32_t b, const lane_rule* r) {
  const point d = offset_of(p->pos, a, b), e = offset_of(p->prev, a, b);
  const double length = sqrt(inner(d, d));
  return is_near_rest(r, length * (1.0 - limit_width)) !=
             is_near_rest(r, length * (1.0 + limit_width)) ||
         fabs(turn_of(d, e) - turn_limit) < limit_width;
}

// solved positions of a link's ends, in double precision
static void solve_link(const weft__particles* p, uint32_t a, uint32_t b, const lane_rule* r,
                       point* new_a, point* new_b) {
  const point d = offset_of(p->pos, a, b), e = offset_of(p->prev, a, b);
  const double length = sqrt(inner(d, d));
  const double weight_a = (double)p->inv_mass[a];
  const double weight_b = (double)p->inv_mass[b];
  const double weights = weight_a + weight_b;
  *new_a = point_of(p, a);
  *new_b = point_of(p, b);
  if (length == 0.0 || weights == 0.0) return;
  const bool is_along_start = !r->along_present && turn_of(d, e) > turn_limit;
  const point direction = is_along_start ? e : d;
  const double change =
      r->compliant ? solve_multiplier(r, length, weights) : shorten_rigid(r, length) / weights;
  const double scale = change * length / inner(d, direction);
  *new_a = moved(*new_a, direction, weight_a * scale);
  *new_b = moved(*new_b, direction, -weight_b * scale);
}

// solves one run and compares each lane with the formula
static uint32_t compare_run(rig* r, random_source* random, uint32_t number) {
  const weft__schedule* s = &r->schedule;
  const weft__run* run = &s->runs[number];
  const uint32_t lanes = run->group_count * WEFT__LANES;
  lane_rule* rules = test_alloc(lanes * sizeof(*rules));
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    float* multiplier = &s->multiplier[(size_t)run->first_group * WEFT__LANES + lane];
    *multiplier = random_float(random, 0.0f, 0.01f);
    rules[lane] = rule_of_lane(s, run, lane);
  }
  weft__particles before = copy_particles(&r->particles);
  weft__kernels_scalar.solve_patch(&r->particles, s, number, number % 2 == 1, NULL);
  uint32_t compared = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const uint32_t group = run->first_group + lane / WEFT__LANES;
    if (!holds_link(s, group, lane % WEFT__LANES)) continue;
    uint32_t a = 0;
    uint32_t b = 0;
    weft__schedule_ends(s, number, run, group, lane % WEFT__LANES, &a, &b);
    if (sensitive(&before, a, b, &rules[lane])) continue;
    ++compared;
    point new_a;
    point new_b;
    solve_link(&before, a, b, &rules[lane], &new_a, &new_b);
    require(near(&r->particles, a, new_a, 4e-6) && near(&r->particles, b, new_b, 4e-6));
  }
  return compared;
}

// Every other scene has moved little since the start of the substep.
static void start_nearby(weft__particles* p, random_source* random) {
  for (uint32_t i = 0; i < p->count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      p->prev[axis][i] = p->pos[axis][i] + random_float(random, -0.05f, 0.05f);
    }
  }
}

RANDOM_TEST(scalar_solves_a_run_as_the_formula_says_in_double_precision, ROUNDS(300, 60)) {
  rig r = new_rig(&random, _i % 4 == 0 ? RIG_COINCIDENT : RIG_PLAIN, 8);
  if (_i % 2 == 1) start_nearby(&r.particles, &random);
  r.schedule.along_present = _i % 3 == 2;
  uint32_t compared = 0;
  for (uint32_t run = 0; run < r.schedule.run_count; ++run) {
    compared += compare_run(&r, &random, run);
  }
  ck_assert_uint_gt(compared, 0);
}

// displacement of a free particle along an axis, clamped to its limit
static double moved_along(const weft__motion* motion, int axis, double velocity, double pushed) {
  const double moved =
      velocity * (double)motion->kept + (double)motion->displacement[axis] + pushed;
  return fmax(-(double)motion->reach[axis], fmin(moved, (double)motion->reach[axis]));
}

RANDOM_TEST(scalar_integrates_as_the_formula_says_in_double_precision, ROUNDS(300, 60)) {
  const weft__motion motion = draw_motion(&random);
  rig r = new_rig(&random, RIG_PLAIN, 1);
  draw_forces(&random, &r.particles);
  weft__particles before = copy_particles(&r.particles);
  const weft__particles* p = &r.particles;
  weft__kernels_scalar.integrate(p, &motion, 0, p->count);
  for (uint32_t i = 0; i < p->count; ++i) {
    const point velocity = {(double)(before.pos_x[i] - before.prev_x[i]),
                            (double)(before.pos_y[i] - before.prev_y[i]),
                            (double)(before.pos_z[i] - before.prev_z[i])};
    point expected = point_of(&before, i);
    require(p->prev_x[i] == before.pos_x[i] && p->prev_y[i] == before.pos_y[i] &&
            p->prev_z[i] == before.pos_z[i]);
    if (before.inv_mass[i] == 0.0f) {
      require(near(p, i, expected, 0.0));
      continue;
    }
    const double push = (double)before.inv_mass[i] * (double)motion.step_squared;
    const point force =
        p->force_block == NULL
            ? (point){0}
            : (point){(double)p->force_x[i], (double)p->force_y[i], (double)p->force_z[i]};
    expected.x += moved_along(&motion, 0, velocity.x, force.x * push);
    expected.y += moved_along(&motion, 1, velocity.y, force.y * push);
    expected.z += moved_along(&motion, 2, velocity.z, force.z * push);
    // light particles move far; the tolerance grows with their displacement
    require(near(p, i, expected, 1e-6 + 1e-6 * (double)MOST_FORCE * push));
  }
}

// ---- particles that must not move ----

// marks the particles that belong to a lane with a link
static bool* list_linked(const rig* r) {
  const weft__schedule* s = &r->schedule;
  bool* linked = test_alloc(((size_t)r->particles.count + WEFT__PARTICLE_PADDING) * sizeof(bool));
  for (uint32_t n = 0; n < s->run_count; ++n) {
    const weft__run* run = &s->runs[n];
    for (uint32_t lane = 0; lane < run->group_count * WEFT__LANES; ++lane) {
      const uint32_t group = run->first_group + lane / WEFT__LANES;
      if (!holds_link(s, group, lane % WEFT__LANES)) continue;
      uint32_t a = 0;
      uint32_t b = 0;
      weft__schedule_ends(s, n, run, group, lane % WEFT__LANES, &a, &b);
      linked[a] = linked[b] = true;
    }
  }
  return linked;
}

static bool same_place(const weft__particles* p, const weft__particles* q, uint32_t i) {
  return p->pos_x[i] == q->pos_x[i] && p->pos_y[i] == q->pos_y[i] && p->pos_z[i] == q->pos_z[i];
}

static void expect_unmoved(rig* r, const bool* may_move) {
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles particles = copy_particles(&r->particles);
    solve_rig(weft__kernels_select((weft_isa)isa), &particles, &r->schedule, 1);
    for (uint32_t i = 0; i < particles.count + WEFT__PARTICLE_PADDING; ++i) {
      require(may_move[i] || same_place(&particles, &r->particles, i));
    }
  }
}

RANDOM_TEST(an_empty_lane_leaves_its_particles_where_they_are_whatever_their_place,
            ROUNDS(300, 60)) {
  // few lanes hold a link, so many particles occur in empty lanes only
  rig r = new_rig(&random, (rig_style)(_i % RIG_STYLE_COUNT), 3);
  for (uint32_t g = 0; g < r.schedule.group_count; ++g) {
    // empty lanes of indexed groups repeat another lane: keep their masks
    if (r.schedule.runs[g / 4].kind == WEFT__RUN_CONTIGUOUS) r.schedule.lane_mask[g] = 0x0101;
  }
  bool* linked = list_linked(&r);
  expect_unmoved(&r, linked);
}

LOOP_TEST(a_pinned_particle_stays_whatever_is_linked_to_it, 0, ROUNDS(300, 60)) {
  // styles without overflow of distances
  static const rig_style styles[] = {RIG_PLAIN, RIG_TINY, RIG_LARGE, RIG_COINCIDENT};
  random_source random = {(uint64_t)_i};
  rig r = new_rig(&random, styles[_i % 4], 8);
  bool* free_to_move =
      test_alloc(((size_t)r.particles.count + WEFT__PARTICLE_PADDING) * sizeof(bool));
  for (uint32_t i = 0; i < r.particles.count; ++i) free_to_move[i] = r.particles.inv_mass[i] > 0;
  expect_unmoved(&r, free_to_move);
}

RANDOM_TEST(ends_in_one_place_stay_there, 20) {
  rig r = new_rig(&random, RIG_COINCIDENT, 4);
  bool* may_move = test_alloc(((size_t)r.particles.count + WEFT__PARTICLE_PADDING) * sizeof(bool));
  for (uint32_t i = 0; i < r.particles.count; ++i) {
    r.particles.pos_x[i] = 0.25f;
    r.particles.pos_y[i] = -3.0f;
    r.particles.pos_z[i] = 1e-3f;
  }
  expect_unmoved(&r, may_move);
}

LOOP_TEST(only_the_patch_that_was_asked_for_is_solved, 0, 20) {
  rig r = rig_of(6 * _i, 6);
  weft__particles whole = copy_particles(&r.particles);
  weft__particles parts = copy_particles(&r.particles);
  const weft__kernels* kernels = weft__kernels_select(WEFT_ISA_AUTO);
  solve_rig(kernels, &whole, &r.schedule, 1);
  forget_multipliers(&r.schedule);
  for (uint32_t patch = 0; patch < 6; ++patch) {
    ck_assert(!same_particles(&parts, &whole));
    kernels->solve_patch(&parts, &r.schedule, patch, false, NULL);
  }
  ck_assert(same_particles(&parts, &whole));
}
