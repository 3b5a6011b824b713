/* Every kind of event. A new one is defined in a file named event_*.c, and stands here and in
 * event_types.c. */
#ifndef TOOLS_SIM_FILE_EVENT_TYPES_H
#define TOOLS_SIM_FILE_EVENT_TYPES_H

#include "sim/file/events.h"

// event_particles.c
extern const sim_event_type sim_event_pin;
extern const sim_event_type sim_event_unpin;
extern const sim_event_type sim_event_throw;
extern const sim_event_type sim_event_move;
extern const sim_event_type sim_event_force;

// event_led.c
extern const sim_event_type sim_event_lead;
extern const sim_event_type sim_event_hold;
extern const sim_event_type sim_event_skin;
extern const sim_event_type sim_event_slice;
extern const sim_event_type sim_event_hole;

// event_space.c
extern const sim_event_type sim_event_shift;
extern const sim_event_type sim_event_remove;
extern const sim_event_type sim_event_drag;
extern const sim_event_type sim_event_tear;
extern const sim_event_type sim_event_cut;

// event_world.c
extern const sim_event_type sim_event_gravity;
extern const sim_event_type sim_event_damping;
extern const sim_event_type sim_event_max_speed;
extern const sim_event_type sim_event_wind;
extern const sim_event_type sim_event_calm;
extern const sim_event_type sim_event_bounds;

#endif
