#include "common/json_file.h"

#include <math.h>

#include "common/output_file.h"

json_t* tool_json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t* tool_json_text(const char* text) {
  json_t* string = json_string(text);
  return string ? string : json_null();
}

bool tool_json_write(const char* path, json_t* report, tool_message* why) {
  tool_output output;
  if (!report) return tool_because(why, "no memory to write '%s'", path);
  bool ok = tool_output_open(path, &output, why);
  if (ok) {
    const bool written =
        json_dumpf(report, output.stream, JSON_INDENT(2)) == 0 && fputc('\n', output.stream) != EOF;
    ok = tool_output_close(&output, written, why);
  }
  json_decref(report);
  return ok;
}
