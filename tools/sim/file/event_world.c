/* Events that change what holds everywhere. */
#include <float.h>
#include <math.h>

#include "sim/file/event_types.h"

typedef struct file_number {
  float to;
} file_number;

typedef struct file_vector {
  float to[3];
} file_vector;

// ---- gravity ----

static const sim_field gravity_fields[] = {
    {"to", SIM_FIELD_VECTOR, offsetof(file_vector, to), true, false, 0, 0, NULL,
     "metres per second squared"},
};

static const sim_table gravity_table = {"events: gravity", "Sets gravity.",
                                        SIM_TABLE_FIELDS(gravity_fields), sizeof(file_vector),
                                        NULL};

static bool run_gravity(const sim_source* source, const sim_place* place, sim_event* event,
                        weft_world* world, double share) {
  const file_vector* def = event->def;
  (void)share;
  return sim_check_event(source, place, event, weft_world_set_gravity(world, def->to));
}

// ---- damping ----

static const sim_field damping_fields[] = {
    {"to", SIM_FIELD_FLOAT, offsetof(file_number, to), true, false, 0, FLT_MAX, NULL, "1/seconds"},
};

static const sim_table damping_table = {"events: damping", "Sets the damping.",
                                        SIM_TABLE_FIELDS(damping_fields), sizeof(file_number),
                                        NULL};

static bool run_damping(const sim_source* source, const sim_place* place, sim_event* event,
                        weft_world* world, double share) {
  const file_number* def = event->def;
  (void)share;
  return sim_check_event(source, place, event, weft_world_set_damping(world, def->to));
}

// ---- max_speed ----

static const sim_field max_speed_fields[] = {
    {"to", SIM_FIELD_VECTOR, offsetof(file_vector, to), true, true, 0, (double)INFINITY, NULL,
     "metres per second along each axis"},
};

static const sim_table max_speed_table = {"events: max_speed", "Sets the greatest speed.",
                                          SIM_TABLE_FIELDS(max_speed_fields), sizeof(file_vector),
                                          NULL};

static bool run_max_speed(const sim_source* source, const sim_place* place, sim_event* event,
                          weft_world* world, double share) {
  const file_vector* def = event->def;
  (void)share;
  return sim_check_event(source, place, event, weft_world_set_max_speed(world, def->to));
}

// ---- wind and bounds: as at the beginning ----

static bool run_wind(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  (void)share;
  return sim_check_event(source, place, event, weft_world_set_wind(world, event->def));
}

static const sim_table calm_table = {"events: calm", "Ends the wind.", SIM_NO_FIELDS, 0, NULL};

static bool run_calm(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  (void)share;
  return sim_check_event(source, place, event, weft_world_set_wind(world, NULL));
}

static bool run_bounds(const sim_source* source, const sim_place* place, sim_event* event,
                       weft_world* world, double share) {
  (void)share;
  return sim_check_event(source, place, event, weft_world_set_bounds(world, event->def));
}

const sim_event_type sim_event_gravity = {"gravity", &gravity_table, SIM_TAKES_NOTHING,
                                          NULL,      run_gravity,    false};
const sim_event_type sim_event_damping = {"damping", &damping_table, SIM_TAKES_NOTHING,
                                          NULL,      run_damping,    false};
const sim_event_type sim_event_max_speed = {"max_speed", &max_speed_table, SIM_TAKES_NOTHING,
                                            NULL,        run_max_speed,    false};
const sim_event_type sim_event_wind = {"wind", &sim_wind_table, SIM_TAKES_NOTHING,
                                       NULL,   run_wind,        false};
const sim_event_type sim_event_calm = {"calm", &calm_table, SIM_TAKES_NOTHING,
                                       NULL,   run_calm,    false};
const sim_event_type sim_event_bounds = {"bounds", &sim_bounds_table, SIM_TAKES_NOTHING,
                                         NULL,     run_bounds,        false};
