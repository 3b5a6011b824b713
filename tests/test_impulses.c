/* Bodies that collide with each other: hits by the closed form, stacks and piles that come to rest, and the same
 * bits however many workers there are. */
#include "impulses/impulses.h"

#include <math.h>

#include "support/isas.h"
#include "support/random.h"
#include "support/worlds.h"
#include "world/world.h"

#define GRAVITY 9.81
// radians: five degrees
#define TILT 0.0872664626

// ---- worlds ----

static weft_contact contact_of(weft_contact_shape shape, float x, float y, float z) {
  weft_contact contact = weft_default_contact();
  contact.shape = shape;
  contact.half_size[0] = x;
  contact.half_size[1] = y;
  contact.half_size[2] = z;
  return contact;
}

static weft_contact ball_of(float radius, float restitution) {
  weft_contact contact = contact_of(WEFT_CONTACT_SPHERE, radius, 0.0f, 0.0f);
  contact.restitution = restitution;
  return contact;
}

static weft_world* new_bodies(const weft_world_def* def, const float* positions,
                              const float* inverse_masses, uint32_t count) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  return world;
}

static weft_world_def weightless_def(double h) {
  weft_world_def def = weft_default_world_def();
  def.gravity[1] = 0.0f;
  def.damping = 0.0f;
  def.step_ns = (int64_t)(h * 1e9);
  return def;
}

static const weft__impulses* impulses_of(const weft_world* world) {
  return &world->stepper.contacts.impulses;
}

static double number_of(const float* value) {
  return (double)*value;
}

// ---- hits ----

static const double steps[] = {1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0, 1.0 / 1000.0};
enum { STEPS = 4 };

// two balls of 0.2 m, 2 m apart and `aside` beside each other; returns their velocities after a second
static void collide(double h, double restitution, const float inverse_masses[2],
                    const float speed[2], float aside, float velocities[6]) {
  const weft_world_def def = weightless_def(h);
  const float positions[6] = {0.0f, 0.0f, 0.0f, 2.0f, aside, 0.0f};
  weft_world* world = new_bodies(&def, positions, inverse_masses, 2);
  const weft_contact contact = ball_of(0.2f, (float)restitution);
  expect_ok(weft_world_set_contact(world, 0, 2, &contact));
  for (uint32_t i = 0; i < 2; ++i) {
    const float velocity[3] = {speed[i], 0.0f, 0.0f};
    expect_ok(weft_world_set_particle(world, i, positions + 3 * i, velocity));
  }
  weft_world_step(world, (uint32_t)(1.0 / h));
  expect_ok(weft_world_get_velocities(world, 0, 2, velocities));
  weft_world_destroy(&world);
}

START_TEST(two_balls_part_as_the_closed_form_says) {
  static const float inverse_masses[][2] = {
      {1.0f, 1.0f}, {0.5f, 1.0f}, {1.0f, 0.01f}, {1.0f, 0.0f}};
  const double h = steps[_i % STEPS];
  const float* inverse = inverse_masses[_i / STEPS];
  const float speed[2] = {5.0f, inverse[1] > 0.0f ? -3.0f : 0.0f};
  for (int k = 0; k < 6; ++k) {
    const double restitution = 0.5 * (k % 3);
    const float aside = k < 3 ? 0.0f : 0.25f;
    float v[6];
    collide(h, restitution, inverse, speed, aside, v);
    const double normal[2] = {sqrt(0.16 - (double)aside * (double)aside) / 0.4,
                              (double)aside / 0.4};
    const double closing = (double)(speed[0] - speed[1]) * normal[0];
    const double impulse =
        (1.0 + restitution) * closing / ((double)inverse[0] + (double)inverse[1]);
    double before = 0.0;
    double after = 0.0;
    for (int i = 0; i < 2; ++i) {
      const double sign = i == 0 ? -1.0 : 1.0;
      const double change = sign * impulse * (double)inverse[i];
      const double wanted[2] = {(double)speed[i] + change * normal[0], change * normal[1]};
      for (int axis = 0; axis < 2; ++axis) {
        ck_assert_double_eq_tol(number_of(&v[3 * i + axis]), wanted[axis], 1e-3 * closing);
      }
      ck_assert_float_eq(v[3 * i + 2], 0.0f);
      if (inverse[i] > 0.0f) before += (double)speed[i] / (double)inverse[i];
      if (inverse[i] > 0.0f) after += number_of(&v[3 * i]) / (double)inverse[i];
    }
    // what positions of a metre round to in a step
    const double rounding = 4.0 * 0x1p-22 / h * (1.0 + 1.0 / (double)inverse[0]);
    if (inverse[1] > 0.0f) {
      ck_assert_double_eq_tol(after, before, rounding * (1.0 + 1.0 / (double)inverse[1]));
    }
  }
}
END_TEST

