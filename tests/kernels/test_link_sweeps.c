/* One sweep over links of all modes against a projection in double precision, link by link. */
#include "kernels/kernels.h"
#include "support/frozen.h"
#include "support/lanes.h"
#include "support/link_modes.h"
#include "support/rig.h"
#include "support/test.h"

typedef struct oracle {
  double (*pos)[3]; /* in solver order */
  double* pull;     /* multiplier of each link [link_count] */
} oracle;

// constraint error of a link of this length: above 0 too long, below 0 too short
static double excess(const weft_link_def* link, double length) {
  const double rest = (double)link->rest_length;
  switch (link->mode) {
    case WEFT_LINK_MODE_BOTH:
      return length - rest;
    case WEFT_LINK_MODE_STRETCH:
      return length > rest ? length - rest : 0.0;
    case WEFT_LINK_MODE_COMPRESS:
      return length < rest ? length - rest : 0.0;
    default:
      break;
  }
  if (length < rest) return length - rest;
  return length > (double)link->max_length ? length - (double)link->max_length : 0.0;
}

static double inner(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Cosine of the turn of a link since the start of the substep; e: offset then.
static double turn_of(const oracle* o, const weft__particles* p, uint32_t a, uint32_t b,
                      double e[3]) {
  double along = 0.0, now = 0.0, then = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = o->pos[b][axis] - o->pos[a][axis];
    e[axis] = (double)p->prev[axis][b] - (double)p->prev[axis][a];
    along += d * e[axis];
    now += d * d;
    then += e[axis] * e[axis];
  }
  return along / sqrt(now * then);
}

// cosine of the largest turn of a link that is corrected along its offset at the start
static const double turn_limit = 0.8;

// Errors of the squared length up to this share of it need no root, if nothing is slack.
static const double near_rest = 0.2;
// share of the rest length
static const double resolution = 1e-6;

// True for a length of a rigid link that needs no root.
static bool is_near_rest(const weft_link_def* link, const weft__run* run, double length) {
  const double rest = (double)link->rest_length;
  return weft__run_is_compliant(run) || weft__run_has_slack(run) ||
         fabs(length * length - rest * rest) <= near_rest * rest * rest;
}

// Length that a rigid link is to be shorter by.
static double rigid_excess(const weft_link_def* link, const weft__run* run, bool is_textbook,
                           double length) {
  const double rest = (double)link->rest_length, square = length * length - rest * rest;
  double error = excess(link, length);
  if (is_textbook) return error;
  if (!weft__run_has_slack(run) && fabs(square) <= near_rest * rest * rest) {
    error = 0.5 * square / length;
  }
  return fabs(error) > resolution * rest ? error : 0.0;
}

// Multiplier that solves a compliant link alone, from a start at zero.
static double alone_pull(const weft_link_def* link, const weft__run* run, double length,
                         double weights, double soft, double pull) {
  double error = excess(link, length + weights * pull);
  if (!weft__run_has_slack(run)) {
    const double resolved = resolution * (double)link->rest_length;
    error -= fmax(-resolved, fmin(excess(link, length) - soft * pull, resolved));
  }
  return error / (weights + soft);
}

// Squared phase of a particle's swing in a substep between taut links of this kind, over 4; at most
// 1 for a correction along the offset at the start. 0 of rigid links.
static double swing_of(const weft_link_def* link, const frozen* f, const weft__run* run,
                       double length, double weights) {
  const double soft = (double)link->compliance * (double)f->schedule.links.rate_squared;
  if (!weft__run_is_compliant(run) || soft == 0.0) return 0.0;
  return weights * (length - (double)link->rest_length) / (soft * length);
}

