/* The kernel that holds particles within bounds. Bouncing, sliding and resting are tested in
 * test_walls.c. */
#include "tables/bounds.h"

#include "support/rig.h"
#include "support/test.h"

// ---- bounds, and particles in them ----

typedef struct box {
  weft__particles particles;
  weft__bounds bounds;
  weft__motion motion;
} box;

static void draw_bounds(random_source* random, box* b) {
  weft__bounds* bounds = &b->bounds;
  const uint32_t count = b->particles.count;
  *bounds = weft__bounds_for(count);
  bounds->on = true;
  ck_assert(weft__bounds_add_contacts(bounds));
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_flat = random_chance(random, 8);
    bounds->lower[axis] = random_chance(random, 4) ? -INFINITY : random_float(random, -1.0f, 0.0f);
    bounds->upper[axis] = random_chance(random, 4) ? INFINITY : random_float(random, 0.0f, 1.0f);
    if (is_flat) bounds->lower[axis] = bounds->upper[axis] = 0.25f;
    bounds->middle[axis] = 0.5f * bounds->lower[axis] + 0.5f * bounds->upper[axis];
    b->motion.displacement[axis] =
        random_chance(random, 3) ? 0.0f : random_float(random, -0.01f, 0.01f);
  }
  bounds->restitution = random_chance(random, 3) ? 0.0f : random_float(random, 0.0f, 1.0f);
  bounds->static_friction = random_chance(random, 3) ? 0.0f : random_float(random, 0.0f, 1.5f);
  bounds->dynamic_friction = bounds->static_friction;
  if (random_chance(random, 2)) bounds->dynamic_friction *= random_float(random, 0.0f, 1.0f);
  if (random_chance(random, 2)) return;
  ck_assert(weft__bounds_add_radii(bounds));
  for (uint32_t i = 0; i < count; ++i) {
    bounds->radius_x[i] = random_float(random, 0.0f, 0.2f);
    bounds->radius_y[i] = random_float(random, 0.0f, 0.2f);
    bounds->radius_z[i] = random_chance(random, 9) ? 3.0f : random_float(random, 0.0f, 0.2f);
  }
}

// positions in and around a box of two metres; slow, fast and at rest, some exactly on a wall
static void draw_state(random_source* random, box* b) {
  const weft__particles* p = &b->particles;
  float* pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  float* prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  for (uint32_t i = 0; i < p->count; ++i) {
    const float size = random_chance(random, 3) ? 0.01f : 0.5f;
    for (int axis = 0; axis < 3; ++axis) {
      pos[axis][i] = random_float(random, -1.1f, 1.1f);
      if (random_chance(random, 6)) pos[axis][i] = b->bounds.upper[axis];
      if (!isfinite(pos[axis][i])) pos[axis][i] = 0.0f;
      prev[axis][i] = pos[axis][i] + random_float(random, -size, size);
      if (random_chance(random, 6)) prev[axis][i] = pos[axis][i];
    }
    p->inv_mass[i] = random_chance(random, 8) ? 0.0f : random_float(random, 0.5f, 20.0f);
  }
}

static box new_box(random_source* random) {
  box b = {0};
  ck_assert(weft__particles_create(&b.particles, random_from(random, 1, 150)));
  draw_bounds(random, &b);
  draw_state(random, &b);
  return b;
}

static void free_box(box* b) {
  weft__particles_destroy(&b->particles);
  weft__bounds_destroy(&b->bounds);
}

// ---- an oracle ----

// One particle, in double precision: bisection finds the time of contact.
typedef struct oracle {
  double pos[3], prev[3];
  double lower[3], upper[3];
  double stick[3], slow[3];  // limits of static and dynamic friction of each wall
  double met_at[3];          // time of impact
  int8_t touch[3];
  double margin;  // smallest distance of a decision from its threshold
} oracle;

static void decide(oracle* o, double by) {
  if (fabs(by) < o->margin) o->margin = fabs(by);
}

