/* Every kind of event. A new one is defined in a file named event_*.c, and stands here and in event_types.c. */
#ifndef TOOLS_SIM_FILE_EVENT_TYPES_H
#define TOOLS_SIM_FILE_EVENT_TYPES_H

#include "sim/file/events.h"

// event_particles.c
extern const sim_event_type sim_event_pin;
extern const sim_event_type sim_event_unpin;
extern const sim_event_type sim_event_throw;
extern const sim_event_type sim_event_move;

#endif