static void project(oracle* o, const frozen* f, const weft__particles* p, uint32_t number,
                    const weft__run* run) {
  const weft_link_def* link = &f->links[number];
  const uint32_t a = f->schedule.solver_of[link->a];
  const uint32_t b = f->schedule.solver_of[link->b];
  const double weights = (double)p->inv_mass[a] + (double)p->inv_mass[b];
  double d[3];
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    d[axis] = o->pos[b][axis] - o->pos[a][axis];
    square += d[axis] * d[axis];
  }
  const double length = sqrt(square);
  if (length == 0.0 || weights == 0.0) return;
  double e[3];
  const double turn = turn_of(o, p, a, b, e);
  const bool is_along_start = !f->schedule.links.along_present && turn > turn_limit &&
                              swing_of(link, f, run, length, weights) <= 1.0;
  const double along = is_along_start ? turn * length * sqrt(inner(e, e)) : square;
  const double relaxation = (double)link->relaxation;
  const bool is_textbook = f->schedule.links.along_present;
  double change = relaxation * rigid_excess(link, run, is_textbook, length) / weights;
  if (weft__run_is_compliant(run)) {
    const double soft = (double)link->compliance * (double)f->schedule.links.rate_squared;
    const double pull = alone_pull(link, run, length, weights, soft, o->pull[number]);
    change = relaxation * (pull - o->pull[number]);
    o->pull[number] += change;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double move = change * length / along * (is_along_start ? e[axis] : d[axis]);
    o->pos[a][axis] += (double)p->inv_mass[a] * move;
    o->pos[b][axis] -= (double)p->inv_mass[b] * move;
  }
}

// true for nearly coincident ends, whose direction depends on rounding, and for turns and lengths
// near the limits
static bool sensitive(const oracle* o, const frozen* f, const weft__particles* p, uint32_t number,
                      const weft__run* run) {
  const uint32_t a = f->schedule.solver_of[f->links[number].a];
  const uint32_t b = f->schedule.solver_of[f->links[number].b];
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    square += (o->pos[b][axis] - o->pos[a][axis]) * (o->pos[b][axis] - o->pos[a][axis]);
  }
  const weft_link_def* link = &f->links[number];
  const double length = sqrt(square);
  const double weights = (double)p->inv_mass[a] + (double)p->inv_mass[b];
  double e[3];
  return square < 1e-4 || fabs(swing_of(link, f, run, length, weights) - 1.0) < 1e-3 ||
         is_near_rest(link, run, 0.999 * length) != is_near_rest(link, run, 1.001 * length) ||
         fabs(turn_of(o, p, a, b, e) - turn_limit) < 1e-3;
}

static uint32_t* new_link_of_slot(const weft__schedule* s) {
  uint32_t* link_of =
      test_alloc(((size_t)s->links.group_count * WEFT__LANES + 1) * sizeof(*link_of));
  for (uint32_t i = 0; i < s->links.link_count; ++i) link_of[s->links.slot_of_link[i]] = i;
  return link_of;
}

static void load_oracle(oracle* o, const frozen* f, const weft__particles* p) {
  for (uint32_t i = 0; i < f->schedule.links.link_count && f->schedule.links.multiplier != NULL;
       ++i) {
    o->pull[i] = (double)f->schedule.links.multiplier[f->schedule.links.slot_of_link[i]];
  }
  for (uint32_t i = 0; i < p->count; ++i) {
    o->pos[i][0] = (double)p->pos_x[i];
    o->pos[i][1] = (double)p->pos_y[i];
    o->pos[i][2] = (double)p->pos_z[i];
  }
}

static bool agrees(const oracle* o, const weft__particles* p, uint32_t i) {
  const double got[3] = {(double)p->pos_x[i], (double)p->pos_y[i], (double)p->pos_z[i]};
  for (int axis = 0; axis < 3; ++axis) {
    if (!(fabs(got[axis] - o->pos[i][axis]) <= 2e-5)) return false;
  }
  return true;
}

