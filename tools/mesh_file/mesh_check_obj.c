/* OBJ: a line starting with "v" is a vertex of three or more numbers, a line starting with "f" a
 * face of three or more corners "vertex/texture/normal", numbered from 1, or from -1 backwards from
 * the latest vertex; '#' begins a comment. The format says nowhere how much there should be, so a
 * cut shows only where the last line makes no sense; that it has no end is but a hint.
 *
 * The library stumbles over leading blanks, comments behind faces, empty texture coordinates and
 * curves. So vertices and first numbers of corners are written back over the text, word by word,
 * and nothing else: it never gets longer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file/mesh_check.h"

typedef struct obj_scan {
  char* at; /* within the line; a line ends at '\n', '\r' or the final '\0' */
  char* to; /* end of what is written, never past `at` */
  size_t line;
  size_t vertex_count;
  long highest_index; /* in all faces, and its line */
  size_t highest_line;
  tool_mesh_facts* facts;
  tool_message* why;
} obj_scan;

static bool is_line_end(char c) {
  return c == '\n' || c == '\r' || c == '\0';
}
static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* Steps over blanks, and over a line end that a backslash takes back. False at the line's end. */
static bool skip_blanks(obj_scan* scan) {
  for (;;) {
    while (is_blank(*scan->at)) ++scan->at;
    if (scan->at[0] == '\\' && scan->at[1] == '\n') {
      scan->at += 2;
    } else if (scan->at[0] == '\\' && scan->at[1] == '\r' && scan->at[2] == '\n') {
      scan->at += 3;
    } else {
      return !is_line_end(*scan->at);
    }
    ++scan->line;
  }
}

/* The same, and a comment is the line's end. */
static bool has_word(obj_scan* scan) {
  return skip_blanks(scan) && *scan->at != '#';
}

static void skip_word(obj_scan* scan) {
  while (!is_blank(*scan->at) && !is_line_end(*scan->at)) ++scan->at;
}

/* Writes what is read up to `end`, after a blank as there is one before it. */
static void keep_word(obj_scan* scan, char* end) {
  const size_t length = (size_t)(end - scan->at);
  *scan->to++ = ' ';
  memmove(scan->to, scan->at, length);
  scan->to += length;
  scan->at = end;
}

static bool check_vertex(obj_scan* scan) {
  for (int axis = 0; axis < 3; ++axis) {
    char* end = NULL;
    const float value = has_word(scan) ? strtof(scan->at, &end) : NAN;
    if (end == scan->at || !isfinite(value)) {
      return tool_because(scan->why, "line %zu: a vertex needs three finite coordinates",
                          scan->line);
    }
    keep_word(scan, end);
  }
  while (has_word(scan)) {
    char* end = scan->at;
    while (!is_blank(*end) && !is_line_end(*end)) ++end;
    keep_word(scan, end);
  }
  ++scan->vertex_count;
  return true;
}

static bool check_corner(obj_scan* scan) {
  char* end;
  const long index = strtol(scan->at, &end, 10);
  const bool ended = *end == '/' || *end == '#' || is_blank(*end) || is_line_end(*end);
  if (end == scan->at || !ended) {
    return tool_because(scan->why, "line %zu: a face has a corner that is not a number",
                        scan->line);
  }
  if (index == 0 || (index < 0 && (unsigned long)-(index + 1) >= scan->vertex_count)) {
    return tool_because(scan->why, "line %zu: face index %ld points to no vertex", scan->line,
                        index);
  }
  if (index > scan->highest_index) {
    scan->highest_index = index;
    scan->highest_line = scan->line;
  }
  keep_word(scan, end);
  return true;
}

static bool check_face(obj_scan* scan) {
  size_t corner_count = 0;
  for (; has_word(scan); ++corner_count) {
    if (!check_corner(scan)) return false;
    if (*scan->at == '/') skip_word(scan);
  }
  if (corner_count < 3) {
    return tool_because(scan->why, "line %zu: a face has %zu corners", scan->line, corner_count);
  }
  scan->facts->triangle_count += corner_count - 2;
  if (corner_count > 3) scan->facts->has_polygons = true;
  return true;
}

static bool check_line(obj_scan* scan) {
  if (!has_word(scan)) return true;
  const char keyword = scan->at[0], after = scan->at[1];
  if ((keyword != 'v' && keyword != 'f') || !(is_blank(after) || is_line_end(after))) return true;
  ++scan->at;
  *scan->to++ = keyword;
  return keyword == 'v' ? check_vertex(scan) : check_face(scan);
}

/* Checks the line and moves past its end. */
static bool take_line(obj_scan* scan) {
  const char* begin = scan->to;
  if (!check_line(scan)) return false;
  const bool is_kept = scan->to > begin;
  while (skip_blanks(scan)) skip_word(scan);
  if (*scan->at == '\0') {
    scan->facts->has_open_end = true;
    return true;
  }
  scan->at += scan->at[0] == '\r' && scan->at[1] == '\n' ? 2 : 1;
  if (is_kept) *scan->to++ = '\n';
  ++scan->line;
  return true;
}

bool tool_obj_check(tool_bytes* file, tool_mesh_facts* facts, tool_message* why) {
  static const char byte_order_mark[] = "\xEF\xBB\xBF";
  *facts = (tool_mesh_facts){0};
  if (strlen(file->text) != file->length) return tool_because(why, "is not a text file");
  obj_scan scan = {file->text, file->text, 1, 0, 0, 0, facts, why};
  if (strncmp(scan.at, byte_order_mark, 3) == 0) scan.at += 3;
  while (*scan.at) {
    if (!take_line(&scan)) return false;
  }
  *scan.to = '\0';
  file->length = (size_t)(scan.to - file->text);
  if (scan.highest_index > 0 && (size_t)scan.highest_index > scan.vertex_count) {
    return tool_because(why, "line %zu: face index %ld is past the %zu vertices", scan.highest_line,
                        scan.highest_index, scan.vertex_count);
  }
  if (scan.vertex_count == 0) return tool_because(why, "has no vertices");
  if (facts->triangle_count == 0) return tool_because(why, "has no faces");
  return true;
}
