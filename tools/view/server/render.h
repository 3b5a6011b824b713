/* Pictures without a screen: a headless Chromium opens the page, which steps the scene and sends
 * its drawings. */
#ifndef TOOLS_VIEW_SERVER_RENDER_H
#define TOOLS_VIEW_SERVER_RENDER_H

#include "view/server/serve.h"

typedef struct view_render_def {
  const char* out; /* a .png, an .mp4, or a folder that ends with '/' */
  double seconds;  /* scene seconds */
  uint32_t width, height;
  uint32_t rate; /* frames a second, of films and folders */
} view_render_def;

/* True for the name of a picture, a film or a folder. */
bool view_check_target(const char* out, tool_message* why);

/* Checks the target, and that ffmpeg is there for a film. */
bool view_check_render(const view_render_def* def, tool_message* why);

bool view_render(const view_render_def* def, const char* folder, view_session* session,
                 tool_message* why);

#endif
