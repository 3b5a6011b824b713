/* Motion of a scene file: numbers that change from step to step, and the initial state of
 * particles. */
#ifndef TOOLS_SIM_FILE_MOTION_H
#define TOOLS_SIM_FILE_MOTION_H

#include "sim/file/results.h"

/* `state` of a file: names of its scope. */
typedef struct sim_state {
  sim_formula (*formulas)[2]; /* first and next value [count] */
  size_t count;
  uint32_t slot; /* index of the first name in the scope */
} sim_state;

/* Reads an object of formulas, NULL = none, and adds its names; free also after a failure. */
bool sim_read_state(const sim_source* source, const tool_tree* object, sim_scope* scope,
                    sim_state* state);
void sim_free_state(sim_state* state);

/* Sets the first values, in the order of the file. */
void sim_start_state(const sim_state* state, sim_scope* scope);

/* Sets the next ones, before a step. */
void sim_advance_state(const sim_state* state, sim_scope* scope);

void sim_keep_state(const sim_state* state, sim_scope* scope, sim_keep* keep);

/* Sets initial positions and velocities of bodies by their formulas; no velocities of pinned
 * particles. */
bool sim_start_motion(const sim_source* source, const sim_bodies* bodies, weft_world* world);

#endif
