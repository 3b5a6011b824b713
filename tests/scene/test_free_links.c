#include "support/snapshot.h"
#include "support/test.h"

static weft_link_def link_between(uint32_t a, uint32_t b) {
  return (weft_link_def){.a = a, .b = b, .rest_length = 1.0f, .relaxation = 0.5f};
}

enum { PARTICLES = 40 };

// free particles without links
static weft_scene* new_cloud(void) {
  random_source random = {1};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, PARTICLES, 1.0f);
  return scene;
}

// expects the add call to fail with this error, to leave the scene unchanged and usable
static void expect_refusal(weft_scene* scene, const weft_link_def* links, uint32_t count,
                           weft_error error, uint64_t index) {
  scene_snapshot before = take_snapshot(scene);
  weft_body body = {1, 2, 3, 4};
  const weft_body same = body;
  expect_error_at(weft_scene_add_links(scene, links, count, &body), error, "links", index);
  ck_assert_mem_eq(&body, &same, sizeof(body));
  ck_assert(looks_like(scene, &before));
}

// ten valid links; the caller then invalidates the one at `index`
static void chain_links(weft_link_def links[10]) {
  for (uint32_t i = 0; i < 10; ++i) links[i] = link_between(i, i + 1);
}

TEST(rest_lengths_are_above_zero) {
  static const struct {
    float length;
    weft_error error;
  } bad[] = {{NAN, WEFT_ERROR_NOT_FINITE},       {INFINITY, WEFT_ERROR_NOT_FINITE},
             {-INFINITY, WEFT_ERROR_NOT_FINITE}, {-1.0f, WEFT_ERROR_DEGENERATE},
             {0.0f, WEFT_ERROR_DEGENERATE},      {1.001f * WEFT_MAX_MAGNITUDE, WEFT_ERROR_RANGE}};
  const float good[] = {1e-45f, WEFT_MAX_MAGNITUDE};
  weft_scene* scene = new_cloud();
  weft_link_def links[10];
  chain_links(links);
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i) {
    links[i].rest_length = bad[i].length;
    expect_refusal(scene, links, 10, bad[i].error, i);
    links[i].rest_length = good[i % 2];
  }
  expect_ok(weft_scene_add_links(scene, links, 10, NULL));
}

TEST(a_range_has_a_max_length_of_at_least_its_rest_length_and_others_have_none) {
  const float lengths[] = {NAN, INFINITY, -INFINITY, -1.0f, 0.0f, 0x0.ffffffp0f, 1.0f, 2.0f};
  weft_scene* scene = new_cloud();
  uint32_t added = 0;
  for (int mode = WEFT_LINK_MODE_BOTH; mode <= WEFT_LINK_MODE_RANGE; ++mode) {
    for (uint32_t i = 0; i < sizeof(lengths) / sizeof(*lengths); ++i) {
      weft_link_def links[10];
      chain_links(links);
      links[6] = link_between((uint32_t)mode, PARTICLES / 2 + i);
      links[6].mode = (weft_link_mode)mode;
      links[6].max_length = lengths[i];
      const bool good = mode == WEFT_LINK_MODE_RANGE ? lengths[i] >= 1.0f : lengths[i] == 0.0f;
      if (good && isfinite(lengths[i])) {
        expect_ok(weft_scene_add_links(scene, &links[6], 1, NULL));
        ++added;
      } else {
        expect_refusal(scene, links, 10,
                       isfinite(lengths[i]) ? WEFT_ERROR_RANGE : WEFT_ERROR_NOT_FINITE, 6);
      }
    }
  }
  ck_assert_uint_eq(added, 3 + 2);
  use_scene(scene);
}

static weft_link_def any_link(random_source* random, uint32_t a, uint32_t b) {
  weft_link_def link = link_between(a, b);
  link.kind = (weft_link_kind)random_below(random, WEFT_LINK_SUPPORT + 1);
  link.tear_ratio = random_chance(random, 2) ? 0.0f : random_float(random, 1.1f, 2.0f);
  link.compliance = random_float(random, 0.0f, 1.0f);
  if (random_chance(random, 2)) link.spring_damping = random_float(random, 0.0f, 1.0f);
  if (random_chance(random, 2)) return link;
  link.mode = (weft_link_mode)random_below(random, WEFT_LINK_MODE_RANGE + 1);
  if (link.mode == WEFT_LINK_MODE_RANGE) link.max_length = random_float(random, 1.0f, 2.0f);
  return link;
}

