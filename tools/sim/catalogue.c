/* The scenes that have a name. */
#include <inttypes.h>
#include <string.h>

#include "common/near.h"
#include "sim/scene.h"

#define SIM_SCENE(name) extern const sim_scene sim_scene_##name;
#include "sim/scenes/list.h"
#undef SIM_SCENE

const sim_scene* const sim_scenes[] = {
#define SIM_SCENE(name) &sim_scene_##name,
#include "sim/scenes/list.h"
#undef SIM_SCENE
};

const size_t sim_scene_count = sizeof sim_scenes / sizeof sim_scenes[0];

const sim_scene* sim_find_scene(const char* name, tool_message* why) {
  const char* names[sizeof sim_scenes / sizeof sim_scenes[0]];
  for (size_t i = 0; i < sim_scene_count; ++i) {
    if (strcmp(name, sim_scenes[i]->name) == 0) return sim_scenes[i];
    names[i] = sim_scenes[i]->name;
  }
  const char* near = tool_nearest(name, names, sim_scene_count);
  if (near) {
    tool_because(why, "'%s' is not a scene (did you mean %s?)", name, near);
  } else {
    tool_because(why,
                 "'%s' is not a scene; 'weft-sim list' names them, and a file ends in .json, .obj, "
                 ".ply, .gltf or .glb",
                 name);
  }
  return NULL;
}

bool sim_check(weft_result result, tool_message* why) {
  if (result.error == WEFT_OK) return true;
  if (result.error == WEFT_ERROR_OUT_OF_MEMORY) {
    return tool_because(why, "%s: %s", result.field, weft_error_text(result.error));
  }
  return tool_because(why, "%s[%" PRIu64 "]: %s", result.field, result.index,
                      weft_error_text(result.error));
}
