/* Rows of the tables of events. */
#ifndef TOOLS_SIM_FILE_EVENT_KEYS_H
#define TOOLS_SIM_FILE_EVENT_KEYS_H

#include <math.h>

#include "sim/file/event_types.h"

#define SIM_EVENT(member) offsetof(sim_event_def, member)
#define SIM_EVENT_VECTOR(key, i, required, summary)                                            \
  {                                                                                            \
    key, SIM_FIELD_LIST, SIM_EVENT(vectors) + (i) * sizeof(tool_tree*), required, false, 0, 0, \
        NULL, summary                                                                          \
  }
#define SIM_EVENT_FOR                                \
  SIM_RANGE("for", REAL, SIM_EVENT(seconds), 0, 1e6, \
            "seconds that it takes; without it one step, and along a path to the end")
#define SIM_EVENT_RADIUS \
  { "radius", SIM_FIELD_FLOAT, SIM_EVENT(radius), true, true, 0, FLT_MAX, NULL, "metres" }

static inline void sim_event_defaults(void* value) {
  ((sim_event_def*)value)->seconds = (double)NAN;
}

#define SIM_EVENT_TABLE(name, fields, summary)                                                \
  static const sim_table name##_table = {"events: " #name, summary, SIM_TABLE_FIELDS(fields), \
                                         sizeof(sim_event_def), sim_event_defaults}
#define SIM_EVENT_PLAIN(name, summary)                                                      \
  static const sim_table name##_table = {"events: " #name,      summary,           NULL, 0, \
                                         sizeof(sim_event_def), sim_event_defaults}

#endif
