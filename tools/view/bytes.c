/* Bytes of messages are little-endian, like the machines here. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/parts.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "messages are little-endian");

void view_bytes_free(view_bytes* bytes) {
  free(bytes->data);
  *bytes = (view_bytes){NULL, 0, 0};
}

void* view_put_room(view_bytes* out, size_t size) {
  if (out->size + size > out->capacity) {
    const size_t capacity = 2 * (out->size + size) + 256;
    uint8_t* grown = realloc(out->data, capacity);
    if (!grown) return NULL;
    out->data = grown;
    out->capacity = capacity;
  }
  out->size += size;
  return out->data + out->size - size;
}

bool view_put(view_bytes* out, const void* data, size_t size) {
  void* room = view_put_room(out, size);
  if (room && size > 0) memcpy(room, data, size);
  return room != NULL;
}

bool view_put_u32(view_bytes* out, uint32_t value) {
  return view_put(out, &value, sizeof value);
}

bool view_put_f32(view_bytes* out, double value) {
  const float rounded = (float)value;
  return view_put(out, &rounded, sizeof rounded);
}

bool view_put_f64(view_bytes* out, double value) {
  return view_put(out, &value, sizeof value);
}

bool view_print(view_bytes* out, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return length >= 0 && (size_t)length < sizeof text && view_put(out, text, (size_t)length);
}

bool view_print_text(view_bytes* out, const char* text) {
  bool ok = view_put(out, "\"", 1);
  for (; *text && ok; ++text) {
    const unsigned char letter = (unsigned char)*text;
    if (letter == '"' || letter == '\\') {
      ok = view_print(out, "\\%c", letter);
    } else {
      ok = letter < 0x20 ? view_print(out, "\\u%04x", letter) : view_put(out, text, 1);
    }
  }
  return ok && view_put(out, "\"", 1);
}
