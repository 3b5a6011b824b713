/* Links that act one way only, or beyond a range. */
#include <math.h>
#include <string.h>

#include "coarse/coarsen.h"
#include "kernels/kernels.h"
#include "scene/scene.h"
#include "support/frozen.h"
#include "support/isas.h"
#include "support/lanes.h"
#include "support/rig.h"
#include "support/snapshot.h"
#include "support/worlds.h"
#include "tethers/anchors.h"
#include "trees/peel.h"

// ---- one sweep against a projection in double precision, link by link ----

static float draw_compliance(random_source* random) {
  return random_chance(random, 2) ? 0.0f : powf(10.0f, random_float(random, -7.0f, 0.0f));
}

static weft_link draw_mode(weft_link link, random_source* random) {
  link.mode = (weft_link_mode)random_below(random, WEFT_LINK_RANGE + 1);
  link.max_length = 0.0f;
  if (link.mode == WEFT_LINK_RANGE) {
    link.max_length = link.rest_length * random_float(random, 1.0f, 2.0f);
  }
  return link;
}

// Gives the links of a scene modes, to all or to stretches of them, and compliances if they are soft: both
// where parameters change along runs and where they do not.
static void give_modes(weft_scene* scene, random_source* random, bool soft) {
  const uint32_t count = weft_scene_link_count(scene);
  weft_link* links = calloc((size_t)count + 1, sizeof(*links));
  expect_ok(weft_scene_get_links(scene, 0, count, links));
  const bool stretches = random_chance(random, 2);
  const float common = draw_compliance(random);
  weft_link like = {.rest_length = 1.0f};
  for (uint32_t i = 0; i < count; ++i) {
    weft_link* link = &links[i];
    if (stretches && random_chance(random, 50)) like = draw_mode(like, random);
    if (stretches) {
      link->mode = like.mode;
      link->max_length = like.max_length * link->rest_length;
    } else {
      *link = draw_mode(*link, random);
    }
    if (soft) link->compliance = stretches ? common : draw_compliance(random);
  }
  ck_assert(weft__links_need(&scene->links, links, count));
  scene->links.count = 0;
  for (uint32_t i = 0; i < count; ++i) weft__links_push(&scene->links, links[i]);
  free(links);
}

typedef struct oracle {
  double (*pos)[3]; /* in solver order */
  double* pull;     /* what each link has pulled [link_count] */
} oracle;

// how much a link that is this long wants to be shorter; below 0, longer
static double excess(const weft_link* link, double length) {
  const double rest = (double)link->rest_length;
  switch (link->mode) {
    case WEFT_LINK_BOTH:
      return length - rest;
    case WEFT_LINK_STRETCH:
      return length > rest ? length - rest : 0.0;
    case WEFT_LINK_COMPRESS:
      return length < rest ? length - rest : 0.0;
    default:
      break;
  }
  if (length < rest) return length - rest;
  return length > (double)link->max_length ? length - (double)link->max_length : 0.0;
}

static void project(oracle* o, const frozen* f, const weft__particles* p, uint32_t number,
                    bool compliant_run) {
  const weft_link* link = &f->links[number];
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
  const double stiffness = (double)link->stiffness;
  double change = stiffness * excess(link, length) / weights;
  if (compliant_run) {
    const double soft = (double)link->compliance * (double)f->schedule.rate_squared;
    // what it pulls, had it not pulled yet
    const double pull = excess(link, length + weights * o->pull[number]) / (weights + soft);
    change = stiffness * (pull - o->pull[number]);
    o->pull[number] += change;
  }
  for (int axis = 0; axis < 3; ++axis) {
    o->pos[a][axis] += (double)p->inv_mass[a] * change * d[axis] / length;
    o->pos[b][axis] -= (double)p->inv_mass[b] * change * d[axis] / length;
  }
}

// ends that lie all but in one place are pushed along a direction that the last bit decides on
static bool sensitive(const oracle* o, const frozen* f, uint32_t number) {
  const uint32_t a = f->schedule.solver_of[f->links[number].a];
  const uint32_t b = f->schedule.solver_of[f->links[number].b];
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    square += (o->pos[b][axis] - o->pos[a][axis]) * (o->pos[b][axis] - o->pos[a][axis]);
  }
  return square < 1e-4;
}

