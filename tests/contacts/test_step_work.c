/* Bounded work of a step, whatever is near whatever. */
#include "support/test.h"

enum { BUDGET = 8192, ALWAYS = 768 };

// What a loop that has begun when the budget is spent, and what cannot be left out, may take in
// addition, units a particle.
enum { BEYOND = BUDGET };

// ---- attacks ----

static void scatter(float* places, uint32_t count, float size) {
  random_source random = {11};
  for (uint32_t i = 0; i < 3 * count; ++i) places[i] = random_float(&random, 0.0f, size);
}

static weft_particle_shape_def shape_of(weft_particle_shape shape, float radius) {
  return shape_def(.shape = shape, .half_size = {radius, 0.6f * radius, 1.3f * radius},
                   .friction = 0.3f);
}

// A chain of bodies in one another, joined by springs.
static weft_world* new_bodies(weft_particle_shape shape, uint32_t count, float size,
                              weft_world_def* def) {
  enum { MAX = 4096 };
  static float places[3 * MAX];
  static float inverse_masses[MAX];
  weft_scene* scene = new_scene();
  scatter(places, count, size);
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = 1.0f;
  expect_ok(weft_scene_add_particles(scene, places, inverse_masses, count, NULL));
  for (uint32_t i = 0; i + 1 < count; ++i) {
    weft_link_def link = weft_default_link_def();
    link.a = i;
    link.b = i + 1;
    link.rest_length = 0.05f;
    link.compliance = 1e-3f;
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  def->solver.springs = true;
  weft_world* world = new_world(def, scene);
  const weft_particle_shape_def contact = shape_of(shape, 0.1f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, count), &contact));
  return world;
}

// room for all pairs
static void make_room(weft_world* world) {
  const uint32_t count = stats_of(world).particle_count;
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_pairs = count * (count - 1) / 2;
  expect_ok(weft_world_set_contact_limits(world, &limits));
}

// half of them spheres, half ellipsoids
static weft_world* round_bodies(weft_world_def* def) {
  enum { COUNT = 600 };
  weft_world* world = new_bodies(WEFT_PARTICLE_SHAPE_SPHERE, COUNT, 0.05f, def);
  const weft_particle_shape_def contact = shape_of(WEFT_PARTICLE_SHAPE_ELLIPSOID, 0.1f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT / 2), &contact));
  make_room(world);
  return world;
}

// in one cell of the grid, without a pair
static weft_world* bodies_that_pass(weft_world_def* def) {
  enum { COUNT = 4000 };
  weft_world* world = new_bodies(WEFT_PARTICLE_SHAPE_SPHERE, COUNT, 0.05f, def);
  weft_particle_shape_def contact = shape_of(WEFT_PARTICLE_SHAPE_SPHERE, 0.1f);
  contact.mask = 2;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &contact));
  return world;
}

static weft_world* bodies_in_cloth(weft_world_def* def) {
  enum { COUNT = 4000 };
  weft_world* world = new_bodies(WEFT_PARTICLE_SHAPE_CLOTH, COUNT, 0.05f, def);
  weft_particle_shape_def contact = shape_of(WEFT_PARTICLE_SHAPE_SPHERE, 0.1f);
  contact.category = 2;
  contact.mask = 4;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT / 2), &contact));
  return world;
}

static weft_world* cloth(weft_world_def* def) {
  weft_world* world = new_bodies(WEFT_PARTICLE_SHAPE_CLOTH, 2500, 0.05f, def);
  make_room(world);
  return world;
}

static weft_world* pair_forces(weft_world_def* def) {
  def->pair_force.kind = WEFT_PAIR_FORCE_SPRING;
  def->pair_force.cutoff = 0.3f;
  def->pair_force.strength = 1e3f;
  def->max_speed[0] = def->max_speed[1] = def->max_speed[2] = 1e3f;
  return new_bodies(WEFT_PARTICLE_SHAPE_POINT, 2000, 0.2f, def);
}

// Places particles at random in a cube; they are thin cloth with CCD from there on.
static weft_world* tangle(weft_world* world, uint32_t count, float size) {
  float* places = test_alloc((size_t)count * sizeof(float[3]));
  require(places != NULL);
  scatter(places, count, size);
  expect_set(world, WEFT_ATTRIBUTE_POSITION, 0, count, places, 0);
  weft_particle_shape_def contact = shape_of(WEFT_PARTICLE_SHAPE_CLOTH, 0.005f);
  contact.collision = WEFT_COLLISION_EXACT;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, count), &contact));
  return world;
}

