#include "common/json_tree.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const char *at, *end;
  char* text; /* end of the texts so far */
  uint32_t line;
  int depth;
  tool_tree_error* error;
} reader;

static bool fail(reader* in, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(in->error->text, sizeof in->error->text, format, arguments);
  va_end(arguments);
  in->error->line = in->line;
  return false;
}

/* Refuses the present word, in quotes. */
static bool fail_near(reader* in, const char* expected) {
  int length = 0;
  if (in->at == in->end) return fail(in, "%s expected near end of file", expected);
  while (length < 20 && in->at + length < in->end && !strchr(" \t\r\n,:", in->at[length])) ++length;
  return fail(in, "%s expected near '%.*s'", expected, length > 0 ? length : 1, in->at);
}

static char look(reader* in) {
  for (; in->at < in->end && *in->at && strchr(" \t\r\n", *in->at); ++in->at) {
    in->line += *in->at == '\n';
  }
  return in->at < in->end ? *in->at : '\0';
}

static bool take(reader* in, char wanted) {
  const char name[] = {'\'', wanted, '\'', '\0'};
  if (look(in) != wanted) return fail_near(in, name);
  ++in->at;
  return true;
}

// ---- texts ----

static bool read_code(reader* in, uint32_t* code) {
  *code = 0;
  for (int i = 0; i < 4; ++i, ++in->at) {
    static const char digits[] = "0123456789abcdef";
    if (in->at == in->end || *in->at == '\0') return fail(in, "a text ends in an escape");
    const char letter = *in->at >= 'A' && *in->at <= 'F' ? (char)(*in->at + 32) : *in->at;
    const char* digit = strchr(digits, letter);
    if (!digit) return fail(in, "'\\u' without four hexadecimal digits");
    *code = *code * 16 + (uint32_t)(digit - digits);
  }
  return true;
}

static void write_code(reader* in, uint32_t code) {
  const int tail = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const uint32_t heads[] = {0, 0xc0, 0xe0, 0xf0};
  *in->text++ = (char)(heads[tail] | code >> (6 * tail));
  for (int k = tail; k-- > 0;) *in->text++ = (char)(0x80 | (code >> (6 * k) & 63));
}