static uint32_t* new_link_of_slot(const weft__schedule* s) {
  uint32_t* link_of = malloc(((size_t)s->group_count * WEFT__LANES + 1) * sizeof(*link_of));
  for (uint32_t i = 0; i < s->link_count; ++i) link_of[s->slot_of_link[i]] = i;
  return link_of;
}

static void load_oracle(oracle* o, const frozen* f, const weft__particles* p) {
  for (uint32_t i = 0; i < f->schedule.link_count && f->schedule.multiplier != NULL; ++i) {
    o->pull[i] = (double)f->schedule.multiplier[f->schedule.slot_of_link[i]];
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

// Takes one patch through both, from where the last one left the engine's particles. Returns how many of its
// links were looked at before one of which rounding decides.
static uint32_t compare_patch(oracle* o, const frozen* f, const weft__particles* p, uint32_t patch,
                              const uint32_t* link_of, float* records) {
  const weft__schedule* s = &f->schedule;
  load_oracle(o, f, p);
  weft__kernels_scalar.solve_patch(p, s, patch, records);
  uint32_t count = 0;
  for (uint32_t r = weft__patch_first_run(s, patch); r < weft__patch_end_run(s, patch); ++r) {
    for (uint32_t lane = 0; lane < s->runs[r].group_count * WEFT__LANES; ++lane) {
      const uint32_t group = s->runs[r].first_group + lane / WEFT__LANES;
      if (!holds_link(s, group, lane % WEFT__LANES)) continue;
      const uint32_t number = link_of[group * WEFT__LANES + lane % WEFT__LANES];
      if (sensitive(o, f, number)) return count;
      ++count;
      project(o, f, p, number, weft__run_is_compliant(&s->runs[r]));
    }
  }
  for (uint32_t i = 0; i < p->count; ++i) require(agrees(o, p, i));
  return count;
}

// particles strewn about where the scene has them
static weft__particles strew(const frozen* f, random_source* random) {
  weft__particles p;
  ck_assert(weft__particles_create(&p, f->schedule.particle_count));
  fill_particles(&p, random, RIG_PLAIN);
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

START_TEST(one_sweep_is_a_projection_link_by_link) {
  random_source random = {(uint64_t)_i};
  weft_scene* scene = new_patterned_scene(_i, &random);
  give_modes(scene, &random, _i / 3 % 2 == 1);
  frozen f = freeze(scene);
  weft__schedule* s = &f.schedule;
  s->rate_squared = 3600.0f;
  forget_multipliers(s);
  weft__particles p = strew(&f, &random);
  oracle o = {.pos = calloc(p.count, sizeof(*o.pos)),
              .pull = calloc((size_t)s->link_count + 1, sizeof(*o.pull))};
  uint32_t* link_of = new_link_of_slot(s);
  float* records = calloc(weft__record_floats(s), sizeof(float));
  uint32_t compared = 0;
  for (uint32_t sweep = 0; sweep < 3; ++sweep) {
    for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
      compared += compare_patch(&o, &f, &p, patch, link_of, records);
    }
  }
  ck_assert_msg(compared > 0 || _i % 10 != 0, "nothing compared");
  free(records);
  free(link_of);
  free(o.pos);
  free(o.pull);
  weft__particles_destroy(&p);
  free_frozen(&f);
}
END_TEST

START_TEST(all_kinds_of_runs_have_links_with_slack) {
  for (uint32_t i = 0; i < 40; ++i) {
    random_source random = {i};
    weft_scene* scene = new_patterned_scene((int)i, &random);
    give_modes(scene, &random, false);
    frozen f = freeze(scene);
    for (uint32_t r = 0; r < f.schedule.run_count; ++r) {
      const weft__run* run = &f.schedule.runs[r];
      if (weft__run_has_slack(run)) ++compared_kinds[run->kind];
    }
    free_frozen(&f);
  }
  for (int kind = 0; kind < 3; ++kind) ck_assert_uint_gt(compared_kinds[kind], 0);
}
END_TEST

// ---- what they do in a world ----

static weft_link link_of(uint32_t a, uint32_t b, weft_link_mode mode) {
  return (weft_link){.a = a,
                     .b = b,
                     .rest_length = 1.0f,
                     .stiffness = 1.0f,
                     .mode = mode,
                     .max_length = mode == WEFT_LINK_RANGE ? 1.5f : 0.0f};
}

static weft_world* new_world_with(const weft_world_def* def, const float* positions,
                                  const float* inverse_masses, uint32_t count,
                                  const weft_link* links, uint32_t link_count) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  if (link_count > 0) expect_ok(weft_scene_add_links(scene, links, link_count, NULL));
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  return world;
}

static float distance_between(const weft_world* world, uint32_t a, uint32_t b) {
  float from[3];
  float to[3];
  expect_ok(weft_world_get_positions(world, a, 1, from));
  expect_ok(weft_world_get_positions(world, b, 1, to));
  const float d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

START_TEST(a_string_lets_go_until_it_is_taut) {
  // the particle starts beside its pin and falls like one that nothing holds, all attachments on
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.1f, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_link link = link_of(0, 1, WEFT_LINK_STRETCH);
  link.compliance = _i == 0 ? 0.0f : 1e-6f;
  weft_world_def def = weft_default_world_def();
  def.attachments = 4;
  weft_world* tied = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
  weft_world* loose = new_world_with(&def, positions, inverse_masses, 2, NULL, 0);
  uint32_t steps = 0;
  for (; distance_between(loose, 0, 1) < 1.0f; ++steps) {
    ck_assert_uint_eq(weft_world_hash(tied), weft_world_hash(loose));
    weft_world_step(tied, 1);
    weft_world_step(loose, 1);
  }
  // a metre takes 0.45 seconds
  ck_assert_uint_ge(steps, 26);
  ck_assert_uint_le(steps, 28);
  for (uint32_t step = 0; step < 300; ++step) {
    weft_world_step(tied, 1);
    ck_assert_float_le(distance_between(tied, 0, 1), 1.0001f);
  }
  weft_world_destroy(&tied);
  weft_world_destroy(&loose);
}
END_TEST

START_TEST(a_strut_keeps_two_apart_and_never_together) {
  // two that fly at each other and apart again
  const float positions[6] = {-2.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f};
  const float inverse_masses[2] = {1.0f, 0.25f};
  weft_link link = link_of(0, 1, WEFT_LINK_COMPRESS);
  link.compliance = _i == 0 ? 0.0f : 1e-7f;
  weft_world_def def = weft_default_world_def();
  def.gravity[1] = 0.0f;
  def.damping = 0.0f;
  weft_world* world = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
  for (int way = 0; way < 2; ++way) {
    const float speed = way == 0 ? 3.0f : -3.0f;
    float places[6];
    expect_ok(weft_world_get_positions(world, 0, 2, places));
    expect_ok(weft_world_set_particle(world, 0, places, (float[3]){speed, 0.0f, 0.0f}));
    expect_ok(weft_world_set_particle(world, 1, places + 3, (float[3]){-speed, 0.0f, 0.0f}));
    for (uint32_t step = 0; step < 120; ++step) {
      weft_world_step(world, 1);
      ck_assert_float_ge(distance_between(world, 0, 1), 0.9999f);
    }
    // they are stopped, and then go as far as their speeds take them
    const float expected = way == 0 ? 1.0f : 13.0f;
    ck_assert_float_eq_tol(distance_between(world, 0, 1), expected, 1e-2f);
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_range_holds_at_both_its_ends_and_lets_go_between_them) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 1.25f, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_link link = link_of(0, 1, WEFT_LINK_RANGE);
  link.compliance = _i == 0 ? 0.0f : 1e-7f;
  weft_world_def def = weft_default_world_def();
  def.gravity[1] = 0.0f;
  def.damping = 0.0f;
  def.attachments = 1;
  weft_world* world = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
  for (int way = 0; way < 2; ++way) {
    const float bound = way == 0 ? 1.5f : 1.0f;
    float place[3];
    expect_ok(weft_world_set_particle(world, 1, positions + 3,
                                      (float[3]){way == 0 ? 1.0f : -1.0f, 0.0f, 0.0f}));
    weft_world_step(world, 6);
    expect_ok(weft_world_get_positions(world, 1, 1, place));
    ck_assert_float_eq_tol(place[0], way == 0 ? 1.35f : 1.15f, 1e-5f);
    weft_world_step(world, 30);
    expect_ok(weft_world_get_positions(world, 1, 1, place));
    ck_assert_float_eq_tol(place[0], bound, 1e-3f);
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_range_breaks_at_its_tear_ratio_of_its_max_length) {
  const float lengths[2] = {1.79f, 1.81f};
  for (int i = 0; i < 2; ++i) {
    const float positions[6] = {0.0f, 0.0f, 0.0f, 1.2f, 0.0f, 0.0f};
    const float inverse_masses[2] = {0.0f, 0.0f};
    weft_link link = link_of(0, 1, WEFT_LINK_RANGE);
    link.tear_ratio = 1.2f;
    const weft_world_def def = weft_default_world_def();
    weft_world* world = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
    expect_ok(weft_world_set_particle(world, 1, (float[3]){lengths[i], 0.0f, 0.0f}, NULL));
    weft_world_step(world, 1);
    bool torn = i == 0;
    expect_ok(weft_world_get_torn(world, 0, 1, &torn));
    ck_assert(torn == (i == 1));
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(a_soft_string_hangs_by_its_compliance_and_does_not_push) {
  // hung, it is longer by compliance times weight; thrown up, it is no spring
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 0.5f};
  weft_link link = link_of(0, 1, WEFT_LINK_STRETCH);
  link.compliance = 0.01f;
  weft_world_def def = weft_default_world_def();
  def.damping = 5.0f;
  def.substeps = 4;
  weft_world* world = new_world_with(&def, positions, inverse_masses, 2, &link, 1);
  weft_world_step(world, 600);
  ck_assert_float_eq_tol(distance_between(world, 0, 1), 1.0f + 0.01f * 2.0f * 9.81f, 1e-3f);
  weft_world_destroy(&world);
}
END_TEST

// ---- what stands for links must leave these out ----

static weft_scene* new_hung_pair(weft_link link) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  return scene;
}

START_TEST(attachments_reach_along_what_holds_and_nothing_else) {
  for (int mode = WEFT_LINK_BOTH; mode <= WEFT_LINK_RANGE; ++mode) {
    for (int kind = WEFT_LINK_STRUCTURAL; kind <= WEFT_LINK_SUPPORT; ++kind) {
      weft_link link = link_of(0, 1, (weft_link_mode)mode);
      link.kind = (weft_link_kind)kind;
      weft_scene* scene = new_hung_pair(link);
      weft__anchors anchors;
      ck_assert(weft__anchors_find(&anchors, scene, 1));
      const bool holds = mode <= WEFT_LINK_STRETCH && kind != WEFT_LINK_SUPPORT;
      ck_assert_uint_eq(anchors.count[1], holds ? 1 : 0);
      weft__anchors_destroy(&anchors);
      weft_scene_destroy(&scene);
    }
  }
}
END_TEST

START_TEST(trees_take_links_that_act_both_ways_only) {
  for (int mode = WEFT_LINK_BOTH; mode <= WEFT_LINK_RANGE; ++mode) {
    weft_scene* scene = new_scene();
    random_source random = {3};
    (void)add_cloud(scene, &random, 5, 1.0f);
    for (uint32_t i = 0; i < 4; ++i) {
      const weft_link link = link_of(i, i + 1, (weft_link_mode)mode);
      expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    }
    weft__forest forest;
    ck_assert(weft__forest_create(&forest, scene));
    ck_assert_uint_eq(forest.tree_count > 0, mode == WEFT_LINK_BOTH);
    weft__forest_destroy(&forest);
    weft_scene_destroy(&scene);
  }
}
END_TEST

static weft__coarsening coarsen(const weft_scene* scene) {
  const uint32_t count = weft_scene_particle_count(scene);
  uint32_t* cloth_of = malloc(count * sizeof(*cloth_of));
  for (uint32_t i = 0; i < count; ++i) cloth_of[i] = i;
  weft__distances distances;
  weft__coarsening made;
  ck_assert(weft__distances_create(&distances, scene));
  ck_assert(weft__coarsen(&made, scene, cloth_of, &distances));
  weft__distances_destroy(&distances);
  free(cloth_of);
  return made;
}

START_TEST(coarse_levels_are_the_same_with_and_without_supports_and_struts) {
  const int modes[4] = {WEFT_LINK_BOTH, WEFT_LINK_STRETCH, WEFT_LINK_COMPRESS, WEFT_LINK_RANGE};
  const bool is_mesh = _i % 2 == 0;
  const weft_link_mode mode = (weft_link_mode)modes[_i / 2];
  weft_scene* scenes[2];
  for (int added = 0; added < 2; ++added) {
    random_source random = {(uint64_t)_i};
    weft_scene* scene = scenes[added] = new_scene();
    for (int body = 0; body < 2; ++body) {
      if (is_mesh) {
        (void)add_random_mesh(scene, &random, 20);
      } else {
        (void)add_sheet(scene, 20, 20, STRUCTURAL | SHEAR);
      }
    }
    for (uint32_t i = 0; i < 100 && added == 1; ++i) {
      weft_link link = link_of(i, 799 - i, mode);
      link.rest_length = 0.01f;
      link.max_length *= 0.01f;
      if (mode <= WEFT_LINK_STRETCH) link.kind = WEFT_LINK_SUPPORT;
      expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    }
  }
  weft__coarsening made[2];
  for (int i = 0; i < 2; ++i) made[i] = coarsen(scenes[i]);
  ck_assert_uint_gt(weft_scene_link_count(made[0].scene), 0);
  scene_snapshot expected = take_snapshot(made[0].scene);
  ck_assert(looks_like(made[1].scene, &expected));
  free_snapshot(&expected);
  for (int i = 0; i < 2; ++i) {
    weft__coarsening_destroy(&made[i]);
    weft_scene_destroy(&scenes[i]);
  }
}
END_TEST

// ---- the same bits ----

static uint64_t hash_of(const weft_world_def* def, uint64_t seed, bool soft) {
  random_source random = {seed};
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 70, 60, ALL_FAMILIES);
  (void)add_random_mesh(scene, &random, 50);
  add_random_graph(scene, &random, 500);
  add_random_links(scene, &random, 100);
  give_modes(scene, &random, soft);
  expect_ok(weft_scene_pin(scene, 0));
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  weft_world_step(world, 5);
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return hash;
}

START_TEST(the_hash_is_the_same_for_all_workers_and_isas) {
  weft_world_def def = weft_default_world_def();
  def.isa = WEFT_ISA_SCALAR;
  def.coarse_iterations = _i % 4 < 2 ? 0 : 4;
  def.attachments = _i % 4 < 2 ? 0 : 2;
  const uint64_t expected = hash_of(&def, (uint64_t)_i, _i % 2 == 1);
  const uint32_t workers[] = {1, 2, 3, 7};
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    def.isa = (weft_isa)isa;
    def.worker_count = workers[isa % 4];
    ck_assert_uint_eq(hash_of(&def, (uint64_t)_i, _i % 2 == 1), expected);
  }
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("link_modes");
  TCase* tests = suite.tests;
  tcase_add_loop_test(tests, one_sweep_is_a_projection_link_by_link, 0, ROUNDS(120, 24));
  tcase_add_test(tests, all_kinds_of_runs_have_links_with_slack);
  tcase_add_loop_test(tests, a_string_lets_go_until_it_is_taut, 0, 2);
  tcase_add_loop_test(tests, a_strut_keeps_two_apart_and_never_together, 0, 2);
  tcase_add_loop_test(tests, a_range_holds_at_both_its_ends_and_lets_go_between_them, 0, 2);
  tcase_add_test(tests, a_range_breaks_at_its_tear_ratio_of_its_max_length);
  tcase_add_test(tests, a_soft_string_hangs_by_its_compliance_and_does_not_push);
  tcase_add_test(tests, attachments_reach_along_what_holds_and_nothing_else);
  tcase_add_test(tests, trees_take_links_that_act_both_ways_only);
  tcase_add_loop_test(tests, coarse_levels_are_the_same_with_and_without_supports_and_struts, 0, 8);
  tcase_add_loop_test(tests, the_hash_is_the_same_for_all_workers_and_isas, 0, 4);
  return run_suite(suite);
}
