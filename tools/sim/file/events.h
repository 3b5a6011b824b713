/* The events of a scene file: what happens while it runs. Each kind is a table and a function: see
 * event_types.h. */
#ifndef TOOLS_SIM_FILE_EVENTS_H
#define TOOLS_SIM_FILE_EVENTS_H

#include "sim/file/bodies.h"
#include "sim/file/results.h"
#include "sim/scene.h"

typedef struct sim_event sim_event;

/* Object of an event: none, "body", or "body" and "particles". */
typedef enum sim_takes { SIM_TAKES_NOTHING, SIM_TAKES_BODY, SIM_TAKES_PARTICLES } sim_takes;

typedef struct sim_event_type {
  const char* name;
  const sim_table* table; /* without fields where it has no keys of its own */
  sim_takes takes;
  double (*seconds)(const sim_event* event); /* that it takes; NULL = it is done in one moment */
  /* Reads further keys, once names are known; may be NULL. */
  bool (*read)(const sim_source* source, const sim_place* place, sim_event* event);
  bool (*run)(const sim_source* source, const sim_place* place, sim_event* event, weft_world* world,
              double share);
  bool runs_after; /* and once more, with a share above 1, before the step after its last */
} sim_event_type;

/* Ended by NULL. */
extern const sim_event_type* const sim_event_types[];

struct sim_event {
  // read
  double at;
  const char* type_name;
  const char* body_name;
  const tool_tree* particles; /* NULL = all */
  const sim_event_type* type;
  void* def; /* the struct of type->table, or NULL */
  // ready
  const sim_body* body;
  bool* selected;        /* [body->made.particle_count]; NULL where it takes no particles */
  uint64_t first, steps; /* the step before which it happens, and how many take part */
  float* from;           /* memory of the event; to be freed */
  weft_grip grip;        /* grip of a pointer, while is_gripped */
  bool is_gripped;
  float held[3];         /* metres: where the hand closed */
  uint32_t held_steps;
  sim_formula* formulas; /* of types that have some; to be freed */
};

/* True when all went well, or else says what the library said, at the key that it is about. */
bool sim_check_event(const sim_source* source, const sim_place* place, const sim_event* event,
                     weft_result result);

/* The next particle of the scene that the event is about, from `*next` of its body on. */
bool sim_next_particle(const sim_event* event, uint32_t* next, uint32_t* particle);

/* Stores the positions of the body's particles, once. */
bool sim_keep_start(const sim_source* source, const sim_place* place, sim_event* event,
                    const weft_world* world);

typedef struct sim_events {
  sim_event* items; /* [count] */
  size_t count;
} sim_events;

/* Reads and checks all; the caller frees them either way. */
bool sim_read_events(const sim_source* source, const tool_tree* list, sim_events* events);

/* Once bodies are built: finds what the events are about, and the steps at which they happen. */
bool sim_prepare_events(const sim_source* source, const sim_bodies* bodies, int64_t step_ns,
                        sim_events* events);

/* Applies the events that are due before a step, in the order of the file; results note each. */
bool sim_run_events(const sim_source* source, const sim_view* view, weft_world* world,
                    sim_events* events, sim_result_list* results);

/* Visits what events under way have stored: see sim_scene.keep. */
void sim_keep_events(sim_events* events, sim_keep* keep);

void sim_free_events(sim_events* events);
void sim_print_events(FILE* out);

#endif
