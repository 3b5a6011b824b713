/* The page's server: three files from memory and a WebSocket, on 127.0.0.1 only, for holders of the
 * token. */
#ifndef TOOLS_VIEW_SERVER_SERVE_H
#define TOOLS_VIEW_SERVER_SERVE_H

#include "view/server/runner.h"

typedef struct view_server view_server;

/* Takes a page's picture, a PNG; `number` counts from 0. False ends the server. */
typedef bool view_take_picture(void* owner, uint32_t number, const void* bytes, size_t size);

typedef struct view_server_def {
  const char* folder;              /* folder of the page */
  uint32_t port;                   /* 0 = any free one */
  view_take_picture* take_picture; /* NULL = pictures are refused */
  void* owner;
} view_server_def;

/* False if a page's folder lacks files. */
bool view_server_has_page(const char* folder, tool_message* why);

bool view_server_start(const view_server_def* def, view_session* session, view_server** server,
                       tool_message* why);

/* "http://127.0.0.1:PORT/TOKEN/" */
const char* view_server_url(const view_server* server);

/* Serves until Ctrl-C, until take_picture() returns false, or until *is_over. */
void view_server_run(view_server* server, bool (*is_over)(void* owner));

/* Closes all connections and ends the stepping thread. */
void view_server_stop(view_server** server);

#endif
