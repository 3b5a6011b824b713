/* Programs started by weft-view: a browser, ffmpeg. */
#ifndef TOOLS_VIEW_SERVER_CHILD_H
#define TOOLS_VIEW_SERVER_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts the first existing program of the list, ended by NULL; arguments begin with [0], which is
 * replaced. Its output is discarded. -1 without one. */
pid_t view_start_child(const char* const* programs, char** arguments);

/* True if it has ended; *status is its exit status, 127 if it could not start. */
bool view_child_ended(pid_t child, int* status);

/* Waits for its end and returns its exit status; Ctrl-C reaches it, too. */
int view_wait_for_child(pid_t child);

void view_end_child(pid_t child);

void view_remove_folder(const char* path);

#endif
