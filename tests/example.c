#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_cloth_def cloth = weft_default_cloth_def();
  weft_world_def def = weft_default_world_def();
  weft_body curtain;
  cloth.hooks = 9;
  check(weft_scene_create(&scene));
  check(weft_scene_add_cloth(scene, &cloth, &curtain));
  check(weft_world_create(&def, scene, &world));
  weft_world_step(world, 60);
  float corner[3];
  const uint32_t last = curtain.first_particle + curtain.particle_count - 1;
  check(weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(last, 1), corner, 0));
  printf("after a second the lower corner hangs %.2f m below the pins\n", -corner[1]);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
