#include "base/result.h"

#define STRING_OF(x) #x
#define VERSION_STRING(major, minor, patch) \
  STRING_OF(major) "." STRING_OF(minor) "." STRING_OF(patch)

const char* weft_version(void) {
  return VERSION_STRING(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
}

const char* weft_error_text(weft_error error) {
  switch (error) {
    case WEFT_OK:
      return "no error";
    case WEFT_ERROR_NULL:
      return "a required pointer is NULL";
    case WEFT_ERROR_DEF:
      return "not made by its default function";
    case WEFT_ERROR_NOT_FINITE:
      return "not a finite number";
    case WEFT_ERROR_RANGE:
      return "out of range";
    case WEFT_ERROR_INDEX:
      return "index past the end";
    case WEFT_ERROR_STALE:
      return "removed, or never there";
    case WEFT_ERROR_EMPTY:
      return "empty where at least one is needed";
    case WEFT_ERROR_SELF_LINK:
      return "a link from a particle to itself";
    case WEFT_ERROR_DUPLICATE:
      return "the same one twice";
    case WEFT_ERROR_DEGENERATE:
      return "degenerate";
    case WEFT_ERROR_TOO_MANY:
      return "more than the limit";
    case WEFT_ERROR_DISABLED:
      return "off in the def of the world";
    case WEFT_ERROR_UNSUPPORTED:
      return "not supported by this CPU or this build";
    case WEFT_ERROR_OUT_OF_MEMORY:
      return "out of memory or threads";
    case WEFT_ERROR_IN_USE:
      return "too late: weft has memory";
    case WEFT_ERROR_CORRUPT:
      return "not a snapshot, or an altered one";
    case WEFT_ERROR_TRUNCATED:
      return "shorter than the snapshot was";
    case WEFT_ERROR_VERSION:
      return "of another version";
    case WEFT_ERROR_FOREIGN:
      return "of another scene or other settings";
    case WEFT_ERROR_STOPPED:
      return "stopped by the caller";
  }
  return "unknown error";
}
