#include "modules/bending/dissection.h"

#include <string.h>

#include "base/memory.h"
#include "tables/runs.h"

// share of elements in the smaller half, at least
#define MIN_SHARE 0.4

bool weft__dissection_begin(weft__dissection* d) {
  d->order = weft__alloc(d->element_count, sizeof(*d->order));
  d->is_given = weft__alloc_zeroed(d->unknown_count, sizeof(*d->is_given));
  d->stamp = weft__alloc_zeroed(d->unknown_count, sizeof(*d->stamp));
  d->first = weft__alloc(d->unknown_count, sizeof(*d->first));
  d->last = weft__alloc(d->unknown_count, sizeof(*d->last));
  d->items = weft__alloc(d->element_count, sizeof(*d->items));
  d->best = weft__alloc(d->element_count, sizeof(*d->best));
  d->scratch = weft__alloc(d->element_count, sizeof(*d->scratch));
  d->change = weft__alloc((uint64_t)d->element_count + 1, sizeof(*d->change));
  const bool good = d->order && d->is_given && d->stamp && d->first && d->last && d->items &&
                    d->best && d->scratch && d->change;
  if (!good) return false;
  for (uint32_t e = 0; e < d->element_count; ++e) d->order[e] = e;
  return true;
}

void weft__dissection_destroy(weft__dissection* d) {
  weft__free(d->order);
  weft__free(d->nodes);
  weft__free(d->pivots);
  weft__free(d->rows);
  weft__free(d->is_given);
  weft__free(d->stamp);
  weft__free(d->first);
  weft__free(d->last);
  weft__free(d->items);
  weft__free(d->best);
  weft__free(d->scratch);
  weft__free(d->change);
  *d = (weft__dissection){0};
}

static uint64_t key_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

static void sort_along(const weft__dissection* d, const weft__dissection_node* node, int axis) {
  for (uint32_t i = 0; i < node->element_count; ++i) {
    const uint32_t element = d->order[node->first_element + i];
    d->items[i] = (weft__sort_item){key_of(d->elements[element].center[axis]), element};
  }
  weft__sort(d->items, d->scratch, node->element_count);
}

static void find_places(const weft__dissection* d, const weft__dissection_node* node) {
  for (uint32_t pass = 0; pass < 2; ++pass) {
    for (uint32_t i = 0; i < node->element_count; ++i) {
      const weft__dissection_element* element = &d->elements[d->items[i].value];
      for (int k = 0; k < WEFT__ELEMENT_UNKNOWNS; ++k) {
        const uint32_t u = element->unknown[k];
        if (u == WEFT__NONE || d->is_given[u]) continue;
        if (pass == 0) d->first[u] = WEFT__NONE;
        if (pass == 1 && d->first[u] == WEFT__NONE) d->first[u] = i;
        d->last[u] = i;
      }
    }
  }
}

// Unknowns that a cut before each place separates, as changes from place to place.
static void count_separated(const weft__dissection* d, const weft__dissection_node* node) {
  memset(d->change, 0, (node->element_count + (size_t)1) * sizeof(*d->change));
  for (uint32_t i = 0; i < node->element_count; ++i) {
    const weft__dissection_element* element = &d->elements[d->items[i].value];
    for (int k = 0; k < WEFT__ELEMENT_UNKNOWNS; ++k) {
      const uint32_t u = element->unknown[k];
      if (u == WEFT__NONE || d->is_given[u] || d->last[u] != i) continue;
      ++d->change[d->first[u] + 1];
      --d->change[i + 1];
    }
  }
}

typedef struct cut {
  uint32_t separated;
  uint32_t place;
} cut;

// Near the middle, the fewest separated; then the nearest to the middle.
static cut find_cut(const weft__dissection* d, const weft__dissection_node* node) {
  const uint32_t count = node->element_count, middle = count / 2;
  const uint32_t begin = (uint32_t)(MIN_SHARE * count);
  cut best = {UINT32_MAX, middle};
  int32_t separated = 0;
  for (uint32_t place = 0; place <= count - begin && place < count; ++place) {
    separated += d->change[place];
    if (place < begin || place == 0) continue;
    const uint32_t off = place < middle ? middle - place : place - middle;
    const uint32_t best_off = best.place < middle ? middle - best.place : best.place - middle;
    const bool is_fewer = (uint32_t)separated < best.separated;
    const bool is_nearer = (uint32_t)separated == best.separated && off < best_off;
    if (is_fewer || is_nearer) best = (cut){(uint32_t)separated, place};
  }
  return best;
}

