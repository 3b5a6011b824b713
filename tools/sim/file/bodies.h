/* The bodies of a scene file. What they have in common is in one table, what is of one type in a
 * table of its own: a new type is a table, a function that adds it, and its place in the list in
 * body_types.c. */
#ifndef TOOLS_SIM_FILE_BODIES_H
#define TOOLS_SIM_FILE_BODIES_H

#include "sim/file/tables.h"

typedef struct sim_body sim_body;

/* A part of a body that has a name, such as "top". */
typedef struct sim_part {
  const char* name; /* NULL ends a list */
  bool (*has)(const sim_body* body, uint32_t particle);
} sim_part;

typedef struct sim_body_type {
  const char* name;
  const sim_table* table;
  const sim_part* parts; /* besides those that all bodies have */
  /* Particle count of a def that has been read, before anything is allocated. */
  uint64_t (*count)(const sim_body* body);
  /* Particles in a row; NULL or UINT32_MAX = they do not stand in rows. */
  uint32_t (*columns)(const sim_body* body);
  bool (*add)(const sim_source* source, const sim_place* place, sim_body* body, weft_scene* scene);
} sim_body_type;

/* The last one is NULL. */
extern const sim_body_type* const sim_body_types[];

struct sim_body {
  // read
  const char* type_name;
  const char* name;
  const tool_tree* pin;
  bool coarse;
  float pressure;            /* pascals */
  const tool_tree* contact;  /* NULL = points that meet nothing */
  const tool_tree* velocity; /* formulas; NULL = it begins at rest */
  const tool_tree* start;    /* formulas; NULL = it begins as it is built */
  uint32_t environment;
  bool has_environment;
  const sim_body_type* type;
  void* def;                   /* the struct of type->table */
  weft_particle_shape_def how; /* it meets others */
  // built
  weft_body made;
  float* inverse_masses; /* before its particles were pinned [made.particle_count] */
};

typedef struct sim_bodies {
  sim_body* items; /* [count] */
  size_t count;
} sim_bodies;

/* Reads and checks all; the caller frees them either way. */
bool sim_read_bodies(const sim_source* source, const tool_tree* list, sim_bodies* bodies);

/* Adds them to the scene, pins what is to be pinned. */
bool sim_add_bodies(const sim_source* source, const sim_bodies* bodies, weft_scene* scene);

/* Sets the contacts of the bodies in a world. */
bool sim_start_bodies(const sim_source* source, const sim_bodies* bodies, weft_world* world);

/* True if one of them uses CCD or surface contacts, which need the world's faces. */
bool sim_need_faces(const sim_bodies* bodies);

void sim_free_bodies(sim_bodies* bodies);

/* Particles in a row of the body; UINT32_MAX where they do not stand in rows. */
uint32_t sim_columns_of(const sim_body* body);

/* The body of that name, which is that of `place`. */
sim_body* sim_find_body(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                        const char* name);

/* Which of its particles are meant: a name, a number, {"first", "count"}, or a list of such. The
 * result is [made.particle_count], to be freed. */
bool* sim_select(const sim_source* source, const sim_place* place, const sim_body* body,
                 const tool_tree* what);

/* The particle of the scene that a text such as "name[3]" or "name[column,row]" stands for. */
bool sim_find_particle(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                       const char* text, uint32_t* particle);

void sim_print_bodies(FILE* out);

#endif
