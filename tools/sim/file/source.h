/* A scene file as a tree of values, and faults with their lines. */
#ifndef TOOLS_SIM_FILE_SOURCE_H
#define TOOLS_SIM_FILE_SOURCE_H

#include "common/json_tree.h"
#include "common/message.h"

enum { SIM_MOST_FILE_BYTES = 64 << 20 };

struct sim_scope;

typedef struct sim_source {
  const char* name;        /* first word of messages */
  const tool_tree* root;   /* an object */
  tool_message* why;       /* filled by sim_fault() */
  struct sim_scope* scope; /* scope of formulas */
  uint32_t run_names;
} sim_source;

/* One step towards a value: a key of an object, or an index of a list. */
typedef struct sim_place {
  const struct sim_place* parent; /* NULL = the file's own object */
  const char* key;                /* NULL = an element */
  size_t index;
} sim_place;

/* Fills "NAME:LINE: bodies[0].columns: ..." and returns false. NULL place = the whole file. */
bool sim_fault(const sim_source* source, const sim_place* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/* Line of the value, or of the last key found towards it. */
size_t sim_line_of(const tool_tree* root, const sim_place* place);

/* Writes the value as a message quotes it: a text as it is, other values as JSON; cut. */
enum { SIM_MAX_QUOTE = 48 };
void sim_quote(const tool_tree* value, char quote[SIM_MAX_QUOTE]);

#endif
