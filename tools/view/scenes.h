/* Scenes as the viewer begins them: without scripts in place of the person, and with facts for the
 * page. Others begin as in weft-sim. */
#ifndef TOOLS_VIEW_SCENES_H
#define TOOLS_VIEW_SCENES_H

#include <stdbool.h>

typedef struct view_scene {
  const char* name;
  const char* hint;        /* for the person; NULL = the usual one */
  const char* const* sets; /* "name=value", ended by NULL; NULL = none */
  bool is_followed;        /* the camera follows */
  double rate;             /* steps a second; 0 = the scene's */
  double line_radius;      /* metres; 0 = by the length of the links */
  /* metres: box that the camera shows; all 0 = by the particles */
  float lower[3], upper[3];
} view_scene;

/* In the order of the number keys; ended by a scene without a name. */
extern const view_scene view_scenes[];

/* Never NULL. */
const view_scene* view_find_scene(const char* name);

#endif
