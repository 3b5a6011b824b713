/* Hits of CCD in closed form. */
#include "support/ccd_sheets.h"
#include "support/test.h"

// A triangle of 3 g and a particle of 2 g, all of CCD.
static weft_world* new_pair(const weft_world_def* def, float at[4][3]) {
  const uint32_t face[3] = {0, 1, 2};
  const float inverse_mass = 500.0f;
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = at[0], .vertex_count = 3, .triangles = face,
                      .triangle_count = 1);
  expect_ok(weft_scene_add_particles(scene, at[3], &inverse_mass, 1, NULL));
  weft_world* world = new_world(def, scene);
  const weft_particle_shape_def contact = cloth_contact();
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 4), &contact));
  return world;
}

// A particle of 2 g hits the middle of a triangle of 3 g, in axes that are permuted by `turn`. The
// hit is inelastic: all go on with two fifths of its speed, whatever substeps a pass covers.
static void hit_triangle(float speed, uint32_t substeps, int turn) {
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  def.solver.substeps = substeps;
  static const float corners[4][3] = {
      {-0.02f, 0.0f, -0.02f}, {0.04f, 0.0f, -0.02f}, {-0.02f, 0.0f, 0.04f}, {0.0f, 0.01f, 0.0f}};
  float at[4][3];
  float velocity[3] = {0.0f};
  for (int k = 0; k < 12; ++k) at[k / 3][(k + turn) % 3] = corners[k / 3][k % 3];
  velocity[(1 + turn) % 3] = -speed;
  weft_world* world = new_pair(&def, at);
  place_particle(world, 3, at[3], velocity);
  weft_world_step(world, 30);
  float velocities[4][3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 4, velocities[0]);
  for (int k = 0; k < 12; ++k) {
    const float expected = k % 3 == (1 + turn) % 3 ? -0.4f * speed : 0.0f;
    ck_assert_msg(fabsf(velocities[k / 3][k % 3] - expected) < 0.02f * speed,
                  "speed %g, %u substeps, turn %d: particle %d, axis %d: %g for %g", (double)speed,
                  substeps, turn, k / 3, k % 3, (double)velocities[k / 3][k % 3], (double)expected);
  }
}

LOOP_TEST(a_particle_takes_a_triangle_along_as_the_closed_form_says, 0, 3) {
  static const struct {
    float speed;
    uint32_t substeps;
  } cases[] = {{20.0f, 1}, {20.0f, 8}, {0.6f, 16}, {0.1f, 2}, {0.1f, 3}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
    hit_triangle(cases[i].speed, cases[i].substeps, _i);
  }
}

// A step of 16 substeps in which a triangle and a particle above it move along an axis, by shares
// of the mean edge; axes are permuted by `turn`, and 1 is that of the normal.
static weft_contact_stats move_pair(float of_triangle, float of_particle, int axis, int turn) {
  static const float corners[4][3] = {
      {-0.02f, 0.0f, -0.02f}, {0.04f, 0.0f, -0.02f}, {-0.02f, 0.0f, 0.04f}, {0.0f, 0.01f, 0.0f}};
  const float mean_edge = 0.0683f, seconds = 1.0f / 60.0f;
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  def.solver.substeps = 16;
  float at[4][3];
  for (int k = 0; k < 12; ++k) at[k / 3][(k + turn) % 3] = corners[k / 3][k % 3];
  weft_world* world = new_pair(&def, at);
  weft_world_step(world, 1);
  float velocities[4][3] = {{0.0f}};
  for (int k = 0; k < 4; ++k) {
    velocities[k][(axis + turn) % 3] = (k < 3 ? of_triangle : of_particle) * mean_edge / seconds;
  }
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 4, velocities[0], 0);
  weft_world_step(world, 1);
  return contact_stats_of(world);
}

// The last substep has a pass; so has one by which the sides of a pair have moved by half an edge
// and their slack relative to each other, or approached by a tenth from the eighth substep on, or a
// particle has moved by two edges. A pass has a round, or two with a hit; 3 stands for more, too.
LOOP_TEST(a_substep_has_a_pass_when_the_sides_of_a_pair_have_moved_relative_to_each_other, 0, 3) {
  static const struct {
    float of_triangle, of_particle;
    int axis;
    uint32_t rounds;
    bool hits;
  } cases[] = {
      {0.0f, 0.0f, 0, 1, false},  {1.7f, 1.7f, 0, 1, false},   {2.5f, 2.5f, 0, 2, false},
      {0.0f, 0.5f, 0, 1, false},  {0.0f, 0.9f, 2, 2, false},   {0.9f, 0.0f, 0, 2, false},
      {0.0f, -0.9f, 0, 2, false}, {-2.5f, -2.5f, 2, 2, false}, {-0.5f, 0.45f, 0, 2, false},
      {0.0f, 0.6f, 1, 1, false},  {-0.6f, 0.0f, 1, 1, false},  {0.0f, -0.6f, 1, 3, true},
      {0.6f, 0.0f, 1, 3, true},   {0.0f, -0.2f, 1, 2, true},
  };
  for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); ++n) {
    const weft_contact_stats stats =
        move_pair(cases[n].of_triangle, cases[n].of_particle, cases[n].axis, _i);
    const uint64_t rounds = stats.ccd_rounds < 3 ? stats.ccd_rounds : 3;
    ck_assert_msg(rounds == cases[n].rounds && (stats.ccd_hits > 0) == cases[n].hits,
                  "case %u: %u rounds, %u hits", (unsigned)n, (unsigned)stats.ccd_rounds,
                  (unsigned)stats.ccd_hits);
  }
}

