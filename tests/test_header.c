/* The public header alone is enough to use the library, in C, and in C++, where test_header.cpp
 * includes this. */
#include <weft/weft.h>

#include <stdio.h>
#include <string.h>

static void write_version(char text[32]) {
  snprintf(text, 32, "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
}

// steps a world of one sheet and returns its hash; 0 on failure
static uint64_t run_sheet(void) {
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  const weft_sheet_def sheet = weft_default_sheet_def();
  const weft_world_def def = weft_plain_world_def();
  uint64_t hash = 0;
  if (weft_scene_create(&scene).error == WEFT_OK &&
      weft_scene_add_sheet(scene, &sheet, NULL).error == WEFT_OK &&
      weft_world_create(&def, scene, &world).error == WEFT_OK) {
    weft_world_step(world, 3);
    hash = weft_world_hash(world);
  }
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
  return hash;
}

int main(void) {
  char version[32];
  write_version(version);
  if (strcmp(version, weft_version()) != 0) return 1;
  return run_sheet() == 0 || run_sheet() != run_sheet();
}
