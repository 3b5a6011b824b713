/* Events at places of space, and on whole bodies. */
#include <float.h>
#include <string.h>

#include "sim/file/event_keys.h"

static const sim_field shift_fields[] = {SIM_EVENT_VECTOR("by", 0, true, "metres")};
SIM_EVENT_TABLE(shift, shift_fields, "Puts a body somewhere else; its velocities stay.");

static weft_result shift(sim_event* event, const sim_event_call* call) {
  float by[3];
  sim_event_vector(event, call, 0, by);
  return weft_world_add(
      call->world, WEFT_ATTRIBUTE_POSITION,
      weft_range(event->body->made.first_particle, event->body->made.particle_count), by,
      WEFT_SAME);
}

SIM_EVENT_PLAIN(remove, "Takes a body out: its links are gone for good.");

static weft_result remove_body(sim_event* event, const sim_event_call* call) {
  return weft_world_remove_body(call->world, &event->body->made);
}

static const sim_field drag_fields[] = {
    SIM_EVENT_VECTOR("from", 0, true, "metres"),
    SIM_EVENT_VECTOR("to", 2, false, "metres: a straight line, at a steady speed"),
    SIM_EVENT_VECTOR(
        "path", 1, false,
        "metres, in place of `to`: its place at the end of the step `t`, of its "
        "present place `x`, `y`, `z`, its first `x0`, `y0`, `z0`, its steps so far `i`"),
    SIM_EVENT_RADIUS,
    SIM_EVENT_FOR,
};
SIM_EVENT_TABLE(drag, drag_fields,
                "A pointer takes free particles near it along, from one place to another, and lets "
                "go.");

static weft_result grip(sim_event* event, const sim_event_call* call) {
  const float radius = ((const sim_event_def*)event->def)->radius;
  sim_event_vector(event, call, 0, event->held);
  event->is_gripped = true;
  event->held_steps = 0;
  return weft_world_add_grip(call->world, event->held, radius, &event->grip);
}

static weft_result drag(sim_event* event, const sim_event_call* call) {
  float to[3];
  weft_result result = {.error = WEFT_OK};
  if (call->share > 1.0) return weft_world_remove_grip(call->world, event->grip);
  if (!event->is_gripped) result = grip(event, call);
  if (result.error != WEFT_OK) return result;
  if (event->vectors[1][0].count > 0) {
    result = weft_world_get_grip(call->world, event->grip, to, NULL, NULL);
    call->scope->values[call->run_names + SIM_NAME_I] = event->held_steps++;
    sim_scope_set_vector(call->scope, call->run_names, SIM_NAME_X, to);
    sim_scope_set_vector(call->scope, call->run_names, SIM_NAME_X0, event->held);
    sim_event_vector(event, call, 1, to);
  } else {
    sim_event_vector(event, call, 2, to);
    for (int axis = 0; axis < 3; ++axis) {
      const double start = (double)event->held[axis], way = (double)to[axis] - start;
      to[axis] = (float)(start + call->share * way);
    }
  }
  return result.error == WEFT_OK ? weft_world_move_grip(call->world, event->grip, to) : result;
}

static const sim_field tear_fields[] = {
    SIM_EVENT_VECTOR("from", 0, true, "metres"),
    SIM_EVENT_VECTOR("to", 1, true, "metres"),
    SIM_EVENT_RADIUS,
};
SIM_EVENT_TABLE(tear, tear_fields, "Tears all links near a line between two places.");

static weft_result tear(sim_event* event, const sim_event_call* call) {
  float from[3], to[3];
  sim_event_vector(event, call, 0, from);
  sim_event_vector(event, call, 1, to);
  return weft_world_tear_near(call->world, from, to, ((const sim_event_def*)event->def)->radius,
                              NULL);
}

static const sim_field cut_fields[] = {
    SIM_EVENT_VECTOR("a", 0, true, "metres"),
    SIM_EVENT_VECTOR("b", 1, true, "metres"),
    SIM_EVENT_VECTOR("c", 2, true, "metres"),
    SIM_EVENT_FOR,
};
SIM_EVENT_TABLE(cut, cut_fields, "Tears all links that pass through a triangle.");

static weft_result cut(sim_event* event, const sim_event_call* call) {
  float triangle[9];
  for (int i = 0; i < 3; ++i) sim_event_vector(event, call, i, triangle + 3 * i);
  return weft_world_cut(call->world, triangle, NULL);
}

#define TYPE(type) .name = #type, .table = &type##_table
const sim_event_type sim_event_shift = {TYPE(shift), .takes = SIM_TAKES_BODY, .vectors = {"by"},
                                        .run = shift};
const sim_event_type sim_event_remove = {TYPE(remove), .takes = SIM_TAKES_BODY, .run = remove_body};
const sim_event_type sim_event_drag = {TYPE(drag), .lasts = true, .runs_after = true,
                                       .vectors = {"from", "path", "to"}, .run = drag};
const sim_event_type sim_event_tear = {TYPE(tear), .vectors = {"from", "to"}, .run = tear};
const sim_event_type sim_event_cut = {TYPE(cut), .lasts = true, .vectors = {"a", "b", "c"},
                                      .run = cut};
