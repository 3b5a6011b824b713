/* Every kind of event: defined in a file event_*.c, and listed here and in events.c. */
#ifndef TOOLS_SIM_FILE_EVENT_TYPES_H
#define TOOLS_SIM_FILE_EVENT_TYPES_H

#include "sim/file/events.h"

// event_particles.c
extern const sim_event_type sim_event_pin, sim_event_unpin, sim_event_throw, sim_event_move,
    sim_event_force, sim_event_skin;

// event_space.c
extern const sim_event_type sim_event_shift, sim_event_remove, sim_event_drag, sim_event_tear,
    sim_event_cut;

// event_world.c
extern const sim_event_type sim_event_gravity, sim_event_damping, sim_event_max_speed,
    sim_event_wind, sim_event_calm, sim_event_bounds;

#endif