static oracle oracle_of(const box* b, uint32_t i) {
  const weft__particles* p = &b->particles;
  const weft__bounds* bounds = &b->bounds;
  oracle o = {.pos = {(double)p->pos_x[i], (double)p->pos_y[i], (double)p->pos_z[i]},
              .prev = {(double)p->prev_x[i], (double)p->prev_y[i], (double)p->prev_z[i]},
              .margin = INFINITY};
  const float* radius[3] = {bounds->radius_x, bounds->radius_y, bounds->radius_z};
  for (int axis = 0; axis < 3; ++axis) {
    const double r = bounds->radius_block == NULL ? 0.0 : (double)radius[axis][i];
    o.lower[axis] = (double)bounds->lower[axis] + r;
    o.upper[axis] = (double)bounds->upper[axis] - r;
    if (o.lower[axis] > o.upper[axis]) {
      o.lower[axis] = o.upper[axis] =
          ((double)bounds->lower[axis] + (double)bounds->upper[axis]) / 2.0;
    }
  }
  return o;
}

// signed distance beyond the wall at a time of the substep, 0 to 1
static double outside_at(double start, double end, double pull, double time) {
  const double velocity = end - start - pull / 2.0;
  return start + velocity * time + pull * time * time / 2.0;
}

static double contact_time(double start, double end, double pull) {
  if (start >= 0.0) return 0.0;
  double inside = 0.0, outside = 1.0;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (inside + outside) / 2.0;
    if (outside_at(start, end, pull, middle) > 0.0) {
      outside = middle;
    } else {
      inside = middle;
    }
  }
  return outside;
}

static void rub(oracle* o, int axis) {
  const double time = o->met_at[axis];
  const int b = (axis + 1) % 3;
  const int c = (axis + 2) % 3;
  const double moved = hypot(o->pos[b] - o->prev[b], o->pos[c] - o->prev[c]);
  if (o->slow[axis] < o->stick[axis]) decide(o, moved - o->stick[axis]);
  const double lost = moved <= o->stick[axis] ? moved : o->slow[axis];
  for (int k = 0; k < 2 && lost > 0.0; ++k) {
    const int along = k == 0 ? b : c;
    const double was = o->pos[along] - o->prev[along];
    const double is = was * (1.0 - lost / moved);
    // full velocity up to the time of impact, reduced from then on
    o->pos[along] = o->prev[along] + was * time + is * (1.0 - time);
    o->prev[along] = o->pos[along] - is;
  }
}

static void meet_wall(oracle* o, int axis, double wall, double side, const box* b) {
  const double start = side * (o->prev[axis] - wall);
  const double end = side * (o->pos[axis] - wall);
  const double pull = side * (double)b->motion.displacement[axis];
  const double speed = end - start;
  if (end != 0.0) decide(o, end);
  if (speed != 0.0) decide(o, speed);
  if (speed <= 0.0) {
    o->prev[axis] = wall - side * speed;
    o->pos[axis] = wall;
    return;
  }
  const double time = contact_time(start, end, pull);
  const double met = fmax(speed - pull / 2.0 + pull * time, 0.0);
  const double leaves = (double)b->bounds.restitution * met;
  // distance inside, at the end of this substep and of the next
  double now = leaves * (1.0 - time) - pull * (1.0 - time) * (1.0 - time) / 2.0;
  double next = leaves * (2.0 - time) - pull * (2.0 - time) * (2.0 - time) / 2.0;
  decide(o, met - 2.0 * fmax(pull, 0.0));
  decide(o, now);
  // no bounce for a particle that started outside; at most to the middle of the box
  decide(o, start);
  const double room = (o->upper[axis] - o->lower[axis]) / 2.0;
  const bool bounces =
      start < 0.0 && room > 0.0 && met > 2.0 * fmax(pull, 0.0) && leaves > 0.0 && now >= 0.0;
  if (now > room) next -= now - room;
  now = fmin(now, room);
  const double away = bounces ? now : 0.0;
  // displacement of the substep before, such that Verlet arrives at `next`
  const double back = bounces ? next - now + pull : 0.0;
  o->pos[axis] = wall - side * away;
  o->prev[axis] = o->pos[axis] + side * back;
  o->stick[axis] = (double)b->bounds.static_friction * (speed + back);
  o->slow[axis] = (double)b->bounds.dynamic_friction * (speed + back);
  o->met_at[axis] = time;
}

