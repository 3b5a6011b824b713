#include <stdio.h>
#include <weft/weft.h>

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_world_def def = weft_default_world_def();
  weft_body cloth;
  weft_scene_create(&scene);
  weft_scene_add_sheet(scene, &sheet, &cloth);
  for (uint32_t i = 0; i < sheet.columns; ++i) weft_scene_pin(scene, cloth.first_particle + i);
  def.attachments = 1;  // cloth that hangs from pins does not stretch
  weft_world_create(&def, scene, &world);
  weft_world_step(world, 60);
  float corner[3];
  weft_world_get_positions(world, cloth.first_particle + cloth.particle_count - 1, 1, corner);
  printf("after a second the lower corner hangs %.2f m below the pins\n", -corner[1]);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
}
