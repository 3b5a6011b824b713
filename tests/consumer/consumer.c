/* Minimal program that uses the installed library. */
#include <inttypes.h>
#include <stdio.h>
#include <weft/weft.h>

int main(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_world_def def = weft_default_world_def();
  if (weft_scene_create(&scene).error) return 1;
  if (weft_scene_add_sheet(scene, &sheet, NULL).error) return 1;
  if (weft_scene_pin(scene, weft_range(0, sheet.columns)).error) return 1;
  if (weft_world_create(&def, scene, &world).error) return 1;
  weft_world_step(world, 60);
  printf("weft %s: state %016" PRIx64 "\n", weft_version(), weft_world_hash(world));
  return 0;
}