static bool read_unicode(reader* in) {
  uint32_t code, low;
  if (!read_code(in, &code)) return false;
  if (code == 0) return fail(in, "\\u0000 is not allowed");
  if (code >= 0xd800 && code < 0xe000) {
    if (code >= 0xdc00 || in->end - in->at < 2 || memcmp(in->at, "\\u", 2) != 0) {
      return fail(in, "half of a surrogate pair");
    }
    in->at += 2;
    if (!read_code(in, &low)) return false;
    if (low < 0xdc00 || low >= 0xe000) return fail(in, "half of a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  write_code(in, code);
  return true;
}

static bool read_escape(reader* in) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (in->at == in->end) return fail(in, "a text ends in an escape");
  const char letter = *in->at++;
  if (letter == 'u') return read_unicode(in);
  const char* found = letter ? strchr(letters, letter) : NULL;
  if (!found) return fail(in, "'\\%c' is no escape", letter);
  *in->text++ = meanings[found - letters];
  return true;
}

/* A text is no longer than its JSON. */
static bool read_text(reader* in, const char** text) {
  *text = in->text;
  if (!take(in, '"')) return false;
  while (in->at < in->end && *in->at != '"') {
    const char letter = *in->at++;
    if ((unsigned char)letter < 0x20) return fail(in, "a text does not end on its line");
    if (letter != '\\') {
      *in->text++ = letter;
    } else if (!read_escape(in)) {
      return false;
    }
  }
  *in->text++ = '\0';
  return in->at++ < in->end || fail(in, "a text does not end");
}

// ---- values ----

static bool read_digits(reader* in) {
  const char* start = in->at;
  while (in->at < in->end && *in->at >= '0' && *in->at <= '9') ++in->at;
  return in->at > start;
}

/* The grammar of JSON: no sign +, no leading zeros, digits on both sides of a point. */
static bool scan_number(reader* in, bool* is_whole) {
  if (in->at < in->end && *in->at == '-') ++in->at;
  const char* first = in->at;
  if (!read_digits(in) || (*first == '0' && in->at > first + 1)) return false;
  *is_whole = true;
  if (in->at < in->end && *in->at == '.') {
    ++in->at;
    *is_whole = false;
    if (!read_digits(in)) return false;
  }
  if (in->at < in->end && (*in->at == 'e' || *in->at == 'E')) {
    ++in->at;
    *is_whole = false;
    if (in->at < in->end && (*in->at == '+' || *in->at == '-')) ++in->at;
    if (!read_digits(in)) return false;
  }
  return true;
}

static bool read_number(reader* in, tool_tree* value) {
  const char* start = in->at;
  char digits[400];
  bool is_whole = false;
  if (!scan_number(in, &is_whole)) return in->at = start, fail_near(in, "a value");
  const size_t length = (size_t)(in->at - start);
  if (length >= sizeof digits) return fail(in, "a number of %zu letters", length);
  memcpy(digits, start, length);
  digits[length] = '\0';
  value->kind = is_whole ? TOOL_TREE_WHOLE : TOOL_TREE_REAL;
  if (!is_whole) {
    value->real = strtod(digits, NULL);
    return isfinite(value->real) || fail(in, "the number '%.40s' is too large", digits);
  }
  // the upper limit is itself a double
  if (!(fabs(strtod(digits, NULL)) < 9223372036854775808.0)) {
    return fail(in, "the number '%.40s' is too large", digits);
  }
  value->whole = strtoll(digits, NULL, 10);
  return true;
}

static bool read_word(reader* in, const char* word) {
  const size_t length = strlen(word);
  if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0) {
    return fail_near(in, "a value");
  }
  in->at += length;
  return true;
}

static bool read_value(reader* in, tool_tree* value);

/* Room for one more item. */
static tool_tree* grow(reader* in, tool_tree* list) {
  const size_t count = list->count;
  if (count == 0 || (count >= 4 && (count & (count - 1)) == 0)) {
    tool_tree* grown = realloc(list->items, (count < 4 ? 4 : 2 * count) * sizeof *grown);
    if (!grown) return fail(in, "no memory for so many values"), NULL;
    list->items = grown;
  }
  list->items[count] = (tool_tree){.kind = TOOL_TREE_NULL};
  return &list->items[list->count++];
}

static bool read_member(reader* in, tool_tree* object) {
  const char* key;
  if (look(in) != '"') return fail_near(in, "a key or '}'");
  if (!read_text(in, &key)) return false;
  if (tool_tree_get(object, key)) return fail(in, "duplicate key \"%.40s\"", key);
  if (object->count == TOOL_TREE_MOST_MEMBERS) return fail(in, "an object of too many keys");
  tool_tree* member = take(in, ':') ? grow(in, object) : NULL;
  if (!member) return false;
  const bool ok = read_value(in, member);
  member->key = key;
  return ok;
}

static bool read_items(reader* in, tool_tree* list) {
  const bool is_object = list->kind == TOOL_TREE_OBJECT;
  const char close = is_object ? '}' : ']';
  ++in->at;
  if (look(in) == close) return ++in->at, true;
  for (;;) {
    tool_tree* item = NULL;
    if (is_object ? !read_member(in, list) : !(item = grow(in, list)) || !read_value(in, item)) {
      return false;
    }
    if (look(in) != ',') return take(in, close);
    ++in->at;
  }
}

