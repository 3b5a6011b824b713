/* Levenshtein distance, a row at a time. Words longer than any name are near to none. */
#include "common/near.h"

#include <string.h>

enum { MAX_LENGTH = 63 };

static size_t least_of(size_t a, size_t b, size_t c) {
  const size_t lower = a < b ? a : b;
  return lower < c ? lower : c;
}

static size_t distance_between(const char* left, const char* right, size_t right_length) {
  size_t row[MAX_LENGTH + 1];
  for (size_t k = 0; k <= right_length; ++k) row[k] = k;
  for (size_t i = 0; left[i]; ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t k = 1; k <= right_length; ++k) {
      const size_t above = row[k];
      const size_t change = diagonal + (left[i] != right[k - 1]);
      row[k] = least_of(above + 1, row[k - 1] + 1, change);
      diagonal = above;
    }
  }
  return row[right_length];
}

const char* tool_nearest(const char* word, const char* const* names, size_t count) {
  const char* nearest = NULL;
  size_t best = (size_t)-1;
  const size_t length = strlen(word);
  if (length > MAX_LENGTH) return NULL;
  for (size_t i = 0; i < count; ++i) {
    const size_t name_length = strlen(names[i]);
    if (name_length > MAX_LENGTH) continue;
    const size_t distance = distance_between(word, names[i], name_length);
    const size_t longer = length > name_length ? length : name_length;
    // one change is near in words of two letters
    if (distance >= best || 5 * distance > (distance == 1 ? 3 : 2) * longer) continue;
    best = distance;
    nearest = names[i];
  }
  return nearest;
}
