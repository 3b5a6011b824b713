/* Order of faces in clusters: a k-d tree, split across the longest side of the bounds of centroids,
 * down to leaves of four faces. The first half of a split has a power of two of leaves, so that a
 * cluster, and eight in a row, a node of the BVH, are whole subtrees. Environments follow each
 * other, and in each the charts of the mesh: charts.c. Strands come last, in the order of their
 * particles, which follows the links. (Bentley 1975, "Multidimensional binary search trees used for
 * associative searching") */
#include <float.h>
#include <string.h>

#include "base/sort.h"
#include "modules/ccd/clusters.h"

typedef struct face_partition {
  const weft__face_edges* mesh;
  const weft__faces* faces;
  weft__sort_item* items;
  size_t padding; /* slots of clusters before the current chart that have no face */
} face_partition;

// Three times the centroid.
static float centroid(const face_partition* p, uint32_t face, int axis) {
  const uint32_t* corner = p->faces->corner[face];
  const float* at = p->faces->place[axis];
  return at[corner[0]] + at[corner[1]] + at[corner[2]];
}

static int longest_axis(const face_partition* p, size_t begin, size_t end) {
  int longest = 0;
  float length = -1.0f;
  for (int axis = 0; axis < 3; ++axis) {
    float low = FLT_MAX;
    float high = -FLT_MAX;
    for (size_t n = begin; n < end; ++n) {
      const float at = centroid(p, p->items[n].value, axis);
      if (at < low) low = at;
      if (at > high) high = at;
    }
    if (high - low > length) {
      length = high - low;
      longest = axis;
    }
  }
  return longest;
}

