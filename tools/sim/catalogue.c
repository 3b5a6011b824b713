/* Named scenes: in C, or as built-in files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"
#include "sim/file/scene_file.h"
#include "sim/scene.h"
#include "sim/scenes/texts.h"

#define SIM_FILE(name)
#define SIM_SCENE(name) extern const sim_scene sim_scene_##name;
#include "sim/scenes/list.h"

typedef struct catalogue_entry {
  const char* symbol;
  const sim_scene* scene; /* NULL = a file */
  const char* text;
} catalogue_entry;

static const catalogue_entry entries[] = {
#define SIM_SCENE(name) {#name, &sim_scene_##name, NULL},
#define SIM_FILE(name) {#name, NULL, sim_scene_text_##name},
#include "sim/scenes/list.h"
};

enum { COUNT = sizeof entries / sizeof entries[0], NAME_SIZE = 32 };

const size_t sim_scene_count = COUNT;

const char* sim_scene_name(size_t index) {
  static char names[COUNT][NAME_SIZE];
  for (size_t i = 0; i + 1 < NAME_SIZE && entries[index].symbol[i]; ++i) {
    const char letter = entries[index].symbol[i];
    names[index][i] = letter == '_' ? '-' : letter;
  }
  return names[index];
}

static bool find(const char* name, size_t* index, tool_message* why) {
  const char* names[COUNT];
  for (*index = 0; *index < COUNT; ++*index) {
    names[*index] = sim_scene_name(*index);
    if (strcmp(name, names[*index]) == 0) return true;
  }
  const char* near = tool_nearest(name, names, COUNT);
  if (near) return tool_because(why, "'%s' is not a scene (did you mean %s?)", name, near);
  return tool_because(why,
                      "'%s' is not a scene; 'weft-sim list' names them, and a file ends in .json, "
                      ".obj, .ply, .gltf or .glb",
                      name);
}

/* Files are read at first use and kept until the program ends. */
const sim_scene* sim_scene_at(size_t index) {
  static sim_scene scenes[COUNT];
  static void* states[COUNT];
  tool_message why;
  if (entries[index].scene) return entries[index].scene;
  if (!states[index] && !sim_text_open(sim_scene_name(index), entries[index].text, &scenes[index],
                                       &states[index], &why)) {
    fprintf(stderr, "%s\n", why.text);
    abort(); /* a built-in file is valid, and small */
  }
  return &scenes[index];
}

const sim_scene* sim_find_scene(const char* name, tool_message* why) {
  size_t index;
  return find(name, &index, why) ? sim_scene_at(index) : NULL;
}

bool sim_open_scene(const char* name, sim_scene* scene, void** state, tool_message* why) {
  size_t index;
  if (!find(name, &index, why)) return false;
  if (entries[index].text) {
    return sim_text_open(sim_scene_name(index), entries[index].text, scene, state, why);
  }
  *scene = *entries[index].scene;
  return true;
}

bool sim_check(weft_result result, tool_message* why) {
  if (result.error == WEFT_OK) return true;
  if (result.error == WEFT_ERROR_OUT_OF_MEMORY) {
    return tool_because(why, "%s: %s", result.field, weft_error_text(result.error));
  }
  return tool_because(why, "%s[%" PRIu64 "]: %s", result.field, result.index,
                      weft_error_text(result.error));
}