// Half-space that is solid on the side of y < height, or y > height, for particles of a category.
static void add_half_space(weft_world* world, float height, bool is_above, uint32_t mask) {
  weft_collider_def def =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE, .position = {0.0f, height});
  if (is_above) def.rotation[0] = 1.0f, def.rotation[3] = 0.0f;
  def.mask = mask;
  weft_collider collider;
  expect_ok(weft_world_add_collider(world, &def, &collider));
}

// Colliders press a particle on a triangle, close to an edge that they hold as well. Nothing pulls
// at the third corner but the hit, which it could undo by a motion of many times the overlap alone.
TEST(a_free_corner_beside_a_pinched_edge_is_not_thrown) {
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  def.solver.substeps = 1;
  float at[4][3] = {
      {-0.03f, 0.0f, 0.0f}, {0.03f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.05f}, {0.0f, 1e-3f, 2e-3f}};
  weft_world* world = new_pair(&def, at);
  weft_particle_shape_def contact = cloth_contact();
  static const uint32_t categories[4] = {2, 2, 4, 8};
  for (uint32_t k = 0; k < 4; ++k) {
    contact.category = categories[k];
    expect_ok(weft_world_set_particle_shape(world, weft_range(k, 1), &contact));
  }
  add_half_space(world, -1e-4f, false, 2);
  add_half_space(world, 1.5e-4f, true, 8);
  weft_world_step(world, 1);
  float end[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 2, 1, end);
  ck_assert_double_lt(fabs((double)(end[1] - at[2][1])), 1e-3);
}

// A free net of particles of 1 g, 2 cm apart, and a particle of 1 kg above its middle, all of CCD.
enum { NET_SIZE = 17, NET_COUNT = NET_SIZE * NET_SIZE };
static weft_world* new_net(const weft_world_def* def, bool has_shear) {
  weft_sheet_def sheet = sheet_def(.side = NET_SIZE, .spacing = 0.02f, .particle_mass = 1e-3f);
  sheet.shear = has_shear;
  sheet.down[1] = 0.0f, sheet.down[2] = 1.0f;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  const float ball[3] = {0.166f, 0.01f, 0.166f};
  const float inverse_mass = 1.0f;
  expect_ok(weft_scene_add_particles(scene, ball, &inverse_mass, 1, NULL));
  weft_world* world = new_world(def, scene);
  shape_particles(world, 0, NET_COUNT + 1, .shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = 1e-4f,
                  .collision = WEFT_COLLISION_EXACT);
  return world;
}

// Links come before CCD, so nothing but CCD itself keeps the edges beside a hit from taking all of
// its motion, five edges long in this substep.
LOOP_TEST(a_hit_draws_the_net_around_it_along, 0, 2) {
  const weft_world_def def = plain_def(.undamped = true, .weightless = true, .substeps = 1);
  weft_world* world = new_net(&def, _i == 1);
  float ball[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, NET_COUNT, 1, ball);
  place_particle(world, NET_COUNT, ball, (const float[3]){0.0f, -6.0f, 0.0f});
  weft_world_step(world, 1);
  const weft_measures measures = measures_of(world);
  // 4.4 without limits of edges
  ck_assert_double_lt(measures.max_strain, 2.0);
  ck_assert_double_lt(fabs(measures.momentum[1] + 6.0), 1e-4);
}

// A pinned particle is driven through the edge between two pinned corners of a triangle: nothing
// gives way, and the free corner hangs.
TEST(particles_that_are_rolled_back_for_more_than_sixteen_substeps_are_counted_as_stuck) {
  enum { STEPS = 8, SUBSTEPS = 4 };
  float at[4][3] = {
      {-0.02f, 0.0f, 0.0f}, {0.02f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.04f}, {0.0f, 0.01f, -1e-4f}};
  const float away[3] = {0.0f, 0.02f, -1e-4f};
  const float below[3] = {0.0f, -0.01f, -1e-4f};
  weft_world_def def = faces_def();
  def.solver.substeps = SUBSTEPS;
  weft_world* world = new_pair(&def, at);
  pin_particles(world, 0, 2);
  pin_particles(world, 3, 1);
  for (uint32_t s = 1; s <= STEPS; ++s) {
    expect_set(world, WEFT_ATTRIBUTE_TARGET, 3, 1, below, 0);
    weft_world_step(world, 1);
    ck_assert(s * SUBSTEPS > 16 || contact_stats_of(world).ccd_stuck == 0);
  }
  ck_assert_uint_eq(contact_stats_of(world).ccd_stuck, 1);
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 3, 1, away, 0);
  weft_world_step(world, 1);
  ck_assert_uint_eq(contact_stats_of(world).ccd_stuck, 0);
}
