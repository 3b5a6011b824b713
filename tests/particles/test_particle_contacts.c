/* Contacts of particle shapes: collisions by the closed form, broad phase, and colours. */
#include "modules/spheres/particle_contacts.h"

#include "support/colliding.h"
#include "support/test.h"

// ---- collisions ----

static const double steps[] = {1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0, 1.0 / 1000.0};
enum { STEPS = 4 };

// permutes axes cyclically: component 0 becomes component `turn`
static void turn_axes(const float from[3], int turn, float to[3]) {
  for (int axis = 0; axis < 3; ++axis) to[(axis + turn) % 3] = from[axis];
}

// two spheres of radius 0.2 m, 2 m apart and offset sideways by `aside`, in axes that are permuted
// by `turn`; returns their velocities after a second
static void collide(double h, double restitution, const float inverse_masses[2],
                    const float speed[2], float aside, int turn, float velocities[6]) {
  const weft_world_def def = weightless_def(h);
  float positions[6] = {0.0f};
  turn_axes((const float[3]){2.0f, aside, 0.0f}, turn, positions + 3);
  weft_world* world = new_particles(&def, positions, inverse_masses, 2);
  const weft_particle_shape_def contact = ball_of(0.2f, (float)restitution);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2), &contact));
  for (uint32_t i = 0; i < 2; ++i) {
    float velocity[3];
    turn_axes((const float[3]){speed[i], 0.0f, 0.0f}, turn, velocity);
    place_particle(world, i, positions + 3 * i, velocity);
  }
  weft_world_step(world, (uint32_t)(1.0 / h));
  float turned[6];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 2, turned);
  for (int i = 0; i < 2; ++i) turn_axes(turned + 3 * i, 3 - turn, velocities + 3 * i);
}

LOOP_TEST(two_balls_part_as_the_closed_form_says, 0, 3 * 4 * STEPS) {
  static const float inverse_masses[][2] = {
      {1.0f, 1.0f}, {0.5f, 1.0f}, {1.0f, 0.01f}, {1.0f, 0.0f}};
  const double h = steps[_i % STEPS];
  const float* inverse = inverse_masses[_i / STEPS % 4];
  const float speed[2] = {5.0f, inverse[1] > 0.0f ? -3.0f : 0.0f};
  for (int k = 0; k < 6; ++k) {
    const double restitution = 0.5 * (k % 3);
    const float aside = k < 3 ? 0.0f : 0.25f;
    float v[6];
    collide(h, restitution, inverse, speed, aside, _i / STEPS / 4, v);
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
    // rounding of positions of a metre, per step
    const double rounding = 4.0 * 0x1p-22 / h * (1.0 + 1.0 / (double)inverse[0]);
    if (inverse[1] > 0.0f) {
      ck_assert_double_eq_tol(after, before, rounding * (1.0 + 1.0 / (double)inverse[1]));
    }
  }
}

LOOP_TEST(friction_takes_its_share_of_a_hit, 0, STEPS) {
  for (int k = 0; k < 4; ++k) {
    const weft_world_def def = weightless_def(steps[_i]);
    const float positions[6] = {0.0f, 1.0f, 0.0f, 0.0f, -1.0f, 0.0f};
    const float inverse_masses[2] = {1.0f, 0.0f};
    weft_world* world = new_particles(&def, positions, inverse_masses, 2);
    weft_particle_shape_def ball = ball_of(0.5f, 0.5f);
    weft_particle_shape_def floor = contact_of(WEFT_PARTICLE_SHAPE_BOX, 100.0f, 1.0f, 100.0f);
    floor.surface.restitution = 0.5f;
    const double friction = 0.1 * k;
    ball.surface.static_friction = ball.surface.dynamic_friction = (float)(0.6 * friction);
    floor.surface.static_friction = floor.surface.dynamic_friction = (float)(0.8 * friction);
    expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &ball));
    expect_ok(weft_world_set_particle_shape(world, weft_range(1, 1), &floor));
    place_particle(world, 0, positions, (const float[3]){3.0f, -4.0f, 0.0f});
    weft_world_step(world, (uint32_t)(0.5 / steps[_i]));
    float v[3];
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, v);
    ck_assert_double_eq_tol(number_of(&v[1]), 2.0, 2e-3);
    ck_assert_double_eq_tol(number_of(&v[0]), 3.0 - friction * 6.0, 4e-3);
  }
}

