/* Compliant links: stretch as given by the compliance, independent of step and iterations. */
#include "support/test.h"

#define GRAVITY 9.81

// ---- hanging chains ----

enum { MOST_LINKS = 2 };

// chain of links, with a particle at the lower end of each
typedef struct chain {
  uint32_t count;
  float rest[MOST_LINKS];       /* metres */
  float compliance[MOST_LINKS]; /* metres per newton */
  float mass[MOST_LINKS];       /* kilograms of the particle below the link */
} chain;

static weft_scene* new_chain_scene(const chain* c) {
  weft_scene* scene = new_scene();
  const float top[3] = {0.0f, 0.0f, 0.0f};
  const float pinned = 0.0f;
  expect_ok(weft_scene_add_particles(scene, top, &pinned, 1, NULL));
  float height = 0.0f;
  for (uint32_t i = 0; i < c->count; ++i) {
    height -= c->rest[i];
    const float place[3] = {0.0f, height, 0.0f};
    const float inverse_mass = 1.0f / c->mass[i];
    const weft_link_def link = {.a = i,
                                .b = i + 1,
                                .rest_length = c->rest[i],
                                .relaxation = 1.0f,
                                .compliance = c->compliance[i]};
    expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return scene;
}

// static stretch of link `i`: compliance times the weight below it
static double expected_stretch(const chain* c, uint32_t i) {
  double mass = 0.0;
  for (uint32_t below = i; below < c->count; ++below) mass += (double)c->mass[below];
  return (double)c->compliance[i] * mass * GRAVITY;
}

static void expect_stretches(const weft_world_def* def, const chain* c, double share) {
  weft_scene* scene = new_chain_scene(c);
  weft_world* world = new_world(def, scene);
  const double seconds = 1e-9 * (double)def->step_ns;
  weft_world_step(world, (uint32_t)(4.0 / seconds));
  float places[MOST_LINKS + 1][3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, c->count + 1, places[0]);
  for (uint32_t i = 0; i < c->count; ++i) {
    const double stretch = (double)places[i][1] - (double)places[i + 1][1] - (double)c->rest[i];
    const double expected = expected_stretch(c, i);
    ck_assert_msg(fabs(stretch - expected) <= share * expected,
                  "link %u, %u iterations, %u substeps of a step of %g s: %g m, not %g",
                  (unsigned)i, (unsigned)def->solver.iterations, (unsigned)def->solver.substeps,
                  seconds, stretch, expected);
  }
}

static const int64_t steps_ns[] = {33333333, 16666667, 8333333, 4166667};

RANDOM_TEST(a_link_gives_way_by_compliance_times_weight_whatever_the_steps_and_iterations, 60) {
  const weft_world_def def =
      plain_def(.damping = 6.0f, .iterations = 1 + (uint32_t)_i % 20,
                .substeps = random_from(&random, 1, 10), .step_ns = steps_ns[_i % 4]);
  // any mass; compliance times mass sets the period, well below a second
  const float mass = expf(random_float(&random, -6.0f, 6.0f));
  const chain c = {.count = 1,
                   .rest = {random_float(&random, 0.05f, 0.1f)},
                   .compliance = {random_float(&random, 0.003f, 0.01f) / mass},
                   .mass = {mass}};
  expect_stretches(&def, &c, 0.01);
}

// ---- rigid links ----

// hash of a sheet of this material after some steps; all particles have the same mass
static uint64_t hash_of_sheet(const weft_material_def* material, uint32_t coarse) {
  weft_scene* scene = new_scene();
  const weft_sheet_def sheet =
      sheet_def(.columns = 40, .rows = 35, .material = material, .bend = true);
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world* world = new_plain_world(scene, .coarse_iterations = coarse);
  const float inverse_mass = 1000.0f;
  const uint32_t others = sheet.columns * (sheet.rows - 1);
  pin_particles(world, 0, sheet.columns);
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, sheet.columns, others, &inverse_mass, WEFT_SAME);
  weft_world_step(world, 30);
  return weft_world_hash(world);
}

LOOP_TEST(an_infinitely_stiff_material_gives_the_bits_of_a_sheet_without_one, 0, 2) {
  weft_material_def material = weft_default_material_def();
  const uint32_t coarse = _i == 0 ? 0 : 5;
  const uint64_t soft = hash_of_sheet(&material, coarse);
  material.stretch_stiffness = material.shear_stiffness = INFINITY;
  ck_assert_uint_eq(hash_of_sheet(&material, coarse), hash_of_sheet(NULL, coarse));
  ck_assert_uint_ne(hash_of_sheet(&material, coarse), soft);
}
