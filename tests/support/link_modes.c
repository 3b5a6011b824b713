#include "support/link_modes.h"

#include <math.h>

#include "scene/scene.h"
#include "support/suite.h"

static float draw_compliance(random_source* random) {
  return random_chance(random, 2) ? 0.0f : powf(10.0f, random_float(random, -7.0f, 0.0f));
}

static weft_link_def draw_mode(weft_link_def link, random_source* random) {
  link.mode = (weft_link_mode)random_below(random, WEFT_LINK_MODE_RANGE + 1);
  link.max_length = 0.0f;
  if (link.mode == WEFT_LINK_MODE_RANGE) {
    link.max_length = link.rest_length * random_float(random, 1.0f, 2.0f);
  }
  return link;
}

void give_modes(weft_scene* scene, random_source* random, bool soft) {
  const uint32_t count = weft_scene_link_count(scene);
  weft_link_def* links = test_alloc(((size_t)count + 1) * sizeof(*links));
  expect_ok(weft_scene_get_links(scene, 0, count, links));
  const bool stretches = random_chance(random, 2);
  const float common = draw_compliance(random);
  weft_link_def like = {.rest_length = 1.0f};
  for (uint32_t i = 0; i < count; ++i) {
    weft_link_def* link = &links[i];
    if (stretches && random_chance(random, 50)) like = draw_mode(like, random);
    if (stretches) {
      link->mode = like.mode;
      link->max_length = like.max_length * link->rest_length;
    } else {
      *link = draw_mode(*link, random);
    }
    if (soft) link->compliance = stretches ? common : draw_compliance(random);
  }
  ck_assert(weft__links_add_columns(&scene->links, links, count));
  scene->links.count = 0;
  for (uint32_t i = 0; i < count; ++i) weft__links_push(&scene->links, links[i]);
}
