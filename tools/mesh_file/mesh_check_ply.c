/* PLY: the header has the count and the properties of vertices and faces, so that the body is
 * walked value by value, keeping nothing, to see that it is complete. Text and binary bodies differ
 * only in how a value is read. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file/mesh_check.h"
#include "mesh_file/ply_header.h"

typedef struct ply_walk {
  const char* at;
  const char* end; /* '\0' here, for the text format */
  ply_format format;
  size_t vertex_count;
  tool_mesh_facts* facts;
  tool_message* why;
} ply_walk;

static bool cut_off(ply_walk* walk) {
  return tool_because(walk->why, "holds less than its PLY header announces: it seems cut off");
}

static bool read_text_value(ply_walk* walk, double* value) {
  while (isspace((unsigned char)*walk->at)) ++walk->at;
  if (walk->at == walk->end) return cut_off(walk);
  char* end;
  *value = strtod(walk->at, &end);
  if (end == walk->end) walk->facts->has_open_end = true;
  if (end == walk->at || !(isspace((unsigned char)*end) || end == walk->end)) {
    const int length = (int)strcspn(walk->at, " \t\r\n");
    return tool_because(walk->why, "has a value that is not a number: '%.*s'",
                        length < 24 ? length : 24, walk->at);
  }
  walk->at = end;
  return true;
}

static uint64_t assemble(const unsigned char* bytes, size_t size, bool big_endian) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; ++i) {
    const size_t place = big_endian ? size - 1 - i : i;
    bits |= (uint64_t)bytes[i] << (8 * place);
  }
  return bits;
}

static double value_of_bits(uint64_t bits, ply_type type) {
  const uint32_t low = (uint32_t)bits;
  float single;
  double wide;
  switch (type) {
    case PLY_INT8:
      return (double)(int8_t)low;
    case PLY_INT16:
      return (double)(int16_t)low;
    case PLY_INT32:
      return (double)(int32_t)low;
    case PLY_FLOAT32:
      memcpy(&single, &low, sizeof single);
      return (double)single;
    case PLY_FLOAT64:
      memcpy(&wide, &bits, sizeof wide);
      return wide;
    default:
      return (double)low;
  }
}

static bool read_value(ply_walk* walk, ply_type type, double* value) {
  if (walk->format == PLY_ASCII) return read_text_value(walk, value);
  const size_t size = ply_type_size(type);
  if ((size_t)(walk->end - walk->at) < size) return cut_off(walk);
  const uint64_t bits =
      assemble((const unsigned char*)walk->at, size, walk->format == PLY_BIG_ENDIAN);
  walk->at += size;
  *value = value_of_bits(bits, type);
  return true;
}

static bool is_coordinate(const ply_property* property) {
  const char* name = property->name;
  return property->length_type == PLY_NONE && name[1] == '\0' && name[0] >= 'x' && name[0] <= 'z';
}

static bool is_corner_list(const ply_property* property) {
  return property->length_type != PLY_NONE && (strcmp(property->name, "vertex_indices") == 0 ||
                                               strcmp(property->name, "vertex_index") == 0);
}

static bool check_coordinate(ply_walk* walk, const ply_property* property, size_t vertex) {
  double value;
  if (!read_value(walk, property->type, &value)) return false;
  if (isfinite((float)value)) return true;
  return tool_because(walk->why, "vertex %zu has a coordinate that is not finite", vertex);
}

static bool check_corners(ply_walk* walk, const ply_property* property, size_t face) {
  double length, index;
  if (!read_value(walk, property->length_type, &length)) return false;
  if (!(length >= 3.0)) return tool_because(walk->why, "face %zu has %g corners", face, length);
  for (double corner = 0.0; corner < length; ++corner) {
    if (!read_value(walk, property->type, &index)) return false;
    if (!(index >= 0.0 && index < (double)walk->vertex_count)) {
      return tool_because(walk->why, "face %zu points to vertex %.0f of %zu", face, index,
                          walk->vertex_count);
    }
  }
  walk->facts->triangle_count += (size_t)length - 2;
  if (length > 3.0) walk->facts->has_polygons = true;
  return true;
}

/* Values that are neither coordinates nor faces are skipped, but must exist. */
static bool pass_over(ply_walk* walk, const ply_property* property) {
  double length = 1.0, value;
  if (property->length_type != PLY_NONE && !read_value(walk, property->length_type, &length)) {
    return false;
  }
  for (double i = 0.0; i < length; ++i) {
    if (!read_value(walk, property->type, &value)) return false;
  }
  return true;
}

static bool check_property(ply_walk* walk, const ply_element* element, const ply_property* property,
                           size_t number) {
  if (strcmp(element->name, "vertex") == 0 && is_coordinate(property)) {
    return check_coordinate(walk, property, number);
  }
  if (strcmp(element->name, "face") == 0 && is_corner_list(property)) {
    return check_corners(walk, property, number);
  }
  return pass_over(walk, property);
}

static bool check_element(ply_walk* walk, const ply_element* element) {
  for (size_t i = 0; i < element->count; ++i) {
    for (size_t p = 0; p < element->property_count; ++p) {
      if (!check_property(walk, element, &element->properties[p], i)) return false;
    }
  }
  return true;
}

static const ply_element* find_element(const ply_header* header, const char* name) {
  for (size_t i = 0; i < header->element_count; ++i) {
    if (strcmp(header->elements[i].name, name) == 0) return &header->elements[i];
  }
  return NULL;
}

/* Requires vertices with three coordinates and faces with corners: without properties any count
 * would pass. */
static bool check_header(const ply_header* header, tool_message* why) {
  const ply_element* vertices = find_element(header, "vertex");
  const ply_element* faces = find_element(header, "face");
  if (!vertices || vertices->count == 0) return tool_because(why, "has no vertices");
  if (!faces || faces->count == 0) return tool_because(why, "has no faces");
  size_t coordinate_count = 0, corner_list_count = 0;
  for (size_t i = 0; i < vertices->property_count; ++i) {
    coordinate_count += is_coordinate(&vertices->properties[i]);
  }
  for (size_t i = 0; i < faces->property_count; ++i) {
    corner_list_count += is_corner_list(&faces->properties[i]);
  }
  if (coordinate_count != 3) return tool_because(why, "its vertices do not have x, y and z");
  if (corner_list_count != 1) return tool_because(why, "its faces have no vertex_indices");
  return true;
}

bool tool_ply_check(const tool_bytes* file, tool_mesh_facts* facts, tool_message* why) {
  *facts = (tool_mesh_facts){0};
  ply_header header;
  if (!ply_read_header(file, &header, why) || !check_header(&header, why)) return false;
  ply_walk walk = {file->text + header.length,
                   file->text + file->length,
                   header.format,
                   find_element(&header, "vertex")->count,
                   facts,
                   why};
  for (size_t i = 0; i < header.element_count; ++i) {
    const ply_element* element = &header.elements[i];
    if (element->property_count > 0 && !check_element(&walk, element)) return false;
  }
  return true;
}
