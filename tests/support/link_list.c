#include "support/link_list.h"

#include <stdlib.h>

#include "support/suite.h"

void link_list_push(link_list* list, uint32_t a, uint32_t b) {
  if (a == b) return;
  if (list->count == list->capacity) {
    list->capacity = 2 * list->capacity + 64;
    list->items = realloc(list->items, list->capacity * sizeof(*list->items));
  }
  list->items[list->count++] = (weft_link_def){.a = a < b ? a : b, .b = a < b ? b : a};
}

void link_list_free(link_list* list) {
  free(list->items);
  *list = (link_list){0};
}

// order by ends, lower first; of equal pairs, links of the scene (tear_ratio below 0) first
static int compare_pairs(const void* left, const void* right) {
  const weft_link_def* p = left;
  const weft_link_def* q = right;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  if (p->b != q->b) return p->b < q->b ? -1 : 1;
  return (p->tear_ratio > q->tear_ratio) - (p->tear_ratio < q->tear_ratio);
}

static void push_links_of(link_list* list, const weft_scene* scene) {
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    link_list_push(list, link.a, link.b);
    list->items[list->count - 1].tear_ratio = -1.0f;
  }
}

// keeps the first link of each pair, and drops pairs that the scene has linked
static void remove_repeated(link_list* list) {
  qsort(list->items, list->count, sizeof(*list->items), compare_pairs);
  size_t kept = 0;
  weft_link_def last = {0};
  for (size_t i = 0; i < list->count; ++i) {
    const weft_link_def link = list->items[i];
    const bool repeated = i > 0 && link.a == last.a && link.b == last.b;
    last = link;
    if (!repeated && link.tear_ratio >= 0.0f) list->items[kept++] = link;
  }
  list->count = kept;
}

static void shuffle(link_list* list, random_source* random) {
  for (size_t i = list->count; i > 1; --i) {
    const size_t j = random_below(random, (uint32_t)i);
    const weft_link_def link = list->items[i - 1];
    list->items[i - 1] = list->items[j];
    list->items[j] = link;
  }
}

static void draw_parameters(link_list* list, random_source* random) {
  const bool rest_differs = random_chance(random, 2);
  const bool stiffness_differs = random_chance(random, 2);
  for (size_t i = 0; i < list->count; ++i) {
    weft_link_def* link = &list->items[i];
    link->rest_length = rest_differs ? random_float(random, 0.01f, 1.0f) : 0.5f;
    link->relaxation = stiffness_differs ? random_float(random, 0.0f, 1.0f) : 0.75f;
    if (!random_chance(random, 2)) continue;
    const uint32_t a = link->a;
    link->a = link->b;
    link->b = a;
  }
}

void link_list_add_to(link_list* list, weft_scene* scene, random_source* random) {
  if (list->count == 0) return;
  push_links_of(list, scene);
  remove_repeated(list);
  if (list->count == 0) return;
  // links keep the order of their ends in half of the cases, so that parameters change along runs
  if (random_chance(random, 2)) shuffle(list, random);
  draw_parameters(list, random);
  expect_ok(weft_scene_add_links(scene, list->items, (uint32_t)list->count, NULL));
}
