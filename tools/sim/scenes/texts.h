/* Built-in scene files: scenes/NAME.json is the text sim_scene_text_NAME, ended by 0. */
#ifndef TOOLS_SIM_SCENES_TEXTS_H
#define TOOLS_SIM_SCENES_TEXTS_H

#define SIM_SCENE(name)
#define SIM_FILE(name) extern const char sim_scene_text_##name[];
#include "sim/scenes/list.h"

#endif
