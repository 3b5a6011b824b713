/* Bodies of a scene file: one table of common keys, one of each type. A new type is a table, a
 * function that adds it, and a line in body_types.c. */
#ifndef TOOLS_SIM_FILE_BODIES_H
#define TOOLS_SIM_FILE_BODIES_H

#include "sim/file/tables.h"

typedef struct sim_body sim_body;

/* A named part of a body, such as "top". */
typedef struct sim_part {
  const char* name; /* NULL ends a list */
  bool (*has)(const sim_body* body, uint32_t particle);
} sim_part;

typedef struct sim_body_type {
  const char* name;
  const sim_table* table;
  const sim_part* parts; /* in addition to the parts of all bodies */
  /* Particle count of a def, before allocation. */
  uint64_t (*count)(const sim_body* body);
  /* Particles in a row; NULL or UINT32_MAX = no rows. */
  uint32_t (*columns)(const sim_body* body);
  bool (*add)(const sim_source* source, const sim_place* place, sim_body* body, weft_scene* scene);
} sim_body_type;

extern const sim_body_type* const sim_body_types[];

struct sim_body {
  // read
  const char* type_name;
  const char* name;
  const tool_tree* pin;
  bool coarse;
  float pressure;            /* pascals */
  const tool_tree* contact;  /* NULL = points without contacts */
  const tool_tree* velocity; /* formulas; NULL = at rest */
  const tool_tree* start;    /* formulas; NULL = as built */
  uint32_t environment;
  bool has_environment;
  const sim_body_type* type;
  void* def;                   /* the struct of type->table */
  weft_particle_shape_def how; /* has contacts */
  // built
  weft_body made;
  float* inverse_masses; /* before pinning [made.particle_count] */
};

typedef struct sim_bodies {
  sim_body* items; /* [count] */
  size_t count;
} sim_bodies;

/* Reads and checks all; the caller frees them either way. */
bool sim_read_bodies(const sim_source* source, const tool_tree* list, sim_bodies* bodies);

/* Adds bodies to the scene and pins their particles. */
bool sim_add_bodies(const sim_source* source, const sim_bodies* bodies, weft_scene* scene);

/* Sets the contacts of the bodies in a world. */
bool sim_start_bodies(const sim_source* source, const sim_bodies* bodies, weft_world* world);

void sim_free_bodies(sim_bodies* bodies);

/* Particles in a row of the body; UINT32_MAX where they do not stand in rows. */
uint32_t sim_columns_of(const sim_body* body);

/* The body of that name; `place` is the name's. */
sim_body* sim_find_body(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                        const char* name);

/* Particles selected by a name, a number, {"first", "count"}, or a list of these:
 * [made.particle_count], to be freed. */
bool* sim_select(const sim_source* source, const sim_place* place, const sim_body* body,
                 const tool_tree* what);

/* The scene's particle of a text such as "name[3]" or "name[column,row]". */
bool sim_find_particle(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                       const char* text, uint32_t* particle);

void sim_print_bodies(FILE* out);

#endif
