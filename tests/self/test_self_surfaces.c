/* Cloth on cloth along surfaces: holds and slides as Coulomb says. */
#include "support/cloths.h"
#include "support/test.h"

enum { PATCH = 12 };

// A patch of cloth on a slope of cloth, turned against its threads and shifted.
typedef struct slope {
  float spacing;
  float thickness; /* radius as a share of the spacing */
  uint32_t substeps;
  float turn;   /* radians */
  float shift;  /* share of the spacing */
  bool is_free; /* the cloth below lies on a rough half space; else it is pinned */
  bool ccd;
  float friction; /* of the pair */
} slope;

static const slope slopes[] = {
    {0.02f, 0.55f, 8, 0.0f, 0.0f, false, false, 0.5f},  // aligned
    {0.02f, 0.55f, 8, 0.0f, 0.5f, false, false, 0.5f},  // offset
    {0.02f, 0.55f, 2, 0.3f, 0.3f, false, true, 0.5f},   // turned, with CCD
    {0.02f, 0.1f, 8, 0.3f, 0.3f, false, false, 0.5f},   // thin
    {0.01f, 0.55f, 2, 0.8f, 0.2f, false, false, 0.2f},  // finer
    {0.01f, 0.25f, 8, 0.8f, 0.2f, true, false, 0.5f},   // on a cloth that can move
    {0.02f, 0.55f, 1, 0.3f, 0.3f, true, false, 1.0f},
};
enum { SLOPES = sizeof(slopes) / sizeof(*slopes) };

static weft_body add_patch(weft_scene* scene, const slope* s) {
  const float half = 0.5f * s->spacing * (PATCH - 1);
  const float sine = sinf(s->turn), cosine = cosf(s->turn);
  weft_sheet_def sheet = sheet_def(.side = PATCH, .spacing = s->spacing, .particle_mass = 2.0f,
                                   .origin = {s->shift * s->spacing - half * (cosine + sine),
                                              2.0f * s->thickness * s->spacing,
                                              s->shift * s->spacing - half * (cosine - sine)});
  sheet.across[0] = cosine;
  sheet.across[2] = -sine;
  sheet.down[0] = sine;
  sheet.down[1] = 0.0f;
  sheet.down[2] = cosine;
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &body));
  return body;
}

static weft_body add_slope(weft_scene* scene, const slope* s) {
  const weft_body body =
      add_cloth(scene, .columns = 5 * PATCH, .rows = 2 * PATCH, .spacing = s->spacing,
                .origin = {-s->spacing * PATCH, 0.0f, -s->spacing * PATCH}, .is_level = true);
  if (!s->is_free) expect_ok(weft_scene_pin(scene, body.first_particle, body.particle_count));
  return body;
}

// The slope is level, and gravity is turned: its tangent is `steepness`.
static weft_world* new_slope(const slope* s, float steepness, weft_isa isa, uint32_t workers,
                             weft_body* patch) {
  weft_scene* scene = new_scene();
  *patch = add_patch(scene, s);
  (void)add_slope(scene, s);
  weft_world_def def = plain_def(.faces = true, .undamped = true, .substeps = s->substeps,
                                 .isa = isa, .worker_count = workers);
  const float angle = atanf(steepness);
  def.gravity[0] = 9.81f * sinf(angle);
  def.gravity[1] = -9.81f * cosf(angle);
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = cloth_contact(s->thickness * s->spacing);
  // coefficients combine to the root of the sum of their squares
  contact.static_friction = contact.dynamic_friction = s->friction * sqrtf(0.5f);
  contact.surface_contacts = true;
  contact.ccd = s->ccd;
  expect_ok(weft_world_set_particle_shape(world, 0, particle_count_of(world), &contact));
  const weft_collider_def ground =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE,
                   .position = {0.0f, -s->thickness * s->spacing}, .friction = 10.0f);
  weft_collider collider;
  expect_ok(weft_world_add_collider(world, &ground, &collider));
  return world;
}

// metres down the slope, mean of the patch
static double place_of(const weft_world* world, const weft_body* patch) {
  float positions[3 * PATCH * PATCH];
  double sum = 0.0;
  expect_ok(weft_world_get_positions(world, patch->first_particle, PATCH * PATCH, positions));
  for (int i = 0; i < PATCH * PATCH; ++i) sum += (double)positions[3 * i];
  return sum / (PATCH * PATCH);
}

