/* Wrong input of clusters is refused on all ranks, and named. */
#include "support/ranks.h"
#include "support/scenes.h"
#include "support/suite.h"

static weft_scene* new_sheet(float spacing) {
  weft_sheet_def def = weft_default_sheet_def();
  def.spacing = spacing;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  return scene;
}

static void send_nothing(void* context, uint32_t to, const void* bytes, size_t size) {
  (void)context;
  (void)to;
  (void)bytes;
  (void)size;
}

static size_t receive_nothing(void* context, void* memory, uint32_t* from) {
  (void)context;
  (void)memory;
  (void)from;
  return 0;
}

typedef struct lacking {
  const char* field;
  void (*define)(weft_world_def* def);
} lacking;

static void define_sleep(weft_world_def* def) {
  def->sleep_speed = 0.1f;
}

static void define_euler(weft_world_def* def) {
  def->integrator = WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER;
}

static void define_loads(weft_world_def* def) {
  def->loads = true;
}

static const lacking lacks[] = {
    {"weft_world_def.sleep_speed", define_sleep},
    {"weft_world_def.integrator", define_euler},
    {"weft_world_def.loads", define_loads},
};

// Result of a cluster of one rank, which the transport has no part in.
static weft_result create_alone(const weft_world_def* def, const weft_scene* scene,
                                weft_cluster** cluster) {
  const weft_transport transport = {
      .rank_count = 1, .send = send_nothing, .receive = receive_nothing};
  return weft_cluster_create(&transport, def, scene, cluster);
}

START_TEST(what_clusters_lack_is_named) {
  weft_scene* scene = new_sheet(1.0f);
  weft_cluster* cluster = NULL;
  for (size_t k = 0; k < sizeof(lacks) / sizeof(*lacks); ++k) {
    weft_world_def def = weft_plain_world_def();
    lacks[k].define(&def);
    expect_error(create_alone(&def, scene, &cluster), WEFT_ERROR_UNSUPPORTED, lacks[k].field);
    ck_assert_ptr_null(cluster);
  }
  const weft_world_def def = weft_plain_world_def();
  const weft_rod_def rod = weft_default_rod_def();
  expect_ok(weft_scene_add_rod(scene, &rod, NULL));
  expect_error(create_alone(&def, scene, &cluster), WEFT_ERROR_UNSUPPORTED, "weft_scene_add_rod");
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(skin_limits_stop_the_next_step) {
  weft_scene* scene = new_sheet(1.0f);
  weft_cluster* cluster = NULL;
  const weft_world_def def = weft_plain_world_def();
  expect_ok(create_alone(&def, scene, &cluster));
  expect_ok(weft_cluster_step(cluster, 1));
  weft_world* world = weft_cluster_world(cluster);
  const uint64_t hash = weft_world_hash(world);
  weft_skin_limits limits = weft_default_skin_limits();
  limits.max_distance = 0.1f;
  expect_ok(weft_world_set_skin_limits(world, 0, 10, &limits, 0));
  expect_error(weft_cluster_step(cluster, 1), WEFT_ERROR_UNSUPPORTED, "weft_world_set_skin_limits");
  ck_assert_uint_eq(weft_world_hash(world), hash);
  weft_cluster_destroy(&cluster);
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(wrong_transports_are_refused) {
  weft_scene* scene = new_sheet(1.0f);
  weft_cluster* cluster = NULL;
  const weft_world_def def = weft_plain_world_def();
  weft_transport transport = {.rank_count = 1, .send = send_nothing, .receive = receive_nothing};
  expect_error(weft_cluster_create(NULL, &def, scene, &cluster), WEFT_ERROR_NULL, "transport");
  expect_error(weft_cluster_create(&transport, &def, scene, NULL), WEFT_ERROR_NULL, "cluster");
  expect_error(weft_cluster_create(&transport, NULL, scene, &cluster), WEFT_ERROR_NULL, "def");
  transport.rank = 1;
  expect_error(weft_cluster_create(&transport, &def, scene, &cluster), WEFT_ERROR_INDEX,
               "weft_transport.rank");
  transport.rank_count = 0;
  expect_error(weft_cluster_create(&transport, &def, scene, &cluster), WEFT_ERROR_RANGE,
               "weft_transport.rank_count");
  transport.send = NULL;
  expect_error(weft_cluster_create(&transport, &def, scene, &cluster), WEFT_ERROR_NULL,
               "weft_transport.send");
  weft_scene_destroy(&scene);
}
END_TEST

typedef struct difference {
  const weft_scene* scenes[2];
  weft_result result[MAX_TEST_RANKS];
  bool differs_in_def;
} difference;

static void create_differing(void* context, const weft_transport* transport) {
  difference* d = context;
  weft_world_def def = weft_plain_world_def();
  const bool is_last = transport->rank + 1 == transport->rank_count;
  if (is_last && d->differs_in_def) def.damping = 0.2f;
  weft_cluster* cluster = NULL;
  d->result[transport->rank] = weft_cluster_create(
      transport, &def, d->scenes[is_last && !d->differs_in_def ? 1 : 0], &cluster);
  weft_cluster_destroy(&cluster);
}

START_TEST(ranks_that_differ_fail_together) {
  weft_scene* sheets[2] = {new_sheet(1.0f), new_sheet(2.0f)};
  difference d = {.scenes = {sheets[0], sheets[1]}};
  for (int in_def = 0; in_def < 2; ++in_def) {
    d.differs_in_def = in_def == 1;
    run_ranks(3, true, create_differing, &d);
    for (int r = 0; r < 3; ++r) {
      require(d.result[r].error == WEFT_ERROR_FOREIGN);
      ck_assert_str_eq(d.result[r].field, in_def == 1 ? "weft_world_def.damping" : "scene");
    }
  }
  for (int s = 0; s < 2; ++s) weft_scene_destroy(&sheets[s]);
}
END_TEST

SUITE(cluster_input) {
  tcase_add_test(tests, what_clusters_lack_is_named);
  tcase_add_test(tests, skin_limits_stop_the_next_step);
  tcase_add_test(tests, wrong_transports_are_refused);
  tcase_add_test(tests, ranks_that_differ_fail_together);
}
