#include "mesh_file/ply_header.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 256, MAX_WORDS = 6 };

typedef struct ply_type_name {
  const char* name;
  ply_type type;
} ply_type_name;

static const ply_type_name type_names[] = {
    {"char", PLY_INT8},       {"int8", PLY_INT8},       {"uchar", PLY_UINT8},
    {"uint8", PLY_UINT8},     {"short", PLY_INT16},     {"int16", PLY_INT16},
    {"ushort", PLY_UINT16},   {"uint16", PLY_UINT16},   {"int", PLY_INT32},
    {"int32", PLY_INT32},     {"uint", PLY_UINT32},     {"uint32", PLY_UINT32},
    {"float", PLY_FLOAT32},   {"float32", PLY_FLOAT32}, {"double", PLY_FLOAT64},
    {"float64", PLY_FLOAT64},
};

typedef struct ply_line {
  char text[MAX_LINE];
  char* words[MAX_WORDS];
  size_t word_count;
} ply_line;

size_t ply_type_size(ply_type type) {
  static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[type];
}

static ply_type find_type(const char* name) {
  for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; ++i) {
    if (strcmp(name, type_names[i].name) == 0) return type_names[i].type;
  }
  return PLY_NONE;
}

/* Splits the next line of the header into words, and moves past it. */
static bool next_line(const tool_bytes* file, size_t* at, ply_line* line) {
  const char* start = file->text + *at;
  const char* end = memchr(start, '\n', file->length - *at);
  if (!end) return false;
  const size_t length = (size_t)(end - start);
  const size_t kept = length < MAX_LINE ? length : MAX_LINE - 1;  // a long comment may be cut
  memcpy(line->text, start, kept);
  line->text[kept] = '\0';
  line->word_count = 0;
  char* rest = line->text;
  for (char* word; line->word_count < MAX_WORDS && (word = strtok_r(rest, " \t\r", &rest));) {
    line->words[line->word_count++] = word;
  }
  *at += length + 1;
  return true;
}

static void copy_name(char name[PLY_MAX_NAME], const char* word) {
  strncpy(name, word, PLY_MAX_NAME - 1);
  name[PLY_MAX_NAME - 1] = '\0';
}

static bool take_format(const ply_line* line, ply_header* header, tool_message* why) {
  static const char* const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  for (size_t i = 0; i < 3; ++i) {
    if (line->word_count >= 2 && strcmp(line->words[1], names[i]) == 0) {
      header->format = (ply_format)i;
      return true;
    }
  }
  return tool_because(why, "its PLY header names no known format");
}

static bool take_element(const ply_line* line, ply_header* header, tool_message* why) {
  char* end = NULL;
  const long long count = line->word_count == 3 ? strtoll(line->words[2], &end, 10) : -1;
  if (count < 0 || *end != '\0') return tool_because(why, "its PLY header has a broken element");
  if (header->element_count == PLY_MAX_ELEMENTS) {
    return tool_because(why, "its PLY header has more than %d elements", PLY_MAX_ELEMENTS);
  }
  ply_element* element = &header->elements[header->element_count++];
  copy_name(element->name, line->words[1]);
  element->count = (size_t)count;
  element->property_count = 0;
  return true;
}

/* "property TYPE NAME" or "property list LENGTH_TYPE TYPE NAME" */
static bool read_property(const ply_line* line, ply_property* property) {
  const bool list = line->word_count == 5 && strcmp(line->words[1], "list") == 0;
  if (!list && line->word_count != 3) return false;
  property->length_type = list ? find_type(line->words[2]) : PLY_NONE;
  property->type = find_type(line->words[list ? 3 : 1]);
  copy_name(property->name, line->words[list ? 4 : 2]);
  return property->type != PLY_NONE && (!list || property->length_type != PLY_NONE);
}

static bool take_property(const ply_line* line, ply_header* header, tool_message* why) {
  if (header->element_count == 0) {
    return tool_because(why, "its PLY header has a property before any element");
  }
  ply_element* element = &header->elements[header->element_count - 1];
  if (element->property_count == PLY_MAX_PROPERTIES) {
    return tool_because(why, "its PLY element '%s' has more than %d properties", element->name,
                        PLY_MAX_PROPERTIES);
  }
  if (!read_property(line, &element->properties[element->property_count++])) {
    return tool_because(why, "its PLY element '%s' has a broken property", element->name);
  }
  return true;
}

static bool take_line(const ply_line* line, ply_header* header, tool_message* why) {
  const char* keyword = line->word_count > 0 ? line->words[0] : "comment";
  if (strcmp(keyword, "format") == 0) return take_format(line, header, why);
  if (strcmp(keyword, "element") == 0) return take_element(line, header, why);
  if (strcmp(keyword, "property") == 0) return take_property(line, header, why);
  if (strcmp(keyword, "comment") == 0 || strcmp(keyword, "obj_info") == 0) return true;
  return tool_because(why, "its PLY header has an unknown keyword '%.32s'", keyword);
}

bool ply_read_header(const tool_bytes* file, ply_header* header, tool_message* why) {
  ply_line line;
  size_t at = 0;
  *header = (ply_header){0};
  if (!next_line(file, &at, &line) || line.word_count != 1 || strcmp(line.words[0], "ply") != 0) {
    return tool_because(why, "is not a PLY file");
  }
  while (next_line(file, &at, &line)) {
    if (line.word_count == 1 && strcmp(line.words[0], "end_header") == 0) {
      header->length = at;
      return true;
    }
    if (!take_line(&line, header, why)) return false;
  }
  return tool_because(why, "its PLY header has no end: the file seems to be cut off");
}