LOOP_TEST(cloth_holds_on_cloth_below_the_threshold, 0, ROUNDS(SLOPES, 3)) {
  const slope* s = &slopes[_i];
  weft_body patch;
  weft_world* world = new_slope(s, 0.95f * s->friction, WEFT_ISA_AUTO, 1, &patch);
  const double start = place_of(world, &patch);
  weft_world_step(world, 60);
  const double settled = place_of(world, &patch);
  weft_world_step(world, ROUNDS(180, 30));
  const double end = place_of(world, &patch);
  // metres while it settles, and a micrometre a second
  ck_assert_double_le(fabs(settled - start), 0.1 * (double)s->spacing);
  ck_assert_double_le(fabs(end - settled), 3e-6);
}

LOOP_TEST(cloth_slides_on_cloth_as_coulomb_says, 0, ROUNDS(2 * SLOPES, 2)) {
  const slope* s = &slopes[_i / 2];
  const double steepness = (_i % 2 == 0 ? 1.05 : 1.6) * (double)s->friction;
  weft_body patch;
  weft_world* world = new_slope(s, (float)steepness, WEFT_ISA_AUTO, 1, &patch);
  enum { STEPS = 12 };
  double place[3];
  weft_world_step(world, 2);
  for (int k = 0; k < 3; ++k) {
    place[k] = place_of(world, &patch);
    weft_world_step(world, STEPS);
  }
  const double seconds = STEPS / 60.0;
  const double acceleration = (place[2] - 2.0 * place[1] + place[0]) / (seconds * seconds);
  const double wanted =
      9.81 * (steepness - (double)s->friction) / sqrt(1.0 + steepness * steepness);
  ck_assert_double_eq_tol(acceleration, wanted, 0.03 * wanted);
}

TEST(any_isa_and_any_number_of_workers_slide_by_the_same_bits) {
  const uint32_t workers[] = {1, 2, 3, 5};
  uint64_t expected = 0;
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (size_t w = 0; w < 4; ++w) {
      if (!goes_with(isa, w, 4, 0)) continue;
      weft_body patch;
      weft_world* world = new_slope(&slopes[5], 0.7f, (weft_isa)isa, workers[w], &patch);
      weft_world_step(world, ROUNDS(20, 5));
      const uint64_t hash = weft_world_hash(world);
      if (expected == 0) expected = hash;
      ck_assert_uint_eq(hash, expected);
    }
  }
}

TEST(surfaces_conserve_momentum) {
  weft_scene* scene = new_scene();
  slope s = slopes[5];
  weft_body patch = add_patch(scene, &s);
  const weft_body below = add_slope(scene, &s);
  weft_world_def def = free_flight(1);
  def.faces = true;
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = cloth_contact(s.thickness * s.spacing);
  contact.static_friction = contact.dynamic_friction = 0.3f;
  contact.surface_contacts = true;
  const uint32_t count = patch.particle_count + below.particle_count;
  expect_ok(weft_world_set_particle_shape(world, 0, count, &contact));
  float* velocities = test_alloc(count * sizeof(float[3]));
  for (uint32_t i = 0; i < patch.particle_count; ++i) {
    velocities[3 * i] = 0.1f;
    velocities[3 * i + 1] = -0.2f;
  }
  expect_ok(weft_world_set_velocities(world, 0, count, velocities, sizeof(float[3])));
  weft_world_step(world, 30);
  expect_ok(weft_world_get_velocities(world, 0, count, velocities));
  double sum[3] = {0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < count; ++i) {
    const double mass = i < patch.particle_count ? 2.0 : 0.001;
    for (int k = 0; k < 3; ++k) sum[k] += mass * (double)velocities[3 * i + (uint32_t)k];
  }
  const double mass = 2.0 * patch.particle_count;
  ck_assert_double_eq_tol(sum[0], 0.1 * mass, 1e-4 * mass);
  ck_assert_double_eq_tol(sum[1], -0.2 * mass, 1e-4 * mass);
  ck_assert_double_eq_tol(sum[2], 0.0, 1e-4 * mass);
}

TEST(a_world_without_faces_refuses_surfaces) {
  const float at[3] = {0.0f, 0.0f, 0.0f};
  const float inverse_mass = 1.0f;
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_particles(&def, at, &inverse_mass, 1);
  weft_particle_shape_def contact = cloth_contact(0.01f);
  contact.surface_contacts = true;
  expect_error(weft_world_set_particle_shape(world, 0, 1, &contact), WEFT_ERROR_DISABLED,
               "weft_particle_shape_def.surface_contacts");
}
