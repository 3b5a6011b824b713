/* Stacks and piles of particle shapes that come to rest, with the same bits for any number of
 * workers. */
#include "support/colliding.h"
#include "support/test.h"

// five degrees, in radians
#define TILT 0.0872664626

// ---- stacks ----

enum { BOXES = 10 };
typedef enum floor_kind { PINNED_FLOOR, BOUNDS_FLOOR, COLLIDER_FLOOR, FLOORS } floor_kind;

// boxes of a metre on a floor, with gravity tilted by `tilt`
static weft_world* new_stack(floor_kind kind, float friction, double tilt, uint32_t substeps) {
  float positions[BOXES + 1][3] = {{0}};
  float inverse_masses[BOXES + 1];
  for (int i = 0; i < BOXES; ++i) {
    positions[i][1] = 0.5f + (float)i;
    inverse_masses[i] = 0.1f;
  }
  positions[BOXES][1] = -0.5f;
  inverse_masses[BOXES] = 0.0f;
  weft_world_def def = plain_def(.undamped = true, .substeps = substeps);
  def.gravity[0] = (float)(GRAVITY * sin(tilt));
  def.gravity[1] = (float)(-GRAVITY * cos(tilt));
  weft_world* world = new_particles(&def, positions[0], inverse_masses, BOXES + 1);
  weft_particle_shape_def box = contact_of(WEFT_PARTICLE_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
  box.static_friction = box.dynamic_friction = friction;
  expect_ok(weft_world_set_particle_shape(world, 0, BOXES, &box));
  if (kind == PINNED_FLOOR) {
    box.half_size[0] = box.half_size[2] = 1000.0f;
    expect_ok(weft_world_set_particle_shape(world, BOXES, 1, &box));
  } else if (kind == BOUNDS_FLOOR) {
    put_floor(world, 0.0f, friction);
  } else {
    weft_collider_def collider = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
    collider.static_friction = collider.dynamic_friction = friction;
    (void)add_collider(world, &collider);
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

LOOP_TEST(a_stack_stands_for_a_minute_on_a_slope, 0, ROUNDS(2 * FLOORS, 1)) {
  weft_world* world = new_stack((floor_kind)(_i % FLOORS), 0.5f, TILT, _i < FLOORS ? 1 : 4);
  double creep, overlap, speed;
  weft_world_step(world, 3600);
  measure_stack(world, &creep, &overlap, &speed);
  ck_assert_double_lt(creep, 1e-3);
  ck_assert_double_lt(overlap, 5e-3);
  ck_assert_double_lt(speed, 1e-3);
}

LOOP_TEST(a_stack_without_friction_slides_away, 0, FLOORS) {
  weft_world* world = new_stack((floor_kind)_i, 0.0f, TILT, 1);
  weft_world_step(world, 120);
  float p[BOXES][3];
  expect_ok(weft_world_get_positions(world, 0, BOXES, p[0]));
  const double way = 0.5 * GRAVITY * sin(TILT) * 4.0;
  for (int i = 0; i < BOXES; ++i) ck_assert_double_eq_tol(number_of(&p[i][0]), way, 0.01 * way);
}

TEST(a_lid_slides_off_what_holds_it_too_little) {
  // friction between boxes is far below the slope, that of the floor far above it
  weft_world* world = new_stack(PINNED_FLOOR, 0.0f, TILT, 1);
  weft_particle_shape_def box = contact_of(WEFT_PARTICLE_SHAPE_BOX, 0.5f, 0.5f, 0.5f);
  expect_ok(weft_world_set_particle_shape(world, 0, 1, &box));
  box.half_size[0] = box.half_size[2] = 1000.0f;
  box.static_friction = box.dynamic_friction = 1.0f;
  expect_ok(weft_world_set_particle_shape(world, BOXES, 1, &box));
  weft_world_step(world, 60);
  float p[BOXES][3];
  expect_ok(weft_world_get_positions(world, 0, BOXES, p[0]));
  ck_assert_double_lt(fabs(number_of(&p[0][0])), 1e-3);
  ck_assert_double_gt(number_of(&p[1][0]), 0.3);
  ck_assert_double_gt(number_of(&p[BOXES - 1][0]), 0.3);
}

// ---- piles ----

enum { MOST = 400 };

typedef struct pile {
  uint32_t count, walls;
  float positions[MOST][3];
  float inverse_masses[MOST];
  weft_particle_shape_def contacts[MOST];
} pile;

// circles and boxes in a plane, in rows above each other, between three pinned boxes
static void fill_pile(pile* p, uint32_t count, uint64_t seed, bool with_walls) {
  random_source random = {seed};
  const float width = 12.0f;
  *p = (pile){.count = count};
  for (uint32_t i = 0; i < count; ++i) {
    const float radius = random_float(&random, 0.2f, 0.5f);
    const bool is_box = random_chance(&random, 2);
    const float height = is_box ? random_float(&random, 0.2f, 0.5f) : radius;
    p->contacts[i] = contact_of(is_box ? WEFT_PARTICLE_SHAPE_BOX : WEFT_PARTICLE_SHAPE_SPHERE,
                                radius, height, is_box ? 10.0f : radius);
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
        contact_of(WEFT_PARTICLE_SHAPE_BOX, k == 0 ? 100.0f : 5.0f, k == 0 ? 5.0f : 100.0f, 10.0f);
    p->contacts[i].static_friction = p->contacts[i].dynamic_friction = 0.4f;
  }
}

static weft_world* new_pile(const pile* p, const weft_world_def* def) {
  const uint32_t all = p->count + p->walls;
  weft_world* world = new_particles(def, p->positions[0], p->inverse_masses, all);
  for (uint32_t i = 0; i < all; ++i) {
    expect_ok(weft_world_set_particle_shape(world, i, 1, &p->contacts[i]));
  }
  return world;
}

// penetration depth of circles and boxes in a plane, in metres
static double overlap_between(const pile* p, const float (*at)[3], uint32_t a, uint32_t b) {
  double outside = 0.0;
  double inside = -INFINITY;
  double radius = 0.0;
  const uint32_t both[2] = {a, b};
  for (int axis = 0; axis < 2; ++axis) {
    double gap = fabs(number_of(&at[a][axis]) - number_of(&at[b][axis]));
    for (int k = 0; k < 2; ++k) {
      const weft_particle_shape_def* c = &p->contacts[both[k]];
      if (c->shape == WEFT_PARTICLE_SHAPE_BOX) gap -= number_of(&c->half_size[axis]);
    }
    if (gap > 0.0) outside += gap * gap;
    inside = fmax(inside, gap);
  }
  for (int k = 0; k < 2; ++k) {
    const weft_particle_shape_def* c = &p->contacts[both[k]];
    if (c->shape == WEFT_PARTICLE_SHAPE_SPHERE) radius += number_of(&c->half_size[0]);
  }
  return radius - (outside > 0.0 ? sqrt(outside) : inside);
}

static double smallest(const weft_particle_shape_def* c) {
  return 2.0 * fmin(number_of(&c->half_size[0]), number_of(&c->half_size[1]));
}

LOOP_TEST(a_pile_in_a_box_comes_to_rest, 0, ROUNDS(3, 1)) {
  static pile p;
  fill_pile(&p, 200, 1 + (uint64_t)_i, true);
  const weft_world_def def = weft_plain_world_def();
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
}

static uint64_t hash_of_pile(const pile* p, weft_isa isa, uint32_t workers, uint32_t max_pairs,
                             weft_integrator integrator, uint64_t* lost) {
  weft_world_def def =
      plain_def(.isa = isa, .worker_count = workers, .substeps = 2, .integrator = integrator);
  def.gravity[1] = -60.0f;
  weft_world* world = new_pile(p, &def);
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_pairs = max_pairs;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  weft_world_step(world, ROUNDS(20, 8));
  const uint64_t hash = weft_world_hash(world);
  *lost = impulses_of(world)->lost;
  return hash;
}

LOOP_TEST(the_bits_depend_on_neither_workers_nor_instructions, 0, 3) {
  static pile p;
  const uint32_t max_pairs = _i == 1 ? 20 : 0;
  const weft_integrator integrator =
      _i == 2 ? WEFT_INTEGRATOR_VELOCITY_VERLET : WEFT_INTEGRATOR_POSITION_VERLET;
  fill_pile(&p, 390, 3, true);
  uint64_t lost, expected_lost;
  const uint64_t expected =
      hash_of_pile(&p, WEFT_ISA_AUTO, 1, max_pairs, integrator, &expected_lost);
  ck_assert((expected_lost > 0) == (max_pairs > 0));
  const uint32_t workers[] = {2, 3, 7, 4};
  for (int isa = next_isa(WEFT_ISA_AUTO); isa != ISA_END; isa = next_isa(isa)) {
    const uint32_t count = workers[isa % 4];
    ck_assert_uint_eq(hash_of_pile(&p, (weft_isa)isa, count, max_pairs, integrator, &lost),
                      expected);
    ck_assert_uint_eq(lost, expected_lost);
  }
}

// ---- events ----

LOOP_TEST(what_touches_is_told_with_its_impulse, 0, FLOORS) {
  weft_world* world = new_stack((floor_kind)_i, 0.5f, 0.0, 2);
  weft_contact_limits_def limits = event_limits(1000);
  limits.with_stays = true;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  weft_contact_event events[64];
  uint32_t count = 64;
  weft_world_step(world, 200);
  while (count == 64) expect_ok(weft_world_take_contact_events(world, 64, events, &count));
  weft_world_step(world, 1);
  expect_ok(weft_world_take_contact_events(world, 64, events, &count));
  ck_assert_uint_eq(count, _i == BOUNDS_FLOOR ? BOXES - 1 : BOXES);
  for (uint32_t k = 0; k < count; ++k) {
    const weft_contact_event* e = &events[k];
    const bool is_floor = e->collider.generation != 0 || e->other == BOXES;
    // normal impulse: the weight of all boxes above, 10 kg each
    const uint32_t above = is_floor ? BOXES : BOXES - 1 - e->particle;
    ck_assert_uint_eq(e->kind, WEFT_CONTACT_EVENT_STAY);
    ck_assert_double_eq_tol((double)e->impulse, (double)above * 10.0 * GRAVITY / 60.0,
                            0.02 * (double)above * 10.0 * GRAVITY / 60.0);
    ck_assert_float_eq(e->normal[1], is_floor ? 1.0f : -1.0f);
  }
}