// ---- non-penetration ----

static const weft_particle_shape shapes[] = {WEFT_PARTICLE_SHAPE_SPHERE, WEFT_PARTICLE_SHAPE_BOX,
                                             WEFT_PARTICLE_SHAPE_ELLIPSOID};
LOOP_TEST(nothing_passes_through_however_fast, 0, 9) {
  const weft_particle_shape_def first = contact_of(shapes[_i / 3], 0.1f, 0.1f, 0.1f);
  const weft_particle_shape_def second = contact_of(shapes[_i % 3], 0.1f, 0.1f, 0.1f);
  random_source random = {(uint64_t)_i};
  for (int round = 0; round < 20; ++round) {
    const weft_world_def def = weightless_def(1.0 / 60.0);
    const float aside = random_float(&random, -0.02f, 0.02f);
    const float positions[6] = {random_float(&random, 0.0f, 1.0f), aside, 0.0f, 3.0f, 0.0f, 0.0f};
    const float inverse_masses[2] = {1.0f, round % 2 == 0 ? 1.0f : 0.0f};
    weft_world* world = new_particles(&def, positions, inverse_masses, 2);
    expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &first));
    expect_ok(weft_world_set_particle_shape(world, weft_range(1, 1), &second));
    place_particle(world, 0, positions, (const float[3]){100.0f, 0.0f, 0.0f});
    for (int step = 0; step < 6; ++step) {
      float p[6];
      weft_world_step(world, 1);
      expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 2, p);
      require(p[3] - p[0] > 0.15f || fabsf(p[4] - p[1]) > 0.15f);
    }
  }
}

TEST(only_what_the_masks_let_meet_meets) {
  const weft_world_def def = weightless_def(1.0 / 60.0);
  const float positions[6] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f};
  const float inverse_masses[2] = {1.0f, 1.0f};
  for (uint32_t mask = 0; mask < 4; ++mask) {
    weft_world* world = new_particles(&def, positions, inverse_masses, 2);
    weft_particle_shape_def contact = ball_of(0.2f, 0.0f);
    contact.category = 2;
    expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &contact));
    contact.mask = mask;
    expect_ok(weft_world_set_particle_shape(world, weft_range(1, 1), &contact));
    place_particle(world, 0, positions, (const float[3]){2.0f, 0.0f, 0.0f});
    weft_world_step(world, 60);
    float v[6];
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 2, v);
    ck_assert_float_eq_tol(v[3], (mask & 2) != 0 ? 1.0f : 0.0f, 1e-4f);
  }
}

// ---- broad phase and colours ----

enum { MANY = 200 };

// distribution of positions and sizes
typedef enum crowd_kind {
  CROWD_IN_EACH_OTHER,
  CROWD_OF_ALL_SIZES,  // from a thousandth of a metre to a hundred
  CROWD_FAR_AWAY,      // a metre is a few roundings there
  CROWD_IN_ONE_PLACE,  // at rest
  CROWD_SCATTERED,     // over the whole range of positions
  CROWD_NOT_FINITE,    // some coordinates are infinite or NaN
  CROWD_KINDS,
} crowd_kind;

static float size_in(crowd_kind kind, random_source* random) {
  if (kind == CROWD_OF_ALL_SIZES) return powf(10.0f, random_float(random, -3.0f, 2.0f));
  if (random_chance(random, 20)) return random_float(random, 0.5f, 2.0f);
  return random_float(random, 0.02f, 0.15f);
}

static float coordinate_in(crowd_kind kind, random_source* random) {
  const float at = random_float(random, -2.0f, 2.0f);
  switch (kind) {
    case CROWD_FAR_AWAY:
      return at + 4e6f;
    case CROWD_IN_ONE_PLACE:
      return 0.7f;
    case CROWD_SCATTERED:
      return copysignf(powf(10.0f, random_float(random, -10.0f, 8.99f)), at);
    default:
      return at;
  }
}

