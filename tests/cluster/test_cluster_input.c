/* Wrong input of clusters is refused on all ranks, and named. */
#include "support/ranks.h"
#include "support/test.h"

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

// Result of a cluster of one rank, which the transport has no part in.
static weft_result create_alone(const weft_world_def* def, const weft_scene* scene,
                                weft_cluster** cluster) {
  const weft_transport transport = {
      .rank_count = 1, .send = send_nothing, .receive = receive_nothing};
  return weft_cluster_create(&transport, def, scene, cluster);
}

static weft_scene* sheet;
static weft_cluster* made;

static void set_up(void) {
  sheet = new_sheet(1.0f);
}

static void tear_down(void) {
  weft_cluster_destroy(&made);
  weft_scene_destroy(&sheet);
}

static void define_sleep(weft_world_def* def) {
  def->sleep_speed = 0.1f;
}

static void define_euler(weft_world_def* def) {
  def->solver.integrator = WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER;
}

static void define_loads(weft_world_def* def) {
  def->loads = true;
}

static const struct {
  const char* field;
  void (*define)(weft_world_def* def);
} lacks[] = {
    {"weft_world_def.sleep_speed", define_sleep},
    {"weft_solver_def.integrator", define_euler},
    {"weft_world_def.loads", define_loads},
};

LOOP_TEST(what_clusters_lack_is_named, 0, sizeof(lacks) / sizeof(*lacks)) {
  weft_world_def def = weft_plain_world_def();
  lacks[_i].define(&def);
  expect_error(create_alone(&def, sheet, &made), WEFT_ERROR_UNSUPPORTED, lacks[_i].field);
  ck_assert_ptr_null(made);
}

TEST(rods_are_named_as_lacking) {
  const weft_world_def def = weft_plain_world_def();
  const weft_rod_def rod = bare_rod_def();
  expect_ok(weft_scene_add_rod(sheet, &rod, NULL));
  expect_error(create_alone(&def, sheet, &made), WEFT_ERROR_UNSUPPORTED, "weft_scene_add_rod");
}

TEST(skin_limits_stop_the_next_step) {
  const weft_world_def def = weft_plain_world_def();
  expect_ok(create_alone(&def, sheet, &made));
  expect_ok(weft_cluster_step(made, 1));
  weft_world* world = weft_cluster_world(made);
  const uint64_t hash = weft_world_hash(world);
  weft_skin_limits limits = weft_default_skin_limits();
  limits.max_distance = 0.1f;
  expect_ok(
      weft_world_set(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(0, 10), &limits, WEFT_SAME));
  expect_error(weft_cluster_step(made, 1), WEFT_ERROR_UNSUPPORTED, "WEFT_ATTRIBUTE_SKIN_LIMITS");
  ck_assert_uint_eq(weft_world_hash(world), hash);
}

TEST(wrong_transports_are_refused) {
  static const struct {
    weft_transport transport;
    weft_error error;
    const char* field;
  } wrong[] = {
      {{.rank = 1, .rank_count = 1, .send = send_nothing, .receive = receive_nothing},
       WEFT_ERROR_INDEX,
       "weft_transport.rank"},
      {{.send = send_nothing, .receive = receive_nothing},
       WEFT_ERROR_RANGE,
       "weft_transport.rank_count"},
      {{.rank_count = 1, .receive = receive_nothing}, WEFT_ERROR_NULL, "weft_transport.send"},
      {{.rank_count = 1, .send = send_nothing}, WEFT_ERROR_NULL, "weft_transport.receive"},
  };
  const weft_world_def def = weft_plain_world_def();
  for (size_t k = 0; k < sizeof(wrong) / sizeof(*wrong); ++k) {
    expect_error(weft_cluster_create(&wrong[k].transport, &def, sheet, &made), wrong[k].error,
                 wrong[k].field);
  }
  expect_null(weft_cluster_create(NULL, &def, sheet, &made), "transport");
  expect_null(create_alone(&def, sheet, NULL), "cluster");
  expect_null(create_alone(NULL, sheet, &made), "def");
}

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

LOOP_TEST(ranks_that_differ_fail_together, 0, 2) {
  weft_scene* other = new_sheet(2.0f);
  difference d = {.scenes = {sheet, other}, .differs_in_def = _i == 1};
  run_ranks(3, true, create_differing, &d);
  for (int r = 0; r < 3; ++r) {
    // the first rank that differs from this one
    expect_error_at(d.result[r], WEFT_ERROR_FOREIGN, _i == 1 ? "weft_world_def.damping" : "scene",
                    r < 2 ? 2u : 0u);
  }
}

SUITE(cluster_input) {
  tcase_add_checked_fixture(tests, set_up, tear_down);
}
