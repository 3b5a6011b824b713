#include "view/json_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes left, and place of the next text. */
typedef struct reader {
  const char *at, *end;
  char* text;
} reader;

static void skip_space(reader* in) {
  while (in->at < in->end && strchr(" \t\r\n", *in->at) && *in->at) ++in->at;
}

static bool take(reader* in, char wanted) {
  skip_space(in);
  if (in->at == in->end || *in->at != wanted) return false;
  ++in->at;
  return true;
}

static bool take_word(reader* in, const char* word) {
  const size_t length = strlen(word);
  if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0) return false;
  in->at += length;
  return true;
}

static bool read_code(reader* in, uint32_t* code) {
  *code = 0;
  for (int i = 0; i < 4; ++i) {
    static const char digits[] = "0123456789abcdef";
    if (in->at == in->end || *in->at == '\0') return false;
    const char letter = *in->at >= 'A' && *in->at <= 'F' ? (char)(*in->at + 32) : *in->at;
    const char* digit = strchr(digits, letter);
    if (!digit) return false;
    *code = *code * 16 + (uint32_t)(digit - digits);
    ++in->at;
  }
  return true;
}

/* One code unit as UTF-8. Refuses surrogates, which no command needs. */
static bool write_code(reader* in, uint32_t code) {
  if (code == 0 || (code >= 0xd800 && code < 0xe000)) return false;
  if (code < 0x80) {
    *in->text++ = (char)code;
  } else if (code < 0x800) {
    *in->text++ = (char)(0xc0 | code >> 6);
    *in->text++ = (char)(0x80 | (code & 63));
  } else {
    *in->text++ = (char)(0xe0 | code >> 12);
    *in->text++ = (char)(0x80 | (code >> 6 & 63));
    *in->text++ = (char)(0x80 | (code & 63));
  }
  return true;
}

static bool read_escape(reader* in) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (in->at == in->end) return false;
  const char letter = *in->at++;
  uint32_t code = 0;
  if (letter == 'u') return read_code(in, &code) && write_code(in, code);
  const char* found = letter ? strchr(letters, letter) : NULL;
  if (!found) return false;
  *in->text++ = meanings[found - letters];
  return true;
}

/* A text is no longer than its JSON. */
static bool read_text(reader* in, const char** text) {
  *text = in->text;
  if (!take(in, '"')) return false;
  while (in->at < in->end && *in->at != '"') {
    const char letter = *in->at++;
    if ((unsigned char)letter < 0x20) return false;
    if (letter != '\\') {
      *in->text++ = letter;
    } else if (!read_escape(in)) {
      return false;
    }
  }
  *in->text++ = '\0';
  return take(in, '"');
}

static bool read_number(reader* in, double* number) {
  char digits[48];
  size_t length = 0;
  while (in->at < in->end && *in->at && strchr("+-.eE0123456789", *in->at)) {
    if (length + 1 == sizeof digits) return false;
    digits[length++] = *in->at++;
  }
  digits[length] = '\0';
  char* end = NULL;
  *number = strtod(digits, &end);
  return length > 0 && *end == '\0' && digits[0] != '+' && isfinite(*number);
}

static bool read_element(reader* in, view_json_member* member) {
  skip_space(in);
  const bool is_text = in->at < in->end && *in->at == '"';
  const view_json_kind kind = is_text ? VIEW_JSON_TEXTS : VIEW_JSON_NUMBERS;
  if (member->count > 0 && kind != member->kind) return false;
  if (member->count == (is_text ? VIEW_MOST_TEXTS : VIEW_MOST_NUMBERS)) return false;
  member->kind = kind;
  const uint32_t i = member->count++;
  return is_text ? read_text(in, &member->texts[i]) : read_number(in, &member->numbers[i]);
}

static bool read_value(reader* in, view_json_member* member) {
  skip_space(in);
  member->kind = VIEW_JSON_FLAG;
  if (take_word(in, "true")) return member->flag = true;
  if (take_word(in, "false")) return true;
  member->kind = VIEW_JSON_NUMBERS;
  if (!take(in, '[')) return read_element(in, member);
  member->is_array = true;
  if (take(in, ']')) return true;
  do {
    if (!read_element(in, member)) return false;
  } while (take(in, ','));
  return take(in, ']');
}

static bool read_member(reader* in, view_json_line* line, tool_message* why) {
  const char* name = NULL;
  if (line->count == VIEW_MOST_MEMBERS) return tool_because(why, "a command of too many members");
  view_json_member* member = &line->members[line->count];
  if (!read_text(in, &name) || !take(in, ':')) return tool_because(why, "no JSON object");
  if (strlen(name) >= sizeof member->name) return tool_because(why, "'%.40s' is no member", name);
  if (view_json_find(line, name)) return tool_because(why, "'%s' is there twice", name);
  strcpy(member->name, name);
  if (!read_value(in, member)) return tool_because(why, "'%s' has no value that is known", name);
  ++line->count;
  return true;
}

bool view_json_read(const char* bytes, size_t length, view_json_line* line, tool_message* why) {
  memset(line, 0, sizeof *line);
  line->text = malloc(length + 1);
  if (!line->text) return tool_because(why, "no memory for a command");
  reader in = {bytes, bytes + length, line->text};
  if (!take(&in, '{')) return tool_because(why, "no JSON object");
  if (!take(&in, '}')) {
    do {
      if (!read_member(&in, line, why)) return false;
    } while (take(&in, ','));
    if (!take(&in, '}')) return tool_because(why, "a JSON object that does not end");
  }
  skip_space(&in);
  return in.at == in.end || tool_because(why, "more than a JSON object");
}

void view_json_free(view_json_line* line) {
  free(line->text);
  line->text = NULL;
  line->count = 0;
}

const view_json_member* view_json_find(const view_json_line* line, const char* name) {
  for (uint32_t i = 0; i < line->count; ++i) {
    if (strcmp(line->members[i].name, name) == 0) return &line->members[i];
  }
  return NULL;
}
