/* Torn links of a world. */
#ifndef TESTS_SUPPORT_TORN_H
#define TESTS_SUPPORT_TORN_H

#include "support/worlds.h"

static inline weft_link_def link_of(const weft_scene* scene, uint32_t number) {
  weft_link_def link;
  expect_ok(weft_scene_get_links(scene, number, 1, &link));
  return link;
}

static inline bool is_torn(const weft_world* world, uint32_t link) {
  bool torn = false;
  expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, link, 1, &torn);
  return torn;
}

#endif
