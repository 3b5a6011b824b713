// The public header alone is enough to use the library, in C++; test_header.c is its twin in C.
#include <weft/weft.h>

#include <string>

static std::string version_of_header() {
  return std::to_string(WEFT_VERSION_MAJOR) + "." + std::to_string(WEFT_VERSION_MINOR) + "." +
         std::to_string(WEFT_VERSION_PATCH);
}

// a world of one sheet, made, stepped and read; 0 when something was refused
static uint64_t run_sheet() {
  weft_scene* scene = nullptr;
  weft_world* world = nullptr;
  const weft_sheet_def sheet = weft_default_sheet_def();
  const weft_world_def def = weft_plain_world_def();
  uint64_t hash = 0;
  if (weft_scene_create(&scene).error == WEFT_OK &&
      weft_scene_add_sheet(scene, &sheet, nullptr).error == WEFT_OK &&
      weft_world_create(&def, scene, &world).error == WEFT_OK) {
    weft_world_step(world, 3);
    hash = weft_world_hash(world);
  }
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
  return hash;
}

int main() {
  if (version_of_header() != weft_version()) return 1;
  return run_sheet() == 0 || run_sheet() != run_sheet();
}
