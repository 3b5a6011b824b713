/* Events at places of space, and those about whole bodies. */
#include <float.h>
#include <string.h>

#include "sim/file/event_types.h"

// ---- shift ----

typedef struct file_shift {
  float by[3];
} file_shift;

static const sim_field shift_fields[] = {
    {"by", SIM_FIELD_VECTOR, offsetof(file_shift, by), true, false, 0, 0, NULL, "metres"},
};

static const sim_table shift_table = {"events: shift",
                                      "Puts a body somewhere else; its velocities stay.",
                                      SIM_TABLE_FIELDS(shift_fields), sizeof(file_shift), NULL};

static bool run_shift(const sim_source* source, const sim_place* place, sim_event* event,
                      weft_world* world, double share) {
  const file_shift* def = event->def;
  (void)share;
  return sim_check_event(source, place, event,
                         weft_world_shift_body(world, &event->body->made, def->by));
}

// ---- remove ----

static const sim_table remove_table = {
    "events: remove", "Takes a body out: its links are gone for good.", SIM_NO_FIELDS, 0, NULL};

static bool run_remove(const sim_source* source, const sim_place* place, sim_event* event,
                       weft_world* world, double share) {
  (void)share;
  return sim_check_event(source, place, event, weft_world_remove_body(world, &event->body->made));
}

// ---- drag ----

typedef struct file_drag {
  float from[3], to[3];
  float radius;
  double seconds;
} file_drag;

static const sim_field drag_fields[] = {
    {"from", SIM_FIELD_VECTOR, offsetof(file_drag, from), true, false, 0, 0, NULL, "metres"},
    {"to", SIM_FIELD_VECTOR, offsetof(file_drag, to), true, false, 0, 0, NULL, "metres"},
    {"radius", SIM_FIELD_FLOAT, offsetof(file_drag, radius), true, true, 0, FLT_MAX, NULL,
     "metres"},
    {"for", SIM_FIELD_REAL, offsetof(file_drag, seconds), false, false, 0, 1e6, NULL,
     "seconds that it takes; 0 = one step"},
};

static const sim_table drag_table = {
    "events: drag",
    "A pointer goes from one place to another, takes free particles near it along and lets go.",
    SIM_TABLE_FIELDS(drag_fields), sizeof(file_drag), NULL};

static double drag_seconds(const sim_event* event) {
  return ((const file_drag*)event->def)->seconds;
}

static weft_result drag(sim_event* event, weft_world* world, double share) {
  const file_drag* def = event->def;
  if (share > 1.0) return weft_world_remove_grip(world, event->grip);
  if (!event->is_gripped) {
    const weft_result result = weft_world_add_grip(world, def->from, def->radius, &event->grip);
    if (result.error != WEFT_OK) return result;
    event->is_gripped = true;
  }
  float to[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double start = (double)def->from[axis], way = (double)def->to[axis] - start;
    to[axis] = (float)(start + share * way);
  }
  return weft_world_move_grip(world, event->grip, to);
}

static bool run_drag(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  return sim_check_event(source, place, event, drag(event, world, share));
}

// ---- tear ----

typedef struct file_tear {
  float from[3], to[3];
  float radius;
} file_tear;

static const sim_field tear_fields[] = {
    {"from", SIM_FIELD_VECTOR, offsetof(file_tear, from), true, false, 0, 0, NULL, "metres"},
    {"to", SIM_FIELD_VECTOR, offsetof(file_tear, to), true, false, 0, 0, NULL, "metres"},
    {"radius", SIM_FIELD_FLOAT, offsetof(file_tear, radius), true, true, 0, FLT_MAX, NULL,
     "metres"},
};

static const sim_table tear_table = {"events: tear",
                                     "Tears all links near a line between two places.",
                                     SIM_TABLE_FIELDS(tear_fields), sizeof(file_tear), NULL};

static bool run_tear(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  const file_tear* def = event->def;
  (void)share;
  return sim_check_event(source, place, event,
                         weft_world_tear_near(world, def->from, def->to, def->radius, NULL));
}

// ---- cut ----

typedef struct file_cut {
  float a[3], b[3], c[3];
} file_cut;

static const sim_field cut_fields[] = {
    {"a", SIM_FIELD_VECTOR, offsetof(file_cut, a), true, false, 0, 0, NULL, "metres"},
    {"b", SIM_FIELD_VECTOR, offsetof(file_cut, b), true, false, 0, 0, NULL, "metres"},
    {"c", SIM_FIELD_VECTOR, offsetof(file_cut, c), true, false, 0, 0, NULL, "metres"},
};

static const sim_table cut_table = {"events: cut", "Tears all links that pass through a triangle.",
                                    SIM_TABLE_FIELDS(cut_fields), sizeof(file_cut), NULL};

static bool run_cut(const sim_source* source, const sim_place* place, sim_event* event,
                    weft_world* world, double share) {
  const file_cut* def = event->def;
  float triangle[9];
  (void)share;
  memcpy(triangle, def->a, sizeof def->a);
  memcpy(triangle + 3, def->b, sizeof def->b);
  memcpy(triangle + 6, def->c, sizeof def->c);
  return sim_check_event(source, place, event, weft_world_cut(world, triangle, NULL));
}

const sim_event_type sim_event_shift = {"shift", &shift_table, SIM_TAKES_BODY,
                                        NULL,    run_shift,    false};
const sim_event_type sim_event_remove = {"remove", &remove_table, SIM_TAKES_BODY,
                                         NULL,     run_remove,    false};
const sim_event_type sim_event_drag = {"drag",       &drag_table, SIM_TAKES_NOTHING,
                                       drag_seconds, run_drag,    true};
const sim_event_type sim_event_tear = {"tear", &tear_table, SIM_TAKES_NOTHING,
                                       NULL,   run_tear,    false};
const sim_event_type sim_event_cut = {"cut", &cut_table, SIM_TAKES_NOTHING, NULL, run_cut, false};