static void lose_some(weft_world* world, random_source* random) {
  const weft__particles* p = &world->stepper.particles;
  float* const positions[3] = {p->pos_x, p->pos_y, p->pos_z};
  for (uint32_t i = 0; i < p->count; i += 7) {
    positions[random_below(random, 3)][i] = random_chance(random, 2) ? NAN : INFINITY;
  }
}

// particle shapes of different sizes, many of them overlapping; `max_pairs` 0 = enough for all
static weft_world* new_crowd(uint64_t seed, crowd_kind kind, uint32_t workers, uint32_t max_pairs) {
  random_source random = {seed};
  static float positions[MANY][3];
  static float inverse_masses[MANY];
  const uint32_t count = random_chance(&random, 3) ? 2 + random_below(&random, MANY - 2) : MANY;
  for (uint32_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) positions[i][axis] = coordinate_in(kind, &random);
    inverse_masses[i] = random_chance(&random, 10) ? 0.0f : 1.0f;
  }
  weft_world_def def = weightless_def(1.0 / 60.0);
  def.worker_count = workers;
  weft_world* world = new_particles(&def, positions[0], inverse_masses, count);
  for (uint32_t i = 0; i < count; ++i) {
    const float size = size_in(kind, &random);
    weft_particle_shape_def contact = contact_of(shapes[i % 3], size, size, size);
    contact.mask = random_chance(&random, 20) ? 0 : contact.mask;
    expect_ok(weft_world_set_particle_shape(world, weft_range(i, 1), &contact));
    const float velocity[3] = {random_float(&random, -5.0f, 5.0f), 0.0f,
                               random_float(&random, -1.0f, 1.0f)};
    if (inverse_masses[i] > 0.0f && kind != CROWD_IN_ONE_PLACE) {
      place_particle(world, i, positions[i], velocity);
    }
  }
  if (kind == CROWD_NOT_FINITE) lose_some(world, &random);
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_pairs = max_pairs > 0 ? max_pairs : 100000;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  return world;
}

static bool should_be_listed(const weft_world* world, uint32_t a, uint32_t b) {
  const weft__particle_contacts* impulses = impulses_of(world);
  const uint32_t particles[2] = {impulses->particle[a], impulses->particle[b]};
  const float* inv_mass = world->stepper.particles.inv_mass;
  if (!(inv_mass[particles[0]] > 0.0f) && !(inv_mass[particles[1]] > 0.0f)) return false;
  for (int k = 0; k < 2; ++k) {
    const weft__materials* materials = &world->stepper.contacts.materials;
    if (weft__material_of(materials, particles[k])->surface.mask == 0) return false;
  }
  const weft__aabb* one = &impulses->boxes[a];
  const weft__aabb* other = &impulses->boxes[b];
  for (int axis = 0; axis < 3; ++axis) {
    if (one->lower[axis] > other->upper[axis] || other->lower[axis] > one->upper[axis])
      return false;
  }
  return true;
}

LOOP_TEST(all_whose_boxes_meet_are_listed_once, 0, 12) {
  weft_world* world =
      new_crowd((uint64_t)_i, (crowd_kind)(_i % CROWD_KINDS), 1 + (uint32_t)_i % 4, 0);
  weft_world_step(world, 1);
  const weft__particle_contacts* impulses = impulses_of(world);
  static uint8_t listed[MANY][MANY];
  memset(listed, 0, sizeof listed);
  for (uint32_t i = 0; i < impulses->pair_count; ++i) {
    const weft__particle_pair pair = impulses->list.pairs[i];
    ++listed[pair.a < pair.b ? pair.a : pair.b][pair.a < pair.b ? pair.b : pair.a];
  }
  for (uint32_t a = 0; a < impulses->body_count; ++a) {
    for (uint32_t b = a + 1; b < impulses->body_count; ++b) {
      require(listed[a][b] == (should_be_listed(world, a, b) ? 1 : 0));
    }
  }
}