// Solves one patch with the kernel and with the reference, from the same positions. Returns the
// number of links compared before the first one that is sensitive to rounding.
static uint32_t compare_patch(oracle* o, const frozen* f, weft__particles* p, uint32_t patch,
                              const uint32_t* link_of, bool is_backward, float* records) {
  const weft__schedule* s = &f->schedule;
  load_oracle(o, f, p);
  weft__kernels_scalar.solve_patch(p, s, patch, is_backward, records);
  uint32_t count = 0;
  const uint32_t first = weft__patch_first_run(s, patch), end = weft__patch_end_run(s, patch);
  for (uint32_t k = first; k < end; ++k) {
    const uint32_t r = is_backward ? first + end - 1 - k : k;
    for (uint32_t lane = 0; lane < s->runs[r].group_count * WEFT__LANES; ++lane) {
      const uint32_t group = s->runs[r].first_group + lane / WEFT__LANES;
      if (!holds_link(s, group, lane % WEFT__LANES)) continue;
      const uint32_t number = link_of[group * WEFT__LANES + lane % WEFT__LANES];
      if (sensitive(o, f, p, number, &s->runs[r])) return count;
      ++count;
      project(o, f, p, number, &s->runs[r]);
    }
  }
  for (uint32_t i = 0; i < p->count; ++i) require(agrees(o, p, i));
  return count;
}

// random particles, one for each particle of the schedule
static weft__particles strew(const frozen* f, random_source* random) {
  weft__particles p;
  ck_assert(weft__particles_create(&p, f->schedule.particle_count));
  fill_particles(&p, random, RIG_PLAIN);
  // half of the scenes are near the start of the substep
  const bool is_near = random_chance(random, 2);
  for (uint32_t i = 0; is_near && i < p.count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      p.prev[axis][i] = p.pos[axis][i] + random_float(random, -0.05f, 0.05f);
    }
  }
  return p;
}

static weft_scene* new_patterned_scene(int number, random_source* random) {
  weft_scene* scene = new_scene();
  if (number % 3 == 0) {
    (void)add_sheet(scene, random_from(random, 2, 40), random_from(random, 2, 20), ALL_FAMILIES);
  } else if (number % 3 == 1) {
    (void)add_random_mesh(scene, random, random_from(random, 3, 9));
  } else {
    (void)add_cloud(scene, random, 60, 1.0f);
    add_random_links(scene, random, 40);
  }
  return scene;
}

static uint32_t compared_kinds[3];

RANDOM_TEST(one_sweep_is_a_projection_link_by_link, ROUNDS(120, 24)) {
  weft_scene* scene = new_patterned_scene(_i, &random);
  give_modes(scene, &random, _i / 3 % 2 == 1);
  frozen f = freeze(scene);
  weft__schedule* s = &f.schedule;
  s->links.rate_squared = 3600.0f;
  s->links.along_present = _i % 4 == 3;
  forget_multipliers(s);
  weft__particles p = strew(&f, &random);
  oracle o = {.pos = test_alloc(p.count * sizeof(*o.pos)),
              .pull = test_alloc(((size_t)s->links.link_count + 1) * sizeof(*o.pull))};
  uint32_t* link_of = new_link_of_slot(s);
  float* records = test_alloc((weft__record_floats(s)) * sizeof(float));
  uint32_t compared = 0;
  for (uint32_t sweep = 0; sweep < 3; ++sweep) {
    for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
      compared += compare_patch(&o, &f, &p, patch, link_of, sweep % 2 == 1, records);
    }
  }
  ck_assert_msg(compared > 0 || _i % 10 != 0, "nothing compared");
  weft__particles_destroy(&p);
}

TEST(all_kinds_of_runs_have_links_with_slack) {
  for (uint32_t i = 0; i < 40; ++i) {
    random_source random = {i};
    weft_scene* scene = new_patterned_scene((int)i, &random);
    give_modes(scene, &random, false);
    frozen f = freeze(scene);
    for (uint32_t r = 0; r < f.schedule.run_count; ++r) {
      const weft__run* run = &f.schedule.runs[r];
      if (weft__run_has_slack(run)) ++compared_kinds[run->kind];
    }
  }
  for (int kind = 0; kind < 3; ++kind) ck_assert_uint_gt(compared_kinds[kind], 0);
}
