#include <math.h>
#include <stdio.h>

#include "support/isas.h"
#include "support/passing.h"
#include "support/worlds.h"

#define SPACING 0.02f

// ---- worlds ----

static weft_world_def faces_def(void) {
  weft_world_def def = weft_default_world_def();
  def.faces = true;
  def.damping = 0.0f;
  return def;
}

static weft_contact cloth_contact(void) {
  weft_contact contact = weft_default_contact();
  contact.shape = WEFT_CONTACT_CLOTH;
  contact.half_size[0] = 1e-4f;
  contact.exact = true;
  return contact;
}

// a flat sheet at a height, 0 in its middle
static weft_body add_flat(weft_scene* scene, uint32_t side, float height) {
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = side;
  sheet.spacing = SPACING;
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  sheet.origin[0] = sheet.origin[2] = -0.5f * SPACING * (float)(side - 1);
  sheet.origin[1] = height;
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &body));
  return body;
}

// holds the first sheet of side x side by its rim
static void pin_rim(weft_world* world, uint32_t side) {
  for (uint32_t n = 0; n < side * side; ++n) {
    const uint32_t column = n % side;
    const uint32_t row = n / side;
    if (column % (side - 1) != 0 && row % (side - 1) != 0) continue;
    expect_ok(weft_world_set_inverse_mass(world, n, 0.0f));
  }
}

static weft_contact_stats stats_of(const weft_world* world) {
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(world, &stats));
  return stats;
}

static void fling(weft_world* world, random_source* random, uint32_t first, uint32_t count,
                  float speed) {
  float* positions = new_positions(world);
  for (uint32_t i = first; i < first + count; ++i) {
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(random, -speed, speed);
    expect_ok(weft_world_set_particle(world, i, positions + (size_t)3 * i, velocity));
  }
  free(positions);
}

// ---- nothing passes ----

static void check_crumpling(uint32_t side, uint32_t steps, uint32_t substeps, float speed,
                            uint64_t seed) {
  random_source random = {seed};
  weft_world_def def = faces_def();
  def.substeps = substeps;
  weft_scene* scene = new_scene();
  add_flat(scene, side, 0.0f);
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  const weft_contact contact = cloth_contact();
  expect_ok(weft_world_set_contact(world, 0, side * side, &contact));
  sheet_mesh mesh = new_sheet_mesh(side, side, 1);
  for (uint32_t s = 0; s < steps; ++s) {
    if (s % 40 == 0) fling(world, &random, 0, side * side, speed);
    weft_world_step(world, 1);
    float* positions = new_positions(world);
    const weft_contact_stats stats = stats_of(world);
    if (getenv("SHOW")) {
      printf("%u: pairs %u hits %u stops %llu lost %llu\n", s, stats.exact_pairs, stats.exact_hits,
             (unsigned long long)stats.exact_stops, (unsigned long long)stats.lost_exact);
    }
    require(stats.lost_exact == 0);
    if (s % 5 == 0 || s + 1 == steps) require(count_crossings(&mesh, positions) == 0);
    free(positions);
  }
  free_sheet_mesh(&mesh);
  weft_world_destroy(&world);
}

START_TEST(a_sheet_thrown_at_itself_never_goes_through_itself) {
  check_crumpling(ROUNDS(25, 9), ROUNDS(200, 30), 1, 5.0f, 1);
}
END_TEST

START_TEST(bullets_do_not_pass_a_sheet) {
  enum { SIDE = 33, BULLETS = 1000 };
  random_source random = {7};
  weft_world_def def = faces_def();
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  float* start = malloc(sizeof(float[3]) * BULLETS);
  float mass[BULLETS];
  const float half = 0.5f * SPACING * (SIDE - 1);
  for (int b = 0; b < BULLETS; ++b) {
    start[3 * b] = random_float(&random, -0.9f * half, 0.9f * half);
    start[3 * b + 1] = random_float(&random, 0.5f, 3.0f);
    start[3 * b + 2] = random_float(&random, -0.9f * half, 0.9f * half);
    mass[b] = 1e3f;
  }
  weft_body bullets;
  expect_ok(weft_scene_add_particles(scene, start, mass, BULLETS, &bullets));
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  pin_rim(world, SIDE);
  const weft_contact cloth = cloth_contact();
  expect_ok(weft_world_set_contact(world, 0, SIDE * SIDE, &cloth));
  weft_contact bullet = weft_default_contact();
  bullet.shape = WEFT_CONTACT_SPHERE;
  bullet.half_size[0] = 0.002f;
  expect_ok(weft_world_set_contact(world, bullets.first_particle, BULLETS, &bullet));
  for (int b = 0; b < BULLETS; ++b) {
    const float velocity[3] = {random_float(&random, -10.0f, 10.0f), -100.0f,
                               random_float(&random, -10.0f, 10.0f)};
    expect_ok(weft_world_set_particle(world, bullets.first_particle + (uint32_t)b, start + 3 * b,
                                      velocity));
  }
  sheet_mesh mesh = new_sheet_mesh(SIDE, SIDE, 1);
  bool* below = calloc(BULLETS, sizeof(bool));
  for (int s = 0; s < 60; ++s) {
    weft_world_step(world, 1);
    const weft_contact_stats stats = stats_of(world);
    if (getenv("SHOW")) {
      printf("%d: pairs %u hits %u stops %llu lost %llu\n", s, stats.exact_pairs, stats.exact_hits,
             (unsigned long long)stats.exact_stops, (unsigned long long)stats.lost_exact);
    }
  }
  float* positions = new_positions(world);
  if (getenv("SHOW")) {
    for (int b = 0; b < 10; ++b) {
      float* q = positions + 3 * ((size_t)bullets.first_particle + (size_t)b);
      printf("%g %g %g\n", q[0], q[1], q[2]);
    }
    float* q = positions + 3 * (SIDE * SIDE / 2);
    printf("mid %g %g %g\n", q[0], q[1], q[2]);
  }
  free(positions);
  free(start);
  free(below);
  free_sheet_mesh(&mesh);
  weft_world_destroy(&world);
}
END_TEST

int main(void) {
  const test_suite made = new_suite("exact");
  tcase_add_test(made.tests, a_sheet_thrown_at_itself_never_goes_through_itself);
  tcase_add_test(made.tests, bullets_do_not_pass_a_sheet);
  return run_suite(made);
}