static void hold(oracle* o, const box* b) {
  for (int axis = 0; axis < 3; ++axis) {
    o->touch[axis] = (o->pos[axis] <= o->lower[axis]) ? -1 : 0;
    if (o->pos[axis] >= o->upper[axis]) o->touch[axis] = 1;
    if (o->pos[axis] >= o->upper[axis]) {
      meet_wall(o, axis, o->upper[axis], 1.0, b);
    } else if (o->pos[axis] <= o->lower[axis]) {
      meet_wall(o, axis, o->lower[axis], -1.0, b);
    } else {
      decide(o, o->upper[axis] == o->pos[axis] ? 1.0 : o->upper[axis] - o->pos[axis]);
      decide(o, o->lower[axis] == o->pos[axis] ? 1.0 : o->lower[axis] - o->pos[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis) rub(o, axis);
  for (int axis = 0; axis < 3; ++axis) {
    const double here = fmin(fmax(o->pos[axis], o->lower[axis]), o->upper[axis]);
    o->prev[axis] += here - o->pos[axis];
    o->pos[axis] = here;
  }
}

// ---- the kernel ----

static int touch_of(const weft__bounds* bounds, uint32_t i, int axis) {
  const weft__wall_contact* touch = &bounds->touch[i / 16];
  return (touch->upper[axis] >> i % 16 & 1) - (touch->lower[axis] >> i % 16 & 1);
}

static bool near(double left, double right) {
  return fabs(left - right) <= 3e-6;
}

static bool agrees(const box* b, uint32_t i, const oracle* o) {
  const weft__particles* p = &b->particles;
  const float* pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  const float* prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  for (int axis = 0; axis < 3; ++axis) {
    if (!near((double)pos[axis][i], o->pos[axis])) return false;
    if (!near((double)prev[axis][i], o->prev[axis])) return false;
    if (touch_of(&b->bounds, i, axis) != o->touch[axis]) return false;
  }
  return true;
}

static void run_kernel(weft_isa isa, box* b) {
  weft__kernels_select(isa)->solve_bounds(&b->particles, &b->bounds, &b->motion, 0,
                                          b->particles.count, true);
}

RANDOM_TEST(walls_hold_as_an_oracle_in_double_precision_does, ROUNDS(100, 30)) {
  box b = new_box(&random);
  const weft__particles before = copy_particles(&b.particles);
  oracle* oracles = test_alloc(b.particles.count * sizeof(oracle));
  uint32_t compared = 0;
  for (uint32_t i = 0; i < b.particles.count; ++i) {
    oracles[i] = oracle_of(&b, i);
    if (before.inv_mass[i] > 0.0f) hold(&oracles[i], &b);
  }
  run_kernel(WEFT_ISA_AUTO, &b);
  for (uint32_t i = 0; i < b.particles.count; ++i) {
    // rounding may flip a decision there
    if (oracles[i].margin < 2e-5) continue;
    ++compared;
    require(agrees(&b, i, &oracles[i]));
  }
  ck_assert_uint_ge(4 * compared + 8, b.particles.count);
  free_box(&b);
}

RANDOM_TEST(free_particles_end_up_inside_and_what_was_inside_keeps_its_bits, ROUNDS(100, 30)) {
  box b = new_box(&random);
  weft__particles was = copy_particles(&b.particles);
  run_kernel(WEFT_ISA_AUTO, &b);
  float* pos[3] = {b.particles.pos_x, b.particles.pos_y, b.particles.pos_z};
  float* was_pos[3] = {was.pos_x, was.pos_y, was.pos_z};
  float* prev[3] = {b.particles.prev_x, b.particles.prev_y, b.particles.prev_z};
  float* was_prev[3] = {was.prev_x, was.prev_y, was.prev_z};
  for (uint32_t i = 0; i < was.count; ++i) {
    const bool is_free = was.inv_mass[i] > 0.0f;
    bool was_inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const float* radius[3] = {b.bounds.radius_x, b.bounds.radius_y, b.bounds.radius_z};
      const float r = b.bounds.radius_block == NULL ? 0.0f : radius[axis][i];
      const float lower = b.bounds.lower[axis] + r;
      const float upper = b.bounds.upper[axis] - r;
      const bool fits = lower <= upper;
      was_inside &= fits && was_pos[axis][i] > lower && was_pos[axis][i] < upper;
      if (is_free && fits) require(pos[axis][i] >= lower && pos[axis][i] <= upper);
      if (is_free && !fits) require(pos[axis][i] == b.bounds.middle[axis]);
      if (!is_free) require(touch_of(&b.bounds, i, axis) == 0);
    }
    for (int axis = 0; axis < 3 && (was_inside || !is_free); ++axis) {
      require(memcmp(&pos[axis][i], &was_pos[axis][i], sizeof(float)) == 0);
      require(memcmp(&prev[axis][i], &was_prev[axis][i], sizeof(float)) == 0);
    }
  }
  free_box(&b);
}

RANDOM_TEST(every_isa_holds_like_scalar_bit_for_bit, ROUNDS(100, 30)) {
  box b = new_box(&random);
  // half of the cases have particles anywhere, also where squares overflow
  if (_i % 2 == 0) fill_particles(&b.particles, &random, (rig_style)(_i / 2 % RIG_STYLE_COUNT));
  const uint32_t groups = (b.particles.count + 15) / 16;
  const weft__particles start = copy_particles(&b.particles);
  run_kernel(WEFT_ISA_SCALAR, &b);
  const weft__particles expected = b.particles;
  weft__wall_contact* touch = test_alloc(groups * sizeof(*touch));
  memcpy(touch, b.bounds.touch, groups * sizeof(*touch));
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    b.particles = copy_particles(&start);
    memset(b.bounds.touch, 0xff, groups * sizeof(*touch));
    // in two ranges, as two workers would
    const uint32_t border = random_below(&random, groups) * 16;
    const weft__kernels* kernels = weft__kernels_select((weft_isa)isa);
    kernels->solve_bounds(&b.particles, &b.bounds, &b.motion, border, b.particles.count, true);
    kernels->solve_bounds(&b.particles, &b.bounds, &b.motion, 0, border, true);
    ck_assert_msg(same_particles(&b.particles, &expected), "%s", weft_isa_name((weft_isa)isa));
    ck_assert_mem_eq(b.bounds.touch, touch, groups * sizeof(*touch));
  }
  b.particles = expected;
  free_box(&b);
}

// ---- whole worlds ----

static weft_bounds_def room_of(float side) {
  weft_bounds_def bounds = weft_default_bounds_def();
  for (int axis = 0; axis < 3; ++axis) {
    bounds.lower[axis] = -side;
    bounds.upper[axis] = side;
  }
  bounds.surface.restitution = 0.5f;
  bounds.surface.static_friction = bounds.surface.dynamic_friction = 0.3f;
  return bounds;
}

LOOP_TEST(whatever_is_in_a_room_stays_in_it, 0, scene_case_count() / 2) {
  weft_scene* scene = new_scene_case(_i);
  weft_world* world = new_plain_world(scene, .coarse_iterations = _i % 3 == 0 ? 2 : 0);
  const weft_bounds_def room = room_of(0.7f);
  expect_ok(weft_world_set_bounds(world, &room));
  weft_world_step(world, 4);
  float* positions = new_positions(world);
  const uint32_t count = particle_count_of(world);
  for (uint32_t i = 0; i < count; ++i) {
    float inverse_mass = 0.0f;
    expect_ok(weft_scene_get_particles(scene, i, 1, NULL, &inverse_mass));
    if (inverse_mass == 0.0f) continue;
    for (int axis = 0; axis < 3; ++axis) require(fabsf(positions[3 * i + (uint32_t)axis]) <= 0.7f);
  }
}
