/* Header of a PLY file: its elements, their counts and properties. */
#ifndef TOOLS_MESH_FILE_PLY_HEADER_H
#define TOOLS_MESH_FILE_PLY_HEADER_H

#include "common/file_bytes.h"
#include "common/message.h"

enum { PLY_MAX_ELEMENTS = 16, PLY_MAX_PROPERTIES = 64, PLY_MAX_NAME = 32 };

typedef enum ply_format { PLY_ASCII, PLY_LITTLE_ENDIAN, PLY_BIG_ENDIAN } ply_format;

typedef enum ply_type {
  PLY_NONE = 0, /* length type of a property that is no list */
  PLY_INT8,
  PLY_UINT8,
  PLY_INT16,
  PLY_UINT16,
  PLY_INT32,
  PLY_UINT32,
  PLY_FLOAT32,
  PLY_FLOAT64,
} ply_type;

typedef struct ply_property {
  char name[PLY_MAX_NAME];
  ply_type type;
  ply_type length_type; /* type of a list's length; PLY_NONE = single value */
} ply_property;

typedef struct ply_element {
  char name[PLY_MAX_NAME];
  size_t count;
  ply_property properties[PLY_MAX_PROPERTIES];
  size_t property_count;
} ply_element;

typedef struct ply_header {
  ply_format format;
  ply_element elements[PLY_MAX_ELEMENTS];
  size_t element_count;
  size_t length; /* bytes before the body */
} ply_header;

bool ply_read_header(const tool_bytes* file, ply_header* header, tool_message* why);

/* Bytes of a value in a binary file. */
size_t ply_type_size(ply_type type);

#endif
