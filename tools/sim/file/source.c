#include "sim/file/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- parsing ----

/* The line of the first bracket that lies too deep, or 0. Brackets in texts do not count. */
static size_t find_too_deep(const char* text, size_t length) {
  size_t line = 1, depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < length; ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted) {
      if (c == '\\' && i + 1 < length && text[i + 1] != '\n') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > SIM_MOST_DEPTH) return line;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return 0;
}

bool sim_source_parse(sim_source* source) {
  json_error_t error;
  const size_t deep = find_too_deep(source->text, source->length);
  if (deep > 0) {
    return tool_because(source->why, "%s:%zu: lists and objects lie more than %d deep",
                        source->name, deep, SIM_MOST_DEPTH);
  }
  source->root = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &error);
  if (!source->root) {
    return tool_because(source->why, "%s:%d: %s", source->name, error.line > 0 ? error.line : 1,
                        error.text);
  }
  return json_is_object(source->root) || sim_fault(source, NULL, "is not an object");
}

// ---- lines: a walk through text that is known to be good ----

typedef struct scanner {
  const char* text;
  size_t length;
  size_t at;
} scanner;

static void skip_blanks(scanner* s) {
  while (s->at < s->length && strchr(" \t\r\n", s->text[s->at])) ++s->at;
}

static char look(scanner* s) {
  skip_blanks(s);
  return s->at < s->length ? s->text[s->at] : '\0';
}

static void skip_text(scanner* s) {
  for (++s->at; s->at < s->length && s->text[s->at] != '"'; ++s->at) {
    if (s->text[s->at] == '\\') ++s->at;
  }
  ++s->at;
}

/* Any value: up to the comma or the bracket after it. */
static void skip_value(scanner* s) {
  for (size_t depth = 0; s->at < s->length;) {
    const char c = s->text[s->at];
    if (c == '"') {
      skip_text(s);
      continue;
    }
    const bool closes = c == '}' || c == ']';
    if (depth == 0 && (closes || c == ',')) return;
    if (c == '{' || c == '[') ++depth;
    if (closes) --depth;
    ++s->at;
  }
}

/* Keys may be written with escapes: the JSON library reads them. */
static bool is_key(const char* quoted, size_t length, const char* key) {
  json_t* read = json_loadb(quoted, length, JSON_DECODE_ANY, NULL);
  const bool same = read && strcmp(json_string_value(read), key) == 0;
  json_decref(read);
  return same;
}

/* Goes to the value of a key; false where there is none. */
static bool enter_key(scanner* s, const char* key) {
  if (look(s) != '{') return false;
  ++s->at;
  while (look(s) == '"') {
    const size_t start = s->at;
    skip_text(s);
    const size_t end = s->at;
    if (look(s) != ':') return false;
    ++s->at;
    skip_blanks(s);
    if (is_key(s->text + start, end - start, key)) return true;
    skip_value(s);
    if (look(s) != ',') return false;
    ++s->at;
  }
  return false;
}

static bool enter_element(scanner* s, size_t index) {
  if (look(s) != '[') return false;
  ++s->at;
  for (; index > 0; --index) {
    skip_blanks(s);
    skip_value(s);
    if (look(s) != ',') return false;
    ++s->at;
  }
  skip_blanks(s);
  return s->at < s->length && s->text[s->at] != ']';
}

static bool enter(scanner* s, const sim_place* place) {
  if (place == NULL) return skip_blanks(s), true;
  if (!enter(s, place->parent)) return false;
  const size_t before = s->at;
  const bool found = place->key ? enter_key(s, place->key) : enter_element(s, place->index);
  if (!found) s->at = before;
  return found;
}

size_t sim_line_of(const char* text, size_t length, const sim_place* place) {
  scanner s = {text, length, 0};
  (void)enter(&s, place);
  size_t line = 1;
  for (size_t i = 0; i < s.at && i < length; ++i) line += text[i] == '\n';
  return line;
}

// ---- messages ----

/* Appends the way to the place; what does not fit is left out. */
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
  const size_t line = sim_line_of(source->text, source->length, place);
  return tool_because(source->why, "%s:%zu: %s%s%s", source->name, line, path,
                      path[0] != '\0' ? ": " : "", text);
}

void sim_quote(const json_t* value, char quote[SIM_MAX_QUOTE]) {
  char* dumped = NULL;
  const char* text = json_string_value(value);
  if (!text)
    text = dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
  const size_t length = text ? strlen(text) : 0;
  if (length < SIM_MAX_QUOTE) {
    snprintf(quote, SIM_MAX_QUOTE, "%s", text ? text : "");
  } else {
    snprintf(quote, SIM_MAX_QUOTE, "%.*s...", SIM_MAX_QUOTE - 4, text);
  }
  free(dumped);
}
