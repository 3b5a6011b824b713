/* Paths: a circle, a lying eight, or through given places. They are computed without the C
 * library's sin(), which differs between machines. */
#ifndef TOOLS_SIM_PATH_H
#define TOOLS_SIM_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "common/message.h"

/* Sine and cosine of an angle in turns. */
void sim_sine_of_turns(double turns, double* sine, double* cosine);

typedef enum sim_path_kind {
  SIM_PATH_STILL,
  SIM_PATH_CIRCLE,
  SIM_PATH_EIGHT,
  SIM_PATH_PLACES,
} sim_path_kind;

/* Words of the kinds, ended by NULL. */
extern const char* const sim_path_kinds[];

typedef struct sim_path_place {
  double time;      /* seconds */
  double offset[3]; /* metres from the start */
} sim_path_place;

typedef struct sim_path {
  sim_path_kind kind;
  double radius;          /* metres: radius of the circle, half the length of the eight */
  double period;          /* seconds of one round */
  sim_path_place* places; /* by time [place_count] */
  size_t place_count;
} sim_path;

/* Reads places: "0.5 1 0, 2 1 -1 0.3" is at 1 0 0 after half a second, and at 1 -1 0.3 after two.
 */
bool sim_path_read(const char* option, const char* text, sim_path* path, tool_message* why);

void sim_path_free(sim_path* path);

/* Displacement from the start, metres: zero at time 0, unless the path has a point then. */
void sim_path_at(const sim_path* path, double time, double offset[3]);

#endif