static uint32_t cut_in_two(const weft__dissection* d, const weft__dissection_node* node) {
  cut best = {UINT32_MAX, 0};
  for (int axis = 0; axis < 3; ++axis) {
    sort_along(d, node, axis);
    find_places(d, node);
    count_separated(d, node);
    const cut found = find_cut(d, node);
    if (found.separated >= best.separated) continue;
    best = found;
    memcpy(d->best, d->items, node->element_count * sizeof(*d->best));
  }
  for (uint32_t i = 0; i < node->element_count; ++i) {
    d->order[node->first_element + i] = d->best[i].value;
  }
  return best.place;
}

static bool push(uint32_t** list, size_t* count, size_t* capacity, uint32_t unknown) {
  if (!weft__grow((void**)list, capacity, *count + 1, sizeof(**list))) return false;
  (*list)[(*count)++] = unknown;
  return true;
}

// Place i of a node; WEFT__NONE if there is none.
static uint32_t unknown_at(const weft__dissection* d, const weft__dissection_node* node, uint32_t i,
                           int k) {
  return d->elements[d->order[node->first_element + i]].unknown[k];
}

static bool list_rows(weft__dissection* d, weft__dissection_node* node, uint32_t mark) {
  node->first_row = (uint32_t)d->row_count;
  for (uint32_t i = 0; i < node->element_count; ++i) {
    for (int k = 0; k < WEFT__ELEMENT_UNKNOWNS; ++k) {
      const uint32_t u = unknown_at(d, node, i, k);
      if (u == WEFT__NONE || !d->is_given[u] || d->stamp[u] == mark) continue;
      d->stamp[u] = mark;
      if (!push(&d->rows, &d->row_count, &d->row_capacity, u)) return false;
    }
  }
  node->row_count = (uint32_t)d->row_count - node->first_row;
  return true;
}

// Unknowns on both sides of `half`; all that are left if it is 0.
static bool list_pivots(weft__dissection* d, weft__dissection_node* node, uint32_t half,
                        uint32_t mark) {
  node->first_pivot = (uint32_t)d->pivot_count;
  for (uint32_t i = 0; i < node->element_count; ++i) {
    for (int k = 0; k < WEFT__ELEMENT_UNKNOWNS; ++k) {
      const uint32_t u = unknown_at(d, node, i, k);
      if (u == WEFT__NONE || d->is_given[u]) continue;
      if (i < half) d->stamp[u] = mark;
      if (i < half || (half > 0 && d->stamp[u] != mark)) continue;
      d->is_given[u] = true;
      if (!push(&d->pivots, &d->pivot_count, &d->pivot_capacity, u)) return false;
    }
  }
  node->pivot_count = (uint32_t)d->pivot_count - node->first_pivot;
  return true;
}

static bool add_node(weft__dissection* d, weft__dissection_node node, uint32_t side) {
  const bool is_leaf = node.element_count <= d->leaf_elements;
  const uint32_t first = node.first_element, count = node.element_count;
  const uint32_t half = is_leaf ? 0 : cut_in_two(d, &node);
  const uint32_t number = (uint32_t)d->node_count;
  if (!list_rows(d, &node, number + 1) || !list_pivots(d, &node, half, number + 1) ||
      !weft__grow((void**)&d->nodes, &d->node_capacity, d->node_count + 1, sizeof(*d->nodes))) {
    return false;
  }
  d->nodes[d->node_count++] = node;
  if (node.parent != WEFT__NONE) d->nodes[node.parent].child[side] = number;
  if (is_leaf) return true;
  weft__dissection_node part = {.depth = node.depth + 1,
                                .parent = number,
                                .child = {WEFT__NONE, WEFT__NONE},
                                .first_element = first,
                                .element_count = half};
  if (!add_node(d, part, 0)) return false;
  part.first_element = first + half;
  part.element_count = count - half;
  return add_node(d, part, 1);
}

bool weft__dissection_add(weft__dissection* d, uint32_t begin, uint32_t end) {
  const weft__dissection_node root = {.parent = WEFT__NONE,
                                      .child = {WEFT__NONE, WEFT__NONE},
                                      .first_element = begin,
                                      .element_count = end - begin};
  return add_node(d, root, 0);
}
