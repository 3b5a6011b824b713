/* The order in which faces are put into blocks: all are parted in two across the longest side of the box around their
 * middles, and each part again, down to a quarter of a block. The first part has as many quarters as a power of two
 * says, so that a block, and eight in a row, which are a node of the tree, are whole parts, too.
 * (Bentley 1975, "Multidimensional binary search trees used for associative searching") */
#include <float.h>
#include <string.h>

#include "base/sort.h"
#include "collision/ccd/clusters.h"

typedef struct parting {
  const weft__face_edges* web;
  const weft__faces* faces;
  weft__keyed* items;
} parting;

// three times the middle of a face
static float middle(const parting* p, uint32_t face, int axis) {
  const uint32_t* corner = p->faces->corner[face];
  const float* at = p->web->place[axis];
  return at[corner[0]] + at[corner[1]] + at[corner[2]];
}

static int longest_axis(const parting* p, size_t begin, size_t end) {
  int longest = 0;
  float most = -1.0f;
  for (int axis = 0; axis < 3; ++axis) {
    float low = FLT_MAX;
    float high = -FLT_MAX;
    for (size_t n = begin; n < end; ++n) {
      const float at = middle(p, p->items[n].value, axis);
      if (at < low) low = at;
      if (at > high) high = at;
    }
    if (high - low > most) {
      most = high - low;
      longest = axis;
    }
  }
  return longest;
}

// a float's bits in an order that whole numbers have, and the face, so that no two are equal
static uint64_t key_of(float at, uint32_t face) {
  uint32_t bits;
  memcpy(&bits, &at, sizeof(bits));
  bits = (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
  return (uint64_t)bits << 32 | face;
}

// Puts the least ones of [begin, end) before `middle`. (Hoare 1961, "Algorithm 65: find")
static void select_least(weft__keyed* items, size_t begin, size_t end, size_t middle) {
  while (end - begin > 1) {
    const uint64_t pivot = items[begin + (end - begin - 1) / 2].key;
    size_t low = begin;
    size_t high = end - 1;
    for (;;) {
      while (items[low].key < pivot) ++low;
      while (items[high].key > pivot) --high;
      if (low >= high) break;
      const weft__keyed item = items[low];
      items[low++] = items[high];
      items[high--] = item;
    }
    // the pivot is at or before `high + 1`
    const size_t cut = high + 1;
    if (middle < cut) {
      end = cut;
    } else {
      begin = cut;
    }
  }
}

static size_t first_part(size_t count) {
  size_t faces = WEFT__LEAF_FACES;
  while (2 * faces < count) faces *= 2;
  return faces;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as there are powers of two
static void part(const parting* p, size_t begin, size_t end) {
  if (end - begin <= WEFT__LEAF_FACES) return;
  const int axis = longest_axis(p, begin, end);
  for (size_t n = begin; n < end; ++n) {
    const uint32_t face = p->items[n].value;
    p->items[n].key = key_of(middle(p, face, axis), face);
  }
  const size_t cut = begin + first_part(end - begin);
  select_least(p->items, begin, end, cut);
  part(p, begin, cut);
  part(p, cut, end);
}

void weft__ccd_partition(const weft__face_edges* web, const weft__faces* faces,
                         weft__keyed* items) {
  const parting p = {web, faces, items};
  for (uint32_t f = 0; f < faces->count; ++f) items[f].value = f;
  part(&p, 0, faces->count);
  for (uint32_t f = 0; f < faces->count; ++f) web->order[f] = items[f].value;
}
