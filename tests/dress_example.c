#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { AROUND = 48, ROWS = 20, COUNT = AROUND * ROWS, CELLS = AROUND * (ROWS - 1) };

static float rest[COUNT][3];
static uint32_t triangles[2 * CELLS][3];

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

// a cone from the waist to the hem; a garment of yours comes from a file
static void make_skirt(void) {
  for (uint32_t i = 0; i < COUNT; ++i) {
    const double down = (double)(i / AROUND) / (ROWS - 1);
    const double angle = 6.2831853 * (i % AROUND) / AROUND;
    rest[i][0] = (float)((0.17 + 0.2 * down) * cos(angle));
    rest[i][1] = (float)(1.0 - 0.5 * down);
    rest[i][2] = (float)((0.17 + 0.2 * down) * sin(angle));
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
  weft_cloth_def skirt = weft_default_cloth_def();
  weft_world_def def = weft_default_world_def();
  make_skirt();
  skirt.positions = rest[0];
  skirt.vertex_count = COUNT;
  skirt.triangles = triangles[0];
  skirt.triangle_count = 2 * CELLS;
  skirt.thickness = 0.005f;
  check(weft_scene_create(&scene));
  check(weft_scene_add_cloth(scene, &skirt, NULL));
  check(weft_scene_pin(scene, weft_range(0, AROUND)));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);

  weft_collider legs[2];
  for (int leg = 0; leg < 2; ++leg) {
    weft_collider_def capsule = weft_default_collider_def();
    capsule.shape = WEFT_COLLIDER_SHAPE_CAPSULE;
    capsule.radius = 0.07f;
    capsule.half_size[1] = 0.38f;
    capsule.position[0] = leg == 0 ? -0.085f : 0.085f;
    capsule.position[1] = 0.5f;
    check(weft_world_add_collider(world, &capsule, &legs[leg]));
  }

  // the figure walks along z: each frame the waist and the legs get their next pose
  for (int frame = 1; frame <= 180; ++frame) {
    const double time = frame / 60.0, ahead = 1.3 * time;
    float waist[AROUND][3];
    for (int i = 0; i < AROUND; ++i) {
      waist[i][0] = rest[i][0];
      waist[i][1] = rest[i][1] + 0.02f * (float)sin(11.0 * time);
      waist[i][2] = rest[i][2] + (float)ahead;
    }
    check(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(0, AROUND), waist, 0));
    for (int leg = 0; leg < 2; ++leg) {
      const double swing = (leg == 0 ? 0.4 : -0.4) * sin(5.5 * time);
      const float place[3] = {leg == 0 ? -0.085f : 0.085f, 0.5f,
                              (float)(ahead + 0.38 * sin(swing))};
      const float turn[4] = {(float)-sin(0.5 * swing), 0.0f, 0.0f, (float)cos(0.5 * swing)};
      check(weft_world_move_collider(world, legs[leg], place, turn));
    }
    weft_world_step(world, 1);
  }

  weft_measures now;
  weft_contact_stats contacts;
  check(weft_world_measure(world, &now));
  check(weft_world_get_contact_stats(world, &contacts));
  printf("%.1f m ahead: stretched by %.2f %%, %u crossings\n",
         (double)(now.lower[2] + now.upper[2]) / 2.0, 100.0 * now.mean_strain,
         (unsigned)contacts.crossings);
  weft_world_destroy(&world);
}
