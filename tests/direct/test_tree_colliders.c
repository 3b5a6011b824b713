/* Ropes that lie on colliders, against the capstan formula: a rope around a cylinder slips where
 * the ratio of its loads exceeds exp(friction angle). */
#include <weft/contact.h>

#include "support/ropes.h"
#include "support/test.h"

enum { MOST_POINTS = 200 };
static const double radius = 0.1, friction = 0.2, tail_length = 0.2;

typedef struct loaded_rope {
  uint32_t arc; /* links around half the cylinder */
  uint32_t count;
  double step;        /* metres: length of a link at rest, along the arc */
  double load, ratio; /* kilograms at the light end; of the heavy end to that */
} loaded_rope;

static loaded_rope rope_around(uint32_t arc, double load, double ratio) {
  loaded_rope r = {.arc = arc, .load = load, .ratio = ratio};
  r.step = 2.0 * radius * sin(0.5 * acos(-1.0) / arc);
  r.count = arc + 1 + 2 * (uint32_t)(tail_length / r.step);
  return r;
}

static void put_on_cylinder(weft_world* world, uint32_t count) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, count), &shape));
  weft_collider_def cylinder =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_CAPSULE, .radius = (float)radius,
                   .half_size = {0.0f, 1.0f}, .friction = (float)friction);
  cylinder.rotation[0] = cylinder.rotation[3] = (float)sqrt(0.5);
  weft_collider collider;
  expect_ok(weft_world_add_collider(world, &cylinder, &collider));
}

static weft_world* new_loaded_world(const loaded_rope* r, uint32_t copies,
                                    const weft_world_def* def) {
  const double pi = acos(-1.0);
  const uint32_t tail = (r->count - 1 - r->arc) / 2;
  float points[MOST_POINTS][3] = {{0.0f}};
  for (uint32_t i = 0; i < r->count; ++i) {
    const uint32_t on = i < tail ? 0 : i > tail + r->arc ? r->arc : i - tail;
    const uint32_t below = i < tail ? tail - i : i > tail + r->arc ? i - tail - r->arc : 0;
    points[i][0] = (float)(-radius * cos(pi * on / r->arc));
    points[i][1] = (float)(radius * sin(pi * on / r->arc) - below * r->step);
  }
  weft_rope_def line = bare_rope_def();
  line.points = points[0];
  line.point_count = r->count;
  line.mass_per_metre = 0.02f;
  weft_scene* scene = new_scene();
  for (uint32_t k = 0; k < copies; ++k) expect_ok(weft_scene_add_rope(scene, &line, NULL));
  weft_world* world = new_world(def, scene);
  const float light = (float)(1.0 / r->load), heavy = (float)(1.0 / (r->load * r->ratio));
  for (uint32_t first = 0; first < copies * r->count; first += r->count) {
    expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, first, 1, &light, 0);
    expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, first + r->count - 1, 1, &heavy, 0);
  }
  put_on_cylinder(world, copies * r->count);
  return world;
}

// metres that the heavy end falls in a second
static double fall_of(weft_world* world, const loaded_rope* r) {
  float before[3], after[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, r->count - 1, 1, before);
  weft_world_step(world, 60);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, r->count - 1, 1, after);
  return (double)before[1] - (double)after[1];
}

LOOP_TEST(a_loaded_rope_on_a_cylinder_keeps_its_length_and_slips_by_the_capstan_formula, 0, 6) {
  static const struct {
    uint32_t arc, substeps;
    double load; /* the rope has 13 grams */
  } rows[] = {{60, 1, 0.1}, {60, 1, 1.0}, {60, 4, 0.2}, {30, 4, 0.2}, {60, 16, 0.2}, {30, 16, 5.0}};
  const double limit = exp(friction * acos(-1.0));
  const weft_world_def def = plain_def(.damping = 1.0f, .substeps = rows[_i].substeps);
  const loaded_rope holds = rope_around(rows[_i].arc, rows[_i].load, 0.93 * limit);
  weft_world* world = new_loaded_world(&holds, 1, &def);
  ck_assert_double_lt(fabs(fall_of(world, &holds)), 1e-4);
  const rope links = {0, holds.count - 1};
  ck_assert_double_lt(worst_strain(world, links, holds.step), 0.005);
  const loaded_rope slips = rope_around(rows[_i].arc, rows[_i].load, 1.08 * limit);
  world = new_loaded_world(&slips, 1, &def);
  ck_assert_double_gt(fall_of(world, &slips), 0.01);
}

// Sums of the normal impulses and of the friction of each particle, over a second.
static void sum_impulses(weft_world* world, double* normal, double (*along)[3]) {
  enum { MOST_EVENTS = 4 * MOST_POINTS };
  weft_contact_limits_def limits = event_limits(MOST_EVENTS);
  limits.with_stays = true;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  for (int step = 0; step < 60; ++step) {
    weft_contact_event events[MOST_EVENTS];
    uint32_t count = 0;
    weft_world_step(world, 1);
    expect_ok(weft_world_take_contact_events(world, MOST_EVENTS, events, &count));
    for (uint32_t k = 0; k < count; ++k) {
      const weft_contact_event* e = &events[k];
      normal[e->particle] += (double)e->impulse;
      for (int axis = 0; axis < 3; ++axis) along[e->particle][axis] += (double)e->friction[axis];
    }
  }
}

LOOP_TEST(no_particle_of_a_rope_bears_more_friction_than_coulombs_law_allows, 0, 3) {
  static const float coefficients[] = {0.1f, 0.3f, 1.0f};
  weft_scene* scene = new_scene();
  weft_rope_def line = bare_rope_def();
  line.origin[0] = -0.6f;
  line.end[0] = 0.6f;
  line.origin[1] = line.end[1] = (float)radius + 0.05f;
  line.segments = 24;
  expect_ok(weft_scene_add_rope(scene, &line, NULL));
  weft_world* world = new_plain_world(scene, .substeps = 8);
  put_on_cylinder(world, 25);
  const weft_particle_shape_def shape = shape_def(.friction = coefficients[_i]);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 25), &shape));
  const double limit = hypot((double)coefficients[_i], friction);
  double normal[25] = {0.0}, along[25][3] = {{0.0}};
  sum_impulses(world, normal, along);
  int touching = 0;
  for (int i = 0; i < 25; ++i) {
    const double length = sqrt(along[i][0] * along[i][0] + along[i][1] * along[i][1]);
    if (normal[i] == 0.0 && length == 0.0) continue;
    ++touching;
    if (!(length <= 1.1 * limit * normal[i]))
      ck_abort_msg("particle %d: friction %g of %g", i, length, limit * normal[i]);
  }
  ck_assert_int_gt(touching, 4);
}