static bool read_value(reader* in, tool_tree* value) {
  const char first = look(in);
  *value = (tool_tree){.kind = TOOL_TREE_NULL, .line = in->line, .source = in->at};
  bool ok;
  if (first == '{' || first == '[') {
    value->kind = first == '{' ? TOOL_TREE_OBJECT : TOOL_TREE_LIST;
    if (in->depth == TOOL_TREE_MOST_DEPTH) {
      return fail(in, "lists and objects lie more than %d deep", TOOL_TREE_MOST_DEPTH);
    }
    ++in->depth;
    ok = read_items(in, value);
    --in->depth;
  } else if (first == '"') {
    value->kind = TOOL_TREE_TEXT;
    ok = read_text(in, &value->text);
  } else if (first == 't' || first == 'f') {
    value->kind = TOOL_TREE_FLAG;
    value->flag = first == 't';
    ok = read_word(in, value->flag ? "true" : "false");
  } else if (first == 'n') {
    ok = read_word(in, "null");
  } else {
    ok = read_number(in, value);
  }
  value->length = (size_t)(in->at - value->source);
  return ok;
}

bool tool_tree_read(const char* bytes, size_t length, tool_tree* root, char** texts,
                    tool_tree_error* error) {
  *root = (tool_tree){.kind = TOOL_TREE_NULL};
  *texts = malloc(length + 1);
  reader in = {bytes, bytes + length, *texts, 1, 0, error};
  if (!*texts) return fail(&in, "no memory to read it");
  if (!read_value(&in, root)) return false;
  (void)look(&in);
  return in.at == in.end || fail_near(&in, "end of file");
}

void tool_tree_clear(tool_tree* value) {
  if (value->kind != TOOL_TREE_LIST && value->kind != TOOL_TREE_OBJECT) return;
  for (size_t i = 0; i < value->count; ++i) tool_tree_clear(&value->items[i]);
  free(value->items);
  value->items = NULL;
  value->count = 0;
}

// ---- asking ----

const tool_tree* tool_tree_get(const tool_tree* object, const char* key) {
  if (!tool_tree_is(object, TOOL_TREE_OBJECT)) return NULL;
  for (size_t i = 0; i < object->count; ++i) {
    if (object->items[i].key && strcmp(object->items[i].key, key) == 0) return &object->items[i];
  }
  return NULL;
}

const char* tool_tree_text(const tool_tree* value) {
  return tool_tree_is(value, TOOL_TREE_TEXT) ? value->text : NULL;
}

size_t tool_tree_size(const tool_tree* list) {
  return tool_tree_is(list, TOOL_TREE_LIST) ? list->count : 0;
}

bool tool_tree_number(const tool_tree* value, double* number) {
  if (tool_tree_is(value, TOOL_TREE_REAL)) return *number = value->real, true;
  if (tool_tree_is(value, TOOL_TREE_WHOLE)) return *number = (double)value->whole, true;
  return false;
}

/* Copies without blanks outside of texts. */
static size_t copy_compact(const tool_tree* value, char* quote, size_t room) {
  size_t length = 0;
  bool quoted = false;
  for (size_t i = 0; i < value->length && length + 1 < room; ++i) {
    const char c = value->source[i];
    if (c == '"' && (i == 0 || value->source[i - 1] != '\\')) quoted = !quoted;
    if (quoted || !strchr(" \t\r\n", c)) quote[length++] = c;
  }
  quote[length] = '\0';
  return length;
}

void tool_tree_quote(const tool_tree* value, char* quote, size_t room) {
  double number;
  size_t length = 0;
  quote[0] = '\0';
  if (tool_tree_is(value, TOOL_TREE_TEXT)) {
    length = (size_t)snprintf(quote, room, "%s", value->text);
  } else if (value && value->source) {
    length = copy_compact(value, quote, room) + 1;
  } else if (tool_tree_number(value, &number)) {
    snprintf(quote, room, "%.9g", number);
  } else if (value) {
    snprintf(quote, room, "%s", value->flag ? "true" : "false");
  }
  if (length >= room) memcpy(quote + room - 4, "...", 4);
}
