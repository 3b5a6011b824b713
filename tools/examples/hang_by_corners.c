/* A sheet of 2 m hangs by two corners, with default settings. */
#include "examples/example.h"

int main(int argc, char** argv) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  const weft_sheet_def sheet = square_sheet(argc, argv);
  const weft_world_def def = weft_default_world_def();
  check(weft_scene_create(&scene));
  check(weft_scene_add_sheet(scene, &sheet, NULL));
  check(weft_scene_pin(scene, weft_range(0, 1)));
  check(weft_scene_pin(scene, weft_range(sheet.columns - 1, 1)));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  const int status = run(world);
  weft_world_destroy(&world);
  return status;
}
