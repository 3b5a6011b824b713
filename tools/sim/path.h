/* Ways that a scene leads something along: a circle, a lying eight, or through places that are
 * given. They are computed without the C library's sin(), which is not the same on every machine.
 */
#ifndef TOOLS_SIM_PATH_H
#define TOOLS_SIM_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "common/message.h"

/* The sine and the cosine of an angle in turns. */
void sim_sine_of_turns(double turns, double* sine, double* cosine);

typedef enum sim_path_kind {
  SIM_PATH_STILL,
  SIM_PATH_CIRCLE,
  SIM_PATH_EIGHT,
  SIM_PATH_PLACES,
} sim_path_kind;

/* Their words, ended by NULL. */
extern const char* const sim_path_kinds[];

typedef struct sim_path_place {
  double time;      /* seconds */
  double offset[3]; /* metres from where it starts */
} sim_path_place;

typedef struct sim_path {
  sim_path_kind kind;
  double radius;          /* metres: of the circle; half the length of the eight */
  double period;          /* seconds of one round */
  sim_path_place* places; /* by time [place_count] */
  size_t place_count;
} sim_path;

/* Reads places: "0.5 1 0, 2 1 -1 0.3" is at 1 0 0 after half a second, and at 1 -1 0.3 after two.
 */
bool sim_path_read(const char* option, const char* text, sim_path* path, tool_message* why);

void sim_path_free(sim_path* path);

/* Displacement from its start, metres: zero at time 0, unless the path has a point then. */
void sim_path_at(const sim_path* path, double time, double offset[3]);

#endif
