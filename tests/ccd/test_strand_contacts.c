/* Contacts of ropes by their thickness, along their links. */
#include "support/ccd_sheets.h"
#include "support/ropes.h"
#include "support/saved.h"
#include "support/test.h"

#define RADIUS 0.01f

static weft_particle_shape_def thick(float radius) {
  weft_particle_shape_def shape = cloth_contact();
  shape.half_size[0] = radius;
  // a rope without friction slips off another
  shape.surface.static_friction = shape.surface.dynamic_friction = 0.5f;
  return shape;
}

// ---- an oracle: all pairs of segments ----

// Distance of two segments, by 64 x 64 points of them.
static double sampled_distance(const float* const a[2], const float* const b[2]) {
  enum { POINTS = 64 };
  double least = (double)INFINITY;
  for (int n = 0; n <= POINTS * (POINTS + 2); ++n) {
    const double s = n % (POINTS + 1) / (double)POINTS;
    const double t = n / (POINTS + 1) / (double)POINTS;
    double sq = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double u = (1.0 - s) * (double)a[0][axis] + s * (double)a[1][axis];
      const double v = (1.0 - t) * (double)b[0][axis] + t * (double)b[1][axis];
      sq += (u - v) * (u - v);
    }
    if (sq < least) least = sq;
  }
  return sqrt(least);
}

static double distance_of(const weft_world* world, rope a, rope b) {
  float* positions = new_positions(world);
  double least = (double)INFINITY;
  for (uint32_t i = 0; i < a.link_count; ++i) {
    const float* first = positions + (size_t)3 * (a.first + i);
    for (uint32_t k = 0; k < b.link_count; ++k) {
      const float* second = positions + (size_t)3 * (b.first + k);
      const double found = sampled_distance((const float*[]){first, first + 3},
                                            (const float*[]){second, second + 3});
      if (found < least) least = found;
    }
  }
  return least;
}

// ---- a rope over another ----

// Ropes of an odd number of links cross at the middle of one, far from its particles.
// Errors are of second order in the step.
static const struct {
  uint32_t links, substeps;
  double depth_error;  // metres
} crossings[] = {{11, 16, 1e-3}, {11, 32, 3e-4}, {25, 16, 2.5e-3}, {25, 32, 6e-4}, {24, 32, 1e-3}};

typedef struct crossing {
  weft_world* world;
  rope lower, upper;
} crossing;

// A light rope along x, 2 % longer than the distance of its pins, and one along z over its middle
// with a load at each end.
static crossing new_crossing(uint32_t links, uint32_t substeps, uint32_t workers, int isa,
                             bool is_thick) {
  weft_scene* scene = new_scene();
  crossing c;
  c.lower = add_rope(scene, (rope_def){.link_count = links,
                                       .length = 1.02f,
                                       .mass = 0.02f,
                                       .from = {-0.51f, 0.0f, 0.0f},
                                       .towards = {1.0f, 0.0f, 0.0f}});
  c.upper = add_rope(scene, (rope_def){.link_count = links,
                                       .length = 1.0f,
                                       .mass = 0.1f,
                                       .load = 0.1f,
                                       .from = {0.0f, 2.0f * RADIUS, -0.5f},
                                       .towards = {0.0f, 0.0f, 1.0f},
                                       .is_free = true});
  const float load = 10.0f;
  weft_world_def def = faces_def();
  def.solver.substeps = substeps;
  def.damping = 2.0f;
  def.worker_count = workers;
  def.isa = (weft_isa)isa;
  c.world = new_world(&def, scene);
  expect_set(c.world, WEFT_ATTRIBUTE_INVERSE_MASS, c.upper.first, 1, &load, 0);
  if (!is_thick) return c;
  const weft_particle_shape_def shape = thick(RADIUS);
  expect_ok(
      weft_world_set_particle_shape(c.world, weft_range(0, particle_count_of(c.world)), &shape));
  return c;
}

// Moves the pins of the lower rope to 1 m apart, over a second, so that it bends under the load.
static void settle(const crossing* c) {
  for (int step = 0; step < 360; ++step) {
    const float x = 0.51f - 0.01f * (step < 60 ? (float)(step + 1) / 60.0f : 1.0f);
    const float places[2][3] = {{-x, 0.0f, 0.0f}, {x, 0.0f, 0.0f}};
    expect_set(c->world, WEFT_ATTRIBUTE_TARGET, c->lower.first, 1, places[0], 0);
    expect_set(c->world, WEFT_ATTRIBUTE_TARGET, c->lower.first + c->lower.link_count, 1, places[1],
               0);
    weft_world_step(c->world, 1);
  }
}

// The lower rope is two sides of a triangle, or three of a trapezium: a link across in its middle.
static double depth_of(const crossing* c) {
  const double link = 1.02 / c->lower.link_count;
  const double middle = c->lower.link_count % 2 == 0 ? 0.0 : link;
  const double side = 0.5 * (1.02 - middle);
  const double half = 0.5 * (1.0 - middle);
  return sqrt(side * side - half * half);
}

LOOP_TEST(a_loaded_rope_lies_on_another_at_the_sum_of_their_radii, 0,
          sizeof crossings / sizeof *crossings) {
  crossing c = new_crossing(crossings[_i].links, crossings[_i].substeps, 1, WEFT_ISA_AUTO, true);
  settle(&c);
  const double between = distance_of(c.world, c.lower, c.upper);
  ck_assert_double_eq_tol(between, 2.0 * (double)RADIUS, 1e-4);
  float middle[3];
  expect_get(c.world, WEFT_ATTRIBUTE_POSITION, c.lower.first + c.lower.link_count / 2, 1, middle);
  ck_assert_double_eq_tol(-(double)middle[1], depth_of(&c), crossings[_i].depth_error);
  ck_assert_double_lt(worst_strain(c.world, c.lower, 1.02 / c.lower.link_count), 0.02);
  ck_assert_double_lt(worst_strain(c.world, c.upper, 1.0 / c.upper.link_count), 0.02);
  ck_assert_uint_eq(contact_stats_of(c.world).lost_pairs, 0);
}
