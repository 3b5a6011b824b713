#include "sim/file/event_types.h"

#include <stddef.h>

const sim_event_type* const sim_event_types[] = {
    &sim_event_pin, &sim_event_unpin, &sim_event_throw, &sim_event_move, NULL,
};
