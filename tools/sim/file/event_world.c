/* Events on the whole world. */
#include <float.h>

#include "sim/file/event_keys.h"

static const sim_field gravity_fields[] = {
    {"to", SIM_FIELD_VECTOR, SIM_EVENT(vector), true, false, 0, 0, NULL,
     "metres per second squared"},
};
SIM_EVENT_TABLE(gravity, gravity_fields, "Sets gravity.");

static weft_result set_gravity(sim_event* event, const sim_event_call* call) {
  return weft_world_set_gravity(call->world, ((const sim_event_def*)event->def)->vector);
}

static const sim_field damping_fields[] = {
    {"to", SIM_FIELD_FLOAT, SIM_EVENT(number), true, false, 0, FLT_MAX, NULL, "1/seconds"},
};
SIM_EVENT_TABLE(damping, damping_fields, "Sets the damping.");

static weft_result set_damping(sim_event* event, const sim_event_call* call) {
  return weft_world_set_damping(call->world, ((const sim_event_def*)event->def)->number);
}

static const sim_field max_speed_fields[] = {
    {"to", SIM_FIELD_VECTOR, SIM_EVENT(vector), true, true, 0, (double)INFINITY, NULL,
     "metres per second along each axis"},
};
SIM_EVENT_TABLE(max_speed, max_speed_fields, "Sets the greatest speed.");

static weft_result set_max_speed(sim_event* event, const sim_event_call* call) {
  return weft_world_set_max_speed(call->world, ((const sim_event_def*)event->def)->vector);
}

static weft_result set_wind(sim_event* event, const sim_event_call* call) {
  return weft_world_set_wind(call->world, event->def);
}

SIM_EVENT_PLAIN(calm, "Ends the wind.");

static weft_result end_wind(sim_event* event, const sim_event_call* call) {
  (void)event;
  return weft_world_set_wind(call->world, NULL);
}

static weft_result set_bounds(sim_event* event, const sim_event_call* call) {
  return weft_world_set_bounds(call->world, event->def);
}

#define TYPE(type) .name = #type, .table = &type##_table
const sim_event_type sim_event_gravity = {TYPE(gravity), .run = set_gravity};
const sim_event_type sim_event_damping = {TYPE(damping), .run = set_damping};
const sim_event_type sim_event_max_speed = {TYPE(max_speed), .run = set_max_speed};
const sim_event_type sim_event_wind = {.name = "wind", .table = &sim_wind_table, .run = set_wind};
const sim_event_type sim_event_calm = {TYPE(calm), .run = end_wind};
const sim_event_type sim_event_bounds = {
    .name = "bounds", .table = &sim_bounds_table, .run = set_bounds};
