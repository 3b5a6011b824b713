#include "sim/file/event_types.h"

#include <stddef.h>

const sim_event_type* const sim_event_types[] = {
    &sim_event_pin,
    &sim_event_unpin,
    &sim_event_throw,
    &sim_event_move,
    &sim_event_force,
    &sim_event_lead,
    &sim_event_hold,
    &sim_event_skin,
    &sim_event_slice,
    &sim_event_hole,
    &sim_event_shift,
    &sim_event_remove,
    &sim_event_drag,
    &sim_event_tear,
    &sim_event_cut,
    &sim_event_gravity,
    &sim_event_damping,
    &sim_event_max_speed,
    &sim_event_wind,
    &sim_event_calm,
    &sim_event_bounds,
    NULL,
};
