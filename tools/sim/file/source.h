/* A scene file as text and as JSON, and where in it something is wrong.
 *
 * The JSON library knows lines only until it has read the text. What is found wrong later is known
 * by its place, the keys and numbers that lead to it; and as the text is good JSON then, a small
 * scanner follows them through it again and counts lines. That costs nothing unless something is
 * wrong. */
#ifndef TOOLS_SIM_FILE_SOURCE_H
#define TOOLS_SIM_FILE_SOURCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/message.h"

/* The largest file that is read, and how deep its lists and objects may lie in one another. */
enum { SIM_MOST_FILE_BYTES = 64 << 20, SIM_MOST_DEPTH = 32 };

typedef struct sim_source {
  const char* name; /* that messages begin with */
  const char* text; /* [length] */
  size_t length;
  json_t* root;      /* an object */
  tool_message* why; /* filled by sim_fault() */
} sim_source;

/* One step of the way to a value: a key of an object, or the number of an element of a list. */
typedef struct sim_place {
  const struct sim_place* parent; /* NULL = the file's own object */
  const char* key;                /* NULL = an element */
  size_t index;
} sim_place;

/* Parses source->text, which must be an object. False with "NAME:LINE: ..." where it is not. */
bool sim_source_parse(sim_source* source);

/* Says "NAME:LINE: bodies[0].columns: ..." and returns false. `place` may be NULL: the whole file.
 */
bool sim_fault(const sim_source* source, const sim_place* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/* The line on which the value begins; that of the last key found where it is not there. */
size_t sim_line_of(const char* text, size_t length, const sim_place* place);

/* Writes the value as a message quotes it: a text as it is, anything else as JSON; cut where it is
 * long. */
enum { SIM_MAX_QUOTE = 48 };
void sim_quote(const json_t* value, char quote[SIM_MAX_QUOTE]);

#endif
