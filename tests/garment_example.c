#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/garment.h>

enum { AROUND = 48, ROWS = 24, COUNT = AROUND * ROWS, CELLS = AROUND * (ROWS - 1) };

static float rest[COUNT][3], pose[COUNT][3], normals[COUNT][3];
static uint32_t triangles[2 * CELLS][3];

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

// a cone from the waist to the hem, outside counterclockwise
static void make_skirt(void) {
  for (uint32_t i = 0; i < COUNT; ++i) {
    const double down = (double)(i / AROUND) / (ROWS - 1),
                 angle = 6.2831853 * (i % AROUND) / AROUND;
    normals[i][0] = (float)cos(angle);
    normals[i][2] = (float)sin(angle);
    rest[i][0] = (float)(0.17 + 0.2 * down) * normals[i][0];
    rest[i][1] = (float)(1.0 - 0.5 * down);
    rest[i][2] = (float)(0.17 + 0.2 * down) * normals[i][2];
  }
  for (uint32_t cell = 0; cell < CELLS; ++cell) {
    const uint32_t next = cell / AROUND * AROUND + (cell + 1) % AROUND;
    const uint32_t pair[6] = {cell, next, cell + AROUND, next, next + AROUND, cell + AROUND};
    for (int k = 0; k < 6; ++k) triangles[2 * cell + (uint32_t)k / 3][k % 3] = pair[k];
  }
}

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_mesh_def mesh = weft_default_mesh_def();
  weft_world_def def = weft_default_world_def();
  weft_collider legs[2];
  make_skirt();
  mesh.positions = rest[0];
  mesh.vertex_count = COUNT;
  mesh.triangles = triangles[0];
  mesh.triangle_count = 2 * CELLS;
  mesh.particle_mass = 0.15f / COUNT;
  def.solver.substeps = 4;
  check(weft_scene_create(&scene));
  check(weft_scene_add_mesh(scene, &mesh, NULL));
  check(weft_world_create(&def, scene, &world));

  // cloth that collides with itself; its faces collide with the legs
  weft_particle_shape_def cloth = weft_default_particle_shape_def();
  cloth.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  cloth.half_size[0] = 0.008f;
  check(weft_world_set_particle_shape(world, weft_range(0, COUNT), &cloth));
  for (int side = 0; side < 2; ++side) {
    weft_collider_def leg = weft_default_collider_def();
    leg.shape = WEFT_COLLIDER_SHAPE_CAPSULE;
    leg.radius = 0.07f;
    leg.half_size[1] = 0.35f;
    leg.position[0] = side == 0 ? -0.09f : 0.09f;
    leg.position[1] = 0.5f;
    check(weft_world_add_collider(world, &leg, &legs[side]));
  }

  // the waist follows, the hem may leave its pose by 15 cm, inwards by 5
  for (uint32_t row = 0; row < ROWS; ++row) {
    weft_skin_limits limits = weft_default_skin_limits();
    limits.max_distance = 0.15f * (float)row / (ROWS - 1);
    limits.backstop_distance = 0.05f;
    limits.backstop_radius = 1.0f;
    check(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(row * AROUND, AROUND),
                         &limits, WEFT_SAME));
  }

  for (int frame = 1; frame <= 120; ++frame) {
    const float way = 1.4f * (float)frame / 60.0f;
    for (uint32_t i = 0; i < COUNT; ++i) {
      for (int axis = 0; axis < 3; ++axis) pose[i][axis] = rest[i][axis] + (axis == 2) * way;
    }
    check(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_POSITION_TARGET, weft_range(0, COUNT), pose[0],
                         0));
    check(weft_world_set(world, WEFT_ATTRIBUTE_SKIN_NORMAL_TARGET, weft_range(0, COUNT), normals[0],
                         0));
    for (int side = 0; side < 2; ++side) {
      const float angle = (side == 0 ? 0.4f : -0.4f) * sinf(0.1f * (float)frame);
      const float place[3] = {side == 0 ? -0.09f : 0.09f, 0.5f, way + 0.35f * sinf(angle)};
      const float turn[4] = {-sinf(0.5f * angle), 0.0f, 0.0f, cosf(0.5f * angle)};
      check(weft_world_move_collider(world, legs[side], place, turn));
    }
    weft_world_step(world, 1);
  }
  check(weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(0, COUNT), pose[0], 0));
  printf("the waist is %.2f m ahead, the hem in front %.2f m\n", (double)pose[0][2],
         (double)pose[COUNT - AROUND + AROUND / 4][2]);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
