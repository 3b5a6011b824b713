/* Tables of the keys of a scene file: a row a key, with kind, range and member. Reading, refusals,
 * defaults, settings in reports and the reference in docs/scene-files.md come from them. */
#ifndef TOOLS_SIM_FILE_TABLE_H
#define TOOLS_SIM_FILE_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "sim/file/source.h"
#include "weft/weft.h"

typedef enum sim_field_kind {
  SIM_FIELD_FLOAT,  /* float */
  SIM_FIELD_REAL,   /* double */
  SIM_FIELD_COUNT,  /* uint32_t */
  SIM_FIELD_CHOSEN, /* uint32_t, or WEFT_AUTO: "auto" */
  SIM_FIELD_LONG,   /* int64_t */
  SIM_FIELD_FLAG,   /* bool */
  SIM_FIELD_CHOICE, /* int or an enum: index of a word */
  SIM_FIELD_VECTOR, /* float[3] */
  SIM_FIELD_PAIR,   /* float[2] */
  SIM_FIELD_FOUR,   /* float[4] */
  SIM_FIELD_TEXT,   /* const char*, which lives as long as the source's root */
  SIM_FIELD_LIST,   /* const tool_tree*: a list */
  SIM_FIELD_OBJECT, /* const tool_tree*: an object */
  SIM_FIELD_ANY,    /* const tool_tree*: its reader checks it */
} sim_field_kind;

/* An infinite end of a range admits "infinity", a huge one only finite numbers. */
typedef struct sim_field {
  const char* key;
  sim_field_kind kind;
  size_t offset; /* bytes from the start of the struct */
  bool required;
  bool above;                 /* `lower` is excluded */
  double lower, upper;        /* range of numbers; both 0 = all finite ones */
  const char* const* choices; /* words of SIM_FIELD_CHOICE, ended by NULL; choices[0] is 0 */
  const char* summary;        /* with the unit */
} sim_field;

/* An optional row of any value, or of numbers in a range. */
#define SIM_KEY(key, kind, offset, summary) SIM_RANGE(key, kind, offset, 0, 0, summary)
#define SIM_RANGE(key, kind, offset, lower, upper, summary) \
  { key, SIM_FIELD_##kind, offset, false, false, lower, upper, NULL, summary }

/* A key that is the member's name; `at` is a macro, its offset. */
#define SIM_KEY_OF(at, kind, member, summary) SIM_KEY(#member, kind, at(member), summary)
#define SIM_RANGE_OF(at, kind, member, lower, upper, summary) \
  SIM_RANGE(#member, kind, at(member), lower, upper, summary)

/* The keys of a weft_surface_def. */
#define SIM_SURFACE_OF(at, surface)                                               \
  SIM_RANGE("restitution", FLOAT, at(surface.restitution), 0, 1,                  \
            "share of the speed of approach at which they part"),                 \
      SIM_RANGE("static_friction", FLOAT, at(surface.static_friction), 0, 1000,   \
                "coefficient of what holds"),                                     \
      SIM_RANGE("dynamic_friction", FLOAT, at(surface.dynamic_friction), 0, 1000, \
                "coefficient of what slides, no more than `static_friction`")

typedef struct sim_table {
  const char* title;
  const char* summary;
  const sim_field* fields; /* [count] */
  size_t count;
  size_t bytes;                  /* size of the struct */
  void (*defaults)(void* value); /* fills the struct; NULL = zeros */
} sim_table;

#define SIM_TABLE_FIELDS(fields) (fields), sizeof(fields) / sizeof((fields)[0])

/* A struct to be filled by the rows of a table. */
typedef struct sim_target {
  const sim_table* table;
  void* value;
} sim_target;

void sim_table_defaults(const sim_table* table, void* value);

/* Reads an object by one or more tables; structs get defaults first. */
bool sim_read_object(const sim_source* source, const sim_place* place, const tool_tree* object,
                     const sim_target* targets, size_t target_count);

/* Reads one value as a row of a table says. */
bool sim_read_field(const sim_source* source, const sim_place* place, const sim_field* field,
                    const tool_tree* item, void* value);

/* Reads a list of triples of numbers, or of whole numbers, [*count][3], to be freed. */
bool sim_read_vectors(const sim_source* source, const sim_place* place, const tool_tree* list,
                      float** vectors, uint32_t* count);
bool sim_read_triples(const sim_source* source, const sim_place* place, const tool_tree* list,
                      uint32_t** triples, uint32_t* count);

/* Reads a list of finite numbers, [*count], to be freed. */
bool sim_read_numbers(const sim_source* source, const sim_place* place, const tool_tree* list,
                      float** numbers, uint32_t* count);

/* Reports the library's error at the key of its field, or else at `place`. Returns false. */
bool sim_weft_fault(const sim_source* source, const sim_place* place, const sim_table* table,
                    weft_result result);

/* Prints the table as in the reference. */
void sim_print_table(FILE* out, const sim_table* table);

/* Index of the one name that an object has as a key; `count`, and a message, without one. `what` is
 * a noun, "an event". */
size_t sim_find_kind(const sim_source* source, const sim_place* place, const tool_tree* object,
                     const char* key, const char* what, const char* const* names, size_t count);

#endif
