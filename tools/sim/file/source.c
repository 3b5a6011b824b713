#include "sim/file/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The value at a place, or the last one towards it; `*found` tells which. */
static const tool_tree* follow(const tool_tree* root, const sim_place* place, bool* found) {
  if (!place) return *found = true, root;
  const tool_tree* parent = follow(root, place->parent, found);
  if (!*found) return parent;
  const bool has_element = place->index < tool_tree_size(parent);
  const tool_tree* value = place->key    ? tool_tree_get(parent, place->key)
                           : has_element ? &parent->items[place->index]
                                         : NULL;
  *found = value != NULL;
  return value ? value : parent;
}

size_t sim_line_of(const tool_tree* root, const sim_place* place) {
  bool found;
  return follow(root, place, &found)->line;
}

/* Appends the path of a place, cut to the room. */
static void append_path(const sim_place* place, char* path, size_t room) {
  if (!place) return;
  append_path(place->parent, path, room);
  const size_t length = strlen(path);
  if (!place->key) {
    snprintf(path + length, room - length, "[%zu]", place->index);
  } else {
    snprintf(path + length, room - length, "%s%s", length > 0 ? "." : "", place->key);
  }
}

bool sim_fault(const sim_source* source, const sim_place* place, const char* format, ...) {
  char path[256] = "", text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  append_path(place, path, sizeof path);
  return tool_because(source->why, "%s:%zu: %s%s%s", source->name, sim_line_of(source->root, place),
                      path, path[0] != '\0' ? ": " : "", text);
}

void sim_quote(const tool_tree* value, char quote[SIM_MAX_QUOTE]) {
  tool_tree_quote(value, quote, SIM_MAX_QUOTE);
}