// per-worker buffers overflow: pairs that do not fit are found again
LOOP_TEST(of_too_many_pairs_the_first_are_left_whichever_worker_finds_them, 0, 6) {
  const crowd_kind kind = (crowd_kind)(_i % CROWD_KINDS);
  weft_world* all = new_crowd((uint64_t)_i, kind, 1, 0);
  weft_world_step(all, 1);
  const weft__particle_contacts* whole = impulses_of(all);
  static const uint32_t rooms[] = {1, 3, 64, 1000};
  for (uint32_t k = 0; k < 8; ++k) {
    weft_world* world = new_crowd((uint64_t)_i, kind, k < 4 ? 7 : 1 + k % 3, rooms[k % 4]);
    const weft__particle_contacts* impulses = impulses_of(world);
    weft_world_step(world, 1);
    const uint32_t upper = whole->pair_count;
    const uint32_t left = rooms[k % 4] < upper ? rooms[k % 4] : upper;
    ck_assert_uint_eq(impulses->pair_count, left);
    require((impulses->lost > 0) == (upper > left));
    for (uint32_t i = 0; i < left; ++i) {
      require(impulses->list.pairs[i].a == whole->list.pairs[i].a);
      require(impulses->list.pairs[i].b == whole->list.pairs[i].b);
    }
  }
}

// cells have a width per axis: shapes long along one axis do not widen them along the others
LOOP_TEST(long_bodies_make_cells_that_are_long_along_one_axis, 0, 3) {
  static const float halves[3][3] = {
      {0.04f, 0.05f, 10.0f}, {10.0f, 0.04f, 0.05f}, {0.05f, 10.0f, 0.04f}};
  const weft_world_def def = weightless_def(1.0 / 60.0);
  float positions[400][3];
  float inverse_masses[400];
  for (int i = 0; i < 400; ++i) {
    for (int axis = 0; axis < 3; ++axis) positions[i][axis] = 0.0f;
    positions[i][(_i + 0) % 3] = 0.2f * (float)(i % 20);
    positions[i][(_i + 1) % 3] = 0.2f * (float)(i / 20);
    inverse_masses[i] = 1.0f;
  }
  weft_world* world = new_particles(&def, &positions[0][0], inverse_masses, 400);
  const float* half = halves[_i];
  const weft_particle_shape_def contact =
      contact_of(WEFT_PARTICLE_SHAPE_BOX, half[0], half[1], half[2]);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 400), &contact));
  weft_world_step(world, 1);
  const weft__particle_contacts* impulses = impulses_of(world);
  ck_assert_uint_eq(impulses->pair_count, 0);
  ck_assert_uint_eq(impulses->level_count, 1);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_le(impulses->levels[0].width[axis], 2.5 * (double)half[axis]);
  }
}

TEST(a_heap_in_one_point_lists_a_bounded_number_of_pairs_a_body) {
  const uint32_t count = WEFT__MAX_BODY_PAIRS + 100;
  float* positions = test_alloc(count * sizeof(float[3]));
  float* inverse_masses = test_alloc(count * sizeof(float));
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = 1.0f;
  for (uint32_t workers = 1; workers <= 3; workers += 2) {
    weft_world_def def = weightless_def(1.0 / 60.0);
    def.worker_count = workers;
    weft_world* world = new_particles(&def, positions, inverse_masses, count);
    const weft_particle_shape_def ball = ball_of(0.1f, 0.0f);
    weft_contact_limits_def limits = weft_default_contact_limits_def();
    limits.max_pairs = 1u << 18;
    expect_ok(weft_world_set_contact_limits(world, &limits));
    expect_ok(weft_world_set_particle_shape(world, weft_range(0, count), &ball));
    weft_world_step(world, 1);
    // each of the first 99 finds more pairs than the limit
    const uint32_t few = WEFT__MAX_BODY_PAIRS * (WEFT__MAX_BODY_PAIRS + 1) / 2;
    const weft_contact_stats stats = contact_stats_of(world);
    ck_assert_uint_eq(stats.particle_pairs, 99 * WEFT__MAX_BODY_PAIRS + few);
    ck_assert_uint_eq(stats.lost_pairs, 99);
  }
}

LOOP_TEST(no_two_of_a_colour_share_a_free_body, 0, 6) {
  weft_world* world = new_crowd((uint64_t)_i, (crowd_kind)(_i % CROWD_KINDS), 3, 0);
  weft_world_step(world, 1);
  const weft__particle_contacts* impulses = impulses_of(world);
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
}