// Bits of a float in integer order, and the face, so that keys are unique.
static uint64_t sort_key(float at, uint32_t face) {
  uint32_t bits;
  memcpy(&bits, &at, sizeof(bits));
  bits = (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
  return (uint64_t)bits << 32 | face;
}

// Selects the smallest of [begin, end) before `nth`. (Hoare 1961, "Algorithm 65: find") Not shared
// with self/tiles.c: another pivot, so another order of the faces within a leaf.
static void quickselect(weft__sort_item* items, size_t begin, size_t end, size_t nth) {
  while (end - begin > 1) {
    const uint64_t pivot = items[begin + (end - begin - 1) / 2].key;
    size_t low = begin;
    size_t high = end - 1;
    for (;;) {
      while (items[low].key < pivot) ++low;
      while (items[high].key > pivot) --high;
      if (low >= high) break;
      const weft__sort_item item = items[low];
      items[low++] = items[high];
      items[high--] = item;
    }
    // the pivot is at or before `high + 1`
    const size_t cut = high + 1;
    if (nth < cut) {
      end = cut;
    } else {
      begin = cut;
    }
  }
}

// Cut of a range: the number within it with most factors of two, so that clusters and nodes are
// whole subtrees wherever the range begins.
static size_t find_cut(size_t begin, size_t end) {
  size_t cut = end - 1;
  while ((cut & (cut - 1)) > begin) cut &= cut - 1;
  return cut;
}

// NOLINTNEXTLINE(misc-no-recursion): depth is the logarithm of the face count
static void partition_range(const face_partition* p, size_t begin, size_t end) {
  if (end - begin <= WEFT__LEAF_FACES) return;
  const int axis = longest_axis(p, begin, end);
  for (size_t n = begin; n < end; ++n) {
    const uint32_t face = p->items[n].value;
    p->items[n].key = sort_key(centroid(p, face, axis), face);
  }
  const size_t cut = find_cut(begin + p->padding, end + p->padding) - p->padding;
  quickselect(p->items, begin, end, cut);
  partition_range(p, begin, cut);
  partition_range(p, cut, end);
}

static void sort_by_environment(const face_partition* p, const uint32_t* environment_of,
                                weft__sort_item* scratch) {
  for (uint32_t f = 0; f < p->mesh->first_strand; ++f) {
    p->items[f] = (weft__sort_item){environment_of[p->faces->corner[f][0]], f};
  }
  weft__sort(p->items, scratch, p->mesh->first_strand);
}

// Orders the strands behind all faces; `scratch` holds as many items. Particles of an environment
// are consecutive, so that strands are in the order of environments as well.
static void order_strands(const face_partition* p, weft__sort_item* scratch) {
  const uint32_t first = p->mesh->first_strand;
  const uint32_t count = p->faces->count;
  for (uint32_t f = first; f < count; ++f) {
    const uint32_t* end = p->faces->corner[f];
    p->items[f] = (weft__sort_item){(uint64_t)end[0] << 32 | end[1], f};
  }
  if (first == count) return;
  weft__sort(p->items + first, scratch, count - first);
  p->mesh->is_first[first] = 1;
}

static bool has_one_chart(const face_partition* p, const uint32_t* chart, uint32_t begin,
                          uint32_t end) {
  uint32_t n = begin + 1;
  while (n < end && chart[p->items[n].value] == chart[p->items[begin].value]) ++n;
  return n >= end;
}

// Sorts the faces of a range by chart: charts keep the order in which the range has them, so that
// near ones stay near. `rank` is scratch, by chart, and has only ranks below `begin` or above
// `end`.
static void sort_by_chart(const face_partition* p, const uint32_t* chart, uint32_t* rank,
                          uint32_t begin, uint32_t end) {
  uint32_t next = begin;
  for (uint32_t n = begin; n < end; ++n) {
    uint32_t* of = &rank[chart[p->items[n].value]];
    if (*of < begin || *of >= next) *of = next++;
    p->items[n].key = *of;
  }
  weft__sort(p->items + begin, p->items + p->faces->count, end - begin);
}

// True if no face of a range, which is one chart, has an edge in common with another chart.
static bool is_piece(const face_partition* p, const uint32_t* chart, uint32_t begin, uint32_t end) {
  for (uint32_t n = 3 * begin; n < 3 * end; ++n) {
    const uint32_t face = p->items[n / 3].value;
    const uint32_t* side = p->mesh->side[p->mesh->edge_of[face][n % 3]];
    for (int k = 0; k < 2; ++k) {
      if (side[k] != WEFT__NONE && chart[side[k]] != chart[face]) return false;
    }
  }
  return true;
}

// Orders the faces of a chart, which begins with a new cluster if it is large and a piece of the
// mesh of its own.
static void partition_chart(face_partition* p, const uint32_t* chart, uint32_t begin,
                            uint32_t end) {
  if (end - begin >= WEFT__CCD_MIN_PADDED_CHART && is_piece(p, chart, begin, end)) {
    const size_t slot = begin + p->padding;
    p->padding += weft__round_up(slot, WEFT__CLUSTER_FACES) - slot;
    p->mesh->is_first[begin] = 1;
  }
  partition_range(p, begin, end);
}

static void partition_charts(face_partition* p, const uint32_t* chart, uint32_t* rank,
                             uint32_t first, uint32_t last) {
  if (has_one_chart(p, chart, first, last)) {
    partition_chart(p, chart, first, last);
    return;
  }
  partition_range(p, first, last);
  sort_by_chart(p, chart, rank, first, last);
  for (uint32_t begin = first, end; begin < last; begin = end) {
    const uint64_t key = p->items[begin].key;
    for (end = begin + 1; end < last && p->items[end].key == key;) ++end;
    // the faces beyond still have their sort keys
    partition_chart(p, chart, begin, end);
  }
}

void weft__ccd_partition(const weft__face_edges* mesh, const weft__faces* faces,
                         const uint32_t* environment_of, weft__sort_item* items, uint32_t* charts) {
  face_partition p = {mesh, faces, items, 0};
  const uint32_t count = mesh->first_strand;
  uint32_t* rank = charts + count;
  for (uint32_t f = 0; f < count; ++f) items[f].value = f;
  for (uint32_t f = 0; f < faces->count; ++f) mesh->is_first[f] = 0;
  const uint32_t chart_count = weft__ccd_find_charts(mesh, faces, charts, rank);
  for (uint32_t n = 0; n < chart_count && n < count; ++n) rank[n] = WEFT__NONE;
  if (environment_of == NULL) {
    partition_charts(&p, charts, rank, 0, count);
  } else {
    sort_by_environment(&p, environment_of, items + faces->count);
    for (uint32_t begin = 0, end; begin < count; begin = end) {
      const uint64_t environment = items[begin].key;
      for (end = begin + 1; end < count && items[end].key == environment;) ++end;
      partition_charts(&p, charts, rank, begin, end);
    }
  }
  order_strands(&p, items + faces->count);
  for (uint32_t f = 0; f < faces->count; ++f) mesh->order[f] = items[f].value;
}
