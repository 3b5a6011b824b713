/* Hello, cloth: a sheet hangs by its top row for two seconds. */
#include "examples/example.h"

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_body cloth;
  const weft_sheet_def sheet = weft_default_sheet_def();
  const weft_world_def def = weft_default_world_def();
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, &cloth));
  check(weft_scene_pin(scene, weft_range(cloth.first_particle, sheet.columns)));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  weft_world_step(world, 120);
  float corner[3];
  const uint32_t last = cloth.first_particle + cloth.particle_count - 1;
  check(weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(last, 1), corner, 0));
  printf("the lower corner hangs %.2f m below the pins\n", -(double)corner[1]);
  weft_world_destroy(&world);
  return corner[1] < -1.5f ? EXIT_SUCCESS : EXIT_FAILURE;
}
