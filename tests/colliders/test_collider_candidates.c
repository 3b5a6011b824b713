/* Culling by distance drops no contact. The oracle is the same world with a collider that nothing
 * collides with and that spins through several slices a substep: as no bound is known for its
 * travel, every particle near it is tested against every collider. */
#include "support/collided.h"
#include "support/test.h"

enum { STEPS = 40, MAX_COLLIDERS = 40 };

typedef struct scenario {
  int seed;
  uint32_t colliders;
  bool is_oracle;
  weft_isa isa;
  uint32_t workers;
} scenario;

static weft_collider_def draw_collider(random_source* random) {
  static const weft_collider_shape shapes[] = {
      WEFT_COLLIDER_SHAPE_SPHERE, WEFT_COLLIDER_SHAPE_CAPSULE,    WEFT_COLLIDER_SHAPE_BOX,
      WEFT_COLLIDER_SHAPE_PLANE,  WEFT_COLLIDER_SHAPE_HALF_SPACE, WEFT_COLLIDER_SHAPE_ELLIPSOID};
  weft_collider_def def = collider_of_shape(shapes[random_below(random, 6)]);
  const bool moves = random_chance(random, 2);
  for (int k = 0; k < 3; ++k) {
    def.position[k] = random_float(random, -1.0f, 1.0f);
    def.half_size[k] = random_float(random, 0.02f, 0.4f);
    if (moves) def.velocity[k] = random_float(random, -4.0f, 4.0f);
    if (moves && random_chance(random, 2)) def.spin[k] = random_float(random, -12.0f, 12.0f);
  }
  if (def.shape <= WEFT_COLLIDER_SHAPE_HALF_SPACE) def.position[1] = -1.5f;
  def.radius = random_float(random, 0.02f, 0.4f);
  turn_about_z((double)random_float(random, -3.0f, 3.0f), def.rotation);
  def.surface.restitution = random_float(random, 0.0f, 1.0f);
  def.surface.static_friction = def.surface.dynamic_friction = random_float(random, 0.0f, 1.0f);
  return def;
}

static void add_bystander(weft_world* world, bool is_oracle) {
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
  for (int axis = 0; axis < 3; ++axis) def.half_size[axis] = 1e5f;
  def.category = def.mask = 0;
  if (is_oracle) def.spin[1] = 1e4f;
  (void)add_collider(world, &def);
}

static void set_shapes(weft_world* world, random_source* random) {
  static const weft_particle_shape shapes[] = {WEFT_PARTICLE_SHAPE_POINT, WEFT_PARTICLE_SHAPE_CLOTH,
                                               WEFT_PARTICLE_SHAPE_BOX,
                                               WEFT_PARTICLE_SHAPE_ELLIPSOID};
  const uint32_t count = particle_count_of(world);
  const uint32_t stride = random_chance(random, 2) ? 300 : 7;
  for (uint32_t first = 0; first < count; first += stride) {
    weft_particle_shape_def def = shape_def(.shape = shapes[random_below(random, 4)]);
    for (int k = 0; k < 3; ++k) def.half_size[k] = random_float(random, 0.005f, 0.03f);
    def.surface.restitution = random_chance(random, 2) ? 0.0f : random_float(random, 0.0f, 1.0f);
    def.surface.static_friction = def.surface.dynamic_friction = random_float(random, 0.0f, 0.5f);
    def.category = 4;
    def.mask = 1;
    const uint32_t left = count - first;
    expect_ok(weft_world_set_particle_shape(world, weft_range(first, left < stride ? left : stride),
                                            &def));
  }
}

// A collider is replaced by one of another size, or is moved far in one step.
static void change_one(weft_world* world, random_source* random, weft_collider* handle) {
  const weft_collider_def def = draw_collider(random);
  if (random_chance(random, 2)) {
    expect_ok(weft_world_remove_collider(world, *handle));
    *handle = add_collider(world, &def);
  } else {
    expect_ok(weft_world_move_collider(world, *handle, def.position, def.rotation));
  }
}

static void throw_some(weft_world* world, random_source* random) {
  const uint32_t first = random_below(random, particle_count_of(world) - 20);
  const float speed = random_chance(random, 2) ? 3.0f : 200.0f;
  float velocity[3];
  for (int k = 0; k < 3; ++k) velocity[k] = random_float(random, -speed, speed);
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, first, 20, velocity, WEFT_SAME);
}

static weft_world* new_scenario(const scenario* s, random_source* random) {
  weft_scene* scene = new_sheet_scene(17, 17, ALL_FAMILIES);
  (void)add_cloud(scene, random, 300, 1.5f);
  weft_world_def def = def_at(60);
  def.isa = s->isa;
  def.worker_count = s->workers;
  def.solver.substeps = random_from(random, 1, 4);
  def.solver.springs = random_chance(random, 4);
  weft_world* world = new_world(&def, scene);
  set_shapes(world, random);
  return world;
}

// Sum of all contacts too, so that those of the middle of the run count.
static uint64_t hash_of(const scenario* s) {
  random_source random = {(uint64_t)s->seed};
  weft_world* world = new_scenario(s, &random);
  weft_collider handles[MAX_COLLIDERS];
  for (uint32_t k = 0; k < s->colliders; ++k) {
    const weft_collider_def def = draw_collider(&random);
    handles[k] = add_collider(world, &def);
  }
  add_bystander(world, s->is_oracle);
  uint64_t hash = 0;
  for (int step = 0; step < STEPS; ++step) {
    if (step % 4 == 1) change_one(world, &random, &handles[random_below(&random, s->colliders)]);
    if (step % 5 == 2) throw_some(world, &random);
    weft_world_step(world, 1);
    hash = hash * 31 + contact_stats_of(world).collider_contacts;
  }
  hash = hash * 31 + weft_world_hash(world);
  return hash;
}

// few, and more than the lanes take
static const uint32_t collider_counts[] = {1, 5, 14, 40};

TEST(every_contact_of_every_pair_is_among_the_candidates) {
  for (int seed = 0; seed < ROUNDS(4, 2); ++seed) {
    scenario s = {seed, collider_counts[seed % 4], false, WEFT_ISA_AUTO, 1};
    const uint64_t culled = hash_of(&s);
    s.is_oracle = true;
    ck_assert_msg(hash_of(&s) == culled, "seed %d", seed);
  }
}
