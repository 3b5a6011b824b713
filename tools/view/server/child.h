/* Other programs that weft-view starts: a browser, ffmpeg. */
#ifndef TOOLS_VIEW_SERVER_CHILD_H
#define TOOLS_VIEW_SERVER_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts the first of the programs, ended by NULL, that there is; arguments begin with [0], which
 * is replaced. Its output goes nowhere. -1 where there is none. */
pid_t view_start_child(const char* const* programs, char** arguments);

/* True if it has ended; *status is its exit status, 127 where it could not be started. */
bool view_child_ended(pid_t child, int* status);

/* Waits for its end. Returns its exit status; Ctrl-C reaches it, too. */
int view_wait_for_child(pid_t child);

void view_end_child(pid_t child);

/* Removes a folder and all in it. */
void view_remove_folder(const char* path);

#endif
