/* Particles solved in lanes have the same bits as one by one. */
#include "collision/colliders/colliders.h"

#include "support/collided.h"
#include "support/test.h"

// lanes solve up to this many colliders near a block; beyond it particles are solved one by one
enum { LANES_UP_TO = WEFT__BATCH_COLLIDERS };

static const weft_collider_shape shapes[] = {
    WEFT_COLLIDER_SHAPE_PLANE,   WEFT_COLLIDER_SHAPE_HALF_SPACE, WEFT_COLLIDER_SHAPE_SPHERE,
    WEFT_COLLIDER_SHAPE_CAPSULE, WEFT_COLLIDER_SHAPE_BOX,        WEFT_COLLIDER_SHAPE_ELLIPSOID};

static float turned(random_source* random, bool turns) {
  return turns ? random_float(random, -1.0f, 1.0f) : 0.0f;
}

static weft_collider_def draw_collider(random_source* random) {
  weft_collider_def def = collider_of_shape(shapes[random_below(random, 6)]);
  const bool turns = random_chance(random, 2);
  for (int k = 0; k < 3; ++k) {
    def.rotation[k] = turned(random, turns);
    def.position[k] = random_float(random, -1.0f, 1.0f);
    def.half_size[k] = random_float(random, 0.1f, 0.8f);
    def.velocity[k] = random_chance(random, 2) ? 0.0f : random_float(random, -3.0f, 3.0f);
    def.spin[k] = random_chance(random, 3) ? random_float(random, -5.0f, 5.0f) : 0.0f;
  }
  if (!random_chance(random, 3)) {
    for (int k = 0; k < 3; ++k) def.velocity[k] = def.spin[k] = 0.0f;
  }
  const float* q = def.rotation;
  const float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + 1.0f);
  for (int k = 0; k < 3; ++k) def.rotation[k] /= length;
  def.rotation[3] = 1.0f / length;
  // below all others, roughly level
  if (def.shape <= WEFT_COLLIDER_SHAPE_HALF_SPACE) def.position[1] = -1.5f;
  def.radius = random_float(random, 0.1f, 0.8f);
  def.surface.restitution = random_float(random, 0.0f, 1.0f);
  def.surface.static_friction = random_float(random, 0.0f, 1.0f);
  def.surface.dynamic_friction = random_float(random, 0.0f, 1.0f) * def.surface.static_friction;
  def.category = random_chance(random, 5) ? 2 : 1;
  return def;
}

// overlaps everything, and its mask excludes all
static void add_ghost(weft_world* world) {
  weft_collider_def ghost = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
  for (int axis = 0; axis < 3; ++axis) ghost.half_size[axis] = 1e6f;
  ghost.category = ghost.mask = 0;
  (void)add_collider(world, &ghost);
}

static void set_contacts(weft_world* world, random_source* random, bool is_even) {
  const uint32_t count = particle_count_of(world);
  for (uint32_t i = 0; i < count; i += is_even ? count : 1) {
    weft_particle_shape_def contact = weft_default_particle_shape_def();
    contact.shape =
        random_chance(random, 2) ? WEFT_PARTICLE_SHAPE_POINT : WEFT_PARTICLE_SHAPE_CLOTH;
    contact.half_size[0] = random_chance(random, 2) ? 0.0f : 0.02f;
    if (contact.shape == WEFT_PARTICLE_SHAPE_CLOTH) contact.half_size[0] = 0.01f;
    contact.surface.restitution =
        random_chance(random, 2) ? 0.0f : random_float(random, 0.0f, 1.0f);
    contact.surface.static_friction = contact.surface.dynamic_friction =
        random_float(random, 0.0f, 0.5f);
    // collides with colliders alone, and not all of these
    contact.category = 4;
    contact.mask = random_chance(random, 4) ? 1 : 3;
    if (!is_even && random_chance(random, 9)) continue;
    expect_ok(weft_world_set_particle_shape(world, weft_range(i, is_even ? count : 1), &contact));
  }
}