RANDOM_TEST(links_come_back_as_they_were_given_plain_ones_first_or_not, 20) {
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, 200, 1.0f);
  weft_link_def links[199];
  const uint32_t first_special = random_below(&random, 199);
  for (uint32_t i = 0; i < 199; ++i) {
    links[i] = i < first_special ? link_between(i, i + 1) : any_link(&random, i, i + 1);
  }
  for (uint32_t i = 0, count = 0; i < 199; i += count) {
    count = random_from(&random, 1, 199 - i);
    expect_ok(weft_scene_add_links(scene, links + i, count, NULL));
  }
  weft_link_def back[199];
  expect_ok(weft_scene_get_links(scene, 0, 199, back));
  for (uint32_t i = 0; i < 199; ++i) {
    require(same_link(&links[i], &back[i]));
  }
}

TEST(null_and_nothing_are_refused) {
  weft_scene* scene = new_cloud();
  const weft_link_def link = link_between(0, 1);
  expect_null(weft_scene_add_links(NULL, &link, 1, NULL), "scene");
  expect_null(weft_scene_add_links(scene, NULL, 1, NULL), "links");
  expect_error(weft_scene_add_links(scene, &link, 0, NULL), WEFT_ERROR_EMPTY, "count");
  ck_assert_uint_eq(weft_scene_link_count(scene), 0);
}

RANDOM_TEST(links_that_a_sheet_or_a_mesh_brought_are_not_linked_again, 8) {
  weft_scene* scene = new_cloud();
  weft_link_def mine = link_between(3, 4);
  if (random_chance(&random, 2)) expect_ok(weft_scene_add_links(scene, &mine, 1, NULL));
  (void)add_sheet(scene, 5, 6, ALL_FAMILIES);
  if (random_chance(&random, 2)) {
    mine = link_between(5, 4);
    expect_ok(weft_scene_add_links(scene, &mine, 1, NULL));
  }
  (void)add_random_mesh(scene, &random, 5);

  scene_snapshot before = take_snapshot(scene);
  for (uint32_t i = 0; i < before.link_count; ++i) {
    const weft_link_def links[2] = {link_between(0, 39),
                                    link_between(before.links[i].b, before.links[i].a)};
    expect_error_at(weft_scene_add_links(scene, links, 2, NULL), WEFT_ERROR_DUPLICATE, "links", 1);
  }
  ck_assert(looks_like(scene, &before));
  mine = link_between(0, 39);
  expect_ok(weft_scene_add_links(scene, &mine, 1, NULL));
}

// ---- reference: adjacency matrix ----

typedef struct model {
  bool linked[PARTICLES + 2][PARTICLES + 2];
  uint32_t count;
} model;

// error expected by the reference, and the index of the link at fault
static weft_error judge(const model* m, const weft_link_def* links, uint32_t count,
                        uint64_t* index) {
  static model after;
  after = *m;
  // index errors are reported before duplicates
  for (*index = 0; *index < count; ++*index) {
    const weft_link_def* link = &links[*index];
    if (link->a >= PARTICLES || link->b >= PARTICLES) return WEFT_ERROR_INDEX;
    if (link->a == link->b) return WEFT_ERROR_SELF_LINK;
  }
  for (*index = 0; *index < count; ++*index) {
    const weft_link_def* link = &links[*index];
    if (after.linked[link->a][link->b]) return WEFT_ERROR_DUPLICATE;
    after.linked[link->a][link->b] = after.linked[link->b][link->a] = true;
  }
  return WEFT_OK;
}

static void note_links(model* m, const weft_link_def* links, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    m->linked[links[i].a][links[i].b] = m->linked[links[i].b][links[i].a] = true;
  }
  m->count += count;
}

RANDOM_TEST(random_calls_succeed_and_fail_as_a_matrix_of_pairs_says, ROUNDS(40, 10)) {
  weft_scene* scene = new_cloud();
  static model m;
  memset(&m, 0, sizeof(m));
  for (int round = 0; round < 150; ++round) {
    weft_link_def links[12];
    const uint32_t count = random_from(&random, 1, 12);
    // one case in eight draws ends beyond the last particle
    const uint32_t bound = random_chance(&random, 8) ? PARTICLES + 2 : PARTICLES;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t a = random_below(&random, bound);
      links[i] = link_between(a, (a + random_below(&random, PARTICLES)) % bound);
    }
    uint64_t index = 0;
    const weft_error error = judge(&m, links, count, &index);
    if (error != WEFT_OK) {
      expect_refusal(scene, links, count, error, index);
      continue;
    }
    weft_body body;
    expect_ok(weft_scene_add_links(scene, links, count, &body));
    ck_assert_uint_eq(body.first_link, m.count);
    ck_assert_uint_eq(body.link_count, count);
    ck_assert_uint_eq(body.particle_count, 0);
    note_links(&m, links, count);
    weft_link_def back[12];
    expect_ok(weft_scene_get_links(scene, body.first_link, count, back));
    for (uint32_t i = 0; i < count; ++i)
      require(back[i].a == links[i].a && back[i].b == links[i].b);
  }
}
