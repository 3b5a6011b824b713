/* OBJ: a line starting with "v" is a vertex of three or more numbers, a line starting with "f" a
 * face of three or more corners "vertex/texture/normal", numbered from 1, or from -1 backwards from
 * the latest vertex; '#' begins a comment. The format has no counts, so that a cut shows only where
 * the last line makes no sense; a missing line end is but a hint.
 *
 * The library fails on leading blanks, comments behind faces, empty texture coordinates and curves.
 * So vertices and first numbers of corners are written back over the text, word by word: it never
 * gets longer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file/mesh_check.h"

typedef struct obj_scan {
  char* at; /* within the line; a line ends at '\n', '\r' or the final '\0' */
  char* to; /* end of the output, never past `at` */
  size_t line;
  size_t vertex_count;
  bool* is_used; /* by faces [most_vertices] */
  size_t most_vertices;
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

/* Bytes of a line end after a backslash; 0 if there is none. */
static size_t continuation(const char* at) {
  if (at[0] != '\\') return 0;
  if (at[1] == '\n') return 2;
  return at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

/* Steps over blanks and continued line ends. False at the line's end. */
static bool skip_blanks(obj_scan* scan) {
  for (;;) {
    while (is_blank(*scan->at)) ++scan->at;
    const size_t bytes = continuation(scan->at);
    if (bytes == 0) return !is_line_end(*scan->at);
    scan->at += bytes;
    ++scan->line;
  }
}

static bool ends_word(const char* at) {
  return is_blank(*at) || is_line_end(*at) || *at == '#' || continuation(at) > 0;
}

/* As skip_blanks(); a comment is the line's end. */
static bool has_word(obj_scan* scan) {
  return skip_blanks(scan) && *scan->at != '#';
}

static void skip_word(obj_scan* scan) {
  while (!is_blank(*scan->at) && !is_line_end(*scan->at)) ++scan->at;
}

/* Writes the input up to `end` after a blank, in place of the blank or line end before it. */
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
    if (!isfinite(value) || end == scan->at || !ends_word(end)) {
      return tool_because(scan->why, "line %zu: a vertex needs three finite coordinates",
                          scan->line);
    }
    keep_word(scan, end);
  }
  while (has_word(scan)) {
    char* end = scan->at;
    while (!ends_word(end)) ++end;
    keep_word(scan, end);
  }
  ++scan->vertex_count;
  return true;
}

static bool check_corner(obj_scan* scan) {
  char* end;
  const long index = strtol(scan->at, &end, 10);
  const bool ended = *end == '/' || ends_word(end);
  if (end == scan->at || !ended) {
    return tool_because(scan->why, "line %zu: a face has a corner that is not a number",
                        scan->line);
  }
  if (index == 0 || (index < 0 && (unsigned long)-(index + 1) >= scan->vertex_count)) {
    return tool_because(scan->why, "line %zu: face index %ld points to no vertex", scan->line,
                        index);
  }
  const size_t vertex = index > 0 ? (size_t)index - 1 : scan->vertex_count - (size_t)-index;
  if (vertex < scan->most_vertices) scan->is_used[vertex] = true;
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
    while (!ends_word(scan->at)) ++scan->at;
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

static bool take_lines(obj_scan* scan) {
  static const char byte_order_mark[] = "\xEF\xBB\xBF";
  if (strncmp(scan->at, byte_order_mark, 3) == 0) scan->at += 3;
  while (*scan->at) {
    if (!take_line(scan)) return false;
  }
  *scan->to = '\0';
  if (scan->highest_index > 0 && (size_t)scan->highest_index > scan->vertex_count) {
    return tool_because(scan->why, "line %zu: face index %ld is past the %zu vertices",
                        scan->highest_line, scan->highest_index, scan->vertex_count);
  }
  if (scan->vertex_count == 0) return tool_because(scan->why, "has no vertices");
  if (scan->facts->triangle_count == 0) return tool_because(scan->why, "has no faces");
  for (size_t v = 0; v < scan->vertex_count; ++v) scan->facts->unused_count += !scan->is_used[v];
  return true;
}

bool tool_obj_check(tool_bytes* file, tool_mesh_facts* facts, tool_message* why) {
  *facts = (tool_mesh_facts){0};
  if (strlen(file->text) != file->length) return tool_because(why, "is not a text file");
  // a vertex has eight bytes or more, except the last line end
  const size_t most_vertices = (file->length + 1) / 8;
  obj_scan scan = {.at = file->text,
                   .to = file->text,
                   .line = 1,
                   .is_used = calloc(most_vertices + 1, sizeof(bool)),
                   .most_vertices = most_vertices,
                   .facts = facts,
                   .why = why};
  if (!scan.is_used) return tool_because(why, "no memory to check it");
  const bool ok = take_lines(&scan);
  file->length = (size_t)(scan.to - file->text);
  free(scan.is_used);
  return ok;
}