static weft_world* heap_of_cloth(weft_world_def* def) {
  enum { SIDE = 32 };
  weft_scene* scene = new_cloth_scene(.side = SIDE, .spacing = 0.02f);
  return tangle(new_world(def, scene), SIDE * SIDE, 0.3f);
}

static weft_world* heap_of_rope(weft_world_def* def) {
  enum { COUNT = 1000 };
  weft_rope_def rope = bare_rope_def();
  rope.segments = COUNT - 1;
  rope.end[0] = 0.02f * (float)rope.segments;
  rope.end[1] = rope.origin[1];
  rope.end[2] = rope.origin[2];
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  return tangle(new_world(def, scene), COUNT, 0.5f);
}

// A disc of which one particle is a corner of all faces, or its rim at random heights.
static weft_world* new_fan(weft_world_def* def, uint32_t faces, float height) {
  enum { MAX = 20000 };
  static float places[3 * (MAX + 1)];
  static uint32_t triangles[3 * MAX];
  random_source random = {13};
  for (uint32_t i = 0; i < faces; ++i) {
    const double angle = 6.283185307179586 * i / faces;
    float* place = &places[(size_t)3 * (i + 1)];
    place[0] = (float)cos(angle);
    place[1] = random_float(&random, 0.0f, height);
    place[2] = (float)sin(angle);
    const uint32_t corners[3] = {0, i + 1, (i + 1) % faces + 1};
    memcpy(&triangles[(size_t)3 * i], corners, sizeof(corners));
  }
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = places, .vertex_count = faces + 1, .triangles = triangles,
                      .triangle_count = faces);
  weft_world* world = new_world(def, scene);
  weft_particle_shape_def contact = shape_of(WEFT_PARTICLE_SHAPE_CLOTH, 1e-4f);
  contact.collision = WEFT_COLLISION_EXACT;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, faces + 1), &contact));
  return world;
}

static weft_world* fan(weft_world_def* def) {
  return new_fan(def, 20000, 0.0f);
}

static weft_world* crumpled_fan(weft_world_def* def) {
  return new_fan(def, 2000, 0.5f);
}

typedef struct attack {
  const char* name;
  weft_world* (*make)(weft_world_def* def);
  uint32_t cuts; /* of its first step, at least; 0: none, as it wants no more than the budget */
  bool goes_on;  /* budgets of clusters carry over into the next step */
} attack;

static const attack attacks[] = {
    {"round bodies in one another, with room for all pairs", round_bodies, 8, false},
    {"bodies in one another that do not collide", bodies_that_pass, 0, false},
    {"bodies in cloth that they do not collide with", bodies_in_cloth, 0, false},
    {"cloth in one place, with room for all pairs", cloth, 8, false},
    {"pair forces of all with all", pair_forces, 0, false},
    {"a heap of cloth", heap_of_cloth, 16, true},
    {"a heap of rope", heap_of_rope, 40, true},
    {"a fan of 20,000 faces", fan, 0, false},
    {"a fan of 2,000 faces, crumpled", crumpled_fan, 0, false},
};
enum { ATTACKS = sizeof(attacks) / sizeof(*attacks) };

static weft_world_def attack_def(uint32_t workers) {
  return default_def(.substeps = 16, .worker_count = workers);
}

static weft_contact_stats contact_stats(const weft_world* world) {
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(world, &stats));
  return stats;
}

// Takes a step of bounded work, and returns its hash.
static uint64_t take_step(weft_world* world, const attack* from, uint64_t* cuts) {
  const uint64_t particles = stats_of(world).particle_count + ALWAYS;
  weft_world_step(world, 1);
  const weft_contact_stats stats = contact_stats(world);
  ck_assert_msg(stats.work <= (BUDGET + BEYOND) * particles, "%s: %.0f units a particle",
                from->name, (double)stats.work / (double)particles);
  *cuts += stats.work_cuts;
  return weft_world_hash(world);
}

LOOP_TEST(the_work_of_a_step_is_a_multiple_of_the_particles_in_any_state, 0, ATTACKS) {
  const attack* from = &attacks[_i];
  weft_world_def one = attack_def(1), three = attack_def(3);
  uint64_t cuts = 0, cuts_of_three = 0;
  weft_world* world = from->make(&one);
  const uint64_t hash = take_step(world, from, &cuts);
  // workers matter where they share a budget
  if (from->cuts > 0) {
    ck_assert_uint_eq(take_step(from->make(&three), from, &cuts_of_three), hash);
    ck_assert_uint_eq(cuts_of_three, cuts);
  }
  ck_assert_msg(cuts >= from->cuts && (cuts > 0) == (from->cuts > 0), "%s: %u cuts", from->name,
                (unsigned)cuts);
  if (from->goes_on) (void)take_step(world, from, &cuts);
}