START_TEST(friction_takes_its_share_of_a_hit) {
  for (int k = 0; k < 4; ++k) {
    const weft_world_def def = weightless_def(steps[_i]);
    const float positions[6] = {0.0f, 1.0f, 0.0f, 0.0f, -1.0f, 0.0f};
    const float inverse_masses[2] = {1.0f, 0.0f};
    weft_world* world = new_bodies(&def, positions, inverse_masses, 2);
    weft_contact ball = ball_of(0.5f, 0.5f);
    weft_contact floor = contact_of(WEFT_CONTACT_BOX, 100.0f, 1.0f, 100.0f);
    floor.restitution = 0.5f;
    const double friction = 0.1 * k;
    ball.static_friction = ball.dynamic_friction = (float)(0.6 * friction);
    floor.static_friction = floor.dynamic_friction = (float)(0.8 * friction);
    expect_ok(weft_world_set_contact(world, 0, 1, &ball));
    expect_ok(weft_world_set_contact(world, 1, 1, &floor));
    expect_ok(weft_world_set_particle(world, 0, positions, (const float[3]){3.0f, -4.0f, 0.0f}));
    weft_world_step(world, (uint32_t)(0.5 / steps[_i]));
    float v[3];
    expect_ok(weft_world_get_velocities(world, 0, 1, v));
    ck_assert_double_eq_tol(number_of(&v[1]), 2.0, 2e-3);
    ck_assert_double_eq_tol(number_of(&v[0]), 3.0 - friction * 6.0, 4e-3);
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(a_ball_bounces_on_a_pinned_box_as_high_as_it_should) {
  weft_world_def def = weft_default_world_def();
  def.damping = 0.0f;
  def.step_ns = (int64_t)(steps[_i] * 1e9);
  const float positions[6] = {0.0f, 1.5f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {1.0f, 0.0f};
  weft_world* world = new_bodies(&def, positions, inverse_masses, 2);
  const weft_contact ball = ball_of(0.5f, 0.8f);
  weft_contact floor = contact_of(WEFT_CONTACT_BOX, 100.0f, 1.0f, 100.0f);
  floor.restitution = 1.0f;
  expect_ok(weft_world_set_contact(world, 0, 1, &ball));
  expect_ok(weft_world_set_contact(world, 1, 1, &floor));
  float highest = 0.0f;
  const double fall = sqrt(2.0 / GRAVITY);
  const uint32_t until = (uint32_t)(fall * 2.2 / steps[_i]);
  for (uint32_t step = 0; step < until; ++step) {
    float p[3];
    weft_world_step(world, 1);
    expect_ok(weft_world_get_positions(world, 0, 1, p));
    if ((double)step * steps[_i] > 1.2 * fall && p[1] > highest) highest = p[1];
  }
  ck_assert_double_eq_tol((double)highest - 0.5, 0.64, 0.02);
  weft_world_destroy(&world);
}
END_TEST

// ---- passing ----

static const weft_contact_shape shapes[] = {WEFT_CONTACT_SPHERE, WEFT_CONTACT_BOX,
                                            WEFT_CONTACT_ELLIPSOID};

START_TEST(nothing_passes_through_however_fast) {
  const weft_contact first = contact_of(shapes[_i / 3], 0.1f, 0.1f, 0.1f);
  const weft_contact second = contact_of(shapes[_i % 3], 0.1f, 0.1f, 0.1f);
  random_source random = {(uint64_t)_i};
  for (int round = 0; round < 20; ++round) {
    const weft_world_def def = weightless_def(1.0 / 60.0);
    const float aside = random_float(&random, -0.02f, 0.02f);
    const float positions[6] = {random_float(&random, 0.0f, 1.0f), aside, 0.0f, 3.0f, 0.0f, 0.0f};
    const float inverse_masses[2] = {1.0f, round % 2 == 0 ? 1.0f : 0.0f};
    weft_world* world = new_bodies(&def, positions, inverse_masses, 2);
    expect_ok(weft_world_set_contact(world, 0, 1, &first));
    expect_ok(weft_world_set_contact(world, 1, 1, &second));
    expect_ok(weft_world_set_particle(world, 0, positions, (const float[3]){100.0f, 0.0f, 0.0f}));
    for (int step = 0; step < 6; ++step) {
      float p[6];
      weft_world_step(world, 1);
      expect_ok(weft_world_get_positions(world, 0, 2, p));
      require(p[3] - p[0] > 0.15f || fabsf(p[4] - p[1]) > 0.15f);
    }
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(what_goes_past_goes_on_as_it_was) {
  for (int k = 0; k < 9; ++k) {
    const weft_world_def def = weightless_def(1.0 / 60.0);
    const float positions[6] = {0.0f, 0.201f, 0.0f, 3.0f, 0.0f, 0.0f};
    const float inverse_masses[2] = {1.0f, 1.0f};
    weft_world* world = new_bodies(&def, positions, inverse_masses, 2);
    const weft_contact first = contact_of(shapes[k / 3], 0.1f, 0.1f, 0.1f);
    const weft_contact second = contact_of(shapes[k % 3], 0.1f, 0.1f, 0.1f);
    expect_ok(weft_world_set_contact(world, 0, 1, &first));
    expect_ok(weft_world_set_contact(world, 1, 1, &second));
    expect_ok(weft_world_set_particle(world, 0, positions, (const float[3]){100.0f, 0.0f, 0.0f}));
    weft_world_step(world, 6);
    float v[6];
    expect_ok(weft_world_get_velocities(world, 0, 2, v));
    ck_assert_float_eq_tol(v[0], 100.0f, 1e-3f);
    ck_assert_float_eq(v[1], 0.0f);
    ck_assert_float_eq(v[3], 0.0f);
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(only_what_the_masks_let_meet_meets) {
  const weft_world_def def = weightless_def(1.0 / 60.0);
  const float positions[6] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f};
  const float inverse_masses[2] = {1.0f, 1.0f};
  for (uint32_t mask = 0; mask < 4; ++mask) {
    weft_world* world = new_bodies(&def, positions, inverse_masses, 2);
    weft_contact contact = ball_of(0.2f, 0.0f);
    contact.category = 2;
    expect_ok(weft_world_set_contact(world, 0, 1, &contact));
    contact.mask = mask;
    expect_ok(weft_world_set_contact(world, 1, 1, &contact));
    expect_ok(weft_world_set_particle(world, 0, positions, (const float[3]){2.0f, 0.0f, 0.0f}));
    weft_world_step(world, 60);
    float v[6];
    expect_ok(weft_world_get_velocities(world, 0, 2, v));
    ck_assert_float_eq_tol(v[3], (mask & 2) != 0 ? 1.0f : 0.0f, 1e-4f);
    weft_world_destroy(&world);
  }
}
END_TEST

// ---- stacks ----

enum { BOXES = 10 };
typedef enum floor_kind { PINNED_FLOOR, BOUNDS_FLOOR, COLLIDER_FLOOR, FLOORS } floor_kind;

// boxes of a metre on a floor, under a gravity that is tilted by as much
static weft_world* new_stack(floor_kind kind, float friction, double tilt, uint32_t substeps) {
  float positions[BOXES + 1][3] = {{0}};
  float inverse_masses[BOXES + 1];
  for (int i = 0; i < BOXES; ++i) {
    positions[i][1] = 0.5f + (float)i;
    inverse_masses[i] = 0.1f;
  }
  positions[BOXES][1] = -0.5f;
  inverse_masses[BOXES] = 0.0f;
  weft_world_def def = weft_default_world_def();
  def.damping = 0.0f;
  def.substeps = substeps;
  def.gravity[0] = (float)(GRAVITY * sin(tilt));
  def.gravity[1] = (float)(-GRAVITY * cos(tilt));
  weft_world* world = new_bodies(&def, positions[0], inverse_masses, BOXES + 1);
  weft_contact box = contact_of(WEFT_CONTACT_BOX, 0.5f, 0.5f, 0.5f);
  box.static_friction = box.dynamic_friction = friction;
  expect_ok(weft_world_set_contact(world, 0, BOXES, &box));
  if (kind == PINNED_FLOOR) {
    box.half_size[0] = box.half_size[2] = 1000.0f;
    expect_ok(weft_world_set_contact(world, BOXES, 1, &box));
  } else if (kind == BOUNDS_FLOOR) {
    weft_bounds bounds = weft_default_bounds();
    bounds.least[1] = 0.0f;
    bounds.friction = friction;
    const float radius[3] = {0.5f, 0.5f, 0.5f};
    expect_ok(weft_world_set_bounds(world, &bounds));
    for (uint32_t i = 0; i < BOXES; ++i) expect_ok(weft_world_set_radii(world, i, 1, radius));
  } else {
    weft_collider_def collider = weft_default_collider_def();
    uint32_t number;
    collider.shape = WEFT_SHAPE_HALF_SPACE;
    collider.static_friction = collider.dynamic_friction = friction;
    expect_ok(weft_world_add_collider(world, &collider, &number));
  }
  return world;
}

static void measure_stack(const weft_world* world, double* creep, double* overlap, double* speed) {
  float p[BOXES][3], v[BOXES][3];
  expect_ok(weft_world_get_positions(world, 0, BOXES, p[0]));
  expect_ok(weft_world_get_velocities(world, 0, BOXES, v[0]));
  *creep = *overlap = *speed = 0.0;
  for (int i = 0; i < BOXES; ++i) {
    const double below = i == 0 ? -0.5 : number_of(&p[i - 1][1]);
    *creep = fmax(*creep, fabs(number_of(&p[i][0])));
    *overlap = fmax(*overlap, 1.0 - (number_of(&p[i][1]) - below));
    *speed = fmax(*speed, hypot(number_of(&v[i][0]), number_of(&v[i][1])));
  }
}

START_TEST(a_stack_stands_for_a_minute_on_a_slope) {
  weft_world* world = new_stack((floor_kind)(_i % FLOORS), 0.5f, TILT, _i < FLOORS ? 1 : 4);
  double creep, overlap, speed;
  weft_world_step(world, 3600);
  measure_stack(world, &creep, &overlap, &speed);
  ck_assert_double_lt(creep, 1e-3);
  ck_assert_double_lt(overlap, 5e-3);
  ck_assert_double_lt(speed, 1e-3);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_stack_without_friction_slides_away) {
  weft_world* world = new_stack((floor_kind)_i, 0.0f, TILT, 1);
  weft_world_step(world, 120);
  float p[BOXES][3];
  expect_ok(weft_world_get_positions(world, 0, BOXES, p[0]));
  const double way = 0.5 * GRAVITY * sin(TILT) * 4.0;
  for (int i = 0; i < BOXES; ++i) ck_assert_double_eq_tol(number_of(&p[i][0]), way, 0.01 * way);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_lid_slides_off_what_holds_it_too_little) {
  // friction between boxes is far below the slope, that of the floor far above it
  weft_world* world = new_stack(PINNED_FLOOR, 0.0f, TILT, 1);
  weft_contact box = contact_of(WEFT_CONTACT_BOX, 0.5f, 0.5f, 0.5f);
  expect_ok(weft_world_set_contact(world, 0, 1, &box));
  box.half_size[0] = box.half_size[2] = 1000.0f;
  box.static_friction = box.dynamic_friction = 1.0f;
  expect_ok(weft_world_set_contact(world, BOXES, 1, &box));
  weft_world_step(world, 60);
  float p[BOXES][3];
  expect_ok(weft_world_get_positions(world, 0, BOXES, p[0]));
  ck_assert_double_lt(fabs(number_of(&p[0][0])), 1e-3);
  ck_assert_double_gt(number_of(&p[1][0]), 0.3);
  ck_assert_double_gt(number_of(&p[BOXES - 1][0]), 0.3);
  weft_world_destroy(&world);
}
END_TEST

// ---- piles ----

enum { MOST = 400 };

typedef struct pile {
  uint32_t count, walls;
  float positions[MOST][3];
  float inverse_masses[MOST];
  weft_contact contacts[MOST];
} pile;

// circles and boxes in a plane, above each other, between three pinned boxes
static void fill_pile(pile* p, uint32_t count, uint64_t seed, bool with_walls) {
  random_source random = {seed};
  const float width = 12.0f;
  *p = (pile){.count = count};
  for (uint32_t i = 0; i < count; ++i) {
    const float radius = random_float(&random, 0.2f, 0.5f);
    const bool is_box = random_chance(&random, 2);
    const float height = is_box ? random_float(&random, 0.2f, 0.5f) : radius;
    p->contacts[i] = contact_of(is_box ? WEFT_CONTACT_BOX : WEFT_CONTACT_SPHERE, radius, height,
                                is_box ? 10.0f : radius);
    p->contacts[i].restitution = 0.2f;
    p->contacts[i].static_friction = 0.4f;
    p->contacts[i].dynamic_friction = 0.3f;
    p->positions[i][0] = 0.6f + (float)(i % 10) * 1.2f + random_float(&random, -0.05f, 0.05f);
    p->positions[i][1] = 0.8f + (float)(i / 10) * 1.1f;
    p->inverse_masses[i] = 0.25f / (radius * height);
  }
  if (!with_walls) return;
  const float places[3][2] = {{0.5f * width, -5.0f}, {-5.0f, 0.0f}, {width + 5.0f, 0.0f}};
  for (uint32_t k = 0; k < 3; ++k, ++p->walls) {
    const uint32_t i = count + k;
    p->positions[i][0] = places[k][0];
    p->positions[i][1] = places[k][1];
    p->contacts[i] =
        contact_of(WEFT_CONTACT_BOX, k == 0 ? 100.0f : 5.0f, k == 0 ? 5.0f : 100.0f, 10.0f);
    p->contacts[i].static_friction = p->contacts[i].dynamic_friction = 0.4f;
  }
}

static weft_world* new_pile(const pile* p, const weft_world_def* def) {
  const uint32_t all = p->count + p->walls;
  weft_world* world = new_bodies(def, p->positions[0], p->inverse_masses, all);
  for (uint32_t i = 0; i < all; ++i) {
    expect_ok(weft_world_set_contact(world, i, 1, &p->contacts[i]));
  }
  return world;
}

// metres by which two lie in each other: circles and boxes in a plane
static double overlap_between(const pile* p, const float (*at)[3], uint32_t a, uint32_t b) {
  double outside = 0.0;
  double inside = -INFINITY;
  double radius = 0.0;
  const uint32_t both[2] = {a, b};
  for (int axis = 0; axis < 2; ++axis) {
    double gap = fabs(number_of(&at[a][axis]) - number_of(&at[b][axis]));
    for (int k = 0; k < 2; ++k) {
      const weft_contact* c = &p->contacts[both[k]];
      if (c->shape == WEFT_CONTACT_BOX) gap -= number_of(&c->half_size[axis]);
    }
    if (gap > 0.0) outside += gap * gap;
    inside = fmax(inside, gap);
  }
  for (int k = 0; k < 2; ++k) {
    const weft_contact* c = &p->contacts[both[k]];
    if (c->shape == WEFT_CONTACT_SPHERE) radius += number_of(&c->half_size[0]);
  }
  return radius - (outside > 0.0 ? sqrt(outside) : inside);
}

static double smallest(const weft_contact* c) {
  return 2.0 * fmin(number_of(&c->half_size[0]), number_of(&c->half_size[1]));
}

START_TEST(a_pile_in_a_box_comes_to_rest) {
  static pile p;
  fill_pile(&p, 200, 1 + (uint64_t)_i, true);
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_pile(&p, &def);
  weft_world_step(world, 1200);
  static float at[MOST][3], v[MOST][3];
  expect_ok(weft_world_get_positions(world, 0, p.count + p.walls, at[0]));
  expect_ok(weft_world_get_velocities(world, 0, p.count, v[0]));
  for (uint32_t i = 0; i < p.count; ++i) {
    require(hypotf(v[i][0], v[i][1]) < 0.05f);
    require(at[i][2] == 0.0f);
    require(at[i][1] > 0.0f && at[i][0] > 0.0f && at[i][0] < 12.0f);
    for (uint32_t k = i + 1; k < p.count + p.walls; ++k) {
      const double size = fmin(smallest(&p.contacts[i]), smallest(&p.contacts[k]));
      require(overlap_between(&p, (const float(*)[3])at, i, k) < 0.01 * size);
    }
  }
  ck_assert_uint_eq(impulses_of(world)->lost, 0);
  weft_world_destroy(&world);
}
END_TEST

static uint64_t hash_of_pile(const pile* p, weft_isa isa, uint32_t workers, uint32_t max_pairs,
                             weft_integrator integrator, uint64_t* lost) {
  weft_world_def def = weft_default_world_def();
  def.isa = isa;
  def.gravity[1] = -60.0f;
  def.worker_count = workers;
  def.substeps = 2;
  def.integrator = integrator;
  weft_world* world = new_pile(p, &def);
  weft_contact_limits limits = weft_default_contact_limits();
  limits.max_pairs = max_pairs;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  weft_world_step(world, ROUNDS(20, 8));
  const uint64_t hash = weft_world_hash(world);
  *lost = impulses_of(world)->lost;
  weft_world_destroy(&world);
  return hash;
}

START_TEST(the_bits_depend_on_neither_workers_nor_instructions) {
  static pile p;
  const uint32_t max_pairs = _i == 1 ? 20 : 0;
  const weft_integrator integrator = _i == 2 ? WEFT_VELOCITY_VERLET : WEFT_POSITION_VERLET;
  fill_pile(&p, 390, 3, true);
  uint64_t lost, expected_lost;
  const uint64_t expected =
      hash_of_pile(&p, WEFT_ISA_AUTO, 1, max_pairs, integrator, &expected_lost);
  ck_assert((expected_lost > 0) == (max_pairs > 0));
  const uint32_t workers[] = {2, 3, 7};
  for (int k = 0; k < 3; ++k) {
    ck_assert_uint_eq(hash_of_pile(&p, WEFT_ISA_AUTO, workers[k], max_pairs, integrator, &lost),
                      expected);
    ck_assert_uint_eq(lost, expected_lost);
  }
  for (int isa = next_isa(WEFT_ISA_AUTO); isa != ISA_END; isa = next_isa(isa)) {
    ck_assert_uint_eq(hash_of_pile(&p, (weft_isa)isa, 2, max_pairs, integrator, &lost), expected);
  }
}
END_TEST

// ---- who is near whom, and colours ----

enum { MANY = 300 };

// bodies of very different sizes, many of them in each other
static weft_world* new_crowd(uint64_t seed) {
  random_source random = {seed};
  static float positions[MANY][3];
  static float inverse_masses[MANY];
  for (int i = 0; i < MANY; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      positions[i][axis] = random_float(&random, -2.0f, 2.0f);
    }
    inverse_masses[i] = random_chance(&random, 10) ? 0.0f : 1.0f;
  }
  weft_world_def def = weightless_def(1.0 / 60.0);
  def.worker_count = 3;
  weft_world* world = new_bodies(&def, positions[0], inverse_masses, MANY);
  for (uint32_t i = 0; i < MANY; ++i) {
    const float size = random_chance(&random, 20) ? random_float(&random, 0.5f, 2.0f)
                                                  : random_float(&random, 0.02f, 0.15f);
    const weft_contact contact = contact_of(shapes[i % 3], size, size, size);
    expect_ok(weft_world_set_contact(world, i, 1, &contact));
    const float velocity[3] = {random_float(&random, -5.0f, 5.0f), 0.0f,
                               random_float(&random, -1.0f, 1.0f)};
    if (inverse_masses[i] > 0.0f) {
      expect_ok(weft_world_set_particle(world, i, positions[i], velocity));
    }
  }
  weft_contact_limits limits = weft_default_contact_limits();
  limits.max_pairs = 100000;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  return world;
}

START_TEST(all_whose_boxes_meet_are_listed_once) {
  weft_world* world = new_crowd((uint64_t)_i);
  weft_world_step(world, 1);
  const weft__impulses* impulses = impulses_of(world);
  static uint8_t listed[MANY][MANY];
  memset(listed, 0, sizeof listed);
  for (uint32_t i = 0; i < impulses->pair_count; ++i) {
    const weft__body_pair pair = impulses->list.pairs[i];
    ++listed[pair.a < pair.b ? pair.a : pair.b][pair.a < pair.b ? pair.b : pair.a];
  }
  const float* inv_mass = world->stepper.particles.inv_mass;
  for (uint32_t a = 0; a < MANY; ++a) {
    for (uint32_t b = a + 1; b < MANY; ++b) {
      const weft__near_box* one = &impulses->boxes[a];
      const weft__near_box* other = &impulses->boxes[b];
      bool meet = inv_mass[impulses->particle[a]] > 0.0f || inv_mass[impulses->particle[b]] > 0.0f;
      for (int axis = 0; axis < 3; ++axis) {
        meet =
            meet && one->least[axis] <= other->most[axis] && other->least[axis] <= one->most[axis];
      }
      require(listed[a][b] == (meet ? 1 : 0));
    }
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(no_two_of_a_colour_share_a_free_body) {
  weft_world* world = new_crowd((uint64_t)_i);
  weft_world_step(world, 1);
  const weft__impulses* impulses = impulses_of(world);
  const float* inv_mass = world->stepper.particles.inv_mass;
  uint32_t colors = 0;
  for (uint32_t color = 0; color + 1 < WEFT__PAIR_COLORS; ++color) {
    bool taken[MANY] = {false};
    const uint32_t first = impulses->color_first[color];
    const uint32_t end = impulses->color_first[color + 1];
    colors += end > first;
    for (uint32_t i = first; i < end; ++i) {
      const uint32_t ends[2] = {impulses->contacts[i].a, impulses->contacts[i].b};
      for (int k = 0; k < 2; ++k) {
        if (!(inv_mass[impulses->particle[ends[k]]] > 0.0f)) continue;
        require(!taken[ends[k]]);
        taken[ends[k]] = true;
      }
    }
  }
  const uint32_t last = impulses->color_first[WEFT__PAIR_COLORS - 1];
  colors += last < impulses->pair_count;
  ck_assert_uint_eq(impulses->color_first[WEFT__PAIR_COLORS], impulses->pair_count);
  ck_assert_uint_eq(impulses->color_count, colors);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(what_touches_is_told_with_its_impulse) {
  weft_world* world = new_stack((floor_kind)_i, 0.5f, 0.0, 2);
  weft_contact_limits limits = weft_default_contact_limits();
  limits.max_events = 1000;
  limits.with_stays = true;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  weft_contact_event events[64];
  uint32_t count = 64;
  weft_world_step(world, 200);
  while (count == 64) expect_ok(weft_world_take_contacts(world, 64, events, &count));
  weft_world_step(world, 1);
  expect_ok(weft_world_take_contacts(world, 64, events, &count));
  ck_assert_uint_eq(count, _i == BOUNDS_FLOOR ? BOXES - 1 : BOXES);
  for (uint32_t k = 0; k < count; ++k) {
    const weft_contact_event* e = &events[k];
    const bool is_floor = e->is_collider || e->other == BOXES;
    // what lies above it weighs on it: 10 kg a box
    const uint32_t above = is_floor ? BOXES : BOXES - 1 - e->particle;
    ck_assert_uint_eq(e->kind, WEFT_CONTACT_STAY);
    ck_assert_double_eq_tol((double)e->impulse, (double)above * 10.0 * GRAVITY / 60.0,
                            0.02 * (double)above * 10.0 * GRAVITY / 60.0);
    ck_assert_float_eq(e->normal[1], is_floor ? 1.0f : -1.0f);
  }
  weft_world_destroy(&world);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("impulses");
  tcase_add_loop_test(suite.tests, two_balls_part_as_the_closed_form_says, 0, 4 * STEPS);
  tcase_add_loop_test(suite.tests, friction_takes_its_share_of_a_hit, 0, STEPS);
  tcase_add_loop_test(suite.tests, a_ball_bounces_on_a_pinned_box_as_high_as_it_should, 0, STEPS);
  tcase_add_loop_test(suite.tests, nothing_passes_through_however_fast, 0, 9);
  tcase_add_test(suite.tests, what_goes_past_goes_on_as_it_was);
  tcase_add_test(suite.tests, only_what_the_masks_let_meet_meets);
  tcase_add_loop_test(suite.tests, a_stack_stands_for_a_minute_on_a_slope, 0,
                      ROUNDS(2 * FLOORS, 1));
  tcase_add_loop_test(suite.tests, a_stack_without_friction_slides_away, 0, FLOORS);
  tcase_add_test(suite.tests, a_lid_slides_off_what_holds_it_too_little);
  tcase_add_loop_test(suite.tests, a_pile_in_a_box_comes_to_rest, 0, ROUNDS(3, 1));
  tcase_add_loop_test(suite.tests, the_bits_depend_on_neither_workers_nor_instructions, 0, 3);
  tcase_add_loop_test(suite.tests, all_whose_boxes_meet_are_listed_once, 0, ROUNDS(10, 3));
  tcase_add_loop_test(suite.tests, no_two_of_a_colour_share_a_free_body, 0, ROUNDS(10, 3));
  tcase_add_loop_test(suite.tests, what_touches_is_told_with_its_impulse, 0, FLOORS);
  return run_suite(suite);
}
