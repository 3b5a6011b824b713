/* JSON as a tree whose values know their lines. The reader also runs without a JSON library, in
 * WebAssembly. Strict: duplicate keys, NUL in a text and numbers out of range are refused. */
#ifndef TOOLS_COMMON_JSON_TREE_H
#define TOOLS_COMMON_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tool_tree_kind {
  TOOL_TREE_NULL,
  TOOL_TREE_FLAG,
  TOOL_TREE_WHOLE, /* a number without a point or an exponent */
  TOOL_TREE_REAL,
  TOOL_TREE_TEXT,
  TOOL_TREE_LIST,
  TOOL_TREE_OBJECT,
} tool_tree_kind;

typedef struct tool_tree {
  tool_tree_kind kind;
  uint32_t line;
  const char* key; /* in an object */
  union {
    bool flag;
    int64_t whole;
    double real;
    const char* text;
    struct tool_tree* items; /* elements or members [count] */
  };
  size_t count;
  const char* source; /* value as written [length]; NULL = computed */
  size_t length;
} tool_tree;

enum { TOOL_TREE_MOST_DEPTH = 32, TOOL_TREE_MOST_MEMBERS = 256 };

typedef struct tool_tree_error {
  size_t line;
  char text[128];
} tool_tree_error;

/* Reads [length] bytes, which must outlive the tree. `*texts` holds its texts and is freed after
 * it, also after a failure. */
bool tool_tree_read(const char* bytes, size_t length, tool_tree* root, char** texts,
                    tool_tree_error* error);

/* Frees the elements of a value; texts stay. */
void tool_tree_clear(tool_tree* value);

/* Member of an object; NULL without it, or if it is no object. */
const tool_tree* tool_tree_get(const tool_tree* object, const char* key);

/* Text of a value; NULL if it is none, or `value` is NULL. */
const char* tool_tree_text(const tool_tree* value);

/* Elements of a list; 0 if it is none. */
size_t tool_tree_size(const tool_tree* list);

static inline bool tool_tree_is(const tool_tree* value, tool_tree_kind kind) {
  return value && value->kind == kind;
}

/* False if it is no number. */
bool tool_tree_number(const tool_tree* value, double* number);

/* Writes the value as written, without blanks, or as computed; cut to `room`. */
void tool_tree_quote(const tool_tree* value, char* quote, size_t room);

#endif
