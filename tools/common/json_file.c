#include "common/json_file.h"

#include <math.h>
#include <string.h>

#include "common/number.h"
#include "common/output_file.h"

json_t* tool_json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t* tool_json_text(const char* text) {
  json_t* string = json_string(text);
  return string ? string : json_null();
}

// ---- writing: as json_dumpf() with an indent of 2 and 17 digits, but whole numbers of a list on
// one line ----

static void write_value(json_t* value, int depth, FILE* out);

/* `before`: a comma or an opening bracket. */
static void begin_line(const char* before, int depth, FILE* out) {
  fprintf(out, "%s\n%*s", before, 2 * depth, "");
}

static void write_real(double value, FILE* out) {
  char text[TOOL_NUMBER_SIZE];
  tool_shortest(value, text);
  // a point tells a whole number from an integer
  fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

// True for an array of whole numbers that fit one line.
static bool has_integers(const json_t* array) {
  for (size_t i = 0; i < json_array_size(array); ++i) {
    if (!json_is_integer(json_array_get(array, i))) return false;
  }
  return json_array_size(array) > 0;
}

static void write_array(json_t* array, int depth, FILE* out) {
  size_t i;
  json_t* item;
  if (has_integers(array)) {
    (void)json_dumpf(array, out, 0);
    return;
  }
  json_array_foreach(array, i, item) {
    begin_line(i == 0 ? "[" : ",", depth + 1, out);
    write_value(item, depth + 1, out);
  }
  if (json_array_size(array) == 0) fputc('[', out);
  if (json_array_size(array) > 0) begin_line("", depth, out);
  fputc(']', out);
}

static void write_object(json_t* object, int depth, FILE* out) {
  const char* key;
  json_t* item;
  const char* before = "{";
  json_object_foreach(object, key, item) {
    json_t* name = json_string(key);
    begin_line(before, depth + 1, out);
    (void)json_dumpf(name, out, JSON_ENCODE_ANY);
    fputs(": ", out);
    write_value(item, depth + 1, out);
    json_decref(name);
    before = ",";
  }
  if (json_object_size(object) == 0) fputc('{', out);
  if (json_object_size(object) > 0) begin_line("", depth, out);
  fputc('}', out);
}

static void write_value(json_t* value, int depth, FILE* out) {
  if (json_is_array(value)) {
    write_array(value, depth, out);
  } else if (json_is_object(value)) {
    write_object(value, depth, out);
  } else if (json_is_real(value)) {
    write_real(json_real_value(value), out);
  } else {
    (void)json_dumpf(value, out, JSON_ENCODE_ANY);
  }
}

bool tool_json_write(const char* path, json_t* report, tool_message* why) {
  tool_output output;
  if (!report) return tool_because(why, "no memory to write '%s'", path);
  bool ok = tool_output_open(path, &output, why);
  if (ok) {
    write_value(report, 0, output.stream);
    fputc('\n', output.stream);
    ok = tool_output_close(&output, true, why);
  }
  json_decref(report);
  return ok;
}
