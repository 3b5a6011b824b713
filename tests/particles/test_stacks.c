/* Stacks of particle shapes. */
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
  box.surface.static_friction = box.surface.dynamic_friction = friction;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, BOXES), &box));
  if (kind == PINNED_FLOOR) {
    box.half_size[0] = box.half_size[2] = 1000.0f;
    expect_ok(weft_world_set_particle_shape(world, weft_range(BOXES, 1), &box));
  } else if (kind == BOUNDS_FLOOR) {
    put_floor(world, 0.0f, friction);
  } else {
    weft_collider_def collider = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
    collider.surface.static_friction = collider.surface.dynamic_friction = friction;
    (void)add_collider(world, &collider);
  }
  return world;
}

static void measure_stack(const weft_world* world, double* creep, double* overlap, double* speed) {
  float p[BOXES][3], v[BOXES][3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, BOXES, p[0]);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, BOXES, v[0]);
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