// sheet and loose particles that fall onto colliders, and come to rest or roll off
static uint64_t hash_of(int seed, weft_isa isa, uint32_t colliders, uint32_t ghosts) {
  random_source random = {(uint64_t)seed};
  weft_scene* scene =
      new_sheet_scene(17, 17, random_chance(&random, 2) ? ALL_FAMILIES : STRUCTURAL);
  (void)add_cloud(scene, &random, 150, 2.0f);
  weft_world_def def = def_at(60);
  def.isa = isa;
  def.worker_count = isa == WEFT_ISA_AUTO ? 2 : 1;
  def.solver.substeps = random_from(&random, 1, 3);
  def.solver.springs = random_chance(&random, 4);
  weft_world* world = new_world(&def, scene);
  set_contacts(world, &random, random_chance(&random, 2));
  for (uint32_t k = 0; k < colliders; ++k) {
    const weft_collider_def collider = draw_collider(&random);
    (void)add_collider(world, &collider);
  }
  for (uint32_t k = 0; k < ghosts; ++k) add_ghost(world);
  uint64_t hash = 0;
  for (int step = 0; step < 60; ++step) {
    weft_world_step(world, 1);
    const weft_contact_stats stats = contact_stats_of(world);
    hash = hash * 31 + stats.collider_contacts;
  }
  hash = hash * 31 + weft_world_hash(world);
  return hash;
}

TEST(lanes_give_what_one_particle_after_another_does) {
  for (int seed = 0; seed < ROUNDS(20, 5); ++seed) {
    const uint32_t colliders = 1 + (uint32_t)seed % 5;
    const uint64_t by_lanes = hash_of(seed, WEFT_ISA_AUTO, colliders, LANES_UP_TO - colliders);
    const uint64_t one_by_one =
        hash_of(seed, WEFT_ISA_AUTO, colliders, LANES_UP_TO + 1 - colliders);
    ck_assert_msg(by_lanes == one_by_one, "seed %d", seed);
  }
}

TEST(every_isa_meets_them_like_scalar) {
  for (int seed = 0; seed < ROUNDS(6, 3); ++seed) {
    const uint32_t colliders = 1 + (uint32_t)seed % 3;
    const uint64_t wanted = hash_of(seed, WEFT_ISA_SCALAR, colliders, 0);
    for (int isa = next_isa(WEFT_ISA_SCALAR); isa < ISA_END; isa = next_isa(isa)) {
      ck_assert_msg(hash_of(seed, (weft_isa)isa, colliders, 0) == wanted, "%s, seed %d",
                    weft_isa_name((weft_isa)isa), seed);
    }
    ck_assert_uint_eq(hash_of(seed, WEFT_ISA_AUTO, colliders, 0), wanted);
  }
}

// materials differ from particle to particle; contacts of a block are reported in particle order
TEST(lanes_tell_of_the_same_contacts) {
  enum { MOST = 4000 };
  static weft_contact_event events[2][MOST];
  for (int seed = 0; seed < ROUNDS(5, 3); ++seed) {
    uint32_t counts[2] = {0, 0};
    for (uint32_t k = 0; k < 2; ++k) {
      random_source random = {(uint64_t)seed};
      const weft_world_def def = def_at(60);
      weft_world* world = new_world(&def, new_sheet_scene(17, 17, STRUCTURAL));
      set_contacts(world, &random, false);
      weft_collider_def floor = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
      floor.position[1] = -1.0f;
      (void)add_collider(world, &floor);
      const weft_collider_def other = draw_collider(&random);
      (void)add_collider(world, &other);
      for (uint32_t ghost = 2; ghost < LANES_UP_TO + k; ++ghost) add_ghost(world);
      log_events(world, MOST);
      weft_world_step(world, 60);
      expect_ok(weft_world_take_contact_events(world, MOST, events[k], &counts[k]));
    }
    ck_assert_uint_eq(counts[0], counts[1]);
    ck_assert_uint_gt(counts[0], 10);
    for (uint32_t e = 0; e < counts[0]; ++e) {
      ck_assert_uint_eq(events[0][e].particle, events[1][e].particle);
      ck_assert_uint_eq(events[0][e].other, events[1][e].other);
      ck_assert_float_eq(events[0][e].impulse, events[1][e].impulse);
      for (int axis = 0; axis < 3; ++axis) {
        ck_assert_float_eq(events[0][e].normal[axis], events[1][e].normal[axis]);
      }
    }
  }
}
