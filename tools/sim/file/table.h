/* Tables of the keys of a scene file: one row a key, with its kind, its range and where its value
 * goes. What is read, what is refused and in which words, what is left as it is, how settings are
 * written, and the reference in docs/scene-files.md all come from them. */
#ifndef TOOLS_SIM_FILE_TABLE_H
#define TOOLS_SIM_FILE_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "base/fields.h"
#include "sim/file/source.h"
#include "weft/weft.h"

typedef enum sim_field_kind {
  SIM_FIELD_FLOAT,  /* float */
  SIM_FIELD_REAL,   /* double */
  SIM_FIELD_COUNT,  /* uint32_t */
  SIM_FIELD_LONG,   /* int64_t */
  SIM_FIELD_FLAG,   /* bool */
  SIM_FIELD_CHOICE, /* int or an enum: the number of a word */
  SIM_FIELD_VECTOR, /* float[3] */
  SIM_FIELD_PAIR,   /* float[2] */
  SIM_FIELD_FOUR,   /* float[4] */
  SIM_FIELD_TEXT,   /* const char*, which lives as long as the source's root */
  SIM_FIELD_LIST,   /* json_t*, likewise: a list */
  SIM_FIELD_OBJECT, /* json_t*, likewise: an object */
  SIM_FIELD_ANY,    /* json_t*, likewise: what it may be its reader says */
  SIM_FIELD_OF_DEF, /* member of the table's def, which says the rest of the row */
} sim_field_kind;

/* Upper ends beyond this are no bound in practice. */
#define SIM_OPEN 1e18

/* An infinite end of a range lets "infinity" in, a huge one only what is finite. */
typedef struct sim_field {
  const char* key;
  sim_field_kind kind;
  size_t offset; /* bytes from the start of the struct */
  bool required;
  bool above;                 /* `least` itself is not in the range */
  double lower, upper;        /* range of numbers; both 0 = all finite ones */
  const char* const* choices; /* words of SIM_FIELD_CHOICE, ended by NULL; choices[0] is 0 */
  const char* summary;        /* with the unit */
} sim_field;

/* Rows of members of the table's def, of enumerations with the words of their values. */
#define SIM_CHOICE_OF_DEF(key, choices, summary) \
  { (key), SIM_FIELD_OF_DEF, 0, false, false, 0, 0, (choices), (summary) }
#define SIM_OF_DEF(key, summary) SIM_CHOICE_OF_DEF(key, NULL, summary)

typedef struct sim_table {
  const char* title;
  const char* summary;
  const sim_field* fields; /* [count] */
  size_t count;
  const weft__fields* def; /* def within the struct; NULL = none */
  size_t def_offset;
  size_t bytes;                  /* size of the struct */
  void (*defaults)(void* value); /* after zeros and those of the def; NULL = no others */
} sim_table;

#define SIM_NO_FIELDS NULL, 0, NULL, 0
#define SIM_TABLE_FIELDS(fields) (fields), sizeof(fields) / sizeof((fields)[0]), NULL, 0
#define SIM_DEF_FIELDS(fields, def, offset) \
  (fields), sizeof(fields) / sizeof((fields)[0]), &weft__##def##_fields, (offset)

/* A struct to be filled by the rows of a table. */
typedef struct sim_target {
  const sim_table* table;
  void* value;
} sim_target;

/* A row with its kind, its range and its place in the struct. */
sim_field sim_table_field(const sim_table* table, size_t row);

void sim_table_defaults(const sim_table* table, void* value);

/* Reads an object by one or more tables, whose structs are filled with defaults before. */
bool sim_read_object(const sim_source* source, const sim_place* place, json_t* object,
                     const sim_target* targets, size_t target_count);

/* Reads one value as a row of a table says. */
bool sim_read_field(const sim_source* source, const sim_place* place, const sim_field* field,
                    json_t* item, void* value);

/* Reads a list of lists of three numbers or of three whole numbers, [*count][3], to be freed. */
bool sim_read_vectors(const sim_source* source, const sim_place* place, json_t* list,
                      float** vectors, uint32_t* count);
bool sim_read_triples(const sim_source* source, const sim_place* place, json_t* list,
                      uint32_t** triples, uint32_t* count);

/* Reads a list of numbers that are finite, [*count], to be freed. */
bool sim_read_numbers(const sim_source* source, const sim_place* place, json_t* list,
                      float** numbers, uint32_t* count);

/* The struct as JSON. */
json_t* sim_table_json(const sim_table* table, const void* value);

/* Says what the library said, at the key that its field stands for, or else at `place`. Returns
 * false. */
bool sim_weft_fault(const sim_source* source, const sim_place* place, const sim_table* table,
                    weft_result result);

/* Prints the table as the reference has it. */
void sim_print_table(FILE* out, const sim_table* table);

/* Which of the names an object has under a key that must be there; `count`, and a message, where it
 * has none of them. `what` is what they are, "an event". */
size_t sim_find_kind(const sim_source* source, const sim_place* place, json_t* object,
                     const char* key, const char* what, const char* const* names, size_t count);

#endif
